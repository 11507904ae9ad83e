//! The engine in memory, for tests, emulation and temporary work.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::Result;
use crate::encoding::key::Key;
use crate::model::Ts;

use super::map::VersionMap;
use super::recent::{LogReader, RECENT_BYTES, Recent};
use super::{
    Batch, Commit, Engine, GcProgress, GcScope, Page, Put, Scan, Stored, Term, fenced, replaced_keys,
    version_collected,
};

/// Everything in one ordered map.
#[derive(Debug)]
pub struct MemoryEngine {
    map: VersionMap,
    recent: Recent,
    term: AtomicU64,
    /// Position at which the next slice of [`Engine::collect_garbage`] resumes.
    gc_cursor: Mutex<Key>,
    history: Mutex<History>,
    /// In microseconds. Versions that only readers before it can see may be removed; raised before any of them is.
    oldest: AtomicU64,
}

/// Commits whose replaced versions are still there.
#[derive(Debug)]
struct History {
    commits: VecDeque<Replaced>,
    bytes: usize,
    /// Bytes of commits kept for reading old versions.
    limit: usize,
}

#[derive(Debug)]
struct Replaced {
    ts: Ts,
    /// Keys whose older versions it replaced; the flag is true for removed keys.
    keys: Vec<(Key, bool)>,
    /// Bytes that the commit wrote.
    bytes: usize,
}

impl History {
    fn add(&mut self, commit: &Commit) {
        let keys = replaced_keys(&commit.puts);
        let bytes = commit.puts.iter().map(Put::size).sum();
        self.bytes += bytes;
        self.commits.push_back(Replaced { ts: commit.ts, keys, bytes });
    }

    /// The oldest commit, if no reader goes back before it or the history exceeds its limit.
    fn due(&mut self, before: Ts) -> Option<Replaced> {
        if self.bytes <= self.limit && self.commits.front().is_none_or(|oldest| oldest.ts > before) {
            return None;
        }
        let oldest = self.commits.pop_front()?;
        self.bytes -= oldest.bytes;
        Some(oldest)
    }
}

impl MemoryEngine {
    /// An empty engine whose first commit will be after `start`. Old versions are collected, however young, once more
    /// than `history` bytes of keys and values were written after them.
    pub fn new(start: Ts, history: u64) -> Self {
        let limit = usize::try_from(history).unwrap_or(usize::MAX);
        Self {
            map: VersionMap::default(),
            recent: Recent::new(start, RECENT_BYTES),
            term: AtomicU64::new(0),
            gc_cursor: Mutex::default(),
            history: Mutex::new(History { commits: VecDeque::new(), bytes: 0, limit }),
            oldest: AtomicU64::new(0),
        }
    }

    pub(crate) fn oldest(&self) -> Ts {
        Ts::from_micros(self.oldest.load(Ordering::SeqCst))
    }

    /// Removes versions replaced up to `before`, and older ones beyond the limit; stops after about `slice` keys.
    fn collect(&self, history: &mut History, before: Ts, slice: usize) -> GcProgress {
        let mut progress = GcProgress::default();
        while progress.examined < slice {
            // Everything in the history is visible by now.
            let Some(replaced) = history.due(before) else {
                progress.done = true;
                break;
            };
            self.oldest.store(replaced.ts.micros(), Ordering::SeqCst);
            progress.examined += replaced.keys.len();
            progress.dropped += self.map.remove_replaced(replaced.ts, &replaced.keys);
        }
        progress
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock()
    }

    /// Refuses a read at `at` if part of it may have been collected meanwhile.
    fn still_kept(&self, at: Ts) -> Result<()> {
        if at >= self.oldest() { Ok(()) } else { Err(version_collected()) }
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
        self.recent.publish(batch.clone());
        let mut history = self.history();
        batch.iter().for_each(|commit| history.add(commit));
        self.collect(&mut history, Ts::ZERO, usize::MAX);
        Ok(())
    }

    fn visible(&self) -> watch::Receiver<Ts> {
        self.recent.visible()
    }

    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        let found = self.map.get(keys, at);
        self.still_kept(at)?;
        Ok(found)
    }

    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        let page = self.map.scan(scan)?;
        self.still_kept(scan.at)?;
        Ok(page)
    }

    fn log(&self, after: Ts) -> Result<LogReader> {
        LogReader::new(&self.recent, after)
    }

    async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        self.recent.drop_until(before);
        if scope == GcScope::Replaced {
            return Ok(self.collect(&mut self.history(), before, slice));
        }
        let from = self.gc_cursor.lock().clone();
        let found = self.map.remove_superseded(&from, before, slice)?;
        let done = found.resume.is_empty();
        *self.gc_cursor.lock() = found.resume;
        Ok(GcProgress { dropped: found.dead.len(), examined: found.examined, done })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn old_versions_are_bounded_in_bytes() {
        const KEPT: usize = 20;
        let value: Stored = vec![7; 1_000].into();
        let key = vec![0, 0, 0, 1, 9];
        let engine = MemoryEngine::new(Ts::ZERO, (KEPT * (value.len() + key.len())) as u64);
        let term = engine.lead().await.unwrap();
        for at in 1..=200 {
            let put = Put { key: key.clone(), value: Some(value.clone()) };
            let (prev, ts) = (Ts::from_micros(at - 1), Ts::from_micros(at));
            let commit = Commit::new(prev, ts, Vec::new(), None, vec![put]);
            engine.append(term, vec![Arc::new(commit)]).await.unwrap();
            let found = engine.get(std::slice::from_ref(&key), ts).await.unwrap();
            assert_eq!(found, [Some(value.clone())]);
        }
        assert_eq!(engine.map.len(), KEPT + 1);
        let oldest = engine.oldest();
        assert_eq!(oldest, Ts::from_micros(200 - KEPT as u64));
        for at in [oldest, Ts::from_micros(200)] {
            assert!(engine.get(std::slice::from_ref(&key), at).await.unwrap()[0].is_some());
        }
        let before = Ts::from_micros(oldest.micros() - 1);
        assert_eq!(
            engine.get(std::slice::from_ref(&key), before).await.unwrap_err().tag(),
            "VersionCollected"
        );
        let later = Ts::from_micros(195);
        assert!(engine.collect_garbage(later, GcScope::Replaced, 100).await.unwrap().done);
        assert_eq!((engine.map.len(), engine.oldest()), (6, later));
        assert!(engine.get(&[key], later).await.unwrap()[0].is_some());
    }
}
