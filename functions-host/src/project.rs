//! Projects: `projects/{p}`, and everything that lies below it. The document's `owner` says whose limits it counts
//! by; its `members` say who may do what, the owner among them. An opened version of a project lies beside it, as
//! `projects/{p}~{v}`: its document says what it is a version of, and names no owner.

use docstore::database::Database;
use docstore::model::{
    Cursor, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order, Query,
    Source, Value,
};
use docstore::{Error, Result};
use futures::{Stream, stream};

/// Collection of all projects.
pub(crate) const COLLECTION: &str = "projects";

/// Field of an opened version with the id of its project. Clients cannot write it.
pub(crate) const FROZEN_OF: &str = "frozenOf";

/// Field of an opened version with the id of the version.
pub(crate) const VERSION: &str = "version";

/// Opened versions of a project that are looked up together.
pub(crate) const OPENED_AT_ONCE: u32 = 50;

/// Document of a project.
///
/// # Errors
/// `InvalidArgument` for a text that is no id.
pub(crate) fn path(id: &str) -> Result<DocPath> {
    if id.contains('/') {
        return Err(Error::invalid("ProjectId", "An id of a project has no slash."));
    }
    DocPath::parse(&format!("{COLLECTION}/{id}"))
}

/// Document of the project that a path is of or lies in.
pub(crate) fn of_path(inside: &DocPath) -> Option<DocPath> {
    let mut segments = inside.segments();
    match (segments.next(), segments.next()) {
        (Some(COLLECTION), Some(id)) => path(id).ok(),
        _ => None,
    }
}

/// A project by its id.
///
/// # Errors
/// Those of the store.
pub(crate) async fn find(database: &Database, id: &str) -> Result<Option<Document>> {
    let Ok(path) = path(id) else { return Ok(None) };
    Ok(database.get(&[path], None).await?.value.into_iter().flatten().next())
}

/// Account that owns a project.
pub(crate) fn owner(project: &Fields) -> Option<&str> {
    if let Some(Value::String(owner)) = project.get("owner") { Some(owner) } else { None }
}

/// The projects of an owner.
fn of(owner: &str) -> Result<Query> {
    with("owner", FieldOp::Equal, owner)
}

/// The projects of which a field compares so with a text.
fn with(field: &str, op: FieldOp, text: &str) -> Result<Query> {
    let field = FieldPath::parse(field)?;
    let filter = Filter::Field(FieldFilter { field, op, value: Value::String(text.to_owned()) });
    let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
    Ok(Query { filter: Some(filter), ..Query::all(None, source) })
}

/// Id of the project that an opened version is of; `None` for every other document. Other applications have collections
/// of this name too, with fields of their own, so the id must agree with the fields.
pub(crate) fn frozen_of(document: &Document) -> Option<&str> {
    let text = |name: &str| match document.fields.get(name) {
        Some(Value::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (of, version) = (text(FROZEN_OF)?, text(VERSION)?);
    (document.path.id().strip_prefix(of)?.strip_prefix('~')? == version).then_some(of)
}

/// The opened versions of a project, at most [`OPENED_AT_ONCE`].
///
/// # Errors
/// Those of the store.
pub(crate) async fn opened_of(database: &Database, id: &str) -> Result<Vec<Document>> {
    let query = Query { limit: Some(OPENED_AT_ONCE), ..with(FROZEN_OF, FieldOp::Equal, id)? };
    let mut opened = database.run(&query, None).await?.documents;
    opened.retain(|document| frozen_of(document).is_some());
    Ok(opened)
}

/// The opened versions of all projects, with `fields` of their documents.
///
/// # Errors
/// Those of the store.
pub(crate) async fn all_opened(database: &Database, fields: &[&str]) -> Result<Vec<Document>> {
    let select = [FROZEN_OF, VERSION].into_iter().chain(fields.iter().copied()).map(FieldPath::parse);
    let select = Some(select.collect::<Result<_>>()?);
    let query = Query { select, ..with(FROZEN_OF, FieldOp::GreaterOrEqual, "")? };
    let mut opened = database.run(&query, None).await?.documents;
    opened.retain(|document| frozen_of(document).is_some());
    Ok(opened)
}

/// The projects of an owner, in the order of their ids.
fn in_order(owner: &str) -> Result<Query> {
    let order_by = vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }];
    Ok(Query { order_by, ..of(owner)? })
}

/// Up to `limit` projects of an owner, from `from` on.
///
/// # Errors
/// Those of the store.
pub(crate) async fn owned(
    database: &Database,
    owner: &str,
    from: Option<&DocPath>,
    limit: u32,
) -> Result<Vec<Document>> {
    let start = from.map(|from| Cursor::before_name(database.id(), from.clone()));
    let query = Query { limit: Some(limit), start, ..in_order(owner)? };
    Ok(database.run(&query, None).await?.documents)
}

/// All projects of an owner, in the order of their ids, `step` at a time.
pub(crate) fn pages<'a>(
    database: &'a Database,
    owner: &'a str,
    step: u32,
) -> impl Stream<Item = Result<Vec<Document>>> + Send + 'a {
    stream::try_unfold(Some(None), move |after: Option<Option<Cursor>>| async move {
        let Some(start) = after else { return Ok(None) };
        let query = Query { limit: Some(step), start, ..in_order(owner)? };
        let page = database.run(&query, None).await?.documents;
        let last = page.last().filter(|_| page.len() == step as usize);
        let next = last.map(|last| Some(Cursor::after_name(database.id(), last.path.clone())));
        Ok::<_, Error>(Some((page, next)))
    })
}

/// Number of an owner's projects, counted up to `up_to`.
///
/// # Errors
/// Those of the store.
pub(crate) async fn count(database: &Database, owner: &str, up_to: Option<u64>) -> Result<u64> {
    database.count(&of(owner)?, up_to).await
}
