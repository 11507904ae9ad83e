//! The log that several nodes share: the contract of the place where their commits lie.
//!
//! A shared log is a chain of batches with one end, the [`Head`]. One node at a time leads, in a [`Term`] of its own, and
//! appends; all nodes read. Behind the log lie documents in their newest version (the [`Base`]), from which a node
//! begins whose place in the log is no longer kept.
//!
//! # Safety rests on the head alone
//! An append states its term and its predecessor, and is stored only while the head has exactly these. So batches of
//! two leaders never interleave, whatever clocks, leases and networks do. Leases only spare a new leader the refusals.
//!
//! # Unknown outcomes
//! When a connection ends during an append, the batch may be stored, may never be, or may still be on its way and be
//! stored a minute later: reading the log once decides nothing. [`settle`] begins a new term first, which refuses
//! whatever is still on its way, and reads then.
//!
//! # Rewritten histories
//! A database that fell back to an older state (a standby promoted before it had everything, a backup restored) goes on
//! from there with other batches. Each batch names its predecessor by time and id, so every reader notices at its next
//! read, and must then drop all it has and begin from the base.

mod any;
mod chain;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod node;
mod payload;
mod settle;
#[cfg(any(test, feature = "testing"))]
pub mod suite;
#[cfg(test)]
mod tests;

use std::fmt;

use bytes::Bytes;
use futures::stream::BoxStream;
use tokio::sync::watch;

pub use self::any::AnyLog;
pub use self::chain::{Chain, history_rewritten};
#[cfg(any(test, feature = "testing"))]
pub use self::memory::{MemoryConnection, MemoryLog, Network, Standby};
pub use self::node::{
    DeriveEntries, EntriesOf, KEEP_LOG, LEASE, SharedEngine, SharedOptions, TAKE_OVER_AFTER, cluster_of_copy,
};
pub use self::settle::{Settled, Unsettled, settle};
use super::{Stored, Term};
use crate::encoding::key::Key;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Most bytes of one batch's payload: what a commit of the largest size takes with all its index entries, several times
/// over, and a quarter of what PostgreSQL takes in one value.
pub const MAX_BATCH_BYTES: usize = 256 << 20;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u128);

        impl fmt::Display for $name {
            /// As a UUID is written.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let hex = format!("{:032x}", self.0);
                write!(f, "{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    };
}

id!(
    /// Identity of the data: drawn once, when an empty database is set up.
    ClusterId
);
id!(
    /// One run of one node: drawn at each start. Zero stands for nobody.
    NodeId
);
id!(
    /// Identity of a batch, drawn by its leader. Zero is the beginning of the log.
    BatchId
);

/// A place in the log: just after the batch with this time and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// Time of the batch's last commit; where there is no batch yet, [`Ts::ZERO`].
    pub ts: Ts,
    /// Id of the batch.
    pub batch: BatchId,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.ts, self.batch)
    }
}

/// The end of the log, and who may append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Identity of the data.
    pub cluster: ClusterId,
    /// The term in which batches are appended; 0 before the first.
    pub term: Term,
    /// Node that leads in it.
    pub leader: NodeId,
    /// The last batch.
    pub position: Position,
    /// Rises with every append, beat and change of term: a sign of the leader's life.
    pub beat: u64,
    /// The documents of the base are exactly those of this place; batches up to it may be trimmed.
    pub folded: Position,
}

/// A batch to append.
#[derive(Debug, Clone)]
pub struct NewBatch {
    /// Place it makes: the time of its last commit and an id of its own.
    pub position: Position,
    /// The last batch so far, by what the leader knows.
    pub prev: Position,
    /// Contents, at most [`MAX_BATCH_BYTES`]; the log does not look into them.
    pub payload: Bytes,
}

/// A batch of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogBatch {
    /// Its place.
    pub position: Position,
    /// The place of its predecessor.
    pub prev: Position,
    /// Term in which it was appended.
    pub term: Term,
    /// Contents.
    pub payload: Bytes,
}

/// A part of the log and its end, of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The head at that moment.
    pub head: Head,
    /// Batches in order, each the successor of the one before.
    pub batches: Vec<LogBatch>,
}

/// One document of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseDocument {
    /// Key of the document.
    pub key: Key,
    /// Time of the commit that wrote it.
    pub ts: Ts,
    /// The encoded document.
    pub value: Stored,
}

/// Every document as it was at one place of the log.
pub struct Base {
    /// That place: whoever has read all documents goes on from it.
    pub at: Position,
    /// The documents, in parts of about [`BASE_PART_BYTES`], in any order, each once. Ends after the first error.
    pub documents: BoxStream<'static, Result<Vec<BaseDocument>>>,
}

/// Bytes of documents in one part of a [`Base`]: large enough to be cheap, small enough to hold a few in memory.
pub const BASE_PART_BYTES: usize = 1 << 20;

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Base").field("at", &self.at).finish_non_exhaustive()
    }
}

/// The newest version of one document, for the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// Key of the document.
    pub key: Key,
    /// Time of the commit that wrote or removed it.
    pub ts: Ts,
    /// The encoded document; `None` if it was removed.
    pub value: Option<Stored>,
}

/// A step of the base along the log.
#[derive(Debug, Clone)]
pub struct Fold {
    /// The place at which the base is.
    pub from: Position,
    /// The place to which it moves, of a batch in the log.
    pub to: Position,
    /// The documents that changed in between, each once, as they are at `to`.
    pub documents: Vec<Folded>,
}

/// A log that several nodes share, as one node sees it. See the module's description.
///
/// Every call may fail with `Unavailable` when the log cannot be reached: nothing has happened then, and the call may be
/// repeated. Calls that change something fail with `Unknown` ([`OUTCOME_UNKNOWN`]) when they may have happened. Other
/// failures to reach it name their cause and say what to do: `FailedPrecondition` for a database that is not this
/// cluster's, not of this format or not to be entered.
pub trait SharedLog: Send + Sync + fmt::Debug + 'static {
    /// The head as it is now, not as it was when this node last heard of it.
    fn head(&self) -> impl Future<Output = Result<Head>> + Send;

    /// Begins the next term with this node as its leader, if the head has not changed since `seen`: nobody has led,
    /// appended or beaten meanwhile. From then on nothing of an earlier term is stored, even if it is on its way.
    /// Returns the new head, whose position is the place that the first append follows.
    ///
    /// # Errors
    /// `Aborted` ([`HEAD_MOVED`]) when the head has changed. `FailedPrecondition` ([`CLOCK_OFF`]) when this node's clock
    /// differs from the database's by more than [`MAX_CLOCK_SKEW`]. `Unknown` as above: look at the head then.
    fn take_over(&self, seen: &Head) -> impl Future<Output = Result<Head>> + Send;

    /// Shows that the leader lives. An append does too.
    ///
    /// # Errors
    /// `Aborted` (`Fenced`) when this node's term is over.
    fn beat(&self, term: Term) -> impl Future<Output = Result<()>> + Send;

    /// Appends a batch, all or nothing. `Ok` means that it is durable, and that every later [`Self::head`] of any node
    /// shows it.
    ///
    /// # Errors
    /// `Aborted` (`Fenced`) when this node does not lead in `term` or `prev` is not the last batch: nothing is stored,
    /// and the leader steps down. `Unknown` when the batch may or may not be stored: [`settle`] finds out, and nothing
    /// else may be appended before. `InvalidArgument` when the batch is too large or not later than its predecessor.
    /// Every other code means that nothing is stored.
    fn append(&self, term: Term, batch: NewBatch) -> impl Future<Output = Result<()>> + Send;

    /// The batches after `after`, in order, until they have `bytes` bytes; at least one if there is any.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when batches after `after` are no longer kept: begin from the base. `DataLoss`
    /// ([`HISTORY_REWRITTEN`]) when the log never had a batch `after`: drop everything that was read from it, and begin
    /// from the base. `DataLoss` ([`LOG_GAP`]) when batches are missing that must be there: the database is damaged.
    fn read(&self, after: Position, bytes: usize) -> impl Future<Output = Result<Slice>> + Send;

    /// All documents, of one moment.
    fn base(&self) -> impl Future<Output = Result<Base>> + Send;

    /// Moves the base along the log, all or nothing.
    ///
    /// # Errors
    /// `Aborted` ([`BASE_MOVED`]) when the base is not at `from`, or the log has no batch `to`. `Unknown` as above: the
    /// head shows where the base is.
    fn fold(&self, fold: Fold) -> impl Future<Output = Result<()>> + Send;

    /// Removes the oldest batches up to `up_to`, `most` at a time and only what is folded. Returns their number; 0 when
    /// no more are due.
    fn trim(&self, up_to: Ts, most: usize) -> impl Future<Output = Result<usize>> + Send;

    /// The end of the log by the last news of it. A hint to read: it may lag behind the log, and after a rewritten
    /// history it goes back. A change of it is never missed for longer than the implementation's poll takes.
    fn news(&self) -> watch::Receiver<Position>;
}

/// Largest difference between the clock of a leader and that of the database.
pub const MAX_CLOCK_SKEW: std::time::Duration = std::time::Duration::from_secs(5);

/// Tag of an error after which a change may or may not have happened.
pub const OUTCOME_UNKNOWN: &str = "OutcomeUnknown";
/// Tag of a take-over that came after a sign of life of somebody else.
pub const HEAD_MOVED: &str = "HeadMoved";
/// Tag of a fold that does not continue the base.
pub const BASE_MOVED: &str = "BaseMoved";
/// Tag of a read from a place that the log does not have and never had.
pub const HISTORY_REWRITTEN: &str = "HistoryRewritten";
/// Tag of a read of a damaged log.
pub const LOG_GAP: &str = "LogGap";
/// Tag of a refused take-over of a node whose clock is wrong.
pub const CLOCK_OFF: &str = "ClockOff";

/// Error of a change that may or may not have happened.
pub fn outcome_unknown() -> Error {
    Error::new(
        Code::Unknown,
        OUTCOME_UNKNOWN,
        "The connection to the database ended before it had answered: the change may or may not be stored.",
    )
}

/// Error of a take-over that came after a sign of life of somebody else.
pub fn head_moved() -> Error {
    Error::new(Code::Aborted, HEAD_MOVED, "Another node leads or has begun to; look at the head again.")
}

/// Error of a fold that does not continue the base.
pub fn base_moved() -> Error {
    Error::new(
        Code::Aborted,
        BASE_MOVED,
        "Another node has folded the log, or its history was rewritten; look at the head again.",
    )
}

impl NewBatch {
    /// Checks what can be checked without the log.
    ///
    /// # Errors
    /// `InvalidArgument` as in [`SharedLog::append`].
    pub fn check(&self) -> Result<()> {
        if self.payload.len() > MAX_BATCH_BYTES {
            let message = format!(
                "A batch of commits takes {} MiB; the shared store takes {} MiB at most. Write less at a time.",
                self.payload.len() >> 20,
                MAX_BATCH_BYTES >> 20
            );
            return Err(Error::invalid("BatchTooLarge", message));
        }
        if self.position.ts <= self.prev.ts {
            return Err(Error::invalid(
                "BatchNotLater",
                format!("A batch at {} cannot follow one at {}.", self.position.ts, self.prev.ts),
            ));
        }
        Ok(())
    }
}

impl Fold {
    /// Checks what can be checked without the log.
    ///
    /// # Errors
    /// `InvalidArgument` when the step does not lead forward or a document is not of its time.
    pub fn check(&self) -> Result<()> {
        let within = |document: &Folded| document.ts > self.from.ts && document.ts <= self.to.ts;
        if self.to.ts > self.from.ts && self.documents.iter().all(within) {
            return Ok(());
        }
        let message = format!("The base cannot move from {} to {} with these documents.", self.from, self.to);
        Err(Error::invalid("FoldOutOfOrder", message))
    }
}
