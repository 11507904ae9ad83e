//! `projects:createSessionCookie`.

use serde_json::{Value, json};

use super::filled;
use crate::call::Call;
use crate::error::{Result, ensure, require};
use crate::tokens::session_cookie_issuer;
use crate::wire::SessionCookieRequest;

/// The shortest life of a session cookie, in seconds.
const MIN_SECONDS: u64 = 5 * 60;
/// The longest life of a session cookie, in seconds.
const MAX_SECONDS: u64 = 14 * 24 * 3_600;

pub(crate) async fn create(call: Call, request: SessionCookieRequest) -> Result<Value> {
    let token = require(filled(request.id_token.as_ref()), "MISSING_ID_TOKEN")?;
    let duration = match filled(request.valid_duration.as_ref()) {
        Some(text) => require(text.trim_end_matches('s').parse::<u64>().ok(), "INVALID_DURATION")?,
        None => MAX_SECONDS,
    };
    let duration = if duration == 0 { MAX_SECONDS } else { duration };
    ensure((MIN_SECONDS..=MAX_SECONDS).contains(&duration), "INVALID_DURATION")?;
    let signed_in = call.signed_in(Some(token)).await?;
    // Never before the last revocation: like a token, the cookie would count as revoked.
    let issued = signed_in.found.account.issue_time(call.now);
    let mut claims = signed_in.claims;
    claims.insert("iat".to_owned(), issued.into());
    claims.insert("exp".to_owned(), (issued + duration).into());
    claims.insert("iss".to_owned(), session_cookie_issuer(&call.project).into());
    let cookie = call.state.0.tokens.seal(&claims, call.now).await?;
    Ok(json!({ "sessionCookie": cookie }))
}
