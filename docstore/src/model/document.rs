//! A stored document and the limits it obeys.

use std::collections::BTreeMap;

use super::field_path::{is_reserved, reserved};
use super::value::{fields_size, path_size};
use super::{DocPath, Ts, Value};
use crate::{Error, Result};

/// The largest document, in bytes as [`Document::size`] counts them.
pub const MAX_DOCUMENT_BYTES: usize = 1_048_576;
/// The largest string or bytes value, in bytes.
pub const MAX_VALUE_BYTES: usize = 1_048_487;
/// The deepest nesting: so many maps and arrays may lie in one another, and what the innermost holds adds no level; nor
/// does an array that holds nothing, while a map does. Source: Firestore's limits, whose example counts a map, an array in
/// it and a map in that as three levels, and its emulator for what is empty.
pub const MAX_NESTING: usize = 20;
/// The longest vector.
pub const MAX_VECTOR_DIMENSION: usize = 2_048;
/// The longest field name, in bytes.
pub const MAX_FIELD_NAME_BYTES: usize = 1_500;

/// A map value's or document's fields, by name in UTF-8 byte order.
pub type Fields = BTreeMap<String, Value>;

/// One version of a document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its name within its database.
    pub path: DocPath,
    /// Its fields.
    pub fields: Fields,
    /// When this incarnation was created.
    pub create_time: Ts,
    /// When it last changed.
    pub update_time: Ts,
}

impl Document {
    /// The size that counts towards [`MAX_DOCUMENT_BYTES`].
    pub fn size(&self) -> usize {
        document_size(&self.path, &self.fields)
    }
}

fn document_size(path: &DocPath, fields: &Fields) -> usize {
    path_size(path) + fields_size(fields) + 32
}

/// Checks fields that are to be stored at `path` against every limit.
///
/// # Errors
/// `InvalidArgument`, with a tag per limit: `FieldNameEmpty`, `FieldNameReserved`, `FieldNameTooLong`,
/// `NestedArray`, `TooDeep`, `ValueTooLong`, `VectorTooLong`, `DocumentTooLarge`.
pub fn check_document(path: &DocPath, fields: &Fields) -> Result<()> {
    check_fields(fields, 1)?;
    let size = document_size(path, fields);
    if size > MAX_DOCUMENT_BYTES {
        return Err(Error::invalid(
            "DocumentTooLarge",
            format!(
                "Document \"{path}\" cannot be written because its size ({size} bytes) exceeds the maximum \
                 allowed size of {MAX_DOCUMENT_BYTES} bytes."
            ),
        ));
    }
    Ok(())
}

fn check_fields(fields: &Fields, depth: usize) -> Result<()> {
    for (name, value) in fields {
        if name.is_empty() {
            return Err(Error::invalid("FieldNameEmpty", "A field name must not be empty."));
        }
        if is_reserved(name) {
            return Err(reserved(name));
        }
        if name.len() > MAX_FIELD_NAME_BYTES {
            return Err(Error::invalid(
                "FieldNameTooLong",
                format!("A field name of {} bytes is longer than {MAX_FIELD_NAME_BYTES} bytes.", name.len()),
            ));
        }
        check_value(name, value, depth)?;
    }
    Ok(())
}

fn check_value(name: &str, value: &Value, depth: usize) -> Result<()> {
    let too_long = || {
        Error::invalid(
            "ValueTooLong",
            format!("The value of property \"{name}\" is longer than {MAX_VALUE_BYTES} bytes."),
        )
    };
    let is_level = match value {
        Value::Array(values) => !values.is_empty(),
        value => matches!(value, Value::Map(_)),
    };
    if is_level && depth > MAX_NESTING {
        return Err(Error::invalid(
            "TooDeep",
            format!(
                "Property \"{name}\" contains an invalid nested entity: deeper than {MAX_NESTING} levels."
            ),
        ));
    }
    match value {
        Value::String(text) if text.len() > MAX_VALUE_BYTES => Err(too_long()),
        Value::Bytes(bytes) if bytes.len() > MAX_VALUE_BYTES => Err(too_long()),
        Value::Vector(vector) if vector.len() > MAX_VECTOR_DIMENSION => Err(Error::invalid(
            "VectorTooLong",
            format!(
                "Vector \"{name}\" has {} dimensions; the limit is {MAX_VECTOR_DIMENSION}.",
                vector.len()
            ),
        )),
        Value::Array(values) => values.iter().try_for_each(|value| match value {
            Value::Array(_) => {
                Err(Error::invalid("NestedArray", "Cannot convert an array value in an array value."))
            }
            other => check_value(name, other, depth + 1),
        }),
        Value::Map(fields) => check_fields(fields, depth + 1),
        _ => Ok(()),
    }
}
