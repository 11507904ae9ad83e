//! Names: databases, documents, collections and fields.

use std::fmt;
use std::sync::Arc;

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
}

impl fmt::Display for DatabaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "projects/{}/databases/{}", self.project, self.database)
    }
}

/// A document's path within its database: an even, non-zero number of segments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocPath(Arc<[Arc<str>]>);

/// A collection's path within its database: an odd number of segments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollectionPath(Arc<[Arc<str>]>);

/// A path to a field inside a document; at least one segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<String>);
