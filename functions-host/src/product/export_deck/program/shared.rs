//! The program's files on disk: one copy per version, shared by all runs.
//!
//! A copy is a folder named after the hash of its files. It is written under another name and renamed, so that a copy
//! that exists is whole. Each process compares a copy with its own files once, and again before a run if a size or a time
//! has changed; a copy that differs is replaced. A run holds a shared lock on its copy, which [`sweep`] respects.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use crate::host::private::FOLDER_MODE;
use crate::hosting::Embedded;

/// Name prefix of copies.
const PREFIX: &str = "tuckbox-program-";

/// Attempts to open a copy while other processes replace or sweep it.
const ATTEMPTS: usize = 20;

/// Write permissions of group and others.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Files by their paths, which are relative and have no `..`.
pub(super) type Files = BTreeMap<String, Embedded>;

/// A copy in use: it is not swept while this value lives.
#[derive(Debug)]
pub(super) struct SharedCopy {
    folder: PathBuf,
    _lock: File,
}

/// Size, time and inode of each file of a copy that was compared with this process's files.
type Stamps = BTreeMap<String, (u64, i64, i64, u64)>;

/// Copies that this process has compared.
static COMPARED: Mutex<BTreeMap<PathBuf, Stamps>> = Mutex::new(BTreeMap::new());

impl SharedCopy {
    /// Opens the copy of `files` in `place`, and writes it if it is missing or differs. Blocks meanwhile.
    ///
    /// # Errors
    /// The disk is full, or the copy belongs to somebody else.
    pub(super) fn open(place: &Path, files: &Files) -> Result<Self> {
        let folder = place.join(format!("{PREFIX}{}", version(files)));
        std::fs::create_dir_all(place).map_err(|error| cannot_write(place, error))?;
        let mut written = false;
        for _ in 0..ATTEMPTS {
            if let Some(lock) = lock(&folder)? {
                if intact(&folder, files) {
                    if written {
                        sweep(place, Some(&folder));
                    }
                    return Ok(Self { folder, _lock: lock });
                }
                tracing::warn!("{} differs from this version's files and is replaced", folder.display());
                set_aside(place, &folder).map_err(|error| cannot_write(&folder, error))?;
            }
            match write(place, &folder, files) {
                Ok(()) => written = true,
                // Another process swept the unfinished copy before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound && place.exists() => {}
                Err(error) => return Err(cannot_write(&folder, error)),
            }
        }
        Err(Error::new(
            Code::Unavailable,
            "ProgramCopy",
            format!("{} is changed by another process all the time", folder.display()),
        ))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Deletes the copies that no process uses, but for `kept`. Blocks meanwhile.
pub(super) fn sweep(place: &Path, kept: Option<&Path>) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // A link is not followed: its target is not ours.
        if !ours || Some(path.as_path()) == kept || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(folder) = File::open(&path) else { continue };
        if folder.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(&path)
        {
            tracing::warn!("cannot remove {}, an unused copy of the export program: {error}", path.display());
        }
    }
}

fn cannot_write(path: &Path, error: io::Error) -> Error {
    Error::internal("CannotWrite", format!("cannot write {}", path.display()), error)
}

/// Hash of all paths and bytes.
fn version(files: &Files) -> String {
    let mut hash = Sha256::new();
    for (path, file) in files {
        hash.update(path);
        hash.update([0]);
        hash.update(file.hash);
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Locks a copy against sweeping; `None` if there is none.
fn lock(folder: &Path) -> Result<Option<File>> {
    let found = match folder.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot_write(folder, error)),
    };
    let owned = found.is_dir()
        && found.uid() == rustix::process::geteuid().as_raw()
        && found.mode() & WRITABLE_BY_OTHERS == 0;
    if !owned {
        let message = format!(
            "{} could be changed by other users of this machine: remove it, or set TMPDIR to a folder of your own",
            folder.display()
        );
        return Err(Error::new(Code::FailedPrecondition, "ProgramCopy", message));
    }
    let lock = File::open(folder).and_then(|lock| lock.lock_shared().map(|()| lock));
    // It may have been swept or replaced before it was locked.
    Ok(lock.ok().filter(|lock| {
        let same = |at: &Metadata, held: &Metadata| (at.dev(), at.ino()) == (held.dev(), held.ino());
        lock.metadata().is_ok_and(|held| folder.symlink_metadata().is_ok_and(|at| same(&at, &held)))
    }))
}

/// True if a copy has the files with their bytes.
fn intact(folder: &Path, files: &Files) -> bool {
    let compared = COMPARED.lock().get(folder).cloned();
    // Another process may have swept the copy and written it again.
    if compared.is_some() && stamps(folder, files) == compared {
        return true;
    }
    let equal = files.iter().all(|(path, file)| {
        file.content()
            .is_ok_and(|content| std::fs::read(folder.join(path)).is_ok_and(|found| found == *content))
    });
    if let Some(stamps) = stamps(folder, files).filter(|_| equal) {
        COMPARED.lock().insert(folder.to_owned(), stamps);
    }
    equal
}

fn stamps(folder: &Path, files: &Files) -> Option<Stamps> {
    let stamp = |path: &String| {
        let found = folder.join(path).symlink_metadata().ok()?;
        Some((path.clone(), (found.len(), found.mtime(), found.mtime_nsec(), found.ino())))
    };
    files.keys().map(stamp).collect()
}

/// Writes a copy, unless another process is faster.
fn write(place: &Path, folder: &Path, files: &Files) -> io::Result<()> {
    let new = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
    let lock = File::open(new.path())?;
    lock.lock()?;
    for (path, file) in files {
        let at = new.path().join(path);
        if let Some(parent) = at.parent() {
            std::fs::DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(parent)?;
        }
        std::fs::write(&at, &*file.content().map_err(io::Error::other)?)?;
    }
    match std::fs::rename(new.path(), folder) {
        Ok(()) => {
            let _ = new.keep();
            Ok(())
        }
        // That of another process is compared next.
        Err(_) if folder.exists() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Renames a copy that differs, for the sweep; programs that use it keep it.
fn set_aside(place: &Path, folder: &Path) -> io::Result<()> {
    COMPARED.lock().remove(folder);
    let aside = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?.keep();
    std::fs::rename(folder, aside)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn files(main: &'static [u8]) -> Files {
        let file = |path: &str, bytes| (path.to_owned(), Embedded::whole(bytes));
        Files::from([file("headless/main.mjs", main), file("headless/skia.node", b"fox")])
    }

    fn copies(place: &Path) -> usize {
        std::fs::read_dir(place).unwrap().count()
    }

    #[test]
    fn runs_of_one_version_share_one_copy() {
        let place = tempfile::tempdir().unwrap();
        let first = SharedCopy::open(place.path(), &files(b"one")).unwrap();
        let second = SharedCopy::open(place.path(), &files(b"one")).unwrap();
        assert_eq!(first.folder(), second.folder());
        assert_eq!(copies(place.path()), 1);
        let read = |path: &str| std::fs::read(first.folder().join(path)).unwrap();
        assert_eq!(read("headless/main.mjs"), b"one");
        assert_eq!(read("headless/skia.node"), b"fox");
    }

    #[test]
    fn older_versions_are_swept_once_nothing_uses_them() {
        let place = tempfile::tempdir().unwrap();
        let old = SharedCopy::open(place.path(), &files(b"old")).unwrap();
        let new = SharedCopy::open(place.path(), &files(b"new")).unwrap();
        assert!(old.folder().join("headless/main.mjs").exists());
        let path = old.folder().to_owned();
        drop(old);
        sweep(place.path(), Some(new.folder()));
        assert!(!path.exists() && new.folder().exists());
    }

    #[test]
    fn a_copy_that_differs_is_replaced_before_it_runs() {
        let place = tempfile::tempdir().unwrap();
        let used = SharedCopy::open(place.path(), &files(b"one")).unwrap();
        let main = used.folder().join("headless/main.mjs");
        for damage in [&b"two"[..], b"", b"longer"] {
            std::fs::write(&main, damage).unwrap();
            // Both for a process that has compared it before, and for a new one.
            for known in [true, false] {
                if !known {
                    COMPARED.lock().remove(used.folder());
                    std::fs::write(&main, damage).unwrap();
                }
                let copy = SharedCopy::open(place.path(), &files(b"one")).unwrap();
                assert_eq!(std::fs::read(copy.folder().join("headless/main.mjs")).unwrap(), b"one");
            }
        }
        std::fs::remove_file(&main).unwrap();
        assert!(SharedCopy::open(place.path(), &files(b"one")).is_ok() && main.exists());
        drop(used);
        sweep(place.path(), None);
        assert_eq!(copies(place.path()), 0);
    }

    #[test]
    fn copies_are_opened_swept_and_replaced_at_once() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for main in [&b"one"[..], b"two", b"one"] {
                let place = place.path();
                scope.spawn(move || {
                    for _ in 0..40 {
                        let copy = SharedCopy::open(place, &files(main)).unwrap();
                        assert_eq!(std::fs::read(copy.folder().join("headless/main.mjs")).unwrap(), main);
                    }
                });
            }
        });
    }

    #[test]
    fn what_others_may_write_is_not_run() {
        let place = tempfile::tempdir().unwrap();
        let folder = SharedCopy::open(place.path(), &files(b"one")).unwrap().folder().to_owned();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
        let error = SharedCopy::open(place.path(), &files(b"one")).unwrap_err();
        assert!(error.message().contains("other users"), "{error}");
        let away = place.path().join("away");
        std::fs::rename(&folder, &away).unwrap();
        std::os::unix::fs::symlink(&away, &folder).unwrap();
        assert!(SharedCopy::open(place.path(), &files(b"one")).is_err());
    }
}
