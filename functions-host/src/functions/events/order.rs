//! Order of deliveries: one at a time per ordering key, each function within its limits, functions in rotation.
//!
//! Deliveries that must stay in order share an ordering key, such as the events of one document for one function. Pure:
//! memory and arithmetic only, with the clock as an argument.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use docstore::model::Ts;

use super::retry::later;

/// Concurrency limits of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    /// Deliveries in flight.
    pub(crate) concurrent: usize,
    /// Shortest time between the starts of two deliveries.
    pub(crate) spacing: Duration,
}

/// A queued delivery, as far as ordering needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Its number in the queue, unique and rising.
    pub(crate) number: u64,
    /// The function's id.
    pub(crate) function: Arc<str>,
    /// Its ordering key; `None` if it may run in any order.
    pub(crate) ordering_key: Option<Arc<str>>,
    /// Not delivered before this time.
    pub(crate) due: Ts,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum KeyName {
    Shared(Arc<str>),
    Alone(u64),
}

type KeyId = (Arc<str>, KeyName);

/// The deliveries of one ordering key. While the first is in flight, the key is neither ready nor waiting for a time.
#[derive(Debug, Default)]
struct KeyQueue {
    waiting: VecDeque<Waiting>,
}

#[derive(Debug, Default)]
struct Function {
    ready: VecDeque<KeyName>,
    running: usize,
    not_before: Ts,
}

/// All deliveries in memory.
#[derive(Debug, Default)]
pub(crate) struct DeliveryOrder {
    keys: HashMap<KeyId, KeyQueue>,
    functions: HashMap<Arc<str>, Function>,
    /// Functions with ready deliveries, in rotation.
    rotation: VecDeque<Arc<str>>,
    /// Ordering keys whose first delivery is not due yet.
    later: BTreeSet<(Ts, u64, KeyId)>,
    numbers: HashSet<u64>,
}

impl DeliveryOrder {
    /// Number of deliveries in memory, those in flight included.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Appends a delivery to its ordering key. Returns false if it is already there.
    pub(crate) fn add(&mut self, waiting: Waiting) -> bool {
        if !self.numbers.insert(waiting.number) {
            return false;
        }
        let id = key_id(&waiting);
        let queue = self.keys.entry(id.clone()).or_default();
        queue.waiting.push_back(waiting);
        if queue.waiting.len() == 1 {
            self.schedule(id);
        }
        true
    }

    /// The next delivery to start; it stays first in its ordering key until [`Self::done`] or [`Self::again`].
    pub(crate) fn take(&mut self, now: Ts, limits: impl Fn(&str) -> Limits) -> Option<Waiting> {
        self.wake(now);
        for _ in 0..self.rotation.len() {
            let name = self.rotation.pop_front()?;
            let Some(function) = self.functions.get_mut(&name) else { continue };
            let limits = limits(&name);
            if function.not_before > later(now, limits.spacing) {
                // The clock was set back since.
                function.not_before = now;
            }
            if function.running >= limits.concurrent.max(1) || function.not_before > now {
                self.rotation.push_back(name);
                continue;
            }
            let Some(key) = function.ready.pop_front() else { continue };
            function.running += 1;
            function.not_before = later(now, limits.spacing);
            if !function.ready.is_empty() {
                self.rotation.push_back(name.clone());
            }
            let queue = self.keys.get(&(name, key))?;
            return queue.waiting.front().cloned();
        }
        None
    }

    /// Time at which another delivery may become ready; `None` if only the end of one in flight can change that.
    pub(crate) fn next_due(&self, now: Ts) -> Option<Ts> {
        let due = self.later.first().map(|(due, ..)| *due);
        let spaced = self.rotation.iter().filter_map(|name| self.functions.get(name)).map(|f| f.not_before);
        due.into_iter().chain(spaced.filter(|at| *at > now)).min()
    }

    /// Removes a finished delivery, whatever its outcome.
    pub(crate) fn done(&mut self, finished: &Waiting) {
        let id = key_id(finished);
        self.release(&id);
        self.numbers.remove(&finished.number);
        if let Some(queue) = self.keys.get_mut(&id) {
            queue.waiting.pop_front();
        }
        self.schedule(id);
    }

    /// Reschedules a delivery for `due`; its ordering key waits for it.
    pub(crate) fn again(&mut self, failed: &Waiting, due: Ts) {
        let id = key_id(failed);
        self.release(&id);
        if let Some(head) = self.keys.get_mut(&id).and_then(|queue| queue.waiting.front_mut()) {
            head.due = due;
        }
        self.schedule(id);
    }

    fn release(&mut self, id: &KeyId) {
        if let Some(function) = self.functions.get_mut(&id.0) {
            function.running = function.running.saturating_sub(1);
        }
    }

    /// Files an ordering key that is not running under ready or later, by its first delivery.
    fn schedule(&mut self, id: KeyId) {
        let Some(queue) = self.keys.get(&id) else { return };
        let Some(head) = queue.waiting.front() else {
            self.keys.remove(&id);
            return;
        };
        self.later.insert((head.due, head.number, id));
    }

    /// Makes ready what has become due.
    fn wake(&mut self, now: Ts) {
        while self.later.first().is_some_and(|(due, ..)| *due <= now)
            && let Some((_, _, (name, key))) = self.later.pop_first()
        {
            let function = self.functions.entry(name.clone()).or_default();
            if function.ready.is_empty() {
                self.rotation.push_back(name);
            }
            function.ready.push_back(key);
        }
    }
}

fn key_id(waiting: &Waiting) -> KeyId {
    let name = waiting.ordering_key.clone().map_or(KeyName::Alone(waiting.number), KeyName::Shared);
    (waiting.function.clone(), name)
}

#[cfg(test)]
mod tests;
