//! The database's values and queries, as security rules see them.

use std::sync::Arc;

use rules::{Comparison, Filter as RulesFilter, LatLng, Map, Path, QueryInfo, Scope, Value as RulesValue};
use serde_json::Value as Json;

use crate::access::Caller;
use crate::model::{
    DatabaseId, Direction, DocPath, FieldFilter, FieldOp, FieldPath, Fields, Filter, Query, Ts, UnaryOp,
    Value,
};

/// Claims of a token deeper than this are `null` in rules.
const MAX_CLAIM_DEPTH: usize = 32;

/// `databases/{database}/documents/…`
pub(super) fn full_path<'a>(database: &DatabaseId, segments: impl Iterator<Item = &'a str>) -> Vec<Arc<str>> {
    let root = [Arc::from("databases"), Arc::clone(&database.database), Arc::from("documents")];
    root.into_iter().chain(segments.map(Arc::from)).collect()
}

/// A document's fields.
pub(super) fn fields(fields: &Fields) -> Map {
    fields.iter().map(|(name, field)| (name.as_str(), value(field))).collect()
}

fn value(value_: &Value) -> RulesValue {
    match value_ {
        Value::Null => RulesValue::Null,
        Value::Boolean(value) => RulesValue::Bool(*value),
        Value::Integer(value) => RulesValue::Int(*value),
        Value::Double(value) => RulesValue::Float(*value),
        Value::Timestamp(time) => {
            rules::Timestamp::from_micros(time.0).map_or(RulesValue::Null, RulesValue::Timestamp)
        }
        Value::String(text) => RulesValue::string(text.as_str()),
        Value::Bytes(bytes) => RulesValue::Bytes(bytes.as_ref().into()),
        Value::Reference(reference) => {
            let segments = full_path(&reference.database, reference.path.segments());
            RulesValue::Path(Path::from_segments(segments))
        }
        Value::GeoPoint(point) => {
            RulesValue::LatLng(LatLng { latitude: point.latitude, longitude: point.longitude })
        }
        Value::Array(items) => RulesValue::list(items.iter().map(value)),
        Value::Map(entries) => RulesValue::Map(fields(entries)),
        Value::Vector(numbers) => RulesValue::Vector(numbers.as_slice().into()),
    }
}

/// `request.auth`
pub(super) fn auth(caller: &Caller) -> Option<rules::Auth> {
    let Caller::User(auth) = caller else { return None };
    let token = match claim(&auth.token, MAX_CLAIM_DEPTH) {
        RulesValue::Map(token) => token,
        _ => Map::default(),
    };
    Some(rules::Auth { uid: auth.uid.as_str().into(), token })
}

fn claim(json: &Json, depth: usize) -> RulesValue {
    if depth == 0 {
        return RulesValue::Null;
    }
    match json {
        Json::Null => RulesValue::Null,
        Json::Bool(value) => RulesValue::Bool(*value),
        Json::Number(number) => number
            .as_i64()
            .map_or_else(|| RulesValue::Float(number.as_f64().unwrap_or(f64::NAN)), RulesValue::Int),
        Json::String(text) => RulesValue::string(text.as_str()),
        Json::Array(items) => RulesValue::list(items.iter().map(|item| claim(item, depth - 1))),
        Json::Object(entries) => {
            RulesValue::map(entries.iter().map(|(key, item)| (key.as_str(), claim(item, depth - 1))))
        }
    }
}

/// `request.time`
pub(super) fn time(now: Ts) -> Option<rules::Timestamp> {
    rules::Timestamp::from_micros(i64::try_from(now.whole_millis().micros()).ok()?)
}

/// `request.query`
pub(super) fn query_info(query: &Query) -> QueryInfo {
    let order = |order: &crate::model::Order| {
        let way = match order.direction {
            Direction::Ascending => "ASC",
            Direction::Descending => "DESC",
        };
        (order.field.to_string().into(), way.into())
    };
    QueryInfo {
        limit: query.limit.map(i64::from),
        offset: query.offset.into(),
        order_by: query.order_by.iter().map(order).collect(),
    }
}

/// The path and scope of a query's documents.
pub(super) fn query_target(database: &DatabaseId, query: &Query) -> (Vec<Arc<str>>, Scope) {
    let parent = query.parent.as_ref().map(DocPath::segments);
    let mut path = full_path(database, parent.into_iter().flatten());
    let Some(collection) = &query.from.collection else { return (path, Scope::Everything) };
    path.push(collection.as_str().into());
    let scope = if query.from.all_descendants { Scope::CollectionGroup } else { Scope::Collection };
    (path, scope)
}

/// A query's filter for the rules. Parts that rules cannot use are left out, which claims less.
pub(super) fn filter(filter_: Option<&Filter>) -> RulesFilter {
    match filter_ {
        None => RulesFilter::All(Vec::new()),
        Some(Filter::And(filters)) => RulesFilter::All(filters.iter().map(|f| filter(Some(f))).collect()),
        Some(Filter::Or(filters)) => RulesFilter::Any(filters.iter().map(|f| filter(Some(f))).collect()),
        Some(Filter::Field(FieldFilter { field, op, value: operand })) => {
            let comparison = match op {
                FieldOp::Equal => Comparison::Equal,
                FieldOp::NotEqual => Comparison::NotEqual,
                FieldOp::Less => Comparison::Less,
                FieldOp::LessOrEqual => Comparison::LessOrEqual,
                FieldOp::Greater => Comparison::Greater,
                FieldOp::GreaterOrEqual => Comparison::GreaterOrEqual,
                FieldOp::ArrayContains => Comparison::Contains,
                FieldOp::In => Comparison::In,
                FieldOp::ArrayContainsAny => Comparison::ContainsAny,
                FieldOp::NotIn => Comparison::NotIn,
            };
            compare(field, comparison, value(operand))
        }
        Some(Filter::Unary(field, UnaryOp::IsNull)) => compare(field, Comparison::Equal, RulesValue::Null),
        Some(Filter::Unary(field, UnaryOp::IsNotNull)) => {
            compare(field, Comparison::NotEqual, RulesValue::Null)
        }
        Some(Filter::Unary(_, UnaryOp::IsNan | UnaryOp::IsNotNan)) => RulesFilter::All(Vec::new()),
    }
}

fn compare(field: &FieldPath, comparison: Comparison, value: RulesValue) -> RulesFilter {
    let field = if field.is_document_name() {
        vec!["__name__".into()]
    } else {
        field.segments().iter().map(|segment| segment.as_str().into()).collect()
    };
    RulesFilter::Field { field, comparison, value }
}
