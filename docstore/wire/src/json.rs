//! proto3 JSON, to and from encoded messages.

use bytes::Bytes;
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions,
};
use serde_json::error::Category;
use serde_path_to_error::Track;

use super::status::Place;
use docstore::error::{Error, Result};

/// Beginning of the reader's error about an unknown field.
const UNKNOWN_FIELD: &str = "unrecognized field name '";

/// Reads one message; unknown fields are refused.
pub(super) fn read(descriptor: MessageDescriptor, json: &[u8]) -> Result<DynamicMessage> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    DynamicMessage::deserialize_with_options(descriptor.clone(), &mut reader, &DeserializeOptions::new())
        .and_then(|message| reader.end().map(|()| message))
        .map_err(|error| unreadable(descriptor, json, &error))
}

/// The error for JSON that does not fit the message. The JSON is read again to locate it.
fn unreadable(descriptor: MessageDescriptor, json: &[u8], error: &serde_json::Error) -> Error {
    if error.classify() != Category::Data {
        return bad_json(error);
    }
    let mut track = Track::new();
    let mut reader = serde_json::Deserializer::from_slice(json);
    let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
    let _fails_again =
        DynamicMessage::deserialize_with_options(descriptor, tracked, &DeserializeOptions::new());
    let path = track.path();
    let at = if path.iter().len() == 0 { String::new() } else { path.to_string() };
    let text = error.to_string();
    let unknown = text.strip_prefix(UNKNOWN_FIELD).and_then(|rest| rest.rsplit_once("' at line"));
    let bad = match unknown {
        None => bad_json(error),
        Some((name, _)) => {
            let place = if at.is_empty() { String::new() } else { format!(" at '{at}'") };
            let message =
                format!("Invalid JSON payload received. Unknown name \"{name}\"{place}: Cannot find field.");
            Error::invalid("Json", message)
        }
    };
    bad.with_source(Place(at))
}

/// Reads one message of the type with this full name.
pub(super) fn message<M: prost::Message + Default>(name: &str, json: &serde_json::Value) -> Result<M> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::internal("Descriptors", "a message is missing", error.to_string())
    };
    let pool = DescriptorPool::decode(super::pb::DESCRIPTOR_SET).map_err(|error| broken(&error))?;
    let descriptor = pool.get_message_by_name(name).ok_or_else(|| broken(&name))?;
    let message = read(descriptor, json.to_string().as_bytes())?;
    message.transcode_to().map_err(|error| broken(&error))
}

/// Writes one encoded message on one line.
pub(super) fn write(descriptor: MessageDescriptor, message: &[u8]) -> Result<Vec<u8>> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::internal("JsonReply", "the reply cannot be written as JSON", error.to_string())
    };
    let message = DynamicMessage::decode(descriptor, message).map_err(|error| broken(&error))?;
    let mut json = Vec::with_capacity(256);
    message
        .serialize_with_options(&mut serde_json::Serializer::new(&mut json), &SerializeOptions::new())
        .map_err(|error| broken(&error))?;
    Ok(json)
}

/// The encoded form.
pub(super) fn encode(message: &DynamicMessage) -> Bytes {
    message.encode_to_vec().into()
}

/// The error for a body that does not fit its message.
pub(super) fn bad_json(error: &serde_json::Error) -> Error {
    Error::invalid("Json", format!("Invalid JSON payload received. {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::error_json;
    use crate::status::to_status;

    /// The error's message, and the field that its details name.
    fn refused(json: &str) -> (String, serde_json::Value) {
        let pool = DescriptorPool::decode(crate::pb::DESCRIPTOR_SET).unwrap();
        let commit = pool.get_message_by_name("google.firestore.v1.CommitRequest").unwrap();
        let error = read(commit, json.as_bytes()).unwrap_err();
        let shown = error_json(400, &to_status(&error));
        let violation = &shown["error"]["details"][0]["fieldViolations"][0];
        assert_eq!(violation["description"], error.message());
        (error.message().to_owned(), violation["field"].clone())
    }

    #[test]
    fn an_unknown_field_is_named_with_its_place() {
        let unknown =
            |rest: &str| format!("Invalid JSON payload received. Unknown name {rest}: Cannot find field.");
        assert_eq!(refused(r#"{"writess":[]}"#), (unknown("\"writess\""), serde_json::Value::Null));
        let deep = r#"{"writes":[{},{"update":{"fields":{"a.b":{"stringvalue":"x"}}}}]}"#;
        let at = "writes[1].update.fields.a.b";
        assert_eq!(refused(deep), (unknown(&format!("\"stringvalue\" at '{at}'")), at.into()));
    }

    #[test]
    fn a_wrong_value_has_its_place_in_the_details() {
        let (message, at) = refused(r#"{"writes":[{"update":{"fields":{"n":{"integerValue":"x"}}}}]}"#);
        assert!(message.starts_with("Invalid JSON payload received. "), "{message}");
        assert_eq!(at, "writes[0].update.fields.n.integerValue");
        assert_eq!(refused("{").1, serde_json::Value::Null, "no place in what is no JSON");
    }
}
