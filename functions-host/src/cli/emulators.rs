//! `tuckbox emulators:start` and `tuckbox emulators:exec`: the commands of the official emulator suite, with its options.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use docstore::access::Mode;
use docstore::{Error, Result};
use tokio::process::Command;

use super::exec::run_to_the_end;
use crate::host::config::Service;
use crate::host::environment::{variables, without_ports};
use crate::host::lifecycle::StopSignals;
use crate::host::logging::Verbosity;
use crate::host::settings::{ConsolePort, Launch, ServerArgs, Settings, working_dir};
use crate::hosting;
use crate::server::Server;
use crate::transfer;

/// Port of Node's inspector unless another is named, as in Node.
const INSPECTOR_PORT: &str = "9229";

/// Options of both commands.
#[derive(Debug, clap::Args)]
pub struct EmulatorsArgs {
    /// Only these services, such as firestore,auth; of several sites, hosting:NAME chooses one
    #[arg(long, value_name = "SERVICES", value_delimiter = ',')]
    only: Vec<String>,
    /// The project id or its alias in .firebaserc [default: projects.default of .firebaserc, or tuckbox]
    #[arg(short = 'P', long, value_name = "ID")]
    project: Option<String>,
    /// The configuration file [default: the nearest firebase.json in this folder or above it]
    #[arg(short = 'c', long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Start with the data of an export
    #[arg(long, value_name = "DIR")]
    import: Option<PathBuf>,
    /// Write all data to a folder at the end [default: the folder of --import]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "")]
    export_on_exit: Option<String>,
    /// Keep the data in a folder between runs [default: in memory, and all is gone at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Open the console, even if firebase.json switches it off; emulators:exec has none otherwise
    #[arg(long)]
    ui: bool,
    /// Let a debugger attach to the functions at this port of 127.0.0.1; they run one at a time and without deadlines
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        default_missing_value = INSPECTOR_PORT,
        value_parser = clap::value_parser!(u16).range(1024..),
    )]
    inspect_functions: Option<u16>,
    /// Lines that are logged
    #[arg(long, value_enum, ignore_case = true, default_value = "info")]
    log_verbosity: Verbosity,
    /// The same as --log-verbosity debug
    #[arg(long)]
    debug: bool,
    #[command(flatten)]
    _unused: Unused,
}

/// Options that scripts written for the official suite have, and that mean nothing here: nobody is asked anything, and
/// nothing reaches the cloud.
#[derive(Debug, clap::Args)]
struct Unused {
    #[arg(long, hide = true)]
    non_interactive: bool,
    #[arg(long, hide = true)]
    force: bool,
    #[arg(long, hide = true)]
    token: Option<String>,
    #[arg(long, hide = true)]
    account: Option<String>,
}

/// Options of `emulators:exec` and the script.
#[derive(Debug, clap::Args)]
pub struct EmulatorsExecArgs {
    #[command(flatten)]
    emulators: EmulatorsArgs,
    /// The script, for the shell
    #[arg(required = true, value_name = "SCRIPT")]
    script: Vec<String>,
}

impl EmulatorsArgs {
    /// Lines that are logged.
    pub(super) fn verbosity(&self) -> Verbosity {
        if self.debug { Verbosity::Debug } else { self.log_verbosity }
    }
}

impl EmulatorsExecArgs {
    /// Lines that are logged.
    pub(super) fn verbosity(&self) -> Verbosity {
        self.emulators.verbosity()
    }
}

/// The settings, and what is done at the end.
struct Plan {
    settings: Settings,
    export: Option<PathBuf>,
}

impl Plan {
    fn new(args: &EmulatorsArgs, console: ConsolePort) -> Result<Self> {
        let working_dir = working_dir()?;
        let export = export_folder(args, &working_dir)?;
        let import =
            args.import.clone().filter(|folder| has_data(&working_dir.join(folder), export.as_deref()));
        let server = ServerArgs {
            config: args.config.clone(),
            data: args.data.clone(),
            in_memory: args.data.is_none(),
            project: args.project.clone(),
            only: args.only.clone(),
            import,
            mode: Some(Mode::Emulator),
            ..ServerArgs::default()
        };
        let console = if args.ui { ConsolePort::Always } else { console };
        let launch = Launch { suite: true, console, inspect: args.inspect_functions };
        Ok(Self { settings: Settings::launched(&server, Mode::Emulator, launch)?, export })
    }

    async fn export(&self, server: &Server) -> Result<()> {
        let Some(folder) = &self.export else { return Ok(()) };
        let moved = server.export(&self.settings.project, folder).await?;
        tracing::info!("exported to {}: {moved}", folder.display());
        Ok(())
    }

    /// Writes the export, if one was asked for, and stops the server, even if the export fails.
    async fn finish(&self, server: Server) -> Result<()> {
        let exported = self.export(&server).await;
        server.stop().await.and(exported)
    }
}

/// The folder of `--export-on-exit`. It is checked before anything starts, so that nothing is lost at the end.
fn export_folder(args: &EmulatorsArgs, working_dir: &Path) -> Result<Option<PathBuf>> {
    let folder = match (args.export_on_exit.as_deref(), &args.import) {
        (None, _) => return Ok(None),
        (Some(""), Some(import)) => working_dir.join(import),
        (Some(""), None) => {
            let text = "--export-on-exit needs a folder, or --import with one";
            return Err(Error::invalid("NoExportFolder", text));
        }
        (Some(folder), _) => working_dir.join(folder),
    };
    let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    if working_dir.canonicalize().unwrap_or_else(|_| working_dir.to_path_buf()).starts_with(&real) {
        let text = format!(
            "--export-on-exit names {}, which holds the current folder: name a folder for the export alone",
            folder.display()
        );
        return Err(Error::invalid("BadExportFolder", text));
    }
    transfer::check_export_folder(&folder)?;
    Ok(Some(folder))
}

/// True if there is something to import, or the import has to say why not. The first run of a script that imports what
/// the last one exported finds nothing.
fn has_data(folder: &Path, export: Option<&Path>) -> bool {
    if !folder.exists() {
        return export != Some(folder);
    }
    let found = transfer::is_export(folder);
    if !found {
        tracing::warn!("--import names {}, which holds no export: nothing is imported", folder.display());
    }
    found
}

/// Starts the products that firebase.json names, in memory, and stops at a signal.
///
/// # Errors
/// The settings are invalid, a port is not available, or the data cannot be imported or exported.
pub async fn start(args: &EmulatorsArgs) -> Result<()> {
    let mut signals = StopSignals::catch()?;
    let plan = Plan::new(args, ConsolePort::Usual)?;
    let server = Server::start(&plan.settings).await?;
    announce(&plan.settings, &server)
        .map_err(|error| Error::internal("NoStdout", "cannot write to stdout", error))?;
    signals.next().await;
    signals.unless_again(plan.finish(server)).await
}

/// Prints the line that scripts wait for, and the addresses.
fn announce(settings: &Settings, server: &Server) -> std::io::Result<()> {
    let addresses = server.addresses();
    let mut out = std::io::stdout().lock();
    writeln!(out, "All emulators ready! It is now safe to connect your app.\n")?;
    for service in Service::ALL {
        let shown = match service {
            Service::Ui | Service::Database => false,
            Service::Hosting => settings.sites.iter().any(|site| site.absent.is_none()),
            _ => true,
        };
        if let Some(address) = addresses.own(service).filter(|_| shown) {
            writeln!(out, "  {:<10} {address}", service.key())?;
        }
    }
    if let Some(address) = hosting::console_address(settings, addresses) {
        writeln!(out, "  {:<10} http://{address}/console/", "console")?;
    }
    if let Some(port) = settings.launch.inspect.filter(|_| settings.functions) {
        writeln!(out, "  {:<10} 127.0.0.1:{port}", "inspector")?;
    }
    writeln!(out)?;
    out.flush()
}

/// Starts the products that firebase.json names, in memory, runs the script, and stops. Returns the script's exit code.
///
/// # Errors
/// As [`start`].
pub async fn exec(args: &EmulatorsExecArgs) -> Result<ExitCode> {
    let mut signals = StopSignals::catch()?;
    let plan = Plan::new(&args.emulators, ConsolePort::Never)?;
    let server = Server::start(&plan.settings).await?;
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(args.script.join(" "));
    command.envs(variables(server.addresses(), &plan.settings));
    // As in the official suite, a script reaches only the services that were started.
    for name in without_ports(server.addresses()) {
        command.env_remove(name);
    }
    let ran = run_to_the_end(command, &mut signals).await;
    plan.finish(server).await?;
    ran
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Exec {
        #[command(flatten)]
        exec: EmulatorsExecArgs,
    }

    fn read(args: &[&str]) -> Result<EmulatorsExecArgs, clap::Error> {
        Exec::try_parse_from([&["exec"], args].concat()).map(|exec| exec.exec)
    }

    #[test]
    fn options_are_read_as_the_official_suite_reads_them() {
        let args = read(&["--only", "auth,firestore", "npm test", "--ui", "--log-verbosity=QUIET"]).unwrap();
        assert_eq!((args.script.as_slice(), args.emulators.ui), (&["npm test".to_owned()][..], true));
        assert_eq!(args.emulators.only, ["auth", "firestore"]);
        assert_eq!(args.verbosity(), Verbosity::Quiet);
        let args =
            read(&["npm test", "--inspect-functions", "--token", "secret", "--export-on-exit"]).unwrap();
        assert_eq!(args.emulators.inspect_functions, Some(9229));
        assert_eq!(args.emulators.export_on_exit.as_deref(), Some(""));
        let args = read(&["--inspect-functions=9300", "--debug", "--", "npm", "test"]).unwrap();
        assert_eq!(args.emulators.inspect_functions, Some(9300));
        assert_eq!((args.verbosity(), args.script.join(" ").as_str()), (Verbosity::Debug, "npm test"));
        for bad in [&["x", "--inspect-functions=80"][..], &["x", "--log-verbosity", "LOUD"], &[]] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn exports_go_where_they_mix_with_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work");
        std::fs::create_dir_all(work.join("full")).unwrap();
        std::fs::create_dir_all(work.join("kept")).unwrap();
        std::fs::write(work.join("full/notes.txt"), "x").unwrap();
        std::fs::write(work.join("kept/.gitkeep"), "").unwrap();
        let chosen = |args: &[&str]| {
            let args = read(&[&["x"], args].concat()).unwrap();
            export_folder(&args.emulators, &work)
        };
        assert_eq!(chosen(&[]).unwrap(), None);
        assert_eq!(chosen(&["--export-on-exit=new"]).unwrap(), Some(work.join("new")));
        assert_eq!(chosen(&["--export-on-exit=kept"]).unwrap(), Some(work.join("kept")));
        assert_eq!(chosen(&["--import=seed", "--export-on-exit"]).unwrap(), Some(work.join("seed")));
        assert_eq!(chosen(&["--import=seed", "--export-on-exit=new"]).unwrap(), Some(work.join("new")));
        for (args, tag) in [
            (&["--export-on-exit"][..], "NoExportFolder"),
            (&["--export-on-exit=."], "BadExportFolder"),
            (&["--export-on-exit=.."], "BadExportFolder"),
            (&["--export-on-exit=full"], "FolderTaken"),
        ] {
            assert_eq!(chosen(args).unwrap_err().tag(), tag, "{args:?}");
        }
        assert!(!has_data(&work.join("new"), Some(&work.join("new"))), "the first run");
        assert!(has_data(&work.join("new"), None), "the import says that it is missing");
        assert!(!has_data(&work.join("kept"), None));
    }
}
