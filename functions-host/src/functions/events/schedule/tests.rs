use super::super::text::{parse_time, time};
use super::*;

fn next(text: &str, zone: Option<&str>, after: &str, count: usize) -> Vec<String> {
    let schedule = Schedule::new(text, zone).unwrap();
    let mut at = parse_time(after).unwrap();
    let mut all = Vec::new();
    for _ in 0..count {
        at = schedule.next(at).unwrap();
        all.push(time(at).replace(":00.000000Z", ""));
    }
    all
}

#[test]
fn cron_and_words_are_read() {
    // A Wednesday.
    let from = "2025-01-15T10:03:20Z";
    for (text, expected) in [
        ("*/5 * * * *", ["2025-01-15T10:05", "2025-01-15T10:10"]),
        ("30 9 * * 1-5", ["2025-01-16T09:30", "2025-01-17T09:30"]),
        ("0 0 1 * *", ["2025-02-01T00:00", "2025-03-01T00:00"]),
        ("every 5 minutes", ["2025-01-15T10:05", "2025-01-15T10:10"]),
        ("every 1 hours", ["2025-01-15T11:00", "2025-01-15T12:00"]),
        ("every 24 hours", ["2025-01-16T00:00", "2025-01-17T00:00"]),
        ("every day 09:00", ["2025-01-16T09:00", "2025-01-17T09:00"]),
        ("every monday 9:00", ["2025-01-20T09:00", "2025-01-27T09:00"]),
        ("every mon,Fri 00:00", ["2025-01-17T00:00", "2025-01-20T00:00"]),
        ("1st,third monday of month 09:00", ["2025-01-20T09:00", "2025-02-03T09:00"]),
        ("2nd tuesday of quarter 17:30", ["2025-04-08T17:30", "2025-07-08T17:30"]),
        ("1 of jan,july 12:00", ["2025-07-01T12:00", "2026-01-01T12:00"]),
        ("first day of march 00:00", ["2025-03-01T00:00", "2026-03-01T00:00"]),
        ("29 of february 00:00", ["2028-02-29T00:00", "2032-02-29T00:00"]),
        ("every 2 hours from 09:00 to 12:00", ["2025-01-15T11:00", "2025-01-16T09:00"]),
        ("every 90 minutes from 23:00 to 01:00", ["2025-01-15T23:00", "2025-01-16T00:30"]),
    ] {
        assert_eq!(next(text, None, from, 2), expected, "{text}");
    }
}

#[test]
fn local_times_follow_the_clocks_of_their_zone() {
    let berlin = Some("Europe/Berlin");
    // Clocks go forward on March 30th, 2025 at 02:00 and back on October 26th at 03:00.
    let spring = ["2025-03-29T08:00", "2025-03-30T07:00", "2025-03-31T07:00"];
    assert_eq!(next("every day 09:00", berlin, "2025-03-28T12:00:00Z", 3), spring);
    assert_eq!(next("0 9 * * *", berlin, "2025-03-28T12:00:00Z", 3), spring);
    let skipped = ["2025-03-29T01:30", "2025-03-30T01:30", "2025-03-31T00:30"];
    assert_eq!(next("every day 02:30", berlin, "2025-03-28T12:00:00Z", 3), skipped);
    let twice = ["2025-10-25T00:30", "2025-10-26T00:30", "2025-10-27T01:30"];
    assert_eq!(next("every day 02:30", berlin, "2025-10-24T12:00:00Z", 3), twice);
}

#[test]
fn what_is_wrong_is_named() {
    for (text, zone, why) in [
        ("sometimes", None, "neither"),
        ("61 * * * *", None, "neither"),
        ("every 0 minutes", None, "at least 1"),
        ("every 5 fortnights", None, "neither minutes nor hours"),
        ("every 5 minutes from 10:00", None, "from 10:00 to 14:00"),
        ("every moonday 09:00", None, "weekdays"),
        ("every day 25:00", None, "time of day"),
        ("1st monday of never 09:00", None, "months"),
        ("every 5 minutes", Some("Mars/Olympus"), "no time zone"),
    ] {
        let error = Schedule::new(text, zone).unwrap_err();
        assert!(error.message().contains(why), "{text}: {}", error.message());
    }
}
