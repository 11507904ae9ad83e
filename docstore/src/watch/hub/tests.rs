use std::sync::Weak;

use super::*;
use crate::access::{Caller, OwnSubtree};
use crate::commit::Draft;
use crate::model::{DatabaseId, DocPath, Fields, Precondition, Write, WriteOp};
use crate::store::Store;
use crate::watch::outbox::Taken;

fn viewer(database: DatabaseId) -> Viewer {
    Viewer { database, caller: Caller::Admin, access: Arc::new(OwnSubtree), store: Weak::new() }
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
    let (mut hub, handle) = Hub::new(engine, catalog, Arc::clone(&store.0.clock)).unwrap();
    let op = WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
    let write = Write { path: path(), op, precondition: Precondition::None };
    store.database(&database).commit(Draft::of(vec![write])).await.unwrap();

    let (stream, outbox) = (StreamId::fresh(), Arc::new(Outbox::default()));
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
        let mut stream = Stream::new(Arc::default(), viewer(DatabaseId::new("p", "d")), Ts::ZERO);
        let targets = (0..).zip(targets);
        stream.targets =
            targets.map(|(id, current)| (id, Subscription { view: 0, current, waiting: add(id) })).collect();
        let mut events = Vec::new();
        stream.end_cut(&mut events, at, Ts::ZERO);
        assert_eq!(format!("{events:?}"), end);
    }
}
