//! The address of the database.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use docstore::{Error, Result};
use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Longest wait for one host, unless the address says otherwise: others may be tried after it.
const CONNECT: Duration = Duration::from_secs(5);
/// Time after which a connection whose other end is silent counts as broken: a little less than a take-over waits.
const SILENCE: Duration = Duration::from_secs(4);
/// Time between two signs of life on an idle connection.
const KEEPALIVE: Duration = Duration::from_secs(1);

/// Address of the database, with the way to it.
#[derive(Clone)]
pub(crate) struct Address {
    pub(crate) config: tokio_postgres::Config,
    /// `None` without TLS.
    pub(crate) tls: Option<MakeRustlsConnect>,
    shown: String,
}

impl fmt::Display for Address {
    /// As in messages: without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// `InvalidArgument` with what is wrong.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
        if !is_url {
            return Err(invalid("it must begin with postgres://"));
        }
        let (rest, mode, roots) = tls_options(url)?;
        let mut config: tokio_postgres::Config = rest.parse().map_err(|error: tokio_postgres::Error| {
            let cause =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            invalid(&cause)
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(invalid("it names no host; a socket's folder is named as ?host=/var/run/postgresql"));
        }
        let tls = match mode.as_deref() {
            Some("verify-full" | "require") => true,
            Some("disable") => false,
            Some(other) => {
                return Err(invalid(&format!("sslmode is verify-full or disable here, not {other}")));
            }
            None => roots.is_some() || !config.get_hosts().iter().all(is_this_machine),
        };
        config.ssl_mode(if tls { SslMode::Require } else { SslMode::Disable });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_hosts().len() > 1 && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        config.keepalives_idle(KEEPALIVE).keepalives_interval(KEEPALIVE).tcp_user_timeout(SILENCE);
        let tls = if tls { Some(connector(roots.as_deref())?) } else { None };
        let shown = shown(&config);
        Ok(Self { config, tls, shown })
    }
}

fn invalid(cause: &str) -> Error {
    Error::invalid(
        "DatabaseAddress",
        format!(
            "The address of the database cannot be used: {cause}. It is postgres://USER:PASSWORD@HOST:PORT/DATABASE"
        ),
    )
}

/// The address without the options that are read here, and these: `sslmode` and `sslrootcert`.
fn tls_options(url: &str) -> Result<(String, Option<String>, Option<String>)> {
    let Some((base, query)) = url.split_once('?') else { return Ok((url.to_owned(), None, None)) };
    let (mut kept, mut mode, mut roots) = (Vec::new(), None, None);
    for option in query.split('&') {
        let value = |text: &str| {
            percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| invalid("it is not UTF-8"))
        };
        match option.split_once('=') {
            Some(("sslmode", text)) => mode = Some(value(text)?),
            Some(("sslrootcert", text)) => roots = Some(value(text)?),
            _ => kept.push(option),
        }
    }
    let rest = if kept.is_empty() { base.to_owned() } else { format!("{base}?{}", kept.join("&")) };
    Ok((rest, mode, roots))
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => ["localhost", "127.0.0.1", "::1"].contains(&name.as_str()),
        Host::Unix(_) => true,
    }
}

/// TLS that checks certificate and host against the authorities in the file `roots`, or those of the machine.
fn connector(roots: Option<&str>) -> Result<MakeRustlsConnect> {
    let mut store = RootCertStore::empty();
    if let Some(file) = roots.filter(|file| *file != "system") {
        let unusable = |cause: String| invalid(&format!("sslrootcert {file} cannot be used: {cause}"));
        let certificates =
            CertificateDer::pem_file_iter(file).map_err(|error| unusable(error.to_string()))?;
        for certificate in certificates {
            let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
            store.add(certificate).map_err(|error| unusable(error.to_string()))?;
        }
        if store.is_empty() {
            return Err(unusable("it has no certificate in PEM".to_owned()));
        }
    } else {
        store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if store.is_empty() {
            return Err(invalid(
                "this machine has no certificates of authorities; name a file with sslrootcert",
            ));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::internal("TlsVersions", "TLS cannot be set up", error))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(store).with_no_client_auth()))
}

/// `the database NAME at HOST:PORT`, for messages.
fn shown(config: &tokio_postgres::Config) -> String {
    let name = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    let ports = config.get_ports();
    let hosts = config.get_hosts().iter().enumerate().map(|(n, host)| {
        let port = ports.get(n).or(ports.first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(host) => format!("{host}:{port}"),
            Host::Unix(folder) => format!("{}:{port}", folder.display()),
        }
    });
    let mut hosts: Vec<_> = hosts.collect();
    if hosts.is_empty() {
        hosts = config.get_hostaddrs().iter().map(ToString::to_string).collect();
    }
    format!("the database {name} at {}", hosts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_their_password() {
        let address = Address::parse("postgres://ann:secret@localhost:5433/games").unwrap();
        assert_eq!(address.to_string(), "the database games at localhost:5433");
        assert_eq!((address.tls.is_none(), address.config.get_ssl_mode()), (true, SslMode::Disable));
        assert!(!format!("{address:?}").contains("secret"));
        let sockets = Address::parse("postgresql:///games?host=/run/pg&user=ann").unwrap();
        assert_eq!(sockets.to_string(), "the database games at /run/pg:5432");
        let two = Address::parse("postgres://ann@a:1,b:2/games?sslmode=disable&connect_timeout=9").unwrap();
        assert_eq!(two.to_string(), "the database games at a:1, b:2");
        assert_eq!(two.config.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        assert_eq!(two.config.get_connect_timeout(), Some(&Duration::from_secs(9)));
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        for (url, cause) in [
            ("host=localhost user=ann", "must begin with postgres://"),
            ("mysql://ann@localhost/games", "must begin with postgres://"),
            ("postgres:///games", "names no host"),
            ("postgres://ann@db/games?sslmode=prefer", "sslmode is verify-full or disable here, not prefer"),
            ("postgres://ann@db/games?sslrootcert=/no/such/file", "sslrootcert /no/such/file cannot be used"),
            ("postgres://ann@db:x/games?sslmode=disable", "port"),
            ("postgres://ann@db/games?colour=red&sslmode=disable", "colour"),
        ] {
            let error = Address::parse(url).unwrap_err();
            assert_eq!(error.tag(), "DatabaseAddress");
            assert!(error.message().contains(cause), "{url}: {}", error.message());
        }
    }
}
