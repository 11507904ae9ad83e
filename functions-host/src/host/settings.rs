//! The server's settings: command line and configuration file, merged and validated.

use std::net::IpAddr;
use std::path::PathBuf;

use docstore::{Error, Result};

use self::only::Only;
use crate::host::config::{Config, Hosting, Service, project_id};
use crate::host::networks::Networks;

mod only;

/// Name of the data folder beside the configuration file.
pub const DATA_DIR_NAME: &str = ".tuckbox";

/// Default listen address: this machine only.
const DEFAULT_HOST: &str = "127.0.0.1";

/// Distance from the hosting port to the ports of further sites, minus one.
const FURTHER_SITES: u16 = 4;

/// Trust in callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Mode {
    /// Real users: signed tokens, and no owner's key.
    #[default]
    Serving,
    /// Tests and development: `Bearer owner` has all rights, and unsigned tokens are accepted.
    Emulator,
}

impl Mode {
    /// Its name on the command line and in `/__/firebase/init.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Emulator => "emulator",
        }
    }
}

/// Location of documents, accounts and files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// In memory, lost at the end.
    Memory,
    /// In this folder.
    Folder(PathBuf),
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
    /// Only these services: a list such as functions,firestore. Others get no port of their own, and without
    /// `functions` no functions run. Of several sites, hosting:NAME chooses one by its site or target
    #[arg(long, value_name = "SERVICES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Start with the data of an export of the emulator suite
    #[arg(long, value_name = "DIR")]
    pub import: Option<PathBuf>,
    /// Trust in callers [default: serving; for `exec`, emulator]
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
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
}

impl Settings {
    /// Reads the configuration file and applies the arguments over it.
    ///
    /// # Errors
    /// A fault in either.
    pub fn new(args: &ServerArgs, default_mode: Mode) -> Result<Self> {
        let working_dir = std::env::current_dir().map_err(|error| {
            Error::internal(
                "NoWorkingDir",
                "cannot tell the working directory: it may have been deleted",
                error,
            )
        })?;
        let config = Config::load(args.config.as_deref(), &working_dir)?;
        let project = project_id(args.project.as_deref(), &config.root)?;
        let data = match &args.data {
            _ if args.in_memory => Data::Memory,
            Some(folder) => Data::Folder(working_dir.join(folder)),
            None => Data::Folder(config.root.join(DATA_DIR_NAME)),
        };
        let mode = args.mode.unwrap_or(default_mode);
        let only = Only::read(&args.only)?;
        let sites = only.sites(&config.firebase.hosting)?;
        let mut endpoints = endpoints(args, &config, mode);
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
        let (public_url, functions) = (args.public_url.clone(), only.wants(Service::Functions));
        let listed = &config.firebase.tuckbox.trusted_proxies;
        let trusted_proxies = args.trusted_proxies.as_ref().unwrap_or(listed).clone();
        Ok(Self {
            config,
            project,
            mode,
            data,
            public_url,
            endpoints,
            sites,
            functions,
            import,
            trusted_proxies,
        })
    }

    /// True if users' functions run in this mode.
    pub const fn serves_functions(&self) -> bool {
        self.functions && matches!(self.mode, Mode::Serving) && self.config.firebase.tuckbox.functions.serve
    }

    /// Lets the hosting port be any free one.
    pub fn any_hosting_port(&mut self) {
        for endpoint in self.endpoints.iter_mut().filter(|endpoint| endpoint.service == Service::Hosting) {
            endpoint.port = 0;
        }
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

/// The hosting port is always open. The others are open if the `emulators` block lists them; in emulator mode a block
/// also opens the hub, as in the official suite.
fn endpoints(args: &ServerArgs, config: &Config, mode: Mode) -> Vec<Endpoint> {
    let emulators = config.firebase.emulators.clone();
    let has_block = emulators.is_some();
    let emulators = emulators.unwrap_or_default();
    let mut endpoints = Vec::new();
    for service in Service::ALL {
        let entry = emulators.service(service);
        let implied = match service {
            Service::Hosting => true,
            Service::Hub => has_block && mode == Mode::Emulator,
            _ => false,
        };
        if entry.is_none() && !implied {
            continue;
        }
        let entry = entry.unwrap_or_default();
        let host = args.host.clone().or(entry.host).unwrap_or_else(|| DEFAULT_HOST.to_owned());
        let port = args.port.filter(|_| service == Service::Hosting).or(entry.port.map(|port| port.0));
        let port = port.unwrap_or(service.default_port());
        endpoints.push(Endpoint { service, site: SiteNumber::default(), host, port });
    }
    endpoints
}

/// Ports of the sites after the first, as in the official suite: with hosting on 5000 from 5005 on, skipping the
/// default port of functions.
fn further_sites(endpoints: &[Endpoint], sites: usize) -> Vec<Endpoint> {
    let Some(hosting) = endpoints.iter().find(|endpoint| endpoint.service == Service::Hosting) else {
        return Vec::new();
    };
    let beside = |nth: usize| {
        let away = u16::try_from(nth).unwrap_or(u16::MAX).saturating_add(FURTHER_SITES);
        if hosting.port == 0 { 0 } else { hosting.port.saturating_add(away) }
    };
    (1..sites).map(|nth| Endpoint { site: SiteNumber(nth), port: beside(nth), ..hosting.clone() }).collect()
}

impl Endpoint {
    /// True if other machines can reach it.
    pub fn is_public(&self) -> bool {
        self.host != "localhost" && !self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Config, Mode, ServerArgs, Service, SiteNumber, endpoints, further_sites};

    fn ports(firebase: Option<&str>, args: &ServerArgs, mode: Mode) -> Vec<(Service, String, u16)> {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = firebase {
            fs::write(folder.path().join("firebase.json"), text).unwrap();
        }
        let config = Config::load(None, folder.path()).unwrap();
        endpoints(args, &config, mode).into_iter().map(|e| (e.service, e.host, e.port)).collect()
    }

    fn local(service: Service, port: u16) -> (Service, String, u16) {
        (service, "127.0.0.1".to_owned(), port)
    }

    #[test]
    fn without_a_block_only_the_hosting_port_opens() {
        let args = ServerArgs::default();
        assert_eq!(ports(None, &args, Mode::Serving), [local(Service::Hosting, 5000)]);
        assert_eq!(ports(Some("{}"), &args, Mode::Emulator), [local(Service::Hosting, 5000)]);
    }

    #[test]
    fn listed_services_open_at_their_port_or_the_usual_one() {
        let block = r#"{"emulators": {"auth": {}, "firestore": {"port": 0, "host": "0.0.0.0"}, "ui": {}}}"#;
        let expected = [
            local(Service::Hosting, 5000),
            (Service::Firestore, "0.0.0.0".to_owned(), 0),
            local(Service::Auth, 9099),
            local(Service::Ui, 4000),
        ];
        assert_eq!(ports(Some(block), &ServerArgs::default(), Mode::Serving), expected);
        let with_hub = ports(Some(block), &ServerArgs::default(), Mode::Emulator);
        assert!(with_hub.contains(&local(Service::Hub, 4400)));
    }

    #[test]
    fn arguments_win() {
        let block =
            r#"{"emulators": {"hosting": {"port": 8000, "host": "10.0.0.1"}, "auth": {"port": 8001}}}"#;
        let args = ServerArgs { port: Some(0), host: Some("::1".to_owned()), ..ServerArgs::default() };
        let expected = [(Service::Hosting, "::1".to_owned(), 0), (Service::Auth, "::1".to_owned(), 8001)];
        assert_eq!(ports(Some(block), &args, Mode::Serving), expected);
    }

    #[test]
    fn further_sites_have_ports_where_the_official_suite_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::load(None, folder.path()).unwrap();
        let ports = |port: Option<u16>, sites| {
            let args = ServerArgs { port, ..ServerArgs::default() };
            let first = endpoints(&args, &config, Mode::Emulator);
            let more = further_sites(&first, sites);
            assert!(more.iter().all(|endpoint| endpoint.service == Service::Hosting));
            more.iter().map(|endpoint| (endpoint.site, endpoint.port)).collect::<Vec<_>>()
        };
        assert_eq!(ports(None, 1), []);
        assert_eq!(ports(None, 3), [(SiteNumber(1), 5005), (SiteNumber(2), 5006)]);
        assert_eq!(ports(Some(0), 2), [(SiteNumber(1), 0)]);
        assert_eq!(ports(Some(65_534), 2), [(SiteNumber(1), 65_535)]);
    }
}
