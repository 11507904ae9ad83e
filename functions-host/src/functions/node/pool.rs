//! The worker pool of one source.
//!
//! Idle workers come first, so that one looping call cannot hold up another. If none is idle and the pool has room, a
//! worker is started while the request is offered to the least busy one (`claim`); a request waits for a start only when
//! there is no worker at all. A worker whose event loop is late gets no new requests, loses those that it has not
//! claimed, and is replaced before the next request needs it. Late workers do not count against the limit, up to as many
//! again; beyond that the oldest stuck one is ended, and so is any stuck worker with no caller left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use docstore::{Code, Error, Result};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::worker::{Launcher, Worker};

/// Most requests waiting for a worker.
const MAX_WAITING: usize = 1_000;
/// Most concurrent requests in one worker: the default of the cloud's second generation.
const MAX_PER_WORKER: usize = 80;

/// The workers of one source.
#[derive(Debug)]
pub(super) struct Pool {
    launcher: Launcher,
    most: usize,
    next_id: AtomicU64,
    state: Mutex<State>,
    changed: Arc<Notify>,
    /// Set when newer functions are loaded: each worker ends with its last request.
    retired: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct State {
    workers: Vec<Arc<Worker>>,
    starting: usize,
    /// Set when the pool is stopped; workers still starting end as well.
    stopped: bool,
    waiting: usize,
    /// Reason of the latest failed start; cleared by a successful one.
    failure: Option<(Code, String)>,
    /// Number of failed starts, by which a waiter recognises a new failure.
    failures: u64,
}

/// The next step for a request.
enum Step {
    Take { worker: Arc<Worker>, shared: bool },
    Wait,
}

/// A reserved slot in a worker for one request, released on drop.
#[derive(Debug)]
pub(super) struct Lease {
    worker: Arc<Worker>,
    changed: Arc<Notify>,
    retired: Arc<AtomicBool>,
    /// The response has begun.
    answered: bool,
    /// The worker had other requests.
    shared: bool,
}

impl Lease {
    /// Records that the worker has responded.
    pub(super) fn answered(&mut self) {
        self.answered = true;
    }

    /// True if the worker had other requests, one of which may hold up its event loop.
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// The worker.
    pub(super) fn worker(&self) -> &Arc<Worker> {
        &self.worker
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.answered {
            self.worker.doubt();
        }
        let last = self.worker.in_flight.fetch_sub(1, Ordering::AcqRel) == 1;
        if last && self.retired.load(Ordering::Acquire) {
            self.worker.kill();
        }
        self.changed.notify_waiters();
    }
}

impl Pool {
    /// A pool of at most `most` workers; none is started yet.
    pub(super) fn new(launcher: Launcher, most: usize) -> Result<Arc<Self>> {
        launcher.prepare()?;
        Ok(Arc::new(Self {
            launcher,
            most: most.max(1),
            next_id: AtomicU64::new(1),
            state: Mutex::default(),
            changed: Arc::default(),
            retired: Arc::default(),
        }))
    }

    /// Starts a worker ahead of the first request.
    pub(super) fn warm(self: &Arc<Self>) {
        let mut state = self.lock();
        if state.workers.is_empty() && state.starting == 0 {
            self.begin_start(&mut state);
        }
    }

    /// Reserves a slot in a worker for one request.
    pub(super) async fn acquire(self: &Arc<Self>) -> Result<Lease> {
        let _place = self.wait_in_line()?;
        let failures = self.lock().failures;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let step = {
                let mut state = self.lock();
                let step = self.next_step(&mut state);
                if let (Step::Wait, Some((code, message))) = (&step, &state.failure)
                    && state.failures > failures
                {
                    return Err(Error::new(*code, "WorkerDoesNotStart", message.clone()));
                }
                step
            };
            match step {
                Step::Take { worker, shared } => {
                    let (changed, retired) = (self.changed.clone(), self.retired.clone());
                    return Ok(Lease { worker, changed, retired, answered: false, shared });
                }
                Step::Wait => changed.await,
            }
        }
    }

    /// Ends idle workers now and each busy one after its last request.
    pub(super) fn retire(&self) {
        let state = self.lock();
        self.retired.store(true, Ordering::Release);
        for worker in &state.workers {
            if worker.in_flight.load(Ordering::Acquire) == 0 {
                worker.kill();
            }
        }
    }

    /// Kills every worker.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        for worker in state.workers.drain(..) {
            worker.kill();
        }
    }

    /// True if any worker has a request.
    #[cfg(test)]
    pub(super) fn any_busy(&self) -> bool {
        self.lock().workers.iter().any(|worker| worker.in_flight.load(Ordering::Acquire) > 0)
    }

    /// Waits until a worker is idle, without starting one.
    #[cfg(test)]
    pub(super) async fn stand_in_ready(&self) {
        loop {
            let changed = self.changed.notified();
            let idle = |worker: &Arc<Worker>| worker.in_flight.load(Ordering::Acquire) == 0;
            if self.lock().workers.iter().any(idle) {
                return;
            }
            changed.await;
        }
    }

    /// Starts a worker if none is idle and waits until one is.
    #[cfg(test)]
    pub(super) async fn wait_for_idle(self: &Arc<Self>) {
        loop {
            let changed = self.changed.notified();
            let idle = {
                let mut state = self.lock();
                let busy = |worker: &Arc<Worker>| worker.in_flight.load(Ordering::Acquire) > 0;
                let idle = state.workers.iter().any(|worker| !busy(worker));
                if !idle && state.starting == 0 {
                    self.begin_start(&mut state);
                }
                idle
            };
            if idle {
                return;
            }
            changed.await;
        }
    }

    fn next_step(self: &Arc<Self>, state: &mut State) -> Step {
        state.workers.retain(|worker| worker.is_alive());
        let (late, healthy): (Vec<_>, Vec<_>) =
            state.workers.iter().cloned().partition(|worker| worker.is_late());
        let stuck: Vec<_> = late.iter().filter(|worker| worker.is_stuck()).collect();
        if stuck.len() > self.most
            && let Some(oldest) = stuck.iter().min_by_key(|worker| worker.id)
        {
            oldest.kill();
        }
        let load = |worker: &Arc<Worker>| worker.in_flight.load(Ordering::Acquire);
        let least = healthy.iter().min_by_key(|worker| load(worker));
        let idle = least.is_some_and(|worker| load(worker) == 0);
        if !idle && self.has_room(state) {
            self.begin_start(state);
        }
        // If no better worker exists or is starting, a late one may still catch up.
        let catching_up =
            || late.iter().filter(|worker| !worker.is_stuck()).min_by_key(|worker| load(worker));
        match least.or_else(|| if state.starting == 0 { catching_up() } else { None }) {
            Some(worker) if load(worker) < MAX_PER_WORKER => {
                let shared = worker.in_flight.fetch_add(1, Ordering::AcqRel) > 0;
                Step::Take { worker: worker.clone(), shared }
            }
            _ => Step::Wait,
        }
    }

    /// Starts a replacement for a late worker, unless another is idle or starting.
    fn stand_in(self: &Arc<Self>) {
        let mut state = self.lock();
        let retired = state.stopped || self.retired.load(Ordering::Acquire);
        let ready = |worker: &Arc<Worker>| {
            worker.is_alive() && !worker.is_late() && worker.in_flight.load(Ordering::Acquire) == 0
        };
        if !retired && state.starting == 0 && !state.workers.iter().any(ready) && self.has_room(&state) {
            self.begin_start(&mut state);
        }
    }

    /// True if another worker may be started: late ones do not count, but the total is at most twice the limit.
    fn has_room(&self, state: &State) -> bool {
        let alive = || state.workers.iter().filter(|worker| worker.is_alive());
        let healthy = alive().filter(|worker| !worker.is_late()).count();
        healthy + state.starting < self.most && alive().count() + state.starting < 2 * self.most
    }

    fn begin_start(self: &Arc<Self>, state: &mut State) {
        state.starting += 1;
        let pool = self.clone();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            let started = pool.launcher.start(id, pool.changed.clone()).await;
            let mut state = pool.lock();
            state.starting -= 1;
            match started {
                Ok(worker) if state.stopped => worker.kill(),
                Ok(worker) if state.waiting == 0 && pool.retired.load(Ordering::Acquire) => worker.kill(),
                Ok(worker) => {
                    state.failure = None;
                    state.workers.push(Arc::clone(&worker));
                    let pool = Arc::downgrade(&pool);
                    tokio::spawn(async move {
                        let report = |late| match pool.upgrade() {
                            Some(pool) if late => pool.stand_in(),
                            Some(pool) => pool.changed.notify_waiters(),
                            None => {}
                        };
                        worker.supervise(report).await;
                    });
                }
                Err(error) => {
                    tracing::error!(target: "functions", worker = id, "{}", error.message());
                    state.failures += 1;
                    state.failure = Some((error.code(), error.message().to_owned()));
                }
            }
            drop(state);
            pool.changed.notify_waiters();
        });
    }

    fn wait_in_line(self: &Arc<Self>) -> Result<impl Drop + use<>> {
        struct Place(Arc<Pool>);
        impl Drop for Place {
            fn drop(&mut self) {
                self.0.lock().waiting -= 1;
            }
        }
        let mut state = self.lock();
        if state.waiting >= MAX_WAITING {
            let message = "too many calls are waiting for a worker: try again later";
            return Err(Error::new(Code::ResourceExhausted, "TooManyWaitingCalls", message));
        }
        state.waiting += 1;
        drop(state);
        Ok(Place(self.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The last handle is gone, so no request can ask for a worker again.
impl Drop for Pool {
    fn drop(&mut self) {
        self.retire();
    }
}
