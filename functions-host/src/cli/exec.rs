//! `tuckbox exec -- COMMAND`: a server for the duration of a command, for tests and scripts.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

use docstore::access::Mode;
use docstore::{Error, Result};
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use crate::host::addresses::Addresses;
use crate::host::config::Service;
use crate::host::environment::variables;
use crate::host::lifecycle::StopSignals;
use crate::host::settings::{ConsolePort, Launch, ServerArgs, Settings};
use crate::server::Server;

/// Exit code of a command that could not be started, as in shells.
const NOT_STARTED: u8 = 127;

/// Offset of the exit code of a command ended by a signal, as in shells.
const BY_SIGNAL: i32 = 128;

/// The server's settings and the command.
#[derive(Debug, clap::Args)]
pub struct ExecArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// The command and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Starts a server in emulator mode (unless given otherwise), in memory unless `--data` names a folder and on any free
/// port unless one is given; runs the command with the environment variables of the Firebase SDKs; stops the server.
/// Returns the command's exit code.
///
/// # Errors
/// The server cannot be started or stopped.
pub async fn exec(mut args: ExecArgs) -> Result<ExitCode> {
    let mut signals = StopSignals::catch()?;
    args.server.in_memory |= args.server.data.is_none();
    let launch = Launch { console: ConsolePort::Listed, ..Launch::default() };
    let mut settings = Settings::launched(&args.server, Mode::Emulator, launch)?;
    if args.server.port.is_none() && !settings.config.lists(Service::Hosting) {
        settings.any_hosting_port();
    }
    let server = Server::start(&settings).await?;
    let ran = run(&args.command, server.addresses(), &settings, &mut signals).await;
    server.stop().await?;
    ran
}

async fn run(
    command: &[OsString],
    addresses: &Addresses,
    settings: &Settings,
    signals: &mut StopSignals,
) -> Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::invalid("NoCommand", "name a command after --"));
    };
    let mut command = Command::new(program);
    command.args(arguments).envs(variables(addresses, settings));
    run_to_the_end(command, signals).await
}

/// Runs a command, passes signals on to it, and returns its exit code.
///
/// # Errors
/// The operating system does not tell when it ends.
pub(super) async fn run_to_the_end(mut command: Command, signals: &mut StopSignals) -> Result<ExitCode> {
    let mut child = match command.kill_on_drop(true).spawn() {
        Ok(child) => child,
        Err(cause) => {
            let program = command.as_std().get_program();
            tracing::error!("cannot run {}: {cause}", program.display());
            return Ok(ExitCode::from(NOT_STARTED));
        }
    };
    loop {
        tokio::select! {
            status = child.wait() => {
                let status = status.map_err(|error| Error::internal("WaitFailed", "cannot wait for the command", error))?;
                return Ok(exit_code(status));
            }
            signal = signals.next() => pass_on(&child, signal),
        }
    }
}

/// The command decides how to end; the server ends after it.
fn pass_on(child: &Child, signal: &str) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let signal = if signal == "SIGINT" { Signal::INT } else { Signal::TERM };
    if let Some(pid) = pid
        && let Err(error) = kill_process(pid, signal)
    {
        tracing::warn!("cannot pass the signal on to the command: {error}");
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| BY_SIGNAL + signal));
    code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}
