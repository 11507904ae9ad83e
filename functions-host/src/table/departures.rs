//! Times at which people who sit at a table left it: their seats wait for them, and can then be taken over.

use std::collections::HashMap;

use super::limits::SEAT_WAITS;

/// See the module's description. Times are in milliseconds since the epoch.
pub(super) struct Departures {
    /// Time of the request under way.
    now: u64,
    /// Time at which the table woke; nobody is known to have left before.
    woke: u64,
    left: HashMap<String, u64>,
}

impl Departures {
    /// Those of a table that wakes at `now`.
    pub(super) fn since(now: u64) -> Self {
        Self { now, woke: now, left: HashMap::new() }
    }

    /// Notes the time of the request that follows.
    pub(super) fn begin(&mut self, now: u64) {
        self.now = now;
    }

    /// Notes that somebody leaves. Kept of those who sit at the table.
    pub(super) fn note(&mut self, uid: String, sits: impl Fn(&str) -> bool) {
        self.left.retain(|uid, _| sits(uid));
        if sits(&uid) {
            self.left.insert(uid, self.now);
        }
    }

    /// True if somebody who is not there left so long ago that their seats can be taken over.
    pub(super) fn are_long_ago(&self, uid: &str) -> bool {
        let since = self.left.get(uid).copied().unwrap_or(self.woke);
        u128::from(self.now.saturating_sub(since)) >= SEAT_WAITS.as_millis()
    }
}
