//! The lock of a data folder, and the record of its layout.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::files::{FILE_MODE, Files, RealFiles, create_folder};
use crate::model::Ts;
use crate::{Code, Error, Result};

const LOCK: &str = "LOCK";
/// The file with the layout version, written when the folder is made.
pub const FORMAT: &str = "FORMAT";
/// Layout version that is written, of the folder and of every file in it. Version 1 has only a log of format 1.
pub const VERSION: u32 = 2;
/// The oldest layout version that can be read.
const OLDEST_VERSION: u32 = 1;

/// Contents of `FORMAT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FolderFormat {
    /// Layout version; a folder is upgraded when the first file of a newer format is written.
    pub(super) version: u32,
    /// Beginning of the log.
    pub(super) begins: Ts,
}

/// A locked data folder; the operating system releases the lock when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "held for its lock")] File);

/// Locks `folder`, creating it if necessary.
///
/// # Errors
/// `FailedPrecondition` (`FolderInUse`) when another process holds it.
pub(crate) fn take(folder: &Path) -> Result<FolderLock> {
    let unusable = |error: io::Error| {
        let message = format!("cannot use the data folder {}: {error}", folder.display());
        Error::new(Code::FailedPrecondition, "FolderUnusable", message).with_source(error)
    };
    create_folder(folder).map_err(unusable)?;
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(folder.join(LOCK))
        .map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            // The owner is only named in the error message.
            let _ = file.read_to_string(&mut owner);
            let owner = owner.trim();
            let owner = if owner.is_empty() { String::new() } else { format!(" (process {owner})") };
            return Err(Error::new(
                Code::FailedPrecondition,
                "FolderInUse",
                format!(
                    "the data folder {} is in use by another process{owner}: stop it, or name another folder",
                    folder.display()
                ),
            ));
        }
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    // The owner is only informative, and cannot be written on a full disk.
    let _ =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(FolderLock(file))
}

/// Format of the folder. A folder without data is marked as beginning at `start`.
///
/// # Errors
/// `FailedPrecondition` (`FolderFormat`) when the folder has another layout version or is not a data folder.
pub(crate) fn begin<F: Files>(files: &F, start: Ts) -> Result<FolderFormat> {
    let failed = |error: io::Error| {
        Error::new(Code::Unavailable, "FolderFormat", format!("cannot read or write {FORMAT}: {error}"))
            .with_source(error)
    };
    if !files.list("").map_err(failed)?.iter().any(|name| name == FORMAT) {
        return write_format(files, start).map_err(failed);
    }
    let text = String::from_utf8_lossy(&files.read(FORMAT).map_err(failed)?).into_owned();
    let words = text.split_whitespace().collect::<Vec<_>>();
    match words.as_slice() {
        ["tuckbox", version, "begins", micros] => {
            let version = version.parse().ok().filter(|version| (OLDEST_VERSION..=VERSION).contains(version));
            let begins = micros.parse().ok().map(Ts::from_micros);
            let format = version.zip(begins).map(|(version, begins)| FolderFormat { version, begins });
            format.ok_or_else(|| format_error(&text))
        }
        _ => Err(format_error(&text)),
    }
}

/// Marks the folder as one of [`VERSION`] whose log begins at `begins`. Programs that read only older versions then
/// refuse it.
pub(super) fn write_format<F: Files>(files: &F, begins: Ts) -> io::Result<FolderFormat> {
    let text = format!("tuckbox {VERSION} begins {}\n", begins.micros());
    files.replace("", FORMAT, text.as_bytes())?;
    Ok(FolderFormat { version: VERSION, begins })
}

fn format_error(text: &str) -> Error {
    let message = format!(
        "the data folder's {FORMAT} says {:?}; this program reads versions {OLDEST_VERSION} to {VERSION}: use the program \
         that wrote it, or a newer one",
        text.trim()
    );
    Error::new(Code::FailedPrecondition, "FolderFormat", message)
}

/// Files of a real folder.
pub(crate) fn files(folder: &Path) -> RealFiles {
    RealFiles::new(folder)
}
