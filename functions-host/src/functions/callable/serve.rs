//! The callable protocol: checks, deadline, panic isolation, and both response formats.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use docstore::Code;
use futures::future::FutureExt;
use http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::address::Address;
use super::codec::decode;
use super::context::{AuthContext, Context, TokenVerifier};
use super::error::CallError;
use super::registry::{Function, Handler, Registry};
use super::stream::{self, Chunks};
use super::{cors, request};
use crate::host::logging::panic_text;

/// The header that carries an application's attestation.
const APP_CHECK: &str = "x-firebase-appcheck";

/// The header that carries a messaging token.
const INSTANCE_ID: &str = "firebase-instance-id-token";

/// Media type of a response with events. Callers must send exactly this in `Accept`, as in the reference
/// implementation: a list of types means that plain JSON will do.
const EVENT_STREAM: &str = "text/event-stream";

/// The functions and their dependencies.
pub struct Callables {
    registry: Registry,
    verifier: Arc<dyn TokenVerifier>,
    project: String,
}

impl std::fmt::Debug for Callables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callables").field("project", &self.project).finish_non_exhaustive()
    }
}

impl Callables {
    /// Serves the functions of `registry` under the names of `project`.
    pub fn new(registry: Registry, verifier: Arc<dyn TokenVerifier>, project: String) -> Self {
        Self { registry, verifier, project }
    }

    /// The functions.
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The function addressed by a request, if any.
    pub fn address<'a>(&self, host: Option<&'a str>, path: &'a str) -> Option<Address<'a>> {
        Address::parse(host, path, &self.project)
    }

    /// Answers a request for the function at `address`. Dropping the future cancels the function.
    pub async fn serve(&self, address: Address<'_>, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        if parts.method == Method::OPTIONS {
            return cors::preflight(&parts.headers);
        }
        let parts = Arc::new(parts);
        let streaming = streams(&parts);
        let response = match self.prepare(address, &parts, body).await {
            Ok((function, context, data)) if streaming => stream(function.clone(), context, data),
            Ok((function, context, data)) => once(function, context, data).await,
            Err(error) => {
                log_failure(address.name, &error);
                failure(&error, streaming)
            }
        };
        allowed(&parts, response)
    }

    async fn prepare(
        &self,
        address: Address<'_>,
        parts: &Arc<Parts>,
        body: Body,
    ) -> Result<(&Function, Context, Value), CallError> {
        let function = self.registry.get(address).ok_or_else(|| unknown(address))?;
        let deadline = Instant::now() + function.timeout;
        request::check_head(parts)?;
        let body = tokio::time::timeout_at(deadline, request::read(body)).await.map_err(|_| too_late())??;
        let data = request::data(&body)?;
        let auth = self.authenticate(parts).await?;
        if !function.admits_guests && auth.as_ref().is_some_and(AuthContext::is_guest) {
            return Err(CallError::new(
                Code::PermissionDenied,
                "Guests of a table cannot do this. Log out, and sign up for an account of your own.",
            ));
        }
        let app_check =
            request::header(&parts.headers, APP_CHECK).and_then(|token| self.verifier.app_check(token));
        if function.enforce_app_check && app_check.is_none() {
            return Err(CallError::unauthenticated());
        }
        let instance_id = request::header(&parts.headers, INSTANCE_ID).map(str::to_owned);
        let context = Context { auth, app_check, instance_id, deadline, raw: Arc::clone(parts) };
        Ok((function, context, decode(data)?))
    }

    /// The early response to a request for a user's callable, sent before its worker is involved: to a preflight, and
    /// to a rejected token.
    pub(crate) async fn answer_early(&self, parts: &Parts) -> Option<Response> {
        if parts.method == Method::OPTIONS {
            return Some(cors::preflight(&parts.headers));
        }
        let error = self.authenticate(parts).await.err()?;
        Some(allowed(parts, failure(&error, streams(parts))))
    }

    /// The response to a call whose function could not be run.
    pub(crate) fn fail(&self, address: Address<'_>, parts: &Parts, error: docstore::Error) -> Response {
        let error = CallError::from(error);
        log_failure(address.name, &error);
        allowed(parts, failure(&error, streams(parts)))
    }

    /// Relays the response of a user's callable. If the worker could not read the request it responds in its own
    /// format, which is converted to the protocol's. A stream of events always ends with one. Whether it is a stream is
    /// known from the request only.
    pub(crate) fn relay(parts: &Parts, response: Response) -> Response {
        if let Some(error) = unread(&response) {
            return allowed(parts, failure(&error, streams(parts)));
        }
        if streams(parts) { response.map(|body| Body::from_stream(stream::relayed(body))) } else { response }
    }

    async fn authenticate(&self, parts: &Parts) -> Result<Option<AuthContext>, CallError> {
        let Some(value) = parts.headers.get(AUTHORIZATION).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        let header = value.to_str().map_err(|_| CallError::unauthenticated())?;
        match self.verifier.verify(header).await {
            Ok(auth) => Ok(Some(auth)),
            Err(error) if error.code() == Code::Unauthenticated => {
                tracing::debug!(tag = error.tag(), "token refused: {error}");
                Err(CallError::unauthenticated())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The reason a worker could not read a call's request. Callables respond with JSON or events; other text is not
/// theirs.
fn unread(response: &Response) -> Option<CallError> {
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if kind.starts_with(b"application/json") || kind.starts_with(EVENT_STREAM.as_bytes()) {
        return None;
    }
    match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Some(CallError::invalid(
            "The request is too large. Send less at once, or store the data first and send its name.",
        )),
        status @ (StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE) => {
            Some(CallError::bad_request(format!("the worker answered {status}")))
        }
        _ => None,
    }
}

/// True if the caller reads events.
fn streams(parts: &Parts) -> bool {
    request::header(&parts.headers, ACCEPT.as_str()) == Some(EVENT_STREAM)
}

/// Allows the calling page to read the response.
fn allowed(parts: &Parts, mut response: Response) -> Response {
    cors::allow(&parts.headers, response.headers_mut());
    response
}

/// Runs the handler until its deadline and catches its panics.
async fn run(function: &Function, context: Context, data: Value, chunks: Chunks) -> Result<Value, CallError> {
    let deadline = context.deadline;
    let Handler::Native(handler) = &function.handler;
    // The call of the handler may panic as well as the polling of its future: both happen inside the guard.
    let guarded = AssertUnwindSafe(async { handler(context, data, chunks).await }).catch_unwind();
    let outcome = match tokio::time::timeout_at(deadline, guarded).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(panic)) => Err(CallError::internal("FunctionPanicked", panic_text(&*panic))),
        Err(_) => Err(too_late()),
    };
    outcome.inspect_err(|error| log_failure(&function.name, error))
}

async fn once(function: &Function, context: Context, data: Value) -> Response {
    match run(function, context, data, Chunks::ignored()).await {
        Ok(result) => json_response(StatusCode::OK, &json!({ "result": result })),
        Err(error) => failure(&error, false),
    }
}

fn stream(function: Function, context: Context, data: Value) -> Response {
    let (chunks, reader) = stream::channel();
    let call = async move { run(&function, context, data, chunks).await };
    event_stream(Body::from_stream(stream::events(call, reader)))
}

/// The response to an error before or instead of a result. A caller that reads events gets it as an event with status
/// 200, because such callers look at nothing else.
fn failure(error: &CallError, streaming: bool) -> Response {
    let body = error.body();
    if streaming {
        return event_stream(Body::from(stream::event(&body)));
    }
    let status = StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    json_response(status, &body)
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    response
}

fn event_stream(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn unknown(address: Address<'_>) -> CallError {
    let Address { region, name } = address;
    CallError::new(
        Code::NotFound,
        format!(
            "There is no function {name:?} in {region}. Check its name, and the region given to getFunctions."
        ),
    )
}

fn too_late() -> CallError {
    CallError::new(Code::DeadlineExceeded, "The function did not finish in its time.")
}

fn log_failure(function: &str, error: &CallError) {
    let inner = error.inner();
    let cause = std::error::Error::source(inner).map(ToString::to_string).unwrap_or_default();
    if matches!(inner.code(), Code::Internal | Code::Unknown | Code::DataLoss) {
        tracing::error!(function, tag = inner.tag(), cause, "call failed: {inner}");
    } else {
        tracing::debug!(function, tag = inner.tag(), cause, "call refused: {inner}");
    }
}
