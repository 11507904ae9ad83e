//! The one task that turns commits into what every stream must hear.

mod held;
mod opening;
mod publish;
mod stream;
mod targets;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::access::Viewer;
use crate::budget::Budget;
use crate::catalog::Catalog;
use crate::clock::SharedClock;
use crate::engine::{AnyEngine, Author, Commit, Engine, LogReader};
use crate::indexer::Indexer;
use crate::model::{Document, Ts};
use crate::query::{Pace, Reader, Shared as Queries, Wanted, run};
use crate::slow::SlowLog;
use crate::{Error, Result};

use self::held::Held;
use self::stream::{LOOK, Stream};
use super::live_result::{Kind, LiveResult, Touched};
use super::outbox::{Outbox, StreamId};
use super::ranges::{LiveResultId, Ranges};
use super::{HubSender, LiveLimits, LiveQueries, Target, TargetId};

/// Bytes of commits that may wait for the first run of one live query.
const MISSED_BYTES: usize = 16 * 1024 * 1024;

/// A target to be added.
#[derive(Debug)]
pub(super) struct Add {
    pub(super) id: TargetId,
    pub(super) target: Target,
    pub(super) resume: Option<Ts>,
    pub(super) expected_count: Option<u32>,
    pub(super) once: bool,
}

/// Requests of streams to the hub.
#[derive(Debug)]
pub(super) enum Message {
    Open {
        stream: StreamId,
        outbox: Arc<Outbox>,
        viewer: Viewer,
    },
    Add {
        stream: StreamId,
        add: Add,
    },
    Remove {
        stream: StreamId,
        id: TargetId,
    },
    Resync {
        stream: StreamId,
        delivered: Ts,
    },
    Close {
        stream: StreamId,
    },
    /// The stream's client has read everything, and first results wait to be made for it.
    Due {
        stream: StreamId,
    },
    /// Asks to be told once every commit that its sender has seen is on its way to the listeners.
    Settle {
        settled: oneshot::Sender<()>,
    },
    /// A live result's first run has ended.
    Loaded {
        live: LiveResultId,
        at: Ts,
        outcome: Result<Vec<Arc<Document>>>,
        /// Held until the documents are where they are counted.
        turn: Option<Arc<Pace>>,
    },
}

/// The way to the hub. The hub ends when the last one is dropped.
#[derive(Debug, Clone)]
pub(crate) struct HubHandle {
    sender: HubSender,
    /// Memory of what waits for the readers of all streams.
    buffers: Arc<Budget>,
}

impl HubHandle {
    pub(super) fn send(&self, message: Message) {
        // A hub that has ended has nobody to serve.
        drop(self.sender.send(message));
    }

    /// Memory of what waits for the readers of all streams.
    pub(super) fn buffers(&self) -> &Arc<Budget> {
        &self.buffers
    }

    /// Waits until every commit that the caller has seen is in the outboxes of the streams it concerns.
    pub(crate) async fn settle(&self) {
        let (settled, told) = oneshot::channel();
        self.send(Message::Settle { settled });
        // A hub that has ended has told everybody what it could.
        drop(told.await);
    }
}

#[derive(Debug)]
struct Shared {
    live: LiveResult,
    /// Key under which equal targets are found in [`Hub::by_shape`].
    shape: String,
    subscribers: HashSet<(StreamId, TargetId)>,
    /// While the first run is under way.
    loading: Option<Missed>,
    /// The first caller to request it.
    by: Author,
    /// Bytes of results counted for that caller.
    charged: usize,
}

/// Commits that touch a live result and arrived while its first run was under way.
#[derive(Debug, Default)]
struct Missed {
    commits: Vec<Arc<Commit>>,
    weight: usize,
    /// There were more than may wait: the query is run again instead.
    too_many: bool,
}

impl Missed {
    fn push(&mut self, commit: &Arc<Commit>) {
        if self.too_many || self.commits.last().is_some_and(|last| last.ts == commit.ts) {
            return;
        }
        self.weight += commit.weight;
        self.commits.push(Arc::clone(commit));
        if self.weight > MISSED_BYTES {
            *self = Self::not_all();
        }
    }

    /// Some of them are not here.
    fn not_all() -> Self {
        Self { too_many: true, ..Self::default() }
    }
}

/// The hub's state; owned by its task, so nothing here is locked.
pub(crate) struct Hub {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    clock: SharedClock,
    indexer: Weak<Indexer>,
    queries: Queries,
    slow: Arc<SlowLog>,
    /// Everything up to here has been taken in.
    position: Ts,
    streams: HashMap<StreamId, Stream>,
    live_results: HashMap<LiveResultId, Shared>,
    by_shape: HashMap<String, LiveResultId>,
    ranges: Ranges,
    next_live: LiveResultId,
    log: LogReader,
    messages: mpsc::UnboundedReceiver<Message>,
    own: mpsc::WeakUnboundedSender<Message>,
    /// Memory of the results of all live queries.
    held: Held,
    buffers: Arc<Budget>,
    /// When to look at the streams.
    look: Interval,
}

impl Hub {
    /// Starts the hub's task.
    pub(crate) fn start(
        engine: Arc<AnyEngine>,
        catalog: Catalog,
        clock: SharedClock,
        shared: LiveQueries,
    ) -> Result<(HubHandle, JoinHandle<()>)> {
        let (mut hub, handle) = Self::new(engine, catalog, clock, shared)?;
        let task = tokio::spawn(async move { while hub.turn().await.is_some() {} });
        Ok((handle, task))
    }

    fn new(
        engine: Arc<AnyEngine>,
        catalog: Catalog,
        clock: SharedClock,
        shared: LiveQueries,
    ) -> Result<(Self, HubHandle)> {
        let LiveQueries { indexer, queries, limits: LiveLimits { of_one, buffers }, slow } = shared;
        let position = *engine.visible().borrow();
        let log = engine.log(position)?;
        let (sender, messages) = mpsc::unbounded_channel();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let hub = Self {
            engine,
            catalog,
            clock,
            indexer,
            queries,
            slow,
            position,
            streams: HashMap::new(),
            live_results: HashMap::new(),
            by_shape: HashMap::new(),
            ranges: Ranges::default(),
            next_live: 0,
            log,
            messages,
            own: sender.downgrade(),
            held: Held::new(of_one),
            buffers: Arc::clone(&buffers),
            look,
        };
        Ok((hub, HubHandle { sender, buffers }))
    }

    /// Takes in what there is, waiting until there is something. `None` when the store or its last handle is gone.
    async fn turn(&mut self) -> Option<()> {
        // Commits that a message's sender has seen are taken in before it. What waited before they were looked for is
        // served in the same turn, so that commits without an end hold nobody up.
        let waiting = self.messages.len();
        tokio::select! {
            biased;
            commits = self.log.next() => {
                match commits? {
                    Ok(commits) => self.commits(&commits).await,
                    // The hub itself fell behind what is kept: everybody starts over.
                    Err(_) => {
                        let now = *self.engine.visible().borrow();
                        self.log.skip_to(now);
                        self.position = now;
                        self.start_over().await;
                    }
                }
                for _ in 0..waiting {
                    let message = self.messages.recv().await?;
                    self.message(message).await;
                }
            }
            _ = self.look.tick(), if !self.streams.is_empty() => {
                let now = self.clock.now();
                self.streams.values_mut().for_each(|stream| stream.reassure(self.position, now));
                self.relieve(now);
            }
            message = self.messages.recv() => self.message(message?).await,
        }
        Some(())
    }

    async fn message(&mut self, message: Message) {
        match message {
            Message::Open { stream, outbox, viewer } => {
                self.streams.insert(stream, Stream::new(outbox, viewer, self.clock.now()));
            }
            Message::Close { stream } => {
                for (id, subscription) in self.streams.remove(&stream).map(|s| s.targets).unwrap_or_default()
                {
                    self.unsubscribe(stream, id, subscription.live);
                }
            }
            Message::Add { stream, add } => self.add(stream, add).await,
            // The end of a target that ended by itself was sent when it happened.
            Message::Remove { stream, id } if self.is_watched(stream, id) => {
                self.drop_target(stream, id, None);
            }
            Message::Remove { .. } => {}
            // Commits are taken in before messages. Who asked may have gone.
            Message::Settle { settled } => drop(settled.send(())),
            Message::Loaded { live, at, outcome, turn } => {
                self.loaded(live, at, outcome).await;
                drop(turn);
            }
            Message::Due { stream } => self.serve_due(stream).await,
            Message::Resync { stream, delivered } => self.resync(stream, delivered).await,
        }
    }

    fn reader(&self, database: &crate::model::DatabaseId) -> Reader {
        Reader {
            engine: Arc::clone(&self.engine),
            catalog: self.catalog.clone(),
            id: database.clone(),
            number: self.catalog.number(database),
            at: self.position,
            by: Author::System,
            notes_reads: false,
            pace: None,
        }
    }

    async fn loaded(&mut self, live: LiveResultId, at: Ts, outcome: Result<Vec<Arc<Document>>>) {
        let Some(shared) = self.live_results.get_mut(&live) else { return };
        let missed = shared.loading.take().unwrap_or_default();
        let subscribers: Vec<_> = shared.subscribers.iter().copied().collect();
        match outcome {
            Ok(documents) => {
                shared.live.load(documents);
                shared.live.stale = missed.too_many;
            }
            Err(error) => {
                for (stream, id) in subscribers {
                    let error = Error::new(error.code(), error.tag(), error.message());
                    self.drop_target(stream, id, Some(error));
                }
                return;
            }
        }
        let mut touched = Touched::new();
        for commit in missed.commits.iter().filter(|commit| commit.ts > at) {
            for change in &commit.changes {
                if self.catalog.name(change.database).as_ref() == Some(&shared.live.database) {
                    shared.live.apply(change, &mut touched);
                }
            }
        }
        self.settle(live, &mut touched).await;
        self.charge(live);
        for (stream, id) in subscribers {
            self.first(stream, id).await;
        }
    }
}

async fn execute(reader: &Reader, kind: &Kind) -> Result<Vec<Arc<Document>>> {
    let documents = match kind {
        Kind::Query(normal) => run(reader, normal, Wanted::Documents).await?.documents,
        Kind::Documents(paths) => reader.documents(paths).await?.into_iter().flatten().collect(),
    };
    Ok(documents.into_iter().map(Arc::new).collect())
}
