//! The data folder, held by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};

use crate::host::private;

/// The folder's lock file; it holds the owner's process id as text, for people.
const LOCK_FILE: &str = "tuckbox.lock";

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
        let unusable = |cause: std::io::Error| {
            Error::new(
                Code::FailedPrecondition,
                "DataDirUnusable",
                format!(
                    "cannot use the data folder {}: {cause}; name another with --data DIR, or use --in-memory",
                    path.display()
                ),
            )
        };
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

/// The outbox's file in the data folder.
const OUTBOX: &str = "outbox.jsonl";

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
}
