//! Metrics of events.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The metrics. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventNumbers {
    queued: Counter,
    delivered: Counter,
    failed: Counter,
    died: Counter,
    gaps: Counter,
    dead_letters: Gauge,
    known: Gauge,
}

impl EventNumbers {
    /// Registers them in `registry`.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("events_queued", "Deliveries to functions queued", self.queued.clone());
        registry.register("events_delivered", "Deliveries that a function accepted", self.delivered.clone());
        registry.register("events_failed", "Failed attempts of deliveries", self.failed.clone());
        registry.register("events_died", "Deliveries given up, and gaps", self.died.clone());
        registry.register(
            "events_gaps",
            "Times the log was truncated before the change feed had read it",
            self.gaps.clone(),
        );
        registry.register("events_dead_letters", "Dead letters kept", self.dead_letters.clone());
        registry.register("events_waiting", "Deliveries waiting or in flight", self.known.clone());
    }

    pub(crate) fn queued(&self, count: usize) {
        self.queued.inc_by(u64::try_from(count).unwrap_or(u64::MAX));
    }

    pub(crate) fn delivered(&self) {
        self.delivered.inc();
    }

    pub(crate) fn failed(&self) {
        self.failed.inc();
    }

    pub(crate) fn died(&self) {
        self.died.inc();
    }

    pub(crate) fn gap(&self) {
        self.gaps.inc();
    }

    pub(crate) fn dead_letters(&self, count: usize) {
        self.dead_letters.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn known(&self, count: usize) {
        self.known.set(i64::try_from(count).unwrap_or(i64::MAX));
    }
}
