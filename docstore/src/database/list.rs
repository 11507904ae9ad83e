//! Walking the tree of names: collections below a document, documents of a collection.

use crate::engine::{Engine, Scan, ScanDirection};
use crate::key::{
    DbNo, END, KeyRange, below_prefix, collection_prefix, push_path, push_segment, read_segment, successor,
};
use crate::model::{CollectionPath, DocPath, Document, Ts};
use crate::query::Reader;
use crate::{Error, Result, codec};

use super::Database;

/// The largest page, whatever is asked for.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// Which page of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// How many items at most; 0 is [`MAX_PAGE_SIZE`].
    pub size: u32,
    /// The `next` of the page before; empty for the first.
    pub token: String,
}

impl Page {
    fn limit(&self) -> usize {
        let size = if self.size == 0 { MAX_PAGE_SIZE } else { self.size.min(MAX_PAGE_SIZE) };
        usize::try_from(size).unwrap_or(usize::MAX)
    }
}

/// One page of collection ids.
#[derive(Debug, Clone)]
pub struct CollectionsPage {
    /// The ids, in order.
    pub ids: Vec<String>,
    /// The next page's token, if there is one.
    pub next: Option<String>,
    /// The version read.
    pub read_time: Ts,
}

/// A listing of a collection's documents by name.
#[derive(Debug, Clone)]
pub struct ListDocuments {
    /// The collection.
    pub collection: CollectionPath,
    /// Which page.
    pub page: Page,
    /// Also names that have no document but documents below them.
    pub show_missing: bool,
}

/// One page of documents.
#[derive(Debug, Clone)]
pub struct DocumentsPage {
    /// Names in order, each with its document unless it is missing.
    pub documents: Vec<(DocPath, Option<Document>)>,
    /// The next page's token, if there is one.
    pub next: Option<String>,
    /// The version read.
    pub read_time: Ts,
}

impl Database {
    /// The ids of the collections directly below `parent` (or at the root) that hold documents, themselves or
    /// further down. Costs a few reads per id, however many documents there are.
    ///
    /// # Errors
    /// As [`Database::get`].
    pub async fn list_collections(
        &self,
        parent: Option<&DocPath>,
        page: &Page,
        at: Option<Ts>,
    ) -> Result<CollectionsPage> {
        let reader = self.reader(at)?;
        let limit = page.limit();
        let mut ids = Vec::new();
        if let Some(number) = reader.number {
            let stem = below_prefix(number, parent);
            let mut own = stem.clone();
            own.push(END);
            let mut after = (!page.token.is_empty()).then(|| page.token.clone());
            while ids.len() <= limit {
                // A collection's documents lie below END, those further down below the id itself.
                let direct = next_segment(&reader, &own, after.as_deref()).await?;
                let deeper = next_segment(&reader, &stem, after.as_deref()).await?;
                let Some(id) = lesser(direct, deeper) else { break };
                after = Some(id.clone());
                ids.push(id);
            }
        }
        let next = cut(&mut ids, limit).then(|| ids.last().cloned()).flatten();
        Ok(CollectionsPage { ids, next, read_time: reader.at })
    }

    /// The documents of a collection by name.
    ///
    /// # Errors
    /// As [`Database::get`].
    pub async fn list_documents(&self, list: &ListDocuments, at: Option<Ts>) -> Result<DocumentsPage> {
        self.list_documents_with(&self.reader(at)?, list).await
    }

    pub(crate) async fn list_documents_with(
        &self,
        reader: &Reader,
        list: &ListDocuments,
    ) -> Result<DocumentsPage> {
        let limit = list.page.limit();
        let mut documents = Vec::new();
        if let Some(number) = reader.number {
            let after = (!list.page.token.is_empty()).then(|| list.page.token.clone());
            if list.show_missing {
                documents = self.with_missing(reader, number, list, after, limit + 1).await?;
            } else {
                documents = plain(reader, number, &list.collection, after, limit + 1).await?;
            }
        }
        let more = cut(&mut documents, limit);
        let next = if more { documents.last().map(|(path, _)| path.id().to_owned()) } else { None };
        Ok(DocumentsPage { documents, next, read_time: reader.at })
    }

    async fn with_missing(
        &self,
        reader: &Reader,
        number: DbNo,
        list: &ListDocuments,
        mut after: Option<String>,
        limit: usize,
    ) -> Result<Vec<(DocPath, Option<Document>)>> {
        let own = collection_prefix(number, &list.collection);
        let mut stem = below_prefix(number, None);
        push_path(&mut stem, list.collection.as_str());
        let mut paths = Vec::new();
        while paths.len() < limit {
            let direct = next_segment(reader, &own, after.as_deref()).await?;
            let deeper = next_segment(reader, &stem, after.as_deref()).await?;
            let Some(id) = lesser(direct, deeper) else { break };
            paths.push(list.collection.doc(&id)?);
            after = Some(id);
        }
        let found = reader.documents(&paths).await?;
        Ok(paths.into_iter().zip(found).collect())
    }
}

async fn plain(
    reader: &Reader,
    number: DbNo,
    collection: &CollectionPath,
    after: Option<String>,
    limit: usize,
) -> Result<Vec<(DocPath, Option<Document>)>> {
    let prefix = collection_prefix(number, collection);
    let mut range = KeyRange::prefix(&prefix);
    if let Some(after) = after {
        let mut start = prefix;
        push_segment(&mut start, &after);
        range.start = successor(&start);
    }
    let direction = ScanDirection::Forward;
    let page =
        reader.engine.scan(&Scan { range: &range, at: reader.at, direction, limit, values: true }).await?;
    page.entries
        .iter()
        .map(|(key, value)| {
            let path = crate::key::read_doc_key(key).ok_or_else(|| {
                Error::new(crate::Code::DataLoss, "DocumentKey", "A document's key is damaged.")
            })?;
            Ok((path.clone(), Some(codec::decode_document(&path, value)?)))
        })
        .collect()
}

/// The first segment that follows `prefix` in a live key, after the segment `after`.
async fn next_segment(reader: &Reader, prefix: &[u8], after: Option<&str>) -> Result<Option<String>> {
    let mut range = KeyRange::prefix(prefix);
    // Skip END, which sorts before every segment and belongs to another listing.
    range.start.push(END + 1);
    if let Some(after) = after {
        let mut start = prefix.to_vec();
        push_segment(&mut start, after);
        range.start = successor(&start);
    }
    let direction = ScanDirection::Forward;
    let page = reader
        .engine
        .scan(&Scan { range: &range, at: reader.at, direction, limit: 1, values: false })
        .await?;
    Ok(page
        .entries
        .first()
        .and_then(|(key, _)| read_segment(key.get(prefix.len()..)?))
        .map(|(segment, _)| segment))
}

fn lesser(a: Option<String>, b: Option<String>) -> Option<String> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if crate::model::compare_ids(&a, &b).is_le() { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// Cuts a page that was read one item too far; returns whether there was more.
fn cut<T>(items: &mut Vec<T>, limit: usize) -> bool {
    let more = items.len() > limit;
    items.truncate(limit);
    more
}
