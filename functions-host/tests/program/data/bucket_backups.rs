//! Backups of the program in a bucket of an S3-compatible service.

use std::fs;

use super::backups::{download, make_project, project_status, upload};
use super::log_copies::{continued, copied, rename};
use crate::accounts::{sign_in, sign_up};
use crate::server::{Ended, Place};

#[path = "../../../../storage-emu/examples/support/s3.rs"]
mod s3;

/// The keys, which come from the environment.
const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", s3::KEYS.0), ("AWS_SECRET_ACCESS_KEY", s3::KEYS.1)];

fn succeeded(done: Ended) -> String {
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    done.stdout
}

/// A server that backs up by a schedule and copies its log to the bucket loses its data folder.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_data_folder_comes_back_from_a_bucket_with_the_log_up_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let service = s3::serve(folder.path()).await.unwrap();
    let at = |name: &str| format!("s3://{}/{name}?endpoint={service}&region={}", s3::BUCKET, s3::REGION);
    let (backups, log) = (at("backups"), at("log"));
    let section = serde_json::json!({"folder": backups, "every": "24h", "logTo": log});
    let place = Place::new(Some(&serde_json::json!({"tuckbox": {"backup": section}}).to_string()));
    let mut server = place.serve_with(&[], &KEYS).await;
    server.logged("a backup is made").await;
    let ada = sign_up(&server, "ada@example.com").await;
    make_project(&server, &ada, "one").await;
    let copies = folder.path().join(s3::BUCKET).join("log");
    continued(&place, &server, &ada, (&backups, &copies), &KEYS).await;
    upload(&server, &ada, "a.png", b"1").await;
    let made = succeeded(place.run_with(&["backup", &backups, "--project", "demo"], &KEYS).await);
    assert!(made.contains("1 (34 bytes) are new") && made.contains("s3://tuckbox/backups"), "{made}");
    make_project(&server, &ada, "after").await;
    upload(&server, &ada, "b.png", b"2").await;
    let last = rename(&server, &ada, "after", "Last").await;
    copied(&copies, &last).await;
    server.signal("-KILL").await;
    server.ended().await;
    fs::remove_dir_all(place.join(".tuckbox")).unwrap();

    let checked =
        succeeded(place.run_with(&["restore", &backups, "--verify", "--project", "demo"], &KEYS).await);
    assert!(checked.contains("is whole"), "{checked}");
    succeeded(place.run_with(&["restore", &backups, "--project", "demo"], &KEYS).await);
    fs::write(place.join("without-backups.json"), "{}").unwrap();
    let server = place.serve(&["--config", "without-backups.json"]).await;
    let ada = sign_in(&server, "ada@example.com").await;
    for project in ["one", "after"] {
        assert_eq!(project_status(&server, &ada, project).await, 200, "{project}");
    }
    for (name, end) in [("a.png", b'1'), ("b.png", b'2')] {
        assert_eq!(download(&server, &ada, name).await.last(), Some(&end), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_cannot_be_used_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let service = s3::serve(folder.path()).await.unwrap();
    let place = Place::new(None);
    place.serve(&[]).await.signal("-TERM").await;
    for (address, keys, words) in [
        ("s3://".to_owned(), &KEYS[..], "names no bucket"),
        (format!("s3://tuckbox/x?endpoint={service}&zone=1"), &KEYS, "unknown setting"),
        (format!("s3://others/x?endpoint={service}"), &KEYS, "s3://others/x"),
        (
            format!("s3://tuckbox/x?endpoint={service}"),
            &[("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "wrong")],
            "s3://tuckbox/x",
        ),
        ("s3://tuckbox/x?endpoint=http://127.0.0.1:9".to_owned(), &KEYS, "s3://tuckbox/x"),
    ] {
        let done = place.run_with(&["backup", &address, "--project", "demo"], keys).await;
        assert_eq!(done.code, Some(1), "{address}: {}", done.stdout);
        assert!(done.stderr.contains(words), "{address}: {}", done.stderr);
    }
    let done =
        place.run_with(&["restore", &format!("s3://tuckbox/y?endpoint={service}"), "--verify"], &KEYS).await;
    assert!(done.stderr.contains("has no backups"), "{}", done.stderr);
}
