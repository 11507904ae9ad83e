//! Comparisons with null and NaN. As in SQL nothing equals them or is less or greater; only the unary operators find
//! them. Conditions that no document can meet are removed, together with the order they would imply.

use crate::model::{FieldFilter, FieldOp, FieldPath, Filter, UnaryOp, Value};

/// The filter without comparisons with null and NaN; `None` if no document can match it.
pub(super) fn simplify(filter: Filter) -> Option<Filter> {
    match filter {
        Filter::And(parts) => parts.into_iter().map(simplify).collect::<Option<_>>().map(Filter::And),
        Filter::Or(parts) => {
            let parts: Vec<_> = parts.into_iter().filter_map(simplify).collect();
            (!parts.is_empty()).then_some(Filter::Or(parts))
        }
        Filter::Field(FieldFilter { field, op, value }) => comparison(field, op, value),
        unary @ Filter::Unary(..) => Some(unary),
    }
}

fn comparison(field: FieldPath, op: FieldOp, value: Value) -> Option<Filter> {
    let exists = |field| Filter::Unary(field, UnaryOp::IsNotNull);
    match (op, value) {
        (FieldOp::In | FieldOp::ArrayContainsAny, Value::Array(mut values)) => {
            values.retain(|value| !is_null(value) && !is_nan(value));
            let value = Value::Array(values);
            let empty = matches!(&value, Value::Array(values) if values.is_empty());
            (!empty).then_some(Filter::Field(FieldFilter { field, op, value }))
        }
        (FieldOp::NotIn, Value::Array(values)) if values.iter().any(is_null) => None,
        (FieldOp::NotIn, Value::Array(mut values)) => {
            values.retain(|value| !is_nan(value));
            if values.is_empty() {
                return Some(exists(field));
            }
            Some(Filter::Field(FieldFilter { field, op, value: Value::Array(values) }))
        }
        (FieldOp::NotEqual, value) if is_nan(&value) => Some(exists(field)),
        (_, value) if is_null(&value) || is_nan(&value) => None,
        (op, value) => Some(Filter::Field(FieldFilter { field, op, value })),
    }
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Null)
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Double(double) if double.is_nan())
}
