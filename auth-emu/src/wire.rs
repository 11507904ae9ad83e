//! JSON bodies as Google's front ends read them: camelCase or snake_case names, enum values by name or by number,
//! numbers for declared strings. Unknown names are ignored: SDKs send hints (reCAPTCHA, app attestation) that this
//! server has no use for, and newer ones will send more.

mod requests;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use crate::encoding::enums::OobRequestType;
pub(crate) use crate::encoding::enums::{DeleteAttribute, SortOrder};
pub(crate) use crate::encoding::lenient::Text;
pub(crate) use requests::*;

use crate::error::{ApiError, Result};

/// Nesting depth of a body; the deepest real one (a batch import's second factors) has six levels.
const MAX_DEPTH: usize = 16;

/// Reads a JSON body into a message with camelCase names; an empty body is an empty message.
pub(crate) fn parse_json(body: &[u8]) -> Result<Value> {
    let value = if body.trim_ascii().is_empty() {
        Value::Object(Map::new())
    } else {
        serde_json::from_slice(body).map_err(|error| ApiError::payload(error.to_string()))?
    };
    if !value.is_object() {
        return Err(ApiError::payload("Root element must be a message."));
    }
    camel_case(value, MAX_DEPTH)
}

/// Reads a message from a JSON value with camelCase names.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(ApiError::payload)
}

/// Reads a form body (`a_b=c&d=e`) as a message of strings.
pub(crate) fn parse_form(body: &[u8]) -> Value {
    let pairs = url::form_urlencoded::parse(body);
    Value::Object(pairs.map(|(name, value)| (camel_name(&name), value.into())).collect())
}

/// Renames every member from snake_case to camelCase.
fn camel_case(value: Value, depth: usize) -> Result<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(ApiError::payload("Message too deep."));
    };
    Ok(match value {
        Value::Object(members) => {
            let mut renamed = Map::with_capacity(members.len());
            for (name, member) in members {
                renamed.insert(camel_name(&name), camel_case(member, depth)?);
            }
            Value::Object(renamed)
        }
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| camel_case(item, depth)).collect::<Result<_>>()?)
        }
        scalar => scalar,
    })
}

/// `photo_url` → `photoUrl`; names without underscores stay as they are.
fn camel_name(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut upper = false;
    for character in name.chars() {
        if character == '_' && !camel.is_empty() {
            upper = true;
        } else if upper {
            camel.extend(character.to_uppercase());
            upper = false;
        } else {
            camel.push(character);
        }
    }
    camel
}

#[cfg(test)]
mod tests;
