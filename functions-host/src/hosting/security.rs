//! Security headers.

use std::fmt::Write;
use std::net::SocketAddr;

use docstore::access::Mode;
use http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::site::Site;
use crate::host::config::Service;
use crate::host::settings::Settings;

/// Browsers do not guess another content type.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// Scheme of encrypted sites.
const HTTPS: &str = "https:";

/// Time for which browsers insist on TLS for this server: a year.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Headers of all responses: no content-type sniffing, and strict transport security where the public URL uses TLS.
pub(crate) fn headers_of_all(settings: &Settings) -> Vec<(HeaderName, HeaderValue)> {
    let encrypted = settings
        .public_url
        .as_deref()
        .is_some_and(|url| url.get(..HTTPS.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(HTTPS)));
    let strict = (encrypted && settings.mode == Mode::Serving)
        .then_some((STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT));
    [(X_CONTENT_TYPE_OPTIONS, NOSNIFF)].into_iter().chain(strict).collect()
}

/// The security headers of a site.
#[derive(Debug)]
pub(super) struct Policy(Vec<(HeaderName, HeaderValue)>);

impl Policy {
    /// For the application: its own scripts and WebAssembly only, its styles, images from anywhere, no framing. A
    /// user's own site gets only headers that cannot break it.
    pub(super) fn new(site: &Site, addresses: &[(Service, SocketAddr)]) -> Self {
        Self::of(site.is_application(), addresses)
    }

    /// For the application, or for a user's own site.
    pub(super) fn of(is_application: bool, addresses: &[(Service, SocketAddr)]) -> Self {
        let mut headers = vec![
            (X_CONTENT_TYPE_OPTIONS, NOSNIFF),
            (REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
        ];
        if is_application {
            if let Ok(policy) = HeaderValue::try_from(content_security_policy(addresses)) {
                headers.push((CONTENT_SECURITY_POLICY, policy));
            }
            headers.push((X_FRAME_OPTIONS, HeaderValue::from_static("DENY")));
            headers.push((
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("same-origin"),
            ));
            headers.push((
                HeaderName::from_static("permissions-policy"),
                HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
            ));
        }
        Self(headers)
    }

    /// Adds the headers that are missing.
    pub(super) fn apply(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.0 {
            headers.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// The application may also connect to the services' own ports on this machine, as the official SDK does when
/// configured for emulators.
fn content_security_policy(addresses: &[(Service, SocketAddr)]) -> String {
    let (mut ports, mut sockets) = (String::new(), String::new());
    for (service, address) in addresses {
        let port = address.port();
        let _infallible = write!(ports, " http://localhost:{port} http://127.0.0.1:{port}");
        if *service == Service::Hosting {
            let _infallible = write!(sockets, " ws://localhost:{port} ws://127.0.0.1:{port}");
        }
    }
    [
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        &format!("img-src 'self' data: blob:{ports}"),
        "font-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        // Under any other name 'self' covers the sockets of tables too.
        &format!("connect-src 'self' data: blob:{ports}{sockets}"),
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
    .join("; ")
}
