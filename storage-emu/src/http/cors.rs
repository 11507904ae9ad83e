//! Cross-origin access: every origin may call, since nothing here uses cookies.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};

/// The response headers that scripts may read.
const EXPOSED: &str = "content-type, content-length, content-range, etag, x-firebase-storage-version, \
    x-goog-upload-size-received, x-goog-upload-url, x-goog-upload-command, x-gupload-uploadid, \
    x-goog-upload-header-content-length, x-goog-upload-header-content-type, x-goog-upload-protocol, \
    x-goog-upload-status, x-goog-upload-chunk-granularity, x-goog-upload-control-url, x-goog-generation, \
    x-goog-metageneration, x-goog-hash, location, range";
const METHODS: &str = "GET, HEAD, PUT, PATCH, POST, DELETE";
/// Time a browser may cache a preflight's answer, in seconds.
const MAX_AGE: &str = "3600";

/// Answers preflights and adds the headers to every reply, errors included.
pub(crate) async fn layer(request: Request, next: Next) -> Response<Body> {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let wanted = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let private = HeaderName::from_static("access-control-request-private-network");
    let private = request.headers().contains_key(private);
    let preflight = request.method() == Method::OPTIONS;
    let mut response = if preflight {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        response
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers
        .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.unwrap_or_else(|| HeaderValue::from_static("*")));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
        if let Some(wanted) = wanted {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted);
        }
    }
    if private {
        let allow = HeaderName::from_static("access-control-allow-private-network");
        headers.insert(allow, HeaderValue::from_static("true"));
    }
    response
}
