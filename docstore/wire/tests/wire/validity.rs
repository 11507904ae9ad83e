//! Requests that Firestore refuses, and its treatment of null, NaN and names from elsewhere.

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
    // A filter that matches nothing implies no order: the document without `n` is found.
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

/// A string of this size, as the limits count it.
fn sized(bytes: usize) -> Value {
    json!({"stringValue": "x".repeat(bytes - 1)})
}

#[tokio::test]
async fn cursors_names_and_values_that_are_refused() {
    let server = server().await;
    let one = json!({"integerValue": "1"});
    let cursor = |values: &[Value]| json!({"values": values});
    let list = |value: &Value| json!({"arrayValue": {"values": [value, {"integerValue": "1"}]}});
    let unary = |field: &str, op: &str| json!({"unaryFilter": {"field": {"fieldPath": field}, "op": op}});
    let refused = [
        (json!({"orderBy": [order("n")], "startAt": cursor(&[one.clone(), name("c/a")])}), "too many values"),
        (json!({"orderBy": [order("n")], "endAt": cursor(&[one.clone(), one.clone()])}), "too many values"),
        (json!({"startAt": cursor(&[name("c/a")])}), "too many values"),
        (
            json!({"where": test("n", "LESS_THAN", &one), "startAt": cursor(std::slice::from_ref(&one))}),
            "too many values",
        ),
        (json!({"where": unary("__name__", "IS_NULL")}), "must be a Key"),
        (json!({"where": unary("__name__", "IS_NAN")}), "must be a Key"),
        (json!({"where": unary("__name__", "IS_NOT_NULL")}), "must be a Key"),
        (json!({"where": unary("__name__", "IS_NOT_NAN")}), "must be a Key"),
        (json!({"where": test("n", "EQUAL", &sized(1_501))}), "value for n is too large"),
        (json!({"where": test("n", "LESS_THAN", &sized(1_501))}), "value for n is too large"),
        (json!({"where": test("n", "ARRAY_CONTAINS", &sized(1_501))}), "value for n is too large"),
        (json!({"where": test("n", "IN", &list(&sized(1_501)))}), "value for n is too large"),
        (json!({"where": test("n", "NOT_IN", &list(&sized(1_501)))}), "value for n is too large"),
    ];
    for (query, message) in refused {
        let reply = run(&server, query.clone()).await;
        assert!(reply.contains(message), "{query}: {reply}");
    }
    let taken = [
        (
            json!({"orderBy": [order("n"), order("__name__")], "startAt": cursor(&[one.clone(), name("c/a")])}),
            "e",
        ),
        (json!({"orderBy": [order("n")], "startAt": cursor(&[sized(1_501)])}), ""),
        (json!({"where": test("n", "EQUAL", &sized(1_500))}), ""),
        (json!({"where": test("n", "IN", &list(&sized(1_500)))}), "a"),
        (json!({"where": test("__name__", "EQUAL", &name(&format!("c/{}", "x".repeat(1_500))))}), ""),
    ];
    for (query, found) in taken {
        assert_eq!(run(&server, query.clone()).await, found, "{query}");
    }
}

#[tokio::test]
async fn a_group_below_a_document_is_read_by_name_alone() {
    let server = Server::start().await;
    for path in ["c/a/d/x", "c/a/e/f/d/y", "c/b/d/z"] {
        server.set(path, 1).await;
    }
    let ask = async |rest: Value| {
        let mut query = json!({"from": [{"collectionId": "d", "allDescendants": true}]});
        query.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        server.ask("POST", "/c/a:runQuery", &json!({"structuredQuery": query}).to_string()).await
    };
    let one = json!({"integerValue": "1"});
    for rest in [json!({}), json!({"orderBy": [order("__name__")], "limit": 9})] {
        let reply = ask(rest).await;
        assert!(reply.contains("d/x") && reply.contains("d/y") && !reply.contains("d/z"), "{reply}");
    }
    for rest in [json!({"orderBy": [order("n")]}), json!({"where": test("n", "EQUAL", &one)})] {
        let reply = ask(rest).await;
        assert!(reply.starts_with("400") && reply.contains("only allowed at the root parent"), "{reply}");
    }
    let aggregate = async |aggregation: Value| {
        let group = json!({"from": [{"collectionId": "d", "allDescendants": true}]});
        let query =
            json!({"structuredAggregationQuery": {"structuredQuery": group, "aggregations": [aggregation]}});
        server.ask("POST", "/c/a:runAggregationQuery", &query.to_string()).await
    };
    let reply = aggregate(json!({"count": {}})).await;
    assert!(reply.starts_with("200") && reply.contains(r#""integerValue":"2""#), "{reply}");
    let reply = aggregate(json!({"sum": {"field": {"fieldPath": "n"}}})).await;
    assert!(reply.starts_with("400") && reply.contains("only allowed at the root parent"), "{reply}");
}

#[tokio::test]
async fn aggregations_that_are_refused() {
    let server = server().await;
    let ask = async |aggregations: Value| {
        let query = json!({"structuredAggregationQuery": {
            "structuredQuery": {"from": [{"collectionId": "c"}]}, "aggregations": aggregations
        }});
        server.ask("POST", ":runAggregationQuery", &query.to_string()).await
    };
    let count = |alias: &str| json!({"alias": alias, "count": {}});
    for (aggregations, message) in [
        (json!([]), "Aggregations can not be empty."),
        (json!([count("x"), count("x")]), "Aggregation aliases contain duplicate alias: x."),
        (json!([count("field_1"), {"count": {}}]), "Aggregation aliases contain duplicate alias: field_1."),
        (json!([count("__x__")]), "is reserved"),
        (json!([{"alias": "x"}]), "Operator field in Aggregation is not set."),
        (json!([{"count": {"upTo": "-1"}}]), "must be greater than or equal to zero."),
    ] {
        let reply = ask(aggregations).await;
        assert!(reply.starts_with("400") && reply.contains(message), "{reply}");
    }
    // Only those without an alias are counted for one.
    let reply = ask(json!([count("x"), {"count": {}}, count("field_2")])).await;
    assert!(["x", "field_1", "field_2"].iter().all(|alias| reply.contains(alias)), "{reply}");
}

#[tokio::test]
async fn a_required_update_time_is_that_of_the_document_before_the_commit() {
    let server = server().await;
    let then = |reply: &str| -> String {
        let reply: Value = serde_json::from_str(reply.split_once(' ').unwrap().1).unwrap();
        reply["updateTime"].as_str().unwrap().to_owned()
    };
    let document = format!("{DATABASE}/documents/c/a");
    let write = |n: u32, required: Option<Value>| {
        let fields = json!({"n": {"integerValue": n.to_string()}});
        let mut write = json!({"update": {"name": document, "fields": fields}});
        if let Some(required) = required {
            write["currentDocument"] = required;
        }
        write
    };
    let at = |time: &str| Some(json!({"updateTime": time}));
    let (past, future) = ("1971-01-01T00:00:00Z", "2999-01-01T00:00:00Z");
    let stored = then(&server.ask("GET", "/c/a", "").await);
    let commit =
        async |writes: &[Value]| server.ask("POST", ":commit", &json!({"writes": writes}).to_string()).await;
    for (writes, message) in [
        (vec![write(7, at(future))], "INVALID_ARGUMENT"),
        (vec![write(7, at(past))], "FAILED_PRECONDITION"),
        (vec![write(7, None), write(8, at(&stored))], "INVALID_ARGUMENT"),
        (vec![write(7, at(&stored)), write(8, at(past))], "INVALID_ARGUMENT"),
        (vec![json!({"delete": document}), write(8, at(&stored))], "INVALID_ARGUMENT"),
    ] {
        let reply = commit(&writes).await;
        assert!(reply.starts_with("400") && reply.contains(message), "{writes:?}: {reply}");
    }
    let twice = [write(7, at(&stored)), write(8, at(&stored)), write(9, None)];
    let reply = commit(&twice).await;
    assert!(reply.starts_with("200"), "{reply}");
    let reply = server.ask("DELETE", &format!("/c/none?currentDocument.updateTime={future}"), "").await;
    assert!(reply.starts_with("400") && reply.contains("FAILED_PRECONDITION"), "{reply}");
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
