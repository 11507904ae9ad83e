//! The request log: requests, responses, durations, and denials by the rules.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use docstore::access::{Denial, DenialObserver};
use docstore::clock::SharedClock;
use docstore::model::Ts;
use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use rules::Trace;
use serde_json::{Value, json};
use storage_emu::FileDenial;
use storage_emu::access::rules_access::FileDenialObserver;
use tokio::time::Instant;

use crate::emulator::denial;
use crate::functions::events::text;
use crate::host::config::Service;
use crate::host::journal::Journal;
use crate::hosting::BuiltInFile;

/// Entries kept for later readers.
const KEPT: usize = 2_000;
/// Most bytes kept of an error response.
const MAX_REASON: usize = 2_000;
/// Longest path kept, in bytes.
const MAX_PATH: usize = 2_000;
/// Header by which the console marks its own requests, which are not logged.
const OWN: &str = "x-tuckbox-console";

/// The request log.
#[derive(Debug)]
pub(crate) struct RequestLog {
    clock: SharedClock,
    run: u64,
    happened: Arc<Journal<Happened>>,
}

/// An entry of the log.
#[derive(Debug)]
pub(super) enum Happened {
    /// A response began.
    Answered {
        head: Head,
        status: u16,
        took: Duration,
        /// The response's size in bytes; `None` if not known yet, and an [`Happened::Ended`] follows.
        size: Option<u64>,
    },
    /// A response's body ended, or its reader disconnected.
    Ended {
        id: u64,
        took: Duration,
        size: u64,
        complete: bool,
        grpc: Option<(String, String)>,
        reason: Option<String>,
    },
    /// A denial by the rules.
    Denied {
        time: Ts,
        /// The database or the bucket.
        place: (&'static str, String),
        uid: Option<String>,
        trace: Value,
    },
}

/// A request before its response.
#[derive(Debug)]
pub(crate) struct Head {
    time: Ts,
    started: Instant,
    port: &'static str,
    method: String,
    path: String,
    peer: SocketAddr,
    agent: Option<String>,
    /// The kind of caller by its token; never the token itself.
    caller: &'static str,
}

impl RequestLog {
    /// An empty log.
    pub(crate) fn new(clock: SharedClock) -> Self {
        let run = clock.now().micros();
        Self { clock, run, happened: Arc::new(Journal::new(KEPT)) }
    }

    /// Id of this run of the server.
    pub(super) const fn run(&self) -> u64 {
        self.run
    }

    pub(super) const fn happened(&self) -> &Arc<Journal<Happened>> {
        &self.happened
    }

    /// The part of a request to be logged; `None` for the console's own requests.
    pub(crate) fn begin(&self, port: Service, peer: SocketAddr, request: &Request<Body>) -> Option<Head> {
        let path = request.uri().path();
        let console = path.starts_with("/emulator/v1/projects/")
            && ["/requests", "/logs", "/functions", "/databases", "/rules", "/rules/try"]
                .iter()
                .any(|end| path.ends_with(end));
        if console || port == Service::Ui || path == "/metrics" || request.headers().contains_key(OWN) {
            return None;
        }
        let agent = request.headers().get(http::header::USER_AGENT);
        Some(Head {
            time: self.clock.now(),
            started: Instant::now(),
            port: port.key(),
            method: request.method().to_string(),
            path: cut(path, MAX_PATH),
            peer,
            agent: agent.and_then(|agent| agent.to_str().ok()).map(|agent| cut(agent, MAX_PATH)),
            caller: caller(request.headers()),
        })
    }

    /// Logs the response, and observes its body if more is to be learnt from it. The files of the console and the
    /// application are not logged.
    pub(crate) fn answered(&self, head: Head, response: Response<Body>) -> Response<Body> {
        if response.extensions().get::<BuiltInFile>().is_some() {
            return response;
        }
        let status = response.status().as_u16();
        let size = response.body().size_hint().exact();
        let started = head.started;
        let took = started.elapsed();
        let known = size.filter(|_| status < 400);
        let grpc = grpc(response.headers());
        let id = self.happened.push(Happened::Answered { head, status, took, size: known });
        if known.is_some() {
            return response;
        }
        let follower = Followed {
            log: Arc::clone(&self.happened),
            id,
            started,
            size: 0,
            complete: false,
            grpc,
            reason: (status >= 400).then(Vec::new),
        };
        response.map(|body| Body::new(FollowedBody { body, followed: follower }))
    }

    /// Logs denials of documents.
    pub(crate) fn denials(self: &Arc<Self>) -> DenialObserver {
        let log = Arc::clone(self);
        Arc::new(move |denial: &Denial<'_>| {
            log.denied(("database", denial.database.database.to_string()), denial.uid, denial.trace);
        })
    }

    /// Logs denials of files.
    pub(crate) fn file_denials(self: &Arc<Self>) -> FileDenialObserver {
        let log = Arc::clone(self);
        Arc::new(move |denial: &FileDenial<'_>| {
            log.denied(("bucket", denial.bucket.to_owned()), denial.uid, denial.trace);
        })
    }

    fn denied(&self, place: (&'static str, String), uid: Option<&str>, trace: &Trace) {
        self.happened.push(Happened::Denied {
            time: self.clock.now(),
            place,
            uid: uid.map(str::to_owned),
            trace: denial::trace(trace),
        });
    }
}

/// An address, with its port if known.
fn shown(address: SocketAddr) -> String {
    if address.port() == 0 { address.ip().to_string() } else { address.to_string() }
}

impl Happened {
    /// The entry's event name and data for the console.
    pub(super) fn shown(&self) -> (&'static str, Value) {
        let micros = |took: &Duration| u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        match self {
            Self::Answered { head, status, took, size } => (
                "request",
                json!({
                    "time": text::time(head.time), "port": head.port, "method": head.method, "path": head.path,
                    "peer": shown(head.peer), "agent": head.agent, "caller": head.caller,
                    "status": status, "micros": micros(took), "bytes": size,
                }),
            ),
            Self::Ended { id, took, size, complete, grpc, reason } => (
                "end",
                json!({
                    "request": id, "micros": micros(took), "bytes": size, "complete": complete,
                    "grpc": grpc.as_ref().map(|(status, message)| json!({ "status": status, "message": message })),
                    "reason": reason,
                }),
            ),
            Self::Denied { time, place: (kind, name), uid, trace } => {
                ("denial", json!({ "time": text::time(*time), (*kind): name, "uid": uid, "trace": trace }))
            }
        }
    }
}

fn caller(headers: &HeaderMap) -> &'static str {
    let token = headers.get(http::header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match token.map(|token| token.rsplit(' ').next().unwrap_or_default()) {
        None => "nobody",
        Some("owner") => "owner",
        Some(_) => "user",
    }
}

fn cut(text: &str, most: usize) -> String {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text[..end].to_owned()
}

fn grpc(headers: &HeaderMap) -> Option<(String, String)> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let message = text("grpc-message").unwrap_or_default();
    let message = percent_encoding::percent_decode_str(&message).decode_utf8_lossy().into_owned();
    Some((text("grpc-status")?, cut(&message, MAX_REASON)))
}

/// Observes a response's body; reports when dropped.
struct Followed {
    log: Arc<Journal<Happened>>,
    id: u64,
    started: Instant,
    size: u64,
    complete: bool,
    grpc: Option<(String, String)>,
    /// First bytes of an error response.
    reason: Option<Vec<u8>>,
}

impl Followed {
    fn see(&mut self, frame: &Frame<Bytes>) {
        if let Some(data) = frame.data_ref() {
            self.size += u64::try_from(data.len()).unwrap_or(u64::MAX);
            if let Some(reason) = &mut self.reason {
                let room = MAX_REASON.saturating_sub(reason.len());
                reason.extend_from_slice(&data[..room.min(data.len())]);
            }
        }
        if let Some(trailers) = frame.trailers_ref() {
            self.grpc = grpc(trailers);
        }
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        let reason = self.reason.take().filter(|reason| !reason.is_empty());
        self.log.push(Happened::Ended {
            id: self.id,
            took: self.started.elapsed(),
            size: self.size,
            complete: self.complete,
            grpc: self.grpc.take(),
            reason: reason.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        });
    }
}

struct FollowedBody {
    body: Body,
    followed: Followed,
}

impl HttpBody for FollowedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                let this = &mut *self;
                this.followed.see(frame);
                this.followed.complete = this.body.is_end_stream();
            }
            Poll::Ready(None) => self.followed.complete = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
