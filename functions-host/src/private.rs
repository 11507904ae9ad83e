//! Files that nobody but the server's user reads: data, keys, mails, exports.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::Mode;

/// The mode of a folder of data.
pub const FOLDER_MODE: u32 = 0o700;
/// The rights of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Has every file that this process and its children make be readable by its user alone, whichever library makes it.
pub fn by_default() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Creates a folder of data and those above it.
///
/// # Errors
/// The system's own.
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Takes others' rights from a folder of data that has come from elsewhere; a warning says so.
pub fn close(path: &Path) {
    let closed = fs::metadata(path).and_then(|found| {
        if found.mode() & OTHERS == 0 {
            return Ok(());
        }
        tracing::warn!(
            "the data folder {} could be read by other users of this machine: it is now its owner's alone",
            path.display()
        );
        fs::set_permissions(path, Permissions::from_mode(found.mode() & !OTHERS & 0o7777))
    });
    if let Err(error) = closed {
        tracing::warn!(%error, "the rights of others could not be taken from {}", path.display());
    }
}
