//! `layoutImages({project, owner, id})`: the images that a layout names, for whoever may read the layout.
//!
//! Whoever has the link of a shared layout reads its document, and neither the project nor the library that it lies in. The
//! rules say who may read the layout; of the images beside it, the answer has those that it names, and no others.

mod names;
pub(super) mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use docstore::Code;
use docstore::access::{Auth, Caller};
use docstore::database::Database;
use docstore::model::{CollectionPath, Document, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use self::names::Names;
use super::place::Named;
use super::plain_json;
use super::read_all::read_all;
use crate::functions::callable::{AuthContext, CallError, Context, Function};

/// Fields of an image that whoever shows or copies it needs. Its place among the files is not among them.
const TOLD: [&str; 10] =
    ["path", "former", "url", "bytes", "tags", "licence", "credit", "crop", "focus", "icon"];

#[derive(Debug, Deserialize)]
struct Request {
    /// Project that the layout is of, or account whose library it is of.
    #[serde(flatten)]
    place: Named,
    id: String,
}

#[derive(Debug, PartialEq, Serialize)]
struct Reply {
    /// Each with its `id`, in the order of their ids.
    images: Vec<Json>,
}

/// The function over `database`.
pub(super) fn function(database: Database) -> Function {
    Function::new("layoutImages", move |context: Context, request: Request| {
        let database = database.clone();
        async move { find(&database, context.user()?, &request).await }
    })
}

async fn find(database: &Database, user: &AuthContext, request: &Request) -> Result<Reply, CallError> {
    let place = request.place.place()?;
    let place = place.ok_or_else(|| CallError::invalid("project or owner must say whose layout it is."))?;
    let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
    let layout = place.read_layout(&database.as_caller(caller), &request.id).await?;
    let images = named_by(&layout, database, &place.images()?).await?;
    Ok(Reply { images: images.iter().map(told).collect() })
}

/// The images of a place that a layout names, in the order of their ids, with the fields that are told of them. Whoever asks
/// has been allowed to read the layout.
///
/// # Errors
/// `FailedPrecondition` for a place of more images than are looked through; those of the store.
pub(super) async fn named_by(
    layout: &Document,
    database: &Database,
    images: &CollectionPath,
) -> Result<Vec<Document>, CallError> {
    let sources = layout.fields.get("scene").map(sources::of).unwrap_or_default();
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let all = Arc::from(read_all(&database.as_caller(Caller::Admin), images, &TOLD).await?);
    let shown: BTreeSet<String> = meanings(&all, sources).await?.into_values().collect();
    Ok(all.iter().filter(|image| shown.contains(image.path.id())).cloned().collect())
}

/// The ids of the images that names mean among those of a place, by the names. What means none is left out.
///
/// # Errors
/// `Internal` if they could not be looked through.
pub(super) async fn meanings(
    all: &Arc<[Document]>,
    sources: BTreeSet<String>,
) -> Result<BTreeMap<String, String>, CallError> {
    let all = Arc::clone(all);
    // Thousands of names take a while, in which the server does other work.
    let named = tokio::task::spawn_blocking(move || {
        let names = Names::new(&all, &sources);
        let found = sources.iter().filter_map(|source| Some((source.clone(), names.find(source)?)));
        found.map(|(source, image)| (source, image.path.id().to_owned())).collect()
    });
    named.await.map_err(|_| CallError::new(Code::Internal, "The images could not be found."))
}

fn told(image: &Document) -> Json {
    let mut told = match plain_json::object(&image.fields) {
        Json::Object(fields) => fields,
        _ => Map::new(),
    };
    told.insert("id".to_owned(), Json::String(image.path.id().to_owned()));
    Json::Object(told)
}

/// A field's text.
fn text_in<'a>(image: &'a Document, name: &str) -> Option<&'a str> {
    if let Some(Value::String(text)) = image.fields.get(name) { Some(text) } else { None }
}
