//! Records as documents: every member becomes a field, so that records can be read, queried and exported like any
//! document.

use docstore::model::{Fields, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::error::{ApiError, Result};

/// A record as a document's fields.
pub(crate) fn fields_of<T: Serialize>(record: &T) -> Result<Fields> {
    match serde_json::to_value(record).map_err(ApiError::internal)? {
        Json::Object(members) => {
            members.into_iter().map(|(name, member)| Ok((name, to_value(member)?))).collect()
        }
        _ => Err(ApiError::internal("a record must be an object")),
    }
}

/// A document's fields as a record.
pub(crate) fn record_of<T: DeserializeOwned>(fields: &Fields) -> Result<T> {
    let members = fields.iter().map(|(name, field)| Ok((name.clone(), to_json(field)?)));
    serde_json::from_value(Json::Object(members.collect::<Result<_>>()?)).map_err(ApiError::internal)
}

fn to_value(json: Json) -> Result<Value> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Boolean(flag),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => {
                Value::Double(number.as_f64().ok_or_else(|| ApiError::internal("a number is too large"))?)
            }
        },
        Json::String(text) => Value::String(text),
        Json::Array(items) => Value::Array(items.into_iter().map(to_value).collect::<Result<_>>()?),
        Json::Object(members) => Value::Map(
            members.into_iter().map(|(name, member)| Ok((name, to_value(member)?))).collect::<Result<_>>()?,
        ),
    })
}

fn to_json(value: &Value) -> Result<Json> {
    Ok(match value {
        Value::Null => Json::Null,
        Value::Boolean(flag) => (*flag).into(),
        Value::Integer(integer) => (*integer).into(),
        Value::Double(double) => (*double).into(),
        Value::String(text) => text.clone().into(),
        Value::Array(items) => items.iter().map(to_json).collect::<Result<_>>()?,
        Value::Map(members) => Json::Object(
            members
                .iter()
                .map(|(name, member)| Ok((name.clone(), to_json(member)?)))
                .collect::<Result<_>>()?,
        ),
        Value::Timestamp(_)
        | Value::Bytes(_)
        | Value::Reference(_)
        | Value::GeoPoint(_)
        | Value::Vector(_) => {
            return Err(ApiError::internal("an account document holds a value of a foreign type"));
        }
    })
}
