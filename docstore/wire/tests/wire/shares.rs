//! Fair shares of streams, over every wire.

use std::sync::Arc;

use docstore::shares::{
    LocalShares, MAX_GUEST_STREAMS_PER_ADDRESS, MAX_STREAMS_PER_ACCOUNT, MAX_STREAMS_PER_ADDRESS, Shares,
};
use futures::StreamExt as _;
use futures::stream;
use serde_json::{Value, json};

use crate::server::{DATABASE, Server};

/// A server whose callers have shares.
struct Place {
    server: Server,
    shares: Arc<dyn Shares>,
    base: String,
}

impl Place {
    async fn new() -> Self {
        let (server, shares): (_, Arc<dyn Shares>) =
            (Server::start().await, Arc::new(LocalShares::default()));
        let base = server.shared_at(&shares, "192.0.2.7").await;
        Self { server, shares, base }
    }
}

fn target() -> Value {
    let name = format!("{DATABASE}/documents/c/a");
    json!({"database": DATABASE, "addTarget": {"targetId": 2, "documents": {"documents": [name]}}})
}

fn channel(server: &Place, query: &str) -> String {
    format!("{}/google.firestore.v1.Firestore/Listen/channel?VER=8&{query}", server.base)
}

/// Opens a session; its id, or the status and what was said.
async fn open(server: &Place) -> Result<String, (u16, String)> {
    let request = server.server.http.post(channel(server, "RID=1")).body("count=0&ofs=0");
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    if status == 200 { Ok(text.split('"').nth(3).unwrap().to_owned()) } else { Err((status, text)) }
}

/// A listen stream over REST: its status and, for the ones that are let in, the open answer.
async fn listen(server: &Place, token: &str) -> (u16, reqwest::Response) {
    let request = server
        .server
        .http
        .post(format!("{}/v1/{DATABASE}/documents:listen", server.base))
        .bearer_auth(token)
        .json(&target());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response)
}

#[tokio::test]
async fn one_address_opens_its_share_of_sessions_and_leaves_the_rest_to_others() {
    let server = Place::new().await;
    let opened: Vec<_> =
        stream::iter(0..MAX_STREAMS_PER_ADDRESS + 50).map(|_| open(&server)).buffered(16).collect().await;
    let (open_now, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert_eq!((open_now.len(), refused.len()), (MAX_STREAMS_PER_ADDRESS, 50));
    for refused in refused {
        let (status, text) = refused.unwrap_err();
        assert_eq!(status, 429);
        assert!(text.contains("256 streams of one address are open"), "{text}");
    }
    let base = server.server.shared_at(&server.shares, "192.0.2.8").await;
    assert!(open(&Place { base, ..server }).await.is_ok());
}

#[tokio::test]
async fn a_session_that_ends_makes_room() {
    let server = Place::new().await;
    let mut last = String::new();
    for _ in 0..MAX_STREAMS_PER_ADDRESS {
        last = open(&server).await.unwrap();
    }
    open(&server).await.unwrap_err();
    // Its back channel ends when the session has, and gives its place up.
    let back =
        server.server.http.get(channel(&server, &format!("SID={last}&RID=rpc&AID=0&CI=0&TYPE=xmlhttp")));
    let mut back = back.send().await.unwrap();
    back.chunk().await.unwrap().unwrap();
    let end = server.server.http.post(channel(&server, &format!("SID={last}&RID=2&TYPE=terminate"))).send();
    assert_eq!(end.await.unwrap().status(), 200);
    while back.chunk().await.unwrap().is_some() {}
    // The session's own task lets the place go; nothing else says when.
    while open(&server).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_account_and_guests_have_shares_of_their_own() {
    let server = Place::new().await;
    for (token, most, advice) in [
        ("100", MAX_STREAMS_PER_ACCOUNT, "close tabs in which this account is signed in"),
        ("nobody", MAX_GUEST_STREAMS_PER_ADDRESS, "sign in, or close other tabs"),
    ] {
        let mut open_now = Vec::new();
        for _ in 0..most {
            let (status, mut response) = listen(&server, token).await;
            assert_eq!(status, 200, "{token}");
            assert!(response.chunk().await.unwrap().unwrap().starts_with(b"[{\"targetChange\""), "{token}");
            open_now.push(response);
        }
        let (status, response) = listen(&server, token).await;
        let body: Value = response.json().await.unwrap();
        assert_eq!((status, &body["error"]["status"]), (429, &json!("RESOURCE_EXHAUSTED")), "{body}");
        assert!(body["error"]["message"].as_str().unwrap().contains(advice), "{body}");
    }
    // An operator's program is not counted as anybody.
    assert_eq!(listen(&server, "owner").await.0, 200);
}
