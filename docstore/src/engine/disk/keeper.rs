//! Keeping the folder: checkpoints, snapshots, and how much of the log stays.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::files::Files;
use super::picture::Picture;
use super::{Marks, Shared, held, snapshot};
use crate::engine::version_forgotten;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// The longest time between two checkpoints while there are commits.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

pub(super) const CHECKPOINT: &str = "CHECKPOINT";

impl<F: Files, P: Picture> Shared<F, P> {
    /// Makes checkpoints and snapshots until the engine is dropped, and a last checkpoint then.
    pub(super) fn keep(&self, woken: &mpsc::Receiver<()>) {
        loop {
            let stop = matches!(woken.recv_timeout(CHECKPOINT_EVERY), Err(RecvTimeoutError::Disconnected));
            while woken.try_recv().is_ok() {}
            if let Err(error) = self.save(stop) {
                // The log still has everything; the next try may succeed.
                tracing::error!(%error, "a checkpoint failed");
            }
            if stop {
                return;
            }
        }
    }

    pub(super) fn save(&self, stopping: bool) -> Result<()> {
        let end = self.pin();
        let saved = self.save_at(end, stopping);
        held(&self.marks).pinned = None;
        saved
    }

    fn save_at(&self, end: Ts, stopping: bool) -> Result<()> {
        if self.marks().checkpoint < end {
            let unsaved = self.unsaved.swap(0, Ordering::Relaxed);
            let retired = held(&self.history).done();
            match self.checkpoint(end, retired) {
                Ok(durable) => {
                    let mut marks = held(&self.marks);
                    marks.retired = retired;
                    if durable {
                        marks.checkpoint = end;
                    }
                }
                Err(error) => {
                    self.unsaved.fetch_add(unsaved, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        if stopping {
            return Ok(());
        }
        let marks = self.marks();
        let since = held(&self.log).bytes_since(marks.snapshot);
        if since >= self.cadence.snapshot.max(marks.snapshot_bytes * 2) {
            let bytes = snapshot::write(&*self.files, &self.picture, end)?;
            let mut marks = held(&self.marks);
            (marks.snapshot, marks.snapshot_bytes) = (end, bytes);
        }
        let marks = self.marks();
        let needed = marks.checkpoint.min(marks.snapshot).min(marks.horizon).min(marks.retired);
        held(&self.log).drop_before(needed)
    }

    /// The newest version, which nothing is forgotten of until the pin is taken away.
    fn pin(&self) -> Ts {
        let mut marks = held(&self.marks);
        let end = *self.recent.visible().borrow();
        marks.pinned = Some(end);
        end
    }

    /// Says from when on readers may still ask: `before`, or what is left of the history that may be kept.
    pub(super) fn raise_horizon(&self, before: Ts) -> Ts {
        let kept = held(&self.log).horizon(self.cadence.history);
        let mut marks = held(&self.marks);
        // There is nothing to see between the newest version and a later horizon.
        let most = marks.pinned.unwrap_or_else(|| *self.recent.visible().borrow());
        marks.horizon = marks.horizon.max(before.max(kept).min(most));
        self.oldest.store(marks.horizon.micros(), Ordering::SeqCst);
        marks.horizon
    }

    pub(super) fn oldest(&self) -> Ts {
        Ts::from_micros(self.oldest.load(Ordering::SeqCst))
    }

    /// Refuses what was read at `at` when a part of it may have been forgotten meanwhile.
    pub(super) fn still_kept(&self, at: Ts) -> Result<()> {
        if at >= self.oldest() { Ok(()) } else { Err(version_forgotten()) }
    }

    /// Makes the picture survive a power cut, up to `at`, and without what was replaced up to `retired`.
    fn checkpoint(&self, at: Ts, retired: Ts) -> Result<bool> {
        if !self.picture.sync()? {
            return Ok(false);
        }
        let text = format!("{}\n{}\n", at.micros(), retired.micros());
        self.files.replace("", CHECKPOINT, text.as_bytes()).map_err(checkpoint_failed)?;
        Ok(true)
    }

    fn marks(&self) -> Marks {
        *held(&self.marks)
    }
}

pub(super) fn forget_checkpoint<F: Files>(files: &F) -> Result<()> {
    files.remove(CHECKPOINT).and_then(|()| files.sync_folder("")).map_err(checkpoint_failed)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape map_err wants")]
fn checkpoint_failed(error: std::io::Error) -> Error {
    Error::new(
        Code::Unavailable,
        "Checkpoint",
        format!("cannot write {CHECKPOINT} of the data folder: {error}"),
    )
}

/// The time that the picture has reached, and up to which everything that was replaced is gone from it.
pub(super) fn read_checkpoint<F: Files>(files: &F) -> Option<(Ts, Ts)> {
    let bytes = files.read(CHECKPOINT).ok()?;
    let mut lines = std::str::from_utf8(&bytes).ok()?.lines().map(|line| line.parse().map(Ts::from_micros));
    let at = lines.next()?.ok()?;
    let retired = lines.next().and_then(Result::ok).unwrap_or(Ts::ZERO);
    Some((at, retired))
}
