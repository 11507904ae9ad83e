//! The storage contract: a versioned, ordered key space with a commit log.
//!
//! Every key has versions, each written at one [`Ts`]; a reader names the `Ts` it reads at and sees, for each key, the
//! newest version at or before it. Documents and index entries are both keys. Batches arrive with every key and value
//! already computed; an engine only stores them.
//!
//! [`MemoryEngine`] is one ordered map. [`DiskEngine`] has a data folder with a log, whose `fdatasync` acknowledges a
//! commit; a materialised view of the log ([`ViewEngine`]), which answers reads and can be rebuilt; snapshots, which allow older
//! log to be removed; and a checkpoint, which says from where a start replays the log. Between the log and the view,
//! commits are in a memtable, which readers consult too.

mod disk;
#[cfg(any(test, feature = "testing"))]
mod faulty;
mod map;
mod memory;
mod recent;
pub mod shared;
mod versions;

use std::sync::Arc;

use tokio::sync::watch;

use self::shared::SharedEngine;
#[cfg(test)]
pub(crate) use disk::SimEngine;
#[cfg(any(test, feature = "testing"))]
pub use disk::SimFiles;
pub use disk::fuzz;
pub use disk::{
    AppendFile, DEFAULT_CACHE, DEFAULT_HISTORY, DiskEngine, DiskOptions, DiskUsage, FOLDER_FORMAT,
    FOLDER_VERSION, Files, RealFiles, ScrubReport, ViewEngine, join, scrub,
};
pub(crate) use disk::{
    Blocks, Continuation, check_copy, copy_record, folder_files, read_snapshot, restore_snapshot,
    snapshot_damaged,
};
#[cfg(any(test, feature = "testing"))]
pub use faulty::Faults;
#[cfg(any(test, feature = "testing"))]
pub(crate) use faulty::FaultyEngine;
pub use memory::MemoryEngine;
pub use recent::{LogReader, RECENT_BYTES, Recent};

use crate::encoding::key::{DbNo, Key, KeyRange};
use crate::model::{DocPath, Document, Ts, document_memory};
use crate::{Code, Error, Result};

/// A stored value: an encoded document, or nothing at all for an index entry.
pub type Stored = Arc<[u8]>;

/// A leader's term; a later one fences every earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(pub u64);

/// One key's new version: a value, or `None` for "not there from now on".
#[derive(Debug, Clone)]
pub struct Put {
    /// Key.
    pub key: Key,
    /// Value from the commit's `Ts` on; `None` removes the key.
    pub value: Option<Stored>,
}

impl Put {
    /// The bytes of key and value.
    pub(crate) fn size(&self) -> usize {
        self.key.len() + self.value.as_ref().map_or(0, |value| value.len())
    }
}

/// One document's change in one commit.
#[derive(Debug, Clone)]
pub struct Change {
    /// Database of the document.
    pub database: DbNo,
    /// Name of the document.
    pub path: DocPath,
    /// Version before the commit, if the document existed.
    pub old: Option<Arc<Document>>,
    /// Version after the commit, if the document still exists.
    pub new: Option<Arc<Document>>,
}

/// One step of building an index: documents whose entries are added.
#[derive(Debug, Clone)]
pub struct Backfill {
    /// The index's number.
    pub index: u32,
    /// The documents whose entries are added, as they stood just before the commit.
    pub documents: Vec<(DbNo, DocPath)>,
}

/// Effects of one transaction: the unit of the log.
#[derive(Debug, Clone)]
pub struct Commit {
    /// Timestamp of the preceding commit; a reader can prove with it that it missed nothing.
    pub prev: Ts,
    /// Timestamp of the commit, which is the version of everything it writes.
    pub ts: Ts,
    /// The documents that changed, each once.
    pub changes: Vec<Change>,
    /// Author of the commit.
    pub author: Author,
    /// A step of an index's construction.
    pub backfill: Option<Backfill>,
    /// Every changed key: those of documents and of index entries.
    pub puts: Vec<Put>,
    /// Approximate memory the commit takes, in bytes; bounds how many are kept.
    pub weight: usize,
}

/// Author of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Author {
    /// Not recorded: logs of early versions had no authors.
    #[default]
    Unknown,
    /// The server's own work.
    System,
    /// An operator's token.
    Admin,
    /// The user with this id.
    User(String),
    /// A caller who was not signed in.
    Anonymous,
}

impl Author {
    /// True if the access policy applies to the author.
    pub(crate) fn is_under_rules(&self) -> bool {
        matches!(self, Self::User(_) | Self::Anonymous)
    }
}

impl Commit {
    /// A commit of these changes. Computes the weight.
    pub fn new(prev: Ts, ts: Ts, changes: Vec<Change>, backfill: Option<Backfill>, puts: Vec<Put>) -> Self {
        let documents = changes.iter().flat_map(|change| [&change.old, &change.new]).flatten();
        let documents: usize = documents.map(|document| document_memory(document)).sum();
        let keys = puts.iter().map(|put| put.size() + 64);
        let weight = documents + keys.sum::<usize>() + 256;
        Self { prev, ts, changes, author: Author::default(), backfill, puts, weight }
    }

    /// Sets the author.
    #[must_use]
    pub fn by(mut self, author: Author) -> Self {
        self.author = author;
        self
    }
}

/// Commits in ascending order, appended all or nothing.
pub type Batch = Vec<Arc<Commit>>;

/// Direction of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanDirection {
    /// Smallest key first.
    Forward,
    /// Largest key first.
    Backward,
}

/// A request for one page of a range.
#[derive(Debug, Clone)]
pub struct Scan<'a> {
    /// Keys to read.
    pub range: &'a KeyRange,
    /// Version to read at.
    pub at: Ts,
    /// Direction of the scan.
    pub direction: ScanDirection,
    /// Most live keys to return.
    pub limit: usize,
    /// Bytes of keys and values at which the page ends; the entry that reaches them is its last. `usize::MAX` for no limit.
    pub bytes: usize,
    /// True to return values; index entries have none.
    pub values: bool,
}

impl<'a> Scan<'a> {
    /// The whole range with values, forwards, in one page.
    pub const fn all(range: &'a KeyRange, at: Ts) -> Self {
        Self {
            range,
            at,
            direction: ScanDirection::Forward,
            limit: usize::MAX,
            bytes: usize::MAX,
            values: true,
        }
    }
}

/// One page of a scan.
#[derive(Debug, Default)]
pub struct Page {
    /// Live keys in the scan's order, with their values if the scan asked for them.
    pub entries: Vec<(Key, Stored)>,
    /// Versions examined, dead and superseded ones included: the true cost of the page.
    pub examined: u64,
    /// True if the range ends with this page.
    pub done: bool,
}

/// Scope of [`Engine::collect_garbage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GcScope {
    /// Versions that commits have replaced, in commit order; the cost follows what was written.
    Replaced,
    /// The whole key space; the cost follows what is stored, and leftovers of a crash are found.
    Everything,
}

/// Result of one slice of [`Engine::collect_garbage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GcProgress {
    /// Versions removed.
    pub dropped: usize,
    /// Versions examined.
    pub examined: usize,
    /// True if the pass is complete; the next call begins another one.
    pub done: bool,
}

/// A versioned, ordered key space with a commit log. One term appends; every node reads.
pub trait Engine: Send + Sync + 'static {
    /// Starts a new term, which fences every earlier one.
    fn lead(&self) -> impl Future<Output = Result<Term>> + Send;

    /// Appends a batch, all or nothing. `Ok` means that the batch is durable and visible.
    ///
    /// # Errors
    /// `Aborted` (`Fenced`) when `term` is over: the leader then steps down. `Unknown` when the batch may or may not be
    /// stored; every other code means that nothing of it is. A later append may succeed.
    fn append(&self, term: Term, batch: Batch) -> impl Future<Output = Result<()>> + Send;

    /// The highest `Ts` that may be read.
    fn visible(&self) -> watch::Receiver<Ts>;

    /// Reads the values of `keys` at `at`.
    fn get(&self, keys: &[Key], at: Ts) -> impl Future<Output = Result<Vec<Option<Stored>>>> + Send;

    /// Reads one page of a range at a version.
    fn scan(&self, scan: &Scan<'_>) -> impl Future<Output = Result<Page>> + Send;

    /// The commits after `after`, in order, then live.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when commits after `after` are no longer kept.
    fn log(&self, after: Ts) -> Result<LogReader>;

    /// Removes versions that no reader at or after `before` can see, and the commits before it from the log. Removes
    /// later ones too when there are more than the engine may keep. Examines about `slice` versions and resumes where
    /// the last call with the same scope stopped.
    fn collect_garbage(
        &self,
        before: Ts,
        scope: GcScope,
        slice: usize,
    ) -> impl Future<Output = Result<GcProgress>> + Send;
}

/// All engines, dispatched by `match` instead of `dyn`.
#[derive(Debug)]
pub enum AnyEngine {
    /// In memory only; lost at exit.
    Memory(MemoryEngine),
    /// A log on disk and a materialised view of it.
    Disk(Box<DiskEngine>),
    /// A copy of a log that nodes share.
    Shared(Box<SharedEngine>),
    /// A log on a simulated disk.
    #[cfg(test)]
    Simulated(Box<SimEngine>),
    /// In memory, with injected read failures.
    #[cfg(any(test, feature = "testing"))]
    Faulty(Box<FaultyEngine>),
}

macro_rules! each {
    ($self:ident, $engine:ident => $call:expr) => {
        match $self {
            AnyEngine::Memory($engine) => $call,
            AnyEngine::Disk($engine) => $call,
            AnyEngine::Shared($engine) => $call,
            #[cfg(test)]
            AnyEngine::Simulated($engine) => $call,
            #[cfg(any(test, feature = "testing"))]
            AnyEngine::Faulty($engine) => $call,
        }
    };
}

impl Engine for AnyEngine {
    async fn lead(&self) -> Result<Term> {
        each!(self, engine => engine.lead().await)
    }
    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        each!(self, engine => engine.append(term, batch).await)
    }
    fn visible(&self) -> watch::Receiver<Ts> {
        each!(self, engine => engine.visible())
    }
    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        each!(self, engine => engine.get(keys, at).await)
    }
    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        each!(self, engine => engine.scan(scan).await)
    }
    fn log(&self, after: Ts) -> Result<LogReader> {
        each!(self, engine => engine.log(after))
    }
    async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        each!(self, engine => engine.collect_garbage(before, scope, slice).await)
    }
}

impl AnyEngine {
    /// True if a read of stored data has failed since the start; results of reads are then unreliable.
    pub(crate) fn distrusted(&self) -> bool {
        match self {
            Self::Disk(engine) => engine.distrusted(),
            Self::Shared(engine) => engine.distrusted(),
            Self::Memory(_) => false,
            #[cfg(test)]
            Self::Simulated(_) => false,
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => false,
        }
    }

    /// Leaves the term, where there are others that wait for its end. Nothing is appended afterwards.
    pub(crate) async fn close(&self) {
        if let Self::Shared(engine) = self {
            engine.close().await;
        }
    }

    /// Completes with the words once the engine answers nothing any more until it is opened anew.
    pub(crate) async fn lost(&self) -> String {
        match self {
            Self::Shared(engine) => engine.lost().await,
            _ => std::future::pending().await,
        }
    }

    /// Reason why a commit would wait in vain for its decision, or `None`.
    pub(crate) fn away(&self) -> Option<Error> {
        match self {
            Self::Shared(engine) => engine.away(),
            _ => None,
        }
    }

    /// Reason why commits are refused now, or `None`.
    pub(crate) fn refusal(&self) -> Option<Error> {
        match self {
            Self::Disk(engine) => engine.refusal(),
            Self::Shared(engine) => engine.refusal(),
            Self::Memory(_) => None,
            #[cfg(test)]
            Self::Simulated(engine) => engine.refusal(),
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => None,
        }
    }

    /// Disk use; `None` in memory.
    pub(crate) fn usage(&self) -> Option<DiskUsage> {
        match self {
            Self::Disk(engine) => Some(engine.usage()),
            Self::Shared(engine) => Some(engine.usage()),
            Self::Memory(_) => None,
            #[cfg(test)]
            Self::Simulated(_) => None,
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => None,
        }
    }

    /// Pins the newest version, so that it can be read until [`Self::unpin`]; `None` if the engine keeps nothing on a
    /// disk, of which there is nothing to back up.
    pub(crate) fn pin(&self) -> Option<Ts> {
        match self {
            Self::Disk(engine) => Some(engine.pin()),
            Self::Shared(engine) => Some(engine.pin()),
            Self::Memory(_) => None,
            #[cfg(test)]
            Self::Simulated(engine) => Some(engine.pin()),
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => None,
        }
    }

    /// Takes a pin away again.
    pub(crate) fn unpin(&self, at: Ts) {
        match self {
            Self::Disk(engine) => engine.unpin(at),
            Self::Shared(engine) => engine.unpin(at),
            Self::Memory(_) => {}
            #[cfg(test)]
            Self::Simulated(engine) => engine.unpin(at),
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => {}
        }
    }

    /// The oldest readable version; reads at older ones are refused.
    pub(crate) fn oldest(&self) -> Ts {
        each!(self, engine => engine.oldest())
    }
}

/// Keys that these puts replaced; their older versions become garbage once no reader goes back before the commit. The
/// flag is true if the key itself is removed. A put without a value is a new index entry and replaces nothing.
fn replaced_keys(puts: &[Put]) -> Vec<(Key, bool)> {
    let replacing = puts.iter().filter(|put| put.value.as_ref().is_none_or(|value| !value.is_empty()));
    replacing.map(|put| (put.key.clone(), put.value.is_none())).collect()
}

/// Error of a read whose version was garbage-collected meanwhile.
fn version_collected() -> Error {
    Error::new(
        Code::Aborted,
        "VersionCollected",
        "So much was written meanwhile that the version being read was garbage-collected. Please try again.",
    )
}

/// Error of a writer whose term is over.
pub fn fenced() -> Error {
    Error::new(Code::Aborted, "Fenced", "Another leader has taken over; retry the commit.")
}
