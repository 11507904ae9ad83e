//! Field values.

use super::time::{from_timestamp, to_timestamp};
use crate::pb::types::LatLng;
use crate::pb::v1;
use crate::pb::v1::value::ValueType;
use docstore::error::{Error, Result};
use docstore::model::{DatabaseId, Fields, GeoPoint, MAX_VECTOR_DIMENSION, Reference, Value};

use std::collections::BTreeMap;

/// The field that tells a vector from a plain map.
const TYPE_FIELD: &str = "__type__";

/// Value of that field.
const VECTOR_TYPE: &str = "__vector__";

/// The field that holds a vector's numbers.
const VECTOR_FIELD: &str = "value";

/// Reads a value.
pub(crate) fn to_value(message: v1::Value) -> Result<Value> {
    let Some(kind) = message.value_type else {
        return Err(Error::invalid("ValueUnset", "Cannot convert firestore.v1.Value with type unset."));
    };
    Ok(match kind {
        ValueType::NullValue(_) => Value::Null,
        ValueType::BooleanValue(value) => Value::Boolean(value),
        ValueType::IntegerValue(value) => Value::Integer(value),
        ValueType::DoubleValue(value) => Value::Double(value),
        ValueType::TimestampValue(value) => Value::Timestamp(to_timestamp(&value)?),
        ValueType::StringValue(value) => Value::String(value),
        ValueType::BytesValue(value) => Value::Bytes(value),
        ValueType::ReferenceValue(name) => {
            let (database, path) = DatabaseId::parse_document_name(&name)?;
            Value::Reference(Reference { database, path })
        }
        ValueType::GeoPointValue(point) => Value::GeoPoint(to_geo_point(&point)?),
        ValueType::ArrayValue(array) => Value::Array(to_values(array.values)?),
        ValueType::MapValue(map) => to_map(map.fields)?,
        ValueType::FieldReferenceValue(_)
        | ValueType::VariableReferenceValue(_)
        | ValueType::FunctionValue(_)
        | ValueType::PipelineValue(_) => {
            return Err(Error::invalid(
                "ValueKind",
                "Field references, variables, functions and pipelines are not values: they belong in pipelines.",
            ));
        }
    })
}

/// Reads values.
pub(crate) fn to_values(messages: Vec<v1::Value>) -> Result<Vec<Value>> {
    messages.into_iter().map(to_value).collect()
}

/// Reads a document's or a map's fields.
pub(crate) fn to_fields(messages: BTreeMap<String, v1::Value>) -> Result<Fields> {
    messages.into_iter().map(|(name, value)| Ok((name, to_value(value)?))).collect()
}

fn to_geo_point(point: &LatLng) -> Result<GeoPoint> {
    let check = |what: &str, value: f64, bound: f64| {
        if (-bound..=bound).contains(&value) {
            return Ok(());
        }
        let message =
            format!("Geo point {what} '{value:?}' outside permitted range -{bound:?} to {bound:?}.");
        Err(Error::invalid("GeoPoint", message))
    };
    check("latitude", point.latitude, 90.0)?;
    check("longitude", point.longitude, 180.0)?;
    Ok(GeoPoint { latitude: point.latitude, longitude: point.longitude })
}

fn to_map(mut fields: BTreeMap<String, v1::Value>) -> Result<Value> {
    let is_vector = matches!(
        fields.get(TYPE_FIELD),
        Some(v1::Value { value_type: Some(ValueType::StringValue(kind)) }) if kind == VECTOR_TYPE
    );
    if !is_vector {
        return Ok(Value::Map(to_fields(fields)?));
    }
    let bad = |message: &str| Error::invalid("Vector", message);
    let Some(v1::Value { value_type: Some(ValueType::ArrayValue(array)) }) = fields.remove(VECTOR_FIELD)
    else {
        return Err(bad("VectorValue type must be an array."));
    };
    if fields.len() > 1 {
        return Err(bad("VectorValue has fields other than __type__ and value."));
    }
    if array.values.len() > MAX_VECTOR_DIMENSION {
        return Err(bad(&format!("A vector has at most {MAX_VECTOR_DIMENSION} dimensions.")));
    }
    let numbers = array.values.into_iter().map(|number| match number.value_type {
        Some(ValueType::DoubleValue(number)) => Ok(number),
        _ => Err(bad("VectorValue must only contain numeric double values.")),
    });
    Ok(Value::Vector(numbers.collect::<Result<_>>()?))
}

/// The message for a value.
pub(crate) fn from_value(value: Value) -> v1::Value {
    let kind = match value {
        Value::Null => ValueType::NullValue(0),
        Value::Boolean(value) => ValueType::BooleanValue(value),
        Value::Integer(value) => ValueType::IntegerValue(value),
        Value::Double(value) => ValueType::DoubleValue(value),
        Value::Timestamp(value) => ValueType::TimestampValue(from_timestamp(value)),
        Value::String(value) => ValueType::StringValue(value),
        Value::Bytes(value) => ValueType::BytesValue(value),
        Value::Reference(value) => ValueType::ReferenceValue(value.database.document_name(&value.path)),
        Value::GeoPoint(GeoPoint { latitude, longitude }) => {
            ValueType::GeoPointValue(LatLng { latitude, longitude })
        }
        Value::Array(values) => array(values.into_iter().map(from_value)),
        Value::Map(fields) => ValueType::MapValue(v1::MapValue { fields: from_fields(fields) }),
        Value::Vector(numbers) => {
            let kind = v1::Value { value_type: Some(ValueType::StringValue(VECTOR_TYPE.to_owned())) };
            let number = |number| v1::Value { value_type: Some(ValueType::DoubleValue(number)) };
            let numbers = v1::Value { value_type: Some(array(numbers.into_iter().map(number))) };
            let fields = [(TYPE_FIELD.to_owned(), kind), (VECTOR_FIELD.to_owned(), numbers)];
            ValueType::MapValue(v1::MapValue { fields: fields.into() })
        }
    };
    v1::Value { value_type: Some(kind) }
}

fn array(values: impl Iterator<Item = v1::Value>) -> ValueType {
    ValueType::ArrayValue(v1::ArrayValue { values: values.collect() })
}

/// The messages for fields.
pub(crate) fn from_fields(fields: Fields) -> BTreeMap<String, v1::Value> {
    fields.into_iter().map(|(name, value)| (name, from_value(value))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use docstore::testing::values as any_value;

    proptest! {
        #[test]
        fn every_value_survives_the_wire(value in any_value()) {
            let message = from_value(value.clone());
            // The generator also makes times and places that no request can bring.
            match to_value(message) {
                Ok(read) => prop_assert!(read.identical(&value)),
                Err(error) => prop_assert!(matches!(error.tag(), "Timestamp" | "GeoPoint"), "{error}"),
            }
        }
    }

    fn refusal(json: &serde_json::Value) -> String {
        let pool = prost_reflect::DescriptorPool::decode(crate::pb::DESCRIPTOR_SET).unwrap();
        let descriptor = pool.get_message_by_name("google.firestore.v1.Value").unwrap();
        let message = crate::json::read(descriptor, json.to_string().as_bytes()).unwrap();
        to_value(message.transcode_to().unwrap()).unwrap_err().message().to_owned()
    }

    #[test]
    fn says_what_is_wrong_with_a_value() {
        let vector = |value| {
            serde_json::json!({"mapValue": {"fields": {
                "__type__": {"stringValue": "__vector__"}, "value": value
            }}})
        };
        let refusals = [
            serde_json::json!({}),
            serde_json::json!({"geoPointValue": {"latitude": 90.5}}),
            serde_json::json!({"geoPointValue": {"longitude": "NaN"}}),
            serde_json::json!({"referenceValue": "foo"}),
            serde_json::json!({"referenceValue": "projects/p/databases/d/documents/odd"}),
            serde_json::json!({"fieldReferenceValue": "a"}),
            vector(serde_json::json!({"stringValue": "x"})),
            vector(serde_json::json!({"arrayValue": {"values": [{"integerValue": 1}]}})),
        ]
        .map(|json| refusal(&json));
        insta::assert_debug_snapshot!(refusals);
    }
}
