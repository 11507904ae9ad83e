//! `google.rpc` details. The cloud's front sends them with requests it cannot read; the database behind it sends a
//! code and a message only.

use std::fmt;

use bytes::Bytes;
use prost::Message;
use prost_types::Any;
use serde_json::{Value, json};

use crate::pb::rpc;
use docstore::error::Error;

/// The type of [`BadRequest`] in an `Any`.
const BAD_REQUEST: &str = "type.googleapis.com/google.rpc.BadRequest";

/// The tags of the errors that say a request cannot be read.
const UNREADABLE: [&str; 3] = ["Json", "QueryParameter", "PathSegment"];

/// The path of the field that an error is about, as the source of the error.
#[derive(Debug)]
pub(crate) struct Place(pub(crate) String);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Place {}

/// `google.rpc.BadRequest`.
#[derive(Clone, PartialEq, Message)]
struct BadRequest {
    #[prost(message, repeated, tag = "1")]
    field_violations: Vec<FieldViolation>,
}

/// `google.rpc.BadRequest.FieldViolation`.
#[derive(Clone, PartialEq, Message)]
struct FieldViolation {
    /// The path of the field; empty for the request as a whole.
    #[prost(string, tag = "1")]
    field: String,
    #[prost(string, tag = "2")]
    description: String,
}

/// The encoded `google.rpc.Status` of an error that has details: what gRPC sends as `grpc-status-details-bin`.
pub(super) fn of(error: &Error) -> Option<Bytes> {
    if !UNREADABLE.contains(&error.tag()) {
        return None;
    }
    let place = std::error::Error::source(error).and_then(|source| source.downcast_ref::<Place>());
    let field = place.map(|place| place.0.clone()).unwrap_or_default();
    let violation = FieldViolation { field, description: error.message().to_owned() };
    let bad_request = BadRequest { field_violations: vec![violation] };
    let status = rpc::Status {
        code: error.code().number(),
        message: error.message().to_owned(),
        details: vec![Any { type_url: BAD_REQUEST.to_owned(), value: bad_request.encode_to_vec() }],
    };
    Some(status.encode_to_vec().into())
}

/// Encoded details as the members of `error.details`.
pub(super) fn to_json(encoded: &[u8]) -> Vec<Value> {
    let Ok(status) = rpc::Status::decode(encoded) else { return Vec::new() };
    let details = status.details.into_iter().filter(|any| any.type_url == BAD_REQUEST);
    let bad_requests = details.filter_map(|any| BadRequest::decode(any.value.as_slice()).ok());
    bad_requests
        .map(|bad_request| {
            let violations = bad_request.field_violations.into_iter().map(|violation| {
                let mut json = json!({"description": violation.description});
                if !violation.field.is_empty() {
                    json["field"] = violation.field.into();
                }
                json
            });
            json!({"@type": BAD_REQUEST, "fieldViolations": violations.collect::<Vec<_>>()})
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_read_has_details() {
        let unreadable = Error::invalid("Json", "Invalid JSON payload received. Unknown name.");
        assert_eq!(
            to_json(&of(&unreadable).unwrap()),
            [json!({
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"description": "Invalid JSON payload received. Unknown name."}],
            })]
        );
        assert_eq!(of(&Error::invalid("Limit", "limit is negative")), None);
        assert!(to_json(b"\xff\xff").is_empty());
    }
}
