//! Checking that the index entries are exactly what the documents say.

use std::collections::HashSet;
use std::sync::Arc;

use crate::catalog::IndexDef;
use crate::encoding::codec;
use crate::encoding::key::{
    Key, KeyRange, docs_prefix, field_entries_prefix, index_prefix, read_doc_key, successor,
};
use crate::engine::{Engine, Scan};
use crate::query::Reader;
use crate::{Result, index};

use super::Database;

/// Keys per page of the check.
const PAGE: usize = 512;

/// Findings of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Documents read.
    pub documents: u64,
    /// Index entries that are right.
    pub entries: u64,
    /// Entries that documents ask for and that are not there.
    pub missing: u64,
    /// Entries that no document asks for.
    pub stray: u64,
}

impl Database {
    /// Compares every index entry with every document, at the newest version. Holds all index keys in memory
    /// while it runs: a tool for tests and operators.
    ///
    /// # Errors
    /// `DataLoss` when a stored document cannot be read.
    pub async fn check(&self) -> Result<Checked> {
        let reader = self.reader(None)?;
        let mut checked = Checked::default();
        let Some(number) = reader.number else { return Ok(checked) };
        let ready: Vec<Arc<IndexDef>> = self
            .indexes()
            .into_iter()
            .filter(|def| def.ready.is_some_and(|since| since <= reader.at))
            .collect();
        let mut expected: HashSet<Key> = HashSet::new();
        let mut damaged = Ok(());
        each(&reader, KeyRange::prefix(&docs_prefix(number)), true, |key, value| {
            let Some(path) = read_doc_key(key) else { return };
            match codec::decode_document(&path, value) {
                Ok(document) => {
                    checked.documents += 1;
                    expected.extend(index::field_entries(number, &document));
                    for def in ready.iter().filter(|def| def.collection == path.collection_id()) {
                        expected.extend(index::numbered_entries(def, &document));
                    }
                }
                Err(error) => damaged = Err(error),
            }
        })
        .await?;
        damaged?;
        let mut ranges = vec![KeyRange::prefix(&field_entries_prefix(number))];
        ranges.extend(ready.iter().map(|def| KeyRange::prefix(&index_prefix(number, def.number))));
        for range in ranges {
            each(&reader, range, false, |key, _| {
                if expected.remove(key) {
                    checked.entries += 1;
                } else {
                    checked.stray += 1;
                }
            })
            .await?;
        }
        checked.missing = expected.len() as u64;
        Ok(checked)
    }
}

async fn each(
    reader: &Reader,
    mut range: KeyRange,
    values: bool,
    mut each: impl FnMut(&[u8], &[u8]),
) -> Result<()> {
    loop {
        let page = reader.engine.scan(&Scan { limit: PAGE, values, ..Scan::all(&range, reader.at) }).await?;
        for (key, value) in &page.entries {
            each(key, value);
        }
        match page.entries.last() {
            Some((last, _)) if !page.done => range.start = successor(last),
            _ => return Ok(()),
        }
    }
}
