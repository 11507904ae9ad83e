//! The program that exports a project for print, tabletops and printers without a browser.
//!
//! It is the client's own (`client/src/headless`): the same layout and the same painter, run by Node. It is
//! part of the built-in application and is extracted to a temporary folder for each run, which holds its temporary
//! files too. The folder is locked meanwhile, so that [`sweep`] can tell an abandoned one from one in use.

use std::fs::File;
use std::path::{Path, PathBuf};

use docstore::{Code, Error, Result};
use tempfile::TempDir;
use tokio::process::Command;

use crate::hosting;

/// The program, in the built-in application.
const PROGRAM: &str = "headless/export-deck.mjs";

/// Folders of the built-in application needed by the program.
const FOLDERS: [&str; 2] = ["headless/", "fonts/"];

/// Name prefix of the program's folders.
const FOLDER: &str = "tuckbox-export-";

/// Subfolder for the program's temporary files.
const TEMPORARY: &str = "tmp";

/// The program in a temporary folder, which is deleted with this value.
#[derive(Debug)]
pub(crate) struct Program {
    folder: TempDir,
    /// Marks the folder as in use.
    _lock: File,
}

impl Program {
    /// Extracts the program and its files. Blocks meanwhile.
    ///
    /// # Errors
    /// The client is not built, or the disk is full.
    pub(crate) fn lay_down() -> Result<Self> {
        let program = Self::empty(&std::env::temp_dir())?;
        lay_down(program.folder.path())?;
        Ok(program)
    }

    /// The folder without the program.
    pub(crate) fn empty(place: &Path) -> Result<Self> {
        let no_folder = |error| Error::internal("NoFolder", "cannot make a temporary folder", error);
        let folder = tempfile::Builder::new().prefix(FOLDER).tempdir_in(place).map_err(no_folder)?;
        let lock = File::open(folder.path()).map_err(no_folder)?;
        lock.lock().map_err(no_folder)?;
        std::fs::create_dir(folder.path().join(TEMPORARY)).map_err(no_folder)?;
        Ok(Self { folder, _lock: lock })
    }

    /// Folder for the program's temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join(TEMPORARY)
    }

    /// Node with further options and the program; it is killed when the handle is dropped.
    pub(crate) fn command<'a>(&self, options: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new("node");
        let program = self.folder.path().join(PROGRAM);
        command.args(options).arg(program).env("TMPDIR", self.temporary()).kill_on_drop(true);
        command
    }
}

/// Deletes the folders of programs that were killed before they could. Blocks meanwhile.
pub(crate) fn sweep(place: &Path) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(FOLDER));
        // A link is not followed: its target is not ours.
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        let Ok(folder) = File::open(&path) else { continue };
        if folder.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(&path)
        {
            tracing::warn!("cannot remove {}, which an export left behind: {error}", path.display());
        }
    }
}

/// Node could not be started.
pub(crate) fn no_node(error: std::io::Error) -> Error {
    Error::internal("NoNode", "cannot run node: install Node.js 20 or newer", error)
}

/// Extracts the program and its files into a folder.
fn lay_down(folder: &Path) -> Result<()> {
    let mut found = false;
    for prefix in FOLDERS {
        for (path, content) in hosting::application_files(prefix) {
            let file = folder.join(&path);
            found |= path == PROGRAM;
            let write = || {
                file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                std::fs::write(&file, &content)
            };
            write().map_err(|error| Error::internal("CannotWrite", format!("cannot write {path}"), error))?;
        }
    }
    if found {
        Ok(())
    } else {
        Err(Error::new(
            Code::FailedPrecondition,
            "NotBuilt",
            "the application is not built in: run `npm run build` in client/, and build the server again after it",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, sweep};

    #[test]
    fn folders_left_behind_are_swept_and_those_in_use_stay() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let used = Program::empty(place.path()).unwrap();
        std::fs::create_dir_all(at("tuckbox-export-left/tmp")).unwrap();
        std::fs::write(at("tuckbox-export-left/tmp/half.pdf"), "half").unwrap();
        std::fs::create_dir(at("other")).unwrap();
        std::os::unix::fs::symlink(at("other"), at("tuckbox-export-link")).unwrap();
        sweep(place.path());
        assert!(!at("tuckbox-export-left").exists());
        assert!(at("other").exists() && at("tuckbox-export-link").exists() && used.temporary().exists());
        drop(used);
        sweep(place.path());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
