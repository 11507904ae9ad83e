//! Order-preserving keys: where documents and index entries lie in the engine's one ordered key space.
//!
//! ```text
//! database   u32, big endian
//! table      one byte
//!   DOCS     parent path, END, collection id, document id
//!   FIELDS   parent path, END, collection id, field path, kind, value, document id, name length (u16)
//!   INDEXES  index number (u32), [path above, END], values…, name, [END], name length (u16)
//! ```
//! A path segment is a tag byte (`NUMERIC` or `TEXT`) and its bytes, so that `END` sorts a parent's own
//! collections before the collections deeper below it. The property of this module, held by a property test:
//! encoded order is [`Value`](crate::model::Value)'s order.

mod value;

pub(crate) use value::value_len;
pub use value::{MAX_INDEXED_BYTES, encode_value, is_truncated, type_end, type_start};

use crate::model::{CollectionPath, DocPath, FieldPath, numeric_id};

/// An encoded key.
pub type Key = Vec<u8>;

/// The number of a database within one store. [`DbNo::CATALOG`] holds the store's own documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DbNo(pub u32);

impl DbNo {
    /// The database that lists the databases and indexes.
    pub const CATALOG: Self = Self(0);
}

/// A half-open range of keys, `start <= key < end`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyRange {
    /// The first key in the range.
    pub start: Key,
    /// The first key after it.
    pub end: Key,
}

impl KeyRange {
    /// All keys that start with `prefix`.
    pub fn prefix(prefix: &[u8]) -> Self {
        Self { start: prefix.to_vec(), end: successor(prefix) }
    }

    /// The one key `key`. (Keys are prefix-free, so this is the range of its prefix; bounds never extend a
    /// key, because engines append a version to it.)
    pub fn point(key: &[u8]) -> Self {
        Self::prefix(key)
    }

    /// True if `key` lies in the range.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.start.as_slice() <= key && key < self.end.as_slice()
    }

    /// True if no key lies in the range.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }
}

/// The first key after all keys that start with `prefix`. (Prefixes of `0xff` alone do not occur: every key
/// starts with a database number.)
pub fn successor(prefix: &[u8]) -> Key {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            return end;
        }
    }
    vec![0xff; 9]
}

pub(crate) const DOCS: u8 = 0x10;
pub(crate) const FIELDS: u8 = 0x20;
pub(crate) const INDEXES: u8 = 0x30;

/// Ends a path; sorts before every segment.
pub(crate) const END: u8 = 0x01;
/// Starts a numeric id.
pub(crate) const NUMERIC: u8 = 0x02;
/// The first byte that a segment can have.
pub(crate) const FIRST_SEGMENT: u8 = NUMERIC;
/// The encoded length from which on the first byte of a name's length would not sort before a segment.
const LONG_NAME: usize = (FIRST_SEGMENT as usize) << 8;
/// Starts any other id.
pub(crate) const TEXT: u8 = 0x03;

/// Mode of a single-field entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// The field's whole value.
    Value,
    /// One element of the field's array.
    Element,
}

impl EntryKind {
    fn byte(self) -> u8 {
        match self {
            Self::Value => 0,
            Self::Element => 1,
        }
    }
}

fn table(database: DbNo, table: u8) -> Key {
    let mut key = Vec::with_capacity(96);
    key.extend_from_slice(&database.0.to_be_bytes());
    key.push(table);
    key
}

/// Appends text so that order is kept and the end is known: NUL is escaped, then a terminator.
pub(crate) fn push_text(key: &mut Key, text: &[u8]) {
    for &byte in text {
        key.push(byte);
        if byte == 0 {
            key.push(0xff);
        }
    }
    key.extend_from_slice(&[0, 1]);
}

/// Appends one path segment.
pub(crate) fn push_segment(key: &mut Key, segment: &str) {
    if let Some(number) = numeric_id(segment) {
        key.push(NUMERIC);
        key.extend_from_slice(&(number ^ i64::MIN).to_be_bytes());
    } else {
        key.push(TEXT);
        push_text(key, segment.as_bytes());
    }
}

/// Appends a parent path (`None` is the root) and [`END`].
fn push_parent(key: &mut Key, parent: Option<&str>) {
    if let Some(path) = parent {
        push_path(key, path);
    }
    key.push(END);
}

/// Appends a collection's parent path, [`END`] and its id.
fn push_collection(key: &mut Key, collection: &str) {
    let (parent, id) = match collection.rsplit_once('/') {
        Some((parent, id)) => (Some(parent), id),
        None => (None, collection),
    };
    push_parent(key, parent);
    push_segment(key, id);
}

/// Reads one segment off the front of `bytes`; `None` when it is not one.
pub(crate) fn read_segment(bytes: &[u8]) -> Option<(String, &[u8])> {
    match *bytes.first()? {
        NUMERIC => {
            let (number, rest) = bytes[1..].split_first_chunk::<8>()?;
            Some((format!("__id{}__", i64::from_be_bytes(*number) ^ i64::MIN), rest))
        }
        TEXT => {
            let mut text = Vec::new();
            let mut rest = &bytes[1..];
            loop {
                match rest {
                    [0, 0xff, tail @ ..] => {
                        text.push(0);
                        rest = tail;
                    }
                    [0, 1, tail @ ..] => return Some((String::from_utf8(text).ok()?, tail)),
                    [byte, tail @ ..] => {
                        text.push(*byte);
                        rest = tail;
                    }
                    [] => return None,
                }
            }
        }
        _ => None,
    }
}

/// Reads segments up to the end of `bytes` as a path.
pub(crate) fn read_path(mut bytes: &[u8]) -> Option<String> {
    let mut path = String::new();
    while !bytes.is_empty() {
        let (segment, rest) = read_segment(bytes)?;
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(&segment);
        bytes = rest;
    }
    Some(path)
}

/// Key of a document.
pub fn doc_key(database: DbNo, path: &DocPath) -> Key {
    let path = path.as_str();
    let (collection, id) = path.rsplit_once('/').unwrap_or(("", path));
    let mut key = table(database, DOCS);
    push_collection(&mut key, collection);
    push_segment(&mut key, id);
    key
}

/// The prefix of all documents of a collection; document ids follow.
pub fn collection_prefix(database: DbNo, collection: &CollectionPath) -> Key {
    let mut key = table(database, DOCS);
    push_collection(&mut key, collection.as_str());
    key
}

/// The prefix of all documents of a database.
pub fn docs_prefix(database: DbNo) -> Key {
    table(database, DOCS)
}

/// The prefix of all documents anywhere below `parent`, in storage order: the parent's own collections first.
pub fn below_prefix(database: DbNo, parent: Option<&DocPath>) -> Key {
    let mut key = table(database, DOCS);
    if let Some(path) = parent {
        push_path(&mut key, path.as_str());
    }
    key
}

/// Reads a document's path back from its key.
pub fn read_doc_key(key: &[u8]) -> Option<DocPath> {
    let mut rest = key.get(5..)?;
    let mut path = String::new();
    while *rest.first()? != END {
        let (segment, tail) = read_segment(rest)?;
        path.push_str(&segment);
        path.push('/');
        rest = tail;
    }
    path.push_str(&read_path(&rest[1..])?);
    Some(DocPath::trusted(&path))
}

/// The prefix of one field's entries in one collection; value, document id and name length follow.
pub fn field_prefix(database: DbNo, collection: &CollectionPath, field: &FieldPath, kind: EntryKind) -> Key {
    let mut key = table(database, FIELDS);
    push_collection(&mut key, collection.as_str());
    push_field(&mut key, field.segments(), kind);
    key
}

/// The prefix of all single-field entries of a database.
pub fn field_entries_prefix(database: DbNo) -> Key {
    table(database, FIELDS)
}

/// The prefix of all single-field entries of one collection.
pub(crate) fn fields_prefix(database: DbNo, collection: &str) -> Key {
    let mut key = table(database, FIELDS);
    push_collection(&mut key, collection);
    key
}

/// Appends a field path and the entry kind to a collection's [`fields_prefix`].
pub(crate) fn push_field(key: &mut Key, segments: &[impl AsRef<str>], kind: EntryKind) {
    for segment in segments {
        key.push(TEXT);
        push_text(key, segment.as_ref().as_bytes());
    }
    key.push(END);
    key.push(kind.byte());
}

/// The prefix of one numbered index's entries; the path above follows where each parent has its own.
pub fn index_prefix(database: DbNo, index: u32) -> Key {
    let mut key = table(database, INDEXES);
    key.extend_from_slice(&index.to_be_bytes());
    key
}

/// The prefix of a numbered collection index's entries for one collection.
pub fn index_collection_prefix(database: DbNo, index: u32, collection: &CollectionPath) -> Key {
    index_parent_prefix(database, index, collection.as_str().rsplit_once('/').map(|(parent, _)| parent))
}

/// The prefix of a numbered index's entries for everything below one document.
pub fn index_below_prefix(database: DbNo, index: u32, above: &str) -> Key {
    index_parent_prefix(database, index, Some(above))
}

fn index_parent_prefix(database: DbNo, index: u32, parent: Option<&str>) -> Key {
    let mut key = index_prefix(database, index);
    push_parent(&mut key, parent);
    key
}

/// Appends a value in an index's direction; descending is every byte inverted.
pub fn push_directed(key: &mut Key, encoded: &[u8], descending: bool) {
    if descending {
        key.extend(encoded.iter().map(|byte| !byte));
    } else {
        key.extend_from_slice(encoded);
    }
}

/// Appends an entry's name (a document id, or a whole path in a collection group) and its length, so that the
/// name can be read from the end of the key. Names always ascend: an index that wants them to descend is kept
/// in its mirror image and scanned backward.
///
/// A document comes before what lies below it, so whatever follows its path must sort before every segment. A length
/// below [`LONG_NAME`] does; before a greater one goes [`END`].
pub(crate) fn push_name(key: &mut Key, name: &str) {
    let from = key.len();
    push_path(key, name);
    // Nothing lies below a mere id, and scans over documents have to know the length without looking.
    if key.len() - from >= LONG_NAME && name.contains('/') {
        key.push(END);
    }
    // Names are checked to be at most 6 KiB (12 KiB escaped), so the length fits.
    let len = u16::try_from(key.len() - from).unwrap_or(u16::MAX);
    key.extend_from_slice(&len.to_be_bytes());
}

/// Appends a path's segments.
pub(crate) fn push_path(key: &mut Key, path: &str) {
    for segment in path.split('/') {
        push_segment(key, segment);
    }
}

/// The name at the end of an entry's key.
pub fn read_name(entry: &[u8]) -> Option<String> {
    let (rest, len) = entry.split_last_chunk::<2>()?;
    let name = rest.get(rest.len().checked_sub(usize::from(u16::from_be_bytes(*len)))?..)?;
    read_path(name).or_else(|| read_path(name.strip_suffix(&[END])?))
}

#[cfg(test)]
mod tests;
