//! Hosts that tables may be fetched from.

use docstore::{Error, Result};

use crate::host::config::Tables;

/// Default hosts: the usual sheet and code hosting services.
const USUAL: [&str; 7] = [
    "docs.google.com",
    "*.googleusercontent.com",
    "raw.githubusercontent.com",
    "gist.githubusercontent.com",
    "www.dropbox.com",
    "*.dropboxusercontent.com",
    "gitlab.com",
];

/// Most hosts in a configuration.
const MAX_HOSTS: usize = 200;

/// Hosts by name; `*.example.com` is every name below it.
#[derive(Debug)]
pub(super) struct Hosts {
    public: Vec<String>,
    private: Vec<String>,
}

/// Trust in a host.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Https only, at a public address.
    Public,
    /// Named by the operator with its port: http too, at any address.
    Private,
}

impl Hosts {
    /// # Errors
    /// A host is invalid, or there are too many.
    pub(super) fn new(tables: &Tables) -> Result<Self> {
        let public = match &tables.hosts {
            Some(hosts) => hosts.clone(),
            None => USUAL.map(str::to_owned).into(),
        };
        let private = tables.private_hosts.clone();
        if public.len() + private.len() > MAX_HOSTS {
            return Err(Error::invalid(
                "HostsInvalid",
                format!("tuckbox.tables lists more than {MAX_HOSTS} hosts"),
            ));
        }
        for host in &public {
            let name = host.strip_prefix("*.").unwrap_or(host);
            let fits = !name.is_empty()
                && name.contains('.')
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
            if !fits {
                return Err(Error::invalid(
                    "HostsInvalid",
                    format!("tuckbox.tables.hosts: {host:?} is no host: write example.com or *.example.com"),
                ));
            }
        }
        for host in &private {
            let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
            if !matches!(port, Some(Ok(_))) {
                return Err(Error::invalid(
                    "HostsInvalid",
                    format!("tuckbox.tables.privateHosts: {host:?} needs its port, as in sheets.lan:8080"),
                ));
            }
        }
        let lower = |hosts: Vec<String>| hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
        Ok(Self { public: lower(public), private: lower(private) })
    }

    /// Trust in `host` (lower case) and its port; `None` if it is not listed.
    pub(super) fn trust(&self, host: &str, port: u16) -> Option<Trust> {
        if self.private.iter().any(|one| *one == format!("{host}:{port}")) {
            return Some(Trust::Private);
        }
        let listed = self.public.iter().any(|one| match one.strip_prefix("*.") {
            Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
            None => one == host,
        });
        (listed && port == 443).then_some(Trust::Public)
    }

    /// The hosts as text, for error messages.
    pub(super) fn list(&self) -> String {
        let all: Vec<_> = self.public.iter().chain(&self.private).map(String::as_str).collect();
        all.join(", ")
    }

    /// True if the name may resolve to a private address.
    pub(super) fn may_be_private(&self, host: &str) -> bool {
        self.private.iter().any(|one| one.rsplit_once(':').is_some_and(|(name, _)| name == host))
            && self.trust(host, 443) != Some(Trust::Public)
    }
}
