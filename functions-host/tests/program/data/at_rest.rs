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
    server.logged("was readable by other users").await;
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
        "documents/fjall/keyspaces/",
        "documents/CHECKPOINT",
        "keys/",
        "files/blobs/",
        "outbox.jsonl",
        "out/auth_export/accounts.json",
    ] {
        assert!(found.iter().any(|(path, _)| path.to_string_lossy().contains(wanted)), "{wanted}: {found:?}");
    }
}

/// Every path below `folder` whose name has `ending`, sorted.
fn named(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, &mut found);
    let mut paths: Vec<_> = found.into_iter().map(|(path, _)| path).collect();
    paths.retain(|path| path.is_file() && path.to_string_lossy().contains(ending));
    paths.sort();
    paths
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_scrub_reads_everything_and_names_what_is_damaged() {
    let place = Place::new(None);
    let data = place.join("data");
    let arguments = ["doctor", "--scrub", "--in-memory", "--port", "0"];
    let nothing = place.run(&arguments).await;
    assert!(nothing.stdout.contains("there is no data folder to read"), "{}", nothing.stdout);

    let server = place.serve(&["--data", "data"]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let client = Client::new();
    let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/a.png", ada.uid);
    let upload = client.post(server.at(&path)).bearer_auth(&ada.token).header("content-type", "image/png");
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    assert_eq!(upload.body(png.to_vec()).send().await.unwrap().status(), 200);
    let arguments = ["doctor", "--scrub", "--data", "data", "--port", "0"];
    let held = place.run(&arguments).await;
    assert_eq!(held.code, Some(1), "{}", held.stdout);
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));

    // A second start writes the checkpoint that the view is compared with.
    let exported = place.run(&["export", "out", "--project", "demo", "--data", "data"]).await;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let whole = place.run(&arguments).await;
    assert_eq!(whole.code, Some(0), "{}", whole.stdout);
    assert!(whole.stdout.contains("rows of the view are whole"), "{}", whole.stdout);
    assert!(whole.stdout.contains("1 contents of 33 bytes are whole"), "{}", whole.stdout);
    assert!(whole.stdout.contains("the contents of all 1 files are there"), "{}", whole.stdout);

    let content = &named(&data, "files/blobs/")[0];
    flip(content, 20);
    let damaged = place.run(&arguments).await;
    assert_eq!(damaged.code, Some(1));
    let line = damaged.stdout.lines().find(|line| line.starts_with("WRONG")).unwrap();
    assert!(line.contains("1 of 1 contents are damaged") && line.contains("blobs/"), "{line}");
    flip(content, 20);

    // A content that is gone has no bytes to compare: its record tells.
    let aside = place.join("aside");
    fs::rename(content, &aside).unwrap();
    let lost = place.run(&arguments).await;
    assert_eq!(lost.code, Some(1));
    let line = lost.stdout.lines().find(|line| line.starts_with("WRONG")).unwrap();
    let file = format!("demo.appspot.com/users/{}/a.png (content blobs/", ada.uid);
    assert!(line.contains("1 of 1 files have lost their contents") && line.contains(&file), "{line}");
    assert!(line.contains("put these back from a backup"), "{line}");
    fs::rename(&aside, content).unwrap();
    let mended = place.run(&arguments).await;
    assert_eq!(mended.code, Some(0), "{}", mended.stdout);

    flip(named(&data, ".seg").last().unwrap(), 60);
    let damaged = place.run(&arguments).await;
    assert_eq!(damaged.code, Some(1));
    assert!(damaged.stdout.contains("the log is damaged in log/"), "{}", damaged.stdout);
}
