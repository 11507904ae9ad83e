//! Read set of a transaction: the keys and key ranges whose change would have changed its results.

use std::collections::HashSet;

use crate::encoding::key::{Key, KeyRange};
use crate::engine::Commit;

/// The most ranges and keys one transaction may read.
pub const MAX_READS: usize = 100_000;

/// Keys and ranges that were read.
#[derive(Debug, Clone, Default)]
pub struct ReadSet {
    keys: HashSet<Key>,
    ranges: Vec<KeyRange>,
}

impl ReadSet {
    /// Adds one key.
    pub fn add_key(&mut self, key: Key) {
        self.keys.insert(key);
    }

    /// Adds all keys in a range, those that do not exist included.
    pub fn add_range(&mut self, range: KeyRange) {
        if !range.is_empty() && !self.ranges.contains(&range) {
            self.ranges.push(range);
        }
    }

    /// Adds everything another set holds.
    pub fn merge(&mut self, other: Self) {
        self.keys.extend(other.keys);
        for range in other.ranges {
            self.add_range(range);
        }
    }

    /// The single keys.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter()
    }

    /// Number of keys and ranges.
    pub fn len(&self) -> usize {
        self.keys.len() + self.ranges.len()
    }

    /// True if nothing was read.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.ranges.is_empty()
    }

    /// True if the set covers `key`.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.keys.contains(key) || self.ranges.iter().any(|range| range.contains(key))
    }

    /// True if a commit changed any key of the set.
    pub fn overlaps(&self, commit: &Commit) -> bool {
        !self.is_empty() && commit.puts.iter().any(|put| self.contains(&put.key))
    }
}
