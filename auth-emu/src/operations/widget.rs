//! `/emulator/auth/handler` and `/emulator/auth/iframe`: the pages through which the web SDK signs in with a popup or a
//! redirect, at the addresses it uses for servers other than Google's.
//!
//! The SDK opens the handler, which leaves for the provider through `accounts:createAuthUri`: the page that simulates
//! providers, or in serving mode a real provider, which must know the handler's address. The provider sends the person
//! back to the handler with a result. The handler passes it to the SDK through the frame that the SDK keeps in the
//! application's page: at once from a popup; after a redirect, as soon as the application's page is loaded again. The
//! SDK redeems it through `accounts:signInWithIdp`. Frame and SDK talk through Google's `gapi.iframes`, which both load
//! from Google, as the SDK itself does.
//!
//! A page that embeds the frame receives the sign-in results of its visitors. In serving mode browsers therefore show
//! the frame only in pages of authorized domains, and the handler in none.

use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Deserialize;

use crate::AuthState;
use crate::error::{ApiError, Result, ensure};
use crate::validate;

/// Path of the handler.
pub(crate) const HANDLER: &str = "/emulator/auth/handler";
/// Path of the frame.
pub(crate) const FRAME: &str = "/emulator/auth/iframe";

/// Parameters of the handler that the server has to check.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Visit {
    api_key: String,
    provider_id: String,
    auth_type: String,
    redirect_url: String,
    /// A provider sends people back with it, and without any of the SDK's parameters.
    state: String,
}

pub(crate) async fn handler(State(state): State<AuthState>, Query(visit): Query<Visit>) -> Response {
    match checked(&state, &visit) {
        Ok(()) => framed_by("'none'", include_str!("widget/handler.html")),
        Err(error) => error.into_response(),
    }
}

pub(crate) async fn frame(State(state): State<AuthState>) -> Response {
    let page = include_str!("widget/iframe.html");
    if state.is_emulator() {
        return Html(page).into_response();
    }
    framed_by(&places(&state.0.authorized_domains), page)
}

/// Hosts as sources of a content security policy, on any port.
fn places(hosts: &[String]) -> String {
    let plain =
        |host: &&String| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-[:]".contains(&byte));
    let each = hosts.iter().filter(plain).map(|host| format!(" {host}:*"));
    std::iter::once("'self'".to_owned()).chain(each).collect()
}

fn framed_by(places: &str, page: &'static str) -> Response {
    let policy = HeaderValue::try_from(format!("frame-ancestors {places}"));
    let policy = policy.unwrap_or(HeaderValue::from_static("frame-ancestors 'none'"));
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response()
}

fn checked(state: &AuthState, visit: &Visit) -> Result<()> {
    if !visit.state.is_empty() && visit.auth_type.is_empty() {
        // Returning from a provider: the page has stored its parameters and uses no others.
        return Ok(());
    }
    ensure(!visit.api_key.is_empty(), "MISSING_API_KEY")?;
    ensure(!visit.provider_id.is_empty(), "MISSING_PROVIDER_ID")?;
    let kind = ["signInVia", "linkVia", "reauthVia"].iter().find_map(|way| visit.auth_type.strip_prefix(way));
    match kind {
        Some("Popup") => Ok(()),
        // The page redirects there: only web addresses are allowed, in serving mode only the project's own.
        Some("Redirect") => {
            let url = validate::continue_url(&visit.redirect_url)?;
            ensure(matches!(url.scheme(), "http" | "https"), "INVALID_CONTINUE_URI")?;
            state.authorized(&url)
        }
        _ => Err(ApiError::bad(
            "INVALID_AUTH_TYPE : It must be signIn, link or reauth, ViaPopup or ViaRedirect.",
        )),
    }
}
