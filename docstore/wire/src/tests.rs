//! Requests for what cannot be read.

use axum::body::{Body, BodyDataStream};
use axum::response::Response;
use futures::StreamExt as _;
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower_service::Service as _;

use super::*;
use docstore::access::Caller;
use docstore::testing::{Faults, faulty_store};

const DOCUMENTS: &str = "/v1/projects/p/databases/(default)/documents";

struct Server {
    router: Router,
    faults: Faults,
}

impl Server {
    /// A server with six documents.
    async fn start() -> Self {
        let faults = Faults::default();
        let store = faulty_store(&faults).await.unwrap();
        let state = WireState {
            store,
            authenticator: Arc::new(Caller::Admin),
            mode: Mode::Serving,
            ids: Ids::seeded(7),
        };
        let server = Self { router: router(state).unwrap(), faults };
        for n in 0..6 {
            let body = json!({"fields": {"n": {"integerValue": n.to_string()}}});
            assert_eq!(server.ask("PATCH", &format!("/c/{n}"), &body).await.0, 200);
        }
        server
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Response {
        let request = Request::builder().method(method).uri(format!("{DOCUMENTS}{path}"));
        let body = if method == "GET" { Body::empty() } else { Body::from(body.to_string()) };
        self.router.clone().call(request.body(body).unwrap()).await.unwrap()
    }

    async fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, String) {
        let response = self.send(method, path, body).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }
}

fn query() -> Value {
    json!({"from": [{"collectionId": "c"}], "orderBy": [{"field": {"fieldPath": "n"}}], "limit": 3})
}

fn name(id: i64) -> String {
    format!("projects/p/databases/(default)/documents/c/{id}")
}

#[tokio::test]
async fn a_request_for_what_cannot_be_read_is_answered_and_the_server_goes_on() {
    let server = Server::start().await;
    let count = json!({"structuredAggregationQuery": {
        "structuredQuery": query(), "aggregations": [{"alias": "all", "count": {}}]
    }});
    let update = json!({"writes": [{
        "update": {"name": name(0), "fields": {"n": {"integerValue": "0"}}},
        "currentDocument": {"exists": true}
    }]});
    for (method, path, body) in [
        ("GET", "/c/1", json!({})),
        ("GET", "/c", json!({})),
        ("GET", "/c?orderBy=n", json!({})),
        ("GET", "/c?showMissing=true", json!({})),
        ("POST", ":listCollectionIds", json!({})),
        ("POST", ":batchGet", json!({"documents": [name(1), name(2)]})),
        ("POST", ":batchGet", json!({"documents": [name(1)], "newTransaction": {"readOnly": {}}})),
        ("POST", ":runQuery", json!({"structuredQuery": query()})),
        ("POST", ":runQuery", json!({"structuredQuery": query(), "newTransaction": {"readOnly": {}}})),
        ("POST", ":runAggregationQuery", count),
        ("POST", ":commit", update),
    ] {
        // Times and transactions are of their own each time.
        let usual = server.ask(method, path, &body).await;
        let shape = |(status, reply): &(u16, String)| (*status, reply.matches("\"name\"").count());
        let mut failures = 0;
        for good in 0.. {
            server.faults.after(good);
            let reply = server.ask(method, path, &body).await;
            if !server.faults.end() {
                assert_eq!(shape(&reply), shape(&usual), "{path}: {reply:?}");
                break;
            }
            let (status, reply) = reply;
            assert_eq!(status, 503, "{path}: {reply}");
            assert!(reply.contains("UNAVAILABLE") && reply.contains("could not be read"), "{path}: {reply}");
            failures += 1;
            assert_eq!(shape(&server.ask(method, path, &body).await), shape(&usual), "{path}");
        }
        assert!(failures > 0, "{path} reads nothing");
    }
}

/// The elements of a listen stream to [`query`].
struct Listening(BodyDataStream);

impl Listening {
    async fn to(server: &Server, resume: Option<&str>) -> Self {
        let parent = "projects/p/databases/(default)/documents";
        let mut target = json!({"targetId": 2, "query": {"parent": parent, "structuredQuery": query()}});
        if let Some(token) = resume {
            target["resumeToken"] = token.into();
        }
        let body = json!({"database": "projects/p/databases/(default)", "addTarget": target});
        let response = server.send("POST", ":listen", &body).await;
        assert_eq!(response.status(), 200);
        Self(response.into_body().into_data_stream())
    }

    async fn next(&mut self) -> Value {
        let line = self.0.next().await.unwrap().unwrap();
        let line = std::str::from_utf8(&line).unwrap();
        serde_json::from_str(line.trim_start_matches(['[', ',']).trim_end_matches(']')).unwrap()
    }

    /// The replies up to a snapshot, and its token.
    async fn cut(&mut self) -> (Vec<String>, String) {
        let mut named = Vec::new();
        loop {
            let element = self.next().await;
            assert!(element.get("error").is_none(), "{element}");
            let change = ["documentChange", "documentDelete", "documentRemove"]
                .map(|kind| (kind, &element[kind]))
                .into_iter()
                .find(|(_, change)| change.is_object());
            if let Some((kind, change)) = change {
                let name = change.pointer("/document/name").unwrap_or(&change["document"]);
                named.push(format!("{kind} {}", name.as_str().unwrap().rsplit_once('/').unwrap().1));
            }
            let change = &element["targetChange"];
            if let Some(token) = change["resumeToken"].as_str()
                && change.get("targetIds").is_none()
            {
                return (named, token.to_owned());
            }
        }
    }
}

/// A client takes the end of a target for final, and the end of a stream for a reason to come back.
#[tokio::test]
async fn a_stream_ends_when_a_query_on_it_cannot_be_read_and_is_resumed() {
    let server = Server::start().await;
    let mut stream = Listening::to(&server, None).await;
    let (first, token) = stream.cut().await;
    assert_eq!(first, ["documentChange 0", "documentChange 1", "documentChange 2"]);
    // The commit reads once, and then a result is missing.
    server.faults.after(1);
    assert_eq!(server.ask("DELETE", "/c/1", &json!({})).await.0, 200);
    let last = stream.next().await;
    assert_eq!(last["error"]["status"], "UNAVAILABLE", "{last}");
    assert!(stream.0.next().await.is_none());
    // So does one that cannot begin.
    let mut again = Listening::to(&server, Some(&token)).await;
    let mut last = again.next().await;
    while last.get("error").is_none() {
        assert!(last["targetChange"]["targetChangeType"] == "ADD", "{last}");
        last = again.next().await;
    }
    assert_eq!(last["error"]["status"], "UNAVAILABLE", "{last}");
    assert!(server.faults.end());
    let (missed, _) = Listening::to(&server, Some(&token)).await.cut().await;
    assert_eq!(missed, ["documentChange 3", "documentDelete 1"]);
}
