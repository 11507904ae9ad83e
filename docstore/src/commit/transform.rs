//! Field transforms: changes that depend on the old value or on the commit time.

use crate::model::{Timestamp, Transform, Ts, Value};

/// Computes the field's new value.
pub(super) fn apply(transform: &Transform, old: Option<&Value>, now: Ts) -> Value {
    match transform {
        Transform::ServerTimestamp => {
            let shown = now.whole_millis().micros();
            Value::Timestamp(Timestamp(i64::try_from(shown).unwrap_or(i64::MAX)))
        }
        Transform::Increment(by) => add(old, by),
        Transform::Maximum(given) => extreme(old, given, true),
        Transform::Minimum(given) => extreme(old, given, false),
        Transform::ArrayUnion(values) => {
            let mut list = elements(old);
            for value in values {
                if !list.contains(value) {
                    list.push(value.clone());
                }
            }
            Value::Array(list)
        }
        Transform::ArrayRemove(values) => {
            let mut list = elements(old);
            list.retain(|value| !values.contains(value));
            Value::Array(list)
        }
    }
}

/// Transform result for the caller: the new value, or null for array transforms.
pub(super) fn result(transform: &Transform, new: &Value) -> Value {
    match transform {
        Transform::ArrayUnion(_) | Transform::ArrayRemove(_) => Value::Null,
        _ => new.clone(),
    }
}

fn elements(old: Option<&Value>) -> Vec<Value> {
    match old {
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "an integer plus a double is a double, as the protocol says")]
fn add(old: Option<&Value>, by: &Value) -> Value {
    match (old, by) {
        (Some(Value::Integer(a)), Value::Integer(b)) => Value::Integer(a.saturating_add(*b)),
        (Some(Value::Integer(a)), Value::Double(b)) => Value::Double(*a as f64 + b),
        (Some(Value::Double(a)), Value::Integer(b)) => Value::Double(a + *b as f64),
        (Some(Value::Double(a)), Value::Double(b)) => Value::Double(a + b),
        _ => by.clone(),
    }
}

/// The larger (or smaller) number; the old one if they are equal; NaN if either is.
fn extreme(old: Option<&Value>, given: &Value, largest: bool) -> Value {
    let is_nan = |value: &Value| matches!(value, Value::Double(double) if double.is_nan());
    match old {
        Some(old @ (Value::Integer(_) | Value::Double(_))) => {
            let take_given =
                is_nan(given) || (!is_nan(old) && if largest { given > old } else { given < old });
            if take_given { given.clone() } else { old.clone() }
        }
        _ => given.clone(),
    }
}
