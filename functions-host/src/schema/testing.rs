//! Parts that the tests of the upgrade's steps share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};

use docstore::model::{DatabaseId, DocPath, Document, Fields, Query, Source, Value, Write};
use docstore::{Code, Draft, Error, Result, Store};
use storage_emu::FileCatalog;

use super::batches::Limits;
use super::moved::Moved;
use super::walk::Size;
use super::{Progress, Target};

/// Documents by path.
pub(super) type Contents = BTreeMap<String, Fields>;

/// Commits as small as they can be.
pub(super) const TINY: Limits = Limits { writes: 2, bytes: 64, page: Size { documents: 3, bytes: 1_000 } };

/// Fails after so many commits.
pub(super) struct Killed(AtomicI64);

impl Killed {
    pub(super) fn after(commits: i64) -> Self {
        Self(AtomicI64::new(commits))
    }
}

impl Progress for Killed {
    fn committed(&self, _documents: u64) -> Result<()> {
        if self.0.fetch_sub(1, Ordering::Relaxed) > 0 {
            return Ok(());
        }
        Err(Error::new(Code::Cancelled, "Killed", "killed"))
    }
}

pub(super) fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

pub(super) fn fields(all: &[(&str, Value)]) -> Fields {
    all.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// A target with these documents, each committed alone, in order.
pub(super) async fn target(documents: &[(String, Fields)]) -> Target {
    target_on(&Store::in_memory().await.unwrap(), documents).await
}

/// A target in `store` with these documents, each committed alone, in order.
pub(super) async fn target_on(store: &Store, documents: &[(String, Fields)]) -> Target {
    let target = Target {
        documents: store.database(&DatabaseId::default_of("demo")),
        moved: Moved::new(store, "demo"),
        files: FileCatalog::new(store, "demo"),
    };
    for (path, fields) in documents {
        let write = Write::set(DocPath::parse(path).unwrap(), fields.clone());
        target.documents.commit(Draft::of(vec![write])).await.unwrap();
    }
    target
}

/// All documents of a target.
pub(super) async fn documents(target: &Target) -> Vec<Document> {
    let all = Source { collection: None, all_descendants: true };
    target.documents.run(&Query::all(None, all), None).await.unwrap().documents
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
