//! What a function knows of its caller.

use std::sync::Arc;

use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use http::request::Parts;
use serde_json::Value;
use tokio::time::Instant;

use super::error::CallError;

/// What a function knows of its caller, beside the request itself.
#[derive(Debug, Clone)]
pub struct Context {
    /// The signed-in user; `None` when the request carries no token.
    pub auth: Option<AuthContext>,
    /// The application's attestation, when one came and could be checked.
    pub app_check: Option<AppCheck>,
    /// The caller's messaging token, as sent and unchecked.
    pub instance_id: Option<String>,
    /// When the call is given up. Nothing needs to watch it: the handler is dropped then.
    pub deadline: Instant,
    /// The request's line and headers.
    pub raw: Arc<Parts>,
}

impl Context {
    /// The signed-in user.
    ///
    /// # Errors
    /// [`Code::Unauthenticated`] when there is none.
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

/// A verified application.
#[derive(Debug, Clone)]
pub struct AppCheck {
    /// The application's id.
    pub app_id: String,
    /// The token's claims.
    pub token: Value,
}

/// Checks the `Authorization` header of calls.
pub trait TokenVerifier: Send + Sync {
    /// The user of a non-empty header value such as `Bearer eyJ…`.
    ///
    /// # Errors
    /// [`Code::Unauthenticated`] when the token is not accepted; other codes when it could not be checked.
    fn verify<'a>(&'a self, authorization: &'a str) -> BoxFuture<'a, Result<AuthContext>>;

    /// The application behind an attestation; `None` when it is not valid or cannot be checked here.
    fn app_check(&self, token: &str) -> Option<AppCheck>;
}

/// A verifier for a server without accounts: accepts no token.
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
