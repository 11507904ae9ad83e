//! What waits to be sent to one client, bounded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::model::{Ts, fields_size};

use super::{TargetId, WatchEvent};

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
    /// Documents the client asked to be sent whole (a first result, a resynchronisation) do not count towards
    /// the bounds: they are shared with the view, and there is one per target.
    counted: bool,
    /// Nothing brings these documents again: they stay when changes are dropped.
    kept: bool,
}

impl Cut {
    /// Changes at `ts`; counts towards the bounds.
    pub(super) fn changes(mut events: Vec<WatchEvent>, ts: Ts) -> Self {
        events.push(WatchEvent::Snapshot(ts));
        Self { events, counted: true, kept: false }
    }

    /// A first result or resynchronisation at `ts`.
    pub(super) fn whole(mut events: Vec<WatchEvent>, ts: Ts) -> Self {
        events.push(WatchEvent::Snapshot(ts));
        Self { events, counted: false, kept: false }
    }

    /// The result at `ts` of a target that is wanted once: its removal follows the snapshot that makes it whole.
    pub(super) fn only(mut events: Vec<WatchEvent>, ts: Ts, id: TargetId) -> Self {
        events.extend([WatchEvent::Snapshot(ts), WatchEvent::Removed(id, None)]);
        Self { events, counted: false, kept: true }
    }

    /// Events outside any snapshot.
    pub(super) fn control(events: Vec<WatchEvent>) -> Self {
        Self { events, counted: false, kept: false }
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
        queue.cuts.push_back(cut);
        // A single cut may be larger than the bounds: it is in memory anyway, and nothing waits behind it.
        let full = queue.cuts.len() > 1 && (queue.changes > OUTBOX_CHANGES || queue.bytes > OUTBOX_BYTES);
        if full {
            queue.drop_changes();
        }
        drop(queue);
        self.ready.notify_one();
        full
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
    /// Keeps only the acknowledgements and what was wanted once; other documents, and snapshots, come again with the
    /// resynchronisation.
    fn drop_changes(&mut self) {
        let is_kept = |cut: Cut| {
            let kept = cut.kept;
            cut.into_events().filter(move |event| match event {
                WatchEvent::Added(_) | WatchEvent::Removed(..) => true,
                WatchEvent::Snapshot(_) => false,
                _ => kept,
            })
        };
        let kept: Vec<WatchEvent> = std::mem::take(&mut self.cuts).into_iter().flat_map(is_kept).collect();
        self.changes = 0;
        self.bytes = 0;
        self.lagging = true;
        if !kept.is_empty() {
            self.cuts.push_back(Cut { kept: true, ..Cut::control(kept) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DocPath;

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
    fn what_is_wanted_once_ends_after_its_snapshot() {
        let outbox = Outbox::default();
        assert!(!outbox.push(Cut::only(vec![deleted(2)], Ts::ZERO, 2)));
        assert_eq!(names(&outbox), ["deleted from [2]", "snapshot", "removed 2"]);
    }

    #[test]
    fn what_is_wanted_once_is_never_dropped() {
        let outbox = Outbox::default();
        outbox.push(Cut::only(vec![deleted(2)], Ts::ZERO, 2));
        for _ in 0..2 {
            let overflow = (0..=OUTBOX_CHANGES).map(|_| deleted(4)).collect();
            assert!(outbox.push(Cut::changes(overflow, Ts::ZERO)), "too much waits");
        }
        assert_eq!(
            names(&outbox),
            ["deleted from [2]", "removed 2"],
            "the snapshot comes with what was dropped"
        );
    }
}
