//! The mark of a place of backups: the version of its layout, and the key with which they are encrypted.

use docstore::{Code, Error, Result};

use super::key::BackupKey;

/// The file that marks a place of backups.
pub(super) const MARK: &str = "BACKUPS";
/// Contents of [`MARK`]; the number is the version of the layout.
pub(super) const MARK_TEXT: &str = "tuckbox backups 1\n";
/// Contents of [`MARK`] where backups are encrypted, before the name of the key.
const ENCRYPTED: &str = "tuckbox backups 2\nencrypted with the key ";

/// The contents of [`MARK`] for backups with a key, or without one.
pub(super) fn mark_text(key: Option<&BackupKey>) -> String {
    key.map_or_else(|| MARK_TEXT.to_owned(), |key| format!("{ENCRYPTED}{}\n", key.name()))
}

/// # Errors
/// `FailedPrecondition`: `BackupKey`, `BackupsNewer`.
pub(super) fn check_mark(text: &str, place: &str, key: Option<&BackupKey>) -> Result<()> {
    if text == mark_text(key) {
        return Ok(());
    }
    let refused = |tag, message| Err(Error::new(Code::FailedPrecondition, tag, message));
    match key {
        None if text.starts_with(ENCRYPTED) => refused(
            "BackupKey",
            format!(
                "the backups in {place} are encrypted: name their key file with --key FILE, or in tuckbox.backup.keyFile"
            ),
        ),
        Some(_) if text.starts_with(ENCRYPTED) => refused(
            "BackupKey",
            format!(
                "the backups in {place} are encrypted with another key than that of the key file: name the one with which they were made"
            ),
        ),
        Some(_) if text == MARK_TEXT => refused(
            "BackupKey",
            format!(
                "the backups in {place} are not encrypted, and a key file is named: name another folder for encrypted ones; to read these all the same, leave out --key and tuckbox.backup.keyFile"
            ),
        ),
        _ => refused(
            "BackupsNewer",
            format!(
                "{MARK} of {place} says {:?}, and this Tuckbox ({}) knows {:?}: it is damaged, or a newer one wrote it",
                text.trim(),
                crate::VERSION,
                MARK_TEXT.trim()
            ),
        ),
    }
}

/// Error of a place without backups.
pub(super) fn no_backups(place: &str) -> Error {
    let message = format!("{place} has no backups: name the place that was given to `tuckbox backup`");
    Error::new(Code::NotFound, "NoBackups", message)
}

/// Error of a place that holds something else.
pub(super) fn taken(place: &str) -> Error {
    let message = format!("{place} contains other files: name an empty folder or a new one");
    Error::new(Code::FailedPrecondition, "BackupFolderTaken", message)
}

/// Error of a place that somebody else uses.
pub(super) fn busy(place: &str) -> Error {
    let message = format!("another backup is being written to {place}, or read from it: wait for its end");
    Error::new(Code::FailedPrecondition, "BackupBusy", message)
}
