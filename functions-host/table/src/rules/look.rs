//! Verbs that look and show.

use super::draft::Draft;
use crate::act::Refusal;
use crate::ids::{PieceNo, SeatNo, SeatSet};
use crate::log::Note;
use crate::model::{Change, ContainerKind, Holder, Level, Role, Shows, followers, level};

pub(super) fn search(draft: &mut Draft<'_>, no: PieceNo, open: bool) -> Result<(), Refusal> {
    draft.reach(no)?;
    let by = draft.by;
    let present = draft.table.searches.get(&by).copied();
    if !open {
        if present != Some(no) {
            return Err(Refusal::NotPossible("You are not looking through that."));
        }
        return draft.change(Change::Search { seat: by, was: present, now: None });
    }
    let container = draft.container(no)?;
    let contents = container.contents.clone();
    let is_host = draft.table.seats.get(&by).is_some_and(|seat| seat.role == Role::Host);
    match container.kind {
        ContainerKind::Stack | ContainerKind::Bag => {
            draft.reach_container(no)?;
        }
        ContainerKind::Hand if draft.table.settings.designer_view && is_host => {}
        ContainerKind::Hand => return Err(Refusal::NotAllowed("That belongs to another seat.")),
        _ => return Err(Refusal::NotPossible("Only stacks and bags are looked through.")),
    }
    if draft.table.searches.iter().any(|(seat, at)| *at == no && *seat != by) {
        return Err(Refusal::Busy);
    }
    let is_hand = container.kind == ContainerKind::Hand;
    draft.note(Note::Moved { pieces: Vec::new(), from: None, to: Some(no) });
    draft.change(Change::Search { seat: by, was: present, now: Some(no) })?;
    if is_hand {
        return Ok(());
    }
    // Whoever looks through it may reorder it unseen: nobody else knows its order any longer.
    let own = if draft.table.settings.remembers { SeatSet::of(by) } else { SeatSet::NONE };
    let known = own.and(followers(draft.table, Holder::In(no)));
    draft.know(contents.into_iter().map(|no| (no, known)))
}

pub(super) fn peek(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    stack: Option<PieceNo>,
    count: u32,
) -> Result<(), Refusal> {
    let (pieces, from) = match stack {
        Some(stack) => (top_of(draft, stack, count)?, Some(stack)),
        None => (pieces.to_vec(), None),
    };
    if pieces.is_empty() {
        return Err(Refusal::Malformed("The act names no piece."));
    }
    let by = SeatSet::of(draft.by);
    for no in &pieces {
        if from.is_none() {
            let piece = draft.reach(*no)?;
            if level(draft.table, piece, draft.by) < Level::Back {
                return Err(Refusal::NotThere);
            }
        }
        let piece = draft.piece(*no)?;
        if let Holder::In(holder) = piece.holder
            && draft.table.searches.iter().any(|(seat, at)| *at == holder && *seat != draft.by)
        {
            return Err(Refusal::Busy);
        }
        let known = piece.known.or(by).and(followers(draft.table, piece.holder));
        draft.know([(*no, known)])?;
    }
    draft.note(Note::Shown { pieces, to: by, from });
    Ok(())
}

/// The top pieces of a stack whose backs the seat sees.
fn top_of(draft: &Draft<'_>, stack: PieceNo, count: u32) -> Result<Vec<PieceNo>, Refusal> {
    let container = draft.reach_container(stack)?;
    if container.kind != ContainerKind::Stack || container.shows_to(draft.by) < Shows::Back {
        return Err(Refusal::NotPossible("Look at the top of a stack that you see."));
    }
    if container.is_empty() {
        return Err(Refusal::Empty);
    }
    if count == 0 {
        return Err(Refusal::Malformed("Look at one piece at least."));
    }
    Ok(container.contents.iter().rev().take(count as usize).copied().collect())
}

pub(super) fn show(draft: &mut Draft<'_>, pieces: &[PieceNo], to: Option<&[SeatNo]>) -> Result<(), Refusal> {
    let viewers = draft.table.viewers();
    let to = to.map_or(viewers, |seats| seats.iter().copied().collect()).and(viewers);
    if to.is_empty() || pieces.is_empty() {
        return Err(Refusal::Malformed("Nothing would be shown."));
    }
    let mut from = None;
    for no in pieces {
        let piece = draft.reach(*no)?;
        if level(draft.table, piece, draft.by) < Level::Face || piece.container.is_some() {
            return Err(Refusal::NotPossible("You show only pieces whose face you see."));
        }
        if let Holder::In(holder) = piece.holder {
            from = Some(holder);
        }
        let known = piece.known.or(to).and(followers(draft.table, piece.holder));
        // A piece that one is shown while its owner looks through a stack may go anywhere in it.
        let searched = from.is_some_and(|from| draft.table.searches.get(&draft.by) == Some(&from));
        if !searched {
            draft.know([(*no, known)])?;
        }
    }
    draft.note(Note::Shown { pieces: pieces.to_vec(), to, from });
    Ok(())
}
