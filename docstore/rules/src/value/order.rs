//! Equality and total orders of values.

use std::cmp::Ordering;

use super::Value;

/// Equality as `==` has it inside containers: `1` and `1.0` differ, NaN equals nothing.
pub(crate) fn strictly_equal(a: &Value, b: &Value) -> bool {
    !is_nan(a) && order_strictly(a, b).is_eq()
}

/// Equality as sets and `diff` have it: `1` equals `1.0`, at any depth.
pub(crate) fn loosely_equal(a: &Value, b: &Value) -> bool {
    order_loosely(a, b).is_eq()
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(f) if f.is_nan())
}

/// A total order for searching, by type and then value.
pub(crate) fn order_strictly(a: &Value, b: &Value) -> Ordering {
    order(a, b, false)
}

/// A total order for searching, in which `1` and `1.0` are equal.
pub(crate) fn order_loosely(a: &Value, b: &Value) -> Ordering {
    order(a, b, true)
}

fn order(a: &Value, b: &Value, loose: bool) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => order_floats(*a, *b),
        (Value::Int(a), Value::Float(b)) if loose => order_int_and_float(*a, *b),
        (Value::Float(a), Value::Int(b)) if loose => order_int_and_float(*b, *a).reverse(),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.cmp(b),
        (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
        (Value::Path(a), Value::Path(b)) => a.segments().cmp(b.segments()),
        (Value::List(a), Value::List(b)) => order_all(a.iter(), b.iter(), loose),
        (Value::Set(a), Value::Set(b)) => order_all(a.as_slice().iter(), b.as_slice().iter(), true),
        (Value::Map(a), Value::Map(b)) => {
            let keys = a.iter().map(|(key, _)| key).cmp(b.iter().map(|(key, _)| key));
            keys.then_with(|| order_all(a.iter().map(|(_, v)| v), b.iter().map(|(_, v)| v), loose))
        }
        (Value::LatLng(a), Value::LatLng(b)) => {
            a.latitude.total_cmp(&b.latitude).then(a.longitude.total_cmp(&b.longitude))
        }
        (Value::Vector(a), Value::Vector(b)) => {
            let pairs = a.iter().zip(b.iter()).map(|(a, b)| order_floats(*a, *b));
            pairs.fold(a.len().cmp(&b.len()), Ordering::then)
        }
        (Value::MapDiff(a), Value::MapDiff(b)) => (&a.added, &a.removed, &a.changed, &a.unchanged).cmp(&(
            &b.added,
            &b.removed,
            &b.changed,
            &b.unchanged,
        )),
        _ => rank(a, loose).cmp(&rank(b, loose)),
    }
}

fn rank(value: &Value, loose: bool) -> super::Type {
    let kind = value.type_of();
    if loose && kind == super::Type::Float { super::Type::Int } else { kind }
}

fn order_all<'v>(
    a: impl Iterator<Item = &'v Value>,
    b: impl Iterator<Item = &'v Value>,
    loose: bool,
) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(a), Some(b)) => match order(a, b, loose) {
                Ordering::Equal => {}
                unequal => return unequal,
            },
        }
    }
}

/// Numeric order with -0.0 equal to 0.0 and NaN first.
fn order_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

/// Exact, also for integers that no float represents.
pub(crate) fn order_int_and_float(int: i64, float: f64) -> Ordering {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        Ordering::Greater
    } else if float >= TWO_TO_63 {
        Ordering::Less
    } else if float < -TWO_TO_63 {
        Ordering::Greater
    } else {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "within range, and only the whole part is wanted"
        )]
        let whole = float.trunc() as i64;
        int.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal))
    }
}
