//! Refresh tokens as text.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

use crate::tokens::Grant;

/// Begins a serving-mode refresh token.
pub(crate) const VERSION: &str = "r1";

/// A refresh token in emulator mode: it carries its grant itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmulatorToken {
    #[serde(rename = "_AuthEmulatorRefreshToken")]
    pub(crate) marker: String,
    pub(crate) local_id: String,
    pub(crate) project_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tenant_id: Option<String>,
    #[serde(flatten)]
    pub(crate) grant: Grant,
    #[serde(default)]
    pub(crate) issued_at: Option<u64>,
}

/// The tenant that a refresh token of either mode belongs to.
pub(crate) fn tenant_of_refresh_token(token: &str) -> Option<String> {
    if let Some(rest) = token.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('.')) {
        let tenant = URL_SAFE_NO_PAD.decode(rest.split('.').nth(1)?).ok()?;
        return String::from_utf8(tenant).ok().filter(|tenant| !tenant.is_empty());
    }
    emulator_token(token)?.tenant_id
}

/// An emulator-mode token; `None` if it is none.
pub(crate) fn emulator_token(token: &str) -> Option<EmulatorToken> {
    let bytes = STANDARD.decode(token).or_else(|_| URL_SAFE_NO_PAD.decode(token)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Account and secret of a serving-mode token; `None` if it is none.
pub(crate) fn serving_token(token: &str) -> Option<(String, String)> {
    let mut parts = token.split('.');
    let (version, local_id, _tenant, secret) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if version != VERSION || parts.next().is_some() || secret.is_empty() {
        return None;
    }
    let local_id = String::from_utf8(URL_SAFE_NO_PAD.decode(local_id).ok()?).ok()?;
    (!local_id.is_empty()).then(|| (local_id, secret.to_owned()))
}
