//! The command line.

pub mod admin;
pub mod backup;
#[cfg(test)]
mod configuration_page;
pub mod doctor;
pub mod emulators;
pub mod exec;
pub mod export_deck;
mod licenses;
pub mod migrate;
pub mod move_data;
mod order;
pub mod outbox;
mod reachability;
mod scrub;
mod shared_store;
mod surroundings;
mod version;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use docstore::{Error, Result};

use self::admin::{AdminArgs, admin};
use self::backup::{BackupArgs, RestoreArgs};
use self::emulators::{EmulatorsArgs, EmulatorsExecArgs};
use self::exec::{ExecArgs, exec};
use self::export_deck::{ExportDeckArgs, export_deck};
use self::migrate::MigrateArgs;
use self::move_data::MoveArgs;
use self::outbox::OutboxArgs;
use crate::host::logging::{self, LogFormat, Verbosity};
use crate::host::machine::handles;
use crate::host::private;
use crate::host::settings::ServerArgs;
use crate::server;

/// Makes card and board games, with the Firebase-compatible server they run on, in one program.
#[derive(Debug, Parser)]
#[command(name = "tuckbox", version, long_version = version::long(), max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Format of log lines; TUCKBOX_LOG=debug shows more of them
    #[arg(long, value_enum, default_value = "text", global = true)]
    log_format: LogFormat,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the application, documents, accounts, files and functions
    Serve(ServerArgs),
    /// Run a command beside a server in emulator mode, and end with its exit code
    ///
    /// Data is kept in memory unless --data names a folder, and the port is any free one unless one is given. The
    /// command finds the server by the environment variables of the Firebase SDKs.
    Exec(ExecArgs),
    /// Start what firebase.json names, as the official emulator suite does, and keep nothing between runs
    #[command(name = "emulators:start")]
    EmulatorsStart(EmulatorsArgs),
    /// The same for the time of a script, and end with its exit code
    #[command(name = "emulators:exec")]
    EmulatorsExec(EmulatorsExecArgs),
    /// Make the PDF of a project on a running server, without a browser
    ///
    /// Needs Node.js 20 or newer. The account's password comes from the variable TUCKBOX_PASSWORD.
    ExportDeck(ExportDeckArgs),
    /// Administer accounts; of the running server of the data folder if there is one
    Admin(AdminArgs),
    /// Show the mails of a server without a mail server, with the links in them
    Outbox(OutboxArgs),
    /// Write all data to a folder of backups: documents, accounts, files and keys
    ///
    /// The server may be running, and people may write meanwhile: the backup shows one moment. Of files only new ones
    /// are copied.
    Backup(BackupArgs),
    /// Check a backup and restore it into an empty data folder
    Restore(RestoreArgs),
    /// Write documents, accounts and files to a folder, as the Firebase emulator suite does
    ///
    /// Asks the running server of the project if there is one with a hub; else the data folder is read.
    #[command(alias = "emulators:export")]
    Export(MoveArgs),
    /// Read such a folder into the data folder of a stopped server; what has the same name is replaced
    Import(MoveArgs),
    /// Upgrade the documents of a stopped server to the version of this program
    ///
    /// A server does the same when it starts. Before the upgrade the documents are copied to the folder `backups` in the
    /// data folder.
    Migrate(MigrateArgs),
    /// Print the completions of a shell, to be loaded by it
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the licences of the libraries, fonts and icons in this program
    Licenses,
    /// Check configuration, data folder, disk, clock, mail, files, ports and application, and suggest how to fix what is wrong
    Doctor(doctor::DoctorArgs),
}

impl Command {
    /// Lines that are logged by a command for people.
    fn verbosity(&self) -> Option<Verbosity> {
        match self {
            Self::EmulatorsStart(args) => Some(args.verbosity()),
            Self::EmulatorsExec(args) => Some(args.verbosity()),
            _ => None,
        }
    }
}

/// Prints the result of a command.
///
/// # Errors
/// Stdout cannot be written.
fn say(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}")
        .map_err(|error| Error::internal("NoStdout", "done, but stdout cannot be written", error))
}

/// Runs the program. Exit codes: 0 success, 1 failure, 2 usage error.
pub fn main() -> ExitCode {
    let cli = Cli::parse_from(command_first(std::env::args_os().collect()));
    // An error means that the same provider was installed before; there is no other in the program.
    _ = rustls::crypto::ring::default_provider().install_default();
    logging::start(cli.log_format, cli.command.verbosity());
    handles::raise();
    let ran = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::internal("NoRuntime", "cannot start threads", error))
        .and_then(|runtime| runtime.block_on(run(cli.command)));
    match ran {
        Ok(code) => code,
        Err(error) => {
            let _unwritable = writeln!(std::io::stderr(), "tuckbox: {}", error.message());
            tracing::debug!(tag = error.tag(), "{error:?}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments with the command of the emulator suite before its options: scripts also write
/// `firebase --project demo-app emulators:exec …`.
fn command_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let named = |argument: &OsString| argument.to_str().is_some_and(|text| text.starts_with("emulators:"));
    let begins =
        arguments.get(1).and_then(|first| first.to_str()).is_some_and(|first| first.starts_with('-'));
    if let Some(at) = arguments.iter().position(named).filter(|_| begins) {
        let command = arguments.remove(at);
        arguments.insert(1, command);
    }
    arguments
}

async fn run(command: Command) -> Result<ExitCode> {
    // Commands of users, and files made for them, keep the user's own umask.
    let keeps = matches!(
        command,
        Command::Exec(_) | Command::ExportDeck(_) | Command::EmulatorsStart(_) | Command::EmulatorsExec(_)
    );
    if !keeps {
        private::by_default();
    }
    match command {
        Command::Serve(args) => server::serve(&args).await.map(|()| ExitCode::SUCCESS),
        Command::Exec(args) => exec(args).await,
        Command::EmulatorsStart(args) => Box::pin(emulators::start(&args)).await.map(|()| ExitCode::SUCCESS),
        Command::EmulatorsExec(args) => emulators::exec(&args).await,
        Command::ExportDeck(args) => export_deck(&args).await,
        Command::Admin(args) => admin(&args).await,
        Command::Outbox(args) => outbox::outbox(&args),
        Command::Backup(args) => backup::backup(&args).await,
        Command::Restore(args) => backup::restore(&args).await,
        Command::Export(args) => move_data::export(&args).await,
        Command::Import(args) => move_data::import(&args).await,
        Command::Migrate(args) => migrate::migrate(&args).await,
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "tuckbox", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Command::Licenses => licenses::print(),
        Command::Doctor(args) => doctor::examine(&args).await,
    }
}
