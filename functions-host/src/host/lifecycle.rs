//! Shutdown in phases, each with a time limit.

use std::time::Duration;

use docstore::{Error, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Time for streams to end by themselves after the signal; then they are cut.
pub const STREAMS: Duration = Duration::from_secs(1);

/// Further time for requests in flight; then their connections are closed.
pub const DRAIN: Duration = Duration::from_secs(5);

/// Time for closed connections to disappear.
pub const CUT: Duration = Duration::from_secs(1);

/// Phases of the shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Not stopping.
    Running,
    /// No new connections; requests in flight go on, streams end by themselves.
    Draining,
    /// Running response bodies are ended early.
    Ending,
    /// Connections are closed.
    Cut,
}

/// The side that controls the shutdown.
#[derive(Debug)]
pub struct Stopper(watch::Sender<Phase>);

/// The side that follows it. Every change wakes all waiters in [`Lifecycle::reached`].
#[derive(Debug, Clone)]
pub struct Lifecycle(watch::Receiver<Phase>);

/// A pair of both sides, running.
pub fn lifecycle() -> (Stopper, Lifecycle) {
    let (sender, receiver) = watch::channel(Phase::Running);
    (Stopper(sender), Lifecycle(receiver))
}

impl Stopper {
    /// Advances to `phase`; going back is not possible.
    pub fn go(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let forward = phase > *now;
            if forward {
                *now = phase;
            }
            forward
        });
    }

    /// Completes when every [`Lifecycle`] is dropped.
    pub async fn everybody_left(&self) {
        self.0.closed().await;
    }
}

impl Lifecycle {
    /// The current phase.
    pub fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Completes once `phase` is reached, or the controlling side is dropped.
    pub async fn reached(&self, phase: Phase) {
        let mut told = self.0.clone();
        let _gone = told.wait_for(|now| *now >= phase).await;
    }
}

/// Signals that ask the process to stop, caught from [`StopSignals::catch`] on.
#[derive(Debug)]
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl StopSignals {
    /// Starts to catch SIGTERM, SIGINT (Ctrl-C) and SIGHUP.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn catch() -> Result<Self> {
        let catch = |kind| {
            signal(kind).map_err(|error| {
                Error::internal("NoSignals", "cannot catch the signals that stop a server", error)
            })
        };
        Ok(Self {
            terminate: catch(SignalKind::terminate())?,
            interrupt: catch(SignalKind::interrupt())?,
            hang_up: catch(SignalKind::hangup())?,
        })
    }

    /// Completes at the next signal, with its name.
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.hang_up.recv() => "SIGHUP",
        }
    }

    /// Runs `stopping` to its end, or to the next signal, whose sender does not want to wait.
    ///
    /// # Errors
    /// Those of `stopping`.
    pub async fn unless_again(&mut self, stopping: impl Future<Output = Result<()>>) -> Result<()> {
        tokio::select! {
            stopped = stopping => stopped,
            signal = self.next() => {
                tracing::warn!(signal, "second signal: stopping at once");
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Phase, lifecycle};

    #[tokio::test]
    async fn phases_only_go_forward_and_wake_everybody() {
        let (stopper, told) = lifecycle();
        let waiting = tokio::spawn({
            let told = told.clone();
            async move { told.reached(Phase::Ending).await }
        });
        stopper.go(Phase::Cut);
        stopper.go(Phase::Draining);
        assert_eq!(told.phase(), Phase::Cut);
        waiting.await.unwrap();
        drop(told);
        stopper.everybody_left().await;
    }
}
