//! The store's own documents: which databases there are, and which numbered indexes.
//!
//! They live in [`DbNo::CATALOG`], so they are logged, replayed and recovered like everything else; this
//! module keeps their decoded form in memory, fed by the same commits.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use crate::Result;
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DbNo, KeyRange, docs_prefix, read_doc_key, successor};
use crate::engine::{AnyEngine, Commit, Engine, Scan};
use crate::model::{DatabaseId, DocPath, Document, FieldPath, Fields, Ts, Value};

/// Catalog documents read at a time at the start.
const LOAD_PAGE: usize = 1_000;

/// The field of an index's document that says whom it was learned from.
const LEARNED_FROM: &str = "learnedFrom";
/// The field that says that an index is being removed.
const DROPPED: &str = "dropped";

/// Scope of an index: the collections it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexScope {
    /// Each collection of the id by itself.
    Collection,
    /// All collections of the id together.
    Group,
    /// All collections of the id below one document, for each document that has one below it. A document has an entry
    /// for each document above it.
    Below,
}

impl IndexScope {
    const ALL: [Self; 3] = [Self::Collection, Self::Group, Self::Below];

    /// Name in the catalog.
    fn name(self) -> &'static str {
        match self {
            Self::Collection => "COLLECTION",
            Self::Group => "GROUP",
            Self::Below => "BELOW",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// Mode of a field in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexMode {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// One entry per array element.
    Contains,
}

/// A numbered index: one over several fields, or over a collection group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IndexDef {
    /// Its number, unique in the store.
    pub number: u32,
    /// The database it belongs to.
    pub database: DbNo,
    /// The id of the collections it covers.
    pub collection: String,
    /// Scope of the index.
    pub scope: IndexScope,
    /// The fields, in order; none orders a group by name. Document names follow, ascending.
    pub fields: Vec<(FieldPath, IndexMode)>,
    /// Since when every document has its entries; until then, and for readers of an earlier version, only
    /// writers use it.
    pub ready: Option<Ts>,
    /// The caller whose queries it was learned from; `None` for one that was declared or that an operator's query
    /// taught, which is kept whether it is used or not.
    pub learned_from: Option<String>,
}

impl IndexDef {
    /// True if both definitions describe the same index.
    pub fn same_shape(&self, other: &Self) -> bool {
        self.database == other.database
            && self.collection == other.collection
            && self.scope == other.scope
            && self.fields == other.fields
    }
}

/// The numbered indexes over one collection id.
pub type IndexSet = Arc<[Arc<IndexDef>]>;

/// The catalog in memory. Cloning shares.
#[derive(Debug, Clone, Default)]
pub struct Catalog(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: RwLock<State>,
    /// The version at which each numbered index last served a query, since the start.
    used: Mutex<HashMap<u32, Ts>>,
}

#[derive(Debug, Default)]
struct State {
    numbers: HashMap<DatabaseId, DbNo>,
    names: HashMap<DbNo, DatabaseId>,
    indexes: HashMap<(DbNo, String), IndexSet>,
    /// Indexes that nobody uses any more and whose entries are yet to be removed.
    dropped: HashMap<u32, Arc<IndexDef>>,
    next_database: u32,
    next_index: u32,
}

impl Catalog {
    /// The catalog's own database id; no project or database on any wire can be named so.
    pub(crate) fn id() -> DatabaseId {
        DatabaseId::new("", "__catalog__")
    }

    /// The catalog as an engine holds it.
    ///
    /// # Errors
    /// The engine cannot be read, or a catalog document is damaged.
    pub(crate) async fn load(engine: &AnyEngine) -> Result<Self> {
        let catalog = Self::default();
        let at = *engine.visible().borrow();
        let mut range = KeyRange::prefix(&docs_prefix(DbNo::CATALOG));
        loop {
            let scan = Scan { limit: LOAD_PAGE, ..Scan::all(&range, at) };
            let page = engine.scan(&scan).await?;
            for (key, value) in &page.entries {
                if let Some(path) = read_doc_key(key) {
                    catalog.enter(&decode_document(&path, value)?);
                }
            }
            match page.entries.last() {
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => return Ok(catalog),
            }
        }
    }

    /// Becomes what the engine holds, after commits that it was told of were not stored.
    ///
    /// # Errors
    /// As of [`Self::load`].
    pub(crate) async fn reload(&self, engine: &AnyEngine) -> Result<()> {
        let stored = Self::load(engine).await?;
        let mut stored = stored.0.state.write();
        *self.0.state.write() = std::mem::take(&mut *stored);
        Ok(())
    }

    /// The number of a database; `None` before its first write.
    pub fn number(&self, id: &DatabaseId) -> Option<DbNo> {
        if id.project.is_empty() {
            return Some(DbNo::CATALOG);
        }
        self.read(|state| state.numbers.get(id).copied())
    }

    /// The name of a numbered database.
    pub fn name(&self, number: DbNo) -> Option<DatabaseId> {
        self.read(|state| state.names.get(&number).cloned())
    }

    /// Projects of all databases, in order.
    pub fn projects(&self) -> Vec<String> {
        let ids =
            self.read(|state| state.numbers.keys().map(|id| id.project.to_string()).collect::<BTreeSet<_>>());
        ids.into_iter().collect()
    }

    /// All databases of a project, by id.
    pub fn databases(&self, project: &str) -> Vec<DatabaseId> {
        let mut ids: Vec<_> = self.read(|state| {
            state.numbers.keys().filter(|id| &*id.project == project).cloned().collect::<Vec<_>>()
        });
        ids.sort();
        ids
    }

    /// The numbered indexes over a collection id, unready ones included.
    pub fn indexes(&self, database: DbNo, collection: &str) -> IndexSet {
        self.read(|state| {
            if state.indexes.is_empty() {
                return IndexSet::default();
            }
            state.indexes.get(&(database, collection.to_owned())).cloned().unwrap_or_default()
        })
    }

    /// Every numbered index of a database.
    pub fn all_indexes(&self, database: DbNo) -> Vec<Arc<IndexDef>> {
        let mut all: Vec<_> = self.read(|state| {
            state
                .indexes
                .iter()
                .filter(|((db, _), _)| *db == database)
                .flat_map(|(_, set)| set.to_vec())
                .collect()
        });
        all.sort_by_key(|def: &Arc<IndexDef>| def.number);
        all
    }

    /// The numbered indexes that are not ready.
    pub(crate) fn unready(&self) -> Vec<Arc<IndexDef>> {
        let unready =
            |set: &IndexSet| set.iter().filter(|def| def.ready.is_none()).cloned().collect::<Vec<_>>();
        self.read(|state| state.indexes.values().flat_map(unready).collect())
    }

    /// The indexes whose entries are to be removed.
    pub(crate) fn dropped(&self) -> Vec<Arc<IndexDef>> {
        self.read(|state| state.dropped.values().cloned().collect())
    }

    /// Every index that was learned from a caller, with its use at `now` where none is known yet: a start forgets.
    pub(crate) fn learned(&self, now: Ts) -> Vec<(Arc<IndexDef>, Ts)> {
        let learned =
            |set: &IndexSet| set.iter().filter(|def| def.learned_from.is_some()).cloned().collect::<Vec<_>>();
        let all: Vec<_> = self.read(|state| state.indexes.values().flat_map(learned).collect());
        let mut used = self.0.used.lock();
        all.into_iter()
            .map(|def| {
                let last = *used.entry(def.number).or_insert(now);
                (def, last)
            })
            .collect()
    }

    /// Notes that an index has served a query at `at`.
    pub(crate) fn note_use(&self, number: u32, at: Ts) {
        let mut used = self.0.used.lock();
        let last = used.entry(number).or_insert(at);
        *last = at.max(*last);
    }

    /// The document that enters a new database, and its number.
    pub(crate) fn new_database(&self, id: &DatabaseId) -> (DbNo, DocPath, Fields) {
        let number = self.read(|state| state.next_database).max(1);
        let fields = Fields::from([
            ("project".to_owned(), Value::String(id.project.to_string())),
            ("database".to_owned(), Value::String(id.database.to_string())),
        ]);
        (DbNo(number), DocPath::trusted(&format!("databases/{number}")), fields)
    }

    /// The next free index number.
    pub(crate) fn next_index(&self) -> u32 {
        self.read(|state| state.next_index).max(1)
    }

    /// The document of an index definition.
    pub(crate) fn index_document(def: &IndexDef) -> (DocPath, Fields) {
        let fields = def.fields.iter().map(|(path, mode)| {
            let mode = match mode {
                IndexMode::Ascending => "ASCENDING",
                IndexMode::Descending => "DESCENDING",
                IndexMode::Contains => "CONTAINS",
            };
            Value::Map(Fields::from([
                ("path".to_owned(), Value::String(path.to_string())),
                ("mode".to_owned(), Value::String(mode.to_owned())),
            ]))
        });
        let fields = Fields::from([
            ("database".to_owned(), Value::Integer(def.database.0.into())),
            ("collection".to_owned(), Value::String(def.collection.clone())),
            ("scope".to_owned(), Value::String(def.scope.name().to_owned())),
            ("fields".to_owned(), Value::Array(fields.collect())),
            ("ready".to_owned(), Value::Boolean(def.ready.is_some())),
        ]);
        let from = def.learned_from.as_ref();
        let from = from.map(|from| (LEARNED_FROM.to_owned(), Value::String(from.clone())));
        let fields = fields.into_iter().chain(from).collect();
        (DocPath::trusted(&format!("indexes/{}", def.number)), fields)
    }

    /// The document of an index whose entries are to be removed.
    pub(crate) fn dropped_document(def: &IndexDef) -> (DocPath, Fields) {
        let (path, mut fields) = Self::index_document(def);
        fields.insert(DROPPED.to_owned(), Value::Boolean(true));
        (path, fields)
    }

    /// Takes in what a commit changed in the catalog.
    pub(crate) fn apply(&self, commit: &Commit) {
        for change in commit.changes.iter().filter(|change| change.database == DbNo::CATALOG) {
            match &change.new {
                Some(document) => self.enter(document),
                None => self.leave(&change.path),
            }
        }
    }

    /// Takes in one stored catalog document.
    pub(crate) fn enter(&self, document: &Document) {
        let Ok(number) = document.path.id().parse::<u32>() else { return };
        let mut state = self.0.state.write();
        match document.path.collection_id() {
            "databases" => {
                if let (Some(Value::String(project)), Some(Value::String(database))) =
                    (document.fields.get("project"), document.fields.get("database"))
                {
                    let id = DatabaseId::new(project, database);
                    state.numbers.insert(id.clone(), DbNo(number));
                    state.names.insert(DbNo(number), id);
                    state.next_database = state.next_database.max(number + 1);
                }
            }
            "indexes" => {
                if let Some(def) = read_index(number, document) {
                    let set = state.indexes.entry((def.database, def.collection.clone())).or_default();
                    let mut defs: Vec<_> = set.iter().filter(|d| d.number != number).cloned().collect();
                    let is_dropped = document.fields.get(DROPPED) == Some(&Value::Boolean(true));
                    let def = Arc::new(def);
                    if !is_dropped {
                        defs.push(Arc::clone(&def));
                    }
                    *set = defs.into();
                    if is_dropped {
                        state.dropped.insert(number, def);
                    }
                }
                state.next_index = state.next_index.max(number + 1);
            }
            _ => {}
        }
    }

    fn leave(&self, path: &DocPath) {
        let Ok(number) = path.id().parse::<u32>() else { return };
        let mut state = self.0.state.write();
        if path.collection_id() == "indexes" {
            state.dropped.remove(&number);
            self.0.used.lock().remove(&number);
            for set in state.indexes.values_mut() {
                if set.iter().any(|def| def.number == number) {
                    *set = set.iter().filter(|def| def.number != number).cloned().collect();
                }
            }
        }
    }

    fn read<T>(&self, with: impl FnOnce(&State) -> T) -> T {
        with(&self.0.state.read())
    }
}

fn read_index(number: u32, document: &Document) -> Option<IndexDef> {
    let fields = &document.fields;
    let Value::Integer(database) = fields.get("database")? else { return None };
    let Value::String(collection) = fields.get("collection")? else { return None };
    let Value::Array(list) = fields.get("fields")? else { return None };
    let mut defs = Vec::new();
    for entry in list {
        let Value::Map(entry) = entry else { return None };
        let (Value::String(path), Value::String(mode)) = (entry.get("path")?, entry.get("mode")?) else {
            return None;
        };
        let mode = match mode.as_str() {
            "ASCENDING" => IndexMode::Ascending,
            "DESCENDING" => IndexMode::Descending,
            "CONTAINS" => IndexMode::Contains,
            _ => return None,
        };
        defs.push((FieldPath::parse(path).ok()?, mode));
    }
    let scope = match (fields.get("scope"), fields.get("group")) {
        (Some(Value::String(name)), _) => IndexScope::named(name)?,
        // As it was written before there was a third scope.
        (None, Some(Value::Boolean(group))) => {
            if *group {
                IndexScope::Group
            } else {
                IndexScope::Collection
            }
        }
        _ => return None,
    };
    Some(IndexDef {
        number,
        database: DbNo(u32::try_from(*database).ok()?),
        collection: collection.clone(),
        scope,
        fields: defs,
        ready: (*fields.get("ready")? == Value::Boolean(true)).then_some(document.update_time),
        learned_from: match fields.get(LEARNED_FROM) {
            Some(Value::String(from)) => Some(from.clone()),
            _ => None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(path: DocPath, fields: Fields) -> Document {
        Document { path, fields, create_time: Ts::ZERO, update_time: Ts::from_micros(7) }
    }

    #[test]
    fn definitions_are_read_back() {
        let fields = vec![(FieldPath::parse("a.`b c`").unwrap(), IndexMode::Descending)];
        for scope in IndexScope::ALL {
            let collection = "c".to_owned();
            let ready = Some(Ts::from_micros(7));
            let (database, fields, learned_from) = (DbNo(2), fields.clone(), Some("user a".to_owned()));
            let def = IndexDef { number: 3, database, collection, scope, fields, ready, learned_from };
            let (path, mut document) = Catalog::index_document(&def);
            assert_eq!(read_index(3, &stored(path.clone(), document.clone())), Some(def.clone()));
            // As stores from before the third scope have it.
            document.remove("scope");
            document.insert("group".to_owned(), Value::Boolean(scope == IndexScope::Group));
            let former = if scope == IndexScope::Below { IndexScope::Collection } else { scope };
            assert_eq!(read_index(3, &stored(path, document)), Some(IndexDef { scope: former, ..def }));
        }
    }
}
