//! Memory of live queries and their streams, and its reclamation above the limits.

use std::collections::HashMap;

use crate::engine::Author;
use crate::model::Ts;
use crate::watch::LIVE_BYTES;
use crate::watch::ranges::LiveResultId;
use crate::{Code, Error};

use super::Hub;

/// The bytes of all live results' results, by who asked for them first.
#[derive(Debug)]
pub(super) struct Held {
    of_one: usize,
    all: usize,
    by: HashMap<Author, usize>,
}

impl Held {
    /// Nothing yet; one caller under the access policy may have `of_one` bytes.
    pub(super) fn new(of_one: usize) -> Self {
        Self { of_one, all: 0, by: HashMap::new() }
    }

    /// The bytes of all.
    #[cfg(test)]
    pub(super) fn all(&self) -> usize {
        self.all
    }

    /// Counts `now` bytes in place of `before`; returns whether that is within what may be.
    pub(super) fn change(&mut self, by: &Author, before: usize, now: usize) -> bool {
        self.all = self.all - before + now;
        let own = self.by.entry(by.clone()).or_default();
        *own = *own - before + now;
        let within = *own <= self.of_one || !by.is_under_rules();
        if *own == 0 {
            self.by.remove(by);
        }
        now <= before || (within && self.all <= LIVE_BYTES)
    }
}

impl Hub {
    /// Counts what a live result holds by now. Where that is too much, its targets end.
    pub(super) fn charge(&mut self, id: LiveResultId) {
        let Some(shared) = self.live_results.get_mut(&id) else { return };
        let bytes = shared.live.bytes();
        if self.held.change(&shared.by, shared.charged, bytes) {
            shared.charged = bytes;
            return;
        }
        shared.charged = bytes;
        for (stream, id) in shared.subscribers.clone() {
            let message = "Your live queries have too many results together: end some, or give them a limit.";
            let error = Error::new(Code::ResourceExhausted, "LiveResults", message);
            self.drop_target(stream, id, Some(error));
        }
    }

    /// Disconnects streams that do not read if all streams together have too much waiting.
    pub(super) fn relieve(&mut self, now: Ts) {
        let full = self.buffers.is_full();
        for stream in self.streams.values_mut() {
            if stream.is_stalled(now) && full {
                stream.outbox.cut_off();
            }
        }
    }
}
