//! One database with full access: for the server's own use. Callers go through [`crate::session`].

mod check;
mod list;
mod partition;

use std::sync::Arc;
use std::time::Instant;

use tracing::Instrument as _;

pub use check::Checked;
pub use list::{CollectionsPage, DocumentsPage, ListDocuments, MAX_PAGE_BYTES, MAX_PAGE_SIZE, Page};

use crate::access::{Access, Caller, OwnSubtree, Viewer};
use crate::catalog::IndexDef;
use crate::commit::{Answer, Committed, Draft, Proposal, Stages, Work};
use crate::encoding::key::{DOCS, Key, doc_key};
use crate::engine::{Author, Engine as _};
use crate::model::{Aggregation, DatabaseId, DocPath, Document, Query, Ts, Value, Write, WriteOp};
use crate::query::{Normal, QueryResult, Ran, Reader, Snapshot, Wanted, aggregate, project, run, run_adding};
use crate::store::{Inner, Store};
use crate::txn::reads::ReadSet;
use crate::txn::{TxnId, TxnOptions};
use crate::watch::Watcher;
use crate::{Error, Result};

/// Documents deleted per commit of [`Database::clear`].
const CLEAR_CHUNK: u32 = 500;
/// Read time of a write that depends on no read: it is valid against every later commit.
pub(crate) const UNLIMITED: Ts = Ts::MAX;

/// Commits examined to advance a transaction's read time to the newest.
const ADVANCE_COMMITS: usize = 256;
/// Most runs of a query or listing in a transaction, if locking its results had to wait.
const LOCKED_TRIES: usize = 3;

/// A database. Cloning shares.
#[derive(Debug, Clone)]
pub struct Database {
    store: Store,
    id: DatabaseId,
}

impl Store {
    /// A database; it comes into being with its first write.
    pub fn database(&self, id: &DatabaseId) -> Database {
        Database::new(self.clone(), id.clone())
    }
}

impl Database {
    fn new(store: Store, id: DatabaseId) -> Self {
        Self { store, id }
    }

    pub(crate) fn store(&self) -> &Arc<Inner> {
        &self.store.0
    }

    /// Its name.
    pub fn id(&self) -> &DatabaseId {
        &self.id
    }

    /// The newest version.
    pub fn read_time(&self) -> Ts {
        self.store().visible()
    }

    /// A reader at a version, the newest unless given.
    pub(crate) fn reader(&self, at: Option<Ts>) -> Result<Reader> {
        let inner = self.store();
        Ok(Reader {
            engine: Arc::clone(&inner.engine),
            catalog: inner.catalog.clone(),
            id: self.id.clone(),
            number: inner.catalog.number(&self.id),
            at: inner.readable(at)?,
            by: Author::System,
            notes_reads: false,
            pace: None,
        })
    }

    /// The documents at `paths`, in that order, `None` where there is none.
    ///
    /// # Errors
    /// `InvalidArgument` or `FailedPrecondition` for an unreadable version.
    pub async fn get(&self, paths: &[DocPath], at: Option<Ts>) -> Result<Snapshot<Vec<Option<Document>>>> {
        self.get_with(&self.reader(at)?, paths).await
    }

    pub(crate) async fn get_with(
        &self,
        reader: &Reader,
        paths: &[DocPath],
    ) -> Result<Snapshot<Vec<Option<Document>>>> {
        Ok(Snapshot { value: reader.documents(paths).await?, read_time: reader.at })
    }

    /// [`Self::get`] in a transaction.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown or finished transaction.
    pub async fn get_in(&self, txn: TxnId, paths: &[DocPath]) -> Result<Snapshot<Vec<Option<Document>>>> {
        let mut reads = ReadSet::default();
        let mut number = self.store().catalog.number(&self.id);
        if let Some(number) = number {
            paths.iter().for_each(|path| reads.add_key(doc_key(number, path)));
        }
        self.lock_reads(txn, &reads).await?;
        let reader = self.txn_reader(txn)?;
        let value = reader.documents(paths).await?;
        // The database may have come into being meanwhile.
        if number.is_none() {
            number = reader.number;
            number
                .into_iter()
                .for_each(|number| paths.iter().for_each(|path| reads.add_key(doc_key(number, path))));
        }
        self.store().transactions.note(&self.id, txn, reads, reader.at)?;
        Ok(Snapshot { value, read_time: reader.at })
    }

    /// Locks the documents a transaction reads, unless the access policy binds its caller: whoever may only read would
    /// keep others from writing. Returns whether it had to wait, so that they may have changed.
    async fn lock_reads(&self, txn: TxnId, reads: &ReadSet) -> Result<bool> {
        let transactions = &self.store().transactions;
        if !transactions.locks_reads(&self.id, txn)? {
            return Ok(false);
        }
        transactions.locks.read(txn, reads.keys().filter(|key| is_doc_key(key)).cloned()).await
    }

    /// A reader for a transaction's next read: of the newest version it can read at.
    fn txn_reader(&self, txn: TxnId) -> Result<Reader> {
        let inner = self.store();
        let commits = |after| inner.engine.log(after).ok()?.peek(ADVANCE_COMMITS);
        let at = inner.transactions.next_read(&self.id, txn, inner.visible(), commits)?;
        let by = inner.transactions.author(&self.id, txn)?;
        Ok(Reader { at, by, notes_reads: true, ..self.reader(None)? })
    }

    /// The results of a query.
    ///
    /// # Errors
    /// `InvalidArgument` for a query that Firestore refuses or an unreadable version.
    pub async fn run(&self, query: &Query, at: Option<Ts>) -> Result<QueryResult> {
        let reader = self.reader(at)?;
        Ok(self.run_with(&reader, query).await?.0)
    }

    /// [`Self::run`] in a transaction.
    ///
    /// # Errors
    /// As [`Self::run`], and `InvalidArgument` for an unknown or finished transaction.
    pub async fn run_in(&self, txn: TxnId, query: &Query) -> Result<QueryResult> {
        let mut tries = 1;
        loop {
            let reader = self.txn_reader(txn)?;
            let (result, reads) = self.run_with(&reader, query).await?;
            // The results are locked; if that had to wait, they may have changed.
            if !self.lock_reads(txn, &reads).await? || tries == LOCKED_TRIES {
                self.store().transactions.note(&self.id, txn, reads, reader.at)?;
                return Ok(result);
            }
            tries += 1;
        }
    }

    pub(crate) async fn run_with(&self, reader: &Reader, query: &Query) -> Result<(QueryResult, ReadSet)> {
        let normal = Normal::new(query)?;
        let begun = Instant::now();
        let reader = &self.store().paced(reader).await?;
        let waited = begun.elapsed();
        let mut ran = run(reader, &normal, Wanted::Documents).await?;
        reader.end().await;
        self.store().slow.query(&self.id, query, &ran.stats, (waited, begun.elapsed() - waited));
        self.store().indexer.learn(reader, &mut ran)?;
        let Ran { documents, stats, reads, .. } = ran;
        let documents = documents.into_iter().map(|document| project(&normal, document)).collect();
        let held = reader.pace.clone();
        Ok((QueryResult { documents, read_time: reader.at, stats, held }, reads))
    }

    /// Aggregates over the results of a query, under the given aliases.
    ///
    /// # Errors
    /// As [`Self::run`], and `InvalidArgument` for too many aggregations.
    pub async fn aggregate(
        &self,
        query: &Query,
        aggregations: &[(String, Aggregation)],
        at: Option<Ts>,
    ) -> Result<Snapshot<Vec<(String, Value)>>> {
        let reader = self.reader(at)?;
        Ok(self.aggregate_with(&reader, query, aggregations).await?.0)
    }

    /// Number of a query's results, counted up to `up_to`.
    ///
    /// # Errors
    /// As [`Self::aggregate`].
    pub async fn count(&self, query: &Query, up_to: Option<u64>) -> Result<u64> {
        let counted = [(String::new(), Aggregation::Count { up_to })];
        let values = self.aggregate(query, &counted, None).await?.value;
        let n = values.first().map_or(0, |(_, value)| if let Value::Integer(n) = value { *n } else { 0 });
        Ok(u64::try_from(n).unwrap_or_default())
    }

    /// [`Self::aggregate`] in a transaction.
    ///
    /// # Errors
    /// As [`Self::aggregate`], and `InvalidArgument` for an unknown or finished transaction.
    pub async fn aggregate_in(
        &self,
        txn: TxnId,
        query: &Query,
        aggregations: &[(String, Aggregation)],
    ) -> Result<Snapshot<Vec<(String, Value)>>> {
        let mut tries = 1;
        loop {
            let reader = self.txn_reader(txn)?;
            let (result, reads) = self.aggregate_with(&reader, query, aggregations).await?;
            if !self.lock_reads(txn, &reads).await? || tries == LOCKED_TRIES {
                self.store().transactions.note(&self.id, txn, reads, reader.at)?;
                return Ok(result);
            }
            tries += 1;
        }
    }

    /// The numbered indexes: declared or learned ones.
    pub fn indexes(&self) -> Vec<Arc<IndexDef>> {
        self.store()
            .catalog
            .number(&self.id)
            .map(|db| self.store().catalog.all_indexes(db))
            .unwrap_or_default()
    }

    /// Declares the indexes of a `firestore.indexes.json` and has the missing ones built in the background. The database
    /// comes into being with it.
    ///
    /// # Errors
    /// `InvalidArgument` naming the entry that is wrong.
    pub async fn declare_indexes(&self, json: &str) -> Result<()> {
        if self.store().catalog.number(&self.id).is_none() {
            // Index entries begin with the number that a database gets with its first commit.
            self.commit(Draft::default()).await?;
        }
        self.store().indexer.declare(&self.id, json)
    }

    /// Waits until every index under construction is ready.
    pub async fn settle_indexes(&self) {
        self.store().indexer.settled().await;
    }

    pub(crate) async fn aggregate_with(
        &self,
        reader: &Reader,
        query: &Query,
        aggregations: &[(String, Aggregation)],
    ) -> Result<(Snapshot<Vec<(String, Value)>>, ReadSet)> {
        let (needed, wanted) = aggregate::needed(query, aggregations)?;
        let begun = Instant::now();
        let reader = &self.store().paced(reader).await?;
        let waited = begun.elapsed();
        let normal = Normal::new(&needed)?;
        let mut totals = aggregate::Totals::new(aggregations);
        let mut ran = match wanted {
            Wanted::Count => run(reader, &normal, wanted).await?,
            _ => run_adding(reader, &normal, wanted, &mut |document| totals.add(document)).await?,
        };
        reader.end().await;
        self.store().slow.query(&self.id, query, &ran.stats, (waited, begun.elapsed() - waited));
        self.store().indexer.learn(reader, &mut ran)?;
        let value = match wanted {
            Wanted::Count => aggregations
                .iter()
                .map(|(alias, aggregation)| (alias.clone(), aggregate::count(aggregation, ran.stats.results)))
                .collect(),
            Wanted::Documents | Wanted::Selected => totals.values(),
        };
        Ok((Snapshot { value, read_time: reader.at }, ran.reads))
    }

    /// Makes a draft's writes, all or none. `Ok` means that no crash can lose them.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists` or `FailedPrecondition` for a precondition that does not hold;
    /// `InvalidArgument` for a document over a limit; `Aborted` when what the transaction read has changed.
    pub async fn commit(&self, draft: Draft) -> Result<Committed> {
        self.commit_by(Author::System, draft).await
    }

    /// The same, on behalf of `author`.
    pub(crate) async fn commit_by(&self, author: Author, draft: Draft) -> Result<Committed> {
        self.commit_resting(author, draft, ReadSet::default(), UNLIMITED, Stages::default()).await
    }

    /// Commits a draft that also rests on `reads` at `at`, after the stages `before`.
    pub(crate) async fn commit_resting(
        &self,
        author: Author,
        draft: Draft,
        reads: ReadSet,
        at: Ts,
        before: Stages,
    ) -> Result<Committed> {
        let begun = Instant::now();
        let (first, count) = (draft.writes.first().map(|write| write.path.clone()), draft.writes.len());
        let answer = self.submit(author, draft, reads, at).await.unwrap_or_else(Answer::from);
        // All that is not the committer's.
        let locks = begun.elapsed().saturating_sub(answer.stages.total());
        let stages = Stages { rules: before.rules, limits: before.limits, locks, ..answer.stages };
        self.store().slow.commit(&self.id, first.as_ref(), count, &stages);
        answer.outcome
    }

    /// Passes a draft to the committer, once no transaction keeps it from writing.
    async fn submit(&self, author: Author, draft: Draft, reads: ReadSet, at: Ts) -> Result<Answer> {
        let inner = self.store();
        let locks = &inner.transactions.locks;
        let number = inner.catalog.number(&self.id);
        let written: Vec<Key> = match (number, draft.txn.is_some() || locks.are_held()) {
            (Some(number), true) => draft.writes.iter().map(|write| doc_key(number, &write.path)).collect(),
            _ => Vec::new(),
        };
        let mut proposal = Proposal {
            database: self.id.clone(),
            author,
            work: Work::Writes(draft.writes),
            reads,
            snapshot: at,
        };
        let _held = if let Some(txn) = draft.txn {
            let ended = inner.transactions.end(&self.id, txn)?;
            let held = locks.commit_in(txn);
            if let (true, Work::Writes(writes)) = (ended.read_only, &proposal.work)
                && !writes.is_empty()
            {
                return Err(Error::invalid(
                    "ReadOnlyTransaction",
                    "Cannot modify entities in a read-only transaction.",
                ));
            }
            proposal.reads.merge(ended.reads);
            proposal.snapshot = proposal.snapshot.min(ended.at);
            held.alone(written).instrument(tracing::debug_span!("locks")).await?;
            Some(held)
        } else {
            locks.commit(written).instrument(tracing::debug_span!("locks")).await?
        };
        Ok(inner.commits()?.submit(proposal).await)
    }

    /// Opens a transaction.
    ///
    /// # Errors
    /// `InvalidArgument` or `FailedPrecondition` for an unreadable version; `ResourceExhausted` when too many
    /// are open.
    pub async fn begin(&self, options: TxnOptions) -> Result<TxnId> {
        self.begin_by(Author::System, options).await
    }

    /// The same, on behalf of `author`.
    pub(crate) async fn begin_by(&self, author: Author, options: TxnOptions) -> Result<TxnId> {
        let at = match options {
            TxnOptions::ReadOnly { at } => at,
            TxnOptions::ReadWrite { .. } => None,
        };
        let at = self.store().readable(at)?;
        self.store().transactions.begin(&self.id, author, options, at)
    }

    /// The version a transaction reads at.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown or finished transaction.
    pub fn txn_read_time(&self, txn: TxnId) -> Result<Ts> {
        self.store().transactions.read_time(&self.id, txn)
    }

    /// Ends a transaction without writing.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown or finished transaction.
    pub async fn rollback(&self, txn: TxnId) -> Result<()> {
        self.store().transactions.roll_back(&self.id, txn)
    }

    /// Deletes every document.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub async fn clear(&self) -> Result<()> {
        loop {
            let everything = crate::model::Source { collection: None, all_descendants: true };
            let mut query = Query::all(None, everything);
            query.limit = Some(CLEAR_CHUNK);
            let found = self.run(&query, None).await?.documents;
            if found.is_empty() {
                return Ok(());
            }
            let delete = |document: Document| Write {
                path: document.path,
                op: WriteOp::Delete,
                precondition: crate::model::Precondition::None,
            };
            self.commit(Draft::of(found.into_iter().map(delete).collect())).await?;
        }
    }

    /// A stream of live targets with full access. On a closed store nothing ever happens on it.
    pub fn watch(&self) -> Watcher {
        let access: Arc<dyn Access> = Arc::new(OwnSubtree);
        let viewer = Viewer { database: self.id.clone(), caller: Caller::Admin, access };
        Watcher::open(&self.store().hub, viewer)
    }
}

fn is_doc_key(key: &[u8]) -> bool {
    key.get(4) == Some(&DOCS)
}
