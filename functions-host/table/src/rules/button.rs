//! Buttons: lists of steps that are done as one entry, up to the next wait for the host.

use super::draft::{Draft, Goal};
use super::edit::{make_container, place_of, spawn_piece};
use super::formula;
use super::people::{name_of, phase, text_of};
use super::piles::shuffle_container;
use super::place::{deal, turn_over};
use super::values::{check_near, check_place, make_note, roll_one, set_one};
use crate::act::{At, NewContainer, Refusal};
use crate::ids::{DefNo, PieceNo, SeatNo, SetNo};
use crate::limits;
use crate::log::Note;
use crate::model::{
    Button, Change, ContainerKind, Count, Facing, Field, Formula, Holder, Pending, Placed, PlacedMarks, Ref,
    Select, Step, StepKind, Target, public_face,
};
use std::collections::BTreeMap;

pub(super) fn run(draft: &mut Draft<'_>, name: Option<&str>, numbers: &[u32]) -> Result<(), Refusal> {
    let Some(name) = name else { return resume(draft) };
    if !draft.leads() && !draft.table.settings.rights.buttons {
        return Err(Refusal::NotAllowed("Only hosts press buttons at this table."));
    }
    if draft.table.pending.is_some() {
        return Err(Refusal::NotPossible("A button is waiting for the host."));
    }
    let button =
        draft.table.buttons.get(name).ok_or(Refusal::Malformed("The table has no such button."))?.clone();
    let pending = Pending { button: name.to_owned(), step: 0, by: draft.by, numbers: numbers.to_vec() };
    steps(draft, &button, pending)
}

fn resume(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let pending = draft.table.pending.clone().ok_or(Refusal::NotPossible("No button is waiting."))?;
    if !draft.leads() {
        return Err(Refusal::NotAllowed("Only hosts continue a button."));
    }
    draft.change(Change::Pending { was: Some(Box::new(pending.clone())), now: None })?;
    // The set-up has no name of its own.
    let button = if pending.button.is_empty() {
        &draft.table.setup
    } else {
        &draft.table.buttons.get(&pending.button).cloned()
    };
    let Some(button) = button.clone() else { return Ok(()) };
    steps(draft, &button, pending)
}

/// Runs the set-up.
pub(super) fn set_up(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let setup = draft.table.setup.clone().ok_or(Refusal::NotPossible("This table has no set-up."))?;
    let pending = Pending { button: String::new(), step: 0, by: draft.by, numbers: Vec::new() };
    steps(draft, &setup, pending)
}

fn steps(draft: &mut Draft<'_>, button: &Button, mut pending: Pending) -> Result<(), Refusal> {
    draft.is_button = true;
    while let Some(step) = button.steps.get(pending.step) {
        pending.step += 1;
        if step.kind == StepKind::WaitForHost {
            draft.change(Change::Pending { was: None, now: Some(Box::new(pending)) })?;
            break;
        }
        run_step(draft, step, &pending)?;
    }
    draft.is_button = false;
    Ok(())
}

fn run_step(draft: &mut Draft<'_>, step: &Step, pending: &Pending) -> Result<(), Refusal> {
    let times = Runner { draft, pending, seat: None }.number(&step.times)?;
    if times > limits::TIMES {
        return Err(Refusal::Limit("repetitions of a step", limits::TIMES as usize));
    }
    let seats: Vec<_> = match (&step.kind, step.each_seat) {
        _ if step.seat.is_some() => {
            step.seat.filter(|seat| draft.table.seats.contains_key(seat)).map(Some).into_iter().collect()
        }
        (_, false) => vec![None],
        // Whoever comes later finds a hand at their seat.
        (StepKind::Place { place: Placed::Container { .. }, .. }, true) => {
            draft.table.seats.keys().copied().map(Some).collect()
        }
        (_, true) => draft.table.players().into_iter().map(Some).collect(),
    };
    for _ in 0..times {
        for seat in &seats {
            Runner { draft, pending, seat: *seat }.run(&step.kind)?;
        }
    }
    Ok(())
}

struct Runner<'a, 'd> {
    draft: &'a mut Draft<'d>,
    pending: &'a Pending,
    /// The seat that the step is done for.
    seat: Option<SeatNo>,
}

impl Runner<'_, '_> {
    fn find(&self, name: &Ref) -> Result<PieceNo, Refusal> {
        let owner = name.own.then_some(self.seat.unwrap_or(self.pending.by));
        let found = self.draft.table.named(&name.name, owner);
        found.ok_or(Refusal::NotPossible("A step names a part that is not on the table."))
    }

    /// Work of looking for a name among all pieces.
    fn work_of_name(&self) -> usize {
        self.draft.table.pieces().count() / limits::NAMES_OF_WORK
    }

    fn value(&mut self, formula: &Formula) -> Result<i64, Refusal> {
        // Each part may look for a name.
        self.draft.spend(formula.parts() * (self.work_of_name() + 1))?;
        formula::value(self.draft, formula, &|name| self.find(name))
    }

    fn number(&mut self, count: &Count) -> Result<u32, Refusal> {
        const MISSING: Refusal = Refusal::Malformed("A number of the button is missing.");
        let number = match count {
            Count::Fixed(number) => i64::from(*number),
            Count::Given(at) => i64::from(*self.pending.numbers.get(*at).ok_or(MISSING)?),
            Count::Formula(formula) => self.value(formula)?,
        };
        formula::pieces(number)
    }

    fn run(&mut self, kind: &StepKind) -> Result<(), Refusal> {
        // A step that changes nothing may still be noted.
        self.draft.spend(limits::WORK_OF_CHANGE + self.work_of_name())?;
        match kind {
            StepKind::Place { place, to, face, marks } => {
                let made = self.place(place, to, *face)?;
                self.mark(&made, *marks)
            }
            StepKind::Note { text, to, marks } => {
                let Target::At { surface, x, y } = *to else {
                    return Err(Refusal::NotPossible("Notes lie on the table."));
                };
                let note = make_note(self.draft, text, At { surface, x, y })?;
                self.draft.note(Note::Moved { pieces: vec![note], from: None, to: None });
                self.mark(&[note], *marks)
            }
            StepKind::Shuffle { what } => {
                let what = self.find(what)?;
                self.draft.free(what)?;
                match shuffle_container(self.draft, what) {
                    Err(Refusal::Empty) => Ok(()),
                    other => other,
                }
            }
            StepKind::Deal { from, most, seats } => self.deal(from, most, seats.as_deref()),
            StepKind::Move { what, to, face, marks } => {
                let moved = self.move_to(what, to, *face)?;
                self.mark(&moved, *marks)
            }
            StepKind::Flip { what, face } => self.flip(what, *face),
            StepKind::Reveal { what } => self.flip(what, Some(Facing::Up)),
            StepKind::Set { what, value, formula } => {
                let value = formula.as_ref().map_or(Ok(*value), |formula| self.value(formula))?;
                set_one(self.draft, self.find(what)?, value)
            }
            StepKind::Roll { what } => {
                let die = self.find(what)?;
                roll_one(self.draft, die)?;
                self.draft.note(Note::Rolled { pieces: vec![die] });
                Ok(())
            }
            StepKind::Phase { phase: to } => phase(self.draft, to),
            StepKind::Say { text } => {
                let text = text_of(text, limits::TEXT_CHARS)?;
                self.draft.note(Note::Text(text));
                Ok(())
            }
            StepKind::WaitForHost => Ok(()),
        }
    }

    /// Sets the state of pieces that were put somewhere. In a stack, a bag or a hand it would mark them.
    fn mark(&mut self, pieces: &[PieceNo], marks: Option<PlacedMarks>) -> Result<(), Refusal> {
        let Some(PlacedMarks { turn, locked, tint }) = marks else { return Ok(()) };
        for no in pieces {
            if let Holder::In(holder) = self.draft.piece(*no)?.holder
                && self.draft.container(holder)?.clears_marks()
            {
                continue;
            }
            for field in [
                Field::Turn(turn % 360),
                Field::Tint(tint.map(|tint| tint & 0xff_ff_ff)),
                Field::Locked(locked),
            ] {
                self.draft.set(*no, field)?;
            }
        }
        Ok(())
    }

    /// Places things, and answers which.
    fn place(&mut self, place: &Placed, to: &Target, face: Option<Facing>) -> Result<Vec<PieceNo>, Refusal> {
        let (holder, xy) = place_of(to, |name| self.find(name))?;
        let xy = xy.unwrap_or_default();
        match holder {
            Holder::On(surface) => check_place(self.draft, At { surface, x: xy.0, y: xy.1 })?,
            Holder::In(_) => check_near(xy)?,
        }
        let mut made = Vec::new();
        match place {
            Placed::Container { kind, name, policy, arrangement, size } => {
                let Holder::On(surface) = holder else {
                    return Err(Refusal::NotPossible("Containers are placed on the table."));
                };
                let new = NewContainer {
                    kind: *kind,
                    name: name.clone(),
                    owner: self.seat,
                    policy: *policy,
                    arrangement: *arrangement,
                    size: *size,
                };
                made.push(make_container(self.draft, &new, At { surface, x: xy.0, y: xy.1 })?);
            }
            Placed::Set(set) => {
                let set =
                    self.draft.game_box.set(*set).ok_or(Refusal::Malformed("The box has no such set."))?;
                for definition in &set.members {
                    let copies = self.draft.game_box.definition(*definition).map_or(0, |known| known.copies);
                    for _ in 0..copies {
                        made.push(spawn_piece(self.draft, *definition, holder, xy, face)?);
                    }
                }
            }
            Placed::Rest { set, most } => {
                for definition in self.rest_of(*set, most.as_ref())? {
                    made.push(spawn_piece(self.draft, definition, holder, xy, face)?);
                }
            }
            Placed::Pieces { definition, copies, count, name } => {
                let known = self.draft.game_box.definition(*definition);
                let known = known.ok_or(Refusal::Malformed("The box has no such piece."))?;
                let copies = match count {
                    Some(count) => self.number(count)?,
                    None => copies.unwrap_or(u32::from(known.copies)),
                };
                for _ in 0..copies.min(limits::PIECES as u32 + 1) {
                    let no = spawn_piece(self.draft, *definition, holder, xy, face)?;
                    if let Some(name) = name {
                        let name = name_of(name)?;
                        self.draft.set(no, Field::Name(Some(name)))?;
                    }
                    made.push(no);
                }
            }
        }
        let to = match holder {
            Holder::In(container) => Some(container),
            Holder::On(_) => None,
        };
        self.draft.note(Note::Moved { pieces: made.clone(), from: None, to });
        Ok(made)
    }

    /// Pieces of a set that are in the box as far as everybody sees, those chosen by chance where not all are taken. What
    /// lies hidden must not be told from what is left.
    fn rest_of(&mut self, set: SetNo, most: Option<&Count>) -> Result<Vec<DefNo>, Refusal> {
        let known = self.draft.game_box.set(set).ok_or(Refusal::Malformed("The box has no such set."))?;
        let copies = |no: &DefNo| self.draft.game_box.definition(*no).map_or(0, |known| known.copies);
        let mut left: BTreeMap<DefNo, u16> = known.members.iter().map(|no| (*no, copies(no))).collect();
        self.draft.spend(self.draft.table.pieces().count())?;
        for piece in self.draft.table.pieces() {
            if let Some(copies) = public_face(self.draft.table, piece).and_then(|face| left.get_mut(&face)) {
                *copies = copies.saturating_sub(1);
            }
        }
        let repeated = |(no, copies)| std::iter::repeat_n(no, usize::from(copies));
        let all: Vec<_> = left.into_iter().flat_map(repeated).take(limits::PIECES + 1).collect();
        let Some(most) = most else { return Ok(all) };
        let most = self.number(most)? as usize;
        Ok(self.by_chance(all, most))
    }

    /// As many as `most`, chosen by chance where there are more.
    fn by_chance<T: Copy>(&mut self, all: Vec<T>, most: usize) -> Vec<T> {
        if most >= all.len() {
            return all;
        }
        let order = self.draft.chance.permutation(all.len());
        order.iter().take(most).map(|at| all[usize::from(*at)]).collect()
    }

    fn deal(&mut self, from: &Ref, most: &Count, seats: Option<&[SeatNo]>) -> Result<(), Refusal> {
        let from = self.find(from)?;
        let seats = match (self.seat, seats) {
            (Some(seat), _) => vec![seat],
            (None, Some(seats)) => seats.to_vec(),
            (None, None) => self.draft.table.players(),
        };
        let hand = |seat: &SeatNo| {
            self.draft.table.hand(*seat).ok_or(Refusal::NotPossible("That seat has no hand at this table."))
        };
        let hands: Vec<_> = seats.iter().map(hand).collect::<Result<_, _>>()?;
        match self.number(most)? {
            0 => Ok(()),
            most => deal(self.draft, from, most, &hands),
        }
    }

    /// Pieces of a selection, from the top.
    fn select(&mut self, what: &Select) -> Result<Vec<PieceNo>, Refusal> {
        let from = self.find(&what.from)?;
        self.draft.free(from)?;
        self.draft.spend(self.draft.container(from)?.len())?;
        let container = self.draft.container(from)?;
        let mut pieces: Vec<_> = container.contents.iter().rev().copied().collect();
        if let Some(set) = what.set {
            let mut of_set = Vec::new();
            for no in pieces {
                let face = public_face(self.draft.table, self.draft.piece(no)?);
                let face =
                    face.ok_or(Refusal::NotPossible("A set selects only among cards that everybody sees."))?;
                if self.draft.game_box.set_has(set, face) {
                    of_set.push(no);
                }
            }
            pieces = of_set;
        }
        let Some(most) = &what.most else { return Ok(pieces) };
        let most = self.number(most)? as usize;
        if matches!(self.draft.container(from)?.kind, ContainerKind::Bag | ContainerKind::Hand) {
            return Ok(self.by_chance(pieces, most));
        }
        pieces.truncate(most);
        Ok(pieces)
    }

    /// Moves pieces, and answers which.
    fn move_to(&mut self, what: &Select, to: &Target, face: Option<Facing>) -> Result<Vec<PieceNo>, Refusal> {
        let pieces = self.select(what)?;
        let from = self.find(&what.from)?;
        let (holder, xy) = place_of(to, |name| self.find(name))?;
        let to = match holder {
            Holder::In(container) => Some(container),
            Holder::On(_) => None,
        };
        for no in &pieces {
            self.draft.put(*no, Goal { holder, at: None, xy, face })?;
        }
        if !pieces.is_empty() {
            self.draft.note(Note::Moved { pieces: pieces.clone(), from: Some(from), to });
        }
        Ok(pieces)
    }

    fn flip(&mut self, what: &Select, face: Option<Facing>) -> Result<(), Refusal> {
        let pieces = self.select(what)?;
        for no in &pieces {
            let facing = self.draft.piece(*no)?.facing;
            turn_over(self.draft, *no, face.unwrap_or(facing.flipped()))?;
        }
        self.draft.note(Note::Moved { pieces, from: Some(self.find(&what.from)?), to: None });
        Ok(())
    }
}
