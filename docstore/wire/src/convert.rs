//! Between the protocol's messages and the database's model, with the checks a request owes.

pub(super) mod document;
pub(super) mod query;
pub(super) mod time;
pub(super) mod value;
pub(super) mod write;

use super::pb::v1;
use docstore::error::{Error, Result};
use docstore::model::{DatabaseId, DocPath, FieldPath};

/// Reads a database's name; those whose id starts with two underscores are the server's own.
pub(super) fn database(name: &str) -> Result<DatabaseId> {
    allowed(DatabaseId::parse(name)?)
}

/// Reads a document's full name.
pub(super) fn document_name(name: &str) -> Result<(DatabaseId, DocPath)> {
    let (database, path) = DatabaseId::parse_document_name(name)?;
    Ok((allowed(database)?, path))
}

/// Reads the full name of a document, or of a database's root, that collections hang from.
pub(super) fn parent(name: &str) -> Result<(DatabaseId, Option<DocPath>)> {
    let (database, path) = DatabaseId::parse_parent_name(name)?;
    Ok((allowed(database)?, path))
}

/// Reads the full name of a document that must lie in `database`.
pub(super) fn document_in(database: &DatabaseId, name: &str) -> Result<DocPath> {
    let (found, path) = DatabaseId::parse_document_name(name)?;
    if found != *database {
        return Err(Error::invalid(
            "DatabaseMismatch",
            format!("Document name \"{name}\" is not in the database of this request, {database}."),
        ));
    }
    Ok(path)
}

/// Refuses an id that would be several: a request names the collection or document (`kind`) by one segment of its path.
pub(super) fn single_id(kind: &str, id: &str) -> Result<()> {
    if id.contains('/') {
        return Err(Error::invalid("IdSlash", format!("{kind} id \"{id}\" must not contain \"/\".")));
    }
    Ok(())
}

fn allowed(database: DatabaseId) -> Result<DatabaseId> {
    if database.database.starts_with("__") {
        return Err(Error::invalid(
            "DatabaseReserved",
            format!("Database id \"{}\" is invalid because it is reserved.", database.database),
        ));
    }
    Ok(database)
}

/// Reads a list of field paths.
pub(super) fn mask(mask: &v1::DocumentMask) -> Result<Vec<FieldPath>> {
    mask.field_paths.iter().map(|path| FieldPath::parse(path)).collect()
}

/// Reads an optional list of field paths.
pub(super) fn optional_mask(message: Option<&v1::DocumentMask>) -> Result<Option<Vec<FieldPath>>> {
    message.map(mask).transpose()
}
