//! Live queries whose reads fail: they end with an error that brings their client back, and are never wrong.

use std::collections::BTreeMap;

use super::*;
use crate::database::Database;
use crate::model::{
    DatabaseId, Direction, FieldPath, Fields, Order, Precondition, Source, Value, Write, WriteOp,
};
use crate::testing::{Faults, faulty_store};
use crate::{Code, Draft, Result};

const TARGET: TargetId = 1;

async fn start() -> (Database, Faults) {
    let faults = Faults::default();
    let store = faulty_store(&faults).await.unwrap();
    let database = store.database(&DatabaseId::default_of("p"));
    let sets = (0..6).map(|n| {
        let fields = Fields::from([("n".to_owned(), Value::Integer(n))]);
        write(n, WriteOp::Set { fields, transforms: Vec::new() })
    });
    database.commit(Draft::of(sets.collect())).await.unwrap();
    (database, faults)
}

fn write(n: i64, op: WriteOp) -> Write {
    Write { path: DocPath::parse(&format!("c/{n}")).unwrap(), op, precondition: Precondition::None }
}

/// Queries that have to read again when they lose a result.
fn queries() -> Vec<Query> {
    let from = Source { collection: Some("c".to_owned()), all_descendants: false };
    let by = |direction| vec![Order { field: FieldPath::parse("n").unwrap(), direction }];
    let all = Query::all(None, from);
    let ascending = Query { order_by: by(Direction::Ascending), ..all.clone() };
    vec![
        Query { limit: Some(2), ..ascending.clone() },
        Query { limit: Some(2), order_by: by(Direction::Descending), ..all },
        Query { offset: 1, limit: Some(3), ..ascending },
    ]
}

type Results = BTreeMap<DocPath, Ts>;

/// A client's state of its one target.
#[derive(Default)]
struct Client {
    documents: Results,
    /// The last cut, and what it held.
    whole: Option<(Ts, Results)>,
    /// A filter has said that something is missing.
    lacks: bool,
}

impl Client {
    /// Takes in events up to a cut, or up to the failure of the target, of which nothing may remain.
    async fn read(&mut self, watcher: &mut Watcher) -> Result<()> {
        loop {
            match watcher.next().await {
                WatchEvent::Changed { document, targets, removed } => {
                    if targets.contains(&TARGET) {
                        self.documents.insert(document.path.clone(), document.update_time);
                    } else if removed.contains(&TARGET) {
                        self.documents.remove(&document.path);
                    }
                }
                WatchEvent::Deleted { path, .. } | WatchEvent::Gone { path, .. } => {
                    self.documents.remove(&path);
                }
                WatchEvent::Reset(_) => self.documents.clear(),
                WatchEvent::Filter { present, .. } => {
                    self.documents.retain(|path, _| present.contains(path));
                    self.lacks = self.documents.len() < present.len();
                }
                WatchEvent::Snapshot(at) => {
                    self.whole = Some((at, self.documents.clone()));
                    return Ok(());
                }
                WatchEvent::Removed(_, cause) => {
                    let (_, held) = self.whole.clone().unwrap_or_default();
                    self.documents = held;
                    return Err(cause.expect("nobody has asked for it"));
                }
                WatchEvent::Added(_)
                | WatchEvent::Current(..)
                | WatchEvent::Advanced(..)
                | WatchEvent::Interim(_) => {}
            }
        }
    }

    fn add(&self, watcher: &mut Watcher, query: &Query, counts: bool) {
        let resume = self.whole.as_ref().map(|(at, _)| *at);
        let count = u32::try_from(self.documents.len()).unwrap();
        let expected = (counts && resume.is_some()).then_some(count);
        watcher.add(TARGET, Target::Query(Box::new(query.clone())), resume, expected, false);
    }

    /// Comes back with what it has, or with nothing where that turns out to be too little, as clients do.
    async fn come_back(&mut self, database: &Database, query: &Query, counts: bool) -> Result<()> {
        loop {
            let mut watcher = database.watch();
            self.add(&mut watcher, query, counts);
            self.read(&mut watcher).await?;
            if !self.lacks {
                return Ok(());
            }
            *self = Self::default();
        }
    }
}

async fn results(database: &Database, query: &Query) -> Results {
    let found = database.run(query, None).await.unwrap().documents;
    found.into_iter().map(|document| (document.path, document.update_time)).collect()
}

/// A reply to a write must not overtake what its writer's listener hears of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_the_listeners_have_settled_they_have_been_sent_every_commit() {
    let (database, _) = start().await;
    let mut watcher = database.watch();
    let mut client = Client::default();
    client.add(&mut watcher, &queries()[0], false);
    client.read(&mut watcher).await.unwrap();
    let fields = Fields::from([("n".to_owned(), Value::Integer(0))]);
    for _ in 0..50 {
        // The first result leaves, and comes back.
        for op in [WriteOp::Delete, WriteOp::Set { fields: fields.clone(), transforms: Vec::new() }] {
            database.commit(Draft::of(vec![write(0, op)])).await.unwrap();
            database.store().hub.settle().await;
            assert!(!watcher.outbox.is_empty(), "the commit is on its way");
            client.read(&mut watcher).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_live_query_that_cannot_read_ends_and_can_be_resumed() {
    for (query, counts) in queries().into_iter().flat_map(|query| [(query.clone(), false), (query, true)]) {
        let mut ended = 0;
        // One more read succeeds each time, until none fails any more.
        for good in 0.. {
            let (database, faults) = start().await;
            let (mut watcher, mut client) = (database.watch(), Client::default());
            client.add(&mut watcher, &query, false);
            client.read(&mut watcher).await.unwrap();
            assert_eq!(client.documents, results(&database, &query).await);
            let lost = client.documents.keys().next().unwrap().id().parse().unwrap();
            let delete = || Draft::of(vec![write(lost, WriteOp::Delete)]);
            // The committer's read is the first.
            faults.after(good);
            if let Err(error) = database.commit(delete()).await {
                assert_eq!((good, error.code()), (0, Code::Unavailable));
                faults.end();
                database.commit(delete()).await.unwrap();
            }
            let outcome = client.read(&mut watcher).await;
            let has_failed = faults.end();
            if let Err(error) = outcome {
                assert_eq!(error.code(), Code::Unavailable);
                ended += 1;
                client.come_back(&database, &query, counts).await.unwrap();
            }
            assert_eq!(client.documents, results(&database, &query).await, "{query:?} after {good} reads");
            if !has_failed && good > 0 {
                break;
            }
        }
        assert!(ended > 0, "{query:?}: no read failed");
    }
}

#[tokio::test]
async fn a_live_query_that_cannot_read_at_its_beginning_is_never_wrong() {
    for (query, counts) in queries().into_iter().flat_map(|query| [(query.clone(), false), (query, true)]) {
        let (database, faults) = start().await;
        for good in 0.. {
            let mut client = Client::default();
            let mut watcher = database.watch();
            client.add(&mut watcher, &query, counts);
            client.read(&mut watcher).await.unwrap();
            drop(watcher);
            // While nobody watches, the first result goes and comes back.
            let other: i64 = client.documents.keys().next().unwrap().id().parse().unwrap();
            database.commit(Draft::of(vec![write(other, WriteOp::Delete)])).await.unwrap();
            faults.after(good);
            let outcome = client.come_back(&database, &query, counts).await;
            let has_failed = faults.end();
            if let Err(error) = outcome {
                assert_eq!(error.code(), Code::Unavailable);
                client.come_back(&database, &query, counts).await.unwrap();
            }
            assert_eq!(client.documents, results(&database, &query).await, "{query:?} after {good} reads");
            let fields = Fields::from([("n".to_owned(), Value::Integer(other))]);
            let set = WriteOp::Set { fields, transforms: Vec::new() };
            database.commit(Draft::of(vec![write(other, set)])).await.unwrap();
            if !has_failed {
                assert!(good > 1, "{query:?}: resuming reads nothing");
                break;
            }
        }
    }
}
