//! The Firebase Storage API, `/v0/b/{bucket}/o…`.

mod upload;

use axum::body::Body;
use docstore::access::Caller;
use docstore::{Code, Error, Result};
use http::{Method, Response, StatusCode, header};
use serde_json::json;

use crate::catalog::{Condition, ListRequest, Object};
use crate::files::Place;
use crate::http::bytes::{harmless, send};
use crate::http::incoming::Incoming;
use crate::http::reply::{firebase_error, json, plain, set};
use crate::meta::json::{Patch, firebase};
use crate::names::ObjectName;
use crate::state::StorageState;

/// The most bytes of a JSON body.
pub(crate) const MAX_JSON_BYTES: usize = 64 * 1024;
/// Look-ups of bytes repeated at most because the object was replaced meanwhile.
pub(crate) const MAX_LOOKUPS: u32 = 4;

pub(crate) use upload::related;

/// Answers a request below `/v0`.
pub(crate) async fn handle(state: &StorageState, request: &Incoming, body: Body) -> Response<Body> {
    route(state, request, body).await.unwrap_or_else(|error| firebase_error(&error))
}

async fn route(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let (bucket, object) = match segments.as_slice() {
        ["v0"] | ["v0", ""] if request.method == Method::GET => {
            return Ok(json(StatusCode::OK, &json!({ "emulator": "storage" })));
        }
        ["v0", "b", bucket, "o"] | ["v0", "b", bucket, "o", ""] => (*bucket, None),
        ["v0", "b", bucket, "o", object] => (*bucket, Some(*object)),
        _ => return Ok(plain(StatusCode::NOT_FOUND)),
    };
    let bucket = state.bucket(bucket)?;
    let place = match object {
        Some(name) => Some(Place { bucket: bucket.clone(), name: ObjectName::parse(name)? }),
        None => None,
    };
    let patch = request.header("x-http-method-override").is_some_and(|m| m.eq_ignore_ascii_case("patch"));
    match (request.method.clone(), place) {
        (Method::GET | Method::HEAD, Some(place)) => get(state, request, &place).await,
        (Method::GET, None) => list(state, request, &bucket).await,
        (Method::PATCH, Some(place)) => update(state, request, body, &place).await,
        (Method::PUT | Method::POST, Some(place)) if patch => update(state, request, body, &place).await,
        (Method::PUT | Method::POST, Some(place))
            if request.query("create_token").is_some() || request.query("delete_token").is_some() =>
        {
            token(state, request, &place).await
        }
        (Method::PUT | Method::POST, place) => upload::handle(state, request, body, &bucket, place).await,
        (Method::DELETE, Some(place)) => {
            let caller = state.caller(request).await?;
            state.files.delete(&caller, &place, Condition::default()).await?;
            Ok(plain(StatusCode::NO_CONTENT))
        }
        _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
    }
}

/// Caller of a read: an invalid or expired credential beside a download token counts as none.
async fn reader(state: &StorageState, request: &Incoming, token: Option<&str>) -> Result<Caller> {
    match state.caller(request).await {
        Err(error) if token.is_some() && error.code() == Code::Unauthenticated => Ok(Caller::Anonymous),
        caller => caller,
    }
}

async fn get(state: &StorageState, request: &Incoming, place: &Place) -> Result<Response<Body>> {
    let token = request.query("token");
    let caller = reader(state, request, token).await?;
    for _ in 0..MAX_LOOKUPS {
        let object = state.files.get(&caller, place, token).await?;
        let object = state.files.with_token(place, object).await?;
        if request.query("alt") != Some("media") {
            return Ok(metadata(&object));
        }
        if let Some(edge) = request.number("thumb")? {
            return thumb(state, request, &object, edge, token).await;
        }
        if let Some(response) = send(&state.files, &object, &request.headers, token).await? {
            return Ok(response);
        }
    }
    Err(crate::records::contention())
}

async fn thumb(
    state: &StorageState,
    request: &Incoming,
    object: &Object,
    edge: u64,
    token: Option<&str>,
) -> Result<Response<Body>> {
    let edge = u32::try_from(edge).unwrap_or(u32::MAX);
    let short = object.meta.digests.sha256.get(..32).unwrap_or_default();
    let etag = format!("\"{short}-{edge}\"");
    let cached = request.header("if-none-match").is_some_and(|tags| tags.contains(&etag));
    let made = state.thumbs.get(object, edge).await?;
    let mut response = Response::new(Body::empty());
    if cached {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        set(&mut response, header::CONTENT_LENGTH, &made.len().to_string());
        *response.body_mut() = Body::from(made);
    }
    set(&mut response, header::CONTENT_TYPE, "image/webp");
    set(&mut response, header::ETAG, &etag);
    let minted = token.and_then(|token| object.meta.token(token)).is_some_and(|token| token.minted);
    let cache = if minted { "private, max-age=31536000, immutable" } else { "private, max-age=0" };
    set(&mut response, header::CACHE_CONTROL, cache);
    harmless(&mut response);
    Ok(response)
}

/// An object's metadata as a reply.
pub(crate) fn metadata(object: &Object) -> Response<Body> {
    json(StatusCode::OK, &firebase(&object.meta))
}

async fn list(
    state: &StorageState,
    request: &Incoming,
    bucket: &crate::names::BucketName,
) -> Result<Response<Body>> {
    let prefix = request.query("prefix").unwrap_or_default();
    if !prefix.is_empty() && !prefix.ends_with('/') {
        return Err(Error::invalid(
            "ListPrefix",
            "The prefix parameter is required to be empty or ends with a single / character.",
        ));
    }
    let caller = state.caller(request).await?;
    let listing = state.files.list(&caller, bucket, &list_request(request)?).await?;
    let shown = |path: &str| {
        let path = path.strip_prefix('/').unwrap_or(path);
        !path.is_empty() && path.split('/').all(|segment| !segment.is_empty())
    };
    let items: Vec<_> = listing
        .items
        .iter()
        .filter(|object| shown(&object.meta.name))
        .map(|object| json!({ "name": object.meta.name, "bucket": object.meta.bucket }))
        .collect();
    let prefixes: Vec<_> =
        listing.prefixes.iter().filter(|prefix| shown(prefix.strip_suffix('/').unwrap_or(prefix))).collect();
    let mut body = json!({ "prefixes": prefixes, "items": items });
    if let (Some(token), Some(body)) = (listing.next_page_token, body.as_object_mut()) {
        body.insert("nextPageToken".to_owned(), token.into());
    }
    Ok(json(StatusCode::OK, &body))
}

/// The listing that a query string asks for, in both APIs.
pub(crate) fn list_request(request: &Incoming) -> Result<ListRequest> {
    let text = |name| request.query(name).unwrap_or_default().to_owned();
    Ok(ListRequest {
        prefix: text("prefix"),
        delimiter: text("delimiter"),
        page_token: request.query("pageToken").filter(|token| !token.is_empty()).map(str::to_owned),
        max_results: request.number("maxResults")?.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        ..ListRequest::default()
    })
}

async fn update(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    place: &Place,
) -> Result<Response<Body>> {
    let caller = state.caller(request).await?;
    let patch = Patch::parse(&crate::body::small(body, MAX_JSON_BYTES).await?)?;
    let object = state.files.update(&caller, place, &patch, Condition::default()).await?;
    Ok(metadata(&object))
}

async fn token(state: &StorageState, request: &Incoming, place: &Place) -> Result<Response<Body>> {
    let revoke = match (request.query("create_token"), request.query("delete_token")) {
        (Some("true"), _) => None,
        (None, Some(token)) => Some(token),
        _ => return Ok(plain(StatusCode::BAD_REQUEST)),
    };
    // A credential that does not hold is as good as none here.
    let caller = match state.caller(request).await {
        Err(error) if matches!(error.code(), Code::Unauthenticated | Code::InvalidArgument) => {
            Caller::Anonymous
        }
        caller => caller?,
    };
    let object = state.files.change_token(&caller, place, revoke).await?;
    Ok(metadata(&object))
}
