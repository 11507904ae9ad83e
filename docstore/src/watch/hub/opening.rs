//! First results of a target, and the resynchronisation of a stream that has missed changes.

use crate::model::Ts;
use crate::watch::live_result::Touched;
use crate::watch::outbox::{Cut, StreamId};
use crate::watch::ranges::LiveResultId;
use crate::watch::{TargetId, WatchEvent, resume};

use super::{Hub, Missed};

impl Hub {
    /// Sends a target its first result, or what it missed since its resume token: now, or when its client has read what
    /// was before, so that nothing is made for a client that does not read.
    pub(super) async fn first(&mut self, stream: StreamId, id: TargetId) {
        let Some(state) = self.streams.get_mut(&stream) else { return };
        state.due.push_back(id);
        self.serve_due(stream).await;
    }

    /// Makes the first results that wait, as far as the client has read.
    pub(super) async fn serve_due(&mut self, stream: StreamId) {
        loop {
            let Some(state) = self.streams.get_mut(&stream) else { return };
            if state.due.is_empty() || state.outbox.defers() {
                return;
            }
            let Some(id) = state.due.pop_front() else { return };
            // The target may have ended meanwhile, and its number may be another's by now.
            let waits = state.targets.get(&id).filter(|subscription| subscription.current.is_none());
            let live = waits.and_then(|subscription| self.live_results.get(&subscription.live));
            if live.is_some_and(|shared| shared.loading.is_none()) {
                self.begin(stream, &[id]).await;
            }
        }
    }

    /// True if a target was sent its first result.
    pub(super) fn is_current(&self, stream: StreamId, id: TargetId) -> bool {
        let subscription = self.streams.get(&stream).and_then(|state| state.targets.get(&id));
        subscription.is_some_and(|subscription| subscription.current.is_some())
    }

    /// Sends targets their first results, or what they missed since their resume tokens: all as one cut.
    pub(super) async fn begin(&mut self, stream: StreamId, ids: &[TargetId]) {
        let (mut events, mut ended) = (Vec::new(), Vec::new());
        for id in ids {
            events.extend(self.opening(stream, *id).await);
            // A one-time target ends after the cut that completes it.
            if let Some(WatchEvent::Removed(..)) = events.last() {
                ended.extend(events.pop());
            }
        }
        let Some(state) = self.streams.get_mut(&stream).filter(|_| !events.is_empty()) else { return };
        // If changes are missing, only the resynchronisation ends a cut.
        if !state.lagging {
            state.end_cut(&mut events, self.position, self.clock.now());
        }
        events.extend(ended);
        state.outbox.push(Cut::asked(events));
    }

    /// Events that a target is sent before it is current.
    async fn opening(&mut self, stream: StreamId, id: TargetId) -> Vec<WatchEvent> {
        let at = self.position;
        let Some(state) = self.streams.get(&stream) else { return Vec::new() };
        let Some(subscription) = state.targets.get(&id) else { return Vec::new() };
        let Some(shared) = self.live_results.get(&subscription.live) else { return Vec::new() };
        // The result is of this moment, and the target was checked when it was added.
        if let Err(error) = self.permit(&state.viewer, &subscription.waiting.target).await {
            self.drop_target(stream, id, Some(error));
            return Vec::new();
        }
        let add = &subscription.waiting;
        let mut events = match add.resume {
            None => resume::whole(&shared.live, id, at),
            Some(since) => {
                let reader = self.reader(&shared.live.database);
                match resume::difference(&self.engine, &reader, &shared.live, since).await {
                    Some(difference) => resume::resumed(difference, &shared.live, id, at, add.expected_count),
                    None if add.expected_count.is_some() => resume::filtered(&shared.live, id, since, at),
                    None => {
                        let mut events = vec![WatchEvent::Reset(id)];
                        events.extend(resume::whole(&shared.live, id, at));
                        events
                    }
                }
            }
        };
        if add.once {
            events.push(WatchEvent::Removed(id, None));
            self.forget_target(stream, id);
        } else if let Some(subscription) = self.streams.get_mut(&stream).and_then(|s| s.targets.get_mut(&id))
        {
            subscription.current = Some(at);
        }
        events
    }

    /// Brings a stream that lost changes up to date, from the last cut it has whole. All targets in one cut: after a
    /// part of them there is no moment at which the stream is right.
    pub(super) async fn resync(&mut self, stream: StreamId, delivered: Ts) {
        let Some(state) = self.streams.get_mut(&stream) else { return };
        state.lagging = false;
        let mut begun = Vec::new();
        for (id, subscription) in &mut state.targets {
            let Some(current) = subscription.current else { continue };
            // A first result is never dropped: where it is newer than the last cut, it has been sent since.
            subscription.waiting.resume = Some(delivered.max(current));
            subscription.waiting.expected_count = None;
            begun.push(*id);
        }
        self.begin(stream, &begun).await;
    }

    /// Runs every live result again and resets every target.
    pub(super) async fn start_over(&mut self) {
        let live_results: Vec<LiveResultId> = self.live_results.keys().copied().collect();
        for id in live_results {
            let Some(shared) = self.live_results.get_mut(&id) else { continue };
            match &mut shared.loading {
                // Its first run ends later, and then some of what it has missed is gone.
                Some(missed) => *missed = Missed::not_all(),
                None => {
                    shared.live.stale = true;
                    self.settle(id, &mut Touched::new()).await;
                    self.charge(id);
                }
            }
        }
        let streams: Vec<StreamId> = self.streams.keys().copied().collect();
        for stream in streams {
            let Some(state) = self.streams.get_mut(&stream) else { continue };
            // A client that has not read the previous result starts over once it reads.
            if state.lagging || state.outbox.lag() {
                state.lagging = true;
                continue;
            }
            let mut begun = Vec::new();
            for (id, subscription) in &mut state.targets {
                // A target that waits for its first result gets a fresh one anyway.
                if subscription.current.is_some() {
                    subscription.waiting.resume = Some(Ts::ZERO);
                    begun.push(*id);
                }
            }
            self.begin(stream, &begun).await;
        }
    }
}
