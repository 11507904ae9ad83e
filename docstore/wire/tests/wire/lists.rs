//! Listing documents.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::server::{DATABASE, Server};

/// The answer to a request, which must have this status.
async fn ask(server: &Server, method: &str, path: &str, body: &Value, status: u16) -> Value {
    let reply = server.ask(method, path, &body.to_string()).await;
    let (found, reply) = reply.split_once(' ').unwrap();
    assert_eq!(found, status.to_string(), "{method} {path}: {reply:.200}");
    serde_json::from_str(reply).unwrap()
}

/// Eighteen documents of a megabyte are more than one message may hold: they come in several pages, however many were
/// asked for.
#[tokio::test]
async fn large_documents_come_in_smaller_pages() {
    let server = Server::start().await;
    let names: BTreeSet<String> = (0..18).map(|n| format!("{DATABASE}/documents/c/d{n:02}")).collect();
    let text = "x".repeat(1_000_000);
    let fields = json!({"n": {"integerValue": "1"}, "text": {"stringValue": text}});
    let writes: Vec<Value> =
        names.iter().map(|name| json!({"update": {"name": name, "fields": fields}})).collect();
    for writes in writes.chunks(9) {
        ask(&server, "POST", ":commit", &json!({"writes": writes}), 200).await;
    }
    for options in ["", "&showMissing=true", "&orderBy=n"] {
        let (mut found, mut pages, mut token) = (Vec::new(), 0, String::new());
        loop {
            let path = format!("/c?pageSize=100{options}&pageToken={token}");
            let page = ask(&server, "GET", &path, &Value::Null, 200).await;
            let documents = page["documents"].as_array().unwrap();
            found.extend(documents.iter().map(|document| document["name"].as_str().unwrap().to_owned()));
            pages += 1;
            match page["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        assert!(found.iter().eq(&names), "{options}: each once and in order, {found:?}");
        assert_eq!(pages, 5, "{options}: four a page");
    }
}

/// A listing belongs to what a transaction read: its commit fails if the listing has changed.
#[tokio::test]
async fn a_transaction_rests_on_what_it_listed() {
    // Options of the listing, a change made meanwhile, and true if the listing would have shown it. (Writers of
    // documents that a transaction has read wait for it.)
    for (options, changed, conflicts) in [
        ("", "c/new", true),
        ("", "other/a", false),
        ("", "c/gone/sub/a", false),
        ("&showMissing=true", "c/new", true),
        ("&showMissing=true", "c/gone/sub/a", true),
        ("&showMissing=true", "other/a", false),
        ("&orderBy=n", "c/new", true),
        ("&pageSize=1", "c/a0", false),
        ("&pageSize=1", "c/0", true),
        ("&pageSize=1&pageToken=a", "c/0", false),
        ("&pageSize=1&pageToken=a", "c/a0", true),
    ] {
        let server = Server::start().await;
        server.set("c/a", 1).await;
        server.set("c/b", 1).await;
        let begun = ask(&server, "POST", ":beginTransaction", &json!({}), 200).await;
        let transaction = begun["transaction"].as_str().unwrap();
        let token = transaction.replace('+', "-").replace('/', "_");
        let listed =
            ask(&server, "GET", &format!("/c?transaction={token}{options}"), &Value::Null, 200).await;
        assert!(!listed["documents"].as_array().unwrap().is_empty());
        server.set(changed, 2).await;
        let write = json!({"update": {"name": format!("{DATABASE}/documents/result/r"), "fields": {}}});
        let commit = json!({"transaction": transaction, "writes": [write]});
        let outcome = ask(&server, "POST", ":commit", &commit, if conflicts { 409 } else { 200 }).await;
        assert_eq!(outcome["error"]["status"] == "ABORTED", conflicts, "{options} {changed}");
    }
}
