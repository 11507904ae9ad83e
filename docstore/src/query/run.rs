//! Running a query: candidates from scans, tested, sorted where the scan does not, cut and projected.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::engine::{AnyEngine, Engine, Scan, ScanDirection, Stored};
use crate::key::{DbNo, Key, KeyRange, below_prefix, collection_prefix, doc_key, read_doc_key};
use crate::model::{CollectionPath, DatabaseId, DocPath, Document, Fields, Ts};
use crate::reads::ReadSet;
use crate::{Result, codec};

use super::nearest::nearest;
use super::{Normal, QueryStats};

/// How many entries the first page of a scan asks for; later pages double up to [`MAX_PAGE`].
const FIRST_PAGE: usize = 32;
/// How many entries one page of a scan asks for at most.
const MAX_PAGE: usize = 512;

/// Reads documents of one database at one version.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) engine: Arc<AnyEngine>,
    pub(crate) catalog: Catalog,
    pub(crate) id: DatabaseId,
    /// `None` for a database that nothing was ever written to.
    pub(crate) number: Option<DbNo>,
    pub(crate) at: Ts,
}

impl Reader {
    /// The documents at `paths`.
    pub(crate) async fn documents(&self, paths: &[DocPath]) -> Result<Vec<Option<Document>>> {
        let Some(number) = self.number else { return Ok(vec![None; paths.len()]) };
        let keys: Vec<Key> = paths.iter().map(|path| doc_key(number, path)).collect();
        let values = self.engine.get(&keys, self.at).await?;
        let decode = |(path, value): (&DocPath, Option<Stored>)| match value {
            Some(bytes) => codec::decode_document(path.clone(), &bytes).map(Some),
            None => Ok(None),
        };
        paths.iter().zip(values).map(decode).collect()
    }
}

/// What the caller of a query needs of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The documents.
    Documents,
    /// Only how many there are.
    Count,
}

/// What running a query gave.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) documents: Vec<Document>,
    pub(crate) stats: QueryStats,
    /// What was read, for validation.
    pub(crate) reads: ReadSet,
}

/// Runs a query.
pub(crate) async fn run(reader: &Reader, normal: &Normal, _wanted: Wanted) -> Result<Ran> {
    let mut ran = Ran::default();
    let Some(number) = reader.number else { return Ok(ran) };
    let prefix = match normal.named_by_id() {
        true => collection_prefix(number, &CollectionPath::trusted(&normal.collection_path()?)),
        false => below_prefix(number, normal.query.parent.as_ref()),
    };
    let mut range = KeyRange::prefix(&prefix);
    ran.reads.add_range(range.clone());
    let mut found = Vec::new();
    let mut limit = FIRST_PAGE;
    loop {
        let scan =
            Scan { range: &range, at: reader.at, direction: ScanDirection::Forward, limit, values: true };
        let page = reader.engine.scan(&scan).await?;
        ran.stats.entries_read += page.examined;
        for (key, value) in &page.entries {
            let Some(path) = read_doc_key(key) else { continue };
            let document = codec::decode_document(path, value)?;
            ran.stats.documents_read += 1;
            if normal.matches(&reader.id, &document)
                && let Some(sort) = normal.sort_key(&document)
            {
                found.push((sort, document));
            }
        }
        if page.done {
            break;
        }
        if let Some((last, _)) = page.entries.last() {
            range.start = crate::key::successor(last);
        }
        limit = (limit * 2).min(MAX_PAGE);
    }
    found.sort_by(|(a, _), (b, _)| if normal.backward { b.cmp(a) } else { a.cmp(b) });
    let documents = found.into_iter().map(|(_, document)| document).collect();
    ran.documents = finish(normal, documents);
    ran.stats.results = ran.documents.len() as u64;
    Ok(ran)
}

/// Nearest neighbours, offset, limit.
pub(super) fn finish(normal: &Normal, documents: Vec<Document>) -> Vec<Document> {
    let query = &normal.query;
    let documents = match &query.find_nearest {
        Some(find) => nearest(find, documents),
        None => documents,
    };
    let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
    let limit = query.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    documents.into_iter().skip(offset).take(limit).collect()
}

/// Keeps only the selected fields.
pub(crate) fn project(normal: &Normal, mut document: Document) -> Document {
    if let Some(select) = &normal.query.select {
        let mut fields = Fields::new();
        for path in select.iter().filter(|path| !path.is_document_name()) {
            if let Some(value) = path.get(&document.fields) {
                path.set(&mut fields, value.clone());
            }
        }
        if let Some(field) = normal.query.find_nearest.as_ref().and_then(|find| find.distance_field.as_ref())
            && let Some(value) = field.get(&document.fields)
        {
            field.set(&mut fields, value.clone());
        }
        document.fields = fields;
    }
    document
}
