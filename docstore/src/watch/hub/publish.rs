//! From commits to what every stream hears of them: one consistent cut a batch.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::access::Operation;
use crate::encoding::key::DbNo;
use crate::engine::Commit;
use crate::model::{DocPath, Document, Ts};
use crate::watch::live_result::{Kind, Touched};
use crate::watch::outbox::{Cut, StreamId};
use crate::watch::ranges::LiveResultId;
use crate::watch::{Target, TargetId, WatchEvent};
use crate::{Code, Error};

use super::{Hub, Stream, execute};

impl Hub {
    /// Offers commits to the live results they touch, then tells the streams.
    pub(super) async fn commits(&mut self, commits: &[Arc<Commit>]) {
        let mut touched: HashMap<LiveResultId, Touched> = HashMap::new();
        let mut hits = HashSet::new();
        for commit in commits {
            for change in &commit.changes {
                let Some(database) = self.catalog.name(change.database) else { continue };
                hits.clear();
                self.ranges.hit(&database, change, &mut hits);
                for live in &hits {
                    let Some(shared) = self.live_results.get_mut(live) else { continue };
                    match &mut shared.loading {
                        Some(missed) => missed.push(commit),
                        None => shared.live.apply(change, touched.entry(*live).or_default()),
                    }
                }
            }
            self.position = commit.ts;
        }
        for (live, touched) in &mut touched {
            self.settle(*live, touched).await;
            self.charge(*live);
        }
        self.publish(touched, commits).await;
    }

    /// Completes a live result after changes: refills its limit, or runs it again.
    pub(super) async fn settle(&mut self, id: LiveResultId, touched: &mut Touched) {
        let Some(shared) = self.live_results.get(&id) else { return };
        let reader = self.reader(&shared.live.database);
        let rerun = shared.live.stale;
        let refill = if rerun || shared.live.missing() == 0 { None } else { shared.live.refill_query() };
        let outcome = match (rerun, refill) {
            (true, _) => execute(&reader, &shared.live.kind).await,
            (false, Some(normal)) => execute(&reader, &Kind::Query(Arc::new(normal))).await,
            (false, None) => return,
        };
        let Some(shared) = self.live_results.get_mut(&id) else { return };
        match outcome {
            Ok(documents) if rerun => {
                for document in shared.live.documents() {
                    touched.entry(document.path.clone()).or_insert(Some(document));
                }
                shared.live.load(documents);
                for document in shared.live.documents() {
                    touched.entry(document.path.clone()).or_insert(None);
                }
            }
            Ok(documents) => shared.live.refill(documents, touched),
            Err(error) => {
                tracing::error!(error = %error, "a live query could not be completed");
                for (stream, id) in shared.subscribers.clone() {
                    let error = Error::new(Code::Unavailable, "ViewFailed", "The live query failed; retry.");
                    self.drop_target(stream, id, Some(error));
                }
            }
        }
    }

    /// Tells every stream what the commits changed for it, as one cut.
    async fn publish(&mut self, touched: HashMap<LiveResultId, Touched>, commits: &[Arc<Commit>]) {
        let mut news: HashMap<StreamId, BTreeMap<DocPath, Fate>> = HashMap::new();
        for (id, touched) in &touched {
            let Some(shared) = self.live_results.get(id) else { continue };
            for (path, before) in touched {
                let now = shared.live.get(path);
                let same = match (before, now) {
                    (None, None) => true,
                    (Some(before), Some(now)) => before.update_time == now.update_time,
                    _ => false,
                };
                if same {
                    continue;
                }
                let now = now.map(|document| shared.live.selected(document));
                let selecting = shared.live.selects().then_some(*id);
                for (stream, target) in &shared.subscribers {
                    // The first result will contain this change.
                    if !self.is_current(*stream, *target) {
                        continue;
                    }
                    let fate = news.entry(*stream).or_default().entry(path.clone()).or_default();
                    match &now {
                        Some(document) => fate.shows(selecting, document, *target),
                        None => fate.left.push(*target),
                    }
                }
            }
        }
        let at = self.position;
        let deleted = deleted(commits);
        for (stream, fates) in news {
            let Some(state) = self.streams.get(&stream) else { continue };
            if state.lagging {
                continue;
            }
            let number = self.catalog.number(&state.viewer.database);
            let mut events = Vec::with_capacity(fates.len());
            for (path, fate) in fates {
                let is_deleted = number.is_some_and(|number| deleted.contains(&(number, &path)));
                fate.tell(path, at, is_deleted, &mut events);
            }
            let refused = self.refused(state, &events).await;
            events.retain_mut(|event| match event {
                WatchEvent::Changed { targets, removed, .. } => {
                    targets.retain(|id| refused.iter().all(|(other, _)| other != id));
                    !targets.is_empty() || !removed.is_empty()
                }
                _ => true,
            });
            let now = self.clock.now();
            if let Some(state) = self.streams.get_mut(&stream) {
                state.end_cut(&mut events, at, now);
                state.lagging = state.outbox.push(Cut::changes(events));
            }
            for (id, error) in refused {
                self.drop_target(stream, id, Some(error));
            }
        }
    }

    /// The targets for which the policy refuses what they would be sent.
    async fn refused(&self, state: &Stream, events: &[WatchEvent]) -> Vec<(TargetId, Error)> {
        let mut refused = Vec::new();
        let mut queries = HashSet::new();
        let reader = self.reader(&state.viewer.database);
        for event in events {
            let WatchEvent::Changed { document, targets, .. } = event else { continue };
            for id in targets {
                let Some(subscription) = state.targets.get(id) else { continue };
                let operation = match &subscription.waiting.target {
                    // Decided for all its results together.
                    Target::Query(_) if !queries.insert(*id) => continue,
                    Target::Query(query) => Operation::List(query),
                    Target::Documents(_) => Operation::Get(&document.path),
                };
                if let Err(error) =
                    crate::access::permit(&state.viewer, operation, &reader, self.clock.now()).await
                {
                    refused.push((*id, error));
                }
            }
        }
        refused
    }
}

/// A stream's news of one document.
#[derive(Default)]
struct Fate {
    /// The document for the targets that it matches: whole, and as each live result shows it that selects fields.
    shown: BTreeMap<Option<LiveResultId>, (Arc<Document>, Vec<TargetId>)>,
    /// The targets that it no longer matches.
    left: Vec<TargetId>,
}

impl Fate {
    /// The target shows the document: whole, or as a live result that selects fields.
    fn shows(&mut self, selecting: Option<LiveResultId>, document: &Arc<Document>, target: TargetId) {
        let shown = self.shown.entry(selecting).or_insert_with(|| (Arc::clone(document), Vec::new()));
        shown.1.push(target);
    }

    fn tell(self, path: DocPath, at: Ts, is_deleted: bool, events: &mut Vec<WatchEvent>) {
        let Self { shown, left } = self;
        if shown.is_empty() {
            events.push(if is_deleted {
                WatchEvent::Deleted { path, read_time: at, targets: left }
            } else {
                WatchEvent::Gone { path, read_time: at, targets: left }
            });
            return;
        }
        let mut removed = left;
        for (document, targets) in shown.into_values() {
            events.push(WatchEvent::Changed { document, targets, removed: std::mem::take(&mut removed) });
        }
    }
}

/// Documents that existed and do not exist after the commits. A document that leaves a live result is among them or still
/// exists, so that no lookup, which could fail, is needed to tell.
fn deleted(commits: &[Arc<Commit>]) -> HashSet<(DbNo, &DocPath)> {
    let mut deleted = HashSet::new();
    for change in commits.iter().flat_map(|commit| &commit.changes) {
        let name = (change.database, &change.path);
        if change.new.is_none() {
            deleted.insert(name);
        } else {
            deleted.remove(&name);
        }
    }
    deleted
}
