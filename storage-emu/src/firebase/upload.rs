//! Uploads of the Firebase API: media, multipart and resumable.

use axum::body::Body;
use docstore::{Code, Error, Result};
use http::{Response, StatusCode};

use super::{MAX_JSON_BYTES, metadata};
use crate::body::multipart::{Multipart, boundary_of};
use crate::body::{small, stream};
use crate::digest::expected::Expected;
use crate::files::{Place, Start, Upload};
use crate::http::incoming::Incoming;
use crate::http::reply::{firebase_error, plain, set_named, text};
use crate::meta::json::{Patch, encode_component};
use crate::names::{BucketName, ObjectName};
use crate::sessions::{CHUNK_GRANULARITY, Status};
use crate::state::StorageState;

const STATUS: &str = "x-goog-upload-status";

/// Answers an upload request; its object is named by the path or by `name`.
pub(super) async fn handle(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    bucket: &BucketName,
    place: Option<Place>,
) -> Result<Response<Body>> {
    let protocol = request.header("x-goog-upload-protocol").unwrap_or_default().to_ascii_lowercase();
    let command = request.header("x-goog-upload-command").map(str::to_ascii_lowercase);
    if protocol == "resumable" || command.is_some() {
        let Some(command) = command else { return Ok(plain(StatusCode::BAD_REQUEST)) };
        if command.trim() == "start" {
            return start(state, request, body, bucket, place).await;
        }
        return Ok(resume(state, request, body, &command).await);
    }
    let place = named(request, bucket, place)?;
    let caller = state.caller(request).await?;
    let content_type = request.header("content-type").unwrap_or_default().to_owned();
    let (patch, expected, bytes) = if protocol == "multipart" {
        let boundary = match boundary_of(&content_type, "multipart/related") {
            Ok(boundary) => boundary,
            Err(error) => return Ok(text(StatusCode::BAD_REQUEST, error.message())),
        };
        let mut parts = Multipart::new(stream(body), &boundary);
        let (patch, part_type) = related(&mut parts).await?;
        let expected = Expected::from_firebase_json(&patch)?;
        let patch = Patch::from_json(&patch)?.with_default_type(part_type.as_deref());
        (patch, expected, parts.into_part_stream())
    } else {
        let patch = Patch::default()
            .with_default_type(Some(&content_type).filter(|t| !t.is_empty()).map(String::as_str));
        (patch, Expected::default(), stream(body))
    };
    let upload = Upload { patch, expected, with_token: true, ..Upload::at(place) };
    let object = state.files.upload(&caller, &upload, bytes).await?;
    Ok(metadata(&object))
}

/// Reads the JSON part of a `multipart/related` upload and advances to the part with the bytes; returns that part's
/// content type too.
pub(crate) async fn related(parts: &mut Multipart) -> Result<(serde_json::Value, Option<String>)> {
    let count = || Error::invalid("MultipartParts", "Unexpected number of parts in request body");
    parts.next_part().await?.ok_or_else(count)?;
    let json = parts.bytes(MAX_JSON_BYTES).await?;
    let json = serde_json::from_slice(&json).map_err(|source| {
        Error::invalid("MetadataJson", format!("The metadata is not valid JSON: {source}."))
    })?;
    let headers = parts.next_part().await?.ok_or_else(count)?;
    Ok((json, headers.get("content-type").map(str::to_owned)))
}

fn named(request: &Incoming, bucket: &BucketName, place: Option<Place>) -> Result<Place> {
    match place {
        Some(place) => Ok(place),
        None => Ok(Place {
            bucket: bucket.clone(),
            name: ObjectName::parse(request.query("name").unwrap_or_default())?,
        }),
    }
}

async fn start(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    bucket: &BucketName,
    place: Option<Place>,
) -> Result<Response<Body>> {
    let place = named(request, bucket, place)?;
    let caller = state.caller(request).await?;
    let declared = request.header_number("x-goog-upload-header-content-length")?;
    let content_type = request.header("x-goog-upload-header-content-type").map(str::to_owned);
    let origin = request.origin.clone();
    let json = small(body, MAX_JSON_BYTES).await?;
    let patch = Patch::parse(&json)?.with_default_type(content_type.as_deref());
    let expected = match serde_json::from_slice(&json) {
        Ok(json) => Expected::from_firebase_json(&json)?,
        Err(_) => Expected::default(),
    };
    let name = encode_component(place.name.as_str());
    let upload = Upload { patch, expected, with_token: true, ..Upload::at(place) };
    let id = state.files.start(&caller, &Start { upload, declared }).await?;
    let bucket = bucket.as_str();
    let url = format!("{origin}/v0/b/{bucket}/o?name={name}&upload_id={id}&upload_protocol=resumable");
    let mut response = plain(StatusCode::OK);
    set_named(&mut response, "x-goog-upload-url", &url);
    set_named(&mut response, "x-goog-upload-control-url", &url);
    set_named(&mut response, STATUS, Status::Active.name());
    set_named(&mut response, "x-gupload-uploadid", &id);
    set_named(&mut response, "x-goog-upload-chunk-granularity", &CHUNK_GRANULARITY.to_string());
    Ok(response)
}

/// Answers a request of a session. The session's id is its credential.
async fn resume(state: &StorageState, request: &Incoming, body: Body, command: &str) -> Response<Body> {
    let Some(id) = request.query("upload_id").map(str::to_owned) else {
        return plain(StatusCode::BAD_REQUEST);
    };
    match obey(state, request, body, command, &id).await {
        Ok(response) => response,
        Err(error) => {
            let mut response = firebase_error(&error);
            // The client must learn whether it may go on; a session that is unknown has no state to tell.
            if let Ok(session) = state.files.sessions.get(&id).await {
                set_named(&mut response, STATUS, session.status.name());
                set_named(&mut response, "x-goog-upload-size-received", &session.received.to_string());
            }
            response
        }
    }
}

async fn obey(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    command: &str,
    id: &str,
) -> Result<Response<Body>> {
    let sessions = &state.files.sessions;
    let commands: Vec<&str> = command.split(',').map(str::trim).collect();
    match commands.as_slice() {
        ["query"] => {
            let session = sessions.get(id).await?;
            let mut response = plain(StatusCode::OK);
            set_named(&mut response, "x-goog-upload-size-received", &session.received.to_string());
            set_named(&mut response, STATUS, session.status.name());
            set_named(&mut response, "x-goog-upload-chunk-granularity", &CHUNK_GRANULARITY.to_string());
            Ok(response)
        }
        ["cancel"] => {
            sessions.cancel(id).await?;
            let mut response = plain(StatusCode::OK);
            set_named(&mut response, STATUS, Status::Cancelled.name());
            Ok(response)
        }
        ["upload"] => {
            let offset = request.header_number("x-goog-upload-offset")?;
            let received = sessions.append(id, offset, stream(body)).await?;
            let mut response = plain(StatusCode::OK);
            set_named(&mut response, STATUS, Status::Active.name());
            set_named(&mut response, "x-goog-upload-size-received", &received.to_string());
            set_named(&mut response, "x-gupload-uploadid", id);
            Ok(response)
        }
        ["finalize"] => finalize(state, id).await,
        ["upload", "finalize"] => {
            // A repeated last request finds its session finished: its bytes are in the file already.
            if sessions.get(id).await?.status == Status::Active {
                let offset = request.header_number("x-goog-upload-offset")?;
                match sessions.append(id, offset, stream(body)).await {
                    Err(error) if error.tag() == "UploadNotActive" => {}
                    appended => _ = appended?,
                }
            }
            finalize(state, id).await
        }
        _ => Err(Error::new(
            Code::InvalidArgument,
            "UploadCommand",
            "X-Goog-Upload-Command must be start, upload, finalize, 'upload, finalize', query or cancel.",
        )),
    }
}

async fn finalize(state: &StorageState, id: &str) -> Result<Response<Body>> {
    let object = state.files.finalize(id, Expected::default()).await?;
    let mut response = metadata(&object);
    set_named(&mut response, STATUS, Status::Final.name());
    Ok(response)
}
