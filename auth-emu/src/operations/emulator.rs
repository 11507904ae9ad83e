//! Endpoints that only emulators have: visible codes, all accounts at once, settings. A serving router lacks them.

pub(crate) mod action;

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::project::store_config;
use crate::AuthState;
use crate::call::{Call, json_reply};
use crate::error::Result;

/// `GET …/oobCodes`: mails waiting in the outbox.
pub(crate) async fn oob_codes(
    State(state): State<AuthState>,
    Path(path): Path<Vec<(String, String)>>,
) -> Response {
    let (project, tenant) = realm(&path);
    json_reply(&json!({ "oobCodes": state.0.mails.list(project, tenant) }))
}

/// `GET …/verificationCodes`: text messages waiting in the outbox.
pub(crate) async fn verification_codes(
    State(state): State<AuthState>,
    Path(path): Path<Vec<(String, String)>>,
) -> Response {
    let (project, tenant) = realm(&path);
    json_reply(&json!({ "verificationCodes": state.0.texts.list(project, tenant) }))
}

fn realm(path: &[(String, String)]) -> (&str, Option<&str>) {
    let find = |name: &str| path.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    (find("project").unwrap_or_default(), find("tenant"))
}

/// `DELETE …/accounts`
pub(crate) async fn delete_accounts(call: Call, _request: Value) -> Result<Value> {
    call.directory.remove_all().await?;
    Ok(json!({}))
}

/// `GET …/config`
pub(crate) async fn get_config(call: Call, _request: Value) -> Result<Value> {
    Ok(shown(&call.settings.project))
}

/// `PATCH …/config`: sets the members that are present.
pub(crate) async fn update_config(call: Call, request: Value) -> Result<Value> {
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
