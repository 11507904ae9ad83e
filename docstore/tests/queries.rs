//! The properties of queries: every plan finds what a naive filter and sort finds, and reads no more than it must.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_in_result,
    reason = "a test"
)]

#[path = "queries/cost.rs"]
mod cost;
#[path = "queries/nearest.rs"]
mod nearest;
#[path = "queries/pages.rs"]
mod pages;
#[cfg(feature = "testing")]
#[path = "queries/shared.rs"]
mod shared;
#[path = "behaviour/support.rs"]
mod support;
#[path = "queries/tree.rs"]
mod tree;

use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::database::Database;
use docstore::model::*;
use docstore::store::MissingIndexes;
use docstore::*;
use proptest::prelude::*;
use support::*;

fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        4 => (0i64..4).prop_map(Value::Integer),
        1 => Just(Value::Null),
        1 => Just(Value::Double(f64::NAN)),
        1 => Just(Value::Double(1.5)),
        1 => "[ab]".prop_map(Value::String),
        2 => proptest::collection::vec((0i64..3).prop_map(Value::Integer), 0..3).prop_map(Value::Array),
        1 => proptest::collection::btree_map("[xy]", (0i64..2).prop_map(Value::Integer), 0..2).prop_map(Value::Map),
    ]
    .boxed()
}

fn document() -> BoxedStrategy<(String, Fields)> {
    let path = prop_oneof![
        6 => "[a-h]{1,2}".prop_map(|id| format!("c/{id}")),
        2 => "[a-c]/c/[a-c]".prop_map(|rest| format!("d/{rest}")),
        1 => "[ab]/c/[ab]/c/[ab]".prop_map(|rest| format!("d/{rest}")),
        1 => (0i64..5).prop_map(|n| format!("c/__id{n}__")),
    ];
    (path, proptest::collection::btree_map("[abm]", value(), 0..4)).boxed()
}

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("a"), 4 => Just("b"), 1 => Just("m.x")]
}

fn simple() -> BoxedStrategy<Filter> {
    use FieldOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    let list = || proptest::collection::vec(value(), 1..3).prop_map(Value::Array);
    prop_oneof![
        6 => (name(), value()).prop_map(|(name, value)| filter(name, Equal, value)),
        4 => (name(), prop_oneof![Just(Less), Just(LessOrEqual), Just(Greater), Just(GreaterOrEqual)], value())
            .prop_map(|(name, op, value)| filter(name, op, value)),
        2 => (name(), prop_oneof![3 => (0i64..3).prop_map(Value::Integer), 1 => Just(Value::Null)])
            .prop_map(|(name, v)| filter(name, FieldOp::ArrayContains, v)),
        1 => (name(), list()).prop_map(|(name, v)| filter(name, FieldOp::In, v)),
        1 => (name(), list()).prop_map(|(name, v)| filter(name, FieldOp::ArrayContainsAny, v)),
        1 => (name(), prop_oneof![Just(UnaryOp::IsNull), Just(UnaryOp::IsNan)])
            .prop_map(|(name, op)| Filter::Unary(field(name), op)),
        1 => "[a-h]{1,2}".prop_map(|id| filter("__name__", Greater, Value::Reference(Reference {
            database: DatabaseId::default_of("p"), path: doc(&format!("c/{id}")),
        }))),
    ]
    .boxed()
}

fn any_filter() -> BoxedStrategy<Option<Filter>> {
    let negation = prop_oneof![
        (name(), value()).prop_map(|(name, v)| filter(name, FieldOp::NotEqual, v)),
        (name(), proptest::collection::vec(value(), 1..3)).prop_map(|(name, v)| filter(
            name,
            FieldOp::NotIn,
            Value::Array(v)
        )),
        name().prop_map(|name| Filter::Unary(field(name), UnaryOp::IsNotNan)),
    ];
    let parts = || proptest::collection::vec(simple(), 1..4);
    prop_oneof![
        1 => Just(None),
        3 => simple().prop_map(Some),
        4 => parts().prop_map(|parts| Some(Filter::And(parts))),
        2 => parts().prop_map(|parts| Some(Filter::Or(parts))),
        2 => (negation, simple()).prop_map(|(no, yes)| Some(Filter::And(vec![no, yes]))),
        1 => (simple(), parts()).prop_map(|(one, or)| Some(Filter::And(vec![one, Filter::Or(or)]))),
    ]
    .boxed()
}

fn query() -> BoxedStrategy<Query> {
    let direction = || prop_oneof![Just(Direction::Ascending), Just(Direction::Descending)];
    let orders = proptest::collection::btree_map(
        prop_oneof![Just("a"), Just("b"), Just("__name__")],
        direction(),
        0..3,
    )
    .prop_map(|orders| {
        let mut orders: Vec<Order> = orders.into_iter().map(|(name, way)| order(name, way)).collect();
        // The name, being unique, comes last.
        orders.sort_by_key(|order| order.field.is_document_name());
        orders
    });
    let cursor = || proptest::option::weighted(0.2, (value(), any::<bool>()));
    // One collection, all of its name, or those of its name below one document.
    let source = prop_oneof![
        5 => Just((None, false)),
        1 => Just((None, true)),
        1 => "d/[ab]".prop_map(|parent| (Some(parent), true)),
        1 => "d/[ab]/c/[ab]".prop_map(|parent| (Some(parent), true)),
    ];
    (any_filter(), orders, cursor(), cursor(), 0u32..3, proptest::option::of(0u32..5), source)
        .prop_map(|(filter, order_by, start, end, offset, limit, (parent, all_descendants))| {
            let fits = order_by.first().is_some_and(|order| !order.field.is_document_name());
            let cursor = |cursor: Option<(Value, bool)>| {
                cursor.filter(|_| fits).map(|(value, before)| Cursor { values: vec![value], before })
            };
            Query {
                parent: parent.as_deref().map(doc),
                from: Source { collection: Some("c".to_owned()), all_descendants },
                filter,
                start: cursor(start),
                end: cursor(end),
                order_by,
                offset,
                limit,
                ..all("c")
            }
        })
        .boxed()
}

/// The same query by looking at every document, comparing values and nothing else.
fn naive(documents: &[Document], query: &Query) -> Vec<String> {
    let mut orders = query.order_by.clone();
    let way = orders.last().map_or(Direction::Ascending, |order| order.direction);
    let mut fields = Vec::new();
    collect(query.filter.as_ref(), &mut fields);
    fields.sort();
    fields.dedup();
    if !orders.iter().any(|order| order.field.is_document_name()) {
        for field in fields {
            if !field.is_document_name() && !orders.iter().any(|order| order.field == field) {
                orders.push(Order { field, direction: way });
            }
        }
        orders.push(Order { field: FieldPath::document_name(), direction: way });
    }
    let get = |document: &Document, field: &FieldPath| -> Option<Value> {
        if field.is_document_name() {
            let database = DatabaseId::default_of("p");
            return Some(Value::Reference(Reference { database, path: document.path.clone() }));
        }
        field.get(&document.fields).cloned()
    };
    let compare =
        |way: Direction, a: &Value, b: &Value| if way == Direction::Descending { b.cmp(a) } else { a.cmp(b) };
    let against = |document: &Document, cursor: &Cursor| {
        orders
            .iter()
            .zip(&cursor.values)
            .map(|(order, value)| compare(order.direction, &get(document, &order.field).unwrap(), value))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    };
    let mut found: Vec<&Document> = documents
        .iter()
        .filter(|document| document.path.collection_id() == "c")
        .filter(|document| match &query.parent {
            Some(parent) => document.path.is_below(parent),
            None => query.from.all_descendants || document.path.parent().is_none(),
        })
        .filter(|document| orders.iter().all(|order| get(document, &order.field).is_some()))
        .filter(|document| query.filter.as_ref().is_none_or(|f| holds(f, &|field| get(document, field))))
        .filter(|document| {
            query.start.as_ref().is_none_or(|c| {
                let order = against(document, c);
                if c.before { order.is_ge() } else { order.is_gt() }
            })
        })
        .filter(|document| {
            query.end.as_ref().is_none_or(|c| {
                let order = against(document, c);
                if c.before { order.is_lt() } else { order.is_le() }
            })
        })
        .collect();
    found.sort_by(|a, b| {
        orders
            .iter()
            .map(|o| compare(o.direction, &get(a, &o.field).unwrap(), &get(b, &o.field).unwrap()))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let limit = query.limit.map_or(usize::MAX, |limit| limit as usize);
    found
        .into_iter()
        .skip(query.offset as usize)
        .take(limit)
        .map(|document| document.path.to_string())
        .collect()
}

fn collect(filter: Option<&Filter>, fields: &mut Vec<FieldPath>) {
    use FieldOp::{Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, NotIn};
    match filter {
        Some(Filter::And(parts) | Filter::Or(parts)) => {
            parts.iter().for_each(|part| collect(Some(part), fields));
        }
        Some(filter) if never(filter) => {}
        Some(Filter::Field(FieldFilter {
            field,
            op: Less | LessOrEqual | Greater | GreaterOrEqual | NotEqual | NotIn,
            ..
        })) => {
            fields.push(field.clone());
        }
        Some(Filter::Unary(field, UnaryOp::IsNotNan | UnaryOp::IsNotNull)) => fields.push(field.clone()),
        _ => {}
    }
}

fn is_unknown(value: &Value) -> bool {
    *value == Value::Null || *value == Value::Double(f64::NAN)
}

/// True if comparisons with null or NaN keep the filter from matching anything.
fn never(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) => parts.iter().any(never),
        Filter::Or(parts) => parts.iter().all(never),
        Filter::Unary(..) => false,
        Filter::Field(FieldFilter { op, value, .. }) => match (op, value) {
            (FieldOp::In | FieldOp::ArrayContainsAny, Value::Array(values)) => values.iter().all(is_unknown),
            (FieldOp::NotIn, Value::Array(values)) => values.contains(&Value::Null),
            (FieldOp::NotEqual, value) => *value == Value::Null,
            (_, value) => is_unknown(value),
        },
    }
}

fn holds(filter: &Filter, get: &dyn Fn(&FieldPath) -> Option<Value>) -> bool {
    match filter {
        Filter::And(parts) => parts.iter().all(|part| holds(part, get)),
        Filter::Or(parts) => parts.iter().any(|part| holds(part, get)),
        Filter::Unary(field, op) => get(field).is_some_and(|value| {
            let nan = value == Value::Double(f64::NAN);
            match op {
                UnaryOp::IsNan => nan,
                UnaryOp::IsNull => value == Value::Null,
                UnaryOp::IsNotNan => !nan && value != Value::Null,
                UnaryOp::IsNotNull => value != Value::Null,
            }
        }),
        Filter::Field(FieldFilter { field, op, value: given }) => get(field).is_some_and(|value| {
            // Nothing equals null or NaN, or is less or greater.
            let given = &match given {
                Value::Array(values)
                    if matches!(op, FieldOp::In | FieldOp::NotIn | FieldOp::ArrayContainsAny) =>
                {
                    Value::Array(
                        values.iter().filter(|v| **v == Value::Null || !is_unknown(v)).cloned().collect(),
                    )
                }
                given => given.clone(),
            };
            let same = value.type_rank() == given.type_rank() && ![&value, given].into_iter().any(is_unknown);
            let list = |value: &Value| {
                matches!(value, Value::Array(_)).then(|| match value {
                    Value::Array(values) => values.clone(),
                    _ => Vec::new(),
                })
            };
            match op {
                FieldOp::Equal => same && value == *given,
                FieldOp::NotEqual if is_unknown(given) => value != Value::Null && *given != Value::Null,
                FieldOp::NotEqual => value != Value::Null && value != *given,
                FieldOp::Less => same && value < *given,
                FieldOp::LessOrEqual => same && value <= *given,
                FieldOp::Greater => same && value > *given,
                FieldOp::GreaterOrEqual => same && value >= *given,
                FieldOp::In => !is_unknown(&value) && list(given).unwrap().contains(&value),
                FieldOp::NotIn => {
                    let given = list(given).unwrap();
                    value != Value::Null && !given.contains(&Value::Null) && !given.contains(&value)
                }
                FieldOp::ArrayContains => {
                    !is_unknown(given) && list(&value).is_some_and(|elements| elements.contains(given))
                }
                FieldOp::ArrayContainsAny => {
                    let given = list(given).unwrap();
                    list(&value).is_some_and(|elements| {
                        elements.iter().any(|element| !is_unknown(element) && given.contains(element))
                    })
                }
            }
        }),
    }
}

async fn check(db: &Database, documents: &[Document], query: &Query) -> Result<QueryResult, TestCaseError> {
    let result = db.run(query, None).await.map_err(|error| TestCaseError::reject(error.to_string()))?;
    let found: Vec<String> = result.documents.iter().map(|document| document.path.to_string()).collect();
    prop_assert_eq!(&found, &naive(documents, query), "{:?}", query);
    let count = [("n".to_owned(), Aggregation::Count { up_to: None })];
    let counted = db.aggregate(query, &count, None).await.unwrap().value;
    prop_assert_eq!(&counted[0].1, &int(found.len() as i64), "{:?}", query);
    Ok(result)
}

/// Compares the results of queries with a naive evaluation: from single-field entries, from the indexes that this taught
/// the store, and after a change.
async fn compare(
    store: &Store,
    documents: &[(String, Fields)],
    removed: &[prop::sample::Index],
    queries: &[Query],
) -> Result<(), TestCaseError> {
    let db = database(store);
    for (path, fields) in documents {
        db.commit(Draft::of(vec![set(path, fields.clone())])).await.unwrap();
    }
    for index in removed {
        if let Some((path, _)) = (!documents.is_empty()).then(|| index.get(documents)) {
            db.commit(Draft::of(vec![delete(path)])).await.unwrap();
        }
    }
    let mut kept = Vec::new();
    for (path, _) in documents {
        if let Some(document) = one(&db, path).await
            && !kept.iter().any(|other: &Document| other.path == document.path)
        {
            kept.push(document);
        }
    }
    // First from single-field entries, then from the indexes that this taught the store.
    for query in queries {
        check(&db, &kept, query).await?;
    }
    db.settle_indexes().await;
    for query in queries {
        check(&db, &kept, query).await?;
    }
    // Indexes follow changes made after they were built.
    if let Some((path, fields)) = documents.first() {
        let mut fields = fields.clone();
        fields.insert("b".to_owned(), int(1));
        db.commit(Draft::of(vec![set(path, fields)])).await.unwrap();
        let changed = one(&db, path).await.unwrap();
        kept.retain(|document| document.path != changed.path);
        kept.push(changed);
    }
    for query in queries {
        check(&db, &kept, query).await?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_global_rejects: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_finds_what_a_naive_one_finds(
        documents in proptest::collection::vec(document(), 0..40),
        removed in proptest::collection::vec(any::<proptest::sample::Index>(), 0..4),
        queries in proptest::collection::vec(query(), 1..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // Boxed, because the unoptimised test keeps every step of this on one stack.
        runtime.block_on(Box::pin(async {
            let store = Store::in_memory().await.unwrap();
            compare(&store, &documents, &removed, &queries).await
        }))?;
    }
}

/// The strict mode: what the cloud would refuse is refused with the index to add, and answered once that is declared.
#[tokio::test]
async fn a_query_without_its_index_is_refused_where_that_is_asked_for() {
    let limits = Limits { missing_indexes: MissingIndexes::Refuse, ..Limits::default() };
    let options = StoreOptions { engine: EngineOptions::Memory, clock: Arc::new(SystemClock), limits };
    let store = Store::open(options).await.unwrap();
    let db = database(&store);
    for n in 0..30 {
        let fields = fields([("owner", int(n % 3)), ("rank", int(n))]);
        db.commit(Draft::of(vec![set(&format!("c/{n}"), fields)])).await.unwrap();
    }
    let owned = || filter("owner", FieldOp::Equal, int(1));
    let simple = Query { filter: Some(owned()), ..all("c") };
    assert_eq!(db.run(&simple, None).await.unwrap().documents.len(), 10);
    let ordered =
        Query { filter: Some(owned()), order_by: vec![order("rank", Direction::Descending)], ..all("c") };
    let error = db.run(&ordered, None).await.unwrap_err();
    assert_eq!(error.tag(), "MissingIndex");
    // The definitions to add, from the error message.
    let to_add = |error: &Error, list: &str| {
        let (_, json) = error.message().split_once(&format!("Add it to \"{list}\": ")).unwrap();
        let json = json.strip_suffix(" in firestore.indexes.json.").unwrap();
        format!("{{\"{list}\": [{json}]}}")
    };
    db.declare_indexes(&to_add(&error, "indexes")).await.unwrap();
    db.settle_indexes().await;
    // A single field of a group is a matter of its overrides.
    let group = Source { collection: Some("c".to_owned()), all_descendants: true };
    let in_group = Query { from: group.clone(), filter: Some(owned()), ..all("c") };
    let error = db.run(&in_group, None).await.unwrap_err();
    assert_eq!((error.code(), error.tag()), (Code::FailedPrecondition, "MissingIndex"));
    db.declare_indexes(&to_add(&error, "fieldOverrides")).await.unwrap();
    db.settle_indexes().await;
    assert_eq!(db.run(&in_group, None).await.unwrap().documents.len(), 10);
    // A query below one document needs the index of the whole group, as in the cloud.
    for n in 0..6 {
        let fields = fields([("owner", int(n % 2)), ("rank", int(n))]);
        db.commit(Draft::of(vec![set(&format!("c/1/c/{n}"), fields)])).await.unwrap();
    }
    let below = Query { parent: Some(doc("c/1")), from: group, ..ordered.clone() };
    let error = db.run(&below, None).await.unwrap_err();
    let json = to_add(&error, "indexes");
    assert!(json.contains("COLLECTION_GROUP"), "{json}");
    db.declare_indexes(&json).await.unwrap();
    db.settle_indexes().await;
    assert_eq!(names(&db, &below).await, ["c/1/c/5", "c/1/c/3", "c/1/c/1"]);
    let wrong =
        r#"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"order": "UP"}]}]}"#;
    let error = db.declare_indexes(wrong).await.unwrap_err();
    assert!(error.message().contains("fieldOverrides[0], field \"a\""), "{error}");
    // A field without overrides of its own, and one that takes indexes away.
    let others = r#"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "*", "indexes": []},
        {"collectionGroup": "c", "fieldPath": "large", "indexes": []}]}"#;
    db.declare_indexes(others).await.unwrap();
    let found = db.run(&ordered, None).await.unwrap().documents;
    let ranks: Vec<&Value> = found.iter().map(|document| &document.fields["rank"]).collect();
    assert_eq!(ranks, (0..10).rev().map(|n| int(n * 3 + 1)).collect::<Vec<_>>().iter().collect::<Vec<_>>());
}

/// Indexes are built while documents come, change and go; then their entries are exactly what the documents say.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_is_built_while_commits_go_on() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let card = |n: i64, round: i64| {
        set(&format!("c/{n}"), fields([("a", int(n % 3)), ("b", int((n * 7 + round) % 101))]))
    };
    for chunk in (0..1_500).collect::<Vec<i64>>().chunks(500) {
        db.commit(Draft::of(chunk.iter().map(|n| card(*n, 0)).collect())).await.unwrap();
    }
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writer = tokio::spawn({
        let (db, stop) = (db.clone(), Arc::clone(&stop));
        async move {
            for round in 1.. {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
                let at = round * 37 % 1_500;
                let writes =
                    vec![card(at, round), delete(&format!("c/{}", at + 1)), card(1_500 + round, round)];
                db.commit(Draft::of(writes)).await.unwrap();
            }
        }
    });
    let query = |way| Query {
        filter: Some(filter("a", FieldOp::Equal, int(1))),
        order_by: vec![order("b", way)],
        ..all("c")
    };
    for way in [Direction::Ascending, Direction::Descending] {
        db.run(&query(way), None).await.unwrap();
    }
    db.settle_indexes().await;
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.await.unwrap();
    // One index serves both ways.
    assert_eq!(db.indexes().len(), 1);
    assert!(db.indexes()[0].ready.is_some());
    let checked = db.check().await.unwrap();
    assert_eq!((checked.missing, checked.stray), (0, 0));
    let documents = db.run(&all("c"), None).await.unwrap().documents;
    for way in [Direction::Ascending, Direction::Descending] {
        assert_eq!(names(&db, &query(way)).await, naive(&documents, &query(way)));
    }
}
