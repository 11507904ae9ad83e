//! The newest part of the log, in memory, for validation, live queries and resuming clients.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;
use tokio::sync::watch;

use crate::model::Ts;
use crate::{Code, Error, Result};

use super::{Batch, Commit};

/// Most bytes of commits kept in memory.
pub const RECENT_BYTES: usize = 64 * 1024 * 1024;

/// The newest commits and the highest visible [`Ts`]. Cloning shares.
#[derive(Clone)]
pub struct Recent {
    /// Locked by writers to append and by readers to clone `Arc`s; both take microseconds.
    commits: Arc<RwLock<Kept>>,
    visible: watch::Sender<Ts>,
}

struct Kept {
    commits: VecDeque<Arc<Commit>>,
    /// Every commit after this is in `commits`.
    complete_after: Ts,
    weight: usize,
    limit: usize,
}

impl fmt::Debug for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recent").field("visible", &*self.visible.borrow()).finish_non_exhaustive()
    }
}

impl Recent {
    /// An empty log that keeps at most `limit` bytes; everything up to `start` is visible.
    pub fn new(start: Ts, limit: usize) -> Self {
        let kept = Kept { commits: VecDeque::new(), complete_after: start, weight: 0, limit };
        Self { commits: Arc::new(RwLock::new(kept)), visible: watch::Sender::new(start) }
    }

    /// Adds a durable, applied batch and makes it visible.
    pub fn publish(&self, batch: Batch) {
        let Some(last) = batch.last().map(|commit| commit.ts) else { return };
        {
            let mut kept = self.commits.write();
            for commit in batch {
                kept.weight += commit.weight;
                kept.commits.push_back(commit);
            }
            while kept.weight > kept.limit
                && let Some(oldest) = kept.commits.pop_front()
            {
                kept.weight -= oldest.weight;
                kept.complete_after = oldest.ts;
            }
        }
        self.visible.send_replace(last);
    }

    /// Drops commits at or before `before`.
    pub fn drop_until(&self, before: Ts) {
        let mut kept = self.commits.write();
        while kept.commits.front().is_some_and(|oldest| oldest.ts <= before)
            && let Some(oldest) = kept.commits.pop_front()
        {
            kept.weight -= oldest.weight;
            kept.complete_after = oldest.ts;
        }
    }

    /// The highest visible `Ts`.
    pub fn visible(&self) -> watch::Receiver<Ts> {
        self.visible.subscribe()
    }

    /// The newest commit at or before `at`: nothing changed from then to `at`. Where commits before `at` are no longer
    /// kept, `at` itself.
    pub fn newest_up_to(&self, at: Ts) -> Ts {
        let kept = self.commits.read();
        if at < kept.complete_after {
            return at;
        }
        let after = kept.commits.partition_point(|commit| commit.ts <= at);
        after.checked_sub(1).map_or(kept.complete_after, |last| kept.commits[last].ts)
    }

    /// True if every commit after `after` is still kept.
    pub fn reaches(&self, after: Ts) -> bool {
        after >= self.commits.read().complete_after
    }

    /// The visible commits after `after`, oldest first; `None` when some of them are no longer kept.
    pub fn after(&self, after: Ts) -> Option<Vec<Arc<Commit>>> {
        let kept = self.commits.read();
        if after < kept.complete_after {
            return None;
        }
        let from = kept.commits.partition_point(|commit| commit.ts <= after);
        Some(kept.commits.range(from..).map(Arc::clone).collect())
    }

    /// As [`Self::after`], but `None` too when there are more than `most`.
    pub fn few_after(&self, after: Ts, most: usize) -> Option<Vec<Arc<Commit>>> {
        let kept = self.commits.read();
        let from = kept.commits.partition_point(|commit| commit.ts <= after);
        if after < kept.complete_after || kept.commits.len() - from > most {
            return None;
        }
        Some(kept.commits.range(from..).map(Arc::clone).collect())
    }
}

/// A reader of the log with its own position.
#[derive(Debug)]
pub struct LogReader {
    recent: Recent,
    visible: watch::Receiver<Ts>,
    position: Ts,
}

impl LogReader {
    /// A reader of everything after `after`.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when commits after `after` are no longer kept.
    pub fn new(recent: &Recent, after: Ts) -> Result<Self> {
        if !recent.reaches(after) {
            return Err(truncated());
        }
        Ok(Self { recent: recent.clone(), visible: recent.visible(), position: after })
    }

    /// All commits that are visible and not yet read, waiting until there is one. `None` when the store is
    /// closed.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when the reader fell behind what is kept.
    pub async fn next(&mut self) -> Option<Result<Vec<Arc<Commit>>>> {
        loop {
            self.visible.borrow_and_update();
            match self.available() {
                Ok(commits) if commits.is_empty() => self.visible.changed().await.ok()?,
                outcome => return Some(outcome),
            }
        }
    }

    /// All commits that are visible now and not yet read.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when the reader fell behind what is kept.
    pub fn available(&mut self) -> Result<Vec<Arc<Commit>>> {
        let commits = self.recent.after(self.position).ok_or_else(truncated)?;
        if let Some(last) = commits.last() {
            self.position = last.ts;
        }
        Ok(commits)
    }

    /// The visible commits not yet read, without reading them; `None` when there are more than `most`, or some are
    /// no longer kept.
    pub fn peek(&self, most: usize) -> Option<Vec<Arc<Commit>>> {
        self.recent.few_after(self.position, most)
    }

    /// The last commit read.
    pub fn position(&self) -> Ts {
        self.position
    }

    /// Moves to `position` and skips the commits in between.
    pub fn skip_to(&mut self, position: Ts) {
        self.position = position;
    }
}

fn truncated() -> Error {
    Error::new(
        Code::OutOfRange,
        "LogTruncated",
        "The commits asked for are older than what the log keeps; start again from a fresh read.",
    )
}
