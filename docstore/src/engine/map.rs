//! Versioned keys in one ordered map in memory.

use std::collections::BTreeMap;
use std::ops::Bound;

use parking_lot::RwLock;

use super::versions::{Superseded, Version, Versions, page, replaced, split, superseded, versioned};
use super::{Page, Put, Scan, ScanDirection, Stored};
use crate::encoding::key::{Key, KeyRange};
use crate::model::Ts;
use crate::{Error, Result};

/// Versions by physical key; `None` is a tombstone.
pub(crate) type Map = BTreeMap<Box<[u8]>, Option<Stored>>;

/// All versions of all keys.
#[derive(Debug, Default)]
pub(crate) struct VersionMap {
    /// Write-locked once per batch; read-locked for one page.
    versions: RwLock<Map>,
}

fn newest<'a>(versions: &'a Map, key: &[u8], at: Ts) -> Option<&'a Option<Stored>> {
    let from = versioned(key, at);
    let (found, value) =
        versions.range::<[u8], _>((Bound::Included(from.as_slice()), Bound::Unbounded)).next()?;
    // The next physical key may belong to another logical one.
    split(found).filter(|(found, _)| *found == key).map(|_| value)
}

impl Version for (&Box<[u8]>, &Option<Stored>) {
    fn physical(&self) -> &[u8] {
        self.0
    }
    fn live(&self) -> bool {
        self.1.is_some()
    }
    fn value(&self) -> Result<Stored> {
        Ok(self.1.clone().unwrap_or_default())
    }
}

/// A copy of a version.
struct Found {
    physical: Key,
    value: Option<Stored>,
}

impl Version for Found {
    fn physical(&self) -> &[u8] {
        &self.physical
    }
    fn live(&self) -> bool {
        self.value.is_some()
    }
    fn value(&self) -> Result<Stored> {
        Ok(self.value.clone().unwrap_or_default())
    }
}

impl VersionMap {
    /// Inserts commits' keys under one lock.
    pub(crate) fn insert<'a>(&self, commits: impl IntoIterator<Item = (Ts, &'a [Put])>) {
        let mut versions = self.versions.write();
        for (ts, puts) in commits {
            for put in puts {
                versions.insert(versioned(&put.key, ts).into(), put.value.clone());
            }
        }
    }

    /// Values of `keys` at `at`.
    pub(crate) fn get(&self, keys: &[Key], at: Ts) -> Vec<Option<Stored>> {
        let versions = self.versions.read();
        keys.iter().map(|key| newest(&versions, key, at).cloned().flatten()).collect()
    }

    /// One page of a range.
    pub(crate) fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        if scan.range.is_empty() {
            return Ok(Page { done: true, ..Page::default() });
        }
        let versions = self.versions.read();
        let bounds =
            (Bound::Included(scan.range.start.as_slice()), Bound::Excluded(scan.range.end.as_slice()));
        let range = versions.range::<[u8], _>(bounds);
        page(range.map(Ok), scan)
    }

    /// The newest version of `key` at or before `at`: its value, or `Some(None)` for a tombstone.
    pub(crate) fn newest(&self, key: &[u8], at: Ts) -> Option<Option<Stored>> {
        newest(&self.versions.read(), key, at).cloned()
    }

    /// The versions of a range. Writers get the lock every few versions; versions added meanwhile may or may not be
    /// among them.
    pub(crate) fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        let rest = (!range.is_empty())
            .then(|| (Bound::Included(range.start.clone()), Bound::Excluded(range.end.clone())));
        Box::new(Pieces { map: self, rest, direction, piece: Vec::new().into_iter(), size: FIRST_PIECE })
    }

    /// Reads all versions under the lock; writers wait meanwhile.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Map) -> T) -> T {
        look(&self.versions.read())
    }

    /// True if the range has a version.
    pub(crate) fn touches(&self, range: &KeyRange) -> bool {
        let bounds = (Bound::Included(range.start.as_slice()), Bound::Excluded(range.end.as_slice()));
        let versions = self.versions.read();
        !range.is_empty() && versions.range::<[u8], _>(bounds).next().is_some()
    }

    /// True if there is no version.
    pub(crate) fn is_empty(&self) -> bool {
        self.versions.read().is_empty()
    }

    /// Inserts another map's versions.
    #[cfg(test)]
    pub(crate) fn extend(&self, other: &Self) {
        let other = other.versions.read();
        let mut versions = self.versions.write();
        versions.extend(other.iter().map(|(physical, value)| (physical.clone(), value.clone())));
    }

    /// Removes the versions that the keys' versions at `ts` replaced, and returns their number; the flag is true for
    /// removed keys.
    pub(crate) fn remove_replaced(&self, ts: Ts, keys: &[(Key, bool)]) -> usize {
        let mut versions = self.versions.write();
        let before = versions.len();
        for (key, gone) in keys {
            let (newest, oldest) = replaced(key, ts, *gone);
            let range = (Bound::Included(newest.as_slice()), Bound::Included(oldest.as_slice()));
            let dead: Vec<_> = versions.range::<[u8], _>(range).map(|(key, _)| key.clone()).collect();
            for physical in dead {
                versions.remove(&physical);
            }
        }
        before - versions.len()
    }

    /// Number of versions.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.versions.read().len()
    }

    /// Removes versions after the physical key `from` that no reader at or after `before` can see.
    pub(crate) fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        let found = {
            let versions = self.versions.read();
            let range = versions.range::<[u8], _>((Bound::Excluded(from.as_slice()), Bound::Unbounded));
            superseded(range.map(Ok::<_, Error>), before, slice)?
        };
        let mut versions = self.versions.write();
        for key in &found.dead {
            versions.remove(key.as_slice());
        }
        Ok(found)
    }
}

/// Versions copied under one lock, at first and at most; writers run in between.
const FIRST_PIECE: usize = 16;
const LAST_PIECE: usize = 512;

/// Copies versions piece by piece.
struct Pieces<'a> {
    map: &'a VersionMap,
    /// The range still to be copied; `None` at the end.
    rest: Option<(Bound<Key>, Bound<Key>)>,
    direction: ScanDirection,
    piece: std::vec::IntoIter<Found>,
    size: usize,
}

impl Pieces<'_> {
    fn refill(&mut self, (start, end): (Bound<Key>, Bound<Key>)) {
        let versions = self.map.versions.read();
        let bounds = (start.as_ref().map(Vec::as_slice), end.as_ref().map(Vec::as_slice));
        let range = versions.range::<[u8], _>(bounds);
        let piece: Vec<Found> = match self.direction {
            ScanDirection::Forward => {
                range.take(self.size).map(|(physical, value)| found(physical, value)).collect()
            }
            ScanDirection::Backward => {
                range.rev().take(self.size).map(|(physical, value)| found(physical, value)).collect()
            }
        };
        if piece.len() == self.size
            && let Some(last) = piece.last()
        {
            let last = Bound::Excluded(last.physical.clone());
            self.rest = Some(match self.direction {
                ScanDirection::Forward => (last, end),
                ScanDirection::Backward => (start, last),
            });
        }
        self.size = (self.size * 2).min(LAST_PIECE);
        self.piece = piece.into_iter();
    }
}

fn found(physical: &[u8], value: &Option<Stored>) -> Found {
    Found { physical: physical.to_vec(), value: value.clone() }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Box<dyn Version + 'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(found) = self.piece.next() {
            return Some(Ok(Box::new(found)));
        }
        let rest = self.rest.take()?;
        self.refill(rest);
        let found = self.piece.next()?;
        Some(Ok(Box::new(found)))
    }
}
