//! The contents of a log in memory, and each operation in one step.

use std::collections::BTreeMap;

use super::super::{
    BaseDocument, Chain, ClusterId, Fold, Folded, Head, LogBatch, NewBatch, NodeId, Position, Slice,
    base_moved, head_moved,
};
use crate::Result;
use crate::encoding::key::Key;
use crate::engine::{Stored, Term, fenced};
use crate::model::Ts;

#[derive(Debug, Clone)]
pub(super) struct State {
    /// Server that runs now; each promotion makes another one.
    pub(super) incarnation: u64,
    pub(super) head: Head,
    /// All batches ever; readers see those after `trimmed`.
    pub(super) batches: BTreeMap<Ts, LogBatch>,
    trimmed: Ts,
    documents: BTreeMap<Key, (Ts, Stored)>,
}

impl State {
    pub(super) fn new(cluster: ClusterId) -> Self {
        let head = Head {
            cluster,
            term: Term(0),
            leader: NodeId::default(),
            position: Position::default(),
            beat: 0,
            folded: Position::default(),
        };
        Self { incarnation: 0, head, batches: BTreeMap::new(), trimmed: Ts::ZERO, documents: BTreeMap::new() }
    }

    pub(super) fn take_over(&mut self, node: NodeId, seen: &Head) -> Result<Head> {
        let head = &mut self.head;
        let same = (head.term, head.leader, head.position, head.beat)
            == (seen.term, seen.leader, seen.position, seen.beat);
        if !same {
            return Err(head_moved());
        }
        head.term = Term(head.term.0 + 1);
        head.leader = node;
        head.beat += 1;
        Ok(*head)
    }

    pub(super) fn beat(&mut self, node: NodeId, term: Term) -> Result<()> {
        if (self.head.term, self.head.leader) != (term, node) {
            return Err(fenced());
        }
        self.head.beat += 1;
        Ok(())
    }

    pub(super) fn append(&mut self, node: NodeId, term: Term, batch: NewBatch) -> Result<()> {
        let NewBatch { position, prev, payload } = batch;
        if self.head.position != prev {
            return Err(fenced());
        }
        self.beat(node, term)?;
        self.head.position = position;
        self.batches.insert(position.ts, LogBatch { position, prev, term, payload });
        Ok(())
    }

    pub(super) fn read(&self, after: Position, bytes: usize) -> Result<Slice> {
        let mut batches = Vec::new();
        let (mut taken, mut whole) = (0, true);
        for batch in self.batches.range(after.ts.max(self.trimmed).next()..).map(|(_, batch)| batch) {
            if taken >= bytes && !batches.is_empty() {
                whole = false;
                break;
            }
            taken += batch.payload.len();
            batches.push(batch.clone());
        }
        Chain::after(after).check(&self.head, &batches, whole)?;
        Ok(Slice { head: self.head, batches })
    }

    pub(super) fn base(&self) -> (Position, Vec<BaseDocument>) {
        let documents = self.documents.iter().map(|(key, (ts, value))| BaseDocument {
            key: key.clone(),
            ts: *ts,
            value: value.clone(),
        });
        (self.head.folded, documents.collect())
    }

    pub(super) fn fold(&mut self, fold: Fold) -> Result<()> {
        let is_there = self.batches.get(&fold.to.ts).is_some_and(|batch| batch.position == fold.to);
        if self.head.folded != fold.from || !is_there {
            return Err(base_moved());
        }
        for Folded { key, ts, value } in fold.documents {
            match value {
                Some(value) => self.documents.insert(key, (ts, value)),
                None => self.documents.remove(&key),
            };
        }
        self.head.folded = fold.to;
        Ok(())
    }

    pub(super) fn trim(&mut self, up_to: Ts, most: usize) -> usize {
        let up_to = up_to.min(self.head.folded.ts);
        if up_to <= self.trimmed {
            return 0;
        }
        let due = self.batches.range(self.trimmed.next()..=up_to).map(|(ts, _)| *ts).take(most);
        let due: Vec<Ts> = due.collect();
        self.trimmed = due.last().copied().unwrap_or(self.trimmed);
        due.len()
    }
}
