//! The durable engine: a log on disk and a materialised view of it that answers reads.
//!
//! ```text
//! FORMAT, LOCK       layout version of the folder, and the process that holds it
//! log/<time>.seg     the commits; their fdatasync acknowledges them
//! snap/<time>.snap   all live keys at one time, so that older log can be removed
//! CHECKPOINT         time up to which the view is durable, time up to which it is free of garbage, and the generation
//!                    of the view they apply to
//! sled/ or fjall/    the view; it can be rebuilt, and is when another engine is chosen for it
//! ```
//! Committed changes are in the memtable until the view has them; readers consult both. The view has one key per
//! version and never rewrites it, so it does not matter which of its unsynced writes a crash keeps.
//!
//! A start replays the log from the checkpoint into the memtable. That is safe after any crash, since inserting a
//! version twice changes nothing. The view records its own generation and position. A view that is missing, unreadable
//! or inconsistent with the checkpoint is moved aside and rebuilt from the newest snapshot and the log.

mod checkpointer;
mod files;
mod flusher;
#[cfg(test)]
mod full_tests;
pub mod fuzz;
mod lock;
mod log;
#[cfg(test)]
mod log_end_tests;
mod log_gc;
mod memtable;
mod opening;
mod pinned;
pub(in crate::engine) mod record;
mod retention;
mod scrub;
mod segment;
#[cfg(test)]
mod sim;
#[cfg(any(test, feature = "testing"))]
mod sim_files;
mod snapshot;
mod snapshotter;
mod space;
#[cfg(test)]
mod tests;
mod usage;
mod view;
mod worker;

pub use files::{AppendFile, Files, RealFiles, join};
pub(crate) use lock::files as folder_files;
pub use lock::{FORMAT as FOLDER_FORMAT, VERSION as FOLDER_VERSION};
pub(crate) use log::{Continuation, check_copy, copy_record};
pub(in crate::engine) use opening::shared_copy::{decode_batch, encode_batch, name_of_copy};
pub(crate) use pinned::{Blocks, read as read_snapshot, restore as restore_snapshot};
pub use scrub::{ScrubReport, scrub};
#[cfg(test)]
pub(crate) use sim::SimEngine;
#[cfg(any(test, feature = "testing"))]
pub use sim_files::SimFiles;
pub(crate) use snapshot::damaged as snapshot_damaged;
pub use usage::DiskUsage;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::watch;

use self::log::Log;
use self::log_gc::LogGc;
use self::memtable::Memtable;
use self::retention::RetentionPoints;
use self::space::Space;
use self::view::View;
pub use self::view::engine::ViewEngine;
use self::view::engine::{AnyView, ViewFolder};
use self::view::sled_view::CompactOnClose;
use self::worker::Worker;
use super::recent::{LogReader, Recent};
use super::{Batch, Engine, GcProgress, GcScope, Page, Scan, Stored, Term, fenced};
use crate::encoding::key::Key;
use crate::model::Ts;
use crate::{Error, Result};

/// Default size of the view's cache, in bytes.
pub const DEFAULT_CACHE: u64 = 512 << 20;
/// Size at which a memtable layer is full, in bytes; with eight layers waiting, commits wait too.
const LAYER_BYTES: usize = 8 << 20;
/// Default amount of log kept for reading old versions, in bytes: about 200,000 overwritten documents.
pub const DEFAULT_HISTORY: u64 = 256 << 20;

/// Options of the disk engine.
#[derive(Debug, Clone)]
pub struct DiskOptions {
    /// Data folder.
    pub folder: PathBuf,
    /// Size of the view's cache, in bytes; memory stays flat while it exceeds the working set.
    pub cache: u64,
    /// Log kept for reading old versions, in bytes; versions replaced before that are collected, however young.
    pub history: u64,
    /// Engine that holds the view.
    pub view: ViewEngine,
    /// Time of the start.
    pub now: Ts,
}

/// The engine on a data folder.
#[derive(Debug)]
pub struct DiskEngine {
    inner: Inner<RealFiles, AnyView>,
    folder: PathBuf,
    view: ViewEngine,
    _compaction: Option<CompactOnClose>,
    /// Dropped last, after everything is written.
    _lock: lock::FolderLock,
}

impl DiskEngine {
    /// Opens the data folder and rebuilds the view if necessary. Blocks on the disk.
    ///
    /// # Errors
    /// `FailedPrecondition` when another process holds the folder or its layout version differs; `DataLoss` when the
    /// log is damaged anywhere but at its very end.
    pub fn open(options: &DiskOptions) -> Result<Self> {
        let lock = lock::take(&options.folder)?;
        let files = lock::files(&options.folder);
        let space = Space::new(Arc::new(files.clone()));
        space.release();
        let view = ViewFolder::new(&options.folder, options.view, options.cache).within(space.clone());
        let open_view = |fresh: bool| if fresh { view.create() } else { view.open_existing() };
        let cadence = Cadence { history: options.history, ..Cadence::default() };
        let inner = Inner::open(files, open_view, options.view.name(), options.now, cadence)?;
        view.remove_others();
        space.take_reserve();
        Ok(Self {
            inner,
            folder: options.folder.clone(),
            view: options.view,
            _compaction: view.compact_on_close(),
            _lock: lock,
        })
    }
}

impl DiskEngine {
    /// True if a read of the view has failed since the start.
    pub(crate) fn distrusted(&self) -> bool {
        self.inner.shared.distrusted()
    }

    /// Reason why commits are refused now, or `None`.
    pub(crate) fn refusal(&self) -> Option<Error> {
        self.inner.shared.refusal()
    }

    /// Disk use. Looks at every file of the folder.
    pub(crate) fn usage(&self) -> DiskUsage {
        DiskUsage::of(&self.folder, self.view.name(), self.inner.shared.space.free())
    }
}

/// Implements [`Engine`] for a wrapper of [`Inner`] by delegation.
macro_rules! engine_of_inner {
    ($engine:ty) => {
        impl Engine for $engine {
            async fn lead(&self) -> Result<Term> {
                Engine::lead(&self.inner).await
            }
            async fn append(&self, term: Term, batch: Batch) -> Result<()> {
                Engine::append(&self.inner, term, batch).await
            }
            fn visible(&self) -> watch::Receiver<Ts> {
                self.inner.visible()
            }
            async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
                self.inner.get(keys, at).await
            }
            async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
                self.inner.scan(scan).await
            }
            fn log(&self, after: Ts) -> Result<LogReader> {
                self.inner.log(after)
            }
            async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
                Engine::collect_garbage(&self.inner, before, scope, slice).await
            }
        }

        impl $engine {
            /// Pins the newest version; see [`Self::unpin`].
            pub(crate) fn pin(&self) -> Ts {
                self.inner.shared.pin()
            }

            /// Takes a pin away again.
            pub(crate) fn unpin(&self, at: Ts) {
                self.inner.shared.unpin(at);
            }

            /// The oldest readable version.
            pub(crate) fn oldest(&self) -> Ts {
                self.inner.shared.oldest()
            }
        }
    };
}

engine_of_inner!(DiskEngine);
#[cfg(test)]
engine_of_inner!(SimEngine);

impl<F: Files, V: View> Engine for Inner<F, V> {
    async fn lead(&self) -> Result<Term> {
        Ok(Self::lead(self))
    }
    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        Self::append(self, term, batch)
    }
    fn visible(&self) -> watch::Receiver<Ts> {
        self.shared.recent.visible()
    }
    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        let (memtable, view) = (self.shared.memtable.reader(), &self.shared.view);
        let found = keys.iter().map(|key| memtable.get(view, key, at)).collect();
        // Collection may have run during the read and removed part of the result.
        self.shared.still_kept(at)?;
        self.shared.noted(found)
    }
    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        let page = self.shared.memtable.reader().scan(&self.shared.view, scan);
        self.shared.still_kept(scan.at)?;
        self.shared.noted(page)
    }
    fn log(&self, after: Ts) -> Result<LogReader> {
        LogReader::new(&self.shared.recent, after)
    }
    async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        Self::collect_garbage(self, before, scope, slice)
    }
}

/// Thresholds for checkpoints, snapshots and retention.
#[derive(Debug, Clone, Copy)]
struct Cadence {
    /// Log between two checkpoints, in bytes: the most a start has to replay.
    checkpoint: u64,
    /// Least log between two snapshots, in bytes.
    snapshot: u64,
    /// Size of a log segment, in bytes.
    segment: u64,
    /// Size at which a memtable layer is full, in bytes.
    layer: usize,
    /// Log kept for reading old versions, in bytes.
    history: u64,
    /// Appends wait until the disk has them. False where the log is a copy of another.
    durable: bool,
}

impl Default for Cadence {
    fn default() -> Self {
        Self {
            checkpoint: 32 << 20,
            snapshot: 256 << 20,
            segment: 16 << 20,
            layer: LAYER_BYTES,
            history: DEFAULT_HISTORY,
            durable: true,
        }
    }
}

/// The engine over any files and any view.
#[derive(Debug)]
struct Inner<F: Files, V: View> {
    shared: Arc<Shared<F, V>>,
    /// Moves the memtable into the view.
    flusher: Worker,
    /// Makes checkpoints.
    checkpointer: Worker,
    /// Makes snapshots.
    snapshotter: Worker,
}

#[derive(Debug)]
struct Shared<F: Files, V: View> {
    files: Arc<F>,
    space: Space<F>,
    view: V,
    /// Commits that are in the log and not yet in the view.
    memtable: Memtable,
    cadence: Cadence,
    /// The committer holds it while it appends; others hold it only for a short look.
    log: Mutex<Log<F>>,
    recent: Recent,
    term: AtomicU64,
    /// Bytes appended since the last checkpoint began.
    unsaved: AtomicU64,
    retention: Mutex<RetentionPoints>,
    /// In microseconds. Versions that only readers before it can see may be removed; raised before any of them is.
    oldest: AtomicU64,
    /// A read of the view has failed: the view no longer matches the log.
    distrusted: AtomicBool,
    /// Progress of garbage collection along the log.
    log_gc: Mutex<LogGc>,
    /// Position at which garbage collection of the whole key space resumes.
    gc_cursor: Mutex<Key>,
}

impl<F: Files, V: View> Inner<F, V> {
    fn lead(&self) -> Term {
        Term(self.shared.term.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn append(&self, term: Term, batch: Batch) -> Result<()> {
        let shared = &self.shared;
        self.make_room()?;
        let appended = {
            let mut log = shared.log.lock();
            if term.0 != shared.term.load(Ordering::SeqCst) {
                return Err(fenced());
            }
            let before = log.bytes_since(Ts::ZERO);
            log.append(&batch)?;
            log.bytes_since(Ts::ZERO) - before
        };
        self.publish(batch, appended);
        Ok(())
    }

    /// Waits until a commit can be taken in.
    fn make_room(&self) -> Result<()> {
        self.shared.space.for_commits()?;
        self.shared.memtable.make_room().inspect_err(|_| {
            // The view may have room by now.
            self.flusher.wake();
        })
    }

    /// Shows readers a batch that took `appended` bytes of the log.
    fn publish(&self, batch: Batch, appended: u64) {
        let shared = &self.shared;
        if shared.memtable.insert(&batch) {
            self.flusher.wake();
        }
        shared.recent.publish(batch);
        let unsaved = shared.unsaved.fetch_add(appended, Ordering::Relaxed) + appended;
        if unsaved >= shared.cadence.checkpoint {
            self.checkpointer.wake();
            self.snapshotter.wake();
        }
    }

    fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        let shared = &self.shared;
        shared.recent.drop_until(before);
        let horizon = shared.raise_horizon(before)?;
        if scope == GcScope::Replaced {
            let mut log_gc = shared.log_gc.lock();
            let advanced = log_gc.advance(&*shared.files, &shared.log, &shared.view, horizon, slice);
            return shared.noted(advanced);
        }
        let from = shared.gc_cursor.lock().clone();
        let found = shared.noted(shared.view.remove_superseded(&from, horizon, slice))?;
        let done = found.resume.is_empty();
        *shared.gc_cursor.lock() = found.resume;
        if done {
            self.checkpointer.wake();
        }
        Ok(GcProgress { dropped: found.dead.len(), examined: found.examined, done })
    }
}

impl<F: Files, V: View> Drop for Inner<F, V> {
    fn drop(&mut self) {
        // The last checkpoint also flushes what the flusher has left in the memtable.
        self.flusher.end();
        self.snapshotter.end();
        self.checkpointer.end();
    }
}
