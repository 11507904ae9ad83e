//! The flusher: the thread that moves commits from the memtable into the view.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::Shared;
use super::files::Files;
use super::memtable::Memtable;
use super::view::View;

/// Pause before a failed flush is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Time without a commit after which the memtable is flushed, however small.
const REST: Duration = Duration::from_millis(100);

impl<F: Files, V: View> Shared<F, V> {
    /// Flushes the memtable into the view when commits pause or enough layers are full, until the engine is dropped.
    pub(super) fn run_flusher(&self, woken: &mpsc::Receiver<()>) {
        // Even after a panic, nobody may wait for a flush for ever.
        let _last = GiveUp(&self.memtable);
        while woken.recv().is_ok() {
            let mut told = false;
            while !self.memtable.is_empty() {
                if !self.memtable.gathered() {
                    let seen = self.memtable.newest();
                    match woken.recv_timeout(REST) {
                        Err(RecvTimeoutError::Disconnected) => return,
                        _ if self.memtable.newest() != seen => continue,
                        _ => {}
                    }
                }
                if let Err(error) = self.noted(self.memtable.flush_oldest(&self.view)) {
                    // Nothing is lost: the log has everything, and readers still see the memtable.
                    if !std::mem::replace(&mut told, true) {
                        tracing::error!(%error, "the store's view of the log could not be brought up to date");
                    }
                    if matches!(woken.recv_timeout(TRY_AGAIN), Err(RecvTimeoutError::Disconnected)) {
                        return;
                    }
                }
            }
        }
    }
}

struct GiveUp<'a>(&'a Memtable);

impl Drop for GiveUp<'_> {
    fn drop(&mut self) {
        self.0.give_up();
    }
}
