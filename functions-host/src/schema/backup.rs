//! The copy of the documents' folder that is made before an upgrade.
//!
//! A copy of the files, while no store has them open: it does not depend on the form of what is in them, and to go back,
//! it is put in the place of the folder. File systems that share blocks between files (Btrfs, XFS) take no room for it.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};

use crate::host::blocking::{Abandoned, blocking};
use crate::host::machine::disk::free;
use crate::host::private;

/// Room that must be left on the disk, in bytes: the store refuses commits with less.
const KEPT_FREE: u64 = 128 << 20;

/// The store's reserve of room, which need not be copied.
const RESERVE: &str = "RESERVE";

/// Beginning of the names of copies.
pub(super) const PREFIX: &str = "documents-";

/// Ending of the name of a copy that is not complete.
const PARTIAL: &str = "partial";

/// Bytes copied before it is seen whether the copy is still wanted.
const PIECE: u64 = 8 << 20;

/// Copies the folder `from` to `name` in the folder `place`. If the future is dropped, the copy ends soon and is replaced by
/// the next one.
///
/// # Errors
/// `FailedPrecondition`: `NoRoomForBackup`, or `BackupFailed` with the system's reason.
pub(super) async fn run(from: PathBuf, place: PathBuf, name: String) -> Result<()> {
    blocking(move |abandoned| copy(&from, &place, &name, abandoned)).await
}

fn copy(from: &Path, place: &Path, name: &str, abandoned: &Abandoned) -> Result<()> {
    let to = place.join(name);
    let failed = |cause: io::Error| {
        Error::new(
            Code::FailedPrecondition,
            "BackupFailed",
            format!(
                "the documents must be upgraded, and the copy before that could not be written to {}: {cause}. Name another folder with `tuckbox migrate --backup DIR`, or run `tuckbox migrate --no-backup` if you have a backup",
                to.display()
            ),
        )
    };
    private::create_folder(place).map_err(failed)?;
    // The upgrade writes everything once more.
    let size = size_of(from).map_err(failed)?;
    let together = same_disk(from, place).map_err(failed)?;
    has_room(place, free(place).map_err(failed)?, if together { size * 2 } else { size })?;
    has_room(from, free(from).map_err(failed)?, size)?;
    tracing::info!("copying the documents ({} MiB) to {} before their upgrade", mib(size), to.display());
    let partial = to.with_extension(PARTIAL);
    remove_interrupted(place).map_err(failed)?;
    copy_folder(from, &partial, abandoned).map_err(failed)?;
    fs::rename(&partial, &to).map_err(failed)?;
    sync(place).map_err(failed)
}

fn has_room(folder: &Path, free: u64, wanted: u64) -> Result<()> {
    let wanted = wanted + KEPT_FREE;
    if free >= wanted {
        return Ok(());
    }
    let message = format!(
        "the documents must be upgraded, and there is no room for a copy of them and for the upgrade: {} MiB are needed on the disk of {}, and {} MiB are free. Free some; or name a folder on another disk with `tuckbox migrate --backup DIR`; or run `tuckbox migrate --no-backup` if you have a backup",
        mib(wanted),
        folder.display(),
        mib(free)
    );
    Err(Error::new(Code::FailedPrecondition, "NoRoomForBackup", message))
}

const fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

fn same_disk(a: &Path, b: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(fs::metadata(a)?.dev() == fs::metadata(b)?.dev())
}

fn size_of(folder: &Path) -> io::Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        size += if found.is_dir() { size_of(&entry.path())? } else { found.len() };
    }
    Ok(size)
}

/// Removes copies that were interrupted.
fn remove_interrupted(place: &Path) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && path.extension().is_some_and(|it| it == PARTIAL)
        {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

/// Copies a folder durably.
fn copy_folder(from: &Path, to: &Path, abandoned: &Abandoned) -> io::Result<()> {
    private::create_folder(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target, abandoned)?;
        } else if entry.file_name() != RESERVE {
            copy_file(&entry.path(), &target, abandoned)?;
        }
    }
    sync(to)
}

/// Copies a file durably, piece by piece.
fn copy_file(from: &Path, to: &Path, abandoned: &Abandoned) -> io::Result<()> {
    let (source, mut target) = (File::open(from)?, File::create(to)?);
    loop {
        if abandoned.is_set() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "the server is stopping"));
        }
        if io::copy(&mut (&source).take(PIECE), &mut target)? == 0 {
            return target.sync_all();
        }
    }
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::blocking::Waiting;

    #[test]
    fn a_copy_is_complete_and_one_that_was_interrupted_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (from, place) = (folder.path().join("documents"), folder.path().join("backups/deep"));
        fs::create_dir_all(from.join("log")).unwrap();
        for (name, text) in [("log/1", "one"), ("view", "two"), (RESERVE, "room")] {
            fs::write(from.join(name), text).unwrap();
        }
        fs::create_dir_all(place.join("documents-0.partial")).unwrap();
        fs::write(place.join("documents-0.partial/old"), "old").unwrap();
        copy(&from, &place, "documents-1", &Abandoned::default()).unwrap();
        let to = place.join("documents-1");
        assert_eq!(fs::read(to.join("log/1")).unwrap(), b"one");
        assert_eq!(fs::read(to.join("view")).unwrap(), b"two");
        let names = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!((names(&to), names(&place), names(&from)), (2, 1, 3));
    }

    #[test]
    fn a_copy_that_nobody_waits_for_ends_before_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let (from, place) = (folder.path().join("documents"), folder.path().join("backups"));
        fs::create_dir_all(&from).unwrap();
        fs::write(from.join("view"), "two").unwrap();
        let abandoned = Waiting::default().abandoned();
        let error = copy(&from, &place, "documents-1", &abandoned).unwrap_err();
        assert!(error.message().contains("stopping"), "{error}");
        assert!(!place.join("documents-1").exists());
    }

    #[test]
    fn without_room_the_ways_out_are_named() {
        let needed = 7 << 20;
        has_room(Path::new("/data"), KEPT_FREE + needed, needed).unwrap();
        let error = has_room(Path::new("/data"), KEPT_FREE + needed - 1, needed).unwrap_err();
        assert_eq!(error.tag(), "NoRoomForBackup");
        for named in ["/data", "135 MiB", "--backup DIR", "--no-backup"] {
            assert!(error.message().contains(named), "{error}");
        }
    }
}
