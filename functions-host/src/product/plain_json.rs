//! Documents as readable JSON, for exports; nothing reads it back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use docstore::model::{Fields, Value};
use serde_json::{Map, Number, Value as Json, json};

/// A document's fields. Bytes are base64, timestamps microseconds since the epoch under `timestampMicros`, and numbers
/// without a JSON form are text.
pub(super) fn object(fields: &Fields) -> Json {
    Json::Object(fields.iter().map(|(name, value)| (name.clone(), json(value))).collect::<Map<_, _>>())
}

fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Boolean(is) => Json::Bool(*is),
        Value::Integer(number) => json!(number),
        Value::Double(number) => double(*number),
        Value::Timestamp(time) => json!({"timestampMicros": time.0}),
        Value::String(text) => Json::String(text.clone()),
        Value::Bytes(bytes) => Json::String(STANDARD.encode(bytes)),
        Value::Reference(reference) => Json::String(reference.path.as_str().to_owned()),
        Value::GeoPoint(point) => json!({"latitude": point.latitude, "longitude": point.longitude}),
        Value::Array(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(fields) => object(fields),
        Value::Vector(numbers) => Json::Array(numbers.iter().copied().map(double).collect()),
    }
}

fn double(number: f64) -> Json {
    Number::from_f64(number).map_or_else(|| Json::String(number.to_string()), Json::Number)
}

#[cfg(test)]
mod tests {
    use docstore::model::{Fields, Timestamp, Value};
    use serde_json::json;

    use super::object;

    #[test]
    fn every_kind_of_value_can_be_read() {
        let fields = Fields::from([
            ("list".to_owned(), Value::Array(vec![Value::Null, Value::Boolean(true), Value::Integer(7)])),
            ("nan".to_owned(), Value::Double(f64::NAN)),
            ("half".to_owned(), Value::Double(0.5)),
            ("when".to_owned(), Value::Timestamp(Timestamp(5))),
            ("bytes".to_owned(), Value::Bytes(bytes::Bytes::from_static(b"hi"))),
            (
                "map".to_owned(),
                Value::Map(Fields::from([("text".to_owned(), Value::String("x".to_owned()))])),
            ),
            ("vector".to_owned(), Value::Vector(vec![1.0])),
        ]);
        let expected = json!({
            "list": [null, true, 7], "nan": "NaN", "half": 0.5, "when": {"timestampMicros": 5},
            "bytes": "aGk=", "map": {"text": "x"}, "vector": [1.0],
        });
        assert_eq!(object(&fields), expected);
    }
}
