//! The program that exports a project for print, tabletops and printers without a browser.
//!
//! It is the client's own (`client/src/headless`): the same layout and the same painter, run by Node. It is
//! part of the built-in application; all runs share one copy of it on disk ([`shared`]). Each run has a folder for its
//! temporary files, which is locked meanwhile, so that [`sweep`] can tell an abandoned one from one in use.

mod shared;

use std::fs::File;
use std::path::Path;

use docstore::{Code, Error, Result};
use tempfile::TempDir;
use tokio::process::Command;

use self::shared::SharedCopy;
use crate::hosting;

/// The program, in the built-in application.
const PROGRAM: &str = "headless/export-deck.mjs";

/// Folders of the built-in application needed by the program.
const FOLDERS: [&str; 2] = ["headless/", "fonts/"];

/// Name prefix of the folders of runs.
const FOLDER: &str = "tuckbox-export-";

/// The program, ready for one run: the shared copy, and a temporary folder that is deleted with this value.
#[derive(Debug)]
pub(crate) struct Program {
    copy: SharedCopy,
    run: RunFolder,
}

impl Program {
    /// Prepares a run. `copies` is the folder of the shared copies. Blocks meanwhile.
    ///
    /// # Errors
    /// The client is not built, or the disk is full.
    pub(crate) fn prepare(copies: &Path) -> Result<Self> {
        Ok(Self {
            copy: SharedCopy::open(copies, &files()?)?,
            run: RunFolder::create(&std::env::temp_dir())?,
        })
    }

    /// Node with further options and the program; it is killed when the handle is dropped. Its environment has its own
    /// folder for temporary files.
    pub(crate) fn command<'a>(&self, options: impl IntoIterator<Item = &'a str>) -> Command {
        self.command_of(PROGRAM, options)
    }

    /// The same with another program of the built-in application, by its path in it.
    pub(crate) fn command_of<'a>(
        &self,
        program: &str,
        options: impl IntoIterator<Item = &'a str>,
    ) -> Command {
        let mut command = Command::new("node");
        let program = self.copy.folder().join(program);
        command.args(options).arg(program).env("TMPDIR", self.temporary()).kill_on_drop(true);
        command.envs(hosting::font_pack_environment());
        command
    }

    /// Folder for the program's temporary files.
    pub(crate) fn temporary(&self) -> &Path {
        self.run.folder.path()
    }
}

/// Folder of one run, which is deleted with this value.
#[derive(Debug)]
struct RunFolder {
    folder: TempDir,
    /// Marks the folder as in use.
    _lock: File,
}

impl RunFolder {
    fn create(place: &Path) -> Result<Self> {
        let no_folder = |error| Error::internal("NoFolder", "cannot make a temporary folder", error);
        let folder = tempfile::Builder::new().prefix(FOLDER).tempdir_in(place).map_err(no_folder)?;
        let lock = File::open(folder.path()).map_err(no_folder)?;
        lock.lock().map_err(no_folder)?;
        Ok(Self { folder, _lock: lock })
    }
}

/// Deletes unused copies of the program in `copies` and the folders of runs that were killed before they could. Blocks
/// meanwhile.
pub(crate) fn sweep(copies: &Path) {
    shared::sweep(copies, None);
    sweep_runs(&std::env::temp_dir());
}

fn sweep_runs(place: &Path) {
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

/// The program and its files.
fn files() -> Result<shared::Files> {
    let files: shared::Files = FOLDERS.into_iter().flat_map(hosting::application_files).collect();
    if files.contains_key(PROGRAM) {
        return Ok(files);
    }
    Err(Error::new(
        Code::FailedPrecondition,
        "NotBuilt",
        "the application is not built in: run `npm run build` in client/, and build the server again after it",
    ))
}

#[cfg(test)]
mod tests {
    use super::{RunFolder, sweep_runs};

    #[test]
    fn folders_left_behind_are_swept_and_those_in_use_stay() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let used = RunFolder::create(place.path()).unwrap();
        std::fs::create_dir_all(at("tuckbox-export-left/tmp")).unwrap();
        std::fs::write(at("tuckbox-export-left/tmp/half.pdf"), "half").unwrap();
        std::fs::create_dir(at("other")).unwrap();
        std::os::unix::fs::symlink(at("other"), at("tuckbox-export-link")).unwrap();
        sweep_runs(place.path());
        assert!(!at("tuckbox-export-left").exists());
        assert!(at("other").exists() && at("tuckbox-export-link").exists() && used.folder.path().exists());
        drop(used);
        sweep_runs(place.path());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
