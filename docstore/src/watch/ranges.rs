//! Index of live queries by the documents that may concern them, so that a change is not tested against every query.
//!
//! Every conjunction of a live query's filter is registered under one condition that all of its results meet: an exact
//! name, an exact value of a field (a hash lookup), a range of a field's values, or just its collection.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use crate::Result;
use crate::encoding::key::{EntryKind, Key, encode_value, type_end, type_start};
use crate::engine::Change;
use crate::model::{DatabaseId, DocPath, Document, FieldOp, FieldPath, Fields, Query, Value};
use crate::query::{Normal, Test, TestOp};

use super::intervals::Intervals;
use super::live_result::Kind;

/// The number of a live result in its hub.
pub(super) type LiveResultId = u64;

/// All registered live results.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    names: HashMap<(DatabaseId, DocPath), HashSet<LiveResultId>>,
    scopes: HashMap<(DatabaseId, Scope), Watched>,
}

/// The collections a live result looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Scope {
    Collection(String),
    Group(String),
    Everything,
}

/// With more watched fields than this, a document's own fields are looked up, not each watched one in the document.
const FEW_FIELDS: usize = 16;

/// The live results over one scope.
#[derive(Debug, Default)]
struct Watched {
    all: HashSet<LiveResultId>,
    fields: HashMap<FieldPath, WatchedField>,
}

/// The live results that want something of one field.
#[derive(Debug, Default)]
struct WatchedField {
    values: HashMap<Key, HashSet<LiveResultId>>,
    elements: HashMap<Key, HashSet<LiveResultId>>,
    spans: Intervals,
}

/// One registration.
enum Place {
    Name(DocPath),
    Point(FieldPath, EntryKind, Key),
    Span(FieldPath, Key, Key),
    All,
}

impl Ranges {
    /// Registers a live result.
    pub(super) fn add(&mut self, database: &DatabaseId, kind: &Kind, live: LiveResultId) {
        match kind {
            Kind::Documents(paths) => {
                for path in paths.iter() {
                    self.names.entry((database.clone(), path.clone())).or_default().insert(live);
                }
            }
            Kind::Query(normal) => {
                for tests in &normal.disjuncts {
                    match place(tests) {
                        Place::Name(path) => {
                            self.names.entry((database.clone(), path)).or_default().insert(live);
                        }
                        place => self.watched(database, normal).add(place, live),
                    }
                }
            }
        }
    }

    /// Removes a live result that was added with the same arguments.
    pub(super) fn remove(&mut self, database: &DatabaseId, kind: &Kind, live: LiveResultId) {
        match kind {
            Kind::Documents(paths) => {
                paths.iter().for_each(|path| self.remove_name(database, path.clone(), live));
            }
            Kind::Query(normal) => {
                for tests in &normal.disjuncts {
                    match place(tests) {
                        Place::Name(path) => self.remove_name(database, path, live),
                        place => self.watched(database, normal).remove(&place, live),
                    }
                }
                let key = (database.clone(), scope(normal));
                if self.scopes.get(&key).is_some_and(Watched::is_empty) {
                    self.scopes.remove(&key);
                }
            }
        }
    }

    /// The live results that a change may concern.
    pub(super) fn hit(&self, database: &DatabaseId, change: &Change, hits: &mut HashSet<LiveResultId>) {
        if let Some(live_results) = self.names.get(&(database.clone(), change.path.clone())) {
            hits.extend(live_results);
        }
        if self.scopes.is_empty() {
            return;
        }
        let scopes = [
            Scope::Collection(change.path.collection().to_string()),
            Scope::Group(change.path.collection_id().to_owned()),
            Scope::Everything,
        ];
        for scope in scopes {
            if let Some(watched) = self.scopes.get(&(database.clone(), scope)) {
                for document in [&change.old, &change.new].into_iter().flatten() {
                    watched.hit(document, hits);
                }
            }
        }
    }

    fn watched(&mut self, database: &DatabaseId, normal: &Normal) -> &mut Watched {
        self.scopes.entry((database.clone(), scope(normal))).or_default()
    }

    fn remove_name(&mut self, database: &DatabaseId, path: DocPath, live: LiveResultId) {
        remove_from(&mut self.names, &(database.clone(), path), live);
    }
}

impl Watched {
    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.fields.is_empty()
    }

    fn add(&mut self, place: Place, live: LiveResultId) {
        match place {
            Place::Point(field, kind, value) => {
                let watched = self.fields.entry(field).or_default();
                watched.points_mut(kind).entry(value).or_default().insert(live);
            }
            Place::Span(field, start, end) => {
                self.fields.entry(field).or_default().spans.insert(start, end, live);
            }
            Place::All | Place::Name(_) => {
                self.all.insert(live);
            }
        }
    }

    fn remove(&mut self, place: &Place, live: LiveResultId) {
        let (field, watched) = match place {
            Place::Point(field, ..) | Place::Span(field, ..) => (field, self.fields.get_mut(field)),
            Place::All | Place::Name(_) => {
                self.all.remove(&live);
                return;
            }
        };
        let Some(watched) = watched else { return };
        match place {
            Place::Point(_, kind, value) => remove_from(watched.points_mut(*kind), value, live),
            Place::Span(_, start, end) => watched.spans.remove(start, end, live),
            Place::All | Place::Name(_) => {}
        }
        if watched.is_empty() {
            self.fields.remove(field);
        }
    }

    fn hit(&self, document: &Document, hits: &mut HashSet<LiveResultId>) {
        hits.extend(&self.all);
        if self.fields.len() <= FEW_FIELDS {
            for (field, watched) in &self.fields {
                if let Some(value) = field.get(&document.fields) {
                    watched.hit(value, hits);
                }
            }
        } else {
            self.hit_below(&mut Vec::new(), &document.fields, hits);
        }
    }

    fn hit_below(&self, path: &mut Vec<String>, fields: &Fields, hits: &mut HashSet<LiveResultId>) {
        for (name, value) in fields {
            path.push(name.clone());
            let watched = FieldPath::from_segments(path.clone()).ok();
            if let Some(watched) = watched.and_then(|field| self.fields.get(&field)) {
                watched.hit(value, hits);
            }
            if let Value::Map(fields) = value {
                self.hit_below(path, fields, hits);
            }
            path.pop();
        }
    }
}

impl WatchedField {
    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.elements.is_empty() && self.spans.is_empty()
    }

    fn points_mut(&mut self, kind: EntryKind) -> &mut HashMap<Key, HashSet<LiveResultId>> {
        match kind {
            EntryKind::Value => &mut self.values,
            EntryKind::Element => &mut self.elements,
        }
    }

    fn hit(&self, value: &Value, hits: &mut HashSet<LiveResultId>) {
        let key = encoded(value);
        hits.extend(self.values.get(&key).into_iter().flatten());
        self.spans.around(&key, |live| {
            hits.insert(live);
        });
        if let Value::Array(elements) = value
            && !self.elements.is_empty()
        {
            for element in elements {
                hits.extend(self.elements.get(&encoded(element)).into_iter().flatten());
            }
        }
    }
}

fn remove_from<K: Hash + Eq>(map: &mut HashMap<K, HashSet<LiveResultId>>, key: &K, live: LiveResultId) {
    if let Some(live_results) = map.get_mut(key) {
        live_results.remove(&live);
        if live_results.is_empty() {
            map.remove(key);
        }
    }
}

fn scope(normal: &Normal) -> Scope {
    match (&normal.query.from.collection, normal.query.from.all_descendants) {
        (Some(id), true) => Scope::Group(id.clone()),
        (None, _) => Scope::Everything,
        (Some(_), false) => Scope::Collection(normal.collection_path().unwrap_or_default()),
    }
}

/// The narrowest thing a conjunction implies.
fn place(tests: &[Test]) -> Place {
    let mut best = Place::All;
    for Test { field, op } in tests {
        let name = field.is_document_name();
        match op {
            TestOp::Equal(Value::Reference(reference)) if name => return Place::Name(reference.path.clone()),
            TestOp::Equal(value) if !name => {
                best = Place::Point(field.clone(), EntryKind::Value, encoded(value));
            }
            TestOp::Contains(value) => {
                if !matches!(best, Place::Point(..)) {
                    best = Place::Point(field.clone(), EntryKind::Element, encoded(value));
                }
            }
            TestOp::Compare(op, value) if !name && !matches!(best, Place::Point(..)) => {
                let bound = encoded(value);
                let after = crate::encoding::key::successor(&bound);
                let (start, end) = match op {
                    FieldOp::Less | FieldOp::LessOrEqual => (vec![type_start(value)], after),
                    _ => (bound, vec![type_end(value)]),
                };
                best = match best {
                    // Both ends of a range.
                    Place::Span(other, from, to) if other == *field => {
                        Place::Span(other, from.max(start), to.min(end))
                    }
                    Place::Span(..) => best,
                    _ => Place::Span(field.clone(), start, end),
                };
            }
            TestOp::Equal(_) | TestOp::Compare(..) | TestOp::NotIn(_) => {}
        }
    }
    best
}

fn encoded(value: &Value) -> Key {
    let mut key = Key::new();
    encode_value(value, &mut key);
    key
}

/// Interests of live queries without their results: for measuring how long it takes to find those that a change
/// concerns.
#[derive(Debug, Default)]
pub struct Interests {
    ranges: Ranges,
    live_results: LiveResultId,
}

impl Interests {
    /// Adds a live query.
    ///
    /// # Errors
    /// `InvalidArgument` for a query that Firestore refuses.
    pub fn add(&mut self, database: &DatabaseId, query: &Query) -> Result<()> {
        let kind = Kind::Query(Arc::new(Normal::new(query)?));
        self.ranges.add(database, &kind, self.live_results);
        self.live_results += 1;
        Ok(())
    }

    /// Number of live queries that a change may concern.
    pub fn touched(&self, database: &DatabaseId, change: &Change) -> usize {
        let mut hits = HashSet::new();
        self.ranges.hit(database, change, &mut hits);
        hits.len()
    }
}

#[cfg(test)]
mod tests;
