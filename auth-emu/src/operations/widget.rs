//! `/emulator/auth/handler` and `/emulator/auth/iframe`: the pages by which the web SDK signs in with a popup or a
//! redirect.
//!
//! The SDK opens the handler, which sends the person to the page that makes people up and gets them back with an
//! identity. That goes to the SDK through the frame that the SDK keeps in the application's page: at once from a
//! popup; after a redirect, when the application's page is there again. The frame speaks to the SDK in the way of
//! Google's `gapi.iframes`, which both load from Google, as the SDK itself does.

use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;

use crate::AuthState;
use crate::error::{ApiError, Result, ensure};
use crate::validate;

/// Where the handler is.
pub(crate) const HANDLER: &str = "/emulator/auth/handler";
/// Where the frame is.
pub(crate) const FRAME: &str = "/emulator/auth/iframe";

/// What a handler is asked to do, as far as the server has to see to it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Visit {
    api_key: String,
    provider_id: String,
    auth_type: String,
    redirect_url: String,
}

pub(crate) async fn handler(State(state): State<AuthState>, Query(visit): Query<Visit>) -> Response {
    match checked(&state, &visit) {
        Ok(()) => Html(include_str!("widget/handler.html")).into_response(),
        Err(error) => error.into_response(),
    }
}

pub(crate) async fn frame(State(state): State<AuthState>) -> Response {
    match emulating(&state) {
        Ok(()) => Html(include_str!("widget/iframe.html")).into_response(),
        Err(error) => error.into_response(),
    }
}

fn emulating(state: &AuthState) -> Result<()> {
    ensure(state.is_emulator(), "OPERATION_NOT_ALLOWED : People are made up in emulator mode only.")
}

fn checked(state: &AuthState, visit: &Visit) -> Result<()> {
    emulating(state)?;
    ensure(!visit.api_key.is_empty(), "MISSING_API_KEY")?;
    ensure(!visit.provider_id.is_empty(), "MISSING_PROVIDER_ID")?;
    let kind = ["signInVia", "linkVia", "reauthVia"].iter().find_map(|way| visit.auth_type.strip_prefix(way));
    match kind {
        Some("Popup") => Ok(()),
        // The page goes there: only to where pages are.
        Some("Redirect") => match validate::continue_url(&visit.redirect_url)?.scheme() {
            "http" | "https" => Ok(()),
            _ => Err(ApiError::bad("INVALID_CONTINUE_URI")),
        },
        _ => Err(ApiError::bad(
            "INVALID_AUTH_TYPE : It must be signIn, link or reauth, ViaPopup or ViaRedirect.",
        )),
    }
}
