//! Retention: how much log and how many old versions are kept, and for whom.

use std::sync::atomic::Ordering;

use super::Shared;
use super::files::Files;
use super::view::View;
use crate::Result;
use crate::engine::version_collected;
use crate::model::Ts;

/// Retention points: the log after the oldest of them is still needed.
#[derive(Debug, Clone)]
pub(super) struct RetentionPoints {
    /// The view is durable up to here.
    pub(super) checkpoint: Ts,
    /// Time of the newest snapshot, or the beginning of the log.
    pub(super) snapshot: Ts,
    /// Size of the newest snapshot, in bytes.
    pub(super) snapshot_bytes: u64,
    /// Readers may still read at any time after this.
    pub(super) horizon: Ts,
    /// Versions replaced by commits up to here are durably removed.
    pub(super) collected: Ts,
    /// Times of the snapshots and backups being written.
    pub(super) pins: Vec<Ts>,
}

impl<F: Files, V: View> Shared<F, V> {
    /// Removes log that is no longer needed; none while the view is distrusted.
    pub(super) fn drop_log(&self) -> Result<()> {
        if self.distrusted() {
            return Ok(());
        }
        let retention = self.retention();
        let needed =
            retention.checkpoint.min(retention.snapshot).min(retention.horizon).min(retention.collected);
        self.log.lock().drop_before(needed)
    }

    /// Pins the newest version: no garbage at it is collected until [`Self::unpin`].
    pub(super) fn pin(&self) -> Ts {
        let mut retention = self.retention.lock();
        let end = *self.recent.visible().borrow();
        retention.pins.push(end);
        end
    }

    /// Removes one pin at `at`.
    pub(super) fn unpin(&self, at: Ts) {
        let mut retention = self.retention.lock();
        if let Some(pin) = retention.pins.iter().position(|pin| *pin == at) {
            retention.pins.swap_remove(pin);
        }
    }

    /// Raises the horizon, the oldest readable time, to `before` or to the end of the history that may be kept. Returns
    /// it.
    pub(super) fn raise_horizon(&self, before: Ts) -> Result<Ts> {
        let kept = self.log.lock().horizon(self.cadence.history);
        // A reader that began at the newest version of an idle store may still read it after the next commit, as long as
        // that one is after the horizon: no version lies between the two.
        let wanted = self.recent.newest_up_to(before.max(kept).min(*self.recent.visible().borrow()));
        // Versions must be in the view before they can be collected from it.
        self.memtable.flush(&self.view, wanted)?;
        let mut retention = self.retention.lock();
        let free = retention.pins.iter().fold(wanted, |wanted, pin| wanted.min(*pin));
        retention.horizon = retention.horizon.max(free);
        self.oldest.store(retention.horizon.micros(), Ordering::SeqCst);
        Ok(retention.horizon)
    }

    pub(super) fn oldest(&self) -> Ts {
        Ts::from_micros(self.oldest.load(Ordering::SeqCst))
    }

    /// Refuses a read at `at` if part of it may have been collected meanwhile.
    pub(super) fn still_kept(&self, at: Ts) -> Result<()> {
        if at >= self.oldest() { Ok(()) } else { Err(version_collected()) }
    }

    pub(super) fn retention(&self) -> RetentionPoints {
        self.retention.lock().clone()
    }
}
