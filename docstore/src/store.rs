//! The store: an engine, its committer and its live queries, and the databases in it.

mod entries;
mod gauges;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::{Mutex, RwLock};

use crate::access::{Access, CommitHook, OwnSubtree};
use crate::budget::Budget;
use crate::catalog::Catalog;
use crate::clock::{Clock, SharedClock, SystemClock};
use crate::commit::{CommitCounts, CommitQueue, Commits, Committer};
use crate::engine::shared::{AnyLog, NodeId, SharedEngine, SharedOptions};
use crate::engine::{
    AnyEngine, Author, DEFAULT_CACHE, DEFAULT_HISTORY, DiskEngine, DiskOptions, Engine, MemoryEngine,
    ViewEngine,
};
use crate::garbage::{Collector, Garbage};
use crate::indexer::Indexer;
pub use crate::indexer::MissingIndexes;
use crate::model::{DatabaseId, Ts};
use crate::query::{Reader, Shared};
use crate::slow::SlowLog;
use crate::txn::Transactions;
use crate::watch::{Hub, HubHandle, LiveLimits, LiveQueries, STREAM_BYTES};
use crate::{Code, Error, Result};

pub use self::gauges::{Gauges, Measured};

/// Options of a store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Location of the data.
    pub engine: EngineOptions,
    /// Source of the current time.
    pub clock: SharedClock,
    /// Resource limits.
    pub limits: Limits,
}

/// Location of a store's data.
#[derive(Debug, Clone)]
pub enum EngineOptions {
    /// In memory; lost at exit.
    Memory,
    /// In a folder; durable.
    Disk {
        /// Data folder; created if missing.
        dir: PathBuf,
        /// Engine that holds the materialised view.
        view: ViewEngine,
    },
    /// In a log that nodes share.
    Shared {
        /// The log.
        log: AnyLog,
        /// This run of this node, by which the log knows it.
        node: NodeId,
        /// Folder of the local copy; created if missing, and made anew if it cannot be used.
        dir: PathBuf,
        /// Engine that holds the copy's view.
        view: ViewEngine,
        /// Age from which the log is trimmed, once it is folded.
        keep_log: std::time::Duration,
    },
}

impl EngineOptions {
    /// A data folder with the usual engine for its view.
    pub fn disk(dir: impl Into<PathBuf>) -> Self {
        Self::Disk { dir: dir.into(), view: ViewEngine::default() }
    }
}

/// Resource limits of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Page cache of the disk engine, in bytes.
    pub cache_bytes: u64,
    /// Treatment of a query that lacks an index.
    pub missing_indexes: MissingIndexes,
    /// Time for which old versions are kept, for reads in the past and resuming clients.
    pub keep: std::time::Duration,
    /// Bytes of log (in memory: of keys and values) kept for reading old versions. If more is written within
    /// [`Self::keep`], old versions are collected earlier, and a read at one is refused as too old.
    pub history_bytes: u64,
    /// Longest wait of a write for transactions that have read the documents it changes. Zero disables waiting, and
    /// those transactions fail.
    pub lock_wait: std::time::Duration,
    /// Bytes of live-query results for one caller under the access policy; the limit for all callers together is
    /// [`crate::watch::LIVE_BYTES`].
    pub live_bytes_of_one: usize,
    /// Bytes of documents held by running queries and by results being sent.
    pub query_bytes: usize,
    /// The same for one caller under the access policy; all anonymous callers count as one.
    pub query_bytes_of_one: usize,
    /// Commits, queries and decisions of the rules that take so long are logged with the time of their stages; without
    /// it none is.
    pub slow: Option<std::time::Duration>,
}

/// Default of [`Limits::query_bytes`].
const QUERY_BYTES: usize = 512 * 1024 * 1024;
/// Default of [`Limits::query_bytes_of_one`].
const QUERY_BYTES_OF_ONE: usize = 128 * 1024 * 1024;

impl Default for Limits {
    /// 512 MiB of cache; one hour, as in Firestore, or 256 MiB of log; 15 s for a lock, as in its emulator.
    fn default() -> Self {
        Self {
            cache_bytes: DEFAULT_CACHE,
            missing_indexes: MissingIndexes::Learn,
            keep: std::time::Duration::from_secs(3600),
            history_bytes: DEFAULT_HISTORY,
            lock_wait: crate::txn::LOCK_WAIT,
            live_bytes_of_one: crate::watch::LIVE_BYTES_OF_ONE,
            query_bytes: QUERY_BYTES,
            query_bytes_of_one: QUERY_BYTES_OF_ONE,
            slow: None,
        }
    }
}

/// A store. Cloning shares it.
#[derive(Clone)]
pub struct Store(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) engine: Arc<AnyEngine>,
    pub(crate) catalog: Catalog,
    pub(crate) clock: SharedClock,
    pub(crate) limits: Limits,
    pub(crate) transactions: Transactions,
    pub(crate) indexer: Arc<Indexer>,
    collector: Arc<Collector>,
    pub(crate) access: RwLock<Arc<dyn Access>>,
    pub(crate) commit_hook: RwLock<Option<Arc<dyn CommitHook>>>,
    pub(crate) hub: HubHandle,
    /// Memory of messages that wait for the readers of all streams.
    pub(crate) stream_bytes: Arc<Budget>,
    /// Resources that running queries share.
    pub(crate) queries: Shared,
    pub(crate) slow: Arc<SlowLog>,
    /// Tasks of live queries and garbage collection, which end with the store.
    tasks: Mutex<Vec<tokio::task::JoinHandle<()>>>,
    commits: CommitQueue,
    commit_counts: Arc<CommitCounts>,
    committer: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("engine", &self.0.engine).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens a store; on disk, with everything acknowledged before.
    ///
    /// # Errors
    /// `FailedPrecondition` (`FolderInUse`) when another process holds the folder; `DataLoss` when the log is damaged
    /// before its end.
    pub async fn open(options: StoreOptions) -> Result<Self> {
        let engine = match options.engine {
            EngineOptions::Memory => {
                let history = options.limits.history_bytes;
                AnyEngine::Memory(MemoryEngine::new(options.clock.now(), history))
            }
            EngineOptions::Disk { dir, view } => {
                let (cache, history) = (options.limits.cache_bytes, options.limits.history_bytes);
                let disk = DiskOptions { folder: dir, cache, history, view, now: options.clock.now() };
                let opened = tokio::task::spawn_blocking(move || DiskEngine::open(&disk)).await;
                let opened = opened.map_err(|error| {
                    Error::internal("DiskOpen", "The data folder could not be opened.", error)
                })?;
                AnyEngine::Disk(Box::new(opened?))
            }
            EngineOptions::Shared { log, node, dir, view, keep_log } => {
                let shared = SharedOptions {
                    log,
                    node,
                    folder: dir,
                    view,
                    cache: options.limits.cache_bytes,
                    history: options.limits.history_bytes,
                    keep_log,
                    clock: Arc::clone(&options.clock),
                    entries: entries::of_catalog,
                };
                AnyEngine::Shared(Box::new(SharedEngine::open(shared).await?))
            }
        };
        let catalog = Catalog::load(&engine).await?;
        Self::start(engine, catalog, options.clock, options.limits).await
    }

    /// A store in memory on the machine's clock.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn in_memory() -> Result<Self> {
        Self::open(StoreOptions {
            engine: EngineOptions::Memory,
            clock: Arc::new(SystemClock),
            limits: Limits::default(),
        })
        .await
    }

    /// A store on an engine of a test's own.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) async fn on(engine: AnyEngine, clock: SharedClock) -> Result<Self> {
        let catalog = Catalog::load(&engine).await?;
        Self::start(engine, catalog, clock, Limits::default()).await
    }

    async fn start(engine: AnyEngine, catalog: Catalog, clock: SharedClock, limits: Limits) -> Result<Self> {
        let engine = Arc::new(engine);
        let commit_counts = Arc::default();
        let (commits, thread) = Committer::start(
            Arc::clone(&engine),
            catalog.clone(),
            Arc::clone(&clock),
            Arc::clone(&commit_counts),
        )
        .await?;
        let stream_bytes = Budget::new(STREAM_BYTES);
        let live = LiveLimits { of_one: limits.live_bytes_of_one, buffers: Arc::clone(&stream_bytes) };
        let commits = CommitQueue::new(commits);
        let indexer = Arc::new(Indexer::new(
            Arc::clone(&engine),
            catalog.clone(),
            commits.clone(),
            limits.missing_indexes,
        ));
        let queries = Shared::new(limits.query_bytes, limits.query_bytes_of_one);
        let slow = Arc::new(SlowLog::new(limits.slow));
        let shared = LiveQueries {
            indexer: Arc::downgrade(&indexer),
            queries: queries.clone(),
            limits: live,
            slow: Arc::clone(&slow),
        };
        let (hub, hub_task) = Hub::start(Arc::clone(&engine), catalog.clone(), Arc::clone(&clock), shared)?;
        let collector =
            Collector::new(Arc::clone(&engine), Arc::clone(&clock), limits.keep, Arc::clone(&indexer));
        let inner = Arc::new(Inner {
            engine,
            catalog,
            transactions: Transactions::new(Arc::clone(&clock), limits.lock_wait),
            indexer,
            clock,
            limits,
            access: RwLock::new(Arc::new(OwnSubtree)),
            commit_hook: RwLock::new(None),
            hub,
            stream_bytes,
            queries,
            slow,
            tasks: Mutex::new(vec![hub_task]),
            commits,
            commit_counts,
            collector: Arc::new(collector),
            committer: Mutex::new(Some(thread)),
        });
        inner.indexer.resume()?;
        let collector = inner.collector.start();
        inner.tasks.lock().push(collector);
        Ok(Self(inner))
    }

    /// Databases of a project that were ever written to, by id. Reserved ones (`__…`) are not listed.
    ///
    /// # Errors
    /// None today; engines over a network may fail.
    pub async fn databases(&self, project: &str) -> Result<Vec<DatabaseId>> {
        let mut all = self.0.catalog.databases(project);
        all.retain(|id| !id.database.starts_with("__"));
        Ok(all)
    }

    /// Projects of all databases, in order.
    pub fn projects(&self) -> Vec<String> {
        self.0.catalog.projects()
    }

    /// Memory of messages that wait for the readers of all streams.
    pub fn stream_bytes(&self) -> &Arc<Budget> {
        &self.0.stream_bytes
    }

    /// Replaces the policy that callers are checked against.
    pub fn set_access(&self, access: Arc<dyn Access>) {
        *self.0.access.write() = access;
    }

    /// Sets what callers' commits pass after the policy.
    pub fn set_commit_hook(&self, hook: Arc<dyn CommitHook>) {
        *self.0.commit_hook.write() = Some(hook);
    }

    /// Measurements of the store. They do not keep it open.
    pub fn gauges(&self) -> Gauges {
        Gauges::of(&self.0)
    }

    /// Counters of garbage collection.
    pub fn garbage(&self) -> &Arc<Garbage> {
        self.0.collector.counts()
    }

    /// True if stored data could not be read since the start. Restart the process then: the start rebuilds the view.
    pub fn damaged(&self) -> bool {
        self.0.engine.distrusted()
    }

    /// Reason why commits are refused now, in words, or `None`. Checks the disk.
    pub fn refusal(&self) -> Option<String> {
        self.0.engine.refusal().map(|error| error.message().to_owned())
    }

    /// Completes with the reason once the store answers nothing any more until it is closed and opened anew: another node
    /// leads on the shared log, or its history was rewritten.
    pub async fn lost(&self) -> String {
        self.0.engine.lost().await
    }

    /// Source of the current time.
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// Refuses further commits, finishes those in flight and flushes. Later calls do nothing. The data folder is free
    /// for another process once the store and its databases are dropped.
    ///
    /// # Errors
    /// When the last flush fails.
    pub async fn close(&self) -> Result<()> {
        self.0.indexer.stop();
        self.0.commits.close();
        self.0.indexer.settled().await;
        let thread = self.0.committer.lock().take();
        if let Some(thread) = thread {
            let joined = tokio::task::spawn_blocking(move || thread.join()).await;
            if !matches!(joined, Ok(Ok(()))) {
                return Err(Error::new(Code::Internal, "CommitterFailed", "The committer ended abnormally."));
            }
        }
        let tasks = std::mem::take(&mut *self.0.tasks.lock());
        for task in tasks {
            task.abort();
            // It has ended or was aborted; either is fine.
            drop(task.await);
        }
        self.0.engine.close().await;
        Ok(())
    }
}

impl Inner {
    pub(crate) fn commits(&self) -> Result<Commits> {
        self.commits.open()
    }

    /// A reader for one query, once it has a permit; the server's own queries need none.
    ///
    /// # Errors
    /// `ResourceExhausted` when too many queries wait already.
    pub(crate) async fn paced(&self, reader: &Reader) -> Result<Reader> {
        let pace = match &reader.by {
            Author::System | Author::Unknown => None,
            by => Some(self.queries.query(by).await?),
        };
        Ok(Reader { pace, ..reader.clone() })
    }

    /// The newest visible version.
    pub(crate) fn visible(&self) -> Ts {
        *self.engine.visible().borrow()
    }

    /// Checks a version that a caller asks to read at.
    pub(crate) fn readable(&self, at: Option<Ts>) -> Result<Ts> {
        let visible = self.visible();
        let Some(at) = at else { return Ok(visible) };
        let now = self.clock.now();
        // The read time of a listener's snapshot is just after its newest commit.
        if at > now.max(visible.next()) {
            return Err(Error::invalid(
                "ReadTimeInFuture",
                "The requested 'read_time' cannot be in the future.",
            ));
        }
        let keep = u64::try_from(self.limits.keep.as_micros()).unwrap_or(u64::MAX);
        if at.micros() < now.micros().saturating_sub(keep) || at < self.engine.oldest() {
            return Err(Error::new(
                Code::FailedPrecondition,
                "ReadTimeTooOld",
                "The requested snapshot version is too old: only the last hour can be read, or less after much writing.",
            ));
        }
        Ok(at.min(visible))
    }
}

#[cfg(test)]
mod base_tests;
#[cfg(test)]
mod tests;
