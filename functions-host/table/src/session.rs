//! A session: the state with its log, chance and seal. The host stores every entry before it shows one.

use crate::act::{Act, Refusal, Verb};
use crate::chance::{Chance, Seal};
use crate::game_box::{BoxChange, GameBox};
use crate::ids::{PieceNo, SeatNo};
use crate::limits;
use crate::log::Entry;
use crate::model::{Corrupt, Table};
use crate::rules::{self, Context};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// A state from which the log continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The state.
    pub table: Table,
    /// Words of chance drawn so far.
    pub counter: u64,
    /// The seal of the log so far.
    pub seal: [u8; 32],
    /// Bytes of the log so far as JSON; of states that were stored without it, none.
    #[serde(default)]
    pub written: u64,
}

/// A running session.
pub struct Session {
    table: Table,
    game_box: Arc<GameBox>,
    seed: [u8; 32],
    chance: Chance,
    seal: Seal,
    log: VecDeque<Entry>,
    /// Bytes of each entry of the log as JSON, and of all.
    sizes: VecDeque<usize>,
    bytes: usize,
    written: u64,
    work: usize,
}

impl Session {
    /// A session from an empty table with seats. The seed is secret until the game has ended.
    pub fn new(table: Table, game_box: Arc<GameBox>, seed: [u8; 32]) -> Self {
        let (chance, seal) = (Chance::new(seed, 0), Seal::new(&seed));
        Self::from_parts(table, game_box, seed, (chance, seal))
    }

    /// A session from a snapshot and entries in order. Those up to the snapshot only serve undo.
    ///
    /// # Errors
    /// [`Corrupt`] if an entry is missing or does not fit.
    pub fn resume(
        snapshot: Snapshot,
        game_box: Arc<GameBox>,
        seed: [u8; 32],
        log: impl IntoIterator<Item = Entry>,
    ) -> Result<Self, Corrupt> {
        let Snapshot { table, counter, seal, written } = snapshot;
        let (chance, seal) = (Chance::new(seed, counter), Seal::resume(&seed, seal));
        let mut session = Self::from_parts(table, game_box, seed, (chance, seal));
        session.written = written;
        for entry in log {
            let bytes = serde_json::to_vec(&entry).unwrap_or_default();
            if entry.n > session.table.n {
                replay(&mut session.table, &entry)?;
                if !entry.draws.is_none() {
                    session.chance.rewind(entry.draws.from + entry.draws.count);
                }
                session.seal.add(&bytes);
                session.written += bytes.len() as u64;
            }
            session.keep(entry, bytes.len());
        }
        Ok(session)
    }

    fn from_parts(
        table: Table,
        game_box: Arc<GameBox>,
        seed: [u8; 32],
        (chance, seal): (Chance, Seal),
    ) -> Self {
        let (log, sizes) = (VecDeque::new(), VecDeque::new());
        Self { table, game_box, seed, chance, seal, log, sizes, bytes: 0, written: 0, work: 0 }
    }

    /// Does an act of a seat at a time in milliseconds since the epoch, and returns its entry.
    ///
    /// # Errors
    /// The reason for which it was refused; nothing has changed then.
    pub fn act(&mut self, by: SeatNo, act: &Act<PieceNo>, at: u64) -> Result<&Entry, Refusal> {
        if self.written >= limits::LOG_BYTES && !matches!(act.verb, Verb::End { .. } | Verb::Leave { .. }) {
            self.work = 0;
            return Err(Refusal::LogFull);
        }
        let (chance, work) = (&mut self.chance, &mut self.work);
        let context = Context { game_box: &self.game_box, chance, log: &self.log, at, work };
        let entry = rules::act(&mut self.table, by, act, context)?;
        let bytes = serde_json::to_vec(&entry).unwrap_or_default();
        self.seal.add(&bytes);
        self.written += bytes.len() as u64;
        self.keep(entry, bytes.len());
        self.log.back().ok_or(Refusal::Internal)
    }

    /// Takes a change of the box: by [`SeatNo::TABLE`], or by a seat that leads the table. The host stores the change with
    /// the entry, as the log has its hash alone.
    ///
    /// # Errors
    /// The reason for which it was refused; nothing has changed then.
    pub fn update(&mut self, by: SeatNo, change: &BoxChange, at: u64) -> Result<&Entry, Refusal> {
        self.work = change.definitions.len() + change.backs.len();
        if self.written >= limits::LOG_BYTES {
            return Err(Refusal::LogFull);
        }
        let changed = self.game_box.changed(change).map_err(|_| {
            Refusal::NotPossible("The project has become too large for this table. Open another one.")
        })?;
        let entry = rules::update(&mut self.table, by, change, at)?;
        self.game_box = Arc::new(changed);
        let bytes = serde_json::to_vec(&entry).unwrap_or_default();
        self.seal.add(&bytes);
        self.written += bytes.len() as u64;
        self.keep(entry, bytes.len());
        self.log.back().ok_or(Refusal::Internal)
    }

    /// The same session with the box that its log led to: [`Session::resume`] takes entries without their changes of it.
    #[must_use]
    pub fn with_box(mut self, game_box: Arc<GameBox>) -> Self {
        self.game_box = game_box;
        self
    }

    /// Takes an entry that used no chance, without doing its act again.
    pub(crate) fn follow(&mut self, entry: &Entry) -> Result<(), Corrupt> {
        replay(&mut self.table, entry)?;
        self.keep(entry.clone(), 0);
        Ok(())
    }

    /// Keeps the draws of later acts.
    pub(crate) fn record_chance(&mut self) {
        self.chance.record();
    }

    /// The draws since they were last taken.
    pub(crate) fn take_drawn(&mut self) -> Vec<crate::chance::Drawn> {
        self.chance.take_drawn()
    }

    fn keep(&mut self, entry: Entry, bytes: usize) {
        self.log.push_back(entry);
        self.sizes.push_back(bytes);
        self.bytes += bytes;
        while self.log.len() > limits::KEPT_ENTRIES || self.bytes > limits::KEPT_BYTES {
            let (Some(_), Some(gone)) = (self.log.pop_front(), self.sizes.pop_front()) else { break };
            self.bytes -= gone;
        }
    }

    /// Bytes of the whole log as JSON: it only grows.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Bytes that the session takes in memory, roughly: the box, and the entries that it keeps.
    pub fn held(&self) -> usize {
        self.game_box.bytes() + 2 * self.bytes
    }

    /// Work of the last act, refused or not, in the measure of [`limits::WORK`].
    pub fn work(&self) -> usize {
        self.work
    }

    /// The state.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The box.
    pub fn game_box(&self) -> &Arc<GameBox> {
        &self.game_box
    }

    /// The last entries, oldest first.
    pub fn log(&self) -> &VecDeque<Entry> {
        &self.log
    }

    /// The SHA-256 of the seed, to be published at the start.
    pub fn commitment(&self) -> [u8; 32] {
        self.chance.commitment()
    }

    /// The seal of the log so far; it may be published at any time.
    pub fn seal(&self) -> [u8; 32] {
        self.seal.value()
    }

    /// The seed, once the game has ended.
    pub fn seed(&self) -> Option<[u8; 32]> {
        self.table.ended.then_some(self.seed)
    }

    /// The present state, from which [`Session::resume`] continues.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            table: self.table.clone(),
            counter: self.chance.counter(),
            seal: self.seal.value(),
            written: self.written,
        }
    }

    /// A session of its own from this state. It draws from a seed of its own: with this one it would show this
    /// session's future.
    #[must_use]
    pub fn fork(&self, seed: [u8; 32]) -> Self {
        Self::new(self.table.clone(), Arc::clone(&self.game_box), seed)
    }
}

/// True if two entries are stored alike: one that was read may hold defaults that the other had left out.
pub(crate) fn is_same(one: &Entry, other: &Entry) -> bool {
    serde_json::to_vec(one).ok() == serde_json::to_vec(other).ok()
}

/// Applies a stored entry. Replay needs no rules.
///
/// # Errors
/// [`Corrupt`] if it is not the next entry, or does not fit the state.
pub fn replay(table: &mut Table, entry: &Entry) -> Result<(), Corrupt> {
    if entry.n != table.n + 1 {
        return Err(Corrupt("an entry is missing"));
    }
    let mut unused = Vec::new();
    for change in &entry.changes {
        table.apply(entry.n, change, &mut unused)?;
        unused.clear();
    }
    table.n = entry.n;
    Ok(())
}

/// A log that does not follow from its seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unverified {
    /// The seed is not the one whose SHA-256 was published.
    Seed,
    /// This entry does not follow from the state before it, its act and the seed.
    Entry(u64),
    /// The log's seal is not the one that was published.
    Seal,
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed => f.write_str("The seed is not the one that was promised at the start."),
            Self::Entry(n) => write!(f, "Entry {n} does not follow from its act and the seed."),
            Self::Seal => f.write_str("The log is not the one whose seal was published."),
        }
    }
}

impl std::error::Error for Unverified {}

/// Does every act of a whole log again and compares all that came of it, chance included. `updates` are the changes of the
/// box, in order. A stored log does not say when people left; that a seat could be taken over is not checked.
///
/// # Errors
/// The first thing that is not as it was promised.
pub fn verify<'a>(
    start: Table,
    game_box: Arc<GameBox>,
    (log, updates): (impl IntoIterator<Item = &'a Entry>, &[BoxChange]),
    seed: [u8; 32],
    (commitment, seal): ([u8; 32], [u8; 32]),
) -> Result<Table, Unverified> {
    let mut session = Session::new(start, game_box, seed);
    if session.commitment() != commitment {
        return Err(Unverified::Seed);
    }
    let mut updates = updates.iter();
    for entry in log {
        let again = match (&entry.act.verb, updates.as_slice().first()) {
            (Verb::Update { .. }, Some(update)) => {
                updates.next();
                session.update(entry.by, update, entry.at)
            }
            _ => session.act(entry.by, &with_leaver(&session.table, entry), entry.at),
        };
        match again {
            Ok(again) if is_same(again, entry) => {}
            _ => return Err(Unverified::Entry(entry.n)),
        }
    }
    if session.seal() == seal { Ok(session.table) } else { Err(Unverified::Seal) }
}

/// The act of an entry; a claim names whoever sits there as the one who left.
fn with_leaver(table: &Table, entry: &Entry) -> Act<PieceNo> {
    let mut act = entry.act.clone();
    if let Verb::Claim { left_by, .. } = &mut act.verb {
        *left_by = table.seats.get(&entry.by).and_then(|seat| seat.who.clone());
    }
    act
}
