//! One query's share of common resources: permits to read, and memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use crate::engine::Author;
use crate::{Code, Error, Result};

use super::fair_queue::{FairQueue, Permit};

/// Entries and documents a query examines before it yields its permit.
const SLICE: u64 = 2_048;

/// Resources that queries share. Cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    queue: FairQueue,
    bytes: Arc<Bytes>,
}

/// Bytes of documents held by running queries and by results being sent.
#[derive(Debug)]
struct Bytes {
    most: usize,
    most_of_one: usize,
    /// Locked for a lookup, never across an await.
    held: Mutex<(usize, HashMap<Author, usize>)>,
}

impl Shared {
    /// All queries together may hold `most` bytes, those of one caller under the access policy `most_of_one`.
    pub(crate) fn new(most: usize, most_of_one: usize) -> Self {
        let bytes = Bytes { most, most_of_one, held: Mutex::default() };
        Self { queue: FairQueue::new(), bytes: Arc::new(bytes) }
    }

    /// Starts a query on behalf of `by` once it has a permit.
    ///
    /// # Errors
    /// `ResourceExhausted` when too many queries wait already.
    pub(crate) async fn query(&self, by: &Author) -> Result<Arc<Pace>> {
        Ok(self.pace(by, self.queue.acquire(by).await?))
    }

    /// As [`Self::query`], for the first run of a live query; their number is bounded by that of targets.
    pub(crate) async fn live_query(&self, by: &Author) -> Arc<Pace> {
        self.pace(by, self.queue.acquire_unbounded(by).await)
    }

    fn pace(&self, by: &Author, permit: Permit) -> Arc<Pace> {
        let (permit, bytes) = (tokio::sync::Mutex::new((Some(permit), 0)), Arc::clone(&self.bytes));
        Arc::new(Pace { by: by.clone(), permit, bytes, held: AtomicUsize::new(0) })
    }

    /// Bytes held.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.bytes.held.lock().0
    }
}

/// A running query or its results; dropping it returns its resources.
#[derive(Debug)]
pub struct Pace {
    by: Author,
    /// The permit, until the query has ended, and the number of entries examined with it. Locked across the wait for
    /// the next permit, but only by its own query.
    permit: tokio::sync::Mutex<(Option<Permit>, u64)>,
    bytes: Arc<Bytes>,
    held: AtomicUsize,
}

impl Pace {
    /// Counts examined entries, and yields to other callers after every slice.
    pub(crate) async fn read(&self, entries: u64) {
        let mut permit = self.permit.lock().await;
        permit.1 += entries;
        if permit.1 >= SLICE {
            permit.1 = 0;
            if let Some(permit) = &mut permit.0 {
                permit.yield_to_others(&self.by).await;
            }
        }
    }

    /// Releases the permit at the end of the query; its results stay accounted for.
    pub(crate) async fn end(&self) {
        self.permit.lock().await.0 = None;
    }

    /// Sets the bytes held.
    ///
    /// # Errors
    /// `ResourceExhausted` when they exceed a limit; nothing has changed then.
    pub(crate) fn hold(&self, bytes: usize) -> Result<()> {
        let before = self.held.load(Ordering::Relaxed);
        if !self.bytes.change(&self.by, before, bytes) {
            return Err(Error::new(
                Code::ResourceExhausted,
                "QueryResults",
                "The results of queries under way take too much memory: give the query a limit, or try again later.",
            ));
        }
        self.held.store(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.bytes.change(&self.by, self.held.load(Ordering::Relaxed), 0);
    }
}

impl Bytes {
    fn change(&self, by: &Author, before: usize, now: usize) -> bool {
        let mut held = self.held.lock();
        let own = held.1.get(by).copied().unwrap_or_default();
        let (all, own) = (held.0 - before + now, own - before + now);
        let fits = all <= self.most && (own <= self.most_of_one || !by.is_under_rules());
        if now > before && !fits {
            return false;
        }
        held.0 = all;
        if own == 0 {
            held.1.remove(by);
        } else {
            held.1.insert(by.clone(), own);
        }
        true
    }
}
