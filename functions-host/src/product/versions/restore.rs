//! Restoring: the documents of a version are set again, and those that it had not are deleted, in one commit, after a
//! version was made of what there is.
//!
//! The text of a rulebook that is there is left to the client, which changes it by a step, so that open windows follow.

use std::collections::{BTreeMap, BTreeSet};

use docstore::commit::write_weight;
use docstore::model::{DocPath, FieldPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::compare::{differs, is_text};
use super::contents::{ACCESS_LINK, COLLECTIONS, DESCRIBES, Held};
use super::freeze::Frozen;
use super::limits::{ATTEMPTS, OBJECTS, PATHS, RESTORED_BYTES};
use super::manifest::{self, Listing};
use super::objects::{Objects, Stored};
use super::record::{self, Made, Reason};
use super::requests::{Restore, RestoreReply};
use super::turn::{Turn, admit};
use super::{By, Right, Versions, integer, text};
use crate::functions::callable::{AuthContext, CallError};
use crate::product::{members, published};

/// Fields of a rulebook that a restore leaves as they are: its steps go on.
const RUNNING: [&str; 3] = ["head", ACCESS_LINK, "updatedAt"];

/// Damaged documents that an error names.
const NAMED: usize = 5;

impl Versions {
    pub(super) async fn restore(
        self,
        user: AuthContext,
        request: Restore,
    ) -> Result<RestoreReply, CallError> {
        let project = self.project(&user, &request.project_id, Right::Edit).await?;
        let wanted = Wanted::read(&project.path, request.paths)?;
        let name = members::name_in(&project.fields, &user);
        let by = By { user: &user, name: &name };
        let mut turn = Turn::take(&self, &project.path).await?;
        let restored = self.restore_in(&project.path, &by, &request.version, &wanted, &mut turn).await;
        if restored.is_ok() {
            self.thin_after(&project.path, &mut turn).await;
        }
        turn.end().await;
        restored
    }

    async fn restore_in(
        &self,
        project: &DocPath,
        by: &By<'_>,
        version: &str,
        wanted: &Wanted,
        turn: &mut Turn,
    ) -> Result<RestoreReply, CallError> {
        let version = record::find(&self.database, project, version).await?;
        let objects = Objects::of(&self.database, project)?;
        let then = manifest::read(&objects, &[version.root()?]).await?;
        if !then.damaged.is_empty() && wanted.0.is_none() {
            return Err(CallError::new(
                Code::DataLoss,
                format!(
                    "{} is damaged: a part of the list of what it holds is missing. Nothing was restored. Single cards, \
                     layouts and other parts can be restored if they are still listed.",
                    version.shown()
                ),
            ));
        }
        for _ in 0..ATTEMPTS {
            let made = self.make(project, by, &Made::Automatic(Reason::Restore), turn).await?;
            let plan = self.plan(project, &objects, &then, wanted, &made).await?;
            let frozen = made.id.clone();
            let reply = RestoreReply { frozen, changed: plan.writes.len(), rulebooks: plan.rulebooks };
            if plan.writes.is_empty() {
                return Ok(reply);
            }
            let _permit = admit(self.room.as_ref(), by.user, &self.database, &plan.writes).await?;
            match turn.commit(plan.writes).await {
                Ok(()) => return Ok(reply),
                // Somebody changed one of the documents meanwhile: that has to be in the version of today.
                Err(error) if was_changed(error.code()) => {}
                Err(error) => return Err(error),
            }
        }
        Err(CallError::new(
            Code::Aborted,
            "Others are changing all of this at the moment. Nothing was restored. Try again when they have finished.",
        ))
    }

    /// The writes of a restore, given the project as it is.
    async fn plan(
        &self,
        project: &DocPath,
        objects: &Objects,
        then: &Listing,
        wanted: &Wanted,
        now: &Frozen,
    ) -> Result<Plan, CallError> {
        let differing = manifest::differing(&then.entries, &now.entries);
        let changed: Vec<&str> = differing.into_iter().filter(|path| wanted.has(path)).collect();
        let rulebooks = self.rulebooks(project, &changed).await?;
        let mut planning = Planning {
            project,
            then,
            now: &now.contents.documents,
            there: &rulebooks,
            now_micros: self.now().0,
            plan: Plan::default(),
            weight: 0,
        };
        for some in changed.chunks(OBJECTS) {
            let set: Vec<&str> = some
                .iter()
                .copied()
                .filter(|path| then.entries.contains_key(*path) && planning.sets(path))
                .collect();
            let stored: Vec<&Stored> =
                set.iter().filter_map(|path| then.entries.get(*path)).map(|entry| &entry.stored).collect();
            let found = objects.documents(&stored).await?;
            let mut fields: BTreeMap<&str, Option<Fields>> = set.into_iter().zip(found).collect();
            for path in some {
                planning.add(path, fields.remove(path))?;
            }
        }
        let Planning { mut plan, .. } = planning;
        plan.writes.extend(published::closing(&self.database, project.id(), &plan.links).await?);
        if !plan.damaged.is_empty() {
            return Err(damaged(&plan.damaged));
        }
        Ok(plan)
    }

    /// The documents of those rulebooks that are there, put away or not, of which something has changed.
    async fn rulebooks(&self, project: &DocPath, changed: &[&str]) -> Result<BTreeMap<String, Fields>> {
        let ids: BTreeSet<&str> = changed.iter().filter_map(|path| rulebook(path)).collect();
        let collection = project.child("rulebooks")?;
        let paths = ids.iter().map(|id| collection.doc(id)).collect::<Result<Vec<_>>>()?;
        let found = self.database.get(&paths, None).await?.value.into_iter().flatten();
        Ok(found.map(|document| (document.path.id().to_owned(), document.fields)).collect())
    }
}

/// Parts of a project that are restored.
struct Wanted(Option<Vec<String>>);

impl Wanted {
    /// Checks the paths that a caller names.
    fn read(project: &DocPath, paths: Option<Vec<String>>) -> Result<Self, CallError> {
        let Some(paths) = paths else { return Ok(Self(None)) };
        if paths.is_empty() || paths.len() > PATHS {
            return Err(CallError::invalid(format!("paths must be 1 to {PATHS} paths below the project.")));
        }
        for path in &paths {
            let place = format!("{project}/{path}");
            let is_collection = project.child(path).is_ok();
            let is_held = COLLECTIONS.contains(&path.split('/').next().unwrap_or_default());
            if !path.is_empty() && !(is_held && (is_collection || DocPath::parse(&place).is_ok())) {
                let shown: String = path.chars().take(100).collect();
                return Err(CallError::invalid(format!(
                    "{shown:?} is no path of a part of a project that a version holds, such as components/ID/cards/ID."
                )));
            }
        }
        Ok(Self(Some(paths)))
    }

    fn has(&self, path: &str) -> bool {
        let Some(paths) = &self.0 else { return true };
        paths.iter().any(|wanted| match path.strip_prefix(wanted.as_str()) {
            Some("") => true,
            Some(rest) => !wanted.is_empty() && rest.starts_with('/'),
            None => false,
        })
    }
}

#[derive(Debug, Default)]
struct Plan {
    writes: Vec<Write>,
    rulebooks: Vec<String>,
    damaged: Vec<String>,
    /// Public links of rulebooks that are put away.
    links: Vec<String>,
}

struct Planning<'a> {
    project: &'a DocPath,
    then: &'a Listing,
    now: &'a BTreeMap<String, Held>,
    /// Rulebooks that are there.
    there: &'a BTreeMap<String, Fields>,
    now_micros: i64,
    plan: Plan,
    weight: usize,
}

/// The rulebook that a path is of, or lies in.
fn rulebook(path: &str) -> Option<&str> {
    path.strip_prefix("rulebooks/")?.split('/').next()
}

impl Planning<'_> {
    /// True if a document of the version is set by the restore.
    fn sets(&self, path: &str) -> bool {
        !(is_text(path) && rulebook(path).is_some_and(|id| self.there.contains_key(id)))
    }

    /// Adds what restores one document that differs: `then` is the version's, if it sets it, `None` in it if that cannot
    /// be read.
    fn add(&mut self, path: &str, then: Option<Option<Fields>>) -> Result<(), CallError> {
        if let Some(id) = rulebook(path)
            && let Some(there) = self.there.get(id)
        {
            if !self.then.entries.contains_key(&format!("rulebooks/{id}")) {
                return if path == format!("rulebooks/{id}") { self.put_away(id, there) } else { Ok(()) };
            }
            if is_text(path) {
                if self.plan.rulebooks.last().is_none_or(|last| last != id) {
                    self.plan.rulebooks.push(id.to_owned());
                }
                return Ok(());
            }
        }
        match then {
            Some(Some(fields)) => {
                let now = self.now.get(path).map(|now| &now.fields);
                if differs(now, Some(&fields)) { self.set(path, fields) } else { Ok(()) }
            }
            Some(None) => {
                self.plan.damaged.push(path.to_owned());
                Ok(())
            }
            // A document that the list may have lost is not deleted.
            None if self.then.damaged.is_empty() => self.write(path, WriteOp::Delete, self.unchanged(path)),
            None => Ok(()),
        }
    }

    fn set(&mut self, path: &str, mut fields: Fields) -> Result<(), CallError> {
        let updated = Value::Timestamp(docstore::model::Timestamp(self.now_micros));
        if path.is_empty() {
            fields.insert("updatedAt".to_owned(), updated);
            let mask =
                DESCRIBES.into_iter().chain(["updatedAt"]).map(FieldPath::parse).collect::<Result<_>>()?;
            let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
            return self.write(path, op, Precondition::Exists(true));
        }
        if let Some(id) = rulebook(path).filter(|id| path.len() == "rulebooks/".len() + id.len())
            && let Some(there) = self.there.get(id)
        {
            fields.insert("deletedAt".to_owned(), Value::Integer(0));
            fields.retain(|name, _| !RUNNING.contains(&name.as_str()));
            let names: BTreeSet<&String> = fields.keys().chain(there.keys()).collect();
            let mask = names.into_iter().filter(|name| !RUNNING.contains(&name.as_str()));
            let mask =
                mask.map(|name| FieldPath::from_segments(vec![name.clone()])).collect::<Result<_>>()?;
            let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
            return self.write(path, op, Precondition::Exists(true));
        }
        if let Some(now) = self.now.get(path) {
            fields.extend(now.access.clone());
        }
        if path.split('/').count() == 2 && path.starts_with("layouts/") {
            // Editors tell old news from new by it.
            let last = self.now.get(path).map_or(0, |now| integer(&now.fields, "revision"));
            let revision = last.max(integer(&fields, "revision")).saturating_add(1);
            fields.insert("revision".to_owned(), Value::Integer(revision));
            fields.insert("updatedAt".to_owned(), updated);
        }
        self.write(path, WriteOp::Set { fields, transforms: Vec::new() }, self.unchanged(path))
    }

    /// The condition that a document is as it was when the version of today was made. What lies below a rulebook that was
    /// put away is not in that version.
    fn unchanged(&self, path: &str) -> Precondition {
        match self.now.get(path) {
            Some(now) => Precondition::UpdateTime(now.update_time),
            None if rulebook(path).is_some() => Precondition::None,
            None => Precondition::Exists(false),
        }
    }

    /// Puts a rulebook away that the version had not, as its delete button does, and closes its public link.
    fn put_away(&mut self, id: &str, there: &Fields) -> Result<(), CallError> {
        let at = Value::Integer(self.now_micros / 1_000);
        let fields = Fields::from([("deletedAt".to_owned(), at)]);
        let mask = vec![FieldPath::parse("deletedAt")?];
        self.plan.links.extend(text(there, ACCESS_LINK).map(str::to_owned));
        let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
        self.write(&format!("rulebooks/{id}"), op, Precondition::Exists(true))
    }

    fn write(&mut self, path: &str, op: WriteOp, precondition: Precondition) -> Result<(), CallError> {
        let path = if path.is_empty() {
            self.project.clone()
        } else {
            DocPath::parse(&format!("{}/{path}", self.project))?
        };
        let write = Write { path, op, precondition };
        self.weight += write_weight(&write);
        if self.weight > RESTORED_BYTES {
            return Err(CallError::new(
                Code::FailedPrecondition,
                format!(
                    "More than {} MiB have changed since, which cannot be restored at once. Restore one component after \
                     the other.",
                    RESTORED_BYTES >> 20
                ),
            ));
        }
        self.plan.writes.push(write);
        Ok(())
    }
}

fn damaged(paths: &[String]) -> CallError {
    let named = paths.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more =
        if paths.len() > NAMED { format!(", and {} more", paths.len() - NAMED) } else { String::new() };
    CallError::new(
        Code::DataLoss,
        format!(
            "The version is damaged: these parts of it cannot be read: {named}{more}. Nothing was restored. Restore the \
             others by themselves."
        ),
    )
}

/// True if a document was not as the version of today has it: changed, deleted, or made since.
const fn was_changed(code: Code) -> bool {
    matches!(code, Code::FailedPrecondition | Code::NotFound | Code::AlreadyExists)
}
