//! Every address of file storage.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::routing::any;
use docstore::access::Mode;
use http::Response;

use crate::http::cors::CORS;
use crate::http::incoming::Incoming;
use crate::http::reply;
use crate::state::StorageState;
use crate::{cloud, firebase, internal};

/// The routes of file storage, at absolute paths.
pub fn router(state: StorageState) -> Router {
    let mut router = Router::new()
        .route("/v0", any(firebase_request))
        .route("/v0/{*rest}", any(firebase_request))
        .route("/b", any(cloud_request))
        .route("/b/{*rest}", any(cloud_request))
        .route("/batch", any(cloud_request))
        .route("/batch/storage/v1", any(cloud_request))
        .route("/storage/v1/{*rest}", any(cloud_request))
        .route("/download/storage/v1/{*rest}", any(cloud_request))
        .route("/upload/storage/v1/{*rest}", any(cloud_request));
    for bucket in state.default_buckets() {
        router = router
            .route(&format!("/{bucket}"), any(address_request))
            .route(&format!("/{bucket}/{{*object}}"), any(address_request));
    }
    if state.files.mode == Mode::Emulator {
        for path in ["/internal/reset", "/internal/setRules", "/internal/export"] {
            router = router.route(path, any(internal_request));
        }
    }
    router.layer(axum::middleware::from_fn(|request, next| CORS.layer(request, next))).with_state(state)
}

async fn firebase_request(State(state): State<StorageState>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match Incoming::new(&parts) {
        Ok(request) => firebase::handle(&state, &request, body).await,
        Err(error) => reply::firebase_error(&error),
    }
}

async fn cloud_request(State(state): State<StorageState>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match Incoming::new(&parts) {
        Ok(request) => cloud::handle(&state, &request, body).await,
        Err(error) => reply::cloud_error(&error),
    }
}

async fn address_request(State(state): State<StorageState>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match Incoming::new(&parts) {
        Ok(request) => cloud::plain_address(&state, &request, body).await,
        Err(error) => reply::cloud_error(&error),
    }
}

async fn internal_request(State(state): State<StorageState>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match Incoming::new(&parts) {
        Ok(request) => internal::handle(&state, &request, body).await,
        Err(error) => reply::firebase_error(&error),
    }
}
