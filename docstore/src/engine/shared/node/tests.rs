//! The engine on a log in memory: starts, lost copies, takeovers, rewritten histories, folds, and crashes anywhere.

mod crashes;

use std::sync::Arc;
use std::time::Duration;

use super::super::{BatchId, ClusterId, MemoryConnection, MemoryLog, Network, NodeId, SharedLog as _};
use super::*;
use crate::clock::ManualClock;
use crate::encoding::codec::decode_document;
use crate::encoding::key::{KeyRange, doc_key, docs_prefix, read_doc_key};
use crate::engine::{Change, Commit};
use crate::index;
use crate::model::{DocPath, Fields, Value};

/// A log, a folder and a clock, for any number of nodes one after another.
struct World {
    log: MemoryLog,
    clock: Arc<ManualClock>,
    folder: tempfile::TempDir,
    nodes: u128,
}

impl World {
    fn new() -> Self {
        Self {
            log: MemoryLog::new(ClusterId(1)),
            clock: Arc::new(ManualClock::new(Ts::from_micros(1_000_000))),
            folder: tempfile::tempdir().unwrap(),
            nodes: 0,
        }
    }

    fn options(&mut self, network: Network, seed: u64) -> (SharedOptions, MemoryConnection) {
        self.nodes += 1;
        let connection = self.log.connect(NodeId(self.nodes), network, seed);
        let options = SharedOptions {
            log: AnyLog::new(connection.clone()),
            node: NodeId(self.nodes),
            folder: self.folder.path().join("cache"),
            view: ViewEngine::Fjall,
            cache: 1 << 20,
            history: 1 << 20,
            keep_log: Duration::ZERO,
            clock: Arc::clone(&self.clock) as SharedClock,
            entries,
        };
        (options, connection)
    }

    /// A node that leads.
    async fn start(&mut self) -> (SharedEngine, Term, MemoryConnection) {
        let (options, connection) = self.options(Network::default(), 0);
        let engine = SharedEngine::open(options).await.unwrap();
        let term = engine.lead().await.unwrap();
        (engine, term, connection)
    }

    fn lose_copy(&self) {
        std::fs::remove_dir_all(self.folder.path().join("cache")).unwrap();
    }
}

/// Entries without numbered indexes.
fn entries(_: &[Document]) -> EntriesOf {
    Box::new(index::field_entries)
}

const DATABASE: DbNo = DbNo(1);

fn path(name: &str) -> DocPath {
    DocPath::parse(&format!("c/{name}")).unwrap()
}

/// Sets or removes a document after everything visible.
async fn write(engine: &SharedEngine, term: Term, name: &str, value: Option<i64>) -> Result<Ts> {
    let last = *engine.visible().borrow();
    let key = doc_key(DATABASE, &path(name));
    let old = engine.node.copy.get(&[key], last).await?.pop().flatten();
    let old = old.map(|bytes| Arc::new(decode_document(&path(name), &bytes).unwrap()));
    let ts = engine.node.clock.now().max(last.next().next());
    let new = value.map(|value| {
        let create_time = old.as_ref().map_or(ts, |old| old.create_time);
        let fields = Fields::from([("n".to_owned(), Value::Integer(value))]);
        Arc::new(Document { path: path(name), fields, create_time, update_time: ts })
    });
    let change = Change { database: DATABASE, path: path(name), old, new };
    let mut puts = Vec::new();
    index::puts(&change, &[], &mut puts).unwrap();
    let commit = Commit::new(last, ts, vec![change], None, puts);
    engine.append(term, vec![Arc::new(commit)]).await.map(|()| ts)
}

/// Everything that readers see in the database, index entries too.
async fn contents(engine: &SharedEngine) -> Vec<(Key, Stored)> {
    let at = *engine.visible().borrow();
    let range = KeyRange { start: vec![0, 0, 0, 1], end: vec![0, 0, 0, 2] };
    engine.node.copy.scan(&Scan::all(&range, at)).await.unwrap().entries
}

/// The numbers of the documents, by name.
async fn numbers(engine: &SharedEngine) -> Vec<(String, i64)> {
    let at = *engine.visible().borrow();
    let range = KeyRange::prefix(&docs_prefix(DATABASE));
    let page = engine.node.copy.scan(&Scan::all(&range, at)).await.unwrap();
    let number = |(key, value): &(Key, Stored)| {
        let path = read_doc_key(key).unwrap();
        let document = decode_document(&path, value).unwrap();
        let Value::Integer(number) = document.fields["n"] else { panic!("{document:?}") };
        (path.id().to_owned(), number)
    };
    page.entries.iter().map(number).collect()
}

fn pairs(list: &[(&str, i64)]) -> Vec<(String, i64)> {
    list.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_copy_is_taken_up_or_made_anew_with_the_same_contents() {
    let mut world = World::new();
    let (engine, term, _) = world.start().await;
    for n in 0..20 {
        write(&engine, term, &format!("d{}", n % 7), (n % 5 != 4).then_some(n)).await.unwrap();
    }
    engine.fold().await.unwrap();
    for n in 20..30 {
        write(&engine, term, &format!("d{}", n % 7), (n % 5 != 4).then_some(n)).await.unwrap();
    }
    let expected = contents(&engine).await;
    engine.close().await;
    drop(engine);
    // From the copy, then from base and log, then from what is left of a damaged copy.
    for lost in [false, true] {
        if lost {
            world.lose_copy();
        }
        let (engine, ..) = world.start().await;
        assert_eq!(contents(&engine).await, expected, "lost: {lost}");
        engine.close().await;
    }
    for part in ["CHECKPOINT", "log", "fjall", "FORMAT"] {
        let part = world.folder.path().join("cache").join(part);
        if part.is_dir() { std::fs::remove_dir_all(part) } else { std::fs::remove_file(part) }.unwrap();
        let (engine, ..) = world.start().await;
        assert_eq!(contents(&engine).await, expected);
        engine.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn commits_of_a_copy_are_there_for_readers_of_the_log() {
    let mut world = World::new();
    let (engine, term, _) = world.start().await;
    let first = write(&engine, term, "a", Some(1)).await.unwrap();
    write(&engine, term, "a", Some(2)).await.unwrap();
    write(&engine, term, "a", None).await.unwrap();
    engine.close().await;
    drop(engine);
    for lost in [false, true] {
        if lost {
            world.lose_copy();
        }
        let (engine, ..) = world.start().await;
        let commits = engine.log(first).unwrap().available().unwrap();
        let number =
            |document: &Option<Arc<Document>>| document.as_ref().map(|document| document.fields["n"].clone());
        let changes = commits.iter().flat_map(|commit| &commit.changes);
        let found: Vec<_> = changes.map(|change| (number(&change.old), number(&change.new))).collect();
        let (one, two) = (Some(Value::Integer(1)), Some(Value::Integer(2)));
        assert_eq!(found, [(one, two.clone()), (two, None)], "lost: {lost}");
        engine.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_folder_with_documents_of_its_own_is_left_alone() {
    let mut world = World::new();
    let (options, _) = world.options(Network::default(), 0);
    drop(DiskEngine::open(&options.disk()).unwrap());
    let error = SharedEngine::open(options.clone()).await.unwrap_err();
    assert_eq!(error.tag(), "FolderNotCopy");
    assert!(error.message().contains("name another folder"), "{error}");
    drop(DiskEngine::open(&options.disk()).unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_copy_of_another_store_is_refused() {
    let mut world = World::new();
    let (engine, term, _) = world.start().await;
    write(&engine, term, "a", Some(1)).await.unwrap();
    engine.close().await;
    drop(engine);
    let (options, _) = world.options(Network::default(), 0);
    assert_eq!(cluster_of_copy(&options.folder), Some(ClusterId(1)));
    let first = std::mem::replace(&mut world.log, MemoryLog::new(ClusterId(2)));
    let (options, _) = world.options(Network::default(), 0);
    let error = SharedEngine::open(options).await.unwrap_err();
    assert_eq!(error.tag(), "OtherCluster");
    assert!(error.message().contains("give the right address"), "{error}");
    world.log = first;
    let (engine, ..) = world.start().await;
    assert_eq!(numbers(&engine).await, pairs(&[("a", 1)]));
}

#[tokio::test(start_paused = true)]
async fn a_second_node_is_refused_while_the_first_lives_and_takes_over_when_it_does_not() {
    let mut world = World::new();
    let (first, term, connection) = world.start().await;
    write(&first, term, "a", Some(1)).await.unwrap();
    let mut other =
        World { folder: tempfile::tempdir().unwrap(), log: world.log.clone(), nodes: 10, ..World::new() };
    let (options, _) = other.options(Network::default(), 0);
    let error = SharedEngine::open(options).await.unwrap().lead().await.unwrap_err();
    assert_eq!((error.code(), error.tag()), (crate::Code::FailedPrecondition, "AnotherLeads"));

    connection.pause(true);
    let begun = tokio::time::Instant::now();
    let (second, later, _) = other.start().await;
    assert!(begun.elapsed() >= TAKE_OVER_AFTER);
    write(&second, later, "b", Some(2)).await.unwrap();
    connection.pause(false);
    // Reads of the first are refused before it even hears of the second.
    assert_eq!(first.refusal().unwrap().tag(), "StoreAway");
    let refused = write(&first, term, "c", Some(3)).await.unwrap_err();
    assert!(["Fenced", "NotLeading"].contains(&refused.tag()), "{refused}");
    let refused = first.get(&[doc_key(DATABASE, &path("a"))], *first.visible().borrow()).await.unwrap_err();
    assert_eq!((refused.tag(), first.refusal().unwrap().tag()), ("NotLeading", "NotLeading"));
    assert!(refused.message().contains("another node has taken over"), "{refused}");
    assert_eq!(numbers(&second).await, pairs(&[("a", 1), ("b", 2)]));
    second.close().await;
    // Nobody leads now: the next one need not wait.
    drop(first);
    let begun = tokio::time::Instant::now();
    let (third, ..) = world.start().await;
    assert!(begun.elapsed() < TAKE_OVER_AFTER);
    assert_eq!(numbers(&third).await, pairs(&[("a", 1), ("b", 2)]));
}

#[tokio::test(start_paused = true)]
async fn a_rewritten_history_stops_the_leader_and_empties_the_copy() {
    let mut world = World::new();
    let (engine, term, _) = world.start().await;
    write(&engine, term, "a", Some(1)).await.unwrap();
    let standby = world.log.standby();
    write(&engine, term, "b", Some(2)).await.unwrap();
    world.log.promote(standby);
    let mut standing = engine.node.standing.subscribe();
    standing.wait_for(|standing| matches!(standing, Standing::Left(_))).await.unwrap();
    assert!(engine.refusal().unwrap().message().contains("has lost commits"), "{:?}", engine.refusal());
    drop(engine);
    let (engine, term, _) = world.start().await;
    assert_eq!(numbers(&engine).await, pairs(&[("a", 1)]));
    write(&engine, term, "c", Some(3)).await.unwrap();
    assert_eq!(numbers(&engine).await, pairs(&[("a", 1), ("c", 3)]));
}

#[tokio::test(start_paused = true)]
async fn folding_moves_the_base_and_trims_the_log() {
    let mut world = World::new();
    let (engine, term, connection) = world.start().await;
    let first = connection.head().await.unwrap().position;
    for n in 0..50 {
        write(&engine, term, &format!("d{}", n % 3), Some(n)).await.unwrap();
    }
    write(&engine, term, "d0", None).await.unwrap();
    world.clock.advance(Duration::from_secs(1));
    engine.fold().await.unwrap();
    let head = connection.head().await.unwrap();
    assert_eq!(head.folded, head.position);
    assert_eq!(connection.read(first, 1).await.unwrap_err().tag(), "LogTruncated");
    // The tasks do it by themselves, too.
    write(&engine, term, "d1", Some(100)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(70)).await;
    assert_eq!(connection.head().await.unwrap().folded, connection.head().await.unwrap().position);
    let expected = contents(&engine).await;
    engine.close().await;
    drop(engine);
    world.lose_copy();
    let (engine, ..) = world.start().await;
    assert_eq!(contents(&engine).await, expected);
    assert_eq!(numbers(&engine).await, pairs(&[("d1", 100), ("d2", 47)]));
}

#[tokio::test(start_paused = true)]
async fn reads_and_writes_wait_for_a_log_that_comes_back() {
    let mut world = World::new();
    let (engine, term, connection) = world.start().await;
    connection.cut(true);
    tokio::time::sleep(LEASE).await;
    assert_eq!(engine.refusal().unwrap().tag(), "StoreAway");
    let back = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        connection.cut(false);
    };
    let key = [doc_key(DATABASE, &path("a"))];
    let at = *engine.visible().borrow();
    let (written, read, ()) = tokio::join!(write(&engine, term, "a", Some(1)), engine.get(&key, at), back);
    written.unwrap();
    read.unwrap();
    assert!(engine.refusal().is_none());
    // And fail when it stays away.
    connection.cut(true);
    assert_eq!(write(&engine, term, "a", Some(2)).await.unwrap_err().code(), crate::Code::Unavailable);
    assert_eq!(engine.get(&key, at).await.unwrap_err().tag(), "StoreAway");
    connection.cut(false);
    write(&engine, term, "a", Some(3)).await.unwrap();
    assert_eq!(numbers(&engine).await, pairs(&[("a", 3)]));
}

#[tokio::test(start_paused = true)]
async fn the_copy_notices_a_batch_of_a_newer_program() {
    let mut world = World::new();
    let (engine, term, connection) = world.start().await;
    engine.close().await;
    drop((engine, term));
    let head = connection.head().await.unwrap();
    let prev = head.position;
    let position = Position { ts: prev.ts.next().next(), batch: BatchId(5) };
    let batch = super::super::NewBatch { position, prev, payload: bytes::Bytes::from_static(&[9, 0]) };
    connection.append(head.term, batch).await.unwrap();
    let (options, _) = world.options(Network::default(), 0);
    let error = SharedEngine::open(options).await.unwrap_err();
    assert_eq!(error.tag(), "BatchVersion");
}

#[tokio::test(start_paused = true)]
async fn a_commit_waits_only_so_long_and_the_log_settles_it_later() {
    for arrives in [false, true] {
        let mut world = World::new();
        let (engine, term, connection) = world.start().await;
        write(&engine, term, "a", Some(1)).await.unwrap();
        let patience = Duration::from_millis(500);
        connection.set_network(if arrives {
            Network { patience, lost_replies: 1_000, ..Network::default() }
        } else {
            Network { patience, latency: Duration::from_millis(400), ..Network::default() }
        });
        let begun = tokio::time::Instant::now();
        let cut = async {
            tokio::task::yield_now().await;
            connection.cut(true);
        };
        let (written, ()) = tokio::join!(write(&engine, term, "b", Some(2)), cut);
        let error = written.unwrap_err();
        assert_eq!((error.code(), error.tag()), (crate::Code::DeadlineExceeded, "OutcomeLater"), "{arrives}");
        assert!(begun.elapsed() < MAX_WAIT * 2);
        // Nothing is decided on top of what nobody knows, and nothing waits for it without end.
        let refused = write(&engine, term, "c", Some(3)).await.unwrap_err();
        assert_eq!((refused.code(), refused.tag()), (crate::Code::Unavailable, "StoreAway"));
        connection.set_network(Network::default());
        connection.cut(false);
        let mut standing = engine.node.standing.subscribe();
        standing.wait_for(|_| engine.refusal().is_none()).await.unwrap();
        let expected = if arrives { pairs(&[("a", 1), ("b", 2)]) } else { pairs(&[("a", 1)]) };
        assert_eq!(numbers(&engine).await, expected);
        write(&engine, term, "c", Some(3)).await.unwrap();
        engine.close().await;
        drop(engine);
        world.lose_copy();
        let (engine, ..) = world.start().await;
        assert_eq!(numbers(&engine).await, [expected, pairs(&[("c", 3)])].concat());
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_without_its_log_ends_all_the_same() {
    let mut world = World::new();
    let (engine, term, connection) = world.start().await;
    connection.set_network(Network {
        patience: Duration::from_millis(50),
        lost_replies: 1_000,
        ..Network::default()
    });
    let error = write(&engine, term, "a", Some(1)).await.unwrap_err();
    assert_eq!(error.tag(), "OutcomeLater");
    engine.close().await;
    drop(engine);
    // The log has the outcome of the commit.
    let (engine, ..) = world.start().await;
    assert_eq!(numbers(&engine).await, pairs(&[("a", 1)]));
}
