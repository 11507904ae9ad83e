//! Writes of an upgrade, gathered into commits of limited size.

use docstore::commit::{Draft, write_weight};
use docstore::model::Write;
use docstore::{Database, Result};

use super::Progress;
use super::walk::Size;

/// Sizes of the step's commits and reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Writes of a commit: a document that moves takes two.
    pub(super) writes: usize,
    /// Bytes of a commit's writes. One document alone may take more.
    pub(super) bytes: usize,
    /// Documents read at once.
    pub(super) page: Size,
}

impl Default for Limits {
    fn default() -> Self {
        let bytes = 4 * 1024 * 1024;
        Self { writes: 500, bytes, page: Size { documents: 250, bytes } }
    }
}

/// Writes on the way to a commit.
pub(super) struct Batches<'a> {
    documents: &'a Database,
    pub(super) limits: Limits,
    progress: &'a dyn Progress,
    writes: Vec<Write>,
    bytes: usize,
    /// Documents among the writes that move.
    moved: u64,
}

impl<'a> Batches<'a> {
    pub(super) fn new(documents: &'a Database, limits: Limits, progress: &'a dyn Progress) -> Self {
        Self { documents, limits, progress, writes: Vec::new(), bytes: 0, moved: 0 }
    }

    /// Adds writes that belong into one commit, and `documents` that move by them.
    ///
    /// # Errors
    /// Those of the store and of the observer.
    pub(super) async fn add<const N: usize>(&mut self, writes: [Write; N], documents: u64) -> Result<()> {
        let bytes: usize = writes.iter().map(write_weight).sum();
        let full =
            self.writes.len() + writes.len() > self.limits.writes || self.bytes + bytes > self.limits.bytes;
        if full {
            self.commit().await?;
        }
        self.writes.extend(writes);
        self.bytes += bytes;
        self.moved += documents;
        Ok(())
    }

    /// Commits what has been added.
    ///
    /// # Errors
    /// Those of the store and of the observer.
    pub(super) async fn commit(&mut self) -> Result<()> {
        if self.writes.is_empty() {
            return Ok(());
        }
        let writes = std::mem::take(&mut self.writes);
        self.documents.commit(Draft::of(writes)).await?;
        self.bytes = 0;
        self.progress.committed(std::mem::take(&mut self.moved))
    }
}
