//! People: coming, going, seeing and acting.

use serde_json::json;
use tuckbox_table::ids::SeatNo;

use super::super::limits::SOCKETS_OF_SEAT;
use super::super::messages::Refused;
use super::*;

#[tokio::test]
async fn everybody_sees_what_their_seat_sees() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    assert_eq!((ann.seat, bob.seat), (Some(SeatNo(0)), None));
    set_up(&mut ann).await;
    bob.reach(ann.n).await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    bob.until("state").await;
    assert_eq!(bob.seat, Some(SeatNo(1)));
    let before = ann.bytes.len();
    let deck = bob.named("Deck");
    bob.does(json!({"verb": "draw", "into": deck, "count": 3})).await;
    ann.reach(bob.n).await;
    let seen = (0..CARDS).filter(|card| bob.bytes.matches(&marker(*card)).count() > 1).count();
    assert_eq!(seen, 3, "Bob was sent every face while they lay open, and three again");
    assert!(!ann.bytes[before..].contains("Marker"), "{}", &ann.bytes[before..]);
}

#[tokio::test]
async fn strangers_get_nothing_and_wake_nothing() {
    let world = World::new().await;
    for (id, uid) in [(world.id.as_str(), "eve"), ("unheard", "ann"), ("a/b", "ann"), ("__x__", "ann")] {
        assert_eq!(world.live.enter(id, uid, None, None).await.unwrap_err(), Refused::Stranger, "{id} {uid}");
        assert_eq!(
            world.live.call(id, uid, (None, None), None).await.unwrap_err(),
            Refused::Stranger,
            "{id} {uid}"
        );
    }
    assert_eq!(world.live.awake_count(), 0);
}

#[tokio::test]
async fn who_is_no_member_any_more_is_let_go() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    let mut players = async || {
        // Another request is handled after the document is written.
        ann.refresh().await;
        ann.until("state").await;
        let fields = lobby::find(&database(&world.store), &world.id).await.unwrap().unwrap().fields;
        let Some(Value::Array(players)) = fields.get("playerIds") else { panic!("{fields:?}") };
        players.len()
    };
    assert_eq!(players().await, 2);
    put_members(&world.store, &[("ann", "owner")]).await;
    assert_eq!(bob.until("bye").await, json!({"why": "not-found", "again": false}));
    assert_eq!(bob.read().await, None);
    assert_eq!(players().await, 1, "whoever is listed may read the document");
    assert_eq!(world.live.enter(&world.id, "bob", None, None).await.unwrap_err(), Refused::Stranger);
    world.client("ann").await;
}

#[tokio::test]
async fn a_seat_is_taken_once_and_hosts_seats_are_for_makers() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    let answer = bob.asks(json!({"verb": "roll"})).await;
    assert_eq!(answer["code"], "not-allowed", "observers only watch");
    for (claim, code) in [
        (json!({"verb": "claim", "name": "Bob"}), "malformed"),
        (json!({"verb": "claim", "as": 9, "name": "Bob"}), "malformed"),
        (json!({"verb": "claim", "as": 0, "name": "Bob"}), "not-allowed"),
    ] {
        assert_eq!(bob.asks(claim).await["code"], code);
    }
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob", "who": "ann"})).await;
    bob.until("state").await;
    assert_eq!(ann.asks(json!({"verb": "claim", "as": 1, "name": "Ann"})).await["code"], "not-possible");
    ann.does(json!({"verb": "leave"})).await;
    ann.until("state").await;
    assert_eq!(ann.seat, None);
    assert_eq!(bob.asks(json!({"verb": "claim", "as": 0, "name": "Bob"})).await["code"], "not-allowed");
    ann.does(json!({"verb": "claim", "as": 0, "name": "Ann"})).await;
}

#[tokio::test]
async fn a_seat_waits_half_an_hour_for_its_player_and_can_then_be_taken_over() {
    const MINUTE: u64 = 60_000_000;
    let clock = Arc::<Settable>::default();
    let world = World::at(Arc::<Settable>::clone(&clock)).await;
    put_members(&world.store, &[("ann", "owner"), ("bob", "playtester"), ("cleo", "playtester")]).await;
    let mut bob = world.client("bob").await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    bob.until("state").await;
    let mut cleo = world.client("cleo").await;
    let claim = || json!({"verb": "claim", "as": 1, "name": "Cleo"});
    clock.pass(40 * MINUTE);
    assert_eq!(
        cleo.asks(claim()).await["code"],
        "not-possible",
        "however long Bob does nothing, he is there"
    );
    drop(bob);
    while cleo.until("people").await["seats"] != json!([]) {}
    clock.pass(29 * MINUTE);
    let refused = cleo.asks(claim()).await;
    assert_eq!(refused["code"], "not-possible");
    assert!(refused["say"].as_str().unwrap().contains("30 minutes"), "{refused}");
    clock.pass(2 * MINUTE);
    cleo.does(claim()).await;
    cleo.until("state").await;
    assert_eq!(cleo.seat, Some(SeatNo(1)));
    let mut bob = world.client("bob").await;
    assert_eq!(bob.seat, None, "the seat is Cleo's now");
    assert_eq!(bob.asks(json!({"verb": "claim", "as": 1, "name": "Bob"})).await["code"], "not-possible");
}

#[tokio::test]
async fn the_next_person_of_a_seat_is_sent_nothing_from_before() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    set_up(&mut ann).await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    bob.until("state").await;
    let deck = bob.named("Deck");
    bob.does(json!({"verb": "draw", "into": deck, "count": 1})).await;
    let have = bob.have();
    ann.does(json!({"verb": "leave", "seat": 1})).await;
    ann.does(json!({"verb": "claim", "as": 1, "name": "Ann"})).await;
    bob.until("state").await;
    assert_eq!(bob.seat, None);
    drop(bob);
    let mut again = Client::enter(&world.live, &world.id, "bob", Some(have)).await.unwrap();
    again.until("state").await;
    assert_eq!(again.seat, None, "what Bob has is of a seat that is not his");
}

#[tokio::test]
async fn who_comes_back_is_sent_what_they_lack() {
    let world = World::new().await;
    let (mut ann, bob) = (world.client("ann").await, world.client("bob").await);
    let (have, mut whole) = (bob.have(), world.client("bob").await);
    drop(bob);
    set_up(&mut ann).await;
    let mut back = Client::enter(&world.live, &world.id, "bob", Some(have.clone())).await.unwrap();
    back.reach(ann.n).await;
    assert!(!back.bytes.contains("\"state\""), "patches are enough");
    whole.reach(ann.n).await;
    assert_eq!(back.pieces, whole.pieces);
    let odd = super::super::messages::Have { epoch: "other".to_owned(), n: 0 };
    for have in [odd, super::super::messages::Have { n: 999, ..have }] {
        let mut anew = Client::enter(&world.live, &world.id, "bob", Some(have)).await.unwrap();
        anew.until("state").await;
        assert_eq!(anew.pieces, whole.pieces);
    }
    whole.refresh().await;
    whole.until("state").await;
    assert_eq!(whole.pieces, back.pieces);
}

#[tokio::test]
async fn who_does_not_read_is_cut_and_views_carry_hashes() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    set_up(&mut ann).await;
    let deck = ann.named("Deck");
    for _ in 0..800 {
        ann.does(json!({"verb": "turn", "pieces": [deck], "by": 90})).await;
    }
    while bob.read().await.is_some() {}
    assert!(bob.n < ann.n && bob.bytes.contains("\"check\""), "{} {}", bob.n, ann.n);
    let mut back = Client::enter(&world.live, &world.id, "bob", Some(bob.have())).await.unwrap();
    back.pieces = bob.pieces.clone();
    back.until(if bob.n + 500 < ann.n { "state" } else { "n" }).await;
}

#[tokio::test]
async fn pointers_of_the_seated_are_passed_on_and_never_stored() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    bob.point(1, 1);
    ann.point(7, 8);
    assert_eq!(bob.until("pointers").await, json!([[0, 7, 8]]));
    ann.ping(5, 6);
    assert_eq!(ann.until("pointers").await, json!([]), "nobody is sent a pointer that is theirs alone");
    assert_eq!(world.client("ann").await.n, 0);
}

#[tokio::test]
async fn a_place_that_somebody_shows_is_sent_to_all_though_their_pointer_goes_on() {
    let world = World::new().await;
    let (ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    bob.ping(1, 1);
    ann.ping(5, 6);
    ann.point(7, 8);
    assert_eq!(bob.until("pings").await, json!([[0, 5, 6]]), "observers show nothing");
    assert_eq!(world.client("ann").await.n, 0);
}

#[tokio::test]
async fn a_call_is_sent_what_a_socket_is() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    let call = async |have, act: Option<serde_json::Value>| {
        let asked = act.map(|act| serde_json::from_value(act).unwrap());
        world.live.call(&world.id, "ann", (None, have), asked).await.unwrap()
    };
    let frames = call(None, None).await;
    assert!(frames[0].starts_with("{\"state\":"), "{}", frames[0]);
    let deck = ann.named("Deck");
    let frames =
        call(Some(ann.have()), Some(json!({"c": 5, "verb": "turn", "pieces": [deck], "by": 90}))).await;
    assert_eq!(frames.len(), 1);
    assert!(frames[0].starts_with("{\"ack\":5,"), "{}", frames[0]);
    let refused =
        call(Some(ann.have()), Some(json!({"c": 6, "verb": "turn", "pieces": ["abcdefghijkl"], "by": 9})));
    assert!(refused.await.last().unwrap().contains("\"code\":\"not-there\""));
    ann.reach(ann.n + 1).await;
}

#[tokio::test]
async fn a_seat_has_so_many_sockets_and_calls_beside_them() {
    let world = World::new().await;
    let mut open = Vec::new();
    for _ in 0..SOCKETS_OF_SEAT {
        open.push(world.client("ann").await);
    }
    assert_eq!(world.live.enter(&world.id, "ann", None, None).await.unwrap_err(), Refused::Full);
    assert!(world.live.call(&world.id, "ann", (None, None), None).await.is_ok());
    world.client("bob").await;
    open.pop();
    world.client("ann").await;
}

#[tokio::test]
async fn the_public_document_follows_the_table() {
    let world = World::new().await;
    let (mut ann, mut bob) = (world.client("ann").await, world.client("bob").await);
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    ann.does(json!({"verb": "end", "result": "Bob won"})).await;
    let fair = ann.until("fair").await;
    assert_eq!(fair["seed"].as_str().unwrap().len(), 64);
    // Another request is handled after the document is written.
    ann.refresh().await;
    ann.until("state").await;
    let fields = lobby::find(&database(&world.store), &world.id).await.unwrap().unwrap().fields;
    let text = |text: &str| Value::String(text.to_owned());
    assert_eq!(fields["status"], text("ended"));
    assert_eq!(fields["playerIds"], Value::Array(vec![text("ann"), text("bob")]));
    assert_eq!(lobby::project(&fields), Some("p"));
}

#[tokio::test]
async fn the_work_of_refused_acts_counts_too() {
    let world = World::new().await;
    let live = live_at(&world.store, 2, SLEEP_AFTER, Arc::new(Still));
    let mut ann = Client::enter(&live, &world.id, "ann", None).await.unwrap();
    ann.spawn("stack", "Deck", None).await;
    let spawn = json!({"verb": "spawn", "what": {"pieces": {"definition": 0, "count": 1}},
        "to": {"surface": 0, "x": 50, "y": 0}});
    ann.does(spawn).await;
    let (deck, cards) = (ann.named("Deck"), ann.loose_cards());
    ann.does(json!({"verb": "drop", "pieces": cards, "into": deck})).await;
    let shuffle = json!({"do": "shuffle", "what": {"name": "Deck"}, "times": {"fixed": 100}});
    let edit = json!({"button": {"name": "Mix", "button": {"steps": vec![shuffle; 60]}}});
    ann.does(json!({"verb": "edit", "edit": edit})).await;
    let press = json!({"verb": "run", "button": "Mix"});
    let mut codes = Vec::new();
    while codes.last() != Some(&json!("rate")) {
        codes.push(ann.asks(press.clone()).await["code"].clone());
        assert!(codes.len() < 5, "{codes:?}");
    }
    // Bob owes nothing.
    let mut bob = Client::enter(&live, &world.id, "bob", None).await.unwrap();
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
}
