//! A file as a response: type, caching, coding, ranges, and "not modified".

use std::io::SeekFrom;
use std::ops::Range;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::stream;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    IF_RANGE, RANGE, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use storage_emu::body::range::{Wanted, wanted};
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::BuiltInFile;
use super::embedded::decompress;
use super::negotiate::{accepts_coding, has_already};
use super::site::{Content, File};

/// Files whose name holds a hash of their content never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Everything else is revalidated, usually with "not modified".
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Bytes of a large file per read.
const READ_BYTES: usize = 64 * 1024;

/// `file` with `status`; "not modified" only instead of 200.
pub(super) fn file(file: File, head: &Parts, status: StatusCode) -> Response {
    let headers = &head.headers;
    let has_forms = !file.compressed.is_empty();
    // Ranges are those of the uncompressed file: players and download tools know no other form.
    let whole = !(status == StatusCode::OK && asks_for_part(headers, &file.etag));
    let form = file.compressed.into_iter().find(|(coding, _)| whole && accepts_coding(headers, coding));
    let (coding, content) = match form {
        Some((coding, content)) => (Some(coding), content),
        None => (None, file.content),
    };
    let etag = match coding {
        Some(coding) => format!("\"{}-{coding}\"", file.etag.trim_matches('"')),
        None => file.etag,
    };
    let fresh = status == StatusCode::OK && has_already(headers, &etag);
    // The client has it: neither its bytes nor its length are needed.
    let content = if fresh { content } else { content.decompressed() };
    let size = content.bytes();
    let range = headers.get(RANGE).and_then(|range| range.to_str().ok()).filter(|_| !whole && !fresh);
    let (status, part) = match wanted(range, size) {
        Wanted::Whole => (status, 0..size),
        Wanted::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
        Wanted::Unsatisfiable => return unsatisfiable(size),
    };
    let (length, start) = (part.end - part.start, part.start);
    let body = if fresh || head.method == Method::HEAD { Body::empty() } else { content.into_body(part) };
    let mut response = Response::new(body);
    *response.status_mut() = if fresh { StatusCode::NOT_MODIFIED } else { status };
    if file.built_in {
        response.extensions_mut().insert(BuiltInFile);
    }
    let out = response.headers_mut();
    out.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if status == StatusCode::PARTIAL_CONTENT
        && let Ok(range) = HeaderValue::try_from(format!("bytes {start}-{}/{size}", start + length - 1))
    {
        out.insert(CONTENT_RANGE, range);
    }
    out.insert(CACHE_CONTROL, if is_hashed(&file.path) { IMMUTABLE } else { REVALIDATE });
    if let Ok(etag) = HeaderValue::try_from(etag) {
        out.insert(ETAG, etag);
    }
    if has_forms {
        out.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    if !fresh {
        out.insert(CONTENT_TYPE, content_type(&file.path));
        out.insert(CONTENT_LENGTH, HeaderValue::from(length));
        if let Some(coding) = coding {
            out.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
    }
    response
}

/// True if a range of the file that the client knows is requested.
fn asks_for_part(headers: &HeaderMap, etag: &str) -> bool {
    let known = headers.get(IF_RANGE).is_none_or(|known| known.as_bytes() == etag.as_bytes());
    known && headers.contains_key(RANGE)
}

fn unsatisfiable(size: u64) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
    if let Ok(range) = HeaderValue::try_from(format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, range);
    }
    response
}

/// True if the name contains a content hash by the bundler: eight capitals or digits between a hyphen and the next dot.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('-').is_some_and(|(_, rest)| {
        let hash = rest.split('.').next().unwrap_or_default();
        rest.contains('.')
            && hash.len() == 8
            && hash.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    })
}

fn content_type(path: &str) -> HeaderValue {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let essence = match guess.essence_str() {
        "application/javascript" => "text/javascript",
        other => other,
    };
    let is_text = essence.starts_with("text/")
        || matches!(essence, "application/json" | "application/manifest+json" | "image/svg+xml");
    let text = if is_text { format!("{essence}; charset=utf-8") } else { essence.to_owned() };
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

impl Content {
    /// The content itself. A program that is damaged has none.
    fn decompressed(self) -> Self {
        let Self::Compressed(data) = &self else { return self };
        Self::Here(Bytes::from(decompress(data).unwrap_or_else(|error| {
            tracing::error!("{}", error.message());
            Vec::new()
        })))
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Here(data) | Self::Compressed(data) => data.len() as u64,
            Self::OnDisk { bytes, .. } => *bytes,
        }
    }

    /// The bytes of a range, which must lie within the file.
    fn into_body(self, part: Range<u64>) -> Body {
        match self {
            Self::Here(data) | Self::Compressed(data) => {
                let [start, end] = [part.start, part.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
                Body::from(data.slice(start..end))
            }
            Self::OnDisk { path, .. } => {
                let opened = async move {
                    let mut file = tokio::fs::File::open(path).await?;
                    file.seek(SeekFrom::Start(part.start)).await?;
                    Ok::<_, std::io::Error>(file.take(part.end - part.start))
                };
                let chunks = stream::once(opened);
                Body::from_stream(futures::TryStreamExt::try_flatten(futures::TryStreamExt::map_ok(
                    chunks,
                    |file| {
                        stream::try_unfold(file, |mut file| async move {
                            let mut buffer = Vec::with_capacity(READ_BYTES);
                            let read = file.read_buf(&mut buffer).await?;
                            Ok::<_, std::io::Error>((read > 0).then(|| (Bytes::from(buffer), file)))
                        })
                    },
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::Arc;

    use http::Request;
    use parking_lot::Mutex;

    use super::*;

    /// The log of a thread.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_file_that_the_client_has_is_not_decompressed() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
        let _logged = tracing::subscriber::set_default(subscriber);
        // Damaged, so that decompression is logged.
        let status_for = |known: &str| {
            let content = Content::Compressed(Bytes::from_static(b"damaged"));
            let (path, etag) = ("main.js".to_owned(), "\"1\"".to_owned());
            let asked = File { path, content, compressed: Vec::new(), etag, built_in: true };
            let head = Request::get("/main.js").header("if-none-match", known).body(()).unwrap();
            file(asked, &head.into_parts().0, StatusCode::OK).status()
        };
        assert_eq!(status_for("\"1\""), StatusCode::NOT_MODIFIED);
        assert_eq!(String::from_utf8_lossy(&log.0.lock()), "");
        assert_eq!(status_for("\"0\""), StatusCode::OK);
        let text = String::from_utf8(log.0.lock().clone()).unwrap();
        assert!(text.contains("a file in the program cannot be read"), "{text}");
    }

    #[test]
    fn names_with_a_hash_are_known() {
        for (path, hashed) in [
            ("main-ABCD2345.js", true),
            ("assets/inter-latin-400-normal-ABCD2345.woff2", true),
            ("workers/export.worker-ABCD2345.js", true),
            ("main-ABCD2345.js.map", true),
            ("index.html", false),
            ("main-abcd2345.js", false),
            ("some-ABCDEFGH", false),
            ("main-ABCD234.js", false),
        ] {
            assert_eq!(is_hashed(path), hashed, "{path}");
        }
    }

    #[test]
    fn types_a_browser_insists_on() {
        for (path, expected) in [
            ("a.wasm", "application/wasm"),
            ("a.js", "text/javascript; charset=utf-8"),
            ("a.mjs", "text/javascript; charset=utf-8"),
            ("a.css", "text/css; charset=utf-8"),
            ("index.html", "text/html; charset=utf-8"),
            ("a.svg", "image/svg+xml; charset=utf-8"),
            ("a.woff2", "font/woff2"),
            ("a.json", "application/json; charset=utf-8"),
            ("a.unknown", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), expected, "{path}");
        }
    }
}
