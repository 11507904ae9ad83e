//! `--only`: selects services, and sites by name.

use docstore::access::Mode;
use docstore::{Error, Result};

use crate::host::config::{Hosting, OneOrMany, Service};

/// Products of the official suite that this server lacks: their names in `--only`, and for people.
const LACKING: [(&str, &str); 4] = [
    ("dataconnect", "Data Connect"),
    ("apphosting", "App Hosting"),
    ("extensions", "Extensions"),
    ("logging", "Logging"),
];

/// Reasons for a site without files.
const LEFT_OUT: &str = "--only leaves hosting out.";
const FRAMEWORK: &str = "hosting.source in firebase.json is an application that its framework renders, which Tuckbox does not: run the framework's own server, or name a folder with the built site as hosting.public.";
const NO_PUBLIC: &str = "hosting in firebase.json names no folder as hosting.public.";
const NO_HOSTING: &str = "firebase.json has no section hosting.";

/// The parsed names.
#[derive(Debug, Default)]
pub(super) struct Only {
    services: Vec<Service>,
    /// Products that this server lacks, as in [`LACKING`].
    lacking: Vec<(&'static str, &'static str)>,
    /// Names of sites; empty for all.
    sites: Vec<String>,
}

impl Only {
    /// For `hosting`, the part after a colon names a site or target. Other services cannot be served in part; the part
    /// is ignored.
    pub(super) fn read(names: &[String]) -> Result<Self> {
        let mut only = Self::default();
        let mut every_site = false;
        for name in names {
            let (bare, part) = name.split_once(':').unwrap_or((name, ""));
            let service = Service::ALL.into_iter().find(|service| service.key() == bare.trim());
            let Some(service) = service else {
                if let Some(lacking) = LACKING.into_iter().find(|(key, _)| *key == bare.trim()) {
                    only.lacking.push(lacking);
                    continue;
                }
                let known = Service::ALL.map(Service::key).join(", ");
                let text = format!("--only {name}: choose among {known}");
                return Err(Error::invalid("UnknownService", text));
            };
            only.services.push(service);
            match (service, part.trim()) {
                (Service::Hosting, "") => every_site = true,
                (Service::Hosting, site) => only.sites.push(site.to_owned()),
                _ => {}
            }
        }
        if every_site {
            only.sites.clear();
        }
        let served = only.services.iter().any(|service| *service != Service::Database);
        if !names.is_empty() && !served {
            let (list, what) = (names.join(","), only.lacks().join(" and "));
            let text = format!("--only {list}: Tuckbox has no {what}, so there is nothing to start");
            return Err(Error::invalid("UnknownService", text));
        }
        Ok(only)
    }

    /// Products that were named and this server lacks.
    fn lacks(&self) -> Vec<&'static str> {
        let database = self.services.contains(&Service::Database).then_some("Realtime Database");
        self.lacking.iter().map(|(_, name)| *name).chain(database).collect()
    }

    /// True if a service was selected. The application's port is always included because it serves every service, and
    /// so are the hub and the console; functions include the services that deliver events and tasks to them.
    pub(super) fn wants(&self, service: Service) -> bool {
        self.is_empty()
            || match service {
                Service::Hosting | Service::Hub | Service::Ui => true,
                Service::Eventarc | Service::Tasks => self.names(service) || self.names(Service::Functions),
                _ => self.names(service),
            }
    }

    /// True if everything is selected.
    pub(super) fn is_empty(&self) -> bool {
        self.services.is_empty() && self.lacking.is_empty()
    }

    /// True if a service was named.
    pub(super) fn names(&self, service: Service) -> bool {
        self.services.contains(&service)
    }

    /// True if everything is selected, or the product with this key was named although this server lacks it.
    pub(super) fn wants_lacking(&self, key: &str) -> bool {
        self.is_empty() || self.lacking.iter().any(|(named, _)| *named == key)
    }

    /// Keys of firebase.json that belong to services that were left out.
    pub(super) fn left_out(&self) -> Vec<String> {
        let left_out = |service: &Service| match service {
            Service::Hosting => !self.is_empty() && !self.names(Service::Hosting),
            service => !self.wants(*service),
        };
        let keys = Service::ALL.into_iter().filter(left_out).map(Service::key);
        // The port of the application is needed whatever it serves.
        keys.flat_map(|key| [Some(key.to_owned()), (key != "hosting").then(|| format!("emulators.{key}"))])
            .flatten()
            .collect()
    }

    /// The selected sites, in the order of the configuration; the built-in application if none is configured. `suite`
    /// is as in [`super::Launch`].
    pub(super) fn sites(&self, all: &OneOrMany<Hosting>, mode: Mode, suite: bool) -> Result<Vec<Hosting>> {
        let absent = |reason| Hosting { absent: Some(reason), ..Hosting::default() };
        if mode == Mode::Emulator && !self.is_empty() && !self.names(Service::Hosting) {
            let none = if suite || !all.is_empty() { absent(LEFT_OUT) } else { Hosting::default() };
            return Ok(vec![none]);
        }
        for name in &self.sites {
            if !all.iter().any(|site| site.is_called(name)) {
                let known: Vec<_> = all.iter().filter_map(Hosting::name).collect();
                let known = if known.is_empty() {
                    "it names none".to_owned()
                } else {
                    format!("choose among {}", known.join(", "))
                };
                let text = format!(
                    "--only hosting:{name}: no site or target of firebase.json is called so; {known}"
                );
                return Err(Error::invalid("UnknownSite", text));
            }
        }
        let chosen =
            |site: &&Hosting| self.sites.is_empty() || self.sites.iter().any(|name| site.is_called(name));
        let mut sites: Vec<_> = all.iter().filter(chosen).cloned().collect();
        for site in sites.iter_mut().filter(|site| site.public.is_none()) {
            if site.source.is_some() {
                site.absent = Some(FRAMEWORK);
            } else if suite {
                site.absent = Some(NO_PUBLIC);
            }
        }
        if sites.is_empty() {
            sites.push(if suite { absent(NO_HOSTING) } else { Hosting::default() });
        }
        Ok(sites)
    }
}

#[cfg(test)]
mod tests {
    use docstore::access::Mode;

    use super::{Hosting, OneOrMany, Only, Service};

    fn only(names: &[&str]) -> docstore::Result<Only> {
        Only::read(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    fn chosen(names: &[&str]) -> Vec<&'static str> {
        let only = only(names).unwrap();
        Service::ALL.into_iter().filter(|service| only.wants(*service)).map(Service::key).collect()
    }

    #[test]
    fn services_are_chosen_by_name() {
        assert_eq!(chosen(&[]).len(), Service::ALL.len());
        assert_eq!(chosen(&["auth", "dataconnect", "logging"]), ["hosting", "auth", "hub", "ui"]);
        assert_eq!(chosen(&["auth"]), ["hosting", "auth", "hub", "ui"]);
        assert_eq!(chosen(&["firestore", " storage"]), ["hosting", "firestore", "storage", "hub", "ui"]);
        let functions = ["hosting", "functions", "hub", "ui", "eventarc", "tasks"];
        assert_eq!(chosen(&["functions:mine"]), functions);
        let error = only(&["auth", "firebase"]).unwrap_err();
        assert!(error.message().contains("--only firebase") && error.message().contains("firestore"));
        assert!(only(&[""]).is_err());
        for (names, said) in [
            (&["database"][..], "--only database: Tuckbox has no Realtime Database"),
            (&["extensions", "database"], "no Extensions and Realtime Database"),
        ] {
            let error = only(names).unwrap_err();
            assert!(error.message().contains(said), "{error}");
        }
    }

    #[test]
    fn keys_of_services_that_are_left_out_are_told() {
        assert!(only(&[]).unwrap().left_out().is_empty());
        let left_out = only(&["firestore"]).unwrap().left_out();
        for key in ["hosting", "functions", "emulators.functions", "auth", "emulators.auth"] {
            assert!(left_out.iter().any(|left_out| left_out == key), "{key}");
        }
        for key in ["firestore", "emulators.firestore", "emulators.hosting", "ui", "emulators.ui"] {
            assert!(!left_out.iter().any(|left_out| left_out == key), "{key}");
        }
    }

    #[test]
    fn sites_are_chosen_by_site_or_target() {
        let all: OneOrMany<_> = serde_json::from_str(
            r#"[{"site": "one", "public": "a"}, {"target": "two", "public": "b"}, {"public": "c"}]"#,
        )
        .unwrap();
        let public_in = |names: &[&str], mode| -> Vec<_> {
            let sites = only(names).unwrap().sites(&all, mode, false).unwrap();
            let public = |site: Hosting| site.public.map(|public| public.display().to_string());
            sites.into_iter().filter_map(public).collect()
        };
        let public = |names: &[&str]| public_in(names, Mode::Emulator);
        assert_eq!(public(&[]), ["a", "b", "c"]);
        assert_eq!(public(&["hosting", "hosting:one"]), ["a", "b", "c"]);
        assert_eq!(public(&["auth"]), [""; 0]);
        assert_eq!(public_in(&["auth"], Mode::Serving), ["a", "b", "c"], "there it only chooses ports");
        assert_eq!(public(&["hosting:two", "auth"]), ["b"]);
        assert_eq!(public(&["hosting:two", "hosting:one"]), ["a", "b"]);
        let error = only(&["hosting:three"]).unwrap().sites(&all, Mode::Emulator, false).unwrap_err();
        assert!(error.message().contains("three") && error.message().contains("one, two"), "{error}");
        let none = OneOrMany::default();
        assert_eq!(only(&[]).unwrap().sites(&none, Mode::Emulator, false).unwrap().len(), 1);
        assert!(only(&["hosting:one"]).unwrap().sites(&none, Mode::Emulator, false).is_err());
    }

    #[test]
    fn a_site_that_cannot_be_served_is_not_replaced_by_the_application() {
        let absent = |hosting: &str, names: &[&str], suite| {
            let all: OneOrMany<_> = serde_json::from_str(hosting).unwrap();
            let sites = only(names).unwrap().sites(&all, Mode::Emulator, suite).unwrap();
            sites[0].absent.unwrap_or("none")
        };
        let rendered = r#"{"source": ".", "frameworksBackend": {}}"#;
        for suite in [false, true] {
            assert!(absent(rendered, &[], suite).contains("hosting.source"));
            assert!(absent(r#"{"public": "a"}"#, &["auth"], suite).contains("--only"));
            assert_eq!(absent(r#"{"public": "a"}"#, &[], suite), "none");
        }
        for (hosting, said) in [("{}", "hosting.public"), ("null", "no section hosting")] {
            assert!(absent(hosting, &[], true).contains(said), "{hosting}");
            assert_eq!(absent(hosting, &[], false), "none", "serve has the application");
        }
    }
}
