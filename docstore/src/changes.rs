//! The change log, commit by commit, for readers outside the store.

use std::sync::Arc;

use crate::Result;
use crate::catalog::Catalog;
use crate::encoding::key::DbNo;
use crate::engine::{Commit, Engine as _, LogReader};
use crate::model::{DatabaseId, Ts};
use crate::store::Store;

/// A reader of a store's commits with its own position.
#[derive(Debug)]
pub struct Changes {
    reader: LogReader,
    catalog: Catalog,
}

impl Changes {
    /// All commits that are not yet read, oldest first, waiting until there is one. `None` when the store is gone.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when the reader fell behind what the log keeps.
    pub async fn next(&mut self) -> Option<Result<Vec<Arc<Commit>>>> {
        self.reader.next().await
    }

    /// The last commit read.
    pub fn position(&self) -> Ts {
        self.reader.position()
    }

    /// Name of the database with this number.
    pub fn database(&self, number: DbNo) -> Option<DatabaseId> {
        self.catalog.name(number)
    }
}

impl Store {
    /// The commits after `after`, in order, then live ones. A restarted store still has those of its last hour, as far
    /// as they fit into memory.
    ///
    /// # Errors
    /// `OutOfRange` (`LogTruncated`) when commits after `after` are no longer kept.
    pub fn changes(&self, after: Ts) -> Result<Changes> {
        Ok(Changes { reader: self.0.engine.log(after)?, catalog: self.0.catalog.clone() })
    }

    /// Time of the newest commit.
    pub fn newest(&self) -> Ts {
        self.0.visible()
    }
}

#[cfg(test)]
mod tests {
    use crate::clock::SystemClock;
    use crate::model::{DatabaseId, DocPath, Fields, Precondition, Ts, Value, Write, WriteOp};
    use crate::{Draft, EngineOptions, Limits, Store, StoreOptions};

    fn write(path: &str, fields: Option<i64>) -> Write {
        let op = fields.map_or(WriteOp::Delete, |n| WriteOp::Set {
            fields: Fields::from([("n".to_owned(), Value::Integer(n))]),
            transforms: Vec::new(),
        });
        Write { path: DocPath::parse(path).unwrap(), op, precondition: Precondition::None }
    }

    async fn open(dir: &std::path::Path) -> Store {
        let engine = EngineOptions::disk(dir);
        let clock = std::sync::Arc::new(SystemClock);
        Store::open(StoreOptions { engine, clock, limits: Limits::default() }).await.unwrap()
    }

    /// Every change after `after`, up to now: path, old and new number.
    async fn seen(store: &Store, after: Ts) -> Vec<(String, Option<i64>, Option<i64>)> {
        let mut changes = store.changes(after).unwrap();
        let number = |document: &Option<std::sync::Arc<crate::model::Document>>| {
            document.as_ref().map(|document| match document.fields["n"] {
                Value::Integer(n) => n,
                _ => unreachable!(),
            })
        };
        let mut seen = Vec::new();
        while changes.position() < store.newest() {
            for commit in changes.next().await.unwrap().unwrap() {
                for change in &commit.changes {
                    if changes.database(change.database) == Some(DatabaseId::default_of("p")) {
                        seen.push((change.path.to_string(), number(&change.old), number(&change.new)));
                    }
                }
            }
        }
        seen
    }

    #[tokio::test]
    async fn changes_come_in_order_and_again_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let database = store.database(&DatabaseId::default_of("p"));
        let before = store.newest();
        database.commit(Draft::of(vec![write("a/1", Some(1)), write("a/2", Some(2))])).await.unwrap();
        let middle = database.commit(Draft::of(vec![write("a/1", Some(3))])).await.unwrap().commit_time;
        database.commit(Draft::of(vec![write("a/1", None)])).await.unwrap();
        let all = [
            ("a/1".to_owned(), None, Some(1)),
            ("a/2".to_owned(), None, Some(2)),
            ("a/1".to_owned(), Some(1), Some(3)),
            ("a/1".to_owned(), Some(3), None),
        ];
        assert_eq!(seen(&store, before).await, all);
        store.close().await.unwrap();
        drop((store, database));
        let store = open(folder.path()).await;
        assert_eq!(seen(&store, before).await, all);
        assert_eq!(seen(&store, middle).await, all[3..]);
    }
}
