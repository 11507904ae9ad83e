//! An engine in memory with injected read failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::sync::watch;

use super::{
    Batch, Engine, GcProgress, GcScope, LogReader, MemoryEngine, Page, RECENT_BYTES, Scan, Stored, Term,
};
use crate::encoding::key::Key;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Controls which reads fail. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Faults(Arc<AtomicI64>);

/// More reads than any test makes.
const NEVER: i64 = i64::MAX / 2;

impl Default for Faults {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(NEVER)))
    }
}

impl Faults {
    /// Lets `reads` reads succeed; every later one fails.
    pub fn after(&self, reads: i64) {
        self.0.store(reads, Ordering::SeqCst);
    }

    /// Lets every read succeed again. Returns true if one has failed.
    pub fn end(&self) -> bool {
        self.0.swap(NEVER, Ordering::SeqCst) < 0
    }

    fn read(&self) -> Result<()> {
        if self.0.fetch_sub(1, Ordering::SeqCst) > 0 {
            return Ok(());
        }
        let message = "The stored data could not be read. Please try again later.";
        Err(Error::new(Code::Unavailable, "ReadFailed", message))
    }
}

/// See the module's description.
#[derive(Debug)]
pub struct FaultyEngine {
    inner: MemoryEngine,
    faults: Faults,
}

impl FaultyEngine {
    pub(crate) fn new(start: Ts, faults: Faults) -> Self {
        Self { inner: MemoryEngine::new(start, RECENT_BYTES as u64), faults }
    }

    pub(crate) fn oldest(&self) -> Ts {
        self.inner.oldest()
    }
}

impl Engine for FaultyEngine {
    async fn lead(&self) -> Result<Term> {
        self.inner.lead().await
    }
    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        self.inner.append(term, batch).await
    }
    fn visible(&self) -> watch::Receiver<Ts> {
        self.inner.visible()
    }
    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        self.faults.read()?;
        self.inner.get(keys, at).await
    }
    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        self.faults.read()?;
        self.inner.scan(scan).await
    }
    fn log(&self, after: Ts) -> Result<LogReader> {
        self.inner.log(after)
    }
    async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        self.inner.collect_garbage(before, scope, slice).await
    }
}
