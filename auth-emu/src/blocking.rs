//! Blocking functions: a project's own code, called before an account is created or signs in.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::accounts::{Account, PHONE};
use crate::call::Call;
use crate::encoding::time::seconds;
use crate::entropy;
use crate::error::{ApiError, Result};
use crate::tokens::{Claims, id_token_issuer};
use crate::validate;

/// Time limit of a blocking function.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The largest reply of a blocking function, in bytes.
const MAX_REPLY_BYTES: usize = 64 * 1024;
/// Prefix of every failure of a blocking function.
const FAILURE: &str = "BLOCKING_FUNCTION_ERROR_RESPONSE";

/// Event a function is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    BeforeCreate,
    BeforeSignIn,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Self::BeforeCreate => "beforeCreate",
            Self::BeforeSignIn => "beforeSignIn",
        }
    }
}

/// Sign-in details passed to blocking functions.
#[derive(Debug, Default)]
pub(crate) struct Method {
    /// `password`, `emailLink`, `phone` or a provider's id.
    pub(crate) name: String,
    pub(crate) second_factor: Option<&'static str>,
    pub(crate) raw_user_info: Option<String>,
    pub(crate) sign_in_attributes: Option<Value>,
    pub(crate) oauth_id_token: Option<String>,
    pub(crate) oauth_access_token: Option<String>,
}

impl Method {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Changes a function requests.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    display_name: Option<String>,
    photo_url: Option<String>,
    disabled: Option<bool>,
    email_verified: Option<bool>,
    custom_attributes: Option<String>,
    /// Claims for this session only.
    pub(crate) session_claims: Claims,
}

impl Effects {
    /// Changes the account.
    pub(crate) fn apply(&self, account: &mut Account) {
        let texts = [
            (&self.display_name, &mut account.display_name),
            (&self.photo_url, &mut account.photo_url),
            (&self.custom_attributes, &mut account.custom_attributes),
        ];
        for (wanted, place) in texts {
            if wanted.is_some() {
                place.clone_from(wanted);
            }
        }
        let flags =
            [(self.disabled, &mut account.disabled), (self.email_verified, &mut account.email_verified)];
        for (wanted, place) in flags {
            if wanted.is_some() {
                *place = wanted;
            }
        }
        if self.email_verified.is_some() {
            account.proof_pending = None;
        }
    }
}

impl Call {
    /// True if the project has a function for the event.
    pub(crate) fn has_trigger(&self, event: Event) -> bool {
        self.trigger(event).is_some()
    }

    fn trigger(&self, event: Event) -> Option<String> {
        let functions = self.blocking_functions();
        let uri = functions.get("triggers")?.get(event.name())?.get("functionUri")?.as_str();
        uri.map(str::to_owned)
    }

    /// The functions that an administrator set, else those of the project's own source.
    fn blocking_functions(&self) -> Value {
        let set = &self.settings.project.blocking_functions;
        let has_any = set.get("triggers").and_then(Value::as_object).is_some_and(|set| !set.is_empty());
        if has_any || self.project != self.state.0.project { set.clone() } else { self.state.own_functions() }
    }

    /// Calls the project's function, if it has one.
    ///
    /// # Errors
    /// `BLOCKING_FUNCTION_ERROR_RESPONSE : …` if it refuses, fails, or returns an invalid reply.
    pub(crate) async fn ask(&self, event: Event, account: &Account, method: &Method) -> Result<Effects> {
        let Some(uri) = self.trigger(event) else { return Ok(Effects::default()) };
        let uri = uri.as_str();
        let claims = self.describe(event, uri, account, method);
        let jwt = self.state.0.tokens.seal(&claims, self.now).await?;
        let unreachable = |error: reqwest::Error| {
            let why = if error.is_timeout() { "Deadline exceeded making" } else { "Failed to make" };
            tracing::warn!(%error, uri, "a blocking function could not be asked");
            ApiError::unavailable(format!("{FAILURE} : (({why} request to {uri}.))"))
        };
        let request = self.state.0.http.post(uri).timeout(TIMEOUT).json(&json!({ "data": { "jwt": jwt } }));
        let mut reply = request.send().await.map_err(unreachable)?;
        let status = reply.status();
        let mut body = Vec::new();
        while let Some(chunk) = reply.chunk().await.map_err(unreachable)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_REPLY_BYTES {
                let message = format!("{FAILURE} : ((The reply is larger than {MAX_REPLY_BYTES} bytes.))");
                return Err(ApiError::unavailable(message));
            }
        }
        if !status.is_success() {
            let text = String::from_utf8_lossy(&body);
            let status = status.as_u16();
            return Err(ApiError::bad(format!(
                "{FAILURE} : ((HTTP request to {uri} returned HTTP error {status}: {text}))"
            )));
        }
        let reply: Value = serde_json::from_slice(&body).map_err(|_| {
            ApiError::unavailable(format!("{FAILURE} : ((Response body is not valid JSON.))"))
        })?;
        effects_of(event, &reply)
    }

    fn describe(&self, event: Event, uri: &str, account: &Account, method: &Method) -> Claims {
        let mut claims = Claims::new();
        let mut put = |name: &str, member: Value| {
            if !member.is_null() {
                claims.insert(name.to_owned(), member);
            }
        };
        put("iss", id_token_issuer(&self.project).into());
        put("aud", uri.into());
        put("sub", account.local_id.clone().into());
        put("iat", seconds(self.now).into());
        put("exp", (seconds(self.now) + TIMEOUT.as_secs() * 10).into());
        put("event_id", entropy::secret(&*self.state.0.entropy, 12).into());
        put("event_type", event.name().into());
        put("user_agent", "unknown".into());
        put("ip_address", self.peer.map_or_else(|| "127.0.0.1".to_owned(), |peer| peer.to_string()).into());
        put("locale", "en".into());
        put("user_record", self.user_record(account));
        put("sign_in_method", method.name.clone().into());
        put("sign_in_second_factor", method.second_factor.into());
        put("sign_in_attributes", method.sign_in_attributes.as_ref().map(ToString::to_string).into());
        put("raw_user_info", method.raw_user_info.clone().into());
        put("tenant_id", self.tenant.clone().into());
        let functions = self.blocking_functions();
        let forwards = |kind: &str| {
            let forward = functions.get("forwardInboundCredentials");
            forward.and_then(|forward| forward.get(kind)).and_then(Value::as_bool) == Some(true)
        };
        if forwards("accessToken") {
            put("oauth_access_token", method.oauth_access_token.clone().into());
        }
        if forwards("idToken") {
            put("oauth_id_token", method.oauth_id_token.clone().into());
        }
        claims
    }

    fn user_record(&self, account: &Account) -> Value {
        let attributes =
            account.custom_attributes.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let providers = account.provider_user_info.iter().flatten().map(|info| {
            without_nulls(json!({
                "provider_id": info.provider_id, "uid": info.raw_id, "email": info.email,
                "display_name": info.display_name, "photo_url": info.photo_url, "phone_number": info.phone_number,
            }))
        });
        let factors = account.mfa_info.as_ref().map(|factors| {
            let factors = factors.iter().filter(|factor| factor.mfa_enrollment_id.is_some()).map(|factor| {
                without_nulls(json!({
                    "uid": factor.mfa_enrollment_id, "display_name": factor.display_name,
                    "enrollment_time": factor.enrolled_at, "phone_number": factor.phone_info,
                    "factor_id": if factor.totp_info.is_some() { "totp" } else { PHONE },
                }))
            });
            json!({ "enrolled_factors": factors.collect::<Vec<_>>() })
        });
        let time = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<u64>().ok());
        let metadata = without_nulls(json!({
            "last_sign_in_time": time(&account.last_login_at), "creation_time": time(&account.created_at),
        }));
        without_nulls(json!({
            "uid": account.local_id, "email": account.email, "email_verified": account.email_verified,
            "display_name": account.display_name, "photo_url": account.photo_url, "disabled": account.disabled,
            "phone_number": account.phone_number, "custom_claims": attributes.unwrap_or_else(|| json!({})),
            "tenant_id": self.tenant, "provider_data": providers.collect::<Vec<_>>(),
            "multi_factor": factors, "metadata": metadata,
        }))
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().filter(|(_, member)| !member.is_null()).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// Reads a reply: only members named in its `updateMask` count.
fn effects_of(event: Event, reply: &Value) -> Result<Effects> {
    let mut effects = Effects::default();
    let Some(record) = reply.get("userRecord").filter(|record| !record.is_null()) else { return Ok(effects) };
    let mask = record.get("updateMask").and_then(Value::as_str).filter(|mask| !mask.is_empty());
    let mask = mask.ok_or_else(|| {
        ApiError::bad(format!("{FAILURE} : ((Response UserRecord is missing updateMask.))"))
    })?;
    let text = |name: &str| match record.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(scalar @ (Value::Number(_) | Value::Bool(_))) => Some(scalar.to_string()),
        _ => None,
    };
    let flag = |name: &str| record.get(name).and_then(Value::as_bool).unwrap_or(false);
    for field in mask.split(',').map(str::trim) {
        match field {
            "displayName" => effects.display_name = text("displayName"),
            "photoUrl" => effects.photo_url = text("photoUrl"),
            "disabled" => effects.disabled = Some(flag("disabled")),
            "emailVerified" => effects.email_verified = Some(flag("emailVerified")),
            "customClaims" => {
                let claims = record.get("customClaims").unwrap_or(&Value::Null).to_string();
                validate::serialized_claims(&claims)?;
                effects.custom_attributes = Some(claims);
            }
            "sessionClaims" if event == Event::BeforeSignIn => match record.get("sessionClaims") {
                Some(Value::Object(claims)) => {
                    validate::claims_object(&Value::Object(claims.clone()))?;
                    effects.session_claims = claims.clone();
                }
                _ => {
                    let message = format!("{FAILURE} : ((Response has malformed session claims.))");
                    return Err(ApiError::bad(message));
                }
            },
            _ => {}
        }
    }
    Ok(effects)
}
