//! Logging: one line per event on stderr, as text or JSON. Stdout is reserved for the ready line and for commands.

use std::any::Any;
use std::fmt;
use std::io;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{FmtSpan, Writer};
use tracing_subscriber::fmt::time::SystemTime;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Environment variable with the log filter, such as `info,docstore=debug`.
pub const FILTER_VARIABLE: &str = "TUCKBOX_LOG";

/// Format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON object per line.
    Json,
}

/// Lines logged by a command for people, by the official suite's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Verbosity {
    /// Everything, and why rules deny requests.
    Debug,
    /// Warnings, and the functions' output.
    Info,
    /// Warnings.
    Quiet,
    /// Errors.
    Silent,
}

impl Verbosity {
    const fn filter(self) -> &'static str {
        match self {
            Self::Debug => "info,functions=debug,functions_host=debug,rules=debug",
            // A target's name is a prefix, too.
            Self::Info => "warn,functions=info,functions_host=warn",
            Self::Quiet => "warn",
            Self::Silent => "error",
        }
    }
}

/// Lines for people: the severity and the text, without times.
#[derive(Debug)]
struct Plain;

impl<S: Subscriber + for<'a> LookupSpan<'a>, N: for<'a> FormatFields<'a> + 'static> FormatEvent<S, N>
    for Plain
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let severity = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warning",
            Level::INFO => "info",
            Level::DEBUG | Level::TRACE => "debug",
        };
        let mut line = Line::default();
        event.record(&mut line);
        let function = line.function.map(|function| format!("{function}: ")).unwrap_or_default();
        writeln!(writer, "{severity}: {function}{}{}", line.text, line.more)
    }
}

/// The parts of an event.
#[derive(Debug, Default)]
struct Line {
    text: String,
    /// The function that printed the text.
    function: Option<String>,
    more: String,
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "function" {
            self.function = Some(value.to_owned());
        } else {
            self.record_debug(field, &value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.text = format!("{value:?}"),
            // A worker means nothing to people.
            "worker" => {}
            name => self.more.push_str(&format!(" {name}={value:?}")),
        }
    }
}

/// The moments of spans that are logged: with a filter that asks for details their ends, with the time they took.
fn span_events(filter: Option<&str>) -> FmtSpan {
    let is_detailed = filter.is_some_and(|filter| filter.contains("debug") || filter.contains("trace"));
    if is_detailed { FmtSpan::CLOSE } else { FmtSpan::NONE }
}

/// Starts logging, for commands with a `verbosity` as plain lines. Panics are logged as events too, so that a JSON log
/// contains nothing else.
pub fn start(format: LogFormat, verbosity: Option<Verbosity>) {
    let usual = verbosity.map_or("info", Verbosity::filter);
    let filter = EnvFilter::try_from_env(FILTER_VARIABLE).unwrap_or_else(|_| EnvFilter::new(usual));
    // A line that cannot be written, because nobody reads the log any more, must not end the request that it is of.
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_timer(SystemTime)
        .with_span_events(span_events(std::env::var(FILTER_VARIABLE).ok().as_deref()))
        .log_internal_errors(false);
    let started = match format {
        LogFormat::Text if verbosity.is_some() => builder.event_format(Plain).try_init(),
        LogFormat::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    // A test process may have started it already; the first one stays.
    if started.is_ok() {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let text = panic_text(info.payload());
            tracing::error!(place, "panic: {text}");
        }));
    }
}

/// A panic's message if it is static text. One formatted at run time may contain user data, so only its place is
/// logged.
pub fn panic_text(payload: &(dyn Any + Send)) -> &'static str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .unwrap_or("its message is left out, for it may hold stored data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_people_have_a_severity_and_no_times() {
        #[derive(Clone, Default)]
        struct Written(std::sync::Arc<parking_lot::Mutex<Vec<u8>>>);
        impl io::Write for Written {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let written = Written::default();
        let writer = written.clone();
        let subscriber =
            tracing_subscriber::fmt().event_format(Plain).with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(worker = 7, function = "pay", "the price is {}", 3);
            tracing::info!(port = 1, "moved");
        });
        let text = String::from_utf8(written.0.lock().clone()).unwrap();
        assert_eq!(text, "warning: pay: the price is 3\ninfo: moved port=1\n");
    }

    #[test]
    fn a_message_with_data_in_it_is_left_out() {
        let secret = String::from("password hash: 1234");
        let said = panic_text(&format!("fetching {secret} failed"));
        assert!(!said.contains("1234") && said.contains("left out"), "{said}");
        assert_eq!(panic_text(&"a queue was empty"), "a queue was empty");
    }
}
