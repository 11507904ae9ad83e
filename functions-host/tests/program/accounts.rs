//! Signing up over the network, for the other tests.

use reqwest::Client;
use serde_json::{Value, json};

use crate::server::Server;

/// Somebody signed in.
pub(crate) struct Person {
    pub(crate) uid: String,
    pub(crate) token: String,
}

async fn post(server: &Server, operation: &str, body: &Value) -> Value {
    let path = format!("/identitytoolkit.googleapis.com/v1/accounts:{operation}?key=tuckbox-demo");
    let answer = Client::new().post(server.at(&path)).json(body).send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 200, "{body}");
    body
}

fn person(body: &Value) -> Person {
    let text = |key: &str| body[key].as_str().unwrap().to_owned();
    Person { uid: text("localId"), token: text("idToken") }
}

/// A new account with the password `correct horse`.
pub(crate) async fn sign_up(server: &Server, email: &str) -> Person {
    let body = json!({"email": email, "password": "correct horse", "returnSecureToken": true});
    person(&post(server, "signUp", &body).await)
}

/// An account of [`sign_up`], again.
pub(crate) async fn sign_in(server: &Server, email: &str) -> Person {
    let body = json!({"email": email, "password": "correct horse", "returnSecureToken": true});
    person(&post(server, "signInWithPassword", &body).await)
}
