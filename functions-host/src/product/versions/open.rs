//! Opened versions: the documents of a version below `projects/{p}~{v}`, where all that opens a project opens it. They are
//! a copy, made when somebody asks for it and deleted when nobody has for an hour.
//!
//! The document of such a project has `frozenOf` and no `owner`, so no list, count or limit of anybody's projects finds it;
//! the rules make a viewer of it of everybody who sees the project that it is of.

use docstore::commit::Draft;
use docstore::model::{DocPath, Document, FieldPath, Fields, Precondition, Timestamp, Value, Write, WriteOp};
use docstore::{Code, Result};

use super::limits::{ATTEMPTS, DAMAGED, LOOK, NOTED_MICROS, OBJECTS, OPENED, OPENED_MICROS, UNUSED_MICROS};
use super::objects::{Objects, Stored};
use super::record::{self, Record};
use super::turn::Turn;
use super::{Versions, manifest, text, timestamp};
use crate::functions::callable::CallError;
use crate::product::subtree;
use crate::project::{self, FROZEN_OF, VERSION};

/// Field with the time of the last call; projects that are no copies have none.
const OPENED_AT: &str = "openedAt";
/// True once all documents are there.
const READY: &str = "ready";
const DAMAGED_PATHS: &str = "damaged";
const VERSION_NAME: &str = "versionName";

/// An opened version.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) path: DocPath,
    /// Documents that could not be read.
    pub(super) damaged: Vec<String>,
}

/// The document of an opened version.
///
/// # Errors
/// `InvalidArgument` for ids that are too long together.
fn path(project: &DocPath, version: &str) -> Result<DocPath, CallError> {
    project::path(&format!("{}~{version}", project.id())).map_err(|_| {
        CallError::invalid(
            "The id of the project is so long that its versions cannot be opened. Duplicate the project.",
        )
    })
}

impl Versions {
    /// Opens a version, or says that somebody still needs it.
    ///
    /// # Errors
    /// `NotFound`, `DataLoss`, `ResourceExhausted`; those of the store.
    pub(super) async fn open(&self, project: &DocPath, version: &Record) -> Result<Opened, CallError> {
        let path = path(project, version.id())?;
        if let Some(opened) = self.still_open(project, &path, version).await? {
            return Ok(opened);
        }
        let mut turn = Turn::take(self, project).await?;
        let opened = self.copy(project, &path, version, &mut turn).await;
        turn.end().await;
        opened
    }

    /// An opened version that is there, with the time of this call.
    async fn still_open(
        &self,
        project: &DocPath,
        path: &DocPath,
        version: &Record,
    ) -> Result<Option<Opened>, CallError> {
        for _ in 0..ATTEMPTS {
            let found = self.database.get(std::slice::from_ref(path), None).await?.value;
            let Some(found) = found.into_iter().flatten().next() else { return Ok(None) };
            if text(&found.fields, FROZEN_OF) != Some(project.id()) {
                return Err(CallError::new(
                    Code::FailedPrecondition,
                    "Another project has the id that this version would be opened under.",
                ));
            }
            if found.fields.get(READY) != Some(&Value::Boolean(true)) {
                return Ok(None);
            }
            let opened = Opened { path: path.clone(), damaged: texts(&found.fields, DAMAGED_PATHS) };
            let (last, now) = (timestamp(&found.fields, OPENED_AT), self.now());
            let is_noted = last.is_some_and(|last| now.0 - last.0 < NOTED_MICROS);
            if is_noted && text(&found.fields, VERSION_NAME) == Some(&version.name) {
                return Ok(Some(opened));
            }
            let fields = Fields::from([
                (OPENED_AT.to_owned(), Value::Timestamp(now)),
                (VERSION_NAME.to_owned(), Value::String(version.name.clone())),
            ]);
            // Whoever is about to delete it has changed it.
            match self.database.commit(Draft::of(vec![update(&found, fields)?])).await {
                Ok(_) => return Ok(Some(opened)),
                Err(error) if is_overtaken(error.code()) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(CallError::new(Code::Aborted, "Many open this version at once. Try again."))
    }

    /// Copies a version's documents to where they are opened.
    async fn copy(
        &self,
        project: &DocPath,
        path: &DocPath,
        version: &Record,
        turn: &mut Turn,
    ) -> Result<Opened, CallError> {
        // Somebody may have opened or deleted it before this turn.
        let version = record::find(&self.database, project, version.id()).await?;
        if let Some(opened) = self.still_open(project, path, &version).await? {
            return Ok(opened);
        }
        self.make_place(project, path, turn).await?;
        let objects = Objects::of(&self.database, project)?;
        let listing = manifest::read(&objects, &[version.root()?]).await?;
        if !listing.damaged.is_empty() && listing.entries.is_empty() {
            return Err(lost(&version));
        }
        let mut damaged: Vec<String> =
            listing.damaged.iter().map(|node| format!("the list of documents {node}")).collect();
        let own = |describes: Fields, ready: bool, damaged: &[String]| {
            Write::set(path.clone(), self.own_fields(project, &version, describes, ready, damaged))
        };
        turn.commit(vec![own(Fields::new(), false, &[])]).await?;
        let mut describes = Fields::new();
        let entries: Vec<_> = listing.entries.iter().collect();
        let mut writes = Vec::new();
        for some in entries.chunks(OBJECTS) {
            let stored: Vec<&Stored> = some.iter().map(|(_, entry)| &entry.stored).collect();
            for ((below, _), fields) in some.iter().zip(objects.documents(&stored).await?) {
                match fields {
                    Some(fields) if below.is_empty() => describes = fields,
                    Some(fields) => {
                        writes.push(Write::set(DocPath::parse(&format!("{path}/{below}"))?, fields));
                    }
                    None => damaged.push((*below).clone()),
                }
            }
            if writes.len() + OBJECTS > super::limits::BATCH {
                turn.commit_all(std::mem::take(&mut writes)).await?;
            }
        }
        turn.commit_all(writes).await?;
        damaged.truncate(DAMAGED);
        turn.commit(vec![own(describes, true, &damaged)]).await?;
        Ok(Opened { path: path.clone(), damaged })
    }

    fn own_fields(
        &self,
        project: &DocPath,
        version: &Record,
        describes: Fields,
        ready: bool,
        damaged: &[String],
    ) -> Fields {
        let string = |text: &str| Value::String(text.to_owned());
        let mut fields = describes;
        let added = [
            (FROZEN_OF, string(project.id())),
            (VERSION, string(version.id())),
            (VERSION_NAME, string(&version.name)),
            ("versionNumber", Value::Integer(version.number)),
            ("frozenAt", Value::Timestamp(version.at)),
            ("members", Value::Map(Fields::new())),
            ("memberIds", Value::Array(Vec::new())),
            (OPENED_AT, Value::Timestamp(self.now())),
            (READY, Value::Boolean(ready)),
            (DAMAGED_PATHS, Value::Array(damaged.iter().map(|path| string(path)).collect())),
        ];
        fields.extend(added.map(|(name, value)| (name.to_owned(), value)));
        fields
    }

    /// Makes a place for another opened version, if need be by closing one that nobody has called for for a while.
    async fn make_place(&self, project: &DocPath, path: &DocPath, turn: &mut Turn) -> Result<(), CallError> {
        let mut open = project::opened_of(&self.database, project.id()).await?;
        open.retain(|document| document.path != *path);
        if open.len() < OPENED {
            return Ok(());
        }
        let last = |document: &Document| timestamp(&document.fields, OPENED_AT).unwrap_or(Timestamp(0));
        let unused = open.into_iter().min_by_key(last);
        let unused = unused.filter(|document| last(document).0 < self.now().0 - UNUSED_MICROS);
        let Some(unused) = unused else {
            return Err(CallError::new(
                Code::ResourceExhausted,
                format!(
                    "{OPENED} versions of this project are open, which is the most. Close one; its place is free a \
                     quarter of an hour later."
                ),
            ));
        };
        self.close(&unused, turn).await.map(drop)
    }

    /// Deletes an opened version, unless somebody has called for it since it was read.
    pub(super) async fn close(&self, opened: &Document, turn: &mut Turn) -> Result<bool, CallError> {
        let not_ready = Fields::from([(READY.to_owned(), Value::Boolean(false))]);
        // One that is not ready was left by somebody who ended in the middle.
        if opened.fields.get(READY) == Some(&Value::Boolean(true)) {
            match self.database.commit(Draft::of(vec![update(opened, not_ready)?])).await {
                Ok(_) => {}
                Err(error) if is_overtaken(error.code()) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        turn.commit(Vec::new()).await?;
        subtree::delete(&self.database, opened.path.clone()).await?;
        Ok(true)
    }

    /// Deletes the copy of a version that is being deleted: nobody can open it again.
    pub(super) async fn close_version(
        &self,
        project: &DocPath,
        version: &str,
        turn: &mut Turn,
    ) -> Result<(), CallError> {
        let path = path(project, version)?;
        for _ in 0..ATTEMPTS {
            let found = self.database.get(std::slice::from_ref(&path), None).await?.value;
            let Some(found) = found.into_iter().flatten().next() else { return Ok(()) };
            if text(&found.fields, FROZEN_OF) != Some(project.id()) || self.close(&found, turn).await? {
                return Ok(());
            }
        }
        Err(CallError::new(Code::Aborted, "Many open this version at once. Delete it again."))
    }

    /// Deletes opened versions that nobody has called for for an hour, forever.
    pub(crate) async fn keep_closing(&self) {
        let mut ticks = tokio::time::interval(LOOK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.close_unused().await {
                let error = error.inner();
                tracing::warn!(%error, "opened versions were not all closed; it goes on later");
            }
        }
    }

    /// Deletes opened versions that nobody has called for for an hour. Answers how many. One that cannot be deleted is left
    /// for the next time, and keeps no other.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn close_unused(&self) -> Result<usize, CallError> {
        let mut opened = project::all_opened(&self.database, &[OPENED_AT, READY]).await?;
        let before = self.now().0 - OPENED_MICROS;
        opened.retain(|document| timestamp(&document.fields, OPENED_AT).is_some_and(|at| at.0 < before));
        let mut closed = 0;
        for document in opened {
            match self.close_one(&document).await {
                Ok(is_closed) => closed += usize::from(is_closed),
                Err(error) => {
                    let (error, version) = (error.inner(), &document.path);
                    tracing::warn!(%error, %version, "an opened version was not closed; it goes on later");
                }
            }
        }
        Ok(closed)
    }

    async fn close_one(&self, opened: &Document) -> Result<bool, CallError> {
        let of = project::frozen_of(opened).unwrap_or_default();
        let Some(project) = project::find(&self.database, of).await? else {
            subtree::delete(&self.database, opened.path.clone()).await?;
            return Ok(true);
        };
        let mut turn = Turn::take(self, &project.path).await?;
        let is_closed = self.close(opened, &mut turn).await;
        turn.end().await;
        is_closed
    }
}

/// Changes fields of a document that is as it was read.
fn update(found: &Document, fields: Fields) -> Result<Write> {
    let mask = fields.keys().map(|name| FieldPath::parse(name)).collect::<Result<_>>()?;
    Ok(Write {
        path: found.path.clone(),
        op: WriteOp::Update { fields, mask, transforms: Vec::new() },
        precondition: Precondition::UpdateTime(found.update_time),
    })
}

/// True if a precondition did not hold: somebody else changed the document.
const fn is_overtaken(code: Code) -> bool {
    matches!(code, Code::FailedPrecondition | Code::NotFound | Code::Aborted)
}

fn texts(fields: &Fields, name: &str) -> Vec<String> {
    let Some(Value::Array(values)) = fields.get(name) else { return Vec::new() };
    let text = |value: &Value| if let Value::String(text) = value { Some(text.clone()) } else { None };
    values.iter().filter_map(text).collect()
}

/// The error for a version of which nothing is left.
pub(super) fn lost(version: &Record) -> CallError {
    CallError::new(
        Code::DataLoss,
        format!(
            "{} is damaged: the list of what it holds is missing. Other versions are not affected. A backup may have it.",
            version.shown()
        ),
    )
}
