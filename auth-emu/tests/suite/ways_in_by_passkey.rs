//! Passkeys as ways into accounts, in serving mode: their names, the last one, and those of somebody who took an account
//! over.

use serde_json::{Value, json};

use super::harness::{Reply, Server, claims};
use super::software_authenticator::{Passkey, Signs};
use super::verified_passkeys::{ada_with_passkey, enroll, sign_in};

async fn remove(server: &Server, tokens: &Value, passkeys: &[&Passkey]) -> Reply {
    let ids: Vec<_> = passkeys.iter().map(|passkey| passkey.id()).collect();
    server.post("accounts:update", json!({ "idToken": tokens["idToken"], "deletePasskey": ids })).await
}

#[tokio::test]
async fn the_last_way_in_stays() {
    let server = Server::serving().await;
    let guest = server.post("accounts:signUp", json!({})).await.ok();
    let (mut one, mut two) = (Passkey::new("one", Signs::es256()), Passkey::new("two", Signs::es256()));
    enroll(&server, &guest, &mut one).await.ok();
    let session = sign_in(&server, &mut one).await.ok();
    enroll(&server, &session, &mut two).await.ok();
    for last in [vec![&one, &two], vec![&two, &one, &one]] {
        let refused = remove(&server, &session, &last).await;
        assert!(refused.error().starts_with("OPERATION_NOT_ALLOWED"), "{}", refused.error());
    }
    // An unknown id takes nothing away.
    remove(&server, &session, &[&Passkey::new("none", Signs::es256())]).await.ok();
    remove(&server, &session, &[&one]).await.ok();
    remove(&server, &session, &[&one]).await.ok();
    assert!(remove(&server, &session, &[&two]).await.error().starts_with("OPERATION_NOT_ALLOWED"));
    sign_in(&server, &mut two).await.ok();
    // Beside an address it may go.
    let link =
        json!({ "idToken": session["idToken"], "email": "ada@example.com", "password": "top secret 1" });
    let session = server.post("accounts:signUp", link).await.ok();
    remove(&server, &session, &[&two]).await.ok();
    assert_eq!(sign_in(&server, &mut two).await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    let session = server.sign_in_with("x", "ada@example.com", "top secret 1").await;
    assert_eq!(session["localId"], guest["localId"]);
}

#[tokio::test]
async fn a_passkey_added_by_whoever_moved_the_address_away_goes_when_it_is_back() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.verify(&ada).await;
    let stolen = server.sign_in_with("x", "ada@example.com", "top secret 1").await;
    let mut passkey = Passkey::new("thief", Signs::es256());
    enroll(&server, &stolen, &mut passkey).await.ok();
    let moved = json!({ "idToken": stolen["idToken"], "email": "thief@example.com" });
    server.post("accounts:update", moved).await.ok();
    let mails = server.outbox();
    let way_back = mails.iter().find(|mail| mail["email"] == "ada@example.com").unwrap();
    assert_eq!(way_back["requestType"], "RECOVER_EMAIL");
    sign_in(&server, &mut passkey).await.ok();
    server.post("accounts:update", json!({ "oobCode": way_back["oobCode"] })).await.ok();
    assert_eq!(sign_in(&server, &mut passkey).await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    let back = server.sign_in_with("x", "ada@example.com", "top secret 1").await;
    assert_eq!(back["localId"], ada["localId"]);
    assert!(server.me(&back).await["passkeyInfo"].is_null());
}

#[tokio::test]
async fn a_passkey_has_a_name_that_can_be_seen() {
    let (server, ada, passkey) = ada_with_passkey().await;
    for blank in ["\u{200b}", " \u{202e}\u{2066} ", "\n\t"] {
        let body = json!({ "credentialId": passkey.id(), "name": blank });
        let request = Server::request("PATCH", "/__/account/passkeys")
            .header("authorization", format!("Bearer {}", ada["idToken"].as_str().unwrap()));
        let reply = server.send(request.body(body.to_string().into()).unwrap()).await;
        assert!(reply.error().starts_with("INVALID_DISPLAY_NAME"), "{blank:?}: {}", reply.error());
        let begun =
            server.post2("accounts/passkeyEnrollment:start", json!({ "idToken": ada["idToken"] })).await.ok();
        let mut unnamed = Passkey::new(blank, Signs::es256());
        let answer = unnamed.register(&begun["credentialCreationOptions"]);
        let body = json!({
            "idToken": ada["idToken"], "sessionInfo": begun["sessionInfo"], "name": blank,
            "authenticatorRegistrationResponse": answer,
        });
        server.post2("accounts/passkeyEnrollment:finalize", body).await.ok();
    }
    let me = server.me(&ada).await;
    let names: Vec<_> =
        me["passkeyInfo"].as_array().unwrap().iter().map(|passkey| &passkey["name"]).collect();
    let unnamed = json!("Unnamed Passkey");
    assert_eq!(names, [&json!("Laptop"), &unnamed, &unnamed, &unnamed]);
}

#[tokio::test]
async fn an_id_has_at_most_as_many_bytes_as_the_standard_says() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    for (bytes, fits) in [(16, true), (1_023, true), (1_024, false)] {
        let mut passkey = Passkey { id: vec![7; bytes], ..Passkey::new("", Signs::es256()) };
        let enrolled = enroll(&server, &ada, &mut passkey).await;
        assert_eq!(enrolled.status == 200, fits, "{bytes}: {}", enrolled.body);
        if fits {
            let session = sign_in(&server, &mut passkey).await.ok();
            assert_eq!(claims(&session["idToken"])["sub"], ada["localId"]);
        }
    }
}

#[tokio::test]
async fn an_account_that_is_disabled_shows_it_to_nobody_without_its_passkey() {
    let (server, _, mut passkey) = ada_with_passkey().await;
    server.state.set_disabled("ada@example.com", true).await.unwrap();
    let mut forged = Passkey {
        id: passkey.id.clone(),
        handle: passkey.handle.clone(),
        ..Passkey::new("forged", Signs::es256())
    };
    assert!(sign_in(&server, &mut forged).await.error().starts_with("INVALID_AUTHENTICATOR_RESPONSE"));
    assert_eq!(sign_in(&server, &mut passkey).await.error(), "USER_DISABLED");
}
