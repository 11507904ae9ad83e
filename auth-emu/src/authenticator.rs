//! Identifies callers of the database and the other services by their bearer tokens.

use docstore::access::{Auth, Authenticator, Caller};
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use serde_json::Value;

use crate::AuthState;
use crate::call::{bearer_token, is_owner};
use crate::tokens::{TokenFault, decode_unverified, id_token_issuer};

impl Authenticator for AuthState {
    fn authenticate<'a>(
        &'a self,
        project: &'a str,
        authorization: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Caller>> {
        Box::pin(async move {
            match authorization {
                None => Ok(Caller::Anonymous),
                Some(header) => self.caller(project, header).await,
            }
        })
    }
}

impl AuthState {
    async fn caller(&self, project: &str, header: &str) -> Result<Caller> {
        let refuse = |fault: &str| {
            let message = format!("Missing or invalid authentication: {fault}.");
            Error::new(Code::Unauthenticated, "BadIdToken", message)
        };
        let Some(token) = bearer_token(header).filter(|token| !token.is_empty()) else {
            return Err(refuse("the Authorization header must be \"Bearer\" and an ID token"));
        };
        if self.0.operator.as_ref().is_some_and(|operator| operator.is(token)) {
            return Ok(Caller::Admin);
        }
        if self.is_emulator() {
            return emulated(token);
        }
        let issuer = id_token_issuer(project);
        let opened = self.0.tokens.open(token, &issuer, project, self.now());
        let claims = opened.map_err(|fault: TokenFault| refuse(&fault.to_string()))?;
        let uid = claims.get("sub").and_then(Value::as_str).unwrap_or_default().to_owned();
        let tenant = claims.get("firebase").and_then(|claim| claim.get("tenant")).and_then(Value::as_str);
        let found = self.directory(project, tenant).by_id(&uid).await.map_err(|error| {
            Error::internal("AccountLookup", "the account could not be looked up; try again", error)
        })?;
        let account = found.ok_or_else(|| refuse("the account no longer exists"))?.account;
        if account.is_disabled() {
            return Err(refuse("the account is disabled"));
        }
        let issued = claims.get("iat").and_then(Value::as_u64).unwrap_or_default();
        let firebase = claims.get("firebase");
        let session = firebase.and_then(|claim| claim.get("session_id")).and_then(Value::as_str);
        if account.revokes(issued) || account.has_ended(session) {
            return Err(refuse("the token was revoked; sign in again"));
        }
        Ok(Caller::User(Auth { uid, token: Value::Object(claims) }))
    }
}

/// Emulator mode: the administrator's stand-in, or the claims of any token, unverified.
fn emulated(token: &str) -> Result<Caller> {
    if is_owner(token) {
        return Ok(Caller::Admin);
    }
    let (_, claims) = decode_unverified(token)
        .ok_or_else(|| Error::invalid("BadJwt", "invalid jwt: the bearer token is not a JSON Web Token"))?;
    let uid = claims.get("sub").or_else(|| claims.get("user_id")).and_then(Value::as_str);
    let uid = uid.filter(|uid| !uid.is_empty()).map(ToOwned::to_owned);
    let uid = uid.ok_or_else(|| Error::invalid("BadJwt", "invalid jwt: it has neither sub nor user_id"))?;
    Ok(Caller::User(Auth { uid, token: Value::Object(claims) }))
}
