//! Listening: over REST, one body with all targets, one element per line; over gRPC, where targets come and go.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use docstore::access::{Access, Decision, Request};
use docstore_wire::pb::rpc::Status;
use docstore_wire::pb::v1;
use docstore_wire::pb::v1::listen_response::ResponseType;
use docstore_wire::pb::v1::target_change::TargetChangeType;
use futures::StreamExt as _;
use parking_lot::Mutex;
use reqwest::Method;
use tokio::sync::mpsc;
use tonic::{Code, Streaming};

use crate::grpc;
use crate::server::{DATABASE, Lines, Server};

fn documents(id: i32, path: &str) -> serde_json::Value {
    serde_json::json!({"addTarget": {
        "targetId": id, "documents": {"documents": [format!("{DATABASE}/documents/{path}")]}
    }})
}

fn collection(id: i32, collection: &str) -> serde_json::Value {
    serde_json::json!({"addTarget": {"targetId": id, "query": {
        "parent": format!("{DATABASE}/documents"),
        "structuredQuery": {"from": [{"collectionId": collection}]}
    }}})
}

async fn listen(server: &Server, targets: &[serde_json::Value]) -> Lines {
    let body = serde_json::Value::from(targets).to_string();
    Lines::of(server.request(Method::POST, ":listen").body(body).send().await.unwrap())
}

#[tokio::test]
async fn targets_become_current_and_change() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    let mut lines = listen(&server, &[collection(2, "c")]).await;
    let mut log = lines.until_snapshot().await;
    server.set("c/b", 2).await;
    log += &lines.until_snapshot().await;
    server.ask("DELETE", "/c/a", "").await;
    log += &lines.until_snapshot().await;
    insta::assert_snapshot!(log);
}

#[tokio::test]
async fn a_resumed_target_hears_only_what_changed() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    server.set("c/b", 1).await;
    let mut lines = listen(&server, &[collection(2, "c")]).await;
    let before = lines.until_snapshot().await;
    let last: serde_json::Value = serde_json::from_str(before.lines().last().unwrap()).unwrap();
    let token = last["targetChange"]["resumeToken"].clone();
    drop(lines);
    server.set("c/b", 2).await;
    let mut target = collection(2, "c");
    target["addTarget"]["resumeToken"] = token;
    let after = listen(&server, &[target]).await.until_snapshot().await;
    assert!(after.contains("/c/b") && !after.contains("/c/a"), "{after}");
    assert!(!after.contains("RESET"), "{after}");
}

#[tokio::test]
async fn a_foreign_token_starts_over() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    let mut target = collection(2, "c");
    target["addTarget"]["resumeToken"] = "Zm9yZWlnbg==".into();
    let reply = listen(&server, &[target]).await.until_snapshot().await;
    assert!(reply.contains("RESET") && reply.contains("/c/a"), "{reply}");
}

#[tokio::test]
async fn a_bad_target_is_removed_with_its_cause_and_the_others_live() {
    let server = Server::start().await;
    let bad = documents(4, "odd");
    let mut lines = listen(&server, &[bad, documents(6, "c/a")]).await;
    let refused = lines.next().await;
    assert_eq!(refused["targetChange"]["targetChangeType"], "REMOVE");
    assert_eq!(refused["targetChange"]["cause"]["code"], 3);
    let first = lines.until_snapshot().await;
    assert!(first.contains("documentDelete"), "{first}");
    server.set("c/a", 5).await;
    let second = lines.until_snapshot().await;
    assert!(second.contains(r#""integerValue":"5""#), "{second}");
}

#[tokio::test]
async fn a_target_of_no_kind_known_here_is_told_so() {
    let server = Server::start().await;
    let mut lines = listen(&server, &[serde_json::json!({"addTarget": {"targetId": 2}})]).await;
    let refused = lines.next().await;
    assert_eq!(refused["targetChange"]["cause"]["code"], 3);
    let message = refused["targetChange"]["cause"]["message"].as_str().unwrap();
    assert!(message.contains("neither documents nor a structured query"), "{message}");
}

#[tokio::test]
async fn a_number_in_use_is_used_anew() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    server.set("d/a", 2).await;
    let mut lines = listen(&server, &[collection(2, "c"), collection(2, "d"), documents(4, "x/y")]).await;
    let mut all = String::new();
    while !(all.contains("/documents/d/a") && all.contains("/documents/x/y")) {
        all += &lines.until_snapshot().await;
    }
    assert!(!all.contains("REMOVE"), "{all}");
    server.set("d/b", 3).await;
    assert!(lines.until_snapshot().await.contains("/documents/d/b"));
}

#[tokio::test]
async fn a_bad_target_under_a_number_in_use_ends_what_had_it() {
    let server = Server::start().await;
    let bad = documents(2, "odd");
    let mut lines = listen(&server, &[documents(2, "c/a"), bad, documents(4, "c/b")]).await;
    let mut all = String::new();
    while !all.contains("/documents/c/b") {
        all += &lines.until_snapshot().await;
    }
    assert_eq!(all.matches("REMOVE").count(), 1, "{all}");
    assert!(all.contains(r#""cause":{"code":3"#), "{all}");
    server.set("c/a", 1).await;
    server.set("c/b", 1).await;
    let after = lines.until_snapshot().await;
    assert!(after.contains("/c/b") && !after.contains("/c/a"), "{after}");
}

#[tokio::test]
async fn a_target_wanted_once_ends_after_its_first_snapshot() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    let mut once = collection(2, "c");
    once["addTarget"]["once"] = true.into();
    let mut lines = listen(&server, &[once]).await;
    let first = lines.until_snapshot().await;
    assert!(first.contains("/c/a") && first.contains("CURRENT") && !first.contains("REMOVE"), "{first}");
    let end = lines.next().await;
    assert_eq!(end["targetChange"], serde_json::json!({"targetChangeType": "REMOVE", "targetIds": [2]}));
    drop(lines);
    // Beside one that stays, which alone hears what comes after.
    let mut once = documents(2, "c/a");
    once["addTarget"]["once"] = true.into();
    let mut lines = listen(&server, &[once, documents(4, "c/b")]).await;
    let mut all = String::new();
    while !(all.contains("REMOVE") && all.contains("/c/b")) {
        all += &lines.next().await.to_string();
    }
    server.set("c/a", 2).await;
    server.set("c/b", 2).await;
    let changed = loop {
        let element = lines.next().await;
        if element["documentChange"].is_object() {
            break element["documentChange"].clone();
        }
    };
    assert!(changed["document"]["name"].as_str().unwrap().ends_with("/c/b"), "{changed}");
    assert_eq!(changed["targetIds"], serde_json::json!([4]));
}

#[tokio::test]
async fn who_may_not_read_is_told_so() {
    let server = Server::start().await;
    let body = serde_json::Value::from(vec![collection(2, "c")]).to_string();
    let request = server.request(Method::POST, ":listen").header("authorization", "Bearer nobody").body(body);
    let mut lines = Lines::of(request.send().await.unwrap());
    let change = loop {
        let element = lines.next().await;
        if element["targetChange"]["targetChangeType"] == "REMOVE" {
            break element;
        }
    };
    assert_eq!(change["targetChange"]["cause"]["code"], 7, "{change}");
}

/// More targets than a stream may have, each refused.
#[tokio::test]
async fn refused_targets_leave_room_for_others() {
    let server = Server::start().await;
    let (sender, requests) = mpsc::channel(8);
    let mut replies = grpc::listen(&server, "Bearer nobody", requests).await;
    for number in 1..=1_100 {
        sender.send(grpc::watch(number, "c")).await.unwrap();
        let cause = removed(&mut replies, number).await.unwrap();
        assert_eq!(Code::from(cause.code), Code::PermissionDenied, "{number}: {cause:?}");
    }
}

/// A policy that keeps whoever asks waiting as long as there is a sender.
#[derive(Debug)]
struct Shut(Mutex<std::sync::mpsc::Receiver<()>>);

impl Access for Shut {
    fn decide(&self, _request: &Request<'_>) -> Decision {
        _ = self.0.lock().recv();
        Decision::Allow
    }
}

/// With slow replies, the server reads no more requests than may wait for them; all are answered in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_client_that_asks_faster_than_it_is_answered_waits() {
    const ROUNDS: usize = 3_000;
    let server = Server::start().await;
    let (shut, shutter) = std::sync::mpsc::channel();
    server.store.set_access(Arc::new(Shut(Mutex::new(shutter))));
    let (sender, requests) = mpsc::channel(8);
    let mut replies = grpc::listen(&server, "Bearer nobody", requests).await;
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    let asking = tokio::spawn(async move {
        for _ in 0..ROUNDS {
            for request in [grpc::watch(2, "c"), grpc::watch(2, "d"), grpc::unwatch(2)] {
                sender.send(request).await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
            }
        }
        sender.send(grpc::watch(4, "c")).await.unwrap();
        sender
    });
    // Two targets end in three requests, and a thousand may be ending.
    while taken.load(Ordering::SeqCst) < 1_500 {
        tokio::task::yield_now().await;
    }
    for _ in 0..100_000 {
        tokio::task::yield_now().await;
    }
    assert!(taken.load(Ordering::SeqCst) < 1_600, "{taken:?} of {}", 3 * ROUNDS);
    drop(shut);
    for _ in 0..ROUNDS {
        assert_eq!(removed(&mut replies, 2).await, None);
    }
    let _open = asking.await.unwrap();
    loop {
        let Some(ResponseType::TargetChange(change)) = next(&mut replies).await else { continue };
        assert_ne!(change.target_change_type(), TargetChangeType::Remove);
        if change.target_change_type() == TargetChangeType::Current {
            assert_eq!(change.target_ids, [4]);
            break;
        }
    }
}

async fn next(replies: &mut Streaming<v1::ListenResponse>) -> Option<ResponseType> {
    replies.next().await.unwrap().unwrap().response_type
}

/// Reads until the target ends, and answers why.
async fn removed(replies: &mut Streaming<v1::ListenResponse>, number: i32) -> Option<Status> {
    loop {
        let Some(ResponseType::TargetChange(change)) = next(replies).await else { continue };
        if change.target_change_type() == TargetChangeType::Remove {
            assert_eq!(change.target_ids, [number]);
            return change.cause;
        }
    }
}

#[tokio::test]
async fn one_change_in_a_large_result_sends_one_change() {
    let server = Server::start().await;
    let root = format!("{DATABASE}/documents/c");
    for part in 0..20 {
        let writes: Vec<_> = (0..500)
            .map(|index| serde_json::json!({"update": {"name": format!("{root}/d{part:02}-{index:03}"), "fields": {}}}))
            .collect();
        let reply = server.ask("POST", ":commit", &serde_json::json!({"writes": writes}).to_string()).await;
        assert!(reply.starts_with("200"), "{reply}");
    }
    let changes = |elements: &str| elements.matches("\"documentChange\"").count();
    let mut lines = listen(&server, &[collection(2, "c")]).await;
    let first = lines.until_snapshot().await;
    assert_eq!(changes(&first), 10_000);
    server.set("c/d07-123", 1).await;
    let second = lines.until_snapshot().await;
    assert_eq!((changes(&second), second.lines().count()), (1, 2), "{second}");
    assert!(second.contains("/c/d07-123"));
    let last: serde_json::Value = serde_json::from_str(second.lines().last().unwrap()).unwrap();
    drop(lines);
    // While nobody listens, one document changes and one goes.
    server.set("c/d19-499", 2).await;
    server.ask("DELETE", "/c/d00-000", "").await;
    let mut target = collection(2, "c");
    target["addTarget"]["resumeToken"] = last["targetChange"]["resumeToken"].clone();
    target["addTarget"]["expectedCount"] = 10_000.into();
    let resumed = listen(&server, &[target]).await.until_snapshot().await;
    assert_eq!(changes(&resumed), 1, "{resumed}");
    assert!(resumed.contains("/c/d19-499") && resumed.contains("/c/d00-000"), "{resumed}");
    assert!(!resumed.contains("RESET"), "{resumed}");
}
