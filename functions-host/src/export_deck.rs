//! `tuckbox export-deck PROJECT --out FILE`: a project's files for paper, tables and printers without a browser.
//!
//! The program is the client's own (`client/src/headless`): the same layout and the same painter, run by Node.
//! It lies in the built-in application; here it is laid down in a folder of its own for as long as it runs.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use docstore::{Code, Error, Result};
use tempfile::TempDir;
use tokio::process::Command;

use crate::hosting;

/// The program, in the built-in application.
const PROGRAM: &str = "headless/export-deck.mjs";

/// Folders of the built-in application that the program reads.
const FOLDERS: [&str; 2] = ["headless/", "fonts/"];

/// What is handed on to the program; `--help` after the project shows it all.
#[derive(Debug, clap::Args)]
pub struct ExportDeckArgs {
    /// The project's name or id and the program's options: --email, --out, --format, --server, --component and more
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROJECT")]
    arguments: Vec<OsString>,
}

/// Runs the program with these arguments and answers its exit code.
///
/// # Errors
/// The client is not built, Node is missing, or the disk is full.
pub async fn export_deck(args: &ExportDeckArgs) -> Result<ExitCode> {
    let program = Program::lay_down()?;
    let status = program.command().args(&args.arguments).status().await.map_err(no_node)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program in a folder of its own, which goes with it.
#[derive(Debug)]
pub(crate) struct Program {
    folder: TempDir,
}

impl Program {
    /// Writes the program and what it reads to the disk. Blocks while it does.
    ///
    /// # Errors
    /// The client is not built, or the disk is full.
    pub(crate) fn lay_down() -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("tuckbox-export-")
            .tempdir()
            .map_err(|error| Error::internal("NoFolder", "cannot make a temporary folder", error))?;
        lay_down(folder.path())?;
        Ok(Self { folder })
    }

    /// Node with the program; it is killed when it is no longer waited for.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("node");
        command.arg(self.folder.path().join(PROGRAM)).kill_on_drop(true);
        command
    }
}

/// Node could not be started.
pub(crate) fn no_node(error: std::io::Error) -> Error {
    Error::internal("NoNode", "cannot run node: install Node.js 20 or newer", error)
}

/// Writes the program and what it reads into a folder.
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
    use clap::Parser;

    use super::ExportDeckArgs;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: ExportDeckArgs,
    }

    #[test]
    fn everything_after_the_command_is_handed_on() {
        let line = ["tuckbox", "My game", "--format", "pdf", "--out", "a.pdf", "--without-effects"];
        let Ok(Line { args }) = Line::try_parse_from(line) else { panic!("not parsed") };
        assert_eq!(args.arguments, &line[1..]);
        assert!(Line::try_parse_from(["tuckbox"]).is_err());
    }
}
