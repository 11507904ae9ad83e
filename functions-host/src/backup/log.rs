//! Copies of the log beside the backups: what was committed since the last of them.
//!
//! ```text
//! BACKUPS, LOCK                as in a folder of backups
//! log/AFTER-LAST.log           commits after the version AFTER up to LAST, as records
//! log/AFTER-LAST.files         the contents of files that these commits name; written before the commits
//! contents/XX/SHA256           those contents, written before both
//! ```
//! A backup and the copies that follow it without a gap restore any moment up to the last copy. Copies are written once
//! a second while there are commits, joined later, and removed with the last backup that needs them.

mod chunks;
mod follow;
mod replay;
#[cfg(test)]
mod tests;

pub(crate) use follow::{LogOrder, LogState, keep_copying};
pub(crate) use replay::{LogCopies, Replayed};
