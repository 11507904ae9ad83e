//! Objects copied to another place, or moved to another name.

use axum::body::Body;
use docstore::{Code, Error, Result};
use http::{Response, StatusCode};
use serde_json::json;

use super::{condition, resource};
use crate::body::small;
use crate::catalog::Condition;
use crate::files::{Place, Source};
use crate::firebase::MAX_JSON_BYTES;
use crate::http::incoming::Incoming;
use crate::http::reply::json;
use crate::meta::json::{Patch, cloud};
use crate::names::ObjectName;
use crate::state::StorageState;

/// The condition that `ifSourceGenerationMatch` and the like set.
fn source_condition(request: &Incoming) -> Result<Condition> {
    Ok(Condition {
        generation: request.number("ifSourceGenerationMatch")?,
        metageneration: request.number("ifSourceMetagenerationMatch")?,
        generation_not: request.number("ifSourceGenerationNotMatch")?,
        metageneration_not: request.number("ifSourceMetagenerationNotMatch")?,
    })
}

/// Answers `POST …/copyTo/…` and `POST …/rewriteTo/…`.
pub(super) async fn copy(
    state: &StorageState,
    request: &Incoming,
    body: Body,
    (source, target): (Place, &Place),
    rewrite: bool,
) -> Result<Response<Body>> {
    if rewrite && request.query("rewriteToken").is_some_and(|token| !token.is_empty()) {
        return Err(Error::new(
            Code::Unimplemented,
            "RewriteToken",
            "A rewrite is done in one request here; there is none to continue.",
        ));
    }
    let condition = condition(request)?;
    let origin = request.origin.clone();
    let patch = Patch::parse(&small(body, MAX_JSON_BYTES).await?)?;
    let source = Source {
        place: source,
        generation: request.number("sourceGeneration")?,
        condition: source_condition(request)?,
    };
    let object = state.files.copy(&source, target, patch, condition).await?;
    if !rewrite {
        return Ok(resource(&object, &origin));
    }
    let size = object.meta.digests.size.to_string();
    Ok(json(
        StatusCode::OK,
        &json!({
            "kind": "storage#rewriteResponse",
            "totalBytesRewritten": size,
            "objectSize": size,
            "done": true,
            "resource": cloud(&object.meta, &origin),
        }),
    ))
}

/// Answers `POST …/moveTo/o/{target}`.
pub(super) async fn rename(
    state: &StorageState,
    request: &Incoming,
    place: Place,
    target: &str,
) -> Result<Response<Body>> {
    let source = Source { place, generation: None, condition: source_condition(request)? };
    let object = state.files.rename(&source, &ObjectName::parse(target)?, condition(request)?).await?;
    Ok(resource(&object, &request.origin))
}
