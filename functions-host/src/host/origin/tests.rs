use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

use super::{Origin, Via};
use crate::host::networks::Networks;

fn trusted() -> Networks {
    "127.0.0.1,10.0.0.0/8,2001:db8:ffff::/48".parse().unwrap()
}

fn headers(list: &[(&str, &str)]) -> HeaderMap {
    let pair = |(name, value): &(&str, &str)| {
        (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
    };
    list.iter().map(pair).collect()
}

fn origin(peer: &str, list: &[(&str, &str)]) -> (String, Via) {
    let origin = Origin::of(&trusted(), peer.parse().unwrap(), &headers(list));
    (origin.address.to_string(), origin.via)
}

#[test]
fn the_rightmost_address_that_is_no_trusted_proxy_is_the_callers() {
    for (list, caller) in [
        (vec![("x-forwarded-for", "203.0.113.9")], "203.0.113.9:0"),
        (vec![("x-forwarded-for", "1.1.1.1, 203.0.113.9, 10.1.2.3")], "203.0.113.9:0"),
        (vec![("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9:4711")], "203.0.113.9:0"),
        (vec![("x-forwarded-for", "::ffff:203.0.113.9")], "203.0.113.9:0"),
        (vec![("x-forwarded-for", "[2001:db8::7]:80,2001:db8:ffff::1")], "[2001:db8::7]:0"),
        (vec![("forwarded", "for=1.1.1.1, For=\"[2001:db8::7]:80\";proto=https")], "[2001:db8::7]:0"),
        (vec![("forwarded", "for=\", for=203.0.113.9;by=10.0.0.1")], "203.0.113.9:0"),
        (
            vec![("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "1.1.1.1, 203.0.113.9")],
            "203.0.113.9:0",
        ),
    ] {
        assert_eq!(origin("10.0.0.1:5", &list), (caller.to_owned(), Via::Header), "{list:?}");
    }
}

#[test]
fn a_proxy_that_does_not_say_for_whom_it_asks_counts_as_itself() {
    for (list, via) in [
        (vec![], Via::Proxy),
        (vec![("x-forwarded-for", "10.0.0.7, 127.0.0.1")], Via::Proxy),
        (vec![("x-forwarded-for", "")], Via::Hidden),
        (vec![("x-forwarded-for", "1.1.1.1, unknown")], Via::Hidden),
        (vec![("forwarded", "for=1.1.1.1, for=_hidden")], Via::Hidden),
        (vec![("forwarded", "for=1.1.1.1, proto=https")], Via::Hidden),
        // The proxy wrote one of them and the caller the other.
        (vec![("forwarded", "for=1.1.1.1"), ("x-forwarded-for", "203.0.113.9")], Via::Hidden),
        (vec![("forwarded", "for=unknown"), ("x-forwarded-for", "203.0.113.9")], Via::Hidden),
        (vec![("forwarded", "for=10.0.0.7"), ("x-forwarded-for", "203.0.113.9")], Via::Hidden),
    ] {
        assert_eq!(origin("10.0.0.1:5", &list), ("10.0.0.1:5".to_owned(), via), "{list:?}");
    }
}

#[test]
fn without_trusted_proxies_headers_mean_nothing() {
    let list = headers(&[("x-forwarded-for", "1.1.1.1"), ("forwarded", "for=1.1.1.1")]);
    let found = Origin::of(&Networks::default(), "[::ffff:127.0.0.1]:5".parse().unwrap(), &list);
    assert_eq!((found.address.to_string().as_str(), found.via), ("127.0.0.1:5", Via::Connection));
}

fn address() -> impl Strategy<Value = IpAddr> {
    let near = (0_u8..4).prop_map(|last| IpAddr::from([10, 0, 0, last]));
    prop_oneof![
        near,
        any::<u32>().prop_map(|bits| IpAddr::V4(Ipv4Addr::from(bits))),
        any::<u128>().prop_map(|bits| IpAddr::V6(bits.into()))
    ]
}

/// Arbitrary values of such a header.
fn value() -> impl Strategy<Value = String> {
    let entry = prop_oneof![
        address().prop_map(|address| address.to_string()),
        address().prop_map(|address| format!("for=\"[{address}]\"")),
        address().prop_map(|address| format!("for={address};proto=http")),
        "[ -~]{0,20}",
    ];
    proptest::collection::vec(entry, 0..6).prop_map(|entries| entries.join(","))
}

proptest! {
    #[test]
    fn no_header_changes_the_address_of_a_peer_that_is_not_trusted(
        peer in address(), port: u16, lines in proptest::collection::vec((any::<bool>(), value()), 0..4),
    ) {
        prop_assume!(!trusted().contains(peer));
        let lines: Vec<_> = lines
            .iter()
            .map(|(standard, value)| (if *standard { "forwarded" } else { "x-forwarded-for" }, value.as_str()))
            .collect();
        let found = Origin::of(&trusted(), SocketAddr::new(peer, port), &headers(&lines));
        prop_assert_eq!(found, Origin { address: SocketAddr::new(peer.to_canonical(), port), via: Via::Connection });
    }

    /// Property: whatever a caller sends, the address appended by the proxy is the one that counts.
    #[test]
    fn what_a_caller_sends_does_not_hide_its_address(sent in value(), caller in address(), standard: bool) {
        prop_assume!(!trusted().contains(caller));
        let (name, added) = match (standard, caller) {
            (true, IpAddr::V6(caller)) => ("forwarded", format!("{sent}, for=\"[{caller}]\"")),
            (true, IpAddr::V4(caller)) => ("forwarded", format!("{sent}, for={caller}")),
            (false, caller) => ("x-forwarded-for", format!("{sent}, {caller}")),
        };
        let found = Origin::of(&trusted(), "127.0.0.1:1".parse().unwrap(), &headers(&[(name, &added)]));
        prop_assert_eq!(found, Origin { address: SocketAddr::new(caller.to_canonical(), 0), via: Via::Header });
    }
}
