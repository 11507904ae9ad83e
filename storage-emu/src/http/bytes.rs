//! The bytes of an object as a reply.

use std::io;

use async_compression::tokio::bufread::GzipDecoder;
use axum::body::Body;
use docstore::Result;
use docstore::access::Mode;
use futures::TryStreamExt;
use http::{HeaderMap, Response, StatusCode, header};
use tokio::io::AsyncReadExt;
use tokio_util::io::{ReaderStream, StreamReader};

use super::reply::{set, set_named};
use crate::body::ByteStream;
use crate::body::range::{Wanted, wanted};
use crate::catalog::Object;
use crate::files::Files;
use crate::meta::json::encode_component;
use crate::meta::served_type::{Sending, sending};

/// Under this policy a browser shows a file without running anything in it.
pub(crate) const SANDBOX: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors *";
/// Cache time for a token URL, whose bytes never change: a year.
const IMMUTABLE: &str = "private, max-age=31536000, immutable";

/// The reply with an object's bytes; `None` when the object was replaced meanwhile.
///
/// # Errors
/// `Unavailable` when the store fails.
pub(crate) async fn send(
    files: &Files,
    object: &Object,
    headers: &HeaderMap,
    token: Option<&str>,
) -> Result<Option<Response<Body>>> {
    let meta = &object.meta;
    let size = meta.digests.size;
    let etag = content_etag(object);
    let header = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    let mut response = Response::new(Body::empty());
    describe(&mut response, files.mode, object, token);
    set(&mut response, header::ETAG, &etag);
    if header(header::IF_NONE_MATCH).is_some_and(|tags| matches_any(tags, &etag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(Some(response));
    }
    let gzipped = meta.set.content_encoding.as_deref() == Some("gzip");
    if gzipped && !header(header::ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip")) {
        let Some(bytes) = files.bytes(object, 0..size).await? else { return Ok(None) };
        *response.body_mut() = Body::from_stream(unzipped(bytes, files.catalog.limits.file_bytes));
        return Ok(Some(response));
    }
    set(&mut response, header::ACCEPT_RANGES, "bytes");
    if let Some(encoding) = meta.set.content_encoding.as_deref().filter(|encoding| *encoding != "identity") {
        set(&mut response, header::CONTENT_ENCODING, encoding);
    }
    let fits = header(header::IF_RANGE).is_none_or(|tag| tag == etag);
    let range = match wanted(header(header::RANGE).filter(|_| fits), size) {
        Wanted::Whole => 0..size,
        Wanted::Part(range) => {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let shown = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            set(&mut response, header::CONTENT_RANGE, &shown);
            range
        }
        Wanted::Unsatisfiable => {
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            set(&mut response, header::CONTENT_RANGE, &format!("bytes */{size}"));
            return Ok(Some(response));
        }
    };
    set(&mut response, header::CONTENT_LENGTH, &(range.end - range.start).to_string());
    let Some(bytes) = files.bytes(object, range).await? else { return Ok(None) };
    *response.body_mut() = Body::from_stream(bytes);
    Ok(Some(response))
}

/// The tag of an object's content, for caches: the same bytes have the same tag.
fn content_etag(object: &Object) -> String {
    format!("\"{}\"", object.meta.digests.sha256.get(..32).unwrap_or_default())
}

fn matches_any(tags: &str, etag: &str) -> bool {
    tags.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Sets the headers that describe the bytes and keep them harmless.
fn describe(response: &mut Response<Body>, mode: Mode, object: &Object, token: Option<&str>) {
    let meta = &object.meta;
    let Sending { content_type, attachment } = sending(meta);
    set(response, header::CONTENT_TYPE, &content_type);
    let name = encode_component(meta.name.rsplit('/').next().unwrap_or_default());
    let stored = meta.set.content_disposition.as_deref();
    let disposition = match stored {
        Some(stored) if !attachment => stored,
        _ => "attachment",
    };
    let disposition = match mode {
        _ if disposition.contains("filename") => disposition.to_owned(),
        // Without a character set, as the emulator's own clients and tests expect it.
        Mode::Emulator => format!("{disposition}; filename*={name}"),
        Mode::Serving => format!("{disposition}; filename*=utf-8''{name}"),
    };
    set(response, header::CONTENT_DISPOSITION, &disposition);
    let minted = token.and_then(|token| meta.token(token)).is_some_and(|token| token.minted);
    match meta.set.cache_control.as_deref() {
        Some(cache_control) => set(response, header::CACHE_CONTROL, cache_control),
        None if minted => set(response, header::CACHE_CONTROL, IMMUTABLE),
        None => set(response, header::CACHE_CONTROL, "private, max-age=0"),
    }
    if let Some(language) = meta.set.content_language.as_deref() {
        set(response, header::CONTENT_LANGUAGE, language);
    }
    set_named(response, "x-goog-generation", &meta.generation.to_string());
    set_named(response, "x-goog-metageneration", &meta.metageneration.to_string());
    set_named(response, "x-goog-storage-class", "STANDARD");
    let hash = format!("crc32c={},md5={}", meta.digests.crc32c_base64(), meta.digests.md5);
    set_named(response, "x-goog-hash", &hash);
    set_named(response, "x-goog-stored-content-length", &meta.digests.size.to_string());
    let encoding = meta.set.content_encoding.as_deref().unwrap_or("identity");
    set_named(response, "x-goog-stored-content-encoding", encoding);
    harmless(response);
}

/// The headers that keep a browser from guessing types, running scripts and telling others the URL.
pub(crate) fn harmless(response: &mut Response<Body>) {
    set(response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(response, header::CONTENT_SECURITY_POLICY, SANDBOX);
    set(response, header::REFERRER_POLICY, "no-referrer");
    set_named(response, "cross-origin-resource-policy", "cross-origin");
}

/// Decompresses on the way, `limit` bytes at most: a small file must not become an endless answer.
fn unzipped(bytes: ByteStream, limit: u64) -> ByteStream {
    let reader = StreamReader::new(bytes.map_err(io::Error::other));
    let mut decoder = GzipDecoder::new(reader);
    decoder.multiple_members(true);
    let stream = ReaderStream::new(decoder.take(limit));
    Box::pin(stream.map_err(|source| {
        docstore::Error::new(
            docstore::Code::DataLoss,
            "Gunzip",
            "The stored file says that it is gzip but cannot be decompressed.",
        )
        .with_source(source)
    }))
}
