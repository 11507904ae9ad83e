//! `copyAssets({kind, from, to, ids, renew, move})`: copies images, fonts or layouts to a project or to a library,
//! `{ids: {old: new}, made, kept, at}`.
//!
//! With `move`, images and layouts leave the place that they are copied from, in the same commit: all of it takes effect, or
//! nothing. What something in that place shows is not moved at all; `kept` says by its id what shows it, with `check` without
//! a move.
//!
//! `from` and `to` are `{project}`, or nothing for the caller's library. All of it is done as the caller: the rules say what
//! they may read and where they may write, and the plan of the place's owner says what fits. A content is stored once,
//! however many documents have it. A document says where its file is, and people write documents; so only a file that lies
//! with its document is copied.
//!
//! `from` may also be a layout, `{project, layout}` or `{owner, layout}`: whoever may read the layout, by its link too, may
//! copy the things that it shows, and nothing else beside it. An id that it does not name is as one that is not there.

mod contents;
mod fonts;
mod images;
mod layouts;
mod leaving;
mod reading;
pub(super) mod removal;
#[cfg(test)]
mod tests;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use auth_emu::entropy::{SharedEntropy, hex};
use docstore::access::{Auth, Caller};
use docstore::commit::Committed;
use docstore::database::Database;
use docstore::model::{CollectionPath, DocPath, Document, Fields, Timestamp, Value, Write};
use docstore::store::Store;
use docstore::{Code, Result};
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;
use storage_emu::meta::ObjectMeta;

use self::reading::Reading;
use self::uses::Uses;
use super::place::{Named, Place};
use crate::functions::callable::{AuthContext, CallError, Context, Function};

/// Most things copied by a call.
const MAX_IDS: usize = 200;

/// Attempts when others add to the same place meanwhile.
const MAX_ATTEMPTS: u32 = 5;

/// Random bytes in a new id.
const ID_BYTES: usize = 10;

/// Kind of the things to copy. Each has a file beside this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Images,
    Fonts,
    Layouts,
}

/// The place to copy from, or a layout of it whose things are copied.
#[derive(Debug, Deserialize)]
struct From {
    #[serde(flatten)]
    place: Named,
    layout: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Request {
    kind: Kind,
    from: From,
    to: Named,
    /// Those to copy.
    ids: Vec<String>,
    /// Copies get what their originals have now.
    #[serde(default)]
    renew: bool,
    /// Things that nothing in their place shows leave it.
    #[serde(default, rename = "move")]
    moves: bool,
    /// A move is only answered with what would not move.
    #[serde(default)]
    check: bool,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Reply {
    /// The copies by what they are of. What is not there is left out.
    ids: BTreeMap<String, String>,
    /// Addresses of copied fonts by what they are of: a library has no documents that say them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    urls: BTreeMap<String, String>,
    /// Ids of the images and layouts that were not there before, by their collections.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    made: BTreeMap<&'static str, Vec<String>>,
    /// Those that did not move, by their ids, with what shows them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    kept: Uses,
    /// Time at which it took effect, in microseconds since the epoch. Nothing was written without.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u64>,
}

/// Dependencies of the function.
#[derive(Debug, Clone)]
pub(super) struct Copier {
    pub(super) database: Database,
    pub(super) files: StorageState,
    pub(super) entropy: SharedEntropy,
    /// Its clock says when a copy is made.
    pub(super) store: Store,
}

/// The function.
pub(super) fn function(copier: Copier) -> Function {
    Function::new("copyAssets", move |context: Context, request: Request| {
        let copier = copier.clone();
        async move { copier.run(context.user()?, &request).await }
    })
}

/// One call's caller and places.
#[derive(Clone)]
struct Copying<'a> {
    copier: &'a Copier,
    caller: Caller,
    /// Of a move, in its transaction.
    reading: Reading,
    from: Place,
    /// The place where the files of what is copied lie.
    files_from: Place,
    /// The layout whose things are copied; the caller may read it.
    layout: Option<Document>,
    to: Place,
    renew: bool,
    moves: bool,
}

/// Copies that are about to be committed.
#[derive(Default)]
struct Made {
    ids: BTreeMap<String, String>,
    urls: BTreeMap<String, String>,
    writes: Vec<Write>,
    /// Bucket and name of each file that was copied.
    files: Vec<(String, String)>,
    /// Addresses of the fonts that are there, by their ids.
    fonts: BTreeMap<String, String>,
    /// Ids of new documents, by their collections.
    documents: BTreeMap<&'static str, Vec<String>>,
    /// Those that do not move.
    kept: Uses,
    /// Bucket and name of each file that is needed no more after a move.
    left: Vec<(String, String)>,
}

impl Made {
    fn reply(self, kind: Kind, committed: Option<&Committed>) -> Reply {
        let urls = if kind == Kind::Fonts { self.urls } else { BTreeMap::new() };
        let at = committed.map(|committed| committed.commit_time.micros());
        Reply { ids: self.ids, urls, made: self.documents, kept: self.kept, at }
    }

    /// Notes a new document of a collection.
    fn note(&mut self, collection: &'static str, id: &str) {
        self.documents.entry(collection).or_default().push(id.to_owned());
    }

    /// Takes over what else is to be committed.
    fn take(&mut self, mut other: Self) {
        self.writes.append(&mut other.writes);
        self.files.append(&mut other.files);
        for (collection, mut ids) in other.documents {
            self.documents.entry(collection).or_default().append(&mut ids);
        }
    }
}

impl Copier {
    async fn run(&self, user: &AuthContext, request: &Request) -> Result<Reply, CallError> {
        if request.ids.is_empty() || request.ids.len() > MAX_IDS {
            return Err(CallError::invalid(format!(
                "ids must be 1 to {MAX_IDS} ids; copy more in several calls."
            )));
        }
        let own = || Place::library(&user.uid);
        let from = request.from.place.place()?.map_or_else(own, Ok)?;
        let to = request.to.place()?.map_or_else(own, Ok)?;
        // A layout may name fonts that do not lie with it yet.
        if from == to && (request.kind == Kind::Images || request.from.layout.is_none()) {
            return Err(CallError::invalid("from and to are one place: what is copied is there already."));
        }
        let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
        let (renew, moves) = (request.renew, request.moves || request.check);
        if moves && (request.kind == Kind::Fonts || request.from.layout.is_some() || renew) {
            return Err(CallError::invalid(
                "move is for images and layouts of a place, without from.layout and renew: a font stays where it is.",
            ));
        }
        let reading = Reading::new(&self.database, caller.clone());
        let layout = match &request.from.layout {
            Some(id) => Some(from.read_layout(reading.session(), id).await?),
            None => None,
        };
        let files_from = from.of_files(&self.database).await?;
        let copying = Copying { copier: self, caller, reading, from, files_from, layout, to, renew, moves };
        if request.check {
            copying.check(request.kind, &request.ids).await
        } else {
            copying.run(request.kind, &request.ids).await
        }
    }

    /// Deletes files that documents showed which are gone. One that stays takes room and nothing else: a version may show it.
    async fn delete_files(&self, caller: &Caller, files: &[(String, String)]) {
        for (bucket, name) in files {
            if let Err(error) = self.files.delete(caller, bucket, name).await {
                tracing::debug!(%error, name, "the file of an image that is gone stays");
            }
        }
    }

    fn random(&self) -> String {
        hex(&*self.entropy, ID_BYTES)
    }
}

impl Copying<'_> {
    async fn check(&self, kind: Kind, ids: &[String]) -> Result<Reply, CallError> {
        let (reading, none) = (&self.reading, BTreeSet::new());
        let leaving = match kind {
            Kind::Layouts => leaving::layouts(reading, &self.from, ids, None).await?,
            _ => leaving::images(reading, &self.from, &self.files_from, ids, &none, None).await?,
        };
        Ok(Reply { kept: leaving.kept, ..Reply::default() })
    }

    async fn run(&self, kind: Kind, ids: &[String]) -> Result<Reply, CallError> {
        let mut attempt = 1;
        loop {
            let mut made = Made::default();
            let error = match self.attempt(kind, ids, &mut made).await {
                Ok(committed) => {
                    self.copier.delete_files(&self.caller, &made.left).await;
                    return Ok(made.reply(kind, committed.as_ref()));
                }
                Err(error) => error,
            };
            self.take_back(&made.files).await;
            // Somebody else has added one with the same id, perhaps the same one, or has changed what a move rests on.
            let again = error.code() == Code::AlreadyExists || (self.moves && error.code() == Code::Aborted);
            if !again || attempt == MAX_ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
        }
    }

    async fn attempt(
        &self,
        kind: Kind,
        ids: &[String],
        made: &mut Made,
    ) -> Result<Option<Committed>, CallError> {
        let mut copying = self.clone();
        if self.moves {
            copying.reading = self.reading.in_transaction().await?;
        }
        let outcome = match kind {
            Kind::Images => images::copy(&copying, ids, made).await,
            Kind::Fonts => fonts::copy(&copying, ids, made).await,
            Kind::Layouts => layouts::copy(&copying, ids, made).await,
        };
        match outcome {
            Ok(()) => copying.reading.commit(std::mem::take(&mut made.writes)).await,
            Err(error) => {
                copying.reading.give_up().await;
                Err(error)
            }
        }
    }

    /// The same for what a layout shows, or for all that it copies; nothing of it moves.
    fn of(&self, layout: Option<&Document>) -> Self {
        Self { layout: layout.cloned(), moves: false, ..self.clone() }
    }

    /// Metadata of a file; `None` if there is none.
    async fn stored(&self, bucket: &str, name: &str) -> Result<Option<ObjectMeta>> {
        self.copier.files.stored(bucket, name).await
    }

    /// Copies a file: one that a layout shows for whoever reads the layout, any other for whoever may read the file.
    async fn copy_file(&self, bucket: &str, name: &str, target: &str, made: &mut Made) -> Result<ObjectMeta> {
        let files = &self.copier.files;
        let copy = match self.layout {
            Some(_) => files.copy_shown(&self.caller, bucket, name, target).await?,
            None => files.copy(&self.caller, bucket, name, target).await?,
        };
        made.files.push((bucket.to_owned(), target.to_owned()));
        Ok(copy)
    }

    fn now(&self) -> Timestamp {
        let now = self.copier.store.clock().now().micros();
        Timestamp(i64::try_from(now).unwrap_or(i64::MAX))
    }

    /// Removes files of copies that came to nothing. One that stays takes room until its project goes, and nothing else.
    async fn take_back(&self, files: &[(String, String)]) {
        for (bucket, name) in files {
            if let Err(error) = self.copier.files.remove(bucket, name).await {
                tracing::warn!(%error, name, "the file of a copy that failed could not be removed");
            }
        }
    }
}

/// The field of a copy that says what it is of.
fn copy_of(path: &str, hash: Value) -> (String, Value) {
    let from = Fields::from([("path".to_owned(), text(path)), ("hash".to_owned(), hash)]);
    ("from".to_owned(), Value::Map(from))
}

/// Documents of a collection by their ids, each once.
fn paths_of(collection: &CollectionPath, ids: &[String]) -> Result<Vec<DocPath>, CallError> {
    if let Some(id) = ids.iter().find(|id| id.contains('/')) {
        return Err(CallError::invalid(format!("“{id}” is no id: an id has no slash.")));
    }
    let ids: BTreeSet<&String> = ids.iter().collect();
    Ok(ids.into_iter().map(|id| collection.doc(id)).collect::<Result<Vec<_>>>()?)
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

/// A field's text.
fn text_in<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text) } else { None }
}
