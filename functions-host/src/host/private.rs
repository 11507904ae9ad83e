//! Permissions of private files: data, keys, mails, exports.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::Mode;

/// Mode of a data folder.
pub const FOLDER_MODE: u32 = 0o700;
/// Permissions of group and others.
const OTHERS: u32 = 0o077;

/// Sets the umask so that files of this process and its children are readable by their user alone, whichever library
/// creates them.
pub fn by_default() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Creates a data folder and its parents.
///
/// # Errors
/// The system's own.
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Removes the permissions of others from an existing data folder, with a warning.
pub fn close(path: &Path) {
    let closed = fs::metadata(path).and_then(|found| {
        if found.mode() & OTHERS == 0 {
            return Ok(());
        }
        tracing::warn!(
            "the folder {} was readable by other users of this machine: its permissions are now restricted to its owner",
            path.display()
        );
        fs::set_permissions(path, Permissions::from_mode(found.mode() & !OTHERS & 0o7777))
    });
    if let Err(error) = closed {
        tracing::warn!(%error, "cannot restrict the permissions of {} to its owner", path.display());
    }
}
