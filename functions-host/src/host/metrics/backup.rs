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
            let age = self.clock.now().micros().saturating_sub(time) / 1_000_000;
            let rows = [
                ("backup_age", "Time since the moment of the last backup", Unit::Seconds, age),
                (
                    "backup_size",
                    "Size of the last backup",
                    Unit::Bytes,
                    self.counts.bytes.load(Ordering::Relaxed),
                ),
            ];
            for (name, help, unit, value) in rows {
                let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
                gauge.encode(encoder.encode_descriptor(name, help, Some(&unit), gauge.metric_type())?)?;
            }
        }
        let failures = ConstCounter::new(self.counts.failures.load(Ordering::Relaxed));
        let help = "Backups that failed since the start";
        failures.encode(encoder.encode_descriptor("backup_failures", help, None, failures.metric_type())?)
    }
}
