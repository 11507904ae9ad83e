//! Nothing is shown that is not in the log, and whatever is in the log counts.

use serde_json::json;
use tuckbox_table::Act;
use tuckbox_table::act::Verb;

use super::super::store::TableStore;
use super::*;

#[tokio::test]
async fn an_entry_stored_by_a_server_that_died_before_it_was_shown_counts() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    let tables = TableStore::new(&world.store, "demo");
    // As the actor of a server that dies between its append and its messages.
    let mut dying = tables.load(&world.id).await.unwrap().unwrap();
    let claim = Verb::Claim { who: "bob".to_owned(), name: "Bob".to_owned(), left_by: None };
    let entry = dying.act(SeatNo(1), &Act::new(claim), 1).unwrap().clone();
    tables.append(&world.id, &[entry]).await.unwrap();
    let next = live(&world.store, 2, SLEEP_AFTER);
    let bob = Client::enter(&next, &world.id, "bob", None).await.unwrap();
    assert_eq!((bob.n, bob.seat), (ann.n + 1, Some(SeatNo(1))));
}

#[tokio::test]
async fn of_two_servers_the_one_that_is_behind_reads_again() {
    let world = World::new().await;
    let other = live(&world.store, 2, SLEEP_AFTER);
    let mut ann = world.client("ann").await;
    let mut bob = Client::enter(&other, &world.id, "bob", None).await.unwrap();
    set_up(&mut ann).await;
    // This server has not heard of any of it, so its append is refused.
    let answer = bob.asks(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    assert_eq!(answer["code"], "unknown");
    assert_eq!(bob.n, ann.n, "it was sent the state that the other server stored");
    assert_eq!(bob.pieces.len(), world.client("bob").await.pieces.len());
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    // Now the first one is behind.
    let deck = ann.named("Deck");
    assert_eq!(ann.asks(json!({"verb": "turn", "pieces": [deck], "by": 90})).await["code"], "unknown");
    assert_eq!(ann.n, bob.n);
    let deck = ann.named("Deck");
    ann.does(json!({"verb": "turn", "pieces": [deck], "by": 90})).await;
    let log = TableStore::new(&world.store, "demo").load(&world.id).await.unwrap().unwrap();
    assert_eq!(log.table().n, ann.n);
}

#[tokio::test]
async fn what_cannot_be_stored_is_shown_to_nobody() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    set_up(&mut ann).await;
    bob.reach(ann.n).await;
    let n = ann.n;
    world.store.close().await.unwrap();
    let deck = ann.named("Deck");
    let called = world.live.call(
        &world.id,
        "ann",
        (None, None),
        Some(serde_json::from_value(json!({"verb": "turn", "pieces": [deck], "by": 90})).unwrap()),
    );
    assert!(called.await.is_err());
    let answer = ann.asks(json!({"verb": "draw", "into": deck, "count": 1})).await;
    assert!(answer.get("ack").is_none(), "{answer}");
    assert_eq!(ann.n, n);
    while let Some(message) = bob.read().await {
        assert!(message.get("verb").is_none(), "{message}");
        if message.get("state").is_some() {
            break;
        }
    }
    assert_eq!(bob.n, n);
}

#[tokio::test]
async fn a_table_sleeps_when_nobody_is_there_and_wakes_as_it_was() {
    let world = World::new().await;
    let sleepy = live(&world.store, 3, Duration::from_millis(1));
    let mut ann = Client::enter(&sleepy, &world.id, "ann", None).await.unwrap();
    set_up(&mut ann).await;
    let (n, pieces) = (ann.n, ann.pieces.len());
    let asleep = sleepy.asleep(&world.id);
    drop(ann);
    asleep.await;
    let mut ann = Client::enter(&sleepy, &world.id, "ann", None).await.unwrap();
    assert_eq!((ann.n, ann.pieces.len()), (n, pieces));
    let deck = ann.named("Deck");
    ann.does(json!({"verb": "shuffle", "into": deck})).await;
    // Another server reads the state that was stored and what came after it.
    let after = live(&world.store, 4, SLEEP_AFTER);
    let again = Client::enter(&after, &world.id, "ann", None).await.unwrap();
    assert_eq!((again.n, again.pieces.len()), (n + 1, pieces));
}

#[tokio::test]
async fn acts_that_come_together_are_answered_in_order() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    let deck = ann.named("Deck");
    let asked = |c: u64| -> super::super::messages::Asked {
        serde_json::from_value(json!({"c": c, "verb": "turn", "pieces": [deck], "by": 90})).unwrap()
    };
    for c in 1_000..1_200 {
        ann.sends(asked(c)).await;
    }
    for c in 1_000..1_200 {
        loop {
            let message = ann.read().await.unwrap();
            if message.get("n").is_some() {
                assert_eq!(message["ack"], json!(c));
                break;
            }
        }
    }
}

/// Of two acts in one batch the second may not name a piece by what it was called before the first hid it.
#[tokio::test]
async fn a_handle_ends_with_the_act_that_hides_its_piece() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    let deck = ann.named("Deck");
    let top = ann.top_of(deck);
    let act = |c: u64, act: serde_json::Value| -> super::super::messages::Asked {
        let mut act = act;
        act["c"] = json!(c);
        serde_json::from_value(act).unwrap()
    };
    for round in 0..30 {
        let top = if round == 0 { top } else { ann.top_of(ann.named("Deck")) };
        ann.sends(act(500 + round, json!({"verb": "shuffle", "into": deck}))).await;
        let moved = json!({"verb": "flip", "pieces": [top]});
        ann.sends(act(600 + round, moved)).await;
        loop {
            let message = ann.read().await.unwrap();
            if message.get("no").is_some() || message.get("ack") == Some(&json!(600 + round)) {
                assert_eq!(message["code"], "not-there", "round {round}");
                break;
            }
        }
    }
}
