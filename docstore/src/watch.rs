//! Live queries: one stream per client, many targets on it, consistent cuts over all of them.
//!
//! One hub task reads the commit log. Every target is a subscription to a live result, which equal targets share. A live result is
//! filed under what must be true of its results: a name, a value of a field, a range of values, or only the collection. A
//! changed document, as it was and as it is, is looked up there, so a commit costs what it concerns, however many live
//! queries there are. A live result that lost a result of a full limit finds the next by one bounded scan.
//!
//! What a stream receives goes through its bounded outbox, one cut over all its targets after another; a client that
//! falls behind is resynchronised from the last cut it was given. A cut's time is a resume token: whoever comes back with
//! it is told what the log has since then, or everything anew where the log has forgotten.

mod hub;
mod intervals;
mod live_result;
mod outbox;
mod ranges;
mod resume;

use std::sync::{Arc, Weak};

use tokio::sync::mpsc;

pub(crate) use hub::{Hub, HubHandle};
pub use outbox::{OUTBOX_BYTES, OUTBOX_CHANGES};
pub use ranges::Interests;

use crate::access::Viewer;
use crate::budget::Budget;
use crate::indexer::Indexer;
use crate::model::{DocPath, Document, Query, Ts};
use crate::query::Shared;
use crate::slow::SlowLog;
use crate::{Code, Error};

/// A client's number for a target; unique on its stream.
pub type TargetId = i32;

/// The most targets of one stream. Those that are ending count until their end was read.
pub const MAX_TARGETS: usize = 2_000;
/// Bytes that may wait for the readers of all streams together, beyond 16 KiB for each: cuts made by the hub, encoded
/// replies, WebChannel messages. Past this limit a stream gets one item at a time, and a client that reads nothing is
/// disconnected.
pub const STREAM_BYTES: usize = 128 * 1024 * 1024;
/// Bytes of the results of all live queries.
pub const LIVE_BYTES: usize = 1024 * 1024 * 1024;
/// Bytes of results of the queries that one caller under the access policy was the first to request.
pub const LIVE_BYTES_OF_ONE: usize = 96 * 1024 * 1024;

/// Memory limits of live queries and their streams.
#[derive(Debug, Clone)]
pub(crate) struct LiveLimits {
    /// The bytes of results of one caller's queries.
    pub(crate) of_one: usize,
    /// Memory of what waits for the readers of all streams.
    pub(crate) buffers: Arc<Budget>,
}

/// The parts of the store that live queries use.
#[derive(Debug)]
pub(crate) struct LiveQueries {
    /// Builds the indexes that live queries lack. The store may close while streams are open.
    pub(crate) indexer: Weak<Indexer>,
    /// Shared with all other queries.
    pub(crate) queries: Shared,
    pub(crate) limits: LiveLimits,
    pub(crate) slow: Arc<SlowLog>,
}

/// A query or documents to watch.
#[derive(Debug, Clone)]
pub enum Target {
    /// The results of a query.
    Query(Box<Query>),
    /// Documents by name, whether they exist or not.
    Documents(Vec<DocPath>),
}

/// An event on a stream. Every [`WatchEvent::Snapshot`] and every [`WatchEvent::Interim`] completes a consistent cut.
#[derive(Debug)]
pub enum WatchEvent {
    /// The target is being watched from now on.
    Added(TargetId),
    /// The target is no longer watched: as asked for, because it was wanted once, or because of a failure. Every target
    /// that was added ends with exactly one of these; one that is refused has no [`WatchEvent::Added`] before.
    Removed(TargetId, Option<Error>),
    /// A document that matches `targets` and no longer matches `removed`.
    Changed {
        /// The document as it is now, with the fields that the targets' query selects.
        document: Arc<Document>,
        /// The targets it matches.
        targets: Vec<TargetId>,
        /// The targets it no longer matches.
        removed: Vec<TargetId>,
    },
    /// A document that no longer exists.
    Deleted {
        /// Its name.
        path: DocPath,
        /// When that was read.
        read_time: Ts,
        /// The targets it matched.
        targets: Vec<TargetId>,
    },
    /// A document that exists and no longer matches.
    Gone {
        /// Its name.
        path: DocPath,
        /// When that was read.
        read_time: Ts,
        /// The targets it matched.
        targets: Vec<TargetId>,
    },
    /// Everything sent for the target is void; it starts over.
    Reset(TargetId),
    /// Number of matching documents, for a client that may hold others too.
    Filter {
        /// The target.
        id: TargetId,
        /// Number of matching documents.
        count: u32,
        /// All documents that match.
        present: Vec<DocPath>,
        /// Documents that the client may hold and that match no more, where they are known.
        absent: Vec<DocPath>,
    },
    /// The target has everything up to the timestamp, which is its resume token.
    Current(TargetId, Ts),
    /// These targets, one at least, have everything up to the timestamp, which is the resume token of each; before an
    /// [`WatchEvent::Interim`].
    Advanced(Vec<TargetId>, Ts),
    /// All targets have everything up to the timestamp, which is the resume token of each.
    Snapshot(Ts),
    /// The targets that are current have everything up to the timestamp: those of the [`WatchEvent::Advanced`] before.
    /// Others are still waiting for their first result, so it is no resume token for all.
    Interim(Ts),
}

/// One client's stream. Dropping it ends all its targets.
#[derive(Debug)]
pub struct Watcher {
    stream: outbox::StreamId,
    outbox: Arc<outbox::Outbox>,
    hub: HubHandle,
    /// The events of the cut being handed out, last first.
    cut: std::vec::IntoIter<WatchEvent>,
    /// The cut that was last handed out whole.
    delivered: Ts,
    /// Number of targets that were added and are not known to have ended.
    targets: usize,
}

impl Watcher {
    pub(crate) fn open(hub: &HubHandle, viewer: Viewer) -> Self {
        let outbox = Arc::new(outbox::Outbox::new(hub.buffers()));
        let stream = outbox::StreamId::fresh();
        hub.send(hub::Message::Open { stream, outbox: Arc::clone(&outbox), viewer });
        Self {
            stream,
            outbox,
            hub: hub.clone(),
            cut: Vec::new().into_iter(),
            delivered: Ts::ZERO,
            targets: 0,
        }
    }

    /// Starts watching `target` as `id`.
    ///
    /// With `resume`, a timestamp from [`WatchEvent::Current`], [`WatchEvent::Advanced`] or
    /// [`WatchEvent::Snapshot`], only what changed since is sent; `expected_count` is how many documents the client
    /// then holds. With `once` the target is removed as soon as it is current. A number in use is refused, and what
    /// has it ends too. Failures arrive as [`WatchEvent::Removed`].
    pub fn add(
        &mut self,
        id: TargetId,
        target: Target,
        resume: Option<Ts>,
        expected_count: Option<u32>,
        once: bool,
    ) {
        self.targets += 1;
        if self.targets > MAX_TARGETS {
            let error = Error::new(
                Code::ResourceExhausted,
                "TooManyTargets",
                format!("A stream may watch at most {MAX_TARGETS} targets."),
            );
            self.outbox.push(outbox::Cut::asked(vec![WatchEvent::Removed(id, Some(error))]));
            return;
        }
        let add = hub::Add { id, target, resume, expected_count, once };
        self.hub.send(hub::Message::Add { stream: self.stream, add });
    }

    /// Stops watching a target, which [`WatchEvent::Removed`] acknowledges; does nothing where it has ended by itself. At
    /// most once for each target that was added.
    pub fn remove(&mut self, id: TargetId) {
        self.hub.send(hub::Message::Remove { stream: self.stream, id });
    }

    /// Waits until the stream has to end, because it held what others need and was not read.
    pub fn cut_off(&self) -> impl Future<Output = ()> + Send + 'static {
        let outbox = Arc::clone(&self.outbox);
        async move { outbox.is_cut_off().await }
    }

    /// The next event. Never ends by itself.
    pub async fn next(&mut self) -> WatchEvent {
        loop {
            if let Some(event) = self.cut.next() {
                self.outbox.note_read();
                match &event {
                    WatchEvent::Snapshot(ts) | WatchEvent::Interim(ts) => self.delivered = *ts,
                    WatchEvent::Removed(..) => self.targets = self.targets.saturating_sub(1),
                    _ => {}
                }
                return event;
            }
            match self.outbox.take().await {
                outbox::Taken::Cut(cut) => self.cut = cut.into_events(),
                outbox::Taken::Lagging => {
                    self.hub.send(hub::Message::Resync { stream: self.stream, delivered: self.delivered });
                }
                outbox::Taken::Due => self.hub.send(hub::Message::Due { stream: self.stream }),
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.hub.send(hub::Message::Close { stream: self.stream });
    }
}

/// The hub's queue. Unbounded in type, bounded in fact: a stream sends two messages per target, of which it has at most
/// [`MAX_TARGETS`] whose end it has not read, and one to be resynchronised or given what is due.
type HubSender = mpsc::UnboundedSender<hub::Message>;

#[cfg(test)]
mod tests;
