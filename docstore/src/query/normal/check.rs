//! Checks a filter against Firestore's rules.

use super::{MAX_IN_VALUES, MAX_NOT_IN_VALUES, unequal_fields};
use crate::model::{FieldFilter, FieldOp, FieldPath, Filter, UnaryOp, Value};
use crate::{Error, Result};

/// Largest value in a comparison, in bytes: larger values are in no index. Source: Firestore's limits.
const MAX_VALUE_BYTES: usize = 1_500;
/// The most filters, orders and path levels of a query together.
const MAX_FILTERS: usize = 100;

#[derive(Default)]
struct Counts {
    filters: usize,
    negations: usize,
    not_in: usize,
    lists: usize,
}

/// Checks a whole filter.
pub(super) fn filter(filter: Option<&Filter>) -> Result<()> {
    let Some(filter) = filter else { return Ok(()) };
    let mut counts = Counts::default();
    count(filter, &mut counts)?;
    if counts.filters > MAX_FILTERS {
        return Err(Error::invalid(
            "TooManyFilters",
            format!("A query may have at most {MAX_FILTERS} filters."),
        ));
    }
    if counts.negations > 1 {
        return Err(Error::invalid(
            "TwoNegations",
            "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.",
        ));
    }
    if counts.not_in > 0 && counts.lists > 0 {
        return Err(Error::invalid(
            "NotInWithList",
            "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.",
        ));
    }
    if contains(filter, &mut Vec::new()) > 1 {
        return Err(Error::invalid(
            "TwoContains",
            "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.",
        ));
    }
    let unequal = unequal_fields(filter);
    if has_name_equality(filter) && !unequal.is_empty() && !unequal.iter().any(FieldPath::is_document_name) {
        return Err(Error::invalid(
            "NameEqualityWithInequality",
            "Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.",
        ));
    }
    Ok(())
}

fn has_name_equality(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().any(has_name_equality),
        Filter::Field(FieldFilter { field, op: FieldOp::Equal | FieldOp::In, .. }) => {
            field.is_document_name()
        }
        Filter::Field(_) | Filter::Unary(..) => false,
    }
}

/// Most different array filters in one disjunct of the filter.
fn contains<'a>(filter: &'a Filter, seen: &mut Vec<&'a FieldFilter>) -> usize {
    match filter {
        Filter::And(parts) => parts.iter().map(|part| contains(part, seen)).sum(),
        Filter::Or(parts) => {
            let each = parts.iter().map(|part| contains(part, &mut seen.clone()));
            each.max().unwrap_or_default()
        }
        Filter::Field(field @ FieldFilter { op: FieldOp::ArrayContains | FieldOp::ArrayContainsAny, .. }) => {
            let again = |other: &&FieldFilter| {
                other.field == field.field && other.op == field.op && other.value == field.value
            };
            if seen.iter().any(again) {
                return 0;
            }
            seen.push(field);
            1
        }
        Filter::Field(_) | Filter::Unary(..) => 0,
    }
}

fn count(filter: &Filter, counts: &mut Counts) -> Result<()> {
    counts.filters += 1;
    match filter {
        Filter::And(parts) => return parts.iter().try_for_each(|part| count(part, counts)),
        Filter::Or(parts) => {
            if parts.is_empty() {
                let message = "Composite filter must have at least one sub-filter.";
                return Err(Error::invalid("FilterEmpty", message));
            }
            counts.lists += 1;
            return parts.iter().try_for_each(|part| count(part, counts));
        }
        Filter::Unary(field, op) => {
            if field.is_document_name() {
                return Err(not_a_name());
            }
            counts.negations += usize::from(matches!(op, UnaryOp::IsNotNan | UnaryOp::IsNotNull));
        }
        Filter::Field(FieldFilter { field, op, value }) => {
            let list = |name: &str, max: usize| match value {
                Value::Array(values) if values.is_empty() => {
                    Err(Error::invalid("ListEmpty", format!("'{name}' requires a non-empty ArrayValue.")))
                }
                Value::Array(values) if values.len() > max => Err(Error::invalid(
                    "ListTooLong",
                    format!("'{name}' supports up to {max} comparison values."),
                )),
                Value::Array(_) => Ok(()),
                _ => Err(Error::invalid("ListNeeded", format!("'{name}' requires an ArrayValue."))),
            };
            match op {
                FieldOp::In => list("IN", MAX_IN_VALUES)?,
                FieldOp::ArrayContainsAny => list("ARRAY_CONTAINS_ANY", MAX_IN_VALUES)?,
                FieldOp::NotIn => list("NOT_IN", MAX_NOT_IN_VALUES)?,
                _ => {}
            }
            counts.negations += usize::from(matches!(op, FieldOp::NotEqual | FieldOp::NotIn));
            counts.not_in += usize::from(*op == FieldOp::NotIn);
            counts.lists += usize::from(matches!(op, FieldOp::In | FieldOp::ArrayContainsAny));
            if field.is_document_name() {
                check_name_filter(*op, value)?;
            } else {
                check_size(field, *op, value)?;
            }
        }
    }
    Ok(())
}

fn check_name_filter(op: FieldOp, value: &Value) -> Result<()> {
    let reference = |value: &Value| matches!(value, Value::Reference(_));
    let fits = match (op, value) {
        (FieldOp::In | FieldOp::NotIn, Value::Array(values)) => values.iter().all(reference),
        (FieldOp::ArrayContains | FieldOp::ArrayContainsAny, _) => false,
        (_, value) => reference(value),
    };
    if fits { Ok(()) } else { Err(not_a_name()) }
}

fn not_a_name() -> Error {
    Error::invalid(
        "NameFilter",
        "A filter on __name__ must compare with document references (__key__ filter value must be a Key).",
    )
}

fn check_size(field: &FieldPath, op: FieldOp, value: &Value) -> Result<()> {
    let largest = match (op, value) {
        (FieldOp::In | FieldOp::NotIn | FieldOp::ArrayContainsAny, Value::Array(values)) => {
            values.iter().map(Value::size).max().unwrap_or_default()
        }
        (_, value) => value.size(),
    };
    if largest <= MAX_VALUE_BYTES {
        return Ok(());
    }
    Err(Error::invalid(
        "FilterValueTooLarge",
        format!(
            "value for {field} is too large to be used in a query: it has {largest} bytes, and filters compare with at most {MAX_VALUE_BYTES}."
        ),
    ))
}
