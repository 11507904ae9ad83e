//! Errors of callable functions.

use docstore::{Code, Error};
use serde_json::{Value, json};

use super::codec::encode;

/// An error that is reported to the caller: canonical code, message, and optional details.
///
/// Converted from any [`docstore::Error`] by `?`; its private source goes to the log only.
#[derive(Debug)]
pub struct CallError {
    error: Error,
    details: Option<Value>,
}

impl CallError {
    /// A failure of kind `code`; `message` is shown to the caller.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Error::new(code, "FunctionFailed", message).into()
    }

    /// [`Code::InvalidArgument`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    /// [`Code::Unauthenticated`] for a call that needs a signed-in user.
    pub fn sign_in_first() -> Self {
        Self::new(Code::Unauthenticated, "Sign in first: this function needs a signed-in user.")
    }

    /// Adds details for the program that called.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// The canonical code.
    pub const fn code(&self) -> Code {
        self.error.code()
    }

    /// The stable tag and private cause, for the log.
    pub const fn inner(&self) -> &Error {
        &self.error
    }

    /// The response to a request that violates the protocol; `why` goes to the log only.
    pub(super) fn bad_request(why: impl Into<String>) -> Self {
        Error::invalid("BadRequest", "Bad Request").with_source(why.into()).into()
    }

    /// The response to a rejected token.
    pub(super) fn unauthenticated() -> Self {
        Error::new(Code::Unauthenticated, "TokenRefused", "Unauthenticated").into()
    }

    /// The response to a failure inside the server; the caller learns no details.
    pub(super) fn internal(tag: &'static str, cause: impl Into<String>) -> Self {
        Error::internal(tag, "INTERNAL", cause.into()).into()
    }

    /// The wire form, `{"error": {…}}`.
    pub(super) fn body(&self) -> Value {
        let mut error = json!({"message": self.error.message(), "status": self.error.code().status()});
        if let Some(details) = &self.details {
            error["details"] = encode(details.clone());
        }
        json!({ "error": error })
    }
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self { error, details: None }
    }
}
