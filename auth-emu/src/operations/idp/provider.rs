//! Sign-in at an identity provider: leaving for it, and returning with its verdict.
//!
//! `accounts:createAuthUri` returns the provider's address and a session id; the person returns to the continue URL
//! with a code, and the holder of the session id redeems it through `accounts:signInWithIdp`. The session id never
//! leaves the page that began, so nobody can be made to finish another person's sign-in.

use std::time::Duration;

use docstore::Code;
use docstore::model::{Precondition, Write, WriteOp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use crate::accounts::set;
use crate::call::Call;
use crate::entropy;
use crate::error::{ApiError, Result, ensure};
use crate::providers::{AssertedIdentity, Departure, Provider};
use crate::sessions::hash;
use crate::validate;

/// Time a person may spend at the provider.
const AWAY: Duration = Duration::from_secs(10 * 60);
/// A session id, in random bytes.
const SESSION_BYTES: usize = 24;
/// Expired departures removed when a new one is made.
const SWEEP: u32 = 20;
/// Collection of the departures of people who are at a provider.
const DEPARTURES: &str = "departures";

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Away {
    #[serde(flatten)]
    departure: Departure,
    /// Microseconds since the epoch.
    expires_at: u64,
}

/// Returns the address for signing in with `provider`, and the session id to come back with.
pub(crate) async fn leave(call: &Call, provider: &str, return_to: &str) -> Result<Value> {
    validate::continue_url(return_to).map_err(|_| ApiError::bad("INVALID_CONTINUE_URI"))?;
    call.continue_url(Some(return_to))?;
    let session = entropy::secret(&*call.state.0.entropy, SESSION_BYTES);
    let url = if call.state.is_emulator() {
        invented(call, provider, return_to, &session)
    } else {
        let (url, departure) = find(call, provider)?.authorize(return_to).await.map_err(api_error)?;
        let now = call.now.micros();
        let life = u64::try_from(AWAY.as_micros()).unwrap_or(u64::MAX);
        let away = Away { departure, expires_at: now.saturating_add(life) };
        let mut writes = call.directory.expired(DEPARTURES, "expiresAt", now, SWEEP).await?;
        writes.push(Write {
            path: call.directory.path(DEPARTURES, &hash(&session))?,
            op: set(&away)?,
            precondition: Precondition::Exists(false),
        });
        call.directory.commit(writes).await?;
        url
    };
    Ok(json!({
        "kind": "identitytoolkit#CreateAuthUriResponse",
        "authUri": url, "providerId": provider, "sessionId": session,
    }))
}

/// The page on which an emulator simulates a provider.
fn invented(call: &Call, provider: &str, return_to: &str, session: &str) -> String {
    let mut url: Url = call.state.0.origin.clone();
    url.set_path(super::invented::PATH);
    let mut query = url.query_pairs_mut();
    query
        .append_pair("providerId", provider)
        .append_pair("redirectUri", return_to)
        .append_pair("state", session);
    drop(query);
    url.into()
}

/// Verified identity from a configured provider, by the code a person came back with or by an ID token it issued for
/// us.
///
/// # Errors
/// `OPERATION_NOT_ALLOWED` for a provider that is not configured; `INVALID_IDP_RESPONSE : …` for an answer that fails
/// verification; `UNAVAILABLE : …` if the provider does not answer.
pub(crate) async fn verify(
    call: &Call,
    session: Option<&str>,
    find_member: impl Fn(&str) -> Option<String>,
) -> Result<(String, AssertedIdentity)> {
    if let (Some(session), Some(code)) = (session, find_member("code")) {
        let path = call.directory.path(DEPARTURES, &hash(session))?;
        let found = call.directory.record::<Away>(&path).await?;
        let (away, version) =
            found.ok_or_else(|| ApiError::bad("INVALID_IDP_RESPONSE : The sign-in was not begun here."))?;
        // A code is redeemed once, whether or not that succeeds.
        let used = Write { path, op: WriteOp::Delete, precondition: Precondition::UpdateTime(version) };
        call.directory.commit(vec![used]).await?;
        ensure(
            away.expires_at > call.now.micros(),
            "INVALID_IDP_RESPONSE : The sign-in took too long; begin again.",
        )?;
        let provider = find(call, &away.departure.provider)?;
        let state = find_member("state").unwrap_or_default();
        let asserted = provider.redeem(away.departure, &state, code).await.map_err(api_error)?;
        return Ok((provider.id().to_owned(), asserted));
    }
    if let Some(refusal) = find_member("error") {
        let why = find_member("error_description").unwrap_or(refusal);
        return Err(ApiError::bad(format!("INVALID_IDP_RESPONSE : The provider says: {why}")));
    }
    let id = find_member("providerId").map(|id| id.to_lowercase());
    let id =
        id.ok_or_else(|| ApiError::bad("INVALID_CREDENTIAL_OR_PROVIDER_ID : Which provider is not said."))?;
    let provider = find(call, &id)?;
    let token = find_member("id_token");
    let token = token.ok_or_else(|| ApiError::bad("INVALID_IDP_RESPONSE : An id_token is needed."))?;
    let asserted =
        provider.verify_id_token(&token, find_member("nonce").as_deref()).await.map_err(api_error)?;
    Ok((id, asserted))
}

/// Revokes a token at the configured provider that issued it.
///
/// # Errors
/// `OPERATION_NOT_ALLOWED` for a provider that is not configured or cannot revoke; `UNAVAILABLE : …` if it does not
/// answer.
pub(crate) async fn revoke(call: &Call, id: &str, token: &str, kind: &str) -> Result<()> {
    find(call, id)?.revoke(token, kind).await.map_err(api_error)
}

fn find<'a>(call: &'a Call, id: &str) -> Result<&'a Provider> {
    let found = call.state.0.providers.iter().find(|provider| provider.id() == id);
    found.ok_or_else(|| {
        ApiError::bad("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
    })
}

fn api_error(error: docstore::Error) -> ApiError {
    match error.code() {
        Code::InvalidArgument => {
            tracing::info!(%error, "a provider's answer was refused");
            ApiError::bad(format!("INVALID_IDP_RESPONSE : {}", error.message()))
        }
        Code::Unimplemented => ApiError::bad(format!("OPERATION_NOT_ALLOWED : {}", error.message())),
        Code::Unavailable => ApiError::unavailable(format!("UNAVAILABLE : {}", error.message())),
        _ => ApiError::internal(error),
    }
}
