//! Bounded queue of the events for one client.

use std::collections::VecDeque;
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::budget::{Budget, Share};
use crate::model::{document_memory, fields_size};

use super::WatchEvent;

/// Changes that may wait for one client before it is resynchronised instead.
pub const OUTBOX_CHANGES: usize = 1_000;
/// Bytes of changes that may wait for one client before it is resynchronised instead.
pub const OUTBOX_BYTES: usize = 1024 * 1024;

/// While so many bytes wait for one client, it is made no further first result: it has to read first.
const AHEAD_BYTES: usize = 64 * 1024;
/// Memory of an event beside the names in it, in bytes.
const EVENT_BYTES: usize = size_of::<WatchEvent>() + 32;
/// Memory of a name, in bytes.
const NAME_BYTES: usize = 96;

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
    /// False for what the client asked for (a first result, a resynchronisation, the end of a target): it does not
    /// count towards the limits of changes and is never dropped. Its documents are shared with the live query, and it
    /// is made once the client has read the previous one.
    counted: bool,
    /// Its memory, in bytes.
    held: usize,
}

impl Cut {
    /// Changes, up to the end of their cut; counts towards the bounds.
    pub(super) fn changes(events: Vec<WatchEvent>) -> Self {
        Self { held: held(&events), events, counted: true }
    }

    /// A cut that the client asked for.
    pub(super) fn asked(events: Vec<WatchEvent>) -> Self {
        Self { held: held(&events), events, counted: false }
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

/// The bytes that events take in memory; documents only where nobody else has them.
fn held(events: &[WatchEvent]) -> usize {
    let held = |event: &WatchEvent| match event {
        WatchEvent::Changed { document, .. } if Arc::strong_count(document) == 1 => document_memory(document),
        WatchEvent::Filter { present, absent, .. } => (present.len() + absent.len()) * NAME_BYTES,
        _ => 0,
    };
    events.iter().map(|event| EVENT_BYTES + held(event)).sum()
}

/// An item for a reader.
#[derive(Debug)]
pub(super) enum Taken {
    /// The next cut.
    Cut(Cut),
    /// Cuts were dropped: ask for a resynchronisation.
    Lagging,
    /// Everything was read, and first results wait to be made.
    Due,
}

#[derive(Debug)]
struct Queue {
    cuts: VecDeque<Cut>,
    changes: usize,
    bytes: usize,
    /// Cuts were dropped and nobody asked for a resynchronisation yet.
    lagging: bool,
    /// Memory of the cuts, including the one being read.
    share: Share,
    /// Memory of the cut being read.
    reading: usize,
    /// First results wait for the client to have read.
    due: bool,
}

/// One client's queue: the hub pushes, the watcher takes.
#[derive(Debug)]
pub(super) struct Outbox {
    /// Held for a push or a pop, never across an await.
    queue: Mutex<Queue>,
    /// The hub wakes the watcher.
    ready: Notify,
    /// Number of events read.
    read: AtomicU64,
    /// Wakes who has to end the stream.
    ended: Notify,
}

impl Outbox {
    /// An empty one, whose cuts count in `all`.
    pub(super) fn new(all: &Arc<Budget>) -> Self {
        let queue = Queue {
            cuts: VecDeque::new(),
            changes: 0,
            bytes: 0,
            lagging: false,
            share: Share::of(all),
            reading: 0,
            due: false,
        };
        Self { queue: Mutex::new(queue), ready: Notify::new(), read: AtomicU64::new(0), ended: Notify::new() }
    }

    /// Notes that an event was read.
    pub(super) fn note_read(&self) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of events read.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Bytes that wait for the client, beyond every stream's own allowance.
    pub(super) fn held(&self) -> usize {
        self.lock().share.bytes()
    }

    /// True if the next first result has to wait until the client has read. The reader is then told that it is due.
    pub(super) fn defers(&self) -> bool {
        let mut queue = self.lock();
        let bytes = queue.share.bytes();
        let defers = bytes > AHEAD_BYTES || (bytes > 0 && queue.share.is_pressed());
        queue.due |= defers;
        defers
    }

    /// Drops what waits where it is much, so that the client is resynchronised when it reads. Returns whether it was.
    pub(super) fn lag(&self) -> bool {
        let mut queue = self.lock();
        let lags = queue.share.bytes() > AHEAD_BYTES;
        if lags {
            queue.drop_changes();
        }
        lags
    }

    /// Drops everything and has the stream ended.
    pub(super) fn cut_off(&self) {
        let mut queue = self.lock();
        queue.cuts.clear();
        queue.share.shrink_to(0);
        drop(queue);
        self.ended.notify_one();
    }

    /// Waits until the stream has to end.
    pub(super) async fn is_cut_off(&self) {
        self.ended.notified().await;
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Queue> {
        self.queue.lock()
    }

    /// Queues a cut. Returns whether the queue overflowed: its changes are dropped, and further ones are not
    /// wanted until the client has asked for a resynchronisation.
    pub(super) fn push(&self, cut: Cut) -> bool {
        let mut queue = self.lock();
        let (changes, bytes) = cut.weight();
        queue.changes += changes;
        queue.bytes += bytes;
        let counted = cut.counted;
        let pressed = queue.share.is_pressed();
        queue.share.overdraw(cut.held);
        queue.cuts.push_back(cut);
        // A single cut may be larger than the bounds: it is in memory anyway, and no other changes wait.
        let full = counted
            && (queue.changes > OUTBOX_CHANGES || queue.bytes > OUTBOX_BYTES || pressed)
            && queue.cuts.iter().filter(|cut| cut.counted).count() > 1;
        if full {
            queue.drop_changes();
        }
        drop(queue);
        self.ready.notify_one();
        full
    }

    /// True if nothing waits to be read.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().cuts.is_empty()
    }

    pub(super) async fn take(&self) -> Taken {
        loop {
            {
                let mut queue = self.lock();
                queue.end_reading();
                if let Some(cut) = queue.cuts.pop_front() {
                    let (changes, bytes) = cut.weight();
                    queue.changes -= changes;
                    queue.bytes -= bytes;
                    queue.reading = cut.held;
                    return Taken::Cut(cut);
                }
                if std::mem::take(&mut queue.lagging) {
                    return Taken::Lagging;
                }
                if std::mem::take(&mut queue.due) {
                    return Taken::Due;
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
        let held = self.reading + self.cuts.iter().map(|cut| cut.held).sum::<usize>();
        self.share.shrink_to(held);
    }

    /// Gives back what the cut took that was being read.
    fn end_reading(&mut self) {
        let reading = std::mem::take(&mut self.reading);
        let left = self.share.bytes().saturating_sub(reading);
        self.share.shrink_to(left);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{STREAM_BYTES, TargetId};
    use super::*;
    use crate::model::{DocPath, Ts};

    fn deleted(id: TargetId) -> WatchEvent {
        let path = DocPath::parse("c/a").unwrap();
        WatchEvent::Deleted { path, read_time: Ts::ZERO, targets: vec![id] }
    }

    fn names(outbox: &Outbox) -> Vec<String> {
        let mut queue = outbox.queue.lock();
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
        let outbox = Outbox::new(&Budget::new(STREAM_BYTES));
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
