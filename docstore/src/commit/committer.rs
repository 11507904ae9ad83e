//! The committer and the log writer, one task each.
//!
//! Each has its own thread. While the writer waits for the disk, the committer decides the next batch from the drafts
//! that arrive meanwhile, validated against the batch in flight and built on its documents. If that batch fails,
//! everything built on it fails too, and the committer continues from the stored state.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::{Instrument as _, Span};

use crate::catalog::Catalog;
use crate::clock::SharedClock;
use crate::encoding::codec;
use crate::encoding::key::{DbNo, Key, doc_key};
use crate::engine::{AnyEngine, Batch, Commit, Engine, Term};
use crate::model::{DatabaseId, DocPath, Document, Ts};
use crate::txn::reads::ReadSet;
use crate::{Code, Error, Result};

use super::stage::Stage;
use super::{
    Answer, CommitCounts, Commits, Committed, GROUP_BYTES, GROUP_DRAFTS, QUEUE_DRAFTS, Queued, Stages, Work,
};

/// Bytes of past commits kept for validation; a transaction from before them is aborted.
const WINDOW_BYTES: usize = 64 * 1024 * 1024;
/// Batches being written at a time. One: the next is decided meanwhile.
const BATCHES_UNDER_WAY: usize = 1;

/// State of the committer's thread.
pub(crate) struct Committer {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    clock: SharedClock,
    /// Time of the newest decided commit, which may not be written yet.
    last: Ts,
    window: Window,
    under_way: UnderWay,
    /// Failure of the last append, until the drafts built on it are rolled back.
    failure: Arc<Mutex<Option<Failure>>>,
    /// Permits to write a batch.
    write_permits: Arc<Semaphore>,
    writer: mpsc::Sender<Ready>,
}

/// Failure of an append, sent to the callers of every draft that depends on it.
#[derive(Debug, Clone)]
struct Failure {
    code: Code,
    tag: &'static str,
    message: String,
    /// No commit is accepted any more.
    lasting: bool,
}

impl Failure {
    fn of(error: &Error, lasting: bool) -> Self {
        Self { code: error.code(), tag: error.tag(), message: error.message().to_owned(), lasting }
    }

    fn error(&self) -> Error {
        Error::new(self.code, self.tag, self.message.clone())
    }
}

/// A decided draft that waits for its append.
struct Decided {
    span: Span,
    /// So far.
    stages: Stages,
    decided_at: Instant,
    reply: oneshot::Sender<Answer>,
    outcome: Result<Committed>,
}

impl Decided {
    fn answer(self, failure: Option<&Failure>) {
        // Drafts refused on the basis of earlier drafts in the batch are undecided as well.
        let outcome = failure.map_or(self.outcome, |failure| Err(failure.error()));
        let stages = Stages { append: self.decided_at.elapsed(), ..self.stages };
        // The caller may have gone away.
        drop(self.reply.send(Answer { outcome, stages }));
    }
}

/// A decided batch on its way to the log.
struct Ready {
    batch: Batch,
    decided: Vec<Decided>,
    /// Released when the batch is written.
    permit: OwnedSemaphorePermit,
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
        counts: Arc<CommitCounts>,
    ) -> Result<(Commits, JoinHandle<()>)> {
        let term = engine.lead().await?;
        let last = *engine.visible().borrow();
        let failure = Arc::default();
        let (writer, ready) = mpsc::channel(BATCHES_UNDER_WAY);
        let log = {
            let (engine, failure) = (Arc::clone(&engine), Arc::clone(&failure));
            spawn("log", async move { write(&engine, term, &failure, &counts, ready).await })?
        };
        let committer = Self {
            engine,
            catalog,
            clock,
            last,
            window: Window::new(last),
            under_way: UnderWay::default(),
            failure,
            write_permits: Arc::new(Semaphore::new(BATCHES_UNDER_WAY)),
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
            self.recover().await;
            let mut open = self.open();
            self.decide(&mut open, first).await;
            // Drafts join this batch until the previous one is written.
            let permit = loop {
                if open.is_full() {
                    break Arc::clone(&self.write_permits).acquire_owned().await;
                }
                if let Ok(next) = queue.try_recv() {
                    self.decide(&mut open, next).await;
                    continue;
                }
                let write_permits = Arc::clone(&self.write_permits);
                tokio::select! {
                    biased;
                    permit = write_permits.acquire_owned() => break permit,
                    Some(next) = queue.recv() => self.decide(&mut open, next).await,
                }
            };
            // The semaphore is never closed.
            let Ok(permit) = permit else { return };
            if !self.hand_over(open, permit).await {
                return;
            }
        }
    }

    /// Rolls back drafts that depend on a failed append, if the writer is idle, so that later drafts do not. Goes on from
    /// what the engine shows if a batch was stored after its callers were told that its outcome is open.
    async fn recover(&mut self) {
        let Ok(_permit) = Arc::clone(&self.write_permits).try_acquire_owned() else { return };
        let failure = self.failure.lock().clone();
        if let Some(failure) = failure {
            let open = self.open();
            self.take_back(open, &failure).await;
        } else if *self.engine.visible().borrow() > self.last {
            self.go_on_from_stored(true, true).await;
        }
    }

    fn open(&mut self) -> Open {
        let stage = Stage::new(self.catalog.clone(), self.last);
        Open { stage, decided: Vec::new(), weight: 0 }
    }

    /// Decides one draft after all before it.
    async fn decide(&mut self, open: &mut Open, queued: Queued) {
        let Queued { proposal, weight, span, queued_at, reply } = queued;
        if let Some(error) = self.engine.away() {
            // Earlier drafts may wait for a batch whose outcome nobody knows yet; this one depends on nothing.
            drop(reply.send(Answer { outcome: Err(error), stages: Stages::default() }));
            return;
        }
        let taken_at = Instant::now();
        let stages = Stages { queue: taken_at.duration_since(queued_at), ..Stages::default() };
        open.weight += weight;
        let lasting = self.failure.lock().as_ref().filter(|failure| failure.lasting).map(Failure::error);
        let outcome = if let Some(error) = lasting {
            Err(error)
        } else {
            let fetching = self.fetch(&mut open.stage, &proposal.work, &proposal.database);
            match fetching.instrument(tracing::debug_span!(parent: &span, "decide")).await {
                Err(error) => {
                    tracing::error!(%error, "the committer could not read");
                    // Nothing has been written, so the caller may safely retry.
                    let message = "What the commit changes could not be read, so nothing was written.";
                    Err(Error::new(error.code(), "CommitRead", message).with_source(error))
                }
                Ok(()) => self
                    .validate(&proposal.reads, proposal.snapshot, &open.stage)
                    .and_then(|()| open.stage.add(proposal, self.clock.now())),
            }
        };
        let decided_at = Instant::now();
        let stages = Stages { decide: decided_at.duration_since(taken_at), ..stages };
        open.decided.push(Decided { span, stages, decided_at, reply, outcome });
    }

    /// Passes a batch to the writer, whose idleness `permit` proves; `false` if the writer has ended.
    async fn hand_over(&mut self, open: Open, permit: OwnedSemaphorePermit) -> bool {
        let failure = self.failure.lock().clone();
        if let Some(failure) = failure {
            self.take_back(open, &failure).await;
            return true;
        }
        let batch = open.stage.finish();
        if let Some(last) = batch.last().map(|commit| commit.ts) {
            self.last = last;
            self.under_way.enter(&batch, *self.engine.visible().borrow());
            self.window.extend(batch.clone());
        }
        self.writer.send(Ready { batch, decided: open.decided, permit }).await.is_ok()
    }

    /// Refuses a batch that depends on a failed one, and continues from the stored state.
    async fn take_back(&mut self, open: Open, failure: &Failure) {
        let stored = *self.engine.visible().borrow();
        let lost = self.under_way.batches.iter().flatten().chain(open.stage.commits());
        let catalog = lost
            .filter(|commit| commit.ts > stored)
            .any(|commit| commit.changes.iter().any(|change| change.database == DbNo::CATALOG));
        for decided in open.decided {
            decided.answer(Some(failure));
        }
        if failure.lasting {
            return;
        }
        // A batch may be stored late, and its time may be that of a commit that was lost.
        let foreign = matches!(failure.code, Code::Unavailable | Code::DeadlineExceeded);
        self.go_on_from_stored(catalog, foreign).await;
    }

    /// Continues from the stored state. `catalog`: the catalog may be another one than that of the last decision.
    /// `foreign`: the window may lack commits.
    async fn go_on_from_stored(&mut self, catalog: bool, foreign: bool) {
        let stored = *self.engine.visible().borrow();
        self.last = stored;
        self.under_way = UnderWay::default();
        self.window.truncate_after(stored);
        let known = !foreign && self.window.ends_at(stored);
        if !known {
            // Commits that were stored late are not in the window: whoever read before them is aborted.
            self.window = Window::new(stored);
        }
        let reloaded = if catalog || !known { self.catalog.reload(&self.engine).await } else { Ok(()) };
        *self.failure.lock() = reloaded.err().map(|error| {
            tracing::error!(%error, "the catalog could not be read again after a commit that failed");
            Failure::of(&error, true)
        });
    }

    /// Loads the newest version of every document that the work touches into the stage.
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

    /// Checks that nothing the draft has read has changed since.
    fn validate(&self, reads: &ReadSet, snapshot: Ts, stage: &Stage) -> Result<()> {
        if reads.is_empty() || (snapshot >= self.last && stage.commits().is_empty()) {
            return Ok(());
        }
        let contended = match self.window.after(snapshot) {
            None => true,
            Some(mut past) => past.any(|commit| reads.overlaps(commit)),
        };
        if contended || stage.commits().iter().any(|commit| reads.overlaps(commit)) {
            return Err(crate::error::contention());
        }
        Ok(())
    }
}

/// Writes batches in order and answers their callers.
async fn write(
    engine: &AnyEngine,
    term: Term,
    last_failure: &Mutex<Option<Failure>>,
    counts: &CommitCounts,
    mut ready: mpsc::Receiver<Ready>,
) {
    while let Some(Ready { batch, decided, permit }) = ready.recv().await {
        let span = tracing::debug_span!("append", commits = batch.len());
        for decided in &decided {
            span.follows_from(&decided.span);
        }
        let appended = append(engine, term, batch, counts).instrument(span).await;
        let failure = appended.err().map(|error| {
            let source = std::error::Error::source(&error);
            tracing::error!(error = %error, ?source, "a commit could not be stored");
            Failure::of(&error, error.code() == Code::Aborted)
        });
        // Set it before the permit is released, so that its next holder sees it.
        (*last_failure.lock()).clone_from(&failure);
        drop(permit);
        for decided in decided {
            decided.answer(failure.as_ref());
        }
    }
}

async fn append(engine: &AnyEngine, term: Term, batch: Batch, counts: &CommitCounts) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let (commits, begun) = (batch.len(), Instant::now());
    let appended = engine.append(term, batch).await;
    match &appended {
        Ok(()) => counts.appended(commits, begun.elapsed()),
        Err(_) => counts.failed_once(),
    }
    appended
}

fn spawn(name: &str, work: impl Future<Output = ()> + Send + 'static) -> Result<JoinHandle<()>> {
    let runtime = tokio::runtime::Handle::try_current().ok();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            // An engine over a network has timers and connections.
            let _runtime = runtime.as_ref().map(tokio::runtime::Handle::enter);
            futures::executor::block_on(work);
        })
        .map_err(|error| Error::internal("CommitterThread", "The committer could not be started.", error))
}

/// Documents of the batches in flight, newer than what the engine shows.
#[derive(Default)]
struct UnderWay {
    documents: HashMap<Key, (Ts, Option<Arc<Document>>)>,
    batches: VecDeque<Batch>,
}

impl UnderWay {
    fn get(&self, key: &[u8]) -> Option<Option<Arc<Document>>> {
        self.documents.get(key).map(|(_, document)| document.clone())
    }

    /// Adds a batch and removes those that have become visible.
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

/// Recent commits, for validation.
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

    /// Removes commits that were not stored.
    fn truncate_after(&mut self, stored: Ts) {
        while let Some(newest) = self.commits.back()
            && newest.ts > stored
            && let Some(lost) = self.commits.pop_back()
        {
            self.weight -= lost.weight;
        }
    }

    /// True if it has everything up to `stored`, its newest commit.
    fn ends_at(&self, stored: Ts) -> bool {
        self.commits.back().map_or(self.complete_after, |newest| newest.ts) == stored
    }

    fn after(&self, snapshot: Ts) -> Option<impl Iterator<Item = &Arc<Commit>>> {
        if snapshot < self.complete_after {
            return None;
        }
        let from = self.commits.partition_point(|commit| commit.ts <= snapshot);
        Some(self.commits.range(from..))
    }
}
