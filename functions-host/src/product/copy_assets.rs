//! `copyAssets({kind, from, to, ids, renew})`: copies images between projects and the caller's library, `{ids: {old: new}}`.
//!
//! All of it is done as the caller: the rules say what they may read and where they may write, and the plan of the place's
//! owner says what fits. A content is stored once, however many images have it. A document says where its file is, and
//! people write documents; so only a file that lies with its document is copied. Each copy says in `from` what it is of, so
//! that copying again finds it and makes no second one. With `renew`, a copy whose original has another content since gets
//! that content; its name, and what was said of it there, stay.

mod contents;

use std::collections::{BTreeMap, BTreeSet};

use auth_emu::entropy::SharedEntropy;
use docstore::access::{Auth, Caller};
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{
    CollectionPath, Document, FieldPath, Fields, Precondition, Timestamp, Value, Write, WriteOp,
};
use docstore::session::Session;
use docstore::store::Store;
use docstore::{Code, Result};
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;
use storage_emu::meta::json::encode_component;

use self::contents::{Contents, text_in};
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::{image_files, library, project};

/// Most things copied by a call.
const MAX_IDS: usize = 200;

/// Attempts when others add to the same place meanwhile.
const MAX_ATTEMPTS: u32 = 5;

/// Random bytes in a new id.
const ID_BYTES: usize = 10;

/// Fields that a copy has from its original. The others say where it lies and when it was made.
const KEPT: [&str; 12] =
    ["former", "hash", "type", "w", "h", "bytes", "tags", "licence", "credit", "focus", "crop", "icon"];

/// Fields that come with another content. A crop applies to the picture that it was made for.
const RENEWED: [&str; 8] = ["hash", "type", "w", "h", "bytes", "crop", "focus", "icon"];

/// Kind of the things to copy.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Images,
}

/// A project, or the caller's library if none is named.
#[derive(Debug, Deserialize)]
struct Place {
    project: Option<String>,
}

/// A collection of things, and the folder of their files.
#[derive(Debug, PartialEq, Eq)]
struct Location {
    documents: CollectionPath,
    files: String,
}

impl Place {
    /// Its things of a kind.
    fn location(&self, uid: &str, kind: Kind) -> Result<Location, CallError> {
        let Kind::Images = kind;
        let Some(id) = &self.project else {
            if uid.contains('/') {
                return Err(CallError::invalid("The user's id cannot own documents."));
            }
            return Ok(Location { documents: library::images(uid)?, files: library::image_files(uid) });
        };
        let project =
            project::path(id).map_err(|error| CallError::invalid(format!("project: {}", error.message())))?;
        let documents = CollectionPath::parse(&format!("{project}/images"))?;
        Ok(Location { files: documents.to_string(), documents })
    }
}

#[derive(Debug, Deserialize)]
struct Request {
    kind: Kind,
    from: Place,
    to: Place,
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
    from: Location,
    to: Location,
    renew: bool,
}

/// Copies that are about to be committed.
#[derive(Default)]
struct Made {
    ids: BTreeMap<String, String>,
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
        let from = request.from.location(&user.uid, request.kind)?;
        let to = request.to.location(&user.uid, request.kind)?;
        if from == to {
            return Err(CallError::invalid("from and to are one place: what is copied is there already."));
        }
        let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
        let session = self.database.as_caller(caller.clone());
        Copying { copier: self, caller, session, from, to, renew: request.renew }.run(&request.ids).await
    }

    fn random(&self) -> String {
        let mut random = [0; ID_BYTES];
        self.entropy.fill(&mut random);
        random.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Copying<'_> {
    async fn run(&self, ids: &[String]) -> Result<Reply, CallError> {
        let paths = ids.iter().map(|id| self.from.documents.doc(id)).collect::<Result<Vec<_>>>()?;
        let found = self.session.get(&paths, None).await?.value;
        let originals: BTreeMap<_, _> =
            found.into_iter().flatten().map(|found| (found.path.id().to_owned(), found)).collect();
        let mut attempt = 1;
        loop {
            let mut made = Made::default();
            let outcome = self.copy_all(originals.values(), &mut made).await;
            let outcome = match outcome {
                Ok(()) if made.writes.is_empty() => Ok(()),
                Ok(()) => {
                    let writes = std::mem::take(&mut made.writes);
                    self.session.commit(Draft::of(writes)).await.map(drop).map_err(CallError::from)
                }
                Err(error) => Err(error),
            };
            let Err(error) = outcome else { return Ok(Reply { ids: made.ids }) };
            self.take_back(&made.files).await;
            // Somebody else has added one with the same id, perhaps the same one.
            if error.code() != Code::AlreadyExists || attempt == MAX_ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
        }
    }

    async fn copy_all<'d>(
        &self,
        originals: impl Iterator<Item = &'d Document>,
        made: &mut Made,
    ) -> Result<(), CallError> {
        let mut contents = Contents::read(&self.session, &self.to.documents).await?;
        for original in originals {
            let id = match contents.copy_of(&original.path) {
                Some(found)
                    if self.renew && found.hash != text_in(&original.fields, "hash").unwrap_or_default() =>
                {
                    let id = found.id.clone();
                    self.renew(original, &id, made).await?;
                    id
                }
                Some(found) => found.id.clone(),
                None => self.copy(original, &mut contents, made).await?,
            };
            made.ids.insert(original.path.id().to_owned(), id);
        }
        Ok(())
    }

    /// Copies the file of an image, and prepares its document. Answers the id of the copy.
    async fn copy(
        &self,
        original: &Document,
        contents: &mut Contents,
        made: &mut Made,
    ) -> Result<String, CallError> {
        let own = original.path.id();
        let id = if contents.has(own) { self.copier.random() } else { own.to_owned() };
        let mut fields = self.content_of(original, made).await?;
        fields.extend(fields_in(original, &KEPT));
        let path = contents.add(&id, text_in(&original.fields, "path").unwrap_or(own), &original.path);
        fields.insert("path".to_owned(), text(&path));
        fields.insert("createdAt".to_owned(), self.now());
        made.writes.push(Write {
            path: self.to.documents.doc(&id)?,
            op: WriteOp::Set { fields, transforms: Vec::new() },
            precondition: Precondition::Exists(false),
        });
        Ok(id)
    }

    /// Gives a copy the content that its original has now. The file that it had stays: printed things may show it.
    async fn renew(&self, original: &Document, id: &str, made: &mut Made) -> Result<(), CallError> {
        let mut fields = self.content_of(original, made).await?;
        fields.extend(fields_in(original, &RENEWED));
        let names = fields.keys().map(String::as_str).chain(RENEWED).collect::<BTreeSet<_>>();
        let mask = names.into_iter().map(FieldPath::parse).collect::<Result<_>>()?;
        made.writes.push(Write {
            path: self.to.documents.doc(id)?,
            op: WriteOp::Update { fields, mask, transforms: Vec::new() },
            precondition: Precondition::Exists(true),
        });
        Ok(())
    }

    /// Copies the file of an image. Answers the fields that say where the copy lies, when it was made, and of which content.
    async fn content_of(&self, original: &Document, made: &mut Made) -> Result<Fields, CallError> {
        let File { before, bucket, name } = self.file_of(original)?;
        let hash = self.hash_of(bucket, name).await?;
        let target = image_files::name_of_copy(&self.to.files, &hash, &self.copier.random(), name);
        let copy = self.copier.files.copy(&self.caller, bucket, name, &target).await?;
        made.files.push((bucket.to_owned(), target.clone()));
        let token = copy.set.tokens.first().map(|token| token.value.as_str()).unwrap_or_default();
        let url = format!("{before}/v0/b/{bucket}/o/{}?alt=media&token={token}", encode_component(&target));
        let from = Fields::from([
            ("path".to_owned(), text(original.path.as_str())),
            ("hash".to_owned(), original.fields.get("hash").cloned().unwrap_or_else(|| text(""))),
        ]);
        Ok(Fields::from([
            ("file".to_owned(), text(&target)),
            ("url".to_owned(), text(&url)),
            ("from".to_owned(), Value::Map(from)),
            ("updatedAt".to_owned(), self.now()),
        ]))
    }

    fn now(&self) -> Value {
        let now = self.copier.store.clock().now().micros();
        Value::Timestamp(Timestamp(i64::try_from(now).unwrap_or(i64::MAX)))
    }

    /// The file of an image, if it lies where the image lies.
    fn file_of<'d>(&self, original: &'d Document) -> Result<File<'d>, CallError> {
        let shown = text_in(&original.fields, "path").unwrap_or_else(|| original.path.id());
        let inside = text_in(&original.fields, "file").filter(|name| {
            name.strip_prefix(&self.from.files).and_then(|rest| rest.strip_prefix('/')).is_some()
        });
        let address = text_in(&original.fields, "url").and_then(|url| url.split_once("/v0/b/"));
        match (inside, address) {
            (Some(name), Some((before, rest))) => {
                let bucket = rest.split('/').next().unwrap_or_default();
                Ok(File { before, bucket, name })
            }
            _ => Err(CallError::new(
                Code::FailedPrecondition,
                format!("The file of “{shown}” does not lie with it: upload the image again, then copy it."),
            )),
        }
    }

    /// SHA-256 of a file's content, for the name of its copy.
    async fn hash_of(&self, bucket: &str, name: &str) -> Result<String> {
        let stored = self.copier.files.stored(bucket, name).await?;
        Ok(stored.map(|meta| meta.digests.sha256).unwrap_or_default())
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

/// A file, and what its address begins with.
struct File<'d> {
    before: &'d str,
    bucket: &'d str,
    name: &'d str,
}

/// Those of a document's fields that it has.
fn fields_in<'d>(document: &'d Document, names: &'d [&str]) -> impl Iterator<Item = (String, Value)> + 'd {
    names.iter().filter_map(|name| Some(((*name).to_owned(), document.fields.get(*name)?.clone())))
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}
