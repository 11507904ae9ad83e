//! WebChannel as a browser speaks it.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::server::{DATABASE, Server};

fn url(server: &Server, rpc: &str, query: &str) -> String {
    format!("{}/google.firestore.v1.Firestore/{rpc}/channel?VER=8&{query}", server.base)
}

/// A form body with these messages.
fn form(offset: usize, messages: &[Value]) -> String {
    let mut body = format!("count={}&ofs={offset}", messages.len());
    for (index, message) in messages.iter().enumerate() {
        let encoded: String = message.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
        body += &format!("&req{index}___data__={encoded}");
    }
    body
}

fn listen_to(id: i32, path: &str) -> Value {
    let name = format!("{DATABASE}/documents/{path}");
    json!({"database": DATABASE, "addTarget": {"targetId": id, "documents": {"documents": [name]}}})
}

async fn post(server: &Server, rpc: &str, query: &str, body: String) -> (u16, String) {
    let request = server.http.post(url(server, rpc, query)).header("origin", "http://app.example");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["access-control-allow-origin"], "http://app.example");
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Opens a session and answers with its id.
async fn open(server: &Server, rpc: &str, extra: &str, body: String) -> String {
    let (status, reply) = post(server, rpc, &format!("RID=1&CVER=22{extra}"), body).await;
    assert_eq!(status, 200, "{reply}");
    let (length, json) = reply.split_once('\n').unwrap();
    assert_eq!(length.parse::<usize>().unwrap(), json.len());
    let arrays: Value = serde_json::from_str(json).unwrap();
    assert_eq!([&arrays[0][0], &arrays[0][1][0]], [&json!(0), &json!("c")]);
    assert_eq!(arrays[0][1].as_array().unwrap()[2..], [json!(""), json!(8), json!(12), json!(30_000)]);
    arrays[0][1][1].as_str().unwrap().to_owned()
}

/// One back channel: the arrays it brings.
struct Back {
    response: reqwest::Response,
    buffer: String,
    /// Arrays that came and were not looked at.
    arrays: VecDeque<(u64, Value)>,
}

impl Back {
    async fn open(server: &Server, rpc: &str, sid: &str, aid: u64, polling: bool) -> Self {
        let query = format!("RID=rpc&SID={sid}&AID={aid}&CI={}&TYPE=xmlhttp", u8::from(polling));
        let response = server.http.get(url(server, rpc, &query)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self { response, buffer: String::new(), arrays: VecDeque::new() }
    }

    /// The arrays of the next frame; `None` at the end.
    async fn frame(&mut self) -> Option<Vec<(u64, Value)>> {
        loop {
            if let Some((length, rest)) = self.buffer.split_once('\n') {
                let units: Vec<u16> = rest.encode_utf16().collect();
                let length: usize = length.parse().unwrap();
                if units.len() >= length {
                    let json = String::from_utf16(&units[..length]).unwrap();
                    self.buffer = String::from_utf16(&units[length..]).unwrap();
                    return Some(serde_json::from_str(&json).unwrap());
                }
            }
            let chunk = self.response.chunk().await.unwrap()?;
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Reads until an array's message fits; answers with its id and the message.
    async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> (u64, Value) {
        loop {
            while let Some((id, payload)) = self.arrays.pop_front() {
                if fits(&payload[0]) {
                    return (id, payload[0].clone());
                }
            }
            self.arrays = self.frame().await.expect("the back channel goes on").into();
        }
    }
}

fn is_snapshot(message: &Value) -> bool {
    message["targetChange"]["readTime"].is_string() && message["targetChange"]["targetIds"].is_null()
}

#[tokio::test]
async fn a_listener_streams() {
    let server = Server::start().await;
    let sid = open(&server, "Listen", "", form(0, &[listen_to(2, "c/é")])).await;
    let mut back = Back::open(&server, "Listen", &sid, 0, false).await;
    back.until(is_snapshot).await;
    server.set("c/%C3%A9", 1).await;
    let (_, change) = back.until(|message| message["documentChange"].is_object()).await;
    assert_eq!(change["documentChange"]["document"]["name"], format!("{DATABASE}/documents/c/é"));
    back.until(is_snapshot).await;
    // A second target on the same stream.
    let (status, receipt) =
        post(&server, "Listen", &format!("SID={sid}&RID=2&AID=0"), form(1, &[listen_to(4, "c/b")])).await;
    assert_eq!(status, 200);
    assert!(receipt.split_once('\n').unwrap().1.starts_with("[1,"), "a back channel is open: {receipt}");
    back.until(|message| message["documentDelete"].is_object()).await;
}

#[tokio::test]
async fn what_was_lost_is_sent_again_and_what_was_repeated_is_dropped() {
    let server = Server::start().await;
    let sid = open(&server, "Listen", "", form(0, &[listen_to(2, "c/a")])).await;
    let mut lost = Back::open(&server, "Listen", &sid, 0, false).await;
    let (last, _) = lost.until(is_snapshot).await;
    drop(lost);
    let mut again = Back::open(&server, "Listen", &sid, 0, false).await;
    let (same, _) = again.until(is_snapshot).await;
    assert_eq!(same, last, "nothing was acknowledged, so everything comes again under the same numbers");
    let second = form(1, &[listen_to(4, "c/b")]);
    for _ in 0..3 {
        post(&server, "Listen", &format!("SID={sid}&RID=2&AID={last}"), second.clone()).await;
    }
    let added = |message: &Value| message["targetChange"]["targetChangeType"] == "ADD";
    again.until(added).await;
    server.set("c/a", 1).await;
    let (_, next) = again.until(|message| added(message) || message["documentChange"].is_object()).await;
    assert!(!added(&next), "the target was added once, however often the request was repeated");
}

#[tokio::test]
async fn long_polling_brings_one_frame_at_a_time() {
    let server = Server::start().await;
    let sid = open(&server, "Listen", "", form(0, &[listen_to(2, "c/a")])).await;
    let mut aid = 0;
    let mut seen = false;
    while !seen {
        let mut back = Back::open(&server, "Listen", &sid, aid, true).await;
        for (id, payload) in back.frame().await.unwrap() {
            assert_eq!(id, aid + 1);
            aid = id;
            seen |= is_snapshot(&payload[0]);
        }
        assert!(back.frame().await.is_none(), "the reply ends after a frame");
    }
}

#[tokio::test]
async fn a_write_stream_commits_and_reports_failures() {
    let server = Server::start().await;
    let sid = open(&server, "Write", "", form(0, &[json!({"database": DATABASE})])).await;
    let mut back = Back::open(&server, "Write", &sid, 0, false).await;
    let (_, hello) = back.until(|message| message["streamToken"].is_string()).await;
    let name = |id: &str| format!("{DATABASE}/documents/c/{id}");
    let good = json!({"streamToken": hello["streamToken"], "writes": [{"update": {"name": name("a"), "fields": {}}}]});
    let bad = json!({"streamToken": hello["streamToken"], "writes": [{"delete": "foo"}]});
    post(&server, "Write", &format!("SID={sid}&RID=2&AID=1"), form(1, &[good, bad])).await;
    let (_, written) = back.until(|message| message["writeResults"].is_array()).await;
    assert_eq!(written["writeResults"].as_array().unwrap().len(), 1);
    let (_, error) = back.until(|message| message["error"].is_object()).await;
    assert_eq!(error["error"]["status"], "INVALID_ARGUMENT");
    assert_eq!(error["error"]["code"], 3);
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_an_error_on_the_stream() {
    let server = Server::start().await;
    let mut bad = listen_to(2, "c/a");
    bad["addTarget"]["badField"] = json!(1);
    let sid = open(&server, "Listen", "", form(0, &[bad])).await;
    let mut back = Back::open(&server, "Listen", &sid, 0, false).await;
    let (_, error) = back.until(|message| message["error"].is_object()).await;
    assert_eq!(error["error"]["status"], "INVALID_ARGUMENT");
}

#[tokio::test]
async fn headers_come_in_the_body_or_the_query() {
    let server = Server::start().await;
    let header = "Authorization%3ABearer%20in-body%0D%0A";
    let body = format!("headers={header}&{}", form(0, &[listen_to(2, "c/a")]));
    let sid = open(&server, "Listen", "", body).await;
    Back::open(&server, "Listen", &sid, 0, false).await.until(is_snapshot).await;
    let extra = "&%24httpHeaders=Authorization%3ABearer%20in-query%0D%0A";
    let sid = open(&server, "Listen", extra, form(0, &[listen_to(2, "c/a")])).await;
    Back::open(&server, "Listen", &sid, 0, false).await.until(is_snapshot).await;
    let shown = server.door.shown.lock().clone();
    assert_eq!(shown, [Some("Bearer in-body".to_owned()), Some("Bearer in-query".to_owned())]);
}

#[tokio::test]
async fn a_bad_token_is_an_error_on_the_stream() {
    let server = Server::start().await;
    let body = format!("headers=Authorization%3ABearer%20bad%0D%0A&{}", form(0, &[listen_to(2, "c/a")]));
    let sid = open(&server, "Listen", "", body).await;
    let mut back = Back::open(&server, "Listen", &sid, 0, false).await;
    let (_, error) = back.until(|message| message["error"].is_object()).await;
    assert_eq!(error["error"]["status"], "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_session_that_is_over_is_unknown() {
    let server = Server::start().await;
    let sid = open(&server, "Listen", "", form(0, &[listen_to(2, "c/a")])).await;
    let (status, _) =
        post(&server, "Listen", &format!("SID={sid}&RID=2&TYPE=terminate"), String::new()).await;
    assert_eq!(status, 200);
    // The session goes as soon as its task notices; until then it takes no more messages to its service.
    loop {
        let (status, reply) = post(&server, "Listen", &format!("SID={sid}&RID=3&AID=0"), form(1, &[])).await;
        if status == 400 {
            assert!(reply.find("Unknown SID").unwrap() > 0, "browsers look for it past the start: {reply}");
            break;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn requests_that_make_no_sense_are_refused() {
    let server = Server::start().await;
    let (status, reply) = post(&server, "Listen", "RID=1", "count=1".to_owned()).await;
    assert_eq!((status, reply.as_str()), (400, "Error: count=1, but req0___data__ is missing"));
    let sid = open(&server, "Listen", "", form(0, &[listen_to(2, "c/a")])).await;
    let (status, reply) = post(&server, "Listen", &format!("SID={sid}&RID=2&AID=99999"), form(1, &[])).await;
    assert_eq!(status, 400);
    assert!(reply.contains("AID=99999"), "{reply}");
    let old = format!("{}/google.firestore.v1.Firestore/Listen/channel?VER=7&RID=1", server.base);
    assert_eq!(server.http.post(old).send().await.unwrap().status(), 400);
}
