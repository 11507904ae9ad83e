//! Streams on which nothing happens, for long. tokio's clock is paused: whenever everybody waits, it jumps to the next
//! thing that is due.

use std::time::Duration;

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

async fn standing() -> (Arc<ManualClock>, Database) {
    let (clock, store) = standing_store().await;
    (clock, database(&store))
}

/// The log forgets what a quiet listener last heard of a change; what it last heard at all is remembered.
#[tokio::test(start_paused = true)]
async fn a_quiet_listener_is_resumed_however_much_others_write() {
    let (clock, db) = standing().await;
    put(&db, "c/a", [("n", int(1))]).await;
    put(&db, "c/b", [("n", int(1))]).await;
    let (mut watcher, mut client) = (db.watch(), Client::default());
    let target = || Target::Query(Box::new(all("c")));
    watcher.add(2, target(), None, None, false);
    client.follow(&mut watcher, Ts::ZERO, &[2]).await;
    let first = client.snapshot;
    for n in 0..200 {
        let at = put(&db, &format!("other/{}", n % 7), [("n", int(n))]).await.commit_time;
        clock.advance(MINUTE);
        let WatchEvent::Snapshot(heard) = watcher.next().await else { panic!("nothing else happens") };
        assert_eq!(heard, at);
        client.take(WatchEvent::Snapshot(heard));
    }
    drop(watcher);
    put(&db, "c/b", [("n", int(2))]).await;
    let mut watcher = db.watch();
    let (last, held) = (client.snapshot, client.paths(2).len());
    watcher.add(2, target(), Some(last), u32::try_from(held).ok(), false);
    let changed = events(&mut watcher, 2).await;
    assert!(
        matches!(&changed[..], [WatchEvent::Changed { document, .. }] if document.path == doc("c/b")),
        "{changed:?}"
    );
    watcher.add(4, target(), Some(first), None, false);
    assert!(
        matches!(&events(&mut watcher, 4).await[..], [WatchEvent::Reset(4), ..]),
        "the log has forgotten this"
    );
}

/// Events of a target up to its being current.
async fn events(watcher: &mut Watcher, id: TargetId) -> Vec<WatchEvent> {
    while !matches!(watcher.next().await, WatchEvent::Added(added) if added == id) {}
    let mut events = Vec::new();
    loop {
        match watcher.next().await {
            WatchEvent::Current(current, _) if current == id => return events,
            event => events.push(event),
        }
    }
}

/// Only who has read everything is told that there is nothing new, and only as often as there is need.
#[tokio::test(start_paused = true)]
async fn quiet_is_told_once_in_a_while_and_never_piles_up() {
    let (clock, db) = standing().await;
    let (mut quiet, mut busy) = (db.watch(), db.watch());
    for watcher in [&mut quiet, &mut busy] {
        watcher.add(2, Target::Documents(vec![doc("c/a")]), None, None, false);
        Client::default().follow(watcher, Ts::ZERO, &[2]).await;
    }
    for _ in 0..100 {
        clock.advance(MINUTE);
        assert!(matches!(busy.next().await, WatchEvent::Snapshot(_)));
    }
    let at = put(&db, "c/a", [("n", int(1))]).await.commit_time;
    assert!(
        matches!(quiet.next().await, WatchEvent::Snapshot(heard) if heard < at),
        "the first of a hundred"
    );
    for watcher in [&mut quiet, &mut busy] {
        assert!(matches!(watcher.next().await, WatchEvent::Changed { .. }));
        assert!(matches!(watcher.next().await, WatchEvent::Snapshot(heard) if heard == at));
    }
    clock.advance(MINUTE / 2);
    for watcher in [&mut quiet, &mut busy] {
        tokio::select! {
            biased;
            event = watcher.next() => panic!("{event:?}"),
            () = tokio::time::sleep(MINUTE) => {}
        }
    }
}
