//! Uploads by HTML form (`multipart/form-data` with a signed policy), in emulator mode: signatures are not
//! checked, so nowhere else.

use axum::body::Body;
use docstore::access::{Caller, Mode};
use docstore::{Code, Error, Result};
use http::{Response, StatusCode};
use serde_json::{Map, Value};

use crate::body::multipart::{Multipart, boundary_of};
use crate::body::stream;
use crate::files::{Place, Upload};
use crate::http::incoming::Incoming;
use crate::http::reply::{plain, text};
use crate::meta::json::Patch;
use crate::names::{BucketName, ObjectName};
use crate::state::StorageState;

/// The most bytes of one form field.
const MAX_FIELD_BYTES: usize = 16 * 1024;
/// The most fields before the file.
const MAX_FIELDS: usize = 100;

/// The form fields that are metadata.
const FIELDS: [(&str, &str); 5] = [
    ("content-type", "contentType"),
    ("cache-control", "cacheControl"),
    ("content-disposition", "contentDisposition"),
    ("content-encoding", "contentEncoding"),
    ("content-language", "contentLanguage"),
];

/// Stores the form's file under its `key`. As the service demands, the file is the last field.
pub(super) async fn handle(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    bucket: &BucketName,
) -> Result<Response<Body>> {
    if state.files.mode == Mode::Serving {
        return Err(Error::new(
            Code::PermissionDenied,
            "SignedPolicy",
            "Signed policies are taken only by an emulator.",
        ));
    }
    let content_type = request.header("content-type").unwrap_or_default().to_owned();
    let Ok(boundary) = boundary_of(&content_type, "multipart/form-data") else {
        return Ok(text(StatusCode::BAD_REQUEST, "Content-Type must be multipart/form-data"));
    };
    let mut parts = Multipart::new(stream(body), &boundary);
    let (mut key, mut fields, mut custom) = (None::<String>, Map::new(), Map::new());
    for _ in 0..MAX_FIELDS {
        let Some(headers) = parts.next_part().await? else { break };
        let name = headers.parameter("content-disposition", "name").unwrap_or_default().to_ascii_lowercase();
        if name == "file" || headers.parameter("content-disposition", "filename").is_some() {
            let Some(key) = key else { break };
            if let (Some(own), false) = (headers.get("content-type"), fields.contains_key("contentType")) {
                fields.insert("contentType".to_owned(), own.into());
            }
            fields.insert("metadata".to_owned(), Value::Object(custom));
            let place = Place { bucket: bucket.clone(), name: ObjectName::parse(&key)? };
            let patch = Patch::from_json(&Value::Object(fields.clone()))?;
            let upload = Upload { patch, ..Upload::at(place) };
            state.files.upload(&Caller::Admin, &upload, parts.into_part_stream()).await?;
            return Ok(plain(StatusCode::NO_CONTENT));
        }
        let value = parts.bytes(MAX_FIELD_BYTES).await?;
        let value = String::from_utf8_lossy(&value).trim().to_owned();
        if name == "key" {
            key = Some(value);
        } else if let Some(custom_name) = name.strip_prefix("x-goog-meta-") {
            custom.insert(custom_name.to_owned(), value.into());
        } else if let Some((_, field)) = FIELDS.iter().find(|(form, _)| *form == name) {
            fields.insert((*field).to_owned(), value.into());
        }
    }
    Ok(text(StatusCode::BAD_REQUEST, "Missing 'key' or file."))
}
