//! A node of the simulation: it follows, takes over without any patience, appends, folds and trims.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures::TryStreamExt as _;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::time::{Duration, Instant, sleep};

use super::super::super::{
    BASE_MOVED, BatchId, Fold, Folded, HEAD_MOVED, HISTORY_REWRITTEN, Head, LogBatch, MemoryConnection,
    NewBatch, OUTCOME_UNKNOWN, Position, Settled, SharedLog as _, Unsettled, settle,
};
use super::journal::{Journal, SharedJournal};
use crate::encoding::key::Key;
use crate::engine::{Stored, Term};
use crate::model::Ts;
use crate::{Code, Error};

/// Keys that batches write; few, so that they overwrite and remove each other's.
const KEYS: u8 = 12;

/// Treatment of unknown outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// As documented.
    Settle,
    /// The log is read once, without a new term before: wrong.
    LookOnce,
}

/// The documents by what a node has applied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Replica(BTreeMap<Key, (Ts, Stored)>);

impl Replica {
    pub(super) fn apply(&mut self, batch: &LogBatch) {
        for folded in steps(batch) {
            match folded.value {
                Some(value) => self.0.insert(folded.key, (folded.ts, value)),
                None => self.0.remove(&folded.key),
            };
        }
    }
}

/// The changes of a batch: pairs of a key and a value, where 0 removes the key.
fn steps(batch: &LogBatch) -> impl Iterator<Item = Folded> {
    let ts = batch.position.ts;
    batch.payload.as_chunks::<2>().0.iter().map(move |[key, value]| Folded {
        key: vec![*key],
        ts,
        value: (*value > 0).then(|| Stored::from([*value])),
    })
}

pub(super) struct Node {
    log: MemoryConnection,
    random: StdRng,
    /// Moment at which its clock shows zero.
    clock_zero: Instant,
    journal: SharedJournal,
    care: Care,
    /// Term and last batch, while it leads as far as it knows.
    leads: Option<(Term, Position)>,
    unsettled: Option<Unsettled>,
    seen: Option<Head>,
    replica: Replica,
    /// The place from which it has followed the log.
    begun_at: Position,
    applied: Vec<LogBatch>,
    places: Vec<Position>,
}

impl Node {
    pub(super) fn new(
        log: MemoryConnection,
        seed: u64,
        clock_zero: Instant,
        journal: SharedJournal,
        care: Care,
    ) -> Self {
        Self {
            log,
            random: StdRng::seed_from_u64(seed),
            clock_zero,
            journal,
            care,
            leads: None,
            unsettled: None,
            seen: None,
            replica: Replica::default(),
            begun_at: Position::default(),
            applied: Vec::new(),
            places: Vec::new(),
        }
    }

    pub(super) fn begun_at(&self) -> Position {
        self.begun_at
    }

    pub(super) fn applied(&self) -> &[Position] {
        &self.places
    }

    pub(super) fn replica(&self) -> &Replica {
        &self.replica
    }

    fn note(&self, note: impl FnOnce(&mut Journal)) {
        note(&mut self.journal.0.lock());
    }

    fn at(&self) -> Position {
        self.places.last().copied().unwrap_or(self.begun_at)
    }

    /// Runs until it crashes.
    pub(super) async fn run(mut self) {
        loop {
            sleep(Duration::from_millis(self.random.random_range(1..20))).await;
            self.step().await;
        }
    }

    /// Reads to the end of the log; there are no faults any more.
    pub(super) async fn catch_up(&mut self) {
        while self.log.head().await.unwrap().position != self.at() {
            self.follow().await;
        }
    }

    async fn step(&mut self) {
        let draw = self.random.random_range(0..100);
        match (self.unsettled, self.leads) {
            (Some(unsettled), _) => self.settle(unsettled).await,
            (None, Some((term, last))) => match draw {
                0..65 => self.append(term, last).await,
                65..85 => self.follow().await,
                85..95 => self.fold().await,
                95..98 => self.trouble(self.log.beat(term).await.err()),
                _ => self.leads = None,
            },
            (None, None) => match draw {
                0..60 => self.follow().await,
                60..80 => self.seen = self.log.head().await.ok(),
                _ => self.take_over().await,
            },
        }
    }

    /// Takes over by the head that it last saw, however long ago.
    async fn take_over(&mut self) {
        let Some(seen) = self.seen.take() else { return };
        match self.log.take_over(&seen).await {
            Ok(head) => {
                self.note(|journal| journal.terms += 1);
                self.leads = Some((head.term, head.position));
            }
            Err(error) => assert!(error.tag() == HEAD_MOVED || is_away(&error), "{error}"),
        }
    }

    async fn append(&mut self, term: Term, prev: Position) {
        let now = u64::try_from(self.clock_zero.elapsed().as_micros()).unwrap();
        let ts = Ts::from_micros(now).max(prev.ts.next().next());
        let position = Position { ts, batch: BatchId(self.random.random()) };
        let writes = self.random.random_range(0..4);
        let payload: Vec<u8> = (0..writes)
            .flat_map(|_| [self.random.random_range(0..KEYS), self.random.random_range(0..4)])
            .collect();
        let author = self.log.node();
        self.note(|journal| _ = journal.authors.insert(position.batch, author));
        let batch = NewBatch { position, prev, payload: Bytes::from(payload) };
        let unsettled = Unsettled::of(term, &batch);
        match self.log.append(term, batch).await {
            Ok(()) => {
                self.note(|journal| _ = journal.acknowledged.insert(position.batch));
                self.leads = Some((term, position));
            }
            Err(error) if error.code() == Code::Unknown => self.unsettled = Some(unsettled),
            // Fenced, or never sent.
            Err(error) => {
                self.note(|journal| journal.refuse(position.batch));
                self.trouble(Some(error));
            }
        }
    }

    async fn settle(&mut self, unsettled: Unsettled) {
        let settled = match self.care {
            Care::Settle => settle(&self.log, unsettled).await,
            Care::LookOnce => self.log.read(unsettled.prev, 1).await.map(|slice| {
                let stored = slice.batches.first().is_some_and(|batch| batch.position == unsettled.position);
                Settled { stored, head: slice.head }
            }),
        };
        match settled {
            Ok(Settled { stored, head }) => {
                let id = unsettled.position.batch;
                self.note(|journal| {
                    if stored {
                        journal.acknowledged.insert(id);
                        journal.settled_stored += 1;
                    } else {
                        journal.refuse(id);
                        journal.settled_lost += 1;
                    }
                });
                self.unsettled = None;
                self.leads = (head.leader == self.log.node()).then_some((head.term, head.position));
            }
            Err(error) if error.tag() == HEAD_MOVED => {}
            // Nobody will ever know: the client is told so.
            Err(error) if error.tag() == HISTORY_REWRITTEN => {
                self.unsettled = None;
                self.leads = None;
            }
            Err(error) => {
                assert!(is_away(&error) || error.tag() == "LogTruncated", "{error}");
                // Now and then the log no longer has the place in question.
                if self.random.random_range(0..50) == 0 {
                    self.unsettled = None;
                    self.leads = None;
                }
            }
        }
    }

    async fn follow(&mut self) {
        let bytes = self.random.random_range(0..40);
        match self.log.read(self.at(), bytes).await {
            Ok(slice) => {
                for batch in slice.batches {
                    self.replica.apply(&batch);
                    self.places.push(batch.position);
                    self.applied.push(batch);
                }
            }
            Err(error) => {
                match error.tag() {
                    "LogTruncated" => self.note(|journal| journal.truncated += 1),
                    HISTORY_REWRITTEN => self.note(|journal| journal.rewritten += 1),
                    _ => return assert!(is_away(&error), "{error}"),
                }
                self.leads = None;
                self.begin_from_base().await;
            }
        }
    }

    async fn begin_from_base(&mut self) {
        let Ok(base) = self.log.base().await else { return };
        let Ok(parts) = base.documents.try_collect::<Vec<_>>().await else { return };
        let documents = parts.into_iter().flatten().map(|one| (one.key, (one.ts, one.value)));
        self.replica = Replica(documents.collect());
        self.begun_at = base.at;
        self.applied.clear();
        self.places.clear();
    }

    /// Folds what it has applied since the base, if it has followed from there, and trims most of that.
    async fn fold(&mut self) {
        let Ok(head) = self.log.head().await else { return };
        let from = head.folded;
        let begin = if from == self.begun_at {
            0
        } else if let Some(found) = self.places.iter().position(|place| *place == from) {
            found + 1
        } else {
            return;
        };
        let batches = &self.applied[begin..];
        let Some(to) = batches.last().map(|batch| batch.position) else { return };
        let changed = batches.iter().flat_map(steps).map(|folded| (folded.key.clone(), folded));
        let documents = changed.collect::<BTreeMap<_, _>>().into_values().collect();
        match self.log.fold(Fold { from, to, documents }).await {
            Ok(()) => drop(self.log.trim(Ts::from_micros(to.ts.micros().saturating_sub(100_000)), 50).await),
            Err(error) => assert!(error.tag() == BASE_MOVED || is_away(&error), "{error}"),
        }
    }

    /// Steps down if its term is over.
    fn trouble(&mut self, error: Option<Error>) {
        if let Some(error) = error {
            assert!(error.tag() == "Fenced" || is_away(&error), "{error}");
            if error.tag() == "Fenced" {
                self.leads = None;
            }
        }
    }
}

/// True for failures that say nothing of the log.
fn is_away(error: &Error) -> bool {
    error.code() == Code::Unavailable || error.tag() == OUTCOME_UNKNOWN
}
