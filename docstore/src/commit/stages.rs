//! Time of the stages of a commit.

use std::time::Duration;

/// Time of each stage of a commit.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stages {
    /// Decision of the rules, and the reads it needs.
    pub(crate) rules: Duration,
    /// The commit hook: limits of plans and rates.
    pub(crate) limits: Duration,
    /// Wait for transactions that have read what the commit writes.
    pub(crate) locks: Duration,
    /// Wait for the committer.
    pub(crate) queue: Duration,
    /// Reads and checks of the committer.
    pub(crate) decide: Duration,
    /// Wait for the batch before, and the append to the log.
    pub(crate) append: Duration,
}

impl Stages {
    /// Time of all of them.
    pub(crate) fn total(&self) -> Duration {
        self.rules + self.limits + self.locks + self.queue + self.decide + self.append
    }
}
