//! Target numbers of one stream.

use std::collections::{HashMap, VecDeque};

use docstore::error::Error;
use docstore::watch::TargetId;

/// Reply to the client once the watcher has ended a target.
#[derive(Debug)]
pub(super) enum End {
    /// The client wants it no longer, whatever else has ended it meanwhile.
    Asked,
    /// Another target has its number now: not at all.
    Replaced,
    /// The target that was to take its place is a bad one, and this is why.
    Bad(Error),
}

/// The targets of a stream, from when each is given to the watcher until the watcher tells of its end, which it does once
/// for each. Several may have one number: the last is meant by it, and the others are ending.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// For each target how it is to end, or `None` while it is wanted.
    by_number: HashMap<TargetId, VecDeque<Option<End>>>,
    wanted: usize,
    ending: usize,
}

impl Targets {
    /// Number of wanted targets.
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Number of targets that are ending and not yet reported.
    pub(super) fn ending(&self) -> usize {
        self.ending
    }

    /// True if the number stands for a wanted target.
    pub(super) fn is_wanted(&self, number: TargetId) -> bool {
        self.by_number.get(&number).and_then(VecDeque::back).is_some_and(Option::is_none)
    }

    /// Takes in a target whose number stands for none that is wanted.
    pub(super) fn add(&mut self, number: TargetId) {
        self.by_number.entry(number).or_default().push_back(None);
        self.wanted += 1;
    }

    /// Notes how the wanted target of this number ends.
    pub(super) fn end(&mut self, number: TargetId, end: End) {
        if let Some(last @ None) = self.by_number.get_mut(&number).and_then(VecDeque::back_mut) {
            *last = Some(end);
            self.wanted -= 1;
            self.ending += 1;
        }
    }

    /// The oldest target of this number has ended: how the client is told, or `None` where it had not been asked to end.
    pub(super) fn ended(&mut self, number: TargetId) -> Option<End> {
        let targets = self.by_number.get_mut(&number)?;
        let end = targets.pop_front()?;
        if targets.is_empty() {
            self.by_number.remove(&number);
        }
        match end {
            None => self.wanted -= 1,
            Some(_) => self.ending -= 1,
        }
        end
    }
}
