//! The invariant of live queries: after any schedule of commits, slow reads and reconnects, what a client holds is what a
//! fresh run of its queries finds; and at every cut it is what they found at that moment.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

#[path = "live/leaving.rs"]
mod leaving;
#[path = "live/quiet.rs"]
mod quiet;
#[path = "live/selecting.rs"]
mod selecting;
#[path = "behaviour/support.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use docstore::clock::{ManualClock, SystemClock};
use docstore::database::Database;
use docstore::model::*;
use docstore::store::MissingIndexes;
use docstore::*;
use proptest::prelude::*;
use support::*;

/// A third of what may wait for one client, in bytes: four such changes are more than it.
const LARGE: usize = 350_000;

/// One step of a schedule.
#[derive(Debug, Clone)]
enum Step {
    Commit(Vec<(String, Option<Fields>)>),
    /// More commits, of large documents, than may wait for a client.
    Flood(i64),
    /// The client reads up to so many events.
    Read(usize),
    /// The client starts or stops watching one of the queries.
    Toggle(prop::sample::Index),
    /// The client's stream breaks; it comes back with what it last had whole.
    Reconnect,
    /// Nothing happens for a minute.
    Quiet,
}

fn step() -> BoxedStrategy<Step> {
    let fields = proptest::collection::btree_map("[ab]", (0i64..4).prop_map(Value::Integer), 0..3);
    let write = ("[a-h]".prop_map(|id| format!("c/{id}")), proptest::option::weighted(0.75, fields)).boxed();
    prop_oneof![
        12 => proptest::collection::vec(write, 1..4).prop_map(Step::Commit),
        1 => (0i64..4).prop_map(Step::Flood),
        6 => (0usize..12).prop_map(Step::Read),
        2 => any::<prop::sample::Index>().prop_map(Step::Toggle),
        2 => Just(Step::Reconnect),
        2 => Just(Step::Quiet),
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
    proptest::collection::vec(query, 1..5).boxed()
}

/// A client's copy of its targets.
#[derive(Debug, Clone, Default)]
struct Kept {
    held: BTreeMap<(TargetId, String), Ts>,
    /// Resume token of each target.
    tokens: BTreeMap<TargetId, Ts>,
}

/// A client as the SDKs are: what comes is kept with the end of its cut, and what was not when the stream breaks is
/// forgotten.
struct Connection {
    watcher: Watcher,
    client: Client,
    /// The tokens as of what has come, whole or not.
    tokens: BTreeMap<TargetId, Ts>,
    /// Targets confirmed by the server.
    added: BTreeSet<TargetId>,
    whole: Kept,
    /// Targets wanted, by their place in the list of queries.
    wanted: BTreeSet<TargetId>,
    /// Documents that left, and whether they are said to exist at that time.
    left: Vec<(DocPath, Ts, bool)>,
}

impl Connection {
    fn new(db: &Database) -> Self {
        let (tokens, added, whole, wanted, left) = Default::default();
        Self { watcher: db.watch(), client: Client::default(), tokens, added, whole, wanted, left }
    }

    /// Takes an event; returns the time of the cut that it ends.
    fn take(&mut self, event: WatchEvent) -> Option<Ts> {
        let mut end = None;
        match &event {
            WatchEvent::Added(id) => {
                self.added.insert(*id);
            }
            WatchEvent::Current(id, ts) => {
                self.tokens.insert(*id, *ts);
            }
            WatchEvent::Reset(id) => {
                self.tokens.remove(id);
            }
            WatchEvent::Removed(id, error) => {
                assert!(error.is_none(), "{id}: {error:?}");
                self.tokens.remove(id);
                self.added.remove(id);
            }
            WatchEvent::Deleted { path, read_time, .. } => self.left.push((path.clone(), *read_time, false)),
            WatchEvent::Gone { path, read_time, .. } => self.left.push((path.clone(), *read_time, true)),
            WatchEvent::Advanced(ids, ts) => self.tokens.extend(ids.iter().map(|id| (*id, *ts))),
            WatchEvent::Interim(ts) => end = Some(*ts),
            WatchEvent::Snapshot(ts) => {
                // As SDKs do: every target that the server has acknowledged is resumed from it.
                self.tokens.extend(self.added.iter().map(|id| (*id, *ts)));
                end = Some(*ts);
            }
            _ => {}
        }
        self.client.take(event);
        if end.is_some() {
            self.whole = Kept { held: self.client.held.clone(), tokens: self.tokens.clone() };
        }
        end
    }

    fn add(&mut self, id: TargetId, query: &Query) {
        let resume = self.tokens.get(&id).copied();
        self.watcher.add(id, Target::Query(Box::new(query.clone())), resume, None, false);
    }

    fn toggle(&mut self, id: TargetId, query: &Query) {
        if self.wanted.insert(id) {
            // A token received before the target's end is dropped with it.
            self.tokens.remove(&id);
            self.add(id, query);
        } else {
            self.wanted.remove(&id);
            self.tokens.remove(&id);
            self.whole.tokens.remove(&id);
            self.watcher.remove(id);
        }
    }

    fn reconnect(&mut self, db: &Database, queries: &[Query]) {
        self.watcher = db.watch();
        let wanted = &self.wanted;
        self.whole.held.retain(|(id, _), _| wanted.contains(id));
        self.whole.tokens.retain(|id, _| wanted.contains(id));
        let Kept { held, tokens } = self.whole.clone();
        // Of a target without a token nothing was kept.
        self.client.held = held.into_iter().filter(|((id, _), _)| tokens.contains_key(id)).collect();
        self.client.current.clear();
        self.client.snapshot = Ts::ZERO;
        self.added.clear();
        self.tokens = tokens;
        for (id, query) in (0..).zip(queries).filter(|(id, _)| self.wanted.contains(id)).collect::<Vec<_>>() {
            self.add(id, query);
        }
    }

    /// At the end of a cut, whatever is current is what the query found at that time, and what left exists if it is said
    /// to.
    async fn check(&mut self, db: &Database, queries: &[Query], at: Ts) -> Result<(), TestCaseError> {
        for (path, read_time, exists) in self.left.drain(..) {
            let found = db.get(std::slice::from_ref(&path), Some(read_time)).await.unwrap().value;
            prop_assert_eq!(found[0].is_some(), exists, "{} at {}", path, read_time);
        }
        for (id, query) in (0..).zip(queries).filter(|(id, _)| self.client.current.contains(id)) {
            let found = db.run(query, Some(at)).await.unwrap().documents;
            let found: BTreeMap<String, Ts> =
                found.into_iter().map(|found| (found.path.to_string(), found.update_time)).collect();
            let held = self.client.held.iter().filter(|((target, _), _)| *target == id);
            let held: BTreeMap<String, Ts> = held.map(|((_, path), ts)| (path.clone(), *ts)).collect();
            prop_assert_eq!(held, found, "target {} at {}: {:?}", id, at, query);
        }
        Ok(())
    }
}

/// A store whose clock stands.
async fn standing_store() -> (Arc<ManualClock>, Store) {
    standing_store_on(EngineOptions::Memory).await
}

async fn standing_store_on(engine: EngineOptions) -> (Arc<ManualClock>, Store) {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    let options = StoreOptions { engine, clock: clock.clone(), limits: Limits::default() };
    (clock, Store::open(options).await.unwrap())
}

async fn run(engine: EngineOptions, steps: Vec<Step>, queries: Vec<Query>) -> Result<(), TestCaseError> {
    let (clock, store) = standing_store_on(engine).await;
    let db = database(&store);
    let mut connection = Connection::new(&db);
    connection.toggle(0, &queries[0]);
    for step in steps {
        match step {
            Step::Commit(writes) => {
                let writes = writes.into_iter().map(|(path, fields)| match fields {
                    Some(fields) => set(&path, fields),
                    None => delete(&path),
                });
                db.commit(Draft::of(writes.collect())).await.unwrap();
            }
            Step::Flood(n) => {
                for id in ["a", "c", "e", "g", "h"] {
                    let large = Value::String("x".repeat(LARGE));
                    put(&db, &format!("c/{id}"), [("a", int(n)), ("b", int(3 - n)), ("large", large)]).await;
                }
            }
            Step::Read(events) => {
                for _ in 0..events {
                    let event = tokio::select! {
                        biased;
                        event = connection.watcher.next() => event,
                        () = tokio::task::yield_now() => break,
                    };
                    if let Some(at) = connection.take(event) {
                        connection.check(&db, &queries, at).await?;
                    }
                }
            }
            Step::Toggle(which) => {
                let which = which.index(queries.len());
                connection.toggle(TargetId::try_from(which).unwrap(), &queries[which]);
            }
            Step::Reconnect => connection.reconnect(&db, &queries),
            Step::Quiet => {
                clock.advance(Duration::from_secs(60));
                tokio::time::advance(Duration::from_secs(60)).await;
            }
        }
    }
    // A last commit that no query can miss, so that the end of the stream is known.
    let marker = Query { limit: None, ..all("marker") };
    connection.add(99, &marker);
    let end = db.commit(Draft::of(vec![set("marker/m", Fields::new())])).await.unwrap().commit_time;
    let wanted: Vec<TargetId> = connection.wanted.iter().copied().chain([99]).collect();
    loop {
        let event = connection.watcher.next().await;
        let Some(at) = connection.take(event) else { continue };
        connection.check(&db, &queries, at).await?;
        if at >= end && wanted.iter().all(|id| connection.client.current.contains(id)) {
            break;
        }
    }
    for (id, query) in (0..).zip(&queries).filter(|(id, _)| connection.wanted.contains(id)) {
        let mut fresh = names(&db, query).await;
        fresh.sort();
        prop_assert_eq!(connection.client.paths(id), fresh, "{:?}", query);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn a_client_ends_up_with_what_a_fresh_run_finds(
        steps in proptest::collection::vec(step(), 1..40), queries in queries()
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(Box::pin(run(EngineOptions::Memory, steps, queries)))?;
    }
}

#[cfg(feature = "testing")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_client_of_a_shared_log_ends_up_with_what_a_fresh_run_finds(
        steps in proptest::collection::vec(step(), 1..40), queries in queries()
    ) {
        use docstore::engine::shared::{ClusterId, MemoryLog};
        // Its timers run beside the committer's thread, so time cannot be simulated.
        let steps: Vec<_> = steps.into_iter().filter(|step| !matches!(step, Step::Quiet)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let engine = shared_log(&MemoryLog::new(ClusterId(1)), folder.path());
        runtime.block_on(Box::pin(run(engine, steps, queries)))?;
    }
}

/// A client that has fallen far behind loses nothing by asking for another target, and no cut that it sees on the way
/// claims what it has not been told.
#[tokio::test]
async fn a_lagging_client_may_add_targets() {
    let store = Store::in_memory().await.unwrap();
    let db = database(&store);
    let query = all("c");
    put(&db, "c/a", [("n", int(0))]).await;
    let mut connection = Connection::new(&db);
    connection.toggle(0, &query);
    connection.client.follow(&mut connection.watcher, Ts::ZERO, &[0]).await;
    let queries = [query, all("d")];
    // One cut larger than the bounds, then more of them, and a target between.
    let many = |n: i64| Draft::of((0..1_200).map(|at| increment(&format!("c/{at}"), "n", n)).collect());
    let mut second = db.watch();
    for n in 0..3 {
        db.commit(many(n)).await.unwrap();
        // The hub takes commits in before messages: when this stream has its answer, that one has its news.
        let id = TargetId::try_from(n).unwrap();
        second.add(id, Target::Query(Box::new(all("e"))), None, None, false);
        while !matches!(second.next().await, WatchEvent::Current(current, _) if current == id) {}
        if n == 0 {
            connection.toggle(1, &queries[1]);
        }
    }
    let end = put(&db, "d/a", []).await.commit_time;
    loop {
        let event = connection.watcher.next().await;
        let Some(at) = connection.take(event) else { continue };
        connection.check(&db, &queries, at).await.unwrap();
        if at >= end && connection.client.current.contains(&1) {
            break;
        }
    }
    assert_eq!(connection.client.paths(0).len(), 1_201);
    assert_eq!(connection.client.paths(1), ["d/a"]);
}

/// A live query has the index built that it lacks, or is refused where that is asked for.
#[tokio::test]
async fn a_live_query_wants_its_index_as_any_query_does() {
    let query = Query {
        filter: Some(filter("a", FieldOp::Equal, int(1))),
        order_by: vec![order("b", Direction::Descending)],
        ..all("c")
    };
    for missing_indexes in [MissingIndexes::Learn, MissingIndexes::Refuse] {
        let limits = Limits { missing_indexes, ..Limits::default() };
        let options = StoreOptions { engine: EngineOptions::Memory, clock: Arc::new(SystemClock), limits };
        let store = Store::open(options).await.unwrap();
        let db = database(&store);
        put(&db, "c/a", [("a", int(1)), ("b", int(2))]).await;
        let mut watcher = db.watch();
        watcher.add(1, Target::Query(Box::new(query.clone())), None, None, false);
        match (missing_indexes, watcher.next().await) {
            (MissingIndexes::Learn, WatchEvent::Added(1)) => {
                db.settle_indexes().await;
                assert_eq!(db.indexes().len(), 1);
            }
            (MissingIndexes::Refuse, WatchEvent::Removed(1, Some(error))) => {
                assert_eq!((error.code(), error.tag()), (Code::FailedPrecondition, "MissingIndex"));
                assert!(db.indexes().is_empty());
            }
            (_, event) => panic!("{event:?}"),
        }
    }
}

/// A cut is told with a time just after its newest commit, and clients drop a change that is not later than the cut they
/// know: a commit leaves room for it, also while the clock stands.
#[tokio::test]
async fn commits_leave_room_for_the_cut_between_them() {
    let (_clock, store) = standing_store().await;
    let db = database(&store);
    let mut last = put(&db, "c/a", [("n", int(0))]).await.commit_time;
    for n in 1..5 {
        let drafts = (0..3).map(|at| db.commit(Draft::of(vec![increment(&format!("c/{at}"), "n", n)])));
        for committed in futures::future::join_all(drafts).await {
            let at = committed.unwrap().commit_time;
            assert!(at > last.next(), "{at:?} follows {last:?}");
            last = at;
        }
    }
}
