//! Emulator mode alone: the hub, the console, the clock and the faults that tests set, and the port of the database that is
//! not there.

pub(crate) mod clock;
pub(crate) mod console;
pub(crate) mod database;
pub(crate) mod denial;
pub(crate) mod faults;
pub mod hub;
pub(crate) mod request_log;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use docstore::Error;
use http::StatusCode;
use serde_json::json;

use crate::host::metrics;

/// Answers requests of this machine alone: other machines and pages of other sites neither see users' requests nor set
/// clock and faults.
async fn here_only(request: Request, next: Next) -> Response {
    if metrics::is_local_request(&request) {
        return next.run(request).await;
    }
    StatusCode::NOT_FOUND.into_response()
}

/// The refusal of a body that cannot be used, with the reason.
fn bad_request(error: &Error) -> Response {
    let body = json!({ "error": { "message": error.message() } });
    (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
}
