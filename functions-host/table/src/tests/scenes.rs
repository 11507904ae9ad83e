//! Short scenes for rules that random sessions reach rarely.

use super::properties::check_again;
use super::world::{SEED, World};
use crate::Session;
use crate::act::{Act, At, Edit, Refusal, Verb};
use crate::game_box::Kind;
use crate::ids::{DefNo, PieceNo, SeatNo, SurfaceNo};
use crate::limits;
use crate::log::{Entry, Note};
use crate::model::{Button, Count, Facing, Marks, Placed, Ref, Select, Step, StepKind, Target};
use crate::mutants::{Mutant, with};
use std::sync::Arc;

fn table_for(seats: u8) -> World {
    let mut world = World::new(seats);
    world.set_up();
    world
}

fn die(world: &World) -> PieceNo {
    world.session.table().pieces().find(|piece| piece.kind == Kind::Die).unwrap().no
}

fn move_die(world: &mut World, by: u8, x: i32) -> u64 {
    let to = At { surface: SurfaceNo(0), x, y: 0 };
    let act = Act { pieces: vec![die(world)], ..Act::new(Verb::Move { to, face: None, turn: None }) };
    world.act(SeatNo(by), &act).unwrap().entry.n
}

#[test]
fn a_move_to_an_angle_is_one_act_and_one_undo() {
    let mut world = table_for(2);
    let no = die(&world);
    let turn_of = |world: &World| world.session.table().piece(no).unwrap().marks.turn;
    let before = turn_of(&world);
    let to = At { surface: SurfaceNo(0), x: 70, y: 0 };
    let act = |turn| Act { pieces: vec![no], ..Act::new(Verb::Move { to, face: None, turn }) };
    let moved = world.act(SeatNo(1), &act(Some(-30))).unwrap().entry;
    assert_eq!(turn_of(&world), 330);
    world.act(SeatNo(1), &act(None)).unwrap();
    assert_eq!(turn_of(&world), 330);
    world.act(SeatNo(1), &Act::new(Verb::Undo { n: moved.n + 1, agree: true })).unwrap();
    world.act(SeatNo(1), &Act::new(Verb::Undo { n: moved.n, agree: true })).unwrap();
    assert_eq!(turn_of(&world), before);
    let old = r#"{"verb":"move","to":{"surface":0,"x":1,"y":2},"face":null}"#;
    let read: Verb = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), old);
}

fn press(button: Option<&str>) -> Act<PieceNo> {
    Act::new(Verb::Run { button: button.map(str::to_owned), numbers: vec![1] })
}

#[test]
fn a_button_waits_for_the_host_and_its_parts_are_undone_apart() {
    let mut world = table_for(3);
    let first = world.act(SeatNo(1), &press(Some("Go"))).unwrap().entry;
    assert!(world.session.table().pending.is_some());
    assert!(matches!(world.act(SeatNo(1), &press(None)), Err(Refusal::NotAllowed(_))));
    assert!(matches!(world.act(SeatNo(1), &press(Some("Go"))), Err(Refusal::NotPossible(_))));
    let second = world.act(SeatNo(0), &press(None)).unwrap().entry;
    assert!(world.session.table().pending.is_none());
    assert!(second.notes.contains(&Note::Text("Again".to_owned())));
    let undo = |n| Act::new(Verb::Undo { n, agree: true });
    let undone = world.act(SeatNo(0), &undo(second.n)).unwrap().entry;
    assert_eq!(undone.undoes, [second.n]);
    assert!(world.session.table().pending.is_some());
    assert!(world.act(SeatNo(0), &undo(first.n)).unwrap().entry.undoes.contains(&first.n));
    assert!(world.session.table().pending.is_none());
}

#[test]
fn an_undo_that_others_built_on_needs_a_majority_in_time() {
    let mut world = table_for(5);
    let first = move_die(&mut world, 1, 100);
    let second = move_die(&mut world, 2, 200);
    let undo = |agree| Act::new(Verb::Undo { n: first, agree });
    let proposed = world.act(SeatNo(1), &undo(true)).unwrap().entry;
    assert!(proposed.undoes.is_empty() && world.session.table().proposal.is_some());
    assert!(world.act(SeatNo(3), &undo(true)).unwrap().entry.undoes.is_empty());
    // The proposal ends, and its votes with it.
    world.time += 30_000;
    assert!(world.act(SeatNo(4), &undo(true)).unwrap().entry.undoes.is_empty());
    assert!(world.act(SeatNo(1), &undo(true)).unwrap().entry.undoes.is_empty());
    let done = world.act(SeatNo(3), &undo(true)).unwrap().entry;
    assert_eq!(done.undoes, [second, first]);
    assert!(world.session.table().proposal.is_none());
    assert_eq!(world.session.table().piece(die(&world)).unwrap().pos.x, 5);
}

#[test]
fn an_own_act_that_nobody_built_on_is_undone_at_once() {
    let mut world = table_for(3);
    let n = move_die(&mut world, 1, 100);
    let done = world.act(SeatNo(1), &Act::new(Verb::Undo { n, agree: true })).unwrap().entry;
    assert_eq!(done.undoes, [n]);
}

#[test]
fn acts_that_are_taken_back_already_are_neither_counted_again_nor_asked_about() {
    let mut world = table_for(3);
    let undo = |n| Act::new(Verb::Undo { n, agree: true });
    let told = |entry: &Entry| {
        entry.notes.iter().find_map(|note| match note {
            Note::Undone { entries, .. } => Some(*entries),
            _ => None,
        })
    };
    let start = world.session.table().piece(die(&world)).unwrap().pos;
    let acts: Vec<u64> = (1..=4).map(|step| move_die(&mut world, 1, 100 * step)).collect();
    for n in acts.iter().rev() {
        let entry = world.act(SeatNo(1), &undo(*n)).unwrap().entry;
        assert_eq!(told(&entry), Some(1), "{:?}", entry.undoes);
    }
    assert_eq!(world.session.table().piece(die(&world)).unwrap().pos, start);
    // Somebody else's act on the same piece is in the way only while it stands.
    let own = move_die(&mut world, 1, 700);
    let other = move_die(&mut world, 2, 800);
    world.act(SeatNo(2), &undo(other)).unwrap();
    let entry = world.act(SeatNo(1), &undo(own)).unwrap().entry;
    assert_eq!(told(&entry), Some(1));
    assert_eq!(world.session.table().piece(die(&world)).unwrap().pos, start);
}

/// Drops the deck's hidden cards one by one into a zone for even ones; true if each was taken.
fn zone_takes_hidden_cards() -> bool {
    let mut world = table_for(2);
    let table = world.session.table();
    let (deck, even) = (table.named("Deck", None).unwrap(), table.named("Even", None).unwrap());
    let drop = Verb::Drop { at: None, xy: None, face: None };
    (0..6).all(|_| {
        let top = world.session.table().top(deck).unwrap();
        let act = Act { pieces: vec![top], into: Some(even), verb: drop.clone() };
        world.act(SeatNo(1), &act).is_ok()
    })
}

#[test]
fn a_zone_for_some_cards_tells_nothing_of_hidden_ones() {
    assert!(zone_takes_hidden_cards());
    assert!(!with(Mutant::AcceptsByFace, zone_takes_hidden_cards));
}

/// Colours a card and puts it into the deck; true if the colour is gone.
fn deck_clears_marks() -> bool {
    let mut world = table_for(2);
    let deck = world.session.table().named("Deck", None).unwrap();
    let top = world.session.table().top(deck).unwrap();
    let on_top = |verb| Act { pieces: vec![top], ..Act::new(verb) };
    world
        .act(
            SeatNo(1),
            &on_top(Verb::Move { to: At { surface: SurfaceNo(0), x: 1, y: 1 }, face: None, turn: None }),
        )
        .unwrap();
    world.act(SeatNo(1), &on_top(Verb::Set { value: None, tint: Some(7) })).unwrap();
    let back = Act { into: Some(deck), ..on_top(Verb::Drop { at: None, xy: None, face: None }) };
    world.act(SeatNo(1), &back).unwrap();
    world.session.table().piece(top).unwrap().marks == Marks::default()
}

#[test]
fn a_card_is_not_marked_through_the_deck() {
    assert!(deck_clears_marks());
    assert!(!with(Mutant::KeepsMarks, deck_clears_marks));
}

/// A random session broke a property before; a failure prints it in this form.
#[test]
fn a_shuffle_of_one_card_that_is_taken_back_leaves_it_known() {
    check_again(
        3,
        &[
            (98, 19, 0, 0, 0),
            (63, 132, 928, 1849, 1292),
            (1, 46, 9965, 0, 0),
            (42, 96, 50781, 33518, 3273),
            (17, 14, 0, 36080, 0),
            (0, 134, 4741, 0, 37964),
            (0, 3, 0, 0, 0),
            (118, 54, 18016, 4608, 0),
            (0, 233, 0, 0, 0),
            (134, 196, 2949, 0, 18774),
            (0, 42, 64570, 0, 0),
            (0, 32, 0, 0, 0),
            (0, 3, 0, 0, 0),
            (0, 12, 0, 0, 10247),
            (0, 4, 58604, 0, 0),
            (0, 184, 644, 0, 0),
            (0, 71, 0, 0, 0),
            (0, 43, 6431, 0, 12172),
            (199, 0, 17824, 0, 20979),
            (0, 0, 4197, 0, 0),
            (0, 0, 4799, 0, 0),
            (0, 8, 11, 0, 0),
            (0, 106, 0, 18, 0),
            (63, 0, 27565, 0, 0),
            (0, 0, 163, 0, 0),
            (165, 203, 0, 32205, 0),
            (0, 25, 0, 0, 0),
            (0, 0, 5001, 0, 0),
            (0, 226, 2743, 0, 2756),
        ],
    )
    .unwrap();
}

/// Another one: a card goes into the box and out of it again.
#[test]
fn a_card_is_not_followed_through_the_box() {
    check_again(
        2,
        &[
            (224, 132, 39857, 26613, 31290),
            (32, 4, 6534, 30386, 766),
            (151, 230, 31930, 0, 6810),
            (0, 19, 0, 15209, 0),
            (0, 82, 0, 0, 8190),
            (0, 8, 0, 0, 0),
            (11, 104, 20518, 0, 14166),
            (7, 138, 930, 0, 4240),
            (152, 25, 1545, 0, 0),
            (0, 42, 751, 0, 62749),
            (0, 42, 6091, 0, 2644),
            (8, 54, 5691, 0, 0),
            (0, 26, 0, 680, 0),
            (48, 88, 25515, 0, 2713),
            (36, 43, 1, 0, 1385),
            (56, 15, 0, 38506, 0),
            (62, 43, 1, 0, 1904),
        ],
    )
    .unwrap();
}

/// A seat peeks at the top card, another turns it over and back, the deck is shuffled, and the second turn is taken
/// back; true if nobody knows the card then.
fn shuffled_card_is_unknown() -> bool {
    let mut world = table_for(2);
    let deck = world.session.table().named("Deck", None).unwrap();
    let top = world.session.table().top(deck).unwrap();
    let on_top = |verb| Act { pieces: vec![top], ..Act::new(verb) };
    world.act(SeatNo(0), &on_top(Verb::Peek { count: 0 })).unwrap();
    world.act(SeatNo(1), &on_top(Verb::Flip { face: None })).unwrap();
    let turned = world.act(SeatNo(1), &on_top(Verb::Flip { face: None })).unwrap().entry.n;
    let shuffle = Act { into: Some(deck), ..Act::new(Verb::Shuffle) };
    world.act(SeatNo(1), &shuffle).unwrap();
    while world.session.table().top(deck) == Some(top) {
        world.act(SeatNo(1), &shuffle).unwrap();
    }
    let undo = Act::new(Verb::Undo { n: turned, agree: true });
    assert_eq!(world.act(SeatNo(1), &undo).unwrap().entry.undoes, [turned]);
    world.session.table().piece(top).unwrap().known.is_empty()
}

#[test]
fn an_undo_does_not_find_a_card_in_a_deck_that_was_shuffled_since() {
    assert!(shuffled_card_is_unknown());
    assert!(!with(Mutant::UndoFindsMoved, shuffled_card_is_unknown));
}

#[test]
fn names_are_seen_and_turn_no_text_around() {
    let mut world = table_for(2);
    let before = world.session.snapshot();
    for name in
        ["\u{202e}live", "a\u{2066}b", "\u{200b}", "\u{2060} \u{feff}", "a\nb", "a\u{2028}b", "\u{7}", " "]
    {
        for verb in [
            Verb::Name { name: name.to_owned() },
            Verb::Claim { who: "u0".to_owned(), name: name.to_owned(), left_by: None },
        ] {
            let said = world.act(SeatNo(0), &Act::new(verb)).map(|done| done.entry.n);
            assert!(matches!(said, Err(Refusal::Malformed(_))), "{name:?} {said:?}");
        }
    }
    let marked = world.act(SeatNo(0), &Act::new(Verb::Mark { text: "a\u{202e}b".to_owned() }));
    assert!(marked.is_err() && world.session.snapshot() == before);
    for name in ["Zoë", "שרה", "👩\u{200d}🎤", "می\u{200c}خواهم"] {
        world.act(SeatNo(0), &Act::new(Verb::Name { name: name.to_owned() })).unwrap();
    }
    world.act(SeatNo(0), &Act::new(Verb::Mark { text: "two\nlines".to_owned() })).unwrap();
}

/// A table whose deck has many cards.
fn full_table() -> World {
    let mut world = table_for(2);
    let many = Placed::Pieces { definition: DefNo(0), copies: Some(1_500), count: None, name: None };
    let to = Target::Into(Ref { name: "Deck".to_owned(), own: false });
    let kind = StepKind::Place { place: many, to, face: None, marks: None };
    let steps = vec![Step { each_seat: false, seat: None, times: Count::Fixed(1), kind }];
    let edit = Edit::Button { name: "Fill".to_owned(), button: Some(Button { steps }) };
    world.act(SeatNo(0), &Act::new(Verb::Edit { edit })).unwrap();
    world.act(SeatNo(0), &press(Some("Fill"))).unwrap();
    world
}

/// Sixty steps, a hundred times each.
fn endless(kind: StepKind) -> Act<PieceNo> {
    let steps =
        vec![Step { each_seat: false, seat: None, times: Count::Fixed(limits::TIMES), kind }; limits::STEPS];
    Act::new(Verb::Edit { edit: Edit::Button { name: "Endless".to_owned(), button: Some(Button { steps }) } })
}

#[test]
fn a_button_does_no_more_than_an_act_may() {
    let deck = || Ref { name: "Deck".to_owned(), own: false };
    let all = || Select { from: deck(), most: None, set: None };
    for kind in [
        StepKind::Shuffle { what: deck() },
        StepKind::Flip { what: all(), face: Some(Facing::Down) },
        StepKind::Move { what: all(), to: Target::Into(deck()), face: None, marks: None },
    ] {
        let mut world = full_table();
        world.act(SeatNo(0), &endless(kind)).unwrap();
        let before = world.session.snapshot();
        let pressed = world.act(SeatNo(0), &press(Some("Endless"))).map(|done| done.entry.n);
        assert!(matches!(pressed, Err(Refusal::NotPossible(_) | Refusal::Limit(..))), "{pressed:?}");
        assert!(world.session.snapshot() == before);
        assert!((1..=limits::WORK + limits::PIECES).contains(&world.session.work()));
    }
}

#[test]
fn a_full_log_takes_no_more_and_says_so() {
    let world = table_for(2);
    let full = crate::session::Snapshot { written: limits::LOG_BYTES, ..world.session.snapshot() };
    let game_box = Arc::clone(world.session.game_box());
    let mut session = Session::resume(full, game_box, SEED, []).unwrap();
    let before = session.snapshot();
    let refusal = session.act(SeatNo(0), &Act::new(Verb::Pass { to: None }), 1).unwrap_err();
    assert_eq!((&refusal, refusal.code()), (&Refusal::LogFull, "log-full"));
    assert!(refusal.to_string().contains("32 MiB"), "{refusal}");
    assert_eq!(session.snapshot(), before);
    session.act(SeatNo(1), &Act::new(Verb::Leave { seat: None }), 1).unwrap();
    session.act(SeatNo(0), &Act::new(end("Full")), 1).unwrap();
    assert!(session.seed().is_some() && session.written() > limits::LOG_BYTES);
}

#[test]
fn the_entries_in_memory_have_a_limit_of_bytes_that_a_resumed_session_keeps_too() {
    let mut world = table_for(2);
    let (start, mut log) = (world.session.snapshot(), Vec::new());
    let bytes = |log: &mut dyn Iterator<Item = &Entry>| {
        log.map(|entry| serde_json::to_vec(entry).unwrap().len()).sum::<usize>()
    };
    let kind = StepKind::Say { text: "x".repeat(limits::TEXT_CHARS) };
    world.act(SeatNo(0), &endless(kind.clone())).unwrap();
    log.extend(world.session.log().back().cloned());
    let said = Step { each_seat: false, seat: None, times: Count::Fixed(20), kind };
    let button = Button { steps: vec![said; limits::STEPS] };
    let edit = Edit::Button { name: "Say".to_owned(), button: Some(button) };
    world.act(SeatNo(0), &Act::new(Verb::Edit { edit })).unwrap();
    log.extend(world.session.log().back().cloned());
    while bytes(&mut log.iter()) < 2 * limits::KEPT_BYTES {
        log.push(world.act(SeatNo(0), &press(Some("Say"))).unwrap().entry);
    }
    let kept = world.session.log();
    assert!(bytes(&mut kept.iter()) <= limits::KEPT_BYTES && kept.len() > 1);
    let game_box = Arc::clone(world.session.game_box());
    let resumed = Session::resume(start, game_box, SEED, log).unwrap();
    assert!(resumed.log() == kept && resumed.snapshot() == world.session.snapshot());
}

fn end(result: &str) -> Verb {
    Verb::End { result: result.to_owned(), winners: Vec::new(), points: Vec::new() }
}
