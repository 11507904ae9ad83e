//! TLS on the server's own port.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use futures::{SinkExt as _, StreamExt as _};
use reqwest::{Certificate, Client, StatusCode, Version};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::server::{Place, Server};

/// Host of the certificates.
const HOST: &str = "cards.example";

/// Options of a server with a certificate.
const OPTIONS: [&str; 5] = ["--in-memory", "--tls-cert", "cert.pem", "--tls-key", "key.pem"];

/// A pair of files in PEM.
struct Pair {
    cert: String,
    key: String,
}

impl Pair {
    fn new() -> Self {
        let made = rcgen::generate_simple_self_signed([HOST.to_owned()]).unwrap();
        Self { cert: made.cert.pem(), key: made.signing_key.serialize_pem() }
    }

    fn write(&self, place: &Place) {
        fs::write(place.join("key.pem"), &self.key).unwrap();
        fs::write(place.join("cert.pem"), &self.cert).unwrap();
    }

    /// A client that accepts this certificate and no other.
    fn client(&self, server: &Server, only_http1: bool) -> Client {
        let certificate = Certificate::from_pem(self.cert.as_bytes()).unwrap();
        let builder = Client::builder().tls_certs_only([certificate]).resolve(HOST, address(server));
        let builder = if only_http1 { builder.http1_only() } else { builder };
        builder.no_proxy().build().unwrap()
    }
}

fn address(server: &Server) -> SocketAddr {
    server.url.strip_prefix("https://").unwrap().parse().unwrap()
}

fn at(server: &Server, path: &str) -> String {
    format!("https://{HOST}:{}{path}", address(server).port())
}

#[tokio::test]
async fn both_versions_of_http_are_spoken_over_tls() {
    let place = Place::new(None);
    let pair = Pair::new();
    pair.write(&place);
    let server = place.serve(&OPTIONS).await;
    for (only_http1, version) in [(true, Version::HTTP_11), (false, Version::HTTP_2)] {
        let answer = pair.client(&server, only_http1).get(at(&server, "/__/health")).send().await.unwrap();
        assert_eq!((answer.status(), answer.version()), (StatusCode::OK, version));
    }
    let stranger = Pair::new().client(&server, false).get(at(&server, "/__/health")).send().await;
    assert!(stranger.is_err(), "the certificate is not the stranger's");
    // The programs that make exports speak plain HTTP from this machine.
    let plain = Client::new().get(format!("http://{}/__/health", address(&server))).send().await.unwrap();
    assert_eq!(plain.json::<Value>().await.unwrap()["status"], "ok");
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
}

#[tokio::test]
async fn sockets_of_tables_pass_over_tls() {
    let place = Place::new(None);
    let pair = Pair::new();
    pair.write(&place);
    let server = place.serve(&OPTIONS).await;
    let mut roots = RootCertStore::empty();
    let mut pem = pair.cert.as_bytes();
    let certificate = rustls::pki_types::pem::PemObject::from_pem_reader(&mut pem).unwrap();
    roots.add(certificate).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(address(&server)).await.unwrap();
    let name = ServerName::try_from(HOST).unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    let port = address(&server).port();
    let mut request = format!("ws://{HOST}:{port}/__/table/t/socket").into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("https://{HOST}:{port}").parse().unwrap());
    let (mut socket, _) = client_async(request, stream).await.unwrap();
    socket.send(Message::text(json!({"hello": 2, "token": "x"}).to_string())).await.unwrap();
    let bye = socket.next().await.unwrap().unwrap();
    assert!(bye.to_text().unwrap().contains("signed-out"), "{bye}");
}

#[tokio::test]
async fn changed_files_are_used_and_bad_ones_are_not() {
    let place = Place::new(Some(r#"{"tuckbox": {"tls": {"cert": "cert.pem", "key": "key.pem"}}}"#));
    let (first, second) = (Pair::new(), Pair::new());
    first.write(&place);
    let mut server = place.serve(&["--in-memory"]).await;
    let works = async |server: &Server, pair: &Pair| {
        pair.client(server, false).get(at(server, "/__/health")).send().await.is_ok()
    };
    assert!(works(&server, &first).await);
    second.write(&place);
    server.logged("reloaded the TLS certificate").await;
    assert!(works(&server, &second).await && !works(&server, &first).await);
    fs::write(place.join("cert.pem"), "no certificate").unwrap();
    let log = server.logged("the old certificate stays in use").await;
    assert!(log.contains("cert.pem cannot be used"), "{log}");
    assert!(works(&server, &second).await);
}

#[tokio::test]
async fn a_server_with_bad_files_does_not_start_and_names_them() {
    let place = Place::new(None);
    Pair::new().write(&place);
    fs::write(place.join("key.pem"), Pair::new().key).unwrap();
    let options = [&["serve", "--port", "0"], &OPTIONS[..]].concat();
    let ended = place.run(&options).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("key.pem cannot be used: it is not the key"), "{}", ended.stderr);
    let alone = place.run(&["serve", "--tls-cert", "cert.pem"]).await;
    assert_eq!(alone.code, Some(2));
    assert!(alone.stderr.contains("--tls-key"), "{}", alone.stderr);
    let emulator = place.run(&[&options[..], &["--mode", "emulator"]].concat()).await;
    assert!(emulator.stderr.contains("are for serving mode"), "{}", emulator.stderr);
}

#[tokio::test]
async fn the_doctor_counts_the_days_of_a_certificate() {
    let place = Place::new(None);
    Pair::new().write(&place);
    let options = [&["doctor", "--port", "0"], &OPTIONS[..]].concat();
    let found = place.run(&options).await;
    assert!(found.stdout.contains("cert.pem is good for "), "{}", found.stdout);
    fs::write(place.join("key.pem"), "no key").unwrap();
    let found = place.run(&options).await;
    assert_eq!(found.code, Some(1));
    assert!(found.stdout.contains("WRONG   certificate: the TLS file"), "{}", found.stdout);
}
