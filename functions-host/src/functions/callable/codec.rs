//! Encoding of values: JSON, with 64-bit integers tagged by `@type`.

use serde_json::{Map, Value, json};

use super::error::CallError;

/// `@type` of a signed 64-bit integer.
const INT64: &str = "type.googleapis.com/google.protobuf.Int64Value";

/// `@type` of an unsigned 64-bit integer.
const UINT64: &str = "type.googleapis.com/google.protobuf.UInt64Value";

/// The largest integer that every JSON reader keeps exact, 2^53 - 1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Replaces `{"@type": …Int64Value, "value": "123"}` by the number, everywhere in `value`.
///
/// # Errors
/// An `@type` of another kind, or a `value` that is no integer of its type.
pub fn decode(value: Value) -> Result<Value, CallError> {
    match value {
        Value::Array(items) => items.into_iter().map(decode).collect::<Result<_, _>>().map(Value::Array),
        Value::Object(map) => match map.get("@type") {
            Some(kind) if is_truthy(kind) => integer(kind, map.get("value")),
            Some(_) | None => {
                let fields = map.into_iter().map(|(key, value)| Ok((key, decode(value)?)));
                fields.collect::<Result<Map<_, _>, CallError>>().map(Value::Object)
            }
        },
        other => Ok(other),
    }
}

/// The protocol's reference reader tests whether `@type` is truthy, so `""`, `0`, `false` and `null` are plain data.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn integer(kind: &Value, value: Option<&Value>) -> Result<Value, CallError> {
    let text = match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let number = match kind.as_str() {
        Some(INT64) => text.parse::<i64>().ok().map(Value::from),
        Some(UINT64) => text.parse::<u64>().ok().map(Value::from),
        _ => {
            return Err(CallError::invalid(format!(
                "Data cannot be decoded: the @type {kind} is not known. Send plain JSON, or {INT64:?} or {UINT64:?} with a decimal \"value\"."
            )));
        }
    };
    number.ok_or_else(|| {
        CallError::invalid(format!(
            "Data cannot be decoded: {text:?} is not a decimal integer of the type {kind}."
        ))
    })
}

/// Tags integers that a JSON reader might round, everywhere in `value`.
pub fn encode(value: Value) -> Value {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(signed), _) if signed.unsigned_abs() > MAX_SAFE_INTEGER => {
                json!({"@type": INT64, "value": signed.to_string()})
            }
            (None, Some(unsigned)) => json!({"@type": UINT64, "value": unsigned.to_string()}),
            _ => Value::Number(number),
        },
        Value::Array(items) => Value::Array(items.into_iter().map(encode).collect()),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(key, value)| (key, encode(value))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use docstore::Code;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{INT64, UINT64, decode, encode};

    #[test]
    fn typed_integers_become_numbers_at_any_depth() {
        let sent = json!({"a": [{"@type": INT64, "value": "-9223372036854775808"}], "b": {"@type": UINT64, "value": "18446744073709551615"}, "c": {"@type": "", "value": 1}});
        let got = decode(sent).unwrap();
        assert_eq!(got, json!({"a": [i64::MIN], "b": u64::MAX, "c": {"@type": "", "value": 1}}));
    }

    #[test]
    fn unknown_types_and_wrong_integers_are_refused() {
        for bad in [
            json!({"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1"}),
            json!({"@type": INT64, "value": "1.5"}),
            json!({"@type": INT64, "value": "9223372036854775808"}),
            json!({"@type": UINT64, "value": "-1"}),
            json!({"@type": INT64}),
            json!([{"x": {"@type": 7, "value": "1"}}]),
        ] {
            assert_eq!(decode(bad.clone()).unwrap_err().code(), Code::InvalidArgument, "{bad}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e300..1e300).prop_map(Value::from),
            "[a-zé@]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z]{1,4}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_encoded_decodes_to_itself(value in any_json()) {
            prop_assert_eq!(decode(encode(value.clone())).unwrap(), value);
        }

        #[test]
        fn nothing_encoded_is_rounded_by_a_reader_of_doubles(value in any::<i64>()) {
            if let Some(plain) = encode(json!(value)).as_i64() {
                #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "the point of the test")]
                let rounded = plain as f64 as i64;
                prop_assert_eq!(rounded, value);
            }
        }
    }
}
