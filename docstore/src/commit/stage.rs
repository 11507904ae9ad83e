//! A batch of drafts being turned into commits; each sees the ones before it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::{Catalog, IndexDef};
use crate::encoding::key::{DbNo, Key, doc_key};
use crate::engine::{Author, Backfill, Batch, Change, Commit, Put, Stored};
use crate::model::{DatabaseId, DocPath, Document, Ts, Write, WriteOp, WriteResult};
use crate::{Error, Result, index};

use super::apply::{check_transforms, require};
use super::{Committed, Proposal, Work, apply};

/// The commits of one batch so far and the documents they changed.
pub(super) struct Stage {
    catalog: Catalog,
    last: Ts,
    /// Newest version of every document involved: fetched, then overwritten by this batch's commits.
    documents: HashMap<Key, Option<Arc<Document>>>,
    commits: Batch,
}

impl Stage {
    pub(super) fn new(catalog: Catalog, last: Ts) -> Self {
        Self { catalog, last, documents: HashMap::new(), commits: Vec::new() }
    }

    /// True if the newest version of the document is loaded.
    pub(super) fn knows(&self, key: &[u8]) -> bool {
        self.documents.contains_key(key)
    }

    /// Adds the newest version of a document.
    pub(super) fn learn(&mut self, key: Key, document: Option<Arc<Document>>) {
        self.documents.insert(key, document);
    }

    /// The commits so far.
    pub(super) fn commits(&self) -> &[Arc<Commit>] {
        &self.commits
    }

    /// The finished batch.
    pub(super) fn finish(self) -> Batch {
        self.commits
    }

    /// The time of the next commit, at or after `now`. The cut of listeners that shows a commit has a read time a
    /// microsecond after it, and clients drop a change that is not later than the cut before: at least two microseconds lie
    /// between commits, also when the clock stands still or was set back.
    fn next_time(&self, now: Ts) -> Ts {
        now.max(self.last.next().next())
    }

    /// Turns a validated proposal into a commit at or after `now`. An error leaves no trace.
    pub(super) fn add(&mut self, proposal: Proposal, now: Ts) -> Result<Committed> {
        let database = match self.catalog.number(&proposal.database) {
            Some(number) => number,
            None => self.enter_database(&proposal.database, now),
        };
        let ts = self.next_time(now);
        match proposal.work {
            Work::Writes(writes) => self.write(database, &proposal.database, proposal.author, &writes, ts),
            Work::Backfill(index, documents) => self.backfill(database, index, documents, ts),
            Work::Close(keys) => {
                let puts = keys.into_iter().map(|key| Put { key, value: None }).collect();
                self.push(ts, Author::System, Vec::new(), None, puts);
                Ok(Committed { commit_time: ts, results: Vec::new() })
            }
        }
    }

    fn write(
        &mut self,
        database: DbNo,
        id: &DatabaseId,
        author: Author,
        writes: &[Write],
        ts: Ts,
    ) -> Result<Committed> {
        check_transforms(writes)?;
        // The draft's own changes, merged into the batch's only when all its writes have succeeded.
        let mut own: HashMap<Key, Option<Arc<Document>>> = HashMap::new();
        let mut order: Vec<(Key, &DocPath)> = Vec::new();
        let mut results: Vec<WriteResult> = Vec::with_capacity(writes.len());
        for write in writes {
            let key = doc_key(database, &write.path);
            let stored = self.documents.get(&key).and_then(Option::as_deref);
            let old = own.get(&key).map_or(stored, Option::as_deref);
            require(id, write, old, stored)?;
            let applied = apply(write, old, ts)?;
            results.push(applied.result);
            if applied.changed {
                if !own.contains_key(&key) {
                    order.push((key.clone(), &write.path));
                }
                own.insert(key, applied.new.map(Arc::new));
            }
        }
        let mut changes = Vec::with_capacity(order.len());
        for (key, path) in &order {
            let old = self.documents.get(key).cloned().flatten();
            let new = own.get(key).cloned().flatten();
            if old.is_some() || new.is_some() {
                changes.push(Change { database, path: (*path).clone(), old, new });
            }
        }
        // A draft that only verifies makes no commit. Writes that change nothing do: they have a commit time of their
        // own, later than every commit before.
        if writes.iter().all(|write| matches!(write.op, WriteOp::Verify)) {
            return Ok(Committed { commit_time: self.last, results });
        }
        let mut puts = Vec::with_capacity(changes.len() * 8);
        for change in &changes {
            let indexes = self.catalog.indexes(database, change.path.collection_id());
            index::puts(change, &indexes, &mut puts)?;
        }
        self.documents.extend(own);
        self.push(ts, author, changes, None, puts);
        Ok(Committed { commit_time: ts, results })
    }

    fn backfill(
        &mut self,
        database: DbNo,
        number: u32,
        documents: Vec<DocPath>,
        ts: Ts,
    ) -> Result<Committed> {
        let def = self.catalog.all_indexes(database).into_iter().find(|def| def.number == number);
        let def = def.ok_or_else(|| Error::invalid("NoSuchIndex", format!("There is no index {number}.")))?;
        let puts = backfill_puts(
            &def,
            documents
                .iter()
                .filter_map(|path| self.documents.get(&doc_key(database, path)).and_then(Option::as_deref)),
        );
        let documents = documents.into_iter().map(|path| (database, path)).collect();
        self.push(ts, Author::System, Vec::new(), Some(Backfill { index: number, documents }), puts);
        Ok(Committed { commit_time: ts, results: Vec::new() })
    }

    /// Assigns a number to a database, in a commit of its own.
    fn enter_database(&mut self, id: &DatabaseId, now: Ts) -> DbNo {
        let (number, path, fields) = self.catalog.new_database(id);
        let ts = self.next_time(now);
        let document = Arc::new(Document { path: path.clone(), fields, create_time: ts, update_time: ts });
        let change = Change { database: DbNo::CATALOG, path, old: None, new: Some(document) };
        let mut puts = Vec::new();
        // Catalog documents have no index entries, so nothing here can fail.
        drop(index::puts(&change, &[], &mut puts));
        self.push(ts, Author::System, vec![change], None, puts);
        number
    }

    fn push(
        &mut self,
        ts: Ts,
        author: Author,
        changes: Vec<Change>,
        backfill: Option<Backfill>,
        puts: Vec<Put>,
    ) {
        let commit = Arc::new(Commit::new(self.last, ts, changes, backfill, puts).by(author));
        self.catalog.apply(&commit);
        self.last = ts;
        self.commits.push(commit);
    }
}

/// Entries of `def` for these documents.
pub(crate) fn backfill_puts<'a>(def: &IndexDef, documents: impl Iterator<Item = &'a Document>) -> Vec<Put> {
    documents
        .flat_map(|document| index::numbered_entries(def, document))
        .map(|key| Put { key, value: Some(Stored::default()) })
        .collect()
}
