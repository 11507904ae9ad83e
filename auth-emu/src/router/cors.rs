//! Cross-origin requests. No endpoint reads cookies, so any page may call the sign-in endpoints, as in the cloud. The
//! `/emulator/` pages that serving mode has are closed to other origins there.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tuckbox_cors::{Asked, Policy, Preflights, WithoutOrigin};

use crate::AuthState;

const POLICY: Policy = Policy {
    methods: "GET,HEAD,PUT,PATCH,POST,DELETE",
    max_age: "3600",
    exposed: "",
    credentials: false,
    private_network: true,
    preflights: Preflights::Options,
    without_origin: WithoutOrigin::Vary,
    vary: "origin",
    vary_preflight: "access-control-request-headers",
};

/// Answers preflights and marks replies as readable.
pub(crate) async fn allow_origins(State(state): State<AuthState>, request: Request, next: Next) -> Response {
    let mut asked = Asked::of(request.headers());
    if !state.is_emulator() {
        asked.private_network = false;
        if request.uri().path().starts_with("/emulator/") {
            asked.origin = None;
        }
    }
    POLICY.answer(&asked, request, next).await
}
