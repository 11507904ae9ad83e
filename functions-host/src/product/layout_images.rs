//! `layoutImages({project, owner, id})`: the images that a layout names, for whoever may read the layout.
//!
//! Whoever has the link of a shared layout reads its document, and neither the project nor the library that it lies in. The
//! rules say who may read the layout; of the images beside it, the answer has those that it names, and no others.

mod names;
mod sources;

use docstore::Code;
use docstore::access::{Auth, Caller};
use docstore::database::Database;
use docstore::model::{CollectionPath, DocPath, Document, FieldPath, Query, Source, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use self::names::Names;
use super::plain_json;
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::{library, project};

/// Most images of a project or library that are looked through: as many as a copy looks through.
const MAX_SEEN: u32 = 20_000;

/// Most bytes of them that are read: a kilobyte and a half each. People may have written documents of a megabyte.
const MAX_SEEN_BYTES: usize = 32 << 20;

/// Fields of an image that whoever shows or copies it needs. Its place among the files is not among them.
const TOLD: [&str; 9] = ["path", "former", "url", "bytes", "tags", "licence", "credit", "crop", "focus"];

/// Source of an icon that was made from the icon library.
const ICON: &str = "icon";

#[derive(Debug, Deserialize)]
struct Request {
    /// Project that the layout is of.
    project: Option<String>,
    /// Account whose library it is of, where it is of no project.
    owner: Option<String>,
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
    let (layout, images) = places(request)?;
    let caller = Caller::User(Auth { uid: user.uid.clone(), token: user.token.clone() });
    let found = database.as_caller(caller).get(&[layout], None).await?.value.into_iter().flatten().next();
    let Some(layout) = found else {
        return Err(CallError::new(Code::NotFound, "There is no such layout."));
    };
    let sources = layout.fields.get("scene").map(sources::of).unwrap_or_default();
    if sources.is_empty() {
        return Ok(Reply { images: Vec::new() });
    }
    let all = read(database, &images).await?;
    // Thousands of names take a while, in which the server does other work.
    let images = tokio::task::spawn_blocking(move || {
        let names = Names::new(&all, &sources);
        let mut shown: Vec<&Document> = sources.iter().filter_map(|source| names.find(source)).collect();
        shown.sort_by(|a, b| a.path.cmp(&b.path));
        shown.dedup_by(|a, b| a.path == b.path);
        shown.into_iter().map(told).collect()
    });
    let images =
        images.await.map_err(|_| CallError::new(Code::Internal, "The images could not be found."))?;
    Ok(Reply { images })
}

/// The layout's document, and the images beside it.
fn places(request: &Request) -> Result<(DocPath, CollectionPath), CallError> {
    let wrong =
        |error: docstore::Error| CallError::invalid(format!("This names no layout: {}", error.message()));
    for part in [request.owner.as_deref().unwrap_or_default(), &request.id] {
        if part.contains('/') {
            return Err(CallError::invalid("This names no layout: an id has no slash."));
        }
    }
    let (layouts, images) = match (&request.project, &request.owner) {
        (Some(id), _) => {
            let project = project::path(id).map_err(wrong)?;
            (format!("{project}/layouts"), format!("{project}/images"))
        }
        (None, Some(owner)) => {
            let images = library::images(owner).map_err(wrong)?;
            (library::layouts(owner).map_err(wrong)?.to_string(), images.to_string())
        }
        (None, None) => return Err(CallError::invalid("project or owner must say whose layout it is.")),
    };
    let layout = DocPath::parse(&format!("{layouts}/{}", request.id)).map_err(wrong)?;
    Ok((layout, CollectionPath::parse(&images).map_err(wrong)?))
}

async fn read(database: &Database, images: &CollectionPath) -> Result<Vec<Document>, CallError> {
    let source = Source { collection: Some(images.id().to_owned()), all_descendants: false };
    let names = TOLD.iter().chain([&ICON]);
    let select = names.map(|name| FieldPath::parse(name)).collect::<docstore::Result<_>>()?;
    let (limit, limit_bytes) = (Some(MAX_SEEN), Some(MAX_SEEN_BYTES));
    let query = Query { select: Some(select), limit, limit_bytes, ..Query::all(images.parent(), source) };
    Ok(database.run(&query, None).await?.documents)
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
