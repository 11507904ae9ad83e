//! What Firestore refuses, and what it makes of null, NaN and names from elsewhere.

use serde_json::{Value, json};

use crate::server::{DATABASE, Server};

fn test(field: &str, op: &str, value: &Value) -> Value {
    json!({"fieldFilter": {"field": {"fieldPath": field}, "op": op, "value": value}})
}

fn composite(op: &str, filters: &[Value]) -> Value {
    json!({"compositeFilter": {"op": op, "filters": filters}})
}

fn name(path: &str) -> Value {
    json!({"referenceValue": format!("{DATABASE}/documents/{path}")})
}

fn order(field: &str) -> Value {
    json!({"field": {"fieldPath": field}})
}

/// The found ids, or the error's message.
async fn run(server: &Server, mut query: Value) -> String {
    query["from"] = json!([{"collectionId": "c"}]);
    let reply = server.ask("POST", ":runQuery", &json!({"structuredQuery": query}).to_string()).await;
    let (_, reply) = reply.split_once(' ').unwrap();
    let reply: Value = serde_json::from_str(reply).unwrap();
    if let Some(error) = reply["error"]["message"].as_str() {
        return error.to_owned();
    }
    let names = reply.as_array().unwrap().iter().filter_map(|part| part["document"]["name"].as_str());
    names.map(|name| name.rsplit('/').next().unwrap()).collect::<Vec<_>>().join(" ")
}

async fn server() -> Server {
    let server = Server::start().await;
    for (id, value) in [
        ("a", json!({"integerValue": "1"})),
        ("b", json!({"nullValue": null})),
        ("d", json!({"doubleValue": "NaN"})),
        ("e", json!({"integerValue": "5"})),
    ] {
        let body = json!({"fields": {"n": value}}).to_string();
        assert!(server.ask("PATCH", &format!("/c/{id}"), &body).await.starts_with("200"));
    }
    server
}

#[tokio::test]
async fn null_and_nan_are_found_by_unary_operators_alone() {
    let server = server().await;
    let one = json!({"integerValue": "1"});
    let mut log = Vec::new();
    for value in [json!({"nullValue": null}), json!({"doubleValue": "NaN"}), one.clone()] {
        for op in ["EQUAL", "NOT_EQUAL", "LESS_THAN_OR_EQUAL", "GREATER_THAN_OR_EQUAL"] {
            let found = run(&server, json!({"where": test("n", op, &value)})).await;
            log.push(format!("{op} {value}: {found}"));
        }
        for op in ["IN", "NOT_IN"] {
            let list = json!({"arrayValue": {"values": [value, {"integerValue": "5"}]}});
            log.push(format!("{op} {list}: {}", run(&server, json!({"where": test("n", op, &list)})).await));
        }
    }
    // What holds for nothing implies no order: the document without `n` is found.
    assert!(server.ask("PATCH", "/c/z", r#"{"fields":{"m":{"integerValue":"1"}}}"#).await.starts_with("200"));
    let never = test("n", "LESS_THAN", &json!({"nullValue": null}));
    let either = composite("OR", &[never, test("m", "EQUAL", &one)]);
    assert_eq!(run(&server, json!({"where": either})).await, "z");
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn names_from_elsewhere_have_their_place_in_the_order() {
    let server = server().await;
    let mut log = Vec::new();
    for path in ["b/z", "c/a/c/x", "c/b", "d/a"] {
        for op in ["EQUAL", "NOT_EQUAL", "LESS_THAN", "GREATER_THAN_OR_EQUAL"] {
            let found = run(&server, json!({"where": test("__name__", op, &name(path))})).await;
            log.push(format!("{op} {path}: {found}"));
        }
        for before in [true, false] {
            let cursor = json!({"values": [name(path)], "before": before});
            let found = run(&server, json!({"orderBy": [order("__name__")], "startAt": cursor})).await;
            log.push(format!("start {path} before={before}: {found}"));
            let found = run(&server, json!({"orderBy": [order("__name__")], "endAt": cursor})).await;
            log.push(format!("end {path} before={before}: {found}"));
        }
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn a_group_has_what_lies_below_a_name_after_it() {
    let server = Server::start().await;
    for path in ["c/a", "c/a/c/x", "c/b"] {
        server.set(path, 1).await;
    }
    let query = json!({"structuredQuery": {
        "from": [{"collectionId": "c", "allDescendants": true}],
        "where": test("__name__", "GREATER_THAN", &name("c/a")),
    }});
    let reply = server.ask("POST", ":runQuery", &query.to_string()).await;
    assert!(reply.contains("c/a/c/x") && reply.contains("c/b") && !reply.contains("c/a\""), "{reply}");
}

#[tokio::test]
async fn queries_that_are_refused() {
    let server = server().await;
    let one = json!({"integerValue": "1"});
    let contains = |field| test(field, "ARRAY_CONTAINS", &one);
    let elsewhere = json!({"referenceValue": "projects/demo/databases/other/documents/c/a"});
    let mut log = Vec::new();
    for query in [
        json!({"orderBy": [order("__name__"), order("n")]}),
        json!({"orderBy": [order("__name__")], "where": test("n", "LESS_THAN", &one)}),
        json!({"where": composite("AND", &[contains("a"), contains("b")])}),
        json!({"where": composite("OR", &[])}),
        json!({"where": composite("AND", &[test("__name__", "EQUAL", &name("c/a")), test("n", "LESS_THAN", &one)])}),
        json!({"where": composite("OR", &[test("n", "NOT_IN", &json!({"arrayValue": {"values": [one]}}))])}),
        json!({"where": test("__name__", "EQUAL", &elsewhere)}),
        json!({"orderBy": [order("__name__")], "startAt": {"values": [elsewhere]}}),
    ] {
        log.push(run(&server, query).await);
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn sums_are_over_what_an_order_by_their_fields_would_find() {
    let server = Server::start().await;
    for (path, number) in [("c/a", 3), ("c/b", 1), ("c/d", 9)] {
        server.set(path, number).await;
    }
    assert!(server.ask("PATCH", "/c/e", r#"{"fields":{"m":{"integerValue":"1"}}}"#).await.starts_with("200"));
    let ask = async |mut query: Value, field: &str| {
        query["from"] = json!([{"collectionId": "c"}]);
        let sum =
            json!([{"alias": "s", "sum": {"field": {"fieldPath": field}}}, {"alias": "c", "count": {}}]);
        let query = json!({"structuredAggregationQuery": {"structuredQuery": query, "aggregations": sum}});
        let reply = server.ask("POST", ":runAggregationQuery", &query.to_string()).await;
        let reply: Value = serde_json::from_str(reply.split_once(' ').unwrap().1).unwrap();
        match reply["error"]["message"].as_str() {
            Some(message) => message.to_owned(),
            None => reply[0]["result"]["aggregateFields"].to_string(),
        }
    };
    let log = [
        ask(json!({}), "n").await,
        ask(json!({"limit": 1}), "n").await,
        ask(json!({"offset": 1}), "n").await,
        ask(json!({"limit": 1, "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}]}), "n")
            .await,
        ask(json!({"orderBy": [order("__name__")]}), "n").await,
        ask(json!({"select": {"fields": [{"fieldPath": "n"}]}}), "n").await,
        ask(json!({}), "__name__").await,
    ];
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn writes_of_one_commit_must_agree() {
    let server = Server::start().await;
    let document = format!("{DATABASE}/documents/c/a");
    let set = |exists: Option<bool>| {
        let mut write = json!({"update": {"name": document, "fields": {}}});
        if let Some(exists) = exists {
            write["currentDocument"] = json!({"exists": exists});
        }
        write
    };
    let delete = json!({"delete": document});
    let verify = json!({"verify": document, "currentDocument": {"exists": false}});
    let mut log = Vec::new();
    for (first, second) in [
        (set(None), set(Some(false))),
        (set(None), json!({"delete": document, "currentDocument": {"exists": false}})),
        (delete.clone(), set(Some(true))),
        (verify.clone(), set(None)),
        (set(None), verify.clone()),
        (verify.clone(), verify),
        (delete, set(Some(false))),
        (set(None), set(Some(true))),
    ] {
        let reply = server.ask("POST", ":commit", &json!({"writes": [first, second]}).to_string()).await;
        let reply: Value = serde_json::from_str(reply.split_once(' ').unwrap().1).unwrap();
        log.push(reply["error"]["message"].as_str().unwrap_or("done").to_owned());
    }
    insta::assert_snapshot!(log.join("\n"));
}
