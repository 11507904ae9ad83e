//! Callable functions over the network: every form of URL, every error, and the headers.

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::accounts::sign_up;
use crate::server::{Place, Server};

async fn server() -> Server {
    Place::new(None).serve(&["--in-memory"]).await
}

/// The three forms of `deleteDeck`'s URL.
fn forms(server: &Server) -> [RequestBuilder; 3] {
    let client = Client::new();
    [
        client.post(server.at("/us-central1-demo/deleteDeck")),
        client.post(server.at("/demo/us-central1/deleteDeck")),
        client.post(server.at("/deleteDeck")).header("host", "us-central1-demo.localhost"),
    ]
}

async fn parts(response: Response) -> (StatusCode, Value) {
    assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
    (response.status(), response.json().await.unwrap())
}

#[tokio::test]
async fn all_forms_of_the_url_reach_the_function() {
    let server = server().await;
    for form in forms(&server) {
        let answer = form.json(&json!({"data": {"deckId": "d"}})).send().await.unwrap();
        let (status, body) = parts(answer).await;
        assert_eq!((status.as_u16(), &body["error"]["status"]), (401, &json!("UNAUTHENTICATED")), "{body}");
    }
}

#[tokio::test]
async fn every_refusal_has_the_protocols_form_and_can_be_read_across_origins() {
    let server = server().await;
    let bad = json!({"error": {"message": "Bad Request", "status": "INVALID_ARGUMENT"}});
    for form in forms(&server) {
        let form = form.header("origin", "https://app.example");
        let again = || form.try_clone().unwrap();
        for refused in [
            again().json(&json!({})),
            again().json(&json!({"data": 1, "more": 2})),
            again().header("content-type", "text/plain").body(r#"{"data": 1}"#),
            again().header("content-type", "application/json").body(""),
        ] {
            let answer = refused.send().await.unwrap();
            assert_eq!(answer.headers()["access-control-allow-origin"], "https://app.example");
            assert_eq!(parts(answer).await, (StatusCode::BAD_REQUEST, bad.clone()));
        }
        let token =
            again().bearer_auth("not-a-token").json(&json!({"data": {"deckId": "d"}})).send().await.unwrap();
        let refused = json!({"error": {"message": "Unauthenticated", "status": "UNAUTHENTICATED"}});
        assert_eq!(parts(token).await, (StatusCode::UNAUTHORIZED, refused));
    }
    let get = Client::new().get(server.at("/us-central1-demo/deleteDeck")).send().await.unwrap();
    assert_eq!(parts(get).await, (StatusCode::BAD_REQUEST, bad));
    let none = Client::new()
        .post(server.at("/demo/us-central1/none"))
        .json(&json!({"data": 1}))
        .send()
        .await
        .unwrap();
    assert_eq!(parts(none).await.1["error"]["status"], "NOT_FOUND");
}

#[tokio::test]
async fn a_preflight_is_answered_for_every_form() {
    let server = server().await;
    for path in ["/us-central1-demo/deleteDeck", "/demo/us-central1/deleteDeck"] {
        let preflight = Client::new()
            .request(reqwest::Method::OPTIONS, server.at(path))
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type,x-firebase-appcheck");
        let answer = preflight.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        assert_eq!(answer.headers()["access-control-allow-origin"], "https://app.example");
        assert_eq!(
            answer.headers()["access-control-allow-headers"],
            "authorization,content-type,x-firebase-appcheck"
        );
    }
}

#[tokio::test]
async fn streams_get_their_errors_as_events() {
    let server = server().await;
    for form in forms(&server) {
        let answer =
            form.header("accept", "text/event-stream").json(&json!({"data": {"deckId": "d"}})).send().await;
        let answer = answer.unwrap();
        assert_eq!(
            (answer.status(), &answer.headers()["content-type"]),
            (StatusCode::OK, &"text/event-stream".parse().unwrap())
        );
        let text = answer.text().await.unwrap();
        assert!(
            text.starts_with("data: {\"error\":")
                && text.contains("UNAUTHENTICATED")
                && text.ends_with("\n\n")
        );
    }
}

#[tokio::test]
async fn a_request_under_way_is_finished_before_the_end() {
    let server = server().await;
    let port: u16 = server.url.rsplit(':').next().unwrap().parse().unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let head = "POST /demo/us-central1/deleteDeck HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server requests the body only once the handler runs.
    let mut seen = [0; 25];
    stream.read_exact(&mut seen).await.unwrap();
    assert!(seen.starts_with(b"HTTP/1.1 100 Continue"));
    server.signal("-TERM").await;
    while TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(b"{\"nope\":1}").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(server.ended().await.code, Some(0));
}

#[tokio::test]
async fn a_deck_is_deleted_by_its_owner_through_every_form() {
    let server = server().await;
    let ada = sign_up(&server, "ada@example.com").await;
    for form in forms(&server) {
        let call = |data: Value| {
            form.try_clone().unwrap().bearer_auth(&ada.token).json(&json!({ "data": data })).send()
        };
        assert_eq!(
            parts(call(json!({"deckId": "d"})).await.unwrap()).await,
            (StatusCode::OK, json!({"result": {"deleted": 0}}))
        );
        for bad in
            [json!({}), json!(null), json!({"deckId": 1}), json!({"deckId": "a/b"}), json!({"deckId": ""})]
        {
            let (status, body) = parts(call(bad.clone()).await.unwrap()).await;
            assert_eq!(
                (status.as_u16(), &body["error"]["status"]),
                (400, &json!("INVALID_ARGUMENT")),
                "{bad}"
            );
            assert!(body["error"]["message"].as_str().unwrap().contains("deckId") || bad.is_null(), "{body}");
        }
    }
}
