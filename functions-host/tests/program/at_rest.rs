//! The data folder is readable by the server's user alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use reqwest::Client;
use serde_json::json;

use crate::accounts::sign_up;
use crate::server::Place;

/// `folder` and everything below it, with the permissions of others.
fn walk(folder: &Path, found: &mut Vec<(PathBuf, u32)>) {
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode();
    found.push((folder.to_owned(), mode(folder) & 0o077));
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), found);
        } else {
            found.push((entry.path(), mode(&entry.path()) & 0o177));
        }
    }
}

#[tokio::test]
async fn everything_a_server_makes_is_its_users_alone() {
    let place = Place::new(None);
    // Created with the system's usual permissions.
    let data = place.join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    let mut server = place.serve(&["--data", "data"]).await;
    server.logged("could be read by other users").await;
    let ada = sign_up(&server, "ada@example.com").await;
    let client = Client::new();
    let mail = json!({"requestType": "PASSWORD_RESET", "email": "ada@example.com"});
    let asked = client.post(server.at("/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any"));
    assert_eq!(asked.json(&mail).send().await.unwrap().status(), 200);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/a.png", ada.uid);
    let upload = client.post(server.at(&path)).bearer_auth(&ada.token).header("content-type", "image/png");
    assert_eq!(upload.body(png.to_vec()).send().await.unwrap().status(), 200);
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    let exported = place.run(&["export", "out", "--project", "demo", "--data", "data"]).await;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let mut found = Vec::new();
    walk(&data, &mut found);
    walk(&place.join("out"), &mut found);
    let open: Vec<_> = found.iter().filter(|(_, others)| *others != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    for wanted in [
        "documents/log/",
        "documents/sled/db",
        "documents/CHECKPOINT",
        "keys/",
        "files/blobs/",
        "outbox.jsonl",
        "out/auth_export/accounts.json",
    ] {
        assert!(found.iter().any(|(path, _)| path.to_string_lossy().contains(wanted)), "{wanted}: {found:?}");
    }
}
