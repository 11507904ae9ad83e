//! Metrics of playtest tables.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::{Label, Ongoing};

/// Upper bounds of the histogram of appends, in seconds.
const SECONDS: [f64; 9] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1.0];

/// The metrics. Clones share them.
#[derive(Debug, Clone)]
pub struct TableNumbers {
    actions: Family<Outcome, Counter>,
    append: Histogram,
    mismatches: Counter,
    sockets: Gauge,
    awake: Gauge,
    samples: Family<Outcome, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: Label,
}

impl Default for TableNumbers {
    fn default() -> Self {
        Self {
            actions: Family::default(),
            append: Histogram::new(SECONDS),
            mismatches: Counter::default(),
            sockets: Gauge::default(),
            awake: Gauge::default(),
            samples: Family::default(),
        }
    }
}

impl TableNumbers {
    /// Registers them in `registry`.
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("table_actions", "Acts at tables, done or refused", self.actions.clone());
        let help = "Time to store acts, up to 64 together";
        registry.register_with_unit("table_append", help, Unit::Seconds, self.append.clone());
        let help = "Times a client's view of a table was not the server's";
        registry.register("table_view_mismatch", help, self.mismatches.clone());
        registry.register("table_sockets", "Open sockets of tables", self.sockets.clone());
        registry.register("tables_awake", "Tables in memory", self.awake.clone());
        let help = "Sample tables, opened, refused or forgotten";
        registry.register("table_samples", help, self.samples.clone());
    }

    pub(crate) fn acted(&self, is_done: bool) {
        let outcome = Label(if is_done { "done" } else { "refused" });
        self.actions.get_or_create(&Outcome { outcome }).inc();
    }

    /// Counts a sample table: `opened`, `refused` or `forgotten`.
    pub(crate) fn sample(&self, outcome: &'static str) {
        self.samples.get_or_create(&Outcome { outcome: Label(outcome) }).inc();
    }

    pub(crate) fn appended(&self, took: Duration) {
        self.append.observe(took.as_secs_f64());
    }

    pub(crate) fn mismatch(&self) {
        self.mismatches.inc();
    }

    /// Counts an open socket until the value is dropped.
    pub(crate) fn socket(&self) -> Ongoing {
        Ongoing::of(&self.sockets)
    }

    /// Counts a table in memory until the value is dropped.
    pub(crate) fn awake(&self) -> Ongoing {
        Ongoing::of(&self.awake)
    }
}
