//! The part of the Cloud Storage JSON API that administrators' libraries use.

mod batch;
mod buckets;
mod compose;
mod copies;
mod form;
mod unoffered;
mod upload;

use axum::body::Body;
use docstore::{Error, Result};
use http::{Method, Response, StatusCode};
use serde_json::{Map, Value, json};

use crate::body::small;
use crate::catalog::{Condition, ContextFilter, Glob, ListRequest, Object};
use crate::files::Place;
use crate::firebase::{MAX_JSON_BYTES, MAX_LOOKUPS, list_request};
use crate::http::bytes::send;
use crate::http::incoming::Incoming;
use crate::http::reply::{cloud_error, json, plain};
use crate::meta::json::{Patch, cloud, encode_component};
use crate::state::StorageState;

/// Answers a request below `/b`, `/storage/v1`, `/download/storage/v1` or `/upload/storage/v1`.
pub(crate) async fn handle(state: &StorageState, request: &Incoming, body: Body) -> Response<Body> {
    route(state, request, body).await.unwrap_or_else(|error| cloud_error(&error))
}

async fn route(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let segments = match segments.strip_suffix(&[""]) {
        Some(rest) if rest.last() == Some(&"o") || rest.last() == Some(&"b") => rest,
        _ => segments.as_slice(),
    };
    if let ["batch"] | ["batch", "storage", "v1"] = segments {
        // Each of its requests is authorised on its own.
        return batch::handle(state, request, body).await;
    }
    state.administrator(request).await?;
    if let ["upload", "storage", "v1", "b", bucket, "o"] | ["upload", "b", bucket, "o"] = segments {
        return upload::handle(state, request, body, &state.bucket(bucket)?).await;
    }
    let rest = match segments {
        ["download", "storage", "v1", rest @ ..] | ["storage", "v1", rest @ ..] => rest,
        rest => rest,
    };
    if let Some(error) = unoffered::soft_deleted(request) {
        return Err(error);
    }
    let method = request.method.clone();
    match (method, rest) {
        (_, ["b"]) => buckets::all(state, request, body).await,
        (_, ["b", name]) => buckets::one(state, request, body, &state.bucket(name)?).await,
        (Method::GET, ["b", name, "o"]) => list(state, request, name).await,
        (method, ["b", name, "o", object]) => {
            let place = place(state, name, object)?;
            match method {
                Method::GET | Method::HEAD => get(state, request, &place).await,
                Method::PATCH | Method::PUT => update(state, request, body, &place).await,
                Method::DELETE => delete(state, request, &place).await,
                _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
            }
        }
        (Method::POST, ["b", name, "o", object, "acl"]) => {
            acl(state, request, body, &place(state, name, object)?).await
        }
        (Method::POST, ["b", from, "o", object, verb @ ("copyTo" | "rewriteTo"), "b", to, "o", target]) => {
            let (source, target) = (place(state, from, object)?, place(state, to, target)?);
            copies::copy(state, request, body, (source, &target), *verb == "rewriteTo").await
        }
        (Method::POST, ["b", bucket, "o", object, "moveTo", "o", target]) => {
            copies::rename(state, request, place(state, bucket, object)?, target).await
        }
        (Method::POST, ["b", bucket, "o", target, "compose"]) => {
            compose::handle(state, request, body, &place(state, bucket, target)?).await
        }
        (_, rest) => Err(unoffered::operation(rest)),
    }
}

fn place(state: &StorageState, bucket: &str, object: &str) -> Result<Place> {
    state.bucket(bucket)?;
    Place::parse(bucket, object)
}

/// The condition that `ifGenerationMatch`, `ifMetagenerationMatch` and their `NotMatch` forms set.
pub(crate) fn condition(request: &Incoming) -> Result<Condition> {
    Ok(Condition {
        generation: request.number("ifGenerationMatch")?,
        metageneration: request.number("ifMetagenerationMatch")?,
        generation_not: request.number("ifGenerationNotMatch")?,
        metageneration_not: request.number("ifMetagenerationNotMatch")?,
    })
}

/// The condition for changing the object that there is: of its older generations none is kept, so that one asked for by
/// `generation` is there or is not.
///
/// # Errors
/// `NotFound` for another generation than the one there is.
async fn condition_of_live(state: &StorageState, request: &Incoming, place: &Place) -> Result<Condition> {
    let condition = condition(request)?;
    let Some(asked) = request.number("generation")? else { return Ok(condition) };
    condition.check(Some(&state.files.live(place, Some(asked)).await?))?;
    // The change applies to the requested generation only, however long it takes.
    Ok(Condition { generation: Some(asked), ..condition })
}

/// An object's metadata as a reply.
pub(crate) fn resource(object: &Object, origin: &str) -> Response<Body> {
    json(StatusCode::OK, &cloud(&object.meta, origin))
}

async fn get(state: &StorageState, request: &Incoming, place: &Place) -> Result<Response<Body>> {
    for _ in 0..MAX_LOOKUPS {
        let object = state.files.live(place, request.number("generation")?).await?;
        let condition = condition(request)?;
        if condition.is_unchanged(Some(&object)) {
            return Ok(plain(StatusCode::NOT_MODIFIED));
        }
        condition.check(Some(&object))?;
        let media = request.query("alt") == Some("media");
        if !media && request.segments.first().is_none_or(|first| first != "download") {
            return Ok(resource(&object, &request.origin));
        }
        if let Some(response) = send(&state.files, &object, &request.headers, None).await? {
            return Ok(response);
        }
    }
    Err(crate::records::contention())
}

async fn list(state: &StorageState, request: &Incoming, bucket: &str) -> Result<Response<Body>> {
    let admin = docstore::access::Caller::Admin;
    let text = |name| request.query(name).unwrap_or_default().to_owned();
    let asked = ListRequest {
        with_folders: request.flag("includeTrailingDelimiter"),
        start_offset: text("startOffset"),
        end_offset: text("endOffset"),
        glob: request.query("matchGlob").filter(|glob| !glob.is_empty()).map(Glob::parse).transpose()?,
        filter: request
            .query("filter")
            .filter(|text| !text.is_empty())
            .map(ContextFilter::parse)
            .transpose()?,
        ..list_request(request)?
    };
    if asked.filter.is_some() && !asked.delimiter.is_empty() {
        let message = "A filter together with a delimiter does not exist here: list without the delimiter.";
        return Err(Error::new(docstore::Code::Unimplemented, "FilterDelimiter", message));
    }
    if asked.glob.is_some() && !matches!(asked.delimiter.as_str(), "" | "/") {
        return Err(Error::invalid("MatchGlob", "With matchGlob, the delimiter can be '/' alone."));
    }
    let listing = state.files.list(&admin, &state.bucket(bucket)?, &asked).await?;
    let mut body = Map::from_iter([("kind".to_owned(), Value::from("storage#objects"))]);
    if !listing.items.is_empty() {
        let items: Vec<_> = listing.items.iter().map(|object| cloud(&object.meta, &request.origin)).collect();
        body.insert("items".to_owned(), items.into());
    }
    if !listing.prefixes.is_empty() {
        body.insert("prefixes".to_owned(), listing.prefixes.into());
    }
    if let Some(token) = listing.next_page_token {
        body.insert("nextPageToken".to_owned(), token.into());
    }
    Ok(json(StatusCode::OK, &Value::Object(body)))
}

async fn update(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    place: &Place,
) -> Result<Response<Body>> {
    let admin = docstore::access::Caller::Admin;
    let condition = condition_of_live(state, request, place).await?;
    let origin = request.origin.clone();
    let patch = Patch::parse(&small(body, MAX_JSON_BYTES).await?)?;
    Ok(resource(&state.files.update(&admin, place, &patch, condition).await?, &origin))
}

async fn delete(state: &StorageState, request: &Incoming, place: &Place) -> Result<Response<Body>> {
    let condition = condition_of_live(state, request, place).await?;
    state.files.delete(&docstore::access::Caller::Admin, place, condition).await?;
    Ok(plain(StatusCode::NO_CONTENT))
}

/// Access control lists do not exist here: files are guarded by rules. The call succeeds, counts as a change
/// of metadata and changes nothing else, so that `makePublic()` and the like do not fail.
async fn acl(state: &StorageState, request: &Incoming, body: Body, place: &Place) -> Result<Response<Body>> {
    let admin = docstore::access::Caller::Admin;
    let origin = request.origin.clone();
    let entry: Value = serde_json::from_slice(&small(body, MAX_JSON_BYTES).await?)
        .map_err(|source| Error::invalid("AclJson", format!("The entry is not valid JSON: {source}.")))?;
    let object = state.files.update(&admin, place, &Patch::default(), Condition::default()).await?;
    let (bucket, name, generation) = (place.bucket.as_str(), place.name.as_str(), object.meta.generation);
    let entity = entry.get("entity").and_then(Value::as_str).unwrap_or("allUsers");
    let encoded = encode_component(name);
    Ok(json(
        StatusCode::OK,
        &json!({
            "kind": "storage#objectAccessControl",
            "object": name,
            "id": format!("{bucket}/{name}/{generation}/{entity}"),
            "selfLink": format!("{origin}/storage/v1/b/{bucket}/o/{encoded}/acl/{entity}"),
            "bucket": bucket,
            "entity": entity,
            "role": entry.get("role").cloned().unwrap_or_else(|| "READER".into()),
            "etag": object.meta.etag(),
            "generation": generation.to_string(),
        }),
    ))
}

/// Answers `/{bucket}` and `/{bucket}/{object…}`, the form of public and signed addresses. In emulator mode
/// everything may be read and written so; in serving mode the access policy is asked.
pub(crate) async fn plain_address(state: &StorageState, request: &Incoming, body: Body) -> Response<Body> {
    address(state, request, body).await.unwrap_or_else(|error| cloud_error(&error))
}

async fn address(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    let Some((bucket, name)) = request.segments.split_first() else {
        return Ok(plain(StatusCode::NOT_FOUND));
    };
    let name = name.join("/");
    match request.method.clone() {
        _ if request.query("uploads").is_some() || request.query("uploadId").is_some() => {
            let message =
                "Multipart uploads of the XML API do not exist here: use a resumable upload of the JSON API.";
            Err(Error::new(docstore::Code::Unimplemented, "CloudUnimplemented", message))
        }
        Method::POST if name.is_empty() => form::handle(state, request, body, &state.bucket(bucket)?).await,
        Method::GET | Method::HEAD if !name.is_empty() => {
            let place = place(state, bucket, &name)?;
            let caller = match state.files.mode {
                docstore::access::Mode::Emulator => docstore::access::Caller::Admin,
                docstore::access::Mode::Serving => state.caller(request).await?,
            };
            for _ in 0..MAX_LOOKUPS {
                let object = state.files.get(&caller, &place, None).await?;
                if let Some(response) = send(&state.files, &object, &request.headers, None).await? {
                    return Ok(response);
                }
            }
            Err(crate::records::contention())
        }
        _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
    }
}
