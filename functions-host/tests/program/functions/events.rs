//! Events reach functions across crashes and reloads of the server.

use std::path::PathBuf;
use std::process::Command;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::server::{Place, Server};

/// A place with the sample functions; `None`, with a message, if the suites' packages are not installed.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn place() -> Option<Place> {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/functions");
    if !suite.join("../node_modules/.bin/firebase-functions").exists() {
        eprintln!("SKIPPED: run `npm ci` in suites/ to test functions in Node");
        return None;
    }
    let compiled = Command::new("node").arg(suite.join("compile.mjs")).status().unwrap();
    assert!(compiled.success(), "the sample functions cannot be compiled");
    let source = suite.join("functions");
    let config = json!({ "functions": { "source": source.canonicalize().unwrap() } });
    Some(Place::new(Some(&config.to_string())))
}

fn documents(server: &Server, rest: &str) -> String {
    server.at(&format!("/v1/projects/demo/databases/(default)/documents{rest}"))
}

async fn set(client: &Client, server: &Server, path: &str, n: usize) {
    let name = format!("projects/demo/databases/(default)/documents/{path}");
    let write = json!({ "update": { "name": name, "fields": { "n": { "integerValue": n.to_string() } } } });
    let commit = client.post(documents(server, ":commit")).bearer_auth("owner");
    let answer = commit.json(&json!({ "writes": [write] })).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.text().await.unwrap());
}

/// The numbers of a document that the function has seen.
async fn steps(client: &Client, server: &Server, id: &str) -> Vec<usize> {
    let answer =
        client.get(documents(server, &format!("/steps/{id}"))).bearer_auth("owner").send().await.unwrap();
    let document: Value = answer.json().await.unwrap();
    let seen = document["fields"]["seen"]["arrayValue"]["values"].as_array().cloned().unwrap_or_default();
    seen.iter().map(|value| value["integerValue"].as_str().unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn events_survive_kills_and_stay_in_order() {
    let Some(place) = place() else { return };
    let client = Client::new();
    let mut server = place.serve(&["--mode", "emulator"]).await;
    let (mut written, rounds, each) = (0, 3, 15);
    for round in 0..rounds {
        for _ in 0..each {
            written += 1;
            for id in ["a", "b"] {
                set(&client, &server, &format!("ordered/{id}"), written).await;
            }
        }
        if round == 1 {
            // Some of it has been delivered, so that the kill comes in the middle.
            while steps(&client, &server, "a").await.is_empty() {
                tokio::task::yield_now().await;
            }
        }
        server.signal("-KILL").await;
        server.ended().await;
        server = place.serve(&["--mode", "emulator"]).await;
    }
    let expected: Vec<usize> = (1..=written).collect();
    for id in ["a", "b"] {
        let mut seen = Vec::new();
        while seen.len() < written {
            seen = steps(&client, &server, id).await;
        }
        assert_eq!(seen, expected, "{id}");
    }
    let dead = client.get(server.at("/emulator/v1/projects/demo/deadLetters")).send().await.unwrap();
    assert_eq!(dead.json::<Value>().await.unwrap(), json!({ "deadLetters": [] }));
    let metrics = client.get(server.at("/metrics")).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("tuckbox_events_dead_letters 0\n"), "{metrics}");
    assert!(metrics.contains("tuckbox_events_gaps_total 0\n"), "{metrics}");
}

#[tokio::test]
async fn a_dead_letter_survives_a_kill() {
    let Some(place) = place() else { return };
    let client = Client::new();
    let mut server = place.serve(&["--mode", "emulator"]).await;
    set(&client, &server, "doomed/a", 1).await;
    let letters = async |server: &Server| -> Value {
        let url = server.at("/emulator/v1/projects/demo/deadLetters");
        client.get(url).send().await.unwrap().json().await.unwrap()
    };
    server.logged("an event failed and is given up").await;
    let mut before = letters(&server).await;
    while before["deadLetters"] == json!([]) {
        before = letters(&server).await;
    }
    assert_eq!(before["deadLetters"][0]["function"], "doomed");
    server.signal("-KILL").await;
    server.ended().await;
    let server = place.serve(&["--mode", "emulator"]).await;
    assert_eq!(letters(&server).await, before);
}

/// A custom source that borrows the suites' packages.
fn own_source(place: &Place, text: &str) -> Option<()> {
    let packages = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/node_modules");
    let source = place.join("functions");
    std::fs::create_dir_all(&source).unwrap();
    std::os::unix::fs::symlink(packages.canonicalize().ok()?, source.join("node_modules")).unwrap();
    std::fs::write(source.join("package.json"), r#"{"name":"own","main":"index.js"}"#).unwrap();
    std::fs::write(source.join("index.js"), text).unwrap();
    source.join("node_modules/.bin/firebase-functions").exists().then_some(())
}

#[tokio::test]
async fn a_changed_source_is_loaded_and_a_broken_one_is_not() {
    let answer = |text: &str| {
        format!(
            "const {{ onRequest }} = require('firebase-functions/v2/https');\n\
             exports.say = onRequest((request, response) => response.send('{text} ' + request.url));\n\
             exports.late = onRequest(async (request, response) => {{\n\
               while (!require('fs').existsSync('../go')) await new Promise(done => setTimeout(done, 20));\n\
               response.send('late');\n\
             }});"
        )
    };
    let place = Place::new(Some(
        r#"{ "functions": { "source": "functions" },
        "hosting": { "rewrites": [{ "source": "/api/**", "function": "say" }] } }"#,
    ));
    if own_source(&place, &answer("one")).is_none() {
        return;
    }
    let mut server = place.serve(&["--mode", "emulator", "--in-memory"]).await;
    let client = Client::new();
    let rewritten = client.get(server.at("/api/deep?x=1")).send().await.unwrap();
    assert_eq!(rewritten.text().await.unwrap(), "one /api/deep?x=1", "a function behind a rewrite");
    let at = |name: &str| server.at(&format!("/demo/us-central1/{name}"));
    let (say, late) = (at("say"), at("late"));
    let get = |url: &str| client.get(url).send();
    assert_eq!(get(&say).await.unwrap().text().await.unwrap(), "one /");
    let late = tokio::spawn(get(&late));
    let index = place.join("functions/index.js");
    std::fs::write(&index, "\n\nthrow new Error('half written')").unwrap();
    let log = server.logged("the old functions stay active").await;
    assert!(log.contains("index.js:3"), "where the error is: {log}");
    assert!(log.contains("half written"), "what it is: {log}");
    assert_eq!(get(&say).await.unwrap().text().await.unwrap(), "one /");
    std::fs::write(&index, answer("two")).unwrap();
    server.logged("reloaded the functions").await;
    assert_eq!(get(&say).await.unwrap().text().await.unwrap(), "two /");
    std::fs::write(place.join("go"), "").unwrap();
    // A running call is answered by the worker that runs it.
    assert_eq!(late.await.unwrap().unwrap().text().await.unwrap(), "late");
}
