//! Signs of life.

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::VERSION;
use crate::config::Service;
use crate::hub::Hub;
use crate::lifecycle::{Lifecycle, Phase};

/// Why a server wants to be restarted.
const DAMAGED: &str = "stored data could not be read: restart";

/// `GET /__/live`: 200 as long as the process answers and need not be restarted, 503 once stored data could not be read
/// (`damaged`): the next start mends that. `GET /__/ready`, also `/__/health`: 200 while requests are welcome, 503 once
/// the server is stopping or `damaged`. There is no port before it is ready.
pub fn router(lifecycle: Lifecycle, damaged: impl Fn() -> bool + Clone + Send + Sync + 'static) -> Router {
    let live = {
        let damaged = damaged.clone();
        move || async move { answer(damaged().then_some(DAMAGED)) }
    };
    let health = move |State(lifecycle): State<Lifecycle>| async move { health(&lifecycle, damaged()) };
    Router::new()
        .route("/__/live", get(live))
        .route("/__/ready", get(health.clone()))
        .route("/__/health", get(health))
        .with_state(lifecycle)
}

fn health(lifecycle: &Lifecycle, damaged: bool) -> Response {
    if lifecycle.phase() >= Phase::Draining {
        answer(Some("stopping"))
    } else {
        answer(damaged.then_some(DAMAGED))
    }
}

/// 200 unless there is a `problem`.
fn answer(problem: Option<&str>) -> Response {
    let status = if problem.is_some() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (status, axum::Json(json!({"status": problem.unwrap_or("ok"), "version": VERSION}))).into_response()
}

/// What `GET /` answers on a service's own port, where start-up scripts ask whether it is there; `None` where
/// `/` is the application.
pub fn root(service: Service, hub: &Hub) -> Option<Response> {
    match service {
        Service::Firestore => Some(Response::new(Body::from("Ok\n"))),
        Service::Auth => Some(ready(&json!({
            "authEmulator": {
                "ready": true,
                "docs": "https://firebase.google.com/docs/emulator-suite",
                "apiSpec": "/emulator/openapi.json",
            }
        }))),
        Service::Functions | Service::Storage | Service::Pubsub | Service::Eventarc | Service::Tasks => {
            Some(ready(&json!({"status": "alive"})))
        }
        // What a server of real users runs is nobody's business.
        Service::Hub => hub.is_told().then(|| ready(&hub.locator())),
        Service::Hosting | Service::Ui => None,
    }
}

fn ready(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json; charset=utf-8")], value.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use http::Request;
    use tower_service::Service as _;

    use super::*;
    use crate::lifecycle::lifecycle;

    #[tokio::test]
    async fn a_stopping_server_lives_but_is_not_ready() {
        let (stopper, lifecycle) = lifecycle();
        let mut router = router(lifecycle, || false);
        let mut ask = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).unwrap();
            router.call(request).await.unwrap().status().as_u16()
        };
        assert_eq!((ask("/__/live").await, ask("/__/ready").await, ask("/__/health").await), (200, 200, 200));
        stopper.go(Phase::Draining);
        assert_eq!((ask("/__/live").await, ask("/__/ready").await, ask("/__/health").await), (200, 503, 503));
    }

    #[tokio::test]
    async fn a_server_that_cannot_read_its_data_is_to_be_restarted() {
        let (_stopper, lifecycle) = lifecycle();
        let mut router = router(lifecycle, || true);
        for path in ["/__/live", "/__/ready"] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let response = router.call(request).await.unwrap();
            assert_eq!(response.status().as_u16(), 503, "{path}");
            let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
            assert!(String::from_utf8_lossy(&body).contains(DAMAGED), "{path}");
        }
    }
}
