//! `tuckbox export-deck PROJECT --out FILE`: exports a project for print, tabletops and printers without a browser.

use std::ffi::OsString;
use std::process::ExitCode;

use docstore::Result;

use crate::product::export_deck::program::{Program, no_node};

/// Arguments passed on to the program; `--help` after the project lists them all.
#[derive(Debug, clap::Args)]
pub struct ExportDeckArgs {
    /// The project's name or id and the program's options: --email, --out, --format, --server, --component and more
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROJECT")]
    arguments: Vec<OsString>,
}

/// Runs the program with these arguments. Returns its exit code.
///
/// # Errors
/// The client is not built, Node is missing, or the disk is full.
pub async fn export_deck(args: &ExportDeckArgs) -> Result<ExitCode> {
    let program = Program::prepare(&std::env::temp_dir())?;
    let status = program.command([]).args(&args.arguments).status().await.map_err(no_node)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
