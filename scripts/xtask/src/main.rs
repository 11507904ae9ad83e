//! Project chores: `cargo xtask COMMAND`.

use std::process::ExitCode;

mod protos;

/// Usage text, printed by `cargo xtask` without arguments.
const USAGE: &str = "usage: cargo xtask COMMAND

commands:
  protos [DIR]   regenerate docstore/wire/src/pb from the protocol definitions in DIR
                 (default: suites/node_modules/@google-cloud/firestore/build/protos)";

#[expect(clippy::print_stderr, reason = "a command-line tool reports on standard error")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("protos") => protos::run(arguments.next().as_deref()),
        Some(other) => Err(format!("unknown command `{other}`\n{USAGE}").into()),
        None => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
