//! The picture in sled.
//!
//! sled is used for what it does well and trusted with nothing: its flush is no `fsync`, its pages over 128 KiB go to
//! files that it never syncs, and what a batch replaces piles up in memory faster than it is cleared away. A key of it
//! costs microseconds and, in memory, several times its size. So many versions make one value of it, a block (`blocks.rs`);
//! large values are cut into chunks, and a sync is an `fsync` of every file it has.
//!
//! A block's key is where it begins: every version lies in the last block that begins at or before it. When a block is
//! cut, its later parts are stored first, so that nothing is missing where a crash comes between; a reader who goes from
//! block to block may find some versions twice, and passes them over.

use std::fs::{self, File};
use std::io;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use sled::{IVec, Tree};

use super::super::map::VersionMap;
use super::super::versions::Versions;
use super::blocks::{BLOCK_BYTES, Cell, Entries, Packer, Torn};
use super::held;
use super::picture::Picture;
use crate::engine::{ScanDirection, Stored};
use crate::key::{Key, KeyRange};
use crate::{Code, Error, Result};

mod walk;

/// Largest value kept in a block, in bytes; larger ones are cut into chunks of this size.
const CHUNK_BYTES: usize = 4_000;

/// How much memory a byte of sled's cache takes: it counts pages as they lie on the disk. Measured with small documents
/// and their index entries.
const RESIDENT_FACTOR: u64 = 3;
/// How many operations' leavings one turn of the epochs clears away.
const CLEARED_AT_ONCE: usize = 100;
/// The size of the pieces in which sled writes its file, in bytes: it waits for the disk after each.
const SEGMENT_BYTES: usize = 2 << 20;
/// The tree of an older layout, with a key for every version.
const OLDER: &[u8] = b"keys";
/// Where the first block begins: before every key.
const FIRST: &[u8] = &[0];

/// Versioned keys in a sled database.
#[derive(Debug)]
pub(crate) struct SledPicture {
    folder: PathBuf,
    db: sled::Db,
    blocks: Tree,
    /// The pieces of large values: physical key and number (u16, big endian).
    chunks: Tree,
    /// Held by whoever changes blocks.
    writing: Mutex<()>,
    /// Held by readers while they look for a block, and to put several in the place of one.
    cutting: RwLock<()>,
    /// Bytes inserted since the start.
    written: Arc<AtomicU64>,
}

/// Has sled write a snapshot of its own once everything else has let go of it: it writes one only when it is opened, and
/// reads all that was written since at the next start.
#[derive(Debug)]
pub(crate) struct Tidy {
    folder: PathBuf,
    written: Arc<AtomicU64>,
}

/// How much must have been written, in bytes of values and keys, before that is worth it.
const WORTH_TIDYING: u64 = 64 << 20;

impl Drop for Tidy {
    fn drop(&mut self) {
        if self.written.load(Ordering::Relaxed) >= WORTH_TIDYING
            && let Err(error) = SledPicture::open(&self.folder, 3 << 20)
        {
            tracing::warn!(%error, "the store's picture could not be tidied; the next start makes it again");
        }
    }
}

impl SledPicture {
    /// What has to be dropped after the picture and everything that shares it.
    pub(crate) fn tidy(folder: &Path, written: Arc<AtomicU64>) -> Tidy {
        Tidy { folder: folder.to_owned(), written }
    }

    /// Counts what is written.
    pub(crate) fn counted(self, written: Arc<AtomicU64>) -> Self {
        Self { written, ..self }
    }

    /// Opens the picture in `folder`, creating it where there is none. `cache` is in bytes of memory.
    ///
    /// # Errors
    /// `Unavailable` (`PictureOpen`): the folder is damaged, and the picture must be made again.
    pub(crate) fn open(folder: &Path, cache: u64) -> Result<Self> {
        remove_partial_snapshots(folder).map_err(|error| failed("PictureOpen", &error))?;
        let config = sled::Config::new()
            .path(folder)
            .cache_capacity(cache / RESIDENT_FACTOR)
            .segment_size(SEGMENT_BYTES)
            .flush_every_ms(None);
        // A damaged database makes sled panic as often as fail.
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let db = config.open()?;
            if db.tree_names().iter().any(|name| name == OLDER) {
                return Err(sled::Error::Unsupported("it is of an older layout".to_owned()));
            }
            let (blocks, chunks) = (db.open_tree("blocks")?, db.open_tree("chunks")?);
            Ok::<_, sled::Error>(Self {
                folder: folder.to_owned(),
                db,
                blocks,
                chunks,
                writing: Mutex::default(),
                cutting: RwLock::default(),
                written: Arc::default(),
            })
        }));
        match opened {
            Ok(result) => result.map_err(|error| failed("PictureOpen", &error)),
            Err(_) => Err(failed("PictureOpen", &"sled panicked")),
        }
    }

    /// Stores a large value's chunks.
    fn insert_chunks(&self, physical: &[u8], value: &[u8]) -> Result<()> {
        let count = chunk_count(value).ok_or_else(|| {
            Error::new(Code::ResourceExhausted, "ValueTooLarge", "a stored value may not pass 250 MiB")
        })?;
        for (number, chunk) in (0..count).zip(value.chunks(CHUNK_BYTES)) {
            self.chunks.insert(chunk_key(physical, number), chunk).map_err(write_failed)?;
        }
        Ok(())
    }

    /// Puts versions in and takes versions out (`None`), in the order of their physical keys.
    fn change<'c>(&self, changes: impl Iterator<Item = (&'c [u8], Option<Cell<'c>>)>) -> Result<()> {
        let _alone = held(&self.writing);
        let mut changes = changes.peekable();
        let mut touched = 0;
        let mut of_block = Vec::new();
        let mut unused = Vec::new();
        while let Some((key, _)) = changes.peek() {
            let block = self.blocks.range(..=*key).next_back().transpose().map_err(read_failed)?;
            let (begin, block) = block.unwrap_or_else(|| (FIRST.into(), IVec::default()));
            let behind = (Bound::Excluded(begin.as_ref()), Bound::Unbounded);
            let next = self.blocks.range::<&[u8], _>(behind).next().transpose().map_err(read_failed)?;
            let belongs = |key: &[u8]| next.as_ref().is_none_or(|(next, _)| key < next.as_ref());
            of_block.clear();
            while let Some(change) = changes.next_if(|(key, _)| belongs(key)) {
                of_block.push(change);
            }
            self.rewrite(&begin, &block, &of_block, &mut unused)?;
            touched += 1;
            if touched % CLEARED_AT_ONCE == 0 {
                clear_away(CLEARED_AT_ONCE);
            }
        }
        for (physical, count) in unused {
            for number in 0..count {
                self.chunks.remove(chunk_key(&physical, number)).map_err(write_failed)?;
            }
        }
        clear_away(0);
        Ok(())
    }

    /// Makes of a block and the changes in it the blocks that take its place. Values whose chunks nobody has any more are
    /// added to `unused`.
    fn rewrite(
        &self,
        begin: &[u8],
        block: &[u8],
        changes: &[(&[u8], Option<Cell<'_>>)],
        unused: &mut Vec<(Key, u16)>,
    ) -> Result<()> {
        let mut packer = Packer::new(target(block, changes)?);
        let mut entries = Entries::new(block);
        let mut entry = entries.advance()?;
        for (key, change) in changes {
            while let Some(cell) = entry
                && entries.key() < *key
            {
                packer.push(entries.key(), cell);
                entry = entries.advance()?;
            }
            if let Some(cell) = entry
                && entries.key() == *key
            {
                if let (Cell::Chunked(count), None) = (cell, change) {
                    unused.push((key.to_vec(), count));
                }
                entry = entries.advance()?;
            }
            if let Some(cell) = change {
                packer.push(key, *cell);
            }
        }
        while let Some(cell) = entry {
            packer.push(entries.key(), cell);
            entry = entries.advance()?;
        }
        let mut blocks = packer.finish().into_iter();
        let Some((_, first)) = blocks.next() else {
            self.blocks.remove(begin).map_err(write_failed)?;
            return Ok(());
        };
        if blocks.len() == 0 {
            return self.store(begin, first);
        }
        let _cutting = self.cutting.write().unwrap_or_else(PoisonError::into_inner);
        for (begin, block) in blocks.rev() {
            self.store(&begin, block)?;
        }
        self.store(begin, first)
    }

    fn store(&self, begin: &[u8], block: Vec<u8>) -> Result<()> {
        self.written.fetch_add((begin.len() + block.len()) as u64, Ordering::Relaxed);
        self.blocks.insert(begin, block).map_err(write_failed)?;
        Ok(())
    }

    /// What a version has, with large values put together.
    fn value(&self, physical: &[u8], cell: Cell<'_>) -> Result<Option<Stored>> {
        match cell {
            Cell::Tombstone => Ok(None),
            Cell::Whole(value) => Ok(Some(value.into())),
            Cell::Chunked(count) => {
                let mut value = Vec::with_capacity(usize::from(count) * CHUNK_BYTES);
                for number in 0..count {
                    let chunk = self.chunks.get(chunk_key(physical, number)).map_err(read_failed)?;
                    value.extend_from_slice(&chunk.ok_or(Torn)?);
                }
                Ok(Some(value.into()))
            }
        }
    }
}

impl Picture for SledPicture {
    fn insert(&self, versions: &VersionMap) -> Result<()> {
        versions.read(|versions| {
            let large = |value: &Stored| value.len() > CHUNK_BYTES;
            for (physical, value) in versions {
                if let Some(value) = value.as_ref().filter(|value| large(value)) {
                    self.insert_chunks(physical, value)?;
                }
            }
            self.change(versions.iter().map(|(physical, value)| {
                let cell = match value {
                    None => Cell::Tombstone,
                    Some(value) if large(value) => Cell::Chunked(chunk_count(value).unwrap_or_default()),
                    Some(value) => Cell::Whole(value),
                };
                (&**physical, Some(cell))
            }))
        })
    }

    fn remove(&self, dead: &[Key]) -> Result<()> {
        self.change(dead.iter().map(|physical| (physical.as_slice(), None)))
    }

    fn versions(&self, range: &KeyRange, direction: ScanDirection, values: bool) -> Versions<'_> {
        self.walk(range, direction, values)
    }

    fn sync(&self) -> Result<bool> {
        self.db.flush().map_err(write_failed)?;
        sync_all(&self.folder).map_err(|error| failed("PictureSync", &error))?;
        Ok(true)
    }
}

/// How large the blocks are to be that take the place of one: full when it is written on at its end, otherwise with
/// room for what comes between.
fn target(block: &[u8], changes: &[(&[u8], Option<Cell<'_>>)]) -> Result<usize> {
    let added = changes.iter().filter_map(|(key, change)| Some(key.len() + change.as_ref()?.size()));
    let total = block.len() + added.sum::<usize>();
    if total <= BLOCK_BYTES {
        return Ok(BLOCK_BYTES);
    }
    let mut entries = Entries::new(block);
    while entries.advance()?.is_some() {}
    let appended = changes.first().is_some_and(|(first, _)| *first > entries.key());
    Ok(if appended { BLOCK_BYTES } else { total.div_ceil(total.div_ceil(BLOCK_BYTES)) })
}

/// How many chunks a value is cut into; `None` when it is too large.
fn chunk_count(value: &[u8]) -> Option<u16> {
    u16::try_from(value.len().div_ceil(CHUNK_BYTES)).ok()
}

/// Frees what `operations` have replaced: sled leaves that to the turns of its epochs, and takes fewer of them than
/// sustained writing fills.
fn clear_away(operations: usize) {
    for _ in 0..=operations / CLEARED_AT_ONCE {
        crossbeam_epoch::pin().flush();
    }
}

fn chunk_key(physical: &[u8], number: u16) -> Vec<u8> {
    [physical, &number.to_be_bytes()].concat()
}

/// Every file below `folder`, then the folders themselves.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(&entry.path())?;
            continue;
        }
        match File::open(entry.path()) {
            // sled removes files of its own while it runs.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => opened?.sync_all()?,
        }
    }
    File::open(folder)?.sync_all()
}

/// A half-written snapshot of sled's own sorts last and fails its checksum, and sled then refuses to open.
fn remove_partial_snapshots(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "generating") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn failed(tag: &'static str, cause: &dyn std::fmt::Display) -> Error {
    Error::new(Code::Unavailable, tag, format!("the store's picture of the log failed: {cause}"))
}

#[expect(clippy::needless_pass_by_value, reason = "the shape map_err wants")]
fn read_failed(error: sled::Error) -> Error {
    failed("PictureRead", &error)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape map_err wants")]
fn write_failed(error: sled::Error) -> Error {
    failed("PictureWrite", &error)
}

impl From<Torn> for Error {
    fn from(_: Torn) -> Self {
        Self::new(
            Code::DataLoss,
            "PictureTorn",
            "a block or a large value is damaged in the store's picture: move the sled folder away and restart, it is \
             made again",
        )
    }
}

#[cfg(test)]
mod tests;
