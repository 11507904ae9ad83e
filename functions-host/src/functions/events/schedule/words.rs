//! Parser of schedule texts.

use std::str::FromStr as _;
use std::time::Duration;

use chrono::NaiveTime;
use croner::Cron;
use docstore::{Error, Result};

use super::{DayRule, Times};

const WEEKDAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const ORDINALS: [[&str; 2]; 5] =
    [["1st", "first"], ["2nd", "second"], ["3rd", "third"], ["4th", "fourth"], ["5th", "fifth"]];

/// Parses either syntax.
pub(super) fn read(text: &str) -> Result<Times> {
    let lower = text.trim().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let worded = words.contains(&"of") || first == "every" || ordinals(first).is_some();
    if !worded {
        let cron = Cron::from_str(text.trim()).map_err(|cause| {
            wrong(
                text,
                &format!("it is neither five fields of cron ({cause}) nor words such as \"every 5 minutes\""),
            )
        })?;
        return Ok(Times::Cron(Box::new(cron)));
    }
    let rest = words.get(1..).unwrap_or_default();
    let read = if first == "every" && rest.first().is_some_and(|word| word.parse::<u64>().is_ok()) {
        interval(rest)
    } else {
        days(&words)
    };
    read.map_err(|what| wrong(text, &what))
}

fn wrong(text: &str, what: &str) -> Error {
    Error::invalid("BadSchedule", format!("the schedule \"{text}\" cannot be read: {what}"))
}

/// `5 minutes`, `2 hours from 10:00 to 14:00`, `30 mins synchronized`.
fn interval(words: &[&str]) -> Result<Times, String> {
    let [count, unit, rest @ ..] = words else {
        return Err("say how often, as in \"every 5 minutes\"".to_owned());
    };
    let count: u64 = count.parse().ok().filter(|count| *count > 0).ok_or("how often must be at least 1")?;
    let unit = match *unit {
        "minute" | "minutes" | "min" | "mins" => 60,
        "hour" | "hours" => 3_600,
        other => return Err(format!("\"{other}\" is neither minutes nor hours")),
    };
    let every = Duration::from_secs(count.saturating_mul(unit));
    match rest {
        [] | ["synchronized"] => Ok(Times::Interval(every)),
        ["from", from, "to", to] => Ok(Times::Window { every, from: clock(from)?, to: clock(to)? }),
        _ => Err(format!("after how often may come \"from 10:00 to 14:00\", not \"{}\"", rest.join(" "))),
    }
}

/// `every day 09:00`, `every mon,fri of march 9:30`, `1st,third monday of month 09:00`, `1,15 of month 00:00`.
fn days(words: &[&str]) -> Result<Times, String> {
    let (at, words) = words.split_last().ok_or("it is empty")?;
    let at = clock(at)?;
    let (what, months) = match words.iter().position(|word| *word == "of") {
        Some(of) => (&words[..of], months(words.get(of + 1..).unwrap_or_default())?),
        None => (words, Vec::new()),
    };
    let days = match what {
        ["every", "day"] => DayRule::Every,
        ["every", list] => DayRule::Weekdays { weekdays: weekdays(list)?, weeks: Vec::new() },
        [weeks, list] => {
            let weeks = ordinals(weeks).ok_or_else(|| format!("\"{weeks}\" is no list such as 1st,third"))?;
            if *list == "day" {
                DayRule::Dates(weeks)
            } else {
                DayRule::Weekdays { weekdays: weekdays(list)?, weeks }
            }
        }
        [dates] => {
            let date = |date: &str| date.parse().ok().filter(|date| (1..=31).contains(date));
            let read = dates.split(',').map(date).collect::<Option<Vec<u32>>>();
            DayRule::Dates(read.ok_or_else(|| format!("\"{dates}\" is no list of days of the month"))?)
        }
        _ => return Err("say which days, as in \"every monday 09:00\"".to_owned()),
    };
    Ok(Times::Days { days, months, at })
}

fn months(words: &[&str]) -> Result<Vec<u32>, String> {
    match words {
        ["month"] => Ok(Vec::new()),
        ["quarter"] => Ok(vec![1, 4, 7, 10]),
        [list] => named(list, &MONTHS, 1).ok_or_else(|| format!("\"{list}\" is no list of months")),
        _ => Err("after \"of\" comes month, quarter, or a list of months".to_owned()),
    }
}

fn weekdays(list: &str) -> Result<Vec<u32>, String> {
    named(list, &WEEKDAYS, 0).ok_or_else(|| format!("\"{list}\" is no list of weekdays"))
}

/// Names, abbreviated to no less than three letters, as numbers from `base`.
fn named(list: &str, names: &[&str], base: u32) -> Option<Vec<u32>> {
    list.split(',')
        .map(|word| {
            let at = names.iter().position(|name| word.len() >= 3 && name.starts_with(word))?;
            u32::try_from(at).ok().map(|at| at + base)
        })
        .collect()
}

fn ordinals(list: &str) -> Option<Vec<u32>> {
    list.split(',')
        .map(|word| {
            let at = ORDINALS.iter().position(|spellings| spellings.contains(&word))?;
            u32::try_from(at).ok().map(|at| at + 1)
        })
        .collect()
}

fn clock(text: &str) -> Result<NaiveTime, String> {
    let time = text.split_once(':').and_then(|(hours, minutes)| {
        let minutes = (minutes.len() == 2).then_some(minutes)?;
        NaiveTime::from_hms_opt(hours.parse().ok()?, minutes.parse().ok()?, 0)
    });
    time.ok_or_else(|| format!("\"{text}\" is no time of day such as 09:00"))
}
