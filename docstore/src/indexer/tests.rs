//! Learned indexes: callers that cause them, their cost for others, and their removal.

use std::sync::Arc;
use std::time::Duration;

use super::learning::{ASKED, PER_CALLER, PER_COLLECTION, READ, UNUSED};
use super::*;
use crate::access::{Auth, Caller};
use crate::clock::ManualClock;
use crate::database::Database;
use crate::model::{
    CollectionPath, Direction, Document, FieldFilter, FieldOp, FieldPath, Filter, Order, Query, Source, Value,
};
use crate::store::{EngineOptions, Limits, Store, StoreOptions};
use crate::{Draft, Session};

/// Fields that every card has.
const NAMES: [&str; 10] = ["art", "cost", "deck", "kind", "name", "order", "power", "rank", "set", "text"];
/// More cards than a query may read in vain before an index pays.
const CARDS: usize = 600;

async fn store(missing_indexes: MissingIndexes, clock: &Arc<ManualClock>) -> Store {
    let limits = Limits { missing_indexes, ..Limits::default() };
    let clock = Arc::clone(clock) as Arc<dyn crate::clock::Clock>;
    Store::open(StoreOptions { engine: EngineOptions::Memory, clock, limits }).await.unwrap()
}

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)))
}

fn user(db: &Database, uid: &str) -> Session {
    db.as_caller(Caller::User(Auth { uid: uid.to_owned(), token: serde_json::Value::Null }))
}

fn card(uid: &str, n: usize) -> Write {
    let value = |name: &str| match name {
        "text" => Value::String(format!("When this is played, draw {n} cards.")),
        "kind" => Value::Integer(1),
        _ => Value::Integer(i64::try_from(n % 97).unwrap()),
    };
    let fields = NAMES.iter().map(|name| ((*name).to_owned(), value(name))).collect();
    let path = DocPath::parse(&format!("users/{uid}/cards/{n}")).unwrap();
    Write { path, op: WriteOp::Set { fields, transforms: Vec::new() }, precondition: Precondition::None }
}

async fn put_cards(db: &Database, uid: &str, count: usize) {
    for chunk in (0..count).collect::<Vec<_>>().chunks(200) {
        db.commit(Draft::of(chunk.iter().map(|n| card(uid, *n)).collect())).await.unwrap();
    }
}

/// The caller's cards of one kind, in an order.
fn query(uid: &str, orders: &[(&str, Direction)]) -> Query {
    let path = CollectionPath::parse(&format!("users/{uid}/cards")).unwrap();
    let from = Source { collection: Some(path.id().to_owned()), all_descendants: false };
    let field = |name: &str| FieldPath::parse(name).unwrap();
    let filter =
        Filter::Field(FieldFilter { field: field("kind"), op: FieldOp::Equal, value: Value::Integer(1) });
    let order = |(name, direction): &(&str, Direction)| Order { field: field(name), direction: *direction };
    Query {
        filter: Some(filter),
        order_by: orders.iter().map(order).collect(),
        limit: Some(20),
        ..Query::all(path.parent(), from)
    }
}

/// Cost of a commit of `count` cards: keys and values, and their bytes.
async fn cost(db: &Database, uid: &str, count: usize) -> (usize, usize) {
    let mut log = db.store().engine.log(db.read_time()).unwrap();
    put_cards(db, uid, count).await;
    let commits = log.available().unwrap();
    let puts: Vec<_> = commits.iter().flat_map(|commit| &commit.puts).collect();
    (puts.len(), puts.iter().map(|put| put.size()).sum())
}

#[tokio::test]
async fn what_one_caller_asks_makes_nobody_elses_commits_dearer() {
    let store = store(MissingIndexes::Learn, &clock()).await;
    let db = store.database(&DatabaseId::default_of("p"));
    let before = cost(&db, "victim", 100).await;
    put_cards(&db, "attacker", CARDS).await;
    let attacker = user(&db, "attacker");
    for a in NAMES {
        for b in NAMES.iter().filter(|b| **b != a).take(4) {
            for way in [Direction::Ascending, Direction::Descending] {
                for _ in 0..=ASKED {
                    let found = attacker.run(&query("attacker", &[(a, way), (b, way)]), None).await.unwrap();
                    assert_eq!(found.documents.len(), 20, "what has no index is answered too");
                }
            }
        }
    }
    db.settle_indexes().await;
    assert_eq!(db.indexes().len(), PER_COLLECTION);
    let after = cost(&db, "other", 100).await;
    assert!(after.0 <= before.0 + 100 * PER_COLLECTION, "{after:?} entries and bytes, {before:?} before");
    assert!(5 * after.1 <= 6 * before.1, "{after:?} entries and bytes, {before:?} before");
}

#[tokio::test]
async fn an_index_is_learned_where_it_pays_and_from_operators_and_in_emulators_at_once() {
    let way = Direction::Ascending;
    for (mode, count, asked, learned) in [
        (MissingIndexes::Learn, CARDS, ASKED - 1, 0),
        (MissingIndexes::Learn, CARDS, ASKED, 1),
        (MissingIndexes::Learn, 100, ASKED + 1, 0),
        (MissingIndexes::LearnAtOnce, 100, 1, 1),
    ] {
        let store = store(mode, &clock()).await;
        let db = store.database(&DatabaseId::default_of("p"));
        put_cards(&db, "a", count).await;
        for _ in 0..asked {
            user(&db, "a").run(&query("a", &[("rank", way)]), None).await.unwrap();
        }
        db.settle_indexes().await;
        assert_eq!(db.indexes().len(), learned, "{mode:?}, {count} cards, asked {asked} times");
    }
    let store = store(MissingIndexes::Learn, &clock()).await;
    let db = store.database(&DatabaseId::default_of("p"));
    put_cards(&db, "a", 1).await;
    db.as_caller(Caller::Admin).run(&query("a", &[("rank", way)]), None).await.unwrap();
    db.settle_indexes().await;
    assert_eq!(db.indexes().iter().filter(|def| def.learned_from.is_none()).count(), 1);
}

#[tokio::test]
async fn one_caller_teaches_few_indexes_whatever_collections_they_are_of() {
    let store = store(MissingIndexes::Learn, &clock()).await;
    let db = store.database(&DatabaseId::default_of("p"));
    let number = {
        put_cards(&db, "a", 1).await;
        store.0.catalog.number(db.id()).unwrap()
    };
    let by = Author::User("a".to_owned());
    for collection in 0..20 {
        let fields = vec![(FieldPath::parse("a").unwrap(), crate::catalog::IndexMode::Ascending)];
        let wanting = Wanting { collection: format!("c{collection}"), scope: IndexScope::Group, fields };
        for _ in 0..ASKED {
            let asked = Asked { id: db.id(), by: &by, read: Some(READ) };
            store.0.indexer.want(&asked, vec![wanting.clone()]).unwrap();
        }
    }
    db.settle_indexes().await;
    assert_eq!(store.0.catalog.all_indexes(number).len(), PER_CALLER);
}

#[tokio::test]
async fn an_index_that_nobody_uses_goes_with_its_entries() {
    let clock = clock();
    let store = store(MissingIndexes::Learn, &clock).await;
    let db = store.database(&DatabaseId::default_of("p"));
    put_cards(&db, "a", CARDS).await;
    let ask = || async {
        let found = user(&db, "a").run(&query("a", &[("rank", Direction::Ascending)]), None).await.unwrap();
        found.documents.into_iter().map(|document: Document| document.path).collect::<Vec<_>>()
    };
    for _ in 0..ASKED {
        ask().await;
    }
    db.settle_indexes().await;
    let def = Arc::clone(&db.indexes()[0]);
    let found = ask().await;
    // A week of commits without a use.
    let tidy = || async {
        store.0.indexer.remove_idle().unwrap();
        db.settle_indexes().await;
        db.indexes().len()
    };
    clock.advance(UNUSED);
    put_cards(&db, "b", 1).await;
    assert_eq!((ask().await, tidy().await), (found.clone(), 1), "it was used just now");
    clock.advance(UNUSED);
    clock.advance(Duration::from_secs(1));
    put_cards(&db, "c", 1).await;
    // The server ends after the first step, and the next start resumes.
    let build = store.0.indexer.builder(db.id().clone(), def.database).unwrap();
    build.put(Catalog::dropped_document(&def)).await.unwrap();
    assert_eq!((tidy().await, store.0.catalog.dropped().len()), (0, 1));
    store.0.indexer.resume().unwrap();
    db.settle_indexes().await;
    let range = KeyRange::prefix(&index_prefix(def.database, def.number));
    let entries = || async {
        let at = db.read_time();
        let scan = Scan { limit: 1, values: false, ..Scan::all(&range, at) };
        store.0.engine.scan(&scan).await.unwrap().entries.len()
    };
    assert_eq!(entries().await, 0);
    assert!(store.0.catalog.dropped().is_empty());
    assert_eq!(ask().await, found, "a scan and a sort find the same");
    // The same without an interruption.
    for _ in 0..ASKED {
        ask().await;
    }
    db.settle_indexes().await;
    assert_eq!((db.indexes().len(), tidy().await), (1, 1));
    clock.advance(UNUSED * 2);
    put_cards(&db, "d", 1).await;
    assert_eq!((tidy().await, entries().await), (0, 0));
}

#[tokio::test]
async fn a_declared_index_is_kept_though_it_was_learned_first() {
    let clock = clock();
    let store = store(MissingIndexes::Learn, &clock).await;
    let db = store.database(&DatabaseId::default_of("p"));
    put_cards(&db, "a", CARDS).await;
    for _ in 0..ASKED {
        user(&db, "a").run(&query("a", &[("rank", Direction::Ascending)]), None).await.unwrap();
    }
    db.settle_indexes().await;
    assert_eq!(db.indexes()[0].learned_from.as_deref(), Some("user a"));
    let declared = r#"{"indexes": [{"collectionGroup": "cards", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "kind", "order": "ASCENDING"}, {"fieldPath": "rank", "order": "ASCENDING"}]}]}"#;
    db.declare_indexes(declared).await.unwrap();
    db.settle_indexes().await;
    let indexes = db.indexes();
    assert_eq!((indexes.len(), &indexes[0].learned_from, indexes[0].ready.is_some()), (1, &None, true));
}
