//! Runs a plan: fetches the documents of entries, tests them where the entries do not prove enough, sorts them where no
//! index does, and applies offset and limit.

use crate::encoding::codec;
use crate::encoding::key::{DbNo, Key, KeyRange, below_prefix, doc_key, read_doc_key, read_name, successor};
use crate::engine::{Engine, Scan};
use crate::model::{DocPath, Document, Fields, document_memory};
use crate::txn::reads::{MAX_READS, ReadSet};
use crate::{Error, Result};

use super::nearest::nearest;
use super::plan::{BY_NAME, Branch, Plan, plan};
use super::reader::Reader;
use super::scan::{Entry, Merge};
use super::tree::Tree;
use super::{Normal, QueryStats};

/// Most documents fetched together.
const FETCH: usize = 128;
/// As [`FETCH`], where there is a limit in bytes: documents read beyond it are discarded.
const FETCH_LIMITED: usize = 32;
/// Documents per page of a scan over everything.
const EVERYTHING_PAGE: usize = 512;
/// Entries a join may read for each of its results, and for each of its scans besides, before an index without a join
/// is worth having.
const JOIN_ENTRIES: u64 = 4;
const JOIN_SLACK: u64 = 32;

/// Candidates collected beyond twice the limit before those behind it are dropped.
const SURPLUS: usize = 1_024;
/// As [`SURPLUS`], in bytes.
const SURPLUS_BYTES: usize = 2 * 1024 * 1024;

/// Scope of a collection-group index, for `explain`.
const GROUP_SCOPE: &str = "Collection group";

/// The part of the results that the caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Whole documents.
    Documents,
    /// Documents with only the fields that the query selects.
    Selected,
    /// Only their number.
    Count,
}

/// Outcome of running a query.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) documents: Vec<Document>,
    pub(crate) stats: QueryStats,
    /// Keys and ranges read, for validation.
    pub(crate) reads: ReadSet,
    /// Indexes whose lack made the query slow.
    pub(crate) missing: Vec<super::plan::Wanting>,
    /// Indexes that would have saved a join that read much for few results.
    pub(crate) helpful: Vec<super::plan::Wanting>,
}

/// Runs a query. With [`Wanted::Count`], only `stats.results` is filled in.
pub(crate) async fn run(reader: &Reader, normal: &Normal, wanted: Wanted) -> Result<Ran> {
    start(reader, normal, wanted, None).await
}

/// Callback for every result found.
type Add<'a> = &'a mut (dyn FnMut(&Document) + Send);

/// Runs a query whose results are passed on one by one, in any order, and not kept.
pub(crate) async fn run_adding(
    reader: &Reader,
    normal: &Normal,
    wanted: Wanted,
    add: Add<'_>,
) -> Result<Ran> {
    let mut ran = start(reader, normal, wanted, Some(&mut *add)).await?;
    std::mem::take(&mut ran.documents).iter().for_each(add);
    Ok(ran)
}

async fn start<'a>(
    reader: &'a Reader,
    normal: &'a Normal,
    wanted: Wanted,
    add: Option<Add<'a>>,
) -> Result<Ran> {
    let Some(number) = reader.number else { return Ok(Ran::default()) };
    match plan(normal, &reader.catalog, number, reader.at)? {
        Plan::Ordered(branches) => {
            let mut ran = Run::new(reader, normal, number, wanted, add);
            ran.label(&branches);
            // The nearest are chosen among all matches, so no limit applies before.
            if normal.query.find_nearest.is_some() {
                ran.ordered(&branches, Wanted::Documents, 0, usize::MAX).await?;
                ran.sort_and_cut()?;
            } else {
                let offset = usize::try_from(normal.query.offset).unwrap_or(usize::MAX);
                ran.ordered(&branches, wanted, offset, limit(normal)).await?;
            }
            Ok(ran.finish())
        }
        Plan::Sorted { branches, missing } => {
            let mut ran = Run::new(reader, normal, number, wanted, add);
            ran.label(&branches);
            ran.ran.missing = missing;
            ran.each_branch(&branches).await?;
            ran.sort_and_cut()?;
            Ok(ran.finish())
        }
        Plan::Tree { lower, upper } => {
            let mut ran = Run::new(reader, normal, number, wanted, add);
            ran.ran.stats.indexes.push((GROUP_SCOPE.to_owned(), BY_NAME.to_owned()));
            ran.tree(lower.as_deref(), upper.as_deref(), wanted).await?;
            Ok(ran.finish())
        }
        Plan::Everything { missing } => {
            let mut ran = Run::new(reader, normal, number, wanted, add);
            ran.ran.missing = missing;
            ran.everything().await?;
            ran.sort_and_cut()?;
            Ok(ran.finish())
        }
    }
}

fn limit(normal: &Normal) -> usize {
    normal.query.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// A running query.
struct Run<'a> {
    reader: &'a Reader,
    normal: &'a Normal,
    number: DbNo,
    wanted: Wanted,
    /// Receives results that come in order and are not kept.
    add: Option<Add<'a>>,
    /// Results with their sort keys.
    found: Vec<(Key, Document)>,
    /// Their size in memory, in bytes.
    bytes: usize,
    /// Their size after they were last sorted and cut.
    sorted_bytes: usize,
    counted: u64,
    ran: Ran,
}

impl<'a> Run<'a> {
    fn new(
        reader: &'a Reader,
        normal: &'a Normal,
        number: DbNo,
        wanted: Wanted,
        add: Option<Add<'a>>,
    ) -> Self {
        let (found, ran) = (Vec::new(), Ran::default());
        Self { reader, normal, number, wanted, add, found, bytes: 0, sorted_bytes: 0, counted: 0, ran }
    }

    /// Keeps the needed part of a result.
    fn keep(&mut self, key: Key, document: Document) -> Result<()> {
        if let (Some(add), None) = (&mut self.add, &self.normal.query.find_nearest) {
            add(&document);
            return Ok(());
        }
        self.collect(key, document);
        self.hold()
    }

    fn collect(&mut self, key: Key, mut document: Document) {
        match self.wanted {
            Wanted::Documents => {}
            Wanted::Selected => document = project(self.normal, document),
            Wanted::Count => document.fields.clear(),
        }
        self.bytes += size(&key, &document);
        self.found.push((key, document));
    }

    /// Keeps a candidate to be sorted later. With a limit, candidates behind it are dropped from time to time.
    fn keep_unsorted(&mut self, key: Key, document: Document) -> Result<()> {
        self.collect(key, document);
        let offset = usize::try_from(self.normal.query.offset).unwrap_or(usize::MAX);
        let most = limit(self.normal).saturating_add(offset);
        let is_much = self.found.len() >= most.saturating_mul(2).saturating_add(SURPLUS)
            || self.bytes >= self.sorted_bytes.saturating_add(SURPLUS_BYTES);
        if is_much && self.found.len() > most && self.normal.query.find_nearest.is_none() {
            self.sort();
            self.found.truncate(most);
            self.bytes = self.found.iter().map(|(key, document)| size(key, document)).sum();
            self.sorted_bytes = self.bytes;
        }
        self.hold()
    }

    fn hold(&self) -> Result<()> {
        self.reader.pace.as_ref().map_or(Ok(()), |pace| pace.hold(self.bytes))
    }

    /// Sorts the candidates and removes duplicates.
    fn sort(&mut self) {
        let backward = self.normal.backward;
        self.found.sort_by(|(a, _), (b, _)| if backward { b.cmp(a) } else { a.cmp(b) });
        self.found.dedup_by(|(a, _), (b, _)| a == b);
    }

    fn label(&mut self, branches: &[Branch]) {
        let scope = if self.normal.named_by_id() { "Collection" } else { GROUP_SCOPE };
        for scan in branches.iter().flat_map(|branch| &branch.scans) {
            if let Some(number) = scan.index {
                self.reader.catalog.note_use(number, self.reader.at);
            }
            let label = (scope.to_owned(), scan.label.clone());
            if !self.ran.stats.indexes.contains(&label) {
                self.ran.stats.indexes.push(label);
            }
        }
    }

    /// Takes results from a merge that yields them in order.
    async fn ordered(
        &mut self,
        branches: &[Branch],
        wanted: Wanted,
        offset: usize,
        limit: usize,
    ) -> Result<()> {
        let mut merge = Merge::new(self.reader, branches, self.normal.backward);
        let mut skipped = 0;
        let mut last = None;
        let mut exhausted = limit == 0;
        let mut taken = 0;
        let limit_bytes = self.normal.query.limit_bytes.filter(|_| self.normal.query.find_nearest.is_none());
        let fetch = if limit_bytes.is_some() { FETCH_LIMITED } else { FETCH };
        let most = limit_bytes.unwrap_or(usize::MAX);
        let mut bytes = 0;
        while !exhausted && bytes <= most && taken < limit {
            // At most as many entries as results are missing.
            let want = (limit - taken).saturating_add(offset - skipped).min(fetch);
            let mut batch: Vec<(Entry, DocPath)> = Vec::with_capacity(want);
            while batch.len() < want && taken < limit {
                let Some((entry, proved)) = merge.next().await? else {
                    exhausted = true;
                    break;
                };
                last = Some(entry.0.clone());
                let Some(path) = self.path_of(&entry.0) else { continue };
                if !self.normal.covers(&path) {
                    continue;
                }
                // Proved entries that are skipped or only counted need no fetch.
                if proved && skipped < offset && batch.is_empty() {
                    skipped += 1;
                } else if proved && wanted == Wanted::Count && batch.is_empty() {
                    self.counted += 1;
                    taken += 1;
                } else {
                    batch.push((entry, path));
                }
            }
            for (key, document) in self.fetch(batch).await? {
                if skipped < offset {
                    skipped += 1;
                } else if taken < limit && bytes <= most {
                    taken += 1;
                    self.counted += 1;
                    if wanted != Wanted::Count {
                        if limit_bytes.is_some() {
                            bytes += document.size();
                        }
                        self.keep(key, document)?;
                    }
                }
            }
        }
        let examined = merge.examined();
        self.ran.stats.entries_read += examined;
        let scans: usize = branches.iter().map(|branch| branch.scans.len()).sum();
        if examined > JOIN_ENTRIES * (skipped + taken) as u64 + JOIN_SLACK * scans as u64 {
            self.ran.helpful.extend(branches.iter().filter_map(|branch| branch.instead.clone()));
        }
        let end = if exhausted { None } else { last };
        self.note_scans(branches, end.as_ref());
        Ok(())
    }

    /// Collects the candidates of each branch.
    async fn each_branch(&mut self, branches: &[Branch]) -> Result<()> {
        for branch in branches {
            let branch = std::slice::from_ref(branch);
            let mut merge = Merge::new(self.reader, branch, false);
            loop {
                let mut batch = Vec::with_capacity(FETCH);
                while batch.len() < FETCH
                    && let Some((entry, _)) = merge.next().await?
                {
                    if let Some(path) = self.path_of(&entry.0) {
                        batch.push((entry, path));
                    }
                }
                if batch.is_empty() {
                    break;
                }
                for (key, document) in self.fetch(batch).await? {
                    self.keep_unsorted(key, document)?;
                }
            }
            self.ran.stats.entries_read += merge.examined();
            self.note_scans(branch, None);
        }
        Ok(())
    }

    /// Walks the documents below the parent in the order of names.
    async fn tree(&mut self, lower: Option<&[u8]>, upper: Option<&[u8]>, wanted: Wanted) -> Result<()> {
        let parent = self.normal.query.parent.as_ref();
        self.ran.reads.add_range(KeyRange::prefix(&below_prefix(self.number, parent)));
        let (mut skip, limit) = (self.normal.query.offset, limit(self.normal) as u64);
        let backward = self.normal.backward;
        let mut tree = Tree::new(self.reader, self.number, parent, (lower, upper), backward);
        while self.counted < limit
            && let Some((key, value)) = tree.next().await?
        {
            let Some(path) = read_doc_key(&key).filter(|path| self.normal.covers(path)) else { continue };
            let document = codec::decode_document(&path, &value)?;
            let Some(key) = self.normal.sort_key(&document) else { continue };
            if upper.is_some_and(|upper| key.as_slice() >= upper) {
                if backward {
                    continue;
                }
                break;
            }
            if lower.is_some_and(|lower| key.as_slice() < lower) {
                if backward {
                    break;
                }
                continue;
            }
            self.ran.stats.documents_read += 1;
            if !self.normal.matches(&self.reader.id, &document) {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            self.counted += 1;
            if wanted != Wanted::Count {
                self.keep(key, document)?;
            }
        }
        self.ran.stats.entries_read += tree.examined;
        Ok(())
    }

    /// Examines every document below the parent.
    async fn everything(&mut self) -> Result<()> {
        let mut range = KeyRange::prefix(&below_prefix(self.number, self.normal.query.parent.as_ref()));
        self.ran.reads.add_range(range.clone());
        loop {
            let scan = Scan { limit: EVERYTHING_PAGE, ..Scan::all(&range, self.reader.at) };
            let page = self.reader.scan(&scan).await?;
            self.ran.stats.entries_read += page.examined;
            for (key, value) in &page.entries {
                let Some(path) = read_doc_key(key).filter(|path| self.normal.covers(path)) else { continue };
                self.take(codec::decode_document(&path, value)?)?;
            }
            match page.entries.last() {
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => return Ok(()),
            }
        }
    }

    fn take(&mut self, document: Document) -> Result<()> {
        self.ran.stats.documents_read += 1;
        if self.normal.matches(&self.reader.id, &document)
            && let Some(key) = self.normal.sort_key(&document)
        {
            self.keep_unsorted(key, document)?;
        }
        Ok(())
    }

    /// Fetches a batch of entries; returns the documents that are results, in the entries' order.
    async fn fetch(&mut self, batch: Vec<(Entry, DocPath)>) -> Result<Vec<(Key, Document)>> {
        let mut keys = Vec::new();
        for ((_, value), path) in &batch {
            let key = doc_key(self.number, path);
            if value.is_none() {
                keys.push(key.clone());
            }
            if self.reader.notes_reads {
                self.ran.reads.add_key(key);
            }
        }
        if self.ran.reads.len() > MAX_READS {
            let message = format!("A transaction may read at most {MAX_READS} documents and ranges.");
            return Err(Error::invalid("TooManyReads", message));
        }
        if let Some(pace) = &self.reader.pace {
            pace.read(keys.len() as u64).await;
        }
        let mut fetched = self.reader.engine.get(&keys, self.reader.at).await?.into_iter();
        let mut found = Vec::with_capacity(batch.len());
        for ((_, value), path) in batch {
            let Some(bytes) = value.or_else(|| fetched.next().flatten()) else { continue };
            let document = codec::decode_document(&path, &bytes)?;
            self.ran.stats.documents_read += 1;
            if self.normal.matches(&self.reader.id, &document)
                && let Some(key) = self.normal.sort_key(&document)
            {
                found.push((key, document));
            }
        }
        Ok(found)
    }

    fn path_of(&self, ending: &[u8]) -> Option<DocPath> {
        let name = read_name(ending)?;
        if !self.normal.named_by_id() {
            return Some(DocPath::trusted(&name));
        }
        let collection = self.normal.query.from.collection.as_deref().unwrap_or_default();
        Some(DocPath::trusted(&match &self.normal.query.parent {
            Some(parent) => format!("{parent}/{collection}/{name}"),
            None => format!("{collection}/{name}"),
        }))
    }

    /// Records what the scans have read: all of their ranges, or only up to the entry at which they stopped.
    fn note_scans(&mut self, branches: &[Branch], end: Option<&Key>) {
        for scan in branches.iter().flat_map(|branch| &branch.scans) {
            let whole = KeyRange::prefix(&scan.prefix);
            let stop = end.map(|end| {
                let bare = if scan.documents { &end[..end.len().saturating_sub(2)] } else { end.as_slice() };
                [scan.prefix.as_slice(), bare].concat()
            });
            for (start, upper) in &scan.endings.ranges {
                let mut range = KeyRange {
                    start: [scan.prefix.as_slice(), start].concat(),
                    end: upper
                        .as_ref()
                        .map_or_else(|| whole.end.clone(), |end| [scan.prefix.as_slice(), end].concat()),
                };
                match &stop {
                    Some(stop) if self.normal.backward => range.start = range.start.max(stop.clone()),
                    Some(stop) => range.end = range.end.min(successor(stop)),
                    None => {}
                }
                self.ran.reads.add_range(range);
            }
        }
    }

    fn sort_and_cut(&mut self) -> Result<()> {
        self.sort();
        let mut documents: Vec<Document> =
            std::mem::take(&mut self.found).into_iter().map(|(_, d)| d).collect();
        if let Some(find) = &self.normal.query.find_nearest {
            documents = nearest(find, documents);
        }
        let offset = usize::try_from(self.normal.query.offset).unwrap_or(usize::MAX);
        self.ran.documents = documents.into_iter().skip(offset).take(limit(self.normal)).collect();
        self.counted = self.ran.documents.len() as u64;
        self.bytes = self.ran.documents.iter().map(document_memory).sum();
        self.hold()
    }

    fn finish(mut self) -> Ran {
        if !self.found.is_empty() {
            self.ran.documents = self.found.into_iter().map(|(_, document)| document).collect();
        }
        self.ran.stats.results = self.counted;
        self.ran
    }
}

/// Memory of a result while it is collected, in bytes.
fn size(key: &Key, document: &Document) -> usize {
    key.len() + document_memory(document)
}

/// Keeps only the selected fields.
pub(crate) fn project(normal: &Normal, mut document: Document) -> Document {
    if let Some(select) = &normal.query.select {
        let mut fields = Fields::new();
        let distance = normal.query.find_nearest.as_ref().and_then(|find| find.distance_field.as_ref());
        for path in select.iter().filter(|path| !path.is_document_name()).chain(distance) {
            if let Some(value) = path.get(&document.fields) {
                path.set(&mut fields, value.clone());
            }
        }
        document.fields = fields;
    }
    document
}
