//! Verbs of seats, turns and remarks.

use super::draft::Draft;
use crate::act::Refusal;
use crate::ids::{PieceNo, SeatNo};
use crate::limits;
use crate::log::Note;
use crate::model::{Change, Clock, Seat};
use std::collections::BTreeSet;
use tuckbox_names::{is_blank, turns_text};

/// A text of people: trimmed, not empty, without control characters but line ends.
pub(super) fn text_of(text: &str, most: usize) -> Result<String, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::Malformed("The text is empty."));
    }
    if text.chars().count() > most {
        return Err(Refusal::Malformed("The text is too long."));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' || turns_text(c)) {
        return Err(Refusal::Malformed("The text contains control characters."));
    }
    if is_blank(text) {
        return Err(Refusal::Malformed("Nothing of the text would be seen."));
    }
    Ok(text.to_owned())
}

/// A name: such a text, on one line.
pub(super) fn name_of(name: &str) -> Result<String, Refusal> {
    let name = text_of(name, limits::NAME_CHARS)?;
    if name.contains('\n') {
        return Err(Refusal::Malformed("A name stands on one line."));
    }
    Ok(name)
}

pub(super) fn change_seat(
    draft: &mut Draft<'_>,
    no: SeatNo,
    change: impl FnOnce(&mut Seat),
) -> Result<(), Refusal> {
    let was = draft.table.seats.get(&no).ok_or(Refusal::Malformed("The table has no such seat."))?.clone();
    let mut now = was.clone();
    change(&mut now);
    draft.change(Change::Seat { seat: no, was: Some(Box::new(was)), now: Some(Box::new(now)) })
}

pub(super) fn claim(
    draft: &mut Draft<'_>,
    who: &str,
    name: &str,
    left_by: Option<&str>,
) -> Result<(), Refusal> {
    let (by, name) = (draft.by, name_of(name)?);
    if who.is_empty() || who.len() > 128 {
        return Err(Refusal::Malformed("The seat needs an account."));
    }
    let sits = draft.table.seats.get(&by).and_then(|seat| seat.who.as_deref());
    if sits.is_some_and(|sits| sits != who && Some(sits) != left_by) {
        return Err(Refusal::NotPossible(
            "Somebody else sits there. A seat can be taken over 30 minutes after its player left; a host can free it at once.",
        ));
    }
    if sits.is_some_and(|sits| sits != who) {
        end_search(draft, by)?;
    }
    change_seat(draft, by, |seat| {
        seat.who = Some(who.to_owned());
        seat.name = name;
        seat.agrees = false;
    })
}

fn end_search(draft: &mut Draft<'_>, seat: SeatNo) -> Result<(), Refusal> {
    let Some(container) = draft.table.searches.get(&seat).copied() else { return Ok(()) };
    draft.change(Change::Search { seat, was: Some(container), now: None })
}

pub(super) fn leave(draft: &mut Draft<'_>, seat: Option<SeatNo>) -> Result<(), Refusal> {
    let no = seat.unwrap_or(draft.by);
    if no != draft.by && !draft.leads() {
        return Err(Refusal::NotAllowed("Only hosts free others' seats."));
    }
    end_search(draft, no)?;
    change_seat(draft, no, |seat| {
        seat.who = None;
        seat.agrees = false;
    })
}

pub(super) fn pass(draft: &mut Draft<'_>, to: Option<SeatNo>) -> Result<(), Refusal> {
    let was = draft.table.clock.clone();
    if was.turn.is_some_and(|turn| turn != draft.by) && !draft.leads() {
        return Err(Refusal::NotAllowed("It is another seat's turn."));
    }
    let players = draft.table.players();
    let first = players.first().copied().ok_or(Refusal::NotPossible("Nobody sits at the table."))?;
    let following = was.turn.and_then(|turn| players.iter().copied().find(|seat| *seat > turn));
    let (turn, begins_round) = match to {
        Some(to) if players.contains(&to) => (to, false),
        Some(_) => return Err(Refusal::Malformed("Nobody sits there.")),
        None => following.map_or((first, true), |next| (next, false)),
    };
    let phase = draft.table.settings.phases.first().cloned().unwrap_or_default();
    let round = was.round.saturating_add(u32::from(begins_round));
    let now = Box::new(Clock { turn: Some(turn), phase, round });
    draft.change(Change::Clock { was: Box::new(was), now })
}

pub(super) fn phase(draft: &mut Draft<'_>, phase: &str) -> Result<(), Refusal> {
    if !draft.table.settings.phases.iter().any(|known| known == phase) {
        return Err(Refusal::Malformed("The table has no such phase."));
    }
    let was = draft.table.clock.clone();
    let now = Box::new(Clock { phase: phase.to_owned(), ..was });
    draft.change(Change::Clock { was: Box::new(was), now })
}

pub(super) fn mark(draft: &mut Draft<'_>, pieces: &[PieceNo], text: &str) -> Result<(), Refusal> {
    let text = text_of(text, limits::TEXT_CHARS)?;
    for no in pieces {
        draft.reach(*no)?;
    }
    if !pieces.is_empty() {
        draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
    }
    draft.note(Note::Text(text));
    Ok(())
}

pub(super) fn end(
    draft: &mut Draft<'_>,
    result: &str,
    winners: &[SeatNo],
    points: &[(SeatNo, i64)],
) -> Result<(), Refusal> {
    if !draft.leads() {
        return Err(Refusal::NotAllowed("Only hosts end the game."));
    }
    let named: BTreeSet<_> = winners.iter().collect();
    let counted: BTreeSet<_> = points.iter().map(|(seat, _)| seat).collect();
    let are_distinct = named.len() == winners.len() && counted.len() == points.len();
    if !are_distinct || named.union(&counted).any(|seat| !draft.table.seats.contains_key(seat)) {
        return Err(Refusal::Malformed(
            "The result names a seat twice, or one that the table does not have.",
        ));
    }
    if points.iter().any(|(_, points)| points.unsigned_abs() > limits::VALUE.unsigned_abs()) {
        return Err(Refusal::Malformed("Those are too many points."));
    }
    if !winners.is_empty() || !points.is_empty() {
        draft.note(Note::Won { winners: winners.to_vec(), points: points.to_vec() });
    }
    if !result.trim().is_empty() {
        let result = text_of(result, limits::TEXT_CHARS)?;
        draft.note(Note::Text(result));
    }
    draft.change(Change::Ended { now: true })
}
