//! Undo: an entry with the inverse of others, never an erasure. Chance does not go back, and nothing that somebody saw
//! is unseen.

use super::draft::Draft;
use crate::act::Refusal;
use crate::ids::{PieceNo, SeatNo, SeatSet};
use crate::limits;
use crate::log::{Entry, Note, taken_back};
use crate::model::{Change, Holder, Proposal, UndoMode, followers};
use crate::mutants::{self, Mutant};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A part of the state. Entries that change one part depend on each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Piece(PieceNo),
    Clock,
    Settings,
    Button(String),
    Setup,
    Pending,
    Ended,
}

/// Parts that an entry changes. Looks, votes and knowledge change no part.
fn parts(entry: &Entry) -> BTreeSet<Part> {
    let mut parts = BTreeSet::new();
    for change in &entry.changes {
        let part = match change {
            Change::Clock { .. } => Part::Clock,
            Change::Settings { .. } => Part::Settings,
            Change::Button { name, .. } => Part::Button(name.clone()),
            Change::Setup { .. } => Part::Setup,
            Change::Pending { .. } => Part::Pending,
            Change::Ended { .. } => Part::Ended,
            Change::Known(_)
            | Change::Search { .. }
            | Change::Seat { .. }
            | Change::Proposal { .. }
            | Change::Cards { .. } => continue,
            other => {
                parts.extend(other.pieces().into_iter().map(Part::Piece));
                continue;
            }
        };
        parts.insert(part);
    }
    parts
}

/// The entry and all later ones that depend on it, newest first.
fn dependents(n: u64, log: &VecDeque<Entry>) -> Result<Vec<&Entry>, Refusal> {
    let first = log.iter().position(|entry| entry.n == n);
    let first = first.ok_or(Refusal::NotPossible("That act is too long ago, or there is none."))?;
    let mut touched = parts(&log[first]);
    if touched.is_empty() {
        return Err(Refusal::NotPossible("There is nothing to take back."));
    }
    let mut chosen = vec![&log[first]];
    for entry in log.iter().skip(first + 1) {
        let parts = parts(entry);
        if !parts.is_disjoint(&touched) {
            touched.extend(parts);
            chosen.push(entry);
        }
    }
    chosen.reverse();
    Ok(chosen)
}

pub(super) fn undo(
    draft: &mut Draft<'_>,
    n: u64,
    agree: bool,
    log: &VecDeque<Entry>,
) -> Result<Vec<u64>, Refusal> {
    draft.spend(log.iter().map(|entry| entry.changes.len()).sum())?;
    let chosen = dependents(n, log)?;
    let secret = chosen.iter().any(|entry| entry.faces > 0 || !entry.draws.is_none());
    if draft.table.settings.undo == UndoMode::Strict && secret {
        return Err(Refusal::NotAllowed("At this table, chance and what was seen are not taken back."));
    }
    let rights = &draft.table.settings.rights;
    let standing = standing(&chosen, log);
    let own = standing.iter().all(|entry| entry.by == draft.by);
    let free = draft.leads() || own || rights.undo_others || draft.table.settings.undo == UndoMode::Free;
    if agree && free || vote(draft, n, agree)? {
        take_back(draft, &chosen, &standing)?;
        return Ok(chosen.iter().map(|entry| entry.n).collect());
    }
    Ok(Vec::new())
}

/// The entries among those chosen that still do something: without those that are taken back already, and without their
/// undos. Both are undone all the same, since knowledge follows each step; but nobody is asked about them or told of them.
fn standing<'a>(chosen: &[&'a Entry], log: &VecDeque<Entry>) -> Vec<&'a Entry> {
    let back = taken_back(log.iter().rev());
    let numbers: BTreeSet<u64> = chosen.iter().map(|entry| entry.n).collect();
    let settled =
        |entry: &Entry| !entry.undoes.is_empty() && entry.undoes.iter().all(|n| numbers.contains(n));
    chosen.iter().copied().filter(|entry| !back.contains(&entry.n) && !settled(entry)).collect()
}

/// Counts a vote; true if a majority of players agrees.
fn vote(draft: &mut Draft<'_>, n: u64, agree: bool) -> Result<bool, Refusal> {
    let was = draft.table.proposal.clone();
    let present = was.clone().filter(|proposal| proposal.n == n && proposal.until > draft.at);
    if present.is_none() && !agree {
        return Err(Refusal::NotPossible("Nobody proposes to take that back."));
    }
    if was.as_ref().is_some_and(|proposal| proposal.n != n && proposal.until > draft.at) {
        return Err(Refusal::NotPossible("Another undo is being voted on."));
    }
    let own = SeatSet::of(draft.by);
    let mut proposal = present.unwrap_or(Proposal {
        n,
        by: draft.by,
        agree: SeatSet::NONE,
        refuse: SeatSet::NONE,
        until: draft.at.saturating_add(limits::PROPOSAL_MS),
    });
    let (one, other) = if agree {
        (&mut proposal.agree, &mut proposal.refuse)
    } else {
        (&mut proposal.refuse, &mut proposal.agree)
    };
    *one = one.or(own);
    *other = other.without(own);
    let players: Vec<SeatNo> = draft.table.players();
    let count = |set: SeatSet| players.iter().filter(|seat| set.has(**seat)).count();
    if count(proposal.agree) * 2 > players.len() {
        return Ok(true);
    }
    let is_lost = count(proposal.refuse) * 2 >= players.len();
    let now = (!is_lost).then(|| Box::new(proposal));
    draft.change(Change::Proposal { was: was.map(Box::new), now })?;
    Ok(false)
}

/// Seats that may know each piece once the entries are taken back: they saw it and could follow it back to where it
/// was, or knew it there.
type Knowledge = BTreeMap<PieceNo, SeatSet>;

fn take_back(draft: &mut Draft<'_>, chosen: &[&Entry], standing: &[&Entry]) -> Result<(), Refusal> {
    if let Some(was) = draft.table.proposal.clone() {
        draft.change(Change::Proposal { was: Some(Box::new(was)), now: None })?;
    }
    let mut knowledge = Knowledge::new();
    for change in chosen.iter().flat_map(|entry| &entry.changes) {
        for no in change.pieces() {
            draft.end_searches(no, None)?;
            if draft.table.piece(no).is_some() && !knowledge.contains_key(&no) {
                let saw = draft.saw(no)?;
                knowledge.insert(no, saw);
            }
        }
    }
    for entry in chosen {
        for change in entry.changes.iter().rev() {
            take_back_one(draft, change, &mut knowledge)?;
        }
        know_as_before(draft, entry, &mut knowledge);
    }
    let mut known = Vec::new();
    for (no, seats) in knowledge {
        if let Some(piece) = draft.table.piece(no) {
            known.push((no, seats.and(followers(draft.table, piece.holder))));
        }
    }
    draft.know(known)?;
    draft.note(Note::Undone {
        entries: standing.len() as u32,
        faces: standing.iter().map(|entry| entry.faces).sum(),
        chance: standing.iter().any(|entry| !entry.draws.is_none()),
    });
    Ok(())
}

/// Adds those who knew pieces right before the entry, which has just been taken back. A piece is again where they knew
/// it only if every later change of its place was taken back too: the entry changed the container that it lies in, or
/// the piece itself if it lies free. A stack that the entry did not change may have been shuffled since.
fn know_as_before(draft: &Draft<'_>, entry: &Entry, knowledge: &mut Knowledge) {
    let mut before = Knowledge::new();
    for change in entry.changes.iter().rev() {
        if let Change::Known(known) = change {
            before.extend(known.iter().map(|(no, was, _)| (*no, *was)));
        }
    }
    let parts = parts(entry);
    for (no, was) in before {
        let Some(piece) = draft.table.piece(no) else { continue };
        let place = match piece.holder {
            Holder::In(container) => container,
            Holder::On(_) => no,
        };
        if parts.contains(&Part::Piece(place)) || mutants::is(Mutant::UndoFindsMoved) {
            let seats = knowledge.entry(no).or_insert(piece.known);
            *seats = seats.or(was);
        }
    }
}

fn take_back_one(draft: &mut Draft<'_>, change: &Change, knowledge: &mut Knowledge) -> Result<(), Refusal> {
    match change {
        // People stay where they sit, and what they look at is theirs.
        Change::Known(_) | Change::Search { .. } | Change::Seat { .. } | Change::Proposal { .. } => {
            return Ok(());
        }
        Change::Put { piece, from, to } => {
            let follow = |holder: Holder| followers(draft.table, holder);
            let followed = follow(from.holder).and(follow(to.holder));
            let inside = draft.table.container(*piece).map_or(&[][..], |inside| &inside.contents);
            for no in inside.iter().chain([piece]) {
                let known = draft.piece(*no)?.known;
                let seats = knowledge.entry(*no).or_insert(known);
                *seats = seats.and(followed);
            }
        }
        // Nobody followed a piece through a shuffle.
        Change::Order { container, .. } => {
            let contents = draft.container(*container)?.contents.clone();
            knowledge.extend(contents.into_iter().map(|no| (no, SeatSet::NONE)));
        }
        Change::Hide(pieces) => knowledge.extend(pieces.iter().map(|no| (*no, SeatSet::NONE))),
        // Nor into the box; out of it, a piece comes to the place where it was known.
        Change::Spawn { piece, .. } => {
            knowledge.remove(&piece.no);
        }
        Change::Remove { piece, .. } => {
            knowledge.insert(piece.no, piece.known);
        }
        _ => {}
    }
    let mut inverse = change.inverse();
    if let Change::Remove { piece, .. } = &mut inverse {
        **piece = draft.piece(piece.no)?.clone();
    }
    draft.change(inverse)
}
