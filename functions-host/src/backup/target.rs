//! Places that hold backups.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use docstore::Result;

use super::bucket;
use super::encrypted::Encrypted;
use super::folder;
use super::key::BackupKey;

/// A place that holds backups: files by path, with `/` between folders.
pub(crate) trait BackupTarget: fmt::Debug + Send + Sync {
    /// The place, in words.
    fn place(&self) -> &str;
    /// Name of the file of a content with this checksum.
    fn content_name(&self, sha256: &str) -> String {
        sha256.to_owned()
    }
    /// Names in a folder; none if there is no such folder. The root is the empty path.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Length of a file, in bytes.
    fn size(&self, path: &str) -> io::Result<u64>;
    /// Opens a file for reading.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>>;
    /// Begins a file, which has its name and replaces an older one once it is finished.
    fn create(&self, path: &str) -> io::Result<Box<dyn NewFile>>;
    /// Removes a file, durably; a missing one is no error.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Removes a folder without files, if the place knows such.
    fn remove_folder(&self, path: &str) -> io::Result<()>;
    /// Free space, in bytes; `None` if unknown.
    fn free(&self) -> Option<u64>;
    /// The device that it lies on; `None` if it is none of this machine's.
    fn device(&self) -> Option<u64>;
}

/// A file being written. Dropped before it is finished, it is none.
pub(crate) trait NewFile {
    /// Appends bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes the file durable under its name.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The use of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Backups are written. The place is made ready for them.
    Write,
    /// Backups are read, and their place may be on a disk that cannot be written.
    Read,
    /// Copies of the log are read, which a server may write meanwhile.
    ReadCopies,
}

/// A place that was named in a folder: a folder is relative to it, the address of a bucket is not.
pub(crate) fn resolved(named: &Path, folder: &Path) -> PathBuf {
    if bucket::is_address(named) { named.to_owned() } else { folder.join(named) }
}

/// Opens the place that `named` names, a folder or a bucket. Its backups are encrypted if there is a `key`.
///
/// # Errors
/// `FailedPrecondition`: the place cannot be used, holds something else, is in use, or needs another key or none;
/// `InvalidArgument` for the address of no bucket.
pub(crate) fn open_target(
    named: &Path,
    purpose: Purpose,
    key: Option<BackupKey>,
) -> Result<Box<dyn BackupTarget>> {
    if bucket::is_address(named) {
        return Ok(encrypted(bucket::open(&named.to_string_lossy(), purpose, key.as_ref())?, key));
    }
    Ok(encrypted(folder::open(named, purpose, key.as_ref())?, key))
}

fn encrypted(target: impl BackupTarget + 'static, key: Option<BackupKey>) -> Box<dyn BackupTarget> {
    match key {
        Some(key) => Box::new(Encrypted::new(target, key)),
        None => Box::new(target),
    }
}
