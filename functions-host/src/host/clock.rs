//! Times in words and names, and detection of a clock that once ran ahead.

use std::time::Duration;

use chrono::SecondsFormat;
use docstore::model::Ts;

/// Largest lead of the newest data over the clock without a warning: a correction that time servers make routinely.
const USUAL: Duration = Duration::from_secs(60);

/// A warning if the newest data is from the future.
pub(crate) fn warning(newest: Ts, now: Ts) -> Option<String> {
    let ahead = Duration::from_micros(newest.micros().saturating_sub(now.micros()));
    (ahead > USUAL).then(|| {
        format!(
            "the newest data is dated {}, but this machine's clock says {}: the clock is behind now, or ran ahead when that was written. Set it right if it is behind. If it ran ahead, all that is written is dated after that time until it comes; to begin with right times, stop the server, run `tuckbox export`, and `tuckbox import` into another data folder",
            shown(newest),
            shown(now)
        )
    })
}

/// A time for people, in UTC.
pub(crate) fn shown(at: Ts) -> String {
    at.date_time()
        .map_or_else(|| "beyond all calendars".to_owned(), |at| at.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// A time for names of files, in UTC.
pub(crate) fn stamp(at: Ts) -> String {
    at.date_time().map_or_else(|| at.to_string(), |at| at.format("%Y%m%dT%H%M%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_a_time_to_come_is_noticed() {
        let second = 1_000_000;
        let now = Ts::from_micros(1_800_000_000 * second);
        assert_eq!(warning(Ts::ZERO, now), None);
        assert_eq!(warning(now, now), None);
        assert_eq!(warning(Ts::from_micros(now.micros() + 59 * second), now), None);
        let later = Ts::from_micros(now.micros() + 3_653 * 86_400 * second);
        let said = warning(later, now).unwrap();
        assert!(said.contains("2037-01-15") && said.contains("2027-01-15"), "{said}");
        assert!(warning(Ts::from_micros(u64::MAX), now).is_some());
    }
}
