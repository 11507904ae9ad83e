use std::sync::Weak;

use super::*;
use crate::access::{Caller, OwnSubtree};
use crate::commit::Draft;
use crate::model::{DatabaseId, DocPath, Fields, Precondition, Write, WriteOp};
use crate::store::Store;
use crate::watch::outbox::Taken;

/// Commits come first, and are followed in the same turn by what was asked for before it: with commits that never cease,
/// every turn has some.
#[tokio::test]
async fn a_turn_of_commits_serves_what_was_asked_for_before_it() {
    let store = Store::in_memory().await.unwrap();
    let database = DatabaseId::new("p", "d");
    let (engine, catalog) = (Arc::clone(&store.0.engine), store.0.catalog.clone());
    let (mut hub, handle) = Hub::new(engine, catalog, Arc::clone(&store.0.clock)).unwrap();
    let path = DocPath::parse("c/a").unwrap();
    let op = WriteOp::Set { fields: Fields::new(), transforms: Vec::new() };
    let write = Write { path: path.clone(), op, precondition: Precondition::None };
    store.database(&database).commit(Draft::of(vec![write])).await.unwrap();

    let (stream, outbox) = (StreamId::fresh(), Arc::new(Outbox::default()));
    let viewer = Viewer { database, caller: Caller::Admin, access: Arc::new(OwnSubtree), store: Weak::new() };
    handle.send(Message::Open { stream, outbox: Arc::clone(&outbox), viewer });
    let target = Target::Documents(vec![path]);
    let add = Add { id: 1, target, resume: None, expected_count: None, once: false };
    handle.send(Message::Add { stream, add });
    hub.turn().await.unwrap();
    assert!(!outbox.is_empty(), "what was asked for is served");
    let Taken::Cut(cut) = outbox.take().await else { panic!("nothing was dropped") };
    assert_eq!(format!("{:?}", cut.into_events().collect::<Vec<_>>()), "[Added(1)]");
    assert_eq!(hub.position, *hub.engine.visible().borrow());
}
