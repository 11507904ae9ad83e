//! Acknowledged data survives.

use docstore::clock::{Clock, SystemClock};
use reqwest::Client;
use serde_json::{Value, json};

use crate::accounts::{sign_in, sign_up};
use crate::server::{Place, Server, new_project_of};

#[tokio::test]
async fn an_account_outlives_a_kill() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let before = sign_up(&server, "ada@example.com").await;
    server.signal("-KILL").await;
    server.ended().await;
    let server = place.serve(&[]).await;
    assert_eq!(sign_in(&server, "ada@example.com").await.uid, before.uid);
}

#[tokio::test]
async fn an_administrator_is_made_beside_the_server_and_on_its_data() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    sign_up(&server, "ada@example.com").await;
    sign_up(&server, "cy@example.com").await;
    let grant = |email: &'static str| ["admin", "--project", "demo", "grant", email];
    let running = place.run(&grant("cy@example.com")).await;
    assert_eq!(
        (running.code, running.stdout.contains("administrator")),
        (Some(0), true),
        "{}",
        running.stderr
    );
    let token = sign_in(&server, "cy@example.com").await.token;
    assert_eq!(claims(&token)["admin"], true);
    let nobody = place.run(&grant("bob@example.com")).await;
    assert_eq!(nobody.code, Some(1));
    assert!(nobody.stderr.contains("bob@example.com"), "{}", nobody.stderr);
    server.signal("-TERM").await;
    server.ended().await;
    let done = place.run(&grant("ada@example.com")).await;
    assert_eq!((done.code, done.stdout.contains("administrator")), (Some(0), true), "{}", done.stderr);
    let nobody = place.run(&grant("bob@example.com")).await;
    assert_eq!(nobody.code, Some(1));
    assert!(nobody.stderr.contains("bob@example.com"), "{}", nobody.stderr);
    let server = place.serve(&[]).await;
    let token = sign_in(&server, "ada@example.com").await.token;
    assert_eq!(claims(&token)["admin"], true);
}

/// Confirms an address by the mail in the outbox, and adds an authenticator app.
async fn with_second_factor(place: &Place, server: &Server, email: &str) {
    let client = Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let url = server.at(&format!("/identitytoolkit.googleapis.com/{path}?key=tuckbox-demo"));
        client.post(url).json(&body).send().await.unwrap().json().await.unwrap()
    };
    let token = sign_up(server, email).await.token;
    post("v1/accounts:sendOobCode", json!({"requestType": "VERIFY_EMAIL", "idToken": token})).await;
    let mail = place.run(&["outbox", "--project", "demo", "--json", "--to", email]).await;
    let mail: Value = serde_json::from_str(mail.stdout.trim()).unwrap();
    post("v1/accounts:update", json!({"oobCode": mail["oobCode"]})).await;
    let start = json!({"idToken": token, "totpEnrollmentInfo": {}});
    let started = post("v2/accounts/mfaEnrollment:start", start).await["totpSessionInfo"].clone();
    let secret = totp_rs::Secret::try_from_base32(started["sharedSecretKey"].as_str().unwrap()).unwrap();
    let app =
        totp_rs::Builder::new().with_algorithm(totp_rs::Algorithm::SHA1).with_secret(secret).build().unwrap();
    let now = SystemClock.now().micros() / 1_000_000;
    let shown =
        json!({"sessionInfo": started["sessionInfo"], "verificationCode": app.generate(now).to_string()});
    let enrolled =
        post("v2/accounts/mfaEnrollment:finalize", json!({"idToken": token, "totpVerificationInfo": shown}));
    assert!(enrolled.await["idToken"].is_string());
}

#[tokio::test]
async fn a_lost_second_factor_is_removed_on_the_stopped_servers_data() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    with_second_factor(&place, &server, "ada@example.com").await;
    sign_up(&server, "bob@example.com").await;
    server.signal("-TERM").await;
    server.ended().await;
    let remove = |email: &'static str| ["admin", "--project", "demo", "remove-second-factor", email];
    for (email, why) in [("bob@example.com", "no second factor"), ("eve@example.com", "eve@example.com")] {
        let refused = place.run(&remove(email)).await;
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
    }
    let done = place.run(&remove("ada@example.com")).await;
    assert_eq!((done.code, done.stdout.contains("1 factor removed")), (Some(0), true), "{}", done.stderr);
    assert!(done.stderr.contains("removed the second factors"), "it is logged: {}", done.stderr);
    let server = place.serve(&[]).await;
    // The password alone signs in.
    sign_in(&server, "ada@example.com").await;
}

fn claims(token: &str) -> Value {
    use base64::Engine as _;
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap());
    serde_json::from_slice(&payload.unwrap()).unwrap()
}

fn documents(server: &Server, rest: &str) -> String {
    server.at(&format!("/v1/projects/demo/databases/(default)/documents{rest}"))
}

fn write(path: &str, name: &str) -> Value {
    let name_of = format!("projects/demo/databases/(default)/documents/{path}");
    json!({"update": {"name": name_of, "fields": {"name": {"stringValue": name}}}})
}

/// A designer's session: decks and a file, a kill, all of it restored, hidden from others, and the deck deleted.
#[tokio::test]
async fn documents_and_files_outlive_a_kill_and_stay_their_owners() {
    let place = Place::new(None);
    let server = place.serve(&[]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let client = Client::new();
    let deck = "projects/d";
    let made = client.patch(documents(&server, &format!("/{deck}"))).bearer_auth(&ada.token);
    let made = made.json(&json!({"fields": new_project_of(&ada.uid)})).send().await.unwrap();
    assert_eq!(made.status(), 200, "{}", made.text().await.unwrap());
    let writes = json!({"writes": [write(&format!("{deck}/components/c"), "Cards"),
        write(&format!("{deck}/components/c/cards/1"), "One")]});
    let commit = client.post(documents(&server, ":commit")).bearer_auth(&ada.token).json(&writes);
    assert_eq!(commit.send().await.unwrap().status(), 200);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let path = format!("/v0/b/demo.appspot.com/o?name=users/{}/a.png", ada.uid);
    let upload = client.post(server.at(&path)).bearer_auth(&ada.token).header("content-type", "image/png");
    let uploaded = upload.body(png.to_vec()).send().await.unwrap();
    assert_eq!(uploaded.status(), 200, "{}", uploaded.text().await.unwrap());

    server.signal("-KILL").await;
    server.ended().await;
    let server = place.serve(&[]).await;
    let ada = sign_in(&server, "ada@example.com").await;
    let bob = sign_up(&server, "bob@example.com").await;
    let read = |token: &str| client.get(documents(&server, &format!("/{deck}"))).bearer_auth(token).send();
    let found: Value = read(&ada.token).await.unwrap().json().await.unwrap();
    assert_eq!(found["fields"]["name"]["stringValue"], "Deck");
    assert_eq!(read(&bob.token).await.unwrap().status(), 403);
    let file = server.at(&format!("/v0/b/demo.appspot.com/o/users%2F{}%2Fa.png?alt=media", ada.uid));
    let bytes = client.get(&file).bearer_auth(&ada.token).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(bytes, png.as_slice());
    assert_eq!(client.get(&file).bearer_auth(&bob.token).send().await.unwrap().status(), 403);

    let call = |token: &str| {
        let body = json!({"data": {"deckId": "d"}});
        client.post(server.at("/demo/us-central1/deleteDeck")).bearer_auth(token).json(&body).send()
    };
    let others: Value = call(&bob.token).await.unwrap().json().await.unwrap();
    assert_eq!(others, json!({"result": {"deleted": 0}}));
    let own: Value = call(&ada.token).await.unwrap().json().await.unwrap();
    assert_eq!(own, json!({"result": {"deleted": 3}}));
    // Nobody is a member of a project that is not there.
    assert_eq!(read(&ada.token).await.unwrap().status(), 403);
}

#[tokio::test]
async fn rules_that_do_not_compile_are_named_by_file_and_line() {
    let place = Place::new(Some(r#"{"firestore": {"rules": "mine.rules"}}"#));
    let missing = place.run(&["serve", "--port", "0", "--in-memory"]).await;
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("mine.rules"), "{}", missing.stderr);
    let text = "rules_version = '2';\nservice cloud.firestore {\n  match /a/{b} { allow read: if ; }\n}";
    std::fs::write(place.join("mine.rules"), text).unwrap();
    let wrong = place.run(&["serve", "--port", "0", "--in-memory"]).await;
    assert_eq!((wrong.code, wrong.stderr.lines().count()), (Some(1), 1), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("mine.rules:3: "), "{}", wrong.stderr);
}

#[tokio::test]
async fn a_stream_that_never_ends_does_not_keep_the_server() {
    let server = Place::new(None).serve(&["--in-memory"]).await;
    let ada = sign_up(&server, "ada@example.com").await;
    let name = format!("projects/demo/databases/(default)/documents/users/{}/userData/userObject", ada.uid);
    let target = json!({"addTarget": {"targetId": 2, "documents": {"documents": [name]}}});
    let listen = Client::new().post(documents(&server, ":listen")).bearer_auth(&ada.token).json(&target);
    let mut stream = listen.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let first = stream.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"[{"), "{first:?}");
    server.signal("-TERM").await;
    while stream.chunk().await.unwrap().is_some() {}
    assert_eq!(server.ended().await.code, Some(0));
}
