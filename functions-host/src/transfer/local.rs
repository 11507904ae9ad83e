//! The server's own HTTP interface, called in-process as an administrator.

use axum::Router;
use axum::body::{Body, to_bytes};
use docstore::{Code, Error, Result};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request, Response};
use serde_json::Value;
use tower_service::Service as _;

/// Largest JSON response, in bytes.
const MAX_JSON: usize = 1 << 30;

/// The routes of all services, in emulator mode.
#[derive(Debug, Clone)]
pub(super) struct Local(pub(super) Router);

impl Local {
    /// Sends a request. Returns the successful response.
    ///
    /// # Errors
    /// The service's error.
    pub(super) async fn send(
        &self,
        method: Method,
        uri: &str,
        kind: &str,
        body: Body,
    ) -> Result<Response<Body>> {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header(AUTHORIZATION, "Bearer owner")
            .header(CONTENT_TYPE, kind)
            .header("host", "localhost")
            .header("accept-encoding", "gzip")
            .body(body)
            .map_err(|cause| Error::internal("LocalRequest", format!("cannot call {uri}"), cause))?;
        let response = match self.0.clone().call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let said = to_bytes(response.into_body(), MAX_JSON).await.unwrap_or_default();
        let message = format!("{uri} answered {status}: {}", String::from_utf8_lossy(&said).trim());
        Err(Error::new(Code::FailedPrecondition, "LocalRefused", message))
    }

    /// Like [`Self::send`], with JSON in both directions.
    ///
    /// # Errors
    /// The service's error.
    pub(super) async fn json(&self, method: Method, uri: &str, body: Option<&Value>) -> Result<Value> {
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.send(method, uri, "application/json", body).await?;
        let read = to_bytes(response.into_body(), MAX_JSON).await;
        let read = read.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        read.ok_or_else(|| Error::new(Code::Internal, "LocalAnswer", format!("{uri} answered no JSON")))
    }
}
