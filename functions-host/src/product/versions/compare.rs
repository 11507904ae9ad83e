//! Comparing two versions of a game, or one with the project as it is now: which documents differ, and in what.

use std::collections::{BTreeMap, BTreeSet};

use docstore::Code;
use docstore::model::{DocPath, Document, Fields, Value};
use serde_json::Value as Json;
use tokio::sync::OwnedSemaphorePermit;

use super::contents::{self, BOOKKEEPING, Held, TEXT};
use super::limits::{COMPARED_BYTES, DAMAGED, OBJECTS};
use super::manifest::{self, Entries, Entry};
use super::objects::{self, Objects, Stored};
use super::record;
use super::requests::{Change, Compare, Compared, Unchanged};
use super::{Right, Versions, text};
use crate::functions::callable::{AuthContext, CallError};
use crate::product::plain_json;

/// Name of the project as it is.
const NOW: &str = "now";

/// One of the two that are compared.
struct Side {
    entries: Entries,
    /// The documents themselves, of the project as it is.
    now: Option<BTreeMap<String, Fields>>,
    _memory: Option<OwnedSemaphorePermit>,
}

impl Versions {
    pub(super) async fn compare(self, user: AuthContext, request: Compare) -> Result<Compared, CallError> {
        let project = self.project(&user, &request.project_id, Right::See).await?;
        if request.from == NOW && request.to == NOW {
            return Err(CallError::invalid("from and to are both “now”: one of them must be a version."));
        }
        let before = self.side(&project, &request.from).await?;
        let after = match &request.branch {
            None => self.side(&project, &request.to).await?,
            Some(_) if request.to != NOW || request.from == NOW => {
                return Err(CallError::invalid("With a branch, from is a version and to is “now”."));
            }
            Some(branch) => {
                let branch = self.project(&user, branch, Right::See).await?;
                if begun_in(&branch.fields) != Some(project.path.id()) {
                    return Err(CallError::invalid(
                        "branch must be a project that began as a version of this one.",
                    ));
                }
                self.present(&branch.path).await?
            }
        };
        let objects = Objects::of(&self.database, &project.path)?;
        let paths = paths(&before.entries, &after.entries);
        let mut compared = Compared::default();
        let mut bytes = 0;
        for some in paths.chunks(OBJECTS) {
            let (old, new) = (before.read(&objects, some).await?, after.read(&objects, some).await?);
            for ((path, old), new) in some.iter().zip(old).zip(new) {
                let (Ok(old), Ok(new)) = (old, new) else {
                    if compared.damaged.len() < DAMAGED {
                        compared.damaged.push((*path).to_owned());
                    }
                    continue;
                };
                if !is_text(path) && !differs(old.as_ref(), new.as_ref()) {
                    continue;
                }
                let change = Change {
                    path: (*path).to_owned(),
                    before: old.as_ref().map(plain_json::object),
                    after: new.as_ref().map(plain_json::object),
                };
                bytes += size(&change);
                compared.truncated |= bytes > COMPARED_BYTES;
                if compared.truncated {
                    break;
                }
                compared.changes.push(change);
            }
            if compared.truncated {
                break;
            }
        }
        compared.context = context(&compared.changes, &objects, [&after, &before]).await?;
        Ok(compared)
    }

    async fn side(&self, project: &Document, name: &str) -> Result<Side, CallError> {
        if name == NOW {
            return self.present(&project.path).await;
        }
        let version = record::find(&self.database, &project.path, name).await?;
        let objects = Objects::of(&self.database, &project.path)?;
        let listing = manifest::read(&objects, &[version.root()?]).await?;
        if !listing.damaged.is_empty() {
            return Err(CallError::new(
                Code::DataLoss,
                format!(
                    "{} is damaged: a part of the list of what it holds is missing, so that it cannot be compared. What \
                     is left of it can be opened.",
                    version.shown()
                ),
            ));
        }
        Ok(Side { entries: listing.entries, now: None, _memory: None })
    }

    async fn present(&self, project: &DocPath) -> Result<Side, CallError> {
        let memory = self.room_for_contents().await?;
        let contents = contents::read(&self.database, project, self.database.read_time()).await?;
        let hashed = tokio::task::spawn_blocking(move || {
            // Hashes alone are compared: what would be stored is dropped, one document after the other.
            let entry = |held: &Held| Entry { stored: objects::store(held.fields.clone()).0, file: None };
            let entries = contents.documents.iter().map(|(path, held)| (path.clone(), entry(held))).collect();
            let documents = contents.documents.into_iter().map(|(path, held)| (path, held.fields)).collect();
            Side { entries, now: Some(documents), _memory: Some(memory) }
        });
        hashed.await.map_err(|_| CallError::new(Code::Internal, "The project could not be compared."))
    }
}

/// The project that another one began in, as a version of it.
fn begun_in(fields: &Fields) -> Option<&str> {
    let Some(Value::Map(from)) = fields.get("from") else { return None };
    text(from, "project")
}

/// A document that is damaged.
struct Broken;

impl Side {
    /// The documents at some paths, `None` where it has none.
    async fn read(
        &self,
        objects: &Objects,
        paths: &[&str],
    ) -> docstore::Result<Vec<Result<Option<Fields>, Broken>>> {
        if let Some(documents) = &self.now {
            return Ok(paths.iter().map(|path| Ok(documents.get(*path).cloned())).collect());
        }
        let entries: Vec<Option<&Entry>> = paths.iter().map(|path| self.entries.get(*path)).collect();
        let stored: Vec<&Stored> = entries.iter().flatten().map(|entry| &entry.stored).collect();
        let mut found = objects.documents(&stored).await?.into_iter();
        let read = entries.into_iter().map(|entry| match entry {
            Some(_) => found.next().flatten().map(Some).ok_or(Broken),
            None => Ok(None),
        });
        Ok(read.collect())
    }
}

/// The documents of components and rulebooks that did not change themselves, but in which something did: as the first of
/// the sides that has them says it.
async fn context(
    changes: &[Change],
    objects: &Objects,
    sides: [&Side; 2],
) -> docstore::Result<Vec<Unchanged>> {
    let around = |path: &str| {
        let mut segments = path.splitn(3, '/');
        let (kind, id) = (segments.next()?, segments.next()?);
        (["components", "rulebooks"].contains(&kind) && segments.next().is_some())
            .then(|| format!("{kind}/{id}"))
    };
    let changed: BTreeSet<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    let mut wanted: BTreeSet<String> = changes.iter().filter_map(|change| around(&change.path)).collect();
    wanted.retain(|path| !changed.contains(path.as_str()));
    let paths: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let mut context = Vec::new();
    for some in paths.chunks(OBJECTS) {
        let [first, second] = [sides[0].read(objects, some).await?, sides[1].read(objects, some).await?];
        for ((path, first), second) in some.iter().zip(first).zip(second) {
            let found = first.ok().flatten().or_else(|| second.ok().flatten());
            context.extend(
                found
                    .map(|fields| Unchanged { path: (*path).to_owned(), value: plain_json::object(&fields) }),
            );
        }
    }
    Ok(context)
}

/// The paths to look at, in order: those whose contents differ, and all of a rulebook's text if some of it does, so that
/// whoever compares can make both texts.
fn paths<'a>(before: &'a Entries, after: &'a Entries) -> Vec<&'a str> {
    let all: BTreeSet<&str> = before.keys().chain(after.keys()).map(String::as_str).collect();
    let mut wanted = manifest::differing(before, after);
    let rulebooks: BTreeSet<&str> =
        wanted.iter().filter(|path| is_text(path)).filter_map(|path| path.split('/').nth(1)).collect();
    wanted.extend(
        all.into_iter()
            .filter(|path| is_text(path) && path.split('/').nth(1).is_some_and(|id| rulebooks.contains(id))),
    );
    wanted.into_iter().collect()
}

/// True for a document of the text of a rulebook.
pub(super) fn is_text(path: &str) -> bool {
    let mut segments = path.split('/');
    segments.next() == Some("rulebooks") && segments.nth(1).is_some_and(|kind| TEXT.contains(&kind))
}

/// True if two documents differ in more than what is kept of them beside their content.
pub(super) fn differs(old: Option<&Fields>, new: Option<&Fields>) -> bool {
    fn content(fields: &Fields) -> impl Iterator<Item = (&String, &Value)> {
        fields.iter().filter(|(name, _)| !BOOKKEEPING.contains(&name.as_str()))
    }
    match (old, new) {
        (Some(old), Some(new)) => content(old).ne(content(new)),
        (old, new) => old.is_some() != new.is_some(),
    }
}

fn size(change: &Change) -> usize {
    let json = |value: &Option<Json>| value.as_ref().map_or(0, |value| value.to_string().len());
    change.path.len() + json(&change.before) + json(&change.after)
}
