//! A store on the shared log: writes, restarts with and without the copy, broken sessions, a second node.

use std::path::Path;
use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::engine::shared::{AnyLog, KEEP_LOG, NodeId};
use docstore::model::{
    DatabaseId, DocPath, FieldFilter, FieldOp, FieldPath, FieldTransform, Fields, Filter, Precondition,
    Query, Source, Transform, Value, Write, WriteOp,
};
use docstore::{Code, Database, Draft, EngineOptions, Limits, Result, Store, StoreOptions, ViewEngine};
use docstore_postgres::PostgresLog;
use rand::RngExt as _;

use crate::options;
use crate::server::Server;

/// A node of its own, with its copy in `folder`.
async fn node(url: &str, folder: &Path) -> Result<Store> {
    let node: u128 = rand::rng().random();
    let log = PostgresLog::open(options(url, node)).await?;
    let (dir, view) = (folder.to_owned(), ViewEngine::default());
    let engine =
        EngineOptions::Shared { log: AnyLog::new(log), node: NodeId(node), dir, view, keep_log: KEEP_LOG };
    let (clock, limits) = (Arc::new(SystemClock), Limits::default());
    Store::open(StoreOptions { engine, clock, limits }).await
}

fn database(store: &Store) -> Database {
    store.database(&DatabaseId::default_of("p"))
}

fn set(path: &str, number: i64) -> Write {
    let fields = Fields::from([("n".to_owned(), Value::Integer(number))]);
    Write {
        path: DocPath::parse(path).unwrap(),
        op: WriteOp::Set { fields, transforms: Vec::new() },
        precondition: Precondition::None,
    }
}

fn increment(path: &str) -> Write {
    let field = FieldPath::parse("n").unwrap();
    let transforms = vec![FieldTransform { field, transform: Transform::Increment(Value::Integer(1)) }];
    Write {
        path: DocPath::parse(path).unwrap(),
        op: WriteOp::Update { fields: Fields::new(), mask: Vec::new(), transforms },
        precondition: Precondition::None,
    }
}

/// The documents with `n` from a number on.
async fn from(store: &Store, number: i64) -> Vec<String> {
    let source = Source { collection: Some("c".to_owned()), all_descendants: false };
    let field = FieldPath::parse("n").unwrap();
    let filter = FieldFilter { field, op: FieldOp::GreaterOrEqual, value: Value::Integer(number) };
    let query = Query { filter: Some(Filter::Field(filter)), ..Query::all(None, source) };
    let found = database(store).run(&query, None).await.unwrap();
    found.documents.into_iter().map(|document| document.path.to_string()).collect()
}

async fn number(store: &Store, path: &str) -> i64 {
    let path = DocPath::parse(path).unwrap();
    let found = database(store).get(&[path], None).await.unwrap().value.pop().unwrap().unwrap();
    let Value::Integer(number) = found.fields["n"] else { panic!("{found:?}") };
    number
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_outlives_its_node_and_its_copy() {
    let Some(server) = Server::start(&[], &[]) else { return };
    let url = server.url(&server.database().await);
    let folder = tempfile::tempdir().unwrap();
    let store = node(&url, folder.path()).await.unwrap();
    for n in 0..20 {
        database(&store).commit(Draft::of(vec![set(&format!("c/{n:02}"), n)])).await.unwrap();
    }
    let expected = from(&store, 12).await;
    assert_eq!(expected.len(), 8);

    // A second node says that the first one serves.
    let other = tempfile::tempdir().unwrap();
    let refused = node(&url, other.path()).await.unwrap_err();
    assert_eq!((refused.code(), refused.tag()), (Code::FailedPrecondition, "AnotherLeads"));
    assert!(store.refusal().is_none());
    store.close().await.unwrap();
    drop(store);
    for place in [folder.path(), tempfile::tempdir().unwrap().path()] {
        let store = node(&url, place).await.unwrap();
        assert_eq!(from(&store, 12).await, expected);
        store.close().await.unwrap();
    }
}

/// Every increment that was acknowledged counts once, though the sessions end under the appends again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn increments_count_once_while_sessions_end() {
    let Some(server) = Server::start(&[], &[]) else { return };
    let name = server.database().await;
    let url = server.url(&name);
    let folder = tempfile::tempdir().unwrap();
    let store = node(&url, folder.path()).await.unwrap();
    database(&store).commit(Draft::of(vec![set("c/sum", 0)])).await.unwrap();
    let clerks: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut counted = 0;
                for _ in 0..60 {
                    match database(&store).commit(Draft::of(vec![increment("c/sum")])).await {
                        Ok(_) => counted += 1,
                        Err(error) => assert_eq!(error.code(), Code::Unavailable, "{error}"),
                    }
                }
                counted
            })
        })
        .collect();
    for _ in 0..8 {
        server.end_sessions(&name).await;
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    }
    let mut counted = 0;
    for clerk in clerks {
        counted += clerk.await.unwrap();
    }
    assert_eq!(number(&store, "c/sum").await, counted);
    store.close().await.unwrap();
    drop(store);
    let store = node(&url, tempfile::tempdir().unwrap().path()).await.unwrap();
    assert_eq!(number(&store, "c/sum").await, counted);
    store.close().await.unwrap();
}
