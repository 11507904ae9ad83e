//! `timestamp`, `duration` and the methods of both.

use crate::value::{Duration, Timestamp, Type, Value};

use super::{Failure, Native, method, mismatch, within};

const INT: Type = Type::Int;

pub(super) const TABLE: &[Native] = &[
    within("timestamp", "date", &[INT, INT, INT], |_, values| match values {
        [Value::Int(year), Value::Int(month), Value::Int(day)] => Timestamp::from_date(*year, *month, *day)
            .map(Value::Timestamp)
            .ok_or_else(|| format!("Date is not valid. year: {year}, month: {month} day: {day}.")),
        _ => mismatch(),
    }),
    within("timestamp", "value", &[INT], |_, values| match values {
        [Value::Int(millis)] => timestamp(Timestamp::from_millis(*millis)),
        _ => mismatch(),
    }),
    within("timestamp", "value", &[Type::String], |_, values| match values {
        [Value::String(text)] => timestamp(Timestamp::parse(text)),
        _ => mismatch(),
    }),
    method(Type::Timestamp, "date", &[], |_, values| of_time(values, |t| Value::Timestamp(t.midnight()))),
    method(Type::Timestamp, "time", &[], |_, values| of_time(values, |t| Value::Duration(t.time_of_day()))),
    method(Type::Timestamp, "year", &[], |_, values| of_time(values, |t| Value::Int(t.date().0))),
    method(Type::Timestamp, "month", &[], |_, values| of_time(values, |t| Value::Int(t.date().1))),
    method(Type::Timestamp, "day", &[], |_, values| of_time(values, |t| Value::Int(t.date().2))),
    method(Type::Timestamp, "dayOfWeek", &[], |_, values| of_time(values, |t| Value::Int(t.day_of_week()))),
    method(Type::Timestamp, "dayOfYear", &[], |_, values| of_time(values, |t| Value::Int(t.day_of_year()))),
    method(Type::Timestamp, "hours", &[], |_, values| {
        of_time(values, |t| Value::Int(t.second_of_day() / 3_600))
    }),
    method(Type::Timestamp, "minutes", &[], |_, values| {
        of_time(values, |t| Value::Int(t.second_of_day() / 60 % 60))
    }),
    method(Type::Timestamp, "seconds", &[], |_, values| {
        of_time(values, |t| Value::Int(t.second_of_day() % 60))
    }),
    method(Type::Timestamp, "nanos", &[], |_, values| of_time(values, |t| Value::Int(t.nanos()))),
    method(Type::Timestamp, "toMillis", &[], |_, values| of_time(values, |t| Value::Int(t.millis()))),
    within("duration", "value", &[INT, Type::String], |_, values| match values {
        [Value::Int(magnitude), Value::String(unit)] => {
            let unit: i128 = match &**unit {
                "w" => 7 * 86_400_000_000_000,
                "d" => 86_400_000_000_000,
                "h" => 3_600_000_000_000,
                "m" => 60_000_000_000,
                "s" => 1_000_000_000,
                "ms" => 1_000_000,
                "ns" => 1,
                _ => {
                    return Err(format!(
                        "Unknown unit of time {unit}. Expected one of w, d, h, m, s, ms, ns."
                    ));
                }
            };
            duration(Duration::from_nanos(i128::from(*magnitude) * unit))
        }
        _ => mismatch(),
    }),
    within("duration", "time", &[INT, INT, INT, INT], |_, values| match values {
        [Value::Int(hours), Value::Int(minutes), Value::Int(seconds), Value::Int(nanos)] => {
            let seconds = i128::from(*hours) * 3_600 + i128::from(*minutes) * 60 + i128::from(*seconds);
            duration(Duration::from_nanos(seconds * 1_000_000_000 + i128::from(*nanos)))
        }
        _ => mismatch(),
    }),
    within("duration", "abs", &[Type::Duration], |_, values| match values {
        [Value::Duration(value)] => duration(Duration::from_nanos(value.total_nanos().abs())),
        _ => mismatch(),
    }),
    method(Type::Duration, "seconds", &[], |_, values| match values {
        [Value::Duration(value)] => Ok(Value::Int(value.seconds())),
        _ => mismatch(),
    }),
    method(Type::Duration, "nanos", &[], |_, values| match values {
        [Value::Duration(value)] => Ok(Value::Int(value.subsecond_nanos())),
        _ => mismatch(),
    }),
];

fn of_time(values: &[Value], part: fn(Timestamp) -> Value) -> Result<Value, Failure> {
    match values {
        [Value::Timestamp(time)] => Ok(part(*time)),
        _ => mismatch(),
    }
}

/// The value, or the message that it is out of range.
pub(crate) fn timestamp(value: Option<Timestamp>) -> Result<Value, Failure> {
    value.map(Value::Timestamp).ok_or_else(|| {
        "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. \
         Nanos must be in range [0, +999,999,999]."
            .into()
    })
}

/// The value, or the message that it is out of range.
pub(crate) fn duration(value: Option<Duration>) -> Result<Value, Failure> {
    value.map(Value::Duration).ok_or_else(|| {
        "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. \
         Nanos must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds."
            .into()
    })
}
