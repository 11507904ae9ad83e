//! Tests of a real source in real Node processes. Without the suites' packages (`npm ci` in `suites/`) they are
//! skipped with a message.

use axum::body::{Body, to_bytes};
use serde_json::{Value, json};
use tokio::process::Command;

use super::*;

/// Largest response read by these tests, in bytes.
const MOST: usize = 1 << 20;

fn services() -> Vec<(&'static str, String)> {
    let config = json!({ "projectId": "demo-functions", "storageBucket": "demo-functions.appspot.com" });
    vec![("GCLOUD_PROJECT", "demo-functions".to_owned()), ("FIREBASE_CONFIG", config.to_string())]
}

async fn sample() -> Option<NodeFunctions> {
    sample_under("node".into()).await
}

async fn sample_under(node: PathBuf) -> Option<NodeFunctions> {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/functions");
    let source = suite.join("functions");
    if Sdk::of(&source).is_err() {
        eprintln!("SKIPPED: run `npm ci` in suites/ to test functions in Node");
        return None;
    }
    let compiled = Command::new("node").arg(suite.join("compile.mjs")).status().await.unwrap();
    assert!(compiled.success(), "the sample functions cannot be compiled");
    let options = NodeOptions {
        node,
        source,
        project: "demo-functions".into(),
        services: services(),
        workers: Some(2),
        log: Arc::new(FunctionLog::new(Arc::new(docstore::clock::SystemClock))),
        operator: None,
        inspect: None,
    };
    Some(NodeFunctions::load(options).await.unwrap())
}

fn post(body: &Value) -> Request<Body> {
    Request::post("/")
        .header("content-type", "application/json")
        .header("x-tuckbox-signature", "event")
        .body(Body::from(body.to_string()))
        .unwrap()
}

async fn call(
    functions: &NodeFunctions,
    id: &str,
    path: &str,
    request: Request<Body>,
) -> Result<(u16, String)> {
    let response = functions.call(&functions.endpoints[id], path, request).await?;
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), MOST)
        .await
        .map_err(|error| Error::new(Code::Unavailable, "BodyEnded", error.to_string()))?;
    Ok((status, String::from_utf8(body.to_vec()).unwrap()))
}

async fn echo(functions: &NodeFunctions, data: &Value) -> Value {
    let (status, body) = call(functions, "echo", "/", post(&json!({ "data": data }))).await.unwrap();
    assert_eq!(status, 200, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["result"]["data"].clone()
}

#[tokio::test]
async fn finds_every_kind_and_runs_http() {
    let Some(functions) = sample().await else { return };
    let kinds =
        functions.endpoints.iter().map(|(id, endpoint)| (id.as_str(), endpoint.kind())).collect::<Vec<_>>();
    assert!(kinds.contains(&("group-inner", Kind::Callable)));
    assert!(kinds.contains(&("web", Kind::Https)));
    assert!(kinds.contains(&("v1thing", Kind::Background)));

    assert_eq!(echo(&functions, &json!({ "a": [1, "é"] })).await, json!({ "a": [1, "é"] }));
    let (status, body) = call(&functions, "group-inner", "/", post(&json!({ "data": null }))).await.unwrap();
    assert_eq!((status, body.as_str()), (200, r#"{"result":"inner"}"#));

    let (status, body) = call(&functions, "web", "/deep/path?x=1", post(&json!({ "n": 1 }))).await.unwrap();
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 201);
    assert_eq!(
        body,
        json!({ "method": "POST", "path": "/deep/path", "query": { "x": "1" }, "bytes": 7,
                "greeting": "Hello", "target": null })
    );
}

/// As version managers install it: `node` is a program that starts Node, which is then not the host's child.
#[tokio::test]
async fn workers_live_under_a_program_that_starts_node() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let node = folder.path().join("node");
    std::fs::write(&node, "#!/bin/sh\nnode \"$@\"\nexit $?\n").unwrap();
    std::fs::set_permissions(&node, std::fs::Permissions::from_mode(0o755)).unwrap();
    let Some(functions) = sample_under(node).await else { return };
    // Longer than the watchdog's interval.
    let slow = call(&functions, "slow", "/", post(&json!({}))).await.unwrap_err();
    assert_eq!(slow.code(), Code::DeadlineExceeded, "{slow}");
    assert_eq!(echo(&functions, &json!(1)).await, json!(1));
}

#[test]
fn a_worker_has_the_memory_that_the_neediest_function_asks_for() {
    let heap = |declared: &[Value]| {
        let endpoint = |memory: &Value| {
            let endpoint = json!({ "entryPoint": "f", "availableMemoryMb": memory });
            Arc::new(serde_json::from_value::<Endpoint>(endpoint).unwrap())
        };
        let endpoints: Vec<_> = declared.iter().map(endpoint).collect();
        heap_mib(endpoints.iter())
    };
    assert_eq!(heap(&[]), DEFAULT_HEAP_MIB);
    assert_eq!(heap(&[json!(128), json!(null)]), DEFAULT_HEAP_MIB);
    assert_eq!(heap(&[json!(1_024), json!(null), json!("2048")]), 2_048);
    assert_eq!(heap(&[json!(u64::MAX)]), MAX_HEAP_MIB);
}

#[tokio::test]
async fn failures_do_not_leak_and_do_not_spread() {
    let Some(functions) = sample().await else { return };
    let (status, body) = call(&functions, "break", "/", post(&json!({ "data": 1 }))).await.unwrap();
    assert_eq!((status, body.as_str()), (500, r#"{"error":{"message":"INTERNAL","status":"INTERNAL"}}"#));

    let quit = call(&functions, "quit", "/", post(&json!({}))).await.unwrap_err();
    assert_eq!(quit.code(), Code::Unavailable);
    assert_eq!(echo(&functions, &json!(1)).await, json!(1));

    let hog = call(&functions, "hog", "/", post(&json!({}))).await.unwrap_err();
    assert_eq!(hog.code(), Code::Unavailable);
    assert_eq!(echo(&functions, &json!(2)).await, json!(2));

    let (status, _) = call(&functions, "shout", "/", post(&json!({}))).await.unwrap();
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_loop_ends_at_its_deadline_while_others_go_on() {
    let Some(functions) = sample().await else { return };
    assert_eq!(echo(&functions, &json!(0)).await, json!(0));
    let functions = Arc::new(functions);
    let looping = tokio::spawn({
        let functions = functions.clone();
        async move { call(&functions, "loop", "/", post(&json!({}))).await }
    });
    while !functions.pool.any_busy() {
        tokio::task::yield_now().await;
    }
    // The first of these starts the second worker, which takes them.
    functions.pool.wait_for_idle().await;
    for n in 0..20 {
        assert_eq!(echo(&functions, &json!(n)).await, json!(n));
    }
    assert_eq!(looping.await.unwrap().unwrap_err().code(), Code::DeadlineExceeded);
    let slow = call(&functions, "slow", "/", post(&json!({}))).await.unwrap_err();
    assert_eq!(slow.code(), Code::DeadlineExceeded);
}

#[tokio::test]
async fn another_worker_is_ready_before_anybody_asks_for_it() {
    let Some(functions) = sample().await else { return };
    assert_eq!(echo(&functions, &json!(0)).await, json!(0));
    let mut patient = (*functions.endpoints["loop"]).clone();
    patient.timeout_seconds = Some(3_600);
    // As many as the pool may hold.
    let looping = async || functions.call(&patient, "/", post(&json!({}))).await;
    tokio::select! {
        ended = looping() => panic!("a loop ended first: {ended:?}"),
        ended = looping() => panic!("a loop ended first: {ended:?}"),
        () = async {
            while !functions.pool.any_busy() {
                tokio::task::yield_now().await;
            }
            functions.pool.stand_in_ready().await;
        } => {}
    }
    assert_eq!(echo(&functions, &json!(1)).await, json!(1));
}

fn text(body: &str) -> Request<Body> {
    Request::post("/").header("content-type", "text/plain").body(Body::from(body.to_owned())).unwrap()
}

/// Both requests reach the one warm worker; only the first of them runs there.
#[tokio::test]
async fn a_request_behind_a_loop_runs_once_in_another_worker() {
    let Some(functions) = sample().await else { return };
    assert_eq!(echo(&functions, &json!(0)).await, json!(0));
    let warm = functions.log.lines().after(0, usize::MAX).last().unwrap().1.worker;
    let (occupied, said) =
        tokio::join!(call(&functions, "occupy", "/", text("")), call(&functions, "say", "/", text("one")),);
    assert_eq!(occupied.unwrap(), (200, "done".to_owned()));
    assert_eq!(said.unwrap(), (200, "one".to_owned()));
    // The first worker does not run the request that it still finds in its socket.
    let (again, more) =
        tokio::join!(call(&functions, "say", "/", text("two")), call(&functions, "say", "/", text("three")));
    assert_eq!((again.unwrap().1.as_str(), more.unwrap().1.as_str()), ("two", "three"));
    let lines = functions.log.lines().after(0, usize::MAX);
    let by = |wanted: &str| -> Vec<_> {
        lines.iter().filter(|(_, line)| line.text == wanted).map(|(_, line)| line.worker).collect()
    };
    assert_eq!((by("said one").len(), by("said two").len(), by("said three").len()), (1, 1, 1));
    assert_ne!(by("said one")[0], warm, "a loop held it up");
}

/// Requests that share a worker are claimed, and pass on their bodies of any size.
#[tokio::test]
async fn requests_share_a_worker() {
    let Some(functions) = sample().await else { return };
    let large = "x".repeat(MOST / 2);
    let one = |n: usize| {
        let (functions, data) =
            (&functions, json!([n, if n.is_multiple_of(7) { large.as_str() } else { "" }]));
        async move { assert_eq!(echo(functions, &data).await, data) }
    };
    futures::future::join_all((0..60).map(one)).await;
    let empty = |_| call(&functions, "web", "/", Request::get("/").body(Body::empty()).unwrap());
    for answered in futures::future::join_all((0..20).map(empty)).await {
        assert_eq!(answered.unwrap().0, 201);
    }
}

#[tokio::test]
async fn streams_chunks_as_they_come() {
    let Some(functions) = sample().await else { return };
    let mut request = post(&json!({ "data": { "to": 3 } }));
    request.headers_mut().insert("accept", HeaderValue::from_static("text/event-stream"));
    let (status, body) = call(&functions, "count", "/", request).await.unwrap();
    assert_eq!(status, 200);
    let events = body.lines().filter(|line| line.starts_with("data: ")).collect::<Vec<_>>();
    assert_eq!(
        events,
        [
            r#"data: {"message":1}"#,
            r#"data: {"message":2}"#,
            r#"data: {"message":3}"#,
            r#"data: {"result":3}"#
        ]
    );
}

#[tokio::test]
async fn a_source_that_does_not_load_says_why() {
    if sample().await.is_none() {
        return;
    }
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/functions");
    let broken = tempfile::tempdir_in(suite).unwrap();
    std::fs::write(broken.path().join("package.json"), "{}").unwrap();
    std::fs::write(broken.path().join("index.js"), "throw new Error('the reason')").unwrap();
    let link = broken.path().join("node_modules");
    std::os::unix::fs::symlink(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../suites/node_modules"),
        link,
    )
    .ok();
    let options = NodeOptions {
        node: "node".into(),
        source: broken.path().into(),
        project: "demo-functions".into(),
        services: services(),
        workers: Some(1),
        log: Arc::new(FunctionLog::new(Arc::new(docstore::clock::SystemClock))),
        operator: None,
        inspect: None,
    };
    let error = NodeFunctions::load(options).await.unwrap_err();
    assert!(error.message().contains("the reason"), "{}", error.message());
}
