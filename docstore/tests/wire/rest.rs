//! REST.

use docstore::wire::Mode;
use reqwest::Method;

use crate::server::{DATABASE, Server};

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
    ] {
        log.push(format!("{path} {body}\n  {}", server.ask("POST", path, &body).await));
    }
    insta::assert_snapshot!(log.join("\n"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let server = Server::start().await;
    let body = "x".repeat(docstore::wire::MAX_MESSAGE_BYTES + 1);
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
