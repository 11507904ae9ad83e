//! The way back: copied commits are added to a restored backup.

use std::path::Path;

use docstore::Result;
use docstore::backup::{RestoredLog, check_log};
use docstore::model::Ts;

use super::super::target::BackupTarget;
use super::chunks::{self, Chunk};
use crate::host::blocking::Abandoned;

/// The copies of the log that continue a backup.
#[derive(Debug)]
pub(crate) struct LogCopies {
    target: Box<dyn BackupTarget>,
    chain: Vec<Chunk>,
    /// The newest commit of the backup.
    backup: Ts,
    /// The newest commit that is wanted.
    until: Ts,
    /// True if more copies follow the chain after a gap.
    gap: bool,
}

/// Commits that were added to a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Replayed {
    /// Time of the newest commit.
    pub(crate) until: Ts,
    /// True if later copies were left out, because commits between them are missing.
    pub(crate) gap: bool,
}

impl LogCopies {
    /// The copies at `target` that continue a backup whose newest commit is `backup`, up to `until`.
    ///
    /// # Errors
    /// `FailedPrecondition` (`BackupUnusable`).
    pub(crate) fn after(target: Box<dyn BackupTarget>, backup: Ts, until: Option<Ts>) -> Result<Self> {
        let until = until.unwrap_or(Ts::MAX);
        let all = chunks::list(&*target)?;
        let chain: Vec<Chunk> =
            chunks::chain(&all, backup).into_iter().filter(|chunk| chunk.after < until).collect();
        let end = chain.last().map_or(backup, |chunk| chunk.last);
        let gap = end < until && all.iter().any(|chunk| chunk.last > end && chunk.after < until);
        Ok(Self { target, chain, backup, until, gap })
    }

    /// The place of the copies.
    pub(crate) fn target(&self) -> &dyn BackupTarget {
        &*self.target
    }

    /// Version of the newest commit in them, or in the backup.
    pub(crate) fn newest(&self) -> Ts {
        self.chain.last().map_or(self.backup, |chunk| chunk.last)
    }

    /// The time up to which they continue the backup, without a look at their contents.
    pub(crate) fn reach(&self) -> Replayed {
        Replayed { until: self.newest().min(self.until), gap: self.gap }
    }

    /// Reads all of them. Blocks on the disk.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `BackupDamaged`, with the name of the file.
    pub(crate) fn check(&self, abandoned: &Abandoned) -> Result<()> {
        for chunk in &self.chain {
            abandoned.check()?;
            check_log(&chunk.read(&*self.target)?, &chunk.commits(), chunk.after, chunk.last)?;
        }
        Ok(())
    }

    /// Adds them to the documents that were restored from the backup. Blocks on the disk.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `LogCopyGap`; those of the disk.
    pub(crate) fn replay(&self, documents: &Path, abandoned: &Abandoned) -> Result<Replayed> {
        let mut log = RestoredLog::open(documents, self.backup)?;
        for chunk in &self.chain {
            abandoned.check()?;
            log.append(&chunk.read(&*self.target)?, &chunk.commits(), self.until)?;
        }
        Ok(Replayed { until: log.position(), gap: self.gap })
    }
}
