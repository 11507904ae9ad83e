//! The one task that commits, and the one that writes the log for it.
//!
//! Each has a thread to itself. While the writer waits for the disk, the committer goes on deciding: the drafts that
//! arrive meanwhile become the next batch, validated against the one under way and built on its documents. If that one
//! fails, so does everything built on it, because nothing is accepted after a failure.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::catalog::Catalog;
use crate::clock::SharedClock;
use crate::engine::{AnyEngine, Batch, Commit, Engine, Term};
use crate::key::{Key, doc_key};
use crate::model::{DatabaseId, DocPath, Document, Ts};
use crate::reads::ReadSet;
use crate::{Code, Error, Result, codec};

use super::stage::Stage;
use super::{Commits, Committed, GROUP_BYTES, GROUP_DRAFTS, QUEUE_DRAFTS, Queued, Work};

/// How many bytes of past commits are kept for validation; a transaction older than that is aborted.
const WINDOW_BYTES: usize = 64 * 1024 * 1024;
/// How many batches are being written at a time. One: the next is decided meanwhile.
const BATCHES_UNDER_WAY: usize = 1;

/// The committer's thread.
pub(crate) struct Committer {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    clock: SharedClock,
    /// The newest commit's time, decided if not yet written.
    last: Ts,
    window: Window,
    under_way: UnderWay,
    /// Set when an append failed: nothing more can be promised.
    broken: Arc<AtomicBool>,
    /// Permits to write a batch.
    turns: Arc<Semaphore>,
    writer: mpsc::Sender<Ready>,
}

/// A draft that was decided and waits for its append.
struct Decided {
    reply: oneshot::Sender<Result<Committed>>,
    outcome: Result<Committed>,
}

/// A decided batch on its way to the log.
struct Ready {
    batch: Batch,
    decided: Vec<Decided>,
    /// Given back when the batch is written.
    turn: OwnedSemaphorePermit,
}

/// A batch being decided.
struct Open {
    stage: Stage,
    decided: Vec<Decided>,
    weight: usize,
}

impl Open {
    fn is_full(&self) -> bool {
        self.decided.len() >= GROUP_DRAFTS || self.weight >= GROUP_BYTES
    }
}

impl Committer {
    /// Starts the committer of an engine. Its threads end when every [`Commits`] is gone.
    pub(crate) async fn start(
        engine: Arc<AnyEngine>,
        catalog: Catalog,
        clock: SharedClock,
    ) -> Result<(Commits, JoinHandle<()>)> {
        let term = engine.lead().await?;
        let last = *engine.visible().borrow();
        let broken = Arc::new(AtomicBool::new(false));
        let (writer, ready) = mpsc::channel(BATCHES_UNDER_WAY);
        let log = {
            let (engine, broken) = (Arc::clone(&engine), Arc::clone(&broken));
            spawn("log", async move { write(&engine, term, &broken, ready).await })?
        };
        let committer = Self {
            engine,
            catalog,
            clock,
            last,
            window: Window::new(last),
            under_way: UnderWay::default(),
            broken,
            turns: Arc::new(Semaphore::new(BATCHES_UNDER_WAY)),
            writer,
        };
        let (sender, receiver) = mpsc::channel(QUEUE_DRAFTS);
        let thread = spawn("committer", async move {
            committer.run(receiver).await;
            if log.join().is_err() {
                tracing::error!("the thread that writes the log had panicked");
            }
        })?;
        Ok((Commits(sender), thread))
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Queued>) {
        while let Some(first) = queue.recv().await {
            let mut open = self.open();
            self.decide(&mut open, first).await;
            // Until the batch before is written, whatever arrives joins this one.
            let turn = loop {
                if open.is_full() {
                    break Arc::clone(&self.turns).acquire_owned().await;
                }
                if let Ok(next) = queue.try_recv() {
                    self.decide(&mut open, next).await;
                    continue;
                }
                let turns = Arc::clone(&self.turns);
                tokio::select! {
                    biased;
                    turn = turns.acquire_owned() => break turn,
                    Some(next) = queue.recv() => self.decide(&mut open, next).await,
                }
            };
            // The semaphore is never closed.
            let Ok(turn) = turn else { return };
            if !self.hand_over(open, turn).await {
                return;
            }
        }
    }

    fn open(&mut self) -> Open {
        let stage = Stage::new(self.catalog.clone(), self.last);
        Open { stage, decided: Vec::new(), weight: 0 }
    }

    /// Decides one draft, after all before it.
    async fn decide(&mut self, open: &mut Open, queued: Queued) {
        let Queued { proposal, weight, reply } = queued;
        open.weight += weight;
        let outcome = if self.broken.load(Ordering::Relaxed) {
            Err(broken())
        } else {
            match self.fetch(&mut open.stage, &proposal.work, &proposal.database).await {
                Err(error) => {
                    tracing::error!(%error, "the committer could not read");
                    // Nothing has happened yet, so that whatever it is may be tried again.
                    let message = "What the commit changes could not be read, so nothing was written.";
                    Err(Error::new(error.code(), "CommitRead", message).with_source(error))
                }
                Ok(()) => self
                    .validate(&proposal.reads, proposal.snapshot, &open.stage)
                    .and_then(|()| open.stage.add(proposal, self.clock.now())),
            }
        };
        open.decided.push(Decided { reply, outcome });
    }

    /// Gives a batch to the writer; `false` when there is none any more.
    async fn hand_over(&mut self, open: Open, turn: OwnedSemaphorePermit) -> bool {
        let batch = open.stage.finish();
        if let Some(last) = batch.last().map(|commit| commit.ts) {
            self.last = last;
            self.under_way.enter(&batch, *self.engine.visible().borrow());
            self.window.extend(batch.clone());
        }
        self.writer.send(Ready { batch, decided: open.decided, turn }).await.is_ok()
    }

    /// Makes sure that a stage has the newest version of every document that the work touches.
    async fn fetch(&self, stage: &mut Stage, work: &Work, id: &DatabaseId) -> Result<()> {
        // A database without a number has no documents.
        let Some(database) = self.catalog.number(id) else { return Ok(()) };
        let paths: Vec<&DocPath> = match work {
            Work::Writes(writes) => writes.iter().map(|write| &write.path).collect(),
            Work::Backfill(_, documents) => documents.iter().collect(),
            Work::Close(_) => Vec::new(),
        };
        let mut keys: Vec<Key> = Vec::with_capacity(paths.len());
        let mut unknown: Vec<&DocPath> = Vec::with_capacity(paths.len());
        for path in paths {
            let key = doc_key(database, path);
            if stage.knows(&key) {
                continue;
            }
            match self.under_way.get(&key) {
                Some(document) => stage.learn(key, document),
                None => {
                    keys.push(key);
                    unknown.push(path);
                }
            }
        }
        let values = self.engine.get(&keys, self.last).await?;
        for ((key, path), value) in keys.into_iter().zip(unknown).zip(values) {
            let document = match value {
                Some(bytes) => Some(Arc::new(codec::decode_document(path, &bytes)?)),
                None => None,
            };
            stage.learn(key, document);
        }
        Ok(())
    }

    /// Whether nothing that was read has changed since.
    fn validate(&self, reads: &ReadSet, snapshot: Ts, stage: &Stage) -> Result<()> {
        if reads.is_empty() || (snapshot >= self.last && stage.commits().is_empty()) {
            return Ok(());
        }
        let contended = match self.window.after(snapshot) {
            None => true,
            Some(mut past) => past.any(|commit| reads.overlaps(commit)),
        };
        if contended || stage.commits().iter().any(|commit| reads.overlaps(commit)) {
            return Err(contention());
        }
        Ok(())
    }
}

/// Writes batches as they come, one after the other, and answers their callers.
async fn write(engine: &AnyEngine, term: Term, fate: &AtomicBool, mut ready: mpsc::Receiver<Ready>) {
    while let Some(Ready { batch, decided, turn }) = ready.recv().await {
        let mut failed = fate.load(Ordering::Relaxed);
        if !failed
            && !batch.is_empty()
            && let Err(error) = engine.append(term, batch).await
        {
            tracing::error!(error = %error, source = ?std::error::Error::source(&error), "a commit could not be stored");
            fate.store(true, Ordering::Relaxed);
            failed = true;
        }
        drop(turn);
        for Decided { reply, outcome } in decided {
            let outcome = if failed { outcome.and(Err(broken())) } else { outcome };
            // A caller that went away needs no answer.
            drop(reply.send(outcome));
        }
    }
}

fn spawn(name: &str, work: impl Future<Output = ()> + Send + 'static) -> Result<JoinHandle<()>> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || futures::executor::block_on(work))
        .map_err(|error| Error::internal("CommitterThread", "The committer could not be started.", error))
}

/// The error of a transaction that lost against another commit.
pub(crate) fn contention() -> Error {
    Error::new(Code::Aborted, "Contention", "Too much contention on these documents. Please try again.")
}

fn broken() -> Error {
    Error::new(
        Code::Unavailable,
        "LogBroken",
        "The commit log could not be written, so nothing more is accepted; free the disk and restart.",
    )
}

/// What the batches under way make of documents: newer than what the engine shows.
#[derive(Default)]
struct UnderWay {
    documents: HashMap<Key, (Ts, Option<Arc<Document>>)>,
    batches: VecDeque<Batch>,
}

impl UnderWay {
    fn get(&self, key: &[u8]) -> Option<Option<Arc<Document>>> {
        self.documents.get(key).map(|(_, document)| document.clone())
    }

    /// Takes in a batch, and lets go of those that are visible by now.
    fn enter(&mut self, batch: &Batch, visible: Ts) {
        while let Some(oldest) = self.batches.front()
            && oldest.last().is_none_or(|last| last.ts <= visible)
            && let Some(done) = self.batches.pop_front()
        {
            for commit in done {
                for change in &commit.changes {
                    let key = doc_key(change.database, &change.path);
                    // A later batch may have changed it again.
                    if self.documents.get(&key).is_some_and(|(ts, _)| *ts == commit.ts) {
                        self.documents.remove(&key);
                    }
                }
            }
        }
        for commit in batch {
            for change in &commit.changes {
                let key = doc_key(change.database, &change.path);
                self.documents.insert(key, (commit.ts, change.new.clone()));
            }
        }
        self.batches.push_back(batch.clone());
    }
}

/// The commits that validation looks back on.
struct Window {
    commits: VecDeque<Arc<Commit>>,
    complete_after: Ts,
    weight: usize,
}

impl Window {
    fn new(start: Ts) -> Self {
        Self { commits: VecDeque::new(), complete_after: start, weight: 0 }
    }

    fn extend(&mut self, batch: Vec<Arc<Commit>>) {
        for commit in batch {
            self.weight += commit.weight;
            self.commits.push_back(commit);
        }
        while self.weight > WINDOW_BYTES
            && let Some(oldest) = self.commits.pop_front()
        {
            self.weight -= oldest.weight;
            self.complete_after = oldest.ts;
        }
    }

    fn after(&self, snapshot: Ts) -> Option<impl Iterator<Item = &Arc<Commit>>> {
        if snapshot < self.complete_after {
            return None;
        }
        let from = self.commits.partition_point(|commit| commit.ts <= snapshot);
        Some(self.commits.range(from..))
    }
}
