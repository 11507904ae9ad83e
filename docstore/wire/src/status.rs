//! [`Error`] on the wires.

mod details;
mod repeats;

use std::sync::Arc;

use axum::response::Response;
use http::HeaderValue;
use tokio::time::Instant;
use tonic::Status;

use docstore::error::{Code, Error};

pub(super) use details::Place;
use repeats::Repeats;

/// The failures that the log has.
static SAID: Repeats = Repeats::new();

/// The gRPC status of `error`. Its private source stays behind, in the log.
pub(super) fn to_status(error: &Error) -> Status {
    if matches!(error.code(), Code::Internal | Code::Unknown | Code::DataLoss) {
        let source = std::error::Error::source(error).map(tracing::field::display);
        // One failure cuts every stream at once: one line is logged for all of them.
        if let Some(before) = SAID.of(error.tag(), Instant::now()) {
            let unsaid = (before > 0).then_some(before);
            tracing::error!(tag = error.tag(), source, unsaid, "{error}");
        }
    }
    let code = tonic::Code::from_i32(error.code().number());
    let mut status = match details::of(error) {
        Some(details) => Status::with_details(code, error.message(), details),
        None => Status::new(code, error.message()),
    };
    status.set_source(Arc::new(Tag(error.tag())));
    status
}

/// Beginning of the decoder's error about a message.
const UNDECODABLE: &str = "failed to decode Protobuf message";

fn is_undecodable(status: &Status) -> bool {
    status.code() == tonic::Code::Internal && status.message().starts_with(UNDECODABLE)
}

/// The status for a message that could not be received: one that cannot be decoded is its sender's fault. The gRPC
/// library blames the server, and a client would send a write that is nested too deeply again for ever.
pub(super) fn undecodable(status: Status) -> Status {
    if is_undecodable(&status) { to_status(&Error::invalid("Protobuf", status.message())) } else { status }
}

/// [`undecodable`] for a reply that is a failure before anything was read.
pub(super) async fn blame(mut reply: Response) -> Response {
    if Status::from_header_map(reply.headers()).is_some_and(|status| is_undecodable(&status)) {
        reply.headers_mut().insert(Status::GRPC_STATUS, INVALID_ARGUMENT);
    }
    reply
}

/// The number of [`Code::InvalidArgument`] as a header.
const INVALID_ARGUMENT: HeaderValue = HeaderValue::from_static("3");

/// The failure's stable name, carried along for logs and tests.
#[derive(Debug)]
struct Tag(&'static str);

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Tag {}

/// The canonical code of `status`; `OK`, which is not a failure, counts as unknown.
pub(super) fn code_of(status: &Status) -> Code {
    let number = i32::from(status.code());
    Code::ALL.into_iter().find(|code| code.number() == number).unwrap_or(Code::Unknown)
}

/// `{"code", "message", "status", "details"?}` with the HTTP number (REST) or the gRPC number (WebChannel) as `code`.
pub(super) fn error_json(code: i32, status: &Status) -> serde_json::Value {
    let mut error = serde_json::json!({
        "code": code, "message": status.message(), "status": code_of(status).status()
    });
    let details = details::to_json(status.details());
    if !details.is_empty() {
        error["details"] = details.into();
    }
    serde_json::json!({ "error": error })
}
