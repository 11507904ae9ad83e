//! Versioned keys in one ordered map in memory.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock};

use super::versions::{Superseded, Version, collect, replaced, split, superseded, versioned};
use super::{Page, Put, Scan, ScanDirection, Stored};
use crate::key::Key;
use crate::model::Ts;
use crate::{Error, Result};

/// All versions of all keys.
#[derive(Debug, Default)]
pub(crate) struct VersionMap {
    /// The committer writes once per batch; readers hold it for one page.
    versions: RwLock<BTreeMap<Box<[u8]>, Option<Stored>>>,
}

impl Version for (&Box<[u8]>, &Option<Stored>) {
    fn physical(&self) -> &[u8] {
        self.0
    }
    fn live(&self) -> bool {
        self.1.is_some()
    }
    fn value(&self) -> Stored {
        self.1.clone().unwrap_or_default()
    }
}

impl VersionMap {
    /// Takes in commits' keys at once.
    pub(crate) fn insert<'a>(&self, commits: impl IntoIterator<Item = (Ts, &'a [Put])>) {
        let mut versions = self.versions.write().unwrap_or_else(PoisonError::into_inner);
        for (ts, puts) in commits {
            for put in puts {
                versions.insert(versioned(&put.key, ts).into(), put.value.clone());
            }
        }
    }

    /// What keys held at `at`.
    pub(crate) fn get(&self, keys: &[Key], at: Ts) -> Vec<Option<Stored>> {
        let versions = self.versions.read().unwrap_or_else(PoisonError::into_inner);
        let get = |key: &Key| {
            let from = versioned(key, at);
            let range = (Bound::Included(from.as_slice()), Bound::Unbounded);
            let (found, value) = versions.range::<[u8], _>(range).next()?;
            // The next physical key may belong to another logical one.
            split(found).filter(|(found, _)| found == key).and_then(|_| value.clone())
        };
        keys.iter().map(get).collect()
    }

    /// One page of a range.
    pub(crate) fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        if scan.range.is_empty() {
            return Ok(Page { done: true, ..Page::default() });
        }
        let versions = self.versions.read().unwrap_or_else(PoisonError::into_inner);
        let bounds =
            (Bound::Included(scan.range.start.as_slice()), Bound::Excluded(scan.range.end.as_slice()));
        let range = versions.range::<[u8], _>(bounds);
        match scan.direction {
            ScanDirection::Forward => {
                collect(range.map(Ok), scan.at, scan.direction, scan.limit, scan.values)
            }
            ScanDirection::Backward => {
                collect(range.rev().map(Ok), scan.at, scan.direction, scan.limit, scan.values)
            }
        }
    }

    /// Removes what keys' versions at `ts` have replaced, and returns how many versions; the second of each pair says
    /// that the key is gone.
    pub(crate) fn retire(&self, ts: Ts, keys: &[(Key, bool)]) -> usize {
        let mut versions = self.versions.write().unwrap_or_else(PoisonError::into_inner);
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

    /// How many versions there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.versions.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Removes versions after the physical key `from` that no reader at or after `before` can see.
    pub(crate) fn forget(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        let found = {
            let versions = self.versions.read().unwrap_or_else(PoisonError::into_inner);
            let range = versions.range::<[u8], _>((Bound::Excluded(from.as_slice()), Bound::Unbounded));
            superseded(range.map(Ok::<_, Error>), before, slice)?
        };
        let mut versions = self.versions.write().unwrap_or_else(PoisonError::into_inner);
        for key in &found.dead {
            versions.remove(key.as_slice());
        }
        Ok(found)
    }
}
