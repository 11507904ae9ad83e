//! Metrics of backups.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use docstore::model::Ts;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

use super::last::LastBackup;
use super::runner::Runner;

/// Age and size of the last backup, and the number that failed.
#[derive(Debug)]
pub(crate) struct BackupNumbers(pub(crate) Arc<Runner>);

impl Collector for BackupNumbers {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Self(runner) = self;
        let lag = runner.log().lag(runner.now());
        encode(runner.last().as_ref(), runner.now(), runner.failures(), lag, encoder)
    }
}

fn encode(
    last: Option<&LastBackup>,
    now: Ts,
    failures: u64,
    log_lag: Duration,
    mut encoder: DescriptorEncoder<'_>,
) -> fmt::Result {
    if let Some(last) = last {
        // Negative if the clock was ahead then: an alert can tell.
        let age = now.micros().cast_signed().saturating_sub(last.time.cast_signed()) / 1_000_000;
        let bytes = i64::try_from(last.bytes).unwrap_or(i64::MAX);
        let rows = [
            ("backup_age", "Time since the moment of the last backup", Unit::Seconds, age),
            ("backup_size", "Size of the last backup", Unit::Bytes, bytes),
        ];
        for (name, help, unit, value) in rows {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, Some(&unit), gauge.metric_type())?)?;
        }
    }
    let lag = ConstGauge::new(log_lag.as_secs_f64());
    let help =
        "Time since the oldest commit that is not copied beside the backups; 0 without tuckbox.backup.logTo";
    lag.encode(encoder.encode_descriptor(
        "backup_log_lag",
        help,
        Some(&Unit::Seconds),
        lag.metric_type(),
    )?)?;
    let failures = ConstCounter::new(failures);
    let help = "Backups that failed since the start";
    failures.encode(encoder.encode_descriptor("backup_failures", help, None, failures.metric_type())?)
}

#[cfg(test)]
mod tests {
    use docstore::clock::{Clock as _, ManualClock};
    use prometheus_client::registry::Registry;

    use super::*;

    /// The numbers of a backup by a test's clock.
    #[derive(Debug)]
    struct Given(LastBackup, Arc<ManualClock>);

    impl Collector for Given {
        fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
            encode(Some(&self.0), self.1.now(), 0, Duration::ZERO, encoder)
        }
    }

    #[test]
    fn the_age_of_a_backup_of_a_later_time_is_negative() {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(1_000_000_000)));
        let (place, id) = ("backups".to_owned(), "20270131T180000Z".to_owned());
        let last = LastBackup { time: 1_060_000_000, place, id, documents: 1, files: 0, bytes: 1, commit: 1 };
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Given(last, clock.clone())));
        let shown = || {
            let mut text = String::new();
            prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
            text
        };
        assert!(shown().contains("backup_age_seconds -60\n"), "{}", shown());
        clock.advance(Duration::from_secs(90));
        assert!(shown().contains("backup_age_seconds 30\n"), "{}", shown());
    }
}
