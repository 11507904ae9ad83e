//! A server whose documents are in PostgreSQL, started from Debian's package. Without one the tests print SKIPPED.

#![allow(clippy::panic, clippy::print_stderr, reason = "the harness of another package")]

#[allow(dead_code, reason = "tests of another package use the rest")]
#[path = "../../../../docstore/postgres/tests/postgres/server.rs"]
mod postgres;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use reqwest::{Client, StatusCode};
use serde_json::Value;

use self::postgres::Server as Postgres;
use crate::accounts::{sign_in, sign_up};
use crate::server::{Place, Server};

/// Files are in a bucket, which these tests do not need.
const BUCKET: &str =
    r#"{"tuckbox": {"files": {"s3": {"bucket": "none", "endpoint": "http://127.0.0.1:1"}}}}"#;

async fn health(server: &Server) -> (StatusCode, Value) {
    let response = Client::new().get(server.at("/__/ready")).send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

/// Runs `tuckbox serve`, which must refuse to start with these words.
async fn refused(place: &Place, args: &[&str], words: &[&str]) {
    let ended = place.run(&[&["serve", "--project", "demo", "--port", "0"], args].concat()).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "{word:?} in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

#[tokio::test]
async fn accounts_and_documents_outlive_the_machine() {
    let Some(database) = Postgres::start(&[], &[]) else { return };
    let url = database.url(&database.database().await);
    let place = Place::new(Some(BUCKET));
    let server = place.serve(&["--store", &url]).await;
    let account = sign_up(&server, "ada@example.com").await;
    assert_eq!(health(&server).await.0, StatusCode::OK);

    // Another machine is told that this one serves, and this one goes on.
    let other = Place::new(Some(BUCKET));
    refused(&other, &["--store", &url], &["another Tuckbox", "one node serves at a time"]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, account.uid);

    // It goes with its disk; the address comes from the configuration, the password from a file.
    server.signal("-KILL").await;
    server.ended().await;
    drop(place);
    let bare = url.replace("&password=right", "");
    let store = format!(r#"{{"tuckbox": {{"store": {{"url": "{bare}"}}, "files""#);
    fs::write(other.join("firebase.json"), BUCKET.replacen(r#"{"tuckbox": {"files""#, &store, 1)).unwrap();
    let passwords = other.join("passwords");
    fs::write(&passwords, "localhost:*:*:*:right").unwrap();
    fs::set_permissions(&passwords, fs::Permissions::from_mode(0o600)).unwrap();
    let server = other.serve_with(&[], &[("PGPASSFILE", passwords.to_str().unwrap())]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, account.uid);
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));

    // The folder is no place for a server without the database now, nor for another database.
    fs::write(other.join("firebase.json"), BUCKET).unwrap();
    refused(&other, &[], &["was used with a shared store"]).await;
    let empty = database.url(&database.database().await);
    refused(&other, &["--store", &empty], &["empty"]).await;
}

#[tokio::test]
async fn each_wrong_store_is_refused_in_words() {
    let place = Place::new(Some(BUCKET));
    refused(&place, &["--store", "mysql://db"], &["must begin with postgres://"]).await;
    refused(&place, &["--store", "postgres://ann@127.0.0.1:1/games"], &["cannot be reached"]).await;
    refused(&place, &["--store", "postgres://db/x", "--mode", "emulator"], &["serving mode"]).await;
    let local = Place::new(None);
    refused(&local, &["--store", "postgres://ann@127.0.0.1:1/games"], &["tuckbox.files.s3"]).await;
    // A folder with documents of its own is not hidden.
    let server = place.serve(&[]).await;
    server.signal("-TERM").await;
    server.ended().await;
    refused(&place, &["--store", "postgres://ann@127.0.0.1:1/games"], &["documents of its own", "--data"])
        .await;
    let Some(database) = Postgres::start(&[], &[]) else { return };
    let (name, place) = (database.database().await, Place::new(Some(BUCKET)));
    refused(&place, &["--store", &database.url_of("tuckbox", "wrong", &name)], &["password"]).await;
    refused(&place, &["--store", &database.url("nowhere")], &["nowhere"]).await;
    database.run("postgres", &format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    refused(&place, &["--store", &database.url(&name)], &["write"]).await;
}

#[tokio::test]
async fn a_server_without_its_database_says_so_and_goes_on_when_it_is_back() {
    let Some(mut database) = Postgres::start(&[], &[]) else { return };
    let url = database.url(&database.database().await);
    let place = Place::new(Some(BUCKET));
    let server = place.serve(&["--store", &url]).await;
    let account = sign_up(&server, "ada@example.com").await;
    database.stop();
    let said = loop {
        let (status, said) = health(&server).await;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            break said;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    assert!(said["status"].as_str().unwrap().contains("shared store does not answer"), "{said}");
    database.crash();
    while health(&server).await.0 != StatusCode::OK {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, account.uid);
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
}

#[tokio::test]
async fn each_command_works_on_a_shared_store_or_says_why_not() {
    let Some(database) = Postgres::start(&[], &[]) else { return };
    let (url, copy) = (database.url(&database.database().await), database.url(&database.database().await));
    let place = Place::new(Some(BUCKET));
    let run = async |args: &[&str], store: &str| {
        place.run(&[&args[..1], &["--project", "demo", "--store", store], &args[1..]].concat()).await
    };
    let server = place.serve(&["--store", &url]).await;
    let ada = sign_up(&server, "ada@example.com").await;

    // Beside the server.
    let granted = run(&["admin", "grant", "ada@example.com"], &url).await;
    assert_eq!(granted.code, Some(0), "{}", granted.stderr);
    let refused = run(&["backup", "copies"], &url).await;
    assert!(
        refused.code == Some(1) && refused.stderr.contains("the database's own tools"),
        "{}",
        refused.stderr
    );
    let other = Place::new(Some(BUCKET));
    let refused = other.run(&["export", "out", "--project", "demo", "--store", &url]).await;
    assert!(refused.code == Some(1) && refused.stderr.contains("another Tuckbox"), "{}", refused.stderr);
    let doctor = run(&["doctor", "--port", "0"], &url).await.stdout;
    for words in [
        "PostgreSQL",
        "has the rights it needs",
        "its clock and this machine's agree",
        "in term 1",
        "is a copy of this",
    ] {
        assert!(doctor.contains(words), "{words:?} in {doctor}");
    }
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));

    // Without it.
    let granted = run(&["admin", "revoke", "ada@example.com"], &url).await;
    assert_eq!(granted.code, Some(0), "{}", granted.stderr);
    let exported = run(&["export", "out"], &url).await;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let of_folder = run(&["import", "out"], &copy).await;
    assert!(of_folder.code == Some(1) && of_folder.stderr.contains("is empty"), "{}", of_folder.stderr);
    let imported = run(&["import", "out", "--data", "second"], &copy).await;
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let server = place.serve(&["--store", &copy, "--data", "second"]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, ada.uid);
}

#[tokio::test]
async fn the_doctor_names_what_is_wrong_with_a_database() {
    let Some(database) = Postgres::start(&["fsync = off"], &[]) else { return };
    let name = database.database().await;
    let place = Place::new(Some(BUCKET));
    let doctor = async |url: &str| place.run(&["doctor", "--port", "0", "--store", url]).await.stdout;
    database.run(&name, "CREATE ROLE weak LOGIN PASSWORD 'right'").await;
    let weak = database.url_of("weak", "right", &name);
    let said = doctor(&weak).await;
    for words in ["fsync is off", "the role weak may not set it up", "it is empty"] {
        assert!(said.contains(words), "{words:?} in {said}");
    }
    // A look sets nothing up.
    database.run(&name, "CREATE SCHEMA tuckbox; CREATE TABLE tuckbox.head (cluster text)").await;
    let said = doctor(&database.url(&name)).await;
    assert!(said.contains("are not the shared store's"), "{said}");
    let said = doctor(&weak).await;
    assert!(said.contains("may not read and change head") && said.contains("GRANT USAGE"), "{said}");
    refused(&place, &["--store", &database.url(&name)], &["are not the shared store's"]).await;
}
