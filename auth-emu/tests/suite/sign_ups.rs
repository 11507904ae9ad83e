//! New accounts of open and closed servers, on every way there is to one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use auth_emu::{Invitations, SignUps};
use docstore::access::Mode;
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

/// Everybody is invited until all invitations are withdrawn.
#[derive(Debug, Default)]
struct Withdrawn(AtomicBool);

impl Invitations for Withdrawn {
    fn invites<'a>(&'a self, _email: &'a str) -> BoxFuture<'a, docstore::Result<bool>> {
        Box::pin(async move { Ok(!self.0.load(Ordering::Relaxed)) })
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

/// Asks for a link; the reply says nothing of whether one was mailed.
async fn mail_link(server: &Server, email: &str) {
    let mail =
        json!({ "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://cards.example/x" });
    let reply = server.post("accounts:sendOobCode", mail).await.ok();
    assert_eq!(reply, json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email }));
}

async fn by_link(server: &Server, email: &str, id_token: Option<&Value>) -> Result<Value, String> {
    mail_link(server, email).await;
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
    mail_link(&server, "ada@example.com").await;
    // The server's own accounts: one of a guest at a table, who may not make it one of their own.
    let uid = server.state.create_with_claim("Guest", "guest").await.unwrap();
    let custom = server.state.mint_custom_token_of_account(&uid).await.unwrap();
    let signed = json!({ "token": custom, "returnSecureToken": true });
    let guest = server.post("accounts:signInWithCustomToken", signed).await.ok();
    let token = &guest["idToken"];
    refused(by_password(&server, "ada@example.com", Some(token)).await);
    let update = json!({ "idToken": token, "email": "ada@example.com", "password": "top secret 1" });
    refused(outcome(server.post("accounts:update", update).await));
    // Anonymous accounts have a setting of their own, and become no others.
    let anonymous = server.post("accounts:signUp", json!({})).await.ok();
    refused(by_password(&server, "ada@example.com", Some(&anonymous["idToken"])).await);
    mail_link(&server, "ada@example.com").await;
    let me = server.me(&anonymous).await;
    assert_eq!(me.get("email"), None, "{me}");
    assert_eq!(server.outbox(), Vec::<Value>::new(), "strangers get no mail");
}

#[tokio::test]
async fn with_invitations_the_invited_address_is_admitted_however_it_comes() {
    refused(by_password(&server(invited()).await, "eve@example.com", None).await);
    let uninviting = server(invited()).await;
    mail_link(&uninviting, "eve@example.com").await;
    assert_eq!(uninviting.outbox(), Vec::<Value>::new(), "strangers get no mail");
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

#[tokio::test]
async fn a_link_signs_nobody_up_whose_invitation_was_withdrawn_after_it_was_mailed() {
    for how in ["nobody", "guest", "anonymous"] {
        let invitations = Arc::new(Withdrawn::default());
        let server = server(SignUps::ByInvitation(invitations.clone())).await;
        let signed_in = match how {
            "guest" => {
                let uid = server.state.create_with_claim("Guest", "guest").await.unwrap();
                let custom = server.state.mint_custom_token_of_account(&uid).await.unwrap();
                let signed = json!({ "token": custom, "returnSecureToken": true });
                Some(server.post("accounts:signInWithCustomToken", signed).await.ok())
            }
            "anonymous" => Some(server.post("accounts:signUp", json!({})).await.ok()),
            _ => None,
        };
        mail_link(&server, "ada@example.com").await;
        let mut body = json!({ "email": "ada@example.com", "oobCode": server.code() });
        if let Some(tokens) = &signed_in {
            body["idToken"] = tokens["idToken"].clone();
        }
        invitations.0.store(true, Ordering::Relaxed);
        refused(outcome(server.post("accounts:signInWithEmailLink", body).await));
    }
}

fn invited() -> SignUps {
    SignUps::ByInvitation(Arc::new(OnlyAda))
}
