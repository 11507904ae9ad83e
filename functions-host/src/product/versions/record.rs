//! Documents of versions: `projects/{p}/gameVersions/{v}`. The server writes them; editors may change names and notes.

use docstore::database::Database;
use docstore::model::{
    CollectionPath, DocPath, Document, FieldPath, Fields, Query, Source, Timestamp, Value,
};
use docstore::{Code, Result};
use serde::Deserialize;

use super::contents::Counts;
use super::objects::Hash;
use super::{integer, text, timestamp};
use crate::functions::callable::CallError;

/// Collection of the versions, below a project.
pub(super) const COLLECTION: &str = "gameVersions";

/// Occasion of an automatic version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reason {
    Daily,
    Import,
    Bulk,
    Restore,
    Print,
}

impl Reason {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Import => "import",
            Self::Bulk => "bulk",
            Self::Restore => "restore",
            Self::Print => "print",
        }
    }
}

/// The reason why a version is made.
#[derive(Debug, Clone)]
pub(super) enum Made {
    /// Somebody named it.
    Named {
        name: String,
        note: String,
    },
    Automatic(Reason),
}

/// A version, as far as the server needs to know it.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) path: DocPath,
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) is_named: bool,
    pub(super) at: Timestamp,
    /// `None` if its document does not say it.
    pub(super) root: Option<Hash>,
    /// Its public link; empty for none. Members write it.
    pub(super) link: String,
}

impl Record {
    pub(super) fn id(&self) -> &str {
        self.path.id()
    }

    /// The root of its manifest.
    ///
    /// # Errors
    /// `DataLoss` if its document does not say it.
    pub(super) fn root(&self) -> Result<Hash, CallError> {
        self.root.ok_or_else(|| {
            CallError::new(
                Code::DataLoss,
                format!("{} is damaged: its document does not say what it holds. Delete it.", self.shown()),
            )
        })
    }

    /// The words for it in messages.
    pub(super) fn shown(&self) -> String {
        if self.name.is_empty() {
            format!("Version {}", self.number)
        } else {
            format!("Version {} “{}”", self.number, self.name)
        }
    }

    fn read(Document { path, fields, .. }: Document) -> Self {
        Self {
            path,
            number: integer(&fields, "number"),
            name: text(&fields, "name").unwrap_or_default().to_owned(),
            is_named: text(&fields, "kind") == Some("named"),
            at: timestamp(&fields, "at").unwrap_or(Timestamp(0)),
            root: text(&fields, "root").and_then(Hash::parse),
            link: text(&fields, "link").unwrap_or_default().to_owned(),
        }
    }
}

/// A new version.
#[derive(Debug)]
pub(super) struct New<'a> {
    pub(super) made: &'a Made,
    pub(super) number: i64,
    /// The user who makes it, and their name.
    pub(super) by: (&'a str, &'a str),
    pub(super) at: Timestamp,
    /// Moment of the store at which it was read.
    pub(super) read_at: Timestamp,
    pub(super) root: Hash,
    pub(super) counts: Counts,
    pub(super) bytes: usize,
}

impl New<'_> {
    /// The fields of its document.
    pub(super) fn fields(&self) -> Fields {
        let string = |text: &str| Value::String(text.to_owned());
        let number = |number: usize| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let counts = self.counts.named().map(|(name, count)| (name.to_owned(), number(count)));
        let (name, note, kind, reason) = match self.made {
            Made::Named { name, note } => (name.as_str(), note.as_str(), "named", ""),
            Made::Automatic(reason) => ("", "", "automatic", reason.name()),
        };
        let (by, by_name) = self.by;
        let fields = [
            ("number", Value::Integer(self.number)),
            ("name", string(name)),
            ("note", string(note)),
            ("kind", string(kind)),
            ("reason", string(reason)),
            ("by", string(by)),
            ("byName", string(by_name)),
            ("at", Value::Timestamp(self.at)),
            ("readAt", Value::Timestamp(self.read_at)),
            ("root", string(&self.root.to_string())),
            ("counts", Value::Map(counts.into())),
            ("bytes", number(self.bytes)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// All versions of a project, the newest first.
///
/// # Errors
/// Those of the store.
pub(super) async fn all(database: &Database, project: &DocPath) -> Result<Vec<Record>> {
    let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
    // Not the notes: they may be long.
    let select = ["number", "name", "kind", "at", "root"].map(FieldPath::parse);
    let query = Query {
        select: Some(select.into_iter().collect::<Result<_>>()?),
        ..Query::all(Some(project.clone()), source)
    };
    let found = database.run(&query, None).await?.documents;
    let mut records: Vec<Record> = found.into_iter().map(Record::read).collect();
    records.sort_by_key(|record| std::cmp::Reverse(record.number));
    Ok(records)
}

/// A version of a project by its id.
///
/// # Errors
/// `InvalidArgument` for what is no id, `NotFound`; those of the store.
pub(super) async fn find(database: &Database, project: &DocPath, id: &str) -> Result<Record, CallError> {
    let path = path(project, id)?;
    let found = database.get(&[path], None).await?.value.into_iter().flatten().next();
    found.map(Record::read).ok_or_else(|| {
        CallError::new(Code::NotFound, "The project has no such version. It may have been deleted.")
    })
}

/// The document of a version.
///
/// # Errors
/// `InvalidArgument` for what is no id.
pub(super) fn path(project: &DocPath, id: &str) -> Result<DocPath, CallError> {
    let collection: CollectionPath = project.child(COLLECTION)?;
    if !is_id(id) {
        return Err(CallError::invalid("version must be the id of a version of the project."));
    }
    Ok(collection.doc(id)?)
}

/// True for what may be an id: letters and digits alone.
fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.chars().all(|char| char.is_ascii_alphanumeric())
}
