//! The law of live queries: after any schedule of commits, slow reads and reconnects, what a client holds is
//! what a fresh run of its query finds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

#[path = "behaviour/support.rs"]
mod support;

use docstore::database::Database;
use docstore::model::*;
use docstore::*;
use proptest::prelude::*;
use support::*;

/// One step of a schedule.
#[derive(Debug, Clone)]
enum Step {
    Commit(Vec<(String, Option<Fields>)>),
    /// The client reads up to so many events.
    Read(usize),
    /// The client's stream breaks; it comes back with what it last had whole.
    Reconnect,
}

fn step() -> BoxedStrategy<Step> {
    let fields = proptest::collection::btree_map("[ab]", (0i64..4).prop_map(Value::Integer), 0..3);
    let write = ("[a-h]".prop_map(|id| format!("c/{id}")), proptest::option::weighted(0.75, fields)).boxed();
    prop_oneof![
        6 => proptest::collection::vec(write, 1..4).prop_map(Step::Commit),
        3 => (0usize..12).prop_map(Step::Read),
        1 => Just(Step::Reconnect),
    ]
    .boxed()
}

fn queries() -> BoxedStrategy<Vec<Query>> {
    let filters = prop_oneof![
        Just(None),
        (0i64..4).prop_map(|n| Some(filter("a", FieldOp::Equal, int(n)))),
        (0i64..4).prop_map(|n| Some(filter("a", FieldOp::Greater, int(n)))),
        (0i64..4).prop_map(|n| Some(filter("b", FieldOp::NotEqual, int(n)))),
        (0i64..4).prop_map(|n| Some(Filter::Or(vec![
            filter("a", FieldOp::Equal, int(n)),
            filter("b", FieldOp::LessOrEqual, int(n)),
        ]))),
    ]
    .boxed();
    let orders = prop_oneof![
        Just(vec![]),
        Just(vec![order("a", Direction::Ascending)]),
        Just(vec![order("a", Direction::Descending)]),
        Just(vec![order("b", Direction::Ascending), order("a", Direction::Descending)]),
    ]
    .boxed();
    let query = (filters, orders, proptest::option::of(1u32..4))
        .prop_map(|(filter, order_by, limit)| Query { filter, order_by, limit, ..all("c") });
    proptest::collection::vec(query, 1..4).boxed()
}

/// A client that keeps what it had at its last whole snapshot, for when its stream breaks.
struct Connection {
    watcher: Watcher,
    client: Client,
    whole: std::collections::BTreeMap<(TargetId, String), Ts>,
    at: Ts,
    current: std::collections::BTreeSet<TargetId>,
}

impl Connection {
    fn take(&mut self, event: WatchEvent) {
        let snapshot = matches!(event, WatchEvent::Snapshot(_));
        self.client.take(event);
        if snapshot {
            self.whole = self.client.held.clone();
            self.at = self.client.snapshot;
            self.current = self.client.current.clone();
        }
    }

    fn reconnect(&mut self, db: &Database, queries: &[Query]) {
        self.watcher = db.watch();
        self.client.held = self.whole.clone();
        self.client.snapshot = self.at;
        self.client.current.clear();
        for (id, query) in (0..).zip(queries) {
            // Only a target that was current has something to resume from.
            let resume = self.current.contains(&id).then_some(self.at);
            if resume.is_none() {
                self.client.held.retain(|(target, _), _| *target != id);
            }
            self.watcher.add(id, Target::Query(Box::new(query.clone())), resume, None, false);
        }
        self.whole = self.client.held.clone();
        self.current.clear();
    }
}

async fn run(steps: Vec<Step>, queries: Vec<Query>) -> Result<(), TestCaseError> {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let empty = Connection {
        watcher: db.watch(),
        client: Client::default(),
        whole: Default::default(),
        at: Ts::ZERO,
        current: Default::default(),
    };
    let mut connection = empty;
    connection.reconnect(&db, &queries);
    for step in steps {
        match step {
            Step::Commit(writes) => {
                let writes = writes.into_iter().map(|(path, fields)| match fields {
                    Some(fields) => set(&path, fields),
                    None => delete(&path),
                });
                db.commit(Draft::of(writes.collect())).await.unwrap();
            }
            Step::Read(events) => {
                for _ in 0..events {
                    tokio::select! {
                        biased;
                        event = connection.watcher.next() => connection.take(event),
                        () = tokio::task::yield_now() => break,
                    }
                }
            }
            Step::Reconnect => connection.reconnect(&db, &queries),
        }
    }
    // A last commit that no query can miss, so that the end of the stream is known.
    let marker = Query { limit: None, ..all("marker") };
    connection.watcher.add(99, Target::Query(Box::new(marker)), None, None, false);
    let end = db.commit(Draft::of(vec![set("marker/m", Fields::new())])).await.unwrap().commit_time;
    let ids: Vec<TargetId> = (0..).take(queries.len()).chain([99]).collect();
    loop {
        let event = connection.watcher.next().await;
        let cut = matches!(event, WatchEvent::Snapshot(_));
        connection.take(event);
        let client = &connection.client;
        if cut && client.snapshot >= end && ids.iter().all(|id| client.current.contains(id)) {
            break;
        }
    }
    for (id, query) in (0..).zip(&queries) {
        let mut fresh = names(&db, query).await;
        fresh.sort();
        prop_assert_eq!(connection.client.paths(id), fresh, "{:?}", query);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_client_ends_up_with_what_a_fresh_run_finds(
        steps in proptest::collection::vec(step(), 1..40), queries in queries()
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(run(steps, queries)))?;
    }
}
