//! The data folder, held by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use docstore::engine::{Files as _, RealFiles};
use docstore::{Code, Error, Result};

use crate::host::private;

/// The folder's lock file; it holds the owner's process id as text, for people.
const LOCK_FILE: &str = "tuckbox.lock";

/// The file of mails that the mail server has not taken yet.
const MAIL_QUEUE: &str = "mail-queue.jsonl";
/// The outbox's file.
pub(crate) const OUTBOX: &str = "outbox.jsonl";

/// Folder of the token signing keys.
pub(crate) const KEYS: &str = "keys";

/// The file that marks a folder into which a restore is not complete.
const RESTORING: &str = "RESTORING";

/// A folder that a new disk has.
const LOST_AND_FOUND: &str = "lost+found";

/// A data folder locked by this process while this value lives. The operating system releases the lock when the process
/// dies, in whatever way.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Creates the folder if it is missing, and locks it.
    ///
    /// # Errors
    /// [`Code::FailedPrecondition`] `DataDirLocked` if another server has it; `DataDirUnusable` if it cannot be created
    /// or written.
    pub fn take(path: &Path) -> Result<Self> {
        let taken = Self::lock(path)?;
        if path.join(RESTORING).exists() {
            let message = format!(
                "a restore into the data folder {} was interrupted: run `tuckbox restore` again",
                path.display()
            );
            return Err(Error::new(Code::FailedPrecondition, "RestoreInterrupted", message));
        }
        Ok(taken)
    }

    /// Locks a folder that is empty or not there, and marks it: it cannot be taken until [`Self::restored`]. Removes what an
    /// interrupted restore has left in it.
    ///
    /// # Errors
    /// [`Code::FailedPrecondition`]: `DataDirNotEmpty`, and as of [`Self::take`].
    pub(crate) fn take_empty(path: &Path) -> Result<Self> {
        // Nothing of a folder of other things is changed.
        refuse_filled(path)?;
        let taken = Self::lock(path)?;
        if path.join(RESTORING).exists() {
            taken.clear()?;
        }
        // Something may have come meanwhile.
        refuse_filled(path)?;
        RealFiles::new(path)
            .replace("", RESTORING, b"A restore into this folder is not complete.\n")
            .map_err(|cause| unusable(path, cause))?;
        Ok(taken)
    }

    /// Removes everything from a folder of an incomplete restore, the mark last.
    ///
    /// # Errors
    /// `DataDirUnusable`.
    pub(crate) fn clear(&self) -> Result<()> {
        let remove = || -> std::io::Result<()> {
            for entry in entries(&self.path)?.into_iter().filter(|entry| entry.file_name() != RESTORING) {
                if entry.file_type()?.is_dir() {
                    std::fs::remove_dir_all(entry.path())?;
                } else {
                    std::fs::remove_file(entry.path())?;
                }
            }
            RealFiles::new(&self.path).remove(RESTORING)
        };
        remove().map_err(|cause| unusable(&self.path, cause))
    }

    /// Takes the mark away: the restore is complete and durable.
    ///
    /// # Errors
    /// `DataDirUnusable`.
    pub(crate) fn restored(&self) -> Result<()> {
        let files = RealFiles::new(&self.path);
        let done =
            files.sync_folder("").and_then(|()| files.remove(RESTORING)).and_then(|()| files.sync_folder(""));
        done.map_err(|cause| unusable(&self.path, cause))
    }

    fn lock(path: &Path) -> Result<Self> {
        let unusable = |cause| unusable(path, cause);
        private::create_folder(path).map_err(unusable)?;
        private::close(path);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path.join(LOCK_FILE));
        let mut file = file.map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(path, &mut file)),
            Err(TryLockError::Error(cause)) => return Err(unusable(cause)),
        }
        // The process id is only information for people, and a full disk cannot take it.
        let _unwritten = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { path: path.to_path_buf(), _lock: file })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The entries of a data folder, apart from the lock.
fn entries(path: &Path) -> std::io::Result<Vec<std::fs::DirEntry>> {
    let entries = path.read_dir()?.collect::<std::io::Result<Vec<_>>>()?;
    let usual =
        |entry: &std::fs::DirEntry| [LOCK_FILE, LOST_AND_FOUND].iter().any(|name| entry.file_name() == *name);
    Ok(entries.into_iter().filter(|entry| !usual(entry)).collect())
}

/// # Errors
/// `DataDirNotEmpty` if a folder has entries and not the mark of a restore.
fn refuse_filled(path: &Path) -> Result<()> {
    // One that cannot be read is refused when it is locked.
    if path.join(RESTORING).exists() || entries(path).map_or(true, |entries| entries.is_empty()) {
        return Ok(());
    }
    let message = format!(
        "the data folder {} is not empty, and a restore replaces nothing: move what is in it to another place, or name another folder with --into DATA",
        path.display()
    );
    Err(Error::new(Code::FailedPrecondition, "DataDirNotEmpty", message))
}

/// Error of a data folder that cannot be read or written, with the system's reason.
pub(crate) fn unusable(path: &Path, cause: std::io::Error) -> Error {
    let message = format!(
        "cannot use the data folder {}: {cause}; name another with --data DIR, or use --in-memory",
        path.display()
    );
    Error::new(Code::FailedPrecondition, "DataDirUnusable", message).with_source(cause)
}

fn locked(path: &Path, file: &mut File) -> Error {
    let mut owner = String::new();
    let owner = match file.read_to_string(&mut owner) {
        Ok(_) if !owner.trim().is_empty() => format!(" (process {})", owner.trim()),
        Ok(_) | Err(_) => String::new(),
    };
    Error::new(
        Code::FailedPrecondition,
        "DataDirLocked",
        format!(
            "the data folder {} is in use by another tuckbox{owner}; stop that one, or name another folder with --data DIR",
            path.display()
        ),
    )
}

/// The queue of mails of a data folder.
pub(crate) fn mail_queue_file(data_dir: &Path) -> PathBuf {
    data_dir.join(MAIL_QUEUE)
}

/// The outbox of a data folder.
pub(crate) fn outbox_file(data_dir: &Path) -> PathBuf {
    data_dir.join(OUTBOX)
}

#[cfg(test)]
mod tests {
    use super::DataDir;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        let first = DataDir::take(&path).unwrap();
        let error = DataDir::take(&path).unwrap_err();
        assert_eq!(error.tag(), "DataDirLocked");
        assert!(error.message().contains(&std::process::id().to_string()), "{error}");
        drop(first);
        DataDir::take(&path).unwrap();
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "x").unwrap();
        assert_eq!(DataDir::take(&path).unwrap_err().tag(), "DataDirUnusable");
    }

    #[test]
    fn a_refused_restore_changes_nothing_of_a_folder() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        std::fs::write(path.join("thesis.txt"), "x").unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(DataDir::take_empty(path).unwrap_err().tag(), "DataDirNotEmpty");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(path.read_dir().unwrap().count(), 1);
    }
}
