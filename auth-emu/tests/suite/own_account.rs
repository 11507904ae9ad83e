//! Our own routes: recovery codes, and the list of one's sessions.

use std::time::Duration;

use axum::body::Body;
use docstore::access::Authenticator as _;
use docstore::access::Mode;
use docstore::store::Store;
use serde_json::{Value, json};

use crate::harness::{App, PROJECT, Server, claims};

const ADA: &str = "ada@example.com";
const PASSWORD: &str = "correct horse";
const TOO_OLD: &str = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Ada with an authenticator app, in a session that has shown it.
async fn with_app(server: &Server) -> (App, Value) {
    let ada = server.sign_up(ADA, PASSWORD).await;
    server.verify(&ada).await;
    server.enroll(&ada).await
}

async fn codes(server: &Server, tokens: &Value) -> Vec<String> {
    let made = server.own("POST", "recoveryCodes", &tokens["idToken"]).await.ok();
    serde_json::from_value(made["codes"].clone()).unwrap()
}

async fn left(server: &Server, tokens: &Value) -> Value {
    server.own("GET", "recoveryCodes", &tokens["idToken"]).await.ok()["left"].clone()
}

async fn pending(server: &Server) -> Value {
    let password = json!({ "email": ADA, "password": PASSWORD });
    server.post("accounts:signInWithPassword", password).await.ok()["mfaPendingCredential"].clone()
}

async fn recover(server: &Server, credential: &Value, code: &str) -> crate::harness::Reply {
    let body = json!({ "mfaPendingCredential": credential, "recoveryCode": code });
    let request = Server::request("POST", "/__/account/recoverySignIn?key=k");
    server.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn each_recovery_code_signs_in_once() {
    for server in [Server::serving().await, Server::emulator().await] {
        let (_, ada) = with_app(&server).await;
        assert_eq!(left(&server, &ada).await, Value::Null);
        let codes = codes(&server, &ada).await;
        assert_eq!(codes.len(), 10);
        assert_eq!(codes.iter().collect::<std::collections::BTreeSet<_>>().len(), 10);
        let waiting = pending(&server).await;
        let back = recover(&server, &waiting, &codes[3].to_uppercase()).await.ok();
        assert_eq!(claims(&back["idToken"])["firebase"]["sign_in_second_factor"], "recovery_code");
        assert_eq!((&back["left"], left(&server, &back).await), (&json!(9), json!(9)));
        for waiting in [waiting, pending(&server).await] {
            let again = recover(&server, &waiting, &codes[3]).await;
            assert!(again.error().starts_with("INVALID_CODE"), "{}", again.error());
        }
        recover(&server, &pending(&server).await, &codes[4].replace('-', "")).await.ok();
    }
}

#[tokio::test]
async fn of_two_sign_ins_with_one_recovery_code_one_wins() {
    let server = Server::serving().await;
    let (_, ada) = with_app(&server).await;
    let codes = codes(&server, &ada).await;
    let waiting = pending(&server).await;
    let racers = futures::future::join_all((0..8).map(|_| recover(&server, &waiting, &codes[0]))).await;
    assert_eq!(racers.iter().filter(|reply| reply.status == 200).count(), 1);
    assert_eq!(left(&server, &ada).await, 9);
}

#[tokio::test]
async fn a_new_set_voids_the_last_and_the_last_factor_takes_all_codes_along() {
    let server = Server::serving().await;
    let (_, ada) = with_app(&server).await;
    let old = codes(&server, &ada).await;
    let new = codes(&server, &ada).await;
    assert!(recover(&server, &pending(&server).await, &old[0]).await.error().starts_with("INVALID_CODE"));
    let back = recover(&server, &pending(&server).await, &new[0]).await.ok();
    // An owner without the app takes it away with a code, and gets in with the password alone.
    let factor = server.me(&back).await["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": back["idToken"], "mfaEnrollmentId": factor });
    let ada = server.post2("accounts/mfaEnrollment:withdraw", withdraw).await.ok();
    assert_eq!(left(&server, &ada).await, Value::Null);
    // A later app does not bring them back.
    server.enroll(&ada).await;
    assert!(recover(&server, &pending(&server).await, &new[1]).await.error().starts_with("INVALID_CODE"));
}

#[tokio::test]
async fn recovery_codes_take_a_recent_sign_in_with_a_second_factor() {
    let server = Server::serving().await;
    let early = server.sign_up(ADA, PASSWORD).await;
    server.verify(&early).await;
    let renew = |tokens: &Value| {
        let token = tokens["idToken"].clone();
        let server = &server;
        async move { server.own("POST", "recoveryCodes", &token).await }
    };
    // Without a second factor there is nothing to recover.
    assert_eq!(renew(&early).await.error(), TOO_OLD);
    let (_, ada) = server.enroll(&early).await;
    // A thief of the password alone has a session that has shown no factor.
    assert_eq!(renew(&early).await.error(), TOO_OLD);
    // Tokens of a sign-up are dated a second later.
    server.advance(Duration::from_secs(302));
    assert_eq!(renew(&ada).await.error(), TOO_OLD);
    for token in [Value::Null, json!("none"), pending(&server).await] {
        for (method, path) in [("POST", "recoveryCodes"), ("GET", "recoveryCodes"), ("GET", "sessions")] {
            let refused = server.own(method, path, &token).await;
            assert_eq!(refused.status, 400, "{method} {path} {token}: {}", refused.body);
        }
    }
    // Nor does an ID token in the body count.
    let body = json!({ "idToken": ada["idToken"] }).to_string();
    let request = Server::request("POST", "/__/account/recoveryCodes").body(Body::from(body)).unwrap();
    assert_eq!(server.send(request).await.error(), "MISSING_ID_TOKEN");
}

#[tokio::test]
async fn recovery_codes_cannot_be_guessed_nor_made_without_end() {
    let server = Server::serving().await;
    let (app, ada) = with_app(&server).await;
    for _ in 0..5 {
        codes(&server, &ada).await;
    }
    let sixth = server.own("POST", "recoveryCodes", &ada["idToken"]).await;
    assert!(sixth.error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    let waiting = pending(&server).await;
    for number in 0..12 {
        let guess = recover(&server, &waiting, &format!("aaaa-bbbb-cc{number:02}")).await;
        let expected = if number < 10 { "INVALID_CODE" } else { "TOO_MANY_ATTEMPTS_TRY_LATER" };
        assert!(guess.error().starts_with(expected), "{number}: {}", guess.error());
    }
    // Guesses of recovery codes and of the app's codes count together.
    let by_app = json!({ "mfaPendingCredential": waiting, "mfaEnrollmentId": "x",
        "totpVerificationInfo": { "verificationCode": app.code(&server) } });
    let by_app = server.post2("accounts/mfaSignIn:finalize", by_app).await;
    assert!(by_app.error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
}

#[tokio::test]
async fn a_changed_password_voids_a_first_factor_that_waits_for_the_second() {
    let server = Server::serving().await;
    let (app, ada) = with_app(&server).await;
    let codes = codes(&server, &ada).await;
    let waiting = pending(&server).await;
    let factor = server.me(&ada).await["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let changed = json!({ "idToken": ada["idToken"], "password": "another of hers" });
    server.post("accounts:update", changed).await.ok();
    let refused = recover(&server, &waiting, &codes[0]).await;
    assert!(refused.error().starts_with("INVALID_MFA_PENDING_CREDENTIAL"), "{}", refused.error());
    server.advance(Duration::from_secs(30));
    let by_app = json!({ "mfaPendingCredential": waiting, "mfaEnrollmentId": factor,
        "totpVerificationInfo": { "verificationCode": app.code(&server) } });
    let refused = server.post2("accounts/mfaSignIn:finalize", by_app).await;
    assert!(refused.error().starts_with("INVALID_MFA_PENDING_CREDENTIAL"), "{}", refused.error());
    // One that was shown after the change counts, also in the same second.
    let password = json!({ "email": ADA, "password": "another of hers" });
    let waiting = server.post("accounts:signInWithPassword", password).await.ok();
    recover(&server, &waiting["mfaPendingCredential"], &codes[0]).await.ok();
}

#[tokio::test]
async fn codes_of_one_account_do_nothing_for_another_and_are_stored_hashed() {
    let store = Store::in_memory().await.unwrap();
    let kept = store.clone();
    let server = Server::start(Mode::Serving, |options| options.store = store).await;
    let (_, ada) = with_app(&server).await;
    let codes = codes(&server, &ada).await;
    let eve = server.sign_up("eve@example.com", PASSWORD).await;
    server.verify(&eve).await;
    server.enroll(&eve).await;
    let password = json!({ "email": "eve@example.com", "password": PASSWORD });
    let eve = server.post("accounts:signInWithPassword", password).await.ok();
    let stolen = recover(&server, &eve["mfaPendingCredential"], &codes[0]).await;
    assert!(stolen.error().starts_with("INVALID_CODE"));
    // Neither is an ID token a first factor.
    let token = recover(&server, &ada["idToken"], &codes[0]).await;
    assert!(token.error().starts_with("INVALID_MFA_PENDING_CREDENTIAL"));
    assert_eq!(left(&server, &ada).await, 10);
    let database = kept.database(&docstore::model::DatabaseId::new(PROJECT, "__auth__"));
    let all = docstore::model::Source { collection: None, all_descendants: true };
    let documents = database.run(&docstore::model::Query::all(None, all), None).await.unwrap().documents;
    let everything = format!("{documents:?}");
    for code in &codes {
        assert!(!everything.contains(code) && !everything.contains(&code.replace('-', "")));
    }
    // The account's own look-up shows nothing of them.
    let shown = server.me(&ada).await;
    assert_eq!(
        (shown.get("recoveryCodes"), shown.get("endedSessions"), shown.get("proofPending")),
        (None, None, None)
    );
}

#[tokio::test]
async fn the_operator_removes_second_factors_that_were_lost() {
    let server = Server::serving().await;
    let (_, ada) = with_app(&server).await;
    codes(&server, &ada).await;
    assert_eq!(server.state.remove_second_factors(ADA).await.unwrap(), 1);
    let stale = server.post("accounts:lookup", json!({ "idToken": ada["idToken"] })).await;
    assert_eq!(stale.error(), "TOKEN_EXPIRED");
    assert_eq!(server.refresh(ada["refreshToken"].as_str().unwrap()).await.error(), "TOKEN_EXPIRED");
    let password = json!({ "email": ADA, "password": PASSWORD });
    let back = server.post("accounts:signInWithPassword", password).await.ok();
    assert_eq!((server.me(&back).await.get("mfaInfo"), left(&server, &back).await), (None, Value::Null));
    let none = server.state.remove_second_factors(ADA).await.unwrap_err();
    assert!(none.message().contains("no second factor"), "{}", none.message());
    assert!(server.state.remove_second_factors("bob@example.com").await.is_err());
}

async fn sessions(server: &Server, tokens: &Value) -> Vec<Value> {
    let listed = server.own("GET", "sessions", &tokens["idToken"]).await.ok();
    listed["sessions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn sessions_are_listed_with_their_browser_and_their_last_use() {
    let server = Server::serving().await;
    let start = server.seconds();
    server.sign_up(ADA, PASSWORD).await;
    server.advance(Duration::from_secs(100));
    let here = server.sign_in_with(FIREFOX, ADA, PASSWORD).await;
    server.advance(Duration::from_secs(100));
    let other = server.sign_in_with("curl/8.5.0", ADA, PASSWORD).await;
    server.advance(Duration::from_secs(4_000));
    let here = server.refresh(here["refreshToken"].as_str().unwrap()).await.ok();
    let here = json!({ "idToken": here["id_token"] });
    let listed = sessions(&server, &here).await;
    let told: Vec<_> = listed
        .iter()
        .map(|one| {
            let since = |name: &str| one[name].as_u64().unwrap() - start;
            (one["userAgent"].as_str(), since("begunAt"), since("usedAt"), one["current"] == true)
        })
        .collect();
    // The first sign-in sets a password, which dates its tokens a second later.
    assert_eq!(
        told,
        [(Some(FIREFOX), 100, 4_200, true), (Some("curl/8.5.0"), 200, 200, false), (None, 1, 1, false),]
    );
    // A session that goes on under new tokens is still one.
    let name = json!({ "idToken": here["idToken"], "displayName": "Ada" });
    server.post("accounts:update", name).await.ok();
    assert_eq!(sessions(&server, &here).await.len(), 3);
    // Signing out elsewhere leaves one.
    let all = json!({ "idToken": here["idToken"], "validSince": "1" });
    let here = server.post("accounts:update", all).await.ok();
    let listed = sessions(&server, &here).await;
    assert_eq!((listed.len(), &listed[0]["current"]), (1, &json!(true)));
    assert_eq!(server.own("GET", "sessions", &other["idToken"]).await.error(), "TOKEN_EXPIRED");
}

#[tokio::test]
async fn one_session_ends_at_once_and_the_others_go_on() {
    let server = Server::serving().await;
    let here = server.sign_up(ADA, PASSWORD).await;
    server.verify(&here).await;
    let there = server.sign_in_with(FIREFOX, ADA, PASSWORD).await;
    // It has gone on under new tokens; both pairs end.
    let (_, later) = server.enroll(&there).await;
    let id = claims(&later["idToken"])["firebase"]["session_id"].as_str().unwrap().to_owned();
    let listed = sessions(&server, &here).await;
    assert_eq!(listed.iter().map(|one| one["id"] == *id).collect::<Vec<_>>().len(), 2);
    server.own("DELETE", &format!("sessions/{id}"), &here["idToken"]).await.ok();
    for tokens in [&there, &later] {
        let stale = server.post("accounts:lookup", json!({ "idToken": tokens["idToken"] })).await;
        assert_eq!(stale.error(), "TOKEN_EXPIRED");
        let header = format!("Bearer {}", tokens["idToken"].as_str().unwrap());
        server.state.authenticate(PROJECT, Some(&header)).await.unwrap_err();
        let refreshed = server.refresh(tokens["refreshToken"].as_str().unwrap()).await;
        assert_eq!(refreshed.error(), "INVALID_REFRESH_TOKEN");
    }
    server.me(&here).await;
    server.refresh(here["refreshToken"].as_str().unwrap()).await.ok();
    assert_eq!(sessions(&server, &here).await.len(), 1);
    let again = server.own("DELETE", &format!("sessions/{id}"), &here["idToken"]).await;
    assert!(again.error().starts_with("SESSION_NOT_FOUND"));
}

#[tokio::test]
async fn nobody_sees_or_ends_the_sessions_of_others() {
    let server = Server::serving().await;
    let ada = server.sign_up(ADA, PASSWORD).await;
    let eve = server.sign_up("eve@example.com", PASSWORD).await;
    let id = claims(&ada["idToken"])["firebase"]["session_id"].as_str().unwrap().to_owned();
    assert!(sessions(&server, &eve).await.iter().all(|one| one["id"] != *id));
    let own = claims(&eve["idToken"])["user_id"].as_str().unwrap().to_owned();
    let ada_id = claims(&ada["idToken"])["user_id"].as_str().unwrap().to_owned();
    for wanted in [id.clone(), format!("..%2F..%2F{ada_id}%2Fsessions%2F{id}"), own, ada_id, "%00".to_owned()]
    {
        let refused = server.own("DELETE", &format!("sessions/{wanted}"), &eve["idToken"]).await;
        assert!(refused.error().starts_with("SESSION_NOT_FOUND"), "{wanted}: {}", refused.error());
    }
    server.me(&ada).await;
    server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
}

#[tokio::test]
async fn a_session_that_is_being_ended_cannot_go_on_under_new_tokens() {
    let server = Server::serving().await;
    let here = server.sign_up(ADA, PASSWORD).await;
    for round in 0..6 {
        let there = server.sign_in_with(FIREFOX, ADA, PASSWORD).await;
        let id = claims(&there["idToken"])["firebase"]["session_id"].as_str().unwrap().to_owned();
        let path = format!("sessions/{id}");
        let anew = json!({ "idToken": there["idToken"], "email": ADA, "password": PASSWORD });
        let (ended, went_on) =
            tokio::join!(server.own("DELETE", &path, &here["idToken"]), server.post("accounts:signUp", anew));
        // Setting a password ends all sessions; then there is nothing left to end, and this one is over too.
        if went_on.status == 200 {
            break;
        }
        ended.ok();
        assert_eq!(went_on.error(), "TOKEN_EXPIRED", "{round}");
        let refreshed = server.refresh(there["refreshToken"].as_str().unwrap()).await;
        assert_eq!(refreshed.error(), "INVALID_REFRESH_TOKEN");
    }
}

#[tokio::test]
async fn the_hundred_and_first_session_ends_the_one_unused_longest() {
    let server = Server::serving().await;
    let first = server.sign_up(ADA, PASSWORD).await;
    let local_id = first["localId"].as_str().unwrap();
    let custom = server.state.mint_custom_token(local_id, &json!({})).await.unwrap();
    let sign_in =
        async || server.post("accounts:signInWithCustomToken", json!({ "token": custom })).await.ok();
    let second = sign_in().await;
    server.advance(Duration::from_secs(100));
    for _ in 0..98 {
        sign_in().await;
    }
    server.refresh(first["refreshToken"].as_str().unwrap()).await.ok();
    sign_in().await;
    server.refresh(first["refreshToken"].as_str().unwrap()).await.ok();
    let gone = server.refresh(second["refreshToken"].as_str().unwrap()).await;
    assert_eq!(gone.error(), "INVALID_REFRESH_TOKEN");
}

#[tokio::test]
async fn an_emulator_keeps_no_sessions() {
    let server = Server::emulator().await;
    let ada = server.sign_up(ADA, PASSWORD).await;
    let listed = server.own("GET", "sessions", &ada["idToken"]).await;
    assert_eq!(listed.ok(), json!({ "sessions": null }));
    let ended = server.own("DELETE", "sessions/s1", &ada["idToken"]).await;
    assert_eq!(ended.error(), "OPERATION_NOT_ALLOWED : An emulator keeps no sessions.");
}
