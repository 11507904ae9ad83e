//! One live query (or set of documents): its results now, and what a commit does to them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::encoding::key::{Key, successor};
use crate::engine::Change;
use crate::model::{DatabaseId, DocPath, Document, document_memory};
use crate::query::{Normal, project};

/// Memory of a map's entry beside its key, in bytes.
const ENTRY_BYTES: usize = 48;

/// The query or document watched.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A query's results.
    Query(Arc<Normal>),
    /// These documents.
    Documents(Arc<[DocPath]>),
}

/// The results of one target at one version, kept up to date commit by commit.
#[derive(Debug)]
pub(super) struct LiveResult {
    pub(super) database: DatabaseId,
    pub(super) kind: Kind,
    /// By sort key; a query that runs backward shows them from the last.
    results: BTreeMap<Key, Arc<Document>>,
    keys: HashMap<DocPath, Key>,
    /// Memory of the results, in bytes.
    bytes: usize,
    /// With a full limit: the last key that is known. What lies beyond is unknown until a refill.
    horizon: Option<Key>,
    /// A query with an offset or a nearest-vector search is run again whenever it is touched.
    pub(super) stale: bool,
}

/// The documents of a live result that a batch of commits touched, as they were before it.
pub(super) type Touched = HashMap<DocPath, Option<Arc<Document>>>;

impl LiveResult {
    /// A live result with no results yet.
    pub(super) fn new(database: DatabaseId, kind: Kind) -> Self {
        let (results, keys) = (BTreeMap::new(), HashMap::new());
        Self { database, kind, results, keys, bytes: 0, horizon: None, stale: false }
    }

    /// The results, in order.
    pub(super) fn documents(&self) -> Vec<Arc<Document>> {
        if self.backward() {
            self.results.values().rev().cloned().collect()
        } else {
            self.results.values().cloned().collect()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.results.len()
    }

    /// Memory of the results, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn get(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.results.get(self.keys.get(path)?)
    }

    /// True if the query selects fields, so that documents are sent in part.
    pub(super) fn selects(&self) -> bool {
        matches!(&self.kind, Kind::Query(normal) if normal.query.select.is_some())
    }

    /// The part of a document that is sent. The result itself keeps it whole: it filters and orders by fields that are
    /// not selected.
    pub(super) fn selected(&self, document: &Arc<Document>) -> Arc<Document> {
        match &self.kind {
            Kind::Query(normal) if self.selects() => Arc::new(project(normal, Document::clone(document))),
            _ => Arc::clone(document),
        }
    }

    fn backward(&self) -> bool {
        matches!(&self.kind, Kind::Query(normal) if normal.backward)
    }

    /// True if single changes cannot be followed and the query has to be run again.
    pub(super) fn rerun_only(&self) -> bool {
        matches!(&self.kind, Kind::Query(normal)
            if normal.query.offset > 0 || normal.query.find_nearest.is_some())
    }

    fn limit(&self) -> usize {
        match &self.kind {
            Kind::Query(normal) => {
                normal.query.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
            }
            Kind::Documents(_) => usize::MAX,
        }
    }

    /// Replaces the results by a fresh run's.
    pub(super) fn load(&mut self, documents: Vec<Arc<Document>>) {
        self.results.clear();
        self.keys.clear();
        self.bytes = 0;
        self.horizon = None;
        self.stale = false;
        for document in documents {
            if let Some(key) = self.key_of(&document) {
                self.insert(key, document);
            }
        }
        self.close_horizon();
    }

    /// Applies one change; notes in `touched` what each document was before.
    pub(super) fn apply(&mut self, change: &Change, touched: &mut Touched) {
        if self.rerun_only() {
            self.stale = true;
            return;
        }
        let key = change.new.as_ref().filter(|document| self.matches(document)).and_then(|document| {
            let key = self.key_of(document)?;
            (!self.beyond(&key)).then_some(key)
        });
        if key.is_none() && !self.keys.contains_key(&change.path) {
            return;
        }
        touched
            .entry(change.path.clone())
            .or_insert_with(|| self.keys.get(&change.path).and_then(|key| self.results.get(key)).cloned());
        self.remove(&change.path);
        if let (Some(key), Some(document)) = (key, &change.new) {
            self.insert(key, Arc::clone(document));
            while self.results.len() > self.limit() {
                self.displace(touched);
            }
        }
    }

    /// Number of results missing from a limit that a refill could fill.
    pub(super) fn missing(&self) -> usize {
        match self.horizon {
            Some(_) => self.limit().saturating_sub(self.results.len()),
            None => 0,
        }
    }

    /// The query that finds what lies beyond the horizon.
    pub(super) fn refill_query(&self) -> Option<Normal> {
        let (Kind::Query(normal), Some(horizon)) = (&self.kind, &self.horizon) else { return None };
        let mut normal = Normal::clone(normal);
        if normal.backward {
            normal.upper = Some(horizon.clone());
        } else {
            normal.lower = Some(successor(horizon));
        }
        normal.query.limit = Some(u32::try_from(self.missing()).unwrap_or(u32::MAX));
        Some(normal)
    }

    /// Takes in what the refill found. When it found less than was missing, there is nothing beyond.
    pub(super) fn refill(&mut self, documents: Vec<Arc<Document>>, touched: &mut Touched) {
        let found_all = documents.len() < self.missing();
        for document in documents {
            touched.entry(document.path.clone()).or_insert(None);
            if let Some(key) = self.key_of(&document) {
                self.insert(key, document);
            }
        }
        self.horizon = None;
        if !found_all {
            self.close_horizon();
        }
    }

    /// True if a document meets the query's conditions, limits aside.
    pub(super) fn matches(&self, document: &Document) -> bool {
        match &self.kind {
            Kind::Query(normal) => normal.matches(&self.database, document),
            Kind::Documents(paths) => paths.contains(&document.path),
        }
    }

    /// True if the query has a limit, so that a document's membership depends on others.
    pub(super) fn is_limited(&self) -> bool {
        self.limit() != usize::MAX || self.rerun_only()
    }

    fn key_of(&self, document: &Document) -> Option<Key> {
        match &self.kind {
            // A nearest-vector search has its own order, which the client computes: any order will do here.
            Kind::Query(normal) => normal.sort_key(document),
            Kind::Documents(_) => Some(document.path.as_str().as_bytes().to_vec()),
        }
    }

    fn beyond(&self, key: &Key) -> bool {
        self.horizon
            .as_ref()
            .is_some_and(|horizon| if self.backward() { key < horizon } else { key > horizon })
    }

    fn insert(&mut self, key: Key, document: Arc<Document>) {
        self.bytes += size(&key, &document);
        self.keys.insert(document.path.clone(), key.clone());
        let entry = ENTRY_BYTES + key.len();
        if let Some(former) = self.results.insert(key, document) {
            self.bytes -= document_memory(&former) + 2 * entry;
        }
    }

    fn remove(&mut self, path: &DocPath) {
        if let Some(key) = self.keys.remove(path)
            && let Some(document) = self.results.remove(&key)
        {
            self.bytes -= size(&key, &document);
        }
    }

    /// Drops the last result, which lies beyond the limit.
    fn displace(&mut self, touched: &mut Touched) {
        let last = if self.backward() { self.results.pop_first() } else { self.results.pop_last() };
        let Some((key, document)) = last else { return };
        self.bytes -= size(&key, &document);
        self.keys.remove(&document.path);
        touched.entry(document.path.clone()).or_insert(Some(document));
        self.horizon = None;
        self.close_horizon();
    }

    /// With a full limit, nothing is known beyond the last result.
    fn close_horizon(&mut self) {
        if self.results.len() >= self.limit() {
            let last =
                if self.backward() { self.results.keys().next() } else { self.results.keys().next_back() };
            // A limit of zero has no last result and never changes.
            self.horizon = Some(last.cloned().unwrap_or_default());
        }
    }
}

/// Memory of a result: the document, and its key twice.
fn size(key: &Key, document: &Document) -> usize {
    document_memory(document) + 2 * (ENTRY_BYTES + key.len())
}
