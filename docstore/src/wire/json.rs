//! proto3 JSON, to and from encoded messages.

use bytes::Bytes;
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions,
};

use crate::error::{Error, Result};

/// Reads one message; unknown fields are refused.
pub(super) fn read(descriptor: MessageDescriptor, json: &[u8]) -> Result<DynamicMessage> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let message =
        DynamicMessage::deserialize_with_options(descriptor, &mut reader, &DeserializeOptions::new())
            .map_err(|error| bad_json(&error))?;
    reader.end().map_err(|error| bad_json(&error))?;
    Ok(message)
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
