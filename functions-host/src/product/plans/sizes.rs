//! Bytes of documents, counted apart for every account's own documents and every project.
//!
//! They are counted from the log of commits, so that everybody's writes are in them, functions' and operators' too. Sums
//! and the position in the log are stored by one commit, often enough that a restart finds the position in the log. If
//! the log no longer has it, all documents are counted again. Projects are counted apart from their owners, so that a
//! project given away, or made after its parts, needs no second count.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use docstore::changes::Changes;
use docstore::commit::Draft;
use docstore::database::Database;
use docstore::engine::{Change, Commit};
use docstore::model::{
    Cursor, DatabaseId, Direction, DocPath, Document, FieldPath, Fields, Order, Query, Source, Ts, Value,
    Write,
};
use docstore::store::Store;
use docstore::{Code, Error, Result};
use futures::TryStreamExt as _;
use tokio::sync::{RwLock, watch};

use super::PROJECTS;
use super::owners::Owners;
use crate::project;

/// Database of the sums. Names with this prefix are refused by the transports.
const DATABASE: &str = "__sizes__";
/// Collections whose documents' subtrees are counted, each by itself. The sum of one has its name.
const ROOTS: [&str; 2] = ["users", project::COLLECTION];
/// Collection of what is shared by a link, and the field with its project.
pub(super) const SHARES: &str = "shares";
pub(super) const PROJECT: &str = "projectId";
/// Field of a sum.
const BYTES: &str = "bytes";
/// Document of the position in the log up to which the stored sums count.
const POSITION: &str = "state/position";
/// Field of that document.
const AT: &str = "at";
/// Commits passed before the position is stored: a restart has the last 20,000.
const COMMITS: usize = 1_000;
/// Memory of the commits passed before the position is stored. With the largest commit, 10 MiB and its index entries, it
/// stays below the 32 MiB that a restart has.
const COMMIT_BYTES: usize = 8 << 20;
/// Age of the stored position at which a commit has it stored again: a restart has the commits of the last hour before
/// the newest one. Without commits a position does not grow old.
const POSITION_AGE_MICROS: u64 = 60_000_000;
/// Sums stored by one commit.
const SUMS: usize = 400;
/// Documents and bytes read at a time when all are counted.
const PAGE: u32 = 2_000;
const PAGE_BYTES: usize = 4 << 20;
/// Wait before counting begins again after it failed, as when so much is written that documents of the time of its
/// beginning are not kept until its end.
const PAUSE: Duration = Duration::from_secs(10);
/// Wait for the counting of commits that were just acknowledged: it takes milliseconds.
const CATCH_UP: Duration = Duration::from_secs(2);

/// Changes of sums that are not stored yet, by root.
type Changed = BTreeMap<DocPath, i64>;

/// The sums. Clones share them.
#[derive(Debug, Clone)]
pub struct Sizes {
    store: Store,
    documents: Database,
    sums: Database,
    /// Locked to write while sums are stored, so that nobody counts a change twice or misses it.
    changed: Arc<RwLock<Changed>>,
    /// The newest commit counted; `None` until all documents are.
    counted: watch::Sender<Option<Ts>>,
    owners: Owners,
}

/// Commits read since the position was stored, those that store it left out.
#[derive(Debug)]
struct Passed {
    since: Ts,
    commits: usize,
    bytes: usize,
}

impl Passed {
    const fn since(since: Ts) -> Self {
        Self { since, commits: 0, bytes: 0 }
    }

    /// True if the position has to be stored again, so that a restart still finds it in the log.
    const fn is_due(&self, at: Ts) -> bool {
        self.commits >= COMMITS
            || self.bytes >= COMMIT_BYTES
            || self.commits > 0 && at.micros().saturating_sub(self.since.micros()) >= POSITION_AGE_MICROS
    }
}

impl Sizes {
    /// The sums of a project's documents. Nothing is counted before [`Self::keep_counted`].
    pub(super) fn new(store: &Store, project: &str) -> Self {
        Self {
            store: store.clone(),
            documents: store.database(&DatabaseId::default_of(project)),
            sums: store.database(&DatabaseId::new(project, DATABASE)),
            changed: Arc::default(),
            counted: watch::Sender::new(None),
            owners: Owners::new(store, project),
        }
    }

    /// Owners of projects, which are remembered while documents are counted.
    pub(super) const fn owners(&self) -> &Owners {
        &self.owners
    }

    /// Counts until the store is gone.
    pub async fn keep_counted(&self) {
        while let Err(error) = self.count().await {
            self.owners.restart(None);
            tracing::warn!(target: "plans", "documents' bytes are counted again: {}", error.message());
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Bytes of an account's documents and of all in its projects, with every commit acknowledged so far; `None` while
    /// they are not counted.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of(&self, uid: &str) -> Result<Option<u64>> {
        let mut roots = vec![root("users", uid)?];
        let mut pages = pin!(project::pages(&self.documents, uid, PROJECTS));
        while let Some(page) = pages.try_next().await? {
            roots.extend(page.into_iter().map(|project| project.path));
        }
        self.of_roots(&roots).await
    }

    /// Bytes of a project's documents, as [`Self::of`] counts them.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn of_project(&self, project: &DocPath) -> Result<Option<u64>> {
        self.of_roots(std::slice::from_ref(project)).await
    }

    async fn of_roots(&self, roots: &[DocPath]) -> Result<Option<u64>> {
        self.catch_up().await;
        let changed = self.changed.read().await;
        if self.counted.borrow().is_none() {
            return Ok(None);
        }
        let stored = self.sums.get(roots, None).await?.value;
        let sums = roots.iter().zip(stored).map(|(root, stored)| {
            stored
                .as_ref()
                .map_or(0, sum)
                .saturating_add_signed(changed.get(root).copied().unwrap_or_default())
        });
        Ok(Some(sums.fold(0, u64::saturating_add)))
    }

    /// Waits until the commits acknowledged so far are counted, or for [`CATCH_UP`].
    async fn catch_up(&self) {
        let newest = self.store.newest();
        let mut counted = self.counted.subscribe();
        let there = counted.wait_for(|at| at.is_none_or(|at| at >= newest));
        // Without the newest commits the sums are still good for something.
        drop(tokio::time::timeout(CATCH_UP, there).await);
    }

    async fn count(&self) -> Result<()> {
        let mut changes = self.begin().await?;
        self.owners.restart(Some(changes.position()));
        self.counted.send_replace(Some(changes.position()));
        let mut passed = Passed::since(changes.position());
        while let Some(read) = changes.next().await {
            self.add(&changes, &read?, &mut passed).await;
            let at = changes.position();
            if passed.is_due(at) || self.changed.read().await.len() >= SUMS {
                self.save(at).await?;
                passed = Passed::since(at);
            }
            self.counted.send_replace(Some(at));
        }
        Ok(())
    }

    /// The log from the stored position on, or from now on after a count of all documents.
    async fn begin(&self) -> Result<Changes> {
        self.counted.send_replace(None);
        self.changed.write().await.clear();
        if let Some(at) = self.position().await?
            && let Ok(changes) = self.store.changes(at)
        {
            return Ok(changes);
        }
        let at = self.recount().await?;
        self.store.changes(at)
    }

    async fn position(&self) -> Result<Option<Ts>> {
        let found = self.sums.get(&[DocPath::parse(POSITION)?], None).await?.value;
        let fields = found.into_iter().flatten().next().map(|document| document.fields);
        Ok(fields.and_then(|fields| match fields.get(AT) {
            Some(Value::Integer(micros)) => u64::try_from(*micros).ok().map(Ts::from_micros),
            _ => None,
        }))
    }

    /// Adds commits to the changes.
    async fn add(&self, changes: &Changes, commits: &[Arc<Commit>], passed: &mut Passed) {
        let of = |change: &Change, database: &Database| {
            changes.database(change.database).as_ref() == Some(database.id())
        };
        let mut changed = self.changed.write().await;
        let mut projects = Vec::new();
        for commit in commits {
            // The commits that store sums are left out: each would cause another.
            let is_own =
                !commit.changes.is_empty() && commit.changes.iter().all(|change| of(change, &self.sums));
            if !is_own {
                passed.commits += 1;
                passed.bytes += commit.weight;
            }
            for change in commit.changes.iter().filter(|change| of(change, &self.documents)) {
                if project::of_path(&change.path).as_ref() == Some(&change.path) {
                    projects.push(change.path.id().to_owned());
                }
                for (document, sign) in [(&change.new, 1), (&change.old, -1)] {
                    let Some(document) = document else { continue };
                    let Some(root) = root_of(&document.path, &document.fields) else { continue };
                    let sum = changed.entry(root).or_default();
                    *sum = sum.saturating_add(sign * bytes(document));
                }
            }
        }
        self.owners.follow(&projects, changes.position());
    }

    /// Stores the changes, and the position in the log that they go up to.
    async fn save(&self, at: Ts) -> Result<()> {
        let mut changed = self.changed.write().await;
        let all: Vec<_> = changed.iter().map(|(root, by)| (root.clone(), *by)).collect();
        let mut writes = self.added(&all).await?;
        let micros = i64::try_from(at.micros()).unwrap_or(i64::MAX);
        writes.push(Write::set(
            DocPath::parse(POSITION)?,
            Fields::from([(AT.to_owned(), Value::Integer(micros))]),
        ));
        self.sums.commit(Draft::of(writes)).await?;
        changed.clear();
        Ok(())
    }

    /// The writes that add changes to the stored sums.
    async fn added(&self, changed: &[(DocPath, i64)]) -> Result<Vec<Write>> {
        let roots: Vec<DocPath> = changed.iter().map(|(root, _)| root.clone()).collect();
        let stored = self.sums.get(&roots, None).await?.value;
        let write = |((root, by), stored): (&(DocPath, i64), Option<Document>)| match stored
            .as_ref()
            .map_or(0, sum)
            .saturating_add_signed(*by)
        {
            0 => Write::delete(root.clone()),
            bytes => {
                let bytes = Value::Integer(i64::try_from(bytes).unwrap_or(i64::MAX));
                Write::set(root.clone(), Fields::from([(BYTES.to_owned(), bytes)]))
            }
        };
        Ok(changed.iter().zip(stored).map(write).collect())
    }

    /// Counts all documents as they are now, and returns the time of that. An interrupted count begins again.
    async fn recount(&self) -> Result<Ts> {
        self.sums.commit(Draft::of(vec![Write::delete(DocPath::parse(POSITION)?)])).await?;
        for collection in ROOTS {
            self.forget(collection).await?;
        }
        let at = self.store.newest();
        let mut counted = Changed::new();
        let mut after = None;
        loop {
            let page = self.page(at, after).await?;
            after = page.last().map(|last| last.path.clone());
            add_up(&page, &mut counted);
            if after.is_none() {
                break;
            }
            if counted.len() >= SUMS {
                self.put(std::mem::take(&mut counted)).await?;
            }
        }
        self.put(counted).await?;
        self.save(at).await?;
        Ok(at)
    }

    /// Some of all documents as of a time, after one of them.
    async fn page(&self, at: Ts, after: Option<DocPath>) -> Result<Vec<Document>> {
        let source = Source { collection: None, all_descendants: true };
        let query = Query {
            limit: Some(PAGE),
            limit_bytes: Some(PAGE_BYTES),
            ..after_name(&self.documents, source, after)
        };
        Ok(self.documents.run(&query, Some(at)).await?.documents)
    }

    /// Compares the sums, if there are any, with the documents and returns how many differ; then the next start counts
    /// all again. For a stopped server: documents must not change meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn drifted(&self) -> Result<usize> {
        if self.position().await?.is_none() {
            return Ok(0);
        }
        tokio::select! {
            // Counting ends by a fault alone, or with the store.
            ended = self.count() => Err(ended.err().unwrap_or_else(|| {
                Error::new(Code::Unavailable, "StoreClosed", "The database is shutting down.")
            })),
            drifted = self.compare() => drifted,
        }
    }

    async fn compare(&self) -> Result<usize> {
        let newest = self.store.newest();
        let mut counted = self.counted.subscribe();
        // The sender lives as long as this value.
        drop(counted.wait_for(|at| at.is_some_and(|at| at >= newest)).await);
        let mut right = Changed::new();
        let mut after = None;
        loop {
            let page = self.page(newest, after).await?;
            after = page.last().map(|last| last.path.clone());
            if after.is_none() {
                break;
            }
            add_up(&page, &mut right);
        }
        let mut sums = self.changed.read().await.clone();
        for collection in ROOTS {
            let mut after = None;
            loop {
                let page = self.stored(collection, after).await?;
                after = page.last().map(|last| last.path.clone());
                if after.is_none() {
                    break;
                }
                for stored in page {
                    let bytes = i64::try_from(sum(&stored)).unwrap_or(i64::MAX);
                    *sums.entry(stored.path).or_default() += bytes;
                }
            }
        }
        let roots: BTreeSet<&DocPath> = right.keys().chain(sums.keys()).collect();
        let of = |sums: &Changed, root: &DocPath| sums.get(root).copied().unwrap_or_default();
        let drifted = roots.into_iter().filter(|root| of(&right, root) != of(&sums, root)).count();
        if drifted > 0 {
            self.sums.commit(Draft::of(vec![Write::delete(DocPath::parse(POSITION)?)])).await?;
        }
        Ok(drifted)
    }

    /// Adds to the stored sums.
    async fn put(&self, counted: Changed) -> Result<()> {
        let counted: Vec<_> = counted.into_iter().collect();
        for some in counted.chunks(SUMS) {
            self.sums.commit(Draft::of(self.added(some).await?)).await?;
        }
        Ok(())
    }

    /// Removes the stored sums of a collection's documents.
    async fn forget(&self, collection: &str) -> Result<()> {
        loop {
            let found = self.stored(collection, None).await?;
            if found.is_empty() {
                return Ok(());
            }
            let removals = found.into_iter().map(|document| Write::delete(document.path)).collect();
            self.sums.commit(Draft::of(removals)).await?;
        }
    }

    /// Stored sums of a collection's documents, after one of them, some at a time.
    async fn stored(&self, collection: &str, after: Option<DocPath>) -> Result<Vec<Document>> {
        let source = Source { collection: Some(collection.to_owned()), all_descendants: false };
        let query = Query { limit: u32::try_from(SUMS).ok(), ..after_name(&self.sums, source, after) };
        Ok(self.sums.run(&query, None).await?.documents)
    }
}

/// The document whose sum a document with these fields counts in. What is shared by a link counts in its project.
pub(super) fn root_of(path: &DocPath, fields: &Fields) -> Option<DocPath> {
    let mut segments = path.segments();
    let (collection, id) = (segments.next()?, segments.next()?);
    match fields.get(PROJECT) {
        Some(Value::String(id)) if collection == SHARES => root(project::COLLECTION, id).ok(),
        _ if ROOTS.contains(&collection) => root(collection, id).ok(),
        _ => None,
    }
}

fn root(collection: &str, id: &str) -> Result<DocPath, Error> {
    DocPath::parse(&format!("{collection}/{id}"))
}

/// Documents in the order of their names, after one of them.
fn after_name(database: &Database, source: Source, after: Option<DocPath>) -> Query {
    Query {
        order_by: vec![Order { field: FieldPath::document_name(), direction: Direction::Ascending }],
        start: after.map(|path| Cursor::after_name(database.id(), path)),
        ..Query::all(None, source)
    }
}

/// Adds documents to the sums that they count in.
fn add_up(page: &[Document], counted: &mut Changed) {
    for document in page {
        if let Some(root) = root_of(&document.path, &document.fields) {
            *counted.entry(root).or_default() += bytes(document);
        }
    }
}

fn bytes(document: &Document) -> i64 {
    i64::try_from(document.size()).unwrap_or(i64::MAX)
}

/// Bytes in the document of a sum.
fn sum(stored: &Document) -> u64 {
    match stored.fields.get(BYTES) {
        Some(Value::Integer(bytes)) => u64::try_from(*bytes).unwrap_or_default(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
