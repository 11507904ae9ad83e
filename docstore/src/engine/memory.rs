//! The engine that keeps everything in memory: for tests, emulation and throw-away work.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use tokio::sync::watch;

use crate::Result;
use crate::key::Key;
use crate::model::Ts;

use super::recent::{LogReader, RECENT_BYTES, Recent};
use super::versions::{Version, collect, split, versioned};
use super::{Batch, Engine, Forgotten, Page, Scan, ScanDirection, Stored, Term, fenced};

type Map = BTreeMap<Box<[u8]>, Option<Stored>>;

/// Everything in one ordered map.
#[derive(Debug)]
pub struct MemoryEngine {
    /// The committer writes once per batch; readers hold it for one page.
    map: RwLock<Map>,
    recent: Recent,
    term: AtomicU64,
    /// Where the next slice of [`Engine::forget`] goes on.
    forgetting: RwLock<Key>,
}

impl MemoryEngine {
    /// An empty engine whose first commit will be after `start`.
    pub fn new(start: Ts) -> Self {
        Self {
            map: RwLock::default(),
            recent: Recent::new(start, RECENT_BYTES),
            term: AtomicU64::new(0),
            forgetting: RwLock::default(),
        }
    }
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

impl Engine for MemoryEngine {
    async fn lead(&self) -> Result<Term> {
        Ok(Term(self.term.fetch_add(1, Ordering::SeqCst) + 1))
    }

    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        if term.0 != self.term.load(Ordering::SeqCst) {
            return Err(fenced());
        }
        {
            let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
            for commit in &batch {
                for put in &commit.puts {
                    map.insert(versioned(&put.key, commit.ts).into(), put.value.clone());
                }
            }
        }
        self.recent.publish(batch);
        Ok(())
    }

    fn visible(&self) -> watch::Receiver<Ts> {
        self.recent.visible()
    }

    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        Ok(keys
            .iter()
            .map(|key| {
                let from = versioned(key, at);
                let (found, value) =
                    map.range::<[u8], _>((Bound::Included(from.as_slice()), Bound::Unbounded)).next()?;
                // The next physical key may belong to another logical one.
                split(found).filter(|(found, _)| found == key).and_then(|_| value.clone())
            })
            .collect())
    }

    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        if scan.range.is_empty() {
            return Ok(Page { done: true, ..Page::default() });
        }
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let bounds =
            (Bound::Included(scan.range.start.as_slice()), Bound::Excluded(scan.range.end.as_slice()));
        let versions = map.range::<[u8], _>(bounds);
        match scan.direction {
            ScanDirection::Forward => {
                collect(versions.map(Ok), scan.at, scan.direction, scan.limit, scan.values)
            }
            ScanDirection::Backward => {
                collect(versions.rev().map(Ok), scan.at, scan.direction, scan.limit, scan.values)
            }
        }
    }

    fn log(&self, after: Ts) -> Result<LogReader> {
        LogReader::new(&self.recent, after)
    }

    async fn forget(&self, before: Ts, slice: usize) -> Result<Forgotten> {
        self.recent.forget(before);
        let from = self.forgetting.read().unwrap_or_else(PoisonError::into_inner).clone();
        let found = {
            let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
            let range = map.range::<[u8], _>((Bound::Excluded(from.as_slice()), Bound::Unbounded));
            super::versions::superseded(range.map(Ok::<_, crate::Error>), before, slice)?
        };
        {
            let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
            for key in &found.dead {
                map.remove(key.as_slice());
            }
        }
        let done = found.resume.is_empty();
        *self.forgetting.write().unwrap_or_else(PoisonError::into_inner) = found.resume;
        Ok(Forgotten { dropped: found.dead.len(), examined: found.examined, done })
    }
}
