//! The three ways this wire writes a point in time.

use docstore::model::Ts;

/// Whole seconds since the epoch, as in token claims.
pub(crate) const fn seconds(at: Ts) -> u64 {
    at.micros() / 1_000_000
}

/// Whole milliseconds since the epoch, as in `createdAt`.
pub(crate) const fn millis(at: Ts) -> u64 {
    at.micros() / 1_000
}

/// RFC 3339 in UTC with milliseconds, as in `lastRefreshAt`.
pub(crate) fn rfc3339(at: Ts) -> String {
    let millis = millis(at);
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1_000)
}

/// Year, month and day of the proleptic Gregorian calendar, `days` after 1970-01-01. Years begin in March
/// here, so that the leap day comes last and months have a regular pattern.
const fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (1_709_164_799_999, "2024-02-28T23:59:59.999Z"),
            (1_709_251_199_000, "2024-02-29T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_767_225_599_000, "2025-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(rfc3339(Ts::from_micros(millis * 1_000)), text);
        }
    }
}
