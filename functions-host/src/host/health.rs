//! Health endpoints.

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use docstore::Store;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::VERSION;
use crate::host::config::Service;
use crate::host::lifecycle::{Lifecycle, Phase};

/// Reason reported when a restart is needed.
const DAMAGED: &str = "stored data could not be read: restart";

/// State of a server that the health endpoints report.
pub trait Health: Clone + Send + Sync + 'static {
    /// True if stored data could not be read; a restart repairs that.
    fn damaged(&self) -> bool;
    /// The reason commits are refused now; `None` if they are not.
    fn refusal(&self) -> Option<String>;
}

impl Health for Store {
    fn damaged(&self) -> bool {
        Self::damaged(self)
    }

    fn refusal(&self) -> Option<String> {
        Self::refusal(self)
    }
}

/// `GET /__/live`: 200 while the process responds and needs no restart, 503 once stored data could not be read, which
/// the next start repairs. `GET /__/ready`, also `/__/health`: 200 while requests are welcome, 503 with the reason once
/// the server is stopping, cannot read its data, or refuses commits. No port is open before it is ready.
pub fn router(lifecycle: Lifecycle, store: impl Health) -> Router {
    let live = {
        let store = store.clone();
        move || async move { answer(store.damaged().then_some(DAMAGED)) }
    };
    let health = move |State(lifecycle): State<Lifecycle>| async move { health(&lifecycle, &store) };
    Router::new()
        .route("/__/live", get(live))
        .route("/__/ready", get(health.clone()))
        .route("/__/health", get(health))
        .with_state(lifecycle)
}

fn health(lifecycle: &Lifecycle, store: &impl Health) -> Response {
    if lifecycle.phase() >= Phase::Draining {
        answer(Some("stopping"))
    } else if store.damaged() {
        answer(Some(DAMAGED))
    } else {
        answer(store.refusal().as_deref())
    }
}

/// 200 unless there is a `problem`.
fn answer(problem: Option<&str>) -> Response {
    let status = if problem.is_some() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (status, axum::Json(json!({"status": problem.unwrap_or("ok"), "version": VERSION}))).into_response()
}

/// The response to `GET /` on a service's own port, which start-up scripts wait for; `None` where `/` is the
/// application. `locator` is the hub's, `None` in serving mode: there the list of services is private.
pub fn root(service: Service, locator: impl FnOnce() -> Option<Value>) -> Option<Response> {
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
        // In serving mode the list of services is private.
        Service::Hub => locator().map(|locator| ready(&locator)),
        Service::Hosting | Service::Ui | Service::Database => None,
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
    use crate::host::lifecycle::lifecycle;

    #[derive(Clone)]
    struct Fake {
        damaged: bool,
        refusal: Option<&'static str>,
    }

    impl Health for Fake {
        fn damaged(&self) -> bool {
            self.damaged
        }

        fn refusal(&self) -> Option<String> {
            self.refusal.map(str::to_owned)
        }
    }

    const WELL: Fake = Fake { damaged: false, refusal: None };

    async fn ask(router: &mut Router, path: &str) -> (u16, String) {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = router.call(request).await.unwrap();
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn a_stopping_server_lives_but_is_not_ready() {
        let (stopper, lifecycle) = lifecycle();
        let mut router = router(lifecycle, WELL);
        for path in ["/__/live", "/__/ready", "/__/health"] {
            assert_eq!(ask(&mut router, path).await.0, 200, "{path}");
        }
        stopper.go(Phase::Draining);
        for (path, status) in [("/__/live", 200), ("/__/ready", 503), ("/__/health", 503)] {
            assert_eq!(ask(&mut router, path).await.0, status, "{path}");
        }
    }

    #[tokio::test]
    async fn a_server_that_cannot_read_its_data_is_to_be_restarted() {
        let (_stopper, lifecycle) = lifecycle();
        let mut router = router(lifecycle, Fake { damaged: true, ..WELL });
        for path in ["/__/live", "/__/ready"] {
            let (status, body) = ask(&mut router, path).await;
            assert_eq!((status, body.contains(DAMAGED)), (503, true), "{path}");
        }
    }

    #[tokio::test]
    async fn a_server_without_room_is_not_ready_and_says_why_but_lives() {
        let (_stopper, lifecycle) = lifecycle();
        let mut router = router(lifecycle, Fake { refusal: Some("the disk is full: free 5 MiB"), ..WELL });
        assert_eq!(ask(&mut router, "/__/live").await.0, 200);
        let (status, body) = ask(&mut router, "/__/ready").await;
        assert_eq!((status, body.contains("free 5 MiB")), (503, true), "{body}");
    }
}
