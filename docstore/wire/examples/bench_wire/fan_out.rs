//! One write, and how long it takes to reach everybody who watches the document.

use std::time::{Duration, Instant};

use docstore_wire::pb::v1;
use futures::{StreamExt as _, stream};
use prost::Message as _;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Outcome;
use super::calls::{Connection, DATABASE, Wire, client, frame, grpc, name};
use super::webchannel::Channel;

/// Number of timed writes.
const ROUNDS: usize = 60;

/// Longest time for one write to reach every listener.
const PATIENCE: Duration = Duration::from_secs(20);

/// The document that is watched.
const DOCUMENT: usize = 0;

/// Times that the writes took to reach all listeners.
pub(super) async fn measure(base: &str, wire: Wire, listeners: usize) -> Outcome<Vec<Duration>> {
    let (seen, mut heard) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    for _ in 0..listeners {
        let (base, seen) = (base.to_owned(), seen.clone());
        tasks.spawn(async move {
            let outcome = match wire {
                Wire::Grpc => over_grpc(&base, &seen).await,
                Wire::Rest => over_rest(&base, &seen).await,
                Wire::WebChannel => over_webchannel(&base, &seen).await,
            };
            if let Err(error) = outcome {
                let _over = seen.send(Err(error.to_string()));
            }
        });
    }
    let writer = Connection::open(base, Wire::Rest)?;
    // Everybody has something once everybody has the document as it is.
    writer.set(DOCUMENT, 0).await?;
    reached(&mut heard, listeners, 0).await?;
    let mut times = Vec::with_capacity(ROUNDS);
    for round in 1..=ROUNDS {
        let before = Instant::now();
        writer.set(DOCUMENT, round).await?;
        reached(&mut heard, listeners, round).await?;
        times.push(before.elapsed());
    }
    tasks.shutdown().await;
    Ok(times)
}

type Seen = mpsc::UnboundedSender<Result<usize, String>>;

/// Waits until as many listeners have seen `n` as there are.
async fn reached(
    heard: &mut mpsc::UnboundedReceiver<Result<usize, String>>,
    listeners: usize,
    n: usize,
) -> Outcome<()> {
    let mut left = listeners;
    while left > 0 {
        match timeout(PATIENCE, heard.recv()).await?.ok_or("all listeners ended")? {
            Ok(seen) if seen == n => left -= 1,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn target() -> Value {
    json!({"database": DATABASE, "addTarget": {
        "targetId": 2, "documents": {"documents": [name(DOCUMENT)]}
    }})
}

/// The number in a change of the document, as JSON.
fn number(message: &Value) -> Option<usize> {
    message["documentChange"]["document"]["fields"]["n"]["integerValue"].as_str()?.parse().ok()
}

async fn over_webchannel(base: &str, seen: &Seen) -> Outcome<()> {
    let mut channel = Channel::open(base, "Listen", target()).await?;
    loop {
        if let Some(n) = number(&channel.next().await?) {
            seen.send(Ok(n))?;
        }
    }
}

async fn over_rest(base: &str, seen: &Seen) -> Outcome<()> {
    let http = client().build()?;
    let url = format!("{base}/v1/{DATABASE}/documents:listen");
    let request = http.post(url).bearer_auth("owner").json(&target());
    let mut response = request.send().await?.error_for_status()?;
    let mut buffer = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        buffer.extend_from_slice(&chunk);
        while let Some(at) = buffer.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = buffer.drain(..=at).collect();
            let element = line.strip_prefix(b"[").or_else(|| line.strip_prefix(b",")).unwrap_or(&line);
            if let Some(n) = serde_json::from_slice(element).ok().as_ref().and_then(number) {
                seen.send(Ok(n))?;
            }
        }
    }
    Err("the stream ended".into())
}

async fn over_grpc(base: &str, seen: &Seen) -> Outcome<()> {
    use v1::value::ValueType::IntegerValue;
    let http = client().http2_prior_knowledge().build()?;
    let documents = v1::target::DocumentsTarget { documents: vec![name(DOCUMENT)] };
    let target = v1::Target {
        target_id: 2,
        target_type: Some(v1::target::TargetType::Documents(documents)),
        ..Default::default()
    };
    let request = v1::ListenRequest {
        database: DATABASE.to_owned(),
        target_change: Some(v1::listen_request::TargetChange::AddTarget(target)),
        ..Default::default()
    };
    let body = stream::iter([Ok::<_, std::convert::Infallible>(frame(&request))]).chain(stream::pending());
    let mut response = grpc(&http, base, "Listen", reqwest::Body::wrap_stream(body)).await?;
    let mut buffer = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        buffer.extend_from_slice(&chunk);
        while let Some((_, length)) = buffer.get(..5).and_then(<[u8]>::split_first) {
            let length = length.try_into().map(u32::from_be_bytes)?;
            let end = 5 + usize::try_from(length)?;
            let Some(message) = buffer.get(5..end) else { break };
            let message = v1::ListenResponse::decode(message)?;
            buffer.drain(..end);
            let Some(v1::listen_response::ResponseType::DocumentChange(change)) = message.response_type
            else {
                continue;
            };
            let value = change.document.and_then(|mut document| document.fields.remove("n"));
            if let Some(v1::Value { value_type: Some(IntegerValue(n)) }) = value {
                seen.send(Ok(usize::try_from(n)?))?;
            }
        }
    }
    Err("the stream ended".into())
}
