//! Changes for a client that resumes.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Result;
use crate::encoding::key::DbNo;
use crate::engine::{AnyEngine, Commit, Engine};
use crate::model::{DocPath, Document, Ts};
use crate::query::{Reader, Wanted, run};

use super::live_result::{Kind, LiveResult};
use super::{TargetId, WatchEvent};

/// A filter of more documents than this is sent only where nothing else tells a client what to drop: past it, saying
/// which are left is longer than saying which are gone.
const MAX_FILTERED: usize = 1_000;

/// The difference between what a target's client has and what it should have.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) changed: Vec<Arc<Document>>,
    pub(super) left: Vec<(DocPath, bool)>,
}

/// Changes of the results after `since`, or `None` if they are no longer retained.
pub(super) async fn difference(
    engine: &Arc<AnyEngine>,
    reader: &Reader,
    live: &LiveResult,
    since: Ts,
) -> Option<Difference> {
    if since >= reader.at {
        return (since == reader.at).then(Difference::default);
    }
    let number = reader.number?;
    let commits = commits_between(engine, since, reader.at)?;
    let changes = changes(&commits, number);
    let before = if live.is_limited() { Some(results_at(reader, live, since).await.ok()?) } else { None };
    let mut difference = Difference::default();
    for document in live.documents() {
        let held = match &before {
            Some(before) => before.get(&document.path).copied(),
            // Without a limit, membership depends on the document alone: unchanged documents were there.
            None => (document.update_time <= since).then_some(document.update_time),
        };
        if held != Some(document.update_time) {
            difference.changed.push(document);
        }
    }
    let exists = |path: &DocPath| changes.get(path).is_none_or(|(_, new)| new.is_some());
    match before {
        Some(before) => {
            for path in before.into_keys().filter(|path| live.get(path).is_none()) {
                let exists = exists(&path);
                difference.left.push((path, exists));
            }
        }
        None => {
            for (path, (old, new)) in &changes {
                if live.get(path).is_none() && old.as_ref().is_some_and(|old| live.matches(old)) {
                    difference.left.push((path.clone(), new.is_some()));
                }
            }
        }
    }
    Some(difference)
}

/// The results at an earlier version, by name.
async fn results_at(reader: &Reader, live: &LiveResult, at: Ts) -> Result<HashMap<DocPath, Ts>> {
    let reader = Reader { at, ..reader.clone() };
    let documents = match &live.kind {
        Kind::Query(normal) => run(&reader, normal, Wanted::Documents).await?.documents,
        Kind::Documents(paths) => reader.documents(paths).await?.into_iter().flatten().collect(),
    };
    Ok(documents.into_iter().map(|document| (document.path, document.update_time)).collect())
}

fn commits_between(engine: &Arc<AnyEngine>, after: Ts, until: Ts) -> Option<Vec<Arc<Commit>>> {
    let mut commits = engine.log(after).ok()?.available().ok()?;
    commits.retain(|commit| commit.ts <= until);
    Some(commits)
}

type Changes = HashMap<DocPath, (Option<Arc<Document>>, Option<Arc<Document>>)>;

/// Each changed document before the first and after the last of its changes.
fn changes(commits: &[Arc<Commit>], database: DbNo) -> Changes {
    let mut changes = Changes::new();
    for change in
        commits.iter().flat_map(|commit| &commit.changes).filter(|change| change.database == database)
    {
        changes
            .entry(change.path.clone())
            .or_insert_with(|| (change.old.clone(), None))
            .1
            .clone_from(&change.new);
    }
    changes
}

/// The events of a first result.
pub(super) fn whole(live: &LiveResult, id: TargetId, at: Ts) -> Vec<WatchEvent> {
    let mut events = Vec::with_capacity(live.len() + 2);
    events.extend(live.documents().iter().map(|document| changed(live, id, document)));
    if let Kind::Documents(paths) = &live.kind {
        for path in paths.iter().filter(|path| live.get(path).is_none()) {
            events.push(WatchEvent::Deleted { path: path.clone(), read_time: at, targets: vec![id] });
        }
    }
    events.push(WatchEvent::Current(id, at));
    events
}

/// The events of a resumed target. A client that says how many documents it holds is told by a filter which of them are
/// left, as it expects it, and then what became of the others, which saves it from asking.
pub(super) fn resumed(
    difference: Difference,
    live: &LiveResult,
    id: TargetId,
    at: Ts,
    expected: Option<u32>,
) -> Vec<WatchEvent> {
    let Difference { changed, left } = difference;
    let unchanged = live.len().saturating_sub(changed.len());
    let (least, most) = (unchanged + left.len(), live.len() + left.len());
    let filter = expected.and_then(|expected| {
        let is_explained = (least..=most).contains(&usize::try_from(expected).unwrap_or(usize::MAX));
        let is_wanted = !is_explained || (!left.is_empty() && live.len() <= MAX_FILTERED);
        is_wanted.then(|| filter(live, id, left.iter().map(|(path, _)| path.clone()).collect()))
    });
    let changed: Vec<_> = changed.iter().map(|document| self::changed(live, id, document)).collect();
    let left = left.into_iter().map(|(path, exists)| {
        let targets = vec![id];
        if exists {
            WatchEvent::Gone { path, read_time: at, targets }
        } else {
            WatchEvent::Deleted { path, read_time: at, targets }
        }
    });
    changed.into_iter().chain(filter).chain(left).chain([WatchEvent::Current(id, at)]).collect()
}

/// The events for a client whose token is too old to resume from, but that said how many documents it holds:
/// what is newer than the token, and a filter by which it finds out what to drop.
pub(super) fn filtered(live: &LiveResult, id: TargetId, since: Ts, at: Ts) -> Vec<WatchEvent> {
    let documents = live.documents();
    let changed = documents.iter().filter(|document| document.update_time > since);
    let changed = changed.map(|document| self::changed(live, id, document));
    changed.chain([filter(live, id, Vec::new()), WatchEvent::Current(id, at)]).collect()
}

fn changed(live: &LiveResult, id: TargetId, document: &Arc<Document>) -> WatchEvent {
    WatchEvent::Changed { document: live.selected(document), targets: vec![id], removed: Vec::new() }
}

fn filter(live: &LiveResult, id: TargetId, absent: Vec<DocPath>) -> WatchEvent {
    let present: Vec<_> = live.documents().into_iter().map(|document| document.path.clone()).collect();
    WatchEvent::Filter { id, count: u32::try_from(present.len()).unwrap_or(u32::MAX), present, absent }
}
