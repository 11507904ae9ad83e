//! Commits: what a caller drafts, and the one task that decides, orders and stores.
//!
//! A [`Draft`] waits in a queue of [`QUEUE_DRAFTS`]. The committer takes drafts in turn and decides each after all before
//! it: what it has read must not have changed since it was read, preconditions must hold, transforms are computed, and
//! the new documents say which index entries close and which open. A draft that fails leaves no trace. Up to
//! [`GROUP_DRAFTS`] drafts or [`GROUP_BYTES`] bytes become one batch and one append to the log; while it is written, the
//! next is decided. Then the commits are visible, and their callers are answered.

mod apply;
mod committer;
mod stage;
mod transform;

use tokio::sync::{mpsc, oneshot};

pub use apply::MAX_TRANSFORMS;
pub(crate) use apply::apply;
pub(crate) use committer::{Committer, contention};

use crate::engine::Author;
use crate::key::Key;
use crate::model::{DatabaseId, DocPath, Ts, Write, WriteOp, WriteResult};
use crate::reads::ReadSet;
use crate::txn::TxnId;
use crate::{Code, Error, Result};

/// How many drafts may wait for the committer.
pub const QUEUE_DRAFTS: usize = 4_096;
/// How many drafts are stored by one append at most.
pub const GROUP_DRAFTS: usize = 256;
/// How many bytes of drafts are stored by one append, unless a single draft is larger.
pub const GROUP_BYTES: usize = 4 * 1024 * 1024;
/// The largest draft, in bytes of field values and names. Source: Firestore's maximum request size.
pub const MAX_COMMIT_BYTES: usize = 10 * 1024 * 1024;

/// Writes to be made together, all or none.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The writes, applied in order; one document may occur several times.
    pub writes: Vec<Write>,
    /// The transaction this ends.
    pub txn: Option<TxnId>,
}

impl Draft {
    /// A draft outside any transaction.
    pub fn of(writes: Vec<Write>) -> Self {
        Self { writes, txn: None }
    }
}

/// A commit that no crash can lose.
#[derive(Debug, Clone)]
pub struct Committed {
    /// When it took effect.
    pub commit_time: Ts,
    /// One answer per write.
    pub results: Vec<WriteResult>,
}

/// A draft on its way to the committer.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) database: DatabaseId,
    pub(crate) author: Author,
    pub(crate) work: Work,
    /// What the writes rest on, as it stood at `snapshot`.
    pub(crate) reads: ReadSet,
    pub(crate) snapshot: Ts,
}

/// What a proposal wants done.
#[derive(Debug)]
pub(crate) enum Work {
    /// Document writes.
    Writes(Vec<Write>),
    /// Entries of the numbered index for these documents.
    Backfill(u32, Vec<DocPath>),
    /// Removes these entries of an index that is in the catalog no more.
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

/// About how many bytes a write brings: its name and its fields.
pub fn write_weight(write: &Write) -> usize {
    let fields = match &write.op {
        WriteOp::Set { fields, .. } | WriteOp::Update { fields, .. } => crate::model::fields_size(fields),
        WriteOp::Delete | WriteOp::Verify => 0,
    };
    write.path.as_str().len() + fields + 64
}

/// A queued proposal and whom to answer.
struct Queued {
    proposal: Proposal,
    weight: usize,
    reply: oneshot::Sender<Result<Committed>>,
}

/// The way to the committer. When the last one is dropped, the committer drains its queue and ends.
#[derive(Clone)]
pub(crate) struct Commits(mpsc::Sender<Queued>);

impl Commits {
    /// Queues a proposal and waits for its outcome.
    pub(crate) async fn submit(&self, proposal: Proposal) -> Result<Committed> {
        let weight = proposal.work.weight();
        if weight > MAX_COMMIT_BYTES {
            return Err(Error::invalid(
                "TransactionTooBig",
                format!("Transaction too big: {weight} bytes are more than {MAX_COMMIT_BYTES}; split it."),
            ));
        }
        let (reply, outcome) = oneshot::channel();
        let closed = || Error::new(Code::Unavailable, "StoreClosed", "The database is shutting down.");
        self.0.send(Queued { proposal, weight, reply }).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| closed())?
    }
}
