//! Formulas of steps, worked out over what everybody at the table sees.

use super::draft::Draft;
use crate::act::Refusal;
use crate::game_box::Kind;
use crate::ids::PieceNo;
use crate::limits;
use crate::model::{Formula, Level, Ref, Shows, bounded, quotient, seats_at, seats_shown};

type Find<'f> = &'f dyn Fn(&Ref) -> Result<PieceNo, Refusal>;

/// The result of a formula. `find` finds the parts that it names.
pub(super) fn value(draft: &Draft<'_>, formula: &Formula, find: Find<'_>) -> Result<i64, Refusal> {
    let of = |one: &Formula| value(draft, one, find);
    let both = |pair: &(Formula, Formula)| Ok((of(&pair.0)?, of(&pair.1)?));
    let divided = |pair: &(Formula, Formula), up| {
        let (one, other) = both(pair)?;
        quotient(one, other, up).ok_or(Refusal::NotPossible("A formula divides by zero. Change it."))
    };
    Ok(bounded(match formula {
        Formula::Number(number) => *number,
        Formula::Players => draft.table.players().len() as i64,
        Formula::Round => i64::from(draft.table.clock.round),
        Formula::Count(name) => count(draft, find(name)?)?,
        Formula::Value(name) => seen_value(draft, find(name)?)?,
        Formula::Plus(pair) => both(pair).map(|(one, other)| one.saturating_add(other))?,
        Formula::Minus(pair) => both(pair).map(|(one, other)| one.saturating_sub(other))?,
        Formula::Times(pair) => both(pair).map(|(one, other)| one.saturating_mul(other))?,
        Formula::Over(pair) => divided(pair, false)?,
        Formula::Up(pair) => divided(pair, true)?,
        Formula::Min(pair) => both(pair).map(|(one, other)| one.min(other))?,
        Formula::Max(pair) => both(pair).map(|(one, other)| one.max(other))?,
    }))
}

/// Pieces in a container. Its number must be known to everybody: what a button does with it shows it to everybody.
fn count(draft: &Draft<'_>, no: PieceNo) -> Result<i64, Refusal> {
    let container = draft.container(no)?;
    let table = &*draft.table;
    let is_there = seats_at(table, draft.piece(no)?, Level::Present) == table.viewers();
    if !is_there || seats_shown(table, container, Shows::Count) != table.viewers() {
        return Err(Refusal::NotPossible("A formula counts pieces that some players cannot count."));
    }
    Ok(container.len() as i64)
}

fn seen_value(draft: &Draft<'_>, no: PieceNo) -> Result<i64, Refusal> {
    let piece = draft.piece(no)?;
    let (level, usual) = if piece.kind == Kind::Die { (Level::Face, 1) } else { (Level::Back, 0) };
    if matches!(piece.kind, Kind::Container | Kind::Note) {
        return Err(Refusal::NotPossible("A formula asks for the value of something without a value."));
    }
    if seats_at(draft.table, piece, level) != draft.table.viewers() {
        return Err(Refusal::NotPossible("A formula reads a value that not everybody sees."));
    }
    Ok(piece.marks.value.unwrap_or(usual))
}

/// A result as a number of pieces: nothing below zero.
pub(super) fn pieces(value: i64) -> Result<u32, Refusal> {
    let number = u32::try_from(value.max(0)).unwrap_or(u32::MAX);
    if number as usize > limits::PIECES {
        return Err(Refusal::Limit("pieces", limits::PIECES));
    }
    Ok(number)
}
