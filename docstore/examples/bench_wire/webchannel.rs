//! A browser's side of WebChannel, as much of it as a benchmark needs.

use serde_json::{Value, json};

use super::Outcome;
use super::calls::{DATABASE, client, fields, name};

/// A session with its back channel open.
pub(super) struct Channel {
    forward: reqwest::Client,
    url: String,
    sid: String,
    back: reqwest::Response,
    buffer: Vec<u8>,
    arrays: std::collections::VecDeque<Value>,
    /// Of the next request, and of the next message.
    rid: usize,
    map: usize,
    aid: u64,
}

fn form(offset: usize, message: &Value) -> String {
    let encoded: String = message.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("count=1&ofs={offset}&req0___data__={encoded}")
}

impl Channel {
    /// Opens a session for `rpc` with its first message.
    pub(super) async fn open(base: &str, rpc: &str, first: &Value) -> Outcome<Self> {
        let (forward, backward) = (client().build()?, client().build()?);
        let database: String = DATABASE.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let url = format!("{base}/google.firestore.v1.Firestore/{rpc}/channel?VER=8&database={database}");
        let headers = "headers=Authorization%3ABearer%20owner%0D%0A&";
        let reply =
            post(&forward, &format!("{url}&RID=1&CVER=22"), format!("{headers}{}", form(0, first))).await?;
        let hello: Value = serde_json::from_str(reply.split_once('\n').ok_or("no handshake")?.1)?;
        let sid = hello[0][1][1].as_str().ok_or("no session id")?.to_owned();
        let back = format!("{url}&RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp&t=1");
        let back = backward.get(back).send().await?.error_for_status()?;
        Ok(Self { forward, url, sid, back, buffer: vec![], arrays: [].into(), rid: 2, map: 1, aid: 0 })
    }

    /// Sends a message.
    pub(super) async fn send(&mut self, message: &Value) -> Outcome<()> {
        let url = format!("{}&SID={}&RID={}&AID={}", self.url, self.sid, self.rid, self.aid);
        let body = form(self.map, message);
        (self.rid, self.map) = (self.rid + 1, self.map + 1);
        post(&self.forward, &url, body).await.map(drop)
    }

    /// The next message.
    pub(super) async fn next(&mut self) -> Outcome<Value> {
        loop {
            if let Some(array) = self.arrays.pop_front() {
                self.aid = array[0].as_u64().unwrap_or(self.aid);
                return Ok(array[1][0].clone());
            }
            if let Some(at) = self.buffer.iter().position(|byte| *byte == b'\n') {
                // What the benchmark writes is ASCII, so that code units are bytes.
                let length: usize = std::str::from_utf8(&self.buffer[..at])?.parse()?;
                if self.buffer.len() > at + length {
                    let frame: Vec<u8> = self.buffer.drain(..=at + length).collect();
                    let arrays: Vec<Value> = serde_json::from_slice(&frame[at + 1..])?;
                    self.arrays.extend(arrays);
                    continue;
                }
            }
            let chunk = self.back.chunk().await?.ok_or("the back channel ended")?;
            self.buffer.extend_from_slice(&chunk);
        }
    }
}

/// Google's emulator closes the connection behind each reply; a request that meets that goes out again, as a browser's
/// does. Its messages are numbered, so that none counts twice.
async fn post(http: &reqwest::Client, url: &str, body: String) -> Outcome<String> {
    let request =
        || http.post(url).header("content-type", "application/x-www-form-urlencoded").body(body.clone());
    let response = match request().send().await {
        Err(error) if error.is_request() => request().send().await?,
        sent => sent?,
    };
    Ok(response.error_for_status()?.text().await?)
}

/// A client that writes over the write stream.
pub(super) struct Writer {
    channel: Channel,
    token: Value,
}

impl Writer {
    pub(super) async fn open(base: &str) -> Outcome<Self> {
        let mut channel = Channel::open(base, "Write", &json!({"database": DATABASE})).await?;
        loop {
            let message = channel.next().await?;
            if message["streamToken"].is_string() {
                return Ok(Self { channel, token: message["streamToken"].clone() });
            }
        }
    }

    pub(super) async fn set(&mut self, index: usize, n: usize) -> Outcome<()> {
        let update = json!({"update": {"name": name(index), "fields": fields(index, n)}});
        self.channel.send(&json!({"streamToken": self.token, "writes": [update]})).await?;
        loop {
            let message = self.channel.next().await?;
            if message["error"].is_object() {
                return Err(message.to_string().into());
            }
            if message["writeResults"].is_array() {
                self.token = message["streamToken"].clone();
                return Ok(());
            }
        }
    }
}
