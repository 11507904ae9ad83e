//! A store whose copy is made anew from the documents of the shared log alone.

use super::*;
use crate::Draft;
use crate::engine::shared::{ClusterId, MemoryLog, Network};
use crate::model::{
    Direction, DocPath, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order, Precondition, Query, Source,
    Value, Write, WriteOp,
};

async fn open(log: &MemoryLog, node: u128, dir: PathBuf) -> Store {
    let log = AnyLog::new(log.connect(NodeId(node), Network::default(), 0));
    let keep_log = std::time::Duration::ZERO;
    let engine =
        EngineOptions::Shared { log, node: NodeId(node), dir, view: ViewEngine::default(), keep_log };
    let (clock, limits) = (Arc::new(SystemClock), Limits::default());
    Store::open(StoreOptions { engine, clock, limits }).await.unwrap()
}

fn field(name: &str) -> FieldPath {
    FieldPath::parse(name).unwrap()
}

/// Odd documents, largest first: a query for which an index over two fields is learned.
fn query() -> Query {
    let source = Source { collection: Some("c".to_owned()), all_descendants: false };
    let odd = FieldFilter { field: field("odd"), op: FieldOp::Equal, value: Value::Boolean(true) };
    Query {
        filter: Some(Filter::Field(odd)),
        order_by: vec![Order { field: field("n"), direction: Direction::Descending }],
        ..Query::all(None, source)
    }
}

#[tokio::test]
async fn documents_of_the_base_get_all_their_index_entries() {
    let (log, folder) = (MemoryLog::new(ClusterId(1)), tempfile::tempdir().unwrap());
    let store = open(&log, 1, folder.path().join("a")).await;
    let db = store.database(&DatabaseId::default_of("p"));
    for n in 0..40 {
        let fields = Fields::from([
            ("n".to_owned(), Value::Integer(n)),
            ("odd".to_owned(), Value::Boolean(n % 2 == 1)),
        ]);
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let path = DocPath::parse(&format!("c/{n}")).unwrap();
        db.commit(Draft::of(vec![Write { path, op, precondition: Precondition::None }])).await.unwrap();
    }
    db.run(&query(), None).await.unwrap();
    db.settle_indexes().await;
    let expected = db.run(&query(), None).await.unwrap();
    assert_eq!((expected.documents.len(), db.indexes().len()), (20, 1));
    let AnyEngine::Shared(engine) = &*store.0.engine else { panic!("a shared engine") };
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    engine.fold().await.unwrap();
    assert_eq!(log.contents().head.folded, log.contents().head.position);
    let indexes = db.indexes();
    drop(db);
    store.close().await.unwrap();
    drop(store);

    let store = open(&log, 2, folder.path().join("b")).await;
    let db = store.database(&DatabaseId::default_of("p"));
    let found = db.run(&query(), None).await.unwrap();
    let paths = |result: &crate::QueryResult| -> Vec<_> {
        result.documents.iter().map(|document| (document.path.to_string(), document.update_time)).collect()
    };
    assert_eq!((paths(&found), db.indexes()), (paths(&expected), indexes));
    // The index answers: nothing beside the results is read.
    assert_eq!(found.stats.documents_read, expected.stats.documents_read);
    assert_eq!(found.stats.entries_read, expected.stats.entries_read);
    store.close().await.unwrap();
}
