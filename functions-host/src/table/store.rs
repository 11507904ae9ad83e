//! Logs of playtest tables, as documents of a reserved database that no transport reaches and no rule opens.
//!
//! ```text
//! tables/{table}                    a table's head: seed, time, number of box parts, true once all of it is stored
//! tables/{table}/box/{nth}          part of its box as JSON
//! tables/{table}/log/{n}            entries from n on, as a JSON list
//! tables/{table}/updates/{no}-{nth} part of a change of its box as JSON: number of parts
//! tables/{table}/shots/{n}          head of the state after entry n: number of parts
//! tables/{table}/parts/{n}-{nth}    part of that state as JSON
//! ```
//! The log is its own lock: a chunk is created under the number of its first entry, so of two sessions that go on from
//! the same entry one is refused.

mod history;
mod replays;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use docstore::model::{
    CollectionPath, Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Fields, Order, Precondition,
    Query, Source, Timestamp, Value, Write,
};
use docstore::store::Store;
use docstore::{Code, Database, Draft, Error};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tuckbox_table::Session;
use tuckbox_table::game_box::{BoxChange, GameBox};
use tuckbox_table::limits::{ENTRY_BYTES, KEPT_BYTES, KEPT_ENTRIES};
use tuckbox_table::log::Entry;
use tuckbox_table::model::Table;
use tuckbox_table::session::Snapshot;

pub use history::History;
pub use replays::ReplayPart;

/// The reserved database's id.
pub(super) const DATABASE: &str = "__tables__";
/// Most entries in one chunk of the log.
pub const CHUNK_ENTRIES: usize = 64;
/// Most bytes of a chunk; one entry always fits, and both fit a document.
const CHUNK_BYTES: usize = ENTRY_BYTES + 64 * 1024;
/// The size of a part of a box or state, in bytes.
const PART_BYTES: usize = 900 << 10;
/// Chunks read per page: each may be nearly 1 MiB.
const PAGE: u32 = 32;

/// The logs of a project's tables.
#[derive(Debug, Clone)]
pub struct TableStore {
    database: Database,
}

/// A reason for which a log was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// Another session went on from the same entry: this one is not the table's any longer.
    Moved,
    /// The store refused or failed. The entries may be stored all the same.
    Store(Error),
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => f.write_str("The table goes on in another place."),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unwritten {}

impl From<Error> for Unwritten {
    fn from(error: Error) -> Self {
        if error.code() == Code::AlreadyExists { Self::Moved } else { Self::Store(error) }
    }
}

/// The last chunks of a log, as many as a session keeps or replays.
struct Tail {
    /// Entries of each chunk, and their bytes, not counting what holds them together.
    entries: VecDeque<(Vec<Entry>, usize)>,
    bytes: usize,
    /// The entry of the state: later ones are replayed.
    replayed: u64,
}

impl Tail {
    fn add(&mut self, entries: Vec<Entry>, bytes: usize) {
        let bytes = bytes.saturating_sub(entries.len() + 1);
        self.entries.push_back((entries, bytes));
        self.bytes += bytes;
        while let Some((first, bytes)) = self.entries.front() {
            let is_replayed = first.last().is_some_and(|entry| entry.n > self.replayed);
            if is_replayed || self.bytes - bytes < KEPT_BYTES {
                break;
            }
            self.bytes -= bytes;
            self.entries.pop_front();
        }
    }
}

impl TableStore {
    /// The store of a project's tables.
    pub fn new(store: &Store, project: &str) -> Self {
        Self { database: store.database(&DatabaseId::new(project, DATABASE)) }
    }

    /// The database, and a table's document in it, below which everything of it is stored.
    ///
    /// # Errors
    /// `InvalidArgument` for a text that is no id.
    pub fn place_of(&self, id: &str) -> docstore::Result<(Database, DocPath)> {
        Ok((self.database.clone(), head_path(id)?))
    }

    /// Stores a new table: its box, seed and first state. The seed is secret until the game has ended.
    ///
    /// # Errors
    /// [`Unwritten::Moved`] if there is a table of this id.
    pub async fn create(
        &self,
        id: &str,
        table: Table,
        game_box: Arc<GameBox>,
        seed: [u8; 32],
        at: Timestamp,
    ) -> Result<Session, Unwritten> {
        let session = Session::new(table, game_box, seed);
        let parts = split(session.game_box().as_ref())?;
        let head = |is_ready| {
            let fields = [
                ("seed", Value::Bytes(Bytes::copy_from_slice(&seed))),
                ("at", Value::Timestamp(at)),
                ("parts", count(parts.len())),
                ("ready", Value::Boolean(is_ready)),
            ];
            Ok::<_, Error>(Write::set(
                head_path(id)?,
                fields.map(|(name, value)| (name.to_owned(), value)).into(),
            ))
        };
        // The head takes the id first, and counts once everything below it is stored.
        let taken = Write { precondition: Precondition::Exists(false), ..head(false)? };
        let mut writes = vec![taken];
        for (nth, part) in parts.iter().enumerate() {
            writes.push(Write::set(self.path(id, "box", &format!("{nth:04}"))?, bytes(part.clone())));
        }
        writes.extend(self.shot(id, &session.snapshot())?);
        writes.push(head(true)?);
        for write in writes {
            self.database.commit(Draft::of(vec![write])).await?;
        }
        Ok(session)
    }

    /// Stores entries that follow each other; they are durable on return. After any error the caller drops its session
    /// and loads it again, since a failed write may be stored.
    ///
    /// # Errors
    /// [`Unwritten::Moved`] if another session stored an entry of this number.
    pub async fn append(&self, id: &str, entries: &[Entry]) -> Result<(), Unwritten> {
        self.append_with(id, entries, &[]).await
    }

    /// Stores entries with the changes of the box that some of them take, each with its number.
    ///
    /// # Errors
    /// As [`TableStore::append`].
    pub async fn append_with(
        &self,
        id: &str,
        entries: &[Entry],
        updates: &[(u32, BoxChange)],
    ) -> Result<(), Unwritten> {
        let mut rest = entries;
        // Together with the first entries: a session that is not the table's any longer stores none of them.
        let mut more = Vec::new();
        for (no, update) in updates {
            let parts = split(update)?;
            for (nth, part) in parts.iter().enumerate() {
                let mut fields = bytes(part.clone());
                fields.insert("parts".to_owned(), count(parts.len()));
                more.push(Write::set(self.path(id, "updates", &part_id(u64::from(*no), nth))?, fields));
            }
        }
        while let Some(first) = rest.first() {
            let mut list = Vec::from(b"[");
            let mut taken = 0;
            for entry in rest.iter().take(CHUNK_ENTRIES) {
                let entry = json(entry)?;
                if taken > 0 && list.len() + entry.len() > CHUNK_BYTES {
                    break;
                }
                if taken > 0 {
                    list.push(b',');
                }
                list.extend_from_slice(&entry);
                taken += 1;
            }
            list.push(b']');
            let mut write = Write::set(self.path(id, "log", &number(first.n))?, bytes(list.into()));
            write.precondition = Precondition::Exists(false);
            let writes = [write].into_iter().chain(std::mem::take(&mut more)).collect();
            self.database.commit(Draft::of(writes)).await?;
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// Stores a state, so that a later load replays less. Of older ones two are kept: the first, which the verifier starts
    /// from, and the last, which another server may be reading.
    ///
    /// # Errors
    /// The store refuses.
    pub async fn save(&self, id: &str, snapshot: &Snapshot) -> Result<(), Unwritten> {
        for write in self.shot(id, snapshot)? {
            self.database.commit(Draft::of(vec![write])).await?;
        }
        let shots = self.list(id, "shots", None, Direction::Descending, PAGE).await?;
        for old in shots.iter().take(shots.len().saturating_sub(1)).skip(2) {
            // The head goes first: nobody reads parts without it.
            let mut paths = vec![old.path.clone()];
            for nth in 0..parts(old) {
                paths.push(self.path(id, "parts", &format!("{}-{nth:04}", old.path.id()))?);
            }
            for path in paths {
                self.database.commit(Draft::of(vec![Write::delete(path)])).await?;
            }
        }
        Ok(())
    }

    /// The session of a table; `None` if there is no such table.
    ///
    /// # Errors
    /// The store cannot be read, or what it holds is damaged.
    pub async fn load(&self, id: &str) -> docstore::Result<Option<Session>> {
        let Some(head) = self.get(vec![head_path(id)?]).await?.pop().flatten() else { return Ok(None) };
        if head.fields.get("ready") != Some(&Value::Boolean(true)) {
            return Ok(None);
        }
        let Some(Value::Bytes(seed)) = head.fields.get("seed") else { return Err(damaged(id)) };
        let seed = <[u8; 32]>::try_from(&seed[..]).map_err(|_| damaged(id))?;
        let paths = (0..parts(&head)).map(|nth| self.path(id, "box", &format!("{nth:04}")));
        let game_box: GameBox = self.joined(id, paths.collect::<docstore::Result<_>>()?).await?;
        let shots = self.list(id, "shots", None, Direction::Descending, 1).await?;
        let shot = shots.first().ok_or_else(|| damaged(id))?;
        let n: u64 = shot.path.id().parse().map_err(|_| damaged(id))?;
        let paths = (0..parts(shot)).map(|nth| self.path(id, "parts", &part_id(n, nth)));
        let snapshot: Snapshot = self.joined(id, paths.collect::<docstore::Result<_>>()?).await?;
        // Entries before the state serve undo. The first of them may be in a chunk that begins earlier.
        let mut after = Some(n.saturating_sub((KEPT_ENTRIES + CHUNK_ENTRIES) as u64));
        let mut tail = Tail { entries: VecDeque::new(), bytes: 0, replayed: n };
        while let Some(from) = after.take() {
            let start = Some(self.path(id, "log", &number(from))?);
            let page = self.list(id, "log", start, Direction::Ascending, PAGE).await?;
            for chunk in &page {
                let Some(Value::Bytes(list)) = chunk.fields.get("bytes") else { return Err(damaged(id)) };
                tail.add(serde_json::from_slice(list).map_err(|_| damaged(id))?, list.len());
                after = chunk.path.id().parse().ok();
            }
        }
        let entries = tail.entries.into_iter().flat_map(|(entries, _)| entries);
        let session =
            Session::resume(snapshot, Arc::new(game_box), seed, entries).map_err(|_| damaged(id))?;
        let updates = self.updates(id, session.table().revision.no).await?;
        if updates.is_empty() {
            return Ok(Some(session));
        }
        let mut game_box = GameBox::clone(session.game_box());
        for update in updates {
            game_box = game_box.changed(&update).map_err(|_| damaged(id))?;
        }
        Ok(Some(session.with_box(Arc::new(game_box))))
    }

    /// The writes of a state: its parts, and last the head that makes them count.
    fn shot(&self, id: &str, snapshot: &Snapshot) -> docstore::Result<Vec<Write>> {
        let n = snapshot.table.n;
        let parts = split(snapshot)?;
        let head = Fields::from([("parts".to_owned(), count(parts.len()))]);
        let mut writes = Vec::new();
        for (nth, part) in parts.into_iter().enumerate() {
            writes.push(Write::set(self.path(id, "parts", &part_id(n, nth))?, bytes(part)));
        }
        writes.push(Write::set(self.path(id, "shots", &number(n))?, head));
        Ok(writes)
    }

    fn path(&self, id: &str, collection: &str, document: &str) -> docstore::Result<DocPath> {
        CollectionPath::parse(&format!("{}/{collection}", head_path(id)?))?.doc(document)
    }

    async fn get(&self, paths: Vec<DocPath>) -> docstore::Result<Vec<Option<Document>>> {
        Ok(self.database.get(&paths, None).await?.value)
    }

    async fn joined<T: DeserializeOwned>(&self, id: &str, paths: Vec<DocPath>) -> docstore::Result<T> {
        let mut all = Vec::new();
        for part in self.get(paths).await? {
            match part.as_ref().and_then(|part| part.fields.get("bytes")) {
                Some(Value::Bytes(part)) => all.extend_from_slice(part),
                _ => return Err(damaged(id)),
            }
        }
        serde_json::from_slice(&all).map_err(|_| damaged(id))
    }

    /// Documents of a table's collection in name order, starting after `after`.
    async fn list(
        &self,
        id: &str,
        collection: &str,
        after: Option<DocPath>,
        direction: Direction,
        limit: u32,
    ) -> docstore::Result<Vec<Document>> {
        let source = Source { collection: Some(collection.to_owned()), all_descendants: false };
        let query = Query {
            order_by: vec![Order { field: FieldPath::document_name(), direction }],
            start: after.map(|path| Cursor::after_name(self.database.id(), path)),
            limit: Some(limit),
            ..Query::all(Some(head_path(id)?), source)
        };
        Ok(self.database.run(&query, None).await?.documents)
    }
}

fn head_path(id: &str) -> docstore::Result<DocPath> {
    CollectionPath::parse("tables")?.doc(id)
}

fn number(n: u64) -> String {
    format!("{n:012}")
}

fn part_id(n: u64, nth: usize) -> String {
    format!("{n:012}-{nth:04}")
}

fn bytes(bytes: Bytes) -> Fields {
    Fields::from([("bytes".to_owned(), Value::Bytes(bytes))])
}

fn count(parts: usize) -> Value {
    Value::Integer(i64::try_from(parts).unwrap_or(i64::MAX))
}

fn parts(document: &Document) -> usize {
    match document.fields.get("parts") {
        Some(Value::Integer(parts)) => usize::try_from(*parts).unwrap_or_default(),
        _ => 0,
    }
}

fn json<T: Serialize>(value: &T) -> docstore::Result<Vec<u8>> {
    // The error would quote the value.
    serde_json::to_vec(value)
        .map_err(|_| Error::new(Code::Internal, "TableUnwritable", "a table cannot be written as JSON"))
}

fn split<T: Serialize>(value: &T) -> docstore::Result<Vec<Bytes>> {
    let all = Bytes::from(json(value)?);
    Ok((0..all.len()).step_by(PART_BYTES).map(|at| all.slice(at..all.len().min(at + PART_BYTES))).collect())
}

fn damaged(id: &str) -> Error {
    Error::new(Code::DataLoss, "TableDamaged", format!("the stored table {id} is damaged or incomplete"))
}

#[cfg(test)]
mod tests;
