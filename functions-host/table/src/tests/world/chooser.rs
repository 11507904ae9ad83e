//! The acts that moves stand for.

use super::Move;
use crate::act::{Act, At, Edit, NewContainer, Restored, Spawned, Verb};
use crate::ids::{DefNo, Handle, SeatNo, SurfaceNo};
use crate::model::{Audience, ContainerKind, Facing, Policy, Rights, Shows, UndoMode};

/// A move, and what its seat sees.
pub(super) struct Chooser {
    pub(super) seats: u8,
    pub(super) play: Move,
    pub(super) loose: Vec<Handle>,
    pub(super) boxes: Vec<Handle>,
    pub(super) n: u64,
}

impl Chooser {
    fn pick(from: &[Handle], at: u16) -> Handle {
        from.get(usize::from(at) % from.len().max(1)).copied().unwrap_or(Handle::from_bits(0))
    }

    fn pieces(&self, most: usize) -> Vec<Handle> {
        let count = 1 + usize::from(self.play.c) % most;
        let mut chosen: Vec<Handle> = Vec::new();
        for at in 0..count {
            let next = Self::pick(&self.loose, self.play.a.wrapping_add(at as u16 * 3));
            if !chosen.contains(&next) {
                chosen.push(next);
            }
        }
        chosen
    }

    fn face(&self) -> Option<Facing> {
        [None, Some(Facing::Up), Some(Facing::Down), Some(Facing::Down)][usize::from(self.play.b >> 8) % 4]
    }

    fn at(&self) -> At {
        At { surface: SurfaceNo(0), x: i32::from(self.play.a % 500), y: i32::from(self.play.b % 500) }
    }

    fn on(&self, most: usize, verb: Verb) -> Act<Handle> {
        Act { pieces: self.pieces(most), into: None, verb }
    }

    fn into(&self, verb: Verb) -> Act<Handle> {
        Act { pieces: Vec::new(), into: Some(Self::pick(&self.boxes, self.play.b)), verb }
    }

    fn seat(&self) -> SeatNo {
        SeatNo((self.play.b % u16::from(self.seats)) as u8)
    }

    pub(super) fn act(&self) -> Act<Handle> {
        let Move { a, b, c, .. } = self.play;
        let count = u32::from(c % 3) + 1;
        let odd = c % 2 == 1;
        match self.play.verb % 46 {
            0..=2 => {
                let turn = odd.then(|| i32::from(c) - 300);
                self.on(3, Verb::Move { to: self.at(), face: self.face(), turn })
            }
            3 => Act {
                pieces: vec![Self::pick(&self.boxes, b)],
                ..self.on(1, Verb::Move { to: self.at(), face: None, turn: None })
            },
            4..=7 => {
                let at = (a % 5 == 0).then_some(u32::from(c % 4));
                let verb = Verb::Drop { at, xy: Some((i32::from(c % 90), 0)), face: self.face() };
                let pieces = if a % 7 == 0 { vec![Self::pick(&self.boxes, a)] } else { self.pieces(3) };
                Act { pieces, ..self.into(verb) }
            }
            8 | 9 => self.on(2, Verb::Flip { face: self.face() }),
            10 => Act { pieces: vec![Self::pick(&self.boxes, b)], ..self.on(1, Verb::Flip { face: None }) },
            11 => self.on(2, Verb::Turn { by: i32::from(c) - 300 }),
            12 | 13 => {
                let into = odd.then(|| Self::pick(if a % 2 == 0 { &self.boxes } else { &self.loose }, b));
                let pieces = self.pieces(4).into_iter().filter(|piece| Some(*piece) != into).collect();
                Act { into, pieces, verb: Verb::Stack }
            }
            14 => self.into(Verb::Unstack),
            15..=17 => self.into(Verb::Draw { count }),
            18 => self.into(Verb::Deal { count, seats: odd.then(|| vec![self.seat()]) }),
            19 | 20 => self.into(Verb::Shuffle),
            21 => self.on(4, Verb::Shuffle),
            22 => self.into(Verb::Cut { at: odd.then_some(count) }),
            23 | 24 => self.into(Verb::Search { open: a % 3 != 0 }),
            25 => self.on(2, Verb::Peek { count: 0 }),
            26 => self.into(Verb::Peek { count }),
            27 => self.on(2, Verb::Show { to: odd.then(|| vec![self.seat()]) }),
            28 => self.on(2, Verb::Give { to: self.seat() }),
            29 => self.into(Verb::Take { count }),
            30 => self.on(1, Verb::Reorder { at: u32::from(c % 6) }),
            31 => self.on(1, if odd { Verb::Roll } else { Verb::Spin }),
            32 => {
                self.on(2, Verb::Set { value: odd.then_some(i64::from(c % 6) + 1), tint: Some(u32::from(c)) })
            }
            33 => self.on(1, Verb::Bump { by: i64::from(c % 3) - 1 }),
            34 => self.on(1, Verb::Lock { on: a % 4 == 0 }),
            35 => self.on(3, Verb::Group { on: odd }),
            36 => self.rare(),
            37 => self.on(1, Verb::Remove),
            38 => self.people(),
            39 => Act::new(Verb::Run {
                button: (b % 3 != 0).then(|| if b % 7 == 0 { "Fill" } else { "Go" }.to_owned()),
                numbers: vec![u32::from(c % 3)],
            }),
            40 | 41 => self.edit(),
            42 if a % 3 == 0 => {
                let to = match c % 8 {
                    0 => Restored::Setup,
                    1 => Restored::Clean,
                    _ => Restored::Entry(self.n.saturating_sub(u64::from(c % 20))),
                };
                Act::new(Verb::Restore { to })
            }
            _ => Act::new(Verb::Undo { n: self.n.saturating_sub(u64::from(c % 6)), agree: a % 5 != 0 }),
        }
    }

    fn rare(&self) -> Act<Handle> {
        let Move { a, c, .. } = self.play;
        match c % 4 {
            0 => Act::new(Verb::Spawn {
                what: Spawned::Pieces { definition: DefNo(a % 28), count: 1 },
                to: self.at(),
            }),
            1 => {
                let kind =
                    [ContainerKind::Stack, ContainerKind::Bag, ContainerKind::Zone][usize::from(a % 3)];
                let new = NewContainer {
                    kind,
                    name: "New".to_owned(),
                    owner: None,
                    policy: None,
                    arrangement: Default::default(),
                    size: (0, 0),
                };
                Act::new(Verb::Spawn { what: Spawned::Container(new), to: self.at() })
            }
            2 => Act::new(Verb::Note { text: "Note".to_owned(), to: Some(self.at()) }),
            _ => self.on(1, Verb::Name { name: "Named".to_owned() }),
        }
    }

    fn people(&self) -> Act<Handle> {
        let Move { a, c, .. } = self.play;
        match c % 7 {
            0 => Act::new(Verb::Claim {
                who: format!("u{}", a % 3),
                name: "Somebody".to_owned(),
                left_by: (c % 2 == 0).then(|| format!("u{}", (a + 1) % 3)),
            }),
            1 => Act::new(Verb::Leave { seat: None }),
            2 => Act::new(Verb::Pass { to: (a % 2 == 0).then(|| self.seat()) }),
            3 => Act::new(Verb::Phase { phase: "Play".to_owned() }),
            4 => self.on(1, Verb::Mark { text: "Why?".to_owned() }),
            5 => Act::new(Verb::Edit { edit: Edit::Agree { on: a % 2 == 0 } }),
            _ if a % 400 == 0 => Act::new(Verb::End {
                result: "Done".to_owned(),
                winners: vec![self.seat()],
                points: vec![(self.seat(), i64::from(c))],
            }),
            _ => Act::new(Verb::Name { name: "Me".to_owned() }),
        }
    }

    fn edit(&self) -> Act<Handle> {
        let Move { a, b, c, .. } = self.play;
        if c % 4 == 0 {
            let undo = [UndoMode::Ask, UndoMode::Free, UndoMode::Ask, UndoMode::Strict][usize::from(a % 4)];
            let edit = Edit::Settings {
                rights: Rights {
                    undo_others: a % 2 == 0,
                    spawn: true,
                    remove: a % 3 == 0,
                    ..Rights::default()
                },
                undo,
                remembers: b % 4 != 0,
                open_to_observers: b % 3 == 0,
                phases: vec!["Play".to_owned()],
            };
            return Act::new(Verb::Edit { edit });
        }
        let shows =
            [Shows::Nothing, Shows::Count, Shows::Presence, Shows::Back, Shows::AsItLies, Shows::Face];
        let audience = [
            Audience::All,
            Audience::Owner,
            Audience::Nobody,
            Audience::Seats([self.seat()].into_iter().collect()),
        ];
        let policy = Policy {
            audience: audience[usize::from(a % 4)],
            inside: shows[usize::from(b % 6)],
            outside: shows[usize::from(c % 6)],
            ..Policy::usual(ContainerKind::Zone)
        };
        self.into(Verb::Edit {
            edit: Edit::Container { policy, arrangement: Default::default(), size: (2, 2) },
        })
    }
}
