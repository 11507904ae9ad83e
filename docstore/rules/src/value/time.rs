//! Points in time and lengths of time.

use std::fmt;

const NANOS: i128 = 1_000_000_000;
/// 0001-01-01T00:00:00Z
const MIN_SECONDS: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
const MAX_SECONDS: i64 = 253_402_300_799;
const MAX_DURATION_SECONDS: i64 = 315_576_000_000;

/// A point in time, to the nanosecond, from year 1 to year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self { seconds: 0, nanos: 0 };

    /// From microseconds since the Unix epoch; `None` outside years 1 to 9999.
    pub fn from_micros(micros: i64) -> Option<Self> {
        Self::from_nanos(i128::from(micros) * 1_000)
    }

    pub(crate) fn from_millis(millis: i64) -> Option<Self> {
        Self::from_nanos(i128::from(millis) * 1_000_000)
    }

    pub(crate) fn from_nanos(nanos: i128) -> Option<Self> {
        let seconds = i64::try_from(nanos.div_euclid(NANOS)).ok()?;
        let nanos = u32::try_from(nanos.rem_euclid(NANOS)).ok()?;
        (MIN_SECONDS..=MAX_SECONDS).contains(&seconds).then_some(Self { seconds, nanos })
    }

    /// Midnight UTC of a day of the calendar, if there is such a day.
    pub(crate) fn from_date(year: i64, month: i64, day: i64) -> Option<Self> {
        if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        let days = days_before(year, month) + day - 1;
        let date = Self { seconds: days * 86_400, nanos: 0 };
        (date.date() == (year, month, day)).then_some(date)
    }

    /// From RFC 3339 text, with `Z` or an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |range: std::ops::Range<usize>| -> Option<i64> {
            let digits = text.get(range)?;
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let separator =
            |at: usize, allowed: &[u8]| text.as_bytes().get(at).is_some_and(|b| allowed.contains(b));
        let separators = separator(4, b"-") && separator(7, b"-") && separator(10, b"Tt");
        if !separators || !separator(13, b":") || !separator(16, b":") {
            return None;
        }
        let date = Self::from_date(number(0..4)?, number(5..7)?, number(8..10)?)?;
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let mut rest = text.get(19..)?;
        let mut nanos = 0i128;
        if let Some(fraction) = rest.strip_prefix('.') {
            let digits = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            if !(1..=9).contains(&digits) {
                return None;
            }
            nanos = format!("{:0<9}", fraction.get(..digits)?).parse().ok()?;
            rest = fraction.get(digits..)?;
        }
        let offset = match rest.as_bytes() {
            [b'Z' | b'z'] => 0,
            [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
                let hours: i64 = rest.get(1..3)?.parse().ok()?;
                let minutes: i64 = rest.get(4..6)?.parse().ok()?;
                if *sign == b'+' { hours * 60 + minutes } else { -(hours * 60 + minutes) }
            }
            _ => return None,
        };
        let seconds = date.seconds + hour * 3_600 + (minute - offset) * 60 + second;
        Self::from_nanos(i128::from(seconds) * NANOS + nanos)
    }

    pub(crate) fn nanos_since_epoch(self) -> i128 {
        i128::from(self.seconds) * NANOS + i128::from(self.nanos)
    }

    pub(crate) fn plus(self, duration: Duration) -> Option<Self> {
        Self::from_nanos(self.nanos_since_epoch() + duration.total_nanos())
    }

    pub(crate) fn millis(self) -> i64 {
        i64::try_from(self.nanos_since_epoch().div_euclid(1_000_000)).unwrap_or(i64::MAX)
    }

    pub(crate) fn nanos(self) -> i64 {
        self.nanos.into()
    }

    pub(crate) fn second_of_day(self) -> i64 {
        self.seconds.rem_euclid(86_400)
    }

    pub(crate) fn midnight(self) -> Self {
        Self { seconds: self.seconds - self.second_of_day(), nanos: 0 }
    }

    /// Since midnight.
    pub(crate) fn time_of_day(self) -> Duration {
        Duration { nanos: i128::from(self.second_of_day()) * NANOS + i128::from(self.nanos) }
    }

    fn day_number(self) -> i64 {
        self.seconds.div_euclid(86_400)
    }

    /// Year, month from 1, day from 1.
    pub(crate) fn date(self) -> (i64, i64, i64) {
        let days = self.day_number();
        // A first guess that is never too late by more than a year, then at most two steps.
        let mut year = 1970 + days.div_euclid(366).min(days.div_euclid(365));
        while days_before(year + 1, 1) <= days {
            year += 1;
        }
        let mut month = 1;
        while month < 12 && days_before(year, month + 1) <= days {
            month += 1;
        }
        (year, month, days - days_before(year, month) + 1)
    }

    /// From 1.
    pub(crate) fn day_of_year(self) -> i64 {
        self.day_number() - days_before(self.date().0, 1) + 1
    }

    /// Monday 1 to Sunday 7.
    pub(crate) fn day_of_week(self) -> i64 {
        // The epoch was a Thursday.
        (self.day_number() + 3).rem_euclid(7) + 1
    }
}

/// Days from the epoch to the first of a month.
fn days_before(year: i64, month: i64) -> i64 {
    const BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap_days = |years: i64| years / 4 - years / 100 + years / 400;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let index = usize::try_from(month - 1).unwrap_or(0);
    let in_year = BEFORE_MONTH.get(index).copied().unwrap_or(0) + i64::from(is_leap && month > 2);
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969) + in_year
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let second = self.second_of_day();
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}", second % 60)?;
        match self.nanos {
            0 => f.write_str("Z"),
            n if n % 1_000_000 == 0 => write!(f, ".{:03}Z", n / 1_000_000),
            n if n % 1_000 == 0 => write!(f, ".{:06}Z", n / 1_000),
            n => write!(f, ".{n:09}Z"),
        }
    }
}

/// A length of time, to the nanosecond, of up to 10,000 years either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    nanos: i128,
}

impl Duration {
    /// From nanoseconds; `None` outside the range.
    pub fn from_nanos(nanos: i128) -> Option<Self> {
        let most = i128::from(MAX_DURATION_SECONDS) * NANOS + NANOS - 1;
        (-most..=most).contains(&nanos).then_some(Self { nanos })
    }

    pub(crate) fn total_nanos(self) -> i128 {
        self.nanos
    }

    /// Whole seconds, towards zero.
    pub(crate) fn seconds(self) -> i64 {
        i64::try_from(self.nanos / NANOS).unwrap_or(i64::MAX)
    }

    /// The fraction beside the whole seconds, with the same sign.
    pub(crate) fn subsecond_nanos(self) -> i64 {
        i64::try_from(self.nanos % NANOS).unwrap_or(0)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanos < 0 { "-" } else { "" };
        let (seconds, nanos) = (self.nanos.abs() / NANOS, self.nanos.abs() % NANOS);
        match nanos {
            0 => write!(f, "{sign}{seconds}s"),
            n if n % 1_000_000 == 0 => write!(f, "{sign}{seconds}.{:03}s", n / 1_000_000),
            n if n % 1_000 == 0 => write!(f, "{sign}{seconds}.{:06}s", n / 1_000),
            n => write!(f, "{sign}{seconds}.{n:09}s"),
        }
    }
}
