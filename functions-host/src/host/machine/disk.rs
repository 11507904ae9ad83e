//! Room on a disk.

use std::io;
use std::path::Path;

/// Bytes that are free for this program on the disk of a folder.
///
/// # Errors
/// The folder does not exist or cannot be asked about.
pub(crate) fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
