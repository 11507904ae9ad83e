//! Garbage collection of replaced versions in commit order, by reading the log again.
//!
//! A commit in the log names every key it changed. Once no reader goes back before it, the older versions of those keys
//! are garbage, and each is found by one lookup beside the newer version. So the cost follows what was written, however
//! much is stored, and the view holds little more than the live versions.

use parking_lot::Mutex;

use super::files::Files;
use super::log::Log;
use super::segment::SegmentBytes;
use super::view::View;
use crate::Result;
use crate::engine::GcProgress;
use crate::model::Ts;

/// Progress of the collector along the log.
#[derive(Debug)]
pub(super) struct LogGc {
    /// Versions replaced by commits up to here are removed.
    done: Ts,
    current: Option<Segment>,
}

/// The segment being processed.
#[derive(Debug)]
struct Segment {
    records: SegmentBytes,
    /// Time of its last commit.
    until: Ts,
}

impl LogGc {
    /// A collector that continues after `done`.
    pub(super) fn new(done: Ts) -> Self {
        Self { done, current: None }
    }

    /// Versions replaced by commits up to here are removed.
    pub(super) fn done(&self) -> Ts {
        self.done
    }

    /// Removes versions replaced by commits up to `horizon`, segment by segment; stops after about `slice` keys.
    pub(super) fn advance<F: Files>(
        &mut self,
        files: &F,
        log: &Mutex<Log<F>>,
        view: &impl View,
        horizon: Ts,
        slice: usize,
    ) -> Result<GcProgress> {
        let mut progress = GcProgress::default();
        loop {
            let segment = match &mut self.current {
                Some(segment) => segment,
                None => {
                    let Some((segment, until)) = log.lock().whole_segment(self.done, horizon) else {
                        progress.done = true;
                        return Ok(progress);
                    };
                    self.current.insert(Segment { records: segment.read(files)?, until })
                }
            };
            loop {
                if progress.examined >= slice {
                    return Ok(progress);
                }
                let Some(commits) = segment.records.next_record().unwrap_or_default() else { break };
                for commit in commits {
                    progress.dropped += view.remove_replaced(commit.ts, &commit.puts)?;
                    progress.examined += commit.puts.len();
                }
            }
            self.done = segment.until;
            self.current = None;
        }
    }
}
