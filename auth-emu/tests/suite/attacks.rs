//! Attacks that must fail.

use std::net::SocketAddr;
use std::time::Duration;

use auth_emu::limits::{AuthLimits, Rate};
use auth_emu::{AuthOptions, AuthState};
use axum::body::Body;
use axum::extract::ConnectInfo;
use docstore::access::Mode;
use docstore::store::Store;
use http::Request;
use serde_json::{Value, json};

use crate::harness::{ORIGIN, PROJECT, Server, claims, unsigned};

#[tokio::test]
async fn of_racing_sign_ups_with_one_address_one_wins() {
    let server = Server::emulator().await;
    let racers = (0..24).map(|number| {
        let body = json!({ "email": "Ada@example.com", "password": format!("top secret {number}") });
        server.post("accounts:signUp", body)
    });
    let replies = futures::future::join_all(racers).await;
    let winners: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
    assert_eq!(winners.len(), 1);
    assert!(replies.iter().filter(|reply| reply.status != 200).all(|reply| reply.error() == "EMAIL_EXISTS"));
    let all = server.owner("POST", &format!("v1/projects/{PROJECT}/accounts:query"), json!({})).await.ok();
    assert_eq!(all["recordsCount"], "1");
}

#[tokio::test]
async fn racing_changes_to_one_account_all_count() {
    let server = Server::emulator().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let name = server.post("accounts:update", json!({ "idToken": ada["idToken"], "displayName": "Ada" }));
    let photo =
        server.post("accounts:update", json!({ "idToken": ada["idToken"], "photoUrl": "https://x/p" }));
    let (name, photo) = tokio::join!(name, photo);
    name.ok();
    photo.ok();
    let me = server.me(&ada).await;
    assert_eq!((&me["displayName"], &me["photoUrl"]), (&json!("Ada"), &json!("https://x/p")));
}

#[tokio::test]
async fn a_code_works_once_even_when_raced() {
    let server = Server::serving().await;
    server.sign_up("ada@example.com", "top secret 1").await;
    server
        .post("accounts:sendOobCode", json!({ "requestType": "PASSWORD_RESET", "email": "ada@example.com" }))
        .await
        .ok();
    let code = server.code();
    let racers = (0..6).map(|number| {
        let new = json!({ "oobCode": code, "newPassword": format!("racer-{number}") });
        server.post("accounts:resetPassword", new)
    });
    let replies = futures::future::join_all(racers).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    let again = server
        .post("accounts:resetPassword", json!({ "oobCode": code, "newPassword": "top secret 9" }))
        .await;
    assert_eq!(again.error(), "INVALID_OOB_CODE");
    assert!(server.outbox().is_empty());
}

#[tokio::test]
async fn codes_expire_and_do_not_do_other_jobs() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let verify = json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] });
    server.post("accounts:sendOobCode", verify).await.ok();
    let code = server.code();
    let misused = server
        .post("accounts:resetPassword", json!({ "oobCode": code, "newPassword": "top secret 9" }))
        .await;
    assert_eq!(misused.error(), "INVALID_OOB_CODE");
    let misused = json!({ "email": "ada@example.com", "oobCode": code });
    assert_eq!(server.post("accounts:signInWithEmailLink", misused).await.error(), "INVALID_OOB_CODE");
    server.advance(Duration::from_secs(3 * 24 * 3_600));
    assert_eq!(server.post("accounts:update", json!({ "oobCode": code })).await.error(), "EXPIRED_OOB_CODE");
}

#[tokio::test]
async fn only_hashes_of_secrets_are_stored() {
    let store = Store::in_memory().await.unwrap();
    let kept = store.clone();
    let server = Server::start(Mode::Serving, |options| options.store = store).await;
    let ada = server.sign_up("ada@example.com", "correct horse").await;
    server
        .post("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }))
        .await
        .ok();
    let code = server.code();
    let database = kept.database(&docstore::model::DatabaseId::new(PROJECT, "__auth__"));
    let query = docstore::model::Query::all(
        None,
        docstore::model::Source { collection: None, all_descendants: true },
    );
    let documents = database.run(&query, None).await.unwrap().documents;
    assert!(documents.len() >= 4, "account, address, session, code: {}", documents.len());
    let everything = format!("{documents:?}");
    let refresh = ada["refreshToken"].as_str().unwrap().rsplit('.').next().unwrap().to_owned();
    for secret in ["correct horse", code.as_str().unwrap(), &refresh, ada["idToken"].as_str().unwrap()] {
        assert!(!everything.contains(secret), "{secret} is stored");
    }
    assert!(everything.contains("$argon2id$"));
}

#[tokio::test]
async fn a_thousand_guesses_are_a_few() {
    let server = Server::start(Mode::Serving, |options| {
        options.limits = AuthLimits {
            failures_per_account: Rate::new(5, Duration::from_secs(60)),
            failures_per_address: Rate::new(8, Duration::from_secs(60)),
            ..AuthLimits::default()
        };
    })
    .await;
    server.sign_up("ada@example.com", "top secret 1").await;
    server.sign_up("bob@example.com", "top secret 1").await;
    let guess = |email: &str, password: String| {
        server.post("accounts:signInWithPassword", json!({ "email": email, "password": password }))
    };
    let guesses = (0..1_000).map(|number| guess("ada@example.com", format!("guess-{number}")));
    let replies = futures::future::join_all(guesses).await;
    let tried = replies.iter().filter(|reply| reply.error() == "INVALID_LOGIN_CREDENTIALS").count();
    assert_eq!(tried, 5, "a guess in parallel is a guess");
    let limited = replies.iter().find(|reply| reply.error() != "INVALID_LOGIN_CREDENTIALS").unwrap();
    assert!(limited.error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER : "));
    // The owner waits as well, but not for long, and a right password clears the account.
    guess("ada@example.com", "top secret 1".into()).await.error();
    server.advance(Duration::from_secs(61));
    guess("ada@example.com", "top secret 1".into()).await.ok();
    // Many accounts from one address are limited too.
    for number in 0..9 {
        guess(&format!("user{number}@example.com"), "x".into()).await.error();
    }
    assert!(guess("bob@example.com", "top secret 1".into()).await.error().starts_with("TOO_MANY"));
}

#[tokio::test]
async fn mail_is_limited_by_mailbox() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let verify = || {
        server
            .post("accounts:sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }))
    };
    for _ in 0..5 {
        verify().await.ok();
    }
    assert!(verify().await.error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    server.advance(Duration::from_secs(60));
    verify().await.ok();
}

#[tokio::test]
async fn replies_do_not_tell_which_addresses_exist() {
    let server = Server::serving().await;
    server.sign_up("ada@example.com", "top secret 1").await;
    let sign_in = |email: &str| {
        server.post("accounts:signInWithPassword", json!({ "email": email, "password": "wrong!" }))
    };
    assert_eq!(sign_in("ada@example.com").await, sign_in("bob@example.com").await);
    let reset = |email: &str| {
        server.post("accounts:sendOobCode", json!({ "requestType": "PASSWORD_RESET", "email": email }))
    };
    let (known, unknown) = (reset("ada@example.com").await.ok(), reset("bob@example.com").await.ok());
    assert_eq!(known["kind"], unknown["kind"]);
    assert_eq!(known.as_object().unwrap().len(), unknown.as_object().unwrap().len());
    let uri = |email: &str| json!({ "identifier": email, "continueUri": "http://x/", "sessionId": "s" });
    let (known, unknown) = (uri("ada@example.com"), uri("bob@example.com"));
    let (known, unknown) = (
        server.post("accounts:createAuthUri", known).await,
        server.post("accounts:createAuthUri", unknown).await,
    );
    assert_eq!(known, unknown);
}

#[tokio::test]
async fn links_lead_where_the_configuration_says() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let send = |host: &'static str, url: &'static str| {
        let body = json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"], "continueUrl": url });
        let path = "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=evil%26mode%3Dx";
        let request =
            Request::builder().method("POST").uri(path).header("host", host).header("x-forwarded-host", host);
        server.send(request.body(Body::from(body.to_string())).unwrap())
    };
    send("evil.example", "https://cards.example/decks").await.ok();
    let link = server.outbox().pop().unwrap()["oobLink"].as_str().unwrap().to_owned();
    assert!(link.starts_with("https://cards.example/__/auth/action?mode=verifyEmail&oobCode="), "{link}");
    assert!(
        link.ends_with("&apiKey=app-key&continueUrl=https%3A%2F%2Fcards.example%2Fdecks&lang=en"),
        "{link}"
    );
    for url in [
        "https://evil.example/",
        "https://cards.example.evil.example/",
        "https://cards.example@evil.example/",
        "app://cards.example/",
    ] {
        let reply = send("cards.example", url).await;
        assert!(reply.error().starts_with("UNAUTHORIZED_DOMAIN : "), "{url}: {}", reply.error());
    }
}

#[tokio::test]
async fn codes_never_leave_by_http() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let mail = json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] });
    server.post("accounts:sendOobCode", mail).await.ok();
    let code = server.code();
    let near: SocketAddr = "127.0.0.1:4711".parse().unwrap();
    for path in ["oobCodes", "verificationCodes", "accounts", "config", "tenants/t/oobCodes"] {
        for method in ["GET", "DELETE", "PATCH", "POST"] {
            let path = format!("/emulator/v1/projects/{PROJECT}/{path}");
            let request = Request::builder().method(method).uri(&path).extension(ConnectInfo(near));
            // Headers from a proxy on the same machine that has `proxy_pass` and nothing else configured.
            let request = request.header("host", "localhost:5000").body(Body::empty()).unwrap();
            assert_eq!(server.send(request).await.status, 404, "{method} {path}");
        }
    }
    for path in ["/emulator/action?mode=verifyEmail&apiKey=k&oobCode=", "/emulator/auth/provider?state="] {
        let path = format!("{path}{}", code.as_str().unwrap());
        assert_eq!(server.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(server.me(&ada).await["emailVerified"], false);
}

#[tokio::test]
async fn serving_mode_has_no_administrator_on_the_wire() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    for (method, path) in [
        ("POST", format!("v1/projects/{PROJECT}/accounts:lookup")),
        ("POST", format!("v1/projects/{PROJECT}/accounts")),
        ("GET", format!("v1/projects/{PROJECT}/accounts:batchGet")),
        ("PATCH", format!("v2/projects/{PROJECT}/config")),
        ("POST", "v1/accounts:update".to_owned()),
    ] {
        let reply = server.owner(method, &path, json!({ "localId": ada["localId"] })).await;
        assert_eq!(reply.status, 401, "{path}");
    }
    for (method, path) in [("DELETE", "accounts"), ("GET", "config"), ("PATCH", "config")] {
        let path = format!("/emulator/v1/projects/{PROJECT}/{path}");
        let reply = server.send(Server::request(method, &path).body(Body::empty()).unwrap()).await;
        assert_eq!(reply.status, 404, "{method} {path}");
    }
    let mut forged = claims(&ada["idToken"]);
    forged["admin"] = json!(true);
    for (operation, body) in [
        ("accounts:lookup", json!({ "idToken": unsigned(&forged) })),
        ("accounts:delete", json!({ "idToken": unsigned(&forged) })),
    ] {
        assert_eq!(server.post(operation, body).await.error(), "INVALID_ID_TOKEN");
    }
    let custom = json!({ "token": r#"{"uid":"eve","claims":{"admin":true}}"# });
    let reply = server.post("accounts:signInWithCustomToken", custom).await;
    assert!(reply.error().starts_with("INVALID_CUSTOM_TOKEN"));
    let fake =
        json!({ "requestUri": "http://x", "postBody": "providerId=google.com&id_token={\"sub\":\"1\"}" });
    assert!(server.post("accounts:signInWithIdp", fake).await.error().starts_with("OPERATION_NOT_ALLOWED"));
    let text = json!({ "phoneNumber": "+15555550100" });
    assert!(
        server.post("accounts:sendVerificationCode", text).await.error().starts_with("OPERATION_NOT_ALLOWED")
    );
    // Another token of this server's is no ID token, and an ID token is nothing else.
    let refresh = json!({ "idToken": ada["refreshToken"] });
    assert_eq!(server.post("accounts:lookup", refresh).await.error(), "INVALID_ID_TOKEN");
    assert_eq!(server.refresh(ada["idToken"].as_str().unwrap()).await.error(), "INVALID_REFRESH_TOKEN");
}

#[tokio::test]
async fn sensitive_changes_need_a_recent_sign_in() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    // Tokens issued after a password change are dated a second later.
    server.advance(Duration::from_secs(302));
    let fresh = server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
    let with = |more: Value| {
        let mut body = json!({ "idToken": fresh["id_token"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for (operation, body) in [
        ("accounts:delete", with(json!({}))),
        ("accounts:update", with(json!({ "password": "top secret 2" }))),
        ("accounts:update", with(json!({ "email": "eve@example.com" }))),
        ("accounts:update", with(json!({ "deleteProvider": ["password"] }))),
        (
            "accounts:sendOobCode",
            with(json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "eve@example.com" })),
        ),
    ] {
        assert_eq!(
            server.post(operation, body.clone()).await.error(),
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
            "{operation} {body}"
        );
    }
    server.post("accounts:update", with(json!({ "displayName": "Ada" }))).await.ok();
}

#[tokio::test]
async fn bodies_are_bounded() {
    let server = Server::serving().await;
    let reply = server.post("accounts:signUp", json!({ "email": "x".repeat(300_000) })).await;
    assert_eq!(reply.status, 413);
}

#[tokio::test]
async fn a_public_origin_must_be_one() {
    for origin in
        ["", "cards.example", "ftp://cards.example", "https://cards.example/app", "https://u:p@cards.example"]
    {
        let store = Store::in_memory().await.unwrap();
        let error =
            AuthState::new(AuthOptions::new(store, PROJECT, Mode::Emulator, origin)).await.unwrap_err();
        assert_eq!(error.tag(), "BadPublicOrigin", "{origin}");
    }
    let store = Store::in_memory().await.unwrap();
    AuthState::new(AuthOptions::new(store, PROJECT, Mode::Emulator, ORIGIN)).await.unwrap();
}

#[tokio::test]
async fn what_is_no_address_is_refused_wherever_one_enters() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    for bad in ["<z@x.test>", "Z <z@x.test>", "\"z\"@x.test", "z,y@x.test", "z@x..test"] {
        let signs_up = json!({ "email": bad, "password": "top secret 1" });
        assert_eq!(server.post("accounts:signUp", signs_up).await.error(), "INVALID_EMAIL", "{bad}");
        let changes = json!({ "idToken": ada["idToken"], "email": bad });
        assert_eq!(server.post("accounts:update", changes).await.error(), "INVALID_EMAIL", "{bad}");
        for mail in [
            json!({ "requestType": "EMAIL_SIGNIN", "email": bad, "continueUrl": ORIGIN }),
            json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": ada["idToken"], "newEmail": bad }),
        ] {
            assert_eq!(server.post("accounts:sendOobCode", mail).await.error(), "INVALID_EMAIL", "{bad}");
        }
    }
}

/// A data folder of an emulator, with a code that was sent there, is served to real users.
#[tokio::test]
async fn a_phone_is_linked_soon_after_a_sign_in_alone() {
    let store = Store::in_memory().await.unwrap();
    let emulator = Server::start(Mode::Emulator, |options| options.store = store.clone()).await;
    let code = json!({ "phoneNumber": "+15555550100" });
    let session = emulator.post("accounts:sendVerificationCode", code).await.ok()["sessionInfo"].clone();
    let codes = emulator.get(&format!("/emulator/v1/projects/{PROJECT}/verificationCodes")).await.ok();
    let code = codes["verificationCodes"][0]["code"].clone();
    let server = Server::start(Mode::Serving, |options| options.store = store.clone()).await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.advance(Duration::from_secs(302));
    let link = json!({ "sessionInfo": session, "code": code, "idToken": ada["idToken"] });
    let linked = server.post("accounts:signInWithPhoneNumber", link).await;
    assert_eq!(linked.error(), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
    assert!(server.me(&ada).await["phoneNumber"].is_null());
}

#[tokio::test]
async fn a_cookie_of_a_session_after_a_revocation_outlives_it_and_none_is_made_of_one_before() {
    let server = Server::emulator().await;
    let before = server.sign_up("ada@example.com", "top secret 1").await;
    let since = server.seconds() + 30;
    let revoke = json!({ "localId": before["localId"], "validSince": since.to_string() });
    server.owner("POST", &format!("v1/projects/{PROJECT}/accounts:update"), revoke).await.ok();
    let bake = async |token: &Value| {
        let body = json!({ "idToken": token, "validDuration": "300" });
        server.owner("POST", &format!("v1/projects/{PROJECT}:createSessionCookie"), body).await
    };
    assert_eq!(bake(&before["idToken"]).await.error(), "TOKEN_EXPIRED");
    let again = json!({ "email": "ada@example.com", "password": "top secret 1", "returnSecureToken": true });
    let after = server.post("accounts:signInWithPassword", again).await.ok();
    let cookie = claims(&bake(&after["idToken"]).await.ok()["sessionCookie"]);
    assert!(cookie["iat"].as_u64().unwrap() >= since, "{cookie}");
    assert_eq!(cookie["exp"].as_u64().unwrap() - cookie["iat"].as_u64().unwrap(), 300);
}

#[tokio::test]
async fn a_code_sent_to_a_number_with_hidden_digits_is_no_second_factor() {
    let server = Server::emulator().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let phone = json!({ "mfaEnrollmentId": "p", "phoneInfo": "+15555550100" });
    let set = json!({ "localId": ada["localId"], "emailVerified": true, "mfa": { "enrollments": [phone] } });
    server.owner("POST", &format!("v1/projects/{PROJECT}/accounts:update"), set).await.ok();
    let password = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let pending = server.post("accounts:signInWithPassword", password).await.ok();
    let shown = &pending["mfaInfo"][0]["phoneInfo"];
    assert_eq!(*shown, "+*******0100");
    let text = json!({ "phoneNumber": shown });
    let sent = server.post("accounts:sendVerificationCode", text).await;
    assert!(sent.error().starts_with("INVALID_PHONE_NUMBER"), "{}", sent.error());
    // Nor is one sent to another phone.
    let text = json!({ "phoneNumber": "+15555550199" });
    let session = server.post("accounts:sendVerificationCode", text).await.ok()["sessionInfo"].clone();
    let path = format!("/emulator/v1/projects/{PROJECT}/verificationCodes");
    let code = server.get(&path).await.ok()["verificationCodes"][0]["code"].clone();
    let finish = json!({ "mfaPendingCredential": pending["mfaPendingCredential"],
        "phoneVerificationInfo": { "sessionInfo": session, "code": code } });
    let finish = server.post2("accounts/mfaSignIn:finalize", finish).await;
    assert_eq!(finish.error(), "MFA_ENROLLMENT_NOT_FOUND");
}
