//! Who may make an account, on every way there is to one.

use std::sync::Arc;

use auth_emu::{Invitations, Mode, SignUps};
use futures::future::BoxFuture;
use serde_json::{Value, json};

use super::harness::Server;

/// One address is invited.
#[derive(Debug)]
pub(crate) struct OnlyAda;

impl Invitations for OnlyAda {
    fn invites<'a>(&'a self, email: &'a str) -> BoxFuture<'a, docstore::Result<bool>> {
        Box::pin(async move { Ok(email == "ada@example.com") })
    }
}

async fn server(sign_ups: SignUps) -> Server {
    Server::start(Mode::Serving, |options| options.sign_ups = sign_ups).await
}

/// Beginning of every refusal.
const REFUSED: &str = "ADMIN_ONLY_OPERATION : This server";

async fn by_password(server: &Server, email: &str, id_token: Option<&Value>) -> Result<Value, String> {
    let mut body = json!({ "email": email, "password": "top secret 1" });
    if let Some(token) = id_token {
        body["idToken"] = token.clone();
    }
    outcome(server.post("accounts:signUp", body).await)
}

async fn by_link(server: &Server, email: &str, id_token: Option<&Value>) -> Result<Value, String> {
    let mail =
        json!({ "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://cards.example/x" });
    server.post("accounts:sendOobCode", mail).await.ok();
    let mut body = json!({ "email": email, "oobCode": server.code() });
    if let Some(token) = id_token {
        body["idToken"] = token.clone();
    }
    outcome(server.post("accounts:signInWithEmailLink", body).await)
}

fn outcome(reply: super::harness::Reply) -> Result<Value, String> {
    if reply.status == 200 { Ok(reply.body) } else { Err(reply.error().to_owned()) }
}

#[track_caller]
fn refused(outcome: Result<Value, String>) {
    let error = outcome.unwrap_err();
    assert!(error.starts_with(REFUSED), "{error}");
}

#[tokio::test]
async fn a_closed_server_takes_nobody_new_and_those_who_are_there_go_on() {
    let server = server(SignUps::Closed).await;
    refused(by_password(&server, "ada@example.com", None).await);
    refused(by_link(&server, "ada@example.com", None).await);
    // The server's own accounts: one of a guest at a table, who may not make it one of their own.
    let uid = server.state.create_with_claim("Guest", "guest").await.unwrap();
    let custom = server.state.mint_custom_token_of_account(&uid).await.unwrap();
    let signed = json!({ "token": custom, "returnSecureToken": true });
    let guest = server.post("accounts:signInWithCustomToken", signed).await.ok();
    let token = &guest["idToken"];
    refused(by_password(&server, "ada@example.com", Some(token)).await);
    refused(by_link(&server, "ada@example.com", Some(token)).await);
    let update = json!({ "idToken": token, "email": "ada@example.com", "password": "top secret 1" });
    refused(outcome(server.post("accounts:update", update).await));
    // Anonymous accounts have a setting of their own, and become no others.
    let anonymous = server.post("accounts:signUp", json!({})).await.ok();
    refused(by_password(&server, "ada@example.com", Some(&anonymous["idToken"])).await);
    refused(by_link(&server, "ada@example.com", Some(&anonymous["idToken"])).await);
    let me = server.me(&anonymous).await;
    assert_eq!(me.get("email"), None, "{me}");
}

#[tokio::test]
async fn with_invitations_the_invited_address_is_admitted_however_it_comes() {
    refused(by_password(&server(invited()).await, "eve@example.com", None).await);
    refused(by_link(&server(invited()).await, "eve@example.com", None).await);
    by_password(&server(invited()).await, "Ada@Example.com", None).await.unwrap();
    by_link(&server(invited()).await, "ada@example.com", None).await.unwrap();
    let server = server(invited()).await;
    let anonymous = server.post("accounts:signUp", json!({})).await.ok();
    refused(by_password(&server, "eve@example.com", Some(&anonymous["idToken"])).await);
    by_password(&server, "ada@example.com", Some(&anonymous["idToken"])).await.unwrap();
    // Whoever has an account uses it as before.
    let password = json!({ "email": "ada@example.com", "password": "top secret 1" });
    let ada = server.post("accounts:signInWithPassword", password).await.ok();
    let moved = json!({ "idToken": ada["idToken"], "email": "countess@example.com" });
    server.post("accounts:update", moved).await.ok();
    by_link(&server, "countess@example.com", None).await.unwrap();
}

fn invited() -> SignUps {
    SignUps::ByInvitation(Arc::new(OnlyAda))
}
