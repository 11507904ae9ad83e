//! Builds numbered indexes in the background, while commits go on.
//!
//! The definition is written first: from that commit on, every change maintains the index's entries. Then the existing
//! documents are added in chunks that go through the committer like any commit, so that a chunk always sees the newest
//! versions. Then the definition is marked ready.
//!
//! Every index adds to the cost of everybody's writes, so the indexes that callers under the access policy can cause
//! are bounded (see [`learning`]). An unused index is first marked as dropped: from that commit on, it is neither read
//! nor maintained. Then its entries are removed, in chunks again, and the definition last.

mod declared;
mod learning;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, watch};

use self::learning::{Learning, teacher};
use crate::catalog::{Catalog, IndexDef, IndexScope};
use crate::commit::{CommitQueue, Commits, Proposal, Work};
use crate::encoding::key::{DbNo, Key, KeyRange, docs_prefix, index_prefix, read_doc_key, successor};
use crate::engine::{AnyEngine, Author, Engine, Scan};
use crate::model::{DatabaseId, DocPath, Fields, Precondition, Ts, Write, WriteOp};
use crate::query::{Ran, Reader, Wanting};
use crate::txn::reads::ReadSet;
use crate::{Code, Error, Result};

/// Documents added to an index by one commit.
const CHUNK: usize = 200;
/// The most numbered indexes of one database. Source: Firestore's limit with billing enabled.
pub(crate) const MAX_INDEXES: usize = 1_000;

/// Treatment of a query that needs an index over several fields, or over a collection group, that is neither declared
/// nor learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingIndexes {
    /// The query is answered from single-field entries and a sort. The index is built in the background: at once for an
    /// operator's query; for that of a caller under the access policy only if it pays, within the write cost that
    /// callers may cause (see [`crate::indexer`]).
    Learn,
    /// The query is answered, whoever the caller and whatever the cost, and the index is built in the background at
    /// once: for emulators, which serve only their owner.
    LearnAtOnce,
    /// The query is refused, as in the cloud.
    Refuse,
}

/// Builds indexes, one at a time.
#[derive(Debug)]
pub(crate) struct Indexer {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    commits: CommitQueue,
    mode: MissingIndexes,
    learning: Learning,
    /// Serialises definitions and builds, so that index numbers are unique.
    build_lock: Arc<Mutex<()>>,
    /// Set when the store closes: builds stop at the next chunk and are resumed by the next start.
    stop: Arc<AtomicBool>,
    /// Number of builds running or waiting.
    pending: watch::Sender<usize>,
    /// Indexes of those builds, each once, however many queries ask for it.
    wanted: Wanted,
}

type Wanted = Arc<parking_lot::Mutex<Vec<(Shape, Option<String>)>>>;
type Shape = (DbNo, Wanting);

/// The query that lacked an index: its caller and database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) id: &'a DatabaseId,
    pub(crate) by: &'a Author,
    /// Entries and documents the query read besides its results; `None` before it has run.
    pub(crate) read: Option<u64>,
}

/// Everything a build needs.
struct Build {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    commits: Commits,
    database: DatabaseId,
    number: DbNo,
    stop: Arc<AtomicBool>,
}

impl Indexer {
    pub(crate) fn new(
        engine: Arc<AnyEngine>,
        catalog: Catalog,
        commits: CommitQueue,
        mode: MissingIndexes,
    ) -> Self {
        let pending = watch::Sender::new(0);
        let learning = Learning::default();
        Self {
            engine,
            catalog,
            commits,
            mode,
            learning,
            build_lock: Arc::default(),
            stop: Arc::default(),
            pending,
            wanted: Wanted::default(),
        }
    }

    /// Asks running builds to stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until no build is running or waiting.
    pub(crate) async fn settled(&self) {
        // The sender lives in `self`, so waiting cannot fail.
        drop(self.pending.subscribe().wait_for(|pending| *pending == 0).await);
    }

    /// Handles the indexes that a query lacked or would have profited from.
    ///
    /// # Errors
    /// As [`Self::want`].
    pub(crate) fn learn(&self, reader: &Reader, ran: &mut Ran) -> Result<()> {
        let (mut missing, helpful) = (std::mem::take(&mut ran.missing), std::mem::take(&mut ran.helpful));
        // A query is never refused for an index it can do without.
        if self.mode != MissingIndexes::Refuse {
            missing.extend(helpful);
        }
        let stats = &ran.stats;
        let read = (stats.entries_read + stats.documents_read).saturating_sub(stats.results);
        self.want(&Asked { id: &reader.id, by: &reader.by, read: Some(read) }, missing)
    }

    /// Handles the indexes that a query lacks.
    ///
    /// # Errors
    /// `FailedPrecondition` (`MissingIndex`) where only declared indexes may be built.
    pub(crate) fn want(&self, asked: &Asked<'_>, missing: Vec<Wanting>) -> Result<()> {
        if missing.is_empty() {
            return Ok(());
        }
        let id = asked.id;
        match self.mode {
            MissingIndexes::Refuse => {
                // A collection group ordered by name needs no declaration, in the cloud neither.
                let (by_name, mut declared): (Vec<_>, Vec<_>) =
                    missing.into_iter().partition(|wanting| wanting.fields.is_empty());
                // For a query below one document the index of the whole group is declared, as in the cloud.
                for wanting in declared.iter_mut().filter(|wanting| wanting.scope == IndexScope::Below) {
                    wanting.scope = IndexScope::Group;
                }
                by_name.into_iter().try_for_each(|wanting| self.build(id, wanting, None, true))?;
                if declared.is_empty() {
                    return Ok(());
                }
                Err(Error::new(
                    Code::FailedPrecondition,
                    "MissingIndex",
                    format!(
                        "The query requires an index. Add it {} in firestore.indexes.json.",
                        declared::to_add(&declared)
                    ),
                ))
            }
            MissingIndexes::Learn if asked.by.is_under_rules() => {
                missing.into_iter().try_for_each(|wanting| self.learn_from(asked, wanting))
            }
            MissingIndexes::Learn | MissingIndexes::LearnAtOnce => {
                missing.into_iter().try_for_each(|wanting| self.build(id, wanting, None, true))
            }
        }
    }

    /// Builds an index that a caller's query lacked, if it pays and there is room for it.
    fn learn_from(&self, asked: &Asked<'_>, wanting: Wanting) -> Result<()> {
        let (Some(read), Some(teacher)) = (asked.read, teacher(asked.by)) else { return Ok(()) };
        let Some(number) = self.catalog.number(asked.id) else { return Ok(()) };
        let shape = (number, wanting);
        if !self.learning.pays(asked.by, &shape, read) {
            return Ok(());
        }
        if let Some(cheap) = learning::cheap(shape.1.clone()) {
            let cheap = (number, cheap);
            let has_room = {
                let wanted = self.wanted.lock();
                let coming = wanted.iter().filter_map(|(shape, from)| Some((shape, from.as_deref()?)));
                learning::has_room(&self.catalog, &cheap, &teacher, coming)
            };
            if has_room {
                self.learning.remove(&shape);
                return self.build(asked.id, cheap.1, Some(teacher), true);
            }
        }
        if self.learning.first_told(asked.by, &shape) {
            let add = declared::to_add(std::slice::from_ref(&shape.1));
            tracing::info!(
                database = %asked.id, %add,
                "a caller's query wants an index that callers may not teach; declare it in firestore.indexes.json"
            );
        }
        Ok(())
    }

    /// Removes indexes that were learned from callers and have long been unused.
    pub(crate) fn remove_idle(&self) -> Result<()> {
        let now = *self.engine.visible().borrow();
        for (def, used) in self.catalog.learned(now) {
            if def.ready.is_none() || !learning::is_idle(used, now) {
                continue;
            }
            let Some(database) = self.catalog.name(def.database) else { continue };
            let build = self.builder(database, def.database)?;
            self.spawn(async move { build.remove(&def).await });
        }
        Ok(())
    }

    /// Builds the indexes declared by a `firestore.indexes.json` that do not exist yet.
    pub(crate) fn declare(&self, id: &DatabaseId, json: &str) -> Result<()> {
        let all = declared::read(json)?;
        all.into_iter().try_for_each(|wanting| self.build(id, wanting, None, false))
    }

    /// Resumes builds that a former process left unfinished.
    pub(crate) fn resume(&self) -> Result<()> {
        for def in self.catalog.unready() {
            let Some(database) = self.catalog.name(def.database) else { continue };
            let build = self.builder(database, def.database)?;
            self.spawn(async move { build.fill(&def).await });
        }
        for def in self.catalog.dropped() {
            let Some(database) = self.catalog.name(def.database) else { continue };
            let build = self.builder(database, def.database)?;
            self.spawn(async move { build.remove_entries(&def).await });
        }
        Ok(())
    }

    fn builder(&self, database: DatabaseId, number: DbNo) -> Result<Build> {
        Ok(Build {
            engine: Arc::clone(&self.engine),
            catalog: self.catalog.clone(),
            commits: self.commits.open()?,
            stop: Arc::clone(&self.stop),
            database,
            number,
        })
    }

    /// Starts building an index: learned `from` a caller, or permanent.
    fn build(&self, id: &DatabaseId, wanting: Wanting, from: Option<String>, learned: bool) -> Result<()> {
        let Some(number) = self.catalog.number(id) else { return Ok(()) };
        if is_settled(&self.catalog, number, &wanting, from.as_ref()) {
            return Ok(());
        }
        let mut wanted = self.wanted.lock();
        let one = (number, wanting);
        // A pending build for a caller does not stand in for a permanent one.
        if wanted.iter().any(|(other, other_from)| *other == one && (other_from.is_none() || from.is_some()))
        {
            return Ok(());
        }
        let count = self.catalog.all_indexes(number).len() + wanted.len();
        if count >= MAX_INDEXES {
            tracing::warn!(database = %id, "no more indexes are built: there are {count} already");
            return Ok(());
        }
        if learned && one.1.scope == IndexScope::Below {
            let collection = &one.1.collection;
            tracing::info!(database = %id, %collection, "a query below one document wants an index; building it");
        } else if learned && !one.1.fields.is_empty() {
            let add = declared::to_add(std::slice::from_ref(&one.1));
            tracing::info!(database = %id, %add, "a query wants an index; building it");
        }
        let build = self.builder(id.clone(), number)?;
        wanted.push((one.clone(), from.clone()));
        drop(wanted);
        let wanted = Arc::clone(&self.wanted);
        self.spawn(async move {
            let built = build.run(one.1.clone(), from.clone()).await;
            let mut wanted = wanted.lock();
            wanted.retain(|(other, other_from)| *other != one || *other_from != from);
            built
        });
        Ok(())
    }

    fn spawn(&self, work: impl Future<Output = Result<()>> + Send + 'static) {
        let (build_lock, pending) = (Arc::clone(&self.build_lock), self.pending.clone());
        pending.send_modify(|pending| *pending += 1);
        tokio::spawn(async move {
            let _building = build_lock.lock().await;
            if let Err(error) = work.await {
                tracing::warn!(error = %error, "an index could not be built; the next start or query tries again");
            }
            pending.send_modify(|pending| *pending -= 1);
        });
    }
}

impl Build {
    async fn run(&self, wanting: Wanting, learned_from: Option<String>) -> Result<()> {
        // Another query's build may have finished while this one waited for the lock.
        if is_settled(&self.catalog, self.number, &wanting, learned_from.as_ref()) {
            return Ok(());
        }
        if let Some(def) = known(&self.catalog, self.number, &wanting) {
            // Make the existing index permanent.
            return self.enter(&IndexDef { learned_from: None, ..IndexDef::clone(&def) }).await;
        }
        let def = IndexDef {
            number: self.catalog.next_index(),
            database: self.number,
            collection: wanting.collection,
            scope: wanting.scope,
            fields: wanting.fields,
            ready: None,
            learned_from,
        };
        self.enter(&def).await?;
        self.fill(&def).await
    }

    async fn fill(&self, def: &IndexDef) -> Result<()> {
        let mut range = KeyRange::prefix(&docs_prefix(self.number));
        loop {
            // Documents written from now on maintain their own entries, so every page may be read at the newest
            // version.
            let at = *self.engine.visible().borrow();
            let scan = Scan { limit: CHUNK, values: false, ..Scan::all(&range, at) };
            let page = self.engine.scan(&scan).await?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let paths = page.entries.iter().filter_map(|(key, _)| read_doc_key(key));
            let paths: Vec<DocPath> = paths.filter(|path| path.collection_id() == def.collection).collect();
            if !paths.is_empty() {
                self.submit(&self.database, Work::Backfill(def.number, paths)).await?;
            }
            match page.entries.last() {
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => break,
            }
        }
        self.enter(&IndexDef { ready: Some(Ts::ZERO), ..def.clone() }).await
    }

    /// Removes an index and its entries.
    async fn remove(&self, def: &IndexDef) -> Result<()> {
        tracing::info!(database = %self.database, collection = %def.collection, "an index that nobody uses is removed");
        self.put(Catalog::dropped_document(def)).await?;
        self.remove_entries(def).await
    }

    /// Removes the entries of a dropped index, and then its definition.
    async fn remove_entries(&self, def: &IndexDef) -> Result<()> {
        let mut range = KeyRange::prefix(&index_prefix(def.database, def.number));
        loop {
            let at = *self.engine.visible().borrow();
            let scan = Scan { limit: CHUNK, values: false, ..Scan::all(&range, at) };
            let page = self.engine.scan(&scan).await?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let keys: Vec<Key> = page.entries.into_iter().map(|(key, _)| key).collect();
            let Some(last) = keys.last() else { break };
            range.start = successor(last);
            self.submit(&self.database, Work::Close(keys)).await?;
            if page.done {
                break;
            }
        }
        let (path, _) = Catalog::index_document(def);
        let write = Write { path, op: WriteOp::Delete, precondition: Precondition::None };
        self.submit(&Catalog::id(), Work::Writes(vec![write])).await
    }

    async fn enter(&self, def: &IndexDef) -> Result<()> {
        self.put(Catalog::index_document(def)).await
    }

    async fn put(&self, (path, fields): (DocPath, Fields)) -> Result<()> {
        let op = WriteOp::Set { fields, transforms: Vec::new() };
        let write = Write { path, op, precondition: Precondition::None };
        self.submit(&Catalog::id(), Work::Writes(vec![write])).await
    }

    async fn submit(&self, database: &DatabaseId, work: Work) -> Result<()> {
        let proposal = Proposal {
            database: database.clone(),
            author: Author::System,
            work,
            reads: ReadSet::default(),
            snapshot: Ts::MAX,
        };
        self.commits.submit(proposal).await.outcome.map(drop)
    }
}

fn known(catalog: &Catalog, number: DbNo, wanting: &Wanting) -> Option<Arc<IndexDef>> {
    let all = catalog.indexes(number, &wanting.collection);
    all.iter().find(|def| def.scope == wanting.scope && def.fields == wanting.fields).cloned()
}

/// True if nothing is left to do for an index learned `from` a caller or permanent.
fn is_settled(catalog: &Catalog, number: DbNo, wanting: &Wanting, from: Option<&String>) -> bool {
    known(catalog, number, wanting).is_some_and(|def| from.is_some() || def.learned_from.is_none())
}

#[cfg(test)]
mod tests;
