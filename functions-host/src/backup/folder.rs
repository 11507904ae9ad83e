//! Backups in a folder, readable by the server's user alone.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use docstore::Result;
use docstore::engine::{AppendFile, Files, RealFiles};

use super::key::BackupKey;
use super::mark::{MARK, busy, check_mark, mark_text, no_backups, taken};
use super::target::{BackupTarget, NewFile, Purpose};
use super::{room, unusable};
use crate::host::private;

/// The file that is locked while backups are written or read.
const LOCK: &str = "LOCK";
/// Ending of the name of a file that is not finished.
pub(super) const UNFINISHED: &str = ".new";

/// A folder of backups.
#[derive(Debug)]
pub(super) struct FolderTarget<F: Files> {
    files: Arc<F>,
    place: String,
    device: Option<u64>,
    _lock: Option<File>,
}

/// Opens a folder, and locks it while the value lives.
///
/// # Errors
/// `FailedPrecondition`: `BackupFolderTaken` if the folder holds something else, `BackupBusy` if another process has it,
/// `BackupKey` if its backups are encrypted with another key than `key`, or one of them is not; `BackupUnusable`; `NotFound`
/// (`NoBackups`).
pub(super) fn open(
    path: &Path,
    purpose: Purpose,
    key: Option<&BackupKey>,
) -> Result<FolderTarget<RealFiles>> {
    let place = path.display().to_string();
    let failed = |cause| unusable(&place, cause);
    let marked = path.join(MARK).exists();
    let reads = purpose != Purpose::Write;
    if reads && !marked {
        return Err(no_backups(&place));
    }
    if !reads && !marked {
        private::create_folder(path).map_err(failed)?;
        let mut names = path.read_dir().map_err(failed)?.flatten().map(|entry| entry.file_name());
        // An interrupted first backup may have left these, and a new disk has its own.
        let usual = |name: &std::ffi::OsStr| {
            name == LOCK || name == "lost+found" || name.to_string_lossy() == format!("{MARK}{UNFINISHED}")
        };
        if !names.all(|name| usual(&name)) {
            return Err(taken(&place));
        }
    }
    if !reads {
        private::close(path);
    }
    let lock = lock(path, purpose).map_err(|error| match error {
        TryLockError::WouldBlock => busy(&place),
        TryLockError::Error(cause) => failed(cause),
    })?;
    let (files, device) = (Arc::new(RealFiles::new(path)), room::device(path));
    let target = FolderTarget { files, place: place.clone(), device, _lock: lock };
    if marked {
        let text = String::from_utf8_lossy(&target.files.read(MARK).map_err(failed)?).into_owned();
        check_mark(&text, &place, key)?;
    } else {
        target.mark(key).map_err(failed)?;
    }
    Ok(target)
}

/// `None` for copies of the log, and if the folder cannot be written, so that nobody writes to it.
fn lock(path: &Path, purpose: Purpose) -> Result<Option<File>, TryLockError> {
    if purpose == Purpose::ReadCopies {
        return Ok(None);
    }
    let writes = purpose == Purpose::Write;
    let opened =
        OpenOptions::new().read(true).write(writes).create(writes).truncate(false).open(path.join(LOCK));
    let file = match opened {
        Ok(file) => file,
        Err(_) if !writes => return Ok(None),
        Err(cause) => return Err(TryLockError::Error(cause)),
    };
    if writes {
        file.try_lock()?;
    } else {
        file.try_lock_shared()?;
    }
    Ok(Some(file))
}

impl<F: Files> FolderTarget<F> {
    /// Backups in a test's files.
    #[cfg(test)]
    pub(super) fn over(files: F) -> Self {
        Self { files: Arc::new(files), place: "the test".to_owned(), device: None, _lock: None }
    }

    pub(super) fn mark(&self, key: Option<&BackupKey>) -> io::Result<()> {
        self.files.replace("", MARK, mark_text(key).as_bytes())
    }
}

/// The folder that a path lies in.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl<F: Files> BackupTarget for FolderTarget<F> {
    fn place(&self) -> &str {
        &self.place
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<u64> {
        self.files.size(path)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        self.files.open(path)
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn NewFile>> {
        let fresh = format!("{path}{UNFINISHED}");
        self.files.remove(&fresh)?;
        let file = self.files.create(&fresh)?;
        Ok(Box::new(Unfinished { files: Arc::clone(&self.files), path: path.to_owned(), file: Some(file) }))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.files.remove(path)?;
        self.files.sync_folder(parent(path))
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.files.remove_folder(path)
    }

    fn free(&self) -> Option<u64> {
        self.files.free()
    }

    fn device(&self) -> Option<u64> {
        self.device
    }
}

/// A file under another name, until it is finished.
struct Unfinished<F: Files> {
    files: Arc<F>,
    path: String,
    file: Option<F::File>,
}

impl<F: Files> NewFile for Unfinished<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write(bytes))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if let Some(mut file) = self.file.take()
            && let Err(error) = file.sync()
        {
            self.file = Some(file);
            return Err(error);
        }
        self.files.rename(&format!("{}{UNFINISHED}", self.path), &self.path)?;
        self.files.sync_folder(parent(&self.path))
    }
}

impl<F: Files> Drop for Unfinished<F> {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // It only takes up space, and the next backup removes it.
            let _left = self.files.remove(&format!("{}{UNFINISHED}", self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_of_backups_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/backups");
        let target = open(&path, Purpose::Write, None).unwrap();
        let mut file = target.create("contents/ab/x").unwrap();
        file.write(b"x").unwrap();
        file.finish().unwrap();
        for (name, expected) in [
            ("", 0o700),
            ("contents", 0o700),
            ("contents/ab", 0o700),
            ("contents/ab/x", 0o600),
            (MARK, 0o600),
        ] {
            assert_eq!(mode(&path.join(name)), expected, "{name}");
        }
        drop(target);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        open(&path, Purpose::Write, None).unwrap();
        assert_eq!(mode(&path), 0o700);
    }

    #[test]
    fn a_folder_of_other_things_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("thesis.txt"), "x").unwrap();
        assert_eq!(open(folder.path(), Purpose::Write, None).unwrap_err().tag(), "BackupFolderTaken");
        assert_eq!(open(folder.path(), Purpose::Read, None).unwrap_err().tag(), "NoBackups");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn one_writes_at_a_time_and_several_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("backups");
        let writer = open(&path, Purpose::Write, None).unwrap();
        for purpose in [Purpose::Write, Purpose::Read] {
            assert_eq!(open(&path, purpose, None).unwrap_err().tag(), "BackupBusy");
        }
        drop(writer);
        let _readers = [open(&path, Purpose::Read, None).unwrap(), open(&path, Purpose::Read, None).unwrap()];
        assert_eq!(open(&path, Purpose::Write, None).unwrap_err().tag(), "BackupBusy");
    }

    #[test]
    fn an_unfinished_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let target = open(&folder.path().join("backups"), Purpose::Write, None).unwrap();
        let mut file = target.create("x").unwrap();
        file.write(b"x").unwrap();
        drop(file);
        assert_eq!(target.list("").unwrap().iter().filter(|name| name.starts_with('x')).count(), 0);
    }
}
