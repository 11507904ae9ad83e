//! Cross-origin access for browsers, on every reply, errors included.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderValue, Method, StatusCode};

/// Methods allowed to pages.
const METHODS: HeaderValue = HeaderValue::from_static("DELETE,GET,HEAD,PATCH,POST,PUT");

/// The reply headers that the browser's WebChannel reads.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("x-client-wire-protocol,x-http-session-id,x-http-initial-response");

/// Seconds that a browser may cache a preflight; Chromium honours two hours at most.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// Answers preflights and marks every reply to a page as readable by it. No cookie grants anything here: what a
/// caller may do depends on the bearer token alone, which another origin's page does not have.
pub(super) async fn cors(request: Request, next: Next) -> Response {
    let Some(origin) = request.headers().get(ORIGIN).cloned() else { return next.run(request).await };
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if is_preflight {
        let asked = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
        let mut response = StatusCode::OK.into_response();
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        if let Some(asked) = asked {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
        response
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(VARY, HeaderValue::from_static("Origin"));
    response
}
