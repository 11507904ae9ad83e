//! Project settings: the public part clients read before they sign in, and the part administrators set.

use serde_json::{Value, json};

use super::{query, session_cookie, with_members};
use crate::call::Call;
use crate::config::{ProjectConfig, apply_mask};
use crate::error::{ApiError, Result};
use crate::passwords::{MAX_LENGTH, MIN_LENGTH};
use crate::wire;

/// `GET v1/projects`: the domains allowed for sign-in pages.
pub(crate) async fn client_config(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    call.not_in_tenant()?;
    let domains = if call.state.is_emulator() {
        vec!["localhost".to_owned()]
    } else {
        call.state.0.authorized_domains.clone()
    };
    Ok(json!({ "projectId": call.state.project_number(&call.project), "authorizedDomains": domains }))
}

/// `GET v2/passwordPolicy`: the policy for passwords.
pub(crate) async fn password_policy(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    Ok(json!({
        "customStrengthOptions": { "minPasswordLength": MIN_LENGTH, "maxPasswordLength": MAX_LENGTH },
        "allowedNonAlphanumericCharacters": [
            "^", "$", "*", ".", "[", "]", "{", "}", "(", ")", "?", "\"", "!", "@", "#", "%", "&", "/", "\\", ",",
            ">", "<", "'", ":", ";", "|", "_", "~"
        ],
        "schemaVersion": 1,
        "enforcementState": "ENFORCE",
    }))
}

/// `GET v2/recaptchaConfig`: there is no reCAPTCHA here.
pub(crate) async fn recaptcha_config(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    let off = |provider: &str| json!({ "provider": provider, "enforcementState": "OFF" });
    Ok(json!({ "recaptchaEnforcementState": [off("EMAIL_PASSWORD_PROVIDER"), off("PHONE_PROVIDER")] }))
}

/// `GET v1/recaptchaParams`: placeholder keys.
pub(crate) async fn recaptcha_params(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    Ok(json!({
        "kind": "identitytoolkit#GetRecaptchaParamResponse",
        "recaptchaStoken": "no-recaptcha-on-this-server",
        "recaptchaSiteKey": "no-recaptcha-on-this-server",
    }))
}

/// `POST v1/projects/{project}:verb` and the same for a tenant.
pub(crate) async fn verb(call: Call, request: Value) -> Result<Value> {
    match call.verb.as_deref() {
        Some("createSessionCookie") => session_cookie::create(call, wire::read(request)?).await,
        Some("queryAccounts") => query::query(call, wire::read(request)?).await,
        _ => Err(ApiError::not_found("Not Found")),
    }
}

/// `GET v2/projects/{project}/config`
pub(crate) async fn get_config(call: Call, _request: Value) -> Result<Value> {
    call.not_in_tenant()?;
    let config = serde_json::to_value(&call.settings.project).map_err(ApiError::internal)?;
    Ok(named(&call, config))
}

/// Adds the config's name, without which the admin SDK rejects it.
fn named(call: &Call, config: Value) -> Value {
    with_members(config, json!({ "name": format!("projects/{}/config", call.project) }))
}

/// `PATCH v2/projects/{project}/config`
pub(crate) async fn update_config(call: Call, request: Value) -> Result<Value> {
    call.not_in_tenant()?;
    check_triggers(&request)?;
    let mask = call.query.get("updateMask").cloned().unwrap_or_default();
    let config = store_config(&call, &mask, &request).await?;
    Ok(named(&call, config))
}

/// Applies the masked members of `update`, or replaces everything if there is no mask.
pub(crate) async fn store_config(call: &Call, mask: &str, update: &Value) -> Result<Value> {
    let config: ProjectConfig = if mask.is_empty() {
        serde_json::from_value(update.clone()).map_err(ApiError::payload)?
    } else {
        let mut target = serde_json::to_value(&call.settings.project).map_err(ApiError::internal)?;
        apply_mask(mask, &mut target, update);
        serde_json::from_value(target).map_err(ApiError::payload)?
    };
    config.store(&call.directory).await?;
    serde_json::to_value(&config).map_err(ApiError::internal)
}

fn check_triggers(update: &Value) -> Result<()> {
    let triggers = update.pointer("/blockingFunctions/triggers").and_then(Value::as_object);
    for (event, trigger) in triggers.into_iter().flatten() {
        if event != "beforeCreate" && event != "beforeSignIn" {
            return Err(ApiError::bad("INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))"));
        }
        let uri = trigger.get("functionUri").and_then(Value::as_str).unwrap_or_default();
        if url::Url::parse(uri).is_err() {
            let message =
                "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))";
            return Err(ApiError::bad(message));
        }
    }
    Ok(())
}
