//! `tuckbox licenses`: licence texts of everything in the program that others made.

use std::io::Write as _;
use std::process::ExitCode;

use docstore::{Code, Error, Result};

use crate::hosting;

/// Written by the client's build, from both lockfiles.
const NOTICES: &str = "third-party-notices.txt";

/// Prints the notices.
///
/// # Errors
/// The program was built without the application, or standard output is closed.
pub(super) fn print() -> Result<ExitCode> {
    let Some((_, notices)) = hosting::application_files(NOTICES).next() else {
        let message = "this program was built without the application, whose build collects the licences: \
                       run `npm --prefix client run build`, then build the program again";
        return Err(Error::new(Code::NotFound, "NoNotices", message));
    };
    match std::io::stdout().write_all(&notices.content()?) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A pager that was closed has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Error::internal("Output", "standard output cannot be written", error)),
    }
}
