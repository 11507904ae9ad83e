//! A commit carries a span for each of its stages.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use docstore::access::{Auth, Caller};
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Write, WriteOp};
use docstore::{Draft, Store};
use parking_lot::Mutex;
use serde_json::json;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Notes the names of spans and of their parents.
#[derive(Default)]
struct Notes {
    names: Mutex<HashMap<u64, &'static str>>,
    /// The name of a span to that of its parent, or of what it follows from.
    parents: Mutex<BTreeMap<&'static str, Option<&'static str>>>,
    next: AtomicU64,
}

struct Noting(Arc<Notes>);

impl Noting {
    fn name(&self, id: &Id) -> Option<&'static str> {
        self.0.names.lock().get(&id.into_u64()).copied()
    }
}

impl Subscriber for Noting {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("docstore")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.0.next.fetch_add(1, Relaxed) + 1;
        let name = span.metadata().name();
        self.0.names.lock().insert(id, name);
        let parent = span.parent().and_then(|parent| self.name(parent));
        self.0.parents.lock().insert(name, parent);
        Id::from_u64(id)
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        let (Some(name), before) = (self.name(span), self.name(follows)) else { return };
        self.0.parents.lock().insert(name, before);
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn rules_limits_locks_decision_and_append_have_spans() {
    let notes = Arc::new(Notes::default());
    // The committer has threads of its own.
    tracing::subscriber::set_global_default(Noting(Arc::clone(&notes))).unwrap();
    let store = Store::in_memory().await.unwrap();
    let auth = Auth { uid: "ann".into(), token: json!({"sub": "ann"}) };
    let database = store.database(&DatabaseId::default_of("demo")).as_caller(Caller::User(auth));
    let op = WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
    // Until there are rules, everybody has their own subtree.
    let path = DocPath::parse("users/ann/notes/a").unwrap();
    let write = Write { path, op, precondition: Precondition::None };
    database.commit(Draft::of(vec![write])).await.unwrap();
    store.close().await.unwrap();
    let expected = [
        ("append", Some("commit")),
        ("commit", None),
        ("decide", Some("commit")),
        ("limits", None),
        ("locks", None),
        ("rules", None),
    ];
    assert_eq!(*notes.parents.lock(), BTreeMap::from(expected));
}
