//! `tuckbox doctor` behind proxies of our own.

use std::net::TcpListener;

use axum::Router;
use axum::extract::Request;
use http::HeaderMap;
use reqwest::Client;

use crate::server::Place;

/// Changes the headers of a request as a proxy does.
type Rule = fn(&mut HeaderMap);

/// A proxy of our own, which adds and removes headers and sends everything on to a port.
async fn own_proxy(port: u16, rule: Rule) -> String {
    let forward = move |request: Request| async move {
        let mut headers = request.headers().clone();
        rule(&mut headers);
        let url = format!("http://127.0.0.1:{port}{}", request.uri());
        let answer = Client::new().get(url).headers(headers).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(forward)).await });
    url
}

#[tokio::test]
async fn the_doctor_asks_the_public_url_and_looks_at_what_arrives() {
    let right: Rule = |headers| {
        headers.remove("forwarded");
        headers.insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    };
    let half: Rule = |headers| {
        headers.insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    };
    let silent: Rule = |headers| {
        headers.remove("forwarded");
        headers.remove("x-forwarded-for");
    };
    let place = Place::new(None);
    for (rule, trusted, code, words) in [
        (right, "127.0.0.1", 0, "passes on callers' addresses"),
        (right, "10.0.0.1", 0, "--trusted-proxies does not name"),
        (half, "127.0.0.1", 1, "passes on the caller's own header forwarded"),
        (silent, "127.0.0.1", 1, "writes neither x-forwarded-for nor forwarded"),
    ] {
        // The port is free again by the time the doctor takes it.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = own_proxy(port, rule).await;
        let port = port.to_string();
        let options =
            ["doctor", "--in-memory", "--port", &port, "--public-url", &url, "--trusted-proxies", trusted];
        let found = place.run(&options).await;
        assert!(found.stdout.contains(words), "{words}: {}", found.stdout);
        assert_eq!(found.code, Some(code), "{}", found.stdout);
    }
}
