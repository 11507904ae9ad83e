//! Automatic versions that are kept: those of the last day, one a day for a month, one a week for a year.

use std::collections::HashSet;

use docstore::model::Timestamp;

const HOUR: i64 = 60 * 60 * 1_000_000;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// Versions of the last day that are kept whatever their times; of others, one an hour.
const NEWEST: usize = 50;

/// Places of those, among the times of automatic versions with the newest first, that are too many.
pub(super) fn too_many(now: Timestamp, newest_first: &[Timestamp]) -> Vec<usize> {
    let mut kept = HashSet::new();
    let is_too_many = |(place, at): (usize, &Timestamp)| {
        let age = now.0 - at.0;
        let span = match age {
            ..DAY if place < NEWEST => return None,
            ..DAY => HOUR,
            _ if age < 30 * DAY => DAY,
            _ if age < 365 * DAY => WEEK,
            _ => return Some(place),
        };
        // Spans of the calendar, so that what is kept today is kept tomorrow.
        (!kept.insert((span, at.0.div_euclid(span)))).then_some(place)
    };
    newest_first.iter().enumerate().filter_map(is_too_many).collect()
}
