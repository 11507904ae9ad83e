//! What waits to be sent to one client, bounded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::model::fields_size;

use super::WatchEvent;

/// How many changes may wait for one client before it is resynchronised instead.
pub const OUTBOX_CHANGES: usize = 1_000;
/// How many bytes of changes may wait for one client before it is resynchronised instead.
pub const OUTBOX_BYTES: usize = 1024 * 1024;

/// A stream's number in its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StreamId(u64);

impl StreamId {
    /// A number no other stream has.
    pub(super) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Events that belong together.
#[derive(Debug)]
pub(super) struct Cut {
    events: Vec<WatchEvent>,
    /// What the client asked for (a first result, a resynchronisation, the end of a target) does not count towards
    /// the bounds and is never dropped: its documents are shared with the view, and there is one per target.
    counted: bool,
}

impl Cut {
    /// Changes, up to the end of their cut; counts towards the bounds.
    pub(super) fn changes(events: Vec<WatchEvent>) -> Self {
        Self { events, counted: true }
    }

    /// What was asked for.
    pub(super) fn asked(events: Vec<WatchEvent>) -> Self {
        Self { events, counted: false }
    }

    pub(super) fn into_events(self) -> std::vec::IntoIter<WatchEvent> {
        self.events.into_iter()
    }

    fn weight(&self) -> (usize, usize) {
        if !self.counted {
            return (0, 0);
        }
        let bytes = |event: &WatchEvent| match event {
            WatchEvent::Changed { document, .. } => fields_size(&document.fields) + 64,
            _ => 64,
        };
        (self.events.len(), self.events.iter().map(bytes).sum())
    }
}

/// What a reader gets.
#[derive(Debug)]
pub(super) enum Taken {
    /// The next cut.
    Cut(Cut),
    /// Cuts were dropped: ask for a resynchronisation.
    Lagging,
}

#[derive(Debug, Default)]
struct Queue {
    cuts: VecDeque<Cut>,
    changes: usize,
    bytes: usize,
    /// Cuts were dropped and nobody asked for a resynchronisation yet.
    lagging: bool,
}

/// One client's queue: the hub pushes, the watcher takes.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Held for a push or a pop, never across an await.
    queue: Mutex<Queue>,
    /// The hub wakes the watcher.
    ready: Notify,
}

impl Outbox {
    /// Queues a cut. Returns whether the queue overflowed: its changes are dropped, and further ones are not
    /// wanted until the client has asked for a resynchronisation.
    pub(super) fn push(&self, cut: Cut) -> bool {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (changes, bytes) = cut.weight();
        queue.changes += changes;
        queue.bytes += bytes;
        let counted = cut.counted;
        queue.cuts.push_back(cut);
        // A single cut may be larger than the bounds: it is in memory anyway, and no other changes wait.
        let full = counted
            && (queue.changes > OUTBOX_CHANGES || queue.bytes > OUTBOX_BYTES)
            && queue.cuts.iter().filter(|cut| cut.counted).count() > 1;
        if full {
            queue.drop_changes();
        }
        drop(queue);
        self.ready.notify_one();
        full
    }

    /// Whether nothing waits to be read.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).cuts.is_empty()
    }

    pub(super) async fn take(&self) -> Taken {
        loop {
            {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(cut) = queue.cuts.pop_front() {
                    let (changes, bytes) = cut.weight();
                    queue.changes -= changes;
                    queue.bytes -= bytes;
                    return Taken::Cut(cut);
                }
                if std::mem::take(&mut queue.lagging) {
                    return Taken::Lagging;
                }
            }
            self.ready.notified().await;
        }
    }
}

impl Queue {
    /// Keeps only what was asked for, and no end of a cut: with changes missing, no state is whole before the
    /// resynchronisation.
    fn drop_changes(&mut self) {
        self.cuts.retain(|cut| !cut.counted);
        for cut in &mut self.cuts {
            cut.events.retain(|event| {
                !matches!(event, WatchEvent::Advanced(..) | WatchEvent::Snapshot(_) | WatchEvent::Interim(_))
            });
        }
        self.changes = 0;
        self.bytes = 0;
        self.lagging = true;
    }
}

#[cfg(test)]
mod tests {
    use super::super::TargetId;
    use super::*;
    use crate::model::{DocPath, Ts};

    fn deleted(id: TargetId) -> WatchEvent {
        let path = DocPath::parse("c/a").unwrap();
        WatchEvent::Deleted { path, read_time: Ts::ZERO, targets: vec![id] }
    }

    fn names(outbox: &Outbox) -> Vec<String> {
        let mut queue = outbox.queue.lock().unwrap();
        let events = std::mem::take(&mut queue.cuts).into_iter().flat_map(Cut::into_events);
        events
            .map(|event| match event {
                WatchEvent::Deleted { targets, .. } => format!("deleted from {targets:?}"),
                WatchEvent::Removed(id, _) => format!("removed {id}"),
                WatchEvent::Snapshot(_) => "snapshot".to_owned(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn what_is_asked_for_is_never_dropped() {
        let outbox = Outbox::default();
        let end = WatchEvent::Snapshot(Ts::ZERO);
        assert!(!outbox.push(Cut::asked(vec![deleted(2), end, WatchEvent::Removed(2, None)])));
        let many = || Cut::changes((0..=OUTBOX_CHANGES).map(|_| deleted(4)).collect());
        assert!(!outbox.push(many()), "a single cut of changes may be as large as it is");
        assert!(!outbox.push(Cut::asked(vec![deleted(6)])), "what is asked for drops nothing");
        assert!(outbox.push(many()), "too much waits");
        assert_eq!(
            names(&outbox),
            ["deleted from [2]", "removed 2", "deleted from [6]"],
            "the snapshot comes with what was dropped"
        );
    }
}
