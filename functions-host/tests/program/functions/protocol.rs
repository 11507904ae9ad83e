//! The callable protocol over the network, row by row: every code of the error catalogue and every case of every header.
//! Each row posts `{"data": …}`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::Code;
use functions_host::functions::callable::{CallError, Chunks, Context, Function};
use functions_host::server::Server;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::functions::own::serve;

/// The canonical codes on the wire, and the HTTP status of each.
const CODES: [(&str, u16); 17] = [
    ("OK", 200),
    ("CANCELLED", 499),
    ("UNKNOWN", 500),
    ("INVALID_ARGUMENT", 400),
    ("DEADLINE_EXCEEDED", 504),
    ("NOT_FOUND", 404),
    ("ALREADY_EXISTS", 409),
    ("PERMISSION_DENIED", 403),
    ("UNAUTHENTICATED", 401),
    ("RESOURCE_EXHAUSTED", 429),
    ("FAILED_PRECONDITION", 400),
    ("ABORTED", 409),
    ("OUT_OF_RANGE", 400),
    ("UNIMPLEMENTED", 501),
    ("INTERNAL", 500),
    ("UNAVAILABLE", 503),
    ("DATA_LOSS", 500),
];

const JSON: (&str, &str) = ("content-type", "application/json");

/// Ends as specified by the data: with a result, or with the code of this name and details.
async fn end(_: Context, status: String) -> Result<Value, CallError> {
    match Code::from_status(&status) {
        Some(code) => {
            Err(CallError::new(code, "as asked").with_details(json!({ "row": [status, null, 1.5] })))
        }
        None => Ok(json!({ "ended": status })),
    }
}

#[expect(clippy::panic, reason = "the point of the function")]
async fn breaks(_: Context, secret: String) -> Result<Value, CallError> {
    panic!("it was {secret}");
}

async fn who(context: Context, _: Value) -> Result<Value, CallError> {
    Ok(json!({
        "uid": context.auth.map(|auth| auth.uid),
        "app": context.app_check.map(|app| app.app_id),
        "instance": context.instance_id,
    }))
}

async fn server() -> (Server, tempfile::TempDir) {
    let streams = |_: Context, status: String, chunks: Chunks| async move {
        chunks.send(&"begun").await?;
        end_as(&status)
    };
    serve(vec![
        Function::new("end", end),
        Function::new("who", who),
        Function::new("attested", who).enforce_app_check(),
        Function::new("echo", |_: Context, data: Value| async move { Ok::<_, CallError>(data) }),
        Function::new("refuse", |_: Context, details: Value| async move {
            Err::<Value, _>(CallError::new(Code::Aborted, "as asked").with_details(details))
        }),
        Function::new("breaks", breaks),
        Function::streaming("streams", streams),
    ])
    .await
}

fn end_as(status: &str) -> Result<Value, CallError> {
    Code::from_status(status).map_or_else(|| Ok(json!(status)), |code| Err(CallError::new(code, "as asked")))
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

async fn send(server: &Server, method: Method, name: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let url = format!("{}/demo/us-central1/{name}", server.addresses().url().trim_end_matches('/'));
    let request = Client::new().request(method, url).body(body.to_owned());
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer { status, headers, text: response.text().await.unwrap() }
}

async fn post(server: &Server, name: &str, headers: &[(&str, &str)], data: &Value) -> Answer {
    send(server, Method::POST, name, &[&[JSON], headers].concat(), &json!({ "data": data }).to_string()).await
}

fn unsigned(claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.", part(&json!({ "alg": "none", "typ": "JWT" })), part(claims))
}

fn user() -> String {
    unsigned(&json!({
        "iss": "https://securetoken.google.com/demo", "aud": "demo", "sub": "ada", "user_id": "ada",
        "iat": 1, "auth_time": 1, "exp": 9_999_999_999_u64, "firebase": { "sign_in_provider": "custom" },
    }))
}

#[tokio::test]
async fn every_code_comes_with_its_status_message_and_details() {
    let (server, _folder) = server().await;
    for (code, http) in CODES {
        let answer = post(&server, "end", &[], &json!(code)).await;
        assert_eq!(answer.headers["content-type"], "application/json; charset=utf-8");
        let expected = match code {
            "OK" => json!({ "result": { "ended": "OK" } }),
            _ => json!({ "error": {
                "status": code, "message": "as asked", "details": { "row": [code, null, 1.5] },
            } }),
        };
        assert_eq!((answer.status, answer.body()), (http, expected), "{code}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_stream_ends_with_every_code() {
    let (server, _folder) = server().await;
    let events = [("accept", "text/event-stream")];
    for (code, _) in CODES {
        let answer = post(&server, "streams", &events, &json!(code)).await;
        assert_eq!(
            (answer.status, &answer.headers["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        let last = match code {
            "OK" => json!({ "result": "OK" }),
            _ => json!({ "error": { "message": "as asked", "status": code } }),
        };
        assert_eq!(answer.text, format!("data: {{\"message\":\"begun\"}}\n\ndata: {last}\n\n"));
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn headers_say_who_calls() {
    let (server, _folder) = server().await;
    let bearer = format!("Bearer {}", user());
    let attestation = unsigned(&json!({ "sub": "web-app" }));
    let nobody = json!({ "uid": null, "app": null, "instance": null });
    let rows: [(&[(&str, &str)], Value); 7] = [
        (&[], nobody.clone()),
        (&[("authorization", "")], nobody.clone()),
        (&[("authorization", &bearer)], json!({ "uid": "ada", "app": null, "instance": null })),
        (
            &[("x-firebase-appcheck", &attestation)],
            json!({ "uid": null, "app": "web-app", "instance": null }),
        ),
        (&[("x-firebase-appcheck", "nonsense")], nobody.clone()),
        (
            &[("firebase-instance-id-token", "messages")],
            json!({ "uid": null, "app": null, "instance": "messages" }),
        ),
        (
            &[
                ("authorization", &bearer),
                ("x-firebase-appcheck", &attestation),
                ("firebase-instance-id-token", "messages"),
            ],
            json!({ "uid": "ada", "app": "web-app", "instance": "messages" }),
        ),
    ];
    for (headers, expected) in rows {
        let answer = post(&server, "who", headers, &json!(null)).await;
        assert_eq!((answer.status, answer.body()), (200, json!({ "result": expected })), "{headers:?}");
    }
    let refused = json!({ "error": { "message": "Unauthenticated", "status": "UNAUTHENTICATED" } });
    for authorization in ["Bearer", "Bearer nonsense", "Bearer a.b.c", "Bearer owner", "Basic YWRhOng="] {
        let answer = post(&server, "who", &[("authorization", authorization)], &json!(null)).await;
        assert_eq!((answer.status, answer.body()), (401, refused.clone()), "{authorization}");
    }
    let unattested: [&[(&str, &str)]; 2] = [&[], &[("x-firebase-appcheck", "nonsense")]];
    for headers in unattested {
        let answer = post(&server, "attested", headers, &json!(null)).await;
        assert_eq!((answer.status, answer.body()), (401, refused.clone()), "{headers:?}");
    }
    let answer = post(&server, "attested", &[("x-firebase-appcheck", &attestation)], &json!(null)).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn headers_say_what_is_sent_and_what_is_wanted() {
    let (server, _folder) = server().await;
    let call = r#"{"data":"OK"}"#;
    let done = json!({ "result": { "ended": "OK" } });
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"] {
        let answer = send(&server, Method::POST, "end", &[("content-type", kind)], call).await;
        assert_eq!((answer.status, answer.body()), (200, done.clone()), "{kind}");
    }
    let bad = json!({ "error": { "message": "Bad Request", "status": "INVALID_ARGUMENT" } });
    let other: [&[(&str, &str)]; 4] = [
        &[],
        &[("content-type", "text/plain")],
        &[("content-type", "application/jsonx")],
        &[("content-type", "application/x-www-form-urlencoded")],
    ];
    for headers in other {
        let answer = send(&server, Method::POST, "end", headers, call).await;
        assert_eq!((answer.status, answer.body()), (400, bad.clone()), "{headers:?}");
    }
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = send(&server, method.clone(), "end", &[JSON], call).await;
        assert_eq!((answer.status, answer.body()), (400, bad.clone()), "{method}");
    }
    // Callers that accept JSON too get JSON.
    for accept in ["*/*", "application/json", "text/event-stream, application/json"] {
        let answer = post(&server, "end", &[("accept", accept)], &json!("OK")).await;
        assert_eq!(answer.body(), done, "{accept}");
    }
    let events = post(&server, "end", &[("accept", "text/event-stream")], &json!("OK")).await;
    assert_eq!(events.text, format!("data: {done}\n\n"));
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_page_of_any_origin_reads_every_answer() {
    let (server, _folder) = server().await;
    let origin = ("origin", "https://app.example");
    for (code, http) in CODES {
        let answer = post(&server, "end", &[origin], &json!(code)).await;
        let allowed = &answer.headers["access-control-allow-origin"];
        assert_eq!((answer.status, allowed.to_str().unwrap()), (http, origin.1), "{code}");
        assert_eq!(answer.headers["vary"], "Origin");
    }
    let none = post(&server, "end", &[], &json!("OK")).await;
    assert!(!none.headers.contains_key("access-control-allow-origin"));
    let wanted = "authorization,content-type,firebase-instance-id-token,x-firebase-appcheck";
    let preflight =
        [origin, ("access-control-request-method", "POST"), ("access-control-request-headers", wanted)];
    let answer = send(&server, Method::OPTIONS, "end", &preflight, "").await;
    let header = |name: &str| answer.headers[name].to_str().unwrap().to_owned();
    assert_eq!((answer.status, answer.text.as_str()), (204, ""));
    assert_eq!(header("access-control-allow-origin"), origin.1);
    assert_eq!(header("access-control-allow-headers"), wanted);
    assert_eq!(header("access-control-allow-methods"), "GET,HEAD,PUT,PATCH,POST,DELETE");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_body_is_data_and_nothing_else() {
    let (server, _folder) = server().await;
    let bad = json!({ "error": { "message": "Bad Request", "status": "INVALID_ARGUMENT" } });
    let rows = [
        "",
        "{}",
        "[]",
        "null",
        "1",
        "{\"data\"",
        "{\"data\":1} x",
        "{\"Data\":1}",
        "{\"data\":1,\"more\":2}",
    ];
    for body in rows {
        let answer = send(&server, Method::POST, "echo", &[JSON], body).await;
        assert_eq!((answer.status, answer.body()), (400, bad.clone()), "{body}");
    }
    for data in
        [json!(null), json!(false), json!(0), json!(""), json!([]), json!({}), json!({ "a": [1.5, "é"] })]
    {
        let answer = post(&server, "echo", &[], &data).await;
        assert_eq!((answer.status, answer.body()), (200, json!({ "result": data })));
    }
    let most = 10 << 20;
    let fits = "x".repeat(most - r#"{"data":""}"#.len());
    let answer = post(&server, "echo", &[], &json!(fits)).await;
    assert_eq!((answer.status, answer.text.len()), (200, most + 2), "the largest there may be");
    let answer = post(&server, "echo", &[], &json!(format!("{fits}x"))).await;
    let error = &answer.body()["error"];
    assert_eq!((answer.status, &error["status"]), (400, &json!("INVALID_ARGUMENT")));
    assert!(error["message"].as_str().unwrap().contains("larger than"), "{error}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn integers_of_64_bits_keep_every_digit_in_data_results_and_details() {
    let (server, _folder) = server().await;
    let typed = |kind: &str, value: &str| json!({ "@type": format!("type.googleapis.com/google.protobuf.{kind}"), "value": value });
    let wide = json!([
        typed("Int64Value", "-9223372036854775808"),
        { "n": typed("UInt64Value", "18446744073709551615") },
    ]);
    let answer = post(&server, "echo", &[], &wide).await;
    assert_eq!((answer.status, answer.body()), (200, json!({ "result": wide })));
    let answer = post(&server, "refuse", &[], &wide).await;
    assert_eq!((answer.status, &answer.body()["error"]["details"]), (409, &wide));
    let narrow = json!([typed("Int64Value", "-5"), typed("UInt64Value", "9007199254740991")]);
    let answer = post(&server, "echo", &[], &narrow).await;
    assert_eq!(answer.body(), json!({ "result": [-5, 9_007_199_254_740_991_u64] }));
    for unknown in [typed("Int64Value", "1.5"), typed("Int64Value", "x"), typed("Timestamp", "1")] {
        let answer = post(&server, "echo", &[], &unknown).await;
        assert_eq!(answer.body()["error"]["status"], "INVALID_ARGUMENT", "{unknown}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn what_breaks_inside_says_nothing_outside() {
    let (server, _folder) = server().await;
    let internal = json!({ "error": { "message": "INTERNAL", "status": "INTERNAL" } });
    let answer = post(&server, "breaks", &[], &json!("a secret")).await;
    assert_eq!((answer.status, answer.body()), (500, internal.clone()));
    let answer = post(&server, "breaks", &[("accept", "text/event-stream")], &json!("a secret")).await;
    assert_eq!((answer.status, answer.text), (200, format!("data: {internal}\n\n")));
    assert_eq!(post(&server, "end", &[], &json!("OK")).await.status, 200, "others go on");
    server.stop().await.unwrap();
}
