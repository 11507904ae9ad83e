//! Isolation of functions from the server and from each other: environment, memory and processors.

use std::path::PathBuf;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::server::{Place, Server};

const SOURCE: &str = r#"
const { writeFileSync, mkdirSync, renameSync } = require('node:fs');
const { onRequest } = require('firebase-functions/v2/https');
const { defineSecret } = require('firebase-functions/params');
const declared = defineSecret('DECLARED');
const loop = { timeoutSeconds: 3600 };
const begin = () => {
  writeFileSync('process.new', String(process.pid));
  renameSync('process.new', 'process');
};
exports.environment = onRequest((request, response) => response.json(process.env));
exports.secretive = onRequest({ secrets: [declared] }, (request, response) => response.json(declared.value()));
exports.spin = onRequest(loop, () => {
  begin();
  for (;;);
});
exports.buffers = onRequest(loop, () => {
  const kept = [];
  for (;;) kept.push(Buffer.alloc(16 << 20, 1));
});
"#;

/// A place with such functions; `None`, with a message, if the suites' packages are not installed.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn place() -> Option<Place> {
    let modules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/node_modules");
    if !modules.join(".bin/firebase-functions").exists() {
        eprintln!("SKIPPED: run `npm ci` in suites/ to test functions in Node");
        return None;
    }
    let config =
        json!({ "functions": { "source": "functions" }, "tuckbox": { "functions": { "serve": true } } });
    let place = Place::new(Some(&config.to_string()));
    let write = |name: &str, text: &str| std::fs::write(place.join(name), text).unwrap();
    std::fs::create_dir(place.join("functions")).unwrap();
    write("functions/package.json", r#"{ "main": "index.js" }"#);
    write("functions/index.js", SOURCE);
    write("functions/.env", "PLAIN=plain");
    write("functions/.secret.local", "DECLARED=declared\nUNDECLARED=undeclared");
    std::os::unix::fs::symlink(modules.canonicalize().unwrap(), place.join("functions/node_modules"))
        .unwrap();
    Some(place)
}

fn function(server: &Server, name: &str) -> String {
    server.at(&format!("/demo/us-central1/{name}"))
}

/// Calls the looping function. Returns its process once it loops.
async fn spinning(place: &Place, server: &Server) -> (tokio::task::JoinHandle<()>, String) {
    let url = function(server, "spin");
    let call = tokio::spawn(async move {
        let _ = Client::new().post(url).send().await;
    });
    loop {
        if let Ok(process) = std::fs::read_to_string(place.join("functions/process")) {
            return (call, process);
        }
        tokio::task::yield_now().await;
    }
}

/// Waits until a process has ended.
async fn end_of(process: &str) {
    let waited = Command::new("tail").args(["--pid", process, "-f", "/dev/null"]).status().await;
    assert!(waited.unwrap().success());
}

#[tokio::test]
async fn functions_see_declared_variables_and_in_serving_mode_nothing_of_the_servers() {
    let Some(place) = place() else { return };
    let variables = [("AWS_SECRET_ACCESS_KEY", "key"), ("TUCKBOX_STRIPE_KEY", "key"), ("ANYTHING", "else")];
    for mode in ["serving", "emulator"] {
        let server = place.serve_with(&["--mode", mode], &variables).await;
        let get = async |name| {
            Client::new().get(function(&server, name)).send().await.unwrap().json::<Value>().await
        };
        let seen = get("environment").await.unwrap();
        for (name, value) in variables {
            // A developer's exported variables are passed to functions, as in the official suite.
            let handed_on = mode == "emulator" && !name.starts_with("TUCKBOX_");
            assert_eq!(seen[name], if handed_on { json!(value) } else { Value::Null }, "{mode}: {name}");
        }
        assert_eq!((&seen["PLAIN"], &seen["DECLARED"]), (&json!("plain"), &json!("declared")), "{mode}");
        assert_eq!(seen["UNDECLARED"], Value::Null, "{mode}");
        assert_eq!(get("secretive").await.unwrap(), json!("declared"), "{mode}");
    }
}

#[tokio::test]
async fn a_loop_ends_when_its_caller_leaves() {
    let Some(place) = place() else { return };
    let server = place.serve(&["--mode", "emulator"]).await;
    let (call, process) = spinning(&place, &server).await;
    call.abort();
    end_of(&process).await;
    assert_eq!(Client::new().get(function(&server, "environment")).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_loop_ends_with_a_server_that_is_killed() {
    let Some(place) = place() else { return };
    let server = place.serve(&["--mode", "emulator"]).await;
    let (call, process) = spinning(&place, &server).await;
    server.signal("-KILL").await;
    end_of(&process).await;
    call.abort();
}

#[tokio::test]
async fn memory_outside_of_the_heap_counts_too() {
    let Some(place) = place() else { return };
    let server = place.serve(&["--mode", "emulator"]).await;
    let full = Client::new().post(function(&server, "buffers")).send().await.unwrap();
    assert_eq!(full.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(Client::new().get(function(&server, "environment")).send().await.unwrap().status(), 200);
}
