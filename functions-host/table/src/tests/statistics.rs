//! Statistics of random games, and of one that is counted by hand.

use super::world::{DEFINITIONS, Move, World, game_box, moves};
use crate::act::{Act, Restored, Verb};
use crate::ids::{PieceNo, SeatNo};
use crate::log::Entry;
use crate::model::{ContainerKind, Facing, Holder, Table};
use crate::stats::{CardStatistics, PAUSE_MS, Statistics, statistics};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn counted(world: &World) -> Statistics {
    let log: Vec<_> = world.session.log().iter().cloned().collect();
    statistics(world.start.clone(), &game_box(), &world.updates, &log).unwrap()
}

fn end(world: &mut World, winners: &[u8]) -> Entry {
    let winners = winners.iter().copied().map(SeatNo).collect();
    let verb = Verb::End { result: String::new(), winners, points: vec![(SeatNo(1), 12)] };
    world.act(SeatNo(0), &Act::new(verb)).unwrap().entry
}

fn played(seats: u8, moves: &[Move]) -> World {
    let mut world = World::new(seats);
    world.set_up();
    for play in moves {
        // Time passes unevenly.
        world.time += u64::from(play.c) * 1_000;
        let _ = world.play(*play);
    }
    world
}

/// Sums over all versions of a card.
fn by_card(found: &Statistics) -> BTreeMap<String, CardStatistics> {
    let mut sums: BTreeMap<String, CardStatistics> = BTreeMap::new();
    for card in &found.cards {
        let sum = sums.entry(card.cards[0].clone()).or_default();
        sum.pieces += card.pieces;
        sum.drawn += card.drawn;
        sum.played += card.played;
        sum.discarded += card.discarded;
        sum.held += card.held;
        sum.won += card.won;
    }
    sums
}

fn in_hands(table: &Table) -> usize {
    let is_hand = |no: PieceNo| table.container(no).is_some_and(|inside| inside.kind == ContainerKind::Hand);
    table.pieces().filter(|piece| matches!(piece.holder, Holder::In(no) if is_hand(no))).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_random_games_fit_together((seats, moves) in moves(100)) {
        let mut world = played(seats, &moves);
        if !world.session.table().ended {
            let so_far = counted(&world);
            prop_assert!(so_far.cards.is_empty() && so_far.dice.is_empty(), "they are counted after the end alone");
            let _ = world.act(SeatNo(0), &Act::new(Verb::End {
                result: String::new(), winners: vec![SeatNo(0)], points: Vec::new(),
            }));
        }
        prop_assume!(world.session.table().ended);
        let found = counted(&world);
        let table = world.session.table();
        for card in &found.cards {
            prop_assert!(card.drawn <= card.pieces && card.played <= card.drawn, "{card:?}");
            prop_assert!(card.played + card.discarded <= card.drawn && card.won <= card.played, "{card:?}");
            prop_assert!(card.held <= card.drawn && card.held_ms <= found.ms * u64::from(card.pieces));
        }
        let held: u32 = found.cards.iter().map(|card| card.held).sum();
        prop_assert!(held as usize <= in_hands(table));
        let pieces: u32 = found.cards.iter().map(|card| card.pieces).sum();
        prop_assert_eq!(pieces as usize, table.pieces().filter(|piece| piece.back.is_some()).count());
        let turns: u64 = found.seats.iter().map(|seat| seat.ms).sum();
        prop_assert!(turns <= found.ms && found.ms <= found.ended - found.begun);
        let acts: u32 = found.seats.iter().map(|seat| seat.acts).sum();
        prop_assert!(acts <= found.acts);
    }

    /// An act and its undo change nothing but times.
    #[test]
    fn what_is_taken_back_does_not_count((seats, moves) in moves(60), last in any::<(u16, u16, u16)>(), verb in 0_u8..42) {
        let (a, b, c) = last;
        let play = Move { seat: 0, verb, a, b, c };
        prop_assume!(!play.is_update());
        let without = played(seats, &moves);
        prop_assume!(!without.session.table().ended);
        let mut with = played(seats, &moves);
        let Ok(done) = with.play(play) else { return Ok(()) };
        let is_end = matches!(done.entry.act.verb, Verb::End { .. });
        prop_assume!(!is_end && done.entry.undoes.is_empty());
        let undo = Act::new(Verb::Undo { n: done.entry.n, agree: true });
        let Ok(undone) = with.act(SeatNo(0), &undo) else { return Ok(()) };
        prop_assume!(undone.entry.undoes == [done.entry.n]);
        let mut sums = Vec::new();
        for mut world in [without, with] {
            prop_assume!(world.act(SeatNo(0), &Act::new(Verb::End {
                result: String::new(), winners: vec![SeatNo(0)], points: Vec::new(),
            })).is_ok());
            let found = counted(&world);
            sums.push((by_card(&found), found.dice.clone(), found.shuffles, found.acts));
        }
        prop_assert_eq!(&sums[0], &sums[1]);
    }
}

fn named(world: &World, name: &str, owner: Option<SeatNo>) -> PieceNo {
    world.session.table().named(name, owner).unwrap()
}

#[test]
fn a_set_up_that_is_taken_back_begins_no_game() {
    let mut world = World::new(2);
    world.set_up();
    let deck = named(&world, "Deck", None);
    world.act(SeatNo(0), &Act { into: Some(deck), ..Act::new(Verb::Draw { count: 2 }) }).unwrap();
    let again = world.act(SeatNo(0), &Act::new(Verb::Restore { to: Restored::Setup })).unwrap().entry;
    world.act(SeatNo(0), &Act::new(Verb::Undo { n: again.n, agree: true })).unwrap();
    end(&mut world, &[0]);
    let drawn: u32 = counted(&world).cards.iter().map(|card| card.drawn).sum();
    assert!(drawn >= 2, "{drawn}");
}

#[test]
fn a_small_game_is_counted_as_by_hand() {
    let mut world = World::new(2);
    world.set_up();
    let (deck, discard) = (named(&world, "Deck", None), named(&world, "Discard", None));
    let hands = [0, 1].map(|seat| world.session.table().hand(SeatNo(seat)).unwrap());
    // Each holds a card from the set-up; Ann draws two more.
    let drawn = world.act(SeatNo(0), &Act { into: Some(deck), ..Act::new(Verb::Draw { count: 2 }) }).unwrap();
    assert_eq!(drawn.entry.changes.len() % 2, 0);
    let held = world.session.table().container(hands[0]).unwrap().contents.clone();
    world.act(SeatNo(0), &Act::new(Verb::Pass { to: Some(SeatNo(0)) })).unwrap();
    let lay = |x| Verb::Move {
        to: crate::act::At { surface: crate::ids::SurfaceNo(0), x, y: 0 },
        face: Some(Facing::Up),
        turn: None,
    };
    world.time += 9_000;
    world.act(SeatNo(0), &Act { pieces: vec![held[0]], ..Act::new(lay(1)) }).unwrap();
    let drop = Verb::Drop { at: None, xy: None, face: None };
    world.act(SeatNo(0), &Act { pieces: vec![held[1]], into: Some(discard), ..Act::new(drop) }).unwrap();
    world.act(SeatNo(0), &Act::new(Verb::Pass { to: None })).unwrap();
    // Nobody plays for an hour.
    world.time += 2 * PAUSE_MS;
    let dice: Vec<_> = {
        let table = world.session.table();
        table.pieces().filter(|piece| piece.sides == 6).map(|piece| piece.no).collect()
    };
    world.act(SeatNo(1), &Act { pieces: dice.clone(), ..Act::new(Verb::Roll) }).unwrap();
    world.act(SeatNo(1), &Act { into: Some(deck), ..Act::new(Verb::Shuffle) }).unwrap();
    end(&mut world, &[0]);
    let found = counted(&world);
    let total = |of: fn(&CardStatistics) -> u32| found.cards.iter().map(of).sum::<u32>();
    assert_eq!(found.cards.len(), DEFINITIONS);
    assert_eq!((total(|card| card.drawn), total(|card| card.played), total(|card| card.won)), (4, 1, 1));
    assert_eq!((total(|card| card.discarded), total(|card| card.held)), (1, 2));
    assert_eq!((found.shuffles, found.first, found.dice.len()), (1, Some(SeatNo(0)), 1));
    assert_eq!(found.dice[0].counts.iter().sum::<u32>() as usize, dice.len());
    let [ann, bob] = &found.seats[..] else { panic!("{:?}", found.seats) };
    assert_eq!((ann.won, ann.points, bob.won, bob.points), (true, None, false, Some(12)));
    assert_eq!((ann.turns, ann.ms, bob.turns), (1, 12_000, 1));
    assert!(found.ms < PAUSE_MS, "an hour without acts is no time of play");
}

#[test]
fn a_game_begins_with_its_set_up_and_a_changed_card_is_another_version() {
    let mut world = World::new(2);
    world.set_up();
    let deck = named(&world, "Deck", None);
    world.act(SeatNo(0), &Act { into: Some(deck), ..Act::new(Verb::Draw { count: 3 }) }).unwrap();
    world.set_up();
    let hand = world.session.table().hand(SeatNo(0)).unwrap();
    let definition = {
        let table = world.session.table();
        let piece = table.piece(table.container(hand).unwrap().contents[0]).unwrap();
        usize::from(crate::model::definition_after_game(piece).unwrap().0)
    };
    let before = counted(&world);
    assert_eq!(before.acts, 0, "{before:?}");
    world.update(Move { seat: 0, verb: 0, a: definition as u16, b: 1, c: 0 }).unwrap();
    end(&mut world, &[]);
    let found = counted(&world);
    assert_eq!(found.cards.iter().map(|card| card.drawn).sum::<u32>(), 2, "those of the set-up");
    let drawn = found.cards.iter().find(|card| card.cards == [format!("k{definition}")]).unwrap();
    assert_eq!((drawn.pieces, drawn.drawn, drawn.held), (1, 1, 1), "it was drawn as it was before");
    let mut later = World::new(2);
    later.set_up();
    end(&mut later, &[]);
    let same = counted(&later).cards.iter().find(|card| card.cards == drawn.cards).unwrap().version.clone();
    assert_eq!(drawn.version, same, "a version is the same in every game");
}
