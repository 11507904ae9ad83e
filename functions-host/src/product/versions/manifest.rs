//! Manifests of versions: which documents a version holds, as a tree of hashes over their paths below the project. The
//! hash of a path says which branch leads to it, so that a change rewrites one leaf and the nodes above it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bytes::Bytes;
use docstore::Result;
use docstore::model::Fields;
use prost::Message;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::limits::{LEAF, OBJECTS};
use super::objects::{Hash, Kind, Object, Objects, Stored, content};

/// Branches of a node: one for each half of a byte.
const BRANCHES: usize = 16;

/// A document of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) stored: Stored,
    /// Name of the file among the project's own that the document shows: its folder, a colon and its name there.
    pub(super) file: Option<String>,
}

/// Documents of a version by their paths below the project; its own has the empty path.
pub(super) type Entries = BTreeMap<String, Entry>;

#[derive(Clone, PartialEq, Message)]
struct EntryMessage {
    #[prost(string, tag = "1")]
    path: String,
    #[prost(bytes = "bytes", tag = "2")]
    hash: Bytes,
    #[prost(bytes = "bytes", repeated, tag = "3")]
    parts: Vec<Bytes>,
    #[prost(string, tag = "4")]
    file: String,
}

/// A leaf has entries, in the order of their paths; any other node has branches, empty ones where nothing lies.
#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<EntryMessage>,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    branches: Vec<Bytes>,
}

/// The paths at which two manifests have other contents, in order.
pub(super) fn differing<'a>(one: &'a Entries, other: &'a Entries) -> BTreeSet<&'a str> {
    let hash = |entries: &Entries, path: &str| entries.get(path).map(|entry| entry.stored.hash);
    let all = one.keys().chain(other.keys()).map(String::as_str);
    all.filter(|path| hash(one, path) != hash(other, path)).collect()
}

/// The root of a manifest, and the objects that it consists of.
pub(super) fn build(entries: &Entries) -> (Hash, Vec<Object>) {
    let places = entries.iter().map(|(path, entry)| (Sha256::digest(path), path, entry)).collect();
    let mut objects = Vec::new();
    let root = node(places, 0, &mut objects);
    (root, objects)
}

type Places<'a> = Vec<(sha2::digest::Output<Sha256>, &'a String, &'a Entry)>;

fn node(places: Places<'_>, depth: usize, objects: &mut Vec<Object>) -> Hash {
    let mut made = Node::default();
    if places.len() <= LEAF {
        made.entries = places.into_iter().map(|(_, path, entry)| message(path, entry)).collect();
    } else {
        let mut split: [Places<'_>; BRANCHES] = Default::default();
        for place in places {
            let byte = place.0.get(depth / 2).copied().unwrap_or_default();
            let branch = if depth.is_multiple_of(2) { byte >> 4 } else { byte & 15 };
            if let Some(branch) = split.get_mut(usize::from(branch)) {
                branch.push(place);
            }
        }
        let below = |places: Places<'_>| {
            if places.is_empty() { Bytes::new() } else { node(places, depth + 1, objects).bytes() }
        };
        made.branches = split.into_iter().map(below).collect();
    }
    let object = Object::new(Kind::Node, &made.encode_to_vec());
    let hash = object.hash;
    objects.push(object);
    hash
}

fn message(path: &str, entry: &Entry) -> EntryMessage {
    EntryMessage {
        path: path.to_owned(),
        hash: entry.stored.hash.bytes(),
        parts: entry.stored.parts.iter().map(Hash::bytes).collect(),
        file: entry.file.clone().unwrap_or_default(),
    }
}

fn entry(message: EntryMessage) -> Option<(String, Entry)> {
    let parts = message.parts.iter().map(|part| Hash::read(part)).collect::<Option<Vec<_>>>()?;
    let stored = Stored { hash: Hash::read(&message.hash)?, parts };
    let file = Some(message.file).filter(|file| !file.is_empty());
    Some((message.path, Entry { stored, file }))
}

/// A node as readable JSON: names of contents by the paths of documents, or names of the nodes below it.
pub(super) fn readable(fields: &Fields) -> Option<Json> {
    let Node { entries, branches } = Node::decode(content(fields, Kind::Node)?).ok()?;
    let hash = |bytes: &Bytes| Hash::read(bytes).map(|hash| hash.to_string()).unwrap_or_default();
    let name = |entry: EntryMessage| {
        let parts: Vec<String> = entry.parts.iter().map(hash).collect();
        let whole = json!(hash(&entry.hash));
        (entry.path, if parts.is_empty() { whole } else { json!({ "parts": parts }) })
    };
    let documents: Map<String, Json> = entries.into_iter().map(name).collect();
    let below: Vec<String> = branches.iter().filter(|branch| !branch.is_empty()).map(hash).collect();
    Some(json!({ "documents": documents, "lists": below }))
}

/// Everything that manifests lead to.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Entries,
    /// All objects: nodes, contents and parts.
    pub(super) objects: HashSet<Hash>,
    /// Files that are shown.
    pub(super) files: BTreeSet<String>,
    /// Nodes that are missing or damaged: nobody knows what lay below them.
    pub(super) damaged: Vec<Hash>,
}

/// Reads manifests, and each node of them once. The entries of several are those of all together.
///
/// # Errors
/// Those of the store.
pub(super) async fn read(objects: &Objects, roots: &[Hash]) -> Result<Listing> {
    let mut listing = Listing::default();
    let mut waiting: Vec<Hash> = roots.to_vec();
    while !waiting.is_empty() {
        let from = waiting.len().saturating_sub(OBJECTS);
        let mut some = waiting.split_off(from);
        some.retain(|hash| listing.objects.insert(*hash));
        for (hash, content) in some.iter().zip(objects.read(Kind::Node, &some).await?) {
            match content.and_then(|content| read_node(content, &mut waiting)) {
                Some(entries) => {
                    for (path, entry) in entries {
                        listing.objects.extend(entry.stored.objects());
                        listing.files.extend(entry.file.clone());
                        listing.entries.insert(path, entry);
                    }
                }
                None => listing.damaged.push(*hash),
            }
        }
    }
    Ok(listing)
}

/// The entries of a node; its branches are added to those to read.
fn read_node(content: Bytes, waiting: &mut Vec<Hash>) -> Option<Vec<(String, Entry)>> {
    let Node { entries, branches } = Node::decode(content).ok()?;
    let below: Option<Vec<Hash>> =
        branches.iter().filter(|branch| !branch.is_empty()).map(|branch| Hash::read(branch)).collect();
    waiting.extend(below?);
    entries.into_iter().map(entry).collect()
}
