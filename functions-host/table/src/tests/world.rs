//! Random sessions: a box with marked faces, a set-up, and acts that seats choose among what they see.

mod chooser;

use chooser::Chooser;

use crate::act::{Act, Refusal, Restored, Verb};
use crate::game_box::{Back, BoxChange, CardSet, Definition, GameBox, Kind, Parts, Source};
use crate::ids::{BackNo, DefNo, Handle, PieceNo, SeatNo, SetNo, SurfaceNo};
use crate::log::Entry;
use crate::model::{
    Audience, Button, ContainerKind, Count, Facing, Formula, Placed, PlacedMarks, Policy, Ref, Role, Seat,
    Select, Settings, Shows, Step, StepKind, Table, Target,
};
use crate::session::Session;
use crate::view::{Patch, View};
use proptest::prelude::*;
use std::sync::Arc;

/// Numbers that become an act once it is known what its seat sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) seat: u8,
    pub(super) verb: u8,
    pub(super) a: u16,
    pub(super) b: u16,
    pub(super) c: u16,
}

impl Move {
    /// True if it stands for a change of the project.
    pub(super) fn is_update(self) -> bool {
        self.verb.is_multiple_of(19)
    }
}

/// Moves of a session, for two to six seats.
pub(super) fn moves(most: usize) -> impl Strategy<Value = (u8, Vec<Move>)> {
    let one = (any::<u8>(), any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>())
        .prop_map(|(seat, verb, a, b, c)| Move { seat, verb, a, b, c });
    (2_u8..=6, prop::collection::vec(one, 1..=most))
}

/// A face's text that appears nowhere else.
pub(super) fn marker(definition: usize) -> String {
    let mut state = definition as u64 * 7_919 + 12_345;
    let letters = (0..12).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'A' + (state >> 33) as u8 % 26)
    });
    letters.collect()
}

const BACKS: [(Kind, u16, usize); 5] =
    [(Kind::Card, 0, 14), (Kind::Card, 0, 6), (Kind::Token, 0, 5), (Kind::Die, 6, 2), (Kind::Counter, 0, 1)];

/// Definitions of the box.
pub(super) const DEFINITIONS: usize = 28;

/// A change of some faces, of the look of a back, and now and then of the common text, as its numbers say. The new
/// faces have markers of their own, which follow from `nth`.
pub(super) fn change(game_box: &GameBox, play: Move, nth: usize) -> BoxChange {
    let mut change = BoxChange::default();
    for at in 0..1 + usize::from(play.c) % 3 {
        let no = (usize::from(play.a) + at * 5) % DEFINITIONS;
        let face = format!("{{\"name\":\"{}\"}}", marker(DEFINITIONS * (nth + 1) + no)).into();
        let definition = game_box.definition(DefNo(no as u16)).unwrap();
        change.definitions.insert(DefNo(no as u16), Definition { face, ..definition.clone() });
    }
    if play.b.is_multiple_of(3) {
        let no = BackNo(play.b % 5);
        let look = format!("{{\"back\":{no:?},\"nth\":{nth}}}").into();
        change.backs.insert(no, Back { look, ..game_box.back(no).unwrap().clone() });
    }
    if play.b.is_multiple_of(7) {
        change.common = Some(format!("common {nth}").into());
    }
    change
}

/// The card that a definition is.
fn source(definition: usize) -> Source {
    Source { component: "c".into(), cards: vec![format!("k{definition}").into()] }
}

/// Definitions by back, one piece each.
pub(super) fn game_box() -> Arc<GameBox> {
    let mut parts = Parts::default();
    let mut of_back = Vec::new();
    for (no, (kind, sides, count)) in BACKS.iter().enumerate() {
        let look = format!("{{\"back\":{no}}}").into();
        parts.backs.push(Back { look, kind: *kind, size: (630, 880), sides: *sides });
        let first = parts.definitions.len();
        for at in first..first + count {
            let face = format!("{{\"name\":\"{}\"}}", marker(at)).into();
            parts.definitions.push(Definition {
                face,
                back: BackNo(no as u16),
                copies: 1,
                source: Some(source(at)),
            });
        }
        of_back.push((first..first + count).map(|at| DefNo(at as u16)).collect::<Vec<_>>());
    }
    let even = of_back[0].iter().copied().filter(|no| no.0.is_multiple_of(2)).collect();
    for (at, members) in of_back.into_iter().chain([even]).enumerate() {
        parts.sets.push(CardSet { name: format!("Set {at}"), members, component: None, value: None });
    }
    Arc::new(GameBox::try_from(parts).unwrap())
}

fn step(kind: StepKind) -> Step {
    Step { each_seat: false, seat: None, times: Count::default(), kind }
}

fn named(name: &str) -> Ref {
    Ref { name: name.to_owned(), own: false }
}

fn at(x: i32, y: i32) -> Target {
    Target::At { surface: SurfaceNo(0), x, y }
}

fn container(kind: ContainerKind, name: &str, policy: Option<Policy>) -> StepKind {
    let place = Placed::Container {
        kind,
        name: name.to_owned(),
        policy,
        arrangement: Default::default(),
        size: (1, 1),
    };
    StepKind::Place { place, to: at(0, 0), face: None, marks: None }
}

fn fill(set: u16, name: &str) -> StepKind {
    StepKind::Place {
        place: Placed::Set(SetNo(set)),
        to: Target::Into(named(name)),
        face: Some(Facing::Down),
        marks: None,
    }
}

/// A deck and a bag, a discard, hands, a tray, and zones of every policy.
fn setup() -> Button {
    let usual = Policy::usual;
    let closed = Policy {
        audience: Audience::Seats([SeatNo(0), SeatNo(1)].into_iter().collect()),
        inside: Shows::Face,
        outside: Shows::Back,
        ..usual(ContainerKind::Zone)
    };
    let only_even = Policy { accepts: Some(SetNo(5)), ..usual(ContainerKind::Zone) };
    let two = Policy { capacity: Some(2), auto_face: Some(Facing::Down), ..usual(ContainerKind::Stack) };
    let present = Policy { outside: Shows::Presence, ..usual(ContainerKind::Tray) };
    let each = |kind| Step { each_seat: true, ..step(kind) };
    Button {
        steps: vec![
            step(container(ContainerKind::Stack, "Deck", None)),
            step(container(ContainerKind::Stack, "Pile", Some(two))),
            step(container(ContainerKind::Stack, "Discard", None)),
            step(container(ContainerKind::Bag, "Bag", None)),
            step(container(ContainerKind::Zone, "Market", None)),
            step(container(ContainerKind::Zone, "Even", Some(only_even))),
            step(container(ContainerKind::Zone, "Closed", Some(closed))),
            each(container(ContainerKind::Hand, "Hand", None)),
            each(container(ContainerKind::Tray, "Tray", Some(present))),
            step(fill(0, "Deck")),
            step(fill(1, "Discard")),
            step(fill(2, "Bag")),
            step(StepKind::Place { place: Placed::Set(SetNo(3)), to: at(5, 5), face: None, marks: None }),
            step(StepKind::Place {
                place: Placed::Pieces {
                    definition: DefNo(27),
                    copies: None,
                    count: None,
                    name: Some("Score".to_owned()),
                },
                to: at(9, 9),
                face: None,
                marks: None,
            }),
            step(StepKind::Shuffle { what: named("Deck") }),
            step(StepKind::Shuffle { what: named("Discard") }),
            step(StepKind::Deal { from: named("Deck"), most: Count::Fixed(1), seats: None }),
        ],
    }
}

/// A button with a step of most kinds.
fn button() -> Button {
    let select = |name: &str, most, set| Select { from: named(name), most, set };
    Button {
        steps: vec![
            step(StepKind::Reveal { what: select("Deck", Some(Count::Given(0)), None) }),
            step(StepKind::Move {
                what: select("Deck", Some(Count::Fixed(1)), None),
                to: Target::Into(named("Market")),
                face: None,
                marks: None,
            }),
            step(StepKind::Move {
                what: select("Market", None, Some(SetNo(0))),
                to: at(30, 30),
                face: Some(Facing::Down),
                marks: Some(PlacedMarks { turn: 45, locked: false, tint: None }),
            }),
            step(StepKind::Set { what: named("Score"), value: 3, formula: None }),
            step(StepKind::WaitForHost),
            step(StepKind::Say { text: "Again".to_owned() }),
            step(StepKind::Move {
                what: select("Discard", None, None),
                to: Target::Into(named("Deck")),
                face: None,
                marks: None,
            }),
            step(StepKind::Shuffle { what: named("Deck") }),
        ],
    }
}

/// A button with numbers by formula, and with cards out of the box.
fn filling() -> Button {
    let pair = |one, other| Box::new((one, other));
    let discarded = Formula::Count(named("Discard"));
    let half = Formula::Up(pair(Formula::Players, Formula::Number(2)));
    let some = Some(Count::Formula(Formula::Min(pair(Formula::Players, discarded))));
    Button {
        steps: vec![
            step(StepKind::Place {
                place: Placed::Rest { set: SetNo(5), most: Some(Count::Formula(half)) },
                to: Target::Into(named("Discard")),
                face: Some(Facing::Down),
                marks: None,
            }),
            step(StepKind::Place {
                place: Placed::Rest { set: SetNo(5), most: Some(Count::Fixed(1)) },
                to: at(-9, 9),
                face: Some(Facing::Down),
                marks: Some(PlacedMarks { turn: 450, locked: false, tint: Some(0x00c0_ffee) }),
            }),
            Step {
                seat: Some(SeatNo(1)),
                ..step(StepKind::Place {
                    place: Placed::Rest { set: SetNo(5), most: Some(Count::Fixed(2)) },
                    to: Target::Into(Ref { name: "Hand".to_owned(), own: true }),
                    face: Some(Facing::Down),
                    marks: Some(PlacedMarks { turn: 90, locked: true, tint: None }),
                })
            },
            step(StepKind::Note {
                text: "Round".to_owned(),
                to: at(9, -9),
                marks: Some(PlacedMarks { turn: 5, locked: true, tint: None }),
            }),
            step(StepKind::Move {
                what: Select { from: named("Deck"), most: some, set: None },
                to: Target::Into(named("Market")),
                face: None,
                marks: None,
            }),
            step(StepKind::Set {
                what: named("Score"),
                value: 0,
                formula: Some(Formula::Plus(pair(Formula::Value(named("Score")), Formula::Round))),
            }),
        ],
    }
}

/// A session with open views of every seat and the observers.
pub(super) struct World {
    pub(super) session: Session,
    pub(super) start: Table,
    pub(super) views: Vec<View>,
    pub(super) time: u64,
    /// Changes of the box, in order.
    pub(super) updates: Vec<BoxChange>,
}

/// An act that was accepted.
pub(super) struct Done {
    pub(super) entry: Entry,
    /// One for each view.
    pub(super) patches: Vec<Patch>,
}

pub(super) const SEED: [u8; 32] = [42; 32];

fn key(seat: SeatNo) -> [u8; 32] {
    [seat.0; 32]
}

impl World {
    /// A table before its set-up, everybody seated.
    pub(super) fn new(seats: u8) -> Self {
        let settings = Settings { remembers: true, phases: vec!["Play".to_owned()], ..Settings::default() };
        let mut table = Table::new(1, settings);
        for no in 0..seats {
            let role = if no == 0 { Role::Host } else { Role::Player };
            let who = Some(format!("u{no}"));
            table
                .seats
                .insert(SeatNo(no), Seat { name: format!("Seat {no}"), colour: 0, who, role, agrees: false });
        }
        table.setup = Some(setup());
        table.buttons.insert("Go".to_owned(), button());
        table.buttons.insert("Fill".to_owned(), filling());
        let session = Session::new(table.clone(), game_box(), SEED);
        let mut world = Self { session, start: table, views: Vec::new(), time: 1_000, updates: Vec::new() };
        world.open_views();
        world
    }

    pub(super) fn open_views(&mut self) -> Vec<Patch> {
        let seats = self.session.table().seats.keys().copied().chain([SeatNo::OBSERVER]);
        let (table, game_box) = (self.session.table(), self.session.game_box());
        let opened: Vec<_> = seats.map(|seat| View::open(table, game_box, seat, key(seat))).collect();
        let (views, patches) = opened.into_iter().unzip();
        self.views = views;
        patches
    }

    /// Does an act, and shows it to every view.
    pub(super) fn act(&mut self, by: SeatNo, act: &Act<PieceNo>) -> Result<Done, Refusal> {
        self.time += 1_000;
        let entry = self.session.act(by, act, self.time)?.clone();
        Ok(self.shown(entry))
    }

    fn shown(&mut self, entry: Entry) -> Done {
        let (table, game_box) = (self.session.table(), self.session.game_box());
        let patches = self.views.iter_mut().map(|view| view.patch(table, game_box, &entry)).collect();
        Done { entry, patches }
    }

    /// Takes a change of the project's cards.
    pub(super) fn update(&mut self, play: Move) -> Result<Done, Refusal> {
        self.time += 1_000;
        let change = change(self.session.game_box(), play, self.updates.len());
        let by = if play.seat.is_multiple_of(2) { SeatNo::TABLE } else { SeatNo(0) };
        let entry = self.session.update(by, &change, self.time)?.clone();
        self.updates.push(change);
        Ok(self.shown(entry))
    }

    pub(super) fn set_up(&mut self) -> Done {
        self.act(SeatNo(0), &Act::new(Verb::Restore { to: Restored::Setup })).unwrap()
    }

    /// The act that a move stands for, and its seat.
    pub(super) fn choose(&self, play: Move) -> (SeatNo, Act<Handle>) {
        let seats = self.session.table().seats.len() as u8;
        let seat = SeatNo(play.seat % seats);
        let view = &self.views[usize::from(seat.0)];
        let mut pieces: Vec<_> =
            view.pieces().map(|(handle, shown)| (handle, shown.container.is_some())).collect();
        pieces.sort_unstable();
        let of = |is_container: bool| -> Vec<Handle> {
            pieces
                .iter()
                .filter(|(_, container)| *container == is_container)
                .map(|(handle, _)| *handle)
                .collect()
        };
        let chooser = Chooser { seats, play, loose: of(false), boxes: of(true), n: self.session.table().n };
        (seat, chooser.act())
    }

    /// Does the act of a move.
    pub(super) fn play(&mut self, play: Move) -> Result<Done, Refusal> {
        if play.is_update() {
            return self.update(play);
        }
        let (seat, act) = self.choose(play);
        let act = self.views[usize::from(seat.0)].resolve(&act)?;
        self.act(seat, &act)
    }
}
