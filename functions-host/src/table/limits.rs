//! Limits of tables that are in use. Those of a table's contents are in [`tuckbox_table::limits`].

use std::time::Duration;

/// Tables awake at once: about a megabyte each, and their boxes.
pub(super) const LIVE_TABLES: usize = 2_000;
/// Letters that wait for one table; whoever sends more waits.
pub(super) const MAILBOX: usize = 256;
/// Acts that are stored together.
pub(super) const BATCH: usize = 64;
/// Sockets of one seat: somebody's computer, tablet and phone, each connected again before the old socket has ended.
pub(super) const SOCKETS_OF_SEAT: usize = 8;
/// Sockets that only watch.
pub(super) const OBSERVERS: usize = 30;
/// Patches of a seat that are kept for those who come back.
pub(super) const KEPT_PATCHES: usize = 500;
/// Bytes of them.
pub(super) const KEPT_BYTES: usize = 1 << 20;
/// Messages that wait for one reader: the kept patches, and what comes meanwhile.
pub(super) const MESSAGES_WAITING: usize = KEPT_PATCHES + 256;
/// Bytes of them; a single message may be larger.
pub(super) const BYTES_WAITING: usize = 4 << 20;
/// Entries after which the state is stored, so that waking replays fewer.
pub(super) const SNAPSHOT_EVERY: u64 = 500;
/// Bytes of entries after which it is stored too.
pub(super) const SNAPSHOT_BYTES: u64 = 8 << 20;
/// Entries after which each patch carries a hash of its view.
pub(super) const CHECK_EVERY: u64 = 100;
/// Acts a second of one account at a table, after as many as two seconds' worth at once.
pub(super) const ACTS_A_SECOND: u64 = 40;
/// Work of those acts a second, in the measure of [`tuckbox_table::limits::WORK`]: two acts of the largest kind in five
/// seconds. An act may begin as long as none is owed.
pub(super) const WORK_A_SECOND: u64 = 150_000;
/// Moves of the pointer, likewise.
pub(super) const POINTS_A_SECOND: u64 = 30;
/// Interval of the messages that carry everybody's pointer.
pub(super) const POINTERS: Duration = Duration::from_millis(80);
/// Time without anybody after which a table goes to sleep.
pub const SLEEP_AFTER: Duration = Duration::from_secs(600);
/// Attempts to reach a table that goes to sleep at the same moment.
pub(super) const ATTEMPTS: usize = 3;
