//! Failures as the identity toolkit writes them.
//!
//! Callers of this wire tell failures apart by the *message* (`EMAIL_EXISTS`, `WEAK_PASSWORD : …`): the part
//! before ` : ` is the stable code that the SDKs turn into `auth/email-already-in-use` and so on. A plain 400
//! carries no `status` member; the others do. The private cause goes to the log and never to the caller.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

use axum::Json;
use axum::response::{IntoResponse, Response};
use docstore::Code;
use http::StatusCode;
use serde_json::json;

/// The result of an operation.
pub type Result<T, E = ApiError> = std::result::Result<T, E>;

/// A failure and how the wire shows it.
#[derive(Debug)]
pub struct ApiError {
    http: StatusCode,
    status: Option<&'static str>,
    message: Cow<'static, str>,
    /// Text of `errors[0].message` if it differs from `message`.
    item: Option<&'static str>,
    reason: &'static str,
    location: Option<&'static str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl ApiError {
    fn new(
        http: StatusCode,
        status: Option<&'static str>,
        message: impl Into<Cow<'static, str>>,
        reason: &'static str,
    ) -> Self {
        Self { http, status, message: message.into(), item: None, reason, location: None, source: None }
    }

    /// 400 with a code of the identity toolkit, such as `EMAIL_EXISTS`.
    pub fn bad(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, None, message, "invalid")
    }

    /// 400 `INVALID_ARGUMENT`: the body does not fit the operation.
    pub fn payload(detail: impl fmt::Display) -> Self {
        let message = format!("Invalid JSON payload received. {detail}");
        Self::new(StatusCode::BAD_REQUEST, Some("INVALID_ARGUMENT"), message, "parseError")
    }

    /// 403: neither an API key nor a credential.
    pub fn missing_key() -> Self {
        let message = "The request is missing a valid API key.";
        Self::new(StatusCode::FORBIDDEN, Some("PERMISSION_DENIED"), message, "forbidden")
    }

    /// 403: an identified caller without permission.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, Some("PERMISSION_DENIED"), message, "forbidden")
    }

    /// 401: the operation needs a credential and none was sent.
    pub fn login_required() -> Self {
        let message =
            "Request is missing required authentication credential. Expected an OAuth 2 access token.";
        let mut error = Self::new(StatusCode::UNAUTHORIZED, Some("UNAUTHENTICATED"), message, "required");
        error.item = Some("Login Required.");
        error.location = Some("Authorization");
        error
    }

    /// 401: a credential was sent that this server does not accept.
    pub fn bad_credential() -> Self {
        let message = "Request had invalid authentication credentials. Expected an OAuth 2 access token.";
        let mut error = Self::new(StatusCode::UNAUTHORIZED, Some("UNAUTHENTICATED"), message, "authError");
        error.item = Some("Invalid Credentials");
        error.location = Some("Authorization");
        error
    }

    /// 404: no such path or record.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, Some("NOT_FOUND"), message, "notFound")
    }

    /// 501: part of the protocol that this server does not offer.
    pub fn not_implemented(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, Some("NOT_IMPLEMENTED"), message, "unimplemented")
    }

    /// 413: the body is larger than `limit` bytes.
    pub fn too_large(limit: usize) -> Self {
        let message =
            format!("Request body is larger than the allowed {limit} bytes; send it in smaller parts.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Some("INVALID_ARGUMENT"), message, "uploadTooLarge")
    }

    /// 400 `TOO_MANY_ATTEMPTS_TRY_LATER`, as the SDKs expect it.
    pub fn too_many(detail: &str) -> Self {
        Self::bad(format!("TOO_MANY_ATTEMPTS_TRY_LATER : {detail}"))
    }

    /// 500 with a message for the caller: a dependency of this server does not answer properly.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Some("INTERNAL"), message, "backendError")
    }

    /// 500: an invariant is violated; the caller learns only that.
    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let message = "INTERNAL_ERROR : Something went wrong on the server; try again.";
        let mut error =
            Self::new(StatusCode::INTERNAL_SERVER_ERROR, Some("INTERNAL"), message, "internalError");
        error.source = Some(source.into());
        error
    }

    /// The message, code first.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The stable code: the message up to ` : `.
    pub fn code(&self) -> &str {
        self.message.split(" : ").next().unwrap_or(&self.message)
    }

    /// The HTTP status.
    pub const fn http(&self) -> StatusCode {
        self.http
    }

    /// The JSON body.
    pub fn body(&self) -> serde_json::Value {
        let mut item = json!({
            "message": self.item.unwrap_or(&self.message),
            "reason": self.reason,
            "domain": "global",
        });
        if let Some(location) = self.location {
            item["location"] = json!(location);
            item["locationType"] = json!("header");
        }
        let mut error = json!({ "code": self.http.as_u16(), "message": self.message, "errors": [item] });
        if let Some(status) = self.status {
            error["status"] = json!(status);
        }
        json!({ "error": error })
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for ApiError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<docstore::Error> for ApiError {
    fn from(error: docstore::Error) -> Self {
        match error.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::ResourceExhausted | Code::Aborted => {
                let mut busy = Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    Some("UNAVAILABLE"),
                    "UNAVAILABLE : The account store is busy; try again.",
                    "backendError",
                );
                busy.source = Some(Box::new(error));
                busy
            }
            _ => Self::internal(error),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.http.is_server_error() && self.http != StatusCode::NOT_IMPLEMENTED {
            let cause = self.source().map(ToString::to_string);
            tracing::error!(message = %self.message, cause, "an account operation failed");
        }
        (self.http, Json(self.body())).into_response()
    }
}

/// Returns `Err(bad(code))` unless `holds`.
pub(crate) fn ensure(holds: bool, code: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(ApiError::bad(code)) }
}

/// Returns the option's value, or `bad(code)`.
pub(crate) fn require<T>(value: Option<T>, code: &'static str) -> Result<T> {
    value.ok_or_else(|| ApiError::bad(code))
}
