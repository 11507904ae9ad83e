//! Import and export of files: their bytes in `blobs/`, their metadata in `metadata/`.

use std::path::{Path, PathBuf};

use axum::body::Body;
use bytes::Bytes;
use docstore::{Database, Error, Result};
use futures::TryStreamExt as _;
use http::Method;
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use storage_emu::meta::json::{cloud, encode_component};
use storage_emu::meta::{ObjectMeta, TOKENS_KEY};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::documents::page;
use super::local::Local;
use super::{read_json, unreadable, unwritable, write_json};

/// Bytes of a file per read.
const CHUNK: usize = 256 << 10;

/// Longest file name accepted by file systems, in bytes.
const MAX_FILE_NAME: usize = 255;

/// Suffix of the metadata's files.
const JSON: &str = ".json";

/// Writes all files. Returns their number.
///
/// # Errors
/// A file cannot be read, or the folder cannot be written.
pub(super) async fn export(local: &Local, database: &Database, folder: &Path) -> Result<usize> {
    let (blobs, metadata) = (folder.join("blobs"), folder.join("metadata"));
    for place in [&blobs, &metadata] {
        super::create_folder(place)?;
    }
    let (mut count, mut after) = (0, None);
    let mut buckets = std::collections::BTreeSet::new();
    loop {
        let documents = page(database, after).await?;
        let Some(last) = documents.last() else { break };
        after = Some(last.path.clone());
        for document in documents.iter().filter(|document| document.path.collection_id() == "objects") {
            let meta = ObjectMeta::from_fields(&document.fields)?;
            let name = stem(&meta.bucket, &meta.name);
            let bytes = format!(
                "/download/storage/v1/b/{}/o/{}?alt=media",
                encode_component(&meta.bucket),
                encode_component(&meta.name)
            );
            let answer = local.send(Method::GET, &bytes, "application/json", Body::empty()).await?;
            save(answer.into_body(), &blobs.join(&name)).await?;
            write_json(&metadata.join(format!("{name}{JSON}")), &shown(&meta)).await?;
            buckets.insert(meta.bucket);
            count += 1;
        }
    }
    let buckets: Vec<Value> = buckets.into_iter().map(|id| json!({ "id": id })).collect();
    write_json(&folder.join("buckets.json"), &json!({ "buckets": buckets })).await?;
    Ok(count)
}

/// A file's name in the export: bucket and name, as in the official suite, or a hash of them where the name would be
/// too long for file systems. The metadata in it says which file it is.
fn stem(bucket: &str, name: &str) -> String {
    let whole = encode_component(&format!("{bucket}/{name}"));
    if whole.len() + JSON.len() <= MAX_FILE_NAME {
        return whole;
    }
    Sha256::digest(whole.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn save(mut body: Body, path: &Path) -> Result<()> {
    let mut file = tokio::fs::File::create(path).await.map_err(|cause| unwritable(path, cause))?;
    while let Some(frame) = body.frame().await {
        let frame = frame
            .map_err(|cause| Error::internal("FileRead", "a file could not be read to its end", cause))?;
        if let Ok(data) = frame.into_data() {
            file.write_all(&data).await.map_err(|cause| unwritable(path, cause))?;
        }
    }
    file.sync_all().await.map_err(|cause| unwritable(path, cause))
}

/// A file's metadata in the form of the official suite.
fn shown(meta: &ObjectMeta) -> Value {
    let cloud = cloud(meta, "");
    let member = |name: &str| cloud.get(name).cloned().unwrap_or_default();
    let number = |name: &str| member(name).as_str().and_then(|text| text.parse::<u64>().ok());
    let tokens: Vec<&str> = meta.set.tokens.iter().map(|token| token.value.as_str()).collect();
    let mut shown = Map::new();
    let members = [
        ("name", meta.name.clone().into()),
        ("bucket", meta.bucket.clone().into()),
        ("contentType", meta.content_type().into()),
        // Milliseconds, which every JSON reader keeps exact.
        ("generation", number("generation").map(|micros| micros / 1_000).into()),
        ("metageneration", number("metageneration").into()),
        ("timeCreated", member("timeCreated")),
        ("updated", member("updated")),
        ("storageClass", "STANDARD".into()),
        ("size", number("size").into()),
        ("md5Hash", member("md5Hash")),
        ("crc32c", crc(&member("crc32c")).into()),
        ("etag", member("etag")),
        ("contentDisposition", meta.set.content_disposition.clone().into()),
        ("contentEncoding", meta.set.content_encoding.clone().into()),
        ("contentLanguage", meta.set.content_language.clone().into()),
        ("cacheControl", meta.set.cache_control.clone().into()),
        ("downloadTokens", tokens.join(",").into()),
        ("customMetadata", json!(meta.set.custom)),
    ];
    shown.extend(
        members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.to_owned(), value)),
    );
    Value::Object(shown)
}

/// A base64 checksum as a decimal number.
fn crc(base64: &Value) -> Option<String> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64.as_str()?).ok()?;
    bytes.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes).to_string())
}

/// Imports all files. Returns their number.
///
/// # Errors
/// A file cannot be read, or is rejected.
pub(super) async fn import(local: &Local, folder: &Path) -> Result<usize> {
    let metadata = folder.join("metadata");
    if !metadata.is_dir() {
        return Ok(0);
    }
    let mut count = 0;
    for path in json_files(&metadata)? {
        let Some(known) = read_json(&path).await? else { continue };
        let text = |name: &str| known.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (Some(bucket), Some(name)) = (text("bucket"), text("name")) else {
            let message = format!("{} names no bucket and file", path.display());
            return Err(Error::invalid("ExportDamaged", message));
        };
        let relative = path.strip_prefix(&metadata).unwrap_or(&path).with_extension("");
        let (bucket, object) = (encode_component(bucket), encode_component(name));
        let upload = format!("/upload/storage/v1/b/{bucket}/o?uploadType=media&name={object}");
        let kind = text("contentType").unwrap_or("application/octet-stream");
        local.send(Method::POST, &upload, kind, load(&folder.join("blobs").join(relative)).await?).await?;
        let mut custom = known.get("customMetadata").and_then(Value::as_object).cloned().unwrap_or_default();
        if let Some(tokens) = text("downloadTokens") {
            custom.insert(TOKENS_KEY.to_owned(), tokens.into());
        }
        let mut patch = Map::from_iter([("metadata".to_owned(), Value::Object(custom))]);
        for name in ["contentDisposition", "contentEncoding", "contentLanguage", "cacheControl"] {
            patch.extend(text(name).map(|text| (name.to_owned(), text.into())));
        }
        local
            .json(Method::PATCH, &format!("/storage/v1/b/{bucket}/o/{object}"), Some(&Value::Object(patch)))
            .await?;
        count += 1;
    }
    Ok(count)
}

/// The `.json` files of a folder and its subfolders, in order.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|cause| unreadable(&folder, cause))? {
            let path = entry.map_err(|cause| unreadable(&folder, cause))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A file as a streamed body.
async fn load(path: &Path) -> Result<Body> {
    let file = tokio::fs::File::open(path).await.map_err(|cause| unreadable(path, cause))?;
    let chunks = futures::stream::try_unfold(file, |mut file| async move {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut chunk).await?;
        Ok::<_, std::io::Error>((read > 0).then(|| (Bytes::from(chunk), file)))
    });
    Ok(Body::from_stream(chunks.into_stream()))
}
