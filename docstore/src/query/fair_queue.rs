//! A fair queue of queries: few read at a time, and callers rotate, so that forty scans of one caller delay others by a
//! slice of one of them at most.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use crate::engine::Author;
use crate::{Code, Error, Result};

/// Queries that read at a time: more would only wait for the same processors and disk.
pub const READING: usize = 4;
/// Queries that may wait for a permit.
pub const WAITING: usize = 5_000;
/// Queries of one caller that may wait; all anonymous callers count as one.
pub const WAITING_OF_ONE: usize = 500;

/// The queue of a store. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct FairQueue(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    /// Callers with waiting queries, the next one first.
    callers: VecDeque<Author>,
    waiting: HashMap<Author, VecDeque<oneshot::Sender<Permit>>>,
    count: usize,
}

/// A permit to read, passed to the next caller when dropped.
#[derive(Debug)]
pub(crate) struct Permit(Option<FairQueue>);

impl FairQueue {
    pub(crate) fn new() -> Self {
        let (callers, waiting) = (VecDeque::new(), HashMap::new());
        Self(Arc::new(Mutex::new(State { free: READING, callers, waiting, count: 0 })))
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `ResourceExhausted` when too many wait already.
    pub(crate) async fn acquire(&self, by: &Author) -> Result<Permit> {
        let waits = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(Permit(Some(self.clone())));
            }
            let own = state.waiting.get(by).map_or(0, VecDeque::len);
            if own >= WAITING_OF_ONE || state.count >= WAITING {
                return Err(Error::new(
                    Code::ResourceExhausted,
                    "QueriesWaiting",
                    "Too many queries are waiting to be run; try again in a few seconds, and run fewer at once.",
                ));
            }
            state.enter(by)
        };
        Ok(received(waits).await)
    }

    /// Waits for a permit without a limit on the queue, for queries bounded by other means.
    pub(crate) async fn acquire_unbounded(&self, by: &Author) -> Permit {
        let waits = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Permit(Some(self.clone()));
            }
            state.enter(by)
        };
        received(waits).await
    }

    fn pass_on(&self) {
        loop {
            let next = {
                let mut state = self.lock();
                let next = state.leave();
                if next.is_none() {
                    state.free += 1;
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(Permit(Some(self.clone()))) {
                Ok(()) => return,
                // The waiting query was cancelled.
                Err(mut permit) => permit.0 = None,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

/// Waits for the permit. The sender lives as long as the queue, which the waiting query keeps alive.
async fn received(waits: oneshot::Receiver<Permit>) -> Permit {
    waits.await.unwrap_or(Permit(None))
}

impl State {
    fn enter(&mut self, by: &Author) -> oneshot::Receiver<Permit> {
        let (sender, waits) = oneshot::channel();
        let own = self.waiting.entry(by.clone()).or_default();
        if own.is_empty() {
            self.callers.push_back(by.clone());
        }
        own.push_back(sender);
        self.count += 1;
        waits
    }

    fn leave(&mut self) -> Option<oneshot::Sender<Permit>> {
        let by = self.callers.pop_front()?;
        let own = self.waiting.get_mut(&by)?;
        let next = own.pop_front();
        if own.is_empty() {
            self.waiting.remove(&by);
        } else {
            self.callers.push_back(by);
        }
        self.count -= usize::from(next.is_some());
        next
    }
}

impl Permit {
    /// Lets waiting queries run first.
    pub(crate) async fn yield_to_others(&mut self, by: &Author) {
        let Some(queue) = self.0.clone() else { return };
        let waits = {
            let mut state = queue.lock();
            (state.count > 0).then(|| state.enter(by))
        };
        match waits {
            Some(waits) => {
                queue.pass_on();
                self.0 = None;
                *self = received(waits).await;
            }
            None => tokio::task::yield_now().await,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn user(n: usize) -> Author {
        Author::User(n.to_string())
    }

    #[tokio::test]
    async fn callers_take_turns() {
        let queue = FairQueue::new();
        let mut held: Vec<Permit> = Vec::new();
        for _ in 0..READING {
            held.push(queue.acquire(&Author::Anonymous).await.unwrap());
        }
        let ask = |by: Author| {
            let queue = queue.clone();
            let mut asked = Box::pin(async move { (queue.acquire(&by).await.unwrap(), by) });
            assert!((&mut asked).now_or_never().is_none());
            asked
        };
        let mut waiting: Vec<_> = (0..40).map(|_| ask(Author::Anonymous)).collect();
        waiting.extend([ask(user(1)), ask(user(2)), ask(user(1))]);
        // Cancel one of them.
        drop(waiting.remove(0));
        let mut order = Vec::new();
        while let Some(permit) = held.pop() {
            drop(permit);
            let mut next = waiting.iter_mut().enumerate();
            let next = next.find_map(|(at, asked)| Some((at, asked.now_or_never()?)));
            if let Some((at, (permit, by))) = next {
                drop(waiting.remove(at));
                held.push(permit);
                order.push(by);
            }
        }
        let expected = [user(1), user(2), Author::Anonymous, user(1), Author::Anonymous];
        assert_eq!((order.len(), &order[..5]), (42, &expected[..]));
        assert_eq!(queue.lock().free, READING);
    }

    #[tokio::test]
    async fn a_permit_is_passed_on_and_comes_back() {
        let queue = FairQueue::new();
        let mut held = Vec::new();
        for _ in 0..READING {
            held.push(queue.acquire(&Author::Anonymous).await.unwrap());
        }
        let mut other = Box::pin(queue.acquire(&Author::Admin));
        assert!((&mut other).now_or_never().is_none());
        let mut scan = held.pop().unwrap();
        let mut again = Box::pin(scan.yield_to_others(&Author::Anonymous));
        assert!((&mut again).now_or_never().is_none(), "it is the other's permit");
        drop(other.await.unwrap());
        again.await;
        drop((scan, held));
        assert_eq!(queue.lock().free, READING);
    }

    #[tokio::test]
    async fn so_many_may_wait() {
        let queue = FairQueue::new();
        let mut held = Vec::new();
        for _ in 0..READING {
            held.push(queue.acquire(&Author::Anonymous).await.unwrap());
        }
        let mut waiting = Vec::new();
        for _ in 0..WAITING_OF_ONE {
            let mut waits = Box::pin(queue.acquire(&Author::Anonymous));
            assert!((&mut waits).now_or_never().is_none());
            waiting.push(waits);
        }
        let error = queue.acquire(&Author::Anonymous).await.unwrap_err();
        assert_eq!((error.code(), error.tag()), (Code::ResourceExhausted, "QueriesWaiting"));
        assert!(queue.acquire(&user(1)).now_or_never().is_none(), "others may");
    }
}
