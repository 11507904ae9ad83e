//! Journals as streams of server-sent events: kept entries, then new ones.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use docstore::{Code, Error};
use futures::stream::{self, StreamExt as _};
use http::HeaderMap;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Asked;
use crate::emulator::request_log::Happened;
use crate::functions::events::{failed, text};
use crate::functions::node::LogLine;
use crate::host::journal::Journal;

/// Interval of comments on an idle stream, which reveal a disconnected reader.
const SAY_SOMETHING: Duration = Duration::from_secs(15);
/// Most entries read from a journal at once.
const BATCH: usize = 256;

/// `GET …/requests`: responses, ends of streams, and denials.
pub(super) async fn requests(
    State(shared): Asked,
    Path(project): Path<String>,
    headers: HeaderMap,
) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => Arc::clone(console),
        Err(error) => return failed(&error),
    };
    let run = console.requests.run();
    follow(&shared.streams, run, &headers, move || Arc::clone(console.requests.happened()), Happened::shown)
}

/// `GET …/logs`: output of functions and the results of their calls.
pub(super) async fn lines(State(shared): Asked, Path(project): Path<String>, headers: HeaderMap) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => Arc::clone(console),
        Err(error) => return failed(&error),
    };
    let Some(node) = console.node.clone() else {
        let message = "No functions are configured: firebase.json has no functions section.";
        return failed(&Error::new(Code::FailedPrecondition, "NoFunctions", message));
    };
    let run = console.requests.run();
    follow(
        &shared.streams,
        run,
        &headers,
        move || Arc::clone(node.log().lines()),
        |line| ("line", shown(line)),
    )
}

fn shown(line: &LogLine) -> Value {
    json!({
        "time": text::time(line.time), "level": line.level, "origin": line.origin,
        "function": line.function, "worker": line.worker, "text": line.text, "data": line.data,
    })
}

/// The reader's position; that of another run of the server is void.
fn seen(headers: &HeaderMap, run: u64) -> u64 {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let parsed = last.and_then(|id| id.split_once('.')).filter(|(of, _)| *of == run.to_string());
    parsed.and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

struct Reader<T, S> {
    journal: Arc<Journal<T>>,
    seen: u64,
    run: u64,
    show: S,
    _place: OwnedSemaphorePermit,
}

fn follow<T: Send + Sync + 'static>(
    streams: &Arc<Semaphore>,
    run: u64,
    headers: &HeaderMap,
    journal: impl FnOnce() -> Arc<Journal<T>>,
    show: impl Fn(&T) -> (&'static str, Value) + Send + 'static,
) -> Response {
    let Ok(place) = Arc::clone(streams).try_acquire_owned() else {
        let message = "Too many consoles are open: close one.";
        return failed(&Error::new(Code::ResourceExhausted, "TooManyStreams", message));
    };
    let reader = Reader { journal: journal(), seen: seen(headers, run), run, show, _place: place };
    let events = stream::unfold(reader, |mut reader| async move {
        reader.journal.wait_after(reader.seen).await;
        let read = reader.journal.after(reader.seen, BATCH);
        reader.seen = read.last().map_or(reader.seen, |(number, _)| *number);
        let event = |(number, entry): &(u64, Arc<T>)| {
            let (name, data) = (reader.show)(entry);
            let id = format!("{}.{number}", reader.run);
            Ok::<_, Infallible>(Event::default().id(id).event(name).data(data.to_string()))
        };
        let events: Vec<_> = read.iter().map(event).collect();
        Some((stream::iter(events), reader))
    });
    Sse::new(events.flatten()).keep_alive(KeepAlive::new().interval(SAY_SOMETHING)).into_response()
}
