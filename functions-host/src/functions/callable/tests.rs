//! Tests of the protocol around a function, without a network: every row of the error table, and internal failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::{
    AppCheck, AuthContext, CallError, Callables, Chunks, Context, Function, Registry, TokenVerifier,
};

struct OneToken;

impl TokenVerifier for OneToken {
    fn verify<'a>(&'a self, authorization: &'a str) -> BoxFuture<'a, Result<AuthContext>> {
        Box::pin(async move {
            match authorization {
                "Bearer good" => Ok(AuthContext { uid: "ada".to_owned(), token: json!({"sub": "ada"}) }),
                "Bearer guest" => {
                    Ok(AuthContext { uid: "gus".to_owned(), token: json!({"sub": "gus", "guest": true}) })
                }
                "Bearer later" => Err(Error::new(Code::Unavailable, "KeysAway", "try again")),
                _ => Err(Error::new(Code::Unauthenticated, "BadToken", "secret reason")),
            }
        })
    }

    fn app_check(&self, token: &str) -> Option<AppCheck> {
        (token == "app").then(|| AppCheck { app_id: "web".to_owned(), token: json!({}) })
    }
}

/// Fails with the code named by the data.
async fn fail(_: Context, status: String) -> Result<Value, CallError> {
    let code = Code::from_status(&status).ok_or_else(|| CallError::invalid("no such code"))?;
    Err(CallError::new(code, "as asked").with_details(json!({"big": i64::MAX})))
}

async fn who(context: Context, _: Value) -> Result<Value, CallError> {
    Ok(json!({
        "uid": context.auth.map(|auth| auth.uid),
        "app": context.app_check.map(|app| app.app_id),
        "instance": context.instance_id,
    }))
}

async fn never(_: Context, _: Value) -> Result<Value, CallError> {
    std::future::pending().await
}

fn callables() -> Callables {
    let echo = |_: Context, data: Value| async move { Ok::<_, CallError>(data) };
    let panics = |_: Context, _: Value| async move {
        if true {
            panic!("secret text");
        }
        Ok::<_, CallError>(())
    };
    let leaks = |_: Context, _: Value| async move {
        Err::<(), _>(Error::internal("Broken", "Something broke.", "secret cause"))
    };
    let counts = |_: Context, to: u32, chunks: Chunks| async move {
        for n in 0..to {
            chunks.send(&n).await?;
        }
        Ok::<_, CallError>(to)
    };
    let mut registry = Registry::default();
    for function in [
        Function::new("echo", echo),
        Function::new("fail", fail),
        Function::new("who", who),
        Function::new("table", who).admit_guests(),
        Function::new("attested", who).enforce_app_check(),
        Function::new("never", never).timeout(Duration::from_secs(5)),
        Function::new("panics", panics),
        Function::new("leaks", leaks),
        Function::streaming("counts", counts),
    ] {
        registry.register(function).unwrap();
    }
    Callables::new(registry, Arc::new(OneToken), "demo".to_owned())
}

fn post(name: &str, body: &str) -> Request<Body> {
    let request =
        Request::post(format!("/demo/us-central1/{name}")).header("content-type", "application/json");
    request.body(Body::from(body.to_owned())).unwrap()
}

fn with(mut request: Request<Body>, headers: &[(&'static str, &'static str)]) -> Request<Body> {
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    request
}

async fn send(request: Request<Body>) -> Response {
    let callables = callables();
    let path = request.uri().path().to_owned();
    callables.serve(callables.address(None, &path).unwrap(), request).await
}

async fn answer(request: Request<Body>) -> (u16, Value) {
    let response = send(request).await;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

async fn text(request: Request<Body>) -> (u16, String) {
    let response = send(request).await;
    let status = response.status().as_u16();
    (status, String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap())
}

const BAD_REQUEST: &str = r#"{"error":{"message":"Bad Request","status":"INVALID_ARGUMENT"}}"#;

#[tokio::test]
async fn data_comes_back_as_result() {
    let response = send(post("echo", r#"{"data": {"a": [1, null, "é"]}}"#)).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
    let (_, body) = answer(post("echo", r#"{"data": {"a": [1, null, "é"]}}"#)).await;
    assert_eq!(body, json!({"result": {"a": [1, null, "é"]}}));
    assert_eq!(answer(post("echo", r#"{"data": null}"#)).await, (200, json!({"result": null})));
}

#[tokio::test]
async fn wide_integers_keep_every_digit_both_ways() {
    let data = r#"{"data": {"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9007199254740993"}}"#;
    let expected =
        json!({"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9007199254740993"});
    assert_eq!(answer(post("echo", data)).await, (200, json!({ "result": expected })));
    let (status, body) = answer(post("echo", r#"{"data": {"@type": "x"}}"#)).await;
    assert_eq!((status, &body["error"]["status"]), (400, &json!("INVALID_ARGUMENT")));
}

#[tokio::test]
async fn requests_off_the_protocol_are_bad_requests() {
    let json_type = ("content-type", "application/json");
    let mut rows = vec![
        with(post("echo", r#"{"data": 1}"#), &[("content-type", "text/plain")]),
        with(post("echo", r#"{"data": 1}"#), &[("content-type", "application/jsonx")]),
        Request::post("/demo/us-central1/echo").body(Body::from(r#"{"data": 1}"#)).unwrap(),
    ];
    for body in ["", "{}", "[1]", r#"{"data": 1, "more": 2}"#, "{\"data\": \"\u{1}\"}", r#"{"data""#] {
        rows.push(post("echo", body));
    }
    for method in ["GET", "PUT", "DELETE", "PATCH"] {
        let request = Request::builder().method(method).uri("/demo/us-central1/echo");
        rows.push(request.header(json_type.0, json_type.1).body(Body::from(r#"{"data": 1}"#)).unwrap());
    }
    for request in rows {
        let shown = format!("{request:?}");
        let (status, body) = text(request).await;
        assert_eq!(status, 400, "{shown}");
        assert_eq!(
            serde_json::from_str::<Value>(&body).unwrap(),
            serde_json::from_str::<Value>(BAD_REQUEST).unwrap()
        );
    }
    let charset =
        with(post("echo", r#"{"data": 1}"#), &[("content-type", "Application/JSON; charset=UTF-8")]);
    assert_eq!(answer(charset).await, (200, json!({"result": 1})));
}

#[tokio::test]
async fn every_code_has_its_status_and_details() {
    let big =
        json!({"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9223372036854775807"});
    for (status, http) in [
        ("CANCELLED", 499),
        ("UNKNOWN", 500),
        ("INVALID_ARGUMENT", 400),
        ("DEADLINE_EXCEEDED", 504),
        ("NOT_FOUND", 404),
        ("ALREADY_EXISTS", 409),
        ("PERMISSION_DENIED", 403),
        ("RESOURCE_EXHAUSTED", 429),
        ("FAILED_PRECONDITION", 400),
        ("ABORTED", 409),
        ("OUT_OF_RANGE", 400),
        ("UNIMPLEMENTED", 501),
        ("INTERNAL", 500),
        ("UNAVAILABLE", 503),
        ("DATA_LOSS", 500),
        ("UNAUTHENTICATED", 401),
    ] {
        let expected = json!({"error": {"status": status, "message": "as asked", "details": {"big": big}}});
        assert_eq!(answer(post("fail", &json!({"data": status}).to_string())).await, (http, expected));
    }
}

#[tokio::test]
async fn tokens_are_checked_and_their_refusal_says_nothing() {
    let call = |headers| answer(with(post("who", r#"{"data": 1}"#), headers));
    assert_eq!(call(&[]).await, (200, json!({"result": {"uid": null, "app": null, "instance": null}})));
    let all = &[
        ("authorization", "Bearer good"),
        ("x-firebase-appcheck", "app"),
        ("firebase-instance-id-token", "fcm"),
    ];
    assert_eq!(call(all).await, (200, json!({"result": {"uid": "ada", "app": "web", "instance": "fcm"}})));
    let refused = json!({"error": {"status": "UNAUTHENTICATED", "message": "Unauthenticated"}});
    assert_eq!(call(&[("authorization", "Bearer bad")]).await, (401, refused.clone()));
    assert_eq!(call(&[("authorization", "Basic abc")]).await, (401, refused.clone()));
    let (status, body) = call(&[("authorization", "Bearer later")]).await;
    assert_eq!((status, &body["error"]["status"]), (503, &json!("UNAVAILABLE")));
    assert_eq!(call(&[("x-firebase-appcheck", "other")]).await.0, 200);
    assert_eq!(answer(post("attested", r#"{"data": 1}"#)).await, (401, refused.clone()));
    let attested = with(post("attested", r#"{"data": 1}"#), &[("x-firebase-appcheck", "app")]);
    assert_eq!(answer(attested).await.0, 200);
}

#[tokio::test]
async fn what_breaks_inside_stays_inside() {
    let (status, body) = text(post("panics", r#"{"data": 1}"#)).await;
    assert_eq!(status, 500);
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap(),
        json!({"error": {"message": "INTERNAL", "status": "INTERNAL"}})
    );
    let (status, body) = text(post("leaks", r#"{"data": 1}"#)).await;
    assert_eq!(status, 500);
    assert!(body.contains("Something broke.") && !body.contains("secret"), "{body}");
}

#[tokio::test]
async fn unknown_functions_and_wrong_data_are_named() {
    let (status, body) = answer(post("nothing", r#"{"data": 1}"#)).await;
    assert_eq!((status, &body["error"]["status"]), (404, &json!("NOT_FOUND")));
    assert!(body["error"]["message"].as_str().unwrap().contains("nothing"));
    let (status, body) = answer(post("counts", r#"{"data": "many"}"#)).await;
    assert_eq!((status, &body["error"]["status"]), (400, &json!("INVALID_ARGUMENT")));
}

#[tokio::test]
async fn too_much_data_is_refused() {
    let body = format!("{{\"data\":\"{}\"}}", "x".repeat(super::MAX_REQUEST_BYTES));
    let (status, body) = answer(post("echo", &body)).await;
    assert_eq!((status, &body["error"]["status"]), (400, &json!("INVALID_ARGUMENT")));
    assert!(body["error"]["message"].as_str().unwrap().contains("10485760"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_given_up() {
    let (status, body) = answer(post("never", r#"{"data": 1}"#)).await;
    assert_eq!((status, &body["error"]["status"]), (504, &json!("DEADLINE_EXCEEDED")));
}

#[tokio::test]
async fn hanging_up_drops_the_running_function() {
    static DROPPED: AtomicBool = AtomicBool::new(false);
    struct Mark;
    impl Drop for Mark {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::SeqCst);
        }
    }
    let mut registry = Registry::default();
    let waits = |context: Context, data: Value| async move {
        let _mark = Mark;
        never(context, data).await
    };
    registry.register(Function::new("waits", waits)).unwrap();
    let callables = Callables::new(registry, Arc::new(OneToken), "demo".to_owned());
    let address = callables.address(None, "/demo/us-central1/waits").unwrap();
    let mut call = Box::pin(callables.serve(address, post("waits", r#"{"data": 1}"#)));
    assert!(futures::poll!(call.as_mut()).is_pending());
    assert!(!DROPPED.load(Ordering::SeqCst));
    drop(call);
    assert!(DROPPED.load(Ordering::SeqCst));
}

#[tokio::test]
async fn streams_are_events_and_so_are_their_failures() {
    let events = ("accept", "text/event-stream");
    let response = send(with(post("counts", r#"{"data": 2}"#), &[events])).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let (status, body) = text(with(post("counts", r#"{"data": 2}"#), &[events])).await;
    assert_eq!(status, 200);
    assert_eq!(body, "data: {\"message\":0}\n\ndata: {\"message\":1}\n\ndata: {\"result\":2}\n\n");
    assert_eq!(answer(post("counts", r#"{"data": 2}"#)).await, (200, json!({"result": 2})));
    for (name, body) in [("echo", "{}"), ("nothing", r#"{"data": 1}"#), ("panics", r#"{"data": 1}"#)] {
        let (status, body) = text(with(post(name, body), &[events])).await;
        assert_eq!(status, 200);
        assert!(body.starts_with("data: {\"error\":{") && body.ends_with("}}\n\n"), "{body}");
    }
}

#[tokio::test]
async fn any_origin_may_ask_and_read_errors_too() {
    let preflight = Request::options("/demo/us-central1/echo")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type")
        .body(Body::empty())
        .unwrap();
    let response = send(preflight).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(response.headers()["access-control-allow-origin"], "https://app.example");
    assert_eq!(response.headers()["access-control-allow-methods"], "GET,HEAD,PUT,PATCH,POST,DELETE");
    assert_eq!(response.headers()["access-control-allow-headers"], "authorization,content-type");
    let vary: Vec<_> = response.headers().get_all("vary").iter().collect();
    assert_eq!(vary, ["Origin", "Access-Control-Request-Headers"]);
    for (name, body) in [("echo", r#"{"data": 1}"#), ("echo", "{}"), ("nothing", r#"{"data": 1}"#)] {
        let response = send(with(post(name, body), &[("origin", "https://app.example")])).await;
        assert_eq!(response.headers()["access-control-allow-origin"], "https://app.example");
    }
    assert!(!send(post("echo", "{}")).await.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_worker_that_cannot_read_a_call_answers_in_the_protocols_words() {
    let answered = |status: u16, kind: &str, body: &'static str| {
        Response::builder().status(status).header("content-type", kind).body(Body::from(body)).unwrap()
    };
    let relay = async |accept: &'static str, response: Response| {
        let asked = [("accept", accept), ("origin", "https://app.example")];
        let (parts, _) = with(post("theirs", ""), &asked).into_parts();
        let (head, body) = Callables::relay(&parts, response).into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        (head.status.as_u16(), head.headers, text)
    };
    let html = "text/html; charset=utf-8";
    for status in [400, 415] {
        let (status, headers, body) = relay("*/*", answered(status, html, "Unexpected token")).await;
        assert_eq!((status, body.as_str()), (400, BAD_REQUEST));
        assert_eq!(headers["access-control-allow-origin"], "https://app.example");
    }
    let (status, _, body) = relay("*/*", answered(413, html, "request entity too large")).await;
    assert_eq!(status, 400);
    assert!(body.contains("INVALID_ARGUMENT") && body.contains("too large"), "{body}");
    let (status, _, body) = relay("text/event-stream", answered(400, html, "Unexpected token")).await;
    assert_eq!((status, body), (200, format!("data: {BAD_REQUEST}\n\n")));
    // The function's own responses are unchanged.
    for (status, kind) in [(400, "application/json; charset=utf-8"), (404, html), (500, html)] {
        assert_eq!(relay("*/*", answered(status, kind, "theirs")).await.2, "theirs", "{status}");
    }
}

#[tokio::test]
async fn guests_of_a_table_call_what_admits_them_and_nothing_else() {
    let guest = &[("authorization", "Bearer guest")];
    let (status, body) = answer(with(post("table", r#"{"data": null}"#), guest)).await;
    assert_eq!((status, &body["result"]["uid"]), (200, &json!("gus")));
    for name in ["echo", "who", "counts"] {
        let (status, body) = answer(with(post(name, r#"{"data": null}"#), guest)).await;
        assert_eq!((status, &body["error"]["status"]), (403, &json!("PERMISSION_DENIED")), "{name}");
    }
}
