//! The one task that commits. It has a thread to itself, because an append may block on the disk.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::mpsc::{self, error::TryRecvError};
use tokio::sync::oneshot;

use crate::catalog::Catalog;
use crate::clock::SharedClock;
use crate::engine::{AnyEngine, Commit, Engine, Term};
use crate::key::{DbNo, Key, doc_key};
use crate::model::{DocPath, Document, Ts};
use crate::reads::ReadSet;
use crate::{Code, Error, Result, codec};

use super::stage::Stage;
use super::{Commits, Committed, GROUP_BYTES, GROUP_DRAFTS, QUEUE_DRAFTS, Queued, Work};

/// How many bytes of past commits are kept for validation; a transaction older than that is aborted.
const WINDOW_BYTES: usize = 64 * 1024 * 1024;

/// The committer's thread.
pub(crate) struct Committer {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    clock: SharedClock,
    term: Term,
    /// The newest commit's time.
    last: Ts,
    window: Window,
    /// Set when an append failed: nothing more can be promised.
    broken: bool,
}

/// A draft that was decided and waits for its append.
struct Decided {
    reply: oneshot::Sender<Result<Committed>>,
    outcome: Result<Committed>,
}

impl Committer {
    /// Starts the committer of an engine. Its thread ends when every [`Commits`] is gone.
    pub(crate) async fn start(
        engine: Arc<AnyEngine>,
        catalog: Catalog,
        clock: SharedClock,
    ) -> Result<(Commits, JoinHandle<()>)> {
        let term = engine.lead().await?;
        let last = *engine.visible().borrow();
        let window = Window::new(last);
        let committer = Self { engine, catalog, clock, term, last, window, broken: false };
        let (sender, receiver) = mpsc::channel(QUEUE_DRAFTS);
        let thread = std::thread::Builder::new()
            .name("committer".to_owned())
            .spawn(move || futures::executor::block_on(committer.run(receiver)))
            .map_err(|error| {
                Error::internal("CommitterThread", "The committer could not be started.", error)
            })?;
        Ok((Commits(sender), thread))
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Queued>) {
        while let Some(first) = queue.recv().await {
            let mut weight = first.weight;
            let mut group = vec![first];
            while group.len() < GROUP_DRAFTS && weight < GROUP_BYTES {
                match queue.try_recv() {
                    Ok(next) => {
                        weight += next.weight;
                        group.push(next);
                    }
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
                }
            }
            self.group(group).await;
        }
    }

    /// Decides, stores and answers one group.
    async fn group(&mut self, group: Vec<Queued>) {
        if self.broken {
            for queued in group {
                answer(queued.reply, Err(broken()));
            }
            return;
        }
        let documents = match self.fetch(&group).await {
            Ok(documents) => documents,
            Err(error) => {
                let message = error.to_string();
                tracing::error!(error = %message, "the committer could not read");
                for queued in group {
                    answer(
                        queued.reply,
                        Err(Error::internal("CommitRead", "The commit could not be read.", message.clone())),
                    );
                }
                return;
            }
        };
        let mut stage = Stage::new(self.catalog.clone(), self.last, documents);
        let mut decided = Vec::with_capacity(group.len());
        for queued in group {
            let now = self.clock.now();
            let outcome = self
                .validate(&queued.proposal.reads, queued.proposal.snapshot, &stage)
                .and_then(|()| stage.add(queued.proposal, now));
            decided.push(Decided { reply: queued.reply, outcome });
        }
        let batch = stage.finish();
        if let Some(last) = batch.last().map(|commit| commit.ts) {
            if let Err(error) = self.engine.append(self.term, batch.clone()).await {
                tracing::error!(error = %error, source = ?std::error::Error::source(&error), "a commit could not be stored");
                self.broken = true;
                for Decided { reply, outcome } in decided {
                    answer(reply, outcome.and(Err(broken())));
                }
                return;
            }
            self.last = last;
            self.window.extend(batch);
        }
        for Decided { reply, outcome } in decided {
            answer(reply, outcome);
        }
    }

    /// The newest version of every document the group touches.
    async fn fetch(&self, group: &[Queued]) -> Result<HashMap<Key, Option<Arc<Document>>>> {
        let mut keys = Vec::new();
        let mut paths = Vec::new();
        let mut seen = HashSet::new();
        let mut want = |database: DbNo, path: &DocPath| {
            let key = doc_key(database, path);
            if seen.insert(key.clone()) {
                keys.push(key);
                paths.push(path.clone());
            }
        };
        for queued in group {
            // A database without a number has no documents.
            let Some(database) = self.catalog.number(&queued.proposal.database) else { continue };
            match &queued.proposal.work {
                Work::Writes(writes) => writes.iter().for_each(|write| want(database, &write.path)),
                Work::Backfill(_, documents) => documents.iter().for_each(|path| want(database, path)),
            }
        }
        let values = self.engine.get(&keys, self.last).await?;
        let mut documents = HashMap::with_capacity(keys.len());
        for ((key, path), value) in keys.into_iter().zip(paths).zip(values) {
            let document = match value {
                Some(bytes) => Some(Arc::new(codec::decode_document(&path, &bytes)?)),
                None => None,
            };
            documents.insert(key, document);
        }
        Ok(documents)
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

fn answer(reply: oneshot::Sender<Result<Committed>>, outcome: Result<Committed>) {
    // A caller that went away needs no answer.
    drop(reply.send(outcome));
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
