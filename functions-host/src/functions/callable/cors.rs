//! Cross-origin headers of calls. Tokens travel in `Authorization`, never in cookies, so any origin may call; browsers
//! protect the data of other pages.

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, CONTENT_LENGTH, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};

/// Methods allowed by a preflight: the reference implementation's default list.
const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE");

/// Time a browser may cache a preflight's response, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("3600");

/// The response to a preflight.
pub(super) fn preflight(request: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if let Some(list) = request.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, list.clone());
    }
    allow(request, headers);
    headers.append(VARY, HeaderValue::from_static("Access-Control-Request-Headers"));
    response
}

/// Allows the calling page to read the response.
pub(super) fn allow(request: &HeaderMap, response: &mut HeaderMap) {
    if let Some(origin) = request.get(ORIGIN) {
        response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    response.append(VARY, HeaderValue::from_static("Origin"));
}
