//! Going back to a set-up or an earlier state. Nothing hidden comes back in its old order.

use super::draft::Draft;
use super::piles::shuffle_container;
use crate::act::{Refusal, Restored};
use crate::ids::{PieceNo, SeatSet};
use crate::log::Entry;
use crate::model::{Change, Container, ContainerKind, Facing, Field, Holder, Piece, Spot, Table};
use std::collections::VecDeque;

pub(super) fn restore(draft: &mut Draft<'_>, to: Restored, log: &VecDeque<Entry>) -> Result<(), Refusal> {
    if !draft.leads() {
        return Err(Refusal::NotAllowed("Only hosts start again."));
    }
    let searches: Vec<_> = draft.table.searches.values().copied().collect();
    for container in searches {
        draft.end_searches(container, None)?;
    }
    if let Some(was) = draft.table.pending.clone() {
        draft.change(Change::Pending { was: Some(Box::new(was)), now: None })?;
    }
    match to {
        Restored::Clean => clear(draft),
        Restored::Setup => {
            clear(draft)?;
            super::button::set_up(draft)
        }
        Restored::Entry(n) => {
            draft.spend(log.iter().map(|entry| entry.changes.len()).sum())?;
            let past = state_after(draft.table, n, log)?;
            return_to(draft, &past)
        }
    }
}

fn clear(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    // Contents before containers, so that each is empty when its turn comes; the bound is their depth.
    for _ in 0..4 {
        let free = |piece: &&Piece| piece.container.as_ref().is_none_or(|inside| inside.is_empty());
        let pieces: Vec<_> = draft.table.pieces().filter(free).map(|piece| piece.no).collect();
        // From the top, as each container takes out its last piece fastest.
        for no in pieces.into_iter().rev() {
            draft.remove(no)?;
        }
    }
    Ok(())
}

/// The pieces as they were after an entry.
fn state_after(table: &Table, n: u64, log: &VecDeque<Entry>) -> Result<Table, Refusal> {
    const TOO_LONG_AGO: Refusal = Refusal::NotPossible("That moment is too long ago.");
    if n > table.n || log.front().is_none_or(|first| first.n > n + 1) {
        return Err(TOO_LONG_AGO);
    }
    let mut past = table.clone();
    let mut unused = Vec::new();
    for change in
        log.iter().rev().take_while(|entry| entry.n > n).flat_map(|entry| entry.changes.iter().rev())
    {
        past.apply(table.n, &change.inverse(), &mut unused).map_err(|_| TOO_LONG_AGO)?;
        unused.clear();
    }
    Ok(past)
}

fn return_to(draft: &mut Draft<'_>, past: &Table) -> Result<(), Refusal> {
    // Containers first: the others lie in them.
    let is_container = |piece: &&Piece| piece.container.is_some();
    let missing = |piece: &&Piece| draft.table.piece(piece.no).is_none();
    let (containers, others): (Vec<_>, Vec<_>) =
        past.pieces().filter(missing).partition(|piece| is_container(piece));
    for piece in containers.into_iter().chain(others) {
        let holder = match piece.holder {
            Holder::In(container) if draft.table.piece(container).is_none() => {
                Holder::On(crate::ids::SurfaceNo(0))
            }
            holder => holder,
        };
        let mut piece = piece.clone();
        if let Some(container) = &mut piece.container {
            container.contents.clear();
        }
        piece.known = SeatSet::NONE;
        let xy = (piece.pos.x, piece.pos.y);
        draft.spawn(piece, holder, xy)?;
    }
    let numbers: Vec<_> = draft.table.pieces().map(|piece| piece.no).collect();
    for no in &numbers {
        match past.piece(*no) {
            Some(was) => move_back(draft, was)?,
            None => move_out(draft, *no)?,
        }
    }
    for no in numbers.iter().rev() {
        if past.piece(*no).is_none() {
            draft.remove(*no)?;
        }
    }
    for piece in past.pieces() {
        fields_back(draft, piece)?;
    }
    let numbers: Vec<_> = draft.table.pieces().map(|piece| (piece.no, SeatSet::NONE)).collect();
    draft.know(numbers.iter().copied())?;
    // Nobody may learn from the way back what a hidden piece was before.
    draft.change(Change::Hide(numbers.into_iter().map(|(no, _)| no).collect()))?;
    shuffle_hidden(draft)
}

fn move_back(draft: &mut Draft<'_>, was: &Piece) -> Result<(), Refusal> {
    let piece = draft.piece(was.no)?;
    if piece.holder == was.holder && piece.pos == was.pos {
        return Ok(());
    }
    let from = draft.table.spot(piece);
    let same = piece.holder == was.holder;
    let at = match was.holder {
        Holder::In(_) if same => from.at,
        Holder::In(container) => draft.container(container)?.len() as u32,
        Holder::On(_) => 0,
    };
    draft.change(Change::Put { piece: was.no, from, to: Spot { holder: was.holder, at, pos: was.pos } })
}

/// A piece that did not exist leaves its container, which may then be removed.
fn move_out(draft: &mut Draft<'_>, no: PieceNo) -> Result<(), Refusal> {
    let piece = draft.piece(no)?;
    if matches!(piece.holder, Holder::On(_)) {
        return Ok(());
    }
    let from = draft.table.spot(piece);
    let to = Spot { holder: Holder::On(crate::ids::SurfaceNo(0)), at: 0, pos: piece.pos };
    draft.change(Change::Put { piece: no, from, to })
}

fn fields_back(draft: &mut Draft<'_>, was: &Piece) -> Result<(), Refusal> {
    let marks = &was.marks;
    for field in [
        Field::Facing(was.facing),
        Field::Turn(marks.turn),
        Field::Locked(marks.locked),
        Field::Group(marks.group),
        Field::Tint(marks.tint),
        Field::Value(marks.value),
        Field::Text(marks.text.clone()),
        Field::Name(marks.name.clone()),
    ] {
        draft.set(was.no, field)?;
    }
    let Some(then) = was.container.as_deref() else { return Ok(()) };
    let now = draft.container(was.no)?.clone();
    let index = |no: &PieceNo| now.contents.iter().position(|other| other == no).map(|at| at as u16);
    let order: Vec<_> = then.contents.iter().filter_map(index).collect();
    if order.len() != now.contents.len() {
        return Err(Refusal::Internal);
    }
    if then.contents != now.contents {
        draft.change(Change::Order { container: was.no, order })?;
    }
    let bare = |container: &Container| Container { contents: Vec::new(), ..container.clone() };
    if bare(then) != bare(&now) {
        draft.change(Change::Container {
            piece: was.no,
            was: Box::new(bare(&now)),
            now: Box::new(bare(then)),
        })?;
    }
    Ok(())
}

fn shuffle_hidden(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let is_hidden = |piece: &&Piece| {
        let stack = piece.container.as_ref().filter(|inside| inside.kind == ContainerKind::Stack);
        let down = |no: &PieceNo| draft.table.piece(*no).is_some_and(|piece| piece.facing == Facing::Down);
        stack.is_some_and(|stack| stack.contents.iter().any(down))
    };
    let stacks: Vec<_> = draft.table.pieces().filter(is_hidden).map(|piece| piece.no).collect();
    stacks.into_iter().try_for_each(|stack| shuffle_container(draft, stack))
}
