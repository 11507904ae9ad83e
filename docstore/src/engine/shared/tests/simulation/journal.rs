//! Records of what nodes were told, and the properties that it must have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;

use super::super::super::{BatchId, NodeId, Position, Slice};
use super::node::{Node, Replica};

/// Shared by all nodes of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedJournal(pub(super) Arc<Mutex<Journal>>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Journal {
    /// Node that made each batch.
    pub(super) authors: BTreeMap<BatchId, NodeId>,
    /// Batches that a node was told are stored.
    pub(super) acknowledged: BTreeSet<BatchId>,
    /// Batches that a node was told are not.
    pub(super) refused: BTreeSet<BatchId>,
    /// Batches lost with a rewritten history.
    pub(super) lost: BTreeSet<BatchId>,
    /// Unknown outcomes that turned out to be stored.
    pub(super) settled_stored: usize,
    /// Unknown outcomes that turned out not to be.
    pub(super) settled_lost: usize,
    /// Rewritten histories that readers noticed.
    pub(super) rewritten: usize,
    /// Readers that began from the base because their place was trimmed.
    pub(super) truncated: usize,
    /// Terms begun.
    pub(super) terms: u64,
    /// The state at the end.
    end: Replica,
    /// All batches, in order.
    chain: Vec<Position>,
}

impl Journal {
    /// Checks the log at the end of a run against what nodes were told, and replays it.
    pub(super) fn check(&mut self, contents: &Slice) -> Result<(), String> {
        let mut leaders: BTreeMap<u64, NodeId> = BTreeMap::new();
        let (mut at, mut term) = (Position::default(), 0);
        for batch in &contents.batches {
            let author = self.authors[&batch.position.batch];
            if batch.prev != at || batch.position.ts <= at.ts {
                return Err(format!("{} does not follow {at}", batch.position));
            }
            if batch.term.0 < term {
                return Err(format!("a batch of term {} follows one of term {term}", batch.term.0));
            }
            if *leaders.entry(batch.term.0).or_insert(author) != author {
                return Err(format!("two nodes have appended in term {}", batch.term.0));
            }
            (at, term) = (batch.position, batch.term.0);
            self.end.apply(batch);
            self.chain.push(at);
        }
        if contents.head.position != at {
            return Err(format!("the head is at {}, the log ends at {at}", contents.head.position));
        }
        let stored: BTreeSet<BatchId> = self.chain.iter().map(|position| position.batch).collect();
        let missing = self.acknowledged.difference(&stored).find(|id| !self.lost.contains(id));
        if let Some(id) = missing {
            return Err(format!("{id} was acknowledged and is not there"));
        }
        if let Some(id) = self.refused.iter().find(|id| stored.contains(id) || self.lost.contains(id)) {
            return Err(format!("{id} was refused and has been stored"));
        }
        Ok(())
    }

    /// Checks that a reader has seen the log from where it began to its end, and nothing else.
    pub(super) fn check_reader(&self, node: &Node) -> Result<(), String> {
        let begun = node.begun_at();
        let from = self.chain.iter().position(|position| *position == begun).map_or(0, |found| found + 1);
        if node.applied() != &self.chain[from..] {
            return Err(format!("a reader that began at {begun} has applied {:?}", node.applied()));
        }
        if node.replica() != &self.end {
            return Err(format!("a reader that began at {begun} has another state at the end"));
        }
        Ok(())
    }

    /// A node was told that a batch is not stored, and never will be. Of one that was lost that is true.
    pub(super) fn refuse(&mut self, id: BatchId) {
        if !self.lost.contains(&id) {
            self.refused.insert(id);
        }
    }

    /// Adds the counts of another run.
    pub(super) fn add(&mut self, other: &Self) {
        self.acknowledged.extend(&other.acknowledged);
        self.refused.extend(&other.refused);
        self.lost.extend(&other.lost);
        self.settled_stored += other.settled_stored;
        self.settled_lost += other.settled_lost;
        self.rewritten += other.rewritten;
        self.truncated += other.truncated;
        self.terms += other.terms;
    }

    pub(super) fn counts(&self) -> String {
        format!(
            "{} acknowledged, {} refused, {} lost with rewritten histories, settled {} as stored and {} as lost, {} rewritten \
             histories noticed, {} began from the base, {} terms",
            self.acknowledged.len(),
            self.refused.len(),
            self.lost.len(),
            self.settled_stored,
            self.settled_lost,
            self.rewritten,
            self.truncated,
            self.terms
        )
    }
}
