//! The document store, as it measures itself whenever it is asked.

use std::fmt;

use docstore::store::{Gauges, Measured};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Commits, disk use and health of the store.
#[derive(Debug)]
pub(super) struct StoreNumbers(pub(super) Gauges);

impl Collector for StoreNumbers {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(measured) = self.0.measure() else { return Ok(()) };
        commits(&measured, &mut encoder)?;
        state(&measured, &mut encoder)?;
        disk(&measured, &mut encoder)
    }
}

fn commits(measured: &Measured, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let counts = &measured.commits;
    let rows = [
        ("commits", "Commits stored", counts.commits()),
        ("commit_appends", "Appends to the log, each of several commits", counts.appends()),
        ("commit_appends_failed", "Appends to the log that failed", counts.failed()),
    ];
    for (name, help, value) in rows {
        let counter = ConstCounter::new(value);
        counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
    }
    let took = ConstCounter::new(counts.took().as_secs_f64());
    let help = "Time of the appends to the log that succeeded";
    took.encode(encoder.encode_descriptor("commit_append", help, Some(&Unit::Seconds), took.metric_type())?)
}

fn state(measured: &Measured, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let rows = [
        ("store_refuses", "1 while commits are refused, as on a full disk", i64::from(measured.refuses)),
        ("store_damaged", "1 once stored data could not be read: restart", i64::from(measured.damaged)),
    ];
    for (name, help, value) in rows {
        let gauge = ConstGauge::new(value);
        gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
    }
    let history = ConstGauge::new(measured.history.as_secs_f64());
    let help = "Age of the oldest version that can be read";
    history.encode(encoder.encode_descriptor(
        "store_history",
        help,
        Some(&Unit::Seconds),
        history.metric_type(),
    )?)?;
    bytes(
        encoder,
        "stream_buffers",
        "Messages that wait for readers of live queries",
        measured.stream_bytes as u64,
    )
}

fn disk(measured: &Measured, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let Some(usage) = &measured.usage else { return Ok(()) };
    bytes(encoder, "store_log", "The log on the disk", usage.log)?;
    bytes(encoder, "store_snapshots", "Snapshots on the disk", usage.snapshots)?;
    bytes(encoder, "store_view", "The materialised view on the disk", usage.view)?;
    let Some(free) = usage.free else { return Ok(()) };
    bytes(encoder, "disk_free", "Free space on the disk of the data folder", free)
}

fn bytes(encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: u64) -> fmt::Result {
    let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
    gauge.encode(encoder.encode_descriptor(name, help, Some(&Unit::Bytes), gauge.metric_type())?)
}
