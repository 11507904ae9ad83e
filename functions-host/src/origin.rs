//! Where a request comes from: the address of whoever is at the far end of the proxies that the operator trusts.
//!
//! A trusted proxy adds the address of its own peer at the right end of `X-Forwarded-For` or `Forwarded`. So the list is
//! read from the right, past trusted proxies, up to the first address that is none: whatever stands to the left of it is
//! what a stranger says. Where both headers are there and differ, the proxy writes one of them and passes the other on as
//! the caller sent it; nobody can tell which, so neither is believed.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, header};
use rfc7239::NodeName;

use crate::networks::Networks;

/// The header most proxies write.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// How many entries of a header are looked at: a chain of proxies is not longer.
const MAX_HOPS: usize = 32;

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The caller's address, an IPv4 one never in the form of IPv6; a trusted proxy's where that does not say whom it
    /// asks for. The port is 0 where it is not known.
    pub address: SocketAddr,
    /// How it is known.
    pub via: Via,
}

/// How a caller's address is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// It is the peer of the connection, which is no trusted proxy.
    Connection,
    /// A trusted proxy says so.
    Header,
    /// It is not: this is a trusted proxy that does not say whom it asks for.
    Proxy,
}

impl Origin {
    /// Where a request with these headers, from `peer`, comes from, when `trusted` are proxies. From any other peer the
    /// headers mean nothing.
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

    /// The caller's own address; `None` where only a proxy's is known.
    pub fn caller(&self) -> Option<IpAddr> {
        (self.via != Via::Proxy).then(|| self.address.ip())
    }
}

/// What `Forwarded` says; the outer `None` where it is not there.
fn forwarded(trusted: &Networks, headers: &HeaderMap) -> Option<Option<IpAddr>> {
    let lines = headers.get_all(header::FORWARDED);
    lines.iter().next()?;
    let entries = lines.iter().rev().flat_map(|line| {
        let entries = line.to_str().map(rfc7239::parse).map(Iterator::collect::<Vec<_>>);
        // A line that is no text is one entry that names nobody.
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

/// What `X-Forwarded-For` says; the outer `None` where it is not there.
fn x_forwarded_for(trusted: &Networks, headers: &HeaderMap) -> Option<Option<IpAddr>> {
    let lines = headers.get_all(X_FORWARDED_FOR);
    lines.iter().next()?;
    let entries = lines.iter().rev().flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    Some(first_stranger(trusted, entries.map(|entry| hop(entry.trim()))))
}

/// The first address, of a list that begins at this server, which is no trusted proxy's. An entry that names no address
/// hides whoever is behind it.
fn first_stranger(trusted: &Networks, hops: impl Iterator<Item = Option<IpAddr>>) -> Option<IpAddr> {
    for hop in hops.take(MAX_HOPS) {
        let address = hop?.to_canonical();
        if !trusted.contains(address) {
            return Some(address);
        }
    }
    None
}

/// An address, with a port or without: some proxies add it.
fn hop(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

#[cfg(test)]
mod tests;
