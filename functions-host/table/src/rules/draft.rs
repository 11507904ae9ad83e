//! A draft of an entry: it changes the table in place and takes everything back if the act is refused.

use crate::act::Refusal;
use crate::chance::Chance;
use crate::game_box::{GameBox, Kind};
use crate::ids::{PieceNo, SeatNo, SeatSet};
use crate::limits;
use crate::log::Note;
use crate::model::{
    Change, Container, ContainerKind, Facing, Field, Holder, Level, Marks, Moments, Piece, Pos, Spot, Table,
    admits, followers, seats_at,
};
use crate::mutants::{self, Mutant};
use std::collections::BTreeMap;

/// A place to go to.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    pub(super) holder: Holder,
    /// Index in a container; on top if it is missing.
    pub(super) at: Option<u32>,
    pub(super) xy: Option<(i32, i32)>,
    pub(super) face: Option<Facing>,
}

impl Goal {
    pub(super) fn into(container: PieceNo) -> Self {
        Self { holder: Holder::In(container), at: None, xy: None, face: None }
    }
}

pub(super) struct Draft<'a> {
    pub(super) table: &'a mut Table,
    pub(super) game_box: &'a GameBox,
    pub(super) chance: &'a mut Chance,
    pub(super) n: u64,
    pub(super) by: SeatNo,
    /// Milliseconds since the epoch.
    pub(super) at: u64,
    /// True while a button acts: it waits for no searches.
    pub(super) is_button: bool,
    changes: Vec<Change>,
    notes: Vec<Note>,
    moments: Moments,
    /// Per piece: seats that had seen its face before.
    before: BTreeMap<PieceNo, SeatSet>,
    next_piece: u32,
    counter: u64,
    heights: u64,
    work: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        table: &'a mut Table,
        game_box: &'a GameBox,
        chance: &'a mut Chance,
        by: SeatNo,
        at: u64,
    ) -> Self {
        let (n, next_piece, counter) = (table.n + 1, table.next_piece, chance.counter());
        Self {
            table,
            game_box,
            chance,
            n,
            by,
            at,
            is_button: false,
            changes: Vec::new(),
            notes: Vec::new(),
            moments: Vec::new(),
            before: BTreeMap::new(),
            next_piece,
            counter,
            heights: 0,
            work: 0,
        }
    }

    pub(super) fn finish(self) -> (Vec<Change>, Vec<Note>) {
        self.table.n = self.n;
        (self.changes, self.notes)
    }

    /// Counts work before it is done.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Refusal> {
        self.work = self.work.saturating_add(work);
        if self.work > limits::WORK {
            return Err(Refusal::NotPossible("That is too much for one act. Do it in parts."));
        }
        Ok(())
    }

    /// Work so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Takes all changes back.
    pub(super) fn roll_back(self) {
        let mut unused = Vec::new();
        for change in self.changes.iter().rev() {
            // The inverse of an applied change always fits.
            let undone = self.table.apply(self.n, &change.inverse(), &mut unused);
            debug_assert!(undone.is_ok(), "{change:?}");
        }
        for (no, trail) in self.moments.iter().rev() {
            if let Some(piece) = self.table.pieces.get_mut(no) {
                piece.trail = *trail;
            }
        }
        self.table.next_piece = self.next_piece;
        self.chance.rewind(self.counter);
    }

    pub(super) fn check_size(&self) -> Result<(), Refusal> {
        // Settings and spawned pieces are the only changes of unbounded size; the rest is small.
        let large = self.changes.len() > 500
            || self.changes.iter().any(|change| !matches!(change, Change::Put { .. }));
        if large {
            let bytes =
                serde_json::to_vec(&(&self.changes, &self.notes)).map_or(usize::MAX, |bytes| bytes.len());
            if bytes > limits::ENTRY_BYTES - limits::ACT_BYTES {
                return Err(Refusal::Limit("bytes in one act", limits::ENTRY_BYTES));
            }
        }
        Ok(())
    }

    pub(super) fn change(&mut self, change: Change) -> Result<(), Refusal> {
        if self.changes.len() >= limits::CHANGES {
            return Err(Refusal::Limit("changes in one act", limits::CHANGES));
        }
        self.spend(limits::WORK_OF_CHANGE)?;
        for no in change.pieces() {
            self.remember_seen(no);
            if let Some(top) = self.table.top(no) {
                self.remember_seen(top);
            }
        }
        self.table.apply(self.n, &change, &mut self.moments).map_err(|corrupt| {
            debug_assert!(false, "{corrupt}");
            Refusal::Internal
        })?;
        self.changes.push(change);
        Ok(())
    }

    fn remember_seen(&mut self, no: PieceNo) {
        if let Some(piece) = self.table.piece(no)
            && !self.before.contains_key(&no)
        {
            let seen = seats_at(self.table, piece, Level::Face).or(piece.known);
            self.before.insert(no, seen);
        }
    }

    /// Pairs of a piece and a seat that newly sees its face.
    pub(super) fn faces_shown(&mut self) -> u32 {
        let tops: Vec<_> = self.before.keys().filter_map(|no| self.table.top(*no)).collect();
        for top in tops {
            if let Some(piece) = self.table.piece(top) {
                self.before.entry(top).or_insert(piece.known);
            }
        }
        let shown = self.notes.iter().map(|note| match note {
            Note::Shown { pieces, to, .. } => pieces.len() as u32 * to.len(),
            _ => 0,
        });
        let seen = self.before.iter().filter_map(|(no, before)| {
            let piece = self.table.piece(*no).filter(|piece| !piece.is_open())?;
            Some(seats_at(self.table, piece, Level::Face).without(*before).len())
        });
        shown.chain(seen).sum()
    }

    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    pub(super) fn piece(&self, no: PieceNo) -> Result<&Piece, Refusal> {
        self.table.piece(no).ok_or(Refusal::NotThere)
    }

    pub(super) fn container(&self, no: PieceNo) -> Result<&Container, Refusal> {
        self.table.container(no).ok_or(Refusal::NotThere)
    }

    /// A number for a new piece.
    pub(super) fn next_no(&self) -> PieceNo {
        PieceNo(self.table.next_piece)
    }

    /// A height above everything that lies on the table.
    pub(super) fn height(&mut self) -> u64 {
        self.heights = (self.heights + 1).min(4_095);
        (self.n << 12) | self.heights
    }

    pub(super) fn set(&mut self, piece: PieceNo, now: Field) -> Result<(), Refusal> {
        let marks = &self.piece(piece)?.marks;
        let was = match &now {
            Field::Facing(_) => Field::Facing(self.piece(piece)?.facing),
            Field::Turn(_) => Field::Turn(marks.turn),
            Field::Locked(_) => Field::Locked(marks.locked),
            Field::Group(_) => Field::Group(marks.group),
            Field::Tint(_) => Field::Tint(marks.tint),
            Field::Value(_) => Field::Value(marks.value),
            Field::Text(_) => Field::Text(marks.text.clone()),
            Field::Name(_) => Field::Name(marks.name.clone()),
        };
        if was == now { Ok(()) } else { self.change(Change::Set { piece, was, now }) }
    }

    /// Sets who knows pieces, where that differs.
    pub(super) fn know(
        &mut self,
        known: impl IntoIterator<Item = (PieceNo, SeatSet)>,
    ) -> Result<(), Refusal> {
        let viewers = self.table.viewers();
        let mut changes = Vec::new();
        for (no, now) in known {
            self.spend(1)?;
            let was = self.piece(no)?.known;
            let now = now.and(viewers);
            if was != now {
                changes.push((no, was, now));
            }
        }
        if changes.is_empty() { Ok(()) } else { self.change(Change::Known(changes)) }
    }

    /// Seats that may look at a piece again once it lies hidden.
    pub(super) fn saw(&self, no: PieceNo) -> Result<SeatSet, Refusal> {
        let piece = self.piece(no)?;
        let sees = if self.table.settings.remembers {
            seats_at(self.table, piece, Level::Face)
        } else {
            SeatSet::NONE
        };
        Ok(piece.known.or(sees))
    }

    /// Ends looks through a container, except by one seat.
    pub(super) fn end_searches(&mut self, container: PieceNo, but: Option<SeatNo>) -> Result<(), Refusal> {
        let searches = self.table.searches.iter();
        let ending: Vec<_> = searches
            .filter(|(seat, at)| **at == container && Some(**seat) != but)
            .map(|(seat, at)| (*seat, *at))
            .collect();
        for (seat, at) in ending {
            self.change(Change::Search { seat, was: Some(at), now: None })?;
        }
        Ok(())
    }

    /// Puts a piece somewhere, after all checks of the place.
    pub(super) fn put(&mut self, no: PieceNo, goal: Goal) -> Result<(), Refusal> {
        let holder = self.piece(no)?.holder;
        if let Holder::In(from) = holder {
            self.free(from)?;
        }
        if let Holder::In(container) = goal.holder {
            self.check_goal(no, container, goal.face)?;
            self.free(container)?;
        } else if let Holder::On(surface) = goal.holder
            && surface.0 >= self.table.surfaces
        {
            return Err(Refusal::Malformed("The table has no such surface."));
        }
        if let Some((x, y)) = goal.xy
            && (x.abs() > limits::COORDINATE || y.abs() > limits::COORDINATE)
        {
            return Err(Refusal::Malformed("That place is too far away."));
        }
        self.put_unchecked(no, goal)?;
        match holder {
            Holder::In(from) if holder != goal.holder => self.end_pile(from),
            _ => Ok(()),
        }
    }

    fn check_goal(&self, no: PieceNo, goal: PieceNo, face: Option<Facing>) -> Result<(), Refusal> {
        let piece = self.piece(no)?;
        let container =
            self.container(goal).map_err(|_| Refusal::NotPossible("Only containers take pieces."))?;
        let nests = match &piece.container {
            None => {
                container.has_positions() || !matches!(piece.kind, Kind::Board | Kind::Note | Kind::Timer)
            }
            Some(inner) => {
                container.has_positions()
                    && container.policy.accepts.is_none()
                    && matches!(inner.kind, ContainerKind::Stack | ContainerKind::Bag)
            }
        };
        if !nests || goal == no {
            return Err(Refusal::NotPossible("That does not fit in there."));
        }
        if piece.holder == Holder::In(goal) {
            return Ok(());
        }
        if container.policy.capacity.is_some_and(|most| container.len() >= most as usize) {
            return Err(Refusal::Full);
        }
        if let Some(set) = container.policy.accepts {
            let lies = face.or(container.policy.auto_face).unwrap_or(piece.facing);
            let is_open =
                !container.hides() && lies == Facing::Up && matches!(self.piece(goal)?.holder, Holder::On(_));
            if !admits((self.table, self.game_box), piece, set, self.by, is_open) {
                return Err(Refusal::NotAccepted);
            }
        }
        Ok(())
    }

    /// Puts a piece somewhere: knowledge and marks follow from the place.
    pub(super) fn put_unchecked(&mut self, no: PieceNo, goal: Goal) -> Result<(), Refusal> {
        let saw = self.saw(no)?;
        let piece = self.piece(no)?;
        let (from, facing) = (self.table.spot(piece), piece.facing);
        let (left, entered) = (self.holder(from.holder), self.holder(goal.holder));
        let kind = |container: Option<&Container>| container.map(|container| container.kind);
        let leaves_hand = matches!(kind(left), Some(ContainerKind::Hand | ContainerKind::Bag));
        let normal = matches!(kind(entered), Some(ContainerKind::Hand | ContainerKind::Bag));
        let face =
            match entered.and_then(|container| container.policy.auto_face).filter(|_| goal.face.is_none()) {
                _ if normal => Facing::Up,
                Some(auto) => auto,
                None => goal.face.unwrap_or(if leaves_hand { Facing::Up } else { facing }),
            };
        let turn = entered.and_then(|container| container.policy.auto_turn);
        let clears = entered.is_some_and(Container::clears_marks) && from.holder != goal.holder;
        let keeps_position = entered.is_none_or(Container::has_positions);
        let same = from.holder == goal.holder;
        let room = entered.map_or(0, |container| container.len() as u32 - u32::from(same));
        let (x, y) = goal.xy.unwrap_or(if keeps_position { (from.pos.x, from.pos.y) } else { (0, 0) });
        let pos = if keeps_position { Pos { x, y, z: self.height() } } else { Pos::default() };
        let to = Spot { holder: goal.holder, at: goal.at.unwrap_or(room).min(room), pos };
        self.change(Change::Put { piece: no, from, to })?;
        self.set(no, Field::Facing(face))?;
        if clears && !mutants::is(Mutant::KeepsMarks) {
            self.clear_marks(no)?;
        }
        if let Some(turn) = turn {
            self.set(no, Field::Turn(turn % 360))?;
        }
        self.know([(no, saw.and(followers(self.table, goal.holder)))])?;
        if let Holder::In(stack) = goal.holder
            && kind(self.table.container(stack)) == Some(ContainerKind::Stack)
            && (1..room).contains(&to.at)
        {
            // Others do not see how deep it goes.
            let contents = self.container(stack)?.contents.clone();
            let own = SeatSet::of(self.by);
            let known: Vec<_> =
                contents.iter().filter_map(|no| Some((*no, self.table.piece(*no)?.known.and(own)))).collect();
            self.know(known)?;
        }
        self.keep_known_inside(no)
    }

    fn holder(&self, holder: Holder) -> Option<&Container> {
        match holder {
            Holder::In(no) => self.table.container(no),
            Holder::On(_) => None,
        }
    }

    /// Contents of a container are known only to those who can still follow them.
    pub(super) fn keep_known_inside(&mut self, container: PieceNo) -> Result<(), Refusal> {
        let Some(inside) = self.table.container(container) else { return Ok(()) };
        let contents = inside.contents.clone();
        let follow = followers(self.table, Holder::In(container));
        let known = |no: &PieceNo| self.table.piece(*no).map_or(SeatSet::NONE, |piece| piece.known);
        let known: Vec<_> = contents.iter().map(|no| (*no, known(no).and(follow))).collect();
        self.know(known)
    }

    fn clear_marks(&mut self, no: PieceNo) -> Result<(), Refusal> {
        if self.piece(no)?.marks == Marks::default() {
            return Ok(());
        }
        for field in [
            Field::Turn(0),
            Field::Locked(false),
            Field::Group(None),
            Field::Tint(None),
            Field::Value(None),
            Field::Text(None),
            Field::Name(None),
        ] {
            self.set(no, field)?;
        }
        Ok(())
    }

    /// A pile made by hand ends with its last but one piece.
    pub(super) fn end_pile(&mut self, no: PieceNo) -> Result<(), Refusal> {
        let Some(container) = self.table.container(no).filter(|container| !container.stays) else {
            return Ok(());
        };
        if container.len() > 1 {
            return Ok(());
        }
        let last = container.contents.first().copied();
        let (holder, pos) = (self.piece(no)?.holder, self.piece(no)?.pos);
        if let Some(last) = last {
            self.put_unchecked(last, Goal { holder, at: None, xy: Some((pos.x, pos.y)), face: None })?;
        }
        self.remove(no)
    }

    pub(super) fn spawn(&mut self, mut piece: Piece, holder: Holder, xy: (i32, i32)) -> Result<(), Refusal> {
        if self.table.pieces.len() >= limits::PIECES {
            return Err(Refusal::Limit("pieces", limits::PIECES));
        }
        let at = self.holder(holder).map_or(0, |container| container.len() as u32);
        piece.holder = holder;
        piece.trail = self.n;
        let keeps_position = self.holder(holder).is_none_or(Container::has_positions);
        piece.pos = if keeps_position { Pos { x: xy.0, y: xy.1, z: self.height() } } else { Pos::default() };
        self.change(Change::Spawn { piece: Box::new(piece), at })
    }

    /// Takes a piece off the table; a container must be empty.
    pub(super) fn remove(&mut self, no: PieceNo) -> Result<(), Refusal> {
        self.end_searches(no, None)?;
        let piece = self.piece(no)?;
        if piece.container.as_ref().is_some_and(|container| !container.is_empty()) {
            return Err(Refusal::NotPossible("Empty it before you remove it."));
        }
        let (piece, at) = (Box::new(piece.clone()), self.table.spot(piece).at);
        self.change(Change::Remove { piece, at })
    }

    /// New order of a container's contents. Nobody can follow them unless `public`.
    pub(super) fn order(&mut self, container: PieceNo, order: Vec<u16>, public: bool) -> Result<(), Refusal> {
        self.end_searches(container, None)?;
        let contents = self.container(container)?.contents.clone();
        self.spend(contents.len())?;
        self.change(Change::Order { container, order })?;
        if public || mutants::is(Mutant::ShuffleKeepsKnowledge) {
            return Ok(());
        }
        self.know(contents.into_iter().map(|no| (no, SeatSet::NONE)))
    }
}
