//! The program as a whole: start, failed start, responses, stop.

use std::net::TcpListener;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::server::Place;

#[tokio::test]
async fn one_line_when_ready_then_it_answers() {
    let place = Place::new(None);
    let server = place.serve(&["--in-memory"]).await;
    let health: Value = reqwest::get(server.at("/__/health")).await.unwrap().json().await.unwrap();
    assert_eq!(health["status"], "ok");
    let init: Value = reqwest::get(server.at("/__/firebase/init.json")).await.unwrap().json().await.unwrap();
    assert_eq!((&init["projectId"], &init["tuckbox"]["mode"]), (&json!("demo"), &json!("serving")));
    assert!(!place.join(".tuckbox").exists());
    server.signal("-TERM").await;
    let ended = server.ended().await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
}

#[tokio::test]
async fn the_application_has_its_headers_on_every_path_of_its_own() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    for path in ["/", "/decks", "/layouts/edit/1", "/__/auth/action?mode=verifyEmail&oobCode=x"] {
        let page = Client::new().get(server.at(path)).header("accept", "text/html").send().await.unwrap();
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval';")
                && policy.contains("frame-ancestors 'none'")
        );
        // Images of other servers would tell those who opens a project.
        let images = policy.split("; ").find(|part| part.starts_with("img-src ")).unwrap();
        assert!(images.split(' ').all(|source| source != "https:" && source != "*"), "{images}");
        assert_eq!(page.headers()["cross-origin-opener-policy"], "same-origin");
        assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        assert!(page.text().await.unwrap().contains("<title>Tuckbox"));
    }
    let missing =
        Client::new().get(server.at("/gone-ABCD2345.js")).header("accept", "*/*").send().await.unwrap();
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn http_2_without_tls_is_spoken_too() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let client = Client::builder().http2_prior_knowledge().build().unwrap();
    let response = client.get(server.at("/__/health")).send().await.unwrap();
    assert_eq!((response.status(), response.version()), (StatusCode::OK, reqwest::Version::HTTP_2));
}

#[tokio::test]
async fn listed_services_have_ports_of_their_own() {
    let block = r#"{"emulators": {"firestore": {"port": 0}, "auth": {"port": 0}, "functions": {"port": 0}}}"#;
    let place = Place::new(Some(block));
    let server = place.serve(&["--in-memory", "--log-format", "json"]).await;
    server.signal("-INT").await;
    let log = server.ended().await.stderr;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let services: Vec<_> = lines.iter().filter_map(|line| line["service"].as_str()).collect();
    assert_eq!(services, ["hosting", "functions", "firestore", "auth"]);
}

#[tokio::test]
async fn a_taken_port_is_named_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = Place::new(None).run(&["serve", "--in-memory", "--port", &port]).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{}", ended.stderr);
    assert!(lines[0].contains(&format!("port {port}")) && lines[0].contains("--port"), "{}", lines[0]);
}

#[tokio::test]
async fn a_locked_data_folder_is_named_and_freed_by_a_kill() {
    let place = Place::new(None);
    let first = place.serve(&[]).await;
    let ended = place.run(&["serve", "--port", "0"]).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains(".tuckbox") && ended.stderr.contains("--data"), "{}", ended.stderr);
    first.signal("-KILL").await;
    first.ended().await;
    place.serve(&[]).await;
}

#[tokio::test]
async fn a_wrong_configuration_is_named_by_file_line_and_key() {
    let place = Place::new(Some("{\n  \"emulators\": {\n    \"auth\": {\"port\": -1}\n  }\n}"));
    let ended = place.run(&["serve", "--port", "0"]).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("firebase.json:3: emulators.auth.port: "), "{}", ended.stderr);
    assert!(!place.join(".tuckbox").exists());
}

#[tokio::test]
async fn a_wrong_command_line_is_a_usage_error() {
    for args in [
        &["serve", "--port", "x"][..],
        &["serve", "--data", "a", "--in-memory"],
        &["fly"],
        &["serve", "more"],
    ] {
        let ended = Place::new(None).run(args).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.contains("--help"), "{}", ended.stderr);
    }
}
