//! Building numbered indexes in the background, while commits go on.
//!
//! A definition is written first: from that commit on, every change keeps its entries. Then the documents that
//! were there before are taken in, in chunks that go through the committer like any commit, so that a chunk
//! always sees the newest version. Then the definition is marked ready.

mod declared;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use tokio::sync::{Mutex, watch};

use crate::catalog::{Catalog, IndexDef, IndexScope};
use crate::commit::{Commits, Proposal, Work};
use crate::engine::{AnyEngine, Author, Engine, Scan, ScanDirection};
use crate::key::{DbNo, KeyRange, docs_prefix, read_doc_key, successor};
use crate::model::{DatabaseId, DocPath, Precondition, Ts, Write, WriteOp};
use crate::query::Wanting;
use crate::reads::ReadSet;
use crate::store::{Inner, MissingIndexes};
use crate::{Code, Error, Result};

/// How many documents one commit takes into an index.
const CHUNK: usize = 200;
/// The most numbered indexes of one database. Source: Firestore's limit with billing enabled.
pub(crate) const MAX_INDEXES: usize = 1_000;

/// Builds indexes, one at a time.
#[derive(Debug)]
pub(crate) struct Indexer {
    mode: MissingIndexes,
    /// One definition is entered and built at a time, so that numbers are unique.
    turn: Arc<Mutex<()>>,
    /// Set when the store closes: builds stop at the next chunk, and the next start goes on with them.
    stop: Arc<AtomicBool>,
    /// How many builds are under way or waiting.
    pending: watch::Sender<usize>,
    /// The indexes of those builds, each once, however many queries want it meanwhile.
    wanted: Wanted,
}

type Wanted = Arc<std::sync::Mutex<Vec<(DbNo, Wanting)>>>;

/// What a build works with.
struct Build {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    commits: Commits,
    database: DatabaseId,
    number: DbNo,
    stop: Arc<AtomicBool>,
}

impl Indexer {
    pub(crate) fn new(mode: MissingIndexes) -> Self {
        let pending = watch::Sender::new(0);
        Self { mode, turn: Arc::default(), stop: Arc::default(), pending, wanted: Wanted::default() }
    }

    /// Has builds stop soon.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until nothing is being built.
    pub(crate) async fn settled(&self) {
        // The sender lives in `self`, so waiting cannot fail.
        drop(self.pending.subscribe().wait_for(|pending| *pending == 0).await);
    }

    /// Deals with the indexes a query lacked.
    pub(crate) fn want(&self, store: &Inner, id: &DatabaseId, missing: Vec<Wanting>) -> Result<()> {
        match self.mode {
            MissingIndexes::Refuse => {
                // A group by name needs no declaration; nor does the cloud ask for one.
                let (by_name, mut declared): (Vec<_>, Vec<_>) =
                    missing.into_iter().partition(|wanting| wanting.fields.is_empty());
                // What is below one document is asked for as the whole group, as the cloud does.
                for wanting in declared.iter_mut().filter(|wanting| wanting.scope == IndexScope::Below) {
                    wanting.scope = IndexScope::Group;
                }
                by_name.into_iter().try_for_each(|wanting| self.build(store, id, wanting, true))?;
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
            MissingIndexes::Learn => {
                missing.into_iter().try_for_each(|wanting| self.build(store, id, wanting, true))
            }
        }
    }

    /// Builds indexes that a query can do without, unless only what is declared may be built.
    pub(crate) fn suggest(&self, store: &Inner, id: &DatabaseId, helpful: Vec<Wanting>) -> Result<()> {
        match self.mode {
            MissingIndexes::Refuse => Ok(()),
            MissingIndexes::Learn => self.want(store, id, helpful),
        }
    }

    /// Builds what a `firestore.indexes.json` declares and is not there yet.
    pub(crate) fn declare(&self, store: &Inner, id: &DatabaseId, json: &str) -> Result<()> {
        let all = declared::read(json)?;
        all.into_iter().try_for_each(|wanting| self.build(store, id, wanting, false))
    }

    /// Goes on with what a former process left unfinished.
    pub(crate) fn resume(&self, store: &Inner) -> Result<()> {
        for def in store.catalog.unready() {
            let Some(database) = store.catalog.name(def.database) else { continue };
            let build = Build {
                engine: Arc::clone(&store.engine),
                catalog: store.catalog.clone(),
                commits: store.commits()?,
                number: def.database,
                stop: Arc::clone(&self.stop),
                database,
            };
            self.spawn(async move { build.fill(&def).await });
        }
        Ok(())
    }

    fn build(&self, store: &Inner, id: &DatabaseId, wanting: Wanting, learned: bool) -> Result<()> {
        let Some(number) = store.catalog.number(id) else { return Ok(()) };
        if known(&store.catalog, number, &wanting) {
            return Ok(());
        }
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let one = (number, wanting);
        if wanted.contains(&one) {
            return Ok(());
        }
        let count = store.catalog.all_indexes(number).len() + wanted.len();
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
        let build = Build {
            engine: Arc::clone(&store.engine),
            catalog: store.catalog.clone(),
            commits: store.commits()?,
            database: id.clone(),
            stop: Arc::clone(&self.stop),
            number,
        };
        wanted.push(one.clone());
        drop(wanted);
        let wanted = Arc::clone(&self.wanted);
        self.spawn(async move {
            let built = build.run(one.1.clone()).await;
            wanted.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| *other != one);
            built
        });
        Ok(())
    }

    fn spawn(&self, work: impl Future<Output = Result<()>> + Send + 'static) {
        let (turn, pending) = (Arc::clone(&self.turn), self.pending.clone());
        pending.send_modify(|pending| *pending += 1);
        tokio::spawn(async move {
            let _turn = turn.lock().await;
            if let Err(error) = work.await {
                tracing::warn!(error = %error, "an index could not be built; the next start or query tries again");
            }
            pending.send_modify(|pending| *pending -= 1);
        });
    }
}

impl Build {
    async fn run(&self, wanting: Wanting) -> Result<()> {
        // Another query may have had it built while this one waited for its turn.
        if known(&self.catalog, self.number, &wanting) {
            return Ok(());
        }
        let def = IndexDef {
            number: self.catalog.next_index(),
            database: self.number,
            collection: wanting.collection,
            scope: wanting.scope,
            fields: wanting.fields,
            ready: None,
        };
        self.enter(&def).await?;
        self.fill(&def).await
    }

    async fn fill(&self, def: &IndexDef) -> Result<()> {
        let mut range = KeyRange::prefix(&docs_prefix(self.number));
        loop {
            // What comes into being from now on enters its own entries, so that every page may be as new as it can.
            let at = *self.engine.visible().borrow();
            let scan =
                Scan { range: &range, at, direction: ScanDirection::Forward, limit: CHUNK, values: false };
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

    async fn enter(&self, def: &IndexDef) -> Result<()> {
        let (path, fields) = Catalog::index_document(def);
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
        self.commits.submit(proposal).await.map(drop)
    }
}

fn known(catalog: &Catalog, number: DbNo, wanting: &Wanting) -> bool {
    catalog
        .indexes(number, &wanting.collection)
        .iter()
        .any(|def| def.scope == wanting.scope && def.fields == wanting.fields)
}
