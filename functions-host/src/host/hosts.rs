//! Checks of the host name in requests.
//!
//! In emulator mode the console and the control endpoints trust every program on this machine. A browser on it also
//! runs other people's pages, which may have their own name resolve to this machine (DNS rebinding) or call across
//! origins. So those endpoints respond only under names that cannot belong to others, and to pages from such names.

use std::net::IpAddr;

use axum::body::Body;
use docstore::access::Mode;
use http::header::{HOST, ORIGIN, USER_AGENT};
use http::{HeaderMap, Request, StatusCode, Version};
use url::{Host, Url};

use crate::host::settings::Settings;
use crate::host::sockets::TABLES;

/// Paths of the console and the control endpoints; a trailing `/` includes everything below.
const CONTROL: [&str; 13] = [
    "/__/clock",
    "/__/faults",
    "/__/faults/",
    "/emulator/",
    "/emulators",
    "/_admin/",
    "/console",
    "/console/",
    "/metrics",
    "/internal/",
    "/functions/disableBackgroundTriggers",
    "/functions/enableBackgroundTriggers",
    "/functions/projects/",
];

/// The names of this server.
#[derive(Debug)]
pub(crate) struct Hosts {
    mode: Mode,
    /// Names besides those of the loopback interface, in lower case and without ports.
    listed: Vec<String>,
}

impl Hosts {
    /// The host of the public URL, those of the ports, and the configured ones.
    pub(crate) fn new(settings: &Settings) -> Self {
        let public = settings.public_url.as_deref().and_then(|url| Url::parse(url).ok());
        let public = public.as_ref().and_then(Url::host_str).map(str::to_owned);
        let ports = settings.endpoints.iter().map(|endpoint| endpoint.host.clone());
        let listed = settings.config.firebase.tuckbox.hosts.iter().cloned();
        let listed = public.into_iter().chain(ports).chain(listed).map(|name| name.to_ascii_lowercase());
        Self { mode: settings.mode, listed: listed.collect() }
    }

    /// Checks the host of a request.
    ///
    /// # Errors
    /// Status and text of the refusal.
    pub(crate) fn check(&self, request: &Request<Body>) -> Result<(), (StatusCode, &'static str)> {
        let host = one_host(request).ok_or((StatusCode::BAD_REQUEST, "Send exactly one Host header."))?;
        if request.uri().path().starts_with(TABLES) && !self.admits_origin(request.headers(), host) {
            return Err((StatusCode::FORBIDDEN, "Only pages of this server may open this socket."));
        }
        if self.mode != Mode::Emulator || !is_control(request.uri().path()) {
            return Ok(());
        }
        if !self.is_ours(host) {
            return Err((
                StatusCode::FORBIDDEN,
                "This page and these endpoints answer under the names of this machine alone: ask for them as http://localhost or list the name in tuckbox.hosts of firebase.json.",
            ));
        }
        if !self.admits_origin(request.headers(), host) && !is_jsdom(request.headers()) {
            return Err((StatusCode::FORBIDDEN, "Only pages of this machine may call this endpoint."));
        }
        Ok(())
    }

    /// True if a `Host` header names this machine unmistakably: addresses and loopback names cannot be rebound.
    fn is_ours(&self, header: &str) -> bool {
        match host_of(&format!("http://{header}/")) {
            Some(Host::Domain(name)) => self.has_name(&name),
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
            None => false,
        }
    }

    /// True for names that nobody else can have: those of the loopback interface, those without a dot, such as of services
    /// of a compose file, which no public registry gives away, and the listed ones.
    fn has_name(&self, name: &str) -> bool {
        is_localhost(name) || !name.contains('.') || self.listed.contains(&name.to_ascii_lowercase())
    }

    /// True if the calling page, if there is one, came from this machine or from the same host.
    fn admits_origin(&self, headers: &HeaderMap, host: &str) -> bool {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return true };
        let Some(origin) = origin.to_str().ok().filter(|_| origins.next().is_none()) else { return false };
        let same = origin.split_once("://").is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host));
        same || match host_of(origin) {
            Some(Host::Domain(name)) => self.has_name(&name),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => IpAddr::V6(address).to_canonical().is_loopback(),
            None => false,
        }
    }
}

/// True for paths of the console and the control endpoints, which exist in emulator mode only.
pub(crate) fn is_control(path: &str) -> bool {
    CONTROL.iter().any(|place| if place.ends_with('/') { path.starts_with(place) } else { path == *place })
}

/// True if a test with a simulated page (jsdom without an address) calls from Node.js: its origin is `null`, as that of a
/// sandboxed frame in a browser is. A browser sends `Sec-Fetch-Site` to addresses of this machine and lets no page choose
/// the `User-Agent` of a request without asking for it first, under its own.
fn is_jsdom(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let opaque = origins.next().is_some_and(|origin| origin == "null") && origins.next().is_none();
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    opaque && agent.contains(" jsdom/") && !headers.contains_key("sec-fetch-site")
}

fn host_of(url: &str) -> Option<Host<String>> {
    Url::parse(url)
        .ok()
        .filter(|url| url.path() == "/" && url.username().is_empty())?
        .host()
        .map(|host| host.to_owned())
}

fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// The single host named by a request, in the header or as in HTTP/2. HTTP/1.0, used by health checks of proxies, has
/// no such header.
fn one_host(request: &Request<Body>) -> Option<&str> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return None;
    }
    let named = request.uri().authority().map(http::uri::Authority::as_str);
    match host {
        Some(host) => host.to_str().ok().filter(|host| !host.is_empty()),
        None if request.version() <= Version::HTTP_10 => Some(named.unwrap_or_default()),
        None => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emulator() -> Hosts {
        Hosts { mode: Mode::Emulator, listed: vec!["devbox.lan".to_owned()] }
    }

    fn asked(hosts: &Hosts, path: &str, headers: &[(&str, &str)]) -> u16 {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        hosts
            .check(&request.body(Body::empty()).unwrap())
            .map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn control_endpoints_have_names_that_nobody_else_can_have() {
        let hosts = emulator();
        for (host, status) in [
            ("localhost:5000", 200),
            ("LOCALHOST:1", 200),
            ("app.localhost", 200),
            ("127.0.0.1:5000", 200),
            ("[::1]:5000", 200),
            ("192.168.1.5:5000", 200),
            ("devbox.lan:5000", 200),
            ("firebase:5000", 200),
            ("firebase.:5000", 403),
            ("rebound.evil.example:5000", 403),
            ("localhost.evil.example", 403),
            ("127.0.0.1.evil.example", 403),
            ("localhost@evil.example", 403),
            ("a b", 403),
        ] {
            for path in ["/emulator/v1/projects/demo/requests", "/emulators", "/console/", "/metrics"] {
                assert_eq!(asked(&hosts, path, &[("host", host)]), status, "{host} {path}");
            }
            assert_eq!(asked(&hosts, "/v1/projects/demo", &[("host", host)]), 200, "{host}");
        }
        let serving = Hosts { mode: Mode::Serving, listed: Vec::new() };
        assert_eq!(asked(&serving, "/console/", &[("host", "cards.example")]), 200);
    }

    #[test]
    fn control_endpoints_answer_to_pages_of_this_machine() {
        let hosts = emulator();
        let path = "/emulator/v1/projects/demo/databases/(default)/documents";
        for (host, origin, status) in [
            ("localhost:5000", "http://localhost:3000", 200),
            ("localhost:5000", "http://127.0.0.1:3000", 200),
            ("localhost:5000", "http://[::1]:3000", 200),
            ("localhost:5000", "http://devbox.lan", 200),
            ("firebase:5000", "http://web:3000", 200),
            ("192.168.1.5:5000", "http://192.168.1.5:5000", 200),
            ("localhost:5000", "http://192.168.1.5:5000", 403),
            ("localhost:5000", "https://evil.example", 403),
            ("localhost:5000", "http://localhost.evil.example", 403),
            ("localhost:5000", "null", 403),
        ] {
            assert_eq!(asked(&hosts, path, &[("host", host), ("origin", origin)]), status, "{origin}");
        }
        let twice =
            [("host", "localhost"), ("origin", "http://localhost"), ("origin", "https://evil.example")];
        assert_eq!(asked(&hosts, path, &twice), 403);
    }

    #[test]
    fn control_endpoints_answer_to_simulated_pages_of_tests_but_to_no_frame_of_a_browser() {
        let hosts = emulator();
        let path = "/emulator/v1/projects/demo/databases/(default)/documents";
        let jsdom = "Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/19.0.0";
        let browser =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
        let (host, null) = (("host", "localhost:8080"), ("origin", "null"));
        let site = ("sec-fetch-site", "cross-site");
        for (headers, status) in [
            (vec![host, null, ("user-agent", jsdom)], 200),
            (vec![host, null, ("user-agent", browser)], 403),
            (vec![host, null], 403),
            (vec![host, null, ("user-agent", jsdom), site], 403),
            (vec![host, null, null, ("user-agent", jsdom)], 403),
            (vec![host, ("origin", "https://evil.example"), ("user-agent", jsdom)], 403),
            (vec![("host", "rebound.evil.example"), null, ("user-agent", jsdom)], 403),
        ] {
            assert_eq!(asked(&hosts, path, &headers), status, "{headers:?}");
        }
    }

    #[test]
    fn a_request_names_one_host() {
        let hosts = Hosts { mode: Mode::Serving, listed: Vec::new() };
        assert_eq!(asked(&hosts, "/", &[]), 400);
        assert_eq!(asked(&hosts, "/", &[("host", "")]), 400);
        assert_eq!(asked(&hosts, "/", &[("host", "a.example"), ("host", "b.example")]), 400);
        assert_eq!(asked(&hosts, "http://a.example/", &[]), 200, "HTTP/2 names it in the URI");
        let mut old = Request::get("/").body(Body::empty()).unwrap();
        *old.version_mut() = Version::HTTP_10;
        assert!(hosts.check(&old).is_ok());
    }
}
