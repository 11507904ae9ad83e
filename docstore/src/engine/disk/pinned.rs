//! Snapshots of a pinned version, made beside commits for a backup, and the way back from one to a data folder.

use std::io::{self, Read};
use std::path::Path;

use super::files::{AppendFile as _, Files, create_folder};
use super::{lock, snapshot};
use crate::encoding::key::KeyRange;
use crate::engine::{AnyEngine, Engine as _, Put};
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
        let Some(range) = self.rest.take() else { return Ok(None) };
        let page = engine.scan(&snapshot::scan_of_block(&range, self.at)).await?;
        let (bytes, rest) = snapshot::blocks(&page, range);
        self.rest = rest;
        Ok(Some(bytes))
    }
}

/// Hands the entries of a snapshot to `each`, by block and in key order. Errors call it `name`.
///
/// # Errors
/// `DataLoss` (`SnapshotDamaged`) when it is damaged, or when something follows its end; whatever `each` returns.
pub(crate) fn read(
    input: &mut dyn Read,
    name: &str,
    each: &mut dyn FnMut(Vec<Put>) -> Result<()>,
) -> Result<()> {
    snapshot::entries_in(input, name, each)?;
    match input.read(&mut [0]) {
        Ok(0) => Ok(()),
        _ => Err(snapshot::damage(name, "goes on after its end")),
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

pub(super) fn restore_files<F: Files>(files: &F, at: Ts, input: &mut dyn Read) -> io::Result<()> {
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
    use std::collections::BTreeMap;

    use futures::executor::block_on;
    use proptest::prelude::*;

    use super::super::sim::{SMALL, SimEngine, open};
    use super::super::sim_files::SimFiles;
    use super::super::tests::commit;
    use super::*;
    use crate::encoding::key::Key;
    use crate::engine::{GcScope, Stored, Term};

    fn all_of(engine: &AnyEngine, blocks: &mut Blocks) -> Vec<u8> {
        std::iter::from_fn(|| block_on(blocks.next(engine)).unwrap()).flatten().collect()
    }

    fn entries(bytes: &[u8]) -> BTreeMap<Key, Stored> {
        let mut found = BTreeMap::new();
        let mut each = |puts: Vec<Put>| {
            found.extend(puts.into_iter().filter_map(|put| Some((put.key, put.value?))));
            Ok(())
        };
        read(&mut &bytes[..], "it", &mut each).unwrap();
        found
    }

    /// Commits of numbered documents, one after another.
    fn append(
        engine: &AnyEngine,
        term: Term,
        last: &mut Ts,
        numbers: &[(u8, usize)],
        model: &mut BTreeMap<Key, Stored>,
    ) {
        for (number, size) in numbers {
            let commit = commit(*last, last.next(), *number, *size);
            *last = commit.ts;
            for put in &commit.puts {
                model.extend(put.value.clone().map(|value| (put.key.clone(), value)));
            }
            block_on(engine.append(term, vec![commit])).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Commits and garbage collection after the pin change nothing of the snapshot, and a folder made of it has the
        /// same; after a power cut at any operation it is no data folder, or it has everything.
        #[test]
        fn a_pinned_snapshot_shows_its_moment(
            before in proptest::collection::vec((0u8..30, 0usize..300), 1..60),
            after in proptest::collection::vec((0u8..30, 0usize..300), 1..90),
            operations in 0u64..20,
        ) {
            let engine = AnyEngine::Simulated(Box::new(SimEngine::on(&SimFiles::default()).unwrap()));
            let term = block_on(engine.lead()).unwrap();
            let (mut last, mut model) = (*engine.visible().borrow(), BTreeMap::new());
            append(&engine, term, &mut last, &before, &mut model);
            let at = engine.pin().unwrap();
            prop_assert_eq!(at, last);
            append(&engine, term, &mut last, &after, &mut model.clone());
            for scope in [GcScope::Replaced, GcScope::Everything] {
                while !block_on(engine.collect_garbage(Ts::MAX, scope, 50)).unwrap().done {}
            }
            let bytes = all_of(&engine, &mut Blocks::new(at));
            engine.unpin(at);
            prop_assert_eq!(entries(&bytes), model.clone());

            let files = SimFiles::default();
            files.cut_after(operations);
            let written = restore_files(&files, last.next(), &mut &bytes[..]);
            let disk = files.after_power_cut(|unsynced| unsynced / 2);
            let there = disk.list("").unwrap().iter().any(|name| name == lock::FORMAT);
            prop_assert!(there || written.is_err());
            if there {
                let engine = AnyEngine::Simulated(Box::new(SimEngine { inner: open(&disk, SMALL).unwrap() }));
                let newest = *engine.visible().borrow();
                prop_assert_eq!(newest, last.next());
                prop_assert_eq!(entries(&all_of(&engine, &mut Blocks::new(newest))), model);
            }
        }
    }

    /// A page of large values would be held whole in memory.
    #[test]
    fn blocks_of_large_values_are_bounded_in_bytes() {
        const VALUE: usize = 1 << 20;
        const COUNT: u8 = 40;
        let engine = AnyEngine::Simulated(Box::new(SimEngine::on(&SimFiles::default()).unwrap()));
        let term = block_on(engine.lead()).unwrap();
        let (mut last, mut model) = (*engine.visible().borrow(), BTreeMap::new());
        let numbers: Vec<(u8, usize)> = (0..COUNT).map(|number| (number, VALUE)).collect();
        append(&engine, term, &mut last, &numbers, &mut model);
        let at = engine.pin().unwrap();
        let mut blocks = Blocks::new(at);
        let all: Vec<_> = std::iter::from_fn(|| block_on(blocks.next(&engine)).unwrap()).collect();
        engine.unpin(at);
        // The entry that reaches the limit is in the block.
        let longest = all.iter().map(Vec::len).max().unwrap();
        assert!(longest <= snapshot::BLOCK_BYTES + 2 * VALUE, "{longest}");
        assert_eq!(entries(&all.concat()), model);
    }

    #[test]
    fn without_its_pin_a_moment_passes() {
        let engine = AnyEngine::Simulated(Box::new(SimEngine::on(&SimFiles::default()).unwrap()));
        let term = block_on(engine.lead()).unwrap();
        let mut last = *engine.visible().borrow();
        append(&engine, term, &mut last, &[(1, 10)], &mut BTreeMap::new());
        let at = engine.pin().unwrap();
        engine.unpin(at);
        append(&engine, term, &mut last, &[(1, 10); 90], &mut BTreeMap::new());
        while !block_on(engine.collect_garbage(Ts::MAX, GcScope::Everything, 50)).unwrap().done {}
        let error = block_on(async {
            let mut blocks = Blocks::new(at);
            blocks.next(&engine).await.unwrap();
            blocks.next(&engine).await
        });
        assert_eq!(error.unwrap_err().tag(), "VersionCollected");
    }

    #[test]
    fn what_follows_the_end_of_a_snapshot_is_damage() {
        let mut bytes = [snapshot::MAGIC.to_vec(), snapshot::block(&[])].concat();
        let mut none = |_| Ok(());
        read(&mut &bytes[..], "it", &mut none).unwrap();
        bytes.push(0);
        assert_eq!(read(&mut &bytes[..], "it", &mut none).unwrap_err().tag(), "SnapshotDamaged");
    }
}
