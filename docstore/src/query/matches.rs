//! Testing one document against a filter.

use crate::model::{
    DatabaseId, Document, FieldFilter, FieldOp, FieldPath, Filter, Reference, UnaryOp, Value,
};

use super::Normal;

impl Normal {
    /// True if a document is a result, limits and offsets aside.
    pub(crate) fn matches(&self, database: &DatabaseId, document: &Document) -> bool {
        self.covers(&document.path)
            && self.filter.as_ref().is_none_or(|filter| holds(filter, database, document))
            && self.sort_key(document).is_some_and(|key| self.within(&key))
            && self.query.find_nearest.as_ref().is_none_or(|nearest| {
                matches!(nearest.field.get(&document.fields), Some(Value::Vector(vector)) if vector.len() == nearest.query.len())
            })
    }
}

/// True if the filter holds for the document.
fn holds(filter: &Filter, database: &DatabaseId, document: &Document) -> bool {
    match filter {
        Filter::And(parts) => parts.iter().all(|part| holds(part, database, document)),
        Filter::Or(parts) => parts.iter().any(|part| holds(part, database, document)),
        Filter::Unary(field, op) => with(field, database, document, |value| unary(*op, value)),
        Filter::Field(FieldFilter { field, op, value }) => {
            with(field, database, document, |found| compare(*op, found, value))
        }
    }
}

fn with(
    field: &FieldPath,
    database: &DatabaseId,
    document: &Document,
    test: impl Fn(&Value) -> bool,
) -> bool {
    if field.is_document_name() {
        let path = document.path.clone();
        return test(&Value::Reference(Reference { database: database.clone(), path }));
    }
    field.get(&document.fields).is_some_and(test)
}

fn unary(op: UnaryOp, value: &Value) -> bool {
    let nan = is_nan(value);
    let null = matches!(value, Value::Null);
    match op {
        UnaryOp::IsNan => nan,
        UnaryOp::IsNull => null,
        UnaryOp::IsNotNan => !nan && !null,
        UnaryOp::IsNotNull => !null,
    }
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Double(double) if double.is_nan())
}

/// True if the comparison holds for the value found.
pub(super) fn compare(op: FieldOp, found: &Value, given: &Value) -> bool {
    // NaN sorts before all numbers, but is neither less nor greater than any.
    let same_type = found.type_rank() == given.type_rank() && !is_nan(found) && !is_nan(given);
    let listed = |value: &Value| matches!(given, Value::Array(values) if values.contains(value));
    match op {
        FieldOp::Equal => found == given,
        FieldOp::NotEqual => !matches!(found, Value::Null) && found != given,
        FieldOp::Less => same_type && found < given,
        FieldOp::LessOrEqual => same_type && found <= given,
        FieldOp::Greater => same_type && found > given,
        FieldOp::GreaterOrEqual => same_type && found >= given,
        FieldOp::In => listed(found),
        FieldOp::NotIn => {
            !matches!(found, Value::Null)
                && matches!(given, Value::Array(values) if !values.contains(&Value::Null) && !values.contains(found))
        }
        FieldOp::ArrayContains => matches!(found, Value::Array(elements) if elements.contains(given)),
        FieldOp::ArrayContainsAny => {
            matches!(found, Value::Array(elements) if elements.iter().any(listed))
        }
    }
}
