//! Progress of an upgrade in the log.

use std::sync::atomic::{AtomicU64, Ordering};

use docstore::Result;

use super::Progress;

/// Documents between two lines of the log.
const EVERY: u64 = 10_000;

/// Counts documents, and logs the count.
#[derive(Debug, Default)]
pub(super) struct Logged(AtomicU64);

impl Progress for Logged {
    fn committed(&self, documents: u64) -> Result<()> {
        let before = self.0.fetch_add(documents, Ordering::Relaxed);
        let moved = before + documents;
        tracing::debug!("{moved} documents have moved");
        if before / EVERY < moved / EVERY {
            tracing::info!("{moved} documents have moved");
        }
        Ok(())
    }
}
