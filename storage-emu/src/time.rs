//! Times as the wire writes them.

use docstore::model::Ts;

/// RFC 3339 in UTC with milliseconds, `2020-09-18T00:31:33.328Z`.
pub fn rfc3339(ts: Ts) -> String {
    let millis = ts.micros() / 1_000;
    let (days, in_day) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, milli) = (in_day / 1_000 % 60, in_day % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Year, month and day of a number of days since 1970-01-01, in the proleptic Gregorian calendar.
/// Counts in 400-year eras that start on a first of March, so that the leap day comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_known_times() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_600_389_093_328_000, "2020-09-18T00:31:33.328Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(Ts::from_micros(micros)), text);
        }
    }
}
