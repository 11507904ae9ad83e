//! Replies and errors, as the two APIs write them.

use axum::body::Body;
use docstore::Error;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

use crate::status::status;

/// A JSON reply.
pub(crate) fn json(status: StatusCode, body: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, "application/json; charset=utf-8");
    set(&mut response, header::CACHE_CONTROL, "private, no-store");
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

/// A reply whose body is the status's reason phrase.
pub(crate) fn plain(status: StatusCode) -> Response<Body> {
    let words = status.canonical_reason().unwrap_or_default();
    let no_body = status == StatusCode::NO_CONTENT;
    text(status, if no_body { "" } else { words })
}

/// A reply of text.
pub(crate) fn text(status: StatusCode, body: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_owned()));
    *response.status_mut() = status;
    if !body.is_empty() {
        set(&mut response, header::CONTENT_TYPE, "text/plain; charset=utf-8");
    }
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

/// Sets a header; a value that no header can carry is left out.
pub(crate) fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Sets a header by its lower-case name.
pub(crate) fn set_named(response: &mut Response<Body>, name: &'static str, value: &str) {
    set(response, HeaderName::from_static(name), value);
}

fn logged(error: &Error) -> StatusCode {
    let status = status(error);
    // A missing feature is no failure of the server.
    if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED {
        let source = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(tag = error.tag(), %error, source, "a file request failed");
    }
    status
}

/// An error of the Firebase API: plain text for missing files, otherwise `{error: {code, message}}`.
pub(crate) fn firebase_error(error: &Error) -> Response<Body> {
    let status = logged(error);
    if status == StatusCode::NOT_FOUND {
        return plain(status);
    }
    json(status, &json!({ "error": { "code": status.as_u16(), "message": error.message() } }))
}

/// An error of the Cloud Storage API.
pub(crate) fn cloud_error(error: &Error) -> Response<Body> {
    let status = logged(error);
    let (reason, domain) = match status {
        StatusCode::NOT_FOUND => ("notFound", "global"),
        StatusCode::FORBIDDEN => ("forbidden", "global"),
        StatusCode::UNAUTHORIZED => ("required", "global"),
        StatusCode::CONFLICT => ("conflict", "global"),
        StatusCode::PRECONDITION_FAILED => ("conditionNotMet", "global"),
        StatusCode::PAYMENT_REQUIRED => ("quotaExceeded", "usageLimits"),
        StatusCode::PAYLOAD_TOO_LARGE => ("uploadTooLarge", "global"),
        StatusCode::BAD_REQUEST => ("invalid", "global"),
        StatusCode::NOT_IMPLEMENTED => ("notImplemented", "global"),
        _ => ("backendError", "global"),
    };
    let message = error.message();
    json(
        status,
        &json!({ "error": {
            "code": status.as_u16(),
            "message": message,
            "errors": [{ "message": message, "domain": domain, "reason": reason }],
        } }),
    )
}
