//! `--only`: selects services, and sites by name.

use docstore::{Error, Result};

use crate::host::config::{Hosting, OneOrMany, Service};

/// The parsed names.
#[derive(Debug, Default)]
pub(super) struct Only {
    services: Vec<Service>,
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
            let service = service.ok_or_else(|| {
                let known = Service::ALL.map(Service::key).join(", ");
                Error::invalid("UnknownService", format!("--only {name}: choose among {known}"))
            })?;
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
        Ok(only)
    }

    /// True if a service was selected. The application's port is always included because it serves every service, and
    /// so are the hub and the console; functions include the services that deliver events and tasks to them.
    pub(super) fn wants(&self, service: Service) -> bool {
        let named = |service| self.services.contains(&service);
        self.services.is_empty()
            || match service {
                Service::Hosting | Service::Hub | Service::Ui => true,
                Service::Eventarc | Service::Tasks => named(service) || named(Service::Functions),
                _ => named(service),
            }
    }

    /// The selected sites, in the order of the configuration; the built-in application if none is configured.
    pub(super) fn sites(&self, all: &OneOrMany<Hosting>) -> Result<Vec<Hosting>> {
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
        let sites: Vec<_> = all.iter().filter(chosen).cloned().collect();
        Ok(if sites.is_empty() { vec![Hosting::default()] } else { sites })
    }
}

#[cfg(test)]
mod tests {
    use super::{OneOrMany, Only, Service};

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
        assert_eq!(chosen(&["auth"]), ["hosting", "auth", "hub", "ui"]);
        assert_eq!(chosen(&["firestore", " storage"]), ["hosting", "firestore", "storage", "hub", "ui"]);
        let functions = ["hosting", "functions", "hub", "ui", "eventarc", "tasks"];
        assert_eq!(chosen(&["functions:mine"]), functions);
        let error = only(&["auth", "firebase"]).unwrap_err();
        assert!(error.message().contains("--only firebase") && error.message().contains("firestore"));
        assert!(only(&[""]).is_err());
    }

    #[test]
    fn sites_are_chosen_by_site_or_target() {
        let all: OneOrMany<_> = serde_json::from_str(
            r#"[{"site": "one", "public": "a"}, {"target": "two", "public": "b"}, {"public": "c"}]"#,
        )
        .unwrap();
        let public = |names: &[&str]| -> Vec<_> {
            let sites = only(names).unwrap().sites(&all).unwrap();
            sites.into_iter().map(|site| site.public.unwrap().display().to_string()).collect()
        };
        assert_eq!(public(&[]), ["a", "b", "c"]);
        assert_eq!(public(&["hosting", "hosting:one"]), ["a", "b", "c"]);
        assert_eq!(public(&["auth"]), ["a", "b", "c"]);
        assert_eq!(public(&["hosting:two", "auth"]), ["b"]);
        assert_eq!(public(&["hosting:two", "hosting:one"]), ["a", "b"]);
        let error = only(&["hosting:three"]).unwrap().sites(&all).unwrap_err();
        assert!(error.message().contains("three") && error.message().contains("one, two"), "{error}");
        let none = OneOrMany::default();
        assert_eq!(only(&[]).unwrap().sites(&none).unwrap().len(), 1);
        assert!(only(&["hosting:one"]).unwrap().sites(&none).is_err());
    }
}
