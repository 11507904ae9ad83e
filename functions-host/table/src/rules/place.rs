//! Verbs that put pieces somewhere.

use super::draft::{Draft, Goal};
use crate::act::{At, Refusal};
use crate::ids::{PieceNo, SeatNo, SeatSet};
use crate::log::Note;
use crate::model::{Container, ContainerKind, Facing, Field, Holder, Piece, followers};

/// Distance between pieces that are laid down together, in tenths of a millimetre.
const STEP: i32 = 100;

pub(super) fn move_to(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    to: At,
    (face, turn): (Option<Facing>, Option<i32>),
) -> Result<(), Refusal> {
    let first = *pieces.first().ok_or(Refusal::Malformed("The act names no piece."))?;
    for no in pieces {
        draft.touch(*no)?;
    }
    let all = with_groups(draft, pieces);
    let lead = draft.piece(first)?;
    let (start, from) = (lead.pos, lead.holder);
    let mut goals = Vec::with_capacity(all.len());
    for (index, no) in all.iter().enumerate() {
        let piece = draft.piece(*no)?;
        let holds_positions = match from {
            Holder::On(_) => true,
            Holder::In(container) => draft.container(container)?.has_positions(),
        };
        let (dx, dy) = if piece.holder == from && holds_positions {
            (piece.pos.x.saturating_sub(start.x), piece.pos.y.saturating_sub(start.y))
        } else {
            (STEP * index as i32, 0)
        };
        goals.push((*no, (to.x.saturating_add(dx), to.y.saturating_add(dy))));
    }
    draft.note(Note::Moved { pieces: all, from: container_no(from), to: None });
    for (no, xy) in goals {
        draft.put(no, Goal { holder: Holder::On(to.surface), at: None, xy: Some(xy), face })?;
    }
    if let Some(turn) = turn {
        for no in pieces {
            draft.set(*no, Field::Turn(turn.rem_euclid(360) as u16))?;
        }
    }
    Ok(())
}

fn container_no(holder: Holder) -> Option<PieceNo> {
    match holder {
        Holder::In(no) => Some(no),
        Holder::On(_) => None,
    }
}

/// The pieces with those of their groups that the seat may move too, these in the order of their places: that of their
/// numbers would tell which hidden piece is among them.
fn with_groups(draft: &Draft<'_>, pieces: &[PieceNo]) -> Vec<PieceNo> {
    let mut all = pieces.to_vec();
    let groups: Vec<_> = pieces.iter().filter_map(|no| draft.piece(*no).ok()?.marks.group).collect();
    if groups.is_empty() {
        return all;
    }
    let is_joined = |piece: &&Piece| piece.marks.group.is_some_and(|group| groups.contains(&group));
    let mut joined: Vec<_> = draft.table.pieces().filter(is_joined).collect();
    joined.sort_by_cached_key(|piece| draft.table.place_key(piece));
    for piece in joined {
        if !all.contains(&piece.no) && draft.touch(piece.no).is_ok() {
            all.push(piece.no);
        }
    }
    all
}

pub(super) fn drop_into(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    into: PieceNo,
    (at, xy): (Option<u32>, Option<(i32, i32)>),
    face: Option<Facing>,
) -> Result<(), Refusal> {
    let first = *pieces.first().ok_or(Refusal::Malformed("The act names no piece."))?;
    draft.reach_container(into)?;
    for no in pieces {
        draft.touch(*no)?;
    }
    let from = container_no(draft.piece(first)?.holder);
    draft.note(Note::Moved { pieces: pieces.to_vec(), from, to: Some(into) });
    for (index, no) in pieces.iter().enumerate() {
        let index = index as i32;
        let at = at.map(|at| at.saturating_add(index as u32));
        let xy = xy.map(|(x, y)| (x.saturating_add(STEP * index), y));
        draft.put(*no, Goal { at, xy, face, ..Goal::into(into) })?;
    }
    Ok(())
}

/// Turns one piece to a side; knowledge follows.
pub(super) fn turn_over(draft: &mut Draft<'_>, no: PieceNo, facing: Facing) -> Result<(), Refusal> {
    let piece = draft.piece(no)?;
    if piece.facing == facing || piece.is_open() {
        return Ok(());
    }
    let known = if draft.table.settings.remembers { draft.saw(no)? } else { SeatSet::NONE };
    let follow = followers(draft.table, piece.holder);
    draft.set(no, Field::Facing(facing))?;
    draft.know([(no, known.and(follow))])
}

pub(super) fn flip(draft: &mut Draft<'_>, pieces: &[PieceNo], face: Option<Facing>) -> Result<(), Refusal> {
    if pieces.is_empty() {
        return Err(Refusal::Malformed("The act names no piece."));
    }
    for no in pieces {
        let piece = draft.touch(*no)?;
        let (facing, holder) = (piece.facing, piece.holder);
        if let Holder::In(holder) = holder {
            draft.free(holder)?;
        }
        match draft.table.container(*no).map(|container| container.kind) {
            Some(ContainerKind::Stack) => flip_stack(draft, *no, face)?,
            Some(_) => return Err(Refusal::NotPossible("Only stacks and pieces have two sides.")),
            None => turn_over(draft, *no, face.unwrap_or(facing.flipped()))?,
        }
    }
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
    Ok(())
}

fn flip_stack(draft: &mut Draft<'_>, stack: PieceNo, face: Option<Facing>) -> Result<(), Refusal> {
    draft.free(stack)?;
    let contents = draft.container(stack)?.contents.clone();
    let Some(top) = contents.last() else { return Err(Refusal::Empty) };
    if face == Some(draft.piece(*top)?.facing) {
        return Ok(());
    }
    // The top is seen before it turns under the others.
    let known = draft.saw(*top)?;
    draft.know([(*top, known)])?;
    draft.order(stack, (0..contents.len() as u16).rev().collect(), true)?;
    for no in contents {
        let (facing, known) = (draft.piece(no)?.facing.flipped(), draft.piece(no)?.known);
        draft.set(no, Field::Facing(facing))?;
        if !draft.table.settings.remembers && !known.is_empty() {
            draft.know([(no, SeatSet::NONE)])?;
        }
    }
    Ok(())
}

pub(super) fn turn(draft: &mut Draft<'_>, pieces: &[PieceNo], by: i32) -> Result<(), Refusal> {
    for no in pieces {
        let turn = i32::from(draft.touch(*no)?.marks.turn);
        draft.set(*no, Field::Turn((turn + by % 360).rem_euclid(360) as u16))?;
    }
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
    Ok(())
}

pub(super) fn spin(draft: &mut Draft<'_>, pieces: &[PieceNo]) -> Result<(), Refusal> {
    for no in pieces {
        draft.touch(*no)?;
        let angle = draft.chance.below(360) as u16;
        draft.set(*no, Field::Turn(angle))?;
    }
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
    Ok(())
}

fn hand_of(draft: &Draft<'_>, seat: SeatNo) -> Result<PieceNo, Refusal> {
    draft.table.hand(seat).ok_or(Refusal::NotPossible("That seat has no hand at this table."))
}

pub(super) fn give(draft: &mut Draft<'_>, pieces: &[PieceNo], to: SeatNo) -> Result<(), Refusal> {
    let hand = hand_of(draft, to)?;
    let first = *pieces.first().ok_or(Refusal::Malformed("The act names no piece."))?;
    for no in pieces {
        draft.touch(*no)?;
    }
    let from = container_no(draft.piece(first)?.holder);
    draft.note(Note::Moved { pieces: pieces.to_vec(), from, to: Some(hand) });
    pieces.iter().try_for_each(|no| draft.put(*no, Goal::into(hand)))
}

pub(super) fn take(draft: &mut Draft<'_>, from: PieceNo, count: u32) -> Result<(), Refusal> {
    draft.reach(from)?;
    let container = draft.container(from)?;
    if container.kind != ContainerKind::Hand || container.owner == Some(draft.by) {
        return Err(Refusal::NotPossible("Cards are taken from another seat's hand."));
    }
    if !draft.table.settings.rights.take && !draft.leads() {
        return Err(Refusal::NotAllowed("At this table, nobody takes cards from other hands."));
    }
    let hand = hand_of(draft, draft.by)?;
    deal(draft, from, count, &[hand])
}

pub(super) fn draw(draft: &mut Draft<'_>, from: PieceNo, count: u32) -> Result<(), Refusal> {
    check_source(draft.reach_container(from)?)?;
    let hand = hand_of(draft, draft.by)?;
    deal(draft, from, count, &[hand])
}

fn check_source(container: &Container) -> Result<(), Refusal> {
    match container.kind {
        ContainerKind::Stack | ContainerKind::Bag => Ok(()),
        _ => Err(Refusal::NotPossible("Pieces are drawn from a stack or a bag.")),
    }
}

pub(super) fn deal_verb(
    draft: &mut Draft<'_>,
    from: PieceNo,
    count: u32,
    seats: Option<&[SeatNo]>,
) -> Result<(), Refusal> {
    check_source(draft.reach_container(from)?)?;
    let seats = seats.map_or_else(|| draft.table.players(), <[_]>::to_vec);
    let hands: Vec<_> = seats.iter().map(|seat| hand_of(draft, *seat)).collect::<Result<_, _>>()?;
    deal(draft, from, count, &hands)
}

/// Deals to containers in turn, as long as there are pieces.
pub(super) fn deal(draft: &mut Draft<'_>, from: PieceNo, count: u32, to: &[PieceNo]) -> Result<(), Refusal> {
    if to.is_empty() || count == 0 {
        return Err(Refusal::Malformed("Nothing would be dealt."));
    }
    if draft.container(from)?.is_empty() {
        return Err(Refusal::Empty);
    }
    let mut dealt = vec![Vec::new(); to.len()];
    'all: for _ in 0..count {
        for (goal, dealt) in to.iter().zip(&mut dealt) {
            let Some(no) = next_of(draft, from) else { break 'all };
            draft.put(no, Goal::into(*goal))?;
            dealt.push(no);
        }
    }
    for (goal, pieces) in to.iter().zip(dealt) {
        if !pieces.is_empty() {
            draft.note(Note::Moved { pieces, from: Some(from), to: Some(*goal) });
        }
    }
    Ok(())
}

/// The next piece of a container: the top of a stack, any of a bag or hand.
pub(super) fn next_of(draft: &mut Draft<'_>, from: PieceNo) -> Option<PieceNo> {
    let container = draft.table.container(from)?;
    let len = container.len();
    let at = match container.kind {
        ContainerKind::Bag | ContainerKind::Hand => draft.chance.below(len as u64) as usize,
        _ => len.checked_sub(1)?,
    };
    draft.table.container(from)?.contents.get(at).copied()
}

pub(super) fn reorder(draft: &mut Draft<'_>, pieces: &[PieceNo], at: u32) -> Result<(), Refusal> {
    let [no] = pieces else {
        return Err(Refusal::Malformed("One piece is put into another place at a time."));
    };
    let Holder::In(container) = draft.touch(*no)?.holder else {
        return Err(Refusal::NotPossible("That piece is in no container."));
    };
    if draft.container(container)?.kind == ContainerKind::Bag {
        return Err(Refusal::NotPossible("A bag has no order."));
    }
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: Some(container), to: Some(container) });
    draft.put(*no, Goal { at: Some(at), ..Goal::into(container) })
}
