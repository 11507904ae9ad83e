//! Operators, properties and indices on values.

use std::cmp::Ordering;

use crate::natives::{Budget, duration, substring, timestamp};
use crate::proof;
use crate::syntax::BinaryOperator;
use crate::value::{Duration, Path, PathPiece, Value, order_int_and_float, strictly_equal};

use super::{Fault, Outcome, null_value};

pub(super) fn binary(operator: BinaryOperator, left: &Value, right: &Value, budget: &mut Budget) -> Outcome {
    use BinaryOperator as Op;
    if matches!(left, Value::Unknown(_)) || matches!(right, Value::Unknown(_)) {
        return proof::binary(operator, left, right).map(Value::Bool).ok_or(Fault::Unproven);
    }
    match operator {
        Op::Equal => Ok(Value::Bool(equal(left, right))),
        Op::NotEqual => Ok(Value::Bool(!equal(left, right))),
        Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => {
            let order = compare(left, right).ok_or_else(|| unsupported(operator, left, right))?;
            Ok(Value::Bool(order.is_some_and(|order| holds(operator, order))))
        }
        Op::In => contains(left, right).map(Value::Bool),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => {
            arithmetic(operator, left, right, budget)
        }
        // Both have their own evaluation.
        Op::And | Op::Or => Err(unsupported(operator, left, right)),
    }
}

/// `==`: numbers by value, everything else by type and value.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => {
            order_int_and_float(*a, *b).is_eq()
        }
        // A difference equals nothing, as in Firebase.
        (Value::MapDiff(_), _) | (_, Value::MapDiff(_)) => false,
        _ => strictly_equal(left, right),
    }
}

/// The order of two values: `None` if the types have none, `Some(None)` if NaN is among them.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(_), Value::Float(b)) if b.is_nan() => None,
        (Value::Float(a), Value::Int(_)) if a.is_nan() => None,
        (Value::Int(a), Value::Float(b)) => Some(order_int_and_float(*a, *b)),
        (Value::Float(a), Value::Int(b)) => Some(order_int_and_float(*b, *a).reverse()),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        (Value::Duration(a), Value::Duration(b)) => Some(a.cmp(b)),
        _ => return None,
    })
}

/// True if `a operator b` holds for `a` and `b` in this order.
pub(crate) fn holds(operator: BinaryOperator, order: Ordering) -> bool {
    match operator {
        BinaryOperator::Less => order.is_lt(),
        BinaryOperator::LessOrEqual => order.is_le(),
        BinaryOperator::Greater => order.is_gt(),
        BinaryOperator::GreaterOrEqual => order.is_ge(),
        _ => false,
    }
}

fn contains(element: &Value, container: &Value) -> Result<bool, Fault> {
    match container {
        Value::List(items) => Ok(items.iter().any(|item| strictly_equal(item, element))),
        Value::Set(set) => Ok(set.contains(element)),
        Value::Map(map) => match element {
            Value::String(key) => Ok(map.contains(key)),
            other => Err(Fault::failed(format!(
                "Unsupported operation error. Received: map.in({}). Expected: map.in(string).",
                other.type_of().name()
            ))),
        },
        Value::Null => Err(null_value()),
        _ => Err(Fault::failed("Function not found error: Name: [in].")),
    }
}

fn arithmetic(operator: BinaryOperator, left: &Value, right: &Value, budget: &mut Budget) -> Outcome {
    use BinaryOperator as Op;
    match (operator, left, right) {
        (_, Value::Int(a), Value::Int(b)) => integer(operator, *a, *b),
        (Op::Add, Value::String(a), Value::String(b)) => {
            budget.build(a.len() + b.len()).map_err(Fault::failed)?;
            Ok(Value::string(format!("{a}{b}")))
        }
        (Op::Add, Value::Timestamp(t), Value::Duration(d))
        | (Op::Add, Value::Duration(d), Value::Timestamp(t)) => timestamp(t.plus(*d)).map_err(Fault::failed),
        (Op::Subtract, Value::Timestamp(t), Value::Duration(d)) => {
            let back = Duration::from_nanos(-d.total_nanos());
            timestamp(back.and_then(|back| t.plus(back))).map_err(Fault::failed)
        }
        (Op::Subtract, Value::Timestamp(a), Value::Timestamp(b)) => {
            duration(Duration::from_nanos(a.nanos_since_epoch() - b.nanos_since_epoch()))
                .map_err(Fault::failed)
        }
        (Op::Add, Value::Duration(a), Value::Duration(b)) => {
            duration(Duration::from_nanos(a.total_nanos() + b.total_nanos())).map_err(Fault::failed)
        }
        (Op::Subtract, Value::Duration(a), Value::Duration(b)) => {
            duration(Duration::from_nanos(a.total_nanos() - b.total_nanos())).map_err(Fault::failed)
        }
        _ => match (left.as_float(), right.as_float()) {
            (Some(a), Some(b)) => Ok(Value::Float(match operator {
                Op::Add => a + b,
                Op::Subtract => a - b,
                Op::Multiply => a * b,
                Op::Divide => a / b,
                _ => a % b,
            })),
            _ => Err(unsupported(operator, left, right)),
        },
    }
}

fn integer(operator: BinaryOperator, a: i64, b: i64) -> Outcome {
    use BinaryOperator as Op;
    let result = match operator {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide | Op::Remainder if b == 0 => return Err(Fault::failed("Divide by zero error.")),
        // The smallest integer over -1 wraps around, as in Firebase.
        Op::Divide => Some(a.wrapping_div(b)),
        _ => Some(a.wrapping_rem(b)),
    };
    result.map(Value::Int).ok_or_else(out_of_range)
}

fn out_of_range() -> Fault {
    Fault::failed("Integer value is out of the [-9223372036854775808, 9223372036854775807] range.")
}

fn unsupported(operator: BinaryOperator, left: &Value, right: &Value) -> Fault {
    use BinaryOperator as Op;
    let symbol = operator.symbol();
    let pairs: &[(&str, &str)] = match operator {
        Op::Add => &[
            ("int", "int"),
            ("float", "float"),
            ("string", "string"),
            ("duration", "duration"),
            ("duration", "timestamp"),
            ("timestamp", "duration"),
        ],
        Op::Subtract => &[
            ("int", "int"),
            ("float", "float"),
            ("duration", "duration"),
            ("timestamp", "duration"),
            ("timestamp", "timestamp"),
        ],
        Op::Multiply | Op::Divide | Op::Remainder => &[("int", "int"), ("float", "float")],
        _ => &[
            ("string", "string"),
            ("bytes", "bytes"),
            ("int", "int"),
            ("float", "float"),
            ("duration", "duration"),
            ("timestamp", "timestamp"),
            ("constraint", "any"),
            ("any", "constraint"),
        ],
    };
    let expected: Vec<_> = pairs.iter().map(|(a, b)| format!("{a} {symbol} {b}")).collect();
    Fault::failed(format!(
        "Unsupported operation error. Received: {} {symbol} {}. Expected: {}.",
        left.type_of().name(),
        right.type_of().name(),
        expected.join(", ")
    ))
}

pub(super) fn not(operand: &Value) -> Outcome {
    match operand {
        Value::Bool(value) => Ok(Value::Bool(!value)),
        Value::Unknown(_) => Err(Fault::Unproven),
        other => Err(Fault::failed(format!(
            "Unsupported operation error. Received: !{}. Expected: !bool.",
            other.type_of().name()
        ))),
    }
}

pub(super) fn minus(operand: &Value) -> Outcome {
    match operand {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(out_of_range),
        Value::Float(value) => Ok(Value::Float(-value)),
        Value::Duration(value) => duration(Duration::from_nanos(-value.total_nanos())).map_err(Fault::failed),
        Value::Unknown(_) => Err(Fault::Unproven),
        other => Err(Fault::failed(format!(
            "Unsupported operation error. Received: -{}. Expected: -int, -float, -duration.",
            other.type_of().name()
        ))),
    }
}

/// `object.name`
pub(super) fn property(object: &Value, name: &str) -> Outcome {
    match object {
        Value::Map(map) => map.get(name).cloned().ok_or_else(|| undefined(name)),
        Value::Path(path) => bound(path, name),
        Value::Unknown(unknown) => proof::property(unknown, name),
        Value::Null => Err(null_value()),
        other => Err(Fault::failed(format!(
            "Type error. Received: [{}] Expected: [map,path].",
            other.type_of().name()
        ))),
    }
}

pub(crate) fn undefined(name: &str) -> Fault {
    Fault::failed(format!("Property {name} is undefined on object."))
}

/// The value bound to a hole of a path.
fn bound(path: &Path, wanted: &str) -> Outcome {
    for piece in path.pieces() {
        if let PathPiece::Hole { name, recursive, bound } = piece
            && **name == *wanted
        {
            return match bound.as_deref() {
                Some([single]) if !recursive => Ok(Value::String(single.clone())),
                Some(segments) => Ok(Value::Path(Path::from_segments(segments.iter().cloned()))),
                None => Err(Fault::failed(format!("Variable {wanted} is not bound in path template."))),
            };
        }
    }
    Err(undefined(wanted))
}

/// `object[index]`
pub(super) fn index(object: &Value, index: &Value) -> Outcome {
    match (object, index) {
        (Value::Null, _) => Err(null_value()),
        (Value::Unknown(unknown), Value::String(name)) => proof::property(unknown, name),
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => Err(Fault::Unproven),
        (Value::Map(_) | Value::Path(_), Value::String(name)) => property(object, name),
        (Value::List(items), Value::Int(at)) => position(*at, items.len())
            .and_then(|at| items.get(at))
            .cloned()
            .ok_or_else(|| bounds(*at, items.len())),
        (Value::String(text), Value::Int(at)) => {
            let size = text.chars().count();
            let found = position(*at, size).and_then(|at| text.chars().nth(at));
            found.map(|c| Value::string(c.to_string())).ok_or_else(|| bounds(*at, size))
        }
        (Value::Path(path), Value::Int(at)) => {
            let found = position(*at, usize::MAX).and_then(|at| path.segments().nth(at));
            found.cloned().map(Value::String).ok_or_else(|| bounds(*at, path.segments().count()))
        }
        (Value::List(_) | Value::String(_) | Value::Map(_) | Value::Path(_), other) => {
            let (own, other) = (object.type_of().name(), other.type_of().name());
            let expected = match object {
                Value::Map(_) => "map[string]".to_owned(),
                Value::Path(_) => "path[int], path[string]".to_owned(),
                _ => format!("{own}[int]"),
            };
            Err(Fault::failed(format!(
                "Unsupported operation error. Received: {own}[{other}]. Expected: {expected}."
            )))
        }
        _ => Err(Fault::failed("Function not found error: Name: [[]].")),
    }
}

fn position(at: i64, size: usize) -> Option<usize> {
    usize::try_from(at).ok().filter(|at| *at < size)
}

fn bounds(at: i64, size: usize) -> Fault {
    Fault::failed(format!("Index out of bound error. Index: [{at}] , size: [{size}]."))
}

/// `object[from:to]`
pub(super) fn slice(
    object: &Value,
    from: Option<&Value>,
    to: Option<&Value>,
    budget: &mut Budget,
) -> Outcome {
    let size = match object {
        Value::List(items) => items.len(),
        Value::String(text) => text.chars().count(),
        Value::Path(path) => path.segments().count(),
        Value::Null => return Err(null_value()),
        Value::Unknown(_) => return Err(Fault::Unproven),
        _ => return Err(Fault::failed("Function not found error: Name: [@range].")),
    };
    let bound = |value: Option<&Value>| match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Int(at)) => Ok(Some(*at)),
        Some(Value::Unknown(_)) => Err(Fault::Unproven),
        Some(other) => {
            let (own, other) = (object.type_of().name(), other.type_of().name());
            Err(Fault::failed(format!(
                "Unsupported operation error. Received: {own}[{other}:]. Expected: {own}[int:int]."
            )))
        }
    };
    let (from, to) = (bound(from)?, bound(to)?);
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        return Err(Fault::failed(format!("Illegal range error. From index: [{from}] , To index: [{to}].")));
    }
    // Both ends of a range must exist, even if the range is empty.
    let there = |at: i64| position(at, size).ok_or_else(|| bounds(at, size));
    let start = from.map_or(Ok(0), there)?;
    let end = to.map_or(Ok(size), |to| there(to.saturating_sub(1)).map(|last| last + 1))?;
    budget.build_values(end - start).map_err(Fault::failed)?;
    Ok(match object {
        Value::List(items) => Value::List(items.get(start..end).unwrap_or(&[]).into()),
        Value::String(text) => Value::string(substring(text, start, end)),
        Value::Path(path) => {
            Value::Path(Path::from_segments(path.segments().skip(start).take(end - start).cloned()))
        }
        _ => Value::Null,
    })
}
