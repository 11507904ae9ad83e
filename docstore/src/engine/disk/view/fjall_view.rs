//! The materialised view in fjall, a log-structured merge tree.
//!
//! fjall checks the checksum of every block it reads and gives up the room of removed rows when it compacts. Its own
//! journal is not what makes the view durable: a checkpoint moves rows into tables, and what came after it is in the
//! store's log. One thread of fjall works in the background; this module waits for it with a look at its health, because
//! fjall itself would wait without end for a thread that has died.
//!
//! After a failed write fjall takes no further one until it is opened again, which happens here at the next write.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use fjall::config::{CompressionPolicy, FilterPolicy, PartitioningPolicy};
use fjall::{
    AbstractTree as _, CompressionType, Database, Keyspace, KeyspaceCreateOptions, LsmError, PersistMode,
    UserKey, UserValue,
};
use parking_lot::{RwLock, RwLockReadGuard};

use super::state::ViewState;
use super::{READ_FAILED, View, failed, unreadable};
use crate::encoding::key::{Key, KeyRange};
use crate::engine::disk::files::RealFiles;
use crate::engine::disk::space::{Shortage, Space};
use crate::engine::map::VersionMap;
use crate::engine::versions::{Superseded, Version, Versions, page, replaced, superseded, versioned};
use crate::engine::{Page, Put, Scan, ScanDirection, Stored, replaced_keys};
use crate::model::Ts;
use crate::{Code, Error, Result};

mod contents_check;
mod reads;

use self::reads::{FjallVersion, Rows};

/// The only keyspace, named for the layout of its rows; a view with another one is rebuilt.
const KEYSPACE: &str = "rows2";
/// Key of the view's state; behind every row, so that it is never written before the rows it speaks of.
const STATE: [u8; 17] = [0xff; 17];

/// Bytes of keys and values written at a time.
const BATCH_BYTES: usize = 1 << 20;
/// Size at which fjall's memtable is written into a table, in bytes.
const MEMTABLE_BYTES: u64 = 16 << 20;
/// Size from which a checkpoint writes the memtable into a table, in bytes. Smaller ones stay in the journal, so that a
/// store with few commits does not rewrite its tables for each of them.
const FLUSHED_AT_CHECKPOINT: u64 = 4 << 20;
/// Memtables that may wait for fjall's thread. From four on fjall itself makes writers wait.
const WAITING_MEMTABLES: usize = 2;
/// Tables on the first level that may wait to be compacted. From twenty on fjall itself makes writers wait.
const WAITING_TABLES: usize = 12;
/// Pause before another look at fjall's thread.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// Files that fjall keeps open: half of the handles that are reserved beside connections.
const OPEN_FILES: usize = 128;

/// Times that fjall is opened again after a failure in its thread although the disk has room. A damaged table, which
/// compaction cannot read, fails every time.
const REOPENINGS: u32 = 3;
/// Room with which every compaction succeeds, in bytes: it rewrites a few tables of 64 MiB at a time.
const COMPACTION_ROOM: u64 = 1 << 30;

/// First byte of a stored value.
const TOMBSTONE: u8 = 0;
const LIVE: u8 = 1;

/// Versioned keys in a fjall database.
pub(crate) struct FjallView {
    folder: PathBuf,
    cache: u64,
    /// `None` while an attempt to open it again has failed.
    opened: RwLock<Option<Opened>>,
    /// Times it was opened again since the last failure that a full disk explains.
    reopened: AtomicU32,
    /// Free space of its disk.
    space: Option<Space<RealFiles>>,
}

impl std::fmt::Debug for FjallView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FjallView").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// An open database and its only keyspace.
struct Opened {
    rows: Keyspace,
    db: Database,
}

impl Opened {
    /// Opens the database in `folder`. The keyspace is created if `fresh`, and must exist otherwise.
    fn new(folder: &Path, cache: u64, fresh: bool) -> fjall::Result<Self> {
        // With more threads than one fjall has lost rows: https://github.com/fjall-rs/fjall/issues/230
        let db = Database::builder(folder)
            .cache_size(cache)
            .max_cached_files(Some(OPEN_FILES))
            .worker_threads(1)
            .open()?;
        let names = db.list_keyspace_names();
        if !fresh && names.iter().map(AsRef::<str>::as_ref).ne([KEYSPACE]) {
            return Err(fjall::Error::Unrecoverable);
        }
        let options = || {
            KeyspaceCreateOptions::default()
                .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
                // Keys of index entries hold values of up to 1,500 bytes, so a table's index is up to a megabyte: in one
                // block it would be read again for nearly every lookup that the cache misses.
                .index_block_partitioning_policy(PartitioningPolicy::all(true))
                // Every read is of a range, which filters do not help.
                .filter_policy(FilterPolicy::disabled())
        };
        let rows = db.keyspace(KEYSPACE, options)?;
        Ok(Self { rows, db })
    }

    /// Commits one batch of keys with their values; `None` removes a key.
    fn commit(&self, batch: &[(UserKey, Option<UserValue>)]) -> fjall::Result<()> {
        self.wait_while(|rows| {
            rows.tree.sealed_memtable_count() > WAITING_MEMTABLES || rows.l0_table_count() > WAITING_TABLES
        })?;
        let mut changes = self.db.batch();
        for (key, value) in batch {
            match value {
                Some(value) => changes.insert(&self.rows, key.clone(), value.clone()),
                None => changes.remove(&self.rows, key.clone()),
            }
        }
        changes.commit()?;
        if self.rows.tree.active_memtable().size() >= MEMTABLE_BYTES {
            self.rows.rotate_memtable()?;
        }
        Ok(())
    }

    /// Makes everything durable.
    fn sync(&self) -> fjall::Result<()> {
        // A second journal means that rows of the first are not all in tables yet.
        if self.rows.tree.active_memtable().size() >= FLUSHED_AT_CHECKPOINT || self.db.journal_count() > 1 {
            self.rows.rotate_memtable()?;
            self.wait_while(|rows| rows.tree.sealed_memtable_count() > 0)?;
        }
        self.db.persist(PersistMode::SyncAll)
    }

    /// Waits for fjall's thread.
    ///
    /// # Errors
    /// `Poisoned` when the thread has ended.
    #[expect(clippy::disallowed_methods, reason = "fjall tells nobody when its thread has got on")]
    fn wait_while(&self, busy: impl Fn(&Keyspace) -> bool) -> fjall::Result<()> {
        while busy(&self.rows) {
            self.db.persist(PersistMode::Buffer)?;
            std::thread::sleep(LOOK_AGAIN);
        }
        Ok(())
    }

    /// True if the database takes no write until it is opened again.
    fn poisoned(&self) -> bool {
        self.db.persist(PersistMode::Buffer).is_err()
    }
}

impl FjallView {
    /// Opens the existing view in `folder`; creates none.
    ///
    /// # Errors
    /// `Unavailable` (`ViewOpen`): it is missing or damaged and must be rebuilt.
    pub(crate) fn open_existing(folder: &Path, cache: u64) -> Result<Self> {
        check_files(folder)?;
        Self::open(folder, cache, false)
    }

    /// Creates an empty view in `folder`, which must not exist or be empty.
    ///
    /// # Errors
    /// `Unavailable` (`ViewOpen`): the folder cannot be written.
    pub(crate) fn create(folder: &Path, cache: u64) -> Result<Self> {
        crate::engine::disk::files::create_folder(folder).map_err(|error| failed("ViewOpen", &error))?;
        Self::open(folder, cache, true)
    }

    fn open(folder: &Path, cache: u64, fresh: bool) -> Result<Self> {
        let opened =
            guarded(|| Opened::new(folder, cache, fresh)).map_err(|error| failed("ViewOpen", &error))?;
        Ok(Self {
            folder: folder.to_owned(),
            cache,
            opened: RwLock::new(Some(opened)),
            reopened: AtomicU32::new(0),
            space: None,
        })
    }

    /// Makes changes fail while there is too little of `space`, if it is known.
    pub(crate) fn within(self, space: Option<Space<RealFiles>>) -> Self {
        Self { space, ..self }
    }

    /// Checks that there is room for a change.
    fn room(&self) -> Result<()> {
        self.space.as_ref().map_or(Ok(()), Space::for_view)
    }

    fn opened(&self) -> RwLockReadGuard<'_, Option<Opened>> {
        self.opened.read()
    }

    /// Runs a change. A database that takes none is opened again, once.
    fn write(&self, change: impl Fn(&Opened) -> fjall::Result<()>) -> Result<()> {
        let attempt = || match &*self.opened() {
            Some(opened) => guarded(|| change(opened)),
            None => Err(Failure::Fjall(fjall::Error::Poisoned)),
        };
        match attempt() {
            Err(Failure::Fjall(fjall::Error::Poisoned)) => {
                self.reopen()?;
                attempt().map_err(write_failed)
            }
            changed => changed.map_err(write_failed),
        }
    }

    /// Opens a database again that takes no writes any more.
    fn reopen(&self) -> Result<()> {
        self.room()?;
        let mut opened = self.opened.write();
        // Another writer may have done it.
        if opened.as_ref().is_some_and(|opened| !opened.poisoned()) {
            return Ok(());
        }
        let free = self.space.as_ref().and_then(Space::free);
        if free.is_some_and(|free| free < COMPACTION_ROOM) {
            self.reopened.store(0, Ordering::Relaxed);
        } else if self.reopened.fetch_add(1, Ordering::Relaxed) >= REOPENINGS {
            return Err(read_failed(Failure::Fjall(fjall::Error::Poisoned)));
        }
        tracing::warn!("a write into the store's view had failed: the view is opened again");
        // Its lock must be free first.
        *opened = None;
        *opened = Some(guarded(|| Opened::new(&self.folder, self.cache, false)).map_err(write_failed)?);
        Ok(())
    }

    /// The versions from `start` (inclusive) to `end` (exclusive).
    fn rows(&self, start: &[u8], end: &[u8]) -> Rows<'_> {
        // The state lies behind every row.
        let end = end.min(STATE.as_slice());
        Rows::new(self.opened(), |opened| opened.rows.range(start..end), start >= end)
    }

    /// Removes rows.
    fn remove(&self, dead: &[UserKey]) -> Result<()> {
        let removed: Vec<_> = dead.iter().map(|key| (key.clone(), None)).collect();
        for batch in removed.chunks(BATCH_KEYS) {
            self.write(|opened| opened.commit(batch))?;
        }
        Ok(())
    }

    /// Writes everything into tables.
    #[cfg(test)]
    pub(in crate::engine::disk) fn flush(&self) {
        let opened = self.opened();
        opened.as_ref().unwrap().rows.rotate_memtable_and_wait().unwrap();
    }

    /// Number of rows.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.rows(&[], &STATE).count()
    }
}

/// Keys removed at a time.
const BATCH_KEYS: usize = 4_000;

/// The first key after `key`.
fn after(key: &[u8]) -> Key {
    [key, &[0]].concat()
}

impl View for FjallView {
    fn insert(&self, versions: &VersionMap) -> Result<()> {
        self.room()?;
        versions.read(|versions| {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            for (physical, value) in versions {
                let stored = match value {
                    None => vec![TOMBSTONE],
                    Some(value) => [&[LIVE], value.as_ref()].concat(),
                };
                bytes += physical.len() + stored.len();
                batch.push((UserKey::from(&**physical), Some(UserValue::from(stored))));
                if bytes >= BATCH_BYTES {
                    self.write(|opened| opened.commit(&batch))?;
                    batch.clear();
                    bytes = 0;
                }
            }
            self.write(|opened| opened.commit(&batch))
        })
    }

    fn record(&self, state: ViewState) -> Result<()> {
        let state = [(UserKey::from(STATE), Some(UserValue::from(state.to_bytes())))];
        self.write(|opened| opened.commit(&state))
    }

    fn state(&self) -> Result<Option<ViewState>> {
        let opened = self.opened();
        let opened = opened.as_ref().ok_or_else(closed)?;
        let found = guarded(|| opened.rows.get(STATE)).map_err(read_failed)?;
        Ok(found.and_then(|bytes| ViewState::from_bytes(&bytes)))
    }

    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let rows = self.rows(&range.start, &range.end);
        let version =
            |found: Result<FjallVersion>| found.map(|version| Box::new(version) as Box<dyn Version>);
        match direction {
            ScanDirection::Forward => Box::new(rows.map(version)),
            ScanDirection::Backward => Box::new(rows.rev().map(version)),
        }
    }

    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        // The oldest version of a key ends the range: behind it may lie any number of removed rows.
        let found = self.rows(&versioned(key, at), &after(&versioned(key, Ts::ZERO))).next();
        match found.transpose()? {
            Some(version) if version.live() => version.value().map(Some),
            _ => Ok(None),
        }
    }

    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        if scan.range.is_empty() {
            return Ok(Page { done: true, ..Page::default() });
        }
        page(self.rows(&scan.range.start, &scan.range.end), scan)
    }

    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize> {
        self.room()?;
        let mut dead = Vec::new();
        for (key, gone) in replaced_keys(puts) {
            let (newest, oldest) = replaced(&key, ts, gone);
            for found in self.rows(&newest, &after(&oldest)) {
                dead.push(found?.into_key());
            }
        }
        self.remove(&dead)?;
        Ok(dead.len())
    }

    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        self.room()?;
        // The previous slice ended with this key.
        let start = if from.is_empty() { Key::new() } else { after(from) };
        let found = superseded(self.rows(&start, &STATE), before, slice)?;
        let dead: Vec<_> = found.dead.iter().map(|key| UserKey::from(key.as_slice())).collect();
        self.remove(&dead)?;
        Ok(found)
    }

    fn sync(&self) -> Result<bool> {
        self.room()?;
        self.write(Opened::sync)?;
        Ok(true)
    }
}

/// Checks that files are there that fjall would create, that none takes more memory to open than there is, and that
/// nothing lies in the folders of its keyspaces that makes fjall panic: it holds a lock then, which makes its clean-up
/// panic as well, and so ends the process.
fn check_files(folder: &Path) -> Result<()> {
    for file in ["version", "keyspaces/0/current"] {
        if !folder.join(file).is_file() {
            return Err(failed("ViewOpen", &format!("{file} is missing")));
        }
    }
    let keyspaces = folder.join("keyspaces");
    let refused = |error: std::io::Error| failed("ViewOpen", &error);
    if let Some(path) = find_stray(&keyspaces).map_err(refused)? {
        return Err(failed("ViewOpen", &format!("{} is not fjall's", path.display())));
    }
    match contents_check::find_impossible(&keyspaces).map_err(refused)? {
        Some(path) => Err(failed("ViewOpen", &format!("{} is damaged", path.display()))),
        None => Ok(()),
    }
}

/// A keyspace without a number, or a folder among the tables of one.
fn find_stray(keyspaces: &Path) -> std::io::Result<Option<PathBuf>> {
    for keyspace in fs::read_dir(keyspaces)? {
        let keyspace = keyspace?;
        if keyspace.file_name().to_str().is_none_or(|name| name.parse::<u64>().is_err()) {
            return Ok(Some(keyspace.path()));
        }
        let tables = keyspace.path().join("tables");
        if !tables.is_dir() {
            continue;
        }
        for table in fs::read_dir(tables)? {
            let table = table?.path();
            if table.is_dir() {
                return Ok(Some(table));
            }
        }
    }
    Ok(None)
}

/// Reason why fjall did not do something.
#[derive(Debug)]
enum Failure {
    Fjall(fjall::Error),
    Panic,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fjall(error) => error.fmt(f),
            Self::Panic => f.write_str("fjall panicked"),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// The system's error, if it is one.
    fn io(&self) -> Option<&std::io::Error> {
        match self {
            Self::Fjall(fjall::Error::Io(error) | fjall::Error::Storage(LsmError::Io(error))) => Some(error),
            _ => None,
        }
    }
}

/// Runs a call of fjall and catches its panics.
fn guarded<T>(call: impl FnOnce() -> fjall::Result<T>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(done) => done.map_err(Failure::Fjall),
        Err(_) => Err(Failure::Panic),
    }
}

/// Error of a write: the system's refusal, which may pass, or a sign of damage, which counts as a failed read.
fn write_failed(error: Failure) -> Error {
    match error {
        Failure::Fjall(fjall::Error::Poisoned | fjall::Error::Locked) => failed("ViewWrite", &error),
        _ if error.io().is_some() => failed("ViewWrite", &error),
        _ => read_failed(error),
    }
}

fn read_failed(error: Failure) -> Error {
    // Too few file handles say nothing about the data.
    let passing = error.io().is_some_and(|error| Shortage::of(error).is_some());
    let tag = if passing { "ViewUnavailable" } else { READ_FAILED };
    unreadable(tag, error)
}

/// Error of a read while the database could not be opened again.
fn closed() -> Error {
    let message = "The stored data cannot be read at the moment. Please try again later.";
    Error::new(Code::Unavailable, "ViewUnavailable", message)
}

#[cfg(test)]
mod tests;
