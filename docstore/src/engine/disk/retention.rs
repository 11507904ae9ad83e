//! Retention: how much log and how many old versions are kept, and for whom.

use std::sync::atomic::Ordering;

use super::files::Files;
use super::view::View;
use super::{Shared, held};
use crate::Result;
use crate::engine::version_collected;
use crate::model::Ts;

/// What the log is still needed for.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetentionPoints {
    /// The view holds everything up to here, power cut or not.
    pub(super) checkpoint: Ts,
    /// The newest snapshot, or where the log begins.
    pub(super) snapshot: Ts,
    /// The newest snapshot's size, in bytes.
    pub(super) snapshot_bytes: u64,
    /// Readers may still ask for what is after this.
    pub(super) horizon: Ts,
    /// What commits up to here have replaced is gone, power cut or not.
    pub(super) collected: Ts,
    /// A snapshot is being made of this time.
    pub(super) pinned: Option<Ts>,
}
impl<F: Files, V: View> Shared<F, V> {
    /// Removes the log that nobody needs any more: none while the view is distrusted.
    pub(super) fn drop_log(&self) -> Result<()> {
        if self.distrusted() {
            return Ok(());
        }
        let retention = self.retention();
        let needed =
            retention.checkpoint.min(retention.snapshot).min(retention.horizon).min(retention.collected);
        held(&self.log).drop_before(needed)
    }

    /// The newest version, which nothing is forgotten of until the pin is taken away.
    pub(super) fn pin(&self) -> Ts {
        let mut retention = held(&self.retention);
        let end = *self.recent.visible().borrow();
        retention.pinned = Some(end);
        end
    }

    /// Says from when on readers may still ask: `before`, or what is left of the history that may be kept.
    pub(super) fn raise_horizon(&self, before: Ts) -> Result<Ts> {
        let kept = held(&self.log).horizon(self.cadence.history);
        // There is nothing to see between the newest version and a later horizon.
        let wanted = before.max(kept).min(*self.recent.visible().borrow());
        // What is forgotten in the view must be there first.
        self.memtable.flush(&self.view, wanted)?;
        let mut retention = held(&self.retention);
        retention.horizon =
            retention.horizon.max(retention.pinned.map_or(wanted, |pinned| wanted.min(pinned)));
        self.oldest.store(retention.horizon.micros(), Ordering::SeqCst);
        Ok(retention.horizon)
    }

    pub(super) fn oldest(&self) -> Ts {
        Ts::from_micros(self.oldest.load(Ordering::SeqCst))
    }

    /// Refuses what was read at `at` when a part of it may have been forgotten meanwhile.
    pub(super) fn still_kept(&self, at: Ts) -> Result<()> {
        if at >= self.oldest() { Ok(()) } else { Err(version_collected()) }
    }

    pub(super) fn retention(&self) -> RetentionPoints {
        *held(&self.retention)
    }
}
