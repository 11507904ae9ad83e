//! The checkpointer: the thread that makes the view durable and records its position, so that a restart needs less log.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::Shared;
use super::files::Files;
use super::view::View;
use super::view::state::Checkpoint;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Longest time between two checkpoints while there are commits.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// Name of the checkpoint file in the data folder.
pub(super) const CHECKPOINT: &str = "CHECKPOINT";

impl<F: Files, V: View> Shared<F, V> {
    /// Makes checkpoints until the engine is dropped, and a last one then.
    pub(super) fn run_checkpointer(&self, woken: &mpsc::Receiver<()>) {
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
            self.space.take_reserve();
        }
    }

    /// Makes a checkpoint of the view. The memtable is left to the next one, unless the engine is stopping.
    pub(super) fn save(&self, stopping: bool) -> Result<()> {
        if stopping {
            self.memtable.flush(&self.view, *self.recent.visible().borrow())?;
        }
        if self.distrusted() {
            return Ok(());
        }
        let at = self.memtable.applied();
        if self.retention().checkpoint < at {
            let unsaved = self.unsaved.swap(0, Ordering::Relaxed);
            let collected = self.log_gc.lock().done();
            match self.checkpoint(at, collected) {
                // A read of the view may have failed while the checkpoint was written.
                Ok(_) if self.distrusted() => return remove_checkpoint(&*self.files),
                Ok(durable) => {
                    let mut retention = self.retention.lock();
                    retention.collected = collected;
                    if durable {
                        retention.checkpoint = at;
                    }
                }
                Err(error) => {
                    self.unsaved.fetch_add(unsaved, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        if stopping { Ok(()) } else { self.drop_log() }
    }

    /// Makes the view durable up to `at`, with garbage collected up to `collected`. `false` if this view is never
    /// durable.
    pub(super) fn checkpoint(&self, at: Ts, collected: Ts) -> Result<bool> {
        if !self.view.sync()? {
            return Ok(false);
        }
        let checkpoint = Checkpoint { at, collected, generation: self.memtable.generation() };
        self.files.replace("", CHECKPOINT, checkpoint.to_text().as_bytes()).map_err(checkpoint_failed)?;
        Ok(true)
    }
}

pub(super) fn remove_checkpoint<F: Files>(files: &F) -> Result<()> {
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

/// Reads `CHECKPOINT`; `None` if it is missing or incomplete.
pub(super) fn read_checkpoint<F: Files>(files: &F) -> Option<Checkpoint> {
    let bytes = files.read(CHECKPOINT).ok()?;
    Checkpoint::parse(std::str::from_utf8(&bytes).ok()?)
}
