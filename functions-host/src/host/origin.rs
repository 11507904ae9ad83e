//! Origin of a request: the caller's address behind the operator's trusted proxies.
//!
//! A trusted proxy appends the address of its own peer to `X-Forwarded-For` or `Forwarded`. So the list is read from
//! the right, past trusted proxies, up to the first other address: anything left of it is the caller's own claim. If
//! both headers are present and differ, the proxy wrote one of them and forwarded the caller's other; as it is unknown
//! which, neither is used.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, header};
use rfc7239::NodeName;

use crate::host::networks::Networks;

/// The header written by most proxies.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Entries of a header that are examined: no chain of proxies is longer.
const MAX_HOPS: usize = 32;

/// Origin of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The caller's address, IPv4 never in mapped form; the proxy's own if a trusted proxy does not name its caller.
    /// Port 0 if unknown.
    pub address: SocketAddr,
    /// Provenance of the address.
    pub via: Via,
}

/// Provenance of a caller's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The peer of the connection, which is not a trusted proxy.
    Connection,
    /// Reported by a trusted proxy.
    Header,
    /// Unknown: a trusted proxy that does not name its caller.
    Proxy,
}

impl Origin {
    /// The origin of a request with these headers from `peer`. The headers are used only if `peer` is in `trusted`.
    pub fn of(trusted: &Networks, peer: SocketAddr, headers: &HeaderMap) -> Self {
        let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        if !trusted.contains(peer.ip()) {
            return Self { address: peer, via: Via::Connection };
        }
        let by_both = [forwarded(trusted, headers), x_forwarded_for(trusted, headers)];
        let [one, other] = by_both.map(|named| named.map(|address| (address, Via::Header)));
        let named = match (one, other) {
            (Some(one), Some(other)) => (one == other).then_some(one),
            (one, other) => one.or(other),
        };
        match named {
            Some((Some(ip), via)) => Self { address: SocketAddr::new(ip, 0), via },
            Some((None, _)) | None => Self { address: peer, via: Via::Proxy },
        }
    }

    /// The caller's own address; `None` if only a proxy's is known.
    pub fn caller(&self) -> Option<IpAddr> {
        (self.via != Via::Proxy).then(|| self.address.ip())
    }
}

/// The caller according to `Forwarded`; the outer `None` if the header is missing.
fn forwarded(trusted: &Networks, headers: &HeaderMap) -> Option<Option<IpAddr>> {
    let lines = headers.get_all(header::FORWARDED);
    lines.iter().next()?;
    let entries = lines.iter().rev().flat_map(|line| {
        let entries = line.to_str().map(rfc7239::parse).map(Iterator::collect::<Vec<_>>);
        // A line that is not text counts as one entry without an address.
        let entries = entries.map(|entries| entries.into_iter().map(Result::ok).collect());
        let entries: Vec<_> = entries.unwrap_or_else(|_| vec![None]);
        entries.into_iter().rev()
    });
    Some(first_stranger(
        trusted,
        entries.map(|entry| match entry?.forwarded_for?.name {
            NodeName::Ip(address) => Some(address),
            NodeName::Unknown | NodeName::Obfuscated(_) => None,
        }),
    ))
}

/// The caller according to `X-Forwarded-For`; the outer `None` if the header is missing.
fn x_forwarded_for(trusted: &Networks, headers: &HeaderMap) -> Option<Option<IpAddr>> {
    let lines = headers.get_all(X_FORWARDED_FOR);
    lines.iter().next()?;
    let entries = lines.iter().rev().flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    Some(first_stranger(trusted, entries.map(|entry| hop(entry.trim()))))
}

/// The first address that is not a trusted proxy's, in a list that starts at this server. An entry without an address
/// hides the caller.
fn first_stranger(trusted: &Networks, hops: impl Iterator<Item = Option<IpAddr>>) -> Option<IpAddr> {
    for hop in hops.take(MAX_HOPS) {
        let address = hop?.to_canonical();
        if !trusted.contains(address) {
            return Some(address);
        }
    }
    None
}

/// An address with or without a port, which some proxies add.
fn hop(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

#[cfg(test)]
mod tests;
