//! The functions' log: their output and the results of their calls.

use std::sync::Arc;
use std::time::Duration;

use docstore::clock::SharedClock;
use docstore::model::Ts;
use serde_json::{Map, Value};

use crate::host::journal::Journal;

/// Lines kept for later readers.
const KEPT_LINES: usize = 2_000;
/// Precedes the name of the function that printed a line.
const NAME_BEGINS: char = '\u{1e}';
/// Follows the name.
const NAME_ENDS: char = '\u{1f}';
/// Begins the names of members that mean something to the cloud's log alone.
const CLOUD_PREFIX: &str = "logging.googleapis.com/";

/// The log of all functions.
#[derive(Debug)]
pub(crate) struct FunctionLog {
    clock: SharedClock,
    lines: Arc<Journal<LogLine>>,
}

/// Severity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// Origin of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    /// Printed by a function, or by its source while loading.
    Output,
    /// The end of a call.
    Call,
    /// An action of the host.
    Host,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LogLine {
    pub(crate) time: Ts,
    pub(crate) level: Level,
    pub(crate) origin: Origin,
    /// The function's id; `None` if unknown or not of a function.
    pub(crate) function: Option<String>,
    /// The worker's number.
    pub(crate) worker: Option<u64>,
    pub(crate) text: String,
    /// The members of a structured line other than its message.
    pub(crate) data: Map<String, Value>,
}

impl FunctionLog {
    /// An empty log.
    pub(crate) fn new(clock: SharedClock) -> Self {
        Self { clock, lines: Arc::new(Journal::new(KEPT_LINES)) }
    }

    /// The lines kept.
    pub(crate) fn lines(&self) -> &Arc<Journal<LogLine>> {
        &self.lines
    }

    /// Keeps a line that a worker printed. Returns its severity and its text for people.
    pub(super) fn output(&self, worker: u64, error: bool, printed: &Printed<'_>) -> (Level, String) {
        let structured = structured(printed.text);
        let plain = || (if error { Level::Error } else { Level::Info }, printed.text.to_owned(), Map::new());
        let (level, text, data) = structured.unwrap_or_else(plain);
        let mut told = data.clone();
        told.retain(|name, _| !name.starts_with(CLOUD_PREFIX));
        let shown = if told.is_empty() { text.clone() } else { format!("{text} {}", Value::Object(told)) };
        self.push(LogLine {
            time: self.clock.now(),
            level,
            origin: Origin::Output,
            function: printed.function.map(|name| name.replace('.', "-")),
            worker: Some(worker),
            text,
            data,
        });
        (level, shown)
    }

    /// Records the end of a call.
    pub(super) fn call(
        &self,
        function: &str,
        worker: Option<u64>,
        outcome: Result<u16, &str>,
        took: Duration,
    ) {
        let millis = took.as_secs_f64() * 1_000.0;
        let (level, text) = match outcome {
            Ok(status @ 500..) => (Level::Error, format!("answered {status} after {millis:.1} ms")),
            Ok(status) => (Level::Info, format!("answered {status} after {millis:.1} ms")),
            Err(why) => (Level::Error, format!("failed after {millis:.1} ms: {why}")),
        };
        let function = Some(function.replace('.', "-"));
        let (time, data) = (self.clock.now(), Map::new());
        self.push(LogLine { time, level, origin: Origin::Call, function, worker, text, data });
    }

    /// Records an action of the host.
    pub(super) fn host(&self, level: Level, text: impl Into<String>) {
        let (time, text) = (self.clock.now(), text.into());
        let (function, worker, data) = (None, None, Map::new());
        self.push(LogLine { time, level, origin: Origin::Host, function, worker, text, data });
    }

    fn push(&self, line: LogLine) {
        self.lines.push(line);
    }
}

/// A line as a worker printed it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed<'a> {
    /// Dotted name of the function that printed it.
    pub(super) function: Option<&'a str>,
    pub(super) text: &'a str,
}

impl<'a> Printed<'a> {
    /// Strips the prefix added by the worker's runtime.
    pub(super) fn read(line: &'a str) -> Self {
        let named = line.strip_prefix(NAME_BEGINS).and_then(|rest| rest.split_once(NAME_ENDS));
        named.map_or(Self { function: None, text: line }, |(name, text)| Self { function: Some(name), text })
    }
}

/// Parses a line of the functions SDK's logger: an object with severity and message.
fn structured(text: &str) -> Option<(Level, String, Map<String, Value>)> {
    if !text.starts_with('{') {
        return None;
    }
    let mut entry: Map<String, Value> = serde_json::from_str(text).ok()?;
    let level = match entry.get("severity")?.as_str()? {
        "DEBUG" => Level::Debug,
        "INFO" | "NOTICE" | "DEFAULT" => Level::Info,
        "WARNING" => Level::Warn,
        "ERROR" | "CRITICAL" | "ALERT" | "EMERGENCY" => Level::Error,
        _ => return None,
    };
    let message =
        entry.get("message").map_or(Some(String::new()), |text| text.as_str().map(str::to_owned))?;
    entry.remove("severity");
    entry.remove("message");
    Some((level, message, entry))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use docstore::clock::SystemClock;
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_say_who_printed_them_and_how_bad_it_is() {
        let log = FunctionLog::new(Arc::new(SystemClock));
        let structured = json!({
            "severity": "WARNING", "message": "careful", "count": 2, "logging.googleapis.com/trace": "t",
        });
        let structured = structured.to_string();
        log.output(1, false, &Printed::read("\u{1e}group.inner\u{1f}hello"));
        let (level, shown) = log.output(1, false, &Printed::read(&structured));
        assert_eq!((level, shown.as_str()), (Level::Warn, "careful {\"count\":2}"));
        log.output(2, true, &Printed::read("{ not: json"));
        log.call("group.inner", Some(1), Ok(503), Duration::from_micros(1_250));
        let lines = log.lines().after(0, 9);
        let shown: Vec<_> = lines
            .iter()
            .map(|(_, line)| (line.level, line.function.as_deref(), line.text.as_str(), line.data.len()))
            .collect();
        let expected = [
            (Level::Info, Some("group-inner"), "hello", 0),
            (Level::Warn, None, "careful", 2),
            (Level::Error, None, "{ not: json", 0),
            (Level::Error, Some("group-inner"), "answered 503 after 1.2 ms", 0),
        ];
        assert_eq!(shown, expected);
    }
}
