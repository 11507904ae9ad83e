//! Metadata in a database of the document store.

use docstore::model::{Cursor, Direction, DocPath, FieldPath, Order, Query, Source, Write};
use docstore::{Database, Draft, Result};
use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Record, Records};

/// A database as [`Records`].
#[derive(Clone)]
pub(crate) struct DatabaseRecords(pub(crate) Database);

impl std::fmt::Debug for DatabaseRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("DatabaseRecords").field(self.0.id()).finish()
    }
}

impl Records for DatabaseRecords {
    fn get(&self, paths: Vec<DocPath>) -> BoxFuture<'_, Result<Vec<Option<Record>>>> {
        async move {
            let found = self.0.get(&paths, None).await?.value;
            Ok(found
                .into_iter()
                .map(|document| document.map(|d| Record { fields: d.fields, version: d.update_time }))
                .collect())
        }
        .boxed()
    }

    fn commit(&self, writes: Vec<Write>) -> BoxFuture<'_, Result<()>> {
        async move { self.0.commit(Draft { writes, txn: None }).await.map(drop) }.boxed()
    }

    fn scan(
        &self,
        parent: Option<DocPath>,
        collection: &'static str,
        start: Option<String>,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(String, Record)>>> {
        async move {
            let start = match start {
                None => None,
                Some(id) => {
                    let path = match &parent {
                        Some(parent) => parent.child(collection)?.doc(&id)?,
                        None => DocPath::parse(&format!("{collection}/{id}"))?,
                    };
                    Some(Cursor::before_name(self.0.id(), path))
                }
            };
            let query = Query {
                order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
                start,
                limit: Some(limit),
                ..Query::all(
                    parent,
                    Source { collection: Some(collection.to_owned()), all_descendants: false },
                )
            };
            let found = self.0.run(&query, None).await?.documents;
            Ok(found
                .into_iter()
                .map(|d| (d.path.id().to_owned(), Record { fields: d.fields, version: d.update_time }))
                .collect())
        }
        .boxed()
    }

    fn clear(&self) -> BoxFuture<'_, Result<()>> {
        self.0.clear().boxed()
    }
}
