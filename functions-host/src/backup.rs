//! Backups: everything a server stores at one moment, in a folder or a bucket, and the way back.
//!
//! ```text
//! BACKUPS              marks the folder, with the version of its layout
//! LOCK                 held by who writes to the folder
//! ID.manifest          a whole backup: written last
//! ID/documents         all documents at one moment, as a snapshot of the store
//! ID/contents          the contents that their files have: checksum, length and key of each
//! ID/part-N            keys and other small files
//! contents/XX/SHA256   contents of files, shared by all backups
//! ```
//! With a key file all but `BACKUPS` and `LOCK` is encrypted ([`encrypted`]).
//!
//! A backup is there if its manifest is. Everything else is written, and durable, before it.

mod bucket;
mod check;
mod contents;
mod copy_content;
mod encrypted;
#[cfg(test)]
mod fault_tests;
mod folder;
mod key;
#[cfg(test)]
mod key_tests;
mod last;
mod log;
mod make;
mod manifest;
mod mark;
mod numbers;
mod restore;
mod retention;
mod room;
mod runner;
mod schedule;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use check::verify;
pub(crate) use key::BackupKey;
pub(crate) use log::{LogCopies, LogOrder, Replayed, keep_copying};
pub(crate) use make::{Made, Source};
pub(crate) use manifest::{Manifest, chosen, time_named};
pub(crate) use numbers::BackupNumbers;
pub(crate) use restore::{Restored, Wanted, restore};
pub(crate) use runner::{Order, Runner, make_once};
pub(crate) use schedule::keep_backing_up;
pub(crate) use target::{Purpose, open_target, resolved};

use docstore::model::Ts;
use docstore::{Code, Error};

/// Error of a backup that is damaged, cut or not a backup at all.
fn damaged(message: impl Into<String>) -> Error {
    Error::new(Code::DataLoss, "BackupDamaged", message)
}

/// Error of a backup's place, with the system's reason.
fn unusable(place: &str, cause: std::io::Error) -> Error {
    let message = format!("cannot read or write the backups in {place}: {cause}");
    Error::new(Code::FailedPrecondition, "BackupUnusable", message).with_source(cause)
}

/// A moment in words.
pub(crate) fn shown(at: Ts) -> String {
    at.date_time().map_or_else(|| at.to_string(), |at| at.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}

/// Hexadecimal digits of a checksum.
fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
