//! Bearer tokens of requests to the database.

use std::time::Duration;

use docstore::access::{Authenticator as _, Caller};
use docstore::{Code, Result};
use serde_json::{Value, json};

use crate::harness::{PROJECT, Server, unsigned};

async fn caller(server: &Server, token: &str) -> Result<Caller> {
    server.state.authenticate(PROJECT, Some(&format!("Bearer {token}"))).await
}

#[track_caller]
fn refused(caller: Result<Caller>, says: &str) {
    let error = caller.unwrap_err();
    assert_eq!(error.code(), Code::Unauthenticated);
    assert!(error.message().contains(says), "{}", error.message());
}

fn text(tokens: &Value) -> &str {
    tokens["idToken"].as_str().unwrap()
}

#[tokio::test]
async fn serving_mode_takes_its_own_tokens_while_they_hold() {
    let server = Server::serving().await;
    assert_eq!(server.state.authenticate(PROJECT, None).await.unwrap(), Caller::Anonymous);
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    match caller(&server, text(&ada)).await.unwrap() {
        Caller::User(auth) => {
            assert_eq!(json!(auth.uid), ada["localId"]);
            assert_eq!(auth.token["email"], "ada@example.com");
        }
        other => panic!("{other:?}"),
    }
    server.advance(Duration::from_secs(3_600));
    refused(caller(&server, text(&ada)).await, "expired");
}

#[tokio::test]
async fn serving_mode_refuses_everything_else() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    let claims = crate::harness::claims(&ada["idToken"]);
    refused(caller(&server, "owner").await, "not a well-formed");
    refused(caller(&server, "ya29.x").await, "not a well-formed");
    refused(caller(&server, &unsigned(&claims)).await, "RS256");
    refused(server.state.authenticate(PROJECT, Some("Basic x")).await, "Authorization header");
    refused(server.state.authenticate(PROJECT, Some("Bearer ")).await, "Authorization header");
    refused(
        server.state.authenticate("other", Some(&format!("Bearer {}", text(&ada)))).await,
        "another project",
    );
    let elsewhere = Server::serving().await;
    let foreign = elsewhere.sign_up("ada@example.com", "top secret 1").await;
    refused(caller(&server, text(&foreign)).await, "signing key");
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once() {
    let server = Server::serving().await;
    let ada = server.sign_up("ada@example.com", "top secret 1").await;
    server.advance(Duration::from_secs(2));
    let change = json!({ "idToken": ada["idToken"], "password": "top secret 2" });
    let new = server.post("accounts:update", change).await.ok();
    refused(caller(&server, text(&ada)).await, "revoked");
    caller(&server, text(&new)).await.unwrap();
    server.post("accounts:delete", json!({ "idToken": new["idToken"] })).await.ok();
    refused(caller(&server, text(&new)).await, "no longer exists");
}

#[tokio::test]
async fn emulator_mode_believes() {
    let server = Server::emulator().await;
    assert_eq!(caller(&server, "owner").await.unwrap(), Caller::Admin);
    assert_eq!(caller(&server, "OWNER").await.unwrap(), Caller::Admin);
    let mock = unsigned(&json!({ "sub": "alice", "role": "x", "iat": 0 }));
    match caller(&server, &mock).await.unwrap() {
        Caller::User(auth) => assert_eq!((auth.uid.as_str(), &auth.token["role"]), ("alice", &json!("x"))),
        other => panic!("{other:?}"),
    }
    for nonsense in ["x", "a.b.c", &unsigned(&json!({}))] {
        assert_eq!(caller(&server, nonsense).await.unwrap_err().code(), Code::InvalidArgument, "{nonsense}");
    }
}
