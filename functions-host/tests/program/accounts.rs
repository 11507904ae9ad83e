//! Accounts for the other tests, created over the network.

use reqwest::Client;
use serde_json::{Value, json};

use crate::server::Server;

/// A signed-in user.
pub(crate) struct Person {
    pub(crate) uid: String,
    pub(crate) token: String,
}

async fn post(client: &Client, base: &str, operation: &str, body: &Value) -> Value {
    let url = format!("{base}/identitytoolkit.googleapis.com/v1/accounts:{operation}?key=tuckbox-demo");
    let answer = client.post(url).json(body).send().await.unwrap();
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
    sign_up_at(&Client::new(), &server.url, email).await
}

/// The same with another client, at a URL without a path.
pub(crate) async fn sign_up_at(client: &Client, base: &str, email: &str) -> Person {
    let body = json!({"email": email, "password": "correct horse", "returnSecureToken": true});
    person(&post(client, base, "signUp", &body).await)
}

/// Signs in to an account of [`sign_up`].
pub(crate) async fn sign_in(server: &Server, email: &str) -> Person {
    sign_in_at(&Client::new(), &server.url, email).await
}

/// The same with another client, at a URL without a path.
pub(crate) async fn sign_in_at(client: &Client, base: &str, email: &str) -> Person {
    let body = json!({"email": email, "password": "correct horse", "returnSecureToken": true});
    person(&post(client, base, "signInWithPassword", &body).await)
}
