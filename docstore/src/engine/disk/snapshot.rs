//! Snapshots: all live keys at one time, so that older log can be removed.
//!
//! ```text
//! snap/<time>.snap   "TBXSNAP1", then blocks; each: entries (u32), bytes (u32), CRC-32C (u32), the entries
//!                    as keys and values in key order; a block of no entries ends the file
//! ```
//! A file is written under a temporary name, synced, then renamed, so that a file with the final name is complete.

use std::io::Read;

use super::files::{AppendFile, Files, join};
use super::record::{read_put, write_put};
use super::view::{Loading, View};
use crate::encoding::codec::Reader;
use crate::encoding::key::{KeyRange, successor};
use crate::engine::{Page, Put, Scan};
use crate::model::Ts;
use crate::{Code, Error, Result};

pub(super) const FOLDER: &str = "snap";
pub(super) const MAGIC: &[u8; 8] = b"TBXSNAP1";
/// Entries in a block.
const BLOCK_ENTRIES: usize = 1_000;
/// Bytes at which a block ends; the entry that reaches them is its last.
pub(super) const BLOCK_BYTES: usize = 4 << 20;
/// Largest block, in bytes; a greater length is damage.
const MAX_BLOCK: u32 = 1 << 30;

/// Times of the existing snapshots, newest first.
pub(super) fn list<F: Files>(files: &F) -> Result<Vec<Ts>> {
    let names = files.list(FOLDER).map_err(|error| failed(FOLDER, error))?;
    let mut times = names
        .iter()
        .filter_map(|name| name.strip_suffix(".snap")?.parse().ok())
        .map(Ts::from_micros)
        .collect::<Vec<_>>();
    times.sort_by_key(|ts| std::cmp::Reverse(*ts));
    Ok(times)
}

/// Writes the live keys of `view` at `at`, reads the file back, then removes older snapshots. Returns the file's size in
/// bytes. `whole` is called for every block; when it fails, or the file is not as it was written, the snapshot is
/// abandoned and the older ones stay.
pub(super) fn write<F: Files>(
    files: &F,
    view: &impl View,
    at: Ts,
    whole: impl Fn() -> Result<()>,
) -> Result<u64> {
    let path = path(at);
    let fresh = format!("{path}.new");
    let written = write_file(files, view, at, &fresh, &whole).map_err(|error| match error {
        Failure::Disk(error) => failed(&path, error),
        Failure::View(error) => error,
    });
    let size = match written.and_then(|written| {
        whole()?;
        read_back(files, &fresh, written.entries, &whole)?;
        Ok(written.bytes)
    }) {
        Ok(size) => size,
        Err(error) => {
            // An incomplete file only takes up space.
            files.remove(&fresh).map_err(|error| failed(&fresh, error))?;
            return Err(error);
        }
    };
    files
        .rename(&fresh, &path)
        .and_then(|()| files.sync_folder(FOLDER))
        .map_err(|error| failed(&path, error))?;
    for old in list(files)?.into_iter().filter(|ts| *ts < at && whole().is_ok()) {
        let path = self::path(old);
        files.remove(&path).map_err(|error| failed(&path, error))?;
    }
    Ok(size)
}

/// Reads a file that was just written, which must have so many entries.
fn read_back<F: Files>(files: &F, path: &str, entries: u64, whole: &impl Fn() -> Result<()>) -> Result<()> {
    let mut read = 0;
    entries_of(files, path, &mut |puts| {
        read += puts.len() as u64;
        whole()
    })?;
    if read == entries { Ok(()) } else { Err(damaged(path)) }
}

/// Size of the snapshot of `at`, in bytes; 0 if it cannot be found out.
pub(super) fn size<F: Files>(files: &F, at: Ts) -> u64 {
    files.size(&path(at)).unwrap_or(0)
}

/// Reads the snapshot of `at` into an empty view.
///
/// # Errors
/// `DataLoss` (`SnapshotDamaged`) when a block is damaged or the end is missing.
pub(super) fn read<F: Files>(files: &F, view: &impl View, at: Ts) -> Result<()> {
    let mut loaded = Loading::new(view);
    // Every entry gets the snapshot's time: no reader goes back before it.
    entries(files, at, |puts| loaded.add(at, &puts))?;
    loaded.finish()
}

/// Hands the entries of the snapshot of `at` to `each`, by block and in key order.
///
/// # Errors
/// `DataLoss` (`SnapshotDamaged`) when a block is damaged or the end is missing; whatever `each` returns.
pub(super) fn entries<F: Files>(
    files: &F,
    at: Ts,
    mut each: impl FnMut(Vec<Put>) -> Result<()>,
) -> Result<()> {
    entries_of(files, &path(at), &mut each)
}

fn entries_of<F: Files>(files: &F, path: &str, each: &mut dyn FnMut(Vec<Put>) -> Result<()>) -> Result<()> {
    let mut file = files.open(path).map_err(|error| failed(path, error))?;
    entries_in(&mut *file, path, each)
}

/// The same for the snapshot in `file`, which errors call `path`.
///
/// # Errors
/// As of [`entries`].
pub(super) fn entries_in(
    file: &mut dyn Read,
    path: &str,
    each: &mut dyn FnMut(Vec<Put>) -> Result<()>,
) -> Result<()> {
    let mut take = |len: usize| {
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes).map_err(|_| damaged(path))?;
        Ok::<_, Error>(bytes)
    };
    if take(MAGIC.len())? != MAGIC {
        return Err(damaged(path));
    }
    loop {
        let header = take(12)?;
        let number =
            |at: usize| header[at..].first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let (entries, bytes, crc) = (number(0), number(4), number(8));
        if bytes > MAX_BLOCK {
            return Err(damaged(path));
        }
        let block = take(bytes as usize)?;
        if crc32c::crc32c(&block) != crc {
            return Err(damaged(path));
        }
        if entries == 0 {
            return Ok(());
        }
        let mut reader = Reader(&block);
        let mut puts = Vec::with_capacity(BLOCK_ENTRIES);
        for _ in 0..entries {
            let (key, value) = read_put(&mut reader).ok_or_else(|| damaged(path))?;
            puts.push(Put { key, value });
        }
        each(puts)?;
    }
}

/// Totals of a written file.
struct Written {
    entries: u64,
    bytes: u64,
}

enum Failure {
    Disk(std::io::Error),
    View(Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::View(error)
    }
}

fn write_file<F: Files>(
    files: &F,
    view: &impl View,
    at: Ts,
    path: &str,
    whole: &impl Fn() -> Result<()>,
) -> Result<Written, Failure> {
    files.remove(path)?;
    let mut file = files.create(path)?;
    file.write(MAGIC)?;
    let mut written = Written { entries: 0, bytes: MAGIC.len() as u64 };
    let mut rest = Some(everything());
    while let Some(range) = rest.take() {
        whole()?;
        let page = view.scan(&scan_of_block(&range, at))?;
        let (bytes, after) = blocks(&page, range);
        file.write(&bytes)?;
        written.entries += page.entries.len() as u64;
        written.bytes += bytes.len() as u64;
        rest = after;
    }
    file.sync()?;
    Ok(written)
}

/// The scan for the next block of the snapshot of `at`.
pub(super) fn scan_of_block(rest: &KeyRange, at: Ts) -> Scan<'_> {
    Scan { limit: BLOCK_ENTRIES, bytes: BLOCK_BYTES, ..Scan::all(rest, at) }
}

/// A page of the keys in `range` as bytes of a snapshot, and the keys that are still to come. Without any the bytes include
/// the snapshot's end.
pub(super) fn blocks(page: &Page, range: KeyRange) -> (Vec<u8>, Option<KeyRange>) {
    let mut bytes = if page.entries.is_empty() { Vec::new() } else { block(&page.entries) };
    match page.entries.last() {
        Some((last, _)) if !page.done => (bytes, Some(KeyRange { start: successor(last), ..range })),
        _ => {
            bytes.extend(block(&[]));
            (bytes, None)
        }
    }
}

/// All keys.
pub(super) fn everything() -> KeyRange {
    KeyRange { start: Vec::new(), end: vec![0xff; 16] }
}

/// A block of a snapshot; one without entries ends it.
pub(super) fn block(entries: &[(Vec<u8>, crate::engine::Stored)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (key, value) in entries {
        write_put(&mut block, key, Some(value));
    }
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let len = u32::try_from(block.len()).unwrap_or(u32::MAX);
    let mut whole = [count, len, crc32c::crc32c(&block)].map(u32::to_le_bytes).concat();
    whole.append(&mut block);
    whole
}

/// Error of a snapshot abandoned because a read of the view failed meanwhile.
pub(super) fn given_up() -> Error {
    let message = "a read of the store's view failed while a snapshot was made of it: the former one stays";
    Error::new(Code::Unavailable, "SnapshotGivenUp", message)
}

/// Path of the snapshot of `ts` in the data folder.
pub(super) fn path(ts: Ts) -> String {
    join(FOLDER, &format!("{:020}.snap", ts.micros()))
}

/// Error of a damaged snapshot.
pub(crate) fn damaged(path: &str) -> Error {
    damage(path, "is damaged")
}

/// The same with other words for the damage.
pub(super) fn damage(path: &str, words: &str) -> Error {
    Error::new(Code::DataLoss, "SnapshotDamaged", format!("the snapshot {path} {words}"))
}

fn failed(path: &str, error: std::io::Error) -> Error {
    Error::new(
        Code::Unavailable,
        "Snapshot",
        format!("cannot read or write {path} of the data folder: {error}"),
    )
    .with_source(error)
}
