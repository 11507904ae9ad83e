//! Counters of what the committer has stored.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counters since the start.
#[derive(Debug, Default)]
pub struct CommitCounts {
    commits: AtomicU64,
    appends: AtomicU64,
    failed: AtomicU64,
    nanoseconds: AtomicU64,
}

impl CommitCounts {
    /// Notes an append of a batch of so many commits.
    pub(super) fn appended(&self, commits: usize, took: Duration) {
        self.commits.fetch_add(commits as u64, Relaxed);
        self.appends.fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// Notes an append that failed.
    pub(super) fn failed_once(&self) {
        self.failed.fetch_add(1, Relaxed);
    }

    /// Commits stored.
    pub fn commits(&self) -> u64 {
        self.commits.load(Relaxed)
    }

    /// Appends to the log, each of a batch of commits.
    pub fn appends(&self) -> u64 {
        self.appends.load(Relaxed)
    }

    /// Appends that failed.
    pub fn failed(&self) -> u64 {
        self.failed.load(Relaxed)
    }

    /// Time of all successful appends together: the disk's.
    pub fn took(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }
}
