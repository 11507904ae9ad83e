//! Everything in a store at one moment, for a backup, copies of the commits after it, and a data folder made of both again.
//!
//! The form is that of the engine's own files: a snapshot has every live key with its value, index entries and the store's
//! own documents included, in blocks with checksums; a copy of the log has records of commits.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DOCS, DbNo, read_doc_key};
use crate::engine::{
    Blocks, Commit, Continuation, RealFiles, check_copy, copy_record, folder_files, read_snapshot,
    restore_snapshot, snapshot_damaged,
};
use crate::model::{DatabaseId, Document, Ts};
use crate::{Code, Error, Result, Store};

/// One moment of a store: commits go on, and nothing of this moment is removed while the value lives.
#[derive(Debug)]
pub struct Pinned {
    store: Store,
    at: Ts,
    blocks: Blocks,
}

impl Pinned {
    /// Pins the newest moment of a store.
    ///
    /// # Errors
    /// `FailedPrecondition` (`NothingOnDisk`) for a store in memory.
    pub fn new(store: &Store) -> Result<Self> {
        let Some(at) = store.0.engine.pin() else {
            let message = "a server in memory stores nothing that a backup could hold";
            return Err(Error::new(Code::FailedPrecondition, "NothingOnDisk", message));
        };
        Ok(Self { store: store.clone(), at, blocks: Blocks::new(at) })
    }

    /// Version of the newest commit that is included.
    pub fn at(&self) -> Ts {
        self.at
    }

    /// The next bytes of the snapshot, some thousand entries at most; `None` at the end.
    ///
    /// # Errors
    /// `Unavailable` when stored data cannot be read.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        self.blocks.next(&self.store.0.engine).await
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.store.0.engine.unpin(self.at);
    }
}

/// Hands every document of a snapshot to `each`, with its database; the store's own are left out. `name` is for errors.
///
/// # Errors
/// `DataLoss` when the snapshot is damaged; whatever `each` returns.
pub fn documents(
    input: &mut dyn Read,
    name: &str,
    each: &mut dyn FnMut(&DatabaseId, Document) -> Result<()>,
) -> Result<()> {
    let damaged = || snapshot_damaged(name);
    let catalog = Catalog::default();
    let mut current = None;
    read_snapshot(input, name, &mut |puts| {
        for put in puts {
            if put.key.get(4) != Some(&DOCS) {
                continue;
            }
            let number = put.key.first_chunk::<4>().map(|number| DbNo(u32::from_be_bytes(*number)));
            let path = read_doc_key(&put.key).ok_or_else(damaged)?;
            let value = put.value.ok_or_else(damaged)?;
            let document = decode_document(&path, &value)?;
            // The store's own documents have the lowest number, so they come first.
            if number == Some(DbNo::CATALOG) {
                catalog.enter(&document);
                continue;
            }
            if current.as_ref().is_none_or(|(at, _)| Some(*at) != number) {
                let number = number.ok_or_else(damaged)?;
                current = Some((number, catalog.name(number).ok_or_else(damaged)?));
            }
            if let Some((_, database)) = &current {
                each(database, document)?;
            }
        }
        Ok(())
    })
}

/// Makes a data folder of a snapshot. Its history begins at `now`: times before it cannot be read, and clients that have
/// seen later commits of the lost store begin anew.
///
/// # Errors
/// `FailedPrecondition` (`FolderUnusable`) when the folder cannot be written; that of a read of `input`.
pub fn restore(folder: &Path, now: Ts, input: &mut dyn Read) -> Result<()> {
    restore_snapshot(folder, now, input)
}

/// Commits, oldest first, as a record of a copy of the log. Records may be joined.
pub fn log_record(commits: &[Arc<Commit>]) -> Vec<u8> {
    copy_record(commits)
}

/// Checks the records of a copy of the log, whose commits must follow each other from `after`, exclusive, to `last`.
/// `name` is for errors.
///
/// # Errors
/// `DataLoss` (`LogCopyDamaged`).
pub fn check_log(records: &[u8], name: &str, after: Ts, last: Ts) -> Result<()> {
    check_copy(records, name, after, last)
}

/// A data folder that [`restore`] made, to which commits after its snapshot are added.
#[derive(Debug)]
pub struct RestoredLog(Continuation<RealFiles>);

impl RestoredLog {
    /// The log of `folder`. `commit` is the version of the newest commit in the snapshot, [`Pinned::at`].
    ///
    /// # Errors
    /// `Unavailable` when the folder cannot be read or written.
    pub fn open(folder: &Path, commit: Ts) -> Result<Self> {
        Continuation::open(folder_files(folder), commit).map(Self)
    }

    /// Version of the newest commit so far, as the lost store gave it.
    pub fn position(&self) -> Ts {
        self.0.position()
    }

    /// Adds the commits of a copy of the log that are new, and not after `until`. `name` is for errors.
    ///
    /// # Errors
    /// `DataLoss`: `LogCopyDamaged`, `LogCopyGap` when the copy begins after the newest commit so far; `Unknown` or
    /// `ResourceExhausted` when the folder cannot be written.
    pub fn append(&mut self, records: &[u8], name: &str, until: Ts) -> Result<()> {
        self.0.append(records, name, until)
    }
}
