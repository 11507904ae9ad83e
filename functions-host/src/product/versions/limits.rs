//! Limits on versions of a game.

use std::time::Duration;

/// Most named versions of a project: ten a week for a year.
pub(super) const NAMED: usize = 500;

/// Longest name of a version, in characters.
pub(super) const NAME_CHARS: usize = 200;

/// Longest note of a version, in characters.
pub(super) const NOTE_CHARS: usize = 10_000;

/// Most documents that a version holds, and most bytes of them. They are in memory while a version is made.
pub(super) const DOCUMENTS: usize = 20_000;
pub(super) const BYTES: usize = 64 << 20;

/// Contents of projects that are in memory at once, for versions that are made, restored or compared. Others wait.
pub(super) const CONTENTS: usize = 4;

/// Documents, and bytes of them, read at a time.
pub(super) const PAGE: u32 = 2_000;
pub(super) const PAGE_BYTES: usize = 4 << 20;

/// Most entries of a leaf of a manifest: a changed document rewrites one leaf, of about four kilobytes.
pub(super) const LEAF: usize = 64;

/// Bytes of an object; a longer content is stored in parts. A document has at most a mebibyte.
pub(super) const PART_BYTES: usize = 512 << 10;

/// Objects read at a time. Few of them are large.
pub(super) const OBJECTS: usize = 64;

/// Writes and bytes of one commit; other writers run between commits.
pub(super) const BATCH: usize = 400;
pub(super) const BATCH_BYTES: usize = 4 << 20;

/// Most bytes of the one commit that restores a version; the store takes ten mebibytes.
pub(super) const RESTORED_BYTES: usize = 9 << 20;

/// Most paths that a restore names.
pub(super) const PATHS: usize = 1_000;

/// Bytes of an answer's changes, as JSON.
pub(super) const COMPARED_BYTES: usize = 8 << 20;

/// Most damaged documents that are named.
pub(super) const DAMAGED: usize = 100;

/// Opened versions of a project that are kept at once. Each is a copy of the project's documents.
pub(super) const OPENED: usize = 10;

/// Time after the last call for an opened version at which it goes.
pub(super) const OPENED_MICROS: i64 = 60 * 60 * 1_000_000;

/// Time after the last call at which it goes if others need its place: whoever looks at one calls every ten minutes.
pub(super) const UNUSED_MICROS: i64 = 15 * 60 * 1_000_000;

/// Age of the last call that is not worth a write.
pub(super) const NOTED_MICROS: i64 = 60 * 1_000_000;

/// Wait between two looks for opened versions that nobody calls for.
pub(super) const LOOK: Duration = Duration::from_secs(300);

/// Attempts against others who write meanwhile.
pub(super) const ATTEMPTS: usize = 5;

/// Time after which the turn of somebody who ended in the middle is over.
pub(super) const TURN_MICROS: i64 = 120 * 1_000_000;

/// Longest wait for those of this server that came before, each of which takes seconds.
pub(super) const QUEUE_WAIT: Duration = Duration::from_secs(60);

/// Longest wait for a turn that another server has, and the wait between two looks.
pub(super) const TURN_WAIT: Duration = Duration::from_secs(10);
pub(super) const TURN_LOOK: Duration = Duration::from_millis(100);
