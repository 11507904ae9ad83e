//! The ports to open.

use docstore::access::Mode;

use super::{ConsolePort, Endpoint, Launch, ServerArgs, SiteNumber};
use crate::host::config::{Config, Service};

/// Default listen address: this machine only.
const DEFAULT_HOST: &str = "127.0.0.1";

/// Distance from the hosting port to the ports of further sites, minus one.
const FURTHER_SITES: u16 = 4;

/// The hosting port is always open. The others are open if the `emulators` block lists them; in emulator mode also if
/// firebase.json names their product elsewhere, as in the official suite, and then the hub and the console are open too.
/// A port that nobody chose may move there.
pub(super) fn endpoints(args: &ServerArgs, config: &Config, mode: Mode, launch: Launch) -> Vec<Endpoint> {
    let emulators = config.firebase.emulators.clone().unwrap_or_default();
    let mut endpoints = Vec::new();
    for service in Service::ALL {
        let entry = emulators.service(service);
        if !opens(service, config, mode, launch) {
            continue;
        }
        let entry = entry.unwrap_or_default();
        let host = args.host.clone().or(entry.host).unwrap_or_else(|| DEFAULT_HOST.to_owned());
        let chosen = args.port.filter(|_| service == Service::Hosting).or(entry.port.map(|port| port.0));
        // The suite's hosting port would be taken from a program that expects it free.
        let unexpected = launch.suite && service == Service::Hosting && !names(config, Service::Hosting);
        let usual = if unexpected { 0 } else { service.default_port() };
        let fixed = mode == Mode::Serving || chosen.is_some() && service != Service::Ui;
        let (site, port) = (SiteNumber::default(), chosen.unwrap_or(usual));
        endpoints.push(Endpoint { service, site, host, port, fixed });
    }
    endpoints
}

fn opens(service: Service, config: &Config, mode: Mode, launch: Launch) -> bool {
    let firebase = &config.firebase;
    // Without a file the suite's commands start what `--only` names, which chooses among these.
    let any = launch.suite && config.file.is_none() && service != Service::Database;
    let listed = config.lists(service);
    let hidden = || firebase.emulators.as_ref().is_some_and(|emulators| emulators.hides_ui());
    let anything = || Service::ALL.into_iter().any(|service| names(config, service));
    match (service, mode) {
        (Service::Hosting, _) => true,
        // There is nothing to refuse: a serving host has no such product.
        (Service::Database, Mode::Serving) => false,
        (_, Mode::Serving) => listed,
        (Service::Hub, Mode::Emulator) => any || listed || firebase.emulators.is_some() || anything(),
        (Service::Ui, Mode::Emulator) => match launch.console {
            ConsolePort::Usual => listed || (any || anything()) && !hidden(),
            ConsolePort::Listed => listed,
            ConsolePort::Always => true,
            ConsolePort::Never => false,
        },
        (Service::Eventarc | Service::Tasks, Mode::Emulator) => listed || !firebase.functions.is_empty(),
        (_, Mode::Emulator) => any || names(config, service),
    }
}

/// True if firebase.json names the product, in the `emulators` block or elsewhere. Hub and console are no products.
pub(super) fn names(config: &Config, service: Service) -> bool {
    let (firebase, listed) = (&config.firebase, config.lists(service));
    match service {
        Service::Hub | Service::Ui => false,
        Service::Hosting => listed || !firebase.hosting.is_empty(),
        Service::Functions => listed || !firebase.functions.is_empty(),
        Service::Firestore => listed || !firebase.firestore.is_empty(),
        Service::Storage => listed || !firebase.storage.is_empty(),
        Service::Auth => listed || firebase.auth.0,
        Service::Database => listed || firebase.database.0,
        Service::Pubsub | Service::Eventarc | Service::Tasks => listed,
    }
}

/// Ports of the sites after the first, as in the official suite: with hosting on 5000 from 5005 on, skipping the
/// default port of functions.
pub(super) fn further_sites(endpoints: &[Endpoint], sites: usize) -> Vec<Endpoint> {
    let Some(hosting) = endpoints.iter().find(|endpoint| endpoint.service == Service::Hosting) else {
        return Vec::new();
    };
    let beside = |nth: usize| {
        let away = u16::try_from(nth).unwrap_or(u16::MAX).saturating_add(FURTHER_SITES);
        if hosting.port == 0 { 0 } else { hosting.port.saturating_add(away) }
    };
    // No client relies on these ports.
    let site = |nth| Endpoint { site: SiteNumber(nth), port: beside(nth), fixed: false, ..hosting.clone() };
    (1..sites).map(site).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use docstore::access::Mode;

    use super::{Config, ConsolePort, Launch, ServerArgs, Service, SiteNumber, endpoints, further_sites};

    fn ports(firebase: Option<&str>, args: &ServerArgs, mode: Mode) -> Vec<(Service, String, u16)> {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = firebase {
            fs::write(folder.path().join("firebase.json"), text).unwrap();
        }
        let config = Config::load(None, folder.path()).unwrap();
        let found = endpoints(args, &config, mode, Launch::default());
        found.into_iter().map(|e| (e.service, e.host, e.port)).collect()
    }

    /// Services of a file with their ports, and whether somebody chose those.
    fn opened(firebase: &str, launch: Launch) -> Vec<(Service, u16, bool)> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("firebase.json"), firebase).unwrap();
        let config = Config::load(None, folder.path()).unwrap();
        let found = endpoints(&ServerArgs::default(), &config, Mode::Emulator, launch);
        found.into_iter().map(|e| (e.service, e.port, e.fixed)).collect()
    }

    #[test]
    fn in_emulator_mode_products_named_anywhere_open_and_only_chosen_ports_stay() {
        let firebase = r#"{"firestore": {}, "storage": [{}], "functions": {}, "database": {"rules": "x"},
            "emulators": {"auth": {"port": 1}, "firestore": {"port": "2"}, "ui": {"port": 3}}}"#;
        let (hosting, hub) = ((Service::Hosting, 5000, false), (Service::Hub, 4400, false));
        let expected = [
            hosting,
            (Service::Functions, 5001, false),
            (Service::Firestore, 2, true),
            (Service::Auth, 1, true),
            (Service::Storage, 9199, false),
            hub,
            (Service::Ui, 3, false),
            (Service::Eventarc, 9299, false),
            (Service::Tasks, 9499, false),
            (Service::Database, 9000, false),
        ];
        assert_eq!(opened(firebase, Launch::default()), expected);
        let suite = Launch { suite: true, ..Launch::default() };
        assert_eq!(opened(firebase, suite)[0], (Service::Hosting, 0, false), "it takes no usual port");
        let site = r#"{"hosting": {"public": "a"}}"#;
        let ui = (Service::Ui, 4000, false);
        assert_eq!(opened(site, suite), [hosting, hub, ui]);
        let hidden = r#"{"auth": {"x": 1}, "emulators": {"ui": {"enabled": false}}}"#;
        let auth = (Service::Auth, 9099, false);
        assert_eq!(opened(hidden, Launch::default()), [hosting, auth, hub]);
        let always = Launch { console: ConsolePort::Always, ..Launch::default() };
        assert_eq!(opened(hidden, always), [hosting, auth, hub, ui]);
        for console in [ConsolePort::Listed, ConsolePort::Never] {
            let launch = Launch { console, ..Launch::default() };
            assert_eq!(opened(r#"{"auth": {"x": 1}}"#, launch), [hosting, auth, hub], "{console:?}");
        }
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
            let first = endpoints(&args, &config, Mode::Emulator, Launch::default());
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
