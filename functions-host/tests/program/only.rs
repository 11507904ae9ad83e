//! `--only`: ports, functions and sites that are served.

use serde_json::{Value, json};

use crate::server::{Ended, Place};

/// Every service that can have a port.
const ALL: [&str; 10] =
    ["hosting", "functions", "firestore", "auth", "storage", "hub", "ui", "pubsub", "eventarc", "tasks"];

/// A place whose configuration lists every service, each on any free port, and functions that cannot load.
fn place() -> Place {
    let ports: serde_json::Map<_, _> =
        ALL.iter().map(|name| ((*name).to_owned(), json!({ "port": 0 }))).collect();
    Place::new(Some(&json!({ "emulators": ports, "functions": { "source": "nowhere" } }).to_string()))
}

/// The services for which a server with these arguments opens ports.
async fn listening(place: &Place, args: &[&str]) -> Vec<String> {
    let args = [&["--in-memory", "--mode", "emulator", "--log-format", "json"], args].concat();
    let server = place.serve(&args).await;
    // With or without a port of its own, every service is listed and responds.
    let told: Value = reqwest::get(server.at("/emulators")).await.unwrap().json().await.unwrap();
    assert_eq!(told.as_object().unwrap().len(), ALL.len());
    server.signal("-INT").await;
    let lines = server.ended().await.stderr;
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    lines.lines().map(line).filter_map(|line| line["service"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn each_service_is_chosen_by_its_name() {
    let place = place();
    for name in ALL.into_iter().filter(|name| *name != "functions") {
        let expected: Vec<_> = ALL
            .into_iter()
            .filter(|other| *other == name || ["hosting", "hub", "ui"].contains(other))
            .collect();
        assert_eq!(listening(&place, &["--only", name]).await, expected, "{name}");
    }
}

#[tokio::test]
async fn several_services_are_chosen_by_a_list_or_one_by_one() {
    let place = place();
    let expected = ["hosting", "firestore", "auth", "hub", "ui"];
    for args in [&["--only", "auth,firestore"][..], &["--only", "firestore", "--only", "auth"]] {
        assert_eq!(listening(&place, args).await, expected, "{args:?}");
    }
}

#[tokio::test]
async fn functions_are_loaded_only_where_they_are_chosen() {
    let place = place();
    let fault = "functions.source names";
    let serve = ["serve", "--port", "0", "--in-memory"];
    for args in [&[][..], &["--only", "functions"], &["--only", "auth,functions:mine"]] {
        let mut server = place.serve(&[&["--in-memory", "--mode", "emulator"], args].concat()).await;
        server.logged(fault).await;
        let allowed = place.join("allowed.json");
        std::fs::write(
            &allowed,
            r#"{"functions": {"source": "nowhere"}, "tuckbox": {"functions": {"serve": true}}}"#,
        )
        .unwrap();
        let serving = [&serve[..], &["--config", "allowed.json"], args].concat();
        let ended = place.run(&serving).await;
        assert_eq!(ended.code, Some(1), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(fault), "{args:?}: {}", ended.stderr);
    }
    let server = place.serve(&["--in-memory", "--mode", "emulator", "--only", "storage"]).await;
    server.signal("-INT").await;
    let log = server.ended().await.stderr;
    assert!(!log.contains(fault), "what is left out is not looked at: {log}");
}

fn refused(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "{word}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_name_that_is_none_is_told_with_those_that_are() {
    let place = place();
    let ended = place.run(&["serve", "--port", "0", "--only", "auth,databse"]).await;
    refused(&ended, 1, &["--only databse", &ALL.join(", ")]);
    let ended = place.run(&["serve", "--port", "0", "--only", "database,dataconnect"]).await;
    refused(&ended, 1, &["Tuckbox has no Data Connect and Realtime Database"]);
    let ended = place.run(&["exec", "--only", "auht", "--", "sh", "-c", "echo it ran"]).await;
    refused(&ended, 1, &["--only auht", "auth"]);
    let ended = place.run(&["serve", "--port", "0", "--only", ""]).await;
    refused(&ended, 1, &["--only", "firestore"]);
    let ended = place.run(&["doctor", "--only", "database"]).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stdout.lines().any(|line| line.starts_with("WRONG") && line.contains("--only database")),
        "{}",
        ended.stdout
    );
    assert!(!place.join(".tuckbox").exists());
}

#[tokio::test]
async fn a_command_runs_beside_the_services_that_are_chosen() {
    let place = place();
    let script = "echo \"$FIREBASE_AUTH_EMULATOR_HOST $FIRESTORE_EMULATOR_HOST $TUCKBOX_URL\"";
    let ended = place.run(&["exec", "--only", "auth", "--", "sh", "-c", script]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let words: Vec<_> = ended.stdout.split_whitespace().collect();
    let [auth, firestore, url] = words.as_slice() else { unreachable!("{}", ended.stdout) };
    assert_eq!(&format!("http://{firestore}"), url, "documents are on the application's port");
    assert_ne!(auth, firestore, "accounts have a port of their own");
}

/// A place with two sites, the second with a function's path and rules of its own.
fn two_sites() -> Place {
    let place = Place::new(Some(
        r#"{"hosting": [
            {"target": "shop", "public": "shop", "cleanUrls": true},
            {"site": "blog", "public": "blog", "redirects": [{"source": "/old", "destination": "/new", "type": 302}]}
        ]}"#,
    ));
    for (path, text) in
        [("shop/index.html", "the shop"), ("shop/a.html", "a"), ("blog/index.html", "the blog")]
    {
        let path = place.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    place
}

async fn text(url: &str) -> String {
    reqwest::get(url).await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn every_site_has_a_port_of_its_own() {
    let place = two_sites();
    let mut server = place.serve(&["--in-memory", "--mode", "emulator", "--log-format", "json"]).await;
    let log = server.logged("\"site\":\"blog\"").await;
    let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let blog = |path: &str| format!("http://{}{path}", line["address"].as_str().unwrap());
    assert_eq!((text(&server.at("/")).await, text(&blog("/")).await), ("the shop".into(), "the blog".into()));
    assert_eq!(
        (text(&server.at("/a")).await.as_str(), reqwest::get(blog("/a")).await.unwrap().status().as_u16()),
        ("a", 404)
    );
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    assert_eq!(client.get(blog("/old")).send().await.unwrap().headers()["location"], "/new");
    assert_eq!(client.get(server.at("/old")).send().await.unwrap().status(), 404);
    // Every port serves every service.
    for url in [server.at("/__/firebase/init.json"), blog("/__/firebase/init.json")] {
        let init: Value = serde_json::from_str(&text(&url).await).unwrap();
        assert_eq!(init["projectId"], "demo");
    }
}

#[tokio::test]
async fn one_site_is_chosen_by_its_name() {
    let place = two_sites();
    for (name, expected) in
        [("hosting:blog", "the blog"), ("hosting:shop", "the shop"), ("hosting", "the shop")]
    {
        let server = place.serve(&["--in-memory", "--mode", "emulator", "--only", name]).await;
        assert_eq!(text(&server.at("/")).await, expected, "{name}");
    }
    let ended = place.run(&["serve", "--port", "0", "--in-memory", "--only", "hosting:news"]).await;
    refused(&ended, 1, &["news", "shop, blog"]);
}

#[tokio::test]
async fn the_doctor_looks_at_every_site() {
    let place = two_sites();
    std::fs::remove_dir_all(place.join("blog")).unwrap();
    let ended = place.run(&["doctor", "--in-memory", "--port", "0"]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(
        ended
            .stdout
            .lines()
            .any(|line| line.starts_with("WRONG") && line.ends_with("blog, which is no folder")),
        "{}",
        ended.stdout
    );
    let started = place.run(&["serve", "--in-memory", "--port", "0"]).await;
    refused(&started, 1, &["blog"]);
}
