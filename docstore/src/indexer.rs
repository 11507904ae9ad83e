//! Building numbered indexes in the background, while commits go on.
//!
//! A definition is written first: from that commit on, every change keeps its entries. Then the documents that
//! were there before are taken in, in chunks that go through the committer like any commit, so that a chunk
//! always sees the newest version. Then the definition is marked ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use tokio::sync::{Mutex, watch};

use crate::catalog::{Catalog, IndexDef, IndexMode, IndexScope};
use crate::commit::{Commits, Proposal, Work};
use crate::engine::{AnyEngine, Author, Engine, Scan, ScanDirection};
use crate::key::{DbNo, KeyRange, docs_prefix, read_doc_key, successor};
use crate::model::{DatabaseId, DocPath, FieldPath, Precondition, Ts, Write, WriteOp};
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
}

/// What a build works with.
struct Build {
    engine: Arc<AnyEngine>,
    catalog: Catalog,
    commits: Commits,
    database: DatabaseId,
    number: DbNo,
    stop: Arc<AtomicBool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Declared {
    #[serde(default)]
    indexes: Vec<DeclaredIndex>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeclaredIndex {
    collection_group: String,
    #[serde(default)]
    query_scope: Option<String>,
    fields: Vec<DeclaredField>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeclaredField {
    field_path: String,
    order: Option<String>,
    array_config: Option<String>,
    vector_config: Option<serde_json::Value>,
}

impl Indexer {
    pub(crate) fn new(mode: MissingIndexes) -> Self {
        Self { mode, turn: Arc::default(), stop: Arc::default(), pending: watch::Sender::new(0) }
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
                let (by_name, declared): (Vec<_>, Vec<_>) =
                    missing.into_iter().partition(|wanting| wanting.fields.is_empty());
                by_name.into_iter().try_for_each(|wanting| self.build(store, id, wanting, true))?;
                if declared.is_empty() {
                    return Ok(());
                }
                let wanted: Vec<String> = declared.iter().map(as_json).collect();
                Err(Error::new(
                    Code::FailedPrecondition,
                    "MissingIndex",
                    format!(
                        "The query requires an index. Add it to \"indexes\" in firestore.indexes.json: {}",
                        wanted.join(", ")
                    ),
                ))
            }
            MissingIndexes::Learn => {
                missing.into_iter().try_for_each(|wanting| self.build(store, id, wanting, true))
            }
        }
    }

    /// Builds what a `firestore.indexes.json` declares and is not there yet.
    pub(crate) fn declare(&self, store: &Inner, id: &DatabaseId, json: &str) -> Result<()> {
        let bad = |why: String| Error::invalid("IndexesJson", format!("firestore.indexes.json: {why}."));
        let declared: Declared = serde_json::from_str(json).map_err(|error| bad(error.to_string()))?;
        let mut all = Vec::new();
        for (at, index) in declared.indexes.into_iter().enumerate() {
            let scope = match index.query_scope.as_deref() {
                None | Some("COLLECTION") => IndexScope::Collection,
                Some("COLLECTION_GROUP") => IndexScope::Group,
                Some(other) => return Err(bad(format!("indexes[{at}].queryScope is \"{other}\""))),
            };
            let mut fields = Vec::new();
            // Vectors are searched exactly and need no index.
            for field in index.fields.into_iter().filter(|field| field.vector_config.is_none()) {
                let path = FieldPath::parse(&field.field_path)?;
                let mode = match (field.order.as_deref(), field.array_config.as_deref()) {
                    (Some("ASCENDING"), None) => IndexMode::Ascending,
                    (Some("DESCENDING"), None) => IndexMode::Descending,
                    (None, Some("CONTAINS")) => IndexMode::Contains,
                    _ => {
                        return Err(bad(format!(
                            "indexes[{at}], field \"{path}\" needs \"order\" (ASCENDING or DESCENDING) or \
                             \"arrayConfig\": \"CONTAINS\""
                        )));
                    }
                };
                fields.push((path, mode));
            }
            all.push(Wanting { collection: index.collection_group, scope, fields: canonical(fields) });
        }
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
        let count = store.catalog.all_indexes(number).len();
        if count >= MAX_INDEXES {
            tracing::warn!(database = %id, "no more indexes are built: there are {count} already");
            return Ok(());
        }
        if learned {
            tracing::info!(database = %id, index = %as_json(&wanting), "a query lacks an index; building it");
        }
        let build = Build {
            engine: Arc::clone(&store.engine),
            catalog: store.catalog.clone(),
            commits: store.commits()?,
            database: id.clone(),
            stop: Arc::clone(&self.stop),
            number,
        };
        self.spawn(async move { build.run(wanting).await });
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

/// An index whose last field descends, in its mirror image: names always ascend, and scans run either way.
fn canonical(mut fields: Vec<(FieldPath, IndexMode)>) -> Vec<(FieldPath, IndexMode)> {
    if fields.last().is_some_and(|(_, mode)| *mode == IndexMode::Descending) {
        for (_, mode) in &mut fields {
            *mode = match mode {
                IndexMode::Ascending => IndexMode::Descending,
                IndexMode::Descending => IndexMode::Ascending,
                IndexMode::Contains => IndexMode::Contains,
            };
        }
    }
    fields
}

/// The entry of `firestore.indexes.json` that declares an index.
fn as_json(wanting: &Wanting) -> String {
    let fields: Vec<serde_json::Value> = wanting
        .fields
        .iter()
        .map(|(path, mode)| match mode {
            IndexMode::Ascending => {
                serde_json::json!({ "fieldPath": path.to_string(), "order": "ASCENDING" })
            }
            IndexMode::Descending => {
                serde_json::json!({ "fieldPath": path.to_string(), "order": "DESCENDING" })
            }
            IndexMode::Contains => {
                serde_json::json!({ "fieldPath": path.to_string(), "arrayConfig": "CONTAINS" })
            }
        })
        .collect();
    let scope = match wanting.scope {
        IndexScope::Collection => "COLLECTION",
        IndexScope::Group => "COLLECTION_GROUP",
    };
    let json = serde_json::json!({
        "collectionGroup": wanting.collection, "queryScope": scope, "fields": fields,
    });
    json.to_string()
}
