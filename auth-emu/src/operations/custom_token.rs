//! `accounts:signInWithCustomToken`: sign-in with an identity asserted by a server that the project trusts.

use serde_json::{Value, json};

use super::{filled, note_sign_in};
use crate::accounts::CUSTOM;
use crate::call::Call;
use crate::error::{ApiError, Result, ensure, require};
use crate::sessions::with_tokens;
use crate::tokens::{Claims, Grant, decode_unverified};
use crate::validate;
use crate::wire::CustomTokenRequest;

/// The audience of custom tokens.
pub(crate) const AUDIENCE: &str =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";

/// Claim of a custom token that makes no account.
pub(crate) const KNOWN: &str = "known";

pub(crate) async fn sign_in(call: Call, request: CustomTokenRequest) -> Result<Value> {
    call.enabled()?;
    let token = require(filled(request.token.as_ref()), "MISSING_CUSTOM_TOKEN")?;
    let payload = payload_of(&call, token)?;
    let text = |name: &str| match payload.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(scalar @ (Value::Number(_) | Value::Bool(_))) => Some(scalar.to_string()),
        _ => None,
    };
    let local_id = require(text("uid").or_else(|| text("user_id")), "MISSING_IDENTIFIER")?;
    validate::local_id(&local_id)?;
    let mut grant = Grant::new(CUSTOM);
    if let Some(claims) = payload.get("claims") {
        validate::claims_object(claims)?;
        grant.extra_claims = claims.as_object().cloned().unwrap_or_default();
    }
    let known = call.directory.by_id(&local_id).await?;
    let is_new = known.is_none();
    ensure(!is_new || payload.get(KNOWN) != Some(&Value::Bool(true)), "USER_NOT_FOUND")?;
    let (_, tokens) = if is_new {
        let mut account = call.new_account(local_id);
        account.custom_auth = Some(true);
        note_sign_in(&mut account, call.now);
        call.create_and_sign_in(account, grant, None).await?
    } else {
        let note = |account: &mut crate::accounts::Account| {
            ensure(!account.is_disabled(), "USER_DISABLED")?;
            account.custom_auth = Some(true);
            note_sign_in(account, call.now);
            Ok(())
        };
        call.sign_in(&local_id, grant, None, note).await?
    };
    let reply = json!({ "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": is_new });
    Ok(with_tokens(reply, &tokens))
}

fn payload_of(call: &Call, token: &str) -> Result<Claims> {
    if !call.state.is_emulator() {
        return verified(call, token);
    }
    if token.starts_with('{') {
        let message = "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))";
        return serde_json::from_str(token).map_err(|_| ApiError::bad(message));
    }
    let decoded = decode_unverified(token).map(|(_, claims)| claims);
    if call.tenant.is_some() {
        let tenant = decoded.as_ref().and_then(|claims| claims.get("tenant_id")).and_then(Value::as_str);
        ensure(tenant == call.tenant.as_deref(), "TENANT_ID_MISMATCH")?;
    }
    let claims = require(decoded, "INVALID_CUSTOM_TOKEN : Invalid assertion format")?;
    let audience = claims.get("aud").cloned().unwrap_or_default();
    if audience.as_str() != Some(AUDIENCE) {
        let audience = audience.as_str().map_or_else(|| audience.to_string(), ToOwned::to_owned);
        return Err(ApiError::bad(format!(
            "INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): {audience} Note: Firebase ID Tokens / third-party \
             tokens cannot be used with signInWithCustomToken.))"
        )));
    }
    Ok(claims)
}

/// Serving mode: only this server mints custom tokens, and they live an hour at most.
fn verified(call: &Call, token: &str) -> Result<Claims> {
    let issuer = issuer(&call.project);
    let claims = call.state.0.tokens.open(token, &issuer, AUDIENCE, call.now);
    let claims = claims.map_err(|fault| ApiError::bad(format!("INVALID_CUSTOM_TOKEN : {fault}.")))?;
    let tenant = claims.get("tenant_id").and_then(Value::as_str);
    ensure(tenant == call.tenant.as_deref(), "TENANT_ID_MISMATCH")?;
    Ok(claims)
}

/// The issuer of the custom tokens that this server mints.
pub(crate) fn issuer(project: &str) -> String {
    format!("custom-token/{project}")
}
