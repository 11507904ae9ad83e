//! The check that batches continue what a reader has, one after another.

use super::{HISTORY_REWRITTEN, Head, LOG_GAP, LogBatch, Position};
use crate::{Code, Error, Result};

/// A reader's place in the log. Every implementation passes what it read through one, so that all of them notice the
/// same things.
#[derive(Debug, Clone, Copy)]
pub struct Chain {
    at: Position,
}

impl Chain {
    /// A reader that has everything up to `at`.
    pub const fn after(at: Position) -> Self {
        Self { at }
    }

    /// Checks the batches that were found after this place in one moment with `head`; `whole` says that there were no
    /// more.
    ///
    /// # Errors
    /// As [`super::SharedLog::read`].
    pub fn check(self, head: &Head, batches: &[LogBatch], whole: bool) -> Result<()> {
        let (mut at, mut first) = (self.at, true);
        for batch in batches {
            if batch.prev != at {
                return Err(self.broken(head, at, batch.prev, first));
            }
            (at, first) = (batch.position, false);
        }
        if whole && head.position != at {
            return Err(self.broken(head, at, head.position, first));
        }
        Ok(())
    }

    /// The error of a log that shows `found` after this place, where `at` is expected.
    fn broken(self, head: &Head, at: Position, found: Position, first: bool) -> Error {
        // A batch that the reader has and the log does not: `found` is where the log goes on after the reader's time.
        if first && (found.ts < at.ts || (found.ts == at.ts && found.batch != at.batch)) {
            return history_rewritten(self.at, found);
        }
        if first && found.ts <= head.folded.ts {
            return Error::new(
                Code::OutOfRange,
                "LogTruncated",
                "The commits asked for are older than what the log keeps; start again from a fresh read.",
            );
        }
        Error::new(
            Code::DataLoss,
            LOG_GAP,
            format!(
                "the database lacks the commits between {} and {}: restore it from a backup",
                at.ts, found.ts
            ),
        )
    }
}

/// Error of a reader at `at`, of which the log has nothing; `found` is what it has instead.
pub fn history_rewritten(at: Position, found: Position) -> Error {
    Error::new(
        Code::DataLoss,
        HISTORY_REWRITTEN,
        format!(
            "the database has lost commits that it had acknowledged: this node has them up to {}, the database goes on from \
             {}. It was restored from a backup, or a standby that lagged behind was promoted; this node begins anew \
             from the database",
            at.ts, found.ts
        ),
    )
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::super::{BatchId, ClusterId, NodeId};
    use super::*;
    use crate::engine::Term;
    use crate::model::Ts;

    fn place(ts: u64, batch: u128) -> Position {
        Position { ts: Ts::from_micros(ts), batch: BatchId(batch) }
    }

    fn batch(prev: Position, position: Position) -> LogBatch {
        LogBatch { position, prev, term: Term(1), payload: Bytes::new() }
    }

    /// The tag of the check of a reader at `at` that finds `places`, each the successor of the one before.
    fn tag(at: Position, places: &[Position], end: Position, folded: Position) -> &'static str {
        let head =
            Head { cluster: ClusterId(1), term: Term(1), leader: NodeId(1), position: end, beat: 0, folded };
        let batches: Vec<_> = places.windows(2).map(|pair| batch(pair[0], pair[1])).collect();
        Chain::after(at).check(&head, &batches, true).map_or_else(|error| error.tag(), |()| "fine")
    }

    #[test]
    fn each_kind_of_broken_chain_is_told_from_the_others() {
        let (zero, a, b, c) = (Position::default(), place(10, 1), place(20, 2), place(30, 3));
        let other = place(20, 7);
        for (at, found, end, folded, expected) in [
            (a, vec![a, b, c], c, zero, "fine"),
            (c, vec![], c, c, "fine"),
            (zero, vec![], zero, zero, "fine"),
            // The reader is ahead of the log.
            (c, vec![], b, zero, HISTORY_REWRITTEN),
            // The log has another batch of the same time, as its last one and as an earlier one.
            (b, vec![], other, zero, HISTORY_REWRITTEN),
            (b, vec![other, c], c, zero, HISTORY_REWRITTEN),
            // The log branches off before the reader's place.
            (b, vec![a, c], c, zero, HISTORY_REWRITTEN),
            (zero, vec![b, c], c, b, "LogTruncated"),
            (a, vec![], c, c, "LogTruncated"),
            // The missing ones were never folded.
            (zero, vec![b, c], c, a, LOG_GAP),
            (a, vec![], c, b, LOG_GAP),
            (a, vec![a, b], c, c, LOG_GAP),
        ] {
            assert_eq!(tag(at, &found, end, folded), expected, "at {at}: {found:?} up to {end}");
        }
        // A gap in the middle is damage, whatever is folded.
        let head =
            Head { cluster: ClusterId(1), term: Term(1), leader: NodeId(1), position: c, beat: 0, folded: c };
        let gap = [batch(zero, a), batch(b, c)];
        assert_eq!(Chain::after(zero).check(&head, &gap, true).unwrap_err().tag(), LOG_GAP);
        // More may follow a part.
        Chain::after(zero).check(&head, &gap[..1], false).unwrap();
    }
}
