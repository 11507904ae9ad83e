//! Contents of versions: `projects/{p}/versionObjects/{hash}`, each named by its content, so that what did not change is
//! not stored again. A document's fields are kept in Firestore's own encoding.

use std::collections::BTreeSet;
use std::fmt;

use bytes::Bytes;
use docstore::Result;
use docstore::database::Database;
use docstore::model::{CollectionPath, DocPath, Fields, Value, Write};
use docstore_wire::pb::v1;
use docstore_wire::{fields_message, message_fields};
use prost::Message as _;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::limits::{OBJECTS, PART_BYTES};
use crate::product::plain_json;

/// Collection of the objects, below a project.
pub(super) const COLLECTION: &str = "versionObjects";

/// Field of an object's document.
const DATA: &str = "data";

/// Bytes of a name, of the 32 of SHA-256.
const HASH_BYTES: usize = 20;

/// Kind of an object, its first byte: a node of a manifest is never taken for a document that somebody wrote.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Document = 1,
    Node = 2,
    Part = 3,
}

/// Name of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Hash([u8; HASH_BYTES]);

impl Hash {
    /// The name of a content of a kind.
    pub(super) fn of(kind: Kind, content: &[u8]) -> Self {
        Self::of_data(&[&[kind as u8], content])
    }

    fn of_data(data: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for piece in data {
            hasher.update(piece);
        }
        let digest = hasher.finalize();
        let mut name = [0; HASH_BYTES];
        name.copy_from_slice(digest.get(..HASH_BYTES).unwrap_or(&[0; HASH_BYTES]));
        Self(name)
    }

    /// A name as an entry of a manifest has it.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// A name as a version's document has it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(pair).collect();
        Self::read(&bytes?)
    }

    pub(super) fn bytes(&self) -> Bytes {
        Bytes::copy_from_slice(&self.0)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An object that may have to be stored.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) hash: Hash,
    /// Its kind and its content.
    data: Bytes,
}

impl Object {
    pub(super) fn new(kind: Kind, content: &[u8]) -> Self {
        let mut data = Vec::with_capacity(content.len() + 1);
        data.push(kind as u8);
        data.extend_from_slice(content);
        Self { hash: Hash::of(kind, content), data: data.into() }
    }
}

/// The place of a content: the name of the whole, and of its parts if it is too long for one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) hash: Hash,
    pub(super) parts: Vec<Hash>,
}

impl Stored {
    /// The objects that it is in.
    pub(super) fn objects(&self) -> &[Hash] {
        if self.parts.is_empty() { std::slice::from_ref(&self.hash) } else { &self.parts }
    }
}

/// The content of a document, and the objects that store it.
pub(super) fn store(fields: Fields) -> (Stored, Vec<Object>) {
    let content = fields_message(fields).encode_to_vec();
    if content.len() < PART_BYTES {
        let object = Object::new(Kind::Document, &content);
        return (Stored { hash: object.hash, parts: Vec::new() }, vec![object]);
    }
    let parts: Vec<Object> = content.chunks(PART_BYTES).map(|part| Object::new(Kind::Part, part)).collect();
    let hash = Hash::of(Kind::Document, &content);
    (Stored { hash, parts: parts.iter().map(|part| part.hash).collect() }, parts)
}

/// The content of an object's document, if it is of a kind.
pub(super) fn content(fields: &Fields, kind: Kind) -> Option<Bytes> {
    let Some(Value::Bytes(data)) = fields.get(DATA) else { return None };
    (data.first() == Some(&(kind as u8))).then(|| data.slice(1..))
}

/// The fields of the document that an object is the content of, as readable JSON.
pub(super) fn readable(fields: &Fields) -> Option<Json> {
    let message = v1::Document::decode(content(fields, Kind::Document)?).ok()?;
    Some(json!({ "document": plain_json::object(&message_fields(message).ok()?) }))
}

/// The objects of a project.
#[derive(Debug, Clone)]
pub(super) struct Objects {
    database: Database,
    collection: CollectionPath,
}

impl Objects {
    /// Those of a project.
    ///
    /// # Errors
    /// `InvalidArgument` for an id that leaves no room for them.
    pub(super) fn of(database: &Database, project: &DocPath) -> Result<Self> {
        Ok(Self { database: database.clone(), collection: project.child(COLLECTION)? })
    }

    pub(super) const fn collection(&self) -> &CollectionPath {
        &self.collection
    }

    fn path(&self, hash: &Hash) -> Result<DocPath> {
        self.collection.doc(&hash.to_string())
    }

    /// Contents of a kind, in this order; `None` for what is missing or is not what its name says.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn read(&self, kind: Kind, hashes: &[Hash]) -> Result<Vec<Option<Bytes>>> {
        let mut contents = Vec::with_capacity(hashes.len());
        for some in hashes.chunks(OBJECTS) {
            let found = self.data(some).await?;
            contents.extend(some.iter().zip(found).map(|(hash, data)| {
                let data = data?;
                let is_right = data.first() == Some(&(kind as u8)) && Hash::of_data(&[&data]) == *hash;
                is_right.then(|| data.slice(1..))
            }));
        }
        Ok(contents)
    }

    async fn data(&self, hashes: &[Hash]) -> Result<Vec<Option<Bytes>>> {
        let paths = hashes.iter().map(|hash| self.path(hash)).collect::<Result<Vec<_>>>()?;
        let found = self.database.get(&paths, None).await?.value;
        Ok(found
            .into_iter()
            .map(|document| match document?.fields.remove(DATA) {
                Some(Value::Bytes(data)) => Some(data),
                _ => None,
            })
            .collect())
    }

    /// The fields of documents, in this order; `None` for what is missing or damaged.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn documents(&self, stored: &[&Stored]) -> Result<Vec<Option<Fields>>> {
        let whole: Vec<Hash> = stored.iter().filter(|one| one.parts.is_empty()).map(|one| one.hash).collect();
        let mut whole = self.read(Kind::Document, &whole).await?.into_iter();
        let mut documents = Vec::with_capacity(stored.len());
        for one in stored {
            let content = if one.parts.is_empty() {
                whole.next().flatten()
            } else {
                let parts = self.read(Kind::Part, &one.parts).await?;
                let joined: Option<Vec<u8>> = parts.into_iter().try_fold(Vec::new(), |mut all, part| {
                    all.extend_from_slice(&part?);
                    Some(all)
                });
                joined.filter(|all| Hash::of(Kind::Document, all) == one.hash).map(Bytes::from)
            };
            documents.push(content.and_then(|content| {
                let message = v1::Document::decode(content).ok()?;
                message_fields(message).ok()
            }));
        }
        Ok(documents)
    }

    /// The writes of those objects that are not there as they should be, each once.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn missing(&self, objects: Vec<Object>) -> Result<Vec<Write>> {
        let mut seen = BTreeSet::new();
        let objects: Vec<Object> = objects.into_iter().filter(|object| seen.insert(object.hash)).collect();
        let mut writes = Vec::new();
        for some in objects.chunks(OBJECTS) {
            let hashes: Vec<Hash> = some.iter().map(|object| object.hash).collect();
            for (object, found) in some.iter().zip(self.data(&hashes).await?) {
                if found.as_ref() != Some(&object.data) {
                    let fields = Fields::from([(DATA.to_owned(), Value::Bytes(object.data.clone()))]);
                    writes.push(Write::set(self.path(&object.hash)?, fields));
                }
            }
        }
        Ok(writes)
    }
}
