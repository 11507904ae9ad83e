//! Methods of strings and bytes.

use base64::Engine as _;

use crate::value::{Type, Value};

use super::{Native, method, mismatch, pattern};

pub(super) const TABLE: &[Native] = &[
    method(Type::String, "size", &[], |_, values| match values {
        [Value::String(text)] => Ok(Value::Int(count(text.chars().count()))),
        _ => mismatch(),
    }),
    method(Type::String, "lower", &[], |context, values| match values {
        [Value::String(text)] => {
            context.budget.build(text.len())?;
            Ok(Value::string(text.chars().map(single_lower).collect::<String>()))
        }
        _ => mismatch(),
    }),
    method(Type::String, "upper", &[], |context, values| match values {
        [Value::String(text)] => {
            context.budget.build(text.len())?;
            Ok(Value::string(text.chars().map(single_upper).collect::<String>()))
        }
        _ => mismatch(),
    }),
    method(Type::String, "trim", &[], |context, values| match values {
        [Value::String(text)] => {
            context.budget.build(text.len())?;
            Ok(Value::string(text.trim()))
        }
        _ => mismatch(),
    }),
    method(Type::String, "toUtf8", &[], |context, values| match values {
        [Value::String(text)] => {
            context.budget.build(text.len())?;
            Ok(Value::Bytes(text.as_bytes().into()))
        }
        _ => mismatch(),
    }),
    method(Type::String, "matches", &[Type::String], pattern::matches),
    method(Type::String, "split", &[Type::String], pattern::split),
    method(Type::String, "replace", &[Type::String, Type::String], pattern::replace),
    method(Type::Bytes, "size", &[], |_, values| match values {
        [Value::Bytes(bytes)] => Ok(Value::Int(count(bytes.len()))),
        _ => mismatch(),
    }),
    method(Type::Bytes, "toBase64", &[], |context, values| match values {
        [Value::Bytes(bytes)] => {
            context.budget.build(bytes.len().saturating_mul(2))?;
            Ok(Value::string(base64::engine::general_purpose::STANDARD.encode(bytes)))
        }
        _ => mismatch(),
    }),
    method(Type::Bytes, "toHexString", &[], |context, values| match values {
        [Value::Bytes(bytes)] => {
            context.budget.build(bytes.len().saturating_mul(2))?;
            Ok(Value::string(bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>()))
        }
        _ => mismatch(),
    }),
];

/// A count as an `int`.
pub(crate) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The lower-case letter, if it is one character.
fn single_lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

/// The upper-case letter, if it is one character.
fn single_upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

/// The part of a string from one character to before another.
pub(crate) fn substring(text: &str, from: usize, to: usize) -> String {
    text.chars().skip(from).take(to.saturating_sub(from)).collect()
}
