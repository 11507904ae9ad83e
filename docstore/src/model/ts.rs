//! The commit timestamp.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};

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

    /// The date and time in UTC; `None` if the calendar does not reach it.
    pub fn date_time(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_micros(i64::try_from(self.0).ok()?)
    }

    /// RFC 3339 in UTC with milliseconds, `2020-09-18T00:31:33.328Z`. The end of the calendar stands for later times.
    pub fn rfc3339_millis(self) -> String {
        self.date_time().unwrap_or(DateTime::<Utc>::MAX_UTC).to_rfc3339_opts(SecondsFormat::Millis, true)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc3339_of_known_times() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_123_000, "2000-02-29T00:00:00.123Z"),
            (1_600_389_093_328_000, "2020-09-18T00:31:33.328Z"),
            (1_709_164_799_999_000, "2024-02-28T23:59:59.999Z"),
            (1_709_251_199_000_000, "2024-02-29T23:59:59.000Z"),
            (1_767_225_599_000_000, "2025-12-31T23:59:59.000Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Ts::from_micros(micros).rfc3339_millis(), text);
        }
        assert!(!Ts::MAX.rfc3339_millis().is_empty());
    }

    proptest! {
        /// Until the end of the year 9999, the text is the millisecond.
        #[test]
        fn rfc3339_is_the_millisecond(micros in 0..253_402_300_800_000_000_u64) {
            let at = Ts::from_micros(micros);
            let read = DateTime::parse_from_rfc3339(&at.rfc3339_millis()).unwrap();
            prop_assert_eq!(read.timestamp_micros().unsigned_abs(), at.whole_millis().micros());
        }
    }
}
