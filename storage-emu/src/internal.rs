//! Routes for test tools in emulator mode: clear everything, replace the rules, export to a folder.

use std::path::{Path, PathBuf};

use axum::body::Body;
use docstore::access::Mode;
use docstore::{Error, Result};
use futures::TryStreamExt;
use http::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::access::RulesSource;
use crate::body::small;
use crate::catalog::{ListRequest, Object};
use crate::http::incoming::Incoming;
use crate::http::reply::{json, plain, text};
use crate::meta::json::{cloud, encode_component};
use crate::names::BucketName;
use crate::state::StorageState;

/// The most bytes of a request with rules.
const MAX_RULES_BYTES: usize = 1 << 20;

/// Answers a request below `/internal`; outside emulator mode there is nothing there.
pub(crate) async fn handle(state: &StorageState, request: &Incoming, body: Body) -> Response<Body> {
    if state.files.mode != Mode::Emulator {
        return plain(StatusCode::NOT_FOUND);
    }
    // A web page that somebody happens to visit must not be able to use these routes.
    if request.headers.contains_key("origin") {
        return text(StatusCode::FORBIDDEN, "Web pages may not control the emulator.");
    }
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let outcome = match (request.method.clone(), segments.as_slice()) {
        (Method::POST, ["internal", "reset"]) => reset(state).await.map(|()| plain(StatusCode::OK)),
        (Method::PUT, ["internal", "setRules"]) => set_rules(state, body).await,
        (Method::POST, ["internal", "export"]) => export(state, request, body).await,
        _ => Ok(plain(StatusCode::NOT_FOUND)),
    };
    outcome
        .unwrap_or_else(|error| json(crate::status::status(&error), &json!({ "message": error.message() })))
}

async fn reset(state: &StorageState) -> Result<()> {
    state.files.catalog.records.clear().await?;
    for folder in ["blobs", "parts", "staging", "thumbs"] {
        let listed: Vec<_> = state.files.blobs.list(folder).try_collect().await?;
        for item in listed {
            state.files.blobs.remove(&item.key).await?;
        }
    }
    Ok(())
}

async fn set_rules(state: &StorageState, body: Body) -> Result<Response<Body>> {
    let refused = |message: &str| Ok(json(StatusCode::BAD_REQUEST, &json!({ "message": message })));
    let body = small(body, MAX_RULES_BYTES).await?;
    let body: Value = serde_json::from_slice(&body)
        .map_err(|source| Error::invalid("RulesJson", format!("The body is not valid JSON: {source}.")))?;
    let Some(files) =
        body.pointer("/rules/files").and_then(Value::as_array).filter(|files| !files.is_empty())
    else {
        return refused("Request body must include 'rules.files' array");
    };
    let text = |file: &Value, field: &str| file.get(field).and_then(Value::as_str).map(str::to_owned);
    let mut sources = Vec::new();
    for file in files {
        let (Some(name), Some(content)) = (text(file, "name"), text(file, "content")) else {
            return refused("Each member of 'rules.files' array must contain 'name' and 'content'");
        };
        let resource = text(file, "resource");
        if files.len() > 1 && resource.is_none() {
            return refused(
                "Each member of 'rules.files' array must contain 'name', 'content', and 'resource'",
            );
        }
        sources.push(RulesSource { name, content, resource });
    }
    state.files.access.replace(&sources)?;
    Ok(json(StatusCode::OK, &json!({ "message": "Rules updated successfully" })))
}

async fn export(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    let origin = request.origin.clone();
    let body = small(body, MAX_RULES_BYTES).await?;
    let body: Value = serde_json::from_slice(&body)
        .map_err(|source| Error::invalid("ExportJson", format!("The body is not valid JSON: {source}.")))?;
    let Some(path) = body.get("path").and_then(Value::as_str).filter(|path| !path.is_empty()) else {
        return Ok(text(StatusCode::BAD_REQUEST, "Export request body must include 'path'."));
    };
    write_export(state, &PathBuf::from(path), &origin).await?;
    Ok(plain(StatusCode::OK))
}

/// Writes `buckets.json`, `blobs/` and `metadata/` below `folder`, as the emulator suite lays them out.
async fn write_export(state: &StorageState, folder: &Path, origin: &str) -> Result<()> {
    let unusable = |source: std::io::Error| {
        Error::new(
            docstore::Code::FailedPrecondition,
            "ExportFolder",
            format!("The folder {} cannot be written: {source}.", folder.display()),
        )
    };
    let (blobs, metadata) = (folder.join("blobs"), folder.join("metadata"));
    tokio::fs::create_dir_all(&blobs).await.map_err(unusable)?;
    tokio::fs::create_dir_all(&metadata).await.map_err(unusable)?;
    let buckets: Vec<_> = state.files.catalog.buckets().await?.into_iter().map(|(name, _)| name).collect();
    let listed: Vec<_> = buckets.iter().map(|id| json!({ "id": id })).collect();
    tokio::fs::write(folder.join("buckets.json"), json!({ "buckets": listed }).to_string())
        .await
        .map_err(unusable)?;
    for bucket in &buckets {
        let bucket = BucketName::parse(bucket)?;
        let mut request = ListRequest::default();
        loop {
            let page = state.files.catalog.list(&bucket, &request).await?;
            for object in &page.items {
                // The checksum keeps names apart that are longer than a file name may be.
                let whole = encode_component(&format!("{}/{}", object.meta.bucket, object.meta.name));
                let short: String = whole.chars().take(120).collect();
                let file = format!("{short}-{}", object.meta.digests.sha256.get(..16).unwrap_or_default());
                let path = encode_component(&file);
                write_object(state, object, &blobs.join(&path)).await?;
                let mut described = cloud(&object.meta, origin);
                if let Some(described) = described.as_object_mut() {
                    described.insert("path".to_owned(), path.clone().into());
                }
                tokio::fs::write(metadata.join(format!("{path}.json")), described.to_string())
                    .await
                    .map_err(unusable)?;
            }
            match page.next_page_token {
                Some(token) => request.page_token = Some(token),
                None => break,
            }
        }
    }
    Ok(())
}

async fn write_object(state: &StorageState, object: &Object, path: &Path) -> Result<()> {
    let failed =
        |source: std::io::Error| Error::internal("ExportWrite", "A file could not be exported.", source);
    let mut file = tokio::fs::File::create(path).await.map_err(failed)?;
    let mut bytes = state.files.blobs.read(&object.key, 0..object.meta.digests.size).await?;
    while let Some(chunk) = bytes.try_next().await? {
        file.write_all(&chunk).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)
}
