//! Origin of a request: the caller's address behind the operator's trusted proxies.
//!
//! A trusted proxy appends the address of its own peer to `X-Forwarded-For` or `Forwarded`. So the list is read from
//! the right, past trusted proxies, up to the first other address: anything left of it is the caller's own claim. If
//! both headers are present and differ, the proxy wrote one of them and forwarded the caller's other; as it is unknown
//! which, neither is used, and the request counts as the proxy's own: a caller gains nothing by a second header.

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
    /// A trusted proxy asks for itself, or for another one.
    Proxy,
    /// Unknown: a trusted proxy asks for somebody, and its headers name nobody or contradict each other.
    Hidden,
}

/// The caller that a header names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Caller(IpAddr),
    /// Trusted proxies alone.
    Proxies,
    Nobody,
}

impl Origin {
    /// The origin of a request with these headers from `peer`. The headers are used only if `peer` is in `trusted`.
    pub fn of(trusted: &Networks, peer: SocketAddr, headers: &HeaderMap) -> Self {
        let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        if !trusted.contains(peer.ip()) {
            return Self { address: peer, via: Via::Connection };
        }
        let named = match (forwarded(trusted, headers), x_forwarded_for(trusted, headers)) {
            (Some(one), Some(other)) if one != other => Named::Nobody,
            (one, other) => one.or(other).unwrap_or(Named::Proxies),
        };
        match named {
            Named::Caller(ip) => Self { address: SocketAddr::new(ip, 0), via: Via::Header },
            Named::Proxies => Self { address: peer, via: Via::Proxy },
            Named::Nobody => Self { address: peer, via: Via::Hidden },
        }
    }

    /// The caller's own address; `None` if only a proxy's is known.
    pub fn caller(&self) -> Option<IpAddr> {
        matches!(self.via, Via::Connection | Via::Header).then(|| self.address.ip())
    }

    /// The address under which a caller counts: their own, or the proxy's if its headers contradict each other. `None` for
    /// a proxy that asks for itself.
    pub fn counted(&self) -> Option<IpAddr> {
        let hidden = (self.via == Via::Hidden).then(|| self.address.ip());
        self.caller().or(hidden)
    }
}

/// The caller according to `Forwarded`; `None` if the header is missing.
fn forwarded(trusted: &Networks, headers: &HeaderMap) -> Option<Named> {
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

/// The caller according to `X-Forwarded-For`; `None` if the header is missing.
fn x_forwarded_for(trusted: &Networks, headers: &HeaderMap) -> Option<Named> {
    let lines = headers.get_all(X_FORWARDED_FOR);
    lines.iter().next()?;
    let entries = lines.iter().rev().flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    Some(first_stranger(trusted, entries.map(|entry| hop(entry.trim()))))
}

/// The first address that is not a trusted proxy's, in a list that starts at this server. An entry without an address
/// hides the caller.
fn first_stranger(trusted: &Networks, hops: impl Iterator<Item = Option<IpAddr>>) -> Named {
    for hop in hops.take(MAX_HOPS) {
        let Some(address) = hop.map(|hop| hop.to_canonical()) else { return Named::Nobody };
        if !trusted.contains(address) {
            return Named::Caller(address);
        }
    }
    Named::Proxies
}

/// An address with or without a port, which some proxies add.
fn hop(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

#[cfg(test)]
mod tests;
