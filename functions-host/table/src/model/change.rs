//! Changes: the only way a table changes. A log of them is replayed without rules.

use super::button::Button;
use super::piece::{Container, Facing, Holder, Piece, Spot};
use super::settings::{Clock, Pending, Proposal, Seat, Settings};
use super::table::{Revision, Table};
use crate::ids::{BackNo, DefNo, PieceNo, SeatNo, SeatSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One property of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the fields of Piece and Marks")]
pub enum Field {
    Facing(Facing),
    Turn(u16),
    Locked(bool),
    Group(Option<u64>),
    Tint(Option<u32>),
    Value(Option<i64>),
    Text(Option<String>),
    Name(Option<String>),
}

/// A change with its inverse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is a state before and after")]
pub enum Change {
    /// A piece goes from one place to another.
    Put {
        piece: PieceNo,
        from: Spot,
        to: Spot,
    },
    /// Contents in a new order: index `i` holds what was at `order[i]`.
    Order {
        container: PieceNo,
        order: Vec<u16>,
    },
    /// Pieces that nobody can follow any longer, because their places were mixed.
    Hide(Vec<PieceNo>),
    /// One property of a piece.
    Set {
        piece: PieceNo,
        was: Field,
        now: Field,
    },
    /// Seats that may look at pieces: number, before, after.
    Known(Vec<(PieceNo, SeatSet, SeatSet)>),
    /// A new piece; a container is empty.
    Spawn {
        piece: Box<Piece>,
        at: u32,
    },
    /// A piece leaves the table; a container is empty.
    Remove {
        piece: Box<Piece>,
        at: u32,
    },
    /// A container's properties, without its contents.
    Container {
        piece: PieceNo,
        was: Box<Container>,
        now: Box<Container>,
    },
    Search {
        seat: SeatNo,
        was: Option<PieceNo>,
        now: Option<PieceNo>,
    },
    Seat {
        seat: SeatNo,
        was: Option<Box<Seat>>,
        now: Option<Box<Seat>>,
    },
    Clock {
        was: Box<Clock>,
        now: Box<Clock>,
    },
    Settings {
        was: Box<Settings>,
        now: Box<Settings>,
    },
    Proposal {
        was: Option<Box<Proposal>>,
        now: Option<Box<Proposal>>,
    },
    Pending {
        was: Option<Box<Pending>>,
        now: Option<Box<Pending>>,
    },
    Button {
        name: String,
        was: Option<Box<Button>>,
        now: Option<Box<Button>>,
    },
    Setup {
        was: Option<Box<Button>>,
        now: Option<Box<Button>>,
    },
    Ended {
        now: bool,
    },
    /// The box has other cards: its revision, and the numbers of what is different.
    Cards {
        was: Revision,
        now: Revision,
        definitions: Vec<DefNo>,
        backs: Vec<BackNo>,
        common: bool,
    },
}

/// A change that does not fit the state: the log is damaged, or not of this table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt(pub(crate) &'static str);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The table's log does not fit its state: {}.", self.0)
    }
}

impl std::error::Error for Corrupt {}

/// Trails before a draft's changes. An inverse change sets trails anew, so a draft that is refused puts these back.
pub(crate) type Moments = Vec<(PieceNo, u64)>;

impl Change {
    /// The change that undoes this one.
    #[must_use]
    pub(crate) fn inverse(&self) -> Self {
        match self.clone() {
            Self::Put { piece, from, to } => Self::Put { piece, from: to, to: from },
            Self::Order { container, order } => {
                let mut inverse = vec![0; order.len()];
                for (now, was) in order.iter().enumerate() {
                    if let Some(slot) = inverse.get_mut(usize::from(*was)) {
                        *slot = now as u16;
                    }
                }
                Self::Order { container, order: inverse }
            }
            Self::Hide(pieces) => Self::Hide(pieces),
            Self::Set { piece, was, now } => Self::Set { piece, was: now, now: was },
            Self::Known(known) => {
                Self::Known(known.into_iter().map(|(piece, was, now)| (piece, now, was)).collect())
            }
            Self::Spawn { piece, at } => Self::Remove { piece, at },
            Self::Remove { piece, at } => Self::Spawn { piece, at },
            Self::Container { piece, was, now } => Self::Container { piece, was: now, now: was },
            Self::Search { seat, was, now } => Self::Search { seat, was: now, now: was },
            Self::Seat { seat, was, now } => Self::Seat { seat, was: now, now: was },
            Self::Clock { was, now } => Self::Clock { was: now, now: was },
            Self::Settings { was, now } => Self::Settings { was: now, now: was },
            Self::Proposal { was, now } => Self::Proposal { was: now, now: was },
            Self::Pending { was, now } => Self::Pending { was: now, now: was },
            Self::Button { name, was, now } => Self::Button { name, was: now, now: was },
            Self::Setup { was, now } => Self::Setup { was: now, now: was },
            Self::Ended { now } => Self::Ended { now: !now },
            Self::Cards { was, now, definitions, backs, common } => {
                Self::Cards { was: now, now: was, definitions, backs, common }
            }
        }
    }

    /// The pieces it is about, and containers whose contents it changes.
    pub(crate) fn pieces(&self) -> Vec<PieceNo> {
        match self {
            Self::Put { piece, from, to } => {
                let holders = [from.holder, to.holder].into_iter().filter_map(|holder| match holder {
                    Holder::In(container) => Some(container),
                    Holder::On(_) => None,
                });
                [*piece].into_iter().chain(holders).collect()
            }
            Self::Order { container: piece, .. }
            | Self::Set { piece, .. }
            | Self::Container { piece, .. } => {
                vec![*piece]
            }
            Self::Spawn { piece, .. } | Self::Remove { piece, .. } => match piece.holder {
                Holder::In(container) => vec![piece.no, container],
                Holder::On(_) => vec![piece.no],
            },
            Self::Hide(pieces) => pieces.clone(),
            _ => Vec::new(),
        }
    }
}

impl Table {
    /// Applies a change as a part of entry `n`. Earlier trails go to `moments`.
    pub(crate) fn apply(&mut self, n: u64, change: &Change, moments: &mut Moments) -> Result<(), Corrupt> {
        match change {
            Change::Put { piece, from, to } => self.apply_put(n, *piece, from, to, moments)?,
            Change::Order { container, order } => self.apply_order(n, *container, order, moments)?,
            Change::Hide(pieces) => {
                for piece in pieces {
                    let piece = self.pieces.get_mut(piece).ok_or(Corrupt("a piece is missing"))?;
                    moments.push((piece.no, piece.trail));
                    piece.trail = n;
                }
            }
            Change::Set { piece, now, .. } => {
                let piece = self.pieces.get_mut(piece).ok_or(Corrupt("a piece is missing"))?;
                set(piece, now.clone());
            }
            Change::Known(known) => {
                for (piece, _, now) in known {
                    self.pieces.get_mut(piece).ok_or(Corrupt("a piece is missing"))?.known = *now;
                }
            }
            Change::Spawn { piece, at } => {
                let mut piece = piece.as_ref().clone();
                let (no, holder) = (piece.no, piece.holder);
                piece.trail = n;
                if self.pieces.insert(no, piece).is_some() {
                    return Err(Corrupt("a new piece has the number of another"));
                }
                self.next_piece = self.next_piece.max(no.0.saturating_add(1));
                self.insert(no, holder, *at)?;
            }
            Change::Remove { piece, at } => {
                self.take_out(piece.no, piece.holder, *at)?;
                let piece = self.pieces.remove(&piece.no).ok_or(Corrupt("a piece is missing"))?;
                moments.push((piece.no, piece.trail));
            }
            Change::Container { piece, now, .. } => self.apply_container(n, *piece, now, moments)?,
            Change::Search { seat, now, .. } => put_or_remove(&mut self.searches, *seat, *now),
            Change::Seat { seat, now, .. } => put_or_remove(&mut self.seats, *seat, now.as_deref().cloned()),
            Change::Clock { now, .. } => self.clock = now.as_ref().clone(),
            Change::Settings { now, .. } => self.settings = now.as_ref().clone(),
            Change::Proposal { now, .. } => self.proposal = now.as_deref().cloned(),
            Change::Pending { now, .. } => self.pending = now.as_deref().cloned(),
            Change::Button { name, now, .. } => {
                put_or_remove(&mut self.buttons, name.clone(), now.as_deref().cloned());
            }
            Change::Setup { now, .. } => self.setup = now.as_deref().cloned(),
            Change::Ended { now } => self.ended = *now,
            Change::Cards { now, .. } => self.revision = *now,
        }
        Ok(())
    }

    fn apply_put(
        &mut self,
        n: u64,
        no: PieceNo,
        from: &Spot,
        to: &Spot,
        moments: &mut Moments,
    ) -> Result<(), Corrupt> {
        self.take_out(no, from.holder, from.at)?;
        self.insert(no, to.holder, to.at)?;
        let hides = self.crosses_hiding(from.holder, to.holder);
        let piece = self.pieces.get_mut(&no).ok_or(Corrupt("a piece is missing"))?;
        piece.holder = to.holder;
        piece.pos = to.pos;
        if !hides {
            return Ok(());
        }
        moments.push((no, piece.trail));
        piece.trail = n;
        if piece.container.is_some() { self.hide_contents(n, no, moments) } else { Ok(()) }
    }

    /// True if a piece cannot be followed on its way from one holder to another.
    fn crosses_hiding(&self, from: Holder, to: Holder) -> bool {
        let container = |holder| match holder {
            Holder::In(no) => self.container(no),
            Holder::On(_) => None,
        };
        if from == to {
            // Within a row or hand, each place is seen by whoever sees any.
            return container(to).is_some_and(|inside| {
                matches!(inside.kind, super::ContainerKind::Stack | super::ContainerKind::Bag)
            });
        }
        container(from).is_some_and(Container::hides) || container(to).is_some_and(Container::hides)
    }

    fn apply_order(
        &mut self,
        n: u64,
        no: PieceNo,
        order: &[u16],
        moments: &mut Moments,
    ) -> Result<(), Corrupt> {
        let container = self.pieces.get_mut(&no).and_then(|piece| piece.container.as_mut());
        let container = container.ok_or(Corrupt("a container is missing"))?;
        let mut contents = Vec::with_capacity(order.len());
        let mut taken = vec![false; container.contents.len()];
        for was in order {
            let taken = taken.get_mut(usize::from(*was)).ok_or(Corrupt("an order is too long"))?;
            if std::mem::replace(taken, true) {
                return Err(Corrupt("an order names a piece twice"));
            }
            contents.push(container.contents[usize::from(*was)]);
        }
        if contents.len() != container.contents.len() {
            return Err(Corrupt("an order is too short"));
        }
        container.contents = contents;
        self.hide_contents(n, no, moments)
    }

    fn apply_container(
        &mut self,
        n: u64,
        no: PieceNo,
        now: &Container,
        moments: &mut Moments,
    ) -> Result<(), Corrupt> {
        let container = self.pieces.get_mut(&no).and_then(|piece| piece.container.as_mut());
        let container = container.ok_or(Corrupt("a container is missing"))?;
        let contents = std::mem::take(&mut container.contents);
        **container = Container { contents, ..now.clone() };
        self.hide_contents(n, no, moments)
    }

    /// Ends the trails of all contents.
    fn hide_contents(&mut self, n: u64, no: PieceNo, moments: &mut Moments) -> Result<(), Corrupt> {
        let Some(container) = self.pieces.get(&no).and_then(|piece| piece.container.as_ref()) else {
            return Err(Corrupt("a container is missing"));
        };
        for content in container.contents.clone() {
            let piece = self.pieces.get_mut(&content).ok_or(Corrupt("a piece is missing"))?;
            moments.push((content, piece.trail));
            piece.trail = n;
        }
        Ok(())
    }

    fn contents_mut(&mut self, no: PieceNo) -> Result<&mut Vec<PieceNo>, Corrupt> {
        let container = self.pieces.get_mut(&no).and_then(|piece| piece.container.as_mut());
        Ok(&mut container.ok_or(Corrupt("a container is missing"))?.contents)
    }

    fn take_out(&mut self, no: PieceNo, from: Holder, at: u32) -> Result<(), Corrupt> {
        let Holder::In(container) = from else { return Ok(()) };
        let contents = self.contents_mut(container)?;
        if contents.get(at as usize) != Some(&no) {
            return Err(Corrupt("a piece is not where it was taken from"));
        }
        contents.remove(at as usize);
        Ok(())
    }

    fn insert(&mut self, no: PieceNo, to: Holder, at: u32) -> Result<(), Corrupt> {
        let Holder::In(container) = to else { return Ok(()) };
        let contents = self.contents_mut(container)?;
        if at as usize > contents.len() {
            return Err(Corrupt("a piece goes behind the end of a container"));
        }
        contents.insert(at as usize, no);
        Ok(())
    }
}

fn put_or_remove<K: Ord, V>(map: &mut std::collections::BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}

fn set(piece: &mut Piece, field: Field) {
    match field {
        Field::Facing(facing) => piece.facing = facing,
        Field::Turn(turn) => piece.marks.turn = turn,
        Field::Locked(locked) => piece.marks.locked = locked,
        Field::Group(group) => piece.marks.group = group,
        Field::Tint(tint) => piece.marks.tint = tint,
        Field::Value(value) => piece.marks.value = value,
        Field::Text(text) => piece.marks.text = text,
        Field::Name(name) => piece.marks.name = name,
    }
}
