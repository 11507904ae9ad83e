//! A game that has ended, as it is shown again: the patches that each seat was sent, and the chance that decided. Seats
//! are called by letters, since people did not sit down to be named in public.

use crate::act::Verb;
use crate::chance::Drawn;
use crate::game_box::{BoxChange, GameBox};
use crate::ids::{DefNo, PieceNo, SeatNo};
use crate::log::{Entry, Note};
use crate::model::{Change, Corrupt, Table, definition_after_game};
use crate::session::{Session, is_same, replay};
use crate::view::{Patch, PublicTable, View};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A game that has ended.
pub struct Replay<'a> {
    start: Table,
    game_box: Arc<GameBox>,
    updates: &'a [BoxChange],
    log: &'a [Entry],
}

/// A game as one seat saw it, patch by patch.
pub struct Track<'a> {
    table: Table,
    game_box: Arc<GameBox>,
    updates: std::slice::Iter<'a, BoxChange>,
    log: std::slice::Iter<'a, Entry>,
    view: View,
}

/// The chance of an entry: the words it used, what was drawn from them, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// The entry, the seat that acted and its verb.
    pub n: u64,
    #[expect(missing_docs, reason = "see above")]
    pub by: SeatNo,
    #[expect(missing_docs, reason = "see above")]
    pub verb: &'static str,
    /// The first word and their number.
    pub from: u64,
    #[expect(missing_docs, reason = "see above")]
    pub count: u64,
    /// Draws in order.
    pub drawn: Vec<Drawn>,
    /// Sides that the dice of a roll came to, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<i64>,
    /// Piles that were shuffled, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub piles: Vec<Pile>,
}

/// A pile before and after a shuffle, from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// Its name.
    pub name: String,
    /// Definitions of its pieces.
    pub before: Vec<Option<DefNo>>,
    #[expect(missing_docs, reason = "see above")]
    pub after: Vec<Option<DefNo>>,
}

impl<'a> Replay<'a> {
    /// The replay of a whole log; `None` as long as the game has not ended. `start` is the table before its first entry,
    /// `game_box` the box then, `updates` its changes.
    pub fn of(start: Table, game_box: GameBox, updates: &'a [BoxChange], log: &'a [Entry]) -> Option<Self> {
        let changes = log.iter().rev().flat_map(|entry| entry.changes.iter().rev());
        let ended = { changes }.find_map(|change| match change {
            Change::Ended { now } => Some(*now),
            _ => None,
        });
        (ended == Some(true)).then(|| Self { start, game_box: Arc::new(game_box), updates, log })
    }

    /// Seats that somebody sat on.
    pub fn seats(&self) -> BTreeSet<SeatNo> {
        let sat = self.start.seats.iter().filter(|(_, seat)| seat.who.is_some()).map(|(no, _)| *no);
        let changes = self.log.iter().flat_map(|entry| &entry.changes);
        let later = changes.filter_map(|change| match change {
            Change::Seat { seat, now: Some(now), .. } if now.who.is_some() => Some(*seat),
            _ => None,
        });
        sat.chain(later).collect()
    }

    /// The game as a seat saw it, or as observers did: what it saw at first, and the rest. `key` is a random one for its
    /// handles.
    pub fn track(&self, seat: SeatNo, key: [u8; 32]) -> (Patch, Track<'a>) {
        let (table, game_box) = (self.start.clone(), Arc::clone(&self.game_box));
        let (view, _) = View::open(&table, &game_box, seat, key);
        let mut first = view.everything(&table, &game_box);
        without_editing(&mut first);
        let track = Track { table, game_box, updates: self.updates.iter(), log: self.log.iter(), view };
        (first, track)
    }

    /// All chance of the game, by doing every act again that used some. `None` if an entry does not follow from its act and the seed:
    /// the table was made by rules of before.
    pub fn decided(&self, seed: [u8; 32]) -> Option<Vec<Decided>> {
        let mut session = Session::new(self.start.clone(), Arc::clone(&self.game_box), seed);
        session.record_chance();
        let mut table = self.start.clone();
        let mut updates = self.updates.iter();
        let mut all = Vec::new();
        for entry in self.log {
            if let Verb::Update { .. } = entry.act.verb {
                session.update(entry.by, updates.next()?, entry.at).ok()?;
            } else if entry.draws.is_none() {
                session.follow(entry).ok()?;
            } else {
                let again = session.act(entry.by, &entry.act, entry.at).ok()?;
                if !is_same(again, entry) && !is_same(&without_rolls(again), entry) {
                    return None;
                }
                all.push(decided(&mut table, entry, session.take_drawn()).ok()?);
                continue;
            }
            replay(&mut table, entry).ok()?;
        }
        Some(all)
    }
}

/// The entry as earlier rules made it: they did not note what a button rolled.
fn without_rolls(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    entry.notes.retain(|note| !matches!(note, Note::Rolled { .. }));
    entry
}

impl Track<'_> {
    /// The next patch and the time of its entry, in milliseconds since the epoch; `None` after the last.
    ///
    /// # Errors
    /// [`Corrupt`] if an entry is missing or does not fit.
    pub fn next_patch(&mut self) -> Result<Option<(u64, Patch)>, Corrupt> {
        let Some(entry) = self.log.next() else { return Ok(None) };
        if matches!(entry.act.verb, Verb::Update { .. }) {
            let update = self.updates.next().ok_or(Corrupt("a change of the box is missing"))?;
            let changed = self.game_box.changed(update).map_err(|_| Corrupt("a change of the box"))?;
            self.game_box = Arc::new(changed);
        }
        replay(&mut self.table, entry)?;
        let mut patch = self.view.patch(&self.table, &self.game_box, entry);
        without_editing(&mut patch);
        Ok(Some((entry.at, patch)))
    }
}

/// A patch without names of people, and without what only serves to change the table.
fn without_editing(patch: &mut Patch) {
    patch.table.iter_mut().for_each(|table| letters_for_names(table));
    (patch.setup, patch.sets) = (None, None);
}

/// Names of seats without those of people.
fn letters_for_names(table: &mut PublicTable) {
    for (no, seat) in &mut table.seats {
        seat.name = format!("Player {}", char::from(b'A'.saturating_add(no.0)));
    }
}

/// The chance of an entry, which `table` is brought to meanwhile.
fn decided(table: &mut Table, entry: &Entry, drawn: Vec<Drawn>) -> Result<Decided, Corrupt> {
    let mut piles = Vec::new();
    let mut orders = drawn.iter().filter_map(|drawn| match drawn {
        Drawn::Order(order) => Some(order),
        Drawn::Below(..) => None,
    });
    for change in &entry.changes {
        let shuffled = match change {
            Change::Order { container, order } => orders.clone().position(|drawn| drawn == order).map(|at| {
                orders.nth(at);
                *container
            }),
            _ => None,
        };
        let before = shuffled.map(|no| contents(table, no));
        table.apply(entry.n, change, &mut Vec::new())?;
        if let (Some(no), Some(before)) = (shuffled, before) {
            let name = table.piece(no).and_then(|piece| piece.marks.name.clone()).unwrap_or_default();
            piles.push(Pile { name, before, after: contents(table, no) });
        }
    }
    table.n = entry.n;
    let dice = match entry.act.verb {
        Verb::Roll => entry.act.pieces.iter().filter_map(|no| table.piece(*no)?.marks.value).collect(),
        _ => Vec::new(),
    };
    let (from, count) = (entry.draws.from, entry.draws.count);
    Ok(Decided { n: entry.n, by: entry.by, verb: entry.act.verb.name(), from, count, drawn, dice, piles })
}

fn contents(table: &Table, container: PieceNo) -> Vec<Option<DefNo>> {
    let contents = table.container(container).map_or(&[][..], |container| &container.contents);
    contents.iter().map(|no| definition_after_game(table.piece(*no)?)).collect()
}
