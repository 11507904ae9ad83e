//! The storage contract: a versioned, ordered key space with a commit log.
//!
//! Every key has versions, each written at one [`Ts`]; a reader names the `Ts` it reads at and sees, for each
//! key, the newest version at or before it. Documents and index entries are both just keys. Batches arrive
//! with everything already computed, so an engine does no thinking.
//!
//! [`MemoryEngine`] is one ordered map. [`DiskEngine`] has a folder: a log, whose `fdatasync` is what an acknowledgement
//! means; a materialised view of it in sled, which answers reads and can be rebuilt; snapshots, after which older log can go;
//! and a checkpoint, which says how much of the log a start has to read again. Commits wait in memory between the log and
//! the view, in a memtable, where readers see them too.

mod disk;
#[cfg(any(test, feature = "testing"))]
mod faulty;
mod map;
mod memory;
mod recent;
mod versions;

use std::sync::Arc;

use tokio::sync::watch;

pub use disk::fuzz;
pub use disk::{DEFAULT_CACHE, DEFAULT_HISTORY, DiskEngine, DiskOptions};
#[cfg(test)]
pub(crate) use disk::{SimEngine, SimFiles};
#[cfg(any(test, feature = "testing"))]
pub use faulty::Faults;
#[cfg(any(test, feature = "testing"))]
pub(crate) use faulty::FaultyEngine;
pub use memory::MemoryEngine;
pub use recent::{LogReader, RECENT_BYTES, Recent};

use crate::key::{DbNo, Key, KeyRange};
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
    /// The key.
    pub key: Key,
    /// What it holds from the commit's `Ts` on.
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
    /// The database it is in.
    pub database: DbNo,
    /// Its name.
    pub path: DocPath,
    /// The version before, if it existed.
    pub old: Option<Arc<Document>>,
    /// The version after, if it still exists.
    pub new: Option<Arc<Document>>,
}

/// Documents that an index under construction takes in.
#[derive(Debug, Clone)]
pub struct Backfill {
    /// The index's number.
    pub index: u32,
    /// The documents whose entries are added, as they stood just before the commit.
    pub documents: Vec<(DbNo, DocPath)>,
}

/// What one transaction did: the unit of the log.
#[derive(Debug)]
pub struct Commit {
    /// The commit before this one, so that a reader can prove that it missed nothing.
    pub prev: Ts,
    /// When: its version.
    pub ts: Ts,
    /// The documents that changed, each once.
    pub changes: Vec<Change>,
    /// Who made it.
    pub author: Author,
    /// A step of an index's construction.
    pub backfill: Option<Backfill>,
    /// Every key that changes: the documents' and their index entries'.
    pub puts: Vec<Put>,
    /// The bytes this commit holds in memory, for bounding how many are kept.
    pub weight: usize,
}

/// Who made a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Author {
    /// Nobody knows any more: logs had no authors once.
    #[default]
    Unknown,
    /// The server's own work.
    System,
    /// An operator's token.
    Admin,
    /// The user with this id.
    User(String),
    /// Somebody who was not signed in.
    Anonymous,
}

impl Author {
    /// Whether the access policy binds them.
    pub(crate) fn is_under_rules(&self) -> bool {
        matches!(self, Self::User(_) | Self::Anonymous)
    }
}

impl Commit {
    /// A commit of these changes; its weight is about what it keeps in memory.
    pub fn new(prev: Ts, ts: Ts, changes: Vec<Change>, backfill: Option<Backfill>, puts: Vec<Put>) -> Self {
        let documents = changes.iter().flat_map(|change| [&change.old, &change.new]).flatten();
        let documents: usize = documents.map(|document| document_memory(document)).sum();
        let keys = puts.iter().map(|put| put.size() + 64);
        let weight = documents + keys.sum::<usize>() + 256;
        Self { prev, ts, changes, author: Author::default(), backfill, puts, weight }
    }

    /// The same, made by `author`.
    #[must_use]
    pub fn by(mut self, author: Author) -> Self {
        self.author = author;
        self
    }
}

/// Commits in rising order, appended all or nothing.
pub type Batch = Vec<Arc<Commit>>;

/// Which way a scan runs.
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
    /// The keys.
    pub range: &'a KeyRange,
    /// The version to read at.
    pub at: Ts,
    /// Which way.
    pub direction: ScanDirection,
    /// How many live keys at most.
    pub limit: usize,
    /// Whether values are wanted; index entries have none.
    pub values: bool,
}

/// One page of a scan.
#[derive(Debug, Default)]
pub struct Page {
    /// Live keys with their values (empty unless asked for), in the scan's order.
    pub entries: Vec<(Key, Stored)>,
    /// Versions looked at, dead and superseded ones included: the honest cost.
    pub examined: u64,
    /// Whether the range ends here.
    pub done: bool,
}

/// What [`Engine::collect_garbage`] goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GcScope {
    /// What commits have replaced, in their order: costs what was written.
    Replaced,
    /// The whole key space: costs what is stored, and finds what a crash has left behind.
    Everything,
}

/// What one slice of [`Engine::collect_garbage`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GcProgress {
    /// Versions dropped.
    pub dropped: usize,
    /// Versions looked at.
    pub examined: usize,
    /// Whether everything there is has been gone through; the next call starts over.
    pub done: bool,
}

/// A versioned, ordered key space with a commit log. One term appends; every node reads.
pub trait Engine: Send + Sync + 'static {
    /// Starts a new term, which fences every earlier one.
    fn lead(&self) -> impl Future<Output = Result<Term>> + Send;

    /// Appends a batch, all or nothing. `Ok` means that no crash can lose it; then it is also visible.
    ///
    /// # Errors
    /// `Aborted` (`Fenced`) when `term` is over: the leader then steps down. `Unknown` when the batch may or may not be
    /// stored; every other code says that nothing of it is. A later append may succeed.
    fn append(&self, term: Term, batch: Batch) -> impl Future<Output = Result<()>> + Send;

    /// The highest `Ts` a reader may use here.
    fn visible(&self) -> watch::Receiver<Ts>;

    /// The values of `keys` at `at`.
    fn get(&self, keys: &[Key], at: Ts) -> impl Future<Output = Result<Vec<Option<Stored>>>> + Send;

    /// One page of a range at a version.
    fn scan(&self, scan: &Scan<'_>) -> impl Future<Output = Result<Page>> + Send;

    /// The commits after `after`, in order, then live.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when commits after `after` are no longer kept.
    fn log(&self, after: Ts) -> Result<LogReader>;

    /// Drops versions that no reader at or after `before` can see, and commits before it from the log; also later ones,
    /// as far as they are more than the engine may keep. Looks at about `slice` versions and goes on where the last
    /// call of the same scope stopped.
    fn collect_garbage(
        &self,
        before: Ts,
        scope: GcScope,
        slice: usize,
    ) -> impl Future<Output = Result<GcProgress>> + Send;
}

/// The engines, dispatched without `dyn`.
#[derive(Debug)]
pub enum AnyEngine {
    /// Everything in memory; gone at exit.
    Memory(MemoryEngine),
    /// A log on disk and a materialised view of it.
    Disk(Box<DiskEngine>),
    /// A log on a simulated disk.
    #[cfg(test)]
    Simulated(Box<SimEngine>),
    /// In memory, with reads that fail when told to.
    #[cfg(any(test, feature = "testing"))]
    Faulty(Box<FaultyEngine>),
}

macro_rules! each {
    ($self:ident, $engine:ident => $call:expr) => {
        match $self {
            AnyEngine::Memory($engine) => $call,
            AnyEngine::Disk($engine) => $call,
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
    /// Whether a read of what is stored has failed since the start, so that nothing read here is to be relied on.
    pub(crate) fn distrusted(&self) -> bool {
        match self {
            Self::Disk(engine) => engine.distrusted(),
            Self::Memory(_) => false,
            #[cfg(test)]
            Self::Simulated(_) => false,
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => false,
        }
    }

    /// Why commits are refused now; nothing when they are not.
    pub(crate) fn refusal(&self) -> Option<Error> {
        match self {
            Self::Disk(engine) => engine.refusal(),
            Self::Memory(_) => None,
            #[cfg(test)]
            Self::Simulated(engine) => engine.refusal(),
            #[cfg(any(test, feature = "testing"))]
            Self::Faulty(_) => None,
        }
    }

    /// The oldest version that can be read; reads at older ones are refused.
    pub(crate) fn oldest(&self) -> Ts {
        each!(self, engine => engine.oldest())
    }
}

/// The keys whose older versions go once nobody reads before these commits' puts, and whether the keys are gone
/// altogether. A key without a value is an index entry: it was not there before, so it replaced nothing.
fn replaced_keys(puts: &[Put]) -> Vec<(Key, bool)> {
    let replacing = puts.iter().filter(|put| put.value.as_ref().is_none_or(|value| !value.is_empty()));
    replacing.map(|put| (put.key.clone(), put.value.is_none())).collect()
}

/// The error of a reader whose version was garbage-collected during the read.
fn version_collected() -> Error {
    Error::new(
        Code::Aborted,
        "VersionCollected",
        "So much was written meanwhile that the version being read was garbage-collected. Please try again.",
    )
}

/// The error of a writer whose term is over.
pub fn fenced() -> Error {
    Error::new(Code::Aborted, "Fenced", "Another leader has taken over; retry the commit.")
}
