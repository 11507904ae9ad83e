//! Export and import of all data, without loss.

use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{sign_in, sign_up};
use crate::server::{Place, Server};

const BYTES: &[u8] = b"some bytes";

fn documents(server: &Server, rest: &str) -> String {
    server.at(&format!("/v1/projects/demo/databases/(default)/documents{rest}"))
}

fn fields() -> Value {
    json!({
        "text": { "stringValue": "é" },
        "list": { "arrayValue": { "values": [{ "integerValue": "1" }, { "nullValue": null }] } },
        "map": { "mapValue": { "fields": { "at": { "timestampValue": "2024-01-02T03:04:05.000006Z" } } } },
        "ref": { "referenceValue": "projects/demo/databases/(default)/documents/a/b" },
    })
}

/// A server with one item of every kind.
async fn filled(place: &Place) -> Server {
    let server = place.serve(&["--mode", "emulator"]).await;
    let client = Client::new();
    let ada = sign_up(&server, "ada@example.com").await;
    let name = "projects/demo/databases/(default)/documents/a/b/c/d";
    let writes = json!({ "writes": [{ "update": { "name": name, "fields": fields() } }] });
    let commit = client.post(documents(&server, ":commit")).bearer_auth("owner").json(&writes).send();
    assert_eq!(commit.await.unwrap().status(), 200);
    let upload =
        format!("/upload/storage/v1/b/demo.appspot.com/o?uploadType=media&name=users%2F{}%2Fx.txt", ada.uid);
    let upload = client.post(server.at(&upload)).bearer_auth("owner").header("content-type", "text/plain");
    assert_eq!(upload.body(BYTES).send().await.unwrap().status(), 200);
    let upload = format!("/upload/storage/v1/b/demo.appspot.com/o?uploadType=media&name={}", long_name());
    let upload = client.post(server.at(&upload)).bearer_auth("owner").header("content-type", "text/plain");
    assert_eq!(upload.body(BYTES).send().await.unwrap().status(), 200);
    server
}

/// Longer than file systems allow, yet valid for users.
fn long_name() -> String {
    format!("{}.txt", "%C3%A9".repeat(300))
}

async fn check(server: &Server) {
    let client = Client::new();
    let uid = sign_in(server, "ada@example.com").await.uid;
    let found = client.get(documents(server, "/a/b/c/d")).bearer_auth("owner").send().await.unwrap();
    assert_eq!(found.json::<Value>().await.unwrap()["fields"], fields());
    let file = server.at(&format!("/v0/b/demo.appspot.com/o/users%2F{uid}%2Fx.txt?alt=media"));
    let file = client.get(file).bearer_auth("owner").send().await.unwrap();
    assert_eq!(file.headers()["content-type"], "text/plain");
    assert_eq!(file.bytes().await.unwrap(), BYTES);
    let file = server.at(&format!("/v0/b/demo.appspot.com/o/{}?alt=media", long_name()));
    let file = client.get(file).bearer_auth("owner").send().await.unwrap();
    assert_eq!((file.status().as_u16(), file.bytes().await.unwrap().as_ref()), (200, BYTES));
}

#[tokio::test]
async fn an_export_of_a_running_server_begins_another() {
    let place = Place::new(None);
    let server = filled(&place).await;
    let folder = place.join("exported");
    let export = |origin: Option<&str>| {
        let request = Client::new().post(server.at("/_admin/export")).json(&json!({ "path": folder }));
        origin.iter().fold(request, |request, origin| request.header("origin", *origin)).send()
    };
    assert_eq!(export(Some("https://evil.example")).await.unwrap().status(), 403);
    assert!(!folder.exists());
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("mine.txt"), "kept").unwrap();
    assert_eq!(export(None).await.unwrap().status(), 400);
    std::fs::remove_file(folder.join("mine.txt")).unwrap();
    let answer = export(None).await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    // Again over the first.
    assert_eq!(export(None).await.unwrap().status(), 200);

    let some = place.join("some");
    let request = json!({ "path": some, "initiatedBy": "test", "targets": ["auth"] });
    let answer = Client::new().post(server.at("/_admin/export")).json(&request).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let about = std::fs::read(some.join("firebase-export-metadata.json")).unwrap();
    let about: Value = serde_json::from_slice(&about).unwrap();
    assert_eq!(["auth", "firestore", "storage"].map(|part| about[part].is_object()), [true, false, false]);
    assert!(some.join("auth_export/accounts.json").exists() && !some.join("firestore_export").exists());

    let other = Place::new(None);
    let path = folder.to_str().unwrap();
    check(&other.serve(&["--mode", "emulator", "--in-memory", "--import", path]).await).await;
    let refused = other.run(&["serve", "--port", "0", "--in-memory", "--import", path]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--mode emulator"), "{}", refused.stderr);
}

#[tokio::test]
async fn a_stopped_servers_data_moves_by_command() {
    let place = Place::new(None);
    let server = filled(&place).await;
    server.signal("-TERM").await;
    server.ended().await;
    let folder = place.join("out");
    let path = folder.to_str().unwrap();
    let exported = place.run(&["export", path, "--project", "demo"]).await;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    assert!(exported.stdout.contains("1 documents, 1 accounts, 2 files"), "{}", exported.stdout);

    let other = Place::new(None);
    let imported = other.run(&["import", path, "--project", "demo"]).await;
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    check(&other.serve(&["--mode", "emulator"]).await).await;

    let records = folder.join("firestore_export/all_namespaces/all_kinds/output-0");
    let mut bytes = std::fs::read(&records).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&records, bytes).unwrap();
    let damaged = Place::new(None).run(&["import", path, "--project", "demo"]).await;
    assert_eq!(damaged.code, Some(1));
    assert!(damaged.stderr.contains("damaged at byte 0"), "{}", damaged.stderr);
    let nothing = other.run(&["import", other.path().to_str().unwrap(), "--project", "demo"]).await;
    assert!(nothing.stderr.contains("is no export"), "{}", nothing.stderr);
}

#[tokio::test]
async fn an_import_takes_nothing_from_outside_of_its_folder() {
    let place = Place::new(None);
    let server = filled(&place).await;
    server.signal("-TERM").await;
    server.ended().await;
    let folder = place.join("out");
    let exported = place.run(&["export", folder.to_str().unwrap(), "--project", "demo"]).await;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let refused = async |why: &str| {
        let other = Place::new(None);
        let imported = other.run(&["import", folder.to_str().unwrap(), "--project", "demo"]).await;
        assert_eq!(imported.code, Some(1));
        assert!(imported.stderr.contains(why), "{}", imported.stderr);
    };

    let about = folder.join("firebase-export-metadata.json");
    let kept = std::fs::read_to_string(&about).unwrap();
    std::fs::write(&about, kept.replace("\"storage_export\"", "\"../elsewhere\"")).unwrap();
    refused("leads out of it").await;
    std::fs::write(&about, kept).unwrap();

    let blobs = folder.join("storage_export/blobs");
    let blob = std::fs::read_dir(&blobs).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(&blob).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &blob).unwrap();
    refused("is a link, and links are not followed").await;
}

#[tokio::test]
async fn completions_name_the_commands() {
    let place = Place::new(None);
    for shell in ["bash", "zsh", "fish"] {
        let printed = place.run(&["completions", shell]).await;
        assert_eq!(printed.code, Some(0));
        assert!(printed.stdout.contains("doctor") && printed.stdout.contains("import"), "{shell}");
    }
}

#[tokio::test]
async fn help_explains_every_command_and_option() {
    let place = Place::new(None);
    let help = async |words: &[&str]| {
        let printed = place.run(&[words, &["--help"]].concat()).await;
        assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""), "{words:?}");
        printed.stdout
    };
    let all = help(&[]).await;
    let listed = all.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // A command's name and description, on one line each or with further lines indented.
    let commands: Vec<_> = listed.lines().filter(|line| !line.starts_with("   ")).collect();
    assert!(commands.len() >= 8, "{listed}");
    for line in commands {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        assert!(words.count() > 2, "{line}");
        if name != "help" {
            assert!(help(&[name]).await.contains("Usage: tuckbox"), "{name}");
        }
    }
    let serve = help(&["serve"]).await;
    for option in [
        "--config",
        "--data",
        "--in-memory",
        "--host",
        "--port",
        "--project",
        "--public-url",
        "--only",
        "--import",
        "--mode",
    ] {
        let after = serve.split_once(option).unwrap().1;
        let explained = after.lines().nth(1).unwrap().trim();
        assert!(explained.len() > 20, "{option}: {explained:?}");
    }
}
