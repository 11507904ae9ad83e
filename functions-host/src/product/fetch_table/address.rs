//! Public and special-purpose IP addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True if the address is reachable from the internet: not this machine, not its network, no special-purpose range.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

/// The ranges are those of IANA's special-purpose registry (RFC 6890 and its updates).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = a == 0
        || a == 10
        || a == 127
        || (a == 100 && (64..128).contains(&b))
        || (a == 169 && b == 254)
        || (a == 172 && (16..32).contains(&b))
        || (a == 192 && b == 0 && (c == 0 || c == 2))
        || (a == 192 && b == 88 && c == 99)
        || (a == 192 && b == 168)
        || (a == 198 && (b == 18 || b == 19))
        || (a == 198 && b == 51 && c == 100)
        || (a == 203 && b == 0 && c == 113)
        || a >= 224;
    !special
}

/// Global unicast only, without ranges that embed an IPv4 address: a tunnel could lead back inside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let global = (0x2000..0x4000).contains(&first);
    let special = match first {
        0x2001 => second < 0x0200 || second == 0x0db8,
        other => other == 0x2002 || other == 0x3fff,
    };
    global && !special
}
