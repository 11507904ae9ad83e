//! Contents of a place: ids, names, and copies of what lies elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use docstore::model::{CollectionPath, DocPath, Value};

use super::reading::Reading;
use super::text_in;
use crate::functions::callable::CallError;

/// The images of one place.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Hashes of their contents, by their ids.
    ids: BTreeMap<String, String>,
    /// Their paths, in lower case.
    paths: BTreeSet<String>,
    /// Copies, by the documents that they are copies of.
    copies: BTreeMap<String, Vec<Copied>>,
}

/// A copy that is there.
#[derive(Debug)]
pub(super) struct Copied {
    pub(super) id: String,
    /// Hash of the original's content when it was copied.
    pub(super) hash: String,
    /// Hash of its content now.
    pub(super) own: String,
}

impl Contents {
    /// Reads a place as a caller.
    ///
    /// # Errors
    /// `PermissionDenied` for whoever may not, `FailedPrecondition` for more than is looked through; those of the store.
    pub(super) async fn read(reading: &Reading, place: &CollectionPath) -> Result<Self, CallError> {
        let mut contents = Self::default();
        for found in reading.all(place, &["path", "from", "hash"]).await? {
            let id = found.path.id().to_owned();
            let own = text_in(&found.fields, "hash").unwrap_or_default().to_owned();
            if let Some(path) = text_in(&found.fields, "path") {
                contents.paths.insert(path.to_lowercase());
            }
            if let Some(Value::Map(from)) = found.fields.get("from")
                && let Some(path) = text_in(from, "path")
            {
                let hash = text_in(from, "hash").unwrap_or_default().to_owned();
                let copied = Copied { id: id.clone(), hash, own: own.clone() };
                contents.copies.entry(path.to_owned()).or_default().push(copied);
            }
            contents.ids.insert(id, own);
        }
        Ok(contents)
    }

    /// True if an image has this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// True if the image of this id has this content.
    pub(super) fn holds(&self, id: &str, hash: &str) -> bool {
        !hash.is_empty() && self.ids.get(id).is_some_and(|own| own == hash)
    }

    /// The copy of a document; of several, the last by their ids.
    pub(super) fn copy_of(&self, original: &DocPath) -> Option<&Copied> {
        self.copies.get(original.as_str())?.last()
    }

    /// The copy of a document that has this content, and had it when it was copied.
    pub(super) fn same_copy_of(&self, original: &DocPath, hash: &str) -> Option<&Copied> {
        let copies = self.copies.get(original.as_str())?;
        copies.iter().find(|copied| copied.hash == hash && copied.own == hash)
    }

    /// Adds the copy of a document, and answers the path that it gets: the wanted one, with a number if that is taken.
    pub(super) fn add(&mut self, id: &str, wanted: &str, original: &DocPath) -> String {
        let path = self.free(wanted);
        self.ids.insert(id.to_owned(), String::new());
        self.paths.insert(path.to_lowercase());
        let copied = Copied { id: id.to_owned(), hash: String::new(), own: String::new() };
        self.copies.entry(original.to_string()).or_default().push(copied);
        path
    }

    fn free(&self, wanted: &str) -> String {
        if !self.paths.contains(&wanted.to_lowercase()) {
            return wanted.to_owned();
        }
        let name = wanted.rfind('/').map_or(0, |slash| slash + 1);
        let dot = wanted.rfind('.').filter(|dot| *dot >= name).unwrap_or(wanted.len());
        let (base, ending) = wanted.split_at(dot);
        // Of so many numbers one is free.
        (2..=self.paths.len() + 2)
            .map(|number| format!("{base} ({number}){ending}"))
            .find(|path| !self.paths.contains(&path.to_lowercase()))
            .unwrap_or_else(|| wanted.to_owned())
    }
}
