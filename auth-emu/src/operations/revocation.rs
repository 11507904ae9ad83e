//! `accounts:revokeToken`: tells a provider to revoke an access token it issued.

use serde_json::{Value, json};

use super::filled;
use super::idp::provider;
use crate::call::Call;
use crate::error::{ApiError, Result, ensure, require};
use crate::wire::RevokeTokenRequest;

/// Revokes a token at the account's provider.
///
/// # Errors
/// `OPERATION_NOT_ALLOWED` for a provider that is not configured or cannot revoke; those of the ID token.
pub(crate) async fn revoke(call: Call, request: RevokeTokenRequest) -> Result<Value> {
    call.enabled()?;
    let provider = require(filled(request.provider_id.as_ref()), "MISSING_PROVIDER_ID")?;
    let token = require(filled(request.token.as_ref()), "MISSING_TOKEN")?;
    let kind = match filled(request.token_type.as_ref()).unwrap_or("ACCESS_TOKEN") {
        "ACCESS_TOKEN" => "access_token",
        "REFRESH_TOKEN" => "refresh_token",
        _ => return Err(ApiError::bad("INVALID_TOKEN_TYPE : It must be ACCESS_TOKEN or REFRESH_TOKEN.")),
    };
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    let linked = signed_in.found.account.provider(provider).is_some();
    ensure(linked, "INVALID_PROVIDER_ID : The account is not linked to this provider.")?;
    if !call.state.is_emulator() {
        provider::revoke(&call, provider, token, kind).await?;
    }
    // An emulator's providers are simulated, and their tokens open nothing.
    Ok(json!({}))
}
