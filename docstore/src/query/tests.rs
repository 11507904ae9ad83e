//! Memory of running queries, and turns between callers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::access::{Auth, Caller};
use crate::clock::SystemClock;
use crate::database::Database;
use crate::model::{
    Aggregation, CollectionPath, DatabaseId, Direction, DocPath, FieldFilter, FieldOp, FieldPath, Fields,
    Filter, Order, Precondition, Query, Source, Value, Write, WriteOp,
};
use crate::store::{EngineOptions, Limits, Store, StoreOptions};
use crate::{Code, Draft, Session};

use super::READING;

const DOCUMENTS: i64 = 6_000;
/// Limit of one caller: less than a tenth of all documents.
const OF_ONE: usize = 5_000_000;
const TEXT: usize = 10_000;

async fn start() -> (Store, Database) {
    let limits = Limits { query_bytes_of_one: OF_ONE, ..Limits::default() };
    let clock = Arc::new(SystemClock);
    let store = Store::open(StoreOptions { engine: EngineOptions::Memory, clock, limits }).await.unwrap();
    let db = store.database(&DatabaseId::default_of("p"));
    for chunk in (0..DOCUMENTS).collect::<Vec<_>>().chunks(500) {
        db.commit(Draft::of(chunk.iter().map(|n| write(*n)).collect())).await.unwrap();
    }
    (store, db)
}

fn write(n: i64) -> Write {
    let fields = Fields::from([
        ("kind".to_owned(), Value::Integer(1)),
        ("n".to_owned(), Value::Integer(n * 37 % DOCUMENTS)),
        ("text".to_owned(), Value::String("x".repeat(TEXT))),
    ]);
    let path = DocPath::parse(&format!("users/a/c/{n}")).unwrap();
    Write { path, op: WriteOp::Set { fields, transforms: Vec::new() }, precondition: Precondition::None }
}

fn field(name: &str) -> FieldPath {
    FieldPath::parse(name).unwrap()
}

/// A query in an order that no index has.
fn query(limit: Option<u32>) -> Query {
    let path = CollectionPath::parse("users/a/c").unwrap();
    let from = Source { collection: Some(path.id().to_owned()), all_descendants: false };
    let filter = FieldFilter { field: field("kind"), op: FieldOp::Equal, value: Value::Integer(1) };
    let order = Order { field: field("n"), direction: Direction::Descending };
    Query {
        filter: Some(Filter::Field(filter)),
        order_by: vec![order],
        limit,
        ..Query::all(path.parent(), from)
    }
}

fn user(db: &Database) -> Session {
    db.as_caller(Caller::User(Auth { uid: "a".to_owned(), token: serde_json::Value::Null }))
}

#[tokio::test]
async fn a_query_holds_what_it_finds_and_not_what_it_looks_at() {
    let (store, db) = start().await;
    let session = user(&db);
    // The first of all documents in their order.
    let found = session.run(&Query { offset: 5, ..query(Some(20)) }, None).await.unwrap();
    let numbers: Vec<_> = found.documents.iter().map(|document| document.fields["n"].clone()).collect();
    let expected: Vec<_> = (1..=20).map(|n| Value::Integer(DOCUMENTS - 5 - n)).collect();
    assert_eq!(numbers, expected);
    // Their memory counts until they are dropped.
    let held = store.0.queries.held();
    assert!((20 * TEXT..2 * 25 * TEXT).contains(&held), "{held}");
    drop(found);
    assert_eq!(store.0.queries.held(), 0);
    let error = session.run(&query(None), None).await.unwrap_err();
    assert_eq!((error.code(), error.tag()), (Code::ResourceExhausted, "QueryResults"));
    assert_eq!(store.0.queries.held(), 0);
    // Sums keep one field per document, and operators share only the common limit.
    let sums = [
        ("sum".to_owned(), Aggregation::Sum(field("n"))),
        ("count".to_owned(), Aggregation::Count { up_to: None }),
    ];
    let sums = session.aggregate(&Query { order_by: Vec::new(), ..query(None) }, &sums, None).await.unwrap();
    let sum = (0..DOCUMENTS).sum::<i64>();
    assert_eq!(
        sums.value,
        [("sum".to_owned(), Value::Integer(sum)), ("count".to_owned(), Value::Integer(DOCUMENTS))]
    );
    let all = db.as_caller(Caller::Admin).run(&query(None), None).await.unwrap();
    assert_eq!(i64::try_from(all.documents.len()).unwrap(), DOCUMENTS);
}

/// An aggregation reads in slices like any query: what one caller starts, others wait for a slice of, not for the whole.
#[tokio::test]
async fn forty_aggregations_of_one_caller_do_not_keep_another_waiting() {
    let (_store, db) = start().await;
    let finished = Arc::new(AtomicUsize::new(0));
    let scans: Vec<_> = (0..40)
        .map(|_| {
            let (session, finished) = (user(&db), Arc::clone(&finished));
            tokio::spawn(async move {
                let sum = [("sum".to_owned(), Aggregation::Sum(field("n")))];
                let all = Query { order_by: Vec::new(), ..query(None) };
                session.aggregate(&all, &sum, None).await.unwrap();
                finished.fetch_add(1, Ordering::Relaxed);
            })
        })
        .collect();
    // All of them have begun, or wait for their turn.
    tokio::task::yield_now().await;
    let one = Query { order_by: Vec::new(), ..query(Some(1)) };
    assert_eq!(db.as_caller(Caller::Admin).run(&one, None).await.unwrap().documents.len(), 1);
    let before = finished.load(Ordering::Relaxed);
    assert!(before <= READING, "{before} scans came first");
    for scan in scans {
        scan.await.unwrap();
    }
}
