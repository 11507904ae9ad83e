//! REST.

use docstore::access::Mode;
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{DATABASE, Lines, Server};

#[tokio::test]
async fn documents() {
    let server = Server::start().await;
    let mut log = Vec::new();
    for (method, path, body) in [
        ("GET", "/c/a", ""),
        (
            "POST",
            "/c?documentId=a",
            r#"{"fields":{"n":{"integerValue":"1"},"x":{"nullValue":"NULL_VALUE"}}}"#,
        ),
        ("POST", "/c?documentId=a", r#"{"fields":{}}"#),
        ("POST", "/c", r#"{"fields":{"d":{"doubleValue":"NaN"},"z":{"doubleValue":-0.0}}}"#),
        ("PATCH", "/c/a?updateMask.fieldPaths=n&mask.fieldPaths=n", r#"{"fields":{"n":{"integerValue":2}}}"#),
        ("PATCH", "/c/none?currentDocument.exists=true", "{}"),
        ("GET", "/c/a?mask.fieldPaths=x", ""),
        ("GET", "/c?pageSize=1", ""),
        ("GET", "/c?orderBy=n%20desc&pageSize=1", ""),
        ("DELETE", "/c/a", ""),
        ("DELETE", "/c/a?currentDocument.exists=true", ""),
        ("POST", ":listCollectionIds", "{}"),
    ] {
        log.push(format!("{method} {path} {body}\n  {}", server.ask(method, path, body).await));
    }
    insta::assert_snapshot!(log.join("\n"));
}

/// One request for each HTTP rule of the service, and what its reply must hold.
#[tokio::test]
async fn every_rule_of_the_service_answers() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    server.set("c/a/sub/b", 2).await;
    let names = json!({"documents": [format!("{DATABASE}/documents/c/a")]}).to_string();
    let write = json!({"delete": format!("{DATABASE}/documents/c/gone")});
    let writes = json!({"writes": [write]}).to_string();
    let from = json!({"from": [{"collectionId": "sub", "allDescendants": true}]});
    let query = json!({"structuredQuery": from}).to_string();
    let count = json!({"structuredQuery": from, "aggregations": [{"alias": "n", "count": {}}]});
    let count = json!({"structuredAggregationQuery": count}).to_string();
    let parts = json!({"structuredQuery": from, "partitionCount": 2}).to_string();
    let begun = server.ask("POST", ":beginTransaction", "{}").await;
    let begun: Value = serde_json::from_str(begun.strip_prefix("200 ").unwrap()).unwrap();
    let rollback = json!({"transaction": begun["transaction"]}).to_string();
    let rules: [(&str, &str, &str, &str, &str); 20] = [
        ("POST", ":batchGet", &names, "200", "found"),
        ("POST", ":batchWrite", &writes, "200", "writeResults"),
        ("POST", ":rollback", &rollback, "200", "{}"),
        ("POST", ":commit", &writes, "200", "commitTime"),
        ("POST", "/c?documentId=new", "{}", "200", "/c/new"),
        ("POST", "/c/a/sub?documentId=new", "{}", "200", "/c/a/sub/new"),
        ("DELETE", "/c/a/sub/new", "", "200", "{}"),
        ("POST", ":executePipeline", "{}", "501", "UNIMPLEMENTED"),
        ("GET", "/c/a", "", "200", "/c/a"),
        ("POST", ":listCollectionIds", "{}", "200", r#"["c"]"#),
        ("POST", "/c/a:listCollectionIds", "{}", "200", r#"["sub"]"#),
        ("GET", "/c", "", "200", "/c/a"),
        ("GET", "/c/a/sub", "", "200", "/c/a/sub/b"),
        ("POST", ":partitionQuery", &parts, "200", "{}"),
        ("POST", "/c/a:partitionQuery", &parts, "200", "{}"),
        ("POST", ":runAggregationQuery", &count, "200", r#""integerValue":"1""#),
        ("POST", "/c/a:runAggregationQuery", &count, "200", r#""integerValue":"1""#),
        ("POST", ":runQuery", &query, "200", "/c/a/sub/b"),
        ("POST", "/c/a:runQuery", &query, "200", "/c/a/sub/b"),
        ("PATCH", "/c/a", "{}", "200", "/c/a"),
    ];
    for (method, path, body, status, holds) in rules {
        let reply = server.ask(method, path, body).await;
        assert!(reply.starts_with(status) && reply.contains(holds), "{method} {path}: {reply}");
    }
    let target = json!({"addTarget": {"targetId": 2, "documents": {"documents": [format!("{DATABASE}/documents/c/a")]}}});
    for (path, requests, holds) in [
        (":listen", json!([target]), "documentChange"),
        (":write", json!([{}, {"streamToken": "MA==", "writes": [write]}]), "writeResults"),
    ] {
        let request = server.request(Method::POST, path).body(requests.to_string());
        let mut lines = Lines::of(request.send().await.unwrap());
        while lines.next().await[holds].is_null() {}
    }
}

/// The answer to a POST, which must have this status.
async fn post(server: &Server, path: &str, body: &Value, status: u16) -> Value {
    let reply = server.ask("POST", path, &body.to_string()).await;
    let (found, reply) = reply.split_once(' ').unwrap();
    assert_eq!(found, status.to_string(), "{path} {body}: {reply}");
    serde_json::from_str(reply).unwrap()
}

#[tokio::test]
async fn transactions_read_where_they_are_told_to() {
    let server = Server::start().await;
    let name = format!("{DATABASE}/documents/c/a");
    server.set("c/a", 1).await;
    let document = server.ask("GET", "/c/a", "").await;
    let document: Value = serde_json::from_str(document.strip_prefix("200 ").unwrap()).unwrap();
    let then = &document["updateTime"];
    server.set("c/a", 2).await;
    let number = |replies: &Value| {
        let found = replies.as_array().unwrap().iter().find(|reply| reply["found"].is_object());
        found.unwrap()["found"]["fields"]["n"]["integerValue"].clone()
    };
    // At a time that has passed, with and without a transaction.
    let begin = json!({"options": {"readOnly": {"readTime": then}}});
    let past = &post(&server, ":beginTransaction", &begin, 200).await["transaction"];
    for selector in [json!({"transaction": past}), json!({"readTime": then})] {
        let mut get = selector.clone();
        get["documents"] = json!([name]);
        assert_eq!(number(&post(&server, ":batchGet", &get, 200).await), "1");
        let mut query = selector;
        query["structuredQuery"] = json!({"from": [{"collectionId": "c"}]});
        let found = post(&server, ":runQuery", &query, 200).await;
        assert_eq!(found[0]["document"]["fields"]["n"]["integerValue"], "1");
    }
    let write = json!({"transaction": past, "writes": [{"delete": name}]});
    let refused = post(&server, ":commit", &write, 400).await;
    assert_eq!(refused["error"]["message"], "Cannot modify entities in a read-only transaction.");
    // Begun by a read: the first reply brings the transaction and nothing else.
    let get = json!({"documents": [name], "newTransaction": {"readWrite": {}}});
    let replies = post(&server, ":batchGet", &get, 200).await;
    let token = &replies[0]["transaction"];
    assert_eq!(replies[0], json!({"transaction": token}));
    assert_eq!(number(&replies), "2");
    post(&server, ":rollback", &json!({"transaction": token}), 200).await;
    let finished = post(&server, ":commit", &json!({"transaction": token}), 400).await;
    assert_eq!(finished["error"]["message"], "Invalid transaction.");
    // Tried again, it writes.
    let again = json!({"options": {"readWrite": {"retryTransaction": token}}});
    let again = &post(&server, ":beginTransaction", &again, 200).await["transaction"];
    let get = json!({"documents": [name], "transaction": again});
    assert_eq!(number(&post(&server, ":batchGet", &get, 200).await), "2");
    let write = json!({"transaction": again, "writes": [{"delete": name}]});
    assert!(post(&server, ":commit", &write, 200).await["commitTime"].is_string());
    assert!(server.ask("GET", "/c/a", "").await.starts_with("404"));
}

#[tokio::test]
async fn partitions_come_in_pages() {
    let server = Server::start().await;
    let names = (0..40).map(|index| format!("{DATABASE}/documents/c/d{index:02}"));
    let writes: Vec<_> = names.map(|name| json!({"update": {"name": name, "fields": {}}})).collect();
    post(&server, ":commit", &json!({"writes": writes}), 200).await;
    let group = json!({"from": [{"collectionId": "c", "allDescendants": true}]});
    let mut query = json!({"structuredQuery": group, "partitionCount": "5"});
    let all = post(&server, ":partitionQuery", &query, 200).await["partitions"].clone();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 5, "as many points as asked for, which make one part more");
    query["pageSize"] = 3.into();
    let first = post(&server, ":partitionQuery", &query, 200).await;
    assert_eq!(first["partitions"], json!(all[..3]));
    query["pageToken"] = first["nextPageToken"].clone();
    assert_eq!(post(&server, ":partitionQuery", &query, 200).await, json!({"partitions": all[3..]}));
    query["pageToken"] = "nonsense!".into();
    post(&server, ":partitionQuery", &query, 400).await;
}

#[tokio::test]
async fn only_whole_collection_groups_are_partitioned() {
    let server = Server::start().await;
    let name = json!([{"field": {"fieldPath": "__name__"}}]);
    let cursor = json!({"values": [{"referenceValue": format!("{DATABASE}/documents/c/a")}]});
    let filter = json!({"field": {"fieldPath": "n"}, "op": "EQUAL", "value": {"integerValue": "1"}});
    let whole = json!({"collectionId": "c", "allDescendants": true});
    let parts = async |query: Value, status: u16| {
        let request = json!({"structuredQuery": query, "partitionCount": 2});
        post(&server, ":partitionQuery", &request, status).await["error"]["message"].clone()
    };
    for (extra, wrong) in [
        (json!({"from": [{"collectionId": "c"}]}), "must select a collection with all its descendants"),
        (json!({"where": {"fieldFilter": filter}}), "cannot have filters"),
        (json!({"orderBy": [{"field": {"fieldPath": "n"}}]}), "must be ordered by __name__ ascending"),
        (
            json!({"orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "DESCENDING"}]}),
            "must be ordered by __name__ ascending",
        ),
        (json!({"orderBy": name, "startAt": cursor}), "cannot have cursors"),
        (json!({"orderBy": name, "endAt": cursor}), "cannot have cursors"),
        (json!({"limit": 5}), "cannot have a limit"),
        (json!({"offset": 5}), "cannot have an offset"),
    ] {
        let mut query = json!({"from": [whole]});
        query.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        assert_eq!(parts(query, 400).await, format!("A query to partition {wrong}."));
    }
    let asked = json!({"from": [whole], "orderBy": name, "select": {"fields": [{"fieldPath": "__name__"}]}});
    assert_eq!(parts(asked, 200).await, Value::Null, "as the SDKs ask");
}

#[tokio::test]
async fn databases_are_apart() {
    let server = Server::start().await;
    let other = format!("{}/v1/projects/demo/databases/other/documents", server.base);
    let set = async |path: &str| {
        let request = server.http.patch(format!("{other}/{path}")).body(r#"{"fields":{}}"#);
        assert_eq!(request.send().await.unwrap().status(), 200);
    };
    server.set("c/a", 1).await;
    set("c/b").await;
    let listed = server.http.get(format!("{other}/c")).send().await.unwrap().text().await.unwrap();
    assert!(listed.contains("databases/other/documents/c/b") && !listed.contains("c/a"), "{listed}");
    assert!(server.ask("GET", "/c/b", "").await.starts_with("404"));
    // A listener hears its own database only.
    let query = json!({"parent": "projects/demo/databases/other/documents", "structuredQuery": {"from": [{"collectionId": "c"}]}});
    let target = json!({"addTarget": {"targetId": 2, "query": query}});
    let listen = server.http.post(format!("{other}:listen")).body(target.to_string());
    let mut lines = Lines::of(listen.send().await.unwrap());
    assert!(lines.until_snapshot().await.contains("/c/b"));
    server.set("c/d", 1).await;
    set("c/e").await;
    let heard = lines.until_snapshot().await;
    assert!(heard.contains("databases/other/documents/c/e") && !heard.contains("c/d"), "{heard}");
    // Clearing one database leaves the other as it is.
    let clear = format!("{}/emulator/v1/projects/demo/databases/other/documents", server.base);
    assert_eq!(server.http.delete(clear).send().await.unwrap().status(), 200);
    assert_eq!(server.http.get(format!("{other}/c/b")).send().await.unwrap().status(), 404);
    assert!(server.ask("GET", "/c/a", "").await.starts_with("200"));
}

#[tokio::test]
async fn requests_that_stream_their_replies() {
    let server = Server::start().await;
    for (id, number) in [("c/a", 1), ("c/b", 2), ("c/c", 3)] {
        server.set(id, number).await;
    }
    let mut log = Vec::new();
    let name = |id: &str| format!("{DATABASE}/documents/c/{id}");
    for (path, body) in [
        (":batchGet", format!(r#"{{"documents":["{0}","{1}","{0}"]}}"#, name("a"), name("none"))),
        (":batchGet", r#"{"documents":[]}"#.to_owned()),
        (
            ":runQuery",
            r#"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"GREATER_THAN","value":{"integerValue":"1"}}}}}"#
                .to_owned(),
        ),
        (":runQuery", r#"{"structuredQuery":{"from":[{"collectionId":"none"}]}}"#.to_owned()),
        (
            ":runAggregationQuery",
            r#"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"alias":"all","count":{}},{"sum":{"field":{"fieldPath":"n"}}}]}}"#
                .to_owned(),
        ),
        (":executePipeline", "{}".to_owned()),
    ] {
        log.push(format!("{path} {body}\n  {}", server.ask("POST", path, &body).await));
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn bad_requests_say_what_is_wrong() {
    let server = Server::start().await;
    let root = format!("{DATABASE}/documents");
    let mut log = Vec::new();
    for (path, body) in [
        (":commit", "{".to_owned()),
        (":commit", "[]".to_owned()),
        (":commit", r#"{"writes":[{}]}"#.to_owned()),
        (":commit", r#"{"writes":[{"delete":"foo"}]}"#.to_owned()),
        (":commit", r#"{"writes":[{"delete":"projects/demo/databases/other/documents/a/b"}]}"#.to_owned()),
        (":commit", format!(r#"{{"writes":[{{"update":{{"name":"{root}/a/b","fields":{{"x":{{}}}}}}}}]}}"#)),
        (":commit", format!(r#"{{"writes":[{{"verify":"{root}/a/b"}}]}}"#)),
        (":commit", r#"{"transaction":"AAAA"}"#.to_owned()),
        (":commit", r#"{"transaction":"%"}"#.to_owned()),
        (":runQuery", "{}".to_owned()),
        (":runQuery", r#"{"structuredQuery":{"limit":-1}}"#.to_owned()),
        (":runQuery", r#"{"structuredQuery":{"from":[{"collectionId":"a/b/c"}]}}"#.to_owned()),
        (":nothing", "{}".to_owned()),
        ("/c?documentId=__x__", "{}".to_owned()),
        ("/c?documentId=a%2Fb", "{}".to_owned()),
        ("/c?documentId=a%2Fb%2Fc", "{}".to_owned()),
    ] {
        log.push(format!("{path} {body}\n  {}", server.ask("POST", path, &body).await));
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let server = Server::start().await;
    let body = "x".repeat(docstore_wire::MAX_MESSAGE_BYTES + 1);
    let reply = server.ask("POST", ":commit", &body).await;
    assert!(reply.starts_with("400") && reply.contains("Request payload size exceeds the limit"), "{reply}");
}

#[tokio::test]
async fn pages_of_other_origins_may_call() {
    let server = Server::start().await;
    let preflight = server
        .request(Method::OPTIONS, ":commit")
        .header("origin", "http://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,x-goog-api-client");
    let failing = server.request(Method::POST, ":commit").header("origin", "http://app.example").body("{");
    let mut log = Vec::new();
    for request in [preflight, failing] {
        let response = request.send().await.unwrap();
        log.push(response.status().to_string());
        for (name, value) in response.headers() {
            if name.as_str().starts_with("access-control") || name == "vary" {
                log.push(format!("{name}: {}", value.to_str().unwrap()));
            }
        }
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn tokens_decide() {
    let server = Server::start().await;
    let ask = async |token: &str| {
        let response =
            server.request(Method::GET, "/c/a").header("authorization", token).send().await.unwrap();
        format!("{} {}", response.status().as_u16(), response.text().await.unwrap())
    };
    assert!(
        ask("Bearer bad")
            .await
            .contains(r#"401,"message":"The token does not hold.","status":"UNAUTHENTICATED""#)
    );
    assert!(ask("Bearer nobody").await.starts_with("403"));
    assert!(ask("Bearer owner").await.starts_with("404"));
}

/// As for every Google API, a token may come in the query; a header goes before it.
#[tokio::test]
async fn a_token_in_the_query_is_a_token() {
    let server = Server::start().await;
    for parameter in ["access_token", "oauth_token"] {
        let reply = server.ask("GET", &format!("/c/a?{parameter}=nobody"), "").await;
        assert!(reply.starts_with("403"), "{reply}");
    }
    let request = server.request(Method::GET, "/c/a?access_token=nobody");
    let both = request.header("authorization", "Bearer owner").send().await.unwrap();
    assert_eq!(both.status(), 404);
    let reply = server.ask("GET", "/c/a?access_token=a%0Ab", "").await;
    assert!(reply.starts_with("400") && reply.contains("The token in 'access_token'"), "{reply}");
    let shown = server.door.shown.lock().clone();
    assert_eq!(shown, ["Bearer nobody", "Bearer nobody", "Bearer owner"].map(|text| Some(text.to_owned())));
}

/// A plan is refused for what a run would be refused for, and is made at the time a run would read at.
#[tokio::test]
async fn a_plan_alone_is_checked_as_a_run() {
    let server = Server::start().await;
    server.set("c/a", 1).await;
    let begun = post(&server, ":beginTransaction", &json!({}), 200).await;
    post(&server, ":rollback", &json!({"transaction": begun["transaction"]}), 200).await;
    let open = post(&server, ":beginTransaction", &json!({}), 200).await;
    let query = json!({"from": [{"collectionId": "c"}], "orderBy": [{"field": {"fieldPath": "n"}}]});
    let count = |many: usize| {
        let aggregations: Vec<_> =
            (0..many).map(|n| json!({"alias": format!("a{n}"), "count": {}})).collect();
        json!({"structuredAggregationQuery": {"structuredQuery": query, "aggregations": aggregations}})
    };
    for (path, request, status) in [
        (":runQuery", json!({"structuredQuery": query}), 200),
        (":runQuery", json!({"structuredQuery": query, "transaction": open["transaction"]}), 200),
        (":runQuery", json!({"structuredQuery": query, "transaction": begun["transaction"]}), 400),
        (":runQuery", json!({"structuredQuery": query, "readTime": "2033-01-01T00:00:00Z"}), 400),
        (":runAggregationQuery", count(5), 200),
        (":runAggregationQuery", count(6), 400),
        (":runAggregationQuery", count(0), 400),
    ] {
        let mut replies = Vec::new();
        for analyze in [false, true] {
            let mut request = request.clone();
            request["explainOptions"] = json!({"analyze": analyze});
            replies.push(post(&server, path, &request, status).await);
        }
        if status == 400 {
            assert_eq!(replies[0], replies[1], "{path} {request}");
        } else {
            let plan = |reply: &Value| {
                let replies = reply.as_array().unwrap();
                replies.iter().find_map(|reply| reply["explainMetrics"].get("planSummary")).cloned().unwrap()
            };
            assert_eq!(plan(&replies[0]), plan(&replies[1]), "{path} {request}");
        }
    }
    // A transaction does not rest on what it only planned.
    let planned = &post(&server, ":beginTransaction", &json!({}), 200).await["transaction"];
    let plan = json!({"structuredQuery": query, "transaction": planned, "explainOptions": {}});
    post(&server, ":runQuery", &plan, 200).await;
    server.set("c/b", 2).await;
    post(&server, ":commit", &json!({"transaction": planned}), 200).await;
}

#[tokio::test]
async fn the_servers_own_databases_are_out_of_reach() {
    let server = Server::start().await;
    let url = format!("{}/v1/projects/demo/databases/__auth__/documents/a/b", server.base);
    let response = server.http.get(url).send().await.unwrap();
    assert_eq!(response.status(), 400);
    assert!(
        response
            .text()
            .await
            .unwrap()
            .contains(r#"Database id \"__auth__\" is invalid because it is reserved."#)
    );
}

#[tokio::test]
async fn only_the_emulator_forgets_everything_on_request() {
    for (mode, status, left) in [(Mode::Emulator, 200, "404"), (Mode::Serving, 404, "200")] {
        let server = Server::in_mode(mode).await;
        server.set("c/a", 1).await;
        let url = format!("{}/emulator/v1/{DATABASE}/documents", server.base);
        assert_eq!(server.http.delete(url).send().await.unwrap().status(), status);
        assert!(server.ask("GET", "/c/a", "").await.starts_with(left));
    }
}
