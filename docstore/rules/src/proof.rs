//! Query proofs: decide whether a condition holds for every document a query could return.
//!
//! The condition is evaluated on partly unknown values, of which only the query's filter tells something. An operation
//! has a value only if that value is the same for all documents that pass the filter; otherwise it has none, and the
//! condition must hold without it.
//!
//! As in Firestore, a filter `field == 1` also passes `1.0`, and `field < 1` also passes NaN; conditions that
//! distinguish those are evaluated as for the value in the filter.

mod filter;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evaluate::{Fault, Outcome, compare, equal, undefined};
use crate::syntax::BinaryOperator;
use crate::value::{Type, Value, strictly_equal};

pub(crate) use filter::alternatives;
pub use filter::{Comparison, Filter};

/// A value that is known only in part.
#[derive(Debug, Clone)]
pub enum Unknown {
    /// Nothing is known.
    Anything,
    /// A map of which some entries are known.
    Record(Arc<Record>),
    /// A value about which comparisons are known.
    Bounded(Arc<Facts>),
}

/// The known entries of a map; others may exist.
#[derive(Debug, Clone, Default)]
pub struct Record {
    pub(crate) entries: BTreeMap<Arc<str>, Value>,
}

/// Facts the filter implies about one field.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The value is at least this; `true`: and not this.
    pub(crate) lower: Option<(Value, bool)>,
    /// The value is at most this; `true`: and not this.
    pub(crate) upper: Option<(Value, bool)>,
    pub(crate) unequal: Vec<Value>,
    /// The value is a list that has these.
    pub(crate) contains: Vec<Value>,
}

impl Facts {
    /// The type all possible values have, numbers being one.
    fn kind(&self) -> Option<Type> {
        if !self.contains.is_empty() {
            return Some(Type::List);
        }
        let bound = self.lower.as_ref().or(self.upper.as_ref()).map(|(value, _)| value.type_of());
        bound.map(|kind| if Type::Number.accepts(kind) { Type::Number } else { kind })
    }

    /// `Some(true)` if the comparison with `other` surely holds, `Some(false)` if it surely does not.
    fn compares(&self, operator: BinaryOperator, other: &Value) -> Option<bool> {
        let surely = |operator: BinaryOperator| match operator {
            BinaryOperator::Less => beyond(self.upper.as_ref(), other, Ordering::Less, true),
            BinaryOperator::LessOrEqual => beyond(self.upper.as_ref(), other, Ordering::Less, false),
            BinaryOperator::Greater => beyond(self.lower.as_ref(), other, Ordering::Greater, true),
            BinaryOperator::GreaterOrEqual => beyond(self.lower.as_ref(), other, Ordering::Greater, false),
            _ => false,
        };
        let opposite = match operator {
            BinaryOperator::Less => BinaryOperator::GreaterOrEqual,
            BinaryOperator::LessOrEqual => BinaryOperator::Greater,
            BinaryOperator::Greater => BinaryOperator::LessOrEqual,
            BinaryOperator::GreaterOrEqual => BinaryOperator::Less,
            _ => return None,
        };
        if surely(operator) {
            Some(true)
        } else if surely(opposite) {
            Some(false)
        } else {
            None
        }
    }

    /// True if the value surely differs from `other`.
    fn differs(&self, other: &Value) -> bool {
        let other_kind = other.type_of();
        let other_kind = if Type::Number.accepts(other_kind) { Type::Number } else { other_kind };
        self.kind().is_some_and(|kind| kind != other_kind)
            || self.unequal.iter().any(|value| equal(value, other))
            || self.compares(BinaryOperator::Less, other) == Some(true)
            || self.compares(BinaryOperator::Greater, other) == Some(true)
    }
}

/// True if everything within `bound` lies on `side` of `other`; if `strictly`, it must also differ from it.
fn beyond(bound: Option<&(Value, bool)>, other: &Value, side: Ordering, strictly: bool) -> bool {
    let Some((bound, exclusive)) = bound else { return false };
    match compare(bound, other).flatten() {
        Some(Ordering::Equal) => *exclusive || !strictly,
        order => order == Some(side),
    }
}

fn flipped(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
        other => other,
    }
}

/// The value of `left operator right`, at least one of which is unknown, if it is certain.
pub(crate) fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    use BinaryOperator as Op;
    match operator {
        Op::Equal => unequal(left, right).then_some(false),
        Op::NotEqual => unequal(left, right).then_some(true),
        Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => match (left, right) {
            (Value::Unknown(Unknown::Bounded(facts)), known) if !is_unknown(known) => {
                facts.compares(operator, known)
            }
            (known, Value::Unknown(Unknown::Bounded(facts))) if !is_unknown(known) => {
                facts.compares(flipped(operator), known)
            }
            _ => None,
        },
        Op::In => within(left, right),
        Op::Or | Op::And | Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => None,
    }
}

fn is_unknown(value: &Value) -> bool {
    matches!(value, Value::Unknown(_))
}

fn unequal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Unknown(unknown), known) | (known, Value::Unknown(unknown)) if !is_unknown(known) => {
            match unknown {
                Unknown::Anything => false,
                Unknown::Record(_) => known.type_of() != Type::Map,
                Unknown::Bounded(facts) => facts.differs(known),
            }
        }
        _ => false,
    }
}

fn within(element: &Value, container: &Value) -> Option<bool> {
    match container {
        Value::Unknown(Unknown::Record(record)) => match element {
            Value::String(key) if record.entries.contains_key(key) => Some(true),
            _ => None,
        },
        Value::Unknown(Unknown::Bounded(facts)) => {
            facts.contains.iter().any(|known| strictly_equal(known, element)).then_some(true)
        }
        Value::List(items) => items.iter().all(|item| unequal(element, item)).then_some(false),
        Value::Set(set) => set.as_slice().iter().all(|item| unequal(element, item)).then_some(false),
        _ => None,
    }
}

/// The result of a type test on an unknown value, if it is certain.
pub(crate) fn is(unknown: &Unknown, kind: Type) -> Option<bool> {
    let own = match unknown {
        Unknown::Anything => return None,
        Unknown::Record(_) => Type::Map,
        Unknown::Bounded(facts) => facts.kind()?,
    };
    // Of a number it is not known whether it is an int or a float.
    if own == Type::Number && matches!(kind, Type::Int | Type::Float) {
        return None;
    }
    Some(own == kind)
}

/// The property of something known in part.
pub(crate) fn property(unknown: &Unknown, name: &str) -> Outcome {
    match unknown {
        Unknown::Record(record) => record.entries.get(name).cloned().ok_or_else(|| undefined(name)),
        Unknown::Anything | Unknown::Bounded(_) => Err(Fault::Unproven),
    }
}

/// The value of a call with unknown values among its arguments, if it is certain.
pub(crate) fn native(name: &str, values: &[Value]) -> Option<Value> {
    match (name, values) {
        ("debug", [value]) => Some(value.clone()),
        ("hasAny", [Value::Unknown(Unknown::Bounded(facts)), Value::List(wanted)]) => {
            let found = wanted.iter().any(|item| facts.contains.iter().any(|c| strictly_equal(c, item)));
            found.then_some(Value::Bool(true))
        }
        ("hasAll", [Value::Unknown(Unknown::Bounded(facts)), Value::List(wanted)]) => {
            let found = wanted.iter().all(|item| facts.contains.iter().any(|c| strictly_equal(c, item)));
            (found && facts.kind() == Some(Type::List)).then_some(Value::Bool(true))
        }
        ("get", [Value::Unknown(Unknown::Record(record)), Value::String(key), _]) => {
            record.entries.get(key).cloned()
        }
        ("get", [Value::Unknown(Unknown::Record(record)), Value::List(keys), _]) => {
            let mut keys = keys.iter().map(|key| if let Value::String(key) = key { Some(key) } else { None });
            let mut found = record.entries.get(keys.next()??)?.clone();
            for key in keys {
                let key = key?;
                found = match &found {
                    Value::Map(map) => map.get(key)?.clone(),
                    Value::Unknown(Unknown::Record(inner)) => inner.entries.get(key)?.clone(),
                    _ => return None,
                };
            }
            Some(found)
        }
        _ => None,
    }
}
