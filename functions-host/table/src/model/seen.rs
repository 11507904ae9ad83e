//! Visibility: the level at which each seat sees a piece. Nothing else reads a hidden definition.

use super::piece::{Container, ContainerKind, Facing, Holder, Piece, Shows};
use super::secret::Grant;
use super::table::Table;
use crate::game_box::GameBox;
use crate::ids::{DefNo, SeatNo, SeatSet, SetNo};
use crate::mutants::{self, Mutant};

/// The most that a seat sees of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing at all.
    Nothing,
    /// It counts in the size of its container.
    Counted,
    /// A piece lies in this place.
    Present,
    /// Its back.
    Back,
    /// Its face.
    Face,
}

/// The most that a seat sees of a piece.
pub(crate) fn level(table: &Table, piece: &Piece, seat: SeatNo) -> Level {
    if mutants::is(Mutant::GrantsAll) && level_of_seat(table, piece, seat) > Level::Nothing {
        return Level::Face;
    }
    let own = level_of_seat(table, piece, seat);
    if seat == SeatNo::OBSERVER && table.is_open_to_observers() {
        let seats = table.players().into_iter();
        return seats.map(|seat| level_of_seat(table, piece, seat)).fold(own, Level::max);
    }
    own
}

fn level_of_seat(table: &Table, piece: &Piece, seat: SeatNo) -> Level {
    let Holder::In(holder_no) = piece.holder else { return as_it_lies(piece, seat) };
    let Some(holder) = table.piece(holder_no) else { return Level::Nothing };
    let Some(container) = holder.container.as_deref() else { return Level::Nothing };
    if level_of_seat(table, holder, seat) < Level::Present {
        return Level::Nothing;
    }
    if table.searches.get(&seat) == Some(&holder_no) {
        return Level::Face;
    }
    let mut shows = container.shows_to(seat);
    if mutants::is(Mutant::OpenHands) && container.kind == ContainerKind::Hand {
        shows = Shows::Face;
    }
    let covered = container.kind == ContainerKind::Stack && container.contents.last() != Some(&piece.no);
    if covered && !mutants::is(Mutant::OpenStacks) {
        shows = shows.min(Shows::Count);
    }
    let most = match shows {
        Shows::Nothing => Level::Nothing,
        Shows::Count => Level::Counted,
        Shows::Presence => Level::Present,
        Shows::Back => Level::Back,
        Shows::AsItLies => as_it_lies(piece, seat),
        Shows::Face => Level::Face,
    };
    if most >= Level::Present && piece.known.has(seat) { Level::Face } else { most }
}

fn as_it_lies(piece: &Piece, seat: SeatNo) -> Level {
    if piece.is_open() || piece.facing == Facing::Up || piece.known.has(seat) {
        Level::Face
    } else {
        Level::Back
    }
}

/// Seats that see at least this much of a piece.
pub(crate) fn seats_at(table: &Table, piece: &Piece, least: Level) -> SeatSet {
    let seats = table.seats.keys().copied().chain([SeatNo::OBSERVER]);
    seats.filter(|seat| level(table, piece, *seat) >= least).collect()
}

/// Seats that a container shows at least this much of its contents.
pub(crate) fn seats_shown(table: &Table, container: &Container, least: Shows) -> SeatSet {
    let seats = table.seats.keys().copied().chain([SeatNo::OBSERVER]);
    seats.filter(|seat| container.shows_to(*seat) >= least).collect()
}

/// The definition of a piece whose face the seat sees.
pub(crate) fn face_of(table: &Table, piece: &Piece, seat: SeatNo) -> Option<DefNo> {
    if level(table, piece, seat) == Level::Face { piece.definition(&Grant::new()) } else { None }
}

/// The definition of a piece, for the statistics of a game. They count cards only once it has ended, and go to people of
/// the project alone.
pub(crate) fn definition_after_game(piece: &Piece) -> Option<DefNo> {
    piece.definition(&Grant::new())
}

/// The definition of a piece that an entry shows to seats, wherever it lies.
pub(crate) fn face_shown(piece: &Piece, to: SeatSet, seat: SeatNo) -> Option<DefNo> {
    if to.has(seat) { piece.definition(&Grant::new()) } else { None }
}

/// The definition of a piece whose face everybody sees.
pub(crate) fn public_face(table: &Table, piece: &Piece) -> Option<DefNo> {
    if seats_at(table, piece, Level::Face) == table.viewers() {
        piece.definition(&Grant::new())
    } else {
        None
    }
}

/// Seats that can follow a piece in this place: they tell it from others as long as it lies there.
pub(crate) fn followers(table: &Table, holder: Holder) -> SeatSet {
    let Holder::In(no) = holder else { return SeatSet::ALL };
    let Some(piece) = table.piece(no) else { return SeatSet::NONE };
    let Some(container) = piece.container.as_deref() else { return SeatSet::NONE };
    let own = match container.kind {
        // Everybody sees what is put on a pile and taken from it.
        ContainerKind::Stack => SeatSet::ALL,
        ContainerKind::Bag => SeatSet::NONE,
        ContainerKind::Hand if mutants::is(Mutant::HandKeepsKnowledge) => SeatSet::ALL,
        ContainerKind::Hand | ContainerKind::Tray | ContainerKind::Zone => {
            seats_shown(table, container, Shows::Presence)
        }
    };
    own.and(followers(table, piece.holder))
}

/// True if a container that accepts only `set` takes the piece. The answer must not tell a hidden definition, neither
/// to the seat that is refused nor to those who see that it was not. So the definition decides only if the seat sees
/// it, and everybody sees it before or after (`will_be_public`); otherwise the back does.
pub(crate) fn admits(
    (table, game_box): (&Table, &GameBox),
    piece: &Piece,
    set: SetNo,
    seat: SeatNo,
    will_be_public: bool,
) -> bool {
    let public = will_be_public || public_face(table, piece).is_some();
    let visible = (public && level(table, piece, seat) == Level::Face) || mutants::is(Mutant::AcceptsByFace);
    match piece.back {
        Some(_) if visible => {
            let definition = piece.definition(&Grant::new());
            definition.is_some_and(|definition| game_box.set_has(set, definition))
        }
        Some(back) => game_box.set_has_back(set, back),
        None => false,
    }
}
