//! The clock and the faults of emulator mode: for this machine's own programs and pages, and for no others.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::server::{Place, Server};

async fn emulator() -> (Place, Server) {
    let place = Place::new(Some(r#"{ "firestore": {} }"#));
    let server = place.serve(&["--mode", "emulator", "--in-memory"]).await;
    (place, server)
}

#[tokio::test]
async fn clock_and_faults_are_set_read_and_taken_away() {
    let (_place, server) = emulator().await;
    let client = Client::new();
    let ask = async |method: Method, path: &str, body: Value| {
        let answer = client.request(method, server.at(path)).json(&body).send().await.unwrap();
        (answer.status(), answer.json::<Value>().await.unwrap())
    };
    let time = json!({ "now": "2031-05-04T03:02:01Z", "stopped": true });
    let (status, clock) = ask(Method::PUT, "/__/clock", time).await;
    assert_eq!((status, &clock["now"]), (StatusCode::OK, &json!("2031-05-04T03:02:01.000000Z")));
    let document = server.at("/v1/projects/demo/databases/(default)/documents/notes/a");
    let written = client.patch(&document).bearer_auth("owner").json(&json!({ "fields": {} })).send().await;
    let written = written.unwrap().json::<Value>().await.unwrap();
    assert!(written["updateTime"].as_str().unwrap().starts_with("2031-05-04T03:02:01"), "{written}");
    let (_, clock) = ask(Method::DELETE, "/__/clock", Value::Null).await;
    assert_eq!(clock["stopped"], false);

    let fault = json!({ "product": "firestore", "method": "GET", "error": "ABORTED", "times": 1 });
    let (_, added) = ask(Method::POST, "/__/faults", fault).await;
    assert_eq!((&added["id"], &added["met"]), (&json!(1), &json!(0)));
    let read = async || client.get(&document).bearer_auth("owner").send().await.unwrap();
    let refused = read().await;
    assert_eq!(refused.status(), StatusCode::CONFLICT);
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["status"], "ABORTED");
    assert_eq!(read().await.status(), StatusCode::OK);
    let (_, listed) = ask(Method::GET, "/__/faults", Value::Null).await;
    assert_eq!(listed["faults"][0]["met"], 1);
    let (_, removed) = ask(Method::DELETE, "/__/faults/1", Value::Null).await;
    assert_eq!(removed["id"], 1);

    let cut = json!({ "path": "/v1/**", "cutAfterBytes": 5 });
    ask(Method::POST, "/__/faults", cut).await;
    // The client may see the end before it has the head.
    let cut = client.get(&document).bearer_auth("owner").send().await;
    let read_whole = match cut {
        Ok(answer) => answer.bytes().await.is_ok(),
        Err(_ended) => false,
    };
    assert!(!read_whole);
    // A fault on everything leaves the way to take it back.
    ask(Method::POST, "/__/faults", json!({ "error": "UNAVAILABLE" })).await;
    let (status, _) = ask(Method::DELETE, "/__/faults", Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(read().await.status(), StatusCode::OK);
}

#[tokio::test]
async fn others_set_neither() {
    let (_place, server) = emulator().await;
    let client = Client::new();
    let place = Place::new(None);
    let serving = place.serve(&[]).await;
    for (path, body) in [("/__/clock", json!({ "advance": "1h" })), ("/__/faults", json!({ "latencyMs": 1 }))]
    {
        let method = if path.ends_with("clock") { Method::PUT } else { Method::POST };
        let request = |server: &Server| client.request(method.clone(), server.at(path)).json(&body);
        let forwarded = request(&server).header("x-forwarded-for", "10.1.1.1").send().await.unwrap();
        assert_eq!(forwarded.status(), StatusCode::NOT_FOUND, "{path}");
        let page = request(&server).header("origin", "https://evil.example").send().await.unwrap();
        assert_eq!(page.status(), StatusCode::FORBIDDEN, "{path}");
        let rebound = request(&server).header("host", "evil.example").send().await.unwrap();
        assert_eq!(rebound.status(), StatusCode::FORBIDDEN, "{path}");
        let own = request(&server).header("origin", "http://localhost:3000").send().await.unwrap();
        assert_eq!(own.status(), StatusCode::OK, "{path}");
        assert!(!request(&serving).send().await.unwrap().status().is_success(), "{path}");
    }
}
