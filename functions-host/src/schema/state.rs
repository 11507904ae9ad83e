//! The mark: one document in a reserved database, which no transport reaches.

use docstore::commit::Draft;
use docstore::model::{DatabaseId, DocPath, Document, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Code, Database, Error, Result, Store};

/// Database of the mark. Names with this prefix are refused by the transports.
pub(super) const DATABASE: &str = "__schema__";

/// The marked version of a database, and how far an upgrade is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// The version of what is stored.
    pub(super) version: u32,
    /// An upgrade has begun: there is a backup, and some of the data may be of the next version.
    pub(super) begun: bool,
    /// The step to the next version has been prepared.
    pub(super) prepared: bool,
}

impl State {
    /// The state of a database that is wholly of one version.
    pub(super) const fn at(version: u32) -> Self {
        Self { version, begun: false, prepared: false }
    }
}

/// The document that holds the state of one project's database.
#[derive(Debug)]
pub(super) struct StateDocument {
    database: Database,
    path: DocPath,
}

impl StateDocument {
    pub(super) fn new(store: &Store, project: &str) -> Result<Self> {
        let database = store.database(&DatabaseId::new(project, DATABASE));
        Ok(Self { database, path: DocPath::parse("state/schema")? })
    }

    /// The state; `None` without a mark.
    ///
    /// # Errors
    /// `DataLoss` (`SchemaMark`) if the mark has no version; those of the store.
    pub(super) async fn read(&self) -> Result<Option<State>> {
        let found = self.database.get(std::slice::from_ref(&self.path), None).await?.value;
        let Some(Document { fields, .. }) = found.into_iter().flatten().next() else { return Ok(None) };
        let is = |name: &str| matches!(fields.get(name), Some(Value::Boolean(true)));
        match fields.get("version") {
            Some(Value::Integer(version)) if let Ok(version) = u32::try_from(*version) => {
                Ok(Some(State { version, begun: is("begun"), prepared: is("prepared") }))
            }
            _ => Err(Error::new(
                Code::DataLoss,
                "SchemaMark",
                "the mark that says of which version the documents are cannot be read: restore a backup",
            )),
        }
    }

    /// Replaces the state. Also notes this program's version, for people.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn write(&self, state: State) -> Result<()> {
        let mut fields = Fields::from([
            ("version".to_owned(), Value::Integer(state.version.into())),
            ("program".to_owned(), Value::String(crate::VERSION.to_owned())),
        ]);
        for (name, flag) in [("begun", state.begun), ("prepared", state.prepared)] {
            if flag {
                fields.insert(name.to_owned(), Value::Boolean(true));
            }
        }
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let write = Write { path: self.path.clone(), op, precondition: Precondition::None };
        self.database.commit(Draft::of(vec![write])).await.map(drop)
    }
}
