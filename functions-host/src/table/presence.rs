//! Facts of a table that is awake, known without asking it: its size in memory, since when nobody is there, and whether it
//! was asked to make room.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::limits::{TABLE_BYTES, WAKING_BYTES};

/// See the module's description.
#[derive(Debug)]
pub(super) struct Presence {
    bytes: AtomicUsize,
    /// Milliseconds since the epoch; 0 while somebody is there, or the table is being loaded.
    empty_since: AtomicU64,
    rests: AtomicBool,
}

impl Presence {
    /// A table that is being loaded.
    pub(super) fn loading() -> Self {
        Self {
            bytes: AtomicUsize::new(WAKING_BYTES),
            empty_since: AtomicU64::new(0),
            rests: AtomicBool::new(false),
        }
    }

    /// Notes the size of what the table holds, and whether nobody is there.
    pub(super) fn note(&self, held: usize, is_empty: bool, now: u64) {
        self.bytes.store(held + TABLE_BYTES, Ordering::Relaxed);
        if !is_empty {
            self.empty_since.store(0, Ordering::Relaxed);
        } else if self.empty_since() == 0 {
            self.empty_since.store(now.max(1), Ordering::Relaxed);
        }
    }

    /// Notes whether the table was asked to make room, and has not refused.
    pub(super) fn set_rests(&self, rests: bool) {
        self.rests.store(rests, Ordering::Relaxed);
    }

    /// True if it was asked to make room, and has not refused.
    pub(super) fn rests(&self) -> bool {
        self.rests.load(Ordering::Relaxed)
    }

    /// Bytes in memory, roughly.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Since when nobody is there; 0 if somebody is.
    pub(super) fn empty_since(&self) -> u64 {
        self.empty_since.load(Ordering::Relaxed)
    }
}
