//! Backups of the program, and the drill of `docs/operating.md`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{Person, sign_in, sign_up};
use crate::server::{Place, Server, new_project_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

pub(super) async fn make_project(server: &Server, person: &Person, id: &str) {
    let path = format!("/v1/projects/demo/databases/(default)/documents/projects/{id}");
    let made = Client::new().patch(server.at(&path)).bearer_auth(&person.token);
    let made = made.json(&json!({"fields": new_project_of(&person.uid)})).send().await.unwrap();
    assert_eq!(made.status(), 200, "{}", made.text().await.unwrap());
}

pub(super) async fn project_status(server: &Server, person: &Person, id: &str) -> u16 {
    let path = format!("/v1/projects/demo/databases/(default)/documents/projects/{id}");
    Client::new().get(server.at(&path)).bearer_auth(&person.token).send().await.unwrap().status().as_u16()
}

pub(super) async fn upload(server: &Server, person: &Person, name: &str, more: &[u8]) {
    let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/{name}", person.uid);
    let sent =
        Client::new().post(server.at(&path)).bearer_auth(&person.token).header("content-type", "image/png");
    let sent = sent.body([PNG, more].concat()).send().await.unwrap();
    assert_eq!(sent.status(), 200, "{}", sent.text().await.unwrap());
}

pub(super) async fn download(server: &Server, person: &Person, name: &str) -> Vec<u8> {
    let path = format!("/v0/b/demo.appspot.com/o/users%2F{}%2F{name}?alt=media", person.uid);
    let got = Client::new().get(server.at(&path)).bearer_auth(&person.token).send().await.unwrap();
    assert_eq!(got.status(), 200, "{name}");
    got.bytes().await.unwrap().to_vec()
}

pub(super) async fn succeed(place: &Place, args: &[&str]) -> String {
    let done = place.run(args).await;
    assert_eq!(done.code, Some(0), "{args:?}: {}{}", done.stdout, done.stderr);
    done.stdout
}

pub(super) async fn refuse(place: &Place, args: &[&str]) -> String {
    let done = place.run(args).await;
    assert_eq!(done.code, Some(1), "{args:?}: {}", done.stdout);
    done.stderr
}

fn open_to_others(folder: &Path, found: &mut Vec<String>) {
    for path in
        std::iter::once(folder.to_owned()).chain(fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()))
    {
        if fs::metadata(&path).unwrap().permissions().mode() & 0o077 != 0 {
            found.push(path.display().to_string());
        }
        if path != folder && path.is_dir() {
            open_to_others(&path, found);
        }
    }
}

/// The commands of a block of the handbook, with its folders in the test's own.
fn documented(heading: &str, place: &Place) -> Vec<String> {
    let page = include_str!("../../../../docs/operating.md");
    let section = page.split_once(&format!("\n{heading}\n")).unwrap().1;
    let block = section.split_once("```sh\n").unwrap().1.split_once("```").unwrap().0;
    let own = |line: &str| line.replace("/mnt/", &format!("{}/", place.path().display()));
    let commands =
        block.lines().map(|line| line.split_once("  #").map_or(line, |(command, _)| command).trim());
    commands.filter(|line| !line.is_empty()).map(own).collect()
}

/// Identity of the documents' history, as pages learn it.
async fn history(server: &Server) -> Value {
    let config = Client::new().get(server.at("/__/firebase/init.json")).send().await.unwrap();
    config.json::<Value>().await.unwrap()["tuckbox"]["history"].take()
}

/// Every command of the drill, as the handbook has it: the data folder is lost after a kill, and all is back that was
/// acknowledged before the backup.
#[tokio::test]
async fn the_drill_of_the_handbook_brings_everything_back() {
    let place = Place::new(Some(r#"{"tuckbox": {}}"#));
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    make_project(&server, &ada, "before").await;
    upload(&server, &ada, "a.png", b"1").await;
    let run = async |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[0], "tuckbox", "{line}");
        succeed(&place, &[&words[1..], &["--project", "demo"]].concat()).await
    };
    let making = documented("### Making one", &place);
    assert!(run(&making[0]).await.contains("1 (34 bytes) are new"));
    upload(&server, &ada, "b.png", b"2").await;
    let known = history(&server).await;
    assert!(known.is_string(), "{known}");
    let again = run(&making[1]).await;
    assert!(again.contains("2 file contents") && again.contains("1 (34 bytes) are new"), "{again}");
    make_project(&server, &ada, "after").await;
    let mut open = Vec::new();
    open_to_others(&place.join("backups"), &mut open);
    assert!(open.is_empty(), "{open:?}");

    server.signal("-KILL").await;
    server.ended().await;
    let mut moved = 0;
    for line in documented("### Restoring", &place) {
        if let Some(folder) = line.strip_prefix("mv .tuckbox ") {
            fs::rename(place.join(".tuckbox"), place.join(folder)).unwrap();
            fs::remove_dir_all(place.join(folder)).unwrap();
            moved += 1;
        } else {
            let said = run(&line).await;
            assert!(said.contains("2 contents of files"), "{said}");
        }
    }
    assert_eq!(moved, 1);
    let server = place.serve(&[]).await;
    // A page that is still open notices that what it shows may be gone.
    let anew = history(&server).await;
    assert!(anew.is_string() && anew != known, "{known} {anew}");
    // The key that signs tokens is restored: Ada is still signed in.
    assert_eq!(project_status(&server, &ada, "before").await, 200);
    assert_eq!(project_status(&server, &ada, "after").await, 403);
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, ada.uid);
    assert_eq!(download(&server, &ada, "a.png").await, [PNG, b"1"].concat());
    assert_eq!(download(&server, &ada, "b.png").await, [PNG, b"2"].concat());
    make_project(&server, &ada, "later").await;
}

#[tokio::test]
async fn a_stopped_servers_folder_is_backed_up_and_damage_is_refused() {
    let place = Place::new(None);
    let arguments = ["backup", "backups", "--project", "demo"];
    let refused = refuse(&place, &arguments).await;
    assert!(refused.contains("is not a server's data folder"), "{refused}");
    assert!(!place.join(".tuckbox").exists() && !place.join("backups").exists());
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    upload(&server, &ada, "a.png", b"1").await;
    server.signal("-TERM").await;
    server.ended().await;
    let said = succeed(&place, &arguments).await;
    assert!(said.contains("1 file content ("), "{said}");
    let refused = refuse(&place, &["restore", "backups"]).await;
    assert!(refused.contains("is not empty") && refused.contains("--into DATA"), "{refused}");

    let said = succeed(&place, &["restore", "backups", "--into", "other", "--project", "others"]).await;
    assert!(said.contains("start the server with --project demo"), "{said}");
    let server = place.serve(&["--data", "other"]).await;
    sign_in(&server, "ada@example.com").await;

    let folder = fs::read_dir(place.join("backups")).unwrap().map(|entry| entry.unwrap().path());
    let folder = folder.into_iter().find(|path| path.join("documents").exists()).unwrap();
    let mut bytes = fs::read(folder.join("documents")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.join("documents"), bytes).unwrap();
    for arguments in [&["restore", "backups", "--verify"][..], &["restore", "backups", "--into", "third"]] {
        let refused = refuse(&place, arguments).await;
        assert!(refused.contains("/documents is damaged"), "{refused}");
    }
    assert!(!place.join("third").exists());
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_backup_leaves_the_older_one() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    upload(&server, &ada, "a.png", b"1").await;
    let arguments = ["backup", "backups", "--project", "demo"];
    succeed(&place, &arguments).await;
    for number in 0..40_u32 {
        upload(&server, &ada, &format!("{number}.png"), &[&number.to_le_bytes()[..], &[7; 200_000]].concat())
            .await;
    }
    let mut command = place.spawn(&arguments, &[]);
    // It is under way once its folder is there; the server is killed among its writes.
    let backups = place.join("backups");
    let whole = |names: &[String]| names.iter().filter(|name| name.ends_with(".manifest")).count();
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&backups).unwrap().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    while names().iter().filter(|name| name.starts_with('2')).count() < 3 {
        tokio::task::yield_now().await;
    }
    server.signal("-KILL").await;
    server.ended().await;
    command.wait().await.unwrap();
    assert!((1..=2).contains(&whole(&names())), "{:?}", names());
    succeed(&place, &["restore", "backups", "--verify"]).await;
    let server = place.serve(&[]).await;
    succeed(&place, &arguments).await;
    let said = succeed(&place, &["restore", "backups", "--into", "other"]).await;
    assert!(said.contains("41 contents of files"), "{said}");
    drop(server);
    let server = place.serve(&["--data", "other"]).await;
    assert_eq!(download(&server, &ada, "39.png").await.len(), PNG.len() + 200_004);
    // Nothing of the interrupted one is left.
    let folders = names().iter().filter(|name| name.starts_with('2') && !name.ends_with(".manifest")).count();
    assert_eq!(folders, whole(&names()));
}

#[tokio::test]
async fn uploads_under_way_begin_anew_after_a_restore() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/a.png", ada.uid);
    let start = Client::new().post(server.at(&path)).bearer_auth(&ada.token);
    let start = start.header("x-goog-upload-protocol", "resumable").header("x-goog-upload-command", "start");
    let start = start.header("x-goog-upload-header-content-type", "image/png").send().await.unwrap();
    let address = start.headers()["x-goog-upload-url"].to_str().unwrap().to_owned();
    let bytes = [PNG, &[1; 262_144 - 33]].concat();
    let send = |address: &str, command: &str, offset: &str| {
        let request = Client::new().post(address).header("x-goog-upload-command", command);
        request.header("x-goog-upload-offset", offset).body(bytes.clone()).send()
    };
    assert_eq!(send(&address, "upload", "0").await.unwrap().status(), 200);
    succeed(&place, &["backup", "backups", "--project", "demo"]).await;
    // The original goes on: a backup tears nothing.
    assert_eq!(send(&address, "upload, finalize", "262144").await.unwrap().status(), 200);
    assert_eq!(download(&server, &ada, "a.png").await.len(), 524_288);
    let said = succeed(&place, &["restore", "backups", "--into", "other", "--project", "demo"]).await;
    assert!(said.contains("were ended: 1"), "{said}");
    let url = server.url.clone();
    drop(server);
    let server = place.serve(&["--data", "other"]).await;
    let refused = send(&address.replace(&url, &server.url), "upload, finalize", "262144").await.unwrap();
    assert!(refused.status().is_client_error(), "{}", refused.status());
    upload(&server, &ada, "a.png", b"1").await;
}

async fn call(server: &Server, token: &str, name: &str) -> Value {
    let path = format!("/demo/us-central1/{name}");
    let request = Client::new().post(server.at(&path)).bearer_auth(token).json(&json!({"data": null}));
    request.send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_schedule_makes_the_first_backup_and_admins_and_metrics_show_it() {
    let firebase = r#"{"tuckbox": {"backup": {"folder": "backups", "every": "6h", "keep": 3}}}"#;
    let place = Place::new(Some(firebase));
    let mut server = place.serve_with(&[], &[("TUCKBOX_METRICS_TOKEN", "token")]).await;
    let log = server.logged("a backup is made").await;
    sign_up(&server, "ada@example.com").await;
    let granted = succeed(&place, &["admin", "--project", "demo", "grant", "ada@example.com"]).await;
    assert!(granted.contains("administrator"), "{granted}");
    let ada = sign_in(&server, "ada@example.com").await;
    let shown = call(&server, &ada.token, "adminBackup").await["result"].clone();
    assert_eq!((&shown["stored"], &shown["overdue"]), (&json!(true), &json!(false)), "{shown}");
    assert_eq!(shown["last"]["place"], json!(place.join("backups")), "{shown}");
    let eve = sign_up(&server, "eve@example.com").await;
    assert_eq!(call(&server, &eve.token, "adminBackup").await["error"]["status"], "PERMISSION_DENIED");
    let metrics = Client::new().get(server.at("/metrics")).bearer_auth("token").send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    for line in
        ["tuckbox_backup_age_seconds ", "tuckbox_backup_size_bytes ", "tuckbox_backup_failures_total 0"]
    {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    server.signal("-TERM").await;
    let log = log + &server.ended().await.stderr;
    assert!(log.contains("stopped"), "{log}");
    for secret in ["PRIVATE KEY", "correct horse", &ada.token, &eve.token] {
        assert!(!log.contains(secret), "{log}");
    }
    // The next start knows it, and that it is old by then.
    let record = place.join(".tuckbox/backup.json");
    let mut last: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    last["time"] = json!(last["time"].as_u64().unwrap() - 8 * 24 * 3_600_000_000_u64);
    fs::write(&record, last.to_string()).unwrap();
    fs::write(place.join("firebase.json"), r#"{"tuckbox": {}}"#).unwrap();
    let mut server = place.serve(&[]).await;
    server.logged("more than a week ago").await;
    let shown = call(&server, &sign_in(&server, "ada@example.com").await.token, "adminBackup").await;
    assert_eq!(shown["result"]["overdue"], true);
}

#[tokio::test]
async fn the_operators_socket_is_the_servers_users_alone_and_goes_with_the_server() {
    let place = Place::new(None);
    // Longer than a socket's path may be.
    let data = format!("{}/data", "long-name".repeat(15));
    fs::create_dir_all(place.join(&data)).unwrap();
    let server = place.serve(&["--data", &data]).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let socket = place.join(&data).join("control.sock");
    assert_eq!((mode(&socket), mode(&place.join(&data))), (0o600, 0o700));
    succeed(&place, &["backup", "backups", "--data", &data]).await;
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    assert!(!socket.exists());
}

/// A pipe that is closed, as of a viewer of the log that ended, must not end what it was told about.
#[test]
fn a_server_goes_on_when_nobody_reads_its_log_any_more() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let program = env!("CARGO_BIN_EXE_tuckbox");
    let mut server = Command::new(program)
        .args(["serve", "--port", "0", "--data"])
        .arg(&data)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    said.find(|line| line.as_ref().unwrap().starts_with("Tuckbox is ready")).unwrap().unwrap();
    drop(server.stderr.take());
    // A running server logs that a backup begins.
    let backup = Command::new(program)
        .arg("backup")
        .arg(folder.path().join("backup"))
        .arg("--data")
        .arg(&data)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let running = server.try_wait().unwrap().is_none();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(backup.status.success(), "{}", String::from_utf8_lossy(&backup.stderr));
    assert!(running, "the server ended with its log");
}

#[tokio::test]
async fn encrypted_backups_are_made_and_restored_as_the_handbook_says() {
    let place = Place::new(Some(r#"{"tuckbox": {}}"#));
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    upload(&server, &ada, "a.png", b"1").await;
    for line in documented("### Encrypting them", &place) {
        let words: Vec<_> = line.split_whitespace().collect();
        let project: &[&str] = if line.contains("new-key") { &[] } else { &["--project", "demo"] };
        let said = succeed(&place, &[&words[1..], project].concat()).await;
        assert!(
            said.contains("key is in") || said.contains("Backup ") || said.contains("is whole"),
            "{said}"
        );
    }
    let folder = place.join("encrypted").display().to_string();
    let verify = ["restore", &folder, "--verify"];
    assert!(refuse(&place, &verify).await.contains("are encrypted: name their key file with --key FILE"));
    succeed(&place, &["backup", "new-key", "other.key"]).await;
    let other = refuse(&place, &[&verify[..], &["--key", "other.key"]].concat()).await;
    assert!(other.contains("encrypted with another key"), "{other}");
    assert!(refuse(&place, &["backup", "new-key", "backup.key"]).await.contains("it is there already"));
    server.signal("-KILL").await;
    server.ended().await;
    fs::remove_dir_all(place.join(".tuckbox")).unwrap();
    // The configuration names the key, too.
    let listed = json!({"tuckbox": {"backup": {"folder": folder, "keyFile": "backup.key"}}});
    fs::write(place.join("firebase.json"), listed.to_string()).unwrap();
    succeed(&place, &["restore", &folder, "--project", "demo"]).await;
    let server = place.serve(&[]).await;
    assert_eq!(download(&server, &ada, "a.png").await, [PNG, b"1"].concat());
}
