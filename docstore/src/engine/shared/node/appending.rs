//! Appends of the leader, with every outcome settled before the next one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::time::{Instant, sleep, timeout_at};

use super::super::{HEAD_MOVED, OUTCOME_UNKNOWN, Settled, SharedLog as _, Unsettled, settle};
use super::role::{store_away, store_unusable};
use super::{MAX_WAIT, Node, Place, RETRY};
use crate::engine::{Batch, Term, fenced};
use crate::{Code, Error, Result};

/// Most answers to a settlement that say nothing, with another leader in the head.
const MOST_UNKNOWN: usize = 3;

/// The end of the wait for an append.
pub(super) enum Appended {
    /// Its outcome.
    Done(Result<()>),
    /// It is not settled after [`MAX_WAIT`]. The future settles it, however long that takes; until then nothing else is
    /// appended.
    Late(BoxFuture<'static, ()>),
}

/// Outcome of a settlement.
enum Outcome {
    /// The log has the batch.
    Stored,
    /// It never will; the node leads in this term.
    NotStored(Term),
}

impl Node {
    /// Appends a batch. Waits for [`MAX_WAIT`] at most.
    pub(super) async fn append(self: &Arc<Self>, begun: Term, batch: Batch) -> Appended {
        if batch.is_empty() {
            return Appended::Done(Ok(()));
        }
        let until = Instant::now() + MAX_WAIT;
        let Ok(mut place) = timeout_at(until, Arc::clone(&self.place).lock_owned()).await else {
            // An earlier append is not settled yet.
            return Appended::Done(Err(self.refusal().unwrap_or_else(store_away)));
        };
        let node = Arc::clone(self);
        let mut appending =
            async move { node.append_held(begun, batch, Some(until), &mut place).await }.boxed();
        match timeout_at(until, &mut appending).await {
            Ok(outcome) => Appended::Done(outcome),
            Err(_) => Appended::Late(appending.map(report).boxed()),
        }
    }

    /// Appends a batch at `place`. What was refused for certain is tried again `until` then.
    pub(super) async fn append_held(
        &self,
        begun: Term,
        batch: Batch,
        until: Option<Instant>,
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
        let bytes = new.payload.len() as u64;
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
                    Outcome::NotStored(later) if until.is_none_or(|until| Instant::now() < until) => {
                        term = later;
                    }
                    // Its callers wait no more.
                    Outcome::NotStored(_) => return Err(store_away()),
                },
                Code::Aborted => {
                    self.lost();
                    return Err(fenced());
                }
                // The callers hear of the refusal before their wait is over.
                Code::Unavailable if until.is_some_and(|until| Instant::now() + 2 * RETRY < until) => {
                    sleep(RETRY).await;
                }
                Code::FailedPrecondition => {
                    self.unheard(&error);
                    return Err(store_unusable().with_source(error));
                }
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

/// Error of an append that is settled later. Official clients repeat commits that are `UNAVAILABLE` by themselves, and so
/// would make twice what is stored after all.
pub(super) fn late() -> Error {
    Error::new(
        Code::DeadlineExceeded,
        "OutcomeLater",
        "The shared store does not answer: the commit is either stored or not, which shows when it answers again. Look then \
         before you repeat what must not happen twice.",
    )
}

fn report(settled: Result<()>) {
    match settled {
        Ok(()) => tracing::warn!("a commit whose callers were told that its outcome is open is stored"),
        Err(error) => {
            tracing::warn!(%error, "a commit whose callers were told that its outcome is open is not stored");
        }
    }
}
