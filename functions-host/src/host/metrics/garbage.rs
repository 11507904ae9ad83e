//! Garbage collected by the document store, from its own counters.

use std::fmt;
use std::sync::Arc;

use docstore::garbage::Garbage;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;

/// Counts of collected versions of documents and index entries.
#[derive(Debug)]
pub(super) struct Forgotten(pub(super) Arc<Garbage>);

impl Collector for Forgotten {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let rows = [
            ("garbage_dropped", "Old versions dropped by the document store", self.0.dropped()),
            ("garbage_examined", "Versions looked at for that", self.0.examined()),
            ("garbage_passes", "Passes over everything that is stored", self.0.passes()),
        ];
        for (name, help, value) in rows {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}
