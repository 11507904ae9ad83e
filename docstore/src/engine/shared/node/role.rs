//! The node's standing in the cluster: what it may do now.

use tokio::time::{Instant, timeout};

use super::{LEASE, MAX_WAIT, Node};
use crate::engine::{Term, fenced};
use crate::{Code, Error, Result};

/// A node's standing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has not led yet: it starts.
    Starts,
    /// It leads.
    Leads {
        /// The term as its first append names it. [`super::super::settle`] may have begun later ones since.
        begun: Term,
        /// The term in the log.
        term: Term,
        /// Beginning of the last statement that succeeded in its term.
        renewed: Instant,
        /// The database answers, but cannot be used as it is.
        unusable: bool,
    },
    /// It led and does not any more, until it is opened anew; why, in words.
    Left(String),
}

impl Node {
    /// The term in the log of a leader that began `begun`.
    ///
    /// # Errors
    /// `Aborted` (`Fenced`) when that is over.
    pub(super) fn term_of(&self, begun: Term) -> Result<Term> {
        match &*self.standing.borrow() {
            Standing::Leads { begun: own, term, .. } if *own == begun => Ok(*term),
            Standing::Left(why) => Err(left(why)),
            _ => Err(fenced()),
        }
    }

    /// Notes that a statement of the node's term, begun at `renewed`, has succeeded; `now` is the term it leads in.
    pub(super) fn renewed(&self, now: Term, renewed: Instant) {
        self.standing.send_modify(|standing| {
            if let Standing::Leads { term, renewed: last, unusable, .. } = standing {
                *term = now;
                *last = renewed.max(*last);
                *unusable = false;
            }
        });
    }

    /// Notes that the database could not be asked.
    pub(super) fn unheard(&self, error: &Error) {
        let unusable = !matches!(error.code(), Code::Unavailable | Code::Unknown);
        if unusable {
            tracing::error!(%error, "the shared store cannot be used as it is");
        } else {
            tracing::warn!(%error, "the shared store does not answer");
        }
        self.standing.send_if_modified(|standing| {
            if let Standing::Leads { unusable: known, .. } = standing {
                *known = unusable;
            }
            false
        });
    }

    /// Appends and answers nothing from now on.
    pub(super) fn step_down(&self, why: &str) {
        tracing::error!("{why}");
        self.standing.send_replace(Standing::Left(why.to_owned()));
    }

    /// Reason why commits are refused now, or `None`.
    pub(super) fn refusal(&self) -> Option<Error> {
        match &*self.standing.borrow() {
            Standing::Left(why) => Some(left(why)),
            Standing::Leads { renewed, unusable, .. } if renewed.elapsed() >= LEASE => {
                Some(if *unusable { store_unusable() } else { store_away() })
            }
            _ => None,
        }
    }

    /// Waits until the node may answer reads.
    ///
    /// # Errors
    /// `Unavailable` when it does not within [`MAX_WAIT`], or will not before the next start.
    pub(super) async fn readable(&self) -> Result<()> {
        if self.refusal().is_none() {
            return Ok(());
        }
        let mut standing = self.standing.subscribe();
        let renewed = standing.wait_for(|standing| match standing {
            Standing::Leads { renewed, .. } => renewed.elapsed() < LEASE,
            Standing::Left(_) => true,
            Standing::Starts => false,
        });
        // The sender lives in `self`.
        drop(timeout(MAX_WAIT, renewed).await);
        self.refusal().map_or(Ok(()), Err)
    }
}

fn left(why: &str) -> Error {
    Error::new(Code::Unavailable, "NotLeading", why.to_owned())
}

pub(super) fn store_away() -> Error {
    Error::new(
        Code::Unavailable,
        "StoreAway",
        "The shared store does not answer. Reads and writes go on when it does again; nothing that was acknowledged is lost.",
    )
}

/// Callers are not told more: the log names addresses and tables.
pub(super) fn store_unusable() -> Error {
    Error::new(
        Code::Unavailable,
        "StoreUnusable",
        "The shared store cannot be used as it is; the server's log says why. Reads and writes go on when that is mended.",
    )
}
