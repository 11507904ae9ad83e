//! The requests of WebChannel.

use std::sync::Arc;
use std::time::Duration;

use ::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use prost_reflect::MethodDescriptor;

use super::back_channel_limiter::Place;
use super::channel::{BackChannel, Call, Channel, KEEP_ALIVE};
use super::form::{Form, pairs, parse_headers};
use super::session::{PORTIONS, ReplyKind, Session, handshake};
use crate::Transports;
use crate::body::read_body;
use crate::metadata::{is_metadata, metadata};
use docstore::error::{Error, Result};
use docstore::shares::StreamHolder;

/// The one version of the protocol.
const VERSION: &str = "8";

/// A browser may ask for polls this short; shorter ones would only burn requests.
const SHORTEST_POLL: Duration = Duration::from_secs(1);

/// Reply for an ended session. The browser's side looks for "Unknown SID", not at the start.
const UNKNOWN_SESSION: &str = "Error: Unknown SID";

/// The query parameters that matter.
#[derive(Debug, Default)]
struct Parameters {
    version: Option<String>,
    sid: Option<String>,
    rid: Option<String>,
    aid: Option<u64>,
    kind: Option<String>,
    long_polling: bool,
    timeout: Option<Duration>,
    headers: Vec<(String, String)>,
}

impl Parameters {
    fn parse(query: &str) -> Result<Self> {
        let mut parameters = Self::default();
        for (name, value) in pairs(query.as_bytes())? {
            match name.as_str() {
                "VER" => parameters.version = Some(value),
                "SID" => parameters.sid = Some(value),
                "RID" => parameters.rid = Some(value),
                "AID" => parameters.aid = Some(whole("AID", &value)?),
                "TYPE" => parameters.kind = Some(value),
                "CI" => parameters.long_polling = value == "1",
                "TO" => parameters.timeout = Some(Duration::from_millis(whole("TO", &value)?)),
                "$httpHeaders" => parameters.headers = parse_headers(&value),
                _ => {}
            }
        }
        Ok(parameters)
    }
}

fn whole(name: &str, value: &str) -> Result<u64> {
    value
        .parse()
        .map_err(|_| Error::invalid("WebChannelQuery", format!("{name}={value}: a whole number is needed")))
}

/// Answers one request for the stream of `method`.
pub(crate) async fn handle(
    transports: Arc<Transports>,
    method: MethodDescriptor,
    request: Request,
) -> Response {
    match answer(&transports, method, request).await {
        Ok(response) => response,
        Err(error) => text(
            StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            format!("Error: {}", error.message()),
        ),
    }
}

async fn answer(transports: &Transports, method: MethodDescriptor, request: Request) -> Result<Response> {
    let (head, body) = request.into_parts();
    let parameters = Parameters::parse(head.uri.query().unwrap_or_default())?;
    if parameters.version.as_deref() != Some(VERSION) {
        return Err(Error::invalid(
            "WebChannelVersion",
            format!("VER={}: version {VERSION} is needed", parameters.version.as_deref().unwrap_or_default()),
        ));
    }
    let Some(sid) = &parameters.sid else {
        if head.method != Method::POST {
            return Err(Error::invalid("WebChannelQuery", "SID is missing: a session is opened by a POST"));
        }
        let holder = head.extensions.get::<StreamHolder>().cloned();
        return open(transports, method, parameters, &head.headers, holder, body).await;
    };
    let Some(channel) = transports.sessions.get(sid) else {
        return Ok(text(StatusCode::BAD_REQUEST, UNKNOWN_SESSION.to_owned()));
    };
    if parameters.kind.as_deref() == Some("terminate") {
        channel.contact(Session::end);
        return Ok(text(StatusCode::OK, String::new()));
    }
    match head.method {
        Method::POST => forward(transports, &channel, &parameters, body).await,
        Method::GET if parameters.rid.as_deref() == Some("rpc") => {
            back(channel, &parameters, Place::take(&transports.sessions.limiter, &head))
        }
        _ => Err(Error::invalid("WebChannelQuery", "neither a POST nor a GET with RID=rpc")),
    }
}

async fn open(
    transports: &Transports,
    method: MethodDescriptor,
    parameters: Parameters,
    head: &HeaderMap,
    holder: Option<StreamHolder>,
    body: Body,
) -> Result<Response> {
    let place = holder.as_ref().map_or(Ok(None), StreamHolder::of_address)?;
    let (body, _held) = read_body(body, &transports.bodies).await?;
    let form = Form::parse(&body)?;
    let mut headers = metadata(head);
    for (name, value) in parameters.headers.into_iter().chain(form.headers) {
        let header = (HeaderName::try_from(&name), HeaderValue::try_from(&value));
        if let (Ok(name), Ok(value)) = header
            && is_metadata(name.as_str())
        {
            headers.insert(name, value);
        }
    }
    let mut session =
        Session::new(PORTIONS, form.offset, &transports.sessions.budget, &transports.sessions.streams);
    session.receive(None, form.offset, form.maps)?;
    let call = Call { method, headers, holder: holder.map(StreamHolder::with_place), place };
    let sid = transports.sessions.open(&transports.ids, transports.server.clone(), call, session)?;
    Ok(text(StatusCode::OK, handshake(&sid, KEEP_ALIVE.as_millis())))
}

async fn forward(
    transports: &Transports,
    channel: &Channel,
    parameters: &Parameters,
    body: Body,
) -> Result<Response> {
    let (body, _held) = read_body(body, &transports.bodies).await?;
    let form = Form::parse(&body)?;
    let receipt = channel.contact(|session| session.receive(parameters.aid, form.offset, form.maps))?;
    Ok(text(StatusCode::OK, receipt.body()))
}

fn back(channel: Arc<Channel>, parameters: &Parameters, place: Option<Place>) -> Result<Response> {
    let kind = if parameters.long_polling { ReplyKind::Polling } else { ReplyKind::Streaming };
    let keep_alive =
        parameters.timeout.map_or(KEEP_ALIVE, |timeout| timeout.clamp(SHORTEST_POLL, KEEP_ALIVE));
    let back = BackChannel::open(channel, parameters.aid.unwrap_or(0), kind, keep_alive, place)?;
    Ok(plain(StatusCode::OK, Body::from_stream(back.into_stream())))
}

fn text(status: StatusCode, body: String) -> Response {
    plain(status, Body::from(body))
}

fn plain(status: StatusCode, body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache, no-store")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (status, headers, body).into_response()
}
