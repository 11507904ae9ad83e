//! Aggregates over a query's results.

use crate::model::{
    Aggregation, Direction, Document, FieldFilter, FieldPath, Filter, Order, Query, Value, is_reserved,
};
use crate::{Error, Result};

use super::normal::unequal_fields;
use super::run::Wanted;

/// The most aggregations of one request.
pub const MAX_AGGREGATIONS: usize = 5;
/// The longest alias, in bytes.
const MAX_ALIAS_BYTES: usize = 1_500;

/// Checks a request's aggregations.
fn check(aggregations: &[(String, Aggregation)]) -> Result<()> {
    if aggregations.is_empty() {
        return Err(Error::invalid("NoAggregation", "Aggregations can not be empty."));
    }
    if aggregations.len() > MAX_AGGREGATIONS {
        return Err(Error::invalid(
            "TooManyAggregations",
            format!(
                "The maximum number of aggregations allowed in an aggregation query is {MAX_AGGREGATIONS}. Received: {}",
                aggregations.len()
            ),
        ));
    }
    for (index, (alias, _)) in aggregations.iter().enumerate() {
        if is_reserved(alias) {
            return Err(Error::invalid(
                "AliasReserved",
                format!(
                    "Aggregation alias \"{alias}\" is reserved: it begins and ends with two underscores."
                ),
            ));
        }
        if alias.len() > MAX_ALIAS_BYTES {
            return Err(Error::invalid(
                "AliasTooLong",
                format!("An aggregation alias must not be longer than {MAX_ALIAS_BYTES} bytes."),
            ));
        }
        if aggregations[..index].iter().any(|(other, _)| other == alias) {
            return Err(Error::invalid(
                "AliasTwice",
                format!("Aggregation aliases contain duplicate alias: {alias}."),
            ));
        }
    }
    Ok(())
}

/// The query that finds what the aggregations need, and what they need of its results.
///
/// # Errors
/// `InvalidArgument` for what one request cannot aggregate.
pub(crate) fn needed(query: &Query, aggregations: &[(String, Aggregation)]) -> Result<(Query, Wanted)> {
    check(aggregations)?;
    let counted = count_only(aggregations);
    let mut widened = widened(query, aggregations, counted.flatten())?;
    let wanted = match counted {
        Some(_) => Wanted::Count,
        // Neighbours are told by a field of their own.
        None if query.find_nearest.is_some() => Wanted::Documents,
        None => {
            widened.select =
                Some(aggregations.iter().filter_map(|(_, one)| field_of(one)).cloned().collect());
            Wanted::Selected
        }
    };
    Ok((widened, wanted))
}

/// The field that is summed up.
fn field_of(aggregation: &Aggregation) -> Option<&FieldPath> {
    match aggregation {
        Aggregation::Count { .. } => None,
        Aggregation::Sum(field) | Aggregation::Avg(field) => Some(field),
    }
}

/// Whether only the number of results matters, so that documents need not be decoded; and how many matter.
fn count_only(aggregations: &[(String, Aggregation)]) -> Option<Option<u64>> {
    let mut most = Some(0);
    for (_, aggregation) in aggregations {
        let Aggregation::Count { up_to } = aggregation else { return None };
        most = match (most, up_to) {
            (Some(most), Some(up_to)) => Some(u64::max(most, *up_to)),
            _ => None,
        };
    }
    Some(most)
}

/// The query that finds what the aggregations need. Sums and averages are over documents that have their fields, as
/// an order by these fields would find them, and where the query cuts its results off it does so in that order.
///
/// # Errors
/// `InvalidArgument` when the order that the query has leaves no place for such an order.
fn widened(query: &Query, aggregations: &[(String, Aggregation)], limit: Option<u64>) -> Result<Query> {
    let mut query = query.clone();
    query.select = None;
    let mut orders = query.order_by.clone();
    let named = orders.iter().any(|order| order.field.is_document_name())
        || query.filter.as_ref().is_some_and(mentions_name);
    orders.retain(|order| !order.field.is_document_name());
    let direction = orders.last().map_or(Direction::Ascending, |order| order.direction);
    let unequal = query.filter.as_ref().map(unequal_fields).unwrap_or_default();
    let mut summed: Vec<FieldPath> = aggregations
        .iter()
        .filter_map(|(_, aggregation)| match aggregation {
            Aggregation::Count { .. } => None,
            Aggregation::Sum(field) | Aggregation::Avg(field) => Some(field.clone()),
        })
        .collect();
    summed.sort();
    let mut added = Vec::new();
    for (field, is_summed) in
        unequal.into_iter().map(|field| (field, false)).chain(summed.into_iter().map(|field| (field, true)))
    {
        if !field.is_document_name() && !orders.iter().any(|order| order.field == field) {
            if is_summed {
                added.push(field.to_string());
            }
            orders.push(Order { field, direction });
        }
    }
    if named && !added.is_empty() {
        return Err(Error::invalid(
            "AggregationAfterName",
            format!(
                "This query requires an index that has fields [{}] after __name__ and Firestore does not currently support such an index. Please try the query again with additional ordering on those fields.",
                added.join(", ")
            ),
        ));
    }
    if !added.is_empty() && (query.limit.is_some() || query.offset > 0) {
        query.order_by = orders;
    }
    if let Some(limit) = limit {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        query.limit = Some(query.limit.map_or(limit, |own| own.min(limit)));
    }
    Ok(query)
}

fn mentions_name(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().any(mentions_name),
        Filter::Field(FieldFilter { field, .. }) | Filter::Unary(field, _) => field.is_document_name(),
    }
}

/// Aggregations under way, over the documents that have every field any of them names, as Firestore does: asked
/// together, aggregations may answer otherwise than one by one.
#[derive(Debug)]
pub(crate) struct Totals<'a> {
    aggregations: &'a [(String, Aggregation)],
    /// How many documents have all fields.
    count: u64,
    totals: Vec<Total>,
}

/// A sum under way. Integers stay exact until they no longer fit; doubles are added apart.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    whole: i128,
    real: f64,
    reals: bool,
    numbers: u64,
}

impl<'a> Totals<'a> {
    /// Nothing yet.
    pub(crate) fn new(aggregations: &'a [(String, Aggregation)]) -> Self {
        Self { aggregations, count: 0, totals: vec![Total::default(); aggregations.len()] }
    }

    /// Adds a document.
    pub(crate) fn add(&mut self, document: &Document) {
        let value = |one: &Aggregation| field_of(one).map(|field| field.get(&document.fields));
        if self.aggregations.iter().any(|(_, one)| value(one).is_some_and(|value| value.is_none())) {
            return;
        }
        self.count += 1;
        for (total, (_, one)) in self.totals.iter_mut().zip(self.aggregations) {
            match value(one).flatten() {
                Some(Value::Integer(int)) => total.whole += i128::from(*int),
                Some(Value::Double(double)) => {
                    total.real += double;
                    total.reals = true;
                }
                _ => continue,
            }
            total.numbers += 1;
        }
    }

    /// The values, under their aliases.
    pub(crate) fn values(&self) -> Vec<(String, Value)> {
        let value = |total: &Total, one: &Aggregation| match one {
            Aggregation::Count { .. } => count(one, self.count),
            Aggregation::Sum(_) => total.sum(),
            Aggregation::Avg(_) => total.average(),
        };
        let all = self.totals.iter().zip(self.aggregations);
        all.map(|(total, (alias, one))| (alias.clone(), value(total, one))).collect()
    }
}

impl Total {
    fn sum(&self) -> Value {
        match i64::try_from(self.whole) {
            Ok(sum) if !self.reals => Value::Integer(sum),
            _ => Value::Double(self.all()),
        }
    }

    fn average(&self) -> Value {
        if self.numbers == 0 {
            return Value::Null;
        }
        #[expect(clippy::cast_precision_loss, reason = "an average is a double")]
        let average = self.all() / self.numbers as f64;
        Value::Double(average)
    }

    #[expect(clippy::cast_precision_loss, reason = "sums beyond 64 bits and averages are doubles")]
    fn all(&self) -> f64 {
        self.whole as f64 + self.real
    }
}

/// The value of a count.
pub(crate) fn count(aggregation: &Aggregation, results: u64) -> Value {
    let up_to = match aggregation {
        Aggregation::Count { up_to: Some(up_to) } => *up_to,
        _ => u64::MAX,
    };
    Value::Integer(i64::try_from(results.min(up_to)).unwrap_or(i64::MAX))
}
