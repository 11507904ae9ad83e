//! Schedules of functions: the five fields of cron, or App Engine's syntax such as `every monday 09:00`.

mod words;

use std::str::FromStr as _;
use std::time::Duration;

use chrono::{DateTime, Datelike as _, Days, LocalResult, NaiveDate, NaiveTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use croner::Cron;
use docstore::model::Ts;
use docstore::{Error, Result};

/// Days searched for the next run: more than the longest gap between two 29ths of February.
const HORIZON_DAYS: u64 = 366 * 9;

/// A schedule in its time zone.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    times: Times,
    zone: Tz,
}

#[derive(Debug, Clone)]
enum Times {
    Cron(Box<Cron>),
    /// At whole multiples of the interval since the epoch.
    Interval(Duration),
    /// At an interval within a part of each day, both ends included.
    Window {
        every: Duration,
        from: NaiveTime,
        to: NaiveTime,
    },
    /// At one time on some days.
    Days {
        days: DayRule,
        /// From 1; empty for every month.
        months: Vec<u32>,
        at: NaiveTime,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum DayRule {
    Every,
    /// Days of the month.
    Dates(Vec<u32>),
    /// Days of the week, from 0 for Sunday, in the given weeks of the month from 1; empty for all weeks.
    Weekdays {
        weekdays: Vec<u32>,
        weeks: Vec<u32>,
    },
}

impl Schedule {
    /// Parses a schedule. The zone is an IANA name, UTC by default.
    ///
    /// # Errors
    /// `InvalidArgument`: the fault, and the syntax that is accepted.
    pub(crate) fn new(text: &str, zone: Option<&str>) -> Result<Self> {
        let zone = match zone.map(str::trim).filter(|zone| !zone.is_empty()) {
            None => Tz::UTC,
            Some(name) => Tz::from_str(name).map_err(|_| {
                Error::invalid("BadTimeZone", format!("\"{name}\" is no time zone such as Europe/Berlin"))
            })?,
        };
        Ok(Self { times: words::read(text)?, zone })
    }

    /// The first run after `after`; `None` if there is none within the horizon.
    pub(crate) fn next(&self, after: Ts) -> Option<Ts> {
        let micros = i64::try_from(after.micros()).ok()?;
        let after_utc = DateTime::<Utc>::from_timestamp_micros(micros)?;
        if let Times::Interval(every) = &self.times {
            let every = u64::try_from(every.as_micros()).ok().filter(|every| *every > 0)?;
            return Some(Ts::from_micros((after.micros() / every + 1) * every));
        }
        let local = after_utc.with_timezone(&self.zone);
        let next = match &self.times {
            Times::Cron(cron) => cron.find_next_occurrence(&local, false).ok()?,
            Times::Interval(_) => return None,
            Times::Window { every, from, to } => {
                self.on_days(local, |_| true, |day| within(day, *every, *from, *to))?
            }
            Times::Days { days, months, at } => {
                let fits = |day: NaiveDate| {
                    (months.is_empty() || months.contains(&day.month())) && days.includes(day)
                };
                self.on_days(local, fits, |day| vec![day.and_time(*at)])?
            }
        };
        u64::try_from(next.timestamp_micros()).ok().map(Ts::from_micros)
    }

    /// The first of `times` on a matching day, after `after`.
    fn on_days(
        &self,
        after: DateTime<Tz>,
        fits: impl Fn(NaiveDate) -> bool,
        times: impl Fn(NaiveDate) -> Vec<chrono::NaiveDateTime>,
    ) -> Option<DateTime<Tz>> {
        (0..HORIZON_DAYS)
            .map_while(|ahead| after.date_naive().checked_add_days(Days::new(ahead)))
            .filter(|day| fits(*day))
            .flat_map(times)
            .map(|time| self.instant(time))
            .find(|instant| *instant > after)
    }

    /// The instant of a local time: the first of two if ambiguous; if skipped by the clock, as far after the skip.
    fn instant(&self, local: chrono::NaiveDateTime) -> DateTime<Tz> {
        match self.zone.from_local_datetime(&local) {
            LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => instant,
            LocalResult::None => {
                let before = self.zone.offset_from_utc_datetime(&(local - chrono::TimeDelta::days(1)));
                let offset = chrono::Offset::fix(&before);
                self.zone.from_utc_datetime(&(local - offset))
            }
        }
    }
}

impl DayRule {
    fn includes(&self, day: NaiveDate) -> bool {
        match self {
            Self::Every => true,
            Self::Dates(dates) => dates.contains(&day.day()),
            Self::Weekdays { weekdays, weeks } => {
                let week = (day.day() - 1) / 7 + 1;
                weekdays.contains(&day.weekday().num_days_from_sunday())
                    && (weeks.is_empty() || weeks.contains(&week))
            }
        }
    }
}

/// Times of a day at an interval from `from` to `to`, which may lie on the next day.
fn within(day: NaiveDate, every: Duration, from: NaiveTime, to: NaiveTime) -> Vec<chrono::NaiveDateTime> {
    let start = day.and_time(from);
    let end = if to >= from { day.and_time(to) } else { (day + Days::new(1)).and_time(to) };
    let Ok(every) = chrono::TimeDelta::from_std(every) else { return Vec::new() };
    std::iter::successors(Some(start), |time| time.checked_add_signed(every))
        .take_while(|time| *time <= end)
        .collect()
}

#[cfg(test)]
mod tests;
