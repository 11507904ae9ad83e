//! Information about a call and its caller.

use std::sync::Arc;

use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use http::request::Parts;
use serde_json::Value;
use tokio::time::Instant;

use super::error::CallError;

/// The context of a call, besides its data.
#[derive(Debug, Clone)]
pub struct Context {
    /// The signed-in user; `None` when the request carries no token.
    pub auth: Option<AuthContext>,
    /// The application's attestation, if there was one and it could be verified.
    pub app_check: Option<AppCheck>,
    /// The caller's messaging token, as sent and not verified.
    pub instance_id: Option<String>,
    /// Deadline of the call. Handlers need not watch it: they are dropped when it passes.
    pub deadline: Instant,
    /// Request line and headers.
    pub raw: Arc<Parts>,
}

impl Context {
    /// The signed-in user.
    ///
    /// # Errors
    /// [`Code::Unauthenticated`] if there is none.
    pub fn user(&self) -> Result<&AuthContext, CallError> {
        self.auth.as_ref().ok_or_else(CallError::sign_in_first)
    }
}

/// A verified user.
#[derive(Debug, Clone)]
pub struct AuthContext {
    /// The user's id.
    pub uid: String,
    /// The token's claims.
    pub token: Value,
}

/// Claim of the accounts of people who came to a table by its code. They have nothing of their own, and reach nothing but
/// tables.
pub const GUEST: &str = "guest";

impl AuthContext {
    /// True for a guest of a table.
    pub fn is_guest(&self) -> bool {
        self.token.get(GUEST) == Some(&Value::Bool(true))
    }
}

/// A verified application.
#[derive(Debug, Clone)]
pub struct AppCheck {
    /// The application's id.
    pub app_id: String,
    /// The token's claims.
    pub token: Value,
}

/// Verifies the `Authorization` header of calls.
pub trait TokenVerifier: Send + Sync {
    /// The user of a non-empty header value such as `Bearer eyJ…`.
    ///
    /// # Errors
    /// [`Code::Unauthenticated`] if the token is rejected; other codes if it could not be verified.
    fn verify<'a>(&'a self, authorization: &'a str) -> BoxFuture<'a, Result<AuthContext>>;

    /// The application of an attestation; `None` if it is invalid or cannot be verified here.
    fn app_check(&self, token: &str) -> Option<AppCheck>;
}

/// A verifier for a server without accounts: rejects every token.
#[derive(Debug, Default, Clone, Copy)]
pub struct RefuseTokens;

impl TokenVerifier for RefuseTokens {
    fn verify<'a>(&'a self, _authorization: &'a str) -> BoxFuture<'a, Result<AuthContext>> {
        let refused = Error::new(Code::Unauthenticated, "NoAccounts", "this server has no accounts");
        Box::pin(std::future::ready(Err(refused)))
    }

    fn app_check(&self, _token: &str) -> Option<AppCheck> {
        None
    }
}
