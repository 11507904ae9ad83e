//! Room on the disk: how much is kept free, and what happens when there is less.
//!
//! sled does not recover from a write that fails, and a log that cannot grow must not be half written. So commits are
//! refused while there is still room for what waits for the view, and nothing goes into the view without room. A file of
//! the reserve's size is given back to a start on a full disk, which needs a little to open the view.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::files::Files;
use crate::{Code, Error, Result};

/// How much must be free for a commit to be accepted, in bytes, the reserve included: it leaves the room for what waits
/// in memory for the view.
pub(super) const KEPT_FREE: u64 = 96 << 20;
/// How much must be free before anything is written into the view, in bytes: a layer, and what sled writes besides.
pub(super) const VIEW_ROOM: u64 = 32 << 20;
/// The size of the file that is given back when a start finds the disk full, in bytes.
const RESERVE_BYTES: u64 = 32 << 20;
/// That file.
const RESERVE: &str = "RESERVE";

/// The room in one data folder.
#[derive(Debug, Clone)]
pub(super) struct Space<F: Files>(Arc<F>);

impl<F: Files> Space<F> {
    pub(super) fn new(files: Arc<F>) -> Self {
        Self(files)
    }

    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when so little is free that commits are refused.
    pub(super) fn for_commits(&self) -> Result<()> {
        let reserve = self.0.size(RESERVE).unwrap_or(0);
        self.at_least(KEPT_FREE.saturating_sub(reserve))
    }

    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) when so little is free that nothing may be written into the view.
    pub(super) fn for_view(&self) -> Result<()> {
        self.at_least(VIEW_ROOM)
    }

    fn at_least(&self, wanted: u64) -> Result<()> {
        match self.0.free() {
            Some(free) if free < wanted => Err(disk_full(wanted - free)),
            _ => Ok(()),
        }
    }

    /// Gives the reserve back if a start needs it.
    pub(super) fn release(&self) {
        if self.for_view().is_err()
            && let Err(error) = self.0.remove(RESERVE)
        {
            tracing::warn!(%error, "the disk is full, and {RESERVE} could not be removed");
        }
    }

    /// Takes the reserve again once there is room for it.
    pub(super) fn take_reserve(&self) {
        let room = self.0.free().is_none_or(|free| free >= KEPT_FREE);
        if !room || self.0.size(RESERVE).is_ok_and(|size| size >= RESERVE_BYTES) {
            return;
        }
        let taken = self.0.remove(RESERVE).and_then(|()| self.0.reserve(RESERVE, RESERVE_BYTES));
        if let Err(error) = taken {
            // The check of what is free does without it.
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

/// Why the system refused a write that may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// No room on the disk, or in the quota.
    Room,
    /// No file handles.
    Handles,
}

impl Shortage {
    /// What `error` lacks; `None` when it lacks nothing.
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

    /// The error of a commit of which nothing is stored.
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
