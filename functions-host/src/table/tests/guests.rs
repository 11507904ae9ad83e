//! People who came by the code of a table, and what its host decides about them.

use docstore::Error;
use serde_json::json;

use super::super::admission::{Admission, AdmissionChange, Entry, NotJoined};
use super::super::admissions::Admissions;
use super::super::messages::Refused;
use super::*;

impl World {
    /// Somebody gives the code, as a guest without an account does.
    async fn join(&self, uid: &str) -> Result<Entry, NotJoined> {
        let join = |admission: &mut Admission, _: &str| Ok::<_, Error>(admission.join(uid, uid, true, false));
        let (admission, entry) = self.live.admissions().change(&self.id, join).await.unwrap();
        self.live.tell_admission(&self.id, admission).await;
        entry
    }

    async fn change(&self, change: AdmissionChange) {
        let apply = |admission: &mut Admission, code: &str| Ok::<_, Error>(admission.change(&change, code));
        let (admission, _) = self.live.admissions().change(&self.id, apply).await.unwrap();
        self.live.tell_admission(&self.id, admission).await;
    }

    async fn refusal(&self, uid: &str) -> Refused {
        let by_call = self.live.call(&self.id, uid, (None, None), None).await.unwrap_err();
        assert_eq!(
            self.live.enter(&self.id, uid, None, None).await.unwrap_err(),
            by_call,
            "one word on every way"
        );
        by_call
    }
}

fn kick(uid: &str) -> AdmissionChange {
    AdmissionChange::Kick(uid.to_owned())
}

#[tokio::test]
async fn who_gave_the_code_sits_down_and_plays_but_on_no_hosts_seat() {
    let world = World::new().await;
    assert_eq!(world.refusal("gus").await, Refused::Stranger);
    assert_eq!(world.join("gus").await, Ok(Entry::In));
    let (mut ann, mut gus) = (world.client("ann").await, world.client("gus").await);
    set_up(&mut ann).await;
    assert_eq!(gus.asks(json!({"verb": "claim", "as": 0, "name": "Gus"})).await["code"], "not-allowed");
    gus.does(json!({"verb": "claim", "as": 1, "name": "Gus"})).await;
    gus.until("state").await;
    let deck = gus.named("Deck");
    gus.does(json!({"verb": "draw", "into": deck, "count": 1})).await;
    // Members of the project come and go; guests are not among them.
    put_members(&world.store, &[("ann", "owner")]).await;
    ann.reach(gus.n).await;
    gus.does(json!({"verb": "draw", "into": deck, "count": 1})).await;
}

#[tokio::test]
async fn a_kicked_guest_is_gone_at_once_and_does_not_come_back_by_any_way() {
    let world = World::new().await;
    world.join("gus").await.unwrap();
    let (mut ann, mut gus) = (world.client("ann").await, world.client("gus").await);
    gus.does(json!({"verb": "claim", "as": 1, "name": "Gus"})).await;
    gus.until("state").await;
    ann.reach(gus.n).await;
    let have = gus.have();
    world.change(kick("gus")).await;
    assert_eq!(gus.until("bye").await, json!({"why": "out", "again": false}));
    assert_eq!(gus.read().await, None);
    // The seat is free again, and the log says so.
    let freed = ann.until("verb").await;
    assert_eq!(freed, "leave");
    assert_eq!(world.refusal("gus").await, Refused::Out);
    assert_eq!(
        Client::enter(&world.live, &world.id, "gus", Some(have)).await.err().unwrap(),
        Refused::Out,
        "resume"
    );
    assert_eq!(world.join("gus").await, Err(NotJoined::Out));
    ann.does(json!({"verb": "claim", "as": 1, "name": "Ann"})).await;
    // Another server, or this one after a restart, knows it too.
    let next = live(&world.store, 2, SLEEP_AFTER);
    assert_eq!(next.enter(&world.id, "gus", None, None).await.unwrap_err(), Refused::Out);
    world.change(AdmissionChange::LetIn("gus".to_owned())).await;
    world.client("gus").await;
}

#[tokio::test]
async fn the_entry_that_frees_a_kicked_guests_seat_is_in_the_log() {
    let world = World::new().await;
    world.join("gus").await.unwrap();
    let mut gus = world.client("gus").await;
    gus.does(json!({"verb": "claim", "as": 1, "name": "Gus"})).await;
    world.change(kick("gus")).await;
    let next = live(&world.store, 2, SLEEP_AFTER);
    let mut ann = Client::enter(&next, &world.id, "ann", None).await.unwrap();
    assert_eq!(ann.n, gus.n + 1);
    ann.does(json!({"verb": "claim", "as": 1, "name": "Ann"})).await;
}

#[tokio::test]
async fn who_waits_for_the_host_comes_in_with_the_hosts_yes() {
    let world = World::new().await;
    world.change(AdmissionChange::Ask(true)).await;
    let mut ann = world.client("ann").await;
    assert_eq!(world.join("gus").await, Ok(Entry::Waiting));
    assert_eq!(world.refusal("gus").await, Refused::Waiting);
    let mut admission = ann.until("admission").await;
    while admission["people"].as_array().unwrap().is_empty() {
        admission = ann.until("admission").await;
    }
    let gus =
        json!({"id": "gus", "name": "gus", "entry": "waiting", "guest": true, "seats": [], "here": false});
    assert_eq!(admission["people"], json!([gus]));
    world.change(AdmissionChange::LetIn("gus".to_owned())).await;
    world.client("gus").await;
    assert_eq!(world.join("may").await, Ok(Entry::Waiting));
    world.change(kick("may")).await;
    assert_eq!(world.refusal("may").await, Refused::Out);
}

#[tokio::test]
async fn a_lock_keeps_out_who_is_new_and_nobody_else() {
    let world = World::new().await;
    world.join("gus").await.unwrap();
    put_members(
        &world.store,
        &[("ann", "owner"), ("eda", "owner"), ("bob", "playtester"), ("pat", "playtester")],
    )
    .await;
    let mut bob = world.client("bob").await;
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    let mut watching = world.client("pat").await;
    world.change(AdmissionChange::Lock(true)).await;
    assert_eq!(world.join("eve").await, Err(NotJoined::Locked));
    drop(bob);
    for uid in ["ann", "eda", "bob", "gus"] {
        world.client(uid).await;
    }
    watching.refresh().await;
    watching.until("state").await;
    drop(watching);
    assert_eq!(world.refusal("pat").await, Refused::Locked);
    world.change(AdmissionChange::Lock(false)).await;
    world.client("pat").await;
}

#[tokio::test]
async fn only_those_who_lead_are_told_of_admission() {
    let world = World::new().await;
    world.change(AdmissionChange::NewCode).await;
    let code = world.live.admissions().get(&world.id).await.unwrap().code.unwrap();
    world.join("gus").await.unwrap();
    let (mut ann, mut bob, mut gus) =
        (world.client("ann").await, world.client("bob").await, world.client("gus").await);
    assert_eq!(ann.until("you").await, json!({"seats": [0], "leads": true, "table": ""}));
    assert_eq!(ann.until("admission").await["code"], json!(code));
    bob.does(json!({"verb": "claim", "as": 1, "name": "Bob"})).await;
    bob.until("state").await;
    assert_eq!(bob.until("you").await, json!({"seats": [1], "leads": false, "table": ""}));
    gus.reach(bob.n).await;
    for client in [&bob, &gus] {
        assert!(!client.bytes.contains(&code) && !client.bytes.contains("admission"));
    }
    for (uid, leads) in [("ann", true), ("bob", false), ("gus", false)] {
        assert_eq!(world.live.leads(&world.id, uid).await, Ok(leads), "{uid}");
    }
    assert_eq!(world.live.leads(&world.id, "eve").await, Err(Refused::Stranger));
    // A co-host leads, as long as they are one.
    let cohost = |role| json!({"verb": "edit", "edit": {"seat": {"seat": 1, "name": "Bob", "colour": 0, "role": role}}});
    ann.does(cohost("cohost")).await;
    bob.until("admission").await;
    assert_eq!(world.live.leads(&world.id, "bob").await, Ok(true));
    ann.does(cohost("player")).await;
    assert_eq!(world.live.leads(&world.id, "bob").await, Ok(false));
}

#[tokio::test]
async fn one_person_plays_several_seats_and_looks_from_each() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    ann.does(json!({"verb": "claim", "as": 1, "name": "Ann"})).await;
    let you = ann.until("you").await;
    assert_eq!(you["seats"], json!([0, 1]));
    assert_eq!(ann.seat, Some(SeatNo(0)), "a second seat does not change where one looks from");
    ann.look(1).await;
    ann.until("state").await;
    assert_eq!(ann.seat, Some(SeatNo(1)));
    let deck = ann.named("Deck");
    let drawn = ann.does(json!({"verb": "draw", "into": deck, "count": 1})).await;
    assert_eq!(drawn["by"], 1);
    // Another's seat, and one that is not there, change nothing.
    let mut bob = world.client("bob").await;
    bob.look(0).await;
    bob.look(9).await;
    bob.refresh().await;
    bob.until("state").await;
    assert_eq!(bob.seat, None);
    ann.look(0).await;
    ann.until("state").await;
    assert_eq!(ann.seat, Some(SeatNo(0)));
}

#[tokio::test]
async fn a_guests_visit_is_noted_so_that_the_account_stays() {
    let world = World::new().await;
    world.join("gus").await.unwrap();
    let admissions = Admissions::new(&world.store, "demo", Arc::new(SeededEntropy::new(9)));
    let month = docstore::model::Timestamp(31 * 24 * 3_600 * 1_000_000);
    assert!(admissions.absent_guests(month).await.unwrap().is_empty(), "nothing is known of them yet");
    world.client("gus").await;
    world.client("ann").await;
    assert_eq!(admissions.absent_guests(month).await.unwrap(), ["gus"]);
}
