//! Endpoints that only emulators have: visible codes, all accounts at once, settings.

use std::net::IpAddr;

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::header;
use serde_json::{Value, json};
use url::Host;

use super::project::store_config;
use crate::AuthState;
use crate::call::{Call, json_reply, peer_of};
use crate::error::{ApiError, Result};

/// `GET …/oobCodes`: mails that nobody delivers. In serving mode they are for a browser on the same machine
/// only, and only while no mail server is configured.
pub(crate) async fn oob_codes(
    State(state): State<AuthState>,
    Path(path): Path<Vec<(String, String)>>,
    request: Request,
) -> Response {
    match visible(&state, request) {
        Ok(()) => {
            let (project, tenant) = realm(&path);
            json_reply(&json!({ "oobCodes": state.0.mails.list(project, tenant) }))
        }
        Err(error) => error.into_response(),
    }
}

/// `GET …/verificationCodes`: text messages that nobody delivers.
pub(crate) async fn verification_codes(
    State(state): State<AuthState>,
    Path(path): Path<Vec<(String, String)>>,
    request: Request,
) -> Response {
    match visible(&state, request) {
        Ok(()) => {
            let (project, tenant) = realm(&path);
            json_reply(&json!({ "verificationCodes": state.0.texts.list(project, tenant) }))
        }
        Err(error) => error.into_response(),
    }
}

fn realm(path: &[(String, String)]) -> (&str, Option<&str>) {
    let find = |name: &str| path.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    (find("project").unwrap_or_default(), find("tenant"))
}

/// `DELETE …/accounts`
pub(crate) async fn delete_accounts(call: Call, _request: Value) -> Result<Value> {
    emulator_only(&call)?;
    call.directory.remove_all().await?;
    Ok(json!({}))
}

/// `GET …/config`
pub(crate) async fn get_config(call: Call, _request: Value) -> Result<Value> {
    emulator_only(&call)?;
    Ok(shown(&call.settings.project))
}

/// `PATCH …/config`: the members that are there are set.
pub(crate) async fn update_config(call: Call, request: Value) -> Result<Value> {
    emulator_only(&call)?;
    let members = ["signIn.allowDuplicateEmails", "emailPrivacyConfig.enableImprovedEmailPrivacy"];
    let present = |path: &&&str| request.pointer(&format!("/{}", path.replace('.', "/"))).is_some();
    let mask = members.iter().filter(present).copied().collect::<Vec<_>>().join(",");
    if mask.is_empty() {
        return Ok(shown(&call.settings.project));
    }
    let stored = store_config(&call, &mask, &request).await?;
    Ok(json!({ "signIn": stored["signIn"], "emailPrivacyConfig": stored["emailPrivacyConfig"] }))
}

fn shown(config: &crate::config::ProjectConfig) -> Value {
    json!({ "signIn": config.sign_in, "emailPrivacyConfig": config.email_privacy_config })
}

fn emulator_only(call: &Call) -> Result<()> {
    if call.state.is_emulator() {
        return Ok(());
    }
    Err(ApiError::forbidden("This endpoint exists in emulator mode only."))
}

/// Whether the caller may see codes. A page elsewhere can make a browser ask this machine under a name of
/// its own (DNS rebinding), so the `Host` header must be this machine's as well.
fn visible(state: &AuthState, request: Request) -> Result<()> {
    if state.is_emulator() {
        return Ok(());
    }
    if state.0.mailer.is_some() {
        return Err(ApiError::not_found(
            "Mail is delivered by the configured mail server; there is no outbox.",
        ));
    }
    let (parts, _) = request.into_parts();
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| parts.uri.authority().map(http::uri::Authority::as_str));
    let forwarded =
        ["forwarded", "x-forwarded-for", "x-real-ip"].iter().any(|name| parts.headers.contains_key(*name));
    let near = peer_of(&parts).is_some_and(|peer| peer.to_canonical().is_loopback());
    if near && !forwarded && host.is_some_and(is_loopback_host) {
        return Ok(());
    }
    Err(ApiError::forbidden("The outbox can be read on the server's own machine only, as http://localhost."))
}

/// Whether a `Host` header names this very machine.
fn is_loopback_host(header: &str) -> bool {
    let name = url::Url::parse(&format!("http://{header}/"));
    match name.as_ref().ok().and_then(url::Url::host) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback_host;

    #[test]
    fn only_this_machine_is_loopback() {
        for near in
            ["localhost", "localhost:5000", "127.0.0.1:5000", "[::1]:5000", "app.localhost", "LOCALHOST:1"]
        {
            assert!(is_loopback_host(near), "{near}");
        }
        for far in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "",
            "a b",
            "@localhost@x",
        ] {
            assert!(!is_loopback_host(far), "{far}");
        }
    }
}
