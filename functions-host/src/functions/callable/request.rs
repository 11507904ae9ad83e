//! Request parsing, with the strict checks of the protocol.

use axum::body::Body;
use bytes::Bytes;
use docstore::{Code, Error};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderMap, Method};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;

use super::error::CallError;

/// The largest request body, in bytes: the cloud's limit for callable functions.
pub const MAX_REQUEST_BYTES: usize = 10 * 1024 * 1024;

/// Checks method and content type, before the body is read.
pub(super) fn check_head(parts: &Parts) -> Result<(), CallError> {
    if parts.method != Method::POST {
        return Err(CallError::bad_request(format!("the method is {}, not POST", parts.method)));
    }
    let content_type = header(&parts.headers, CONTENT_TYPE.as_str()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(CallError::bad_request(format!(
            "the content type is {content_type:?}, not application/json"
        )));
    }
    Ok(())
}

/// Reads a body of at most [`MAX_REQUEST_BYTES`].
pub(super) async fn read(body: Body) -> Result<Bytes, CallError> {
    match Limited::new(body, MAX_REQUEST_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::invalid(
            "RequestTooLarge",
            format!("The request is larger than {MAX_REQUEST_BYTES} bytes. Send less at once, or store the data first and send its name."),
        )
        .into()),
        Err(error) => Err(Error::new(Code::Cancelled, "BodyBroken", "The request ended before its body did.")
            .with_source(error)
            .into()),
    }
}

/// The `data` of a body that is exactly `{"data": …}`, not yet decoded.
pub(super) fn data(body: &[u8]) -> Result<Value, CallError> {
    let parsed: Value = serde_json::from_slice(body)
        .map_err(|error| CallError::bad_request(format!("the body is not JSON: {error}")))?;
    let Value::Object(mut map) = parsed else {
        return Err(CallError::bad_request("the body is not a JSON object"));
    };
    let data = map.remove("data").ok_or_else(|| CallError::bad_request("the body has no key \"data\""))?;
    if let Some(extra) = map.keys().next() {
        return Err(CallError::bad_request(format!("the body has the key {extra:?} beside \"data\"")));
    }
    Ok(data)
}

/// A header's value, when it is there, is text and is not empty.
pub(super) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::data;

    #[test]
    fn only_exactly_data_is_accepted() {
        assert_eq!(data(br#"{"data": null}"#).unwrap(), json!(null));
        assert_eq!(data(br#" {"data": {"a": [1]}} "#).unwrap(), json!({"a": [1]}));
        for body in [
            "",
            "{}",
            "[]",
            "null",
            "1",
            r#"{"data":1,"x":2}"#,
            r#"{"Data":1}"#,
            r#"{"data":}"#,
            "{\"data\":1} x",
        ] {
            let error = data(body.as_bytes()).unwrap_err();
            assert_eq!(
                error.body(),
                json!({"error": {"message": "Bad Request", "status": "INVALID_ARGUMENT"}}),
                "{body}"
            );
        }
    }

    #[test]
    fn depth_is_limited() {
        let deep = format!("{{\"data\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(data(deep.as_bytes()).is_err());
    }
}
