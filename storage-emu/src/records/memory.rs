//! Documents in memory that fail when told to, for tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use docstore::model::{DocPath, Precondition, Ts, Write, WriteOp};
use docstore::{Code, Error, Result};
use futures::FutureExt;
use futures::future::BoxFuture;
use parking_lot::Mutex;

use super::{Record, Records};

/// A map with preconditions.
#[derive(Debug, Default)]
pub(crate) struct MemoryRecords {
    documents: Mutex<BTreeMap<DocPath, Record>>,
    last: AtomicU64,
    /// Number of next commits that fail as if the process died before them.
    pub(crate) crashes: AtomicU32,
}

impl MemoryRecords {
    fn holds(documents: &BTreeMap<DocPath, Record>, write: &Write) -> bool {
        let now = documents.get(&write.path);
        match write.precondition {
            Precondition::None => true,
            Precondition::Exists(exists) => now.is_some() == exists,
            Precondition::UpdateTime(version) => now.is_some_and(|record| record.version == version),
        }
    }

    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        if self.crashes.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
            return Err(Error::new(Code::Unavailable, "Crash", "The process died before the commit."));
        }
        let mut documents = self.documents.lock();
        if !writes.iter().all(|write| Self::holds(&documents, write)) {
            return Err(Error::new(Code::FailedPrecondition, "Precondition", "It changed."));
        }
        let version = Ts::from_micros(self.last.fetch_add(1, Ordering::SeqCst) + 1);
        for write in writes {
            match write.op {
                WriteOp::Set { fields, .. } => _ = documents.insert(write.path, Record { fields, version }),
                WriteOp::Delete => _ = documents.remove(&write.path),
                WriteOp::Update { .. } | WriteOp::Verify => unreachable!("never written here"),
            }
        }
        Ok(())
    }
}

impl Records for MemoryRecords {
    fn get(&self, paths: Vec<DocPath>) -> BoxFuture<'_, Result<Vec<Option<Record>>>> {
        async move {
            // Let others in between a read and its commit, as a real database does.
            tokio::task::yield_now().await;
            let documents = self.documents.lock();
            Ok(paths.iter().map(|path| documents.get(path).cloned()).collect())
        }
        .boxed()
    }

    fn commit(&self, writes: Vec<Write>) -> BoxFuture<'_, Result<()>> {
        async move {
            tokio::task::yield_now().await;
            self.apply(writes)
        }
        .boxed()
    }

    fn scan(
        &self,
        parent: Option<DocPath>,
        collection: &'static str,
        start: Option<String>,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(String, Record)>>> {
        async move {
            let documents = self.documents.lock();
            let start = start.unwrap_or_default();
            Ok(documents
                .iter()
                .filter(|(path, _)| path.parent() == parent && path.collection_id() == collection)
                .filter(|(path, _)| path.id() >= start.as_str())
                .take(limit as usize)
                .map(|(path, record)| (path.id().to_owned(), record.clone()))
                .collect())
        }
        .boxed()
    }

    fn clear(&self) -> BoxFuture<'_, Result<()>> {
        async move {
            self.documents.lock().clear();
            Ok(())
        }
        .boxed()
    }
}
