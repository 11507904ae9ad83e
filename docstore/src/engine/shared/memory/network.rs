//! The way between a node and a log in memory: delays, losses, cuts and pauses, drawn from a seed.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::{oneshot, watch};

/// Faults of a node's connection. The default has none: every call is answered at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Network {
    /// Longest way of a request or a reply.
    pub latency: Duration,
    /// Time after which a node gives up waiting for a reply; zero waits without end.
    pub patience: Duration,
    /// Requests of a thousand whose reply is lost after they were carried out.
    pub lost_replies: u16,
    /// Requests of a thousand that are held up on their way.
    pub held_up: u16,
    /// Longest time for which one is held up. The node has given up by then, and the request still arrives, through cuts.
    pub held_up_for: Duration,
}

/// Reason why a call has no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// The request was not sent.
    NeverSent,
    /// It was sent, and may have been carried out or may still be.
    MaybeArrived,
}

/// A node's connection. Cloning shares it.
#[derive(Debug, Clone)]
pub(super) struct Link(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    draws: Mutex<(StdRng, Network)>,
    cut: watch::Sender<bool>,
    paused: watch::Sender<bool>,
}

/// The course of one call.
struct Course {
    to: Duration,
    back: Duration,
    held_up: bool,
    lost: bool,
    patience: Duration,
}

impl Link {
    pub(super) fn new(network: Network, seed: u64) -> Self {
        let draws = Mutex::new((StdRng::seed_from_u64(seed), network));
        let (cut, paused) = (watch::Sender::new(false), watch::Sender::new(false));
        Self(Arc::new(Shared { draws, cut, paused }))
    }

    pub(super) fn set_network(&self, network: Network) {
        self.0.draws.lock().1 = network;
    }

    pub(super) fn cut(&self, cut: bool) {
        self.0.cut.send_replace(cut);
    }

    pub(super) fn pause(&self, paused: bool) {
        self.0.paused.send_replace(paused);
    }

    fn draw(&self) -> Course {
        let (random, network) = &mut *self.0.draws.lock();
        let mut up_to = |most: Duration| {
            Duration::from_micros(
                random.random_range(0..=u64::try_from(most.as_micros()).unwrap_or(u64::MAX)),
            )
        };
        let (to, back, held_up_for) =
            (up_to(network.latency), up_to(network.latency), up_to(network.held_up_for));
        let mut happens = |of_a_thousand: u16| random.random_range(0..1_000) < of_a_thousand;
        let (held_up, lost) = (happens(network.held_up), happens(network.lost_replies));
        let to = if held_up { to + held_up_for } else { to };
        Course { to, back, held_up, lost, patience: network.patience }
    }

    /// Waits while the node is stopped.
    async fn running(&self) {
        // The sender is part of this link.
        drop(self.0.paused.subscribe().wait_for(|paused| !*paused).await);
    }

    /// Sends a request, which `run` carries out, and waits for its reply. The request goes its way even if the caller
    /// is dropped meanwhile, as after a crash.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        run: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Lost> {
        self.running().await;
        if *self.0.cut.borrow() {
            return Err(Lost::NeverSent);
        }
        let course = self.draw();
        let (reply, replied) = oneshot::channel();
        let link = self.clone();
        let patience = course.patience;
        let travel = async move {
            pass(course.to).await;
            if *link.0.cut.borrow() && !course.held_up {
                return;
            }
            let result = run();
            pass(course.back).await;
            if !course.lost && !*link.0.cut.borrow() {
                // The node may have given up.
                drop(reply.send(result));
            }
        };
        tokio::spawn(travel);
        let result = if patience.is_zero() {
            replied.await.ok()
        } else {
            tokio::time::timeout(patience, replied).await.ok().and_then(Result::ok)
        };
        self.running().await;
        result.ok_or(Lost::MaybeArrived)
    }
}

/// Waits, without yielding where there is nothing to wait for.
async fn pass(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}
