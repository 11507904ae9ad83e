//! The outcome of an append whose connection ended before its answer.

use super::{HEAD_MOVED, Head, NewBatch, Position, SharedLog, outcome_unknown};
use crate::Result;
use crate::engine::Term;

/// An append whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsettled {
    /// Term of the append.
    pub term: Term,
    /// The place that it followed.
    pub prev: Position,
    /// The place that it makes if it is stored.
    pub position: Position,
}

impl Unsettled {
    /// The append of `batch` in `term`.
    pub const fn of(term: Term, batch: &NewBatch) -> Self {
        Self { term, prev: batch.prev, position: batch.position }
    }
}

/// The outcome of an append, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// True if the batch is in the log; otherwise it never will be.
    pub stored: bool,
    /// The head of the moment. This node leads if the term in it is one that it began.
    pub head: Head,
}

/// Most signs of life of others in between: with more of them the caller had better look again itself.
const MOST_MOVES: usize = 3;

/// Finds out about an append. If nobody else leads meanwhile, this node does so afterwards, in a new term.
///
/// The new term comes first: a request that is still on its way, in a proxy or a queue, is refused from then on. Only
/// then does the log say for good whether the batch is in it.
///
/// # Errors
/// `Unavailable` when the log cannot be reached; call again. `Unknown` when the log no longer has the place in
/// question, because others have led and trimmed it meanwhile. `DataLoss` as in [`SharedLog::read`].
pub async fn settle(log: &impl SharedLog, append: Unsettled) -> Result<Settled> {
    let mut head = log.head().await?;
    let mut moves = 0;
    while head.term <= append.term {
        head = match log.take_over(&head).await {
            Ok(head) => head,
            // The append itself may have arrived between the two.
            Err(error) if error.tag() == HEAD_MOVED && moves < MOST_MOVES => {
                moves += 1;
                log.head().await?
            }
            Err(error) => return Err(error),
        };
    }
    match log.read(append.prev, 1).await {
        Ok(slice) => {
            let stored = slice.batches.first().is_some_and(|batch| batch.position == append.position);
            Ok(Settled { stored, head: slice.head })
        }
        Err(error) if error.tag() == "LogTruncated" => Err(outcome_unknown()),
        Err(error) => Err(error),
    }
}
