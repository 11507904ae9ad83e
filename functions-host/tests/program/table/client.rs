//! A client of a table's socket that keeps every byte it is sent.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::DeflateDecoder;
use futures::{SinkExt as _, StreamExt as _};
use reqwest::Client as Http;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::server::{Place, Server, new_project_of};

/// Calls a function. Returns the result, or the error's status.
pub(crate) async fn call(server: &Server, token: &str, name: &str, data: Value) -> Result<Value, String> {
    let request = Http::new().post(server.at(&format!("/us-central1-demo/{name}"))).bearer_auth(token);
    let body: Value = request.json(&json!({ "data": data })).send().await.unwrap().json().await.unwrap();
    match body.get("error") {
        Some(error) => Err(error["status"].as_str().unwrap().to_owned()),
        None => Ok(body["result"].clone()),
    }
}

/// An unsigned token, accepted by the emulator.
pub(crate) fn token(uid: &str) -> String {
    use base64::Engine as _;
    let part = |json: Value| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(json.to_string());
    format!("{}.{}.", part(json!({"alg": "none", "typ": "JWT"})), part(json!({"sub": uid, "name": uid})))
}

/// An emulator with its data in the place's folder.
pub(crate) async fn emulator(place: &Place) -> Server {
    place.serve(&["--mode", "emulator"]).await
}

/// Makes the project `d` of `ann` with other members, as the server's functions would.
pub(crate) async fn put_project(server: &Server, members: &[(&str, &str)]) {
    let mut fields = new_project_of("ann");
    for (uid, role) in members {
        fields["members"]["mapValue"]["fields"][*uid] = json!({ "stringValue": role });
    }
    let url = server.at("/v1/projects/demo/databases/(default)/documents/projects/d");
    let request = Http::new().patch(url).bearer_auth("owner").json(&json!({ "fields": fields }));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

/// A card's text that appears nowhere else.
pub(crate) fn marker(card: usize) -> String {
    format!("Marker{card:02}Face")
}

/// Text of the box that everybody is sent.
pub(crate) const COMMON: &str = r#"{"layouts":[]}"#;

/// A box of cards with one back.
pub(crate) fn cards(count: usize) -> Value {
    let card = |card| json!({"face": json!({"name": marker(card)}).to_string(), "back": 0, "copies": 1});
    let back = json!({"look": "{}", "kind": "card", "size": [630, 880]});
    let all: Vec<_> = (0..count).collect();
    json!({
        "backs": [back],
        "definitions": all.iter().map(|no| card(*no)).collect::<Vec<_>>(),
        "sets": [{"name": "All", "members": all}],
        "common": COMMON,
    })
}

/// Opens a table of the project `d` with a host and other seats.
pub(crate) async fn open_table(server: &Server, count: usize, seats: usize) -> String {
    let seats: Vec<_> = (0..seats).map(|no| json!({"name": format!("Seat {no}")})).collect();
    let data = json!({"projectId": "d", "name": "Friday", "box": cards(count), "seats": seats});
    let opened = call(server, &token("ann"), "openTable", data).await.unwrap();
    opened["table"].as_str().unwrap().to_owned()
}

/// Somebody at a table.
pub(crate) struct Player {
    socket: WebSocketStream<TcpStream>,
    pub(crate) uid: String,
    pub(crate) pieces: BTreeMap<String, Value>,
    pub(crate) seat: Option<u64>,
    pub(crate) epoch: String,
    pub(crate) n: u64,
    /// The number of the own act that was last answered with yes, and its entry.
    pub(crate) acked: u64,
    c: u64,
    /// Every message, as text.
    pub(crate) bytes: String,
    /// By card, the entry at which its face was first sent.
    pub(crate) faces: BTreeMap<usize, u64>,
}

/// Opens a socket and says nothing.
pub(crate) async fn connect(
    server: &Server,
    table: &str,
    headers: &[(&'static str, &str)],
) -> Result<WebSocketStream<TcpStream>, Error> {
    let host = server.url.strip_prefix("http://").unwrap();
    let stream = TcpStream::connect(host).await.unwrap();
    let mut request = format!("ws://{host}/__/table/{table}/socket").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    client_async(request, stream).await.map(|(socket, _)| socket)
}

impl Player {
    pub(crate) async fn come(server: &Server, table: &str, uid: &str, have: Option<Value>) -> Self {
        let mut socket = connect(server, table, &[]).await.unwrap();
        let mut hello = json!({"hello": 2, "token": token(uid)});
        if let Some(have) = have {
            hello["have"] = have;
        }
        socket.send(Message::text(hello.to_string())).await.unwrap();
        Self {
            socket,
            uid: uid.to_owned(),
            pieces: BTreeMap::new(),
            seat: None,
            epoch: String::new(),
            n: 0,
            acked: 0,
            c: 0,
            bytes: String::new(),
            faces: BTreeMap::new(),
        }
    }

    /// Goes on from what an earlier socket was sent.
    pub(crate) fn resume(&mut self, before: &Self, pieces: BTreeMap<String, Value>) {
        (self.epoch, self.n, self.seat) = (before.epoch.clone(), before.n, before.seat);
        (self.faces, self.pieces, self.c) = (before.faces.clone(), pieces, before.c);
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        // The server may have closed already.
        drop(self.socket.send(Message::text(text)).await);
    }

    pub(crate) async fn send(&mut self, message: &Value) -> bool {
        self.socket.send(Message::text(message.to_string())).await.is_ok()
    }

    /// The next message; `None` at the socket's end.
    pub(crate) async fn read(&mut self) -> Option<Value> {
        loop {
            let text = match self.socket.next().await?.ok()? {
                Message::Text(text) => text.to_string(),
                Message::Binary(bytes) => {
                    let mut text = String::new();
                    DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
                    text
                }
                Message::Close(_) => return None,
                _ => continue,
            };
            self.bytes.push_str(&text);
            let message: Value = serde_json::from_str(&text).unwrap();
            self.take(&message);
            for (at, _) in text.match_indices("Marker") {
                let card = text[at + 6..at + 8].parse().unwrap();
                self.faces.entry(card).or_insert(self.n);
            }
            return Some(message);
        }
    }

    fn take(&mut self, message: &Value) {
        if let Some(state) = message.get("state") {
            self.seat = state["seat"].as_u64();
            self.epoch = state["epoch"].as_str().unwrap().to_owned();
            self.n = state["n"].as_u64().unwrap();
            self.pieces.clear();
            self.apply(state);
        } else if let Some(n) = message.get("n").and_then(Value::as_u64) {
            assert_eq!(n, self.n + 1, "patches of {} follow each other", self.uid);
            self.n = n;
            self.apply(message);
        }
        if let Some(ack) = message.get("ack").and_then(Value::as_u64) {
            self.acked = ack;
        }
    }

    fn apply(&mut self, patch: &Value) {
        for (handle, shown) in patch.get("set").and_then(Value::as_object).into_iter().flatten() {
            match shown {
                Value::Null => drop(self.pieces.remove(handle)),
                shown => drop(self.pieces.insert(handle.clone(), shown.clone())),
            }
        }
        for (handle, at) in patch.get("put").and_then(Value::as_object).into_iter().flatten() {
            let piece = self.pieces.get_mut(handle).unwrap();
            (piece["x"], piece["y"], piece["z"]) = (at[0].clone(), at[1].clone(), at[2].clone());
        }
    }

    /// Reads until a message has `key`.
    pub(crate) async fn until(&mut self, key: &str) -> Value {
        loop {
            let message = self.read().await.unwrap();
            if let Some(value) = message.get(key) {
                return value.clone();
            }
        }
    }

    /// Sends an act and reads up to its answer; `None` if the socket ends before.
    pub(crate) async fn tries(&mut self, mut act: Value) -> Option<Value> {
        self.c += 1;
        act["c"] = json!(self.c);
        if !self.send(&json!({ "act": act })).await {
            return None;
        }
        loop {
            let message = self.read().await?;
            if [message.get("ack"), message.get("no")].contains(&Some(&json!(self.c))) {
                return Some(message);
            }
        }
    }

    pub(crate) async fn asks(&mut self, act: Value) -> Value {
        self.tries(act).await.unwrap()
    }

    pub(crate) async fn does(&mut self, act: Value) -> Value {
        let answer = self.asks(act).await;
        assert!(answer.get("ack").is_some(), "{answer}");
        answer
    }

    pub(crate) fn have(&self) -> Value {
        json!({"epoch": self.epoch, "n": self.n})
    }

    pub(crate) fn named(&self, name: &str) -> Option<String> {
        let found = self.pieces.iter().find(|(_, shown)| shown["name"] == name);
        found.map(|(handle, _)| handle.clone())
    }

    /// Lays out a deck of all cards, face down and shuffled, and a hand for each seat.
    pub(crate) async fn set_up(&mut self) {
        let at = json!({"at": {"surface": 0, "x": 0, "y": 0}});
        let container = |kind: &str, name: &str, each: bool| {
            let place = json!({"container": {"kind": kind, "name": name}});
            json!({"do": "place", "each_seat": each, "place": place, "to": at})
        };
        let setup = json!({"steps": [
            container("stack", "Deck", false),
            container("stack", "Discard", false),
            container("hand", "Hand", true),
            {"do": "place", "place": {"set": 0}, "to": {"into": {"name": "Deck"}}, "face": "down"},
            {"do": "shuffle", "what": {"name": "Deck"}},
        ]});
        self.does(json!({"verb": "edit", "edit": {"setup": {"button": setup}}})).await;
        self.does(json!({"verb": "restore", "to": "setup"})).await;
    }
}
