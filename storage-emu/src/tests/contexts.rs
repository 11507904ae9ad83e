//! Contexts of objects, and listings filtered by them.

use docstore::access::Mode;
use serde_json::{Value, json};

use super::administration::{ask, listed, put};
use super::support::Bench;

fn values(object: &Value) -> Value {
    let custom = object["contexts"]["custom"].as_object().cloned().unwrap_or_default();
    custom
        .into_iter()
        .map(|(key, context)| (key, context["value"].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn patch(bench: &Bench, name: &str, contexts: Value) -> Value {
    let body = json!({ "contexts": contexts }).to_string();
    ask(bench, "PATCH", &format!("/b/~/o/{name}"), &body).await.json()
}

#[tokio::test]
async fn contexts_are_set_changed_and_taken_away() {
    let bench = Bench::new(Mode::Emulator).await;
    put(&bench, "a", "x").await;
    assert_eq!(ask(&bench, "GET", "/b/~/o/a", "").await.json().get("contexts"), None);
    let first =
        patch(&bench, "a", json!({ "custom": { "k1": { "value": "v1" }, "k2": { "value": "v2" } } })).await;
    assert_eq!(values(&first), json!({ "k1": "v1", "k2": "v2" }));
    bench.clock.advance(std::time::Duration::from_secs(1));
    let change = json!({ "custom": {
        "k1": { "value": "new" }, "k2": { "value": "v2", "createTime": "2000-01-01T00:00:00Z" }
    } });
    let second = patch(&bench, "a", change).await;
    let times = |object: &Value, key: &str| {
        let context = &object["contexts"]["custom"][key];
        (context["createTime"].clone(), context["updateTime"].clone())
    };
    let (created, updated) = times(&second, "k1");
    assert_eq!((created, updated == times(&first, "k1").1), (times(&first, "k1").0, false));
    assert_eq!(times(&second, "k2"), times(&first, "k2"));
    assert_eq!(ask(&bench, "GET", "/b/~/o/a", "").await.json()["contexts"], second["contexts"]);
    // Two ways to take one away; the others stay.
    assert_eq!(
        values(&patch(&bench, "a", json!({ "custom": { "k2": { "value": null } } })).await),
        json!({ "k1": "new" })
    );
    assert_eq!(
        values(&patch(&bench, "a", json!({ "custom": { "k1": null, "k3": { "value": "3" } } })).await),
        json!({ "k3": "3" })
    );
    assert_eq!(patch(&bench, "a", Value::Null).await.get("contexts"), None);
    let long = "x".repeat(257);
    let many: serde_json::Map<String, Value> =
        (0..51).map(|n| (format!("k{n}"), json!({ "value": "v" }))).collect();
    for bad in [
        json!("a"),
        json!({ "custom": [] }),
        json!({ "custom": { "k": { "value": 1 } } }),
        json!({ "custom": { "": { "value": "v" } } }),
        json!({ "custom": { "k": { "value": "" } } }),
        json!({ "custom": { "-k": { "value": "v" } } }),
        json!({ "custom": { "a/b": { "value": "v" } } }),
        json!({ "custom": { "k": { "value": "a\"b" } } }),
        json!({ "custom": { long: { "value": "v" } } }),
        json!({ "custom": many }),
    ] {
        let reply = patch(&bench, "a", bad.clone()).await;
        assert_eq!(reply["error"]["code"], 400, "{bad}");
    }
}

#[tokio::test]
async fn contexts_go_with_copies_moves_and_compositions() {
    let bench = Bench::new(Mode::Emulator).await;
    for (name, contexts) in [
        ("a", json!({ "custom": { "k": { "value": "a" }, "only": { "value": "a" } } })),
        ("b", json!({ "custom": { "k": { "value": "b" } } })),
    ] {
        put(&bench, name, name).await;
        patch(&bench, name, contexts).await;
    }
    let own = json!({ "contexts": { "custom": { "own": { "value": "1" } } } });
    let copy = async |body: &str| {
        values(&ask(&bench, "POST", "/b/~/o/a/rewriteTo/b/~/o/c", body).await.json()["resource"])
    };
    assert_eq!(copy("").await, json!({ "k": "a", "only": "a" }));
    assert_eq!(copy(&own.to_string()).await, json!({ "own": "1" }));
    let compose = async |destination: &Value| {
        let body = json!({ "sourceObjects": [{ "name": "a" }, { "name": "b" }], "destination": destination });
        values(&ask(&bench, "POST", "/b/~/o/d/compose", &body.to_string()).await.json())
    };
    assert_eq!(compose(&json!({})).await, json!({ "k": "b", "only": "a" }));
    assert_eq!(compose(&own).await, json!({ "own": "1" }));
    let moved = ask(&bench, "POST", "/b/~/o/b/moveTo/o/e", "").await.json();
    assert_eq!(values(&moved), json!({ "k": "b" }));
}

#[tokio::test]
async fn a_listing_is_filtered_by_contexts() {
    let bench = Bench::new(Mode::Emulator).await;
    for (name, value) in [("a", Some("x")), ("b", Some("y")), ("c", None), ("d", Some("x"))] {
        put(&bench, name, name).await;
        if let Some(value) = value {
            patch(&bench, name, json!({ "custom": { "k": { "value": value } } })).await;
        }
    }
    for (query, found) in [
        ("filter=contexts.%22k%22=%22x%22", "a d"),
        ("filter=contexts.%22k%22:*", "a b d"),
        ("filter=contexts.%22k%22:*&maxResults=2", "a b|d"),
        ("filter=contexts.%22k%22:*&startOffset=b", "b d"),
        ("filter=contexts.%22K%22:*", ""),
        ("filter=-contexts.%22k%22=%22x%22", "b c"),
        ("filter=-contexts.%22k%22:*", "c"),
    ] {
        assert_eq!(listed(&bench, query).await, found, "{query}");
    }
    assert_eq!(ask(&bench, "GET", "/b/~/o?filter=size%3E1", "").await.status, 400);
    let both = "/b/~/o?filter=contexts.%22k%22:*&delimiter=/";
    assert_eq!(ask(&bench, "GET", both, "").await.status, 501);
}
