//! Replays of random games: they show each seat what it was shown, and all chance that was used.

use super::world::{SEED, World, game_box, moves};
use crate::act::{Act, Verb};
use crate::chance::{Chance, Drawn};
use crate::game_box::GameBox;
use crate::ids::{PieceNo, SeatNo};
use crate::log::Entry;
use crate::model::Table;
use crate::replay::Replay;
use crate::session::Session;
use crate::view::{Patch, View};
use proptest::prelude::*;
use std::sync::Arc;

/// The log as it comes from a disk.
fn log(world: &World) -> Vec<Entry> {
    let entries = world.session.log().iter();
    entries.map(|entry| serde_json::from_slice(&serde_json::to_vec(entry).unwrap()).unwrap()).collect()
}

fn replay<'a>(world: &'a World, log: &'a [Entry]) -> Option<Replay<'a>> {
    Replay::of(world.start.clone(), GameBox::clone(&game_box()), &world.updates, log)
}

fn end() -> Act<PieceNo> {
    Act::new(Verb::End { result: "Close".to_owned(), winners: vec![SeatNo(0)], points: Vec::new() })
}

/// A patch without the names of people, which a replay leaves out.
fn nameless(patch: &Patch) -> Patch {
    let mut patch = patch.clone();
    let seats = patch.table.iter_mut().flat_map(|table| table.seats.values_mut());
    seats.for_each(|seat| seat.name.clear());
    patch
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_is_what_each_seat_was_sent((seats, moves) in moves(80)) {
        let mut world = World::new(seats);
        let first = world.open_views();
        let mut sent: Vec<Vec<Patch>> = vec![Vec::new(); first.len()];
        let keep = |patches: Vec<Patch>, sent: &mut Vec<Vec<Patch>>| {
            sent.iter_mut().zip(patches).for_each(|(all, patch)| all.push(patch));
        };
        keep(world.set_up().patches, &mut sent);
        for play in moves {
            if !world.session.table().ended {
                prop_assert!(replay(&world, &log(&world)).is_none(), "before its end a game is not shown");
            }
            if let Ok(done) = world.play(play) {
                keep(done.patches, &mut sent);
            }
        }
        if !world.session.table().ended {
            let Ok(done) = world.act(SeatNo(0), &end()) else { return Ok(()) };
            keep(done.patches, &mut sent);
        }
        let log = log(&world);
        let replay = replay(&world, &log).unwrap();
        let viewers = (0..seats).map(SeatNo).chain([SeatNo::OBSERVER]);
        for ((seat, first), sent) in viewers.zip(&first).zip(&sent) {
            let (shown, mut track) = replay.track(seat, [seat.0; 32]);
            prop_assert_eq!(nameless(&shown).set, first.set.clone());
            for patch in sent {
                let (_, again) = track.next_patch().unwrap().unwrap();
                prop_assert!(!serde_json::to_string(&again).unwrap().contains("\"Seat "), "people are not named");
                prop_assert!(again.setup.is_none() && again.sets.is_none(), "nobody changes it any more");
                let sent = Patch { setup: None, sets: None, ..nameless(patch) };
                prop_assert_eq!(nameless(&again), sent);
            }
            prop_assert!(track.next_patch().unwrap().is_none());
        }
    }

    #[test]
    fn all_chance_is_there_to_be_drawn_again((seats, moves) in moves(80)) {
        let mut world = World::new(seats);
        world.set_up();
        for play in moves {
            let _ = world.play(play);
        }
        if !world.session.table().ended && world.act(SeatNo(0), &end()).is_err() {
            return Ok(());
        }
        let log = log(&world);
        let decided = replay(&world, &log).unwrap().decided(SEED).unwrap();
        let mut chance = Chance::new(SEED, 0);
        for entry in &decided {
            prop_assert_eq!(entry.from, chance.counter(), "no word is passed over");
            let mut orders = Vec::new();
            let mut numbers = Vec::new();
            for drawn in &entry.drawn {
                match drawn {
                    Drawn::Below(bound, got) => {
                        prop_assert_eq!(chance.below(*bound), *got);
                        numbers.push(*got as i64 + 1);
                    }
                    Drawn::Order(order) => {
                        prop_assert_eq!(&chance.permutation(order.len()), order);
                        orders.push(order);
                    }
                }
            }
            prop_assert_eq!(chance.counter(), entry.from + entry.count);
            if entry.verb == "roll" {
                prop_assert_eq!(&entry.dice, &numbers);
            }
            for pile in &entry.piles {
                let fits = |order: &&Vec<u16>| {
                    order.len() == pile.after.len()
                        && order.iter().zip(&pile.after).all(|(at, now)| pile.before[usize::from(*at)] == *now)
                };
                prop_assert!(orders.iter().any(fits), "{pile:?}");
            }
        }
        let shuffles = |entry: &&Entry| matches!(entry.act.verb, Verb::Shuffle) && entry.act.into.is_some();
        let stacks = log.iter().filter(shuffles).filter(|entry| !entry.draws.is_none()).count();
        prop_assert!(decided.iter().filter(|entry| entry.verb == "shuffle").count() >= stacks);
        prop_assert_eq!(replay(&world, &log).unwrap().decided([1; 32]).is_none(), !decided.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A fork begins with what each seat sees, and goes on by the rules of a table, with chance of its own.
    #[test]
    fn a_fork_leaves_each_seat_its_secrets((seats, moves) in moves(60), more in prop::collection::vec(any::<(u8, u16, u16)>(), 0..12)) {
        let mut world = World::new(seats);
        world.set_up();
        for play in moves {
            let _ = world.play(play);
        }
        let (table, game_box) = (world.session.table().clone(), Arc::clone(world.session.game_box()));
        let fork = table.forked("solo");
        prop_assert!(fork.check().is_ok() && !fork.ended && fork.proposal.is_none());
        prop_assert!(fork.seats.values().all(|seat| seat.who.as_deref() == Some("solo")));
        for seat in (0..seats).map(SeatNo) {
            let faces = |table: &Table| View::open(table, &game_box, seat, [0; 32]).1.faces;
            let (before, after) = (faces(&table), faces(&fork));
            prop_assert!(after.keys().all(|face| before.contains_key(face)), "seat {} sees more", seat.0);
        }
        let mut session = Session::new(fork, game_box, [5; 32]);
        for (seat, a, b) in more {
            let stacks: Vec<_> = session.table().pieces().filter(|piece| piece.container.is_some()).map(|piece| piece.no).collect();
            let into = stacks.get(usize::from(a) % stacks.len().max(1)).copied();
            let verb = if b % 2 == 0 { Verb::Shuffle } else { Verb::Draw { count: 1 } };
            let n = session.table().n;
            if let Ok(entry) = session.act(SeatNo(seat % seats), &Act { into, ..Act::new(verb) }, 1) {
                prop_assert_eq!(entry.n, n + 1);
            }
            prop_assert!(session.table().check().is_ok());
        }
    }
}

/// Words that a refused act drew are drawn again by the next one, and are in no list.
#[test]
fn a_refused_act_leaves_no_draws() {
    let mut world = World::new(2);
    world.set_up();
    let dice: Vec<_> =
        world.session.table().pieces().filter(|piece| piece.sides == 6).map(|piece| piece.no).collect();
    let deck = world.session.table().named("Deck", None).unwrap();
    let roll = |pieces: Vec<PieceNo>| Act { pieces, ..Act::new(Verb::Roll) };
    assert!(world.act(SeatNo(0), &roll(vec![dice[0], deck])).is_err());
    let rolled = world.act(SeatNo(0), &roll(vec![dice[0]])).unwrap().entry;
    world.act(SeatNo(0), &end()).unwrap();
    let log = log(&world);
    let decided = replay(&world, &log).unwrap().decided(SEED).unwrap();
    let found = decided.iter().find(|entry| entry.n == rolled.n).unwrap();
    assert_eq!((found.drawn.len(), found.count), (1, 1));
}

/// Cards that lie hidden from everybody are in no track: those of a deck that nobody drew from.
#[test]
fn hidden_cards_are_in_no_track() {
    let mut world = World::new(2);
    world.set_up();
    world.act(SeatNo(0), &end()).unwrap();
    let log = log(&world);
    let replay = replay(&world, &log).unwrap();
    assert_eq!(replay.seats().into_iter().collect::<Vec<_>>(), [SeatNo(0), SeatNo(1)]);
    let (table, game_box) = (world.session.table(), world.session.game_box());
    for seat in [SeatNo(0), SeatNo(1), SeatNo::OBSERVER] {
        let (granted, _) = View::open(table, game_box, seat, [0; 32]);
        let (first, mut track) = replay.track(seat, [0; 32]);
        let mut faces = first.faces;
        while let Some((_, patch)) = track.next_patch().unwrap() {
            faces.extend(patch.faces);
        }
        let on_view = granted.everything(table, game_box).faces;
        assert!(faces.keys().all(|face| on_view.contains_key(face)), "{seat:?}");
    }
}
