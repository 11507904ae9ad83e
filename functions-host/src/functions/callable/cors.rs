//! The cross-origin policy of calls.

use axum::response::Response;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, HeaderValue};
use tuckbox_cors::{Asked, Policy, Preflights, WithoutOrigin};

/// The defaults of the reference implementation.
const POLICY: Policy = Policy {
    methods: "GET,HEAD,PUT,PATCH,POST,DELETE",
    max_age: "3600",
    exposed: "",
    credentials: false,
    private_network: false,
    preflights: Preflights::Options,
    without_origin: WithoutOrigin::VaryAndTell,
    vary: "Origin",
    vary_preflight: "Access-Control-Request-Headers",
};

/// The response to a preflight.
pub(super) fn preflight(request: &HeaderMap) -> Response {
    let mut response = POLICY.preflight(&Asked::of(request));
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// Allows the calling page to read the response.
pub(super) fn allow(request: &HeaderMap, response: &mut HeaderMap) {
    POLICY.mark(&Asked::of(request), response);
}
