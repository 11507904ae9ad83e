//! Several requests in one: `multipart/mixed` of `application/http`. Each is answered on its own, in order.

use axum::body::Body;
use docstore::{Error, Result};
use futures::future::BoxFuture;
use http::{HeaderName, Method, Request, Response, StatusCode, header};

use super::handle as handle_one;
use crate::body::multipart::boundary_of;
use crate::body::small;
use crate::http::incoming::Incoming;
use crate::http::reply::{cloud_error, plain, set};
use crate::state::StorageState;

/// The most requests of one batch. Source: the API's limit.
const MAX_REQUESTS: usize = 100;
/// The most bytes of a batch: its requests carry metadata alone.
const MAX_BYTES: usize = 1 << 20;
/// The most bytes of one answer: metadata, or a page of a list.
const MAX_ANSWER_BYTES: usize = 4 << 20;
/// Separates the answers. Their bodies are JSON on one line, which cannot contain it.
const BOUNDARY: &str = "batch_of_answers";

/// Answers `POST /batch/storage/v1`.
pub(super) async fn handle(state: &StorageState, request: &Incoming, body: Body) -> Result<Response<Body>> {
    if request.method != Method::POST {
        return Ok(plain(StatusCode::METHOD_NOT_ALLOWED));
    }
    let boundary = boundary_of(request.header("content-type").unwrap_or_default(), "multipart/mixed")?;
    let body = small(body, MAX_BYTES).await?;
    let text = std::str::from_utf8(&body).map_err(|_| bad("it is not UTF-8"))?;
    let parts = split(text, &boundary);
    if parts.is_empty() || parts.len() > MAX_REQUESTS {
        let message = format!("A batch has from 1 to {MAX_REQUESTS} requests; this one has {}.", parts.len());
        return Err(Error::invalid("BatchSize", message));
    }
    let mut answers = String::new();
    for part in &parts {
        let (outer, inner) = part.split_once("\n\n").ok_or_else(|| bad("a part has no request"))?;
        let id =
            outer.lines().find_map(|line| line.split_once(':').filter(|(name, _)| is(name, "content-id")));
        answers.push_str(&format!("--{BOUNDARY}\r\nContent-Type: application/http\r\n"));
        if let Some((_, id)) = id {
            let id = id.trim().trim_start_matches('<').trim_end_matches('>');
            answers.push_str(&format!("Content-ID: <response-{id}>\r\n"));
        }
        answers.push_str(&format!("\r\n{}\r\n", answer(state, request, inner).await?));
    }
    answers.push_str(&format!("--{BOUNDARY}--\r\n"));
    let mut response = Response::new(Body::from(answers));
    set(&mut response, header::CONTENT_TYPE, &format!("multipart/mixed; boundary={BOUNDARY}"));
    Ok(response)
}

/// The parts of a batch, with plain line ends: libraries send them with and without carriage returns.
fn split(text: &str, boundary: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
        match line.strip_prefix("--").and_then(|line| line.trim_end().strip_prefix(boundary)) {
            Some("") => {
                inside = true;
                parts.push(String::new());
            }
            Some("--") => inside = false,
            _ if inside => {
                if let Some(part) = parts.last_mut() {
                    part.push_str(line);
                    part.push('\n');
                }
            }
            _ => {}
        }
    }
    parts
}

/// The answer to one request, as text. A request that is none ends the batch; one that fails is an answer.
async fn answer(state: &StorageState, batch: &Incoming, text: &str) -> Result<String> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text.trim_end_matches('\n'), ""));
    let parts = request_of(batch, head)?;
    let incoming = Incoming::new(&parts)?;
    let media = incoming.query("alt") == Some("media");
    let response = match incoming.segments.first().map(String::as_str) {
        Some("storage" | "b") if !media => within(state, &incoming, body.trim_end().to_owned()).await,
        _ => cloud_error(&bad("files themselves and other batches cannot be parts of one")),
    };
    let (parts, body) = response.into_parts();
    let body = small(body, MAX_ANSWER_BYTES).await?;
    let mut text = format!("HTTP/1.1 {}\r\n", parts.status);
    for name in [header::CONTENT_TYPE, header::ETAG] {
        if let Some(value) = parts.headers.get(&name).and_then(|value| value.to_str().ok()) {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    text.push_str(&format!("content-length: {}\r\n\r\n{}", body.len(), String::from_utf8_lossy(&body)));
    Ok(text)
}

/// Boxed, because a batch is a request like those within it.
fn within<'a>(
    state: &'a StorageState,
    incoming: &'a Incoming,
    body: String,
) -> BoxFuture<'a, Response<Body>> {
    Box::pin(handle_one(state, incoming, Body::from(body)))
}

fn request_of(batch: &Incoming, head: &str) -> Result<http::request::Parts> {
    let mut lines = head.lines();
    let mut words = lines.next().unwrap_or_default().split_whitespace();
    let (Some(method), Some(uri)) = (words.next(), words.next()) else {
        return Err(bad("a part does not begin with a request line"));
    };
    // The address of the server itself says nothing new.
    let path = match uri.split_once("://") {
        Some((_, rest)) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None => uri,
    };
    let mut request = Request::builder().method(method).uri(path);
    let mut named = false;
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let known = ["authorization", "content-type", "if-match", "if-none-match"];
        if let Ok(name) = HeaderName::try_from(name.trim().to_ascii_lowercase())
            && known.contains(&name.as_str())
        {
            named |= name == header::AUTHORIZATION;
            request = request.header(name, value.trim());
        }
    }
    for name in [header::HOST, header::AUTHORIZATION] {
        if let Some(value) = batch.headers.get(&name)
            && !(named && name == header::AUTHORIZATION)
        {
            request = request.header(name, value);
        }
    }
    let request = request.body(()).map_err(|_| bad("a part is not a valid request"))?;
    Ok(request.into_parts().0)
}

fn is(name: &str, wanted: &str) -> bool {
    name.trim().eq_ignore_ascii_case(wanted)
}

fn bad(why: &str) -> Error {
    Error::invalid("Batch", format!("The batch cannot be answered: {why}."))
}
