use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use docstore::Code;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::address::is_public;
use super::fetcher::{Fetcher, Lookup, MAX_BYTES, system_lookup};
use super::hosts::{Hosts, Trust};
use crate::host::config::Tables;

fn tables(hosts: Option<&[&str]>, private: &[String]) -> Tables {
    Tables {
        hosts: hosts.map(|hosts| hosts.iter().map(|&host| host.to_owned()).collect()),
        private_hosts: private.to_vec(),
    }
}

/// A site that answers successive connections with these replies, and its address.
async fn site(replies: Vec<Vec<u8>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for reply in replies {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 4096];
            let _ = socket.read(&mut request).await.unwrap();
            // A client that has read enough may disconnect.
            let _ = socket.write_all(&reply).await;
        }
    });
    address
}

fn reply(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn leads_to(address: &'static str) -> Lookup {
    Arc::new(move |_| Box::pin(async move { Ok(vec![address.parse::<SocketAddr>().unwrap()]) }))
}

#[tokio::test]
async fn a_table_comes_with_its_type() {
    let address = site(vec![
        reply("302 Found", "location: /there\r\n", b""),
        reply("200 OK", "content-type: text/csv\r\n", b"Name\nFox\n"),
    ])
    .await;
    let fetcher = Fetcher::new(&tables(None, &[address.to_string()]), system_lookup()).unwrap();
    let fetched = fetcher.fetch(&format!("http://{address}/sheet")).await.unwrap();
    assert_eq!(fetched.body, b"Name\nFox\n");
    assert_eq!(fetched.content_type, "text/csv");
    assert_eq!(fetched.url, format!("http://{address}/there"));
}

#[tokio::test]
async fn a_redirect_passes_the_same_walls() {
    for target in
        ["http://169.254.169.254/latest/meta-data", "https://evil.example/x.csv", "file:///etc/passwd"]
    {
        let address = site(vec![reply("302 Found", &format!("location: {target}\r\n"), b"")]).await;
        let fetcher = Fetcher::new(&tables(None, &[address.to_string()]), system_lookup()).unwrap();
        let error = fetcher.fetch(&format!("http://{address}/")).await.unwrap_err();
        assert!(
            matches!(error.code(), Code::PermissionDenied | Code::InvalidArgument),
            "{target}: {error:?}"
        );
    }
}

#[tokio::test]
async fn redirects_end() {
    let address = site(vec![reply("302 Found", "location: /\r\n", b""); 10]).await;
    let fetcher = Fetcher::new(&tables(None, &[address.to_string()]), system_lookup()).unwrap();
    let error = fetcher.fetch(&format!("http://{address}/")).await.unwrap_err();
    assert!(error.inner().message().contains("without end"), "{error:?}");
}

#[tokio::test]
async fn a_listed_name_must_not_lead_inside() {
    for address in
        ["127.0.0.1:443", "10.1.2.3:443", "[::1]:443", "[::ffff:192.168.0.1]:443", "169.254.169.254:443"]
    {
        let fetcher = Fetcher::new(&tables(Some(&["sheets.example"]), &[]), leads_to(address)).unwrap();
        let error = fetcher.fetch("https://sheets.example/x.csv").await.unwrap_err();
        assert_eq!(error.code(), Code::PermissionDenied, "{address}: {error:?}");
        assert!(error.inner().message().contains("private network"), "{error:?}");
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_asked_once_a_connection_and_never_trusted() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    // Public on the first look-up, this machine on the second.
    let lookup: Lookup = Arc::new(move |_| {
        let first = count.fetch_add(1, Ordering::SeqCst) == 0;
        let address = if first { "192.0.2.1:443" } else { "127.0.0.1:443" };
        let address = if first { address.replace("192.0.2.1", "203.0.114.1") } else { address.to_owned() };
        Box::pin(
            async move { Ok(vec![address.parse::<SocketAddr>().unwrap(), "127.0.0.1:443".parse().unwrap()]) },
        )
    });
    let fetcher = Fetcher::new(&tables(Some(&["sheets.example"]), &[]), lookup).unwrap();
    for _ in 0..2 {
        let error = fetcher.fetch("https://sheets.example/x.csv").await.unwrap_err();
        assert_eq!(error.code(), Code::PermissionDenied, "{error:?}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn addresses_that_are_not_listed_are_refused() {
    let fetcher = Fetcher::new(&tables(None, &[]), leads_to("203.0.114.1:443")).unwrap();
    for url in [
        "https://evil.example/x.csv",
        "https://docs.google.com.evil.example/",
        "https://evildocs.google.com@evil.example/",
        "http://docs.google.com/x",
        "https://docs.google.com:8443/x",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://[::1]/",
        "ftp://docs.google.com/",
        "data:text/csv,a",
        "nonsense",
    ] {
        let error = fetcher.fetch(url).await.unwrap_err();
        assert!(matches!(error.code(), Code::PermissionDenied | Code::InvalidArgument), "{url}: {error:?}");
    }
}

#[tokio::test]
async fn too_much_and_too_wrong_are_told_apart() {
    let address = site(vec![
        reply("200 OK", "", &vec![b'a'; MAX_BYTES + 1]),
        reply("404 Not Found", "", b"nothing here"),
    ])
    .await;
    let fetcher = Fetcher::new(&tables(None, &[address.to_string()]), system_lookup()).unwrap();
    let url = format!("http://{address}/");
    assert_eq!(fetcher.fetch(&url).await.unwrap_err().code(), Code::ResourceExhausted);
    let error = fetcher.fetch(&url).await.unwrap_err();
    assert!(error.inner().message().contains("answered 404"), "{error:?}");
}

#[test]
fn hosts_are_checked_when_the_server_starts() {
    assert!(Hosts::new(&tables(Some(&["https://x.org"]), &[])).is_err());
    assert!(Hosts::new(&tables(Some(&["localhost"]), &[])).is_err());
    assert!(Hosts::new(&tables(None, &["nas.lan".to_owned()])).is_err());
    let hosts = Hosts::new(&tables(Some(&["*.Example.com"]), &["nas.lan:8080".to_owned()])).unwrap();
    assert_eq!(hosts.trust("a.b.example.com", 443), Some(Trust::Public));
    assert_eq!(hosts.trust("example.com", 443), None);
    assert_eq!(hosts.trust("badexample.com", 443), None);
    assert_eq!(hosts.trust("nas.lan", 8080), Some(Trust::Private));
    assert_eq!(hosts.trust("nas.lan", 22), None);
}

proptest! {
    #[test]
    fn no_private_range_is_public_however_it_is_written(v4 in any::<[u8; 4]>()) {
        let address = std::net::Ipv4Addr::from(v4);
        if address.is_private() || address.is_loopback() || address.is_link_local() || address.is_multicast()
            || address.is_broadcast() || address.is_documentation() || address.is_unspecified()
        {
            prop_assert!(!is_public(IpAddr::V4(address)));
        }
        prop_assert!(!is_public(IpAddr::V6(address.to_ipv6_mapped())));
        prop_assert!(!is_public(IpAddr::V6(address.to_ipv6_compatible())));
    }
}
