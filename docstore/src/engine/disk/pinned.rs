//! Snapshots of a pinned version, made beside commits for a backup, and the way back from one to a data folder.

use std::io::{self, Read};
use std::path::Path;

use super::files::{AppendFile as _, Files, create_folder};
use super::{lock, snapshot};
use crate::engine::{AnyEngine, Engine as _, Put, Scan, ScanDirection};
use crate::key::{KeyRange, successor};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Bytes copied at a time.
const PIECE: usize = 1 << 20;

/// The snapshot of a pinned version, block by block.
#[derive(Debug)]
pub(crate) struct Blocks {
    at: Ts,
    /// Keys that are still to come; `None` after the last block.
    rest: Option<KeyRange>,
    begun: bool,
}

impl Blocks {
    /// The snapshot of `at`, which must be pinned until the last block is read.
    pub(crate) fn new(at: Ts) -> Self {
        Self { at, rest: Some(snapshot::everything()), begun: false }
    }

    /// Bytes of the next block; `None` at the end.
    ///
    /// # Errors
    /// Those of a read of `engine`.
    pub(crate) async fn next(&mut self, engine: &AnyEngine) -> Result<Option<Vec<u8>>> {
        if !std::mem::replace(&mut self.begun, true) {
            return Ok(Some(snapshot::MAGIC.to_vec()));
        }
        let Some(mut range) = self.rest.take() else { return Ok(None) };
        let scan = Scan {
            range: &range,
            at: self.at,
            direction: ScanDirection::Forward,
            limit: snapshot::BLOCK_ENTRIES,
            values: true,
        };
        let page = engine.scan(&scan).await?;
        let mut bytes = if page.entries.is_empty() { Vec::new() } else { snapshot::block(&page.entries) };
        match page.entries.last() {
            Some((last, _)) if !page.done => {
                range.start = successor(last);
                self.rest = Some(range);
            }
            _ => bytes.extend(snapshot::block(&[])),
        }
        Ok(Some(bytes))
    }
}

/// Hands the entries of a snapshot to `each`, by block and in key order. Errors call it `name`.
///
/// # Errors
/// `DataLoss` (`SnapshotDamaged`) when it is damaged, or when something follows its end; whatever `each` returns.
pub(crate) fn read(input: &mut dyn Read, name: &str, each: &mut dyn FnMut(Vec<Put>) -> Result<()>) -> Result<()> {
    snapshot::entries_in(input, name, each)?;
    match input.read(&mut [0]) {
        Ok(0) => Ok(()),
        _ => Err(Error::new(Code::DataLoss, "SnapshotDamaged", format!("the snapshot {name} goes on after its end"))),
    }
}

/// Makes a data folder of the snapshot in `input`, with a log that begins at `at`. Commits of the store that the snapshot
/// was taken of must not be later. The folder's `FORMAT` is written last: without it there is no data folder.
///
/// # Errors
/// `FailedPrecondition` (`FolderUnusable`) when the folder cannot be written; that of a read of `input`.
pub(crate) fn restore(folder: &Path, at: Ts, input: &mut dyn Read) -> Result<()> {
    let unusable = |error: io::Error| {
        let message = format!("cannot write the data folder {}: {error}", folder.display());
        Error::new(Code::FailedPrecondition, "FolderUnusable", message).with_source(error)
    };
    create_folder(folder).map_err(unusable)?;
    restore_files(&lock::files(folder), at, input).map_err(unusable)
}

fn restore_files<F: Files>(files: &F, at: Ts, input: &mut dyn Read) -> io::Result<()> {
    let path = snapshot::path(at);
    let fresh = format!("{path}.new");
    files.remove(&fresh)?;
    let mut file = files.create(&fresh)?;
    let mut piece = vec![0; PIECE];
    loop {
        match input.read(&mut piece)? {
            0 => break,
            read => file.write(&piece[..read])?,
        }
    }
    file.sync()?;
    drop(file);
    files.rename(&fresh, &path)?;
    files.sync_folder(snapshot::FOLDER)?;
    lock::write_format(files, at).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_end_of_a_snapshot_is_damage() {
        let mut bytes = [snapshot::MAGIC.to_vec(), snapshot::block(&[])].concat();
        let mut none = |_| Ok(());
        read(&mut &bytes[..], "it", &mut none).unwrap();
        bytes.push(0);
        assert_eq!(read(&mut &bytes[..], "it", &mut none).unwrap_err().tag(), "SnapshotDamaged");
    }
}
