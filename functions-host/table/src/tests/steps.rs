//! Steps of buttons and set-ups: numbers by formula, cards out of the box, rolls, and who is told of a set-up.

use super::world::{Done, SEED, World};
use crate::act::{Act, At, Edit, Refusal, Spawned, Verb};
use crate::game_box::Kind;
use crate::ids::{DefNo, PieceNo, SeatNo, SetNo, SurfaceNo};
use crate::limits;
use crate::log::Note;
use crate::model::{
    Audience, Button, Count, Facing, Formula, Marks, Placed, PlacedMarks, Policy, Ref, Select, Shows, Step,
    StepKind, Target,
};
use crate::replay::Replay;
use crate::view::{Patch, Say, ShortPatch};

const HOST: SeatNo = SeatNo(0);

fn named(name: &str) -> Ref {
    Ref { name: name.to_owned(), own: false }
}

fn pair(one: Formula, other: Formula) -> Box<(Formula, Formula)> {
    Box::new((one, other))
}

fn table_for(seats: u8) -> World {
    let mut world = World::new(seats);
    world.set_up();
    world
}

fn no_of(world: &World, name: &str) -> PieceNo {
    world.session.table().named(name, None).unwrap()
}

fn len(world: &World, name: &str) -> usize {
    world.session.table().container(no_of(world, name)).unwrap().len()
}

/// Writes a button of these steps and presses it.
fn press(world: &mut World, steps: Vec<Step>) -> Result<Done, Refusal> {
    let edit = Edit::Button { name: "Try".to_owned(), button: Some(Button { steps }) };
    world.act(HOST, &Act::new(Verb::Edit { edit }))?;
    world.act(HOST, &Act::new(Verb::Run { button: Some("Try".to_owned()), numbers: Vec::new() }))
}

fn step(kind: StepKind) -> Step {
    Step { each_seat: false, seat: None, times: Count::default(), kind }
}

fn moved(from: &str, most: Formula, to: &str) -> StepKind {
    StepKind::Move {
        what: Select { from: named(from), most: Some(Count::Formula(most)), set: None },
        to: Target::Into(named(to)),
        face: None,
        marks: None,
    }
}

fn rest(set: u16, most: Option<Count>, to: &str) -> StepKind {
    StepKind::Place {
        place: Placed::Rest { set: SetNo(set), most },
        to: Target::Into(named(to)),
        face: Some(Facing::Up),
        marks: None,
    }
}

#[test]
fn numbers_by_formula_follow_the_table() {
    let mut world = table_for(3);
    let half = |up: bool| {
        let of = pair(Formula::Count(named("Discard")), Formula::Number(2));
        if up { Formula::Up(of) } else { Formula::Over(of) }
    };
    assert_eq!(len(&world, "Discard"), 6);
    press(&mut world, vec![step(moved("Discard", Formula::Number(1), "Market"))]).unwrap();
    press(&mut world, vec![step(moved("Discard", half(false), "Market"))]).unwrap();
    assert_eq!((len(&world, "Discard"), len(&world, "Market")), (3, 3));
    let done = press(&mut world, vec![step(moved("Discard", half(true), "Market"))]).unwrap();
    assert_eq!((len(&world, "Discard"), len(&world, "Market")), (1, 5));
    let undo = Act::new(Verb::Undo { n: done.entry.n, agree: true });
    assert_eq!(world.act(HOST, &undo).unwrap().entry.undoes, [done.entry.n]);
    assert_eq!(len(&world, "Discard"), 3);
    // Each draws up to two cards; everybody was dealt one.
    let own = Ref { name: "Hand".to_owned(), own: true };
    let lacking = Formula::Minus(pair(Formula::Number(2), Formula::Count(own.clone())));
    let draw = StepKind::Move {
        what: Select { from: named("Deck"), most: Some(Count::Formula(lacking)), set: None },
        to: Target::Into(own),
        face: None,
        marks: None,
    };
    for _ in 0..2 {
        press(&mut world, vec![Step { each_seat: true, ..step(draw.clone()) }]).unwrap();
        for seat in 0..3 {
            let hand = world.session.table().hand(SeatNo(seat)).unwrap();
            assert_eq!(world.session.table().container(hand).unwrap().len(), 2);
        }
    }
    let score = |formula| StepKind::Set { what: named("Score"), value: 0, formula: Some(formula) };
    let tripled =
        Formula::Times(pair(Formula::Players, Formula::Max(pair(Formula::Number(4), Formula::Round))));
    press(&mut world, vec![step(score(tripled))]).unwrap();
    let more = Formula::Plus(pair(Formula::Value(named("Score")), Formula::Number(-2)));
    press(&mut world, vec![Step { times: Count::Formula(Formula::Players), ..step(score(more)) }]).unwrap();
    let no = no_of(&world, "Score");
    assert_eq!(world.session.table().piece(no).unwrap().marks.value, Some(6));
}

#[test]
fn formulas_read_only_what_everybody_sees() {
    let mut world = table_for(2);
    let bag = no_of(&world, "Bag");
    let count = || vec![step(moved("Deck", Formula::Count(named("Bag")), "Market"))];
    press(&mut world, count()).unwrap();
    let hidden = Policy {
        audience: Audience::Seats([HOST].into_iter().collect()),
        inside: Shows::Count,
        outside: Shows::Nothing,
        ..world.session.table().container(bag).unwrap().policy
    };
    let edit = Edit::Container { policy: hidden, arrangement: Default::default(), size: (1, 1) };
    world.act(HOST, &Act { into: Some(bag), ..Act::new(Verb::Edit { edit }) }).unwrap();
    let before = len(&world, "Deck");
    // The host sees its number, and is refused all the same: the market would tell it to everybody.
    assert!(matches!(press(&mut world, count()), Err(Refusal::NotPossible(_))));
    let nothing = Formula::Over(pair(Formula::Number(1), Formula::Round));
    assert!(matches!(
        press(&mut world, vec![step(moved("Deck", nothing, "Market"))]),
        Err(Refusal::NotPossible(_))
    ));
    assert_eq!(len(&world, "Deck"), before);
    let below = Formula::Minus(pair(Formula::Number(1), Formula::Players));
    press(&mut world, vec![step(moved("Deck", below, "Market"))]).unwrap();
    assert_eq!(len(&world, "Deck"), before, "less than nothing is nothing");
}

#[test]
fn a_formula_has_a_limit() {
    let mut world = table_for(2);
    let long = (0..limits::FORMULA_PARTS / 2)
        .fold(Formula::Number(1), |sum, _| Formula::Plus(pair(sum, Formula::Number(1))));
    assert_eq!(long.parts(), limits::FORMULA_PARTS + 1);
    let kept = match &long {
        Formula::Plus(pair) => pair.0.clone(),
        _ => unreachable!(),
    };
    press(&mut world, vec![step(moved("Deck", kept, "Market"))]).unwrap();
    let refused = press(&mut world, vec![step(moved("Deck", long.clone(), "Market"))]);
    assert!(matches!(refused, Err(Refusal::NotPossible(_))));
    let times = Step { times: Count::Formula(long), ..step(moved("Deck", Formula::Number(0), "Market")) };
    assert!(matches!(press(&mut world, vec![times]), Err(Refusal::NotPossible(_))));
}

#[test]
fn the_rest_of_a_set_leaves_out_what_everybody_sees() {
    let mut world = table_for(2);
    let open = moved("Deck", Formula::Number(2), "Market");
    press(
        &mut world,
        vec![
            step(open),
            step(StepKind::Reveal { what: Select { from: named("Market"), most: None, set: None } }),
        ],
    )
    .unwrap();
    // Fourteen cards, two of which lie open. Those in the deck and the hands are not told from the others.
    let done = press(&mut world, vec![step(rest(0, None, "Market"))]).unwrap();
    assert_eq!(len(&world, "Market"), 14);
    assert!(done.entry.draws.is_none());
    world.act(HOST, &Act::new(Verb::Undo { n: done.entry.n, agree: true })).unwrap();
    assert_eq!(len(&world, "Market"), 2);
    let three = Some(Count::Formula(Formula::Plus(pair(Formula::Players, Formula::Number(1)))));
    let done = press(&mut world, vec![step(rest(0, three, "Market"))]).unwrap();
    assert_eq!(len(&world, "Market"), 5);
    assert!(!done.entry.draws.is_none(), "chance chooses them");
    let many = Some(Count::Fixed(100));
    press(&mut world, vec![step(rest(0, many, "Market"))]).unwrap();
    assert_eq!(len(&world, "Market"), 14, "no more than there are");
}

#[test]
fn pieces_are_placed_at_their_spots_in_an_area() {
    let mut world = table_for(2);
    let within = Target::Within { into: named("Market"), x: -40, y: 25 };
    let pieces = Placed::Pieces { definition: DefNo(20), copies: Some(1), count: None, name: None };
    press(&mut world, vec![step(StepKind::Place { place: pieces, to: within, face: None, marks: None })])
        .unwrap();
    let market = no_of(&world, "Market");
    let inside = world.session.table().top(market).unwrap();
    let pos = world.session.table().piece(inside).unwrap().pos;
    assert_eq!((pos.x, pos.y), (-40, 25));
    let far = Target::Within { into: named("Market"), x: limits::COORDINATE + 1, y: 0 };
    let pieces = Placed::Pieces { definition: DefNo(20), copies: Some(1), count: None, name: None };
    let place = StepKind::Place { place: pieces, to: far, face: None, marks: None };
    assert!(press(&mut world, vec![step(place)]).is_err());
}

/// A step that puts one piece or note somewhere, with marks.
fn put(place: Placed, to: Target, marks: PlacedMarks) -> Step {
    step(StepKind::Place { place, to, face: Some(Facing::Down), marks: Some(marks) })
}

#[test]
fn pieces_are_placed_at_an_angle_locked_and_tinted_and_hiding_takes_that_away() {
    let mut world = table_for(2);
    let marks = PlacedMarks { turn: 450, locked: true, tint: Some(0xff12_3456) };
    let one = || Placed::Rest { set: SetNo(0), most: Some(Count::Fixed(1)) };
    let table = Target::At { surface: SurfaceNo(0), x: 7, y: 8 };
    press(&mut world, vec![put(one(), table, marks)]).unwrap();
    let table = world.session.table();
    let placed = table.pieces().find(|piece| (piece.pos.x, piece.pos.y) == (7, 8)).unwrap();
    let Marks { turn, locked, tint, .. } = placed.marks;
    assert_eq!((turn, locked, tint), (90, true, Some(0x0012_3456)));
    press(&mut world, vec![put(one(), Target::Into(named("Deck")), marks)]).unwrap();
    let top = world.session.table().top(no_of(&world, "Deck")).unwrap();
    assert_eq!(world.session.table().piece(top).unwrap().marks, Marks::default());
}

#[test]
fn a_step_places_a_note_and_no_more_than_a_table_holds() {
    let mut world = table_for(2);
    let note = |to| step(StepKind::Note { text: "Mind the gap".to_owned(), to, marks: None });
    let place = Target::At { surface: SurfaceNo(0), x: -5, y: 6 };
    let done = press(&mut world, vec![note(place.clone())]).unwrap();
    let is_note = |piece: &&crate::model::Piece| piece.kind == Kind::Note;
    let lies = world.session.table().pieces().find(is_note).unwrap();
    assert_eq!((lies.pos.x, lies.pos.y, lies.marks.text.as_deref()), (-5, 6, Some("Mind the gap")));
    world.act(HOST, &Act::new(Verb::Undo { n: done.entry.n, agree: true })).unwrap();
    assert!(!world.session.table().pieces().any(|piece| is_note(&piece)));
    assert!(press(&mut world, vec![note(Target::Into(named("Market")))]).is_err(), "notes lie on the table");
    let many = Step { times: Count::Fixed(limits::NOTES as u32 + 1), ..note(place) };
    assert!(matches!(press(&mut world, vec![many]), Err(Refusal::Limit("notes", limits::NOTES))));
}

#[test]
fn a_step_for_one_seat_is_done_there_and_left_out_where_that_seat_is_missing() {
    let mut world = table_for(2);
    let in_hand = |world: &World, seat| {
        let table = world.session.table();
        table.container(table.hand(SeatNo(seat)).unwrap()).unwrap().len()
    };
    let own = Ref { name: "Hand".to_owned(), own: true };
    let place = Placed::Rest { set: SetNo(0), most: Some(Count::Fixed(2)) };
    let fill = put(place, Target::Into(own), PlacedMarks { turn: 90, locked: true, tint: None });
    let before = [in_hand(&world, 0), in_hand(&world, 1)];
    press(&mut world, vec![Step { seat: Some(SeatNo(1)), ..fill.clone() }]).unwrap();
    assert_eq!([in_hand(&world, 0), in_hand(&world, 1)], [before[0], before[1] + 2]);
    press(&mut world, vec![Step { seat: Some(SeatNo(9)), ..fill }]).unwrap();
    assert_eq!([in_hand(&world, 0), in_hand(&world, 1)], [before[0], before[1] + 2]);
}

#[test]
fn steps_of_before_are_stored_as_they_were() {
    let stored = r#"{"each_seat":false,"times":{"fixed":1},"do":"place","place":{"set":0},"to":{"into":{"name":"Deck","own":false}},"face":null}"#;
    let step: Step = serde_json::from_str(stored).unwrap();
    assert_eq!(serde_json::to_string(&step).unwrap(), stored, "logs are sealed by their bytes");
}

#[test]
fn a_roll_of_a_button_is_told_and_old_logs_without_it_are_shown_again() {
    let mut world = table_for(2);
    let die = world.session.table().pieces().find(|piece| piece.kind == Kind::Die).unwrap().no;
    let name = Act { pieces: vec![die], ..Act::new(Verb::Name { name: "Red die".to_owned() }) };
    world.act(HOST, &name).unwrap();
    let done = press(&mut world, vec![step(StepKind::Roll { what: named("Red die") })]).unwrap();
    assert_eq!(done.entry.notes, [Note::Rolled { pieces: vec![die] }]);
    for patch in &done.patches {
        let [Say::Rolled { pieces }] = patch.say.as_slice() else { panic!("{:?}", patch.say) };
        assert!(pieces.len() == 1 && pieces[0].handle.is_some());
    }
    let end = Verb::End { result: String::new(), winners: Vec::new(), points: Vec::new() };
    world.act(HOST, &Act::new(end)).unwrap();
    let mut log: Vec<_> = world.session.log().iter().cloned().collect();
    for without in [false, true] {
        let game_box = crate::tests::world::game_box().as_ref().clone();
        if without {
            log.iter_mut().for_each(|entry| entry.notes.retain(|note| !matches!(note, Note::Rolled { .. })));
        }
        let replay = Replay::of(world.start.clone(), game_box, &[], &log).unwrap();
        let decided = replay.decided(SEED);
        assert!(decided.is_some_and(|all| all.iter().any(|one| one.verb == "run")), "without: {without}");
    }
}

#[test]
fn those_who_may_change_the_table_are_told_its_set_up() {
    let mut world = table_for(2);
    let told = |world: &World, seat: usize| {
        let patch = world.views[seat].everything(world.session.table(), world.session.game_box());
        (patch.setup.is_some(), patch.sets.map_or(0, |sets| sets.len()))
    };
    assert_eq!([told(&world, 0), told(&world, 1), told(&world, 2)], [(true, 6), (false, 0), (false, 0)]);
    let button = Some(Button { steps: vec![step(StepKind::Say { text: "Begin".to_owned() })] });
    let edit = Edit::Setup { button: button.clone() };
    let done = world.act(HOST, &Act::new(Verb::Edit { edit })).unwrap();
    assert_eq!(done.patches[0].setup.as_deref(), button.as_ref());
    assert!(done.patches[0].sets.is_none(), "they are the same");
    assert!(done.patches[1].setup.is_none() && done.patches[2].setup.is_none());
    let undone = world.act(HOST, &Act::new(Verb::Undo { n: done.entry.n, agree: true })).unwrap();
    assert_eq!(undone.patches[0].setup.as_deref(), world.session.table().setup.as_ref());
    let settings = world.session.table().settings.clone();
    let rights = crate::model::Rights { edit: true, ..settings.rights };
    let edit = Edit::Settings {
        rights,
        undo: settings.undo,
        remembers: settings.remembers,
        open_to_observers: settings.open_to_observers,
        phases: settings.phases,
    };
    let done = world.act(HOST, &Act::new(Verb::Edit { edit })).unwrap();
    assert!(done.patches[0].setup.is_none(), "the host has it");
    assert!(done.patches[1].setup.is_some() && done.patches[1].sets.is_some());
    assert!(done.patches[2].setup.is_none());
    // An act of another kind tells it to nobody again.
    let what = Spawned::Pieces { definition: DefNo(27), count: 1 };
    let spawn = Verb::Spawn { what, to: At { surface: SurfaceNo(0), x: 0, y: 0 } };
    let done = world.act(HOST, &Act::new(spawn)).unwrap();
    assert!(done.patches.iter().all(|patch| patch.setup.is_none() && patch.sets.is_none()));
}

#[test]
fn a_move_is_sent_as_its_position_alone() {
    let mut world = table_for(2);
    let die = world.session.table().pieces().find(|piece| piece.kind == Kind::Die).unwrap().no;
    let to = At { surface: SurfaceNo(0), x: 1_234, y: -567 };
    let act = Act { pieces: vec![die], ..Act::new(Verb::Move { to, face: None, turn: None }) };
    let done = world.act(SeatNo(1), &act).unwrap();
    for patch in &done.patches {
        let short = ShortPatch::from(patch.clone());
        let text = serde_json::to_string(&short).unwrap();
        assert!(text.len() <= 100, "{text}");
        let (handle, shown) = patch.set.first_key_value().unwrap();
        let whole = serde_json::to_value(shown).unwrap();
        assert_eq!(short.put[handle], (1_234, -567, whole["z"].as_u64().unwrap()));
        assert_eq!(short.did, [*handle]);
        assert!(short.patch.set.is_empty() && short.patch.say.is_empty());
    }
    // A piece that also looks different, or goes into hiding, is sent as a whole.
    let act = Act { pieces: vec![die], ..Act::new(Verb::Move { to, face: None, turn: Some(45) }) };
    let done = world.act(SeatNo(1), &act).unwrap();
    let short = ShortPatch::from(done.patches[0].clone());
    assert!(short.put.is_empty() && short.patch.set.len() == 1 && short.did.len() == 1);
    let draw = Act { into: Some(no_of(&world, "Deck")), ..Act::new(Verb::Draw { count: 1 }) };
    let done = world.act(SeatNo(1), &draw).unwrap();
    for patch in done.patches {
        let short = ShortPatch::from(patch.clone());
        assert!(short.put.is_empty() && short.did.is_empty());
        assert_eq!(short.patch, Patch { moved: patch.moved.clone(), ..patch });
    }
}
