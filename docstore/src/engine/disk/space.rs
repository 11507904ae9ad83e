//! Disk space: thresholds of free space, and the reserve file.
//!
//! sled does not recover from a failed write, fjall must be opened again after one, and a log that cannot grow must not
//! be half written. So commits are refused while there is still room to flush the memtable, and nothing is flushed into
//! the view without room. A start
//! on a full disk removes the reserve file, whose space lets the view open.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::files::Files;
use crate::{Code, Error, Result};

/// Free space required to accept a commit, in bytes, the reserve included; it leaves room to flush the memtable.
pub(super) const KEPT_FREE: u64 = 96 << 20;
/// Free space required to write into the view, in bytes: one layer and the engine's overhead.
pub(super) const VIEW_ROOM: u64 = 32 << 20;
/// Size of the reserve file, in bytes, which a start on a full disk removes.
const RESERVE_BYTES: u64 = 32 << 20;
/// Name of the reserve file.
const RESERVE: &str = "RESERVE";

/// Free space of one data folder.
#[derive(Debug, Clone)]
pub(super) struct Space<F: Files>(Arc<F>);

impl<F: Files> Space<F> {
    pub(super) fn new(files: Arc<F>) -> Self {
        Self(files)
    }

    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when free space is too low for commits.
    pub(super) fn for_commits(&self) -> Result<()> {
        let reserve = self.0.size(RESERVE).unwrap_or(0);
        self.at_least(KEPT_FREE.saturating_sub(reserve))
    }

    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when free space is too low to write into the view.
    pub(super) fn for_view(&self) -> Result<()> {
        self.at_least(VIEW_ROOM)
    }

    /// Free space, in bytes; `None` if unknown.
    pub(super) fn free(&self) -> Option<u64> {
        self.0.free()
    }

    fn at_least(&self, wanted: u64) -> Result<()> {
        match self.0.free() {
            Some(free) if free < wanted => Err(disk_full(wanted - free)),
            _ => Ok(()),
        }
    }

    /// Removes the reserve file if the start needs its space.
    pub(super) fn release(&self) {
        if self.for_view().is_err()
            && let Err(error) = self.0.remove(RESERVE)
        {
            tracing::warn!(%error, "the disk is full, and {RESERVE} could not be removed");
        }
    }

    /// Creates the reserve file again once there is room for it.
    pub(super) fn take_reserve(&self) {
        let room = self.0.free().is_none_or(|free| free >= KEPT_FREE);
        if !room || self.0.size(RESERVE).is_ok_and(|size| size >= RESERVE_BYTES) {
            return;
        }
        let taken = self.0.remove(RESERVE).and_then(|()| self.0.reserve(RESERVE, RESERVE_BYTES));
        if let Err(error) = taken {
            // The check of free space works without the reserve.
            tracing::debug!(%error, "no room was reserved");
            drop(self.0.remove(RESERVE));
        }
    }
}

fn disk_full(missing: u64) -> Error {
    let missing = missing.div_ceil(1 << 20).max(1);
    let message = format!(
        "the disk is full: free {missing} MiB on the disk of the data folder. Nothing is written until then, and reads \
         go on"
    );
    Error::new(Code::ResourceExhausted, "DiskFull", message)
}

/// Resource whose lack made the system refuse a write that may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// Space on the disk or in the quota.
    Room,
    /// File handles.
    Handles,
}

impl Shortage {
    /// The resource that `error` reports as exhausted; `None` for other errors.
    pub(super) fn of(error: &io::Error) -> Option<Self> {
        use rustix::io::Errno;
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(Self::Room),
            _ => match Errno::from_io_error(error) {
                Some(Errno::MFILE | Errno::NFILE) => Some(Self::Handles),
                _ => None,
            },
        }
    }

    /// Error of a commit of which nothing is stored.
    pub(super) fn refusal(self, name: &str) -> Error {
        Error::new(Code::ResourceExhausted, "DiskFull", format!("{name} could not be written: {self}"))
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Room => "the disk is full, or the quota on it used up: free some of it",
            Self::Handles => "the server has too many files and connections open: raise `ulimit -n`",
        })
    }
}
