//! Targets of streams: their check, their live results and the first run of those, and their end.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::stream::Subscription;
use super::{Add, Hub, Message, Missed, Shared, execute};
use crate::access::{Operation, Viewer, permit};
use crate::indexer::{Asked, Indexer};
use crate::model::Document;
use crate::query::{Normal, Reader, Wanted, lacking, run};
use crate::slow::{self, SlowLog};
use crate::watch::live_result::{Kind, LiveResult};
use crate::watch::outbox::{Cut, StreamId};
use crate::watch::ranges::LiveResultId;
use crate::watch::{Target, TargetId, WatchEvent};
use crate::{Error, Result};

impl Hub {
    pub(super) async fn add(&mut self, stream: StreamId, add: Add) {
        let id = add.id;
        let Some(state) = self.streams.get(&stream) else { return };
        let viewer = state.viewer.clone();
        let outbox = Arc::clone(&state.outbox);
        if self.is_watched(stream, id) {
            // Nobody could say which of the two is meant from now on: both end.
            let message = format!("Target id {id} is already in use on this stream.");
            let error = || Some(Error::invalid("TargetInUse", message.clone()));
            self.drop_target(stream, id, error());
            outbox.push(Cut::asked(vec![WatchEvent::Removed(id, error())]));
            return;
        }
        let kind = match self.check(&viewer, &add.target).await {
            Ok(kind) => kind,
            Err(error) => {
                outbox.push(Cut::asked(vec![WatchEvent::Removed(id, Some(error))]));
                return;
            }
        };
        outbox.push(Cut::asked(vec![WatchEvent::Added(id)]));
        let live = self.live(&viewer, kind);
        if let Some(state) = self.streams.get_mut(&stream) {
            state.targets.insert(id, Subscription { live, current: None, waiting: add });
        }
        if let Some(shared) = self.live_results.get_mut(&live) {
            shared.subscribers.insert((stream, id));
            if shared.loading.is_none() {
                self.first(stream, id).await;
            }
        }
    }

    /// Checks a target and the caller's right to it.
    async fn check(&self, viewer: &Viewer, target: &Target) -> Result<Kind> {
        let kind = match target {
            Target::Query(query) => Kind::Query(Arc::new(Normal::new(query)?)),
            Target::Documents(paths) => Kind::Documents(paths.as_slice().into()),
        };
        self.permit(viewer, target).await?;
        if let Kind::Query(normal) = &kind {
            self.want(viewer, normal, &self.reader(&viewer.database))?;
        }
        Ok(kind)
    }

    /// Asks the policy about everything that a target is about, at this moment.
    pub(super) async fn permit(&self, viewer: &Viewer, target: &Target) -> Result<()> {
        let operations = match target {
            Target::Query(query) => vec![Operation::List(query)],
            Target::Documents(paths) => paths.iter().map(Operation::Get).collect(),
        };
        let reader = self.reader(&viewer.database);
        for operation in operations {
            let of = || match operation {
                Operation::List(query) => slow::source(query),
                Operation::Get(path) | Operation::Write { path, .. } => slow::pattern(path),
            };
            let deciding = permit(viewer, operation, &reader, self.clock.now());
            self.slow.timed_rules(&viewer.database, of, deciding).await?;
        }
        Ok(())
    }

    /// Has the indexes built that the query lacks, or refuses it, as for a query that is run once.
    fn want(&self, viewer: &Viewer, normal: &Normal, reader: &Reader) -> Result<()> {
        let (Some(indexer), Some(number)) = (self.indexer.upgrade(), reader.number) else { return Ok(()) };
        let missing = lacking(normal, &self.catalog, number, reader.at)?;
        let asked = Asked { id: &viewer.database, by: &viewer.caller.author(), read: None };
        if missing.is_empty() { Ok(()) } else { indexer.want(&asked, missing) }
    }

    /// The shared live result of a target; starts its first run if it is new.
    fn live(&mut self, viewer: &Viewer, kind: Kind) -> LiveResultId {
        // Queries hold floats and so have no equality of their own; their debug text is complete.
        let shape = match &kind {
            Kind::Query(normal) => format!("{} {:?} {:?}", viewer.database, normal.query, normal.filter),
            Kind::Documents(paths) => format!("{} {paths:?}", viewer.database),
        };
        if let Some(live) = self.by_shape.get(&shape) {
            return *live;
        }
        let id = self.next_live;
        self.next_live += 1;
        self.ranges.add(&viewer.database, &kind, id);
        self.by_shape.insert(shape.clone(), id);
        let live = LiveResult::new(viewer.database.clone(), kind.clone());
        let reader = Reader { by: viewer.caller.author(), ..self.reader(&viewer.database) };
        let own = self.own.clone();
        let (indexer, queries) = (Weak::clone(&self.indexer), self.queries.clone());
        let slow = Arc::clone(&self.slow);
        tokio::spawn(async move {
            let begun = Instant::now();
            let turn = Some(queries.live_query(&reader.by).await);
            let waited = begun.elapsed();
            let reader = Reader { pace: turn.clone(), ..reader };
            let outcome = first_run(&indexer, &reader, &kind, (&slow, waited)).await;
            if let Some(hub) = own.upgrade() {
                drop(hub.send(Message::Loaded { live: id, at: reader.at, outcome, turn }));
            }
        });
        let shared = Shared {
            live,
            shape,
            subscribers: HashSet::new(),
            loading: Some(Missed::default()),
            by: viewer.caller.author(),
            charged: 0,
        };
        self.live_results.insert(id, shared);
        id
    }

    pub(super) fn is_watched(&self, stream: StreamId, id: TargetId) -> bool {
        self.streams.get(&stream).is_some_and(|state| state.targets.contains_key(&id))
    }

    pub(super) fn drop_target(&mut self, stream: StreamId, id: TargetId, error: Option<Error>) {
        if let Some(state) = self.streams.get(&stream) {
            state.outbox.push(Cut::asked(vec![WatchEvent::Removed(id, error)]));
        }
        self.forget_target(stream, id);
    }

    pub(super) fn forget_target(&mut self, stream: StreamId, id: TargetId) {
        let subscription = self.streams.get_mut(&stream).and_then(|state| state.targets.remove(&id));
        if let Some(subscription) = subscription {
            self.unsubscribe(stream, id, subscription.live);
        }
    }

    pub(super) fn unsubscribe(&mut self, stream: StreamId, id: TargetId, live: LiveResultId) {
        let Some(shared) = self.live_results.get_mut(&live) else { return };
        shared.subscribers.remove(&(stream, id));
        if shared.subscribers.is_empty()
            && let Some(shared) = self.live_results.remove(&live)
        {
            self.held.change(&shared.by, shared.charged, 0);
            self.by_shape.remove(&shared.shape);
            self.ranges.remove(&shared.live.database, &shared.live.kind, live);
        }
    }
}

/// Runs a live result for the first time, on behalf of who asked for it first; what it lacked may be learned.
async fn first_run(
    indexer: &Weak<Indexer>,
    reader: &Reader,
    kind: &Kind,
    (slow, waited): (&SlowLog, Duration),
) -> Result<Vec<Arc<Document>>> {
    let Kind::Query(normal) = kind else { return execute(reader, kind).await };
    let begun = Instant::now();
    let mut ran = run(reader, normal, Wanted::Documents).await?;
    slow.query(&reader.id, &normal.query, &ran.stats, (waited, begun.elapsed()));
    if let Some(indexer) = indexer.upgrade() {
        indexer.learn(reader, &mut ran)?;
    }
    Ok(ran.documents.into_iter().map(Arc::new).collect())
}
