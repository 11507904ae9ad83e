//! The documents that hold metadata: reading, scanning and committing them, and the unit of work over them.

pub(crate) mod database;
#[cfg(test)]
pub(crate) mod memory;

use std::collections::BTreeMap;
use std::fmt;

use docstore::model::{DocPath, Fields, Precondition, Ts, Write, WriteOp};
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use futures::{Stream, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};

use crate::meta::{from_fields, to_fields};

/// Attempts at a unit of work before contention is reported.
pub(crate) const MAX_ATTEMPTS: u32 = 64;

/// A stored document.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Its fields.
    pub(crate) fields: Fields,
    /// When it last changed: a commit can insist on it.
    pub(crate) version: Ts,
}

/// The few things that file storage needs of a document database. An argument, so that crashes and races can
/// be made to happen at will.
pub(crate) trait Records: Send + Sync + fmt::Debug + 'static {
    /// Reads documents at one time.
    fn get(&self, paths: Vec<DocPath>) -> BoxFuture<'_, Result<Vec<Option<Record>>>>;

    /// Commits all writes or none.
    fn commit(&self, writes: Vec<Write>) -> BoxFuture<'_, Result<()>>;

    /// Up to `limit` documents of a collection in order of their ids, from the id `start` on.
    fn scan(
        &self,
        parent: Option<DocPath>,
        collection: &'static str,
        start: Option<String>,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(String, Record)>>>;

    /// Removes everything.
    fn clear(&self) -> BoxFuture<'_, Result<()>>;
}

impl dyn Records {
    /// All documents of a collection, in order of their ids, read `step` at a time. They may be changed and removed
    /// meanwhile.
    pub(crate) fn all(
        &self,
        parent: Option<DocPath>,
        collection: &'static str,
        step: u32,
    ) -> impl Stream<Item = Result<(String, Record)>> + Send {
        let pages = stream::try_unfold((Some(None), parent), move |(start, parent)| async move {
            let Some(start) = start else { return Ok(None) };
            let found = self.scan(parent.clone(), collection, start, step).await?;
            let last = found.last().filter(|_| found.len() == step as usize);
            let next = last.map(|(id, _)| Some(format!("{id}\u{1}")));
            Ok::<_, Error>(Some((stream::iter(found.into_iter().map(Ok)), (next, parent))))
        });
        pages.try_flatten()
    }
}

/// Documents that are read, changed and committed together. The commit fails if a document that was read and then
/// written has changed meanwhile.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    records: &'a dyn Records,
    loaded: BTreeMap<DocPath, Option<Record>>,
    writes: BTreeMap<DocPath, Option<Fields>>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(records: &'a dyn Records) -> Self {
        Self { records, loaded: BTreeMap::new(), writes: BTreeMap::new() }
    }

    /// Reads documents that were not read yet.
    pub(crate) async fn load(&mut self, paths: &[&DocPath]) -> Result<()> {
        let mut missing: Vec<DocPath> = paths
            .iter()
            .filter(|path| !self.loaded.contains_key(*path))
            .map(|path| (*path).clone())
            .collect();
        missing.sort();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let found = self.records.get(missing.clone()).await?;
        self.loaded.extend(missing.into_iter().zip(found));
        Ok(())
    }

    /// A loaded document, with the changes made so far.
    pub(crate) fn get<T: for<'de> Deserialize<'de>>(&self, path: &DocPath) -> Result<Option<T>> {
        let fields = match self.writes.get(path) {
            Some(written) => written.as_ref(),
            None => self.loaded.get(path).and_then(Option::as_ref).map(|record| &record.fields),
        };
        fields.map(from_fields).transpose()
    }

    /// Writes a loaded document.
    pub(crate) fn put(&mut self, path: &DocPath, record: &impl Serialize) -> Result<()> {
        self.writes.insert(path.clone(), Some(to_fields(record)?));
        Ok(())
    }

    /// Deletes a loaded document.
    pub(crate) fn delete(&mut self, path: &DocPath) {
        self.writes.insert(path.clone(), None);
    }

    /// Commits; `false` when something read has changed meanwhile and all must be done again.
    pub(crate) async fn commit(self) -> Result<bool> {
        let mut writes = Vec::with_capacity(self.writes.len());
        for (path, fields) in self.writes {
            let before = self.loaded.get(&path).and_then(Option::as_ref);
            let op = match (fields, before) {
                (Some(fields), _) => WriteOp::Set { fields, transforms: Vec::new() },
                (None, Some(_)) => WriteOp::Delete,
                (None, None) => continue,
            };
            let precondition = match before {
                Some(record) => Precondition::UpdateTime(record.version),
                None => Precondition::Exists(false),
            };
            writes.push(Write { path, op, precondition });
        }
        if writes.is_empty() {
            return Ok(true);
        }
        match self.records.commit(writes).await {
            Ok(()) => Ok(true),
            Err(error) => match error.code() {
                Code::Aborted | Code::FailedPrecondition | Code::AlreadyExists | Code::NotFound => Ok(false),
                _ => Err(error),
            },
        }
    }
}

/// The error for a unit of work that never got through.
pub(crate) fn contention() -> Error {
    Error::new(Code::Aborted, "Contention", "Too many changes to the same files at once; retry.")
}
