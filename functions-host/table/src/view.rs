//! A seat's view: the only form in which a table leaves the server. It is sent as differences to what the seat was
//! shown, each piece under a handle that ends when the piece passes through hiding.

mod short;
mod shown;

use crate::act::Act;
use crate::chance::HandleSource;
use crate::game_box::GameBox;
use crate::ids::{BackNo, DefNo, Handle, PieceNo, SeatNo};
use crate::log::{Entry, Note};
use crate::model::{Button, Change, ContainerKind, Holder, Level, Piece, Table, face_of, face_shown, level};
use crate::mutants::{self, Mutant};
use crate::{Refusal, limits};
use serde::{Deserialize, Serialize};
pub use short::ShortPatch;
pub use shown::{Place, PublicSeat, PublicTable, Shown, ShownContainer, ShownSet};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A piece as a log line names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its handle, if it can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
    /// Its face, if the seat sees or saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<DefNo>,
}

/// A log line for one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "lowercase")]
#[expect(missing_docs, reason = "the fields of Note, with handles")]
pub enum Say {
    Moved {
        pieces: Vec<Named>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Handle>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Handle>,
    },
    Shown {
        pieces: Vec<Named>,
        to: Vec<SeatNo>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Handle>,
    },
    /// A button rolled dice.
    Rolled {
        pieces: Vec<Named>,
    },
    Text {
        text: String,
    },
    Undone {
        entries: u32,
        faces: u32,
        chance: bool,
    },
    Won {
        winners: Vec<SeatNo>,
        points: Vec<(SeatNo, i64)>,
    },
    /// The project's cards changed: those whose faces the seat sees.
    Cards {
        faces: Vec<DefNo>,
    },
}

/// The difference between two views of a seat; every entry makes one for every seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The entry it leads to.
    pub n: u64,
    /// The seat that acted; none in a first patch, which shows everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<SeatNo>,
    /// The verb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// Pieces that look different now; `null` for those that are gone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<Handle, Option<Shown>>,
    /// Pieces of `set` that the seat knows already, and of which nothing but the position is different.
    #[serde(skip)]
    pub moved: BTreeSet<Handle>,
    /// Faces that the seat sees for the first time, as JSON texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faces: BTreeMap<DefNo, String>,
    /// Backs that the seat sees for the first time, as JSON texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub backs: BTreeMap<BackNo, String>,
    /// The box's common text, with everything on view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<String>,
    /// Log lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub say: Vec<Say>,
    /// Seats, clock and settings, if they changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Box<PublicTable>>,
    /// The set-up, for seats that may change it, with everything on view and when it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Box<Button>>,
    /// The sets of the box, for the same seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<Vec<ShownSet>>,
}

/// A seat's view of a table.
pub struct View {
    seat: SeatNo,
    source: HandleSource,
    /// Handles in use, with the trail they were minted for.
    handles: HashMap<PieceNo, (u64, Handle)>,
    numbers: HashMap<Handle, PieceNo>,
    /// The look that was sent, and the container it is in.
    shown: HashMap<PieceNo, (Shown, Option<PieceNo>)>,
    /// Shown pieces by the container they are shown in.
    inside: HashMap<PieceNo, BTreeSet<PieceNo>>,
    faces: BTreeSet<DefNo>,
    backs: BTreeSet<BackNo>,
    /// The sets of the box as the seat was told them; only seats that may change the table are told these and the set-up.
    sets: Option<Vec<ShownSet>>,
}

impl View {
    /// Opens a view with a secret random key for its handles, and the patch that shows everything.
    pub fn open(table: &Table, game_box: &GameBox, seat: SeatNo, key: [u8; 32]) -> (Self, Patch) {
        let mut view = Self {
            seat,
            source: HandleSource::new(key),
            handles: HashMap::new(),
            numbers: HashMap::new(),
            shown: HashMap::new(),
            inside: HashMap::new(),
            faces: BTreeSet::new(),
            backs: BTreeSet::new(),
            sets: table.may_edit(seat).then(|| ShownSet::all_of(game_box)),
        };
        let mut patch =
            Patch { n: table.n, table: Some(Box::new(PublicTable::of(table))), ..Patch::default() };
        view.update(table, game_box, table.pieces().map(|piece| piece.no).collect(), &mut patch);
        view.tell_setup(table, &mut patch);
        (view, patch)
    }

    /// The seat it belongs to.
    pub fn seat(&self) -> SeatNo {
        self.seat
    }

    /// The patch that shows everything to somebody who joins the seat's view: what is on view, with all faces and backs
    /// that later patches take for known. `table` is the state after the last patch.
    pub fn everything(&self, table: &Table, game_box: &GameBox) -> Patch {
        let face = |no: &DefNo| Some((*no, game_box.definition(*no)?.face.to_string()));
        let back = |no: &BackNo| Some((*no, game_box.back(*no)?.look.to_string()));
        let mut patch = Patch {
            n: table.n,
            set: self.pieces().map(|(handle, shown)| (handle, Some(shown.clone()))).collect(),
            faces: self.faces.iter().filter_map(face).collect(),
            backs: self.backs.iter().filter_map(back).collect(),
            common: Some(game_box.common().to_owned()).filter(|common| !common.is_empty()),
            table: Some(Box::new(PublicTable::of(table))),
            ..Patch::default()
        };
        self.tell_setup(table, &mut patch);
        patch
    }

    /// Adds the set-up and the sets of the box, for a seat that may change them.
    fn tell_setup(&self, table: &Table, patch: &mut Patch) {
        if let Some(sets) = &self.sets {
            (patch.setup, patch.sets) = (table.setup.clone().map(Box::new), Some(sets.clone()));
        }
    }

    /// A hash by which a client finds that its view is not the server's: FNV-1a with 32 bits over each handle, in the
    /// order of their texts, followed by its piece as JSON
    /// without spaces and with the keys of every object in order.
    pub fn check(&self) -> u32 {
        shown::hash_of(self.pieces())
    }

    /// Pieces on view.
    pub fn pieces(&self) -> impl Iterator<Item = (Handle, &Shown)> {
        self.shown.iter().filter_map(|(no, (shown, _))| Some((self.handles.get(no)?.1, shown)))
    }

    /// An act with numbers for handles.
    ///
    /// # Errors
    /// [`Refusal::NotThere`] for a handle that is not on view, [`Refusal::Limit`] for too many pieces.
    pub fn resolve(&self, act: &Act<Handle>) -> Result<Act<PieceNo>, Refusal> {
        if act.pieces.len() > limits::PIECES_OF_ACT {
            return Err(Refusal::Limit("pieces in one act", limits::PIECES_OF_ACT));
        }
        act.renamed(|handle| self.numbers.get(handle).copied().ok_or(Refusal::NotThere))
    }

    /// The difference that an entry makes. `table` is the state right after it.
    pub fn patch(&mut self, table: &Table, game_box: &GameBox, entry: &Entry) -> Patch {
        let mut patch = Patch {
            n: entry.n,
            by: Some(entry.by),
            verb: Some(entry.act.verb.name().to_owned()),
            ..Patch::default()
        };
        // Faces that are gone by now: the seat still reads in the log what went.
        let before: HashMap<_, _> =
            noted(entry).filter_map(|no| Some((no, self.shown.get(&no)?.0.face?))).collect();
        let affected = self.affected(table, entry);
        self.update(table, game_box, affected, &mut patch);
        if entry.changes.iter().any(is_public) {
            patch.table = Some(Box::new(PublicTable::of(table)));
        }
        let said: Vec<_> = entry.notes.iter().map(|note| self.say(table, note, &before)).collect();
        for say in &said {
            if let Say::Moved { pieces, .. } | Say::Shown { pieces, .. } | Say::Rolled { pieces } = say {
                pieces
                    .iter()
                    .filter_map(|named| named.face)
                    .for_each(|face| self.grant(game_box, face, &mut patch));
            }
        }
        patch.say = said;
        self.tell_new_setup(table, game_box, entry, &mut patch);
        for change in &entry.changes {
            if let Change::Cards { definitions, backs, common, .. } = change {
                self.look_again(game_box, definitions, backs, &mut patch);
                patch.common = common.then(|| game_box.common().to_owned());
            }
        }
        patch
    }

    /// Tells of the set-up and the sets of the box as far as they are others, or if the seat may change them from now on.
    fn tell_new_setup(&mut self, table: &Table, game_box: &GameBox, entry: &Entry, patch: &mut Patch) {
        if !table.may_edit(self.seat) {
            self.sets = None;
            return;
        }
        let is_box = |change: &Change| matches!(change, Change::Cards { .. });
        let is_setup = |change: &Change| matches!(change, Change::Setup { .. });
        let knows = self.sets.is_some();
        if !knows || entry.changes.iter().any(is_setup) {
            patch.setup = table.setup.clone().map(Box::new);
        }
        if !knows || entry.changes.iter().any(is_box) {
            let now = Some(ShownSet::all_of(game_box));
            if now != self.sets {
                patch.sets.clone_from(&now);
                self.sets = now;
            }
        }
    }

    /// Sends changed faces and backs as far as the seat sees them now. Of others it is sent the new look once it sees
    /// one again, and learns nothing by then.
    fn look_again(&mut self, game_box: &GameBox, definitions: &[DefNo], backs: &[BackNo], patch: &mut Patch) {
        let tells_all = mutants::is(Mutant::UpdatesOldFaces);
        let mut faces: BTreeSet<_> = self.shown.values().filter_map(|(shown, _)| shown.face).collect();
        faces.retain(|face| definitions.contains(face));
        let seen: BTreeSet<_> = self.shown.values().filter_map(|(shown, _)| shown.back).collect();
        for face in definitions {
            if self.faces.remove(face) && tells_all {
                faces.insert(*face);
            }
        }
        for face in &faces {
            self.grant(game_box, *face, patch);
        }
        for no in backs {
            self.backs.remove(no);
            if let Some(back) = game_box.back(*no).filter(|_| seen.contains(no)) {
                self.backs.insert(*no);
                patch.backs.insert(*no, back.look.to_string());
            }
        }
        patch.say.push(Say::Cards { faces: faces.into_iter().collect() });
    }

    /// Pieces whose look may have changed.
    fn affected(&self, table: &Table, entry: &Entry) -> BTreeSet<PieceNo> {
        let all = entry
            .changes
            .iter()
            .any(|change| matches!(change, Change::Settings { .. } | Change::Seat { .. }));
        if all || (self.seat == SeatNo::OBSERVER && table.is_open_to_observers()) {
            return table.pieces().map(|piece| piece.no).chain(self.shown.keys().copied()).collect();
        }
        let mut affected = BTreeSet::new();
        for change in &entry.changes {
            match change {
                Change::Known(known) => affected.extend(known.iter().map(|(no, ..)| *no)),
                Change::Search { was, now, .. } => {
                    was.iter().chain(now).for_each(|no| self.add(table, *no, &mut affected));
                }
                other => other.pieces().into_iter().for_each(|no| self.add(table, no, &mut affected)),
            }
        }
        affected
    }

    /// Adds a piece, and what is or may be shown inside it.
    fn add(&self, table: &Table, no: PieceNo, affected: &mut BTreeSet<PieceNo>) {
        affected.insert(no);
        let Some(container) = table.container(no) else { return };
        let candidates: Vec<PieceNo> = match container.kind {
            _ if table.searches.get(&self.seat) == Some(&no) => container.contents.clone(),
            ContainerKind::Bag => Vec::new(),
            ContainerKind::Stack if !mutants::is(Mutant::OpenStacks) => table.top(no).into_iter().collect(),
            _ => container.contents.clone(),
        };
        let shown = self.inside.get(&no).into_iter().flatten().copied();
        for content in shown.chain(candidates) {
            // A container inside this one is new to the set, or its contents are there already.
            if affected.insert(content) && table.container(content).is_some() {
                self.add(table, content, affected);
            }
        }
    }

    fn update(&mut self, table: &Table, game_box: &GameBox, affected: BTreeSet<PieceNo>, patch: &mut Patch) {
        let mut visible = Vec::new();
        for no in affected {
            let seen = table.piece(no).map(|piece| (piece, level(table, piece, self.seat)));
            let seen = seen.filter(|(_, level)| *level >= Level::Present);
            let trail = seen.map(|(piece, _)| piece.trail);
            if let Some((minted_for, handle)) = self.handles.get(&no).copied()
                && (trail.is_none() || (trail != Some(minted_for) && !mutants::is(Mutant::KeepsHandles)))
            {
                self.forget(no, handle);
                patch.set.insert(handle, None);
            }
            visible.extend(seen);
        }
        // The order of piece numbers would tell them apart, so handles follow the places that the seat sees.
        if !mutants::is(Mutant::MintsByNumber) {
            visible.sort_by_cached_key(|(piece, _)| table.place_key(piece));
        }
        for (piece, _) in &visible {
            if !self.handles.contains_key(&piece.no) {
                let handle = self.source.next();
                self.handles.insert(piece.no, (piece.trail, handle));
                self.numbers.insert(handle, piece.no);
            }
        }
        for (piece, level) in visible {
            self.show(table, game_box, piece, level, patch);
        }
    }

    fn forget(&mut self, no: PieceNo, handle: Handle) {
        self.handles.remove(&no);
        self.numbers.remove(&handle);
        if let Some((_, Some(holder))) = self.shown.remove(&no) {
            self.inside.entry(holder).or_default().remove(&no);
        }
    }

    fn show(&mut self, table: &Table, game_box: &GameBox, piece: &Piece, level: Level, patch: &mut Patch) {
        let Some((_, handle)) = self.handles.get(&piece.no).copied() else { return };
        let face = face_of(table, piece, self.seat);
        let holder = match piece.holder {
            Holder::In(no) => self.handles.get(&no).map(|(_, handle)| (no, *handle)),
            Holder::On(_) => None,
        };
        let shown = Shown::of(table, piece, self.seat, (level, face, holder.map(|(_, handle)| handle)));
        if let Some(face) = face {
            self.grant(game_box, face, patch);
        }
        if let Some(back) = shown.back
            && self.backs.insert(back)
            && let Some(back_of) = game_box.back(back)
        {
            patch.backs.insert(back, back_of.look.to_string());
        }
        let holder = holder.map(|(no, _)| no);
        let was = self.shown.get(&piece.no);
        if was.is_some_and(|(was, _)| *was == shown) {
            return;
        }
        if was.is_some_and(|(was, _)| was.lies_as(&shown)) {
            patch.moved.insert(handle);
        }
        if let Some((_, Some(was))) = was {
            self.inside.entry(*was).or_default().remove(&piece.no);
        }
        if let Some(holder) = holder {
            self.inside.entry(holder).or_default().insert(piece.no);
        }
        self.shown.insert(piece.no, (shown.clone(), holder));
        patch.set.insert(handle, Some(shown));
    }

    fn grant(&mut self, game_box: &GameBox, face: DefNo, patch: &mut Patch) {
        if self.faces.insert(face)
            && let Some(definition) = game_box.definition(face)
        {
            patch.faces.insert(face, definition.face.to_string());
        }
    }

    fn say(&self, table: &Table, note: &Note, before: &HashMap<PieceNo, DefNo>) -> Say {
        let handle = |no: &PieceNo| self.handles.get(no).map(|(_, handle)| *handle);
        let named = |no: &PieceNo, face: Option<DefNo>| {
            let now = table.piece(*no).and_then(|piece| face_of(table, piece, self.seat));
            Named { handle: handle(no), face: face.or(now).or_else(|| before.get(no).copied()) }
        };
        match note {
            Note::Moved { pieces, from, to } => Say::Moved {
                pieces: pieces.iter().map(|no| named(no, None)).collect(),
                from: from.as_ref().and_then(handle),
                to: to.as_ref().and_then(handle),
            },
            Note::Shown { pieces, to, from } => {
                let shown = |no: &PieceNo| {
                    let piece = table.piece(*no);
                    named(no, piece.and_then(|piece| face_shown(piece, *to, self.seat)))
                };
                let seats = table.seats.keys().copied().chain([SeatNo::OBSERVER]);
                Say::Shown {
                    pieces: pieces.iter().map(shown).collect(),
                    to: seats.filter(|seat| to.has(*seat)).collect(),
                    from: from.as_ref().and_then(handle),
                }
            }
            Note::Rolled { pieces } => {
                Say::Rolled { pieces: pieces.iter().map(|no| named(no, None)).collect() }
            }
            Note::Text(text) => Say::Text { text: text.clone() },
            Note::Won { winners, points } => Say::Won { winners: winners.clone(), points: points.clone() },
            Note::Undone { entries, faces, chance } => {
                Say::Undone { entries: *entries, faces: *faces, chance: *chance }
            }
        }
    }

    /// The handle of a piece.
    #[cfg(test)]
    pub(crate) fn handle_of(&self, no: PieceNo) -> Option<Handle> {
        self.handles.get(&no).map(|(_, handle)| *handle)
    }

    /// All that is on view, worked out anew from the state: what the sum of all patches must be.
    #[cfg(test)]
    pub(crate) fn whole(&self, table: &Table) -> BTreeMap<Handle, Shown> {
        let visible = table.pieces().filter(|piece| level(table, piece, self.seat) >= Level::Present);
        visible
            .map(|piece| {
                let face = face_of(table, piece, self.seat);
                let holder = match piece.holder {
                    Holder::In(no) => self.handles.get(&no).map(|(_, handle)| *handle),
                    Holder::On(_) => None,
                };
                let level = level(table, piece, self.seat);
                (self.handles[&piece.no].1, Shown::of(table, piece, self.seat, (level, face, holder)))
            })
            .collect()
    }
}

/// Pieces that an entry's notes name.
fn noted(entry: &Entry) -> impl Iterator<Item = PieceNo> {
    entry
        .notes
        .iter()
        .flat_map(|note| match note {
            Note::Moved { pieces, .. } | Note::Shown { pieces, .. } | Note::Rolled { pieces } => {
                pieces.as_slice()
            }
            Note::Text(_) | Note::Won { .. } | Note::Undone { .. } => &[],
        })
        .copied()
}

fn is_public(change: &Change) -> bool {
    !matches!(
        change,
        Change::Put { .. }
            | Change::Order { .. }
            | Change::Hide(_)
            | Change::Set { .. }
            | Change::Known(_)
            | Change::Spawn { .. }
            | Change::Remove { .. }
            | Change::Container { .. }
            | Change::Search { .. }
            | Change::Cards { .. }
    )
}
