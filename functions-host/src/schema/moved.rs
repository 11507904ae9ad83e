//! Things that got a new id in an upgrade, so that their old addresses can be resolved.

use docstore::model::{
    CollectionPath, DatabaseId, DocPath, Document, FieldFilter, FieldOp, FieldPath, Fields, Filter, Query,
    Source, Value, Write,
};
use docstore::{Database, Result, Store};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::state::DATABASE;

const COLLECTION: &str = "moved";

/// Hexadecimal digits of a new id.
const ID_DIGITS: usize = 20;

/// Most values of an `in` filter.
pub(super) const MAX_VALUES: usize = 30;

/// Most things that had one id before.
const MAX_HOMONYMS: u32 = 100;

/// Kind of a thing with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A project.
    Project,
    /// A layout.
    Layout,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Layout => "layout",
        }
    }
}

/// A thing's former id, and the one it has now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Renamed {
    pub(crate) owner: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A layout that lay with its owner, and where a project of that owner has it now. Several projects may have one each.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placed {
    pub(crate) owner: String,
    /// Id of the layout below its owner.
    pub(crate) from: String,
    pub(crate) project: String,
    /// Id of the layout below the project.
    pub(crate) to: String,
}

impl Placed {
    /// True for the project that has the layout under its old id.
    pub(crate) fn is_first(&self) -> bool {
        self.from == self.to
    }
}

/// Former ids of one project's database. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Moved(Database);

impl Moved {
    /// Those of `project`.
    pub(crate) fn new(store: &Store, project: &str) -> Self {
        Self(store.database(&DatabaseId::new(project, DATABASE)))
    }

    /// The write that records a new id. Repeating it for the same owner and former id replaces the record.
    pub(crate) fn record(kind: Kind, renamed: &Renamed) -> Result<Write> {
        let Renamed { owner, from, to } = renamed;
        let fields = Fields::from([
            ("kind".to_owned(), text(kind.name())),
            ("owner".to_owned(), text(owner)),
            ("from".to_owned(), text(from)),
            ("to".to_owned(), text(to)),
        ]);
        Ok(Write::set(path(kind, owner, from)?, fields))
    }

    /// Commits records.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn commit(&self, records: Vec<Write>) -> Result<()> {
        self.0.commit(docstore::Draft::of(records)).await.map(drop)
    }

    /// The new ids of things, each named by its owner and former id; `None` where the id has stayed.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn now(&self, kind: Kind, things: &[(&str, &str)]) -> Result<Vec<Option<String>>> {
        let paths: Vec<DocPath> =
            things.iter().map(|(owner, from)| path(kind, owner, from)).collect::<Result<_>>()?;
        let found = self.0.get(&paths, None).await?.value;
        Ok(found.into_iter().map(|found| Some(read(&found?)?.to)).collect())
    }

    /// All things that had the id `from`, at most [`MAX_HOMONYMS`].
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn from(&self, kind: Kind, from: &str) -> Result<Vec<Renamed>> {
        self.find(kind, "from", FieldOp::Equal, text(from)).await
    }

    /// The things whose new id is one of `ids`: at most [`MAX_VALUES`].
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn among(&self, kind: Kind, ids: &[&str]) -> Result<Vec<Renamed>> {
        let ids = ids.iter().map(|id| text(id)).collect();
        self.find(kind, "to", FieldOp::In, Value::Array(ids)).await
    }

    /// The write that records where a layout is. Repeating it for the same owner, former id and project replaces the record.
    pub(crate) fn record_place(placed: &Placed) -> Result<Write> {
        let Placed { owner, from, project, to } = placed;
        let fields = Fields::from([
            ("kind".to_owned(), text(Kind::Layout.name())),
            ("owner".to_owned(), text(owner)),
            ("from".to_owned(), text(from)),
            ("project".to_owned(), text(project)),
            ("to".to_owned(), text(to)),
            // Several records are of one layout.
            ("of".to_owned(), text(&new_id(Kind::Layout, owner, from, 0))),
        ]);
        Ok(Write::set(place(owner, project, from)?, fields))
    }

    /// The ids that layouts of `owner` have in a project of theirs, by their former ids; `None` for those that it has not.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn placed_in(
        &self,
        owner: &str,
        project: &str,
        from: &[&str],
    ) -> Result<Vec<Option<String>>> {
        let paths: Vec<DocPath> =
            from.iter().map(|from| place(owner, project, from)).collect::<Result<_>>()?;
        let found = self.0.get(&paths, None).await?.value;
        Ok(found.into_iter().map(|found| Some(read_place(&found?)?.to)).collect())
    }

    /// All projects that have a layout of `owner`, and its ids there.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn places(&self, owner: &str, from: &str) -> Result<Vec<Placed>> {
        let filter = FieldFilter {
            field: FieldPath::parse("of")?,
            op: FieldOp::Equal,
            value: text(&new_id(Kind::Layout, owner, from, 0)),
        };
        let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
        let query = Query { filter: Some(Filter::Field(filter)), ..Query::all(None, source) };
        Ok(self.0.run(&query, None).await?.documents.iter().filter_map(read_place).collect())
    }

    /// All layouts that had the id `from`, whosever they are: at most [`MAX_HOMONYMS`].
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn placed_from(&self, from: &str) -> Result<Vec<Placed>> {
        let found = self.query("from", FieldOp::Equal, text(from)).await?;
        Ok(found.iter().filter_map(read_place).collect())
    }

    /// Removes the records of an account.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn forget(&self, owner: &str) -> Result<()> {
        self.forget_all("owner", owner).await
    }

    /// Removes the records that lead to a project or into it.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn forget_project(&self, project: &str) -> Result<()> {
        self.forget_all("project", project).await?;
        for renamed in self.among(Kind::Project, &[project]).await? {
            self.commit(vec![Write::delete(path(Kind::Project, &renamed.owner, &renamed.from)?)]).await?;
        }
        Ok(())
    }

    /// Removes the records whose `field` is `value`.
    async fn forget_all(&self, field: &str, value: &str) -> Result<()> {
        loop {
            let found = self.query(field, FieldOp::Equal, text(value)).await?;
            if found.is_empty() {
                return Ok(());
            }
            self.commit(found.into_iter().map(|document| Write::delete(document.path)).collect()).await?;
        }
    }

    async fn find(&self, kind: Kind, field: &str, op: FieldOp, value: Value) -> Result<Vec<Renamed>> {
        let found = self.query(field, op, value).await?;
        let of_kind =
            |document: &Document| document.fields.get("kind").is_some_and(|it| is_text(it, kind.name()));
        Ok(found.into_iter().filter(of_kind).filter_map(|document| read(&document)).collect())
    }

    async fn query(&self, field: &str, op: FieldOp, value: Value) -> Result<Vec<Document>> {
        let filter = Filter::Field(FieldFilter { field: FieldPath::parse(field)?, op, value });
        let source = Source { collection: Some(COLLECTION.to_owned()), all_descendants: false };
        let query = Query { filter: Some(filter), limit: Some(MAX_HOMONYMS), ..Query::all(None, source) };
        Ok(self.0.run(&query, None).await?.documents)
    }
}

/// The id that a thing of `owner` gets instead of `from`, at an attempt: always the same one.
pub(super) fn new_id(kind: Kind, owner: &str, from: &str, attempt: u32) -> String {
    let mut hash = Sha256::new();
    for part in [kind.name(), owner, from, &attempt.to_string()] {
        // Lengths, so that no other parts make the same bytes.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let mut id: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    id.truncate(ID_DIGITS);
    id
}

fn path(kind: Kind, owner: &str, from: &str) -> Result<DocPath> {
    CollectionPath::parse(COLLECTION)?.doc(&new_id(kind, owner, from, 0))
}

fn place(owner: &str, project: &str, from: &str) -> Result<DocPath> {
    CollectionPath::parse(COLLECTION)?.doc(&new_id(Kind::Layout, &format!("{owner}/{project}"), from, 0))
}

fn read_place(document: &Document) -> Option<Placed> {
    let text = |name: &str| match document.fields.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    Some(Placed { owner: text("owner")?, from: text("from")?, project: text("project")?, to: text("to")? })
}

fn read(document: &Document) -> Option<Renamed> {
    let text = |name: &str| match document.fields.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    Some(Renamed { owner: text("owner")?, from: text("from")?, to: text("to")? })
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

fn is_text(value: &Value, wanted: &str) -> bool {
    matches!(value, Value::String(text) if text == wanted)
}
