//! Time as an argument, so that races, expiry and retention are testable without waiting.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use crate::model::Ts;

/// Source of the current time.
pub trait Clock: Send + Sync + fmt::Debug + 'static {
    /// The current time in whole microseconds since the Unix epoch.
    fn now(&self) -> Ts;
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
