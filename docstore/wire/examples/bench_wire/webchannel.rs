//! A browser's side of WebChannel, as much of it as a benchmark needs.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::Outcome;
use super::calls::{DATABASE, client, fields, name, query};

/// Longest silence of the back channel while a message is expected.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session with its back channel open.
pub(super) struct Channel {
    forward: reqwest::Client,
    backward: reqwest::Client,
    url: String,
    sid: String,
    back: reqwest::Response,
    buffer: Vec<u8>,
    arrays: VecDeque<Value>,
    /// Of the next request, and of the next message.
    rid: usize,
    map: usize,
    aid: u64,
}

fn form(offset: usize, messages: &[Value]) -> String {
    let mut body = format!("count={}&ofs={offset}", messages.len());
    for (index, message) in messages.iter().enumerate() {
        let encoded: String = message.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
        body += &format!("&req{index}___data__={encoded}");
    }
    body
}

/// The back channel of session `sid` after array `aid`.
async fn back_channel(http: &reqwest::Client, url: &str, sid: &str, aid: u64) -> Outcome<reqwest::Response> {
    let url = format!("{url}&RID=rpc&SID={sid}&AID={aid}&CI=0&TYPE=xmlhttp&t=1");
    Ok(http.get(url).send().await?.error_for_status()?)
}

impl Channel {
    /// Opens a session for `rpc` with its first message.
    pub(super) async fn open(base: &str, rpc: &str, first: Value) -> Outcome<Self> {
        let (forward, backward) = (client().build()?, client().build()?);
        let database: String = DATABASE.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let url = format!("{base}/google.firestore.v1.Firestore/{rpc}/channel?VER=8&database={database}");
        let body = format!("headers=Authorization%3ABearer%20owner%0D%0A&{}", form(0, &[first]));
        let reply = post(&forward, &format!("{url}&RID=1&CVER=22"), body).await?;
        let hello: Value = serde_json::from_str(reply.split_once('\n').ok_or("no handshake")?.1)?;
        let sid = hello[0][1][1].as_str().ok_or("no session id")?.to_owned();
        let back = back_channel(&backward, &url, &sid, 0).await?;
        let (buffer, arrays) = (Vec::new(), VecDeque::new());
        Ok(Self { forward, backward, url, sid, back, buffer, arrays, rid: 2, map: 1, aid: 0 })
    }

    /// Sends messages in one request.
    pub(super) async fn send(&mut self, messages: &[Value]) -> Outcome<()> {
        let url = format!("{}&SID={}&RID={}&AID={}", self.url, self.sid, self.rid, self.aid);
        let body = form(self.map, messages);
        (self.rid, self.map) = (self.rid + 1, self.map + messages.len());
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
                // The benchmark writes ASCII only, so code units are bytes.
                let length: usize = std::str::from_utf8(&self.buffer[..at])?.parse()?;
                if self.buffer.len() > at + length {
                    let frame: Vec<u8> = self.buffer.drain(..=at + length).collect();
                    let arrays: Vec<Value> = serde_json::from_slice(&frame[at + 1..])?;
                    self.arrays.extend(arrays);
                    continue;
                }
            }
            match timeout(PATIENCE, self.back.chunk()).await?? {
                Some(chunk) => self.buffer.extend_from_slice(&chunk),
                // A back channel ends when it has carried much; the next one goes on behind it.
                None => {
                    self.buffer.clear();
                    self.back = back_channel(&self.backward, &self.url, &self.sid, self.aid).await?;
                }
            }
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
        let mut channel = Channel::open(base, "Write", json!({"database": DATABASE})).await?;
        loop {
            let message = channel.next().await?;
            if message["streamToken"].is_string() {
                return Ok(Self { channel, token: message["streamToken"].clone() });
            }
        }
    }

    pub(super) async fn set(&mut self, index: usize, n: usize) -> Outcome<()> {
        let update = json!({"update": {"name": name(index), "fields": fields(index, n)}});
        self.channel.send(&[json!({"streamToken": self.token, "writes": [update]})]).await?;
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

/// A client that reads over the listen stream, as the browser's SDK does: a target that it removes once it has it.
pub(super) struct Reader {
    channel: Channel,
    target: i32,
}

impl Reader {
    pub(super) async fn open(base: &str) -> Outcome<Self> {
        let target = 2;
        let channel = Channel::open(base, "Listen", added(target, document(0))).await?;
        let mut reader = Self { channel, target };
        reader.whole().await?;
        Ok(reader)
    }

    pub(super) async fn get(&mut self, index: usize) -> Outcome<()> {
        self.read(document(index)).await
    }

    pub(super) async fn query(&mut self) -> Outcome<()> {
        let mut target = json!({"query": query()});
        target["query"]["parent"] = format!("{DATABASE}/documents").into();
        self.read(target).await
    }

    async fn read(&mut self, target: Value) -> Outcome<()> {
        let last = json!({"database": DATABASE, "removeTarget": self.target});
        self.target += 2;
        self.channel.send(&[last, added(self.target, target)]).await?;
        self.whole().await
    }

    /// Waits for the snapshot that makes the target whole.
    async fn whole(&mut self) -> Outcome<()> {
        let mut current = false;
        loop {
            let message = self.channel.next().await?;
            let change = &message["targetChange"];
            let is_ours = change["targetIds"].as_array().is_some_and(|ids| ids.contains(&self.target.into()));
            if message["error"].is_object() || is_ours && change["cause"].is_object() {
                return Err(message.to_string().into());
            }
            current |= is_ours && change["targetChangeType"] == "CURRENT";
            if current && change["readTime"].is_string() && change["targetIds"].is_null() {
                return Ok(());
            }
        }
    }
}

fn document(index: usize) -> Value {
    json!({"documents": {"documents": [name(index)]}})
}

fn added(number: i32, mut target: Value) -> Value {
    target["targetId"] = number.into();
    json!({"database": DATABASE, "addTarget": target})
}
