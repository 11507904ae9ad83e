//! Forgetting versions that nobody can read any more, in slices that never hold up a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::engine::{Engine, Reach};
use crate::model::Ts;
use crate::store::Inner;

/// How many versions one slice looks at.
const SLICE: usize = 1_000;
/// The pause between two slices of the whole key space: a small part of one core at most.
const PAUSE: Duration = Duration::from_millis(10);
/// How many passes over the whole key space are made in the time that versions are kept.
const PASSES: u32 = 4;
/// How many of the log's keys one slice looks at.
const REPLACED_SLICE: usize = 500;
/// The pause between two slices of what the log says was replaced: faster than anybody writes, less than one core.
const REPLACED_PAUSE: Duration = Duration::from_millis(1);
/// How long to wait when there is nothing to forget.
const IDLE: Duration = Duration::from_secs(1);

/// What was forgotten so far.
#[derive(Debug, Default)]
pub struct Garbage {
    dropped: AtomicU64,
    examined: AtomicU64,
    passes: AtomicU64,
}

impl Garbage {
    /// Versions dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Versions looked at.
    pub fn examined(&self) -> u64 {
        self.examined.load(Ordering::Relaxed)
    }

    /// Passes over the whole key space.
    pub fn passes(&self) -> u64 {
        self.passes.load(Ordering::Relaxed)
    }
}

/// Starts the task that forgets. It ends with the store.
pub(crate) fn collect(store: &Arc<Inner>) -> JoinHandle<()> {
    let store = Arc::downgrade(store);
    tokio::spawn(async move {
        let mut next_pass = Instant::now();
        loop {
            let pause = match store.upgrade() {
                Some(store) => slice(&store, &mut next_pass).await,
                None => return,
            };
            tokio::time::sleep(pause).await;
        }
    })
}

/// Forgets one slice; returns how long to wait before the next.
async fn slice(store: &Inner, next_pass: &mut Instant) -> Duration {
    let keep = store.limits.keep;
    let kept = u64::try_from(keep.as_micros()).unwrap_or(u64::MAX);
    let before = Ts::from_micros(store.clock.now().micros().saturating_sub(kept));
    if !forget(store, before, Reach::Replaced, REPLACED_SLICE).await {
        return REPLACED_PAUSE;
    }
    if Instant::now() < *next_pass {
        return IDLE;
    }
    if forget(store, before, Reach::Everything, SLICE).await {
        store.garbage.passes.fetch_add(1, Ordering::Relaxed);
        *next_pass = Instant::now() + keep / PASSES;
    }
    PAUSE
}

/// Whether nothing is left to forget for now.
async fn forget(store: &Inner, before: Ts, reach: Reach, slice: usize) -> bool {
    match store.engine.forget(before, reach, slice).await {
        Ok(found) => {
            store.garbage.dropped.fetch_add(found.dropped as u64, Ordering::Relaxed);
            store.garbage.examined.fetch_add(found.examined as u64, Ordering::Relaxed);
            found.done
        }
        Err(error) => {
            tracing::error!(error = %error, "old versions could not be forgotten");
            true
        }
    }
}
