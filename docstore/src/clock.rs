//! Time as an argument, so that races, expiry and retention are testable without waiting.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::model::Ts;

/// Source of the current time.
pub trait Clock: Send + Sync + fmt::Debug + 'static {
    /// The current time in whole microseconds since the Unix epoch.
    fn now(&self) -> Ts;

    /// Completes when the clock is set after this call, so that a task that waits for a time can look again. Ask for it
    /// before reading the time. Most clocks are never set.
    fn set_by_hand(&self) -> BoxFuture<'static, ()> {
        std::future::pending().boxed()
    }
}

/// Shared handle of a clock.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Ts {
        let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Ts::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }
}

/// A clock that is advanced by hand.
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that stands at `start`.
    pub fn new(start: Ts) -> Self {
        Self(AtomicU64::new(start.micros()))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Ts {
        Ts::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// The machine's clock with an offset, or a clock that stands still: for tests of applications that wait for hours.
#[derive(Debug)]
pub struct AdjustableClock {
    time: Mutex<Time>,
    changes: watch::Sender<()>,
}

/// Relation of an [`AdjustableClock`] to the machine's clock.
#[derive(Debug, Clone, Copy)]
enum Time {
    /// This many microseconds ahead of the machine.
    Ahead(i64),
    Stopped(Ts),
}

impl Time {
    fn now(self, machine: Ts) -> Ts {
        match self {
            Self::Ahead(offset) => Ts::from_micros(machine.micros().saturating_add_signed(offset)),
            Self::Stopped(at) => at,
        }
    }

    /// The clock that shows `at` now, and runs or stands still.
    fn showing(at: Ts, machine: Ts, stopped: bool) -> Self {
        if stopped {
            return Self::Stopped(at);
        }
        let offset = i128::from(at.micros()) - i128::from(machine.micros());
        Self::Ahead(i64::try_from(offset).unwrap_or(i64::MAX))
    }
}

impl Default for AdjustableClock {
    /// The machine's time.
    fn default() -> Self {
        Self { time: Mutex::new(Time::Ahead(0)), changes: watch::Sender::new(()) }
    }
}

impl AdjustableClock {
    /// Sets the time to what `to` makes of the current time; from then on the clock runs, or stands still.
    pub fn set(&self, stopped: bool, to: impl FnOnce(Ts) -> Ts) {
        let mut time = self.time.lock();
        let machine = SystemClock.now();
        *time = Time::showing(to(time.now(machine)), machine, stopped);
        drop(time);
        self.changes.send_replace(());
    }

    /// Returns to the machine's time.
    pub fn reset(&self) {
        *self.time.lock() = Time::Ahead(0);
        self.changes.send_replace(());
    }

    /// True if the clock stands still.
    pub fn is_stopped(&self) -> bool {
        matches!(*self.time.lock(), Time::Stopped(_))
    }
}

impl Clock for AdjustableClock {
    fn now(&self) -> Ts {
        self.time.lock().now(SystemClock.now())
    }

    fn set_by_hand(&self) -> BoxFuture<'static, ()> {
        let mut changes = self.changes.subscribe();
        async move {
            // The sender lives as long as the server.
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000_000;

    fn later(at: Ts) -> Ts {
        Ts::from_micros(at.micros() + HOUR)
    }

    #[test]
    fn an_adjustable_clock_moves_stands_still_and_returns() {
        let clock = AdjustableClock::default();
        let before = SystemClock.now();
        clock.set(false, later);
        assert!(clock.now() >= later(before));
        clock.set(true, |_| Ts::from_micros(7));
        assert!(clock.is_stopped());
        assert_eq!(clock.now(), Ts::from_micros(7));
        clock.set(true, later);
        assert_eq!(clock.now(), Ts::from_micros(7 + HOUR));
        clock.set(false, |now| now);
        assert!(!clock.is_stopped());
        assert!(clock.now() >= Ts::from_micros(7 + HOUR) && clock.now() < Ts::from_micros(7 + 2 * HOUR));
        clock.reset();
        assert!(clock.now() >= before && clock.now() <= SystemClock.now());
        clock.set(false, |_| Ts::from_micros(u64::MAX));
        assert!(clock.now() > later(before));
    }

    #[tokio::test]
    async fn whoever_waits_hears_of_a_change_made_since() {
        let clock = AdjustableClock::default();
        clock.set(false, later);
        let mut waits = clock.set_by_hand();
        assert!((&mut waits).now_or_never().is_none());
        clock.reset();
        waits.await;
        assert!(SystemClock.set_by_hand().now_or_never().is_none());
    }
}
