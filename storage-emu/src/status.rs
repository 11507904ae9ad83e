//! HTTP statuses of errors.

use docstore::{Code, Error};
use http::StatusCode;

/// The HTTP status of an error. Quotas answer 402 and sizes 413, which clients do not retry, unlike 429.
pub(crate) fn status(error: &Error) -> StatusCode {
    match (error.code(), error.tag()) {
        (_, "ConditionNotMet") => StatusCode::PRECONDITION_FAILED,
        (_, "FileTooLarge" | "ImageTooLarge" | "UploadParts") => StatusCode::PAYLOAD_TOO_LARGE,
        (Code::ResourceExhausted, _) => StatusCode::PAYMENT_REQUIRED,
        (Code::Aborted, _) => StatusCode::SERVICE_UNAVAILABLE,
        (code, _) => StatusCode::from_u16(code.http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
