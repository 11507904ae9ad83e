//! `/__/clock`: tests read, move, stop and reset the server's clock.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use chrono::{DateTime, SecondsFormat, Utc};
use docstore::clock::{AdjustableClock, Clock as _, SystemClock};
use docstore::model::Ts;
use docstore::{Error, Result};
use serde_json::{Value, json};

use crate::emulator::{bad_request, here_only};

/// Largest request body, in bytes.
const MAX_BODY: usize = 4 << 10;
/// The last time that can be set: RFC 3339 and Firestore's timestamps end with the year 9999; a century less leaves room
/// for what is planned ahead.
const LAST: &str = "9900-01-01T00:00:00Z";
/// Units of a span of time, and their length in seconds.
const UNITS: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];

/// The routes.
pub(crate) fn router(clock: Arc<AdjustableClock>) -> Router {
    Router::new()
        .route("/__/clock", get(show).put(set).delete(reset))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(here_only))
        .with_state(clock)
}

/// Body of `PUT /__/clock`.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Change {
    /// The new time, in RFC 3339.
    now: Option<DateTime<Utc>>,
    /// A span to add, such as `90m`.
    advance: Option<String>,
    /// True if the clock stands still from then on; unchanged if missing.
    stopped: Option<bool>,
}

type Clock = State<Arc<AdjustableClock>>;

async fn show(State(clock): Clock) -> Response {
    axum::Json(shown(&clock)).into_response()
}

async fn set(State(clock): Clock, body: Bytes) -> Response {
    match change(&clock, &body) {
        Ok(()) => {
            let now = text(clock.now());
            tracing::info!(now, stopped = clock.is_stopped(), "the clock was set");
            axum::Json(shown(&clock)).into_response()
        }
        Err(error) => bad_request(&error),
    }
}

async fn reset(State(clock): Clock) -> Response {
    clock.reset();
    tracing::info!("the clock shows the machine's time again");
    axum::Json(shown(&clock)).into_response()
}

fn shown(clock: &AdjustableClock) -> Value {
    json!({ "now": text(clock.now()), "machine": text(SystemClock.now()), "stopped": clock.is_stopped() })
}

fn text(at: Ts) -> String {
    at.date_time().unwrap_or(DateTime::<Utc>::MAX_UTC).to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn change(clock: &AdjustableClock, body: &[u8]) -> Result<()> {
    let Change { now, advance, stopped } =
        serde_json::from_slice(body).map_err(|cause| wrong(&cause.to_string()))?;
    let span = advance.as_deref().map(span).transpose()?;
    let now = now.map(point).transpose()?;
    let stopped = stopped.unwrap_or_else(|| clock.is_stopped());
    match (now, span) {
        (Some(_), Some(_)) => return Err(wrong("give `now` or `advance`, not both")),
        (Some(now), None) => clock.set(stopped, |_| now),
        (None, Some(span)) => {
            let last = last();
            let micros = u64::try_from(span.as_micros()).unwrap_or(u64::MAX);
            clock.set(stopped, |now| Ts::from_micros(now.micros().saturating_add(micros)).min(last));
        }
        (None, None) => clock.set(stopped, |now| now),
    }
    Ok(())
}

/// A time that can be set.
fn point(at: DateTime<Utc>) -> Result<Ts> {
    u64::try_from(at.timestamp_micros())
        .map(Ts::from_micros)
        .ok()
        .filter(|at| *at <= last())
        .ok_or_else(|| wrong(&format!("`now` lies before 1970 or after {LAST}")))
}

fn last() -> Ts {
    let last = DateTime::parse_from_rfc3339(LAST).map_or(i64::MAX, |last| last.timestamp_micros());
    Ts::from_micros(last.unsigned_abs())
}

/// A span of time such as `90s`, `1.5h` or `2d`.
fn span(text: &str) -> Result<Duration> {
    let parsed = UNITS.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.trim().strip_suffix(unit)?.parse().ok()?;
        let seconds = u32::try_from(*seconds).ok()?;
        Duration::try_from_secs_f64(number * f64::from(seconds)).ok()
    });
    parsed.ok_or_else(|| {
        wrong(&format!("`advance` is a number and d, h, m or s, such as \"90m\", not \"{text}\""))
    })
}

fn wrong(why: &str) -> Error {
    Error::invalid(
        "WrongClock",
        format!(
            "send {{\"now\": \"2030-01-01T00:00:00Z\"}}, {{\"advance\": \"90m\"}} or {{\"stopped\": true}}: {why}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        for (text, seconds) in [("90s", 90), (" 15m", 900), ("1.5h", 5_400), ("2d", 172_800), ("0s", 0)] {
            assert_eq!(span(text).unwrap(), Duration::from_secs(seconds), "{text}");
        }
        for text in ["", "s", "90", "-1h", "1w", "1e400d", "NaNs", "infh", "1h30m"] {
            assert!(span(text).unwrap_err().message().contains("90m"), "{text}");
        }
    }

    #[test]
    fn changes_apply_whole_or_not_at_all() {
        let clock = AdjustableClock::default();
        let apply = |body: &str| change(&clock, body.as_bytes());
        apply(r#"{"now": "2030-01-01T00:00:00Z", "stopped": true}"#).unwrap();
        assert_eq!(text(clock.now()), "2030-01-01T00:00:00.000000Z");
        apply(r#"{"advance": "36h"}"#).unwrap();
        assert_eq!(text(clock.now()), "2030-01-02T12:00:00.000000Z");
        let refused = [
            "",
            "[]",
            r#"{"now": "tomorrow"}"#,
            r#"{"now": "1969-12-31T23:59:59Z"}"#,
            r#"{"now": "9999-01-01T00:00:00Z"}"#,
            r#"{"advance": 5}"#,
            r#"{"now": "2031-01-01T00:00:00Z", "advance": "1h"}"#,
            r#"{"forward": "1h"}"#,
        ];
        for body in refused {
            assert!(apply(body).unwrap_err().message().contains("advance"), "{body}");
            assert_eq!(text(clock.now()), "2030-01-02T12:00:00.000000Z", "{body}");
        }
        apply(r#"{"advance": "99999999d"}"#).unwrap();
        assert_eq!(clock.now(), last());
        apply(r#"{"stopped": false}"#).unwrap();
        assert!(!clock.is_stopped() && clock.now() >= last());
    }
}
