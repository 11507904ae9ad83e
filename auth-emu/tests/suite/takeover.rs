//! Accounts that a stranger registers for another person's address, and their state once the owner arrives.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Server, claims};

const VICTIM: &str = "victim@example.com";
const PASSWORD: &str = "attacker's choice";

/// Asks for a mail and takes the code out of it.
async fn mailed(server: &Server, mut request: Value) -> Value {
    request["email"] = request.get("email").cloned().unwrap_or_else(|| json!(VICTIM));
    server.post("accounts:sendOobCode", request).await.ok();
    server.code()
}

async fn by_link(server: &Server) -> Value {
    let code = mailed(server, json!({ "requestType": "EMAIL_SIGNIN" })).await;
    server.post("accounts:signInWithEmailLink", json!({ "email": VICTIM, "oobCode": code })).await.ok()
}

/// Nothing that was granted before is worth anything.
async fn nothing_is_left(server: &Server, before: &Value) {
    let stale = server.post("accounts:lookup", json!({ "idToken": before["idToken"] })).await;
    assert_eq!(stale.error(), "TOKEN_EXPIRED");
    assert_eq!(
        server.refresh(before["refreshToken"].as_str().unwrap()).await.error(),
        "INVALID_REFRESH_TOKEN"
    );
    let password = json!({ "email": VICTIM, "password": PASSWORD });
    assert_eq!(
        server.post("accounts:signInWithPassword", password).await.error(),
        "INVALID_LOGIN_CREDENTIALS"
    );
}

#[tokio::test]
async fn an_email_link_takes_away_what_a_stranger_set() {
    let server = Server::serving().await;
    let attacker = server.sign_up(VICTIM, PASSWORD).await;
    // All within one second: dates of tokens cannot tell before from after.
    let owner = by_link(&server).await;
    assert_eq!(owner["localId"], attacker["localId"]);
    nothing_is_left(&server, &attacker).await;
    let me = server.me(&owner).await;
    assert_eq!((&me["emailVerified"], me.get("passwordHash")), (&json!(true), None));
    server.refresh(owner["refreshToken"].as_str().unwrap()).await.ok();
    // From now on the address is proved: a further link changes nothing.
    let password = json!({ "idToken": owner["idToken"], "password": "the owner's own" });
    let owner = server.post("accounts:update", password).await.ok();
    by_link(&server).await;
    server.me(&owner).await;
    server.refresh(owner["refreshToken"].as_str().unwrap()).await.ok();
}

#[tokio::test]
async fn a_reset_takes_away_what_a_stranger_set() {
    let server = Server::serving().await;
    let attacker = server.sign_up(VICTIM, PASSWORD).await;
    let code = mailed(&server, json!({ "requestType": "PASSWORD_RESET" })).await;
    server.advance(Duration::from_millis(10));
    let reset = json!({ "oobCode": code, "newPassword": "the owner's own" });
    server.post("accounts:resetPassword", reset).await.ok();
    nothing_is_left(&server, &attacker).await;
}

#[tokio::test]
async fn no_mail_from_before_leads_back() {
    let server = Server::serving().await;
    // The attacker moves an account of theirs to the address, and keeps two ways back open.
    let attacker = server.sign_up("attacker@example.com", PASSWORD).await;
    let moved = json!({ "idToken": attacker["idToken"], "email": VICTIM });
    let attacker = server.post("accounts:update", moved).await.ok();
    let back = server.code();
    let away = json!({
        "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": attacker["idToken"],
        "newEmail": "other@example.com",
    });
    let away = mailed(&server, away).await;
    let owner = by_link(&server).await;
    assert_eq!(owner["localId"], attacker["localId"]);
    for code in [back, away] {
        let reply = server.post("accounts:update", json!({ "oobCode": code })).await;
        assert_eq!(reply.error(), "INVALID_OOB_CODE");
    }
    assert_eq!(server.me(&owner).await["email"], VICTIM);
}

#[tokio::test]
async fn an_address_that_was_confirmed_by_a_link_alone_is_not_proved() {
    let server = Server::serving().await;
    let attacker = server.sign_up(VICTIM, PASSWORD).await;
    // The owner confirms a mail that they did not ask for. That alone removes nothing.
    server.verify(&attacker).await;
    let local_id = attacker["localId"].clone();
    let (_, attacker) = server.enroll(&attacker).await;
    assert_eq!(server.me(&attacker).await["emailVerified"], true);
    let moving = json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": attacker["idToken"], "newEmail": "a@b.example" });
    let away = mailed(&server, moving).await;
    let owner = by_link(&server).await;
    assert_eq!(owner["localId"], local_id);
    nothing_is_left(&server, &attacker).await;
    assert_eq!(server.post("accounts:update", json!({ "oobCode": away })).await.error(), "INVALID_OOB_CODE");
    let me = server.me(&owner).await;
    assert_eq!((me.get("mfaInfo"), me.get("passwordHash")), (None, None));
    // Now it is proved.
    let password = json!({ "idToken": owner["idToken"], "password": "the owner's own" });
    let owner = server.post("accounts:update", password).await.ok();
    by_link(&server).await;
    server.me(&owner).await;
}

#[tokio::test]
async fn a_reset_ends_other_ways_in_but_no_second_factor_where_the_address_is_not_proved() {
    let server = Server::serving().await;
    let attacker = server.sign_up(VICTIM, PASSWORD).await;
    server.verify(&attacker).await;
    let (_, attacker) = server.enroll(&attacker).await;
    let code = mailed(&server, json!({ "requestType": "PASSWORD_RESET" })).await;
    server.advance(Duration::from_millis(10));
    let reset = json!({ "oobCode": code, "newPassword": "the owner's own" });
    server.post("accounts:resetPassword", reset).await.ok();
    nothing_is_left(&server, &attacker).await;
    let password = json!({ "email": VICTIM, "password": "the owner's own" });
    let asked = server.post("accounts:signInWithPassword", password).await.ok();
    assert!(asked["mfaPendingCredential"].is_string(), "a mailbox alone gets past no second factor");
    // The factor may be a stranger's until the owner signs in by a link.
    let owner = by_link(&server).await;
    assert_eq!(server.me(&owner).await.get("mfaInfo"), None);
}

#[tokio::test]
async fn who_opens_the_mail_while_signed_in_has_proved_the_address() {
    let server = Server::serving().await;
    let ada = server.sign_up(VICTIM, PASSWORD).await;
    let verify = || mailed(&server, json!({ "requestType": "VERIFY_EMAIL", "idToken": ada["idToken"] }));
    let opened = json!({ "oobCode": verify().await, "idToken": ada["idToken"] });
    server.post("accounts:update", opened).await.ok();
    let (_, ada) = server.enroll(&ada).await;
    let code = mailed(&server, json!({ "requestType": "EMAIL_SIGNIN" })).await;
    let link = json!({ "email": VICTIM, "oobCode": code });
    let asked = server.post("accounts:signInWithEmailLink", link).await.ok();
    assert!(asked["mfaPendingCredential"].is_string());
    server.me(&ada).await;
}

#[tokio::test]
async fn a_session_of_another_account_proves_nothing() {
    let server = Server::serving().await;
    let attacker = server.sign_up(VICTIM, PASSWORD).await;
    let other = server.sign_up("other@example.com", "top secret 1").await;
    for token in [&other["idToken"], &json!("no token")] {
        let mail = json!({ "requestType": "VERIFY_EMAIL", "idToken": attacker["idToken"] });
        let opened = json!({ "oobCode": mailed(&server, mail).await, "idToken": token });
        server.post("accounts:update", opened).await.ok();
    }
    by_link(&server).await;
    nothing_is_left(&server, &attacker).await;
}

#[tokio::test]
async fn who_is_signed_in_keeps_a_password_when_the_address_is_proved() {
    let server = Server::serving().await;
    let ada = server.sign_up(VICTIM, PASSWORD).await;
    let code = mailed(&server, json!({ "requestType": "EMAIL_SIGNIN" })).await;
    let link = json!({ "email": VICTIM, "oobCode": code, "idToken": ada["idToken"] });
    server.post("accounts:signInWithEmailLink", link).await.ok();
    let password = json!({ "email": VICTIM, "password": PASSWORD });
    server.post("accounts:signInWithPassword", password).await.ok();
}

#[tokio::test]
async fn tokens_of_the_same_second_die_with_the_password() {
    let server = Server::serving().await;
    let first = server.sign_up("ada@example.com", "first of them").await;
    let mut tokens = first.clone();
    for password in ["second of them", "third of them"] {
        let change = json!({ "idToken": tokens["idToken"], "password": password });
        let changed = server.post("accounts:update", change).await.ok();
        let stale = server.post("accounts:lookup", json!({ "idToken": tokens["idToken"] })).await;
        assert_eq!(stale.error(), "TOKEN_EXPIRED");
        tokens = changed;
    }
    server.me(&tokens).await;
    let fresh = server.refresh(tokens["refreshToken"].as_str().unwrap()).await.ok();
    assert!(claims(&fresh["id_token"])["iat"].as_u64().unwrap() <= server.seconds() + 4);
    let password = json!({ "email": "ada@example.com", "password": "third of them" });
    let again = server.post("accounts:signInWithPassword", password).await.ok();
    server.me(&again).await;
}

const TOO_OLD: &str = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN";
const AN_HOUR: Duration = Duration::from_secs(3_000);

#[tokio::test]
async fn an_old_token_gives_an_account_no_other_address_and_password() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "correct horse").await;
    server.advance(AN_HOUR);
    let refreshed = server.refresh(ada["refreshToken"].as_str().unwrap()).await.ok();
    for email in ["mallory@example.com", "ada@example.com"] {
        for token in [&ada["idToken"], &refreshed["id_token"]] {
            let theirs = json!({ "idToken": token, "email": email, "password": "attacker's choice" });
            assert_eq!(server.post("accounts:signUp", theirs).await.error(), TOO_OLD, "{email}");
        }
    }
    let link =
        mailed(&server, json!({ "requestType": "EMAIL_SIGNIN", "email": "mallory@example.com" })).await;
    let link = json!({ "email": "mallory@example.com", "oobCode": link, "idToken": ada["idToken"] });
    assert_eq!(server.post("accounts:signInWithEmailLink", link).await.error(), TOO_OLD);
    assert_eq!(server.me(&ada).await["email"], "ada@example.com");
    // Nor does a sign-in of now change an address this way; a password for one's own it does set.
    let now = json!({ "email": "ada@example.com", "password": "correct horse" });
    let now = server.post("accounts:signInWithPassword", now).await.ok();
    let own = |email| json!({ "idToken": now["idToken"], "email": email, "password": "the owner's own" });
    let moved = server.post("accounts:signUp", own("mallory@example.com")).await;
    assert_eq!(moved.error(), "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.");
    server.advance(Duration::from_secs(60));
    server.post("accounts:signUp", own("ada@example.com")).await.ok();
}

/// Programs with Google's Admin SDK compare the two: `verifyIdToken(token, true)`.
#[tokio::test]
async fn no_fresh_token_is_older_than_its_account_is_valid_from() {
    let server = Server::serving().await;
    let fresh = async |tokens: &Value| {
        let since: u64 = server.me(tokens).await["validSince"].as_str().unwrap().parse().unwrap();
        let refreshed = server.refresh(tokens["refreshToken"].as_str().unwrap()).await.ok();
        for token in [&tokens["idToken"], &refreshed["id_token"]] {
            assert_eq!(claims(token)["auth_time"], since);
        }
    };
    let guest = server.post("accounts:signUp", json!({})).await.ok();
    let kept = json!({ "idToken": guest["idToken"], "email": VICTIM, "password": PASSWORD });
    fresh(&server.post("accounts:signUp", kept).await.ok()).await;
    let mut ada = server.sign_up("ada@example.com", "correct horse").await;
    fresh(&ada).await;
    for change in [json!({ "password": "another of them" }), json!({ "email": "ada@example.org" })] {
        let mut request = change;
        request["idToken"] = ada["idToken"].clone();
        ada = server.post("accounts:update", request).await.ok();
        fresh(&ada).await;
    }
    let password = json!({ "email": "ada@example.org", "password": "another of them" });
    fresh(&server.post("accounts:signInWithPassword", password).await.ok()).await;
    // Ending all other sessions shows nothing: the session is as old as it was.
    server.advance(Duration::from_secs(60));
    let ended = json!({ "idToken": ada["idToken"], "validSince": "1" });
    let ended = server.post("accounts:update", ended).await.ok();
    let times = [&ada, &ended].map(|tokens| claims(&tokens["idToken"])["auth_time"].clone());
    assert_eq!(times[0], times[1]);
}

#[tokio::test]
async fn a_guest_of_any_age_may_keep_the_account() {
    let server = Server::serving().await;
    let guest = server.post("accounts:signUp", json!({})).await.ok();
    server.advance(AN_HOUR);
    let kept = json!({ "idToken": guest["idToken"], "email": VICTIM, "password": "the owner's own" });
    let kept = server.post("accounts:signUp", kept).await.ok();
    assert_eq!(kept["localId"], guest["localId"]);
    assert_eq!(claims(&kept["idToken"])["firebase"]["sign_in_provider"], "password");
    let again = json!({ "idToken": guest["idToken"], "email": VICTIM, "password": "attacker's choice" });
    assert_eq!(server.post("accounts:signUp", again).await.error(), "TOKEN_EXPIRED");
}

#[tokio::test]
async fn wrong_guesses_from_elsewhere_lock_nobody_out() {
    let server = Server::serving().await;
    let guess = |password: &str| json!({ "email": "ada@example.com", "password": password });
    let ada = json!({ "email": "ada@example.com", "password": "correct horse" });
    server.post_from("192.0.2.7", "accounts:signUp", ada).await.ok();
    for number in 0..12 {
        let reply = server.post_from("198.51.100.1", "accounts:signInWithPassword", guess("wrong")).await;
        let expected = if number < 10 { "INVALID_LOGIN_CREDENTIALS" } else { "TOO_MANY_ATTEMPTS_TRY_LATER" };
        assert!(reply.error().starts_with(expected), "{number}: {}", reply.error());
    }
    // The right password works from an address the account knows; other strangers wait.
    let right = || guess("correct horse");
    server.post_from("192.0.2.7", "accounts:signInWithPassword", right()).await.ok();
    let stranger = server.post_from("198.51.100.2", "accounts:signInWithPassword", right()).await;
    assert!(stranger.error().starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"), "a success forgives no stranger");
    // Nor may one guess without end from there.
    for number in 0..12 {
        let reply = server.post_from("192.0.2.7", "accounts:signInWithPassword", guess("wrong")).await;
        let expected = if number < 10 { "INVALID_LOGIN_CREDENTIALS" } else { "TOO_MANY_ATTEMPTS_TRY_LATER" };
        assert!(reply.error().starts_with(expected), "{number}: {}", reply.error());
    }
}

#[tokio::test]
async fn weak_passwords_and_hidden_characters_are_for_emulators() {
    for (server, serving) in [(Server::serving().await, true), (Server::emulator().await, false)] {
        for weak in ["123456", "ada@example.com"] {
            let reply =
                server.post("accounts:signUp", json!({ "email": "ada@example.com", "password": weak })).await;
            assert_eq!(reply.status == 400, serving, "{weak}: {}", reply.body);
            if serving {
                assert!(reply.error().starts_with("WEAK_PASSWORD : "));
            } else {
                let all = format!("/emulator/v1/projects/{}/accounts", crate::harness::PROJECT);
                let gone = Server::request("DELETE", &all).body(axum::body::Body::empty()).unwrap();
                server.send(gone).await.ok();
            }
        }
        let ada = server.sign_up("ada@example.com", "correct horse").await;
        let name = "Ada\u{202e}nimda\u{7}";
        let named = json!({ "idToken": ada["idToken"], "displayName": name });
        let named = server.post("accounts:update", named).await.ok();
        assert_eq!(named["displayName"], if serving { "Adanimda" } else { name });
        if serving {
            for weak in ["password1", "ada@example.com"] {
                let change = json!({ "idToken": ada["idToken"], "password": weak });
                assert!(server.post("accounts:update", change).await.error().starts_with("WEAK_PASSWORD : "));
            }
        }
    }
}
