//! One account or one owner takes a bounded share, and others go on.

use serde_json::json;
use tuckbox_table::game_box::Parts;

use super::super::live::Memory;
use super::super::messages::{Have, Refused};
use super::*;

/// A box with a common text of so many bytes.
fn large_box(bytes: usize) -> GameBox {
    let mut parts: Parts = game_box().into();
    parts.common = "x".repeat(bytes).into();
    GameBox::try_from(parts).unwrap()
}

/// A world with several tables of large boxes, of the owner by whom each stands.
async fn large_tables(owners: &[&str], bytes: usize) -> (World, Vec<String>) {
    let world = World::new().await;
    let mut ids = Vec::new();
    for owner in owners {
        let id = world.live.create(table(), large_box(bytes)).await.unwrap();
        let mut fields = lobby::following(&table(), |_| true);
        for (key, value) in [("projectId", "p"), ("ownerId", owner)] {
            fields.insert(key.to_owned(), Value::String(value.to_owned()));
        }
        put(&world.store, &format!("playtests/{id}"), fields).await;
        ids.push(id);
    }
    (world, ids)
}

#[tokio::test]
async fn whole_views_have_a_rate_for_each_account() {
    let (world, ids) = large_tables(&["ann"], 7 << 20).await;
    let live = live_at(&world.store, 2, SLEEP_AFTER, Arc::new(Still));
    let mut sent = 0;
    let refused = loop {
        match live.call(&ids[0], "ann", (None, None), None).await {
            Ok(frames) => sent += frames[0].len(),
            Err(refused) => break refused,
        }
        assert!(sent < 32 << 20);
    };
    assert_eq!((refused, sent > 7 << 20), (Refused::TooFast, true));
    assert_eq!(live.enter(&ids[0], "ann", None, None).await.unwrap_err(), Refused::TooFast);
    // Others are not kept waiting, and who has the view is sent what is new.
    let mut bob = Client::enter(&live, &ids[0], "bob", None).await.unwrap();
    let have = Have { epoch: bob.epoch.clone(), n: bob.n };
    for _ in 0..20 {
        let frames = live.call(&ids[0], "bob", (None, Some(have.clone())), None).await.unwrap();
        assert!(frames.iter().all(|frame| !frame.contains("state")));
    }
    // Somebody who asks for it again and again over a socket is let go, and may come back.
    let bye = 'asking: {
        for _ in 0..10 {
            bob.refresh().await;
            loop {
                let message = bob.read().await.unwrap();
                if message.get("bye").is_some() {
                    break 'asking message;
                }
                if message.get("state").is_some() {
                    break;
                }
            }
        }
        panic!("Bob was sent seventy megabytes");
    };
    assert_eq!(bye["bye"], json!({"why": "rate", "again": true}));
}

#[tokio::test]
async fn those_who_ask_at_once_are_sent_one_view() {
    let world = World::new().await;
    let (one, other) = tokio::join!(
        world.live.call(&world.id, "bob", (None, None), None),
        world.live.call(&world.id, "bob", (None, None), None)
    );
    assert!(Arc::ptr_eq(&one.unwrap()[0], &other.unwrap()[0]));
}

#[tokio::test]
async fn empty_tables_make_room_and_a_full_owner_keeps_nobody_else_out() {
    let mut owners = ["ann"; 8];
    owners[7] = "zoe";
    let (world, ids) = large_tables(&owners, 2 << 20).await;
    // Room for six: each has two megabytes of its box, and less than half of one beside it; one that wakes is given two.
    let memory = Memory { of_all: 1 << 30, of_owner: 14 << 20, of_samples: 0 };
    let live = live(&world.store, 2, SLEEP_AFTER).with_memory(memory);
    for id in &ids[..7] {
        live.call(id, "ann", (None, None), None).await.unwrap();
    }
    assert!(live.awake_count() <= 6, "{}", live.awake_count());
    let mut seated = Vec::new();
    let refused = loop {
        match live.enter(&ids[seated.len()], "ann", None, None).await {
            Ok(at_table) => seated.push(at_table),
            Err(refused) => break refused,
        }
    };
    assert_eq!((refused, seated.len()), (Refused::OwnerFull, 6));
    let (elsewhere, at_zoes) = (&ids[6], &ids[7]);
    let of_zoe = live.enter(at_zoes, "ann", None, None).await.unwrap();
    // Another table has room after somebody has left.
    seated.pop();
    for _ in 0..2 {
        // Whatever is answered second is asked of a table that has noticed.
        live.call(&ids[5], "bob", (None, None), None).await.unwrap();
    }
    live.enter(elsewhere, "ann", None, None).await.unwrap();
    // The server's own limit holds for all owners together.
    let memory = Memory { of_all: 7 << 20, of_owner: 1 << 30, of_samples: 0 };
    let small = super::live(&world.store, 3, SLEEP_AFTER).with_memory(memory);
    drop((of_zoe, seated));
    let _first = small.enter(&ids[0], "ann", None, None).await.unwrap();
    let _second = small.enter(&ids[1], "ann", None, None).await.unwrap();
    let _third = small.enter(at_zoes, "ann", None, None).await.unwrap();
    assert_eq!(small.enter(elsewhere, "ann", None, None).await.unwrap_err(), Refused::TooMany);
}

#[tokio::test]
async fn a_table_that_was_asked_too_late_to_make_room_is_asked_again() {
    let (world, ids) = large_tables(&["ann"; 2], 2 << 20).await;
    // Room for one that is awake, and not for another one beside it.
    let memory = Memory { of_all: 1 << 30, of_owner: 4 << 20, of_samples: 0 };
    let live = live(&world.store, 2, SLEEP_AFTER).with_memory(memory);
    live.call(&ids[0], "ann", (None, None), None).await.unwrap();
    live.rest_too_late(&ids[0]).await;
    assert!(live.awake_count() == 1 && live.bytes_of(&ids[0]) > 2 << 20, "it did not rest");
    live.call(&ids[1], "ann", (None, None), None).await.unwrap();
}

#[tokio::test]
async fn many_who_come_at_once_are_each_made_room_by_tables_of_their_own() {
    let owners = ["ann"; 13];
    let (world, ids) = large_tables(&owners, 1 << 20).await;
    // Room for eight that are awake, and for one more to be loaded.
    let memory = Memory { of_all: 1 << 30, of_owner: 12 << 20, of_samples: 0 };
    let live = live(&world.store, 2, SLEEP_AFTER).with_memory(memory);
    for id in &ids[..8] {
        live.call(id, "ann", (None, None), None).await.unwrap();
    }
    let calls = ids[8..].iter().map(|id| live.call(id, "bob", (None, None), None));
    let answers = futures::future::join_all(calls).await;
    let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused, Vec::new());
}

#[tokio::test]
async fn a_table_that_makes_no_room_holds_up_nobody_while_others_do() {
    let (world, ids) = large_tables(&["ann"; 4], 2 << 20).await;
    // Room for two that are awake, and not for a third beside them.
    let memory = Memory { of_all: 1 << 30, of_owner: 6 << 20, of_samples: 0 };
    let live = live(&world.store, 2, SLEEP_AFTER).with_memory(memory);
    for id in &ids[..2] {
        live.call(id, "ann", (None, None), None).await.unwrap();
    }
    // Both are asked; whoever comes to the first meanwhile keeps it awake.
    let (third, seated) =
        tokio::join!(live.call(&ids[2], "bob", (None, None), None), live.enter(&ids[0], "ann", None, None));
    assert!(third.is_ok() && seated.is_ok(), "{:?} {:?}", third.err(), seated.err());
}

#[tokio::test]
async fn a_table_counts_for_its_pieces_and_for_what_its_views_keep() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    let before = world.live.bytes_of(&world.id);
    for nth in 0..20 {
        let to = json!({"surface": 0, "x": nth, "y": 0});
        ann.does(json!({"verb": "spawn", "what": {"pieces": {"definition": 0, "count": 20}}, "to": to}))
            .await;
    }
    // Twice four hundred pieces, and twenty patches of more than a kilobyte.
    let more = world.live.bytes_of(&world.id) - before;
    assert!((400 << 10..1 << 20).contains(&more), "{more}");
}
