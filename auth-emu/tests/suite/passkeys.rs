//! Passkeys, which emulator mode accepts without verification.

use serde_json::{Value, json};

use super::harness::{Reply, Server, claims};

async fn enroll(server: &Server, token: &Value, id: &str) -> Reply {
    let body = json!({ "idToken": token, "authenticatorRegistrationResponse": { "id": id }, "name": "Key" });
    server.post2("accounts/passkeyEnrollment:finalize", body).await
}

async fn sign_in(server: &Server, id: &str) -> Reply {
    let body = json!({ "authenticatorAuthenticationResponse": { "id": id } });
    server.post2("accounts/passkeySignIn:finalize", body).await
}

async fn ada(server: &Server) -> Value {
    let body = json!({ "email": "ada@example.com", "password": "correct horse", "displayName": "Ada" });
    server.post("accounts:signUp", body).await.ok()
}

#[tokio::test]
async fn a_passkey_signs_its_account_in_until_it_is_taken_away() {
    let server = Server::emulator().await;
    let signed_up = ada(&server).await;
    let token = &signed_up["idToken"];
    let options = server.post2("accounts/passkeyEnrollment:start", json!({ "idToken": token })).await.ok();
    let options = &options["credentialCreationOptions"];
    assert_eq!(
        (&options["rp"]["id"], &options["user"]["name"]),
        (&json!("cards.example"), &json!("ada@example.com"))
    );
    let enrolled = enroll(&server, token, "one").await.ok();
    assert_eq!(enrolled["localId"], signed_up["localId"]);
    let first = server.post2("accounts/passkeySignIn:start", json!({})).await.ok();
    let second = server.post2("accounts/passkeySignIn:start", json!({})).await.ok();
    let challenge =
        |reply: &Value| reply["credentialRequestOptions"]["challenge"].as_str().unwrap().to_owned();
    assert_ne!(challenge(&first), challenge(&second));
    let session = sign_in(&server, "one").await.ok();
    let said = claims(&session["idToken"]);
    assert_eq!(said["sub"], signed_up["localId"]);
    assert_eq!(said["firebase"]["sign_in_provider"], "passkey");
    enroll(&server, token, "two").await.ok();
    server.post("accounts:update", json!({ "idToken": token, "deletePasskey": ["one"] })).await.ok();
    let shown = server.post("accounts:lookup", json!({ "idToken": token })).await.ok();
    assert_eq!(shown["users"][0]["passkeyInfo"], json!([{ "credentialId": "two", "name": "Key" }]));
    assert_eq!(sign_in(&server, "one").await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
    sign_in(&server, "two").await.ok();
    server.post("accounts:delete", json!({ "idToken": token })).await.ok();
    assert_eq!(sign_in(&server, "two").await.error(), "PASSKEY_CREDENTIAL_NOT_FOUND");
}

#[tokio::test]
async fn a_passkey_is_one_account_s() {
    let server = Server::emulator().await;
    let token = ada(&server).await["idToken"].clone();
    let other = server.post("accounts:signUp", json!({})).await.ok()["idToken"].clone();
    enroll(&server, &token, "one").await.ok();
    for token in [&token, &other] {
        assert_eq!(enroll(&server, token, "one").await.error(), "CREDENTIAL_ALREADY_IN_USE");
    }
    assert_eq!(enroll(&server, &json!(null), "two").await.error(), "MISSING_ID_TOKEN");
    for id in [String::new(), "x".repeat(1_365)] {
        assert_eq!(enroll(&server, &token, &id).await.error(), "INVALID_CREDENTIAL_ID");
    }
    for operation in ["accounts/passkeyEnrollment:finalize", "accounts/passkeySignIn:finalize"] {
        let nothing = server.post2(operation, json!({ "idToken": token })).await;
        assert_eq!(nothing.error(), "MISSING_AUTHENTICATOR_RESPONSE");
    }
    for number in 1..10 {
        enroll(&server, &token, &format!("more {number}")).await.ok();
    }
    assert_eq!(enroll(&server, &token, "too many").await.error(), "PASSKEY_LIMIT_EXCEEDED");
    let account = json!({ "localId": claims(&token)["sub"], "disableUser": true });
    server.owner("POST", "v1/projects/demo/accounts:update", account).await.ok();
    assert_eq!(sign_in(&server, "one").await.error(), "USER_DISABLED");
}
