//! The engine that keeps everything in memory: for tests, emulation and throw-away work.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::Result;
use crate::key::Key;
use crate::model::Ts;

use super::map::VersionMap;
use super::recent::{LogReader, RECENT_BYTES, Recent};
use super::{Batch, Engine, Forgotten, Page, Reach, Scan, Stored, Term, fenced};

/// Everything in one ordered map.
#[derive(Debug)]
pub struct MemoryEngine {
    map: VersionMap,
    recent: Recent,
    term: AtomicU64,
    /// Where the next slice of [`Engine::forget`] goes on.
    forgetting: Mutex<Key>,
}

impl MemoryEngine {
    /// An empty engine whose first commit will be after `start`.
    pub fn new(start: Ts) -> Self {
        Self {
            map: VersionMap::default(),
            recent: Recent::new(start, RECENT_BYTES),
            term: AtomicU64::new(0),
            forgetting: Mutex::default(),
        }
    }

    pub(crate) fn oldest(&self) -> Ts {
        Ts::ZERO
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
        self.map.insert(batch.iter().map(|commit| (commit.ts, commit.puts.as_slice())));
        self.recent.publish(batch);
        Ok(())
    }

    fn visible(&self) -> watch::Receiver<Ts> {
        self.recent.visible()
    }

    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        Ok(self.map.get(keys, at))
    }

    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        self.map.scan(scan)
    }

    fn log(&self, after: Ts) -> Result<LogReader> {
        LogReader::new(&self.recent, after)
    }

    async fn forget(&self, before: Ts, reach: Reach, slice: usize) -> Result<Forgotten> {
        self.recent.forget(before);
        if reach == Reach::Replaced {
            return Ok(Forgotten { done: true, ..Forgotten::default() });
        }
        let from = self.forgetting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = self.map.forget(&from, before, slice)?;
        let done = found.resume.is_empty();
        *self.forgetting.lock().unwrap_or_else(PoisonError::into_inner) = found.resume;
        Ok(Forgotten { dropped: found.dead.len(), examined: found.examined, done })
    }
}
