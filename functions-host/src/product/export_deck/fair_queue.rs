//! Fair queue of exports: few run at once and accounts take queue, so that an account that requests forty exports
//! delays the others by one at most.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use docstore::Code;
use docstore::shares::{Holder, Share, Shares};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::functions::callable::CallError;

/// Limits on running and queued exports.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    /// Running at once.
    pub(super) running: usize,
    /// Running at once for one account.
    pub(super) running_for_one: usize,
    /// Running or queued.
    pub(super) calls: usize,
    /// Running or queued for one account.
    pub(super) calls_for_one: usize,
    /// Longest wait for a permit.
    pub(super) wait: Duration,
}

/// The queue.
#[derive(Debug)]
pub(super) struct FairQueue {
    most: Most,
    shares: Arc<dyn Shares>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Running exports per account.
    running: HashMap<String, usize>,
    /// Queued exports, oldest first.
    waiting: Vec<Waiting>,
    /// Sequence number of the last permit of each account in the queue.
    last: HashMap<String, u64>,
    permits: u64,
}

#[derive(Debug)]
struct Waiting {
    account: String,
    begin: oneshot::Sender<Permit>,
}

/// Permit to run one export.
#[derive(Debug)]
pub(super) struct Permit {
    queue: Arc<FairQueue>,
    account: String,
}

/// Holdings of a running export: its permit and its places in the queue.
pub(super) type Held = (Permit, [Share; 2]);

/// An export in the queue.
#[derive(Debug)]
pub(super) struct Queued {
    begun: oneshot::Receiver<Permit>,
    places: [Share; 2],
    /// Exports that ran or were queued before.
    pub(super) others: usize,
    most: Most,
}

impl Queued {
    /// The permit if it is there without a wait, else this.
    pub(super) fn at_once(mut self) -> Result<Held, Box<Self>> {
        match self.begun.try_recv() {
            Ok(permit) => Ok((permit, self.places)),
            Err(_) => Err(Box::new(self)),
        }
    }

    /// Waits for the permit.
    ///
    /// # Errors
    /// `ResourceExhausted` after too long a wait.
    pub(super) async fn permit(self) -> Result<Held, CallError> {
        match timeout(self.most.wait, self.begun).await {
            Ok(Ok(permit)) => Ok((permit, self.places)),
            Ok(Err(_)) | Err(_) => {
                let message = format!(
                    "This host makes {} at a time, and {} came before yours: try again in a few minutes.",
                    counted(self.most.running),
                    self.others,
                );
                Err(CallError::new(Code::ResourceExhausted, message))
            }
        }
    }
}

fn counted(exports: usize) -> String {
    if exports == 1 { "1 export".to_owned() } else { format!("{exports} exports") }
}

impl FairQueue {
    pub(super) fn new(most: Most, shares: &Arc<dyn Shares>) -> Arc<Self> {
        Arc::new(Self { most, shares: Arc::clone(shares), state: Mutex::default() })
    }

    /// Queues an export of `account`.
    ///
    /// # Errors
    /// `ResourceExhausted` if too many are queued.
    pub(super) fn join(self: &Arc<Self>, account: &str) -> Result<Queued, CallError> {
        let places = [
            self.place(Holder::new("exports of one account", account), self.most.calls_for_one)?,
            self.place(Holder::new("exports", "all accounts"), self.most.calls)?,
        ];
        let (begin, begun) = oneshot::channel();
        let others = {
            let mut state = self.state.lock();
            state.waiting.retain(|waiting| !waiting.begin.is_closed());
            let others = state.waiting.len() + state.running.values().sum::<usize>();
            state.waiting.push(Waiting { account: account.to_owned(), begin });
            others
        };
        self.next();
        Ok(Queued { begun, places, others, most: self.most })
    }

    fn place(&self, holder: Holder, most: usize) -> Result<Share, CallError> {
        let advice = "wait for one to end, then try again";
        Share::take(&self.shares, holder, most, advice).map_err(CallError::from)
    }

    /// Starts queued exports while the limits allow.
    fn next(self: &Arc<Self>) {
        loop {
            let chosen = self.state.lock().choose(self.most);
            let Some(Waiting { account, begin }) = chosen else { return };
            // If the waiter has gone, the permit comes back here; the lock is not held.
            drop(begin.send(Permit { queue: Arc::clone(self), account }));
        }
    }
}

impl State {
    /// Removes the next export to run from the queue: that of the account with the oldest last permit, among those that
    /// may run one more.
    fn choose(&mut self, most: Most) -> Option<Waiting> {
        if self.running.values().sum::<usize>() >= most.running {
            return None;
        }
        let runs = |account: &str| self.running.get(account).copied().unwrap_or_default();
        let (at, _) = self
            .waiting
            .iter()
            .enumerate()
            .filter(|(_, waiting)| runs(&waiting.account) < most.running_for_one)
            .min_by_key(|(at, waiting)| {
                (self.last.get(&waiting.account).copied().unwrap_or_default(), *at)
            })?;
        let chosen = self.waiting.remove(at);
        self.permits += 1;
        self.last.insert(chosen.account.clone(), self.permits);
        *self.running.entry(chosen.account.clone()).or_default() += 1;
        Some(chosen)
    }

    fn end(&mut self, account: &str) {
        if let Some(running) = self.running.get_mut(account) {
            *running -= 1;
        }
        self.running.retain(|_, running| *running > 0);
        // Only accounts in the queue are remembered.
        let (running, waiting) = (&self.running, &self.waiting);
        self.last.retain(|account, _| {
            running.contains_key(account) || waiting.iter().any(|waiting| waiting.account == *account)
        });
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.queue.state.lock().end(&self.account);
        self.queue.next();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::pin::Pin;

    use docstore::shares::LocalShares;
    use futures::future::FutureExt;
    use proptest::prelude::*;

    use super::*;

    const MOST: Most =
        Most { running: 2, running_for_one: 1, calls: 32, calls_for_one: 5, wait: Duration::from_secs(100) };

    type Taken = Result<Held, CallError>;

    type Asked = Pin<Box<dyn Future<Output = Taken> + Send>>;

    fn queue(most: Most) -> Arc<FairQueue> {
        let shares: Arc<dyn Shares> = Arc::new(LocalShares::default());
        FairQueue::new(most, &shares)
    }

    fn asked(queue: &Arc<FairQueue>, account: &'static str) -> Asked {
        let queue = Arc::clone(queue);
        let mut asked = async move { queue.join(account)?.permit().await }.boxed();
        // Takes its place in the queue now.
        if let Some(taken) = (&mut asked).now_or_never() {
            return std::future::ready(taken).boxed();
        }
        asked
    }

    #[tokio::test(start_paused = true)]
    async fn many_calls_of_one_account_do_not_keep_another_waiting() {
        let queue = queue(MOST);
        let mut eve: VecDeque<_> = (0..40).map(|_| asked(&queue, "eve")).collect();
        let bob = asked(&queue, "bob").now_or_never().unwrap().unwrap();
        let carol = asked(&queue, "carol");
        let first = eve.pop_front().unwrap().now_or_never().unwrap().unwrap();
        drop(first);
        // Eve has run and Carol has not, although Eve was queued before her.
        let carol = carol.now_or_never().unwrap().unwrap();
        drop(bob);
        let second = eve.pop_front().unwrap().now_or_never().unwrap().unwrap();
        drop((carol, second));
        let refused = eve.into_iter().filter_map(FutureExt::now_or_never).filter_map(Result::err);
        let refused: Vec<_> = refused.collect();
        assert_eq!(refused.len(), 35);
        for error in refused {
            assert_eq!(error.code(), Code::ResourceExhausted);
            let message = error.inner().message();
            assert!(message.contains("5 exports of one account are open"), "{message}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_ever_and_who_leaves_is_passed_over() {
        let queue = queue(MOST);
        let running = (asked(&queue, "ada").await.unwrap(), asked(&queue, "bob").await.unwrap());
        let (gone, late) = (asked(&queue, "carol"), asked(&queue, "dora"));
        drop(gone);
        let error = late.await.unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
        let message = error.inner().message();
        assert!(
            message.starts_with("This host makes 2 exports at a time, and 3 came before yours"),
            "{message}"
        );
        let next = asked(&queue, "erin");
        drop(running);
        assert!(next.now_or_never().unwrap().is_ok());
        assert!(queue.state.lock().running.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_told_how_many_came_before() {
        let queue = queue(Most { running: 1, ..MOST });
        let running = queue.join("ada").unwrap().at_once().unwrap();
        let waiting = queue.join("bob").unwrap().at_once().unwrap_err();
        assert_eq!(waiting.others, 1);
        let last = queue.join("carol").unwrap().at_once().unwrap_err();
        assert_eq!(last.others, 2);
        drop(running);
        assert!(waiting.at_once().is_ok());
    }

    proptest! {
        /// Property: never more run than allowed, in total and per account, and no permit is left unused while somebody
        /// may have it.
        #[test]
        fn limits_hold_and_no_turn_is_lost(steps in prop::collection::vec((0_usize..4, 0_u8..3), 1..80)) {
            const WHO: [&str; 4] = ["a", "b", "c", "d"];
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            runtime.block_on(async {
                let queue = queue(MOST);
                let mut calls: Vec<(&str, Asked)> = Vec::new();
                let mut running: Vec<(&str, Held)> = Vec::new();
                for (who, what) in steps {
                    match what {
                        0 if !running.is_empty() => drop(running.remove(who % running.len())),
                        1 if !calls.is_empty() => drop(calls.remove(who % calls.len())),
                        _ => calls.push((WHO[who], asked(&queue, WHO[who]))),
                    }
                    let mut rest = Vec::new();
                    for (who, mut call) in std::mem::take(&mut calls) {
                        match (&mut call).now_or_never() {
                            Some(Ok(permit)) => running.push((who, permit)),
                            Some(Err(_)) => {}
                            None => rest.push((who, call)),
                        }
                    }
                    calls = rest;
                    let of = |who: &str| running.iter().filter(|(other, _)| *other == who).count();
                    assert!(running.len() <= MOST.running && WHO.iter().all(|who| of(who) <= MOST.running_for_one));
                    let may = calls.iter().any(|(who, _)| of(who) < MOST.running_for_one);
                    assert!(running.len() == MOST.running || !may, "a permit is free and somebody waits");
                }
            });
        }
    }
}
