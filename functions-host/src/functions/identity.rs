//! Authentication of functions' callers.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::access::{Auth, Authenticator, Caller, Mode};
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use serde_json::Value;

use crate::functions::callable::{AppCheck, AuthContext, TokenVerifier};

/// Verifies the tokens of calls, with the same authenticator as the document service.
#[derive(Clone)]
pub struct Identity {
    authenticator: Arc<dyn Authenticator>,
    project: String,
    mode: Mode,
}

impl Identity {
    /// For the users of `project`.
    pub fn new(authenticator: Arc<dyn Authenticator>, project: String, mode: Mode) -> Self {
        Self { authenticator, project, mode }
    }

    async fn user(&self, authorization: &str) -> Result<AuthContext> {
        match self.authenticator.authenticate(&self.project, Some(authorization)).await {
            Ok(Caller::User(Auth { uid, token })) => Ok(AuthContext { uid, token }),
            // An operator's key is not a user, and functions act for users.
            Ok(Caller::Admin | Caller::Anonymous) => Err(refused("the token names no user")),
            Err(error) if error.code() == Code::InvalidArgument => {
                Err(refused(error.message()).with_source(error))
            }
            Err(error) => Err(error),
        }
    }
}

fn refused(why: &str) -> Error {
    Error::new(Code::Unauthenticated, "TokenRefused", why)
}

impl TokenVerifier for Identity {
    fn verify<'a>(&'a self, authorization: &'a str) -> BoxFuture<'a, Result<AuthContext>> {
        Box::pin(self.user(authorization))
    }

    /// In emulator mode any claims are accepted. In serving mode no attestation is valid: there is no provider to
    /// verify it.
    fn app_check(&self, token: &str) -> Option<AppCheck> {
        if self.mode == Mode::Serving {
            return None;
        }
        let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
        let token: Value = serde_json::from_slice(&payload).ok()?;
        let app_id = token.get("sub")?.as_str()?.to_owned();
        Some(AppCheck { app_id, token })
    }
}
