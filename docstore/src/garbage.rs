//! Forgetting versions that nobody can read any more, in slices that never hold up a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::engine::Engine;
use crate::model::Ts;
use crate::store::Inner;

/// How many versions one slice looks at.
const SLICE: usize = 1_000;
/// The pause between two slices: forgetting takes a small part of one core at most.
const PAUSE: Duration = Duration::from_millis(10);
/// How many passes are made in the time that versions are kept.
const PASSES: u32 = 4;

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
        loop {
            let pause = match store.upgrade() {
                Some(store) => slice(&store).await,
                None => return,
            };
            tokio::time::sleep(pause).await;
        }
    })
}

/// Forgets one slice; returns how long to wait before the next.
async fn slice(store: &Inner) -> Duration {
    let keep = store.limits.keep;
    let kept = u64::try_from(keep.as_micros()).unwrap_or(u64::MAX);
    let before = Ts::from_micros(store.clock.now().micros().saturating_sub(kept));
    match store.engine.forget(before, SLICE).await {
        Ok(found) => {
            let garbage = &store.garbage;
            garbage.dropped.fetch_add(found.dropped as u64, Ordering::Relaxed);
            garbage.examined.fetch_add(found.examined as u64, Ordering::Relaxed);
            if found.done {
                garbage.passes.fetch_add(1, Ordering::Relaxed);
                keep / PASSES
            } else {
                PAUSE
            }
        }
        Err(error) => {
            tracing::error!(error = %error, "old versions could not be forgotten");
            keep / PASSES
        }
    }
}
