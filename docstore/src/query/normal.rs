//! Checks and normalises queries: complete orders, filters as a disjunction of conjunctions.

mod check;
mod simplify;

use std::cmp::Ordering;

use crate::encoding::key::{
    FIRST_SEGMENT, Key, encode_value, push_directed, push_name, push_path, successor,
};
use crate::model::{
    Cursor, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Filter, Order, Query, Reference,
    UnaryOp, Value,
};
use crate::{Error, Result};

use super::matches::compare;

/// The most values of an `in` or `array-contains-any`.
pub const MAX_IN_VALUES: usize = 30;
/// The most values of a `not-in`.
pub const MAX_NOT_IN_VALUES: usize = 10;
/// The most disjunctions a filter may have in its normal form.
pub const MAX_DISJUNCTIONS: usize = 30;
/// A key that sorts after every name.
const AFTER_NAMES: &[u8] = &[0xff];

/// A condition on one field, in its simplest form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) field: FieldPath,
    pub(crate) op: TestOp,
}

/// The comparisons that remain after normalisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TestOp {
    /// Equal in the database's order.
    Equal(Value),
    /// The field is an array with this element.
    Contains(Value),
    /// Less, less or equal, greater, greater or equal; values of the same type only.
    Compare(FieldOp, Value),
    /// Exists, is not null and equals none of these.
    NotIn(Vec<Value>),
}

/// A checked query in normal form.
#[derive(Debug, Clone)]
pub(crate) struct Normal {
    pub(crate) query: Query,
    /// The filter as given, for testing one document.
    pub(crate) filter: Option<Filter>,
    /// The conjunctions. One empty conjunction means every document.
    pub(crate) disjuncts: Vec<Vec<Test>>,
    /// The orders before the name, in the direction of the scan: see `backward`.
    pub(crate) orders: Vec<(FieldPath, bool)>,
    /// True if the name descends: everything is stored in mirror image and scanned backward.
    pub(crate) backward: bool,
    /// Bounds on the sort key in key order: lower inclusive, upper exclusive.
    pub(crate) lower: Option<Key>,
    pub(crate) upper: Option<Key>,
}

impl Normal {
    /// Checks and normalises `query`.
    ///
    /// # Errors
    /// `InvalidArgument` for everything Firestore refuses.
    pub(crate) fn new(query: &Query) -> Result<Self> {
        let mut query = query.clone();
        if query.from.collection.is_none() && !query.from.all_descendants {
            return Err(Error::invalid(
                "NoCollection",
                "A query without a collection must ask for all descendants.",
            ));
        }
        let filter = query.filter.take();
        check::filter(filter.as_ref())?;
        let unequal = filter.as_ref().map(unequal_fields).unwrap_or_default();
        // An empty disjunction matches no document.
        let filter = filter.map(|filter| simplify::simplify(filter).unwrap_or(Filter::Or(Vec::new())));
        let disjuncts = match &filter {
            None => vec![Vec::new()],
            Some(filter) => disjunctive(filter)?,
        };
        let disjuncts: Vec<_> = disjuncts.into_iter().filter_map(without_the_obvious).collect();
        let mut orders = complete_orders(&query.order_by, unequal)?;
        if let ([tests], None, None) = (disjuncts.as_slice(), &query.start, &query.end) {
            // A field with the same value in all results orders nothing. Cursors refer to orders by position, so then
            // all stay.
            orders.retain(|order| order.field.is_document_name() || fixed(tests, &order.field).is_none());
        }
        let backward = orders.last().is_some_and(|order| order.direction == Direction::Descending);
        let mut normal = Self {
            filter,
            disjuncts,
            orders: orders[..orders.len() - 1]
                .iter()
                .map(|order| (order.field.clone(), (order.direction == Direction::Descending) != backward))
                .collect(),
            backward,
            lower: None,
            upper: None,
            query,
        };
        normal.check_nearest()?;
        let start = normal.query.start.clone().map(|cursor| normal.position(&cursor)).transpose()?;
        let end = normal.query.end.clone().map(|cursor| normal.position(&cursor)).transpose()?;
        (normal.lower, normal.upper) = if backward { (end, start) } else { (start, end) };
        Ok(normal)
    }

    /// True if entries name a document by its id alone.
    pub(crate) fn named_by_id(&self) -> bool {
        !self.query.from.all_descendants
    }

    /// The key that sorts a document among the results; `None` if it lacks an ordered field. Index entries over the
    /// same fields end with it.
    pub(crate) fn sort_key(&self, document: &Document) -> Option<Key> {
        let mut key = Vec::with_capacity(32);
        let mut encoded = Vec::new();
        for (field, descending) in &self.orders {
            encoded.clear();
            encode_value(field.get(&document.fields)?, &mut encoded);
            push_directed(&mut key, &encoded, *descending);
        }
        push_name(&mut key, if self.named_by_id() { document.path.id() } else { document.path.as_str() });
        Some(key)
    }

    /// True if a sort key lies within the cursors.
    pub(crate) fn within(&self, key: &[u8]) -> bool {
        self.lower.as_ref().is_none_or(|lower| lower.as_slice() <= key)
            && self.upper.as_ref().is_none_or(|upper| key < upper.as_slice())
    }

    /// Converts a cursor to a bound on sort keys: the first key beyond it, in key order.
    fn position(&self, cursor: &Cursor) -> Result<Key> {
        if cursor.values.len() > self.orders.len() + 1 {
            return Err(Error::invalid(
                "CursorTooLong",
                "Cursor has too many values: more than the query has orders.",
            ));
        }
        // Forward, "before" excludes the keys that extend it; backward, the key order is mirrored.
        let before = cursor.before != self.backward;
        let mut key = Key::new();
        let mut encoded = Vec::new();
        for (index, value) in cursor.values.iter().enumerate() {
            if let Some((_, descending)) = self.orders.get(index) {
                encoded.clear();
                encode_value(value, &mut encoded);
                push_directed(&mut key, &encoded, *descending);
            } else {
                let Value::Reference(reference) = value else {
                    let message = "A cursor on __name__ must be a document reference.";
                    return Err(Error::invalid("CursorName", message));
                };
                let (from, past) = self.name_bounds(reference)?;
                key.extend(if before { from } else { past });
                return Ok(key);
            }
        }
        Ok(if before || key.is_empty() { key } else { successor(&key) })
    }

    /// Position of a reference among the names of this query's entries: the first name that is not less, and the first
    /// that is greater. They are the same for a reference into another collection, which names no entry.
    pub(crate) fn name_bounds(&self, reference: &Reference) -> Result<(Key, Key)> {
        let mut key = Key::new();
        if !self.named_by_id() {
            push_path(&mut key, reference.path.as_str());
            // Documents below it follow it, and begin with another segment.
            let past = [key.as_slice(), &[FIRST_SEGMENT]].concat();
            return Ok((key, past));
        }
        let collection = crate::model::CollectionPath::trusted(&self.collection_path()?);
        let depth = collection.segments().count();
        let ids: Vec<&str> = reference.path.segments().collect();
        let (head, rest) = ids.split_at(depth.min(ids.len()));
        let head = head.join("/");
        match (crate::model::CollectionPath::trusted(&head).cmp(&collection), rest) {
            (Ordering::Equal, [id, below @ ..]) => {
                push_path(&mut key, id);
                let past = successor(&key);
                Ok(if below.is_empty() { (key, past) } else { (past.clone(), past) })
            }
            (Ordering::Greater, _) => Ok((AFTER_NAMES.to_vec(), AFTER_NAMES.to_vec())),
            // A prefix of the collection's own path precedes everything in it.
            (Ordering::Equal | Ordering::Less, _) => Ok((key.clone(), key)),
        }
    }

    /// Path of the single collection this query reads.
    pub(crate) fn collection_path(&self) -> Result<String> {
        let id = self.query.from.collection.as_deref().unwrap_or_default();
        let path = match &self.query.parent {
            Some(parent) => format!("{parent}/{id}"),
            None => id.to_owned(),
        };
        crate::model::CollectionPath::parse(&path).map(|path| path.to_string())
    }

    /// True if a document lies in the collections this query reads.
    pub(crate) fn covers(&self, path: &DocPath) -> bool {
        let from = &self.query.from;
        if from.collection.as_deref().is_some_and(|id| path.collection_id() != id) {
            return false;
        }
        match (&self.query.parent, from.all_descendants) {
            (None, true) => true,
            (Some(parent), true) => path.is_below(parent),
            (parent, false) => path.parent().as_ref() == parent.as_ref(),
        }
    }

    fn check_nearest(&self) -> Result<()> {
        let Some(nearest) = &self.query.find_nearest else { return Ok(()) };
        if nearest.limit == 0 || nearest.limit > super::nearest::MAX_NEAREST {
            return Err(Error::invalid(
                "NearestLimit",
                format!("FindNearest.limit must be from 1 to {}.", super::nearest::MAX_NEAREST),
            ));
        }
        if nearest.query.is_empty() || nearest.query.len() > crate::model::MAX_VECTOR_DIMENSION {
            return Err(Error::invalid(
                "NearestVector",
                "FindNearest.query_vector must have 1 to 2048 dimensions.",
            ));
        }
        Ok(())
    }
}

/// The explicit orders, then the remaining inequality fields, then the name.
fn complete_orders(explicit: &[Order], unequal: Vec<FieldPath>) -> Result<Vec<Order>> {
    let mut orders: Vec<Order> = Vec::new();
    for order in explicit {
        if orders.iter().any(|other| other.field == order.field) {
            return Err(Error::invalid(
                "OrderTwice",
                format!("Field \"{}\" is ordered by twice.", order.field),
            ));
        }
        if orders.last().is_some_and(|order| order.field.is_document_name()) {
            return Err(after_name());
        }
        orders.push(order.clone());
    }
    let direction = orders.last().map_or(Direction::Ascending, |order| order.direction);
    let named = orders.last().is_some_and(|order| order.field.is_document_name());
    for field in unequal {
        if !field.is_document_name() && !orders.iter().any(|order| order.field == field) {
            if named {
                return Err(after_name());
            }
            orders.push(Order { field, direction });
        }
    }
    if named {
        return Ok(orders);
    }
    orders.push(Order { field: FieldPath::document_name(), direction });
    Ok(orders)
}

/// Error of an order after the name: names are unique.
fn after_name() -> Error {
    Error::invalid("OrderAfterName", "order by clause cannot contain more fields after the key")
}

/// The value an equality fixes for a field.
fn fixed<'a>(tests: &'a [Test], field: &FieldPath) -> Option<&'a Value> {
    tests.iter().find_map(|test| match &test.op {
        TestOp::Equal(value) if test.field == *field => Some(value),
        _ => None,
    })
}

/// Removes tests that the conjunction's equalities imply; `None` if they contradict it, so that no document passes.
fn without_the_obvious(tests: Vec<Test>) -> Option<Vec<Test>> {
    let answer = |test: &Test| {
        let value = fixed(&tests, &test.field)?;
        match &test.op {
            // Keep the first equality itself.
            TestOp::Equal(other) => (other != value).then_some(false),
            TestOp::Compare(op, given) => Some(compare(*op, value, given)),
            TestOp::NotIn(values) => Some(!matches!(value, Value::Null) && !values.contains(value)),
            TestOp::Contains(_) => None,
        }
    };
    let answers: Vec<Option<bool>> = tests.iter().map(answer).collect();
    if answers.contains(&Some(false)) {
        return None;
    }
    Some(
        tests.into_iter().zip(answers).filter(|(_, answer)| answer.is_none()).map(|(test, _)| test).collect(),
    )
}

/// Fields with comparisons other than equality, in order.
pub(super) fn unequal_fields(filter: &Filter) -> Vec<FieldPath> {
    let mut fields = Vec::new();
    collect_unequal(filter, &mut fields);
    fields.sort();
    fields.dedup();
    fields
}

fn collect_unequal(filter: &Filter, fields: &mut Vec<FieldPath>) {
    if let Filter::And(parts) | Filter::Or(parts) = filter {
        return parts.iter().for_each(|part| collect_unequal(part, fields));
    }
    if let Filter::Field(FieldFilter { field, op: FieldOp::NotIn, .. }) = filter {
        // It orders the results even if no document passes it, for example with a null among its values.
        return fields.push(field.clone());
    }
    match simplify::simplify(filter.clone()) {
        Some(Filter::Field(FieldFilter { field, op, .. })) => match op {
            FieldOp::NotEqual
            | FieldOp::NotIn
            | FieldOp::Less
            | FieldOp::LessOrEqual
            | FieldOp::Greater
            | FieldOp::GreaterOrEqual => fields.push(field),
            FieldOp::Equal | FieldOp::ArrayContains | FieldOp::In | FieldOp::ArrayContainsAny => {}
        },
        Some(Filter::Unary(field, UnaryOp::IsNotNan | UnaryOp::IsNotNull)) => fields.push(field),
        Some(Filter::Unary(..) | Filter::And(_) | Filter::Or(_)) | None => {}
    }
}

/// Converts the filter to a disjunction of conjunctions of simple tests.
fn disjunctive(filter: &Filter) -> Result<Vec<Vec<Test>>> {
    let too_many = || {
        Error::invalid(
            "TooManyDisjunctions",
            format!("The query has more than {MAX_DISJUNCTIONS} disjunctions in its normal form; split it."),
        )
    };
    let disjuncts = match filter {
        Filter::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(disjunctive(part)?);
            }
            all
        }
        Filter::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let right = disjunctive(part)?;
                if all.len() * right.len() > 10 * MAX_DISJUNCTIONS {
                    return Err(too_many());
                }
                all = all
                    .iter()
                    .flat_map(|left: &Vec<Test>| {
                        right.iter().map(move |tests| [left.as_slice(), tests].concat())
                    })
                    .collect();
            }
            all
        }
        Filter::Unary(field, op) => {
            let op = match op {
                UnaryOp::IsNan => TestOp::Equal(Value::Double(f64::NAN)),
                UnaryOp::IsNull => TestOp::Equal(Value::Null),
                UnaryOp::IsNotNan => TestOp::NotIn(vec![Value::Double(f64::NAN)]),
                UnaryOp::IsNotNull => TestOp::NotIn(Vec::new()),
            };
            vec![vec![Test { field: field.clone(), op }]]
        }
        Filter::Field(FieldFilter { field, op, value }) => {
            let each = |make: fn(Value) -> TestOp| {
                let Value::Array(values) = value else { return Vec::new() };
                let mut distinct: Vec<Value> = values.clone();
                distinct.sort();
                distinct.dedup();
                distinct
                    .into_iter()
                    .map(|value| vec![Test { field: field.clone(), op: make(value) }])
                    .collect()
            };
            let one = |op: TestOp| vec![vec![Test { field: field.clone(), op }]];
            match (op, value) {
                (FieldOp::Equal, value) => one(TestOp::Equal(value.clone())),
                (FieldOp::ArrayContains, value) => one(TestOp::Contains(value.clone())),
                (FieldOp::In, _) => each(TestOp::Equal),
                (FieldOp::ArrayContainsAny, _) => each(TestOp::Contains),
                (FieldOp::NotEqual, value) => one(TestOp::NotIn(vec![value.clone()])),
                (FieldOp::NotIn, Value::Array(values)) if values.contains(&Value::Null) => Vec::new(),
                (FieldOp::NotIn, Value::Array(values)) => one(TestOp::NotIn(values.clone())),
                (FieldOp::NotIn, _) => Vec::new(),
                (op, value) => one(TestOp::Compare(*op, value.clone())),
            }
        }
    };
    let mut distinct: Vec<Vec<Test>> = Vec::with_capacity(disjuncts.len());
    for disjunct in disjuncts {
        if !distinct.contains(&disjunct) {
            distinct.push(disjunct);
        }
    }
    if distinct.len() > MAX_DISJUNCTIONS {
        return Err(too_many());
    }
    Ok(distinct)
}
