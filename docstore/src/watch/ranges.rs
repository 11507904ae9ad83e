//! Which views a changed document may concern, found without asking each view.
//!
//! Every conjunction of a view's filter is registered under one thing that must be true of its results: an
//! exact name, an exact value of a field (a hash lookup), a range of a field's values, or just its collection.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::engine::Change;
use crate::key::{EntryKind, Key, encode_value, type_end, type_start};
use crate::model::{DatabaseId, DocPath, Document, FieldOp, FieldPath, Value};
use crate::query::{Normal, Test, TestOp};

use super::view::Kind;

/// The number of a view in its hub.
pub(super) type ViewId = u64;

/// All registered views.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    names: HashMap<(DatabaseId, DocPath), HashSet<ViewId>>,
    scopes: HashMap<(DatabaseId, Scope), Watched>,
}

/// The collections a view looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Scope {
    Collection(String),
    Group(String),
    Everything,
}

/// The views over one scope.
#[derive(Debug, Default)]
struct Watched {
    all: HashSet<ViewId>,
    points: HashMap<(FieldPath, EntryKind), HashMap<Key, HashSet<ViewId>>>,
    spans: HashMap<FieldPath, Spans>,
}

/// Views over ranges of one field's values, by where the range starts.
#[derive(Debug, Default)]
struct Spans(Vec<(Key, Key, ViewId)>);

/// One registration.
enum Place {
    Name(DocPath),
    Point(FieldPath, EntryKind, Key),
    Span(FieldPath, Key, Key),
    All,
}

impl Ranges {
    /// Registers a view.
    pub(super) fn add(&mut self, database: &DatabaseId, kind: &Kind, view: ViewId) {
        match kind {
            Kind::Documents(paths) => {
                for path in paths.iter() {
                    self.names.entry((database.clone(), path.clone())).or_default().insert(view);
                }
            }
            Kind::Query(normal) => {
                for tests in &normal.disjuncts {
                    match place(tests) {
                        Place::Name(path) => {
                            self.names.entry((database.clone(), path)).or_default().insert(view);
                        }
                        place => self.watched(database, normal).add(place, view),
                    }
                }
            }
        }
    }

    /// Removes a view that was added with the same arguments.
    pub(super) fn remove(&mut self, database: &DatabaseId, kind: &Kind, view: ViewId) {
        match kind {
            Kind::Documents(paths) => {
                paths.iter().for_each(|path| self.remove_name(database, path.clone(), view));
            }
            Kind::Query(normal) => {
                for tests in &normal.disjuncts {
                    match place(tests) {
                        Place::Name(path) => self.remove_name(database, path, view),
                        place => self.watched(database, normal).remove(place, view),
                    }
                }
                let key = (database.clone(), scope(normal));
                if self.scopes.get(&key).is_some_and(Watched::is_empty) {
                    self.scopes.remove(&key);
                }
            }
        }
    }

    /// The views that a change may concern.
    pub(super) fn hit(&self, database: &DatabaseId, change: &Change, hits: &mut HashSet<ViewId>) {
        if let Some(views) = self.names.get(&(database.clone(), change.path.clone())) {
            hits.extend(views);
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

    fn remove_name(&mut self, database: &DatabaseId, path: DocPath, view: ViewId) {
        remove_from(&mut self.names, &(database.clone(), path), view);
    }
}

impl Watched {
    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.points.is_empty() && self.spans.is_empty()
    }

    fn add(&mut self, place: Place, view: ViewId) {
        match place {
            Place::Point(field, kind, value) => {
                self.points.entry((field, kind)).or_default().entry(value).or_default().insert(view);
            }
            Place::Span(field, start, end) => self.spans.entry(field).or_default().0.push((start, end, view)),
            Place::All | Place::Name(_) => {
                self.all.insert(view);
            }
        }
    }

    fn remove(&mut self, place: Place, view: ViewId) {
        match place {
            Place::Point(field, kind, value) => {
                let key = (field, kind);
                if let Some(values) = self.points.get_mut(&key) {
                    remove_from(values, &value, view);
                    if values.is_empty() {
                        self.points.remove(&key);
                    }
                }
            }
            Place::Span(field, start, end) => {
                if let Some(spans) = self.spans.get_mut(&field) {
                    if let Some(index) =
                        spans.0.iter().position(|(s, e, v)| (s, e, *v) == (&start, &end, view))
                    {
                        spans.0.swap_remove(index);
                    }
                    if spans.0.is_empty() {
                        self.spans.remove(&field);
                    }
                }
            }
            Place::All | Place::Name(_) => {
                self.all.remove(&view);
            }
        }
    }

    fn hit(&self, document: &Document, hits: &mut HashSet<ViewId>) {
        hits.extend(&self.all);
        let mut encoded = Key::new();
        for ((field, kind), values) in &self.points {
            let Some(value) = field.get(&document.fields) else { continue };
            let mut look_up = |value: &Value| {
                encoded.clear();
                encode_value(value, &mut encoded);
                if let Some(views) = values.get(&encoded) {
                    hits.extend(views);
                }
            };
            match (kind, value) {
                (EntryKind::Value, value) => look_up(value),
                (EntryKind::Element, Value::Array(elements)) => elements.iter().for_each(look_up),
                (EntryKind::Element, _) => {}
            }
        }
        for (field, spans) in &self.spans {
            let Some(value) = field.get(&document.fields) else { continue };
            encoded.clear();
            encode_value(value, &mut encoded);
            let inside = |(start, end, _): &&(Key, Key, ViewId)| *start <= encoded && encoded < *end;
            hits.extend(spans.0.iter().filter(inside).map(|(_, _, view)| view));
        }
    }
}

fn remove_from<K: Hash + Eq>(map: &mut HashMap<K, HashSet<ViewId>>, key: &K, view: ViewId) {
    if let Some(views) = map.get_mut(key) {
        views.remove(&view);
        if views.is_empty() {
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
            TestOp::Compare(op, value) if !name && matches!(best, Place::All) => {
                let bound = encoded(value);
                let after = crate::key::successor(&bound);
                let (start, end) = match op {
                    FieldOp::Less | FieldOp::LessOrEqual => (vec![type_start(value)], after),
                    _ => (bound, vec![type_end(value)]),
                };
                best = Place::Span(field.clone(), start, end);
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
