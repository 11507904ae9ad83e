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
    let wanted = if counted.is_some() { Wanted::Count } else { Wanted::Documents };
    Ok((widened(query, aggregations, counted.flatten())?, wanted))
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

/// Computes aggregations over the documents that have every field any of them names, as Firestore does: asked
/// together, aggregations may answer otherwise than one by one.
pub(crate) fn aggregate(
    aggregations: &[(String, Aggregation)],
    documents: &[Document],
) -> Vec<(String, Value)> {
    let has_all = |document: &&Document| {
        aggregations.iter().all(|(_, aggregation)| match aggregation {
            Aggregation::Count { .. } => true,
            Aggregation::Sum(field) | Aggregation::Avg(field) => field.get(&document.fields).is_some(),
        })
    };
    let documents: Vec<&Document> = documents.iter().filter(has_all).collect();
    let documents = documents.as_slice();
    aggregations.iter().map(|(alias, aggregation)| (alias.clone(), one(aggregation, documents))).collect()
}

/// The value of a count.
pub(crate) fn count(aggregation: &Aggregation, results: u64) -> Value {
    let up_to = match aggregation {
        Aggregation::Count { up_to: Some(up_to) } => *up_to,
        _ => u64::MAX,
    };
    Value::Integer(i64::try_from(results.min(up_to)).unwrap_or(i64::MAX))
}

fn one(aggregation: &Aggregation, documents: &[&Document]) -> Value {
    let field = match aggregation {
        Aggregation::Count { .. } => return count(aggregation, documents.len() as u64),
        Aggregation::Sum(field) | Aggregation::Avg(field) => field,
    };
    // Integers stay exact until they no longer fit; doubles are added apart.
    let (mut whole, mut real, mut reals, mut numbers) = (0i128, 0.0f64, false, 0u64);
    for document in documents {
        match field.get(&document.fields) {
            Some(Value::Integer(int)) => whole += i128::from(*int),
            Some(Value::Double(double)) => {
                real += double;
                reals = true;
            }
            _ => continue,
        }
        numbers += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "sums beyond 64 bits and averages are doubles")]
    let total = whole as f64 + real;
    match aggregation {
        Aggregation::Avg(_) if numbers == 0 => Value::Null,
        #[expect(clippy::cast_precision_loss, reason = "an average is a double")]
        Aggregation::Avg(_) => Value::Double(total / numbers as f64),
        _ => match i64::try_from(whole) {
            Ok(sum) if !reals => Value::Integer(sum),
            _ => Value::Double(total),
        },
    }
}
