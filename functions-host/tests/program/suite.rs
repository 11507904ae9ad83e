//! `tuckbox emulators:start` and `tuckbox emulators:exec`, and what emulator mode makes of an unfinished project.

use std::fs;

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::server::Place;

/// A project of which nothing has been built or installed.
const UNFINISHED: &str = r#"{
    // as `firebase init` writes it
    "hosting": [{"target": "app", "public": "dist", "rewrites": [{"source": "**", "destination": "/index.html"}]},
                {"target": "docs", "source": "site", "frameworksBackend": {"region": "us-central1"}}],
    "firestore": {"rules": "firestore.rules", "indexes": "firestore.indexes.json"},
    "storage": {"rules": "storage.rules"},
    "functions": [{"source": "code", "codebase": "default"}, {"source": "py", "codebase": "ml", "runtime": "python312"}],
    "dataconnect": {"source": "dataconnect"},
    "extensions": {"email": "firebase/firestore-send-email@0.1.36"},
    "emulators": {"auth": {"port": 0}, "hosting": {"port": 0}, "firestore": {"port": 0}, "storage": {"port": 0},
                  "functions": {"port": 0}, "hub": {"port": 0}, "eventarc": {"port": 0}, "tasks": {"port": 0},
                  "ui": {"enabled": false}}
}"#;

#[tokio::test]
async fn a_script_runs_beside_the_products_and_its_exit_code_is_ours() {
    let block =
        r#"{"emulators": {"auth": {"port": 0}, "firestore": {"port": 0}, "hub": {"port": 0}, "ui": {}}}"#;
    let place = Place::new(Some(block));
    let script = "echo \"$FIRESTORE_EMULATOR_HOST|$FIREBASE_AUTH_EMULATOR_HOST|$FIREBASE_STORAGE_EMULATOR_HOST|$FIREBASE_EMULATOR_HUB|$GCLOUD_PROJECT\"; exit 42";
    let ended =
        place.run(&["emulators:exec", "--project", "demo-x", script, "--only", "firestore,auth"]).await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(42), ""), "stopping is silent");
    let words: Vec<_> = ended.stdout.trim().split('|').collect();
    let [firestore, auth, storage, hub, project] = words[..] else { unreachable!("{}", ended.stdout) };
    assert!([firestore, auth, hub].iter().all(|address| address.starts_with("127.0.0.1:")), "{words:?}");
    assert_eq!((storage, project), ("", "demo-x"), "a script reaches only what was started");
    assert!(!place.join(".tuckbox").exists(), "nothing is kept");
}

#[tokio::test]
async fn options_may_stand_before_the_command() {
    let place = Place::new(Some(r#"{"emulators": {"firestore": {"port": 0}, "ui": {"enabled": false}}}"#));
    for options in [&["--project=demo-y"][..], &["--project", "demo-y", "--debug"], &["-P", "demo-y"]] {
        let command = [options, &["emulators:exec", "--only", "firestore", "echo $GCLOUD_PROJECT"]].concat();
        let ended = place.run(&command).await;
        assert_eq!((ended.code, ended.stdout.trim()), (Some(0), "demo-y"), "{options:?}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn the_log_says_why_rules_deny() {
    let place = Place::new(Some(
        r#"{"firestore": {"rules": "firestore.rules"}, "storage": {"rules": "storage.rules"},
            "emulators": {"firestore": {"port": 0}, "storage": {"port": 0}, "hub": {"port": 0}, "ui": {"enabled": false}}}"#,
    ));
    let rules = "rules_version = '2';
service cloud.firestore { match /databases/{db}/documents { match /notes/{id} {
  allow read: if id == 'open' || request.auth.uid == id;
} } }";
    fs::write(place.join("firestore.rules"), rules).unwrap();
    let files = "rules_version = '2';
service firebase.storage { match /b/{b}/o { match /{name} {
  allow read: if name.size() > 3;
} } }";
    fs::write(place.join("storage.rules"), files).unwrap();
    let script = "node -e '
        const read = async (url) => console.log((await fetch(url)).status, url.length > 0);
        const { FIRESTORE_EMULATOR_HOST: documents, FIREBASE_STORAGE_EMULATOR_HOST: files } = process.env;
        await read(`http://${documents}/v1/projects/demo-z/databases/(default)/documents/notes/a`);
        await read(`http://${files}/v0/b/demo-z.appspot.com/o/abc`);
    ' --input-type=module";
    let command = ["emulators:exec", "--project", "demo-z", script];
    let quiet = place.run(&command).await;
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("403 true\n403 true\n", ""));
    let told = place.run(&[&command[..], &["--debug"]].concat()).await;
    let lines: Vec<_> = told.stderr.lines().filter(|line| !line.starts_with("info: ")).collect();
    for line in [
        "debug: get /databases/(default)/documents/notes/a is denied",
        "  match /databases/{db}/documents/notes/{id} L3: Null value error.",
        "    L3:18 id = \"a\"",
        "    L3:18 id == 'open' = false",
        "debug: get /b/demo-z.appspot.com/o/abc is denied",
        "    L3:18 name.size() = 3",
    ] {
        assert!(lines.contains(&line), "{line:?} is not in:\n{}", lines.join("\n"));
    }
}

#[tokio::test]
async fn with_nothing_to_start_the_reason_is_told() {
    let cases = [
        (None, "No emulators to start: there is no firebase.json"),
        (Some(r#"{"react-native": {}}"#), "names no product"),
        (Some(r#"{"dataconnect": {"source": "x"}, "emulators": {"ui": {}}}"#), "Tuckbox has no Data Connect"),
        (Some(r#"{"functions": {"runtime": "python39"}}"#), "functions for Node.js alone"),
        (Some(r#"{"database": {"rules": "x"}}"#), "Tuckbox has no Realtime Database"),
    ];
    for (firebase, reason) in cases {
        let place = Place::new(firebase);
        for command in [&["emulators:start"][..], &["emulators:exec", "echo it ran"]] {
            let ended = place.run(command).await;
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
            assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
            assert!(ended.stderr.contains(reason), "{firebase:?}: {}", ended.stderr);
        }
    }
}

#[tokio::test]
async fn without_a_file_the_services_of_only_start() {
    let script = "test -n \"$FIRESTORE_EMULATOR_HOST\" && test -z \"$FIREBASE_AUTH_EMULATOR_HOST\"";
    let ended = Place::new(None).run(&["emulators:exec", "--only", "firestore", script]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[tokio::test]
async fn an_unfinished_project_starts_and_says_what_is_missing() {
    let place = Place::new(Some(UNFINISHED));
    let script = "curl --silent \"$TUCKBOX_URL/any\"; exit 0";
    let ended = place.run(&["emulators:exec", script]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for what in [
        "dist, which is no folder: build the site",
        "hosting.source in firebase.json is an application",
        "firestore.rules, which does not exist",
        "storage.rules, which does not exist",
        "firestore.indexes.json",
        "code, which does not exist",
        "codebase ml (python312)",
        "Tuckbox has no Data Connect",
        "Tuckbox has no Extensions",
    ] {
        let lines: Vec<_> = ended.stderr.lines().filter(|line| line.contains(what)).collect();
        assert_eq!(lines.len(), 1, "{what}: {}", ended.stderr);
        assert!(lines[0].starts_with("warning: "), "{}", lines[0]);
    }
    let chosen = place.run(&["emulators:exec", "--only", "auth", "true"]).await;
    assert_eq!((chosen.code, chosen.stderr.as_str()), (Some(0), ""), "what is left out is not looked at");
}

#[tokio::test]
async fn a_site_and_rules_count_once_they_are_there() {
    let place = Place::new(Some(UNFINISHED));
    let mut server = place.serve(&["--in-memory", "--mode", "emulator"]).await;
    let get = async |path: &str| {
        let answer = reqwest::get(server.at(path)).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let (status, said) = get("/").await;
    assert!(status == 404 && said.contains("build the site"), "{said}");
    let document = server.at("/v1/projects/demo/databases/(default)/documents/a/b");
    assert_eq!(reqwest::get(&document).await.unwrap().status(), 404, "everything is allowed");
    fs::create_dir(place.join("dist")).unwrap();
    fs::write(place.join("dist/index.html"), "built").unwrap();
    assert_eq!(get("/any/page").await, (200, "built".to_owned()));
    let closed = "rules_version = '2'; service cloud.firestore { match /{all=**} { allow read: if false; } }";
    fs::write(place.join("firestore.rules"), closed).unwrap();
    server.logged("reloaded the rules").await;
    assert_eq!(reqwest::get(&document).await.unwrap().status(), 403);
}

#[tokio::test]
async fn data_goes_to_a_folder_at_the_end_and_comes_back() {
    let place = Place::new(Some(r#"{"emulators": {"firestore": {"port": 0}, "hub": {"port": 0}}}"#));
    let document =
        "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GCLOUD_PROJECT/databases/(default)/documents/a/b";
    let write = format!(
        "curl --silent --fail -X PATCH -H 'authorization: Bearer owner' -H 'content-type: application/json' -d '{{}}' \"{document}\""
    );
    let flags = ["--import=seed", "--export-on-exit"];
    let first = place.run(&[&["emulators:exec", &write], &flags[..]].concat()).await;
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(place.join("seed/firebase-export-metadata.json").exists());
    let read = format!("curl --silent --fail -H 'authorization: Bearer owner' \"{document}\"");
    let second = place.run(&[&["emulators:exec", &read], &flags[..]].concat()).await;
    assert_eq!((second.code, second.stderr.as_str()), (Some(0), ""));
    let third = place.run(&["emulators:exec", &read]).await;
    assert_ne!(third.code, Some(0), "nothing is kept without --import");
    fs::write(place.join("notes.txt"), "x").unwrap();
    let refused = place.run(&["emulators:exec", "echo it ran", "--export-on-exit=."]).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
}

#[tokio::test]
async fn the_port_of_the_realtime_database_refuses_in_words() {
    let block = r#"{"database": {"rules": "x"}, "emulators": {"database": {"port": 0}, "auth": {"port": 0}, "hub": {"port": 0}, "ui": {"enabled": false}}}"#;
    let place = Place::new(Some(block));
    let mut server = place.serve(&["--in-memory", "--mode", "emulator", "--log-format", "json"]).await;
    let log = server.logged("\"service\":\"database\"").await;
    let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let address = line["address"].as_str().unwrap().to_owned();
    let rest = reqwest::get(format!("http://{address}/a.json?ns=demo")).await.unwrap();
    assert_eq!(rest.status(), 501);
    let said: Value = rest.json().await.unwrap();
    assert!(said["error"].as_str().unwrap().starts_with("Tuckbox has no Realtime Database"), "{said}");
    // Tests that ask the hub find the port, and so the words.
    let listed: Value = reqwest::get(server.at("/emulators")).await.unwrap().json().await.unwrap();
    assert!(address.ends_with(&format!(":{}", listed["database"]["port"])), "{listed}");

    let stream = TcpStream::connect(&address).await.unwrap();
    let url = format!("ws://{address}/.ws?v=5&ns=demo-default-rtdb");
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
    let mut next = async |send: Option<Value>| -> Value {
        if let Some(message) = send {
            socket.send(Message::text(message.to_string())).await.unwrap();
        }
        let message = socket.next().await.unwrap().unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    };
    let hello = next(None).await;
    assert_eq!(
        (&hello["t"], &hello["d"]["t"], &hello["d"]["d"]["v"]),
        (&json!("c"), &json!("h"), &json!("5"))
    );
    assert_eq!(next(None).await["d"]["t"], "e");
    let listen = json!({"t": "d", "d": {"r": 1, "a": "q", "b": {"p": "/a", "h": ""}}});
    let answer = next(Some(listen)).await;
    assert_eq!((&answer["d"]["r"], &answer["d"]["b"]["s"]), (&json!(1), &json!("unavailable")));
    // An open socket does not keep the server from stopping.
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
}

#[tokio::test]
async fn a_source_of_functions_that_is_mended_loads() {
    let modules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/node_modules");
    if !modules.join("firebase-functions").exists() {
        eprintln!("SKIPPED: run `npm ci` in suites/ to test functions in Node");
        return;
    }
    let place = Place::new(Some(r#"{"functions": {"source": "code"}}"#));
    let mut server = place.serve(&["--in-memory", "--mode", "emulator"]).await;
    server.logged("the functions start once this is mended").await;
    let ready = place.join("ready");
    fs::create_dir(&ready).unwrap();
    std::os::unix::fs::symlink(modules.canonicalize().unwrap(), ready.join("node_modules")).unwrap();
    fs::write(ready.join("package.json"), r#"{"main": "index.js"}"#).unwrap();
    let source =
        "exports.hello = require('firebase-functions/https').onRequest((_, res) => res.send('hello'));";
    fs::write(ready.join("index.js"), source).unwrap();
    fs::rename(&ready, place.join("code")).unwrap();
    server.logged("reloaded the functions").await;
    let answer = reqwest::get(server.at("/demo/us-central1/hello")).await.unwrap();
    assert_eq!(answer.text().await.unwrap(), "hello");
}

#[tokio::test]
async fn a_usual_port_that_is_taken_moves_and_a_chosen_one_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let listed = json!({"emulators": {"auth": {"port": port}, "hub": {"port": 0}}}).to_string();
    let ended = Place::new(Some(&listed)).run(&["emulators:exec", "echo it ran"]).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert!(ended.stderr.contains(&format!("port {port}")) && ended.stderr.contains("emulators.auth.port"));
    let ui =
        json!({"emulators": {"auth": {"port": 0}, "hub": {"port": 0}, "ui": {"port": port}}}).to_string();
    let ended = Place::new(Some(&ui)).run(&["emulators:exec", "--ui", "true"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("warning: port {port} (ui) is taken")), "{}", ended.stderr);
}
