//! A database as one caller sees it: the same methods, each checked by the access policy.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use tracing::Instrument as _;

use crate::access::{
    Caller, CommitPermit, Decision, MAX_NEEDED, Operation, PolicyReads, Request, Viewer, decide, denied,
    permit,
};
use crate::commit::{Committed, Draft, Stages, apply};
use crate::database::{CollectionsPage, Database, DocumentsPage, ListDocuments, Page};
use crate::encoding::key::doc_key;
use crate::model::{
    Aggregation, CollectionPath, Cursor, DocPath, Document, Query, Source, Ts, Value, Write, WriteOp,
};
use crate::query::{QueryResult, Reader, Snapshot};
use crate::slow;
use crate::txn::reads::ReadSet;
use crate::txn::{TxnId, TxnOptions};
use crate::watch::Watcher;
use crate::{Code, Result};

/// Most decisions on a commit whose policy read documents that changed meanwhile.
const MAX_ATTEMPTS: usize = 5;

/// A database on behalf of a caller.
#[derive(Debug, Clone)]
pub struct Session {
    database: Database,
    viewer: Viewer,
}

impl Database {
    /// The same database on behalf of a caller.
    pub fn as_caller(&self, caller: Caller) -> Session {
        Session::new(self.clone(), caller)
    }
}

impl Session {
    pub(crate) fn new(database: Database, caller: Caller) -> Self {
        let access = database.store().access.read().clone();
        let viewer = Viewer { database: database.id().clone(), caller, access };
        Self { database, viewer }
    }

    /// The database, unchecked.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The caller.
    pub fn caller(&self) -> &Caller {
        &self.viewer.caller
    }

    /// A reader on behalf of the caller, at a version or the newest.
    fn reader(&self, at: Option<Ts>) -> Result<Reader> {
        Ok(Reader { by: self.viewer.caller.author(), ..self.database.reader(at)? })
    }

    async fn permit_gets(&self, paths: &[DocPath], reader: &Reader) -> Result<()> {
        if self.viewer.caller == Caller::Admin {
            return Ok(());
        }
        let store = self.database.store();
        let first = || paths.first().map(slow::pattern).unwrap_or_default();
        let deciding = async {
            let (now, mut known, reads) = (store.clock.now(), HashMap::new(), PolicyReads::default());
            for path in paths {
                decide(&self.viewer, Operation::Get(path), reader, now, &mut known, &reads).await?;
            }
            Ok(())
        };
        store.slow.timed_rules(self.database.id(), first, deciding).await
    }

    async fn permit_list(&self, query: &Query, reader: &Reader) -> Result<()> {
        let store = self.database.store();
        let deciding = permit(&self.viewer, Operation::List(query), reader, store.clock.now());
        store.slow.timed_rules(self.database.id(), || slow::source(query), deciding).await
    }

    /// Decides a query at the moment of `reader`; a moment that was asked for by what holds today as well, so that who has
    /// lost a role does not read what there was while they had it.
    async fn permit_list_at(&self, query: &Query, at: Option<Ts>, reader: &Reader) -> Result<()> {
        if at.is_some() {
            self.permit_list(query, &self.reader(None)?).await?;
        }
        self.permit_list(query, reader).await
    }

    /// A reader at the moment that a transaction read at, where that is another than the one its read was decided at: the
    /// read has to be allowed at both, as in [`Self::permit_list_at`].
    fn reader_of(&self, read: Ts, decided: &Reader) -> Result<Option<Reader>> {
        (read != decided.at).then(|| Ok(Reader { at: read, ..self.reader(None)? })).transpose()
    }

    fn admin_only(&self) -> Result<()> {
        match self.viewer.caller {
            Caller::Admin => Ok(()),
            Caller::User(_) | Caller::Anonymous => {
                Err(denied("Only a server may do this; it is not open to clients.".to_owned()))
            }
        }
    }

    /// [`Database::get`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::get`].
    pub async fn get(&self, paths: &[DocPath], at: Option<Ts>) -> Result<Snapshot<Vec<Option<Document>>>> {
        // One moment for what decides and for what is found: nothing written between the two is seen by who may not.
        let reader = self.reader(at)?;
        if at.is_some() {
            // As in `permit_list_at`.
            self.permit_gets(paths, &self.reader(None)?).await?;
        }
        self.permit_gets(paths, &reader).await?;
        self.database.get_with(&reader, paths).await
    }

    /// [`Database::get_in`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::get_in`].
    pub async fn get_in(&self, txn: TxnId, paths: &[DocPath]) -> Result<Snapshot<Vec<Option<Document>>>> {
        let reader = self.reader(None)?;
        self.permit_gets(paths, &reader).await?;
        let found = self.database.get_in(txn, paths).await?;
        if let Some(then) = self.reader_of(found.read_time, &reader)? {
            self.permit_gets(paths, &then).await?;
        }
        Ok(found)
    }

    /// [`Database::run`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::run`].
    pub async fn run(&self, query: &Query, at: Option<Ts>) -> Result<QueryResult> {
        let reader = self.reader(at)?;
        self.permit_list_at(query, at, &reader).await?;
        Ok(self.database.run_with(&reader, query).await?.0)
    }

    /// [`Database::run_in`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::run_in`].
    pub async fn run_in(&self, txn: TxnId, query: &Query) -> Result<QueryResult> {
        let reader = self.reader(None)?;
        self.permit_list(query, &reader).await?;
        let result = self.database.run_in(txn, query).await?;
        if let Some(then) = self.reader_of(result.read_time, &reader)? {
            self.permit_list(query, &then).await?;
        }
        Ok(result)
    }

    /// [`Database::aggregate`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::aggregate`].
    pub async fn aggregate(
        &self,
        query: &Query,
        aggregations: &[(String, Aggregation)],
        at: Option<Ts>,
    ) -> Result<Snapshot<Vec<(String, Value)>>> {
        let reader = self.reader(at)?;
        self.permit_list_at(query, at, &reader).await?;
        Ok(self.database.aggregate_with(&reader, query, aggregations).await?.0)
    }

    /// [`Database::aggregate_in`].
    ///
    /// # Errors
    /// As [`Self::aggregate`].
    pub async fn aggregate_in(
        &self,
        txn: TxnId,
        query: &Query,
        aggregations: &[(String, Aggregation)],
    ) -> Result<Snapshot<Vec<(String, Value)>>> {
        let reader = self.reader(None)?;
        self.permit_list(query, &reader).await?;
        let found = self.database.aggregate_in(txn, query, aggregations).await?;
        if let Some(then) = self.reader_of(found.read_time, &reader)? {
            self.permit_list(query, &then).await?;
        }
        Ok(found)
    }

    /// [`Database::list_collections`]; for servers only.
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::list_collections`].
    pub async fn list_collections(
        &self,
        parent: Option<&DocPath>,
        page: &Page,
        at: Option<Ts>,
    ) -> Result<CollectionsPage> {
        self.admin_only()?;
        self.database.list_collections(parent, page, at).await
    }

    /// [`Database::list_documents`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::list_documents`].
    pub async fn list_documents(&self, list: &ListDocuments, at: Option<Ts>) -> Result<DocumentsPage> {
        let query = plain_query(&list.collection);
        let reader = self.reader(at)?;
        self.permit_list_at(&query, at, &reader).await?;
        if list.show_missing {
            self.admin_only()?;
        }
        Ok(self.database.list_documents_with(&reader, list).await?.0)
    }

    /// [`Database::list_documents_in`].
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::list_documents_in`].
    pub async fn list_documents_in(&self, txn: TxnId, list: &ListDocuments) -> Result<DocumentsPage> {
        let query = plain_query(&list.collection);
        let reader = self.reader(None)?;
        self.permit_list(&query, &reader).await?;
        if list.show_missing {
            self.admin_only()?;
        }
        let page = self.database.list_documents_in(txn, list).await?;
        if let Some(then) = self.reader_of(page.read_time, &reader)? {
            self.permit_list(&query, &then).await?;
        }
        Ok(page)
    }

    /// [`Database::partition`]; for servers only.
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::partition`].
    pub async fn partition(
        &self,
        query: &Query,
        points: u32,
        at: Option<Ts>,
    ) -> Result<Snapshot<Vec<Cursor>>> {
        self.admin_only()?;
        self.database.partition(query, points, at).await
    }

    /// Waits until the listeners of the store have been sent every commit that was acknowledged before.
    pub async fn settle_listeners(&self) {
        self.database.store().hub.settle().await;
    }

    /// [`Database::commit`]. What the policy read joins what the commit rests on, so it cannot be raced.
    ///
    /// # Errors
    /// `PermissionDenied`, and those of [`Database::commit`].
    pub async fn commit(&self, draft: Draft) -> Result<Committed> {
        let author = self.viewer.caller.author();
        if self.viewer.caller == Caller::Admin {
            return self.database.commit_by(author, draft).await;
        }
        let mut attempt = 1;
        loop {
            let reader = self.reader(None)?;
            let begun = Instant::now();
            let decided = self.permit_writes(&draft, &reader).instrument(tracing::debug_span!("rules")).await;
            let rules = begun.elapsed();
            if decided.is_err() {
                // One that is let through is part of the commit.
                let first =
                    || draft.writes.first().map(|write| slow::pattern(&write.path)).unwrap_or_default();
                self.database.store().slow.rules(self.database.id(), first, rules);
            }
            let reads = decided?;
            let rests_on_policy = !reads.is_empty();
            let _permit = self.run_commit_hook(&draft).instrument(tracing::debug_span!("limits")).await?;
            let before = Stages { rules, limits: begun.elapsed() - rules, ..Stages::default() };
            let resting =
                self.database.commit_resting(author.clone(), draft.clone(), reads, reader.at, before);
            match resting.await {
                // A transaction's own reads may be what changed: that is for the caller to retry.
                Err(error)
                    if error.code() == Code::Aborted
                        && rests_on_policy
                        && draft.txn.is_none()
                        && attempt < MAX_ATTEMPTS =>
                {
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Runs the commit hook; after the policy, so that it reveals nothing that the caller may not know.
    async fn run_commit_hook(&self, draft: &Draft) -> Result<CommitPermit> {
        let hook = self.database.store().commit_hook.read().clone();
        match hook {
            Some(hook) => hook.admit(&self.viewer.caller, self.database.id(), &draft.writes).await,
            None => Ok(None),
        }
    }

    /// Decides about every document that a draft writes; returns what the decisions rest on.
    async fn permit_writes(&self, draft: &Draft, reader: &Reader) -> Result<ReadSet> {
        let now = self.database.store().clock.now();
        let mut outcomes = Outcomes::new(&draft.writes, now);
        let reads = PolicyReads::default();
        let mut verified = HashMap::new();
        let mut decided = HashSet::with_capacity(draft.writes.len());
        for write in &draft.writes {
            if matches!(write.op, WriteOp::Verify) {
                // Its outcome reveals as much of the document as reading it.
                let get = Operation::Get(&write.path);
                decide(&self.viewer, get, reader, now, &mut verified, &reads).await?;
                continue;
            }
            if !decided.insert(&write.path) {
                continue;
            }
            for round in 0.. {
                let (before, after) = outcomes.of(&write.path);
                let request = Request {
                    caller: &self.viewer.caller,
                    database: &self.viewer.database,
                    operation: Operation::Write {
                        path: &write.path,
                        before,
                        after,
                        requires: write.precondition,
                    },
                    now,
                    known: &outcomes.known,
                    after: &outcomes.after,
                    reads: &reads,
                };
                match self.viewer.access.decide(&request) {
                    Decision::Allow => break,
                    Decision::Deny(why) => return Err(denied(why)),
                    Decision::Need(needed) if round < MAX_NEEDED => {
                        let found = reader.documents(std::slice::from_ref(&needed)).await?.pop().flatten();
                        outcomes.learn(needed, found.map(Arc::new))?;
                    }
                    Decision::Need(_) => {
                        return Err(denied(format!(
                            "The access rules asked for more than {MAX_NEEDED} documents."
                        )));
                    }
                }
            }
        }
        let known = outcomes.known;
        let mut reads = ReadSet::default();
        if let Some(number) = reader.number {
            for path in known.keys().chain(verified.keys()) {
                reads.add_key(doc_key(number, path));
            }
        }
        Ok(reads)
    }

    /// [`Database::begin`].
    ///
    /// # Errors
    /// Those of [`Database::begin`].
    pub async fn begin(&self, options: TxnOptions) -> Result<TxnId> {
        self.database.begin_by(self.viewer.caller.author(), options).await
    }

    /// [`Database::rollback`].
    ///
    /// # Errors
    /// Those of [`Database::rollback`].
    pub async fn rollback(&self, txn: TxnId) -> Result<()> {
        self.database.rollback(txn).await
    }

    /// A stream of live targets, each checked when it is added.
    pub fn watch(&self) -> Watcher {
        Watcher::open(&self.database.store().hub, self.viewer.clone())
    }
}

/// Results of a draft's writes on the known documents.
struct Outcomes<'d> {
    writes: &'d [Write],
    now: Ts,
    /// As they are.
    known: HashMap<DocPath, Option<Arc<Document>>>,
    /// The written ones, as they will be.
    after: HashMap<DocPath, Option<Arc<Document>>>,
}

impl<'d> Outcomes<'d> {
    fn new(writes: &'d [Write], now: Ts) -> Self {
        Self { writes, now, known: HashMap::new(), after: HashMap::new() }
    }

    /// A document before and after the whole draft; nothing while it is not known.
    fn of(&self, path: &DocPath) -> (Option<&Document>, Option<&Document>) {
        let known = self.known.get(path).and_then(Option::as_deref);
        (known, self.after.get(path).and_then(Option::as_deref))
    }

    fn learn(&mut self, path: DocPath, found: Option<Arc<Document>>) -> Result<()> {
        let mut current = found.clone();
        for write in self.writes.iter().filter(|write| write.path == path) {
            // Preconditions are for the committer: here they must not tell a caller what it may not see.
            current = apply(write, current.as_deref(), self.now)?.new.map(Arc::new);
        }
        self.after.insert(path.clone(), current);
        self.known.insert(path, found);
        Ok(())
    }
}

/// All documents of a collection, as a query.
pub(crate) fn plain_query(collection: &CollectionPath) -> Query {
    let from = Source { collection: Some(collection.id().to_owned()), all_descendants: false };
    Query::all(collection.parent(), from)
}
