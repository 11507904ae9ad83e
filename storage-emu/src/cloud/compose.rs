//! Several objects put together to one.

use axum::body::Body;
use docstore::access::Caller;
use docstore::{Error, Result};
use futures::{StreamExt, stream};
use http::Response;
use serde::Deserialize;
use serde_json::Value;

use super::{condition, resource};
use crate::body::{ByteStream, small};
use crate::catalog::{Condition, Object};
use crate::files::{Place, Upload};
use crate::firebase::{MAX_JSON_BYTES, MAX_LOOKUPS};
use crate::http::incoming::Incoming;
use crate::meta::json::Patch;
use crate::names::ObjectName;
use crate::state::StorageState;

/// The most objects that one request puts together. Source: the API's limit.
const MAX_SOURCES: usize = 32;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Composition {
    #[serde(default)]
    source_objects: Vec<Source>,
    destination: Option<Value>,
    #[serde(default)]
    delete_source_objects: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    name: String,
    generation: Option<Number>,
    object_preconditions: Option<Preconditions>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Preconditions {
    if_generation_match: Option<Number>,
}

/// A number, which JSON of this API writes as a string.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "Value")]
struct Number(u64);

impl TryFrom<Value> for Number {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let number = value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
        number.map(Self).ok_or_else(|| format!("{value} is not a generation"))
    }
}

/// Answers `POST …/o/{target}/compose`.
pub(super) async fn handle(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    target: &Place,
) -> Result<Response<Body>> {
    let condition = condition(request)?;
    let origin = request.origin.clone();
    let composition: Composition = serde_json::from_slice(&small(body, MAX_JSON_BYTES).await?)
        .map_err(|source| Error::invalid("ComposeJson", format!("The request is not valid: {source}.")))?;
    if composition.source_objects.is_empty() || composition.source_objects.len() > MAX_SOURCES {
        let message = format!("The number of source components must be from 1 to {MAX_SOURCES}.");
        return Err(Error::invalid("ComposeSources", message));
    }
    let patch = composition.destination.as_ref().map(Patch::from_json).transpose()?.unwrap_or_default();
    for _ in 0..MAX_LOOKUPS {
        let objects = look_up(state, target, &composition.source_objects).await?;
        let Some(bytes) = opened(state, &objects).await? else { continue };
        let first = objects.first().and_then(|object| object.meta.set.content_type.as_deref());
        let patch = patch.clone().with_default_type(first);
        let patch = patch.with_default_contexts(objects.iter().map(|object| &object.meta.set.contexts));
        let components = objects.iter().map(|object| object.meta.components.unwrap_or(1)).sum();
        let upload = Upload { patch, condition, components: Some(components), ..Upload::at(target.clone()) };
        let made = state.files.upload(&Caller::Admin, &upload, bytes).await?;
        if composition.delete_source_objects {
            delete(state, target, &objects).await?;
        }
        return Ok(resource(&made, &origin));
    }
    Err(crate::records::contention())
}

/// Deletes the sources, but what was stored in their places meanwhile.
async fn delete(state: &StorageState, target: &Place, sources: &[Object]) -> Result<()> {
    for source in sources.iter().filter(|source| source.meta.name != target.name.as_str()) {
        let place = Place { bucket: target.bucket.clone(), name: ObjectName::parse(&source.meta.name)? };
        let seen = Condition { generation: Some(source.meta.generation), ..Condition::default() };
        match state.files.delete(&Caller::Admin, &place, seen).await {
            Err(error) if !matches!(error.tag(), "ConditionNotMet" | "ObjectMissing") => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

async fn look_up(state: &StorageState, target: &Place, sources: &[Source]) -> Result<Vec<Object>> {
    let mut objects = Vec::with_capacity(sources.len());
    for source in sources {
        let place = Place { bucket: target.bucket.clone(), name: ObjectName::parse(&source.name)? };
        let object = state.files.live(&place, source.generation.map(|Number(asked)| asked)).await?;
        let required = source.object_preconditions.as_ref().and_then(|all| all.if_generation_match);
        let required =
            Condition { generation: required.map(|Number(required)| required), ..Condition::default() };
        required.check(Some(&object))?;
        objects.push(object);
    }
    Ok(objects)
}

/// The bytes of all objects, one after the other; `None` when one was replaced meanwhile.
async fn opened(state: &StorageState, objects: &[Object]) -> Result<Option<ByteStream>> {
    let mut parts = Vec::with_capacity(objects.len());
    for object in objects {
        let Some(bytes) = state.files.bytes(object, 0..object.meta.digests.size).await? else {
            return Ok(None);
        };
        parts.push(bytes);
    }
    Ok(Some(stream::iter(parts).flatten().boxed()))
}
