//! Projects: `projects/{p}`, and everything that lies below it. The document's `owner` says whose limits it counts
//! by; its `members` say who may do what, the owner among them.

use docstore::database::Database;
use docstore::model::{
    Cursor, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order, Query,
    Source, Value,
};
use docstore::{Error, Result};

/// Collection of all projects.
pub(crate) const COLLECTION: &str = "projects";

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

/// The projects of an owner, in the order of their ids.
fn of(owner: &str) -> Result<Query> {
    let filter = Filter::Field(FieldFilter {
        field: FieldPath::parse("owner")?,
        op: FieldOp::Equal,
        value: Value::String(owner.to_owned()),
    });
    let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
    Ok(Query { filter: Some(filter), ..Query::all(None, source) })
}

/// Projects of an owner from `from` on, or all.
///
/// # Errors
/// Those of the store.
pub(crate) async fn owned(
    database: &Database,
    owner: &str,
    from: Option<&DocPath>,
    limit: u32,
) -> Result<Vec<Document>> {
    let mut query = Query { limit: Some(limit), ..of(owner)? };
    query.order_by = vec![Order { field: FieldPath::parse("__name__")?, direction: Direction::Ascending }];
    if let Some(from) = from {
        query.start = Some(Cursor::before_name(database.id(), from.clone()));
    }
    Ok(database.run(&query, None).await?.documents)
}

/// Number of an owner's projects, counted up to `up_to`.
///
/// # Errors
/// Those of the store.
pub(crate) async fn count(database: &Database, owner: &str, up_to: Option<u64>) -> Result<u64> {
    database.count(&of(owner)?, up_to).await
}
