//! The server's settings: command line and configuration file, merged and validated.

use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use docstore::access::Mode;
use docstore::{Error, Result};

use self::endpoints::{endpoints, further_sites};
use self::only::Only;
use crate::host::config::{Config, Hosting, Service, project_id};
use crate::host::networks::Networks;
use crate::host::tls::TlsFiles;

mod endpoints;
#[cfg(test)]
mod kinds;
mod left_out;
mod only;

/// Hours for which the database keeps commits that are folded, unless the settings say otherwise.
const KEEP_HOURS: NonZeroU32 = NonZeroU32::MIN.saturating_add(23);

/// Name of the data folder beside the configuration file.
pub const DATA_DIR_NAME: &str = ".tuckbox";

/// Location of documents, accounts and files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// In memory, lost at the end.
    Memory,
    /// In this folder.
    Folder(PathBuf),
}

/// The database that machines share.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreAddress {
    /// Its address.
    pub url: String,
    /// Hours for which the database keeps commits that are folded.
    pub keep_hours: NonZeroU32,
}

impl fmt::Debug for StoreAddress {
    /// The address may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreAddress").finish_non_exhaustive()
    }
}

/// Number of a configured site; the first is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SiteNumber(pub usize);

/// An address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The service of the port.
    pub service: Service,
    /// The site served, on a hosting port.
    pub site: SiteNumber,
    /// An address or a name.
    pub host: String,
    /// 0 for any free one.
    pub port: u16,
    /// True if somebody chose the port: it is an error if it is taken. Others move to the next free one.
    pub fixed: bool,
}

/// Use of the server in emulator mode.
#[derive(Debug, Default, Clone, Copy)]
pub struct Launch {
    /// Stands in for the official suite: only products that firebase.json names are started, and a site that is not
    /// there is not replaced by the application.
    pub suite: bool,
    /// When the console has a port of its own.
    pub console: ConsolePort,
    /// Port on which Node's inspector listens for a debugger of the functions.
    pub inspect: Option<u16>,
}

/// When the console has a port of its own in emulator mode.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum ConsolePort {
    /// Unless `emulators.ui.enabled` is false.
    #[default]
    Usual,
    /// If the `emulators` block lists it.
    Listed,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The working directory, which paths of the command line are relative to.
///
/// # Errors
/// It was deleted, or may not be read.
pub(crate) fn working_dir() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| {
        Error::internal("NoWorkingDir", "cannot tell the working directory: it may have been deleted", error)
    })
}

/// The server's settings from the command line.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct ServerArgs {
    /// The configuration file [default: the nearest firebase.json in this folder or above it, if any]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of the data [default: .tuckbox beside the configuration file]
    #[arg(long, value_name = "DIR", conflicts_with = "in_memory")]
    pub data: Option<PathBuf>,
    /// Keep documents in this PostgreSQL database, which machines share: postgres://USER@HOST:PORT/DATABASE, the password in
    /// the file that PGPASSFILE names. The data folder then has a local copy [default: tuckbox.store.url, or none]
    #[arg(long, value_name = "URL", conflicts_with = "in_memory")]
    pub store: Option<String>,
    /// Keep data in memory: faster, and all is gone at the end
    #[arg(long)]
    pub in_memory: bool,
    /// Listen address of all ports [default: 127.0.0.1, or each service's in firebase.json]
    #[arg(long, value_name = "ADDRESS")]
    pub host: Option<String>,
    /// Port of the application and of everything else [default: 5000, or emulators.hosting.port]; 0 picks a free one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// The project id or its alias in .firebaserc [default: projects.default of .firebaserc, or tuckbox]
    #[arg(long, value_name = "ID")]
    pub project: Option<String>,
    /// Public URL of the application, for links in mails, such as <https://cards.example> [default: this machine]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Trusted reverse proxies in front of the server, as addresses and networks such as 127.0.0.1,10.0.0.0/8: the
    /// addresses of callers are taken from their X-Forwarded-For or Forwarded headers [default: tuckbox.trustedProxies,
    /// or none]
    #[arg(long, value_name = "NETWORKS", env = "TUCKBOX_TRUSTED_PROXIES")]
    pub trusted_proxies: Option<Networks>,
    /// File with the server's TLS certificate in PEM, and those of its authorities: the ports then speak HTTPS. A changed
    /// file is read again [default: tuckbox.tls.cert, or none]
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// File with the certificate's private key in PEM [default: tuckbox.tls.key]
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Only these services: a list such as functions,firestore. Others get no port of their own, and without
    /// `functions` no functions run. Of several sites, hosting:NAME chooses one by its site or target
    #[arg(long, value_name = "SERVICES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Start with the data of an export of the emulator suite
    #[arg(long, value_name = "DIR")]
    pub import: Option<PathBuf>,
    /// Trust in callers [default: serving; for `exec`, emulator]
    #[arg(long, value_parser = mode_names())]
    pub mode: Option<Mode>,
}

/// The names of modes on the command line, with their help.
fn mode_names() -> impl TypedValueParser<Value = Mode> {
    let named = |mode: Mode, help: &'static str| PossibleValue::new(mode.name()).help(help);
    let emulator = "Tests and development: `Bearer owner` has all rights, and unsigned tokens are accepted";
    PossibleValuesParser::new([
        named(Mode::Serving, "Real users: signed tokens, and no owner's key"),
        named(Mode::Emulator, emulator),
    ])
    .map(|name| if name == Mode::Emulator.name() { Mode::Emulator } else { Mode::Serving })
}

/// The validated settings.
#[derive(Debug)]
pub struct Settings {
    /// The configuration file.
    pub config: Config,
    /// The project id.
    pub project: String,
    /// Trust in callers.
    pub mode: Mode,
    /// Location of the data.
    pub data: Data,
    /// Database of the documents; `None` where they are in the data.
    pub store: Option<StoreAddress>,
    /// Public URL of the application, for links in mails; default: the hosting port's address.
    pub public_url: Option<String>,
    /// The ports, the hosting port first and those of further sites last.
    pub endpoints: Vec<Endpoint>,
    /// The sites; the first is on the hosting port.
    pub sites: Vec<Hosting>,
    /// True if users' functions are enabled.
    pub functions: bool,
    /// Export imported at the start.
    pub import: Option<PathBuf>,
    /// Reverse proxies whose headers with callers' addresses are trusted.
    pub trusted_proxies: Networks,
    /// Certificate and key of the ports; `None` without TLS.
    pub tls: Option<TlsFiles>,
    /// Use of the server.
    pub launch: Launch,
    only: Only,
}

impl Settings {
    /// Reads the configuration file and applies the arguments over it.
    ///
    /// # Errors
    /// A fault in either.
    pub fn new(args: &ServerArgs, default_mode: Mode) -> Result<Self> {
        Self::launched(args, default_mode, Launch::default())
    }

    /// Like [`Settings::new`], for a certain use.
    ///
    /// # Errors
    /// A fault in arguments or file.
    pub fn launched(args: &ServerArgs, default_mode: Mode, launch: Launch) -> Result<Self> {
        let working_dir = working_dir()?;
        let mode = args.mode.unwrap_or(default_mode);
        let only = Only::read(&args.only)?;
        let left_out = if mode == Mode::Emulator { only.left_out() } else { Vec::new() };
        let config = Config::load_without(args.config.as_deref(), &working_dir, &left_out)?;
        let project = project_id(args.project.as_deref(), &config.root)?;
        let data = match &args.data {
            _ if args.in_memory => Data::Memory,
            Some(folder) => Data::Folder(working_dir.join(folder)),
            None => Data::Folder(config.root.join(DATA_DIR_NAME)),
        };
        let store = store_address(args, &config, mode)?;
        let sites = only.sites(&config.firebase.hosting, mode, launch.suite)?;
        let mut endpoints = endpoints(args, &config, mode, launch);
        endpoints.retain(|endpoint| only.wants(endpoint.service));
        let more = further_sites(&endpoints, sites.len());
        endpoints.extend(more);
        let import = args.import.as_ref().map(|folder| working_dir.join(folder));
        if import.is_some() && mode != Mode::Emulator {
            return Err(Error::invalid(
                "ImportMode",
                "--import needs --mode emulator; for a serving server, stop it and use tuckbox import",
            ));
        }
        let tls = tls_files(args, &config, mode, &working_dir)?;
        let (public_url, functions) = (args.public_url.clone(), only.wants(Service::Functions));
        let listed = &config.firebase.tuckbox.trusted_proxies;
        let trusted_proxies = args.trusted_proxies.as_ref().unwrap_or(listed).clone();
        Ok(Self {
            config,
            project,
            mode,
            data,
            store,
            public_url,
            endpoints,
            sites,
            functions,
            import,
            trusted_proxies,
            tls,
            launch,
            only,
        })
    }

    /// True for a server that emulates for an application of somebody's own: its firebase.json hosts a site or has no
    /// section `tuckbox`. Documents of such an application are never taken for Tuckbox's.
    pub fn is_other_application(&self) -> bool {
        let hosts = self.sites.first().is_some_and(|site| site.public.is_some());
        let configured = self.launch.suite || self.config.file.is_some();
        self.mode == Mode::Emulator && (hosts || configured && !self.config.firebase.is_ours())
    }

    /// True if users' functions run in this mode.
    pub const fn serves_functions(&self) -> bool {
        self.functions && matches!(self.mode, Mode::Serving) && self.config.firebase.tuckbox.functions.serve
    }

    /// Refuses a command that works on data folders alone.
    ///
    /// # Errors
    /// `InvalidArgument` when the documents are in a database.
    pub(crate) fn without_store(&self, command: &str) -> Result<()> {
        if self.store.is_none() { Ok(()) } else { Err(for_folders_alone(command)) }
    }

    /// The database that a server in serving mode would use.
    ///
    /// # Errors
    /// The configuration also has what is for data folders alone.
    pub(crate) fn serving_store(&self, args: &ServerArgs) -> Result<Option<StoreAddress>> {
        store_address(args, &self.config, Mode::Serving)
    }

    /// Lets the hosting port be any free one.
    pub fn any_hosting_port(&mut self) {
        for endpoint in self.endpoints.iter_mut().filter(|endpoint| endpoint.service == Service::Hosting) {
            endpoint.port = 0;
        }
    }

    /// True if `--only` does not leave the service out. In serving mode it only chooses ports.
    pub fn wants(&self, service: Service) -> bool {
        self.mode == Mode::Serving || self.only.wants(service)
    }

    /// The rules file of the document database; `None` if there is none or the service is left out.
    pub fn firestore_rules(&self) -> Option<PathBuf> {
        self.config.firestore_rules().filter(|_| self.wants(Service::Firestore))
    }

    /// The rules file of the file store; `None` if there is none or the service is left out.
    pub fn storage_rules(&self) -> Option<PathBuf> {
        self.config.storage_rules().filter(|_| self.wants(Service::Storage))
    }

    /// Fails in emulator mode if nothing is named that could be started, as the official suite does. Without a
    /// configuration file `serve` and `exec` have the application.
    ///
    /// # Errors
    /// `NoEmulators`: the reason, and what to do.
    pub fn check_targets(&self) -> Result<()> {
        left_out::check_targets(self)
    }

    /// Lines about products that firebase.json names and this server lacks.
    pub fn lacking(&self) -> Vec<String> {
        left_out::lacking(self)
    }

    /// The key that web pages send with account requests. It is public by nature: it names the project and grants
    /// nothing.
    pub fn api_key(&self) -> String {
        format!("tuckbox-{}", self.project)
    }

    /// The project's default bucket.
    pub fn bucket(&self) -> String {
        format!("{}.appspot.com", self.project)
    }
}

/// Error of a command for data folders, with documents in a database.
pub(crate) fn for_folders_alone(command: &str) -> Error {
    Error::invalid(
        "StoreCommand",
        format!(
            "{command} works on data folders, and these documents are in a database: use the database's own tools, and the \
             versions of the bucket for files"
        ),
    )
}

/// The database: that of the arguments, or in serving mode of the configuration file.
fn store_address(args: &ServerArgs, config: &Config, mode: Mode) -> Result<Option<StoreAddress>> {
    let section = config.firebase.tuckbox.store.as_ref().filter(|_| mode == Mode::Serving && !args.in_memory);
    let Some(url) = args.store.as_ref().or(section.map(|section| &section.url)) else { return Ok(None) };
    if mode == Mode::Emulator {
        return Err(Error::invalid(
            "StoreMode",
            "--store is for serving mode: an emulator keeps its data to itself",
        ));
    }
    if config.firebase.tuckbox.backup.is_some() {
        return Err(Error::invalid(
            "StoreBackup",
            "tuckbox.backup is for data folders, and these documents are in a database: remove it, and back the database up \
             with its own tools",
        ));
    }
    let keep_hours = section.and_then(|section| section.keep_hours).unwrap_or(KEEP_HOURS);
    Ok(Some(StoreAddress { url: url.clone(), keep_hours }))
}

/// Certificate and key: those of the arguments, or in serving mode of the configuration file.
fn tls_files(args: &ServerArgs, config: &Config, mode: Mode, working_dir: &Path) -> Result<Option<TlsFiles>> {
    if let (Some(cert), Some(key)) = (&args.tls_cert, &args.tls_key) {
        if mode == Mode::Emulator {
            return Err(Error::invalid(
                "TlsMode",
                "--tls-cert and --tls-key are for serving mode: the SDKs speak plain HTTP to emulators",
            ));
        }
        return Ok(Some(TlsFiles { cert: working_dir.join(cert), key: working_dir.join(key) }));
    }
    let listed = config.firebase.tuckbox.tls.as_ref().filter(|_| mode == Mode::Serving);
    Ok(listed.map(|tls| TlsFiles { cert: config.root.join(&tls.cert), key: config.root.join(&tls.key) }))
}

impl Endpoint {
    /// True if other machines can reach it.
    pub fn is_public(&self) -> bool {
        self.host != "localhost" && !self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}
