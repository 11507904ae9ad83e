//! HTTP endpoints for events: open to all in emulator mode, otherwise to the server's own functions.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use bytes::Bytes;
use docstore::{Code, Error, Result};
use http::StatusCode;
use serde_json::{Value, json};

use super::queue::DeadLetter;
use super::task::Place;
use super::{Events, publisher, text};

/// Largest request body, in bytes: a publish of 10 MB in base64, and its envelope.
const MAX_BODY: usize = 16 << 20;

/// The routes.
pub(crate) fn router(events: Arc<Events>) -> Router {
    let queues = "/projects/{project}/locations/{location}/queues/{queue}/tasks";
    let mut router = Router::new()
        .route("/emulator/v1/projects/{project}/deadLetters", get(dead_letters).delete(clear))
        .route("/functions/projects/{project}/triggers/{trigger}", post(trigger))
        .route("/projects/{project}/locations/{location}/channels/{channel}", post(publish_events));
    for prefix in ["", "/v2"] {
        router = router
            .route(&format!("{prefix}{queues}"), post(create_task))
            .route(&format!("{prefix}{queues}/{{task}}"), delete(delete_task));
    }
    let publisher = publisher::router(Arc::clone(&events));
    router.layer(DefaultBodyLimit::max(MAX_BODY)).with_state(events).merge(publisher)
}

/// The routes of topics. They overlap those of documents and take precedence where [`is_topic`] says so.
pub(crate) fn topics(events: Arc<Events>) -> Router {
    Router::new()
        .route("/v1/projects/{project}/topics/{topic}", post(publish).put(topic).get(topic))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(events)
}

/// True if the path is a topic's.
pub(crate) fn is_topic(path: &str) -> bool {
    let mut rest = path.strip_prefix("/v1/projects/").unwrap_or_default().split('/');
    (rest.next().is_some(), rest.next(), rest.next().is_some(), rest.next())
        == (true, Some("topics"), true, None)
}

/// Sends an event to one function, or starts a run of a scheduled one; either goes through the queue.
async fn trigger(
    State(events): State<Arc<Events>>,
    Path((project, trigger)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    answer(events.trigger(&project, &trigger, &body).await.map(|()| json!({ "status": "acknowledged" })))
}

async fn publish(
    State(events): State<Arc<Events>>,
    Path((project, topic)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let Some(topic) = topic.strip_suffix(":publish") else {
        return failed(&Error::new(
            Code::NotFound,
            "NoSuchMethod",
            "publish with POST …/topics/{topic}:publish",
        ));
    };
    answer(events.publish(&project, topic, &body).await.map(|ids| json!({ "messageIds": ids })))
}

/// Every topic exists, so creating and reading one are the same.
async fn topic(Path((project, topic)): Path<(String, String)>) -> Response {
    Json(json!({ "name": format!("projects/{project}/topics/{topic}") })).into_response()
}

async fn publish_events(
    State(events): State<Arc<Events>>,
    Path((_project, _location, channel)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    if !channel.ends_with(":publishEvents") {
        return failed(&Error::new(
            Code::NotFound,
            "NoSuchMethod",
            "publish with POST …/channels/{channel}:publishEvents",
        ));
    }
    answer(events.publish_events(&body).await.map(|()| json!({})))
}

async fn create_task(
    State(events): State<Arc<Events>>,
    Path((project, location, queue)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    let place = Place { project: &project, location: &location, queue: &queue };
    answer(events.create_task(place, &body).await)
}

async fn delete_task(
    State(events): State<Arc<Events>>,
    Path((project, location, queue, task)): Path<(String, String, String, String)>,
) -> Response {
    let place = Place { project: &project, location: &location, queue: &queue };
    answer(events.delete_task(place, &task).await.map(|()| json!({})))
}

fn answer(result: Result<Value>) -> Response {
    result.map_or_else(|error| failed(&error), |body| Json(body).into_response())
}

async fn dead_letters(State(events): State<Arc<Events>>, Path(project): Path<String>) -> Response {
    if project != *events.project {
        return Json(json!({ "deadLetters": [] })).into_response();
    }
    match events.queue.dead_letters().await {
        Ok(letters) => {
            Json(json!({ "deadLetters": letters.iter().map(shown).collect::<Vec<_>>() })).into_response()
        }
        Err(error) => failed(&error),
    }
}

async fn clear(State(events): State<Arc<Events>>, Path(project): Path<String>) -> Response {
    if project != *events.project {
        return Json(json!({})).into_response();
    }
    match events.queue.clear_dead_letters().await {
        Ok(()) => Json(json!({})).into_response(),
        Err(error) => failed(&error),
    }
}

fn shown(letter: &DeadLetter) -> Value {
    let mut shown = json!({ "id": letter.id, "error": letter.error, "time": text::time(letter.died) });
    if let Some(head) = &letter.head {
        shown["function"] = head.function.clone().into();
        shown["kind"] = head.kind.name().into();
        shown["event"] = head.name.clone().into();
        shown["about"] = head.ordering_key.clone().into();
        shown["queueTime"] = text::time(head.queued).into();
        shown["failures"] = (head.failures + 1).into();
    }
    if let Some(body) = letter.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body).ok()) {
        shown["body"] = body;
    }
    shown
}

/// An error in the JSON of Google's APIs.
pub(crate) fn failed(error: &Error) -> Response {
    let status = StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = json!({ "error": {
        "code": status.as_u16(), "message": error.message(), "status": error.code().status(),
    } });
    (status, Json(body)).into_response()
}
