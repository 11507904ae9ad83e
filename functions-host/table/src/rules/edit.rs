//! Verbs that make, remove and set up parts of a table.

use super::OF_VERSION;
use super::draft::Draft;
use super::people::name_of;
use super::piles::check_containers;
use super::values::check_place;
use crate::act::{At, Edit, NewContainer, Refusal, Spawned};
use crate::game_box::Kind;
use crate::ids::{DefNo, PieceNo, SeatNo, SeatSet};
use crate::limits;
use crate::log::Note;
use crate::model::{
    Button, Change, Container, ContainerKind, Facing, Follow, Holder, Level, Piece, Policy, Role, Seat,
    Settings, Target, seats_at,
};

const NO_EDIT: Refusal = Refusal::NotAllowed("Only hosts change this table.");

fn may_edit(draft: &Draft<'_>) -> Result<(), Refusal> {
    if draft.table.may_edit(draft.by) { Ok(()) } else { Err(NO_EDIT) }
}

pub(super) fn spawn(draft: &mut Draft<'_>, what: &Spawned, to: At) -> Result<(), Refusal> {
    check_place(draft, to)?;
    match what {
        Spawned::Pieces { definition, count } => {
            if !draft.leads() && !draft.table.settings.rights.spawn {
                return Err(Refusal::NotAllowed("Only hosts take pieces out of the box."));
            }
            if *count == 0 || *count as usize > limits::PIECES {
                return Err(Refusal::Limit("pieces", limits::PIECES));
            }
            let made = (0..*count)
                .map(|_| spawn_piece(draft, *definition, Holder::On(to.surface), (to.x, to.y), None));
            let pieces = made.collect::<Result<_, _>>()?;
            draft.note(Note::Moved { pieces, from: None, to: None });
        }
        Spawned::Container(new) => {
            may_edit(draft)?;
            let no = make_container(draft, new, to)?;
            draft.note(Note::Moved { pieces: vec![no], from: None, to: None });
        }
    }
    Ok(())
}

/// Takes one piece of a definition out of the box.
pub(super) fn spawn_piece(
    draft: &mut Draft<'_>,
    definition: DefNo,
    holder: Holder,
    xy: (i32, i32),
    face: Option<Facing>,
) -> Result<PieceNo, Refusal> {
    let known = draft.game_box.definition(definition);
    let back_no = known.ok_or(Refusal::Malformed("The box has no such piece."))?.back;
    let back = draft.game_box.back(back_no).ok_or(Refusal::Internal)?;
    let no = draft.next_no();
    let mut piece = Piece::of(no, definition, back_no, back.kind, back.sides);
    if let Holder::In(container) = holder {
        let container = draft.container(container)?;
        if container.policy.capacity.is_some_and(|most| container.len() >= most as usize) {
            return Err(Refusal::Full);
        }
        if !container.has_positions() && matches!(back.kind, Kind::Board | Kind::Timer) {
            return Err(Refusal::NotPossible("That does not fit in there."));
        }
        piece.facing = container.policy.auto_face.unwrap_or(Facing::Up);
    }
    piece.facing = face.unwrap_or(piece.facing);
    draft.spawn(piece, holder, xy)?;
    Ok(no)
}

pub(super) fn make_container(draft: &mut Draft<'_>, new: &NewContainer, to: At) -> Result<PieceNo, Refusal> {
    check_place(draft, to)?;
    check_containers(draft, new.kind)?;
    let policy = new.policy.unwrap_or(Policy::usual(new.kind));
    check_policy(draft, &policy)?;
    if let Some(owner) = new.owner
        && !draft.table.seats.contains_key(&owner)
    {
        return Err(Refusal::Malformed("The table has no such seat."));
    }
    if new.kind == ContainerKind::Hand {
        let owner = new.owner.ok_or(Refusal::Malformed("A hand needs a seat."))?;
        if draft.table.hand(owner).is_some() {
            return Err(Refusal::NotPossible("That seat has a hand already."));
        }
    }
    let no = draft.next_no();
    let mut piece = Piece::made(no, Kind::Container);
    piece.marks.name = Some(name_of(&new.name)?);
    let container = Container {
        arrangement: new.arrangement,
        policy,
        owner: new.owner,
        size: new.size,
        ..Container::new(new.kind)
    };
    piece.container = Some(Box::new(container));
    draft.spawn(piece, Holder::On(to.surface), (to.x, to.y))?;
    Ok(no)
}

fn check_policy(draft: &Draft<'_>, policy: &Policy) -> Result<(), Refusal> {
    if policy.accepts.is_some_and(|set| draft.game_box.set(set).is_none()) {
        return Err(Refusal::Malformed("The box has no such set."));
    }
    if policy.outside > policy.inside {
        return Err(Refusal::Malformed("A container shows others no more than its own audience."));
    }
    Ok(())
}

pub(super) fn remove(draft: &mut Draft<'_>, pieces: &[PieceNo]) -> Result<(), Refusal> {
    if !draft.leads() && !draft.table.settings.rights.remove {
        return Err(Refusal::NotAllowed("Only hosts put pieces back into the box."));
    }
    if pieces.is_empty() {
        return Err(Refusal::Malformed("The act names no piece."));
    }
    for no in pieces {
        let holder = draft.touch(*no)?.holder;
        if let Some(container) = draft.table.container(*no)
            && container.kind == ContainerKind::Hand
            && container.owner != Some(draft.by)
            && !container.is_empty()
        {
            return Err(Refusal::NotThere);
        }
        if let Holder::In(holder) = holder {
            draft.free(holder)?;
        }
        draft.remove(*no)?;
        if let Holder::In(holder) = holder {
            draft.end_pile(holder)?;
        }
    }
    draft.note(Note::Moved { pieces: Vec::new(), from: None, to: None });
    Ok(())
}

pub(super) fn edit(draft: &mut Draft<'_>, into: Option<PieceNo>, edit: &Edit) -> Result<(), Refusal> {
    match edit {
        Edit::Agree { on } => {
            let by = draft.by;
            return super::people::change_seat(draft, by, |seat| seat.agrees = *on);
        }
        Edit::Container { policy, arrangement, size } => {
            let no = into.ok_or(Refusal::Malformed("The act needs a container (`into`)."))?;
            return edit_container(draft, no, |container| Container {
                policy: *policy,
                arrangement: *arrangement,
                size: *size,
                ..container
            });
        }
        _ => may_edit(draft)?,
    }
    match edit {
        Edit::Settings { rights, undo, remembers, open_to_observers, phases } => {
            if phases.len() > limits::STEPS {
                return Err(Refusal::Limit("phases", limits::STEPS));
            }
            let named = phases.iter().map(|phase| name_of(phase));
            let phases = named.collect::<Result<_, _>>()?;
            let was = draft.table.settings.clone();
            let now = Settings {
                rights: *rights,
                undo: *undo,
                remembers: *remembers,
                open_to_observers: *open_to_observers,
                phases,
                designer_view: was.designer_view,
                follow: was.follow,
                version: was.version.clone(),
            };
            draft.change(Change::Settings { was: Box::new(was), now: Box::new(now) })
        }
        Edit::Seat { seat, name, colour, role } => edit_seat(draft, *seat, name, *colour, *role),
        Edit::RemoveSeat { seat } => remove_seat(draft, *seat),
        Edit::Follow { follow } => {
            if !draft.leads() {
                return Err(NO_EDIT);
            }
            let was = draft.table.settings.clone();
            if was.version.is_some() && *follow != Follow::Frozen {
                return Err(OF_VERSION);
            }
            let now = Settings { follow: *follow, ..was.clone() };
            draft.change(Change::Settings { was: Box::new(was), now: Box::new(now) })
        }
        Edit::Button { name, button } => {
            let name = name_of(name)?;
            if let Some(button) = button {
                check_button(button)?;
                if draft.table.buttons.len() >= limits::BUTTONS && !draft.table.buttons.contains_key(&name) {
                    return Err(Refusal::Limit("buttons", limits::BUTTONS));
                }
            }
            let was = draft.table.buttons.get(&name).cloned().map(Box::new);
            draft.change(Change::Button { name, was, now: button.clone().map(Box::new) })
        }
        Edit::Setup { button } => {
            button.as_ref().map_or(Ok(()), check_button)?;
            let was = draft.table.setup.clone().map(Box::new);
            draft.change(Change::Setup { was, now: button.clone().map(Box::new) })
        }
        Edit::Agree { .. } | Edit::Container { .. } => Err(Refusal::Internal),
    }
}

fn check_button(button: &Button) -> Result<(), Refusal> {
    if button.steps.len() > limits::STEPS {
        return Err(Refusal::Limit("steps in a button", limits::STEPS));
    }
    let too_long = |step: &crate::model::Step| {
        step.formulas().iter().any(|formula| formula.parts() > limits::FORMULA_PARTS)
    };
    if button.steps.iter().any(too_long) {
        return Err(Refusal::NotPossible(
            "A formula is too long. Split it, or keep a part of it in a counter.",
        ));
    }
    Ok(())
}

/// Changes a container's properties, if that shows nobody a face that was hidden.
fn edit_container(
    draft: &mut Draft<'_>,
    no: PieceNo,
    change: impl FnOnce(Container) -> Container,
) -> Result<(), Refusal> {
    draft.reach_container(no)?;
    let was = draft.container(no)?.clone();
    if was.owner != Some(draft.by) {
        may_edit(draft)?;
    }
    draft.free(no)?;
    draft.end_searches(no, None)?;
    let contents = was.contents.clone();
    let faces = |draft: &Draft<'_>, no: PieceNo| {
        draft.table.piece(no).map_or(SeatSet::NONE, |piece| seats_at(draft.table, piece, Level::Face))
    };
    let mut before = Vec::with_capacity(contents.len());
    for no in &contents {
        before.push((faces(draft, *no), draft.saw(*no)?));
    }
    let was = Box::new(Container { contents: Vec::new(), ..was });
    let now = Box::new(change(was.as_ref().clone()));
    check_policy(draft, &now.policy)?;
    draft.note(Note::Moved { pieces: Vec::new(), from: None, to: Some(no) });
    draft.change(Change::Container { piece: no, was, now })?;
    for (no, (before, saw)) in contents.iter().zip(&before) {
        let shown = faces(draft, *no).without(*before);
        if !shown.is_empty() {
            return Err(Refusal::NotPossible("That would show hidden faces. Empty the container first."));
        }
        draft.know([(*no, *saw)])?;
    }
    draft.keep_known_inside(no)
}

fn edit_seat(draft: &mut Draft<'_>, no: SeatNo, name: &str, colour: u32, role: Role) -> Result<(), Refusal> {
    if usize::from(no.0) >= limits::SEATS {
        return Err(Refusal::Limit("seats", limits::SEATS));
    }
    let was = draft.table.seats.get(&no).cloned();
    let lowers = was.as_ref().is_some_and(|seat| seat.role == Role::Host) && role != Role::Host;
    let hosts = draft.table.seats.values().filter(|seat| seat.role == Role::Host).count();
    if !draft.leads() || (lowers && hosts == 1) {
        return Err(Refusal::NotAllowed("A table needs a host, and only hosts change seats."));
    }
    let (who, agrees) = was.as_ref().map_or((None, false), |seat| (seat.who.clone(), seat.agrees));
    let name = name_of(name)?;
    let now = Seat { name, colour: colour & 0xff_ff_ff, who, role, agrees };
    draft.change(Change::Seat { seat: no, was: was.map(Box::new), now: Some(Box::new(now)) })
}

fn remove_seat(draft: &mut Draft<'_>, no: SeatNo) -> Result<(), Refusal> {
    let was = draft.table.seats.get(&no).ok_or(Refusal::Malformed("The table has no such seat."))?.clone();
    let owns =
        draft.table.pieces().any(|piece| piece.container.as_ref().is_some_and(|own| own.owner == Some(no)));
    if was.who.is_some() || owns || was.role == Role::Host {
        return Err(Refusal::NotPossible("Free the seat and remove its hand and trays first."));
    }
    draft.change(Change::Seat { seat: no, was: Some(Box::new(was)), now: None })
}

/// The place of a step's target.
pub(super) fn place_of(
    target: &Target,
    find: impl Fn(&crate::model::Ref) -> Result<PieceNo, Refusal>,
) -> Result<(Holder, Option<(i32, i32)>), Refusal> {
    match target {
        Target::Into(name) => Ok((Holder::In(find(name)?), None)),
        Target::Within { into, x, y } => Ok((Holder::In(find(into)?), Some((*x, *y)))),
        Target::At { surface, x, y } => Ok((Holder::On(*surface), Some((*x, *y)))),
    }
}
