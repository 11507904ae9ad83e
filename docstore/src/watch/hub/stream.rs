//! State of one client's stream in the hub.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::budget::OWN_BYTES;
use crate::model::Ts;
use crate::watch::outbox::{Cut, Outbox};
use crate::watch::ranges::LiveResultId;
use crate::watch::{TargetId, Viewer, WatchEvent};

use super::Add;

/// Longest time without the end of a cut on a stream. Then an empty one is sent, for two reasons: the client's resume
/// token must stay within the log's retention, and a dead connection is noticed only by writing to it. Proxies close a
/// connection after a minute without a byte.
const QUIET: Duration = Duration::from_secs(45);

/// Longest time that a client may read nothing while all streams together have too much waiting. A client that is
/// disconnected resumes with its token.
pub(super) const STALLED: Duration = Duration::from_secs(30);

/// Interval between checks for quiet streams.
pub(super) const LOOK: Duration = Duration::from_secs(5);

/// One subscription of a stream to a live result.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) live: LiveResultId,
    /// The cut with which the target became current; `None` before.
    pub(super) current: Option<Ts>,
    pub(super) waiting: Add,
}

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) outbox: Arc<Outbox>,
    pub(super) viewer: Viewer,
    pub(super) targets: BTreeMap<TargetId, Subscription>,
    /// Changes were dropped; nothing is queued until the client asks for a resynchronisation.
    pub(super) lagging: bool,
    /// Targets whose first results wait to be made until the client has read.
    pub(super) due: VecDeque<TargetId>,
    /// Events the client had read when it was last seen reading, and that time by the clock.
    seen: (u64, Ts),
    /// When the last cut ended, by the clock; at first, when the stream was opened.
    heard: Ts,
}

impl Stream {
    /// A stream without targets, opened at `now`.
    pub(super) fn new(outbox: Arc<Outbox>, viewer: Viewer, now: Ts) -> Self {
        let (targets, due) = (BTreeMap::new(), VecDeque::new());
        Self { outbox, viewer, targets, lagging: false, due, seen: (0, now), heard: now }
    }

    /// True if the client has much waiting and has read nothing of it for [`STALLED`], at `now`.
    pub(super) fn is_stalled(&mut self, now: Ts) -> bool {
        let read = self.outbox.read();
        // A clock that was set back starts the wait again.
        if now < self.seen.1 || read != self.seen.0 || self.outbox.held() <= OWN_BYTES {
            self.seen = (read, now);
        }
        Duration::from_micros(now.micros().saturating_sub(self.seen.1.micros())) >= STALLED
    }

    /// Ends the cut of `events` at `at`, which is told at `now`.
    pub(super) fn end_cut(&mut self, events: &mut Vec<WatchEvent>, at: Ts, now: Ts) {
        self.heard = now;
        if self.targets.values().all(|subscription| subscription.current.is_some()) {
            events.push(WatchEvent::Snapshot(at));
            return;
        }
        let current = self.targets.iter().filter(|(_, subscription)| subscription.current.is_some());
        let current: Vec<TargetId> = current.map(|(id, _)| *id).collect();
        // A client keeps what it was shown, so its tokens must know of it: a document that comes now and goes while the
        // client is away would stay with it.
        if !current.is_empty() {
            events.push(WatchEvent::Advanced(current, at));
        }
        events.push(WatchEvent::Interim(at));
    }

    /// Ends a cut at `at` where none has ended for [`QUIET`].
    pub(super) fn reassure(&mut self, at: Ts, now: Ts) {
        // After a clock was set back, the stream is quiet from now on.
        self.heard = self.heard.min(now);
        let quiet = Duration::from_micros(now.micros().saturating_sub(self.heard.micros()));
        // Waiting events end a cut themselves, and an empty cut does not replace missing changes.
        if quiet >= QUIET && !self.lagging && self.outbox.is_empty() {
            let mut events = Vec::new();
            self.end_cut(&mut events, at, now);
            self.lagging = self.outbox.push(Cut::changes(events));
        }
    }
}
