//! Listing of the functions and their triggers.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::Asked;
use crate::functions::events::{Generation, failed};
use crate::functions::node::{Endpoint, Kind};

/// `GET …/functions`: users' functions and the product's, by name.
pub(super) async fn list(State(shared): Asked, Path(project): Path<String>) -> Response {
    let console = match shared.of(&project) {
        Ok(console) => console,
        Err(error) => return failed(&error),
    };
    let mut all: Vec<Value> = Vec::new();
    for (region, name) in console.callables.registry().names() {
        all.push(json!({
            "name": name, "regions": [region], "runtime": "native", "kind": "callable",
        }));
    }
    for (name, endpoint) in console.node.iter().flat_map(|node| node.endpoints()) {
        all.push(shown(&name, &endpoint));
    }
    all.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    Json(json!({ "functions": all })).into_response()
}

fn shown(name: &str, endpoint: &Endpoint) -> Value {
    let regions = match endpoint.region.as_slice() {
        [] => vec![crate::DEFAULT_REGION],
        regions => regions.iter().map(String::as_str).collect(),
    };
    let generation = match endpoint.generation() {
        Generation::First => 1,
        Generation::Second => 2,
    };
    let (kind, trigger) = trigger(endpoint);
    json!({
        "name": name, "regions": regions, "runtime": "node", "generation": generation, "kind": kind,
        "trigger": trigger,
    })
}

fn trigger(endpoint: &Endpoint) -> (&'static str, Value) {
    if let Some(schedule) = &endpoint.schedule_trigger {
        return ("schedule", json!({ "schedule": schedule.schedule, "timeZone": schedule.time_zone }));
    }
    if let Some(event) = &endpoint.event_trigger {
        let filters = event.event_filters.iter().chain(&event.event_filter_path_patterns);
        let filters: Map<String, Value> =
            filters.map(|(name, value)| (name.clone(), value.clone().into())).collect();
        return ("event", json!({ "eventType": event.event_type, "filters": filters, "retry": event.retry }));
    }
    if let Some(blocking) = &endpoint.blocking_trigger {
        return ("blocking", json!({ "eventType": blocking.event_type }));
    }
    if endpoint.task_queue_trigger.is_some() {
        return ("task", Value::Null);
    }
    match endpoint.kind() {
        Kind::Callable => ("callable", Value::Null),
        Kind::Https => ("https", Value::Null),
        Kind::Background => ("event", Value::Null),
    }
}
