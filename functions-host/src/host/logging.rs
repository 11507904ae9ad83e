//! Logging: one line per event on stderr, as text or JSON. Stdout is reserved for the ready line and for commands.

use std::any::Any;
use std::io;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::time::SystemTime;

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

/// Starts logging. Panics are logged as events too, so that a JSON log contains nothing else.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_env(FILTER_VARIABLE).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_timer(SystemTime);
    let started = match format {
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
    fn a_message_with_data_in_it_is_left_out() {
        let secret = String::from("password hash: 1234");
        let said = panic_text(&format!("fetching {secret} failed"));
        assert!(!said.contains("1234") && said.contains("left out"), "{said}");
        assert_eq!(panic_text(&"a queue was empty"), "a queue was empty");
    }
}
