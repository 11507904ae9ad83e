//! Walking the tree of names: collections below a document, documents of a collection.

use crate::encoding::codec;
use crate::encoding::key::{
    DbNo, END, Key, KeyRange, below_prefix, collection_prefix, doc_key, push_path, push_segment,
    read_segment, successor,
};
use crate::engine::{Engine, Scan, Stored};
use crate::model::{CollectionPath, DocPath, Document, Ts};
use crate::query::Reader;
use crate::txn::TxnId;
use crate::txn::reads::ReadSet;
use crate::{Error, Result};

use super::{Database, LOCKED_TRIES};

/// The largest page, whatever is asked for.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// Largest page in bytes of stored documents, unless its first document alone is larger. A page is one message on the
/// wire, where it may take a few times as many.
pub const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Documents read at once for a page.
const READ_TOGETHER: usize = 32;

/// Size and position of a page in a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Most items; 0 is [`MAX_PAGE_SIZE`].
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
    /// The page.
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

    /// The documents of a collection by name. A page ends early at [`MAX_PAGE_BYTES`].
    ///
    /// # Errors
    /// As [`Database::get`].
    pub async fn list_documents(&self, list: &ListDocuments, at: Option<Ts>) -> Result<DocumentsPage> {
        Ok(self.list_documents_with(&self.reader(at)?, list).await?.0)
    }

    /// [`Self::list_documents`] in a transaction.
    ///
    /// # Errors
    /// As [`Self::list_documents`], and `InvalidArgument` for an unknown or finished transaction.
    pub async fn list_documents_in(&self, txn: TxnId, list: &ListDocuments) -> Result<DocumentsPage> {
        let mut tries = 1;
        loop {
            let reader = self.txn_reader(txn)?;
            let (page, reads) = self.list_documents_with(&reader, list).await?;
            if !self.lock_reads(txn, &reads).await? || tries == LOCKED_TRIES {
                self.store().transactions.note(&self.id, txn, reads, reader.at)?;
                return Ok(page);
            }
            tries += 1;
        }
    }

    pub(crate) async fn list_documents_with(
        &self,
        reader: &Reader,
        list: &ListDocuments,
    ) -> Result<(DocumentsPage, ReadSet)> {
        let mut filling = Filling { limit: list.page.limit(), ..Filling::default() };
        let mut reads = ReadSet::default();
        if let Some(number) = reader.number {
            let after = (!list.page.token.is_empty()).then_some(list.page.token.as_str());
            let own = collection_prefix(number, &list.collection);
            let mut stem = below_prefix(number, None);
            push_path(&mut stem, list.collection.as_str());
            if list.show_missing {
                filling.names_below(reader, number, &list.collection, (&own, &stem), after).await?;
            } else {
                filling.documents_below(reader, segments(&own, after, None)).await?;
            }
            // Behind the page, nothing was read but that there is more.
            let last = if filling.more { filling.last() } else { None };
            reads.add_range(segments(&own, after, last));
            if list.show_missing {
                reads.add_range(segments(&stem, after, last));
            }
            let found = filling.documents.iter().filter(|(_, document)| document.is_some());
            found.for_each(|(path, _)| reads.add_key(doc_key(number, path)));
        }
        let next = if filling.more { filling.last().map(str::to_owned) } else { None };
        Ok((DocumentsPage { documents: filling.documents, next, read_time: reader.at }, reads))
    }
}

/// A page that is being filled.
#[derive(Debug, Default)]
struct Filling {
    limit: usize,
    documents: Vec<(DocPath, Option<Document>)>,
    bytes: usize,
    /// True if items are left for the next page.
    more: bool,
}

impl Filling {
    /// Takes one more name, unless the page is full.
    fn take(&mut self, path: DocPath, value: Option<&Stored>) -> Result<()> {
        let bytes = value.map_or(0, |value| value.len());
        let overflows = !self.documents.is_empty() && self.bytes + bytes > MAX_PAGE_BYTES;
        if self.more || overflows || self.documents.len() >= self.limit {
            self.more = true;
            return Ok(());
        }
        self.bytes += bytes;
        let document = value.map(|value| codec::decode_document(&path, value)).transpose()?;
        self.documents.push((path, document));
        Ok(())
    }

    /// Number of items to read next: those missing and one more, which tells whether there is a next page.
    fn wanted(&self) -> usize {
        (self.limit + 1 - self.documents.len()).min(READ_TOGETHER)
    }

    /// The id of the last document.
    fn last(&self) -> Option<&str> {
        self.documents.last().map(|(path, _)| path.id())
    }

    async fn documents_below(&mut self, reader: &Reader, mut range: KeyRange) -> Result<()> {
        while !self.more {
            let scan = Scan { limit: self.wanted(), ..Scan::all(&range, reader.at) };
            let page = reader.engine.scan(&scan).await?;
            for (key, value) in &page.entries {
                let path = crate::encoding::key::read_doc_key(key).ok_or_else(|| {
                    Error::new(crate::Code::DataLoss, "DocumentKey", "A document's key is damaged.")
                })?;
                self.take(path, Some(value))?;
            }
            match page.entries.last() {
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => break,
            }
        }
        Ok(())
    }

    /// Names of documents and of what only has documents below it.
    async fn names_below(
        &mut self,
        reader: &Reader,
        number: DbNo,
        collection: &CollectionPath,
        (own, stem): (&[u8], &[u8]),
        after: Option<&str>,
    ) -> Result<()> {
        let mut after = after.map(str::to_owned);
        while !self.more {
            let mut paths = Vec::new();
            while paths.len() < self.wanted() {
                let direct = next_segment(reader, own, after.as_deref()).await?;
                let deeper = next_segment(reader, stem, after.as_deref()).await?;
                let Some(id) = lesser(direct, deeper) else { break };
                paths.push(collection.doc(&id)?);
                after = Some(id);
            }
            if paths.is_empty() {
                break;
            }
            let keys: Vec<Key> = paths.iter().map(|path| doc_key(number, path)).collect();
            for (path, value) in paths.into_iter().zip(reader.engine.get(&keys, reader.at).await?) {
                self.take(path, value.as_ref())?;
            }
        }
        Ok(())
    }
}

/// The keys below `prefix` whose next segment comes after one segment, up to and with another.
fn segments(prefix: &[u8], after: Option<&str>, last: Option<&str>) -> KeyRange {
    let behind = |segment: &str| {
        let mut key = prefix.to_vec();
        push_segment(&mut key, segment);
        successor(&key)
    };
    let all = KeyRange::prefix(prefix);
    KeyRange { start: after.map_or(all.start, behind), end: last.map_or(all.end, behind) }
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
    let page = reader.engine.scan(&Scan { limit: 1, values: false, ..Scan::all(&range, reader.at) }).await?;
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
