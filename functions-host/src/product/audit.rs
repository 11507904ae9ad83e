//! The log of admins' actions, in a reserved database that no transport reaches and no rule opens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use docstore::commit::Draft;
use docstore::database::Database;
use docstore::model::{
    CollectionPath, Cursor, DatabaseId, Direction, FieldPath, Fields, Order, Precondition, Query, Source,
    Value, Write, WriteOp,
};
use docstore::store::Store;
use serde::Serialize;

use crate::functions::callable::{AuthContext, CallError};

/// Database of the log. Names with this prefix are refused by the transports.
const DATABASE: &str = "__admin__";

/// Entries per page.
pub(super) const PAGE: u32 = 50;

const COLLECTION: &str = "log";

/// The log. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct AuditLog {
    store: Store,
    database: Database,
    /// Distinguishes entries of the same microsecond.
    count: Arc<AtomicU64>,
}

/// One entry.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    pub(super) id: String,
    /// Milliseconds since the epoch.
    pub(super) at: i64,
    /// The admin: an e-mail address, or an id if there is none.
    pub(super) by: String,
    pub(super) action: String,
    /// The account or thing acted upon.
    pub(super) target: String,
}

impl AuditLog {
    pub(super) fn new(store: &Store, project: &str) -> Self {
        let database = store.database(&DatabaseId::new(project, DATABASE));
        Self { store: store.clone(), database, count: Arc::new(AtomicU64::new(0)) }
    }

    /// Logs that `who` does `action` to `target`. Called before the action, so that none goes unlogged.
    pub(super) async fn write(&self, who: &AuthContext, action: &str, target: &str) -> Result<(), CallError> {
        let micros = self.store.clock().now().micros();
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = CollectionPath::parse(COLLECTION)?.doc(&format!("{micros:017}-{number:010}"))?;
        let by = who.token.get("email").and_then(serde_json::Value::as_str).unwrap_or(&who.uid);
        let fields = Fields::from([
            ("at".to_owned(), Value::Integer(i64::try_from(micros / 1_000).unwrap_or(i64::MAX))),
            ("by".to_owned(), Value::String(by.to_owned())),
            ("uid".to_owned(), Value::String(who.uid.clone())),
            ("action".to_owned(), Value::String(action.to_owned())),
            ("target".to_owned(), Value::String(target.to_owned())),
        ]);
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        self.database
            .commit(Draft::of(vec![Write { path, op, precondition: Precondition::Exists(false) }]))
            .await?;
        Ok(())
    }

    /// The latest entries, newest first, starting before the entry `before`.
    ///
    /// # Errors
    /// `InvalidArgument` if `before` is no id; those of the store.
    pub(super) async fn read(&self, before: Option<&str>) -> Result<Vec<Entry>, CallError> {
        let start = before.map(|id| {
            let path = CollectionPath::parse(COLLECTION)?.doc(id)?;
            Ok::<_, CallError>(Cursor::after_name(self.database.id(), path))
        });
        let query = Query {
            order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Descending }],
            start: start.transpose()?,
            limit: Some(PAGE),
            ..Query::all(None, Source { collection: Some(COLLECTION.to_owned()), all_descendants: false })
        };
        let documents = self.database.run(&query, None).await?.documents;
        let text = |fields: &Fields, name: &str| match fields.get(name) {
            Some(Value::String(text)) => text.clone(),
            _ => String::new(),
        };
        Ok(documents
            .into_iter()
            .map(|document| Entry {
                id: document.path.id().to_owned(),
                at: if let Some(Value::Integer(at)) = document.fields.get("at") { *at } else { 0 },
                by: text(&document.fields, "by"),
                action: text(&document.fields, "action"),
                target: text(&document.fields, "target"),
            })
            .collect())
    }
}
