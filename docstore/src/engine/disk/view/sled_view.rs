//! The materialised view in sled.
//!
//! sled's weaknesses are worked around here: its flush is no `fsync`, its pages over 128 KiB go to files that it never
//! syncs, and garbage of replaced pages piles up in memory faster than it is freed. So values are cut into small
//! chunks, keys are escaped and inserted one by one in order, and a sync is an `fsync` of every file. Where a damaged
//! page makes sled panic, the read fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sled::{IVec, Tree};

use super::key_escape::escape;
use super::state::ViewState;
use super::{READ_FAILED, TORN, View, failed, unreadable};
use crate::encoding::key::{Key, KeyRange};
use crate::engine::disk::files::RealFiles;
use crate::engine::disk::space::Space;
use crate::engine::map::VersionMap;
use crate::engine::versions::{Superseded, Version, Versions, page, replaced, split, superseded, versioned};
use crate::engine::{Page, Put, Scan, ScanDirection, Stored, replaced_keys};
use crate::model::Ts;
use crate::{Code, Error, Result};

mod files;
mod reads;

pub(crate) use self::files::CompactOnClose;
use self::files::{open_released, remove_partial_snapshots, sync_all};
use self::reads::{Rows, SledVersion, guarded, written};

/// Largest value stored whole, in bytes; larger ones are cut into chunks of this size.
const CHUNK_BYTES: usize = 4_000;

/// Bytes of memory per byte of sled's cache, which counts pages at their size on disk. Measured with small documents
/// and their index entries.
const RESIDENT_FACTOR: u64 = 3;
/// Operations whose garbage one epoch advance frees.
const CLEARED_AT_ONCE: usize = 100;
/// Size of the segments sled writes, in bytes; it waits for the disk after each.
const SEGMENT_BYTES: usize = 2 << 20;
/// Trees of this layout; a view with others is rebuilt.
const TREES: [&[u8]; 4] = [b"__sled__default", KEYS, b"chunks", b"state"];
/// Tree of versioned keys, escaped; the earlier tree `keys` held them unescaped.
const KEYS: &[u8] = b"keys2";
/// The only key of the tree `state`.
const STATE: &[u8] = b"state";

/// First byte of a stored value.
const TOMBSTONE: u8 = 0;
const WHOLE: u8 = 1;
const CHUNKED: u8 = 2;

/// Versioned keys in a sled database.
#[derive(Debug)]
pub(crate) struct SledView {
    folder: PathBuf,
    db: sled::Db,
    keys: Tree,
    /// Chunks of large values, by physical key and number (u16, big endian).
    chunks: Tree,
    /// State of the view.
    state: Tree,
    /// Bytes inserted since the start.
    written: Arc<AtomicU64>,
    /// Free space of its disk: a write that fails for lack of it would end this database.
    space: Option<Space<RealFiles>>,
}

impl SledView {
    /// The guard that must be dropped after the view and all its clones.
    pub(crate) fn compact_on_close(folder: &Path, written: Arc<AtomicU64>) -> CompactOnClose {
        CompactOnClose { folder: folder.to_owned(), written }
    }

    /// Adds the bytes written to a shared counter.
    pub(crate) fn counted(self, written: Arc<AtomicU64>) -> Self {
        Self { written, ..self }
    }

    /// Makes changes fail while there is too little of `space`, if it is known.
    pub(crate) fn within(self, space: Option<Space<RealFiles>>) -> Self {
        Self { space, ..self }
    }

    /// Checks that there is room for a change.
    fn room(&self) -> Result<()> {
        self.space.as_ref().map_or(Ok(()), Space::for_view)
    }

    /// Opens the existing view in `folder`; creates none.
    ///
    /// # Errors
    /// `Unavailable` (`ViewOpen`): it is missing or damaged and must be rebuilt.
    pub(crate) fn open_existing(folder: &Path, cache: u64) -> Result<Self> {
        // sled would create missing files and treat the empty database as good.
        for file in ["conf", "db"] {
            if !folder.join(file).is_file() {
                return Err(failed("ViewOpen", &format!("{file} is missing")));
            }
        }
        let view = Self::open(folder, cache)?;
        if view.db.was_recovered() { Ok(view) } else { Err(failed("ViewOpen", &"it was empty")) }
    }

    /// Opens the view in `folder`, creating it if there is none. `cache` is in bytes of memory.
    ///
    /// # Errors
    /// `Unavailable` (`ViewOpen`): the folder is damaged, and the view must be rebuilt.
    pub(crate) fn open(folder: &Path, cache: u64) -> Result<Self> {
        remove_partial_snapshots(folder).map_err(|error| failed("ViewOpen", &error))?;
        let config = sled::Config::new()
            .path(folder)
            .cache_capacity(cache / RESIDENT_FACTOR)
            .segment_size(SEGMENT_BYTES)
            .flush_every_ms(None);
        // A damaged database makes sled panic as often as return an error.
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let db = open_released(&config)?;
            if db.tree_names().iter().any(|name| !TREES.contains(&name.as_ref())) {
                return Err(sled::Error::Unsupported("it is of another layout".to_owned()));
            }
            let (keys, chunks, state) =
                (db.open_tree(KEYS)?, db.open_tree("chunks")?, db.open_tree("state")?);
            Ok::<_, sled::Error>(Self {
                folder: folder.to_owned(),
                db,
                keys,
                chunks,
                state,
                written: Arc::default(),
                space: None,
            })
        }));
        match opened {
            Ok(result) => result.map_err(|error| failed("ViewOpen", &error)),
            Err(_) => Err(failed("ViewOpen", &"sled panicked")),
        }
    }

    /// The versions from `start` on, in key order.
    fn rows_from(&self, start: &[u8]) -> Rows {
        Rows(Some(self.keys.range(escape(start)..)))
    }

    /// The versions from `start` (inclusive) to `end` (exclusive), in key order.
    fn range(&self, start: &[u8], end: &[u8]) -> Rows {
        Rows(Some(self.keys.range(escape(start)..escape(end))))
    }

    fn version(&self, found: Result<(IVec, IVec)>) -> Result<SledVersion<'_>> {
        let (key, stored) = found?;
        Ok(SledVersion { view: self, key, stored })
    }

    /// The value behind a stored one; `None` for a tombstone.
    fn value(&self, physical: &[u8], stored: &[u8]) -> Result<Option<Stored>> {
        match stored.split_first() {
            Some((&WHOLE, value)) => Ok(Some(value.into())),
            Some((&CHUNKED, count)) => {
                let count = <[u8; 2]>::try_from(count).map_err(|_| torn())?;
                let mut value = Vec::with_capacity(usize::from(u16::from_be_bytes(count)) * CHUNK_BYTES);
                for number in 0..u16::from_be_bytes(count) {
                    let chunk = guarded(|| self.chunks.get(chunk_key(physical, number)))?;
                    value.extend_from_slice(&chunk.ok_or_else(torn)?);
                }
                Ok(Some(value.into()))
            }
            _ => Ok(None),
        }
    }

    /// Removes versions. The chunks of a large value go before its key, so that after a crash the rest is still found
    /// by the key.
    fn remove(&self, dead: &[(IVec, IVec)]) -> Result<()> {
        for (physical, stored) in dead {
            if let Some((&CHUNKED, count)) = stored.split_first()
                && let Ok(count) = <[u8; 2]>::try_from(count)
            {
                for number in 0..u16::from_be_bytes(count) {
                    written(|| self.chunks.remove(chunk_key(physical, number)))?;
                }
            }
            written(|| self.keys.remove(escape(physical)))?;
        }
        clear_away(dead.len());
        Ok(())
    }

    /// Removes a large version partially, as a crash during the removal would.
    #[cfg(test)]
    pub(in crate::engine::disk) fn remove_half(&self, key: &[u8], at: Ts) {
        self.chunks.remove(chunk_key(&versioned(key, at), 0)).unwrap().unwrap();
    }

    /// Stores a large value's chunks and returns the reference stored under its key.
    fn insert_chunks(&self, physical: &[u8], value: &[u8]) -> Result<Vec<u8>> {
        let chunks = value.chunks(CHUNK_BYTES);
        let count = u16::try_from(chunks.len()).map_err(|_| {
            Error::new(Code::ResourceExhausted, "ValueTooLarge", "a stored value may not pass 250 MiB")
        })?;
        for (number, chunk) in (0..count).zip(chunks) {
            written(|| self.chunks.insert(chunk_key(physical, number), chunk))?;
        }
        let [high, low] = count.to_be_bytes();
        Ok(vec![CHUNKED, high, low])
    }
}

impl View for SledView {
    fn insert(&self, versions: &VersionMap) -> Result<()> {
        self.room()?;
        // Neighbours share a page: in key order it is fetched and freed once.
        versions.read(|versions| {
            for (index, (physical, value)) in versions.iter().enumerate() {
                let stored = match value {
                    None => vec![TOMBSTONE],
                    Some(value) if value.len() > CHUNK_BYTES => self.insert_chunks(physical, value)?,
                    Some(value) => [&[WHOLE], value.as_ref()].concat(),
                };
                let size = physical.len() + value.as_ref().map_or(0, |value| value.len());
                self.written.fetch_add(size as u64, Ordering::Relaxed);
                written(|| self.keys.insert(escape(physical), stored.as_slice()))?;
                if index % CLEARED_AT_ONCE == 0 {
                    clear_away(0);
                }
            }
            Ok(())
        })
    }

    fn record(&self, state: ViewState) -> Result<()> {
        written(|| self.state.insert(STATE, &state.to_bytes()))?;
        Ok(())
    }

    fn state(&self) -> Result<Option<ViewState>> {
        let found = guarded(|| self.state.get(STATE))?;
        Ok(found.and_then(|bytes| ViewState::from_bytes(&bytes)))
    }

    fn versions(&self, range: &KeyRange, direction: ScanDirection) -> Versions<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let range = self.range(&range.start, &range.end);
        let version = |found| self.version(found).map(|version| Box::new(version) as Box<dyn Version>);
        match direction {
            ScanDirection::Forward => Box::new(range.map(version)),
            ScanDirection::Backward => Box::new(range.rev().map(version)),
        }
    }

    fn get(&self, key: &[u8], at: Ts) -> Result<Option<Stored>> {
        let Some(found) = self.rows_from(&versioned(key, at)).next() else { return Ok(None) };
        let (physical, stored) = found?;
        // The next physical key may belong to another logical one.
        match split(&physical) {
            Some((found, _)) if found == key => self.value(&physical, &stored),
            _ => Ok(None),
        }
    }

    fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        if scan.range.is_empty() {
            return Ok(Page { done: true, ..Page::default() });
        }
        let range = self.range(&scan.range.start, &scan.range.end);
        page(range.map(|found| self.version(found)), scan)
    }

    fn remove_replaced(&self, ts: Ts, puts: &[Put]) -> Result<usize> {
        self.room()?;
        let mut dead = Vec::new();
        for (key, gone) in replaced_keys(puts) {
            let (newest, oldest) = replaced(&key, ts, gone);
            for found in Rows(Some(self.keys.range(escape(&newest)..=escape(&oldest)))) {
                dead.push(found?);
            }
        }
        self.remove(&dead)?;
        Ok(dead.len())
    }

    fn remove_superseded(&self, from: &Key, before: Ts, slice: usize) -> Result<Superseded> {
        self.room()?;
        // The previous slice ended with this key.
        let versions = self.rows_from(from).skip_while(|found| {
            !from.is_empty() && found.as_ref().is_ok_and(|(physical, _)| physical.as_ref() == from.as_slice())
        });
        let versions = versions.map(|found| self.version(found));
        let found = superseded(versions, before, slice)?;
        let mut dead = Vec::with_capacity(found.dead.len());
        for physical in &found.dead {
            if let Some(stored) = guarded(|| self.keys.get(escape(physical)))? {
                dead.push((physical.as_slice().into(), stored));
            }
        }
        self.remove(&dead)?;
        Ok(found)
    }

    fn sync(&self) -> Result<bool> {
        self.room()?;
        self.db.flush().map_err(write_failed)?;
        sync_all(&self.folder).map_err(|error| failed("ViewSync", &error))?;
        Ok(true)
    }
}

/// Advances sled's epochs to free the garbage of `operations`: sled alone advances them too rarely under sustained
/// writes.
fn clear_away(operations: usize) {
    for _ in 0..=operations / CLEARED_AT_ONCE {
        crossbeam_epoch::pin().flush();
    }
}

fn chunk_key(physical: &[u8], number: u16) -> Vec<u8> {
    [physical, &number.to_be_bytes()].concat()
}

fn read_failed(error: sled::Error) -> Error {
    unreadable(READ_FAILED, error)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape map_err wants")]
fn write_failed(error: sled::Error) -> Error {
    failed("ViewWrite", &error)
}

fn torn() -> Error {
    Error::new(
        Code::DataLoss,
        TORN,
        "a large value is incomplete in the store's view: restart the server, which makes the view again",
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;

    use super::*;

    fn put(key: &[u8], value: Option<Vec<u8>>) -> Put {
        Put { key: key.to_vec(), value: value.map(Into::into) }
    }

    fn versions(ts: Ts, puts: &[Put]) -> VersionMap {
        let versions = VersionMap::default();
        versions.insert([(ts, puts)]);
        versions
    }

    #[test]
    fn a_failed_read_keeps_its_cause_from_callers() {
        let cause = || sled::Error::Io(io::Error::other("/data/sled/db: input/output error"));
        let error = read_failed(cause());
        let told = (error.code(), error.message());
        assert_eq!(told, (Code::Unavailable, "The stored data could not be read. Please try again later."));
        let source = std::error::Error::source(&error).unwrap();
        assert_eq!(source.to_string(), cause().to_string());
    }

    #[test]
    fn values_of_every_size_come_back_and_are_collected_whole() {
        let folder = tempfile::tempdir().unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        for (index, size) in [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 1 << 20].into_iter().enumerate() {
            let key = [1, u8::try_from(index).unwrap()];
            for ts in 1..=3 {
                let value = (0..size).map(|n| u8::try_from((n + ts) % 251).unwrap()).collect::<Vec<_>>();
                let ts = Ts::from_micros(ts as u64);
                view.insert(&versions(ts, &[put(&key, Some(value.clone()))])).unwrap();
                assert_eq!(view.get(&key, ts).unwrap().unwrap().as_ref(), value);
            }
        }
        let found = view.remove_superseded(&Key::new(), Ts::from_micros(3), 1_000).unwrap();
        assert_eq!(found.dead.len(), 10);
        let gone = (0..5).map(|n| put(&[1, n], None)).collect::<Vec<_>>();
        view.insert(&versions(Ts::from_micros(4), &gone)).unwrap();
        view.remove_superseded(&Key::new(), Ts::from_micros(9), 1_000).unwrap();
        assert_eq!((view.keys.len(), view.chunks.len()), (0, 0));
    }

    #[test]
    fn a_partial_snapshot_of_sled_does_not_stop_it() {
        let folder = tempfile::tempdir().unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        view.insert(&versions(Ts::from_micros(1), &[put(b"key", Some(b"value".to_vec()))])).unwrap();
        assert!(view.sync().unwrap());
        drop(view);
        fs::write(folder.path().join("snap.9999999999999999.generating"), b"half").unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        let range = KeyRange::prefix(b"k");
        let scan = Scan { direction: ScanDirection::Backward, limit: 9, ..Scan::all(&range, Ts::MAX) };
        let page = view.scan(&scan).unwrap();
        assert_eq!(page.entries, [(b"key".to_vec(), Stored::from(*b"value"))]);
    }

    /// Of a large value being collected, the chunks go before the key.
    #[test]
    fn a_version_on_its_way_out_disturbs_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        let large = |byte| vec![byte; CHUNK_BYTES * 3];
        for at in 1..=2u8 {
            let put = put(b"key", Some(large(at)));
            view.insert(&versions(Ts::from_micros(at.into()), &[put])).unwrap();
        }
        let old = versioned(b"key", Ts::from_micros(1));
        view.chunks.remove(chunk_key(&old, 1)).unwrap().unwrap();
        let range = KeyRange::prefix(b"k");
        for direction in [ScanDirection::Forward, ScanDirection::Backward] {
            let scan = |at| {
                let at = Ts::from_micros(at);
                view.scan(&Scan { direction, limit: 9, ..Scan::all(&range, at) })
            };
            assert_eq!(scan(2).unwrap().entries, [(b"key".to_vec(), Stored::from(large(2)))]);
            assert_eq!(scan(1).unwrap_err().tag(), "ViewTorn");
        }
    }

    #[test]
    fn a_view_of_another_layout_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(SledView::open(folder.path(), 1 << 24).unwrap());
        SledView::open(folder.path(), 1 << 24).unwrap().db.open_tree("blocks").unwrap();
        let error = SledView::open(folder.path(), 1 << 24).unwrap_err();
        assert_eq!(error.tag(), "ViewOpen");
        assert!(error.message().contains("another layout"), "{error}");
    }
}
