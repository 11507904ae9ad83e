//! Live queries: whom a change touches, and how soon they hear of it.

use std::sync::Arc;
use std::time::Instant;

use docstore::encoding::key::DbNo;
use docstore::engine::Change;
use docstore::model::{
    DatabaseId, Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Query, Ts, Value,
};
use docstore::watch::Interests;
use docstore::{Draft, Store, Target, WatchEvent, Watcher};

use super::measure::Measure;
use super::queries::twenty;
use super::{fields, path, percentile, set};

/// Times the lookup of the live queries, among 100,000, that one changed document affects.
pub(super) fn find(measures: &mut Vec<Measure>) {
    const QUERIES: u64 = 100_000;
    const ROUNDS: u64 = 100_000;
    let database = DatabaseId::default_of("bench");
    let integer = |n: u64| Value::Integer(n.cast_signed());
    let narrow = |name: &str, op: FieldOp, value: u64| {
        let field = FieldPath::parse(name).unwrap();
        Filter::Field(FieldFilter { field, op, value: integer(value) })
    };
    // Each for another owner; each for another window of ranks; each for a field of its own.
    type Shape<'a> = (&'a str, Box<dyn Fn(u64) -> Filter + 'a>);
    let shapes: [Shape<'_>; 3] = [
        ("equalities", Box::new(|n| narrow("owner", FieldOp::Equal, n))),
        (
            "ranges",
            Box::new(|n| {
                let window = [(FieldOp::GreaterOrEqual, n * 10), (FieldOp::Less, n * 10 + 15)];
                Filter::And(window.map(|(op, value)| narrow("rank", op, value)).to_vec())
            }),
        ),
        ("fields", Box::new(|n| narrow(&format!("members.u{n}"), FieldOp::Equal, 1))),
    ];
    for (shape, filter) in shapes {
        let mut interests = Interests::default();
        for n in 0..QUERIES {
            let query = Query { filter: Some(filter(n)), order_by: Vec::new(), ..twenty() };
            interests.add(&database, &query).unwrap();
        }
        let document = |n: u64| {
            let mut fields = fields(n);
            fields.insert("owner".to_owned(), integer(n));
            fields.insert("rank".to_owned(), integer(n * 10 + 7));
            let member = Fields::from([(format!("u{n}"), integer(1))]);
            fields.insert("members".to_owned(), Value::Map(member));
            Arc::new(Document { path: path(n), fields, create_time: Ts::ZERO, update_time: Ts::ZERO })
        };
        let changes: Vec<Change> = (0..1_000u64)
            .map(|n| n * 97 % QUERIES)
            .map(|n| Change { database: DbNo(1), path: path(n), old: None, new: Some(document(n)) })
            .collect();
        let begun = Instant::now();
        let mut touched = 0;
        for round in 0..ROUNDS {
            touched += interests.touched(&database, &changes[(round % 1_000) as usize]);
        }
        let each = begun.elapsed().as_secs_f64() * 1e6 / ROUNDS as f64;
        assert!(touched >= ROUNDS as usize && touched <= 2 * ROUNDS as usize, "{touched} found");
        let name = format!("find whom a document touches, {QUERIES} live queries by {shape}");
        measures.push(Measure::new(name, each, "us").at_most(5.0));
    }
}

async fn until(watcher: &mut Watcher, wanted: impl Fn(&WatchEvent) -> bool) {
    while !wanted(&watcher.next().await) {}
}

/// 100,000 live queries, each for another owner: one write concerns one of them.
pub(super) async fn fan_out(measures: &mut Vec<Measure>) {
    const QUERIES: i32 = 100_000;
    const PER_STREAM: i32 = 1_000;
    let store = Store::in_memory().await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    db.commit(Draft::of(vec![set(0, fields(0))])).await.unwrap();
    let mut quiet = Vec::new();
    for stream in 0..QUERIES / PER_STREAM {
        let mut watcher = db.watch();
        for target in 0..PER_STREAM {
            let mut query = twenty();
            let owner = i64::from(stream * PER_STREAM + target);
            if let Some(Filter::Field(filter)) = &mut query.filter {
                filter.value = Value::Integer(owner);
            }
            watcher.add(target, Target::Query(Box::new(query)), None, None, false);
        }
        until(&mut watcher, |event| matches!(event, WatchEvent::Current(id, _) if *id == PER_STREAM - 1))
            .await;
        quiet.push(watcher);
    }
    let mut times = Vec::new();
    for n in 0..2_000u64 {
        let one = Instant::now();
        let ts = db.commit(Draft::of(vec![set(5, fields(n * 1_000 + 5))])).await.unwrap().commit_time;
        let watcher = &mut quiet[0];
        until(watcher, |event| matches!(event, WatchEvent::Snapshot(at) if *at >= ts)).await;
        times.push(one.elapsed());
    }
    times.sort();
    let name = format!("write to listener among {QUERIES} live queries, p50");
    measures.push(Measure::new(name, percentile(&times, 0.5) * 1e3, "us"));
    store.close().await.unwrap();
}

/// 1,000 listeners on one document: from the write until the last has heard.
pub(super) async fn listeners(measures: &mut Vec<Measure>) {
    let store = Store::in_memory().await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    let mut watchers = Vec::new();
    for _ in 0..1_000 {
        let mut watcher = db.watch();
        watcher.add(2, Target::Documents(vec![path(1)]), None, None, false);
        until(&mut watcher, |event| matches!(event, WatchEvent::Current(..))).await;
        watchers.push(watcher);
    }
    let mut times = Vec::new();
    for n in 0..100u64 {
        let one = Instant::now();
        let ts: Ts = db.commit(Draft::of(vec![set(1, fields(n))])).await.unwrap().commit_time;
        for watcher in &mut watchers {
            until(watcher, |event| matches!(event, WatchEvent::Snapshot(at) if *at >= ts)).await;
        }
        times.push(one.elapsed());
    }
    times.sort();
    let name = "write to the last of 1,000 listeners on one document, p50";
    measures.push(Measure::new(name, percentile(&times, 0.5), "ms").at_most(10.0));
    store.close().await.unwrap();
}
