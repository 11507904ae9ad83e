//! REST: every HTTP rule of the descriptor set, transcoded to the one service.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures::{Stream, StreamExt as _, stream};
use http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use http::{HeaderValue, StatusCode};
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use tonic::Status;

use super::body::read_body;
use super::metadata::metadata;
use super::schema::Rule;
use super::status::{code_of, error_json, to_status};
use super::{Transports, json, rpc};
use docstore::error::Result;
use docstore::shares::StreamHolder;

mod bind;

/// The type of every reply.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");

/// Tells nginx and its kin to pass a stream on as it comes.
const NO_BUFFERING: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// Answers one request below `/v1/projects`.
pub(super) async fn handle(State(transports): State<Arc<Transports>>, request: Request) -> Response {
    match answer(&transports, request).await {
        Ok(response) => response,
        Err(status) => failure(&status),
    }
}

async fn answer(transports: &Transports, request: Request) -> Result<Response, Status> {
    let (head, body) = request.into_parts();
    let (rule, path) = route(&transports.schema.rules, &head.method, head.uri.path())
        .ok_or_else(|| {
            let message = format!("{} {} is not part of this API.", head.method, head.uri.path());
            Status::not_found(message)
        })?
        .map_err(|error| to_status(&error))?;
    let (body, _held) = read_body(body, &transports.bodies).await.map_err(|error| to_status(&error))?;
    let requests = bind::bind(rule, &path, head.uri.query(), &body).map_err(|error| to_status(&error))?;
    let method = rule.method.clone();
    let mut headers = metadata(&head.headers);
    if !headers.contains_key(AUTHORIZATION)
        && let Some(token) = bind::authorization(head.uri.query()).map_err(|error| to_status(&error))?
    {
        headers.insert(AUTHORIZATION, token);
    }
    let holder = head.extensions.get::<StreamHolder>().cloned();
    let replies =
        rpc::call(transports.server.clone(), &method, headers, holder, sent(&method, &requests)).await?;
    reply(&method, replies).await
}

/// The requests that a path, its query and a body make; `None` where no rule fits.
pub(super) fn requests(
    rules: &[Rule],
    verb: &http::Method,
    path: &str,
    query: Option<&str>,
    body: &[u8],
) -> Option<Result<Vec<DynamicMessage>>> {
    let routed = route(rules, verb, path)?;
    Some(routed.and_then(|(rule, values)| bind::bind(rule, &values, query, body)))
}

/// A rule, and the values of the fields in the path.
type Routed<'a> = (&'a Rule, Vec<(&'a str, String)>);

/// The rule for a request. A document's name and a collection's name match the same templates; below
/// `documents` an odd number of segments names a collection.
fn route<'a>(rules: &'a [Rule], verb: &http::Method, path: &str) -> Option<Result<Routed<'a>>> {
    let names_collection =
        path.split_once("/documents/").is_some_and(|(_, rest)| rest.split('/').count() % 2 == 1);
    rules.iter().filter(|rule| rule.verb == verb).find_map(|rule| {
        let values = match rule.template.matches(path)? {
            Ok(values) => values,
            Err(error) => return Some(Err(error)),
        };
        let wants_collection = values.iter().any(|(field, _)| *field == "collection_id");
        let fits = rule.template.has_verb() || wants_collection == names_collection;
        fits.then_some(Ok((rule, values)))
    })
}

/// The requests as a stream. Where both sides stream, the caller's side stays open: what ends the call is the
/// end of the connection.
fn sent(
    method: &MethodDescriptor,
    requests: &[DynamicMessage],
) -> impl Stream<Item = Bytes> + Send + 'static {
    let stays_open = method.is_client_streaming() && method.is_server_streaming();
    let requests: Vec<Bytes> = requests.iter().map(json::encode).collect();
    let rest = if stays_open { stream::pending().left_stream() } else { stream::empty().right_stream() };
    stream::iter(requests).chain(rest)
}

async fn reply(method: &MethodDescriptor, mut replies: tonic::Streaming<Bytes>) -> Result<Response, Status> {
    let output = method.output();
    let first = replies.next().await.transpose()?;
    let mut response = if method.is_server_streaming() {
        let stream = stream::iter(first.map(Ok)).chain(replies);
        Response::new(Body::from_stream(array(output, stream)))
    } else {
        let message = first.ok_or_else(|| Status::internal("the service sent no reply"))?;
        Response::new(Body::from(json::write(output, &message).map_err(|error| to_status(&error))?))
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(NO_BUFFERING.0, NO_BUFFERING.1);
    Ok(response)
}

/// A JSON array that grows with the stream: each element whole, on a line of its own, written at once. A failure
/// after the first element is the last element.
fn array(
    output: MessageDescriptor,
    replies: impl Stream<Item = Result<Bytes, Status>> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + 'static {
    enum At {
        Start,
        Middle,
        End,
    }
    stream::unfold((Box::pin(replies), At::Start), move |(mut replies, at)| {
        let output = output.clone();
        async move {
            let lead: &[u8] = match at {
                At::Start => b"[",
                At::Middle => b",",
                At::End => return None,
            };
            let element = match replies.next().await {
                None => {
                    let tail: &[u8] = if matches!(at, At::Start) { b"[]" } else { b"]" };
                    return Some((Ok(Bytes::from_static(tail)), (replies, At::End)));
                }
                Some(Ok(message)) => json::write(output, &message).map_err(|error| to_status(&error)),
                Some(Err(status)) => Err(status),
            };
            let mut line = lead.to_vec();
            match element {
                Ok(element) => {
                    line.extend_from_slice(&element);
                    line.push(b'\n');
                    Some((Ok(line.into()), (replies, At::Middle)))
                }
                Err(status) => {
                    let code = i32::from(code_of(&status).http());
                    line.extend_from_slice(error_json(code, &status).to_string().as_bytes());
                    line.extend_from_slice(b"\n]");
                    Some((Ok(line.into()), (replies, At::End)))
                }
            }
        }
    })
}

/// The reply to a request that failed before anything was sent.
pub(super) fn failure(status: &Status) -> Response {
    let code = code_of(status).http();
    let http = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (http, [(CONTENT_TYPE, JSON)], error_json(i32::from(code), status).to_string()).into_response()
}
