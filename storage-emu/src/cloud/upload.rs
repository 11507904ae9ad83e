//! Uploads of the Cloud Storage API: media, multipart, and resumable with `Content-Range`.

use axum::body::Body;
use docstore::access::Caller;
use docstore::{Error, Result};
use http::{Method, Response, StatusCode, header};
use serde_json::Value;

use super::{condition, resource};
use crate::body::multipart::{Multipart, boundary_of};
use crate::body::{small, stream};
use crate::digest::expected::Expected;
use crate::files::{Place, Start, Upload};
use crate::firebase::{MAX_JSON_BYTES, related};
use crate::http::incoming::Incoming;
use crate::http::reply::{plain, set, set_named};
use crate::meta::json::{Patch, encode_component};
use crate::names::{BucketName, ObjectName};
use crate::sessions::Status;
use crate::state::StorageState;

/// Status that tells clients to go on (`308 Resume Incomplete`).
const INCOMPLETE: StatusCode = StatusCode::PERMANENT_REDIRECT;

/// Answers a request at `/upload/storage/v1/b/{bucket}/o`.
pub(super) async fn handle(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    bucket: &BucketName,
) -> Result<Response<Body>> {
    if let Some(id) = request.query("upload_id").map(str::to_owned) {
        return match request.method {
            Method::PUT | Method::POST => resume(state, request, body, &id).await,
            Method::DELETE => {
                state.files.sessions.cancel(&id).await?;
                let mut response = plain(StatusCode::NO_CONTENT);
                // The status of the service itself, which its libraries wait for.
                *response.status_mut() = StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST);
                Ok(response)
            }
            _ => Ok(plain(StatusCode::METHOD_NOT_ALLOWED)),
        };
    }
    if request.method != Method::POST {
        return Ok(plain(StatusCode::BAD_REQUEST));
    }
    let protocol = request
        .query("uploadType")
        .or_else(|| request.header("x-goog-upload-protocol"))
        .unwrap_or("media")
        .to_ascii_lowercase();
    let condition = condition(request)?;
    let origin = request.origin.clone();
    let announced_type = request.header("x-upload-content-type").map(str::to_owned);
    if protocol == "resumable" {
        let declared = request.header_number("x-upload-content-length")?;
        let query_name = request.query("name").map(str::to_owned);
        let json = small(body, MAX_JSON_BYTES).await?;
        let json: Value = if json.iter().all(u8::is_ascii_whitespace) {
            Value::Object(serde_json::Map::new())
        } else {
            serde_json::from_slice(&json).map_err(|source| bad_json(&source))?
        };
        let place = named(bucket, query_name.as_deref(), &json)?;
        let name = encode_component(place.name.as_str());
        let patch = Patch::from_json(&json)?.with_default_type(announced_type.as_deref());
        let expected = Expected::from_json(&json)?;
        let upload = Upload { patch, condition, expected, ..Upload::at(place) };
        let id = state.files.start(&Caller::Admin, &Start { upload, declared }).await?;
        let bucket = bucket.as_str();
        let url = format!(
            "{origin}/upload/storage/v1/b/{bucket}/o?name={name}&uploadType=resumable&upload_id={id}"
        );
        let mut response = plain(StatusCode::OK);
        set(&mut response, header::LOCATION, &url);
        set_named(&mut response, "x-guploader-uploadid", &id);
        return Ok(response);
    }
    let content_type = request.header("content-type").map(str::to_owned);
    let query_name = request.query("name").map(str::to_owned);
    let announced = Expected::from_headers(&request.headers)?;
    let (place, patch, expected, bytes) = if protocol == "multipart" {
        let boundary = boundary_of(content_type.as_deref().unwrap_or_default(), "multipart/related")?;
        let mut parts = Multipart::new(stream(body), &boundary);
        let (json, part_type) = related(&mut parts).await?;
        let place = named(bucket, query_name.as_deref(), &json)?;
        let patch =
            Patch::from_json(&json)?.with_default_type(announced_type.as_deref().or(part_type.as_deref()));
        (place, patch, announced.and(Expected::from_json(&json)?)?, parts.into_part_stream())
    } else {
        let place = named(bucket, query_name.as_deref(), &Value::Null)?;
        (place, Patch::default().with_default_type(content_type.as_deref()), announced, stream(body))
    };
    let upload = Upload { patch, condition, expected, ..Upload::at(place) };
    Ok(resource(&state.files.upload(&Caller::Admin, &upload, bytes).await?, &origin))
}

fn bad_json(source: &serde_json::Error) -> Error {
    Error::invalid("MetadataJson", format!("The metadata is not valid JSON: {source}."))
}

fn named(bucket: &BucketName, query: Option<&str>, json: &Value) -> Result<Place> {
    let name = query.or_else(|| json.get("name").and_then(Value::as_str)).unwrap_or_default();
    Ok(Place { bucket: bucket.clone(), name: ObjectName::parse(name)? })
}

/// `Content-Range` of a resumable upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chunk {
    /// Offset of the bytes; `None` for a status query (`bytes */…`).
    start: Option<u64>,
    /// True if the file ends with this request.
    last: bool,
}

fn content_range(header: Option<&str>) -> Result<Chunk> {
    let Some(text) = header else { return Ok(Chunk { start: Some(0), last: true }) };
    let bad = || Error::invalid("ContentRange", format!("Content-Range '{text}' cannot be understood."));
    let (range, total) =
        text.trim().strip_prefix("bytes").and_then(|t| t.trim().split_once('/')).ok_or_else(bad)?;
    let total: Option<u64> = match total.trim() {
        "*" => None,
        total => Some(total.parse().map_err(|_| bad())?),
    };
    match range.trim() {
        "*" => Ok(Chunk { start: None, last: total == Some(0) }),
        range => {
            let (start, end) = range.split_once('-').ok_or_else(bad)?;
            let start = start.parse().map_err(|_| bad())?;
            let last = match end {
                // As much as there is: the request's end is the file's end.
                "*" => true,
                end => {
                    let end: u64 = end.parse().map_err(|_| bad())?;
                    total.is_some_and(|total| end.saturating_add(1) >= total)
                }
            };
            Ok(Chunk { start: Some(start), last })
        }
    }
}

async fn resume(state: &StorageState, request: &Incoming, body: Body, id: &str) -> Result<Response<Body>> {
    let chunk = content_range(request.header("content-range"))?;
    let origin = request.origin.clone();
    let session = state.files.sessions.get(id).await?;
    if session.status != Status::Active {
        return Ok(resource(&state.files.finalize(id, Expected::default()).await?, &origin));
    }
    // Libraries know the checksum of what they stream with its last bytes.
    let expected = Expected::from_headers(&request.headers)?;
    let mut received = session.received;
    if let Some(start) = chunk.start {
        let appended = state.files.sessions.append(id, Some(start), stream(body)).await;
        match appended {
            Ok(now) => received = now,
            // Another request has finished it meanwhile.
            Err(error) if error.tag() == "UploadNotActive" => {}
            Err(error) => return Err(error),
        }
    }
    if chunk.last {
        return Ok(resource(&state.files.finalize(id, expected).await?, &origin));
    }
    let mut response = plain(INCOMPLETE);
    if received > 0 {
        set(&mut response, header::RANGE, &format!("bytes=0-{}", received - 1));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges_are_understood() {
        for (text, start, last) in [
            ("bytes 0-262143/1000000", Some(0), false),
            ("bytes 262144-999999/1000000", Some(262_144), true),
            ("bytes 0-9/*", Some(0), false),
            ("bytes 0-*/*", Some(0), true),
            ("bytes 5-*/20", Some(5), true),
            ("bytes */20", None, false),
            ("bytes */0", None, true),
        ] {
            assert_eq!(content_range(Some(text)).unwrap(), Chunk { start, last }, "{text}");
        }
        assert_eq!(content_range(None).unwrap(), Chunk { start: Some(0), last: true });
        for bad in ["", "bytes", "bytes 1/2", "bytes a-b/c", "items 0-1/2", "bytes 0-1/x"] {
            assert_eq!(content_range(Some(bad)).unwrap_err().tag(), "ContentRange", "{bad}");
        }
    }
}
