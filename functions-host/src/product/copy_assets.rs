//! `copyAssets({kind, from, to, ids, renew})`: copies images or fonts to a project or to a library, `{ids: {old: new}}`.
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

use std::collections::BTreeMap;

use auth_emu::entropy::{SharedEntropy, hex};
use docstore::access::{Auth, Caller};
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{Document, Fields, Timestamp, Value, Write};
use docstore::session::Session;
use docstore::store::Store;
use docstore::{Code, Result};
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;
use storage_emu::meta::ObjectMeta;

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
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reply {
    /// The copies by what they are of. What is not there is left out.
    ids: BTreeMap<String, String>,
    /// Addresses of copied fonts by what they are of: a library has no documents that say them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    urls: BTreeMap<String, String>,
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
struct Copying<'a> {
    copier: &'a Copier,
    caller: Caller,
    session: Session,
    from: Place,
    /// The place where the files of what is copied lie.
    files_from: Place,
    /// The layout whose things are copied; the caller may read it.
    layout: Option<Document>,
    to: Place,
    renew: bool,
}

/// Copies that are about to be committed.
#[derive(Default)]
struct Made {
    ids: BTreeMap<String, String>,
    urls: BTreeMap<String, String>,
    writes: Vec<Write>,
    /// Bucket and name of each file that was copied.
    files: Vec<(String, String)>,
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
        let session = self.database.as_caller(caller.clone());
        let layout = match &request.from.layout {
            Some(id) => Some(from.read_layout(&session, id).await?),
            None => None,
        };
        let renew = request.renew;
        let files_from = from.of_files(&self.database).await?;
        Copying { copier: self, caller, session, from, files_from, layout, to, renew }
            .run(request.kind, &request.ids)
            .await
    }

    fn random(&self) -> String {
        hex(&*self.entropy, ID_BYTES)
    }
}

impl Copying<'_> {
    async fn run(&self, kind: Kind, ids: &[String]) -> Result<Reply, CallError> {
        let mut attempt = 1;
        loop {
            let mut made = Made::default();
            let outcome = match kind {
                Kind::Images => images::copy(self, ids, &mut made).await,
                Kind::Fonts => fonts::copy(self, ids, &mut made).await,
            };
            let outcome = match outcome {
                Ok(()) if made.writes.is_empty() => Ok(()),
                Ok(()) => {
                    let writes = std::mem::take(&mut made.writes);
                    self.session.commit(Draft::of(writes)).await.map(drop).map_err(CallError::from)
                }
                Err(error) => Err(error),
            };
            let Err(error) = outcome else { return Ok(Reply { ids: made.ids, urls: made.urls }) };
            self.take_back(&made.files).await;
            // Somebody else has added one with the same id, perhaps the same one.
            if error.code() != Code::AlreadyExists || attempt == MAX_ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
        }
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

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

/// A field's text.
fn text_in<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = fields.get(name) { Some(text) } else { None }
}
