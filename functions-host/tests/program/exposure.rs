//! Information visible to strangers on a production server, and information for its operator alone.

use std::os::unix::fs::PermissionsExt as _;

use futures::{StreamExt as _, stream};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::accounts::sign_up;
use crate::server::{Place, Server};

/// Sends raw bytes. Returns the response's status line and headers.
async fn raw(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase()
}

#[tokio::test]
async fn codes_leave_by_the_outbox_of_the_data_folder_alone() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let client = Client::new();
    let mail = json!({ "requestType": "PASSWORD_RESET", "email": "ada@example.com" });
    let path = "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=tuckbox-demo";
    let sent = client.post(server.at(path)).json(&mail).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::OK);
    let file = place.join(".tuckbox/outbox.jsonl");
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    // While the server runs.
    let shown = place.run(&["outbox", "--project", "demo", "--json", "--to", "ada@example.com"]).await;
    let shown: Value = serde_json::from_str(shown.stdout.trim()).unwrap();
    let code = shown["oobCode"].as_str().unwrap();
    for path in [
        "emulator/v1/projects/demo/oobCodes",
        "emulator/v1/projects/demo/verificationCodes",
        "emulator/v1/projects/demo/config",
        "emulator/v1/projects/demo/requests",
        "emulator/action?mode=resetPassword&apiKey=x&newPassword=correct-horse&oobCode=",
        "emulator/auth/provider",
        "emulators",
        "console/",
        "console.html",
        "metrics",
    ] {
        // As forwarded by a proxy on the same machine that does not name its caller.
        let answer = client.get(server.at(&format!("/{path}"))).send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {text}");
        assert!(!text.contains(code) && !text.contains("console"), "{path}: {text}");
    }
    assert!(!ada.uid.is_empty());
    let text = place.run(&["outbox", "--project", "demo"]).await.stdout;
    assert!(text.starts_with("Choose a new password, to ada@example.com:\n  http"), "{text}");
    assert!(text.contains(code));
    server.signal("-TERM").await;
    let log = server.ended().await.stderr;
    assert!(log.contains("tuckbox outbox") && !log.contains(code), "{log}");
}

#[tokio::test]
async fn the_numbers_want_the_operators_token() {
    let place = Place::new(None);
    let server = place.serve_with(&["--in-memory"], &[("TUCKBOX_METRICS_TOKEN", "s3cret")]).await;
    let ask = |token: &str| Client::new().get(server.at("/metrics")).bearer_auth(token.to_owned()).send();
    assert_eq!(ask("guess").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert!(ask("s3cret").await.unwrap().text().await.unwrap().contains("tuckbox_requests"));
}

#[tokio::test]
async fn a_request_names_one_host() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let get = "GET /__/live HTTP/1.1\r\nConnection: close\r\n";
    for hosts in ["", "Host: \r\n", "Host: a.example\r\nHost: b.example\r\n"] {
        let answer = raw(&server, &format!("{get}{hosts}\r\n")).await;
        assert!(answer.starts_with("http/1.1 400"), "{hosts:?}: {answer}");
    }
    assert!(raw(&server, &format!("{get}Host: a.example\r\n\r\n")).await.starts_with("http/1.1 200"));
    assert!(raw(&server, "GET /__/live HTTP/1.0\r\n\r\n").await.contains(" 200"));
}

#[tokio::test]
async fn browsers_neither_guess_types_nor_come_back_without_tls() {
    let place = Place::new(None);
    let open = place.serve(&["--in-memory"]).await;
    let encrypted = place.serve(&["--in-memory", "--public-url", "https://cards.example"]).await;
    for (server, strict) in [(&open, false), (&encrypted, true)] {
        for path in [
            "/__/live",
            "/__/firebase/init.json",
            "/v1/projects/demo/databases/(default)/documents/a/b",
            "/identitytoolkit.googleapis.com/v1/accounts:lookup",
            "/v0/b/demo.appspot.com/o/x",
            "/us-central1-demo/echo",
            "/gone.js",
            "/metrics",
        ] {
            let answer = Client::new().get(server.at(path)).send().await.unwrap();
            assert_eq!(answer.headers()["x-content-type-options"], "nosniff", "{path}");
            let kept = answer.headers().get("strict-transport-security");
            assert_eq!(kept.is_some(), strict, "{path} {kept:?}");
        }
    }
}

#[tokio::test]
async fn an_emulators_console_is_for_pages_of_its_own_machine() {
    let server = Place::new(None).serve(&["--in-memory", "--mode", "emulator"]).await;
    let requests = "/emulator/v1/projects/demo/databases";
    for (host, origin, status) in [
        ("localhost", "", "200"),
        ("rebound.evil.example", "", "403"),
        ("localhost", "Origin: https://evil.example\r\n", "403"),
        ("localhost", "Origin: http://localhost:3000\r\n", "200"),
    ] {
        let request = format!("GET {requests} HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: close\r\n\r\n");
        let answer = raw(&server, &request).await;
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{host} {origin}: {answer}");
        let clear = "DELETE /emulator/v1/projects/demo/databases/(default)/documents HTTP/1.1";
        let answer =
            raw(&server, &format!("{clear}\r\nHost: {host}\r\n{origin}Connection: close\r\n\r\n")).await;
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{host} {origin}: {answer}");
    }
}

/// Opens live-query sessions as a caller at `address` behind a trusted proxy. Returns the number admitted and the texts
/// of the refusals.
async fn open_sessions(server: &Server, address: &str, many: usize) -> (usize, Vec<String>) {
    let url = server.at("/google.firestore.v1.Firestore/Listen/channel?VER=8&RID=1");
    let client = Client::new();
    let open = |_| {
        let request = client.post(&url).header("x-forwarded-for", address).body("count=0&ofs=0");
        async move {
            let answer = request.send().await.unwrap();
            let status = answer.status().as_u16();
            (status != 200).then_some(format!("{status} {}", answer.text().await.unwrap()))
        }
    };
    let told: Vec<_> =
        stream::iter(0..many).map(open).buffered(8).filter_map(std::future::ready).collect().await;
    (many - told.len(), told)
}

#[tokio::test]
async fn one_caller_cannot_open_all_sessions() {
    let proxied = ["--in-memory", "--trusted-proxies", "127.0.0.1"];
    let server = Place::new(None).serve(&proxied).await;
    let (open, refused) = open_sessions(&server, "192.0.2.1", 300).await;
    assert_eq!((open, refused.len()), (256, 44));
    assert!(refused[0].starts_with("429 ") && refused[0].contains("try again"), "{}", refused[0]);
    assert_eq!(open_sessions(&server, "192.0.2.2", 10).await, (10, Vec::new()));
    let emulator = Place::new(None).serve(&[&proxied[..], &["--mode", "emulator"]].concat()).await;
    assert_eq!(open_sessions(&emulator, "192.0.2.1", 300).await.0, 300);
}
