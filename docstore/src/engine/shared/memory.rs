//! A shared log in memory, with faults, under whatever time tokio has: simulated in tests that pause it.

mod network;
mod state;

use std::fmt;
use std::sync::Arc;

use futures::StreamExt as _;
use parking_lot::Mutex;
use tokio::sync::watch;

pub use self::network::Network;
use self::network::{Link, Lost};
use self::state::State;
use super::{
    BASE_PART_BYTES, Base, BaseDocument, ClusterId, Fold, Head, LogBatch, NewBatch, NodeId, Position,
    SharedLog, Slice, outcome_unknown,
};
use crate::engine::Term;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// The database of a simulated cluster. Cloning shares it.
#[derive(Clone)]
pub struct MemoryLog(Arc<Server>);

struct Server {
    state: Mutex<State>,
    news: watch::Sender<Position>,
}

impl fmt::Debug for MemoryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryLog").field("head", &self.0.state.lock().head).finish_non_exhaustive()
    }
}

/// A copy of everything as it was at one moment: a standby that lags behind from then on, or a backup.
#[derive(Debug, Clone)]
pub struct Standby(State);

impl MemoryLog {
    /// An empty log.
    pub fn new(cluster: ClusterId) -> Self {
        let (state, news) = (Mutex::new(State::new(cluster)), watch::Sender::new(Position::default()));
        Self(Arc::new(Server { state, news }))
    }

    /// The log as the node `node` reaches it. Faults are drawn from `seed`.
    pub fn connect(&self, node: NodeId, network: Network, seed: u64) -> MemoryConnection {
        MemoryConnection { server: Arc::clone(&self.0), node, link: Link::new(network, seed) }
    }

    /// A copy of this moment.
    pub fn standby(&self) -> Standby {
        Standby(self.0.state.lock().clone())
    }

    /// Goes on from `standby`: what was stored since is lost, and so is what is on its way to the old server.
    pub fn promote(&self, standby: Standby) {
        let mut state = self.0.state.lock();
        let incarnation = state.incarnation + 1;
        *state = standby.0;
        state.incarnation = incarnation;
        self.0.news.send_replace(state.head.position);
    }

    /// The head and all batches, trimmed ones too.
    pub fn contents(&self) -> Slice {
        let state = self.0.state.lock();
        Slice { head: state.head, batches: state.batches.values().cloned().collect() }
    }

    /// Removes a batch from the middle of the log, as only damage does.
    pub fn damage(&self, ts: Ts) -> Option<LogBatch> {
        self.0.state.lock().batches.remove(&ts)
    }
}

/// A node's connection to a [`MemoryLog`]. Cloning shares it.
#[derive(Debug, Clone)]
pub struct MemoryConnection {
    server: Arc<Server>,
    node: NodeId,
    link: Link,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl MemoryConnection {
    /// The node that it is of.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Changes the faults from now on.
    pub fn set_network(&self, network: Network) {
        self.link.set_network(network);
    }

    /// Cuts the node off, or ends that. Replies on their way are lost.
    pub fn cut(&self, cut: bool) {
        self.link.cut(cut);
    }

    /// Stops the node, as SIGSTOP does, or lets it go on: what it has sent arrives, and no call of it returns meanwhile.
    pub fn pause(&self, paused: bool) {
        self.link.pause(paused);
    }

    /// Runs an operation on the server, in its turn. `changes` is true if it may change something.
    async fn ask<T: Send + 'static>(
        &self,
        changes: bool,
        operation: impl FnOnce(&mut State) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let server = Arc::clone(&self.server);
        let connected_to = server.state.lock().incarnation;
        let run = move || {
            let mut state = server.state.lock();
            if state.incarnation != connected_to {
                return None;
            }
            let result = operation(&mut state);
            let end = state.head.position;
            // Whoever waits for news looks at the state next.
            drop(state);
            server.news.send_if_modified(|known| std::mem::replace(known, end) != end);
            Some(result)
        };
        match self.link.call(run).await {
            Ok(Some(result)) => result,
            Ok(None) | Err(Lost::MaybeArrived) if changes => Err(outcome_unknown()),
            Ok(None) | Err(Lost::MaybeArrived | Lost::NeverSent) => {
                Err(Error::new(Code::Unavailable, "LogUnreachable", "The simulated log cannot be reached."))
            }
        }
    }
}

impl SharedLog for MemoryConnection {
    async fn head(&self) -> Result<Head> {
        self.ask(false, |state| Ok(state.head)).await
    }

    async fn take_over(&self, seen: &Head) -> Result<Head> {
        let (node, seen) = (self.node, *seen);
        self.ask(true, move |state| state.take_over(node, &seen)).await
    }

    async fn beat(&self, term: Term) -> Result<()> {
        let node = self.node;
        self.ask(true, move |state| state.beat(node, term)).await
    }

    async fn append(&self, term: Term, batch: NewBatch) -> Result<()> {
        batch.check()?;
        let node = self.node;
        self.ask(true, move |state| state.append(node, term, batch)).await
    }

    async fn read(&self, after: Position, bytes: usize) -> Result<Slice> {
        self.ask(false, move |state| state.read(after, bytes)).await
    }

    async fn base(&self) -> Result<Base> {
        let (at, documents) = self.ask(false, |state| Ok(state.base())).await?;
        Ok(Base { at, documents: futures::stream::iter(parts(documents)).map(Ok).boxed() })
    }

    async fn fold(&self, fold: Fold) -> Result<()> {
        fold.check()?;
        self.ask(true, move |state| state.fold(fold)).await
    }

    async fn trim(&self, up_to: Ts, most: usize) -> Result<usize> {
        self.ask(true, move |state| Ok(state.trim(up_to, most))).await
    }

    fn news(&self) -> watch::Receiver<Position> {
        self.server.news.subscribe()
    }
}

/// Documents in parts of [`BASE_PART_BYTES`].
fn parts(documents: Vec<BaseDocument>) -> Vec<Vec<BaseDocument>> {
    let mut parts = Vec::new();
    let (mut part, mut bytes) = (Vec::new(), 0);
    for document in documents {
        bytes += document.key.len() + document.value.len();
        part.push(document);
        if bytes >= BASE_PART_BYTES {
            parts.push(std::mem::take(&mut part));
            bytes = 0;
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}
