//! Index entries of documents, and the entries that a change removes and adds.
//!
//! Every field at every depth has single-field entries in its collection: one for its value, and one per distinct
//! element of an array. Numbered indexes (see [`crate::catalog`]) add theirs.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::catalog::{IndexDef, IndexMode, IndexScope};
use crate::encoding::codec;
use crate::encoding::key::{
    DbNo, EntryKind, Key, doc_key, encode_value, fields_prefix, index_below_prefix, index_collection_prefix,
    index_prefix, push_directed, push_field, push_name,
};
use crate::engine::{Change, Put, Stored};
use crate::model::{DocPath, Document, Fields, Value};
use crate::{Code, Error, Result};

/// The most index entries one document may have. Source: Firestore's limits.
pub const MAX_ENTRIES: usize = 40_000;

/// Appends the puts of one change: the document, the entries it removes and the entries it adds.
///
/// # Errors
/// `InvalidArgument` (`TooManyEntries`) for a document with more than [`MAX_ENTRIES`].
pub fn puts(change: &Change, indexes: &[Arc<IndexDef>], out: &mut Vec<Put>) -> Result<()> {
    out.push(Put {
        key: doc_key(change.database, &change.path),
        value: change.new.as_deref().map(codec::encode_document),
    });
    if change.database == DbNo::CATALOG {
        return Ok(());
    }
    let from = out.len();
    let mut differ = Differ::new(change.database, &change.path, out);
    let empty = Fields::new();
    let old = change.old.as_ref().map_or(&empty, |document| &document.fields);
    let new = change.new.as_ref().map_or(&empty, |document| &document.fields);
    differ.fields(old, new);
    for def in indexes {
        let old = change.old.as_deref().map(|document| numbered_entries(def, document)).unwrap_or_default();
        let new = change.new.as_deref().map(|document| numbered_entries(def, document)).unwrap_or_default();
        differ.sets(&old, new);
    }
    match change.new.as_deref() {
        Some(document) if has_too_many(document, indexes, &out[from..]) => Err(Error::new(
            Code::InvalidArgument,
            "TooManyEntries",
            format!("Document \"{}\" has more than {MAX_ENTRIES} index entries.", change.path),
        )),
        _ => Ok(()),
    }
}

/// True if a document, of whose entries `opened` are new, has more than [`MAX_ENTRIES`].
fn has_too_many(document: &Document, indexes: &[Arc<IndexDef>], opened: &[Put]) -> bool {
    let opened = opened.iter().filter(|put| put.value.is_some()).count();
    // Cheap upper bound first, since few documents come near the limit: one entry per field, one per array element in
    // each index, or one per ancestor document.
    let each = |def: &Arc<IndexDef>| match def.scope {
        IndexScope::Below => document.path.segments().count() / 2,
        IndexScope::Collection | IndexScope::Group => 1,
    };
    let most = values_in(&document.fields) * (1 + indexes.iter().map(each).sum::<usize>());
    if opened == 0 || most <= MAX_ENTRIES {
        return false;
    }
    let numbered = indexes.iter().map(|def| numbered_entries(def, document).len());
    field_entries(DbNo::CATALOG, document).len() + numbered.sum::<usize>() > MAX_ENTRIES
}

/// Number of fields and array elements, those of nested maps included.
fn values_in(fields: &Fields) -> usize {
    let inside = |value: &Value| match value {
        Value::Array(elements) => elements.len(),
        Value::Map(fields) => values_in(fields),
        _ => 0,
    };
    fields.values().map(|value| 1 + inside(value)).sum()
}

/// All single-field entries of a document, sorted.
pub fn field_entries(database: DbNo, document: &Document) -> Vec<Key> {
    let mut puts = Vec::new();
    Differ::new(database, &document.path, &mut puts).fields(&Fields::new(), &document.fields);
    let mut keys: Vec<_> = puts.into_iter().map(|put| put.key).collect();
    keys.sort();
    keys
}

/// A document's entries in one numbered index; none if it lacks one of the fields.
pub fn numbered_entries(def: &IndexDef, document: &Document) -> BTreeSet<Key> {
    let mut entries = BTreeSet::new();
    let path = &document.path;
    let (mut stems, name) = match def.scope {
        IndexScope::Collection => {
            (vec![index_collection_prefix(def.database, def.number, &path.collection())], path.id())
        }
        IndexScope::Group => (vec![index_prefix(def.database, def.number)], path.as_str()),
        IndexScope::Below => {
            let above = std::iter::successors(path.parent(), DocPath::parent);
            let prefix = |above: DocPath| index_below_prefix(def.database, def.number, above.as_str());
            (above.map(prefix).collect(), path.as_str())
        }
    };
    let mut encoded = Vec::new();
    for (field, mode) in &def.fields {
        let Some(value) = field.get(&document.fields) else { return entries };
        match (mode, value) {
            (IndexMode::Contains, Value::Array(elements)) => {
                let elements: BTreeSet<Key> = elements.iter().map(encode_one).collect();
                stems = stems
                    .iter()
                    .flat_map(|stem| elements.iter().map(move |element| [stem.as_slice(), element].concat()))
                    .collect();
            }
            (IndexMode::Contains, _) => return entries,
            (IndexMode::Ascending | IndexMode::Descending, value) => {
                encoded.clear();
                encode_value(value, &mut encoded);
                for stem in &mut stems {
                    push_directed(stem, &encoded, *mode == IndexMode::Descending);
                }
            }
        }
    }
    for mut stem in stems {
        push_name(&mut stem, name);
        entries.insert(stem);
    }
    entries
}

fn encode_one(value: &Value) -> Key {
    let mut key = Vec::new();
    encode_value(value, &mut key);
    key
}

/// Compares two versions of a document and puts only the differences.
struct Differ<'a> {
    prefix: Key,
    /// Encoded document id and its length: the end of every entry.
    name: Key,
    path: Vec<&'a str>,
    out: &'a mut Vec<Put>,
}

impl<'a> Differ<'a> {
    fn new(database: DbNo, path: &DocPath, out: &'a mut Vec<Put>) -> Self {
        let mut name = Vec::new();
        push_name(&mut name, path.id());
        let prefix = fields_prefix(database, path.collection().as_str());
        Self { prefix, name, path: Vec::new(), out }
    }

    fn fields(&mut self, old: &'a Fields, new: &'a Fields) {
        for (name, before) in old {
            match new.get(name) {
                Some(after) if before.identical(after) => {}
                after => self.value(name, Some(before), after),
            }
        }
        for (name, after) in new {
            if !old.contains_key(name) {
                self.value(name, None, Some(after));
            }
        }
    }

    fn value(&mut self, name: &'a str, old: Option<&'a Value>, new: Option<&'a Value>) {
        self.path.push(name);
        let stem = self.stem(EntryKind::Value);
        let (before, after) = (old.map(encode_one), new.map(encode_one));
        if before != after {
            if let Some(value) = before {
                self.put(&stem, &value, false);
            }
            if let Some(value) = after {
                self.put(&stem, &value, true);
            }
        }
        let elements = |value: Option<&Value>| match value {
            Some(Value::Array(elements)) => elements.iter().map(encode_one).collect(),
            _ => BTreeSet::new(),
        };
        let (before, after) = (elements(old), elements(new));
        if before != after {
            let stem = self.stem(EntryKind::Element);
            for value in before.difference(&after) {
                self.put(&stem, value, false);
            }
            for value in after.difference(&before) {
                self.put(&stem, value, true);
            }
        }
        match (old, new) {
            (Some(Value::Map(old)), Some(Value::Map(new))) => self.fields(old, new),
            (old, new) => {
                for (value, open) in [(old, false), (new, true)] {
                    if let Some(Value::Map(fields)) = value {
                        for (name, value) in fields {
                            if open {
                                self.value(name, None, Some(value));
                            } else {
                                self.value(name, Some(value), None);
                            }
                        }
                    }
                }
            }
        }
        self.path.pop();
    }

    fn stem(&self, kind: EntryKind) -> Key {
        let mut key = self.prefix.clone();
        push_field(&mut key, &self.path, kind);
        key
    }

    fn put(&mut self, stem: &[u8], value: &[u8], open: bool) {
        let key = [stem, value, &self.name].concat();
        self.out.push(Put { key, value: open.then(Stored::default) });
    }

    fn sets(&mut self, old: &BTreeSet<Key>, new: BTreeSet<Key>) {
        for key in old.difference(&new) {
            self.out.push(Put { key: key.clone(), value: None });
        }
        for key in new {
            if !old.contains(&key) {
                self.out.push(Put { key, value: Some(Stored::default()) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Ts;

    #[test]
    fn a_document_has_at_most_so_many_entries() {
        let with = |elements: usize, same: usize| {
            let list = (0..elements).map(|n| Value::Integer(i64::try_from(n).unwrap()));
            let list = list.chain(vec![Value::Integer(0); same]).collect();
            let path = DocPath::parse("c/d").unwrap();
            let fields = Fields::from([("list".to_owned(), Value::Array(list))]);
            let document =
                Document { path: path.clone(), fields, create_time: Ts::ZERO, update_time: Ts::ZERO };
            let change = Change { database: DbNo(1), path, old: None, new: Some(Arc::new(document)) };
            puts(&change, &[], &mut Vec::new()).map_err(|error| error.tag())
        };
        // The array itself has an entry, and equal elements share one.
        assert_eq!(with(MAX_ENTRIES - 1, 0), Ok(()));
        assert_eq!(with(MAX_ENTRIES - 1, 10), Ok(()));
        assert_eq!(with(MAX_ENTRIES, 0), Err("TooManyEntries"));
    }
}
