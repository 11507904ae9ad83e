//! User flows from end to end.

use std::sync::Arc;
use std::time::Duration;

use docstore::access::Mode;
use serde_json::{Value, json};

use crate::harness::{Letters, PROJECT, Server, claims};

#[tokio::test]
async fn verifying_an_address() {
    for server in [Server::serving().await, Server::emulator().await] {
        let ada = server.sign_up("ada@example.com", "top secret 1").await;
        assert_eq!(server.me(&ada).await["emailVerified"], false);
        server
            .post("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }))
            .await
            .ok();
        let code = server.code();
        server.post("accounts:update", json!({ "oobCode": code })).await.ok();
        assert_eq!(server.me(&ada).await["emailVerified"], true);
        let new = server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
        assert_eq!(claims(&new["id_token"])["email_verified"], true);
        assert_eq!(
            server.post("accounts:update", json!({ "oobCode": code })).await.error(),
            "INVALID_OOB_CODE"
        );
    }
}

#[tokio::test]
async fn a_forgotten_password() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.advance(Duration::from_secs(5));
    server
        .post("accounts:sendOobCode", json!({ "requestType": "PASSWORD_RESET", "email": "Ada@example.com" }))
        .await
        .ok();
    let code = server.code();
    let checked = server.post("accounts:resetPassword", json!({ "oobCode": code })).await.ok();
    assert_eq!(checked["email"], "ada@example.com");
    server.advance(Duration::from_secs(5));
    server
        .post("accounts:resetPassword", json!({ "oobCode": code, "newPassword": "top secret 2" }))
        .await
        .ok();
    let sign_in = |password: &str| json!({ "email": "ada@example.com", "password": password });
    let old = server.post("accounts:signInWithPassword", sign_in("top secret 1")).await;
    assert_eq!(old.error(), "INVALID_LOGIN_CREDENTIALS");
    let new = server.post("accounts:signInWithPassword", sign_in("top secret 2")).await.ok();
    assert_eq!(server.me(&new).await["emailVerified"], true, "the mail arrived");
    let stale = server.post("accounts:lookup", json!({ "idToken": ada["idToken"] })).await;
    assert_eq!(stale.error(), "TOKEN_EXPIRED", "sessions of the old password end");
    assert_eq!(server.refresh(ada["refreshToken"].as_str().unwrap()).await.error(), "INVALID_REFRESH_TOKEN");
}

#[tokio::test]
async fn mail_goes_to_the_configured_server() {
    let letters = Arc::new(Letters::default());
    let mailer = Arc::clone(&letters);
    let server = Server::start(Mode::Serving, |options| options.mailer = Some(mailer)).await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server
        .post("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }))
        .await
        .ok();
    let change = json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": ada["idToken"], "newEmail": "new@example.com" });
    server.post("accounts:sendOobCode", change).await.ok();
    let sent = letters.0.lock().clone();
    assert_eq!(
        sent.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(),
        ["ada@example.com", "new@example.com"]
    );
    assert!(sent[0].text.contains("https://cards.example/__/auth/action?mode=verifyEmail&oobCode="));
}

#[tokio::test]
async fn moving_to_another_address_and_back() {
    let server = Server::emulator().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let change = json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": ada["idToken"], "newEmail": "new@example.com" });
    server.post("accounts:sendOobCode", change).await.ok();
    let reply = server.post("accounts:update", json!({ "oobCode": server.code() })).await.ok();
    assert_eq!((&reply["newEmail"], &reply["emailVerified"]), (&json!("new@example.com"), &json!(true)));
    server.sign_up("ada@example.com", "another").await;
    let ada = server
        .post(
            "accounts:signInWithPassword",
            json!({ "email": "new@example.com", "password": "top secret 1" }),
        )
        .await
        .ok();
    server
        .post("accounts:update", json!({ "idToken": ada["idToken"], "email": "third@example.com" }))
        .await
        .ok();
    let back = server.outbox().pop().unwrap();
    assert_eq!((&back["requestType"], &back["email"]), (&json!("RECOVER_EMAIL"), &json!("new@example.com")));
    let reply = server.post("accounts:update", json!({ "oobCode": back["oobCode"] })).await.ok();
    assert_eq!(reply["email"], "new@example.com");
}

#[tokio::test]
async fn anonymous_accounts_are_not_made_where_they_are_not_wanted() {
    let server = Server::start(Mode::Serving, |options| options.anonymous = false).await;
    let reply = server.post("accounts:signUp", json!({})).await;
    assert_eq!((reply.status, &reply.body["error"]["message"]), (400, &json!("ADMIN_ONLY_OPERATION")));
    server.sign_up("ada@example.com", "top secret 1").await;
    // The default: anonymous accounts are off in serving mode and on in emulator mode.
    for (mode, allowed) in [(Mode::Serving, false), (Mode::Emulator, true)] {
        let store = docstore::Store::in_memory().await.unwrap();
        assert_eq!(
            auth_emu::AuthOptions::new(store, "demo", mode, "https://cards.example").anonymous,
            allowed
        );
    }
}

#[tokio::test]
async fn keeping_an_anonymous_account() {
    let server = Server::serving().await;
    let guest = server.post("accounts:signUp", json!({})).await.ok();
    let link = json!({ "idToken": guest["idToken"], "email": "ada@example.com", "password": "top secret 1" });
    let linked = server.post("accounts:signUp", link).await.ok();
    assert_eq!(linked["localId"], guest["localId"]);
    let me = server
        .post(
            "accounts:signInWithPassword",
            json!({ "email": "ada@example.com", "password": "top secret 1" }),
        )
        .await
        .ok();
    assert_eq!(me["localId"], guest["localId"]);
    assert_eq!(claims(&linked["idToken"])["firebase"]["sign_in_provider"], "password");
}

#[tokio::test]
async fn refreshing_keeps_the_time_of_sign_in() {
    for server in [Server::serving().await, Server::emulator().await] {
        let ada = server.sign_up("ada@example.com", "top secret 1").await;
        let (start, shown) = (server.seconds(), claims(&ada["idToken"])["auth_time"].clone());
        server.advance(Duration::from_secs(7_200));
        let new = server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
        let new = claims(&new["id_token"]);
        assert_eq!((&new["auth_time"], &new["iat"]), (&shown, &json!(start + 7_200)));
    }
}

#[tokio::test]
async fn the_hundred_and_first_session_ends_the_first() {
    let server = Server::serving().await;
    let first = server.post("accounts:signUp", json!({})).await.ok();
    let link = json!({ "idToken": first["idToken"], "displayName": "x" });
    server.post("accounts:update", link).await.ok();
    let custom =
        server.state.mint_custom_token(first["localId"].as_str().unwrap(), &json!({})).await.unwrap();
    let mut last = Value::Null;
    for _ in 0..100 {
        server.advance(Duration::from_secs(1));
        last = server.post("accounts:signInWithCustomToken", json!({ "token": custom })).await.ok();
    }
    assert_eq!(
        server.refresh(first["refreshToken"].as_str().unwrap()).await.error(),
        "INVALID_REFRESH_TOKEN"
    );
    server.refresh(last["refreshToken"].as_str().unwrap()).await.ok();
}

#[tokio::test]
async fn an_authenticator_app_as_second_factor() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let start = |token: &Value| json!({ "idToken": token, "totpEnrollmentInfo": {} });
    let early = server.post2("accounts/mfaEnrollment:start", start(&ada["idToken"])).await;
    assert!(early.error().starts_with("UNVERIFIED_EMAIL"));
    server
        .post("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }))
        .await
        .ok();
    server.post("accounts:update", json!({ "oobCode": server.code() })).await.ok();
    let session =
        server.post2("accounts/mfaEnrollment:start", start(&ada["idToken"])).await.ok()["totpSessionInfo"]
            .clone();
    let totp = totp_rs::Builder::new()
        .with_algorithm(totp_rs::Algorithm::SHA1)
        .with_secret(totp_rs::Secret::try_from_base32(session["sharedSecretKey"].as_str().unwrap()).unwrap())
        .build()
        .unwrap();
    let code = |server: &Server| totp.generate(server.seconds()).to_string();
    let finalize = |code: String| {
        json!({ "idToken": ada["idToken"], "displayName": "phone", "totpVerificationInfo": {
            "sessionInfo": session["sessionInfo"], "verificationCode": code } })
    };
    assert_eq!(
        server.post2("accounts/mfaEnrollment:finalize", finalize("000000".into())).await.error(),
        "INVALID_CODE"
    );
    let enrolled = server.post2("accounts/mfaEnrollment:finalize", finalize(code(&server))).await.ok();
    assert_eq!(claims(&enrolled["idToken"])["firebase"]["sign_in_second_factor"], "totp");
    let me = server.me(&enrolled).await;
    assert_eq!(
        (&me["mfaInfo"][0]["displayName"], &me["mfaInfo"][0]["totpInfo"]),
        (&json!("phone"), &json!({}))
    );
    assert!(me["mfaInfo"][0].get("sharedSecret").is_none());

    let password = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let pending = server.post("accounts:signInWithPassword", password).await.ok();
    assert!(pending.get("idToken").is_none());
    let finish = |code: String| {
        json!({ "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "totpVerificationInfo": { "verificationCode": code } })
    };
    let reused = server.post2("accounts/mfaSignIn:finalize", finish(code(&server))).await;
    assert!(reused.error().starts_with("INVALID_CODE"), "the code of the enrollment was used");
    server.advance(Duration::from_secs(30));
    let done = server.post2("accounts/mfaSignIn:finalize", finish(code(&server))).await.ok();
    assert_eq!(claims(&done["idToken"])["firebase"]["sign_in_provider"], "password");
    // The credential of the first factor is no ID token.
    let misuse = server.post("accounts:lookup", json!({ "idToken": pending["mfaPendingCredential"] })).await;
    assert_eq!(misuse.error(), "INVALID_ID_TOKEN");
    let withdraw = |token: &Value| json!({ "idToken": token, "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"] });
    // A session that has shown the password alone cannot remove a factor it has not shown.
    let refused = server.post2("accounts/mfaEnrollment:withdraw", withdraw(&ada["idToken"])).await;
    assert_eq!(refused.error(), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
    // A change of the password goes on with the second factor that the session has shown.
    let change = json!({ "idToken": done["idToken"], "password": "top secret 2" });
    let changed = server.post("accounts:update", change).await.ok();
    assert_eq!(claims(&changed["idToken"])["firebase"]["sign_in_second_factor"], "totp");
    let withdraw = withdraw(&changed["idToken"]);
    server.post2("accounts/mfaEnrollment:withdraw", withdraw).await.ok();
    let password = json!({ "email": "ada@example.com", "password": "top secret 2" });
    server.post("accounts:signInWithPassword", password).await.ok()["idToken"].as_str().unwrap();
}

#[tokio::test]
async fn tenants_keep_to_themselves() {
    let server = Server::emulator().await;
    let ada =
        |tenant: Value| json!({ "email": "ada@example.com", "password": "top secret 1", "tenantId": tenant });
    let root = server.post("accounts:signUp", ada(Value::Null)).await.ok();
    let a = server.post("accounts:signUp", ada(json!("a"))).await.ok();
    let b = server.post("accounts:signUp", ada(json!("b"))).await.ok();
    assert_ne!(a["localId"], b["localId"]);
    assert_eq!(claims(&a["idToken"])["firebase"]["tenant"], "a");
    assert_eq!(server.me(&a).await["tenantId"], "a");
    let mixed = json!({ "idToken": a["idToken"], "tenantId": "b" });
    assert_eq!(server.post("accounts:lookup", mixed).await.error(), "TENANT_ID_MISMATCH");
    server.refresh(a["refreshToken"].as_str().unwrap()).await.ok();
    let tenants = format!("v2/projects/{PROJECT}/tenants");
    server.owner("DELETE", &format!("{tenants}/a"), json!({})).await.ok();
    server.me(&root).await;
    server.me(&b).await;
    assert_eq!(server.refresh(a["refreshToken"].as_str().unwrap()).await.error(), "INVALID_REFRESH_TOKEN");
}

#[tokio::test]
async fn many_sign_in_to_one_account_at_once() {
    let server = Server::emulator().await;
    server.sign_up("ada@example.com", "top secret 1").await;
    let request = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let replies = futures::future::join_all(
        (0..64).map(|_| server.post("accounts:signInWithPassword", request.clone())),
    )
    .await;
    for reply in replies {
        reply.ok();
    }
}

/// A session begun with a custom token shows that token's claims to its end, whatever changes at its account.
#[tokio::test]
async fn a_session_keeps_its_own_claims_under_new_tokens() {
    let server = Server::serving().await;
    let custom = server.state.mint_custom_token("ada", &json!({ "role": "editor" })).await.unwrap();
    let begun = server.post("accounts:signInWithCustomToken", json!({ "token": custom })).await.ok();
    let session = claims(&begun["idToken"])["firebase"]["session_id"].clone();
    assert!(session.is_string());
    let mut last = begun["idToken"].clone();
    for (operation, change) in [
        ("accounts:update", json!({ "email": "ada@example.com" })),
        ("accounts:signUp", json!({ "email": "ada@example.com", "password": "top secret 1" })),
        ("accounts:update", json!({ "password": "top secret 2" })),
        ("accounts:update", json!({ "validSince": "1" })),
    ] {
        let mut request = change;
        request["idToken"] = last;
        let changed = server.post(operation, request.clone()).await.ok();
        let refreshed = server.refresh(changed["refreshToken"].as_str().unwrap()).await.ok();
        for token in [&changed["idToken"], &refreshed["id_token"]] {
            let claims = claims(token);
            assert_eq!(claims["role"], "editor", "{request}");
            assert_eq!(claims["firebase"]["session_id"], session, "{request}");
        }
        last = changed["idToken"].clone();
    }
    // Another session of the account has its own id and none of these claims.
    let password = json!({ "email": "ada@example.com", "password": "top secret 2" });
    let other = server.post("accounts:signInWithPassword", password).await.ok();
    let other = claims(&other["idToken"]);
    assert_eq!(other.get("role"), None);
    assert_ne!(other["firebase"]["session_id"], session);
}

/// A claim of the account that a session's tokens showed is no claim of the session.
#[tokio::test]
async fn a_claim_that_an_account_lost_does_not_stay_with_its_sessions() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.state.grant_claim("ada@example.com", "admin").await.unwrap();
    let shown = server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
    assert_eq!(claims(&shown["id_token"])["admin"], true);
    let anew = json!({ "idToken": shown["id_token"], "password": "top secret 2" });
    let anew = server.post("accounts:update", anew).await.ok();
    assert_eq!(claims(&anew["idToken"])["admin"], true);
    server.state.revoke_claim("ada@example.com", "admin").await.unwrap();
    let password = json!({ "email": "ada@example.com", "password": "top secret 2" });
    let back = server.post("accounts:signInWithPassword", password).await.ok();
    assert_eq!(claims(&back["idToken"]).get("admin"), None);
    let stale = server.post("accounts:lookup", json!({ "idToken": anew["idToken"] })).await;
    assert_eq!(stale.error(), "TOKEN_EXPIRED");
}
