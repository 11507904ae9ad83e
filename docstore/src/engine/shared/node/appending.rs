//! Appends of the leader, with every outcome settled before the next one.

use std::sync::atomic::Ordering;

use tokio::time::{Instant, sleep};

use super::super::{HEAD_MOVED, OUTCOME_UNKNOWN, Settled, SharedLog as _, Unsettled, settle};
use super::{MAX_WAIT, Node, Place, RETRY};
use crate::engine::{Batch, Term, fenced};
use crate::{Code, Error, Result};

/// Most answers to a settlement that say nothing, with another leader in the head.
const MOST_UNKNOWN: usize = 3;

/// Outcome of a settlement.
enum Outcome {
    /// The log has the batch.
    Stored,
    /// It never will; the node leads in this term.
    NotStored(Term),
}

impl Node {
    /// Appends a batch. Waits as long as its outcome is unknown.
    pub(super) async fn append(&self, begun: Term, batch: Batch) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let mut place = self.place.lock().await;
        self.append_held(begun, batch, true, &mut place).await
    }

    pub(super) async fn append_held(
        &self,
        begun: Term,
        batch: Batch,
        patient: bool,
        place: &mut Place,
    ) -> Result<()> {
        let mut term = self.term_of(begun)?;
        if batch.first().is_none_or(|first| first.prev != place.at.ts) {
            return Err(Error::new(
                Code::Unavailable,
                "AppendOutOfOrder",
                "The commit was decided too early; try again.",
            ));
        }
        self.copy.make_room()?;
        let new = self.batch(&batch, false, place.at);
        let position = new.position;
        let (bytes, since) = (new.payload.len() as u64, Instant::now());
        loop {
            let asked = Instant::now();
            let error = match self.log.append(term, new.clone()).await {
                Ok(()) => {
                    self.renewed(term, asked);
                    break;
                }
                Err(error) => error,
            };
            match error.code() {
                Code::Unknown => match self.settle(Unsettled::of(term, &new)).await? {
                    Outcome::Stored => break,
                    // Nothing of it is on its way any more.
                    Outcome::NotStored(later) => term = later,
                },
                Code::Aborted => {
                    self.lost();
                    return Err(fenced());
                }
                Code::Unavailable if patient && since.elapsed() < MAX_WAIT => sleep(RETRY).await,
                _ => return Err(error),
            }
        }
        self.stored(batch, position, false, place);
        self.unfolded.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Finds out about an append, however long that takes: nothing else may be appended before.
    async fn settle(&self, append: Unsettled) -> Result<Outcome> {
        tracing::warn!("the shared store did not answer an append: finding out whether it has it");
        let mut unknown = 0;
        loop {
            let asked = Instant::now();
            match settle(&self.log, append).await {
                Ok(Settled { stored, head }) => {
                    let leads = head.leader == self.id;
                    if leads {
                        self.renewed(head.term, asked);
                    } else {
                        self.lost();
                    }
                    return match (stored, leads) {
                        (true, _) => Ok(Outcome::Stored),
                        (false, true) => Ok(Outcome::NotStored(head.term)),
                        (false, false) => Err(fenced()),
                    };
                }
                Err(error) if error.tag() == HEAD_MOVED || error.code() == Code::Unavailable => {}
                Err(error) if error.tag() == OUTCOME_UNKNOWN => {
                    let head = self.log.head().await;
                    unknown +=
                        usize::from(head.is_ok_and(|head| head.leader != self.id && head.term > append.term));
                    if unknown >= MOST_UNKNOWN {
                        self.lost();
                        return Err(error);
                    }
                }
                // A rewritten history, or damage: nobody will ever know.
                Err(error) => {
                    self.step_down(error.message());
                    return Err(super::super::outcome_unknown());
                }
            }
            sleep(RETRY).await;
        }
    }
}
