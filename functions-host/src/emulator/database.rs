//! The port of the Realtime Database, which this server lacks: every request is refused at once and in words. Clients of
//! a port that is closed connect again for ever, and their calls never end.

use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use docstore::model::Ts;
use futures::{SinkExt as _, StreamExt as _};
use http::header::HOST;
use http::{Request, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::host::sockets::{self, Socket};

/// The refusal, for people.
const WORDS: &str = "Tuckbox has no Realtime Database. Documents are in Cloud Firestore; tests that need the Realtime Database run with the official emulator.";

/// Path of the socket.
const SOCKET: &str = "/.ws";

/// The protocol's version.
const VERSION: &str = "5";

/// Largest message: clients send a longer request in parts of 16 kB.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;

/// Most parts of one request: 16 MB in the parts that clients send, the product's limit of a write, and never more than
/// 64 MiB.
const MAX_PARTS: usize = 1_024;

/// Longest silence of a client, which sends a keep-alive every 45 seconds.
const SILENCE: Duration = Duration::from_secs(150);

/// Requests that clients make for themselves, and before any other: after a refusal they would connect again.
const CLIENT_ACTIONS: [&str; 8] = ["auth", "gauth", "unauth", "appcheck", "unappcheck", "s", "n", "unlisten"];

/// The answer to a request; `now` is told to clients, which compare it with their own clock.
pub(crate) fn answer(now: Ts, request: Request<Body>) -> Response {
    if request.uri().path() != SOCKET {
        return (StatusCode::NOT_IMPLEMENTED, Json(json!({ "error": WORDS }))).into_response();
    }
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    sockets::upgrade(request, MAX_MESSAGE_BYTES, move |socket, stopping| async move {
        tokio::select! {
            () = refuse(socket, host, now) => {}
            () = stopping.begins() => {}
        }
    })
}

/// Speaks the protocol as far as a client needs it to learn of the refusal.
async fn refuse(mut socket: Socket, host: String, now: Ts) {
    let millis = now.micros() / 1_000;
    let hello = json!({"t": "h", "d": {"ts": millis, "v": VERSION, "h": host, "s": "tuckbox"}});
    for control in [hello, json!({"t": "e", "d": WORDS})] {
        let message = json!({"t": "c", "d": control}).to_string();
        if socket.send(Message::text(message)).await.is_err() {
            return;
        }
    }
    let mut parts = Parts::default();
    while let Ok(Some(Ok(message))) = tokio::time::timeout(SILENCE, socket.next()).await {
        let Message::Text(text) = message else { continue };
        let Ok(request) = parts.add(&text) else { return };
        if let Some(reply) = request.as_ref().and_then(reply)
            && socket.send(Message::text(reply.to_string())).await.is_err()
        {
            return;
        }
    }
}

/// The reply to a request; `None` for a message that is none.
fn reply(message: &Value) -> Option<Value> {
    let data = message.get("d").filter(|_| message["t"] == "d")?;
    let (number, action) = (data.get("r")?, data.get("a")?.as_str()?);
    let body = if CLIENT_ACTIONS.contains(&action) {
        json!({"s": "ok", "d": {}})
    } else {
        json!({"s": "unavailable", "d": WORDS})
    };
    Some(json!({"t": "d", "d": {"r": number, "b": body}}))
}

/// A request that arrives in parts, after their number.
#[derive(Debug, Default)]
struct Parts {
    missing: usize,
    text: String,
}

/// More parts than a request may have.
#[derive(Debug, PartialEq, Eq)]
struct TooLong;

impl Parts {
    /// Adds a message. Returns the request if it is complete; a number alone announces parts, or is a keep-alive.
    fn add(&mut self, message: &str) -> Result<Option<Value>, TooLong> {
        if self.missing == 0 {
            let Ok(parts) = message.parse::<usize>() else { return Ok(serde_json::from_str(message).ok()) };
            if parts > MAX_PARTS {
                return Err(TooLong);
            }
            self.missing = parts;
            return Ok(None);
        }
        self.text.push_str(message);
        self.missing -= 1;
        if self.missing > 0 {
            return Ok(None);
        }
        let whole = std::mem::take(&mut self.text);
        Ok(serde_json::from_str(&whole).ok())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn requests_are_refused_and_those_of_the_client_itself_are_not() {
        let status = |action: &str| {
            let reply = reply(&json!({"t": "d", "d": {"r": 7, "a": action, "b": {"p": "/a"}}})).unwrap();
            assert_eq!((&reply["t"], &reply["d"]["r"]), (&json!("d"), &json!(7)));
            reply["d"]["b"]["s"].as_str().unwrap().to_owned()
        };
        for action in ["q", "g", "p", "m", "o", "om", "oc"] {
            assert_eq!(status(action), "unavailable", "{action}");
        }
        for action in CLIENT_ACTIONS {
            assert_eq!(status(action), "ok", "{action}");
        }
        for other in [json!({"t": "c", "d": {}}), json!({"t": "d", "d": {"a": "q"}}), json!(7)] {
            assert_eq!(reply(&other), None, "{other}");
        }
    }

    #[test]
    fn a_keep_alive_is_no_request_and_too_many_parts_are_refused() {
        let mut parts = Parts::default();
        assert_eq!(parts.add("0"), Ok(None));
        assert_eq!(parts.add("no JSON"), Ok(None));
        assert_eq!(parts.add("[1]"), Ok(Some(json!([1]))));
        assert_eq!(parts.add("1025"), Err(TooLong));
    }

    proptest! {
        #[test]
        fn parts_are_put_together(text in ".{1,60}", cuts in prop::collection::vec(0_usize..60, 0..5)) {
            let whole = json!({ "text": text }).to_string();
            let mut places: Vec<_> = cuts.into_iter().filter(|cut| whole.is_char_boundary(*cut)).collect();
            places.extend([0, whole.len()]);
            places.sort_unstable();
            let mut parts = Parts::default();
            prop_assert_eq!(parts.add(&(places.len() - 1).to_string()), Ok(None));
            let mut found = None;
            for ends in places.windows(2) {
                prop_assert_eq!(&found, &None);
                found = parts.add(&whole[ends[0]..ends[1]]).unwrap();
            }
            prop_assert_eq!(found, Some(json!({ "text": text })));
        }
    }
}
