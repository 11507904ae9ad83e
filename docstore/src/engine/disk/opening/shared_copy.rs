//! The folder as a copy of a shared log: it may be lost at any time, and is then made anew from the log's documents.
//!
//! It has the parts of a data folder, with three differences. Appends do not wait for the disk. It has no snapshots, and
//! is not repaired: what a start cannot use, it replaces. And every batch puts its [`Place`] beside its documents, so
//! that the folder knows what it is a copy of, and up to where, whatever a crash has left of it.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::super::files::Files as _;
use super::super::record::{self, Logged};
use super::super::segment::Binding;
use super::super::space::Space;
use super::super::view::engine::ViewFolder;
use super::super::view::state::ViewState;
use super::super::view::{Loading, View as _};
use super::super::{Cadence, DiskEngine, DiskOptions, Inner, ViewEngine, checkpointer, lock, log, snapshot};
use super::read_key;
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DOCS, Key, KeyRange, successor};
use crate::engine::{Batch, Change, Commit, Engine as _, Put, Scan, Stored};
use crate::model::{Document, Ts};
use crate::{Code, Error, Result};

/// File that marks a folder as a copy, which may be removed.
const MARK: &str = "CACHE";
/// Second line of the mark, for whoever looks; the first one names the store.
const MARK_TEXT: &str =
    "A copy of what is in the shared store. It may be removed while the server is stopped.";
/// Key of the copy's place: before everything else, in no database.
const PLACE: [u8; 5] = [0, 0, 0, 0, 0];
/// Tag of a folder that has to be made anew.
const STALE: &str = "CacheStale";
/// Documents whose index entries are derived at a time.
const DERIVED_AT_ONCE: usize = 1_000;

/// The identity and end of a copy, as bytes that only its owner reads.
pub(in crate::engine) type Place = Vec<u8>;

/// Name of the store that a folder is a copy of; `None` if it is none.
pub(in crate::engine) fn name_of_copy(folder: &Path) -> Option<String> {
    Some(fs::read_to_string(folder.join(MARK)).ok()?.lines().next()?.to_owned())
}

/// Encodes a batch for the shared log.
pub(in crate::engine) fn encode_batch(batch: &[Arc<Commit>], out: &mut Vec<u8>) {
    record::write(out, batch, Binding::None, 0);
}

/// The commits that [`encode_batch`] wrote; `None` if it did not.
pub(in crate::engine) fn decode_batch(bytes: &[u8]) -> Option<Vec<Logged>> {
    let (payload, end) = record::payload(bytes, 0, Binding::None)?;
    if end == bytes.len() { record::read(payload) } else { None }
}

impl DiskEngine {
    /// Opens the copy in a folder; `None` if there is none that can be used.
    ///
    /// # Errors
    /// `FailedPrecondition` when another process holds the folder or it holds data of its own; `ResourceExhausted` when
    /// the disk is full.
    pub(in crate::engine) fn open_copy(options: &DiskOptions) -> Result<Option<Self>> {
        let lock = lock::take(&options.folder)?;
        if !is_copy(&options.folder)? {
            return Ok(None);
        }
        match Self::of_copy(options, lock, options.now, false) {
            Ok(engine) => Ok(Some(engine)),
            Err(error) if error.tag() == STALE => Ok(None),
            Err(error) if error.tag() == "DiskFull" => Err(error),
            Err(error) => {
                tracing::warn!(%error, "the local copy of the shared store cannot be used: it is made anew");
                Ok(None)
            }
        }
    }

    /// Makes an empty copy of the store `name` in a folder, in place of one that may be there. It begins at `at`; [`Self::load`] and
    /// [`Self::finish_loading`] fill it, and until then no start takes it for whole.
    ///
    /// # Errors
    /// As [`Self::open_copy`].
    pub(in crate::engine) fn begin_copy(options: &DiskOptions, name: &str, at: Ts) -> Result<Self> {
        let lock = lock::take(&options.folder)?;
        is_copy(&options.folder)?;
        clear(&options.folder).map_err(|error| unusable(&options.folder, error))?;
        let files = lock::files(&options.folder);
        let marked = files.replace("", MARK, format!("{name}\n{MARK_TEXT}\n").as_bytes());
        marked.map_err(|error| unusable(&options.folder, error))?;
        Self::of_copy(options, lock, at, true)
    }

    fn of_copy(options: &DiskOptions, lock: lock::FolderLock, now: Ts, anew: bool) -> Result<Self> {
        let files = lock::files(&options.folder);
        let space = Space::new(Arc::new(files.clone()));
        space.release();
        let view = ViewFolder::new(&options.folder, options.view, options.cache).within(space.clone());
        // A view that is not as the checkpoint says would lack what the copy began with.
        let open_view = |fresh: bool| match (fresh, anew) {
            (true, true) => view.create(),
            (true, false) => Err(Error::new(Code::DataLoss, STALE, "the local copy is not whole")),
            (false, _) => view.open_existing(),
        };
        let cadence = Cadence { history: options.history, durable: false, ..Cadence::default() };
        let inner = Inner::open(files, open_view, options.view.name(), now, cadence)?;
        // Nothing of the log is kept for snapshots, and none is ever due.
        inner.shared.retention.lock().snapshot = Ts::from_micros(u64::MAX);
        view.remove_others();
        space.take_reserve();
        let engine = Self {
            inner,
            folder: options.folder.clone(),
            view: options.view,
            _compaction: view.compact_on_close(),
            _lock: lock,
        };
        engine.forget_the_beginning();
        Ok(engine)
    }

    /// Adds documents that the copy begins with: key, time and value.
    pub(in crate::engine) fn load(&self, documents: Vec<(Key, Ts, Stored)>) -> Result<()> {
        let mut loading = Loading::new(&self.inner.shared.view);
        for (key, ts, value) in documents {
            loading.add(ts, &[Put { key, value: Some(value) }])?;
        }
        loading.finish()
    }

    /// Adds the index entries of the documents in a range that were loaded, as `entries` says.
    pub(in crate::engine) fn derive(
        &self,
        mut range: KeyRange,
        at: Ts,
        entries: &dyn Fn(&Document) -> Vec<Key>,
    ) -> Result<()> {
        let view = &self.inner.shared.view;
        loop {
            let page = view.scan(&Scan { limit: DERIVED_AT_ONCE, ..Scan::all(&range, at) })?;
            let mut loading = Loading::new(view);
            for (key, value) in &page.entries {
                let (_, path) = read_key(key)?;
                let document = decode_document(&path, value)?;
                let put = |key| Put { key, value: Some(Stored::default()) };
                let puts: Vec<Put> = entries(&document).into_iter().map(put).collect();
                loading.add(document.update_time, &puts)?;
            }
            loading.finish()?;
            match page.entries.last() {
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => return Ok(()),
            }
        }
    }

    /// Declares the copy whole: everything up to `at`, where it began, is loaded.
    pub(in crate::engine) fn finish_loading(&self, at: Ts, place: Place) -> Result<()> {
        let shared = &self.inner.shared;
        self.load(vec![(PLACE.to_vec(), at, place.into())])?;
        shared.view.record(ViewState {
            begins: at,
            generation: shared.memtable.generation(),
            applied: at,
        })?;
        shared.checkpoint(at, at).map(drop)
    }

    /// The place that the copy has come to.
    pub(in crate::engine) async fn place(&self) -> Result<Option<Stored>> {
        let at = *self.inner.visible().borrow();
        Ok(self.inner.get(&[PLACE.to_vec()], at).await?.pop().flatten())
    }

    /// Waits until a batch can be taken in.
    ///
    /// # Errors
    /// `ResourceExhausted` (`DiskFull`), `Unavailable` (`ViewWrite`).
    pub(in crate::engine) fn make_room(&self) -> Result<()> {
        self.inner.make_room()
    }

    /// Takes a batch in that the shared log has, with the place after it. Readers see it then.
    pub(in crate::engine) fn take_in(&self, mut batch: Batch, place: Place) {
        let Some(last) = batch.last_mut() else { return };
        Arc::make_mut(last).puts.push(Put { key: PLACE.to_vec(), value: Some(place.into()) });
        let appended = {
            let mut log = self.inner.shared.log.lock();
            let before = log.bytes_since(Ts::ZERO);
            if let Err(error) = log.append(&batch) {
                // Readers have it from memory; the next start finds a gap and makes the copy anew.
                tracing::warn!(%error, "the local copy of the shared store could not be written: the next start makes it anew");
            }
            log.bytes_since(Ts::ZERO) - before
        };
        self.inner.publish(batch, appended);
        self.forget_the_beginning();
    }

    /// Makes the first commit of all the oldest that readers of the log may name. An earlier time is none that this store
    /// has ever told anybody.
    fn forget_the_beginning(&self) {
        let recent = &self.inner.shared.recent;
        if recent.reaches(Ts::ZERO)
            && let Some(first) =
                recent.after(Ts::ZERO).and_then(|commits| commits.first().map(|first| first.ts))
        {
            recent.drop_until(first);
        }
    }

    /// The commits of one batch with their documents before and after. Everything before it is taken in.
    pub(in crate::engine) fn whole(&self, batch: Vec<Logged>) -> Result<Batch> {
        let shared = &self.inner.shared;
        let memtable = shared.memtable.reader();
        // Documents as earlier commits of the batch leave them.
        let mut newest: HashMap<Key, Option<Arc<Document>>> = HashMap::new();
        let mut commits = Vec::with_capacity(batch.len());
        for Logged { prev, ts, author, backfill, puts } in batch {
            let mut changes = Vec::new();
            for put in puts.iter().filter(|put| put.key.get(4) == Some(&DOCS)) {
                let (database, path) = read_key(&put.key)?;
                let decode = |bytes: &Stored| decode_document(&path, bytes).map(Arc::new);
                let old = match newest.get(&put.key) {
                    Some(old) => old.clone(),
                    None => {
                        let old = shared.noted(memtable.get(&shared.view, &put.key, prev))?;
                        old.as_ref().map(decode).transpose()?
                    }
                };
                let new = put.value.as_ref().map(decode).transpose()?;
                newest.insert(put.key.clone(), new.clone());
                changes.push(Change { database, path, old, new });
            }
            commits.push(Arc::new(Commit::new(prev, ts, changes, backfill, puts).by(author)));
        }
        Ok(commits)
    }
}

/// True if the folder holds a copy; false if it is new.
///
/// # Errors
/// `FailedPrecondition` when it holds data of its own.
fn is_copy(folder: &Path) -> Result<bool> {
    let names = lock::files(folder).list("").map_err(|error| unusable(folder, error))?;
    let has = |name: &str| names.iter().any(|other| other == name);
    if has(lock::FORMAT) && !has(MARK) {
        let message = format!(
            "the folder {} holds documents of its own, not a copy of the shared store's: name another folder for the copy",
            folder.display()
        );
        return Err(Error::new(Code::FailedPrecondition, "FolderNotCopy", message));
    }
    Ok(has(lock::FORMAT))
}

/// Removes everything that a start reads. The checkpoint goes first: without it nothing that is left is used.
fn clear(folder: &Path) -> io::Result<()> {
    let gone = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    };
    gone(fs::remove_file(folder.join(checkpointer::CHECKPOINT)))?;
    let views = ViewEngine::ALL.map(ViewEngine::name);
    for name in views.into_iter().chain([log::FOLDER, snapshot::FOLDER]) {
        gone(fs::remove_dir_all(folder.join(name)))?;
    }
    gone(fs::remove_file(folder.join(lock::FORMAT)))
}

fn unusable(folder: &Path, error: io::Error) -> Error {
    let message = format!("cannot use the folder {}: {error}", folder.display());
    Error::new(Code::FailedPrecondition, "FolderUnusable", message).with_source(error)
}
