//! Verbs for stacks and for places that are mixed.

use super::draft::{Draft, Goal};
use crate::act::Refusal;
use crate::game_box::Kind;
use crate::ids::{PieceNo, SeatSet};
use crate::limits;
use crate::log::Note;
use crate::model::{Change, Container, ContainerKind, Field, Holder, Piece, Pos, Spot};

/// Distance between pieces of a stack that is laid out, in tenths of a millimetre.
const STEP: i32 = 150;

pub(super) fn check_containers(draft: &Draft<'_>, kind: ContainerKind) -> Result<(), Refusal> {
    let containers = || draft.table.pieces().filter_map(|piece| piece.container.as_ref());
    if containers().count() >= limits::CONTAINERS {
        return Err(Refusal::Limit("containers", limits::CONTAINERS));
    }
    let is_zone = kind == ContainerKind::Zone;
    if is_zone && containers().filter(|container| container.kind == kind).count() >= limits::ZONES {
        return Err(Refusal::Limit("zones", limits::ZONES));
    }
    Ok(())
}

pub(super) fn stack(draft: &mut Draft<'_>, pieces: &[PieceNo], onto: Option<PieceNo>) -> Result<(), Refusal> {
    for no in pieces {
        draft.touch(*no)?;
    }
    let mut pieces = pieces;
    let target = match onto {
        Some(onto) => onto,
        None => {
            let [first, rest @ ..] = pieces else {
                return Err(Refusal::Malformed("A pile needs two pieces."));
            };
            pieces = rest;
            *first
        }
    };
    if pieces.is_empty() {
        return Err(Refusal::Malformed("A pile needs two pieces."));
    }
    let stack = stack_at(draft, target)?;
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: Some(stack) });
    for no in pieces {
        draft.put(*no, Goal::into(stack))?;
    }
    Ok(())
}

/// The stack of a piece: itself, the one it lies in, or a new one under it.
fn stack_at(draft: &mut Draft<'_>, target: PieceNo) -> Result<PieceNo, Refusal> {
    let piece = draft.touch(target)?;
    let (holder, pos) = (piece.holder, piece.pos);
    if let Some(container) = &piece.container {
        return if container.kind == ContainerKind::Stack {
            Ok(target)
        } else {
            Err(Refusal::NotPossible("Pieces are stacked on pieces."))
        };
    }
    if let Holder::In(holder) = holder {
        let container = draft.container(holder)?;
        if container.kind == ContainerKind::Stack {
            return Ok(holder);
        }
        if !container.has_positions() || container.policy.accepts.is_some() {
            return Err(Refusal::NotPossible("Piles are made on the table."));
        }
    }
    check_containers(draft, ContainerKind::Stack)?;
    let no = draft.next_no();
    let pile = Container { stays: false, ..Container::new(ContainerKind::Stack) };
    let mut made = Piece::made(no, Kind::Container);
    made.container = Some(Box::new(pile));
    draft.spawn(made, holder, (pos.x, pos.y))?;
    draft.put(target, Goal::into(no))?;
    Ok(no)
}

pub(super) fn unstack(draft: &mut Draft<'_>, stack: PieceNo) -> Result<(), Refusal> {
    draft.touch(stack)?;
    let container = draft.reach_container(stack)?;
    if container.kind != ContainerKind::Stack {
        return Err(Refusal::NotPossible("Only a stack can be laid out."));
    }
    let (contents, stays) = (container.contents.clone(), container.stays);
    if contents.is_empty() {
        return Err(Refusal::Empty);
    }
    draft.free(stack)?;
    if stays {
        draft.end_searches(stack, None)?;
    }
    let (holder, pos) = (draft.piece(stack)?.holder, draft.piece(stack)?.pos);
    if let Holder::In(area) = holder {
        let area = draft.container(area)?;
        let room = area.policy.capacity.map_or(usize::MAX, |most| most as usize);
        if area.len() + contents.len() > room.saturating_add(usize::from(!stays)) {
            return Err(Refusal::Full);
        }
    }
    for (index, no) in contents.iter().enumerate() {
        let xy = Some((pos.x.saturating_add(STEP * index as i32), pos.y));
        draft.put_unchecked(*no, Goal { holder, at: None, xy, face: None })?;
    }
    draft.note(Note::Moved { pieces: contents, from: Some(stack), to: None });
    if stays { Ok(()) } else { draft.remove(stack) }
}

pub(super) fn shuffle(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    into: Option<PieceNo>,
) -> Result<(), Refusal> {
    match into {
        Some(container) => {
            draft.reach_container(container)?;
            draft.free(container)?;
            shuffle_container(draft, container)
        }
        None => shuffle_places(draft, pieces),
    }
}

pub(super) fn shuffle_container(draft: &mut Draft<'_>, no: PieceNo) -> Result<(), Refusal> {
    let container = draft.container(no)?;
    if container.has_positions() {
        let contents = container.contents.clone();
        return mix(draft, &contents);
    }
    let len = container.len();
    if len == 0 {
        return Err(Refusal::Empty);
    }
    draft.note(Note::Moved { pieces: Vec::new(), from: None, to: Some(no) });
    draft.spend(len)?;
    // Every shuffle draws, so that a shuffle of one looks like one.
    let order = draft.chance.permutation(len);
    draft.order(no, order, false)
}

fn shuffle_places(draft: &mut Draft<'_>, pieces: &[PieceNo]) -> Result<(), Refusal> {
    if pieces.len() < 2 {
        return Err(Refusal::Malformed("A shuffle needs two pieces or a container."));
    }
    let holder = draft.touch(pieces[0])?.holder;
    for no in pieces {
        if draft.touch(*no)?.holder != holder {
            return Err(Refusal::NotPossible("Pieces are shuffled where they lie together."));
        }
    }
    if let Holder::In(container) = holder
        && !draft.container(container)?.has_positions()
    {
        return Err(Refusal::NotPossible("Shuffle the stack or hand as a whole."));
    }
    mix(draft, pieces)
}

/// Mixes the places of pieces with one holder.
fn mix(draft: &mut Draft<'_>, pieces: &[PieceNo]) -> Result<(), Refusal> {
    draft.spend(pieces.len())?;
    let mut places = Vec::with_capacity(pieces.len());
    for no in pieces {
        let piece = draft.piece(*no)?;
        if piece.container.is_some() || piece.is_open() {
            return Err(Refusal::NotPossible("Only pieces with two sides are shuffled."));
        }
        if piece.marks.locked {
            return Err(Refusal::Locked);
        }
        places.push((piece.holder, piece.pos));
    }
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
    let order = draft.chance.permutation(pieces.len());
    mix_contents(draft, pieces, &order)?;
    for (no, was) in pieces.iter().zip(&order) {
        let (holder, pos) = places[usize::from(*was)];
        mix_one(draft, *no, holder, pos)?;
    }
    draft.change(Change::Hide(pieces.to_vec()))?;
    draft.know(pieces.iter().map(|no| (*no, SeatSet::NONE)))
}

/// The order in a zone follows the places.
fn mix_contents(draft: &mut Draft<'_>, pieces: &[PieceNo], order: &[u16]) -> Result<(), Refusal> {
    let Some(Holder::In(zone)) = pieces.first().and_then(|no| Some(draft.table.piece(*no)?.holder)) else {
        return Ok(());
    };
    let contents = &draft.container(zone)?.contents;
    let index = |no: &PieceNo| contents.iter().position(|other| other == no).unwrap_or(0);
    let indices: Vec<_> = pieces.iter().map(index).collect();
    let mut mixed: Vec<u16> = (0..contents.len() as u16).collect();
    for (from, was) in indices.iter().zip(order) {
        mixed[indices[usize::from(*was)]] = *from as u16;
    }
    draft.order(zone, mixed, true)
}

fn mix_one(draft: &mut Draft<'_>, no: PieceNo, holder: Holder, pos: Pos) -> Result<(), Refusal> {
    let piece = draft.piece(no)?;
    let from = draft.table.spot(piece);
    draft.change(Change::Put { piece: no, from, to: Spot { holder, at: from.at, pos } })?;
    for field in [Field::Turn(0), Field::Tint(None), Field::Value(None), Field::Group(None)] {
        draft.set(no, field)?;
    }
    Ok(())
}

pub(super) fn cut(draft: &mut Draft<'_>, stack: PieceNo, at: Option<u32>) -> Result<(), Refusal> {
    let container = draft.reach_container(stack)?;
    if container.kind != ContainerKind::Stack {
        return Err(Refusal::NotPossible("Only a stack can be cut."));
    }
    let len = container.len() as u32;
    if len < 2 {
        return Err(Refusal::NotPossible("A cut needs two pieces."));
    }
    draft.free(stack)?;
    let below = match at {
        Some(at) if (1..len).contains(&at) => at,
        Some(_) => return Err(Refusal::Malformed("Cut between the bottom and the top.")),
        None => 1 + draft.chance.below(u64::from(len) - 1) as u32,
    };
    draft.note(Note::Moved { pieces: Vec::new(), from: None, to: Some(stack) });
    draft.order(stack, (0..len).map(|index| ((index + below) % len) as u16).collect(), at.is_some())
}
