//! Indistinguishability: two tables that differ only in which of two hidden pieces lies where send a seat that may not
//! know it the same bytes.

use super::oracle::Oracle;
use super::properties::{is_found, sessions};
use super::world::{Move, SEED, World, change, moves};
use crate::act::Act;
use crate::ids::{PieceNo, SeatNo};
use crate::model::{ContainerKind, Holder, Table};
use crate::mutants::Mutant;
use crate::session::Session;
use crate::view::View;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::Arc;

/// Moves before the tables part.
const BEFORE: usize = 25;

/// The table with two pieces in each other's place.
fn exchanged(table: &Table, one: PieceNo, other: PieceNo) -> Table {
    let mut twin = table.clone();
    let (mut first, mut second) = (twin.pieces[&one].clone(), twin.pieces[&other].clone());
    std::mem::swap(&mut first.holder, &mut second.holder);
    std::mem::swap(&mut first.pos, &mut second.pos);
    std::mem::swap(&mut first.facing, &mut second.facing);
    std::mem::swap(&mut first.marks, &mut second.marks);
    std::mem::swap(&mut first.known, &mut second.known);
    std::mem::swap(&mut first.trail, &mut second.trail);
    twin.pieces.insert(one, first);
    twin.pieces.insert(other, second);
    let swap = |no: PieceNo| {
        if no == one {
            other
        } else if no == other {
            one
        } else {
            no
        }
    };
    for piece in twin.pieces.values_mut() {
        if let Some(container) = &mut piece.container {
            container.contents.iter_mut().for_each(|no| *no = swap(*no));
        }
    }
    twin
}

/// Two pieces with one back that the seat cannot tell apart.
fn hidden_pair(world: &World, oracle: &Oracle, seat: SeatNo, play: Move) -> Option<(PieceNo, PieceNo)> {
    let table = world.session.table();
    let hidden: Vec<_> = table
        .pieces()
        .filter(|piece| piece.back.is_some() && !piece.is_open() && !oracle.may_know(seat, piece.no))
        .collect();
    let one = hidden.get(usize::from(play.a) % hidden.len().max(1))?;
    let others: Vec<_> = hidden.iter().filter(|other| other.back == one.back && other.no != one.no).collect();
    let other = others.get(usize::from(play.b) % others.len().max(1))?;
    Some((one.no, other.no))
}

fn check(seats: u8, moves: &[Move]) -> Result<(), String> {
    let mut world = World::new(seats);
    let mut oracle = Oracle::new(world.session.table());
    let done = world.set_up();
    oracle.follow(&done.entry, world.session.table());
    let (before, after) = moves.split_at(moves.len().min(BEFORE));
    for play in before {
        if let Ok(done) = world.play(*play) {
            oracle.follow(&done.entry, world.session.table());
        }
    }
    let Some(first) = after.first() else { return Ok(()) };
    let seat = SeatNo(first.seat % seats);
    let Some((one, other)) = hidden_pair(&world, &oracle, seat, *first) else { return Ok(()) };
    let snapshot = world.session.snapshot();
    let swap = |no: &PieceNo| {
        if *no == one {
            other
        } else if *no == other {
            one
        } else {
            *no
        }
    };
    // The log before is not the twin's: neither can undo across the exchange.
    let present = Arc::clone(world.session.game_box());
    let resumed = |snapshot| {
        Session::resume(snapshot, Arc::clone(&present), SEED, []).map_err(|error| error.to_string())
    };
    let mut left = resumed(snapshot.clone())?;
    let table = exchanged(&snapshot.table, one, other);
    let twin = crate::session::Snapshot { table, ..snapshot };
    let mut right = resumed(twin)?;
    let (mut left_view, left_patch) = View::open(left.table(), left.game_box(), seat, [1; 32]);
    let (mut right_view, right_patch) = View::open(right.table(), right.game_box(), seat, [1; 32]);
    let same = |left: &crate::view::Patch, right: &crate::view::Patch| {
        serde_json::to_vec(left).unwrap() == serde_json::to_vec(right).unwrap()
    };
    if !same(&left_patch, &right_patch) {
        return Err("the first patches differ".to_owned());
    }
    world.session = resumed(left.snapshot())?;
    world.open_views();
    for (at, play) in after.iter().enumerate() {
        if play.is_update() {
            // Cards are edited in both, those that lie in each other's place among them.
            let change = change(left.game_box(), *play, world.updates.len());
            let Ok(done) = world.update(*play) else { continue };
            oracle.follow(&done.entry, world.session.table());
            let by = done.entry.by;
            let mine = left.update(by, &change, world.time).map_err(|error| error.to_string())?.clone();
            let theirs = right.update(by, &change, world.time).map_err(|error| error.to_string())?.clone();
            let left_patch = left_view.patch(left.table(), left.game_box(), &mine);
            let right_patch = right_view.patch(right.table(), right.game_box(), &theirs);
            if !same(&left_patch, &right_patch) {
                return Err(format!("an edit tells the twins apart at move {at}"));
            }
            continue;
        }
        let (by, act) = world.choose(*play);
        let Ok(act) = world.views[usize::from(by.0)].resolve(&act) else { continue };
        let twin_act: Act<PieceNo> = act.renamed(|no| Ok::<_, ()>(swap(no))).unwrap();
        world.time += 1_000;
        let done = world.act(by, &act);
        let (mine, theirs) = (left.act(by, &act, world.time), right.act(by, &twin_act, world.time));
        let (mine, theirs) = match (mine, theirs) {
            (Err(mine), Err(theirs)) if mine == theirs => continue,
            (Ok(mine), Ok(theirs)) => (mine.clone(), theirs.clone()),
            // Somebody else acted on a face that only they see.
            _ if by != seat && (oracle.may_know(by, one) || oracle.may_know(by, other)) => return Ok(()),
            _ => return Err(format!("only one twin refused move {at}: {act:?}")),
        };
        let done = done.map_err(|refusal| refusal.to_string())?;
        oracle.follow(&done.entry, left.table());
        let knows = [one, other].iter().any(|no| oracle.may_have_seen(seat, *no));
        let left_patch = left_view.patch(left.table(), left.game_box(), &mine);
        let right_patch = right_view.patch(right.table(), right.game_box(), &theirs);
        if knows {
            return Ok(());
        }
        if !same(&left_patch, &right_patch) {
            return Err(format!(
                "patches differ after move {at} {act:?}\n{}\n{}",
                serde_json::to_string(&left_patch).unwrap(),
                serde_json::to_string(&right_patch).unwrap()
            ));
        }
        // The box keeps the piece: their places are told apart from here on.
        if left.table().piece(one).is_none() || left.table().piece(other).is_none() {
            return Ok(());
        }
    }
    Ok(())
}

#[test]
fn a_seat_that_may_not_know_is_sent_the_same_bytes() {
    let config =
        Config { cases: sessions(), max_shrink_iters: 2_000, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&moves(120), |(seats, moves)| check(seats, &moves).map_err(TestCaseError::fail))
        .unwrap();
}

#[test]
fn differences_are_found() {
    for mutant in [Mutant::GrantsAll, Mutant::OpenHands, Mutant::MintsByNumber] {
        assert!(is_found(mutant, check), "{mutant:?}");
    }
}

#[test]
fn twins_are_whole_tables() {
    let mut world = World::new(2);
    world.set_up();
    let table = world.session.table();
    let deck = table.named("Deck", None).unwrap();
    let contents = &table.container(deck).unwrap().contents;
    let twin = exchanged(table, contents[0], contents[5]);
    twin.check().unwrap();
    assert_eq!(twin.container(deck).unwrap().contents[5], contents[0]);
    assert_eq!(twin.container(deck).unwrap().kind, ContainerKind::Stack);
    assert_eq!(twin.piece(contents[0]).unwrap().holder, Holder::In(deck));
}

/// A session that told once, by the order in which a group was laid down, which hidden card was in it.
#[test]
fn a_group_moves_in_the_order_of_its_places() {
    const MOVES: [(u8, u8, u16, u16, u16); 30] = [
        (0, 4, 0, 0, 0),
        (92, 54, 0, 0, 0),
        (20, 65, 0, 18023, 0),
        (0, 85, 0, 1096, 19619),
        (0, 60, 0, 939, 0),
        (0, 4, 0, 0, 0),
        (51, 46, 7183, 0, 48476),
        (0, 8, 0, 30208, 0),
        (26, 0, 35998, 0, 0),
        (0, 8, 4287, 0, 0),
        (0, 8, 0, 19968, 0),
        (0, 10, 0, 30969, 0),
        (0, 100, 219, 0, 0),
        (0, 50, 0, 0, 0),
        (109, 46, 33810, 0, 78),
        (0, 0, 39144, 0, 2820),
        (0, 152, 0, 7059, 0),
        (0, 0, 2744, 0, 15417),
        (0, 157, 0, 308, 0),
        (0, 86, 0, 0, 0),
        (0, 14, 0, 8004, 0),
        (0, 0, 17183, 0, 0),
        (9, 10, 0, 16, 0),
        (0, 8, 1, 0, 0),
        (1, 8, 539, 0, 0),
        (20, 0, 40246, 1376, 0),
        (167, 8, 15, 0, 0),
        (217, 50, 52287, 57531, 11278),
        (213, 81, 45669, 0, 11021),
        (246, 230, 43013, 512, 0),
    ];
    let moves = MOVES.map(|(seat, verb, a, b, c)| Move { seat, verb, a, b, c });
    check(4, &moves).unwrap();
}
