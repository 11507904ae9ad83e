//! Copies of the log: everything acknowledged is back after the data folder is lost, and so is any moment before.

use std::fs;
use std::path::Path;

use reqwest::Client;
use serde_json::{Value, json};

use super::backups::{download, make_project, project_status, refuse, succeed, upload};
use crate::accounts::{Person, sign_in, sign_up};
use crate::server::{Place, Server};

const FIREBASE: &str =
    r#"{"tuckbox": {"backup": {"folder": "backups", "every": "6h", "keep": 3, "logTo": "copies"}}}"#;

/// Renames a project. Returns the time of the commit.
pub(super) async fn rename(server: &Server, person: &Person, id: &str, name: &str) -> String {
    let path =
        format!("/v1/projects/demo/databases/(default)/documents/projects/{id}?updateMask.fieldPaths=name");
    let sent = Client::new().patch(server.at(&path)).bearer_auth(&person.token);
    let sent = sent.json(&json!({"fields": {"name": {"stringValue": name}}})).send().await.unwrap();
    assert_eq!(sent.status(), 200);
    sent.json::<Value>().await.unwrap()["updateTime"].as_str().unwrap().to_owned()
}

async fn name_of(server: &Server, person: &Person, id: &str) -> String {
    let path = format!("/v1/projects/demo/databases/(default)/documents/projects/{id}");
    let got = Client::new().get(server.at(&path)).bearer_auth(&person.token).send().await.unwrap();
    let document = got.json::<Value>().await.unwrap();
    assert!(document["error"].is_null(), "{document}");
    document["fields"]["name"]["stringValue"].as_str().unwrap().to_owned()
}

/// Waits until the commit of a time is copied to a folder.
pub(super) async fn copied(folder: &Path, time: &str) {
    let wanted = chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp_micros();
    let last = |name: &str| name.strip_suffix(".log")?.split_once('-')?.1.parse::<i64>().ok();
    loop {
        let entries = fs::read_dir(folder.join("log")).into_iter().flatten().flatten();
        let newest = entries.filter_map(|entry| last(entry.file_name().to_str()?)).max();
        if newest.is_some_and(|newest| newest >= wanted) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// Renames a project until the copies go on from the newest backup, and returns the time of the last commit. Copies that
/// begin after a backup ask for another one.
pub(super) async fn continued(
    place: &Place,
    server: &Server,
    person: &Person,
    (backups, copies): (&str, &Path),
    variables: &[(&str, &str)],
) -> String {
    let rename_and_copy = async |name: &str| {
        let time = rename(server, person, "one", name).await;
        copied(copies, &time).await;
        time
    };
    for attempt in 1.. {
        // A name that is there already would change nothing, and the time would be that of the commit before.
        rename_and_copy(&format!("Attempt {attempt}")).await;
        let said = place.run_with(&["restore", backups, "--verify"], variables).await;
        if said.stdout.contains("continue it up to") {
            break;
        }
    }
    // The backup may be newer than the commits before.
    rename_and_copy("Early").await
}

#[tokio::test]
async fn all_that_was_acknowledged_is_back_after_the_data_folder_is_lost() {
    let place = Place::new(Some(FIREBASE));
    let mut server = place.serve(&[]).await;
    server.logged("a backup is made").await;
    let ada = sign_up(&server, "ada@example.com").await;
    make_project(&server, &ada, "one").await;
    let early = continued(&place, &server, &ada, ("backups", &place.join("copies")), &[]).await;
    upload(&server, &ada, "a.png", b"1").await;
    let late = rename(&server, &ada, "one", "Late").await;
    copied(&place.join("copies"), &late).await;
    // A server that writes copies hinders nobody who reads them.
    let said = succeed(&place, &["restore", "backups", "--verify"]).await;
    assert!(said.contains("continue it up to"), "{said}");
    server.signal("-KILL").await;
    server.ended().await;

    // It goes on where it was.
    let server = place.serve(&[]).await;
    make_project(&server, &ada, "two").await;
    let last = rename(&server, &ada, "two", "Last").await;
    copied(&place.join("copies"), &last).await;
    server.signal("-KILL").await;
    server.ended().await;
    fs::remove_dir_all(place.join(".tuckbox")).unwrap();

    let said = succeed(&place, &["restore", "backups", "--verify"]).await;
    assert!(said.contains("continue it up to"), "{said}");
    let said = succeed(&place, &["restore", "backups", "--project", "demo"]).await;
    assert!(said.contains("continue it up to") && !said.contains("no copy has"), "{said}");
    let early_data = ["restore", "backups", "--at", &early, "--into", "early"];
    let said = succeed(&place, &early_data).await;
    assert!(said.contains("continue it up to") && !said.contains("are missing"), "{said}");
    succeed(&place, &["restore", "backups", "--no-log", "--into", "alone"]).await;

    let server = place.serve(&[]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, ada.uid);
    assert_eq!(name_of(&server, &ada, "one").await, "Late");
    assert_eq!(name_of(&server, &ada, "two").await, "Last");
    assert_eq!(download(&server, &ada, "a.png").await.last(), Some(&b'1'));
    let next = rename(&server, &ada, "one", "Next").await;
    copied(&place.join("copies"), &next).await;
    drop(server);
    fs::write(place.join("plain.json"), "{}").unwrap();
    let server = place.serve(&["--data", "early", "--config", "plain.json"]).await;
    assert_eq!(name_of(&server, &ada, "one").await, "Early");
    assert_eq!(project_status(&server, &ada, "two").await, 403);
}

#[tokio::test]
async fn damaged_and_foreign_copies_are_named() {
    let place = Place::new(Some(FIREBASE));
    let mut server = place.serve(&[]).await;
    server.logged("a backup is made").await;
    let ada = sign_up(&server, "ada@example.com").await;
    make_project(&server, &ada, "one").await;
    continued(&place, &server, &ada, ("backups", &place.join("copies")), &[]).await;
    server.signal("-TERM").await;
    server.ended().await;
    let files = fs::read_dir(place.join("copies/log")).unwrap().map(|entry| entry.unwrap().path());
    let newest = files.filter(|path| path.extension().is_some_and(|ending| ending == "log")).max().unwrap();
    let kept = fs::read(&newest).unwrap();
    let mut bent = kept.clone();
    *bent.last_mut().unwrap() ^= 1;
    fs::write(&newest, bent).unwrap();
    for arguments in [&["restore", "backups", "--verify"][..], &["restore", "backups", "--into", "other"]] {
        let refused = refuse(&place, arguments).await;
        let name = newest.file_name().unwrap().to_str().unwrap();
        assert!(refused.contains(name) && refused.contains("damaged"), "{refused}");
    }
    assert!(!place.join("other").exists());
    succeed(&place, &["restore", "backups", "--no-log", "--into", "other"]).await;
    let refused = refuse(&place, &["restore", "backups", "--log", "nowhere", "--into", "third"]).await;
    assert!(refused.contains("has no backups") && refused.contains("--no-log"), "{refused}");
    fs::write(&newest, kept).unwrap();
    // Another server must not write after the copies of this one: its own commits are later, and do not follow them.
    fs::remove_dir_all(place.join(".tuckbox")).unwrap();
    let mut server = place.serve(&[]).await;
    server.logged("are missing from the copies of the log: a backup begins").await;
}
