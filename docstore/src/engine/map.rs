//! Versioned keys in one ordered map in memory.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock};

#[cfg(test)]
use super::versions::replaced;
use super::versions::{Superseded, Version, collect, split, superseded, versioned};
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

    /// Removes what one commit's keys have replaced; returns how many versions that were.
    #[cfg(test)]
    pub(crate) fn retire(&self, ts: Ts, puts: &[Put]) -> usize {
        let mut versions = self.versions.write().unwrap_or_else(PoisonError::into_inner);
        let before = versions.len();
        for put in puts.iter().filter(|put| put.value.as_ref().is_none_or(|value| !value.is_empty())) {
            let (newest, oldest) = replaced(&put.key, ts, put.value.is_none());
            let dead: Vec<_> = versions
                .range::<[u8], _>((Bound::Included(newest.as_slice()), Bound::Included(oldest.as_slice())))
                .map(|(key, _)| key.clone())
                .collect();
            for key in dead {
                versions.remove(&key);
            }
        }
        before - versions.len()
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
