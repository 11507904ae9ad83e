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

/// The query whose results the aggregations need, and the part of the results they need.
///
/// # Errors
/// `InvalidArgument` for aggregations that one request cannot combine.
pub(crate) fn needed(query: &Query, aggregations: &[(String, Aggregation)]) -> Result<(Query, Wanted)> {
    check(aggregations)?;
    let counted = count_only(aggregations);
    let mut widened = widened(query, aggregations, counted.flatten())?;
    let wanted = match counted {
        Some(_) => Wanted::Count,
        // Nearest-vector results may carry their distance in an extra field.
        None if query.find_nearest.is_some() => Wanted::Documents,
        None => {
            widened.select =
                Some(aggregations.iter().filter_map(|(_, one)| field_of(one)).cloned().collect());
            Wanted::Selected
        }
    };
    Ok((widened, wanted))
}

/// Field that is summed or averaged.
fn field_of(aggregation: &Aggregation) -> Option<&FieldPath> {
    match aggregation {
        Aggregation::Count { .. } => None,
        Aggregation::Sum(field) | Aggregation::Avg(field) => Some(field),
    }
}

/// For counts alone, where documents need not be decoded: the number of results that matters.
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

/// The query for the aggregations. Sums and averages cover the documents that have their fields, as an order by these
/// fields would, and limits cut the results in that order.
///
/// # Errors
/// `InvalidArgument` when the query's own order is incompatible with that order.
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

/// Aggregations in progress, over the documents that have every field that any of them names. So combined aggregations
/// may differ from single ones, as in Firestore.
#[derive(Debug)]
pub(crate) struct Totals<'a> {
    aggregations: &'a [(String, Aggregation)],
    /// Documents that have all fields.
    count: u64,
    totals: Vec<Total>,
}

/// A sum in progress. Integers stay exact until they overflow; doubles are added separately.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    whole: i128,
    real: f64,
    reals: bool,
    numbers: u64,
}

impl<'a> Totals<'a> {
    /// Aggregations over no documents yet.
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

    /// Values by alias.
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

/// Value of a count.
pub(crate) fn count(aggregation: &Aggregation, results: u64) -> Value {
    let up_to = match aggregation {
        Aggregation::Count { up_to: Some(up_to) } => *up_to,
        _ => u64::MAX,
    };
    Value::Integer(i64::try_from(results.min(up_to)).unwrap_or(i64::MAX))
}
