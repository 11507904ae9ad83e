//! The index entries of documents that come without them.

use crate::catalog::Catalog;
use crate::encoding::key::{DbNo, Key};
use crate::engine::shared::EntriesOf;
use crate::index::{field_entries, numbered_entries};
use crate::model::Document;

/// The entries by the indexes of a catalogue. An index under construction gets all of its own: who builds it adds them
/// again, which changes nothing, and until it is ready nobody reads it.
pub(super) fn of_catalog(documents: &[Document]) -> EntriesOf {
    let catalog = Catalog::default();
    documents.iter().for_each(|document| catalog.enter(document));
    Box::new(move |database: DbNo, document: &Document| {
        let mut entries: Vec<Key> = field_entries(database, document);
        for def in catalog.indexes(database, document.path.collection_id()).iter() {
            entries.extend(numbered_entries(def, document));
        }
        entries
    })
}
