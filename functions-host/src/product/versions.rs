//! Versions of a game: `freezeVersion`, `openVersion`, `compareVersions`, `restoreVersion`, `nameVersion` and
//! `deleteVersion`.
//!
//! A version is what a project held at one moment of the store: a tree of hashes over its documents, below the project. What
//! did not change is not stored again ([`objects`], [`manifest`]). Files stay where they are, and cannot be deleted while a
//! version shows them ([`files`]). Those who change versions of one project take turns ([`turn`]).

mod compare;
mod contents;
mod delete;
mod files;
mod freeze;
mod limits;
mod manifest;
mod objects;
mod open;
mod record;
mod requests;
mod restore;
#[cfg(test)]
mod tests;
mod thin;
mod turn;

use std::fmt;
use std::sync::Arc;

use auth_emu::entropy::{SharedEntropy, hex};
use docstore::Code;
use docstore::access::CommitHook;
use docstore::database::Database;
use docstore::model::{
    DocPath, Document, FieldPath, Fields, Precondition, Timestamp, Ts, Value, Write, WriteOp,
};
use docstore::store::Store;
use serde_json::Value as Json;
use storage_emu::StorageState;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use self::freeze::{Frozen, room_for_name};
use self::limits::{CONTENTS, NAME_CHARS, NOTE_CHARS};
use self::record::Made;
use self::requests::{Compare, Delete, Empty, Freeze, FreezeReply, Name, Open, OpenReply};
use self::turn::Turn;
use super::{members, one_line};
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::project;
use crate::striped_lock::StripedLock;

/// Random bytes in the id of a version.
const ID_BYTES: usize = 12;

/// Versions of all projects. Clones share the turns.
#[derive(Clone)]
pub(crate) struct Versions {
    database: Database,
    store: Store,
    files: StorageState,
    entropy: SharedEntropy,
    /// The limits on what callers may have; `None` if nothing is limited.
    room: Option<Arc<dyn CommitHook>>,
    /// Those of this server wait here for their turns.
    turns: StripedLock,
    /// Moment of the store at which this server began. Whoever took a turn before is gone.
    began: Ts,
    /// Permits for the contents of projects in memory.
    contents: Arc<Semaphore>,
}

impl fmt::Debug for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Versions").finish_non_exhaustive()
    }
}

/// Whoever makes a version.
#[derive(Debug, Clone, Copy)]
struct By<'a> {
    user: &'a AuthContext,
    name: &'a str,
}

impl By<'_> {
    fn uid(&self) -> &str {
        &self.user.uid
    }
}

/// Rights that a function asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    See,
    Edit,
}

/// The six functions.
pub(super) fn functions(versions: &Versions) -> [Function; 6] {
    [
        function("freezeVersion", versions, Versions::freeze),
        function("openVersion", versions, Versions::open_for),
        comparing(versions),
        function("restoreVersion", versions, Versions::restore),
        function("nameVersion", versions, Versions::name),
        function("deleteVersion", versions, Versions::delete),
    ]
}

/// A function that goes on when its caller has left: whoever has the turn ends it.
fn function<Request, Reply, Done>(
    name: &'static str,
    versions: &Versions,
    run: fn(Versions, AuthContext, Request) -> Done,
) -> Function
where
    Request: serde::de::DeserializeOwned + Send + 'static,
    Reply: serde::Serialize + Send + 'static,
    Done: Future<Output = Result<Reply, CallError>> + Send + 'static,
{
    let versions = versions.clone();
    Function::new(name, move |context: Context, request: Request| {
        let versions = versions.clone();
        async move {
            let user = context.user()?.clone();
            let running = tokio::spawn(run(versions, user, request));
            running.await.map_err(|_| {
                CallError::new(
                    Code::Internal,
                    "The version could not be worked on; the server's log says why.",
                )
            })?
        }
    })
}

/// The function that compares. It changes nothing, so it ends with its caller.
fn comparing(versions: &Versions) -> Function {
    let versions = versions.clone();
    Function::new("compareVersions", move |context: Context, request: Compare| {
        let versions = versions.clone();
        async move {
            let user = context.user()?.clone();
            versions.compare(user, request).await
        }
    })
}

impl Versions {
    /// The versions of the projects in `database`, whose files are `files`; `room` limits what callers may have.
    pub(crate) fn new(
        store: &Store,
        database: Database,
        files: &StorageState,
        entropy: SharedEntropy,
        room: Option<Arc<dyn CommitHook>>,
    ) -> Self {
        let (store, files) = (store.clone(), files.clone());
        let contents = Arc::new(Semaphore::new(CONTENTS));
        let began = database.read_time();
        Self { database, store, files, entropy, room, turns: StripedLock::default(), began, contents }
    }

    async fn freeze(self, user: AuthContext, request: Freeze) -> Result<FreezeReply, CallError> {
        let project = self.project(&user, &request.project_id, Right::Edit).await?;
        let made = match (request.name, request.reason) {
            (Some(name), None) => {
                let (name, note) = named(&name, request.note.unwrap_or_default())?;
                Made::Named { name, note }
            }
            (None, Some(reason)) => Made::Automatic(reason),
            _ => return Err(CallError::invalid("A version has either a name or a reason: say one of them.")),
        };
        let name = members::name_in(&project.fields, &user);
        let by = By { user: &user, name: &name };
        let mut turn = Turn::take(&self, &project.path).await?;
        let frozen = self.make(&project.path, &by, &made, &mut turn).await;
        if let Ok(Frozen { unchanged: false, .. }) = &frozen
            && matches!(made, Made::Automatic(_))
        {
            self.thin_after(&project.path, &mut turn).await;
        }
        turn.end().await;
        let Frozen { id, number, unchanged, .. } = frozen?;
        Ok(FreezeReply { version: id, number, unchanged })
    }

    /// Thins automatic versions out once one was made. It is there, whatever becomes of the others.
    async fn thin_after(&self, project: &DocPath, turn: &mut Turn) {
        if let Err(error) = self.thin_out(project, turn).await {
            let error = error.inner();
            tracing::warn!(%error, %project, "automatic versions were not thinned out; the next one tries again");
        }
    }

    /// Waits until the contents of another project have room in memory.
    async fn room_for_contents(&self) -> Result<OwnedSemaphorePermit, CallError> {
        let permit = Arc::clone(&self.contents).acquire_owned().await;
        permit.map_err(|_| CallError::new(Code::Unavailable, "The server is about to end."))
    }

    async fn open_for(self, user: AuthContext, request: Open) -> Result<OpenReply, CallError> {
        let project = self.project(&user, &request.project_id, Right::See).await?;
        let version = record::find(&self.database, &project.path, &request.version).await?;
        let opened = self.open(&project.path, &version).await?;
        Ok(OpenReply { project_id: opened.path.id().to_owned(), damaged: opened.damaged })
    }

    async fn name(self, user: AuthContext, request: Name) -> Result<Empty, CallError> {
        let project = self.project(&user, &request.project_id, Right::Edit).await?;
        let (name, note) = named(&request.name, request.note.unwrap_or_default())?;
        let mut turn = Turn::take(&self, &project.path).await?;
        let written = self.write_name(&project.path, &request.version, name, note, &mut turn).await;
        turn.end().await;
        written.map(|()| Empty {})
    }

    async fn write_name(
        &self,
        project: &DocPath,
        id: &str,
        name: String,
        note: String,
        turn: &mut Turn,
    ) -> Result<(), CallError> {
        let version = record::find(&self.database, project, id).await?;
        if !version.is_named {
            room_for_name(&record::all(&self.database, project).await?)?;
        }
        let fields = [("name", name), ("note", note), ("kind", "named".to_owned())];
        let fields: Fields =
            fields.into_iter().map(|(name, text)| (name.to_owned(), Value::String(text))).collect();
        let mask = fields.keys().map(|name| FieldPath::parse(name)).collect::<docstore::Result<_>>()?;
        let op = WriteOp::Update { fields, mask, transforms: Vec::new() };
        turn.commit(vec![Write { path: version.path, op, precondition: Precondition::Exists(true) }]).await
    }

    async fn delete(self, user: AuthContext, request: Delete) -> Result<Empty, CallError> {
        let project = self.project(&user, &request.project_id, Right::Edit).await?;
        let mut turn = Turn::take(&self, &project.path).await?;
        let removed = match record::find(&self.database, &project.path, &request.version).await {
            Ok(version) => self.remove(&project.path, &[version], &mut turn).await,
            Err(error) => Err(error),
        };
        turn.end().await;
        removed.map(|()| Empty {})
    }

    /// A project in which the caller has a right. Whoever is no member learns nothing of it.
    async fn project(&self, user: &AuthContext, id: &str, right: Right) -> Result<Document, CallError> {
        let found = project::find(&self.database, id).await?.ok_or_else(no_such_project)?;
        if found.fields.contains_key(project::FROZEN_OF) {
            return Err(CallError::invalid(
                "This is a version of a project, which has no versions: name the project itself.",
            ));
        }
        match right {
            _ if members::edits(&found.fields, &user.uid) => Ok(found),
            Right::See if members::sees(&found.fields, &user.uid) => Ok(found),
            Right::Edit if members::sees(&found.fields, &user.uid) => Err(CallError::new(
                Code::PermissionDenied,
                "Only owners and editors of a project freeze, name, restore and delete its versions.",
            )),
            _ => Err(no_such_project()),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp(i64::try_from(self.store.clock().now().micros()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> String {
        hex(&*self.entropy, ID_BYTES)
    }
}

/// Fields of a table of a version.
const OF_TABLE: [&str; 3] = ["version", "versionName", "versionNumber"];

/// Fields that say of which version of a project a table is, and the version's name for people at it.
///
/// # Errors
/// `InvalidArgument` for what is no id, `NotFound`; those of the store.
pub(super) async fn of_table(
    database: &Database,
    project: &DocPath,
    version: &str,
) -> Result<(Fields, String), CallError> {
    let version = record::find(database, project, version).await?;
    let name =
        if version.name.is_empty() { format!("Version {}", version.number) } else { version.name.clone() };
    let values = [
        Value::String(version.id().to_owned()),
        Value::String(version.name.clone()),
        Value::Integer(version.number),
    ];
    Ok((OF_TABLE.map(str::to_owned).into_iter().zip(values).collect(), name))
}

/// The same fields of a table that is there.
pub(super) fn in_table(table: &Fields) -> Fields {
    let field = |name: &str| Some((name.to_owned(), table.get(name)?.clone()));
    OF_TABLE.into_iter().filter_map(field).collect()
}

/// An object of a version in words, for exports: the fields of a document, or the list of those that a version holds.
/// `None` for documents that are none, and for parts of long ones.
pub(super) fn readable(document: &Document) -> Option<Json> {
    (document.path.collection_id() == objects::COLLECTION && document.path.segments().count() == 4)
        .then(|| objects::readable(&document.fields).or_else(|| manifest::readable(&document.fields)))
        .flatten()
}

fn no_such_project() -> CallError {
    CallError::new(Code::NotFound, "There is no such project that you may see.")
}

/// The name and note of a named version.
fn named(name: &str, note: String) -> Result<(String, String), CallError> {
    let name = one_line::text(name, "name", NAME_CHARS)?;
    if note.chars().count() > NOTE_CHARS {
        return Err(CallError::invalid(format!("note must have at most {NOTE_CHARS} characters.")));
    }
    Ok((name, note))
}

/// A field's text.
fn text<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text) } else { None }
}

/// A field's number; 0 for none.
fn integer(fields: &Fields, name: &str) -> i64 {
    if let Some(Value::Integer(number)) = fields.get(name) { *number } else { 0 }
}

fn timestamp(fields: &Fields, name: &str) -> Option<Timestamp> {
    if let Some(Value::Timestamp(time)) = fields.get(name) { Some(*time) } else { None }
}
