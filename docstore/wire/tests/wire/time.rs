//! Streams over time. Requests go to the router without a socket, and tokio's clock is paused: whenever every task
//! waits, it jumps to the next timer.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use docstore_wire::pb::v1;
use futures::future::select_all;
use futures::{StreamExt as _, stream};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tonic::Code;
use tower_service::Service as _;

use crate::grpc;
use crate::server::{DATABASE, Server};

pub(crate) async fn send(server: &Server, request: Request<Body>) -> (StatusCode, Body) {
    let response = server.router.clone().call(request).await.unwrap();
    (response.status(), response.into_body())
}

pub(crate) async fn text(body: Body) -> String {
    String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

pub(crate) fn channel(query: &str) -> String {
    format!("/google.firestore.v1.Firestore/Listen/channel?VER=8&{query}")
}

fn listen_to(path: &str) -> Value {
    let name = format!("{DATABASE}/documents/{path}");
    json!({"database": DATABASE, "addTarget": {"targetId": 2, "documents": {"documents": [name]}}})
}

fn form(message: &Value) -> String {
    let encoded: String = message.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("count=1&ofs=0&req0___data__={encoded}")
}

/// Opens a session and answers its id.
pub(crate) async fn open(server: &Server) -> String {
    let body = Body::from(form(&listen_to("c/a")));
    let (status, reply) = send(server, Request::post(channel("RID=1&CVER=22")).body(body).unwrap()).await;
    assert_eq!(status, 200);
    let reply = text(reply).await;
    let arrays: Value = serde_json::from_str(reply.split_once('\n').unwrap().1).unwrap();
    arrays[0][1][1].as_str().unwrap().to_owned()
}

pub(crate) async fn back_channel(server: &Server, sid: &str) -> BodyDataStream {
    let query = format!("RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp");
    let (status, body) = send(server, Request::get(channel(&query)).body(Body::empty()).unwrap()).await;
    assert_eq!(status, 200);
    body.into_data_stream()
}

async fn knows(server: &Server, sid: &str) -> bool {
    let post = Request::post(channel(&format!("SID={sid}&RID=2&AID=0"))).body(Body::from("count=0")).unwrap();
    let (status, body) = send(server, post).await;
    let reply = text(body).await;
    assert_eq!(status == 200, !reply.contains("Unknown SID"), "{status}: {reply}");
    status == 200
}

#[tokio::test(start_paused = true)]
async fn a_quiet_back_channel_carries_something_every_thirty_seconds() {
    let server = Server::start().await;
    let sid = open(&server).await;
    let mut back = back_channel(&server, &sid).await;
    let mut quiet = Instant::now();
    let mut kept = 0;
    while kept < 3 {
        let frame = back.next().await.unwrap().unwrap();
        let frame = std::str::from_utf8(&frame).unwrap();
        if frame.contains("noop") && !frame.contains("targetChange") && quiet.elapsed() > Duration::ZERO {
            assert_eq!(quiet.elapsed().as_secs(), 30, "{frame}");
            kept += 1;
        }
        quiet = Instant::now();
    }
}

#[tokio::test(start_paused = true)]
async fn a_back_channel_ends_before_it_grows_old_and_its_session_lives_on() {
    let server = Server::start().await;
    let sid = open(&server).await;
    let started = Instant::now();
    let mut back = back_channel(&server, &sid).await;
    while back.next().await.is_some() {}
    assert_eq!(started.elapsed().as_secs().div_euclid(60), 10);
    assert!(knows(&server, &sid).await);
}

#[tokio::test(start_paused = true)]
async fn a_session_without_a_back_channel_ends_after_a_minute() {
    let server = Server::start().await;
    let sid = open(&server).await;
    drop(back_channel(&server, &sid).await);
    sleep(Duration::from_secs(50)).await;
    assert!(knows(&server, &sid).await, "the browser may come back");
    sleep(Duration::from_secs(50)).await;
    assert!(knows(&server, &sid).await, "every request starts the minute anew");
    sleep(Duration::from_secs(70)).await;
    assert!(!knows(&server, &sid).await);
    let back = back_channel(&server, &open(&server).await).await;
    sleep(Duration::from_secs(300)).await;
    drop(back);
}

#[tokio::test(start_paused = true)]
async fn a_session_with_a_back_channel_lives_however_quiet_it_is() {
    let server = Server::start().await;
    let sid = open(&server).await;
    let mut back = back_channel(&server, &sid).await;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(300) {
        assert!(back.next().await.is_some());
    }
    assert!(knows(&server, &sid).await);
}

/// A back channel that has brought what there was, of a browser that gives this name and speaks HTTP/1.1.
async fn quiet_back_channel(server: &Server, browser: &str) -> BodyDataStream {
    let query = format!("RID=rpc&SID={}&AID=0&CI=0&TYPE=xmlhttp", open(server).await);
    let request = Request::get(channel(&query)).header("user-agent", browser).body(Body::empty()).unwrap();
    let (status, body) = send(server, request).await;
    assert_eq!(status, 200);
    let mut back = body.into_data_stream();
    while !String::from_utf8(back.next().await.unwrap().unwrap().to_vec()).unwrap().contains("readTime") {}
    back
}

/// Reads until the first of these ends, and answers which that is.
async fn first_end(channels: &mut [BodyDataStream]) -> usize {
    let ends = channels.iter_mut().map(|back| Box::pin(async move { while back.next().await.is_some() {} }));
    select_all(ends).await.1
}

#[tokio::test(start_paused = true)]
async fn back_channels_that_hold_all_connections_of_a_browser_take_turns() {
    let server = Server::start().await;
    let mut one = Vec::new();
    let mut other = Vec::new();
    for _ in 0..5 {
        one.push(quiet_back_channel(&server, "one").await);
        other.push(quiet_back_channel(&server, "other").await);
    }
    let free = Instant::now();
    tokio::select! {
        _ = first_end(&mut one) => panic!("five leave a connection for what goes up"),
        () = sleep(Duration::from_secs(500)) => {}
    }
    assert_eq!(free.elapsed().as_secs(), 500);
    for _ in 0..3 {
        one.push(quiet_back_channel(&server, "one").await);
        let full = Instant::now();
        assert_eq!(first_end(&mut one).await, 0, "the one that has been open longest");
        assert!(full.elapsed() <= Duration::from_millis(300));
        drop(one.remove(0));
    }
    // The other browser has noticed nothing.
    tokio::select! {
        _ = first_end(&mut other) => panic!("another browser's connections are none of its business"),
        () = sleep(Duration::from_secs(50)) => {}
    }
    // More than a browser can have are several that look alike.
    one.push(quiet_back_channel(&server, "one").await);
    one.push(quiet_back_channel(&server, "one").await);
    tokio::select! {
        _ = first_end(&mut one) => panic!("these are two browsers"),
        () = sleep(Duration::from_secs(50)) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_poll_that_makes_way_is_answered() {
    let server = Server::start().await;
    let sid = open(&server).await;
    let poll = async |aid: u64| {
        let query = format!("RID=rpc&SID={sid}&AID={aid}&CI=1&TYPE=xmlhttp");
        let request = Request::get(channel(&query)).header("user-agent", "one").body(Body::empty()).unwrap();
        send(&server, request).await.1
    };
    let arrays = async |body: Body| -> Value {
        serde_json::from_str(text(body).await.split_once('\n').unwrap().1).unwrap()
    };
    let mut aid = 0;
    let mut brought = String::new();
    while !brought.contains("readTime") {
        let frame = arrays(poll(aid).await).await;
        aid = frame.as_array().unwrap().last().unwrap()[0].as_u64().unwrap();
        brought = frame.to_string();
    }
    let waiting = poll(aid).await;
    let mut others = Vec::new();
    for _ in 0..5 {
        others.push(quiet_back_channel(&server, "one").await);
    }
    let full = Instant::now();
    assert_eq!(arrays(waiting).await, json!([[aid + 1, ["noop"]]]));
    assert!(full.elapsed() <= Duration::from_millis(300));
}

/// The elements of a listen stream over REST, by one who signs in for this many seconds.
async fn listen(server: &Server, seconds: u64) -> BodyDataStream {
    let request = Request::post(format!("/v1/{DATABASE}/documents:listen"))
        .header("authorization", format!("Bearer {seconds}"))
        .body(Body::from(listen_to("users/u/c/a").to_string()));
    let (status, body) = send(server, request.unwrap()).await;
    assert_eq!(status, 200);
    body.into_data_stream()
}

#[tokio::test(start_paused = true)]
async fn a_listener_is_told_when_its_token_runs_out() {
    let server = Server::start().await;
    let mut elements = listen(&server, 3_600).await;
    let clock = server.clock.clone();
    tokio::spawn(async move {
        loop {
            sleep(Duration::from_secs(1)).await;
            clock.advance(Duration::from_secs(1));
        }
    });
    let started = Instant::now();
    let mut last = String::new();
    while let Some(element) = elements.next().await {
        last = String::from_utf8(element.unwrap().to_vec()).unwrap();
        if started.elapsed() < Duration::from_secs(3_600) {
            assert!(!last.contains("error"), "{last}");
        }
    }
    assert!(last.contains(r#""code":401"#) && last.contains("UNAUTHENTICATED"), "{last}");
    assert!(last.contains("The token has expired."), "{last}");
    assert!(started.elapsed() <= Duration::from_secs(3_602));
}

/// So that a client which has gone without a word is noticed, and one which stays can be resumed.
#[tokio::test(start_paused = true)]
async fn a_quiet_listener_is_sent_a_snapshot_once_a_minute() {
    let server = Server::start().await;
    let mut elements = listen(&server, 100_000).await;
    let mut element = async || String::from_utf8(elements.next().await.unwrap().unwrap().to_vec()).unwrap();
    while !element().await.contains("CURRENT") {}
    element().await;
    for _ in 0..10 {
        server.clock.advance(Duration::from_secs(60));
        let snapshot: Value = serde_json::from_str(element().await.trim_matches([',', '\n'])).unwrap();
        let change = snapshot["targetChange"].as_object().unwrap();
        assert_eq!(change.keys().collect::<Vec<_>>(), ["readTime", "resumeToken"], "{snapshot}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_listener_ends_soon_after_its_token_is_revoked() {
    let server = Server::start().await;
    let mut elements = listen(&server, 3_600).await;
    let door = server.door.clone();
    let shut_at = Instant::now() + Duration::from_secs(100);
    tokio::spawn(async move {
        sleep(Duration::from_secs(100)).await;
        door.shut.store(true, Ordering::SeqCst);
    });
    let mut last = String::new();
    while let Some(element) = elements.next().await {
        last = String::from_utf8(element.unwrap().to_vec()).unwrap();
        assert!(Instant::now() >= shut_at || !last.contains("error"), "{last}");
    }
    assert!(last.contains(r#""code":401"#) && last.contains("The token was revoked."), "{last}");
    assert!(shut_at.elapsed() <= Duration::from_secs(30));
}

#[tokio::test]
async fn a_write_stream_refuses_what_comes_after_its_token_is_revoked() {
    let server = Server::start().await;
    let door = server.door.clone();
    let requests = stream::iter([handshake(), batch("a")]).chain(stream::once(async move {
        door.shut.store(true, Ordering::SeqCst);
        batch("b")
    }));
    let replies = grpc::call_as(&server, "Write", "Bearer 3600", requests).await.unwrap();
    let replies: Vec<Result<v1::WriteResponse, _>> = replies.collect().await;
    assert_eq!(replies.last().unwrap().as_ref().unwrap_err().code(), Code::Unauthenticated);
    assert!(server.ask("GET", "/users/u/c/b", "").await.starts_with("404"));
}

pub(crate) fn handshake() -> v1::WriteRequest {
    v1::WriteRequest { database: DATABASE.into(), ..Default::default() }
}

/// Sets one document of the user's.
fn batch(id: &str) -> v1::WriteRequest {
    let name = format!("{DATABASE}/documents/users/u/c/{id}");
    let update = v1::write::Operation::Update(v1::Document { name, ..Default::default() });
    let writes = vec![v1::Write { operation: Some(update), ..Default::default() }];
    v1::WriteRequest { stream_token: "x".into(), writes, ..Default::default() }
}

#[tokio::test(start_paused = true)]
async fn a_write_stream_refuses_what_comes_after_its_token() {
    let server = Server::start().await;
    let clock = server.clock.clone();
    let requests = stream::iter([handshake(), batch("a")]).chain(stream::once(async move {
        sleep(Duration::from_secs(61)).await;
        clock.advance(Duration::from_secs(61));
        batch("b")
    }));
    let replies = grpc::call_as(&server, "Write", "Bearer 60", requests).await.unwrap();
    let replies: Vec<Result<v1::WriteResponse, _>> = replies.collect().await;
    assert_eq!(replies[1].as_ref().unwrap().write_results.len(), 1);
    assert_eq!(replies[2].as_ref().unwrap_err().code(), Code::Unauthenticated);
    assert_eq!(replies.len(), 3);
}
