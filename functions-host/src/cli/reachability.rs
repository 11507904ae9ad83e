//! Checks of `tuckbox doctor` on the way from outside: the certificates, and the headers of proxies in front.
//!
//! For a moment the doctor listens on the server's port, asks the public URL with headers that claim another address, and
//! looks at what arrives.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::{SystemEntropy, legible};
use axum::Router;
use axum::extract::ConnectInfo;
use axum::routing::get;
use docstore::access::Mode;
use docstore::clock::{Clock as _, SystemClock};
use http::HeaderMap;
use http::header::FORWARDED;
use parking_lot::Mutex;
use reqwest::Client;
use reqwest::tls::TlsInfo;

use super::doctor::Finding;
use crate::host::listeners;
use crate::host::networks::Networks;
use crate::host::settings::Settings;
use crate::host::tls::days_left;

/// Time limit for the public URL to answer.
const ANSWER: Duration = Duration::from_secs(15);
/// A certificate that ends in fewer days causes a warning: it should have been renewed by then.
const FEW_DAYS: i64 = 14;
/// The address that the doctor claims: one of those that are nobody's.
const CLAIMED: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 77));
/// The other header of proxies.
const X_FORWARDED_FOR: &str = "x-forwarded-for";
/// Letters of the path that the doctor asks for.
const LETTERS: usize = 20;

/// A request as it arrived.
#[derive(Debug, Clone)]
struct Arrived {
    peer: IpAddr,
    headers: HeaderMap,
}

/// Checks the server's own certificate, and what arrives from its public URL.
pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let now = i64::try_from(SystemClock.now().micros() / 1_000_000).unwrap_or(i64::MAX);
    let mut findings = Vec::new();
    if let Some(files) = &settings.tls {
        findings.push(match files.days_left(now) {
            Ok(days) => certificate(&files.cert.display().to_string(), days),
            Err(error) => Finding::wrong("certificate", &error),
        });
    }
    if let Some(url) = settings.public_url.as_deref().filter(|_| settings.mode == Mode::Serving) {
        findings.extend(from_outside(settings, url, now).await);
    }
    findings
}

fn certificate(of: &str, days: i64) -> Finding {
    match days {
        ..0 => Finding::damage("certificate", format!("{of} has ended: browsers refuse it; renew it")),
        0..FEW_DAYS => {
            Finding::advice("certificate", format!("{of} ends in {days} days: make sure that it is renewed"))
        }
        _ => Finding::fine("certificate", format!("{of} is good for {days} days")),
    }
}

/// Asks the public URL. Needs the server's port, so nothing is found while it is in use.
async fn from_outside(settings: &Settings, url: &str, now: i64) -> Vec<Finding> {
    // A port with TLS is asked for its certificate alone: no proxy ends the encryption before it.
    if settings.tls.is_some() {
        return Vec::new();
    }
    let Some(endpoint) = settings.endpoints.first() else { return Vec::new() };
    let Ok(mut bound) = listeners::bind(std::slice::from_ref(endpoint)).await else { return Vec::new() };
    let Some(listener) = bound.pop().filter(|bound| [0, bound.address.port()].contains(&endpoint.port))
    else {
        return Vec::new();
    };
    let path = format!("/__/doctor/{}", legible(&SystemEntropy, LETTERS));
    let seen = Arc::new(Mutex::new(None));
    let record = Arc::clone(&seen);
    let note = move |ConnectInfo(peer): ConnectInfo<SocketAddr>, headers: HeaderMap| async move {
        let arrived = Arrived { peer: peer.ip().to_canonical(), headers };
        *record.lock() = Some(arrived);
        "tuckbox doctor"
    };
    let app = Router::new().route(&path, get(note)).into_make_service_with_connect_info::<SocketAddr>();
    let listening = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener.into_socket(), app).await {
            tracing::debug!(%error, "the doctor's port has closed");
        }
    });
    let asked = ask(&format!("{}{path}", url.trim_end_matches('/'))).await;
    listening.abort();
    let mut findings = Vec::new();
    let arrived = seen.lock().clone();
    match (asked, arrived) {
        (Ok(shown), Some(arrived)) => {
            let days = shown.and_then(|certificate| days_left(&certificate, now));
            findings.extend(days.map(|days| certificate(url, days)));
            findings.push(proxies(&settings.trusted_proxies, &arrived));
        }
        (Ok(_), None) => findings.push(Finding::advice(
            "public URL",
            format!("{url} is answered by something other than this server's port {}", endpoint.port),
        )),
        (Err(why), _) => findings
            .push(Finding::advice("public URL", format!("{url} cannot be asked from this machine: {why}"))),
    }
    findings
}

/// Asks a URL as [`CLAIMED`]. Returns the certificate that was shown.
async fn ask(url: &str) -> Result<Option<Vec<u8>>, String> {
    let client =
        Client::builder().tls_info(true).timeout(ANSWER).build().map_err(|error| error.to_string())?;
    let request = client.get(url).header(X_FORWARDED_FOR, CLAIMED.to_string());
    let answer = request.header(FORWARDED, format!("for={CLAIMED}")).send().await.map_err(|error| {
        // The cause says more than the outer error.
        let cause = std::iter::successors(std::error::Error::source(&error), |cause| cause.source()).last();
        cause.map_or_else(|| error.to_string(), ToString::to_string)
    })?;
    let shown = answer.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate);
    Ok(shown.map(<[u8]>::to_vec))
}

/// The last address in a header, in which a proxy that writes it has put its own caller.
fn last(headers: &HeaderMap, name: &str) -> Option<String> {
    let line = headers.get_all(name).iter().next_back()?.to_str().unwrap_or_default();
    let entry = line.rsplit(',').next().unwrap_or_default().trim();
    Some(entry.strip_prefix("for=").unwrap_or(entry).to_owned())
}

/// The verdict on a request that claimed [`CLAIMED`].
fn proxies(trusted: &Networks, arrived: &Arrived) -> Finding {
    let peer = arrived.peer;
    let headers = [X_FORWARDED_FOR, FORWARDED.as_str()].map(|name| (name, last(&arrived.headers, name)));
    let claimed = CLAIMED.to_string();
    let passed_on = headers.iter().filter(|(_, last)| last.as_ref() == Some(&claimed)).map(|(name, _)| *name);
    let passed_on: Vec<_> = passed_on.collect();
    let written = headers.iter().any(|(_, last)| last.as_ref().is_some_and(|last| *last != claimed));
    if !trusted.contains(peer) {
        return if passed_on.len() == headers.len() && !written {
            Finding::fine("proxy", format!("the public URL leads to the port directly, from {peer}"))
        } else {
            Finding::advice(
                "proxy",
                format!(
                    "requests come from a proxy at {peer}, which --trusted-proxies does not name: all callers share the limits of one address"
                ),
            )
        };
    }
    match passed_on.as_slice() {
        [] if written => Finding::fine("proxy", format!("the proxy at {peer} passes on callers' addresses")),
        [] => Finding::damage(
            "proxy",
            format!(
                "the proxy at {peer} writes neither {X_FORWARDED_FOR} nor forwarded: all callers share the limits of one address"
            ),
        ),
        names => Finding::damage(
            "proxy",
            format!(
                "the proxy at {peer} passes on the caller's own header {}: callers can hide their address or choose one; let it write or remove the header",
                names.join(" and ")
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn verdict(trusted: &str, headers: &[(&str, &str)]) -> (bool, String) {
        let pair = |(name, value): &(&str, &str)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
        };
        let arrived =
            Arrived { peer: "127.0.0.1".parse().unwrap(), headers: headers.iter().map(pair).collect() };
        let finding = proxies(&trusted.parse().unwrap(), &arrived);
        (finding.is_wrong(), finding.text().to_owned())
    }

    #[test]
    fn what_arrives_tells_what_the_proxy_does() {
        let both = [("x-forwarded-for", "192.0.2.77"), ("forwarded", "for=192.0.2.77")];
        for (trusted, headers, wrong, words) in [
            ("127.0.0.1", &[("x-forwarded-for", "203.0.113.9")][..], false, "passes on callers' addresses"),
            (
                "127.0.0.1",
                &[("x-forwarded-for", "192.0.2.77, 127.0.0.1")],
                false,
                "passes on callers' addresses",
            ),
            ("127.0.0.1", &[("forwarded", "for=203.0.113.9")], false, "passes on callers' addresses"),
            ("127.0.0.1", &[], true, "writes neither"),
            ("127.0.0.1", &both, true, "x-forwarded-for and forwarded:"),
            ("127.0.0.1", &[("x-forwarded-for", "203.0.113.9"), both[1]], true, "own header forwarded:"),
            ("10.0.0.0/8", &both, false, "directly"),
            ("10.0.0.0/8", &[("x-forwarded-for", "203.0.113.9")], false, "does not name"),
            ("10.0.0.0/8", &[], false, "does not name"),
        ] {
            let (is_wrong, text) = verdict(trusted, headers);
            assert!(is_wrong == wrong && text.contains(words), "{trusted} {headers:?}: {text}");
        }
    }

    #[test]
    fn a_certificate_is_renewed_in_time() {
        assert!(certificate("x", -1).is_wrong());
        for (days, words) in [(0, "ends in 0 days"), (13, "ends in 13 days"), (14, "is good for 14 days")] {
            let finding = certificate("x", days);
            assert!(!finding.is_wrong() && finding.text().contains(words), "{days}: {}", finding.text());
        }
    }
}
