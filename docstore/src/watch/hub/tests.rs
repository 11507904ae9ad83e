use std::sync::Weak;
use std::time::Duration;

use super::stream::Subscription;
use super::*;
use crate::access::{Caller, OwnSubtree};
use crate::commit::Draft;
use crate::model::{DatabaseId, DocPath, Fields, Precondition, Query, Source, Value, Write, WriteOp};
use crate::store::Store;
use crate::watch::outbox::Taken;
use crate::watch::{LIVE_BYTES_OF_ONE, STREAM_BYTES, WatchEvent};

fn viewer(database: DatabaseId) -> Viewer {
    Viewer { database, caller: Caller::Admin, access: Arc::new(OwnSubtree) }
}

fn limits() -> LiveLimits {
    LiveLimits { of_one: LIVE_BYTES_OF_ONE, buffers: Budget::new(STREAM_BYTES) }
}

/// The parts of `store` that a hub shares; no indexes are built.
fn shared(store: &Store, limits: LiveLimits) -> LiveQueries {
    LiveQueries {
        indexer: Weak::new(),
        queries: store.0.queries.clone(),
        limits,
        slow: Arc::clone(&store.0.slow),
    }
}

fn path() -> DocPath {
    DocPath::parse("c/a").unwrap()
}

fn add(id: TargetId) -> Add {
    let target = Target::Documents(vec![path()]);
    Add { id, target, resume: None, expected_count: None, once: false }
}

/// Commits come first, and are followed in the same turn by what was asked for before it: with commits that never cease,
/// every turn has some.
#[tokio::test]
async fn a_turn_of_commits_serves_what_was_asked_for_before_it() {
    let store = Store::in_memory().await.unwrap();
    let database = DatabaseId::new("p", "d");
    let (engine, catalog) = (Arc::clone(&store.0.engine), store.0.catalog.clone());
    let (mut hub, handle) =
        Hub::new(engine, catalog, Arc::clone(&store.0.clock), shared(&store, limits())).unwrap();
    let op = WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
    let write = Write { path: path(), op, precondition: Precondition::None };
    store.database(&database).commit(Draft::of(vec![write])).await.unwrap();

    let (stream, outbox) = (StreamId::fresh(), Arc::new(Outbox::new(&limits().buffers)));
    handle.send(Message::Open { stream, outbox: Arc::clone(&outbox), viewer: viewer(database) });
    handle.send(Message::Add { stream, add: add(1) });
    hub.turn().await.unwrap();
    assert!(!outbox.is_empty(), "what was asked for is served");
    let Taken::Cut(cut) = outbox.take().await else { panic!("nothing was dropped") };
    assert_eq!(format!("{:?}", cut.into_events().collect::<Vec<_>>()), "[Added(1)]");
    assert_eq!(hub.position, *hub.engine.visible().borrow());
}

/// A client is given a token for what it was shown, and none for what it waits for.
#[test]
fn the_end_of_a_cut_is_a_token_for_what_is_current() {
    let at = Ts::from_micros(7);
    let ends = [
        (vec![], "[Snapshot(Ts(7))]"),
        (vec![Some(at), Some(at)], "[Snapshot(Ts(7))]"),
        (vec![Some(at), None, Some(at)], "[Advanced([0, 2], Ts(7)), Interim(Ts(7))]"),
        // A token for no target in particular would be one for all of them.
        (vec![None], "[Interim(Ts(7))]"),
    ];
    for (targets, end) in ends {
        let mut stream = Stream::new(
            Arc::new(Outbox::new(&limits().buffers)),
            viewer(DatabaseId::new("p", "d")),
            Ts::ZERO,
        );
        let targets = (0..).zip(targets);
        stream.targets =
            targets.map(|(id, current)| (id, Subscription { live: 0, current, waiting: add(id) })).collect();
        let mut events = Vec::new();
        stream.end_cut(&mut events, at, Ts::ZERO);
        assert_eq!(format!("{events:?}"), end);
    }
}

/// A store with so many documents in a collection, and a hub on it with these limits.
async fn many(documents: usize, limits: LiveLimits) -> (Store, DatabaseId, Hub, HubHandle) {
    let store = Store::in_memory().await.unwrap();
    let database = DatabaseId::new("p", "d");
    let fields = || Fields::from([("text".to_owned(), Value::String("x".repeat(200)))]);
    let write = |n: usize| Write {
        path: DocPath::parse(&format!("c/{n}")).unwrap(),
        op: WriteOp::Set { fields: fields(), transforms: Vec::new() },
        precondition: Precondition::None,
    };
    store.database(&database).commit(Draft::of((0..documents).map(write).collect())).await.unwrap();
    let (engine, catalog) = (Arc::clone(&store.0.engine), store.0.catalog.clone());
    let (hub, handle) =
        Hub::new(engine, catalog, Arc::clone(&store.0.clock), shared(&store, limits)).unwrap();
    (store, database, hub, handle)
}

/// All documents, or so many of them at most.
fn listing(id: TargetId, limit: Option<u32>) -> Add {
    let from = Source { collection: Some("c".to_owned()), all_descendants: false };
    let target = Target::Query(Box::new(Query { limit, ..Query::all(None, from) }));
    Add { id, target, resume: None, expected_count: None, once: false }
}

/// Lets the hub do all there is to do.
async fn settle(hub: &mut Hub) {
    while !hub.messages.is_empty() || hub.live_results.values().any(|shared| shared.loading.is_some()) {
        hub.turn().await.unwrap();
    }
}

fn open(handle: &HubHandle, database: &DatabaseId, caller: Caller) -> (StreamId, Arc<Outbox>) {
    let (stream, outbox) = (StreamId::fresh(), Arc::new(Outbox::new(handle.buffers())));
    let viewer = Viewer { caller, access: Arc::new(Anything), ..viewer(database.clone()) };
    handle.send(Message::Open { stream, outbox: Arc::clone(&outbox), viewer });
    (stream, outbox)
}

/// Everybody may do all.
#[derive(Debug)]
struct Anything;

impl crate::access::Access for Anything {
    fn decide(&self, _: &crate::access::Request<'_>) -> crate::access::Decision {
        crate::access::Decision::Allow
    }
}

/// Twenty streams with twenty targets each, which nobody reads.
#[tokio::test]
async fn first_results_are_made_as_they_are_read() {
    const DOCUMENTS: usize = 500;
    let (_store, database, mut hub, handle) = many(DOCUMENTS, limits()).await;
    let streams: Vec<_> = (0..20).map(|_| open(&handle, &database, Caller::Anonymous)).collect();
    for (stream, _) in &streams {
        (1..=20).for_each(|id| handle.send(Message::Add { stream: *stream, add: listing(id, None) }));
    }
    settle(&mut hub).await;
    let cut = DOCUMENTS * 256;
    let held: usize = streams.iter().map(|(_, outbox)| outbox.held()).sum();
    assert!(held <= streams.len() * (64 * 1024 + cut), "{held} bytes");
    // A client that reads gets one target after the other, and is current in all at the end.
    let (stream, outbox) = &streams[0];
    let (mut current, mut last) = (0, None);
    while current < 20 {
        match outbox.take().await {
            Taken::Cut(cut) => {
                assert!(outbox.held() <= 64 * 1024 + 2 * DOCUMENTS * 256);
                for event in cut.into_events() {
                    current += usize::from(matches!(event, WatchEvent::Current(..)));
                    last = Some(event);
                }
            }
            Taken::Due => {
                handle.send(Message::Due { stream: *stream });
                settle(&mut hub).await;
            }
            Taken::Lagging => panic!("nothing was dropped"),
        }
    }
    assert!(matches!(last, Some(WatchEvent::Snapshot(_))), "{last:?}");
    for (stream, _) in streams {
        handle.send(Message::Close { stream });
    }
    settle(&mut hub).await;
    assert_eq!((hub.held.all(), handle.buffers().taken()), (0, 0));
}

/// Queries that are all different have results of their own.
#[tokio::test]
async fn one_callers_live_queries_hold_so_much() {
    const OF_ONE: usize = 2_000_000;
    let limits = LiveLimits { of_one: OF_ONE, ..limits() };
    let (_store, database, mut hub, handle) = many(500, limits).await;
    let user = |uid: &str| {
        let token = serde_json::Value::Null;
        open(&handle, &database, Caller::User(crate::access::Auth { uid: uid.to_owned(), token }))
    };
    let (attacker, outbox) = user("a");
    (1..=20).for_each(|id| {
        let add = listing(id, Some(400 + u32::try_from(id).unwrap()));
        handle.send(Message::Add { stream: attacker, add });
    });
    let (other, _) = user("b");
    handle.send(Message::Add { stream: other, add: listing(1, None) });
    settle(&mut hub).await;
    let left = hub.streams[&attacker].targets.len();
    assert!((1..20).contains(&left), "{left} targets are left");
    assert!(hub.held.all() <= 2 * OF_ONE, "{} bytes", hub.held.all());
    assert_eq!(hub.streams[&other].targets.len(), 1, "others have their own");
    let mut refused = 0;
    while refused < 20 - left {
        let Taken::Cut(cut) = outbox.take().await else { break };
        let is_refused = |event: &WatchEvent| matches!(event, WatchEvent::Removed(_, Some(error)) if error.tag() == "LiveResults");
        refused += cut.into_events().filter(is_refused).count();
    }
    assert_eq!(refused, 20 - left);
}

#[tokio::test]
async fn who_does_not_read_is_cut_off_where_all_hold_too_much() {
    let limits = LiveLimits { buffers: Budget::new(100_000), ..limits() };
    let (_store, database, mut hub, handle) = many(500, limits).await;
    let streams: Vec<_> = (0..3).map(|_| open(&handle, &database, Caller::Anonymous)).collect();
    for (stream, _) in &streams {
        handle.send(Message::Add { stream: *stream, add: listing(1, None) });
    }
    settle(&mut hub).await;
    assert!(handle.buffers().is_full());
    let start = Ts::from_micros(1 << 50);
    let later = |by: Duration| Ts::from_micros(start.micros() + u64::try_from(by.as_micros()).unwrap());
    streams.iter().for_each(|(_, outbox)| outbox.note_read());
    hub.relieve(start);
    // The last one goes on reading.
    streams[2].1.note_read();
    hub.relieve(later(stream::STALLED / 2));
    assert!(handle.buffers().is_full(), "there is time to read");
    hub.relieve(later(stream::STALLED));
    let held: Vec<bool> = streams.iter().map(|(_, outbox)| outbox.held() > 0).collect();
    assert_eq!(held, [false, false, true]);
    // Those are told to end.
    tokio::join!(streams[0].1.is_cut_off(), streams[1].1.is_cut_off());
}
