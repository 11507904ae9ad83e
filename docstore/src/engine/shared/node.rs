//! The engine of a node on a shared log.
//!
//! The log has the truth. The node keeps a copy of it in a folder ([`copy`]), which answers reads, and which a start
//! brings up to date or makes anew. The node begins a term ([`leading`]), appends what it commits ([`appending`]) and
//! shows its readers a batch once the log has it. It folds the log into the base and trims it ([`folding`]).
//!
//! # When the node may answer
//! Another node takes over when it has seen no sign of life for [`TAKE_OVER_AFTER`]. So the node answers reads only while
//! its last statement in its term began less than [`LEASE`] ago; afterwards they wait, and fail in the end. Both are
//! lengths of time on one machine each: clocks are not compared.

mod appending;
mod copy;
mod folding;
mod leading;
mod role;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::appending::Appended;
pub use self::copy::cluster_of_copy;
use self::role::Standing;
use super::{AnyLog, ClusterId, NodeId, Position};
use crate::clock::SharedClock;
use crate::encoding::key::{DbNo, Key};
use crate::engine::disk::{DiskEngine, DiskOptions};
use crate::engine::recent::LogReader;
use crate::engine::{Batch, DiskUsage, Engine, GcProgress, GcScope, Page, Scan, Stored, Term, ViewEngine};
use crate::model::{Document, Ts};
use crate::{Error, Result};

/// Time for which a leader answers reads after the beginning of its last statement.
pub const LEASE: Duration = Duration::from_secs(3);
/// Time without a sign of the leader's life after which another node takes over.
pub const TAKE_OVER_AFTER: Duration = Duration::from_millis(5_500);
/// Time between two signs of life of a leader that appends nothing.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// Longest wait for the log of whoever asks for something, or commits. An append whose outcome is open by then is settled
/// behind its callers' backs.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Pause before the log is asked again.
const RETRY: Duration = Duration::from_millis(100);
/// Default of [`SharedOptions::keep_log`].
pub const KEEP_LOG: Duration = Duration::from_secs(24 * 3_600);

/// The index entries of documents, by the catalogue among them.
pub type DeriveEntries = fn(catalog: &[Document]) -> EntriesOf;
/// The index entries of a document of a database.
pub type EntriesOf = Box<dyn Fn(DbNo, &Document) -> Vec<Key> + Send>;

/// Options of a node on a shared log.
#[derive(Clone)]
pub struct SharedOptions {
    /// The log.
    pub log: AnyLog,
    /// This run of this node, by which the log knows it.
    pub node: NodeId,
    /// Folder of the copy.
    pub folder: PathBuf,
    /// Engine that holds the copy's view.
    pub view: ViewEngine,
    /// Size of the view's cache, in bytes.
    pub cache: u64,
    /// Local log kept for reading old versions, in bytes.
    pub history: u64,
    /// Age from which folded batches are trimmed.
    pub keep_log: Duration,
    /// Source of the current time.
    pub clock: SharedClock,
    /// Deriver of index entries, which the log's documents come without.
    pub entries: DeriveEntries,
}

impl fmt::Debug for SharedOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedOptions")
            .field("log", &self.log)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl SharedOptions {
    fn disk(&self) -> DiskOptions {
        let (folder, now) = (self.folder.clone(), self.clock.now());
        DiskOptions { folder, cache: self.cache, history: self.history, view: self.view, now }
    }
}

/// The engine of a node on a shared log.
#[derive(Debug)]
pub struct SharedEngine {
    node: Arc<Node>,
    /// Tasks that show life, fold and trim, and those that settle late appends.
    upkeep: Mutex<Vec<JoinHandle<()>>>,
}

/// Everything that the engine and its tasks share.
#[derive(Debug)]
struct Node {
    log: AnyLog,
    id: NodeId,
    cluster: ClusterId,
    clock: SharedClock,
    keep_log: Duration,
    copy: DiskEngine,
    standing: watch::Sender<Standing>,
    /// The copy's place. Held while something is appended.
    place: Arc<tokio::sync::Mutex<Place>>,
    /// Bytes appended since the last fold began.
    unfolded: std::sync::atomic::AtomicU64,
}

/// The place that the copy has come to.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: Position,
    /// The leader left its term with the last batch.
    leaves: bool,
}

impl SharedEngine {
    /// Brings the folder's copy up to date with the log, or makes it anew. Call it within a tokio runtime; it blocks on the
    /// disk now and then.
    ///
    /// # Errors
    /// Those of the log; `FailedPrecondition` when another process holds the folder or it is not a copy.
    pub async fn open(options: SharedOptions) -> Result<Self> {
        let node = Arc::new(Node::open(options).await?);
        Ok(Self { node, upkeep: Mutex::default() })
    }

    /// Leaves the term, so that the next node need not wait, and appends nothing more.
    pub async fn close(&self) {
        let tasks = std::mem::take(&mut *self.upkeep.lock());
        tasks.iter().for_each(JoinHandle::abort);
        for task in tasks {
            // It was aborted; a panic was reported.
            drop(task.await);
        }
        self.node.leave().await;
    }

    /// Reason why commits are refused now, or `None`.
    pub(crate) fn refusal(&self) -> Option<Error> {
        self.node.refusal().or_else(|| self.node.copy.refusal())
    }

    /// Reason why a commit would wait in vain, or `None`.
    pub(crate) fn away(&self) -> Option<Error> {
        self.node.refusal()
    }

    /// Completes with the words when the node has lost its term: it answers nothing until it is opened anew.
    pub(crate) async fn lost(&self) -> String {
        let mut standing = self.node.standing.subscribe();
        let left = standing.wait_for(|standing| matches!(standing, Standing::Left(_))).await;
        match left.as_deref() {
            Ok(Standing::Left(why)) => why.clone(),
            // The sender lives as long as the engine.
            _ => std::future::pending().await,
        }
    }

    /// True if a read of the copy's view has failed since the start.
    pub(crate) fn distrusted(&self) -> bool {
        self.node.copy.distrusted()
    }

    /// Disk use of the copy.
    pub(crate) fn usage(&self) -> DiskUsage {
        self.node.copy.usage()
    }

    pub(crate) fn pin(&self) -> Ts {
        self.node.copy.pin()
    }

    pub(crate) fn unpin(&self, at: Ts) {
        self.node.copy.unpin(at);
    }

    pub(crate) fn oldest(&self) -> Ts {
        self.node.copy.oldest()
    }
}

impl Drop for SharedEngine {
    fn drop(&mut self) {
        self.upkeep.lock().iter().for_each(JoinHandle::abort);
    }
}

impl Engine for SharedEngine {
    async fn lead(&self) -> Result<Term> {
        let term = self.node.lead().await?;
        *self.upkeep.lock() = vec![
            tokio::spawn(Arc::clone(&self.node).keep_heartbeat()),
            tokio::spawn(Arc::clone(&self.node).keep_folding()),
        ];
        Ok(term)
    }
    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        let late = match Node::append(&self.node, term, batch).await {
            Appended::Done(outcome) => return outcome,
            Appended::Late(late) => late,
        };
        let mut upkeep = self.upkeep.lock();
        upkeep.retain(|task| !task.is_finished());
        upkeep.push(tokio::spawn(late));
        Err(appending::late())
    }
    fn visible(&self) -> watch::Receiver<Ts> {
        self.node.copy.visible()
    }
    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        self.node.readable().await?;
        self.node.copy.get(keys, at).await
    }
    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        self.node.readable().await?;
        self.node.copy.scan(scan).await
    }
    fn log(&self, after: Ts) -> Result<LogReader> {
        self.node.copy.log(after)
    }
    async fn collect_garbage(&self, before: Ts, scope: GcScope, slice: usize) -> Result<GcProgress> {
        self.node.copy.collect_garbage(before, scope, slice).await
    }
}
