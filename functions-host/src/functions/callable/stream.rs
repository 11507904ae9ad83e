//! Streaming calls: chunks, then the result, as server-sent events.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use docstore::{Code, Error};
use futures::StreamExt as _;
use futures::stream::{self, Stream};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::codec::encode;
use super::error::CallError;

/// Interval of comments sent on an idle stream to keep it alive.
pub const HEARTBEAT: Duration = Duration::from_secs(30);

/// Chunks queued for a slow reader before [`Chunks::send`] waits.
const CHUNK_QUEUE: usize = 16;

/// Sender of a streaming function's partial results.
#[derive(Debug, Clone)]
pub struct Chunks(Option<mpsc::Sender<Bytes>>);

impl Chunks {
    /// Discards chunks, for callers that take only the result.
    pub const fn ignored() -> Self {
        Self(None)
    }

    /// True if the caller takes chunks; otherwise [`Chunks::send`] does nothing.
    pub const fn accepted(&self) -> bool {
        self.0.is_some()
    }

    /// Sends one chunk, waiting while the caller is slow. Returns true if it was sent.
    ///
    /// # Errors
    /// The chunk cannot be serialised as JSON.
    pub async fn send<Chunk: Serialize + Sync>(&self, chunk: &Chunk) -> Result<bool, CallError> {
        let Some(queue) = &self.0 else { return Ok(false) };
        let value = serde_json::to_value(chunk)
            .map_err(|error| CallError::internal("ChunkNotJson", error.to_string()))?;
        Ok(queue.send(event(&json!({"message": encode(value)}))).await.is_ok())
    }
}

/// One event.
pub(super) fn event(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}

/// A queue for chunks, and its reader.
pub(super) fn channel() -> (Chunks, mpsc::Receiver<Bytes>) {
    let (sender, receiver) = mpsc::channel(CHUNK_QUEUE);
    (Chunks(Some(sender)), receiver)
}

struct Running<F> {
    call: Pin<Box<F>>,
    chunks: mpsc::Receiver<Bytes>,
    heartbeat: Interval,
    result: Option<Bytes>,
    ended: bool,
}

/// The events of a running call. The call runs inside the stream, so a caller that disconnects drops both.
pub(super) fn events<F>(
    call: F,
    chunks: mpsc::Receiver<Bytes>,
) -> impl Stream<Item = Result<Bytes, Infallible>>
where
    F: Future<Output = Result<Value, CallError>> + Send,
{
    let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let running = Running { call: Box::pin(call), chunks, heartbeat, result: None, ended: false };
    stream::unfold(running, |mut running| async move {
        let event = running.next().await?;
        Some((Ok(event), running))
    })
}

impl<F: Future<Output = Result<Value, CallError>>> Running<F> {
    async fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        while self.result.is_none() {
            tokio::select! {
                biased;
                Some(chunk) = self.chunks.recv() => return Some(chunk),
                outcome = &mut self.call => {
                    self.result = Some(match outcome {
                        Ok(result) => event(&json!({ "result": result })),
                        Err(error) => event(&error.body()),
                    });
                }
                _ = self.heartbeat.tick() => return Some(Bytes::from_static(b": ping\n\n")),
            }
        }
        // Chunks sent just before the end precede the result. A clone of the sender that outlives the call is closed
        // here.
        self.chunks.close();
        if let Some(chunk) = self.chunks.recv().await {
            return Some(chunk);
        }
        self.ended = true;
        self.result.take()
    }
}

/// The events of a user's callable. If they break off, a final event tells the caller why.
pub(super) fn relayed(body: Body) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(Some(body.into_data_stream()), |events| async move {
        let mut events = events?;
        match events.next().await? {
            Ok(bytes) => Some((Ok(bytes), Some(events))),
            Err(cause) => Some((Ok(event(&broken_off(&cause).body())), None)),
        }
    })
}

fn broken_off(cause: &(dyn std::error::Error + 'static)) -> CallError {
    let causes = std::iter::successors(Some(cause), |cause| cause.source());
    let known = causes.filter_map(|cause| cause.downcast_ref::<Error>()).next();
    known.map_or_else(
        || CallError::new(Code::Unavailable, "the function's worker ended in the middle of its answer"),
        |known| CallError::new(known.code(), known.message()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(
        call: impl Future<Output = Result<Value, CallError>> + Send,
        chunks: mpsc::Receiver<Bytes>,
    ) -> String {
        let all: Vec<_> = events(call, chunks).map(|event| event.unwrap()).collect().await;
        String::from_utf8(all.concat()).unwrap()
    }

    #[tokio::test]
    async fn chunks_come_in_order_and_before_the_result() {
        let (chunks, reader) = channel();
        let call = async move {
            for n in 0..100 {
                assert!(chunks.send(&n).await?);
            }
            Ok(json!("done"))
        };
        let expected: String = (0..100).map(|n| format!("data: {{\"message\":{n}}}\n\n")).collect();
        assert_eq!(text(call, reader).await, expected + "data: {\"result\":\"done\"}\n\n");
    }

    #[tokio::test]
    async fn a_failure_is_an_event() {
        let (chunks, reader) = channel();
        let call = async move {
            chunks.send(&1).await?;
            Err(CallError::new(Code::Aborted, "no"))
        };
        assert_eq!(
            text(call, reader).await,
            "data: {\"message\":1}\n\ndata: {\"error\":{\"message\":\"no\",\"status\":\"ABORTED\"}}\n\n"
        );
    }

    #[tokio::test]
    async fn where_a_relayed_stream_breaks_off_the_caller_is_told_why() {
        let relay = async |broken: Result<Bytes, axum::Error>| {
            let sent = [Ok(Bytes::from_static(b"data: {}\n\n")), broken, Ok(Bytes::from_static(b"never"))];
            let all: Vec<_> =
                relayed(Body::from_stream(stream::iter(sent))).map(Result::unwrap).collect().await;
            String::from_utf8(all.concat()).unwrap()
        };
        let late = Error::new(Code::DeadlineExceeded, "Late", "too late");
        assert_eq!(
            relay(Err(axum::Error::new(late))).await,
            "data: {}\n\ndata: {\"error\":{\"message\":\"too late\",\"status\":\"DEADLINE_EXCEEDED\"}}\n\n"
        );
        let gone = relay(Err(axum::Error::new(std::io::Error::other("a secret")))).await;
        assert!(gone.contains("\"status\":\"UNAVAILABLE\"") && !gone.contains("secret"), "{gone}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_shows_that_it_lives() {
        let (_chunks, reader) = channel();
        let call = async move {
            tokio::time::sleep(HEARTBEAT * 2 + HEARTBEAT / 2).await;
            Ok(json!(null))
        };
        assert_eq!(text(call, reader).await, ": ping\n\n: ping\n\ndata: {\"result\":null}\n\n");
    }
}
