//! `securetoken` `token`, and the public keys for verifying tokens.

use serde_json::{Value, json};

use super::filled;
use crate::call::Call;
use crate::error::{Result, ensure, require};
use crate::wire::TokenRequest;

pub(crate) async fn grant(call: Call, request: TokenRequest) -> Result<Value> {
    let kind = require(filled(request.grant_type.as_ref()), "MISSING_GRANT_TYPE")?;
    ensure(kind == "refresh_token", "INVALID_GRANT_TYPE")?;
    let token = require(filled(request.refresh_token.as_ref()), "MISSING_REFRESH_TOKEN")?;
    let (account, tokens) = call.refresh(token).await?;
    Ok(json!({
        "id_token": tokens.id_token,
        "access_token": tokens.id_token,
        "expires_in": tokens.expires_in,
        "refresh_token": tokens.refresh_token,
        "token_type": "Bearer",
        "user_id": account.local_id,
        "project_id": call.state.project_number(&call.project),
    }))
}

pub(crate) async fn public_keys(call: Call, _request: Value) -> Result<Value> {
    Ok(call.state.0.tokens.keyring().jwks())
}
