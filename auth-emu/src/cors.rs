//! Cross-origin requests. No endpoint reads cookies, so any page may call the sign-in endpoints, as in the cloud. The
//! `/emulator/` pages that serving mode has are closed to other origins there.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};

use crate::AuthState;

/// Time a browser may cache a preflight's answer, in seconds.
const PREFLIGHT_SECONDS: &str = "3600";
const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// Answers preflights and marks replies as readable.
pub(crate) async fn allow_origins(State(state): State<AuthState>, request: Request, next: Next) -> Response {
    let shared = state.is_emulator() || !request.uri().path().starts_with("/emulator/");
    let origin = request.headers().get(header::ORIGIN).cloned().filter(|_| shared);
    let private = request.headers().contains_key(REQUEST_PRIVATE_NETWORK) && state.is_emulator();
    let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let preflight = request.method() == Method::OPTIONS;
    let mut response =
        if preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    let Some(origin) = origin else { return response };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if preflight {
        headers.append(header::VARY, HeaderValue::from_static("access-control-request-headers"));
        let methods = HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_SECONDS));
        if let Some(asked) = asked {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
        if private {
            headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
        }
    }
    response
}
