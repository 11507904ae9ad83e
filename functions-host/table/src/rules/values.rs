//! Verbs that change a piece's own state.

use super::draft::Draft;
use super::people::{name_of, text_of};
use crate::act::{At, Refusal};
use crate::game_box::Kind;
use crate::ids::PieceNo;
use crate::limits;
use crate::log::Note;
use crate::model::{Field, Holder, Piece};

fn named(pieces: &[PieceNo]) -> Result<(), Refusal> {
    if pieces.is_empty() { Err(Refusal::Malformed("The act names no piece.")) } else { Ok(()) }
}

fn handled(draft: &mut Draft<'_>, pieces: &[PieceNo]) {
    draft.note(Note::Moved { pieces: pieces.to_vec(), from: None, to: None });
}

pub(super) fn roll(draft: &mut Draft<'_>, pieces: &[PieceNo]) -> Result<(), Refusal> {
    named(pieces)?;
    for no in pieces {
        draft.touch(*no)?;
        roll_one(draft, *no)?;
    }
    handled(draft, pieces);
    Ok(())
}

pub(super) fn roll_one(draft: &mut Draft<'_>, no: PieceNo) -> Result<(), Refusal> {
    let piece = draft.piece(no)?;
    if piece.kind != Kind::Die {
        return Err(Refusal::NotPossible("Only dice are rolled."));
    }
    let value = 1 + draft.chance.below(u64::from(piece.sides)) as i64;
    draft.set(no, Field::Value(Some(value)))
}

pub(super) fn set_one(draft: &mut Draft<'_>, no: PieceNo, value: i64) -> Result<(), Refusal> {
    let piece = draft.piece(no)?;
    let range = match piece.kind {
        Kind::Die => 1..=i64::from(piece.sides),
        Kind::Container | Kind::Note => return Err(Refusal::NotPossible("That has no value.")),
        _ => -limits::VALUE..=limits::VALUE,
    };
    if !range.contains(&value) {
        return Err(Refusal::Malformed("The value is out of range."));
    }
    draft.set(no, Field::Value(Some(value)))
}

pub(super) fn set(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    value: Option<i64>,
    tint: Option<u32>,
) -> Result<(), Refusal> {
    named(pieces)?;
    for no in pieces {
        draft.touch(*no)?;
        if let Some(value) = value {
            set_one(draft, *no, value)?;
        }
        if let Some(tint) = tint {
            draft.set(*no, Field::Tint((tint != 0).then_some(tint & 0xff_ff_ff)))?;
        }
    }
    handled(draft, pieces);
    Ok(())
}

pub(super) fn bump(draft: &mut Draft<'_>, pieces: &[PieceNo], by: i64) -> Result<(), Refusal> {
    named(pieces)?;
    for no in pieces {
        let piece = draft.touch(*no)?;
        let (least, most) = if piece.kind == Kind::Die {
            (1, i64::from(piece.sides))
        } else {
            (-limits::VALUE, limits::VALUE)
        };
        let value = piece.marks.value.unwrap_or(least.max(0)).saturating_add(by).clamp(least, most);
        set_one(draft, *no, value)?;
    }
    handled(draft, pieces);
    Ok(())
}

pub(super) fn lock(draft: &mut Draft<'_>, pieces: &[PieceNo], on: bool) -> Result<(), Refusal> {
    named(pieces)?;
    for no in pieces {
        match draft.touch(*no) {
            Ok(_) | Err(Refusal::Locked) => draft.set(*no, Field::Locked(on))?,
            Err(refusal) => return Err(refusal),
        }
    }
    handled(draft, pieces);
    Ok(())
}

pub(super) fn group(draft: &mut Draft<'_>, pieces: &[PieceNo], on: bool) -> Result<(), Refusal> {
    named(pieces)?;
    let group = on.then_some(draft.n);
    for no in pieces {
        draft.touch(*no)?;
        draft.set(*no, Field::Group(group))?;
    }
    handled(draft, pieces);
    Ok(())
}

pub(super) fn note(
    draft: &mut Draft<'_>,
    pieces: &[PieceNo],
    text: &str,
    to: Option<At>,
) -> Result<(), Refusal> {
    if let [no] = pieces {
        let text = text_of(text, limits::TEXT_CHARS)?;
        if draft.touch(*no)?.kind != Kind::Note {
            return Err(Refusal::NotPossible("Only notes have text."));
        }
        draft.set(*no, Field::Text(Some(text)))?;
        handled(draft, pieces);
        return Ok(());
    }
    let to = to.filter(|_| pieces.is_empty()).ok_or(Refusal::Malformed("A new note needs a place."))?;
    let no = make_note(draft, text, to)?;
    handled(draft, &[no]);
    Ok(())
}

/// Makes a note that lies on the table.
pub(super) fn make_note(draft: &mut Draft<'_>, text: &str, to: At) -> Result<PieceNo, Refusal> {
    let text = text_of(text, limits::TEXT_CHARS)?;
    if draft.table.pieces().filter(|piece| piece.kind == Kind::Note).count() >= limits::NOTES {
        return Err(Refusal::Limit("notes", limits::NOTES));
    }
    check_place(draft, to)?;
    let no = draft.next_no();
    let mut piece = Piece::made(no, Kind::Note);
    piece.marks.text = Some(text);
    draft.spawn(piece, Holder::On(to.surface), (to.x, to.y))?;
    Ok(no)
}

const NO_PLACE: Refusal = Refusal::Malformed("There is no such place on the table.");

pub(super) fn check_place(draft: &Draft<'_>, to: At) -> Result<(), Refusal> {
    if to.surface.0 < draft.table.surfaces { check_near((to.x, to.y)) } else { Err(NO_PLACE) }
}

/// Refuses coordinates, of a surface or of a container, that lie too far from the middle.
pub(super) fn check_near((x, y): (i32, i32)) -> Result<(), Refusal> {
    if x.abs() <= limits::COORDINATE && y.abs() <= limits::COORDINATE { Ok(()) } else { Err(NO_PLACE) }
}

pub(super) fn name(draft: &mut Draft<'_>, pieces: &[PieceNo], name: &str) -> Result<(), Refusal> {
    let name = name_of(name)?;
    let [no] = pieces else {
        let by = draft.by;
        return super::people::change_seat(draft, by, |seat| seat.name = name);
    };
    if !draft.leads() && !draft.table.settings.rights.edit {
        return Err(Refusal::NotAllowed("Only hosts name the parts of this table."));
    }
    if matches!(draft.touch(*no)?.kind, Kind::Card | Kind::Token | Kind::Tile | Kind::Standee) {
        return Err(Refusal::NotPossible("A name would mark that piece."));
    }
    draft.set(*no, Field::Name(Some(name)))?;
    handled(draft, pieces);
    Ok(())
}
