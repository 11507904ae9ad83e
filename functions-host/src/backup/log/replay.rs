//! The way back: copied commits are added to a restored backup.

use std::io::ErrorKind;
use std::path::Path;

use docstore::backup::{RestoredLog, check_log};
use docstore::model::Ts;
use docstore::{Error, Result};

use super::super::check::fault_of;
use super::super::contents::place_of;
use super::super::manifest::Part;
use super::super::target::BackupTarget;
use super::super::{damaged, shown};
use super::chunks::{self, Chunk};
use crate::host::blocking::Abandoned;

/// The copies of the log that continue a backup.
#[derive(Debug)]
pub(crate) struct LogCopies {
    target: Box<dyn BackupTarget>,
    /// The newest commit of the backup.
    backup: Ts,
    /// The newest commit that is wanted.
    until: Ts,
    /// The end of the copies that follow the backup without a gap.
    end: Ts,
    /// The newest commit of all copies.
    newest: Ts,
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
        let all = chunks::list(&*target)?;
        let end = chunks::chain(&all, backup).last().map_or(backup, |chunk| chunk.last);
        let newest = all.iter().map(|chunk| chunk.last).max().unwrap_or(backup).max(backup);
        Ok(Self { target, backup, until: until.unwrap_or(Ts::MAX), end, newest })
    }

    /// The place of the copies.
    pub(crate) fn target(&self) -> &dyn BackupTarget {
        &*self.target
    }

    /// Version of the newest commit of the lost store that is known.
    pub(crate) fn newest(&self) -> Ts {
        self.newest
    }

    /// The time up to which they continue the backup, without a look at their contents.
    pub(crate) fn reach(&self) -> Replayed {
        Replayed { until: self.end.min(self.until).max(self.backup), gap: self.has_gap() }
    }

    /// True if commits that are wanted are missing, and later ones are there.
    fn has_gap(&self) -> bool {
        self.end < self.until && self.newest > self.end
    }

    /// Reads all of them, and the contents that they name. Blocks on the disk.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `BackupDamaged`, with the name of the file.
    pub(crate) fn check(&self, abandoned: &Abandoned) -> Result<()> {
        self.each(abandoned, |chunk, commits| {
            check_log(commits, &chunk.commits(), chunk.after, chunk.last)?;
            chunk.each_content(&*self.target, |content| {
                let path = place_of(&*self.target, &content.sha256);
                if self.target.size(&path).is_err_and(|cause| cause.kind() == ErrorKind::NotFound) {
                    // It was missing when its commit was copied; the restore names it if a file needs it.
                    return Ok(());
                }
                let part = Part { name: path.clone(), bytes: content.size, sha256: content.sha256 };
                fault_of(&*self.target, &path, &part, abandoned)?.map_or(Ok(()), |fault| Err(damaged(fault)))
            })
        })
    }

    /// Adds them to the documents that were restored from the backup. Blocks on the disk.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `LogCopyGap`; those of the disk.
    pub(crate) fn replay(&self, documents: &Path, abandoned: &Abandoned) -> Result<Replayed> {
        let mut log = RestoredLog::open(documents, self.backup)?;
        self.each(abandoned, |chunk, commits| log.append(commits, &chunk.commits(), self.until))?;
        Ok(Replayed { until: log.position(), gap: self.has_gap() })
    }

    /// Hands the chunks that continue the backup to `each`, in order. A server that runs may join some meanwhile.
    fn each(&self, abandoned: &Abandoned, mut each: impl FnMut(Chunk, &[u8]) -> Result<()>) -> Result<()> {
        let mut position = self.backup;
        while position < self.end.min(self.until) {
            let before = position;
            for chunk in chunks::chain(&chunks::list(&*self.target)?, position) {
                abandoned.check()?;
                if chunk.after >= self.until || position >= self.end {
                    return Ok(());
                }
                let Some(commits) = chunk.read(&*self.target)? else { break };
                each(chunk, &commits).map_err(|error| self.with_remedy(&error, position))?;
                position = chunk.last;
            }
            if position == before {
                return Err(damaged(format!(
                    "the copies after {} are gone from {}",
                    shown(position),
                    self.target.place()
                )));
            }
        }
        Ok(())
    }

    fn with_remedy(&self, error: &Error, good: Ts) -> Error {
        let at = good.date_time().map_or_else(|| good.to_string(), |at| at.to_rfc3339());
        let message = format!(
            "{}. --at {at} restores what was committed before it, and --no-log the backup alone",
            error.message()
        );
        Error::new(error.code(), error.tag(), message)
    }
}
