//! The commit timestamp.

use std::fmt;

/// Microseconds since the Unix epoch; strictly rising over the commits of one store.
///
/// The same number is commit version, document update time, read time and resume token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ts(u64);

impl Ts {
    /// Before every commit.
    pub const ZERO: Self = Self(0);
    /// After every commit.
    pub const MAX: Self = Self(u64::MAX);

    /// From microseconds since the epoch.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// The millisecond it lies in: what `request.time` and server timestamps show of a moment, so that they compare
    /// as equal.
    #[must_use]
    pub const fn whole_millis(self) -> Self {
        Self(self.0 - self.0 % 1_000)
    }

    /// The smallest later timestamp.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Ts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
