//! Queries and aggregates.

use super::value::{to_value, to_values};
use crate::pb::v1;
use crate::pb::v1::structured_aggregation_query::aggregation::Operator as AggregationOperator;
use crate::pb::v1::structured_query as message;
use crate::pb::v1::structured_query::composite_filter::Operator as CompositeOperator;
use crate::pb::v1::structured_query::field_filter::Operator as FieldOperator;
use crate::pb::v1::structured_query::filter::FilterType;
use crate::pb::v1::structured_query::find_nearest::DistanceMeasure as Measure;
use crate::pb::v1::structured_query::unary_filter::{OperandType, Operator as UnaryOperator};
use docstore::error::{Error, Result};
use docstore::model::{
    Aggregation, Cursor, DatabaseId, Direction, DistanceMeasure, DocPath, FieldFilter, FieldOp, FieldPath,
    Filter, FindNearest, Order, Query, Source, UnaryOp, Value,
};

/// Deepest nesting of filters.
const MAX_FILTER_DEPTH: usize = 20;

/// The most neighbours a vector search returns.
const MAX_NEIGHBOURS: u32 = 1_000;

/// Reads a query below `parent`.
pub(crate) fn to_query(
    database: &DatabaseId,
    parent: Option<DocPath>,
    query: v1::StructuredQuery,
) -> Result<Query> {
    let from = to_source(query.from)?;
    let select = match query.select {
        // A projection without fields is the SDKs' way to ask for everything.
        Some(projection) if !projection.fields.is_empty() => {
            let fields: Vec<_> = projection.fields.iter().map(field).collect::<Result<_>>()?;
            Some(fields.into_iter().filter(|field| !field.is_document_name()).collect())
        }
        Some(_) | None => None,
    };
    let query = Query {
        parent,
        from,
        select,
        filter: query.r#where.map(|filter| to_filter(filter, 1)).transpose()?,
        order_by: query.order_by.iter().map(to_order).collect::<Result<_>>()?,
        start: query.start_at.map(to_cursor).transpose()?,
        end: query.end_at.map(to_cursor).transpose()?,
        offset: u32::try_from(query.offset).map_err(|_| Error::invalid("Offset", "offset is negative"))?,
        limit: query
            .limit
            .map(|limit| u32::try_from(limit).map_err(|_| Error::invalid("Limit", "limit is negative")))
            .transpose()?,
        limit_bytes: None,
        find_nearest: query.find_nearest.map(to_find_nearest).transpose()?,
    };
    check_names(database, &query)?;
    check_cursors(&query)?;
    check_group(&query)?;
    Ok(query)
}

/// A cursor names no more values than there are explicit orders.
fn check_cursors(query: &Query) -> Result<()> {
    let mut cursors = [&query.start, &query.end].into_iter().flatten();
    if cursors.any(|cursor| cursor.values.len() > query.order_by.len()) {
        let message = "Cursor has too many values: give one at most for each field of order_by.";
        return Err(Error::invalid("CursorTooLong", message));
    }
    Ok(())
}

/// A collection group below a document is read in the order of names and unfiltered, or not at all: the service has no
/// index for anything else.
fn check_group(query: &Query) -> Result<()> {
    fn by_name(filter: &Filter) -> bool {
        match filter {
            Filter::And(parts) | Filter::Or(parts) => parts.iter().all(by_name),
            Filter::Field(FieldFilter { field, .. }) | Filter::Unary(field, _) => field.is_document_name(),
        }
    }
    let plain = query.order_by.iter().all(|order| order.field.is_document_name())
        && query.filter.as_ref().is_none_or(by_name);
    if plain || !is_group_below_document(query) { Ok(()) } else { Err(group_below_document()) }
}

fn is_group_below_document(query: &Query) -> bool {
    query.parent.is_some() && query.from.all_descendants
}

fn group_below_document() -> Error {
    Error::invalid(
        "GroupBelowDocument",
        "collection group queries are only allowed at the root parent, unless they filter and order by __name__ alone, and sum or average nothing.",
    )
}

/// Checks aggregates together with what they are over: what sums and averages need is an order by their fields.
pub(crate) fn check_aggregated(query: &Query, aggregations: &[(String, Aggregation)]) -> Result<()> {
    let counted = aggregations.iter().all(|(_, one)| matches!(one, Aggregation::Count { .. }));
    if counted || !is_group_below_document(query) { Ok(()) } else { Err(group_below_document()) }
}

/// Names to compare documents with must be names in the queried database.
fn check_names(database: &DatabaseId, query: &Query) -> Result<()> {
    let check = |value: &Value| match value {
        Value::Reference(reference) if reference.database != *database => Err(Error::invalid(
            "DatabaseMismatch",
            format!(
                "The request was for database '{database}' but was attempting to access database '{}'",
                reference.database
            ),
        )),
        _ => Ok(()),
    };
    fn filters(filter: &Filter, check: &dyn Fn(&Value) -> Result<()>) -> Result<()> {
        match filter {
            Filter::And(parts) | Filter::Or(parts) => parts.iter().try_for_each(|part| filters(part, check)),
            Filter::Field(FieldFilter { field, value, .. }) if field.is_document_name() => match value {
                Value::Array(values) => values.iter().try_for_each(check),
                value => check(value),
            },
            Filter::Field(_) | Filter::Unary(..) => Ok(()),
        }
    }
    query.filter.as_ref().map_or(Ok(()), |filter| filters(filter, &check))?;
    let Some(name) = query.order_by.iter().position(|order| order.field.is_document_name()) else {
        return Ok(());
    };
    let cursors = [&query.start, &query.end];
    cursors.into_iter().flatten().filter_map(|cursor| cursor.values.get(name)).try_for_each(check)
}

fn to_source(mut from: Vec<message::CollectionSelector>) -> Result<Source> {
    if from.len() > 1 {
        return Err(Error::invalid(
            "QueryFrom",
            "StructuredQuery.from cannot have more than one collection selector.",
        ));
    }
    // Without a selector the query is over all documents below the parent.
    let Some(selector) = from.pop() else { return Ok(Source { collection: None, all_descendants: true }) };
    let collection = (!selector.collection_id.is_empty()).then_some(selector.collection_id);
    if let Some(id) = &collection {
        docstore::model::CollectionPath::parse(id)?;
        super::single_id("Collection", id)?;
    }
    Ok(Source { collection, all_descendants: selector.all_descendants })
}

fn field(reference: &message::FieldReference) -> Result<FieldPath> {
    FieldPath::parse(&reference.field_path)
}

fn required_field(reference: Option<&message::FieldReference>) -> Result<FieldPath> {
    field(reference.ok_or_else(|| Error::invalid("QueryField", "A filter or order names no field."))?)
}

fn to_filter(filter: message::Filter, depth: usize) -> Result<Filter> {
    if depth > MAX_FILTER_DEPTH {
        return Err(Error::invalid(
            "FilterDepth",
            format!("Filters are nested deeper than {MAX_FILTER_DEPTH} levels."),
        ));
    }
    match filter.filter_type {
        None => Err(Error::invalid("FilterType", "Unknown Filter type.")),
        Some(FilterType::CompositeFilter(composite)) => {
            let op = CompositeOperator::try_from(composite.op);
            let filters = composite.filters.into_iter().map(|filter| to_filter(filter, depth + 1));
            let filters: Vec<_> = filters.collect::<Result<_>>()?;
            match op {
                Ok(CompositeOperator::And) => Ok(Filter::And(filters)),
                Ok(CompositeOperator::Or) => Ok(Filter::Or(filters)),
                Ok(CompositeOperator::Unspecified) | Err(_) => {
                    Err(Error::invalid("FilterOperator", "Unknown CompositeFilter operator."))
                }
            }
        }
        Some(FilterType::FieldFilter(filter)) => to_field_filter(filter),
        Some(FilterType::UnaryFilter(filter)) => to_unary(&filter),
    }
}

fn to_field_filter(filter: message::FieldFilter) -> Result<Filter> {
    let path = required_field(filter.field.as_ref())?;
    let op = match FieldOperator::try_from(filter.op) {
        Ok(FieldOperator::LessThan) => FieldOp::Less,
        Ok(FieldOperator::LessThanOrEqual) => FieldOp::LessOrEqual,
        Ok(FieldOperator::GreaterThan) => FieldOp::Greater,
        Ok(FieldOperator::GreaterThanOrEqual) => FieldOp::GreaterOrEqual,
        Ok(FieldOperator::Equal) => FieldOp::Equal,
        Ok(FieldOperator::NotEqual) => FieldOp::NotEqual,
        Ok(FieldOperator::ArrayContains) => FieldOp::ArrayContains,
        Ok(FieldOperator::In) => FieldOp::In,
        Ok(FieldOperator::ArrayContainsAny) => FieldOp::ArrayContainsAny,
        Ok(FieldOperator::NotIn) => FieldOp::NotIn,
        Ok(FieldOperator::Unspecified) | Err(_) => {
            return Err(Error::invalid("FilterOperator", "Unknown FieldFilter operator."));
        }
    };
    let value = to_value(filter.value.unwrap_or_default())?;
    Ok(Filter::Field(FieldFilter { field: path, op, value }))
}

fn to_unary(filter: &message::UnaryFilter) -> Result<Filter> {
    let OperandType::Field(reference) = filter
        .operand_type
        .as_ref()
        .ok_or_else(|| Error::invalid("QueryField", "A unary filter names no field."))?;
    let op = match UnaryOperator::try_from(filter.op) {
        Ok(UnaryOperator::IsNan) => UnaryOp::IsNan,
        Ok(UnaryOperator::IsNull) => UnaryOp::IsNull,
        Ok(UnaryOperator::IsNotNan) => UnaryOp::IsNotNan,
        Ok(UnaryOperator::IsNotNull) => UnaryOp::IsNotNull,
        Ok(UnaryOperator::Unspecified) | Err(_) => {
            return Err(Error::invalid("FilterOperator", "Unknown UnaryFilter operator."));
        }
    };
    Ok(Filter::Unary(field(reference)?, op))
}

fn to_order(order: &message::Order) -> Result<Order> {
    let direction = match message::Direction::try_from(order.direction) {
        Ok(message::Direction::Ascending | message::Direction::Unspecified) => Direction::Ascending,
        Ok(message::Direction::Descending) => Direction::Descending,
        Err(_) => return Err(Error::invalid("OrderDirection", "Unknown order direction.")),
    };
    Ok(Order { field: required_field(order.field.as_ref())?, direction })
}

fn to_cursor(cursor: v1::Cursor) -> Result<Cursor> {
    Ok(Cursor { values: to_values(cursor.values)?, before: cursor.before })
}

fn to_find_nearest(search: message::FindNearest) -> Result<FindNearest> {
    let bad = |message: String| Error::invalid("FindNearest", message);
    let measure = match Measure::try_from(search.distance_measure) {
        Ok(Measure::Euclidean) => DistanceMeasure::Euclidean,
        Ok(Measure::Cosine) => DistanceMeasure::Cosine,
        Ok(Measure::DotProduct) => DistanceMeasure::DotProduct,
        Ok(Measure::Unspecified) | Err(_) => return Err(bad("FindNearest needs a distance measure.".into())),
    };
    let Value::Vector(query) = to_value(search.query_vector.unwrap_or_default())? else {
        return Err(bad("FindNearest.query_vector must be a vector.".into()));
    };
    let limit = search.limit.and_then(|limit| u32::try_from(limit).ok()).unwrap_or(0);
    if !(1..=MAX_NEIGHBOURS).contains(&limit) {
        return Err(bad(format!(
            "FindNearest.limit must be a positive integer of no more than {MAX_NEIGHBOURS}."
        )));
    }
    let distance_field = match search.distance_result_field.as_str() {
        "" => None,
        path => Some(FieldPath::parse(path)?),
    };
    Ok(FindNearest {
        field: required_field(search.vector_field.as_ref())?,
        query,
        measure,
        limit,
        distance_field,
        threshold: search.distance_threshold,
    })
}

/// Reads aggregates over `query`, by alias. One without an alias is called `field_N`, N counting those without one from 1.
pub(crate) fn to_aggregations(
    messages: &[v1::structured_aggregation_query::Aggregation],
    query: &v1::StructuredQuery,
) -> Result<Vec<(String, Aggregation)>> {
    let mut unnamed = 0;
    let named = messages.iter().map(|message| {
        let alias = match message.alias.as_str() {
            "" => {
                unnamed += 1;
                format!("field_{unnamed}")
            }
            alias => alias.to_owned(),
        };
        Ok((alias, to_aggregation(message)?))
    });
    let named: Vec<_> = named.collect::<Result<_>>()?;
    for (_, aggregation) in &named {
        let (Aggregation::Sum(field) | Aggregation::Avg(field)) = aggregation else { continue };
        if field.is_document_name() {
            let message = "Aggregations are not supported for the property: __name__";
            return Err(Error::invalid("AggregationField", message));
        }
        if query.select.is_some() {
            let message = "Cannot apply property masks when aggregation fields are present.";
            return Err(Error::invalid("AggregationSelect", message));
        }
    }
    Ok(named)
}

fn to_aggregation(message: &v1::structured_aggregation_query::Aggregation) -> Result<Aggregation> {
    match &message.operator {
        None => Err(Error::invalid("AggregationOperator", "Operator field in Aggregation is not set.")),
        Some(AggregationOperator::Count(count)) => {
            let up_to = count.up_to.map(|up_to| {
                u64::try_from(up_to).map_err(|_| {
                    let message =
                        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.";
                    Error::invalid("AggregationUpTo", message)
                })
            });
            Ok(Aggregation::Count { up_to: up_to.transpose()? })
        }
        Some(AggregationOperator::Sum(sum)) => Ok(Aggregation::Sum(required_field(sum.field.as_ref())?)),
        Some(AggregationOperator::Avg(avg)) => Ok(Aggregation::Avg(required_field(avg.field.as_ref())?)),
    }
}
