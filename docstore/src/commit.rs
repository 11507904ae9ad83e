//! Commits: drafts of callers, and the single task that validates, orders and stores them.
//!
//! A [`Draft`] waits in a queue of [`QUEUE_DRAFTS`]. The committer decides drafts in order, each after all before it:
//! its reads must not have changed, its preconditions must hold; transforms are computed, and the new documents
//! determine the index entries to remove and to add. A draft that fails leaves no trace. Up to [`GROUP_DRAFTS`] drafts
//! or [`GROUP_BYTES`] bytes become one batch and one append to the log; while it is written, the next batch is decided.
//! Then the commits become visible, and their callers are answered.

mod apply;
mod committer;
mod counts;
mod stage;
mod stages;
mod transform;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::RwLock;
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

pub use apply::MAX_TRANSFORMS;
pub(crate) use apply::apply;
pub(crate) use committer::Committer;
pub use counts::CommitCounts;
pub(crate) use stages::Stages;

use crate::encoding::key::Key;
use crate::engine::Author;
use crate::model::{
    DatabaseId, DocPath, Document, FieldTransform, Transform, Ts, Value, Write, WriteOp, WriteResult,
};
use crate::txn::TxnId;
use crate::txn::reads::ReadSet;
use crate::{Code, Error, Result};

/// Drafts that may wait for the committer.
pub const QUEUE_DRAFTS: usize = 4_096;
/// Most drafts stored by one append.
pub const GROUP_DRAFTS: usize = 256;
/// Bytes of drafts stored by one append, unless a single draft is larger.
pub const GROUP_BYTES: usize = 4 * 1024 * 1024;
/// The largest draft, in bytes of field values and names. Source: Firestore's maximum request size.
pub const MAX_COMMIT_BYTES: usize = 10 * 1024 * 1024;

/// Writes to be committed atomically.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The writes, applied in order; one document may occur several times.
    pub writes: Vec<Write>,
    /// Transaction that the commit ends.
    pub txn: Option<TxnId>,
}

impl Draft {
    /// A draft outside any transaction.
    pub fn of(writes: Vec<Write>) -> Self {
        Self { writes, txn: None }
    }
}

/// A durable commit.
#[derive(Debug, Clone)]
pub struct Committed {
    /// Time at which it took effect.
    pub commit_time: Ts,
    /// One result per write.
    pub results: Vec<WriteResult>,
}

/// A draft on its way to the committer.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) database: DatabaseId,
    pub(crate) author: Author,
    pub(crate) work: Work,
    /// Reads the writes depend on, as of `snapshot`.
    pub(crate) reads: ReadSet,
    pub(crate) snapshot: Ts,
}

/// The work of a proposal.
#[derive(Debug)]
pub(crate) enum Work {
    /// Document writes.
    Writes(Vec<Write>),
    /// Adds entries of the numbered index for these documents.
    Backfill(u32, Vec<DocPath>),
    /// Removes these entries of an index that is no longer in the catalog.
    Close(Vec<Key>),
}

impl Work {
    fn weight(&self) -> usize {
        match self {
            Self::Writes(writes) => writes.iter().map(write_weight).sum(),
            Self::Backfill(_, paths) => paths.len() * 1_024,
            Self::Close(keys) => keys.iter().map(|key| key.len() + 64).sum(),
        }
    }
}

/// Approximate size of a write in bytes: its name and fields, and what its transforms add.
pub fn write_weight(write: &Write) -> usize {
    let fields = match &write.op {
        WriteOp::Set { fields, transforms } | WriteOp::Update { fields, transforms, .. } => {
            let added = |transform: &FieldTransform| match &transform.transform {
                Transform::ArrayUnion(values) => values.iter().map(Value::size).sum(),
                _ => transform.field.to_string().len() + 8,
            };
            crate::model::fields_size(fields) + transforms.iter().map(added).sum::<usize>()
        }
        WriteOp::Delete | WriteOp::Verify => 0,
    };
    write.path.as_str().len() + fields + 64
}

/// The document that a write makes of `old`, without its precondition.
///
/// # Errors
/// `InvalidArgument` if the document would exceed a limit, or a transform's operand has the wrong type.
pub fn outcome(write: &Write, old: Option<&Document>, at: Ts) -> Result<Option<Document>> {
    Ok(apply(write, old, at)?.new)
}

/// A queued proposal and the channel for its outcome.
struct Queued {
    proposal: Proposal,
    weight: usize,
    /// The commit, which the stages belong to.
    span: Span,
    queued_at: Instant,
    reply: oneshot::Sender<Answer>,
}

/// Outcome of a proposal, and the time that the committer's stages took.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Result<Committed>,
    pub(crate) stages: Stages,
}

impl From<Error> for Answer {
    fn from(error: Error) -> Self {
        Self { outcome: Err(error), stages: Stages::default() }
    }
}

/// Handle of the committer. When the last one is dropped, the committer drains its queue and ends.
#[derive(Clone)]
pub(crate) struct Commits(mpsc::Sender<Queued>);

impl Commits {
    /// Queues a proposal and waits for its outcome.
    pub(crate) async fn submit(&self, proposal: Proposal) -> Answer {
        let weight = proposal.work.weight();
        if weight > MAX_COMMIT_BYTES {
            let message =
                format!("Transaction too big: {weight} bytes are more than {MAX_COMMIT_BYTES}; split it.");
            return Error::invalid("TransactionTooBig", message).into();
        }
        let span = tracing::debug_span!("commit", bytes = weight);
        let (reply, answer) = oneshot::channel();
        let queued = Queued { proposal, weight, span, queued_at: Instant::now(), reply };
        let closed = || Error::new(Code::Unavailable, "StoreClosed", "The database is shutting down.");
        if self.0.send(queued).await.is_err() {
            return closed().into();
        }
        answer.await.unwrap_or_else(|_| closed().into())
    }
}

/// The way to the committer until the store closes. Cloning shares.
#[derive(Clone)]
pub(crate) struct CommitQueue(Arc<RwLock<Option<Commits>>>);

impl CommitQueue {
    /// A queue that is open.
    pub(crate) fn new(commits: Commits) -> Self {
        Self(Arc::new(RwLock::new(Some(commits))))
    }

    /// A sender to the committer.
    ///
    /// # Errors
    /// `Unavailable` (`StoreClosed`) once the queue is closed.
    pub(crate) fn open(&self) -> Result<Commits> {
        let commits = self.0.read().clone();
        commits.ok_or_else(|| Error::new(Code::Unavailable, "StoreClosed", "The database is shutting down."))
    }

    /// Takes no more commits.
    pub(crate) fn close(&self) {
        drop(self.0.write().take());
    }
}

impl fmt::Debug for CommitQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitQueue").finish_non_exhaustive()
    }
}
