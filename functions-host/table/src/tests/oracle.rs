//! A second opinion on who may know which face. It follows the log's changes with its own reading of the rules of
//! visibility, and uses neither `seen.rs` nor the knowledge that the log records. It errs on the side of knowing.

use crate::act::Verb;
use crate::ids::{PieceNo, SeatNo};
use crate::log::Entry;
use crate::model::{Audience, Change, Container, ContainerKind, Facing, Field, Holder, Piece, Shows, Table};
use std::collections::{BTreeMap, BTreeSet};

struct Shadow {
    holder: Holder,
    is_up: bool,
    is_open: bool,
    container: Option<(Container, Vec<PieceNo>)>,
}

type Facts = BTreeSet<(SeatNo, PieceNo)>;

/// The opinion.
pub(super) struct Oracle {
    pieces: BTreeMap<PieceNo, Shadow>,
    /// Definitions of all pieces that ever were on the table.
    definitions: BTreeMap<PieceNo, u16>,
    searches: BTreeMap<SeatNo, PieceNo>,
    seats: Vec<SeatNo>,
    open_to_observers: bool,
    /// Faces that a seat may look at again while it can follow the piece.
    knows: Facts,
    /// `knows` before each entry.
    history: BTreeMap<u64, Facts>,
    /// Per entry: pieces that a seat could not follow through it.
    lost: BTreeMap<u64, Facts>,
    /// Those of the entry that is being followed.
    losing: Facts,
    /// Per entry: containers in which it put or ordered pieces.
    moved: BTreeMap<u64, BTreeSet<PieceNo>>,
    /// Per look through a container: who could reorder it unseen.
    searched: BTreeMap<u64, (SeatNo, PieceNo, Vec<PieceNo>)>,
    /// Faces that a seat saw before, during or right after the last entry.
    moment: Facts,
    /// Pieces that passed through hiding in the last entry.
    pub(super) crossed: BTreeSet<PieceNo>,
}

fn definition(piece: &Piece) -> Option<u16> {
    serde_json::to_value(piece).unwrap()["secret"].as_u64().map(|no| no as u16)
}

impl Oracle {
    /// The opinion on an empty table.
    pub(super) fn new(table: &Table) -> Self {
        Self {
            pieces: BTreeMap::new(),
            definitions: BTreeMap::new(),
            searches: BTreeMap::new(),
            seats: table.seats.keys().copied().chain([SeatNo::OBSERVER]).collect(),
            open_to_observers: false,
            knows: Facts::new(),
            history: BTreeMap::new(),
            lost: BTreeMap::new(),
            losing: Facts::new(),
            moved: BTreeMap::new(),
            searched: BTreeMap::new(),
            moment: Facts::new(),
            crossed: BTreeSet::new(),
        }
    }

    fn container(&self, no: PieceNo) -> Option<&(Container, Vec<PieceNo>)> {
        self.pieces.get(&no)?.container.as_ref()
    }

    fn shows(container: &Container, seat: SeatNo) -> Shows {
        let insider = match container.policy.audience {
            Audience::All => true,
            Audience::Nobody => false,
            Audience::Owner => container.owner == Some(seat),
            Audience::Seats(seats) => seats.has(seat),
        };
        if insider { container.policy.inside } else { container.policy.outside }
    }

    /// True if the seat sees that a piece comes to this place, and which one goes from it.
    fn follows(&self, seat: SeatNo, holder: Holder) -> bool {
        let Holder::In(no) = holder else { return true };
        let Some((container, _)) = self.container(no) else { return false };
        let own = match container.kind {
            ContainerKind::Stack => true,
            ContainerKind::Bag => false,
            _ => Self::shows(container, seat) >= Shows::Presence,
        };
        own && self.follows(seat, self.pieces[&no].holder)
    }

    /// True if the face lies open to the seat.
    fn lies_open(&self, seat: SeatNo, no: PieceNo) -> bool {
        let piece = &self.pieces[&no];
        let up = piece.is_up || piece.is_open;
        let Holder::In(holder) = piece.holder else { return up };
        let Some((container, contents)) = self.container(holder) else { return false };
        // A stack in somebody's tray is as hidden as the tray.
        if let Holder::In(outer) = self.pieces[&holder].holder
            && self.container(outer).is_none_or(|(outer, _)| Self::shows(outer, seat) < Shows::Presence)
        {
            return false;
        }
        if self.searches.get(&seat) == Some(&holder) {
            return true;
        }
        match (container.kind, Self::shows(container, seat)) {
            (ContainerKind::Bag, _) => false,
            (ContainerKind::Stack, _) if contents.last() != Some(&no) => false,
            (_, Shows::Face) => true,
            (_, Shows::AsItLies) => up,
            _ => false,
        }
    }

    fn look(&mut self, pieces: impl IntoIterator<Item = PieceNo>) {
        for no in pieces {
            if !self.pieces.contains_key(&no) {
                continue;
            }
            for seat in self.seats.clone() {
                if self.lies_open(seat, no) {
                    self.moment.insert((seat, no));
                    if self.follows(seat, self.pieces[&no].holder) {
                        self.knows.insert((seat, no));
                    }
                }
            }
        }
    }

    fn forget(&mut self, no: PieceNo, keeps: impl Fn(&Self, SeatNo) -> bool) {
        for seat in self.unknow(no, keeps) {
            self.losing.insert((seat, no));
        }
    }

    /// Takes knowledge that comes back with the place; returns whose.
    fn unknow(&mut self, no: PieceNo, keeps: impl Fn(&Self, SeatNo) -> bool) -> Vec<SeatNo> {
        let seats: Vec<_> = self.seats.iter().copied().filter(|seat| !keeps(self, *seat)).collect();
        for seat in &seats {
            self.knows.remove(&(*seat, no));
        }
        seats
    }

    /// Takes an entry in; `table` is the state after it.
    pub(super) fn follow(&mut self, entry: &Entry, table: &Table) {
        self.moment.clear();
        self.crossed.clear();
        let everything: Vec<_> = self.pieces.keys().copied().collect();
        self.look(everything);
        self.moment.extend(self.knows.iter().copied());
        self.history.insert(entry.n, self.knows.clone());
        self.looked_at(entry);
        self.moved.insert(entry.n, moved(&entry.changes));
        for change in &entry.changes {
            let near: Vec<_> = change.pieces();
            let tops: Vec<_> = near.iter().filter_map(|no| self.container(*no)?.1.last().copied()).collect();
            self.look(near.iter().copied().chain(tops));
            self.change(entry, change);
        }
        self.remember(entry);
        // A seat that learnt it again could follow it.
        self.losing.retain(|fact| !self.knows.contains(fact));
        self.lost.insert(entry.n, std::mem::take(&mut self.losing));
        let everything: Vec<_> = self.pieces.keys().copied().collect();
        for no in &everything {
            let holder = self.pieces[no].holder;
            self.unknow(*no, |oracle, seat| oracle.follows(seat, holder));
        }
        self.seats = table.seats.keys().copied().chain([SeatNo::OBSERVER]).collect();
        self.open_to_observers = table.settings.open_to_observers
            && table.seats.values().filter(|seat| seat.who.is_some()).all(|seat| seat.agrees);
        self.look(everything);
    }

    /// Those who knew a piece before an entry that is taken back know it again, if they could follow it through all
    /// entries that stay, and back through the older ones that are taken back too.
    fn remember(&mut self, entry: &Entry) {
        for undone in &entry.undoes {
            let older = entry.undoes.iter().filter(|other| *other < undone);
            let staying: BTreeSet<_> = (*undone..entry.n).filter(|n| !entry.undoes.contains(n)).collect();
            let lost = older.chain(&staying).flat_map(|other| self.lost[other].iter().copied());
            let mut lost: Facts = lost.collect();
            for n in &staying {
                // A look in which nothing moved left everything where it was.
                if let Some((searcher, container, contents)) = self.searched.get(n)
                    && staying.iter().any(|n| self.moved[n].contains(container))
                {
                    let others = self.seats.iter().filter(|seat| *seat != searcher);
                    lost.extend(others.flat_map(|seat| contents.iter().map(|no| (*seat, *no))));
                }
            }
            let again = self.history[undone].difference(&lost).filter(|(_, no)| self.pieces.contains_key(no));
            let again: Vec<_> = again.copied().collect();
            self.knows.extend(again);
        }
    }

    /// Faces that a verb shows.
    fn looked_at(&mut self, entry: &Entry) {
        let act = &entry.act;
        let (pieces, seats) = match &act.verb {
            Verb::Peek { count } => {
                let top = act.into.and_then(|stack| self.container(stack)).map(|(_, contents)| {
                    contents.iter().rev().take(*count as usize).copied().collect::<Vec<_>>()
                });
                (top.unwrap_or_else(|| act.pieces.clone()), vec![entry.by])
            }
            Verb::Show { to } => (act.pieces.clone(), to.clone().unwrap_or_else(|| self.seats.clone())),
            _ => return,
        };
        for no in pieces {
            for seat in &seats {
                self.moment.insert((*seat, no));
                if self.follows(*seat, self.pieces[&no].holder) {
                    self.knows.insert((*seat, no));
                }
            }
        }
    }

    fn change(&mut self, entry: &Entry, change: &Change) {
        match change {
            Change::Put { piece, from, to } => {
                // Whoever sees a face and where it goes knows it there.
                let seats = self.seats.iter().copied();
                let seers: Vec<_> = seats.filter(|seat| self.lies_open(*seat, *piece)).collect();
                self.take(*piece, from.holder);
                self.lay(*piece, to.holder, to.at);
                self.came(entry, *piece, (from.holder, to.holder), to.at);
                let following = seers.into_iter().filter(|seat| self.follows(*seat, to.holder));
                let following: Vec<_> = following.map(|seat| (seat, *piece)).collect();
                self.knows.extend(following);
            }
            Change::Spawn { piece, at } => {
                let container = piece.container.as_deref().map(|container| (container.clone(), Vec::new()));
                let shadow = Shadow {
                    holder: piece.holder,
                    is_up: piece.facing == Facing::Up,
                    is_open: piece.is_open(),
                    container,
                };
                self.pieces.insert(piece.no, shadow);
                self.definitions.extend(definition(piece).map(|definition| (piece.no, definition)));
                self.lay(piece.no, piece.holder, *at);
                self.crossed.insert(piece.no);
                self.forget(piece.no, |_, _| false);
            }
            Change::Remove { piece, .. } => {
                self.take(piece.no, piece.holder);
                self.pieces.remove(&piece.no);
                self.forget(piece.no, |_, _| false);
            }
            Change::Set { piece, now: Field::Facing(facing), .. } => {
                self.pieces.get_mut(piece).unwrap().is_up = *facing == Facing::Up;
            }
            Change::Order { container, order } => {
                let contents = self.container(*container).unwrap().1.clone();
                let mixed: Vec<_> = order.iter().map(|was| contents[usize::from(*was)]).collect();
                self.pieces.get_mut(container).unwrap().container.as_mut().unwrap().1 = mixed;
                let public = match entry.act.verb {
                    Verb::Flip { .. } => true,
                    Verb::Cut { at } => at.is_some(),
                    // The zone's order follows the places; the pieces are named by `Hide`.
                    Verb::Shuffle => entry.changes.iter().any(|change| matches!(change, Change::Hide(_))),
                    _ => false,
                };
                self.crossed.extend(&contents);
                if !public {
                    contents.iter().for_each(|no| self.forget(*no, |_, _| false));
                }
            }
            Change::Hide(pieces) => {
                self.crossed.extend(pieces);
                pieces.iter().for_each(|no| self.forget(*no, |_, _| false));
            }
            Change::Search { seat, now, .. } => {
                self.searches.retain(|searcher, _| searcher != seat);
                if let Some(no) = now {
                    self.searches.insert(*seat, *no);
                    let (container, contents) = self.container(*no).unwrap();
                    let is_hand = container.kind == ContainerKind::Hand;
                    let contents = if is_hand { Vec::new() } else { contents.clone() };
                    for no in &contents {
                        self.unknow(*no, |_, other| other == *seat);
                    }
                    self.searched.insert(entry.n, (*seat, *no, contents));
                }
            }
            Change::Container { piece, now, .. } => {
                let inside = self.pieces.get_mut(piece).unwrap().container.as_mut().unwrap();
                inside.0 = now.as_ref().clone();
                self.crossed.extend(&inside.1);
            }
            _ => {}
        }
    }

    fn take(&mut self, no: PieceNo, from: Holder) {
        if let Holder::In(holder) = from {
            self.pieces.get_mut(&holder).unwrap().container.as_mut().unwrap().1.retain(|other| *other != no);
        }
    }

    fn lay(&mut self, no: PieceNo, to: Holder, at: u32) {
        self.pieces.get_mut(&no).unwrap().holder = to;
        if let Holder::In(holder) = to {
            self.pieces.get_mut(&holder).unwrap().container.as_mut().unwrap().1.insert(at as usize, no);
        }
    }

    fn hides(&self, holder: Holder) -> bool {
        let Holder::In(no) = holder else { return false };
        self.container(no).is_some_and(|(container, _)| container.kind != ContainerKind::Zone)
    }

    fn came(&mut self, entry: &Entry, no: PieceNo, (from, to): (Holder, Holder), at: u32) {
        if from != to && (self.hides(from) || self.hides(to)) {
            self.crossed.insert(no);
        }
        self.forget(no, |oracle, seat| oracle.follows(seat, to));
        let inside = self.container(no).map(|(_, contents)| contents.clone()).unwrap_or_default();
        for content in inside {
            self.forget(content, |oracle, seat| oracle.follows(seat, Holder::In(no)));
        }
        let Holder::In(holder) = to else { return };
        let (container, contents) = self.container(holder).unwrap();
        let is_middle = at > 0 && (at as usize) + 1 < contents.len();
        if container.kind == ContainerKind::Stack && is_middle && entry.undoes.is_empty() {
            let contents = contents.clone();
            contents.iter().for_each(|no| self.forget(*no, |_, seat| seat == entry.by));
        }
    }

    fn any(&self, seat: SeatNo, definition: u16, knows: impl Fn(SeatNo, PieceNo) -> bool) -> bool {
        let through = |no: PieceNo| {
            knows(seat, no)
                || (seat == SeatNo::OBSERVER
                    && self.open_to_observers
                    && self.seats.iter().any(|other| knows(*other, no)))
        };
        self.definitions.iter().any(|(no, of)| *of == definition && through(*no))
    }

    /// True if the seat may see a piece of this definition now.
    pub(super) fn may_see(&self, seat: SeatNo, definition: u16) -> bool {
        self.any(seat, definition, |seat, no| self.may_know(seat, no))
    }

    /// True if the seat may look at this very piece now.
    pub(super) fn may_know(&self, seat: SeatNo, no: PieceNo) -> bool {
        self.pieces.contains_key(&no) && (self.knows.contains(&(seat, no)) || self.lies_open(seat, no))
    }

    /// True if the seat may have seen this very piece in the last entry.
    pub(super) fn may_have_seen(&self, seat: SeatNo, no: PieceNo) -> bool {
        self.moment.contains(&(seat, no)) || self.may_know(seat, no)
    }

    /// True if the seat may have read this definition in the last entry.
    pub(super) fn may_have_read(&self, seat: SeatNo, definition: u16) -> bool {
        self.any(seat, definition, |seat, no| self.moment.contains(&(seat, no)) || self.may_know(seat, no))
    }
}

/// Containers in which changes put or order pieces.
fn moved(changes: &[Change]) -> BTreeSet<PieceNo> {
    let inside = |holder: &Holder| match holder {
        Holder::In(no) => Some(*no),
        Holder::On(_) => None,
    };
    let moved = changes.iter().flat_map(|change| match change {
        Change::Put { from, to, .. } => [inside(&from.holder), inside(&to.holder)],
        Change::Spawn { piece, .. } | Change::Remove { piece, .. } => [inside(&piece.holder), None],
        Change::Order { container, .. } => [Some(*container), None],
        _ => [None, None],
    });
    moved.flatten().collect()
}
