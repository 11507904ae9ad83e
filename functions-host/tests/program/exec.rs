//! `tuckbox exec`, `tuckbox doctor` and `tuckbox licenses`.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::server::Place;

#[tokio::test]
async fn a_command_finds_the_server_and_its_exit_code_is_ours() {
    let script = "
        test -n \"$FIRESTORE_EMULATOR_HOST\" && test -n \"$FIREBASE_AUTH_EMULATOR_HOST\" || exit 3
        test -n \"$FIREBASE_STORAGE_EMULATOR_HOST\" && test -n \"$FIREBASE_EMULATOR_HUB\" || exit 4
        test \"$STORAGE_EMULATOR_HOST\" = \"http://$FIREBASE_STORAGE_EMULATOR_HOST\" || exit 5
        echo \"$GCLOUD_PROJECT $TUCKBOX_URL\"; exit 42";
    let place = Place::new(None);
    let ended = place.run(&["exec", "--project", "demo-x", "--", "sh", "-c", script]).await;
    assert_eq!(ended.code, Some(42), "{}", ended.stderr);
    let url = ended.stdout.trim().strip_prefix("demo-x ").unwrap().to_owned();
    assert!(reqwest::get(url).await.unwrap_err().is_connect(), "the server ends with the command");
    assert!(!place.join(".tuckbox").exists());
}

#[tokio::test]
async fn a_command_finds_the_hub_by_its_file() {
    let block = r#"{"emulators": {"hosting": {"port": 0}, "hub": {"port": 0}, "auth": {"port": 0}, "firestore": {"port": 0}}}"#;
    let folder = Place::new(Some(block));
    let temp = folder.path().display().to_string();
    let script = format!("cat \"{temp}/hub-demo-y.json\"");
    let ended = folder
        .run_with(&["exec", "--project", "demo-y", "--", "sh", "-c", &script], &[("TMPDIR", &temp)])
        .await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let locator: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(locator["origins"][0], format!("http://127.0.0.1:{}", locator["port"]));
    assert!(!folder.join("hub-demo-y.json").exists(), "the locator goes with the server");
}

#[tokio::test]
async fn a_command_that_a_signal_ends_is_reported_as_shells_do() {
    let ended = Place::new(None).run(&["exec", "--", "sh", "-c", "kill -9 $$"]).await;
    assert_eq!(ended.code, Some(137), "{}", ended.stderr);
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_named() {
    let ended = Place::new(None).run(&["exec", "--", "no-such-command-anywhere"]).await;
    assert_eq!(ended.code, Some(127));
    assert!(ended.stderr.contains("no-such-command-anywhere"), "{}", ended.stderr);
    let usage = Place::new(None).run(&["exec"]).await;
    assert_eq!(usage.code, Some(2));
}

#[tokio::test]
async fn the_doctor_finds_what_is_wrong() {
    let place = Place::new(Some(r#"{"firestore": {"rules": "none.rules"}}"#));
    let ended = place.run(&["doctor", "--port", "0"]).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stdout.lines().any(|line| line.starts_with("WRONG") && line.contains("none.rules")),
        "{}",
        ended.stdout
    );
    let denied = "rules_version = '2'; service cloud.firestore { match /{all=**} { allow read: if false; } }";
    std::fs::write(place.join("none.rules"), denied).unwrap();
    let ended = place.run(&["doctor", "--port", "0"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert!(!place.join(".tuckbox").exists(), "looking creates nothing");
    let server = place.serve(&[]).await;
    let ended = place.run(&["doctor", "--port", server.url.rsplit(':').next().unwrap()]).await;
    let wrong: Vec<_> = ended.stdout.lines().filter(|line| line.starts_with("WRONG")).collect();
    assert_eq!((ended.code, wrong.len()), (Some(1), 2), "{}", ended.stdout);
}

/// A mail server that takes one message, and answers its text.
async fn mail_server() -> (u16, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let taking = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (reader, mut writer) = stream.into_split();
        let (mut lines, mut text, mut in_text) = (BufReader::new(reader).lines(), String::new(), false);
        writer.write_all(b"220 mail.example\r\n").await.unwrap();
        while let Some(line) = lines.next_line().await.unwrap() {
            let reply = match line.as_str() {
                "." if in_text => {
                    in_text = false;
                    "250 taken"
                }
                line if in_text => {
                    text.push_str(line);
                    text.push('\n');
                    continue;
                }
                "DATA" => {
                    in_text = true;
                    "354 go on"
                }
                "QUIT" => "221 bye",
                _ => "250 fine",
            };
            writer.write_all(format!("{reply}\r\n").as_bytes()).await.unwrap();
            if line == "QUIT" {
                break;
            }
        }
        text
    });
    (port, taking)
}

#[tokio::test]
async fn the_doctor_sends_a_test_message_and_measures_the_disk() {
    let place = Place::new(Some(r#"{"tuckbox": {"mail": {"from": "Cards <cards@example.com>"}}}"#));
    let (port, taking) = mail_server().await;
    let url = format!("smtp://127.0.0.1:{port}");
    let args = ["doctor", "--port", "0", "--mail", "ann@example.com"];
    let ended = place.run_with(&args, &[("TUCKBOX_MAIL_SERVER", &url)]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    for said in ["took a message to ann@example.com", "small writes a second", "are free", "clock: it is 20"]
    {
        assert!(ended.stdout.contains(said), "{said}: {}", ended.stdout);
    }
    let text = taking.await.unwrap();
    assert!(text.contains("To: ann@example.com") && text.contains("this server can send mail"), "{text}");
    // The server is gone now, and then nobody has named one.
    let ended = place.run_with(&args, &[("TUCKBOX_MAIL_SERVER", &url)]).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stdout.lines().any(|line| line.starts_with("WRONG") && line.contains("mail")),
        "{}",
        ended.stdout
    );
    let ended = Place::new(Some("{}")).run(&args).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("set tuckbox.mail in firebase.json"), "{}", ended.stdout);
}

#[tokio::test]
async fn the_doctor_says_what_functions_lack() {
    let place = Place::new(Some(r#"{"functions": {"source": "code"}}"#));
    let about = async |mode: &str| {
        let ended = place.run(&["doctor", "--in-memory", "--port", "0", "--mode", mode]).await;
        let line = ended.stdout.lines().find(|line| line.contains(" functions: ")).unwrap_or_default();
        (ended.code, line.to_owned())
    };
    let write = |path: &str, text: &str| std::fs::write(place.join(path), text).unwrap();
    let wrong = async |what: &str| {
        let (code, line) = about("emulator").await;
        assert!(code == Some(1) && line.starts_with("WRONG") && line.contains(what), "{line}");
    };
    wrong("which does not exist").await;
    std::fs::create_dir_all(place.join("code/node_modules/firebase-functions/lib/bin")).unwrap();
    wrong("has no package.json").await;
    write("code/package.json", "{}");
    wrong("run npm install").await;
    write("code/node_modules/firebase-functions/package.json", r#"{"version": "5.1.1"}"#);
    write("code/node_modules/firebase-functions/lib/bin/firebase-functions.js", "");
    write("code/.env", "GOOD=1\nnot a line\n");
    wrong("code/.env:2").await;
    let (code, line) = about("serving").await;
    assert!(code == Some(0) && line.starts_with("advice"), "{line}");
    write("code/.env", "GOOD=1\n");
    let (code, line) = about("emulator").await;
    assert!(code == Some(0) && line.starts_with("ok") && line.contains("firebase-functions 5.1.1"), "{line}");
}

#[tokio::test]
async fn ports_of_their_own_say_who_they_are() {
    let block = r#"{"emulators": {"hub": {"port": 0}, "auth": {"port": 0}, "firestore": {"port": 0}}}"#;
    let place = Place::new(Some(block));
    let temp = place.path().display().to_string();
    let server = place.serve_with(&["--in-memory", "--mode", "emulator"], &[("TMPDIR", &temp)]).await;
    let all: Value = reqwest::get(server.at("/emulators")).await.unwrap().json().await.unwrap();
    let port = |name: &str| format!("http://127.0.0.1:{}/", all[name]["port"]);
    assert_eq!(reqwest::get(port("firestore")).await.unwrap().text().await.unwrap(), "Ok\n");
    let auth: Value = reqwest::get(port("auth")).await.unwrap().json().await.unwrap();
    assert_eq!(auth["authEmulator"]["ready"], true);
    let hub: Value = reqwest::get(port("hub")).await.unwrap().json().await.unwrap();
    assert_eq!(hub["port"], all["hub"]["port"]);
    assert_eq!(all["storage"]["port"].to_string(), server.url.rsplit(':').next().unwrap());
    let serving = Place::new(None).serve(&["--in-memory"]).await;
    let status = reqwest::Client::new().get(serving.at("/emulators")).send().await.unwrap().status();
    assert_eq!(status, 404, "a serving host tells nobody");
}

#[tokio::test]
async fn licences_of_both_lockfiles_and_of_fonts_and_icons_are_printed() {
    let ended = Place::new(None).run(&["licenses"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for shipped in [
        "\nreact ",
        "\nsled ",
        "\n@fontsource/inter ",
        "\n@iconify-json/game-icons ",
        "SIL OPEN FONT LICENSE",
    ] {
        assert!(ended.stdout.contains(shipped), "{shipped}");
    }
}
