//! ID tokens and session cookies: contents, issue and verification.

mod cache;
mod jwt;
mod keyring;
pub(super) mod operator;
pub(super) mod refresh_token;

use std::sync::Arc;

use docstore::access::Mode;
use docstore::model::Ts;
use serde_json::{Map, Value, json};

pub(crate) use jwt::{decode_unverified, encode_unsigned};
pub use keyring::KeySource;
pub(crate) use keyring::Keyring;

use crate::accounts::Account;
use crate::encoding::time::seconds;
use crate::error::{ApiError, Result};
use cache::VerifiedTokens;

/// Lifetime of an ID token, in seconds.
pub const ID_TOKEN_SECONDS: u64 = 3_600;
/// Clock skew allowed between issuer and verifier, in seconds.
const CLOCK_SKEW_SECONDS: u64 = 300;
/// The longest token that is looked at, in bytes; claims are limited to 1,000 characters, names to a few.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// A token's claims.
pub(crate) type Claims = Map<String, Value>;

/// Why a token is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenFault {
    /// Not three base64url parts of JSON.
    #[error("the token is not a well-formed JSON Web Token")]
    Malformed,
    /// Too long to be one of ours.
    #[error("the token is longer than {MAX_TOKEN_BYTES} bytes")]
    TooLong,
    /// Unsigned, or signed in another way than ours.
    #[error("the token must be signed with RS256 by this server; its algorithm is {0}")]
    Algorithm(String),
    /// Signed with a key that is not, or no longer, ours.
    #[error("the token names a signing key that this server does not know; sign in again")]
    UnknownKey,
    /// The signature does not fit.
    #[error("the token's signature is wrong")]
    Signature,
    /// Issued for something else.
    #[error("the token was issued by or for another project")]
    Foreign,
    /// Past its time.
    #[error("the token has expired; refresh it")]
    Expired,
    /// From the future.
    #[error("the token's times lie in the future; check the clocks")]
    Premature,
}

/// Claims of an ID token besides the account's identity.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Grant {
    /// The provider that the account signed in with (`password`, `google.com`, …).
    pub(crate) provider: String,
    /// When the account showed its credentials, in seconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) auth_time: Option<u64>,
    /// Claims for this session only, from a custom token or a blocking function.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) extra_claims: Claims,
    /// The second factor that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) second_factor: Option<SecondFactor>,
    /// Attributes asserted by a SAML provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sign_in_attributes: Option<Value>,
    /// The session's id, which stays the same under new tokens. Emulators, and sessions of earlier versions, have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
}

impl Grant {
    /// A session that began with `provider` and has nothing special.
    pub(crate) fn new(provider: &str) -> Self {
        Self { provider: provider.to_owned(), ..Self::default() }
    }
}

/// A second factor that was shown at sign-in.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct SecondFactor {
    /// The enrollment's id.
    pub(crate) identifier: String,
    /// `phone`, `totp`, `recovery_code` or `passkey`.
    pub(crate) provider: String,
}

/// Makes and checks tokens for one server.
#[derive(Debug)]
pub(crate) struct Tokens {
    mode: Mode,
    keyring: Arc<Keyring>,
    verified: VerifiedTokens,
}

impl Tokens {
    pub(crate) fn new(mode: Mode, keyring: Keyring) -> Self {
        Self { mode, keyring: Arc::new(keyring), verified: VerifiedTokens::default() }
    }

    pub(crate) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Encodes claims as a token: signed in serving mode, unsigned in emulator mode.
    pub(crate) async fn seal(&self, claims: &Claims, now: Ts) -> Result<String> {
        match self.mode {
            Mode::Emulator => Ok(encode_unsigned(claims)),
            Mode::Serving => {
                if self.keyring.is_due(now) {
                    let keyring = Arc::clone(&self.keyring);
                    drop(tokio::task::spawn_blocking(move || {
                        if let Err(error) = keyring.rotate_if_due() {
                            tracing::error!(%error, "the token signing key could not be rotated");
                        }
                    }));
                }
                self.keyring.sign(claims.clone()).await
            }
        }
    }

    /// The claims of a token that this server issued with `issuer` for `audience`. In emulator mode nothing
    /// is checked but the form, so that tests can make their own.
    pub(crate) fn open(
        &self,
        token: &str,
        issuer: &str,
        audience: &str,
        now: Ts,
    ) -> Result<Claims, TokenFault> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenFault::TooLong);
        }
        if self.mode == Mode::Emulator {
            return decode_unverified(token).map(|(_, claims)| claims).ok_or(TokenFault::Malformed);
        }
        let claims = match self.verified.get(token) {
            Some(claims) => claims,
            None => self.verified.insert(token, self.keyring.verify(token)?),
        };
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        if text("iss") != Some(issuer) || text("aud") != Some(audience) || text("sub").is_none() {
            return Err(TokenFault::Foreign);
        }
        let time = |name: &str| claims.get(name).and_then(Value::as_u64).ok_or(TokenFault::Malformed);
        if time("exp")? <= seconds(now) {
            return Err(TokenFault::Expired);
        }
        if time("iat")? > seconds(now) + CLOCK_SKEW_SECONDS {
            return Err(TokenFault::Premature);
        }
        Ok(claims.as_ref().clone())
    }
}

/// The issuer of a project's ID tokens.
pub(crate) fn id_token_issuer(project: &str) -> String {
    format!("https://securetoken.google.com/{project}")
}

/// The issuer of a project's session cookies.
pub(crate) fn session_cookie_issuer(project: &str) -> String {
    format!("https://session.firebase.google.com/{project}")
}

/// Claims of an ID token for `account`. Custom attributes may add claims but never replace reserved ones.
pub(crate) fn id_token_claims(account: &Account, project: &str, grant: &Grant, now: Ts) -> Result<Claims> {
    let mut claims = Claims::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            claims.insert(name.to_owned(), value);
        }
    };
    put("name", account.display_name.clone().map(Value::from));
    put("picture", account.photo_url.clone().map(Value::from));
    if let Some(attributes) = &account.custom_attributes {
        let attributes: Claims = serde_json::from_str(attributes).map_err(ApiError::internal)?;
        attributes.into_iter().for_each(|(name, value)| put(&name, Some(value)));
    }
    grant.extra_claims.clone().into_iter().for_each(|(name, value)| put(&name, Some(value)));
    put("email", account.email.clone().map(Value::from));
    put("email_verified", account.email_verified.map(Value::from));
    put("phone_number", account.phone_number.clone().map(Value::from));
    put("provider_id", (grant.provider == "anonymous").then(|| "anonymous".into()));
    let mut firebase = json!({
        "identities": identities(account),
        "sign_in_provider": grant.provider,
    });
    if let Some(factor) = &grant.second_factor {
        firebase["second_factor_identifier"] = json!(factor.identifier);
        firebase["sign_in_second_factor"] = json!(factor.provider);
    }
    if let Some(tenant) = &account.tenant_id {
        firebase["tenant"] = json!(tenant);
    }
    if let Some(attributes) = &grant.sign_in_attributes {
        firebase["sign_in_attributes"] = attributes.clone();
    }
    if let Some(id) = &grant.session_id {
        firebase["session_id"] = json!(id);
    }
    put("firebase", Some(firebase));
    let auth_time = grant.auth_time.or_else(|| account.auth_time()).unwrap_or_else(|| seconds(now));
    put("auth_time", Some(auth_time.into()));
    put("user_id", Some(account.local_id.clone().into()));
    put("sub", Some(account.local_id.clone().into()));
    put("iat", Some(account.issue_time(now).into()));
    put("exp", Some((seconds(now) + ID_TOKEN_SECONDS).into()));
    put("aud", Some(project.into()));
    put("iss", Some(id_token_issuer(project).into()));
    Ok(claims)
}

/// The account's names at its providers, by provider.
fn identities(account: &Account) -> Value {
    let mut identities = Map::new();
    if let Some(email) = &account.email {
        identities.insert("email".to_owned(), json!([email]));
    }
    for info in account.provider_user_info.iter().flatten() {
        if info.provider_id != "password"
            && !info.raw_id.is_empty()
            && let Some(ids) =
                identities.entry(info.provider_id.clone()).or_insert_with(|| json!([])).as_array_mut()
        {
            ids.push(info.raw_id.clone().into());
        }
    }
    Value::Object(identities)
}

#[cfg(test)]
mod tests;
