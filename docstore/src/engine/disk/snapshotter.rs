//! The snapshotter: the thread that writes a snapshot of the view once there is enough log after the last one.

use std::sync::mpsc;

use super::files::Files;
use super::view::View;
use super::{Shared, snapshot};
use crate::Result;

impl<F: Files, V: View> Shared<F, V> {
    /// Writes snapshots until the engine is dropped. They take long, so checkpoints have a thread of their own.
    pub(super) fn run_snapshotter(&self, woken: &mpsc::Receiver<()>) {
        while woken.recv().is_ok() {
            if let Err(error) = self.take_snapshot() {
                tracing::error!(%error, "a snapshot failed");
            }
        }
    }

    /// Writes a snapshot if one is due.
    pub(super) fn take_snapshot(&self) -> Result<()> {
        if self.distrusted() {
            return Ok(());
        }
        let retention = self.retention();
        self.space.for_commits()?;
        let since = self.log.lock().bytes_since(retention.snapshot);
        if since < self.cadence.snapshot.max(retention.snapshot_bytes * 2) {
            return Ok(());
        }
        let end = self.pin();
        let written = self.memtable.flush(&self.view, end);
        let whole = || if self.distrusted() { Err(snapshot::given_up()) } else { self.space.for_commits() };
        let written =
            written.and_then(|()| self.noted(snapshot::write(&*self.files, &self.view, end, whole)));
        self.unpin(end);
        let mut retention = self.retention.lock();
        (retention.snapshot, retention.snapshot_bytes) = (end, written?);
        drop(retention);
        self.drop_log()
    }
}
