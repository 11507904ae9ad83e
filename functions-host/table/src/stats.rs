//! Statistics of a game, from its log: who took how long, what dice fell, and what became of each card. They tell what
//! was hidden, so cards and dice are counted only once the game has ended.

use crate::act::Verb;
use crate::game_box::{BoxChange, GameBox, Kind};
use crate::ids::{DefNo, PieceNo, SeatNo};
use crate::log::{Entry, taken_back};
use crate::model::{Change, ContainerKind, Corrupt, Field, Holder, Table, definition_after_game};
use crate::session::replay;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Time without any act after which nobody played, in milliseconds.
pub const PAUSE_MS: u64 = 30 * 60 * 1_000;

/// Parts of a face's side that say nothing of the card.
const OF_BOX: [&str; 3] = ["layout", "table", "pictures"];

/// The part of a face that says the same in other languages: a translation makes no other card.
const OTHER_LANGUAGES: &str = "spoken";

/// Hexadecimal digits of a card's version.
const VERSION_DIGITS: usize = 16;

/// A game: all entries after the table was last set up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Milliseconds since the epoch of the first act and the last.
    pub begun: u64,
    #[expect(missing_docs, reason = "see above")]
    pub ended: u64,
    /// Time between them in milliseconds, without pauses.
    pub ms: u64,
    /// Acts that were not taken back.
    pub acts: u32,
    /// Rounds begun.
    pub rounds: u32,
    /// Shuffles of a container.
    pub shuffles: u32,
    /// Seats that were taken, in order.
    pub seats: Vec<SeatStatistics>,
    /// The seat of the first turn.
    pub first: Option<SeatNo>,
    /// Dice by their number of sides. Empty until the game has ended: some are rolled in secret.
    pub dice: Vec<DiceStatistics>,
    /// Cards that had a piece on the table. Empty until the game has ended.
    pub cards: Vec<CardStatistics>,
}

/// A seat in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatStatistics {
    /// Its number and name.
    pub seat: u8,
    #[expect(missing_docs, reason = "see above")]
    pub name: String,
    /// Turns, and the time of them in milliseconds without pauses.
    pub turns: u32,
    #[expect(missing_docs, reason = "see above")]
    pub ms: u64,
    /// Acts that were not taken back.
    pub acts: u32,
    /// True if the host says that it won.
    pub won: bool,
    /// Points that the host gives it.
    pub points: Option<i64>,
}

/// Rolls of all dice with as many sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiceStatistics {
    /// Sides.
    pub sides: u16,
    /// Rolls that came to each side.
    pub counts: Vec<u32>,
}

/// A version of a card in a game. All numbers but the time are of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CardStatistics {
    /// The card, by the ids of its documents.
    pub component: String,
    #[expect(missing_docs, reason = "see above")]
    pub cards: Vec<String>,
    /// Begins the SHA-256 of what its face says: the same as long as the card says the same. Of a card that was changed
    /// during the game, the version at its end comes last.
    pub version: String,
    /// On the table.
    pub pieces: u32,
    /// That came to a hand.
    pub drawn: u32,
    /// That went from a hand to the table.
    pub played: u32,
    /// That went from a hand to a pile or bag, and were never played.
    pub discarded: u32,
    /// In a hand at the end.
    pub held: u32,
    /// Played from the hand of a winner.
    pub won: u32,
    /// Time in hands, in milliseconds without pauses.
    pub held_ms: u64,
}

/// One piece in a game.
#[derive(Default)]
struct Course {
    /// Version of its card when it was first drawn.
    version: Option<String>,
    /// Time of play at which it came to the hand that it is in.
    since: Option<u64>,
    held_ms: u64,
    is_played: bool,
    is_discarded: bool,
    players: BTreeSet<SeatNo>,
}

/// The statistics of a log: `start` is the table before its first entry, `game_box` the box then, `updates` its changes.
///
/// # Errors
/// [`Corrupt`] if an entry is missing or does not fit.
pub fn statistics(
    start: Table,
    game_box: &GameBox,
    updates: &[BoxChange],
    log: &[Entry],
) -> Result<Statistics, Corrupt> {
    let undone = taken_back(log.iter().rev());
    let sets_up = |entry: &Entry| matches!(&entry.act.verb, Verb::Restore { to } if to.begins_a_game());
    let begins = |entry: &Entry| sets_up(entry) && !undone.contains(&entry.n);
    let first = log.iter().rposition(begins).map_or(0, |at| at + 1);
    let mut table = start;
    let mut counter = Counter::new(game_box, updates);
    for entry in log.iter().take(first) {
        counter.follow(entry);
        replay(&mut table, entry)?;
    }
    counter.begin(&table);
    for entry in log.iter().skip(first) {
        counter.follow(entry);
        counter.pass_time(&table, entry.at);
        let counts = !undone.contains(&entry.n) && entry.undoes.is_empty();
        if counts {
            counter.count(&table, entry);
        }
        replay(&mut table, entry)?;
    }
    Ok(counter.finish(&table))
}

struct Counter<'a> {
    versions: BTreeMap<DefNo, String>,
    sources: BTreeMap<DefNo, (String, Vec<String>)>,
    updates: std::slice::Iter<'a, BoxChange>,
    begun: Option<u64>,
    last: u64,
    found: Statistics,
    seats: BTreeMap<SeatNo, SeatStatistics>,
    dice: BTreeMap<u16, Vec<u32>>,
    courses: BTreeMap<PieceNo, Course>,
    rounds_before: u32,
}

/// The version of a card by its face. Numbers of layouts and tables are those of one box, and addresses of pictures those of
/// copies of their files: the same card may have others in the next game.
fn version(face: &str) -> String {
    let said = serde_json::from_str::<serde_json::Value>(face).ok().map(|mut face| {
        face.as_object_mut().and_then(|face| face.remove(OTHER_LANGUAGES));
        let sides = face.get_mut("sides").and_then(|sides| sides.as_array_mut());
        for side in sides.into_iter().flatten().filter_map(|side| side.as_object_mut()) {
            OF_BOX.iter().for_each(|name| drop(side.remove(*name)));
        }
        face.to_string()
    });
    let digest = Sha256::digest(said.as_deref().unwrap_or(face));
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..VERSION_DIGITS].to_owned()
}

impl<'a> Counter<'a> {
    fn new(game_box: &GameBox, updates: &'a [BoxChange]) -> Self {
        let mut counter = Self {
            versions: BTreeMap::new(),
            sources: BTreeMap::new(),
            updates: updates.iter(),
            begun: None,
            last: 0,
            found: Statistics::default(),
            seats: BTreeMap::new(),
            dice: BTreeMap::new(),
            courses: BTreeMap::new(),
            rounds_before: 0,
        };
        for (no, definition) in game_box.definitions() {
            counter.learn(no, definition);
        }
        counter
    }

    fn learn(&mut self, no: DefNo, definition: &crate::game_box::Definition) {
        self.versions.insert(no, version(&definition.face));
        if let Some(source) = &definition.source {
            let cards = source.cards.iter().map(|card| card.to_string()).collect();
            self.sources.insert(no, (source.component.to_string(), cards));
        }
    }

    /// Takes the change of the box that an entry takes.
    fn follow(&mut self, entry: &Entry) {
        if matches!(entry.act.verb, Verb::Update { .. })
            && let Some(update) = self.updates.next()
        {
            for (no, definition) in &update.definitions {
                self.learn(*no, definition);
            }
        }
    }

    /// The table as the game begins: what was dealt by its set-up is drawn.
    fn begin(&mut self, table: &Table) {
        self.rounds_before = table.clock.round;
        self.found.first = table.clock.turn;
        for piece in table.pieces() {
            if hand_of(table, piece.holder).is_some() {
                self.draw(table, piece.no);
            }
        }
    }

    fn pass_time(&mut self, table: &Table, at: u64) {
        if self.begun.is_none() {
            (self.begun, self.last) = (Some(at), at);
        }
        let passed = at.saturating_sub(self.last);
        let passed = if passed > PAUSE_MS { 0 } else { passed };
        self.last = at.max(self.last);
        self.found.ms += passed;
        if let Some(turn) = table.clock.turn {
            self.seats.entry(turn).or_default().ms += passed;
        }
    }

    fn count(&mut self, table: &Table, entry: &Entry) {
        self.found.acts += 1;
        if entry.by != SeatNo::TABLE {
            self.seats.entry(entry.by).or_default().acts += 1;
        }
        match &entry.act.verb {
            Verb::Shuffle if entry.act.into.is_some() => self.found.shuffles += 1,
            Verb::End { winners, points, .. } => {
                for winner in winners {
                    self.seats.entry(*winner).or_default().won = true;
                }
                for (seat, points) in points {
                    self.seats.entry(*seat).or_default().points = Some(*points);
                }
            }
            _ => {}
        }
        for change in &entry.changes {
            match change {
                Change::Put { piece, from, to } => self.moved(table, *piece, from.holder, to.holder),
                Change::Spawn { piece, .. } if hand_of(table, piece.holder).is_some() => {
                    self.draw(table, piece.no);
                }
                Change::Set { piece, now: Field::Value(Some(side)), .. } if !entry.draws.is_none() => {
                    self.rolled(table, *piece, *side);
                }
                Change::Clock { now, .. } => {
                    if let Some(turn) = now.turn {
                        self.seats.entry(turn).or_default().turns += 1;
                        self.found.first.get_or_insert(turn);
                    }
                }
                _ => {}
            }
        }
    }

    fn rolled(&mut self, table: &Table, no: PieceNo, side: i64) {
        let Some(die) = table.piece(no).filter(|piece| piece.kind == Kind::Die && piece.sides > 0) else {
            return;
        };
        let counts = self.dice.entry(die.sides).or_insert_with(|| vec![0; usize::from(die.sides)]);
        let side = usize::try_from(side - 1).ok().and_then(|side| counts.get_mut(side));
        if let Some(count) = side {
            *count += 1;
        }
    }

    fn draw(&mut self, table: &Table, no: PieceNo) {
        let now = self.found.ms;
        self.drawn(table, no).since = Some(now);
    }

    /// The course of a piece that is or was in a hand.
    fn drawn(&mut self, table: &Table, no: PieceNo) -> &mut Course {
        let definition = table.piece(no).and_then(definition_after_game);
        let version = definition.and_then(|definition| self.versions.get(&definition)).cloned();
        let course = self.courses.entry(no).or_default();
        course.version.get_or_insert(version.unwrap_or_default());
        course
    }

    fn moved(&mut self, table: &Table, no: PieceNo, from: Holder, to: Holder) {
        let (left, came) = (hand_of(table, from), hand_of(table, to));
        if left.is_none() && came.is_some() {
            self.draw(table, no);
        }
        let (Some(owner), None) = (left, came) else { return };
        let now = self.found.ms;
        // It may have come to the hand by an act that was taken back after this one.
        let course = self.drawn(table, no);
        course.held_ms += now.saturating_sub(course.since.take().unwrap_or(now));
        let kind = |no| table.container(no).map(|container| container.kind);
        match to {
            Holder::In(container)
                if matches!(kind(container), Some(ContainerKind::Stack | ContainerKind::Bag)) =>
            {
                course.is_discarded = true;
            }
            _ => {
                course.is_played = true;
                course.players.insert(owner);
            }
        }
    }

    fn finish(mut self, table: &Table) -> Statistics {
        let taken = table.seats.iter().filter(|(_, seat)| seat.who.is_some()).map(|(no, _)| *no);
        for seat in taken {
            self.seats.entry(seat).or_default();
        }
        let mut found = std::mem::take(&mut self.found);
        found.begun = self.begun.unwrap_or_default();
        found.ended = self.last;
        found.rounds = table.clock.round.saturating_sub(self.rounds_before);
        if table.ended {
            found.cards = self.cards(table, found.ms);
            let dice = std::mem::take(&mut self.dice).into_iter();
            found.dice = dice.map(|(sides, counts)| DiceStatistics { sides, counts }).collect();
        }
        let seats = std::mem::take(&mut self.seats).into_iter();
        let named = seats.filter_map(|(no, statistics)| {
            let name = table.seats.get(&no)?.name.clone();
            Some(SeatStatistics { seat: no.0, name, ..statistics })
        });
        found.seats = named.collect();
        found
    }

    fn cards(&self, table: &Table, now: u64) -> Vec<CardStatistics> {
        let winners: BTreeSet<_> =
            self.seats.iter().filter(|(_, seat)| seat.won).map(|(no, _)| *no).collect();
        let mut cards: BTreeMap<(DefNo, bool, String), CardStatistics> = BTreeMap::new();
        for piece in table.pieces() {
            let Some(definition) = definition_after_game(piece) else { continue };
            let Some((component, ids)) = self.sources.get(&definition) else { continue };
            let course = self.courses.get(&piece.no);
            let drawn = course.and_then(|course| course.version.clone());
            let version = drawn.clone().or_else(|| self.versions.get(&definition).cloned());
            let version = version.unwrap_or_default();
            let is_last = self.versions.get(&definition) == Some(&version);
            let card =
                cards.entry((definition, is_last, version.clone())).or_insert_with(|| CardStatistics {
                    component: component.clone(),
                    cards: ids.clone(),
                    version,
                    ..CardStatistics::default()
                });
            card.pieces += 1;
            let Some(course) = course else { continue };
            card.drawn += u32::from(drawn.is_some());
            card.played += u32::from(course.is_played);
            card.discarded += u32::from(course.is_discarded && !course.is_played);
            card.won += u32::from(!course.players.is_disjoint(&winners));
            card.held_ms += course.held_ms;
            if hand_of(table, piece.holder).is_some() {
                card.held += 1;
                card.held_ms += now.saturating_sub(course.since.unwrap_or(now));
            }
        }
        cards.into_values().collect()
    }
}

/// The owner of the hand that a place is.
fn hand_of(table: &Table, holder: Holder) -> Option<SeatNo> {
    let Holder::In(no) = holder else { return None };
    table.container(no).filter(|container| container.kind == ContainerKind::Hand)?.owner
}

#[cfg(test)]
mod tests {
    use super::version;
    use serde_json::json;

    #[test]
    fn a_version_is_of_what_the_card_says_and_not_of_the_box() {
        let face = |layout: u32, picture: &str, name: &str| {
            let side = json!({"name": name, "layout": layout, "table": layout, "pictures": [picture], "cells": {"a": name}});
            version(&json!({"name": name, "sides": [side]}).to_string())
        };
        assert_eq!(face(0, "/one", "Fox"), face(3, "/two", "Fox"));
        assert_ne!(face(0, "/one", "Fox"), face(0, "/one", "Owl"));
        let sides = json!([{"name": "Fox", "cells": {"a": "Fox"}}]);
        let spoken = json!({"de": {"name": "Fuchs", "sides": [{"words": {"a": "Fuchs"}}]}});
        let own = json!({"name": "Fox", "sides": sides}).to_string();
        assert_eq!(
            version(&own),
            version(&json!({"name": "Fox", "sides": sides, "spoken": spoken}).to_string())
        );
        assert_ne!(version("no JSON"), version("no JSON either"));
    }
}
