//! Shorthand for tests.
#![allow(dead_code, unreachable_pub, reason = "every test binary uses a part of it")]

use docstore::database::Database;
use docstore::model::*;
use docstore::*;

pub fn database(store: &Store) -> Database {
    store.database(&DatabaseId::default_of("p"))
}

/// A node of its own on a shared log, with its copy in `folder`.
#[cfg(feature = "testing")]
pub fn shared_log(log: &engine::shared::MemoryLog, folder: &std::path::Path) -> EngineOptions {
    use engine::shared::{AnyLog, KEEP_LOG, Network, NodeId};
    use rand::RngExt as _;
    let node = NodeId(rand::rng().random());
    EngineOptions::Shared {
        log: AnyLog::new(log.connect(node, Network::default(), 0)),
        node,
        dir: folder.to_owned(),
        view: ViewEngine::default(),
        keep_log: KEEP_LOG,
    }
}

pub fn doc(path: &str) -> DocPath {
    DocPath::parse(path).unwrap()
}

pub fn field(path: &str) -> FieldPath {
    FieldPath::parse(path).unwrap()
}

pub fn int(n: i64) -> Value {
    Value::Integer(n)
}

pub fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Fields {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub fn set(path: &str, fields: Fields) -> Write {
    Write {
        path: doc(path),
        op: WriteOp::Set { fields, transforms: vec![] },
        precondition: Precondition::None,
    }
}

pub fn delete(path: &str) -> Write {
    Write { path: doc(path), op: WriteOp::Delete, precondition: Precondition::None }
}

pub fn increment(path: &str, name: &str, by: i64) -> Write {
    let transforms = vec![FieldTransform { field: field(name), transform: Transform::Increment(int(by)) }];
    Write {
        path: doc(path),
        op: WriteOp::Update { fields: Fields::new(), mask: vec![], transforms },
        precondition: Precondition::None,
    }
}

pub fn all(collection: &str) -> Query {
    let path = CollectionPath::parse(collection).unwrap();
    Query {
        order_by: vec![],
        ..Query::all(path.parent(), Source { collection: Some(path.id().to_owned()), all_descendants: false })
    }
}

pub fn filter(name: &str, op: FieldOp, value: Value) -> Filter {
    Filter::Field(FieldFilter { field: field(name), op, value })
}

pub fn order(name: &str, direction: Direction) -> Order {
    Order { field: field(name), direction }
}

pub async fn put<const N: usize>(database: &Database, path: &str, values: [(&str, Value); N]) -> Committed {
    database.commit(Draft::of(vec![set(path, fields(values))])).await.unwrap()
}

pub async fn one(database: &Database, path: &str) -> Option<Document> {
    database.get(&[doc(path)], None).await.unwrap().value.pop().unwrap()
}

pub async fn names(database: &Database, query: &Query) -> Vec<String> {
    let result = database.run(query, None).await.unwrap();
    result.documents.into_iter().map(|document| document.path.to_string()).collect()
}

/// A client's picture of its targets, kept up to date from a stream.
#[derive(Debug, Default)]
pub struct Client {
    pub held: std::collections::BTreeMap<(TargetId, String), Ts>,
    pub current: std::collections::BTreeSet<TargetId>,
    pub removed: Vec<(TargetId, Option<Code>)>,
    pub snapshot: Ts,
    pub filters: Vec<(TargetId, u32)>,
}

impl Client {
    pub fn take(&mut self, event: WatchEvent) {
        match event {
            WatchEvent::Added(_) | WatchEvent::Advanced(..) => {}
            WatchEvent::Removed(id, error) => {
                self.current.remove(&id);
                self.held.retain(|(target, _), _| *target != id);
                self.removed.push((id, error.map(|error| error.code())));
            }
            WatchEvent::Changed { document, targets, removed } => {
                let path = document.path.to_string();
                for id in targets {
                    self.held.insert((id, path.clone()), document.update_time);
                }
                for id in removed {
                    self.held.remove(&(id, path.clone()));
                }
            }
            WatchEvent::Deleted { path, targets, .. } | WatchEvent::Gone { path, targets, .. } => {
                for id in targets {
                    self.held.remove(&(id, path.to_string()));
                }
            }
            WatchEvent::Reset(id) => self.held.retain(|(target, _), _| *target != id),
            WatchEvent::Filter { id, count, present, absent } => {
                self.filters.push((id, count));
                let present: Vec<String> = present.iter().map(ToString::to_string).collect();
                assert_eq!(present.len(), usize::try_from(count).unwrap());
                assert!(absent.iter().all(|path| !present.contains(&path.to_string())));
                self.held.retain(|(target, path), _| *target != id || present.contains(path));
            }
            WatchEvent::Current(id, _) => {
                self.current.insert(id);
            }
            WatchEvent::Snapshot(ts) | WatchEvent::Interim(ts) => {
                assert!(ts >= self.snapshot, "snapshots never go back");
                self.snapshot = ts;
            }
        }
    }

    /// Follows a stream until it has a consistent picture at or after `ts` in which `targets` are current.
    pub async fn follow(&mut self, watcher: &mut Watcher, ts: Ts, targets: &[TargetId]) {
        loop {
            let event = watcher.next().await;
            let cut = matches!(event, WatchEvent::Snapshot(_));
            self.take(event);
            if cut && self.snapshot >= ts && targets.iter().all(|id| self.current.contains(id)) {
                return;
            }
        }
    }

    pub fn paths(&self, id: TargetId) -> Vec<&str> {
        self.held.keys().filter(|(target, _)| *target == id).map(|(_, path)| path.as_str()).collect()
    }
}
