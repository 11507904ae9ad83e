//! Names of databases, documents and collections.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::field_path::is_reserved;
use crate::{Code, Error, Result};

/// The longest document or collection id, in bytes of UTF-8.
pub const MAX_ID_BYTES: usize = 1_500;
/// The longest document name within its database, in bytes of UTF-8.
pub const MAX_NAME_BYTES: usize = 6 * 1024;
/// The deepest document: how many collections may be nested.
pub const MAX_COLLECTION_DEPTH: usize = 100;

/// A project and a database in it, `projects/{project}/databases/{database}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatabaseId {
    /// The project id.
    pub project: Arc<str>,
    /// The database id; `(default)` unless named.
    pub database: Arc<str>,
}

impl DatabaseId {
    /// The database `database` of `project`.
    pub fn new(project: &str, database: &str) -> Self {
        Self { project: project.into(), database: database.into() }
    }

    /// The `(default)` database of `project`.
    pub fn default_of(project: &str) -> Self {
        Self::new(project, "(default)")
    }

    /// Reads `projects/{project}/databases/{database}`.
    ///
    /// # Errors
    /// `InvalidArgument` (`DatabaseName`) for anything else.
    pub fn parse(name: &str) -> Result<Self> {
        match Self::split(name)? {
            (id, "") => Ok(id),
            _ => Err(bad_database(name)),
        }
    }

    /// The full resource name of a document here.
    pub fn document_name(&self, path: &DocPath) -> String {
        format!("{self}/documents/{path}")
    }

    /// Reads `projects/{project}/databases/{database}/documents/{path}`.
    ///
    /// # Errors
    /// `InvalidArgument` for a malformed name and for every rule of [`DocPath::parse`].
    pub fn parse_document_name(name: &str) -> Result<(Self, DocPath)> {
        let (id, rest) = Self::split(name)?;
        match rest.strip_prefix("documents/") {
            Some(path) => Ok((id, DocPath::parse(path)?)),
            None => Err(Error::invalid(
                "DocumentName",
                format!("Document name \"{name}\" has no \"/documents/\" followed by a document path."),
            )),
        }
    }

    /// Reads `projects/{project}/databases/{database}/documents[/{path}]`: a database root or a document.
    ///
    /// # Errors
    /// `InvalidArgument` as [`Self::parse_document_name`].
    pub fn parse_parent_name(name: &str) -> Result<(Self, Option<DocPath>)> {
        let (id, rest) = Self::split(name)?;
        if rest == "documents" {
            return Ok((id, None));
        }
        Self::parse_document_name(name).map(|(id, path)| (id, Some(path)))
    }

    fn split(name: &str) -> Result<(Self, &str)> {
        let mut parts = name.splitn(5, '/');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("projects"), Some(project), Some("databases"), Some(database))
                if !project.is_empty() && !database.is_empty() =>
            {
                Ok((Self::new(project, database), parts.next().unwrap_or("")))
            }
            _ => Err(bad_database(name)),
        }
    }
}

fn bad_database(name: &str) -> Error {
    Error::invalid("DatabaseName", format!("\"{name}\" is not projects/{{project}}/databases/{{database}}."))
}

impl fmt::Display for DatabaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "projects/{}/databases/{}", self.project, self.database)
    }
}

/// A document's path within its database: an even, non-zero number of segments.
///
/// Ordered segment by segment: numeric ids (`__id7__`) first and by number, then the others by UTF-8 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocPath(Arc<str>);

/// A collection's path within its database: an odd number of segments. Ordered like [`DocPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollectionPath(Arc<str>);

impl DocPath {
    /// Reads `collection/id[/collection/id…]`.
    ///
    /// # Errors
    /// `InvalidArgument` for an odd number of segments, an empty, reserved or too long id, a path that is too
    /// deep or too long.
    pub fn parse(path: &str) -> Result<Self> {
        let count = check(path)?;
        if !count.is_multiple_of(2) {
            return Err(Error::invalid(
                "DocumentPathOdd",
                format!("Document path \"{path}\" has an odd number of segments; it names a collection."),
            ));
        }
        Ok(Self(path.into()))
    }

    /// The segments, `collection, id, collection, id…`.
    pub fn segments(&self) -> std::str::Split<'_, char> {
        self.0.split('/')
    }

    /// The document's id, the last segment.
    pub fn id(&self) -> &str {
        last(&self.0)
    }

    /// The collection the document is in.
    pub fn collection(&self) -> CollectionPath {
        CollectionPath(parent(&self.0).unwrap_or_default().into())
    }

    /// The id of the collection the document is in.
    pub fn collection_id(&self) -> &str {
        last(parent(&self.0).unwrap_or_default())
    }

    /// The document this one lies below; `None` in a top-level collection.
    pub fn parent(&self) -> Option<Self> {
        parent(&self.0).and_then(parent).map(|path| Self(path.into()))
    }

    /// The collection `id` below this document.
    ///
    /// # Errors
    /// `InvalidArgument` as [`CollectionPath::parse`].
    pub fn child(&self, id: &str) -> Result<CollectionPath> {
        CollectionPath::parse(&format!("{}/{id}", self.0))
    }

    /// True if the document lies below `ancestor`, at any depth.
    pub fn is_below(&self, ancestor: &Self) -> bool {
        below(&self.0, &ancestor.0)
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A path that was checked when it was first written.
    pub(crate) fn trusted(path: &str) -> Self {
        Self(path.into())
    }
}

impl CollectionPath {
    /// Reads `collection[/id/collection…]`.
    ///
    /// # Errors
    /// `InvalidArgument` for an even number of segments, an empty, reserved or too long id, a path that is too
    /// deep or too long.
    pub fn parse(path: &str) -> Result<Self> {
        let count = check(path)?;
        if count.is_multiple_of(2) {
            return Err(Error::invalid(
                "CollectionPathEven",
                format!("Collection path \"{path}\" has an even number of segments; it names a document."),
            ));
        }
        Ok(Self(path.into()))
    }

    /// The segments, `collection, id, collection…`.
    pub fn segments(&self) -> std::str::Split<'_, char> {
        self.0.split('/')
    }

    /// The collection's id, the last segment.
    pub fn id(&self) -> &str {
        last(&self.0)
    }

    /// The document this collection lies below; `None` for a top-level collection.
    pub fn parent(&self) -> Option<DocPath> {
        parent(&self.0).map(|path| DocPath(path.into()))
    }

    /// The document `id` in this collection.
    ///
    /// # Errors
    /// `InvalidArgument` as [`DocPath::parse`].
    pub fn doc(&self, id: &str) -> Result<DocPath> {
        DocPath::parse(&format!("{}/{id}", self.0))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A path that was checked when it was first written.
    pub(crate) fn trusted(path: &str) -> Self {
        Self(path.into())
    }
}

fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, id)| id)
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

fn below(path: &str, ancestor: &str) -> bool {
    path.strip_prefix(ancestor).is_some_and(|rest| rest.starts_with('/'))
}

/// Checks every segment and returns how many there are.
fn check(path: &str) -> Result<usize> {
    let mut count = 0;
    for segment in path.split('/') {
        check_id(segment, path)?;
        count += 1;
    }
    if path.len() > MAX_NAME_BYTES {
        return Err(Error::invalid(
            "PathTooLong",
            format!("A path of {} bytes is longer than {MAX_NAME_BYTES} bytes.", path.len()),
        ));
    }
    if count > 2 * MAX_COLLECTION_DEPTH {
        return Err(Error::invalid(
            "PathTooDeep",
            format!("A path may nest at most {MAX_COLLECTION_DEPTH} collections."),
        ));
    }
    Ok(count)
}

fn check_id(id: &str, path: &str) -> Result<()> {
    if id.is_empty() {
        return Err(Error::invalid("PathEmptySegment", format!("Path \"{path}\" has an empty segment.")));
    }
    if id == "." || id == ".." {
        return Err(Error::invalid(
            "PathDots",
            format!("Resource id \"{id}\" is invalid: it is \".\" or \"..\"."),
        ));
    }
    if id.len() > MAX_ID_BYTES {
        return Err(Error::invalid(
            "IdTooLong",
            format!("Resource id of {} bytes is longer than {MAX_ID_BYTES} bytes.", id.len()),
        ));
    }
    if is_reserved(id) && numeric_id(id).is_none() {
        return Err(Error::invalid(
            "IdReserved",
            format!("Resource id \"{id}\" is invalid because it is reserved."),
        ));
    }
    Ok(())
}

/// The number in a numeric id such as `__id-7__`.
pub(crate) fn numeric_id(id: &str) -> Option<i64> {
    let digits = id.strip_prefix("__id")?.strip_suffix("__")?;
    let number: i64 = digits.parse().ok()?;
    // Only the canonical spelling: one number has one name.
    (number.to_string() == digits).then_some(number)
}

/// Compares two ids: numeric ones first and by number, the others by UTF-8 bytes.
pub(crate) fn compare_ids(a: &str, b: &str) -> Ordering {
    match (numeric_id(a), numeric_id(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn compare_paths(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('/'), b.split('/'));
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) => match compare_ids(x, y) {
                Ordering::Equal => {}
                other => return other,
            },
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        }
    }
}

macro_rules! path_impls {
    ($type:ident) => {
        impl Ord for $type {
            fn cmp(&self, other: &Self) -> Ordering {
                compare_paths(&self.0, &other.0)
            }
        }
        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl std::str::FromStr for $type {
            type Err = Error;
            fn from_str(path: &str) -> Result<Self> {
                Self::parse(path)
            }
        }
    };
}
path_impls!(DocPath);
path_impls!(CollectionPath);

/// The error for a document that a caller asked for by name and that is not there.
pub fn not_found(database: &DatabaseId, path: &DocPath) -> Error {
    Error::new(
        Code::NotFound,
        "DocumentNotFound",
        format!("Document ({}) not found.", database.document_name(path)),
    )
}
