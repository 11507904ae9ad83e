//! Unsigned tokens, as the emulator suite issues them.

use std::future::Future;
use std::pin::Pin;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::access::{Auth, Authenticator, Caller};
use docstore::{Code, Error, Result};

/// Accepts unsigned tokens.
pub(crate) struct Unsigned;

impl Authenticator for Unsigned {
    fn authenticate<'a>(
        &'a self,
        _project: &'a str,
        authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>> {
        Box::pin(async move {
            let Some(header) = authorization else { return Ok(Caller::Anonymous) };
            let bad = || Error::new(Code::Unauthenticated, "Token", "The token cannot be read.");
            let token = header.strip_prefix("Bearer ").ok_or_else(bad)?;
            if token == "owner" {
                return Ok(Caller::Admin);
            }
            let claims = token.split('.').nth(1).ok_or_else(bad)?;
            let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).map_err(|_| bad())?;
            let token: serde_json::Value = serde_json::from_slice(&claims).map_err(|_| bad())?;
            let uid = token.get("sub").and_then(|sub| sub.as_str()).ok_or_else(bad)?.to_owned();
            Ok(Caller::User(Auth { uid, token }))
        })
    }
}
