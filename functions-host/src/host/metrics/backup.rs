//! The last backup.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use docstore::clock::SharedClock;
use docstore::model::Ts;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Age and size of the last backup, and the number that failed. Clones share them.
#[derive(Debug, Clone)]
pub struct BackupNumbers {
    clock: SharedClock,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// In microseconds; 0 for none.
    time: AtomicU64,
    bytes: AtomicU64,
    failures: AtomicU64,
}

impl BackupNumbers {
    /// Numbers without a backup.
    pub fn new(clock: SharedClock) -> Self {
        Self { clock, counts: Arc::default() }
    }

    /// A backup of the moment `at` was made.
    pub fn made(&self, at: Ts, bytes: u64) {
        self.counts.time.store(at.micros(), Ordering::Relaxed);
        self.counts.bytes.store(bytes, Ordering::Relaxed);
    }

    /// A backup failed.
    pub fn failed(&self) {
        self.counts.failures.fetch_add(1, Ordering::Relaxed);
    }
}

impl Collector for BackupNumbers {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let time = self.counts.time.load(Ordering::Relaxed);
        if time > 0 {
            // Negative if the clock was ahead then: an alert can tell.
            let age = self.clock.now().micros().cast_signed().saturating_sub(time.cast_signed()) / 1_000_000;
            let bytes = self.counts.bytes.load(Ordering::Relaxed);
            let rows = [
                ("backup_age", "Time since the moment of the last backup", Unit::Seconds, age),
                (
                    "backup_size",
                    "Size of the last backup",
                    Unit::Bytes,
                    i64::try_from(bytes).unwrap_or(i64::MAX),
                ),
            ];
            for (name, help, unit, value) in rows {
                let gauge = ConstGauge::new(value);
                gauge.encode(encoder.encode_descriptor(name, help, Some(&unit), gauge.metric_type())?)?;
            }
        }
        let failures = ConstCounter::new(self.counts.failures.load(Ordering::Relaxed));
        let help = "Backups that failed since the start";
        failures.encode(encoder.encode_descriptor("backup_failures", help, None, failures.metric_type())?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use docstore::clock::ManualClock;
    use prometheus_client::registry::Registry;

    use super::*;

    #[test]
    fn the_age_of_a_backup_of_a_later_time_is_negative() {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(1_000_000_000)));
        let numbers = BackupNumbers::new(clock.clone());
        numbers.made(Ts::from_micros(1_060_000_000), 1);
        let mut registry = Registry::default();
        registry.register_collector(Box::new(numbers));
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
