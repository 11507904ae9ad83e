//! Reads index entries: one scan, an intersection of scans, a merge of intersections.

use std::collections::VecDeque;

use crate::Result;
use crate::encoding::key::{Key, KeyRange, successor};
use crate::engine::{Scan, ScanDirection, Stored};

use super::Reader;
use super::plan::{Branch, ScanSpec};

/// Entries in the first page of a scan; later pages double up to [`MAX_PAGE`].
const FIRST_PAGE: usize = 4;
/// Most entries in one page of a scan.
const MAX_PAGE: usize = 512;

/// An entry: its sort bytes, and its document if the scan is over documents.
pub(super) type Entry = (Key, Option<Stored>);

/// A position in the entries of one scan.
struct Cursor<'a> {
    reader: &'a Reader,
    spec: &'a ScanSpec,
    backward: bool,
    /// Ranges still to be read, next one first.
    ranges: VecDeque<KeyRange>,
    buffer: VecDeque<Entry>,
    page: usize,
    /// True if the buffer's first entry is known to be allowed.
    allowed: bool,
    /// True if much of the last page was skipped.
    jumped: bool,
    examined: u64,
}

impl<'a> Cursor<'a> {
    fn new(reader: &'a Reader, spec: &'a ScanSpec, backward: bool) -> Self {
        let whole = KeyRange::prefix(&spec.prefix);
        let range = |(start, end): &(Key, Option<Key>)| KeyRange {
            start: [spec.prefix.as_slice(), start].concat(),
            end: end.as_ref().map_or_else(|| whole.end.clone(), |end| [spec.prefix.as_slice(), end].concat()),
        };
        let mut ranges: VecDeque<KeyRange> = spec.endings.ranges.iter().map(range).collect();
        if backward {
            ranges = ranges.into_iter().rev().collect();
        }
        let (buffer, page) = (VecDeque::new(), FIRST_PAGE);
        Self { reader, spec, backward, ranges, buffer, page, allowed: false, jumped: false, examined: 0 }
    }

    /// The next entry whose ending is allowed.
    async fn peek(&mut self) -> Result<Option<&Key>> {
        loop {
            self.fill().await?;
            let Some((ending, _)) = self.buffer.front() else { return Ok(None) };
            if self.allowed {
                break;
            }
            match self.spec.endings.past(ending, self.backward) {
                Some(bound) => self.pass(&bound),
                None => self.allowed = true,
            }
        }
        Ok(self.buffer.front().map(|(ending, _)| ending))
    }

    async fn fill(&mut self) -> Result<()> {
        while self.buffer.is_empty() {
            if std::mem::take(&mut self.jumped) {
                self.page = FIRST_PAGE;
            }
            let Some(range) = self.ranges.front_mut() else { return Ok(()) };
            let direction = if self.backward { ScanDirection::Backward } else { ScanDirection::Forward };
            let scan = Scan {
                direction,
                limit: self.page,
                values: self.spec.documents,
                ..Scan::all(range, self.reader.at)
            };
            let page = self.reader.scan(&scan).await?;
            self.examined += page.examined;
            match page.entries.last() {
                Some((last, _)) if !page.done && self.backward => range.end.clone_from(last),
                Some((last, _)) if !page.done => range.start = successor(last),
                _ => drop(self.ranges.pop_front()),
            }
            let skip = self.spec.prefix.len();
            for (key, value) in page.entries {
                let mut ending = key[skip..].to_vec();
                let value = self.spec.documents.then(|| {
                    // A document's key ends with the bare name; an entry also has its length.
                    let len = u16::try_from(ending.len()).unwrap_or(u16::MAX);
                    ending.extend_from_slice(&len.to_be_bytes());
                    value
                });
                self.buffer.push_back((ending, value));
            }
            self.page = (self.page * 2).min(MAX_PAGE);
        }
        Ok(())
    }

    fn take(&mut self) -> Option<Entry> {
        self.allowed = false;
        self.buffer.pop_front()
    }

    /// Skips the entries before `bound` in the scan's direction.
    fn pass(&mut self, bound: &[u8]) {
        let mut passed = 0;
        while let Some((ending, _)) = self.buffer.front() {
            let behind = if self.backward { ending.as_slice() < bound } else { ending.as_slice() >= bound };
            if behind {
                break;
            }
            self.buffer.pop_front();
            passed += 1;
        }
        // Small pages while long runs of entries are skipped, large ones when nearly every entry is needed.
        self.jumped |= passed >= FIRST_PAGE;
        if self.buffer.is_empty() {
            let full = [self.spec.prefix.as_slice(), bound].concat();
            while let Some(range) = self.ranges.front_mut() {
                if self.backward {
                    range.end = full.clone().min(std::mem::take(&mut range.end));
                } else {
                    range.start = full.clone().max(std::mem::take(&mut range.start));
                }
                if !range.is_empty() {
                    return;
                }
                self.ranges.pop_front();
            }
        }
    }

    fn before(&self, a: &[u8], b: &[u8]) -> bool {
        if self.backward { a > b } else { a < b }
    }

    /// Moves to the first entry at or after `target`, in the scan's direction.
    fn seek(&mut self, target: &[u8]) {
        while let Some((ending, _)) = self.buffer.front() {
            if !self.before(ending, target) {
                return;
            }
            self.allowed = false;
            self.buffer.pop_front();
        }
        let bare = if self.spec.documents { &target[..target.len().saturating_sub(2)] } else { target };
        let full = [self.spec.prefix.as_slice(), bare].concat();
        // Entries are prefix-free, so the target's own entry is at `full` exactly.
        while let Some(range) = self.ranges.front_mut() {
            if self.backward {
                let end = successor(&full);
                if range.end > end {
                    range.end = end;
                    self.page = FIRST_PAGE;
                }
            } else if range.start < full {
                range.start.clone_from(&full);
                self.page = FIRST_PAGE;
            }
            if !range.is_empty() {
                return;
            }
            self.ranges.pop_front();
        }
    }
}

/// The entries common to all scans of a branch.
struct Intersection<'a> {
    cursors: Vec<Cursor<'a>>,
    /// True if a common entry was found and not taken yet.
    found: bool,
}

impl Intersection<'_> {
    async fn peek(&mut self) -> Result<Option<&Key>> {
        while !self.found {
            let Some((first, rest)) = self.cursors.split_first_mut() else { return Ok(None) };
            let Some(mut target) = first.peek().await?.cloned() else { return Ok(None) };
            let mut agreed = true;
            for cursor in rest {
                cursor.seek(&target);
                let Some(ending) = cursor.peek().await?.cloned() else { return Ok(None) };
                if ending != target {
                    target = ending;
                    agreed = false;
                    break;
                }
            }
            if agreed {
                self.found = true;
            } else if let Some(first) = self.cursors.first_mut() {
                first.seek(&target);
            }
        }
        match self.cursors.first_mut() {
            Some(first) => first.peek().await,
            None => Ok(None),
        }
    }

    fn take(&mut self) -> Option<Entry> {
        self.found = false;
        self.cursors.first_mut().and_then(Cursor::take)
    }
}

/// The entries of all branches in order, without duplicates.
pub(super) struct Merge<'a> {
    branches: Vec<Intersection<'a>>,
    exact: Vec<bool>,
    backward: bool,
}

impl<'a> Merge<'a> {
    pub(super) fn new(reader: &'a Reader, branches: &'a [Branch], backward: bool) -> Self {
        let intersection = |branch: &'a Branch| Intersection {
            cursors: branch.scans.iter().map(|spec| Cursor::new(reader, spec, backward)).collect(),
            found: false,
        };
        Self {
            exact: branches.iter().map(|branch| branch.exact).collect(),
            branches: branches.iter().map(intersection).collect(),
            backward,
        }
    }

    /// The next entry; true if entries alone prove that it is a result.
    pub(super) async fn next(&mut self) -> Result<Option<(Entry, bool)>> {
        let mut best: Option<Key> = None;
        for branch in &mut self.branches {
            if let Some(ending) = branch.peek().await?
                && best.as_ref().is_none_or(|best| if self.backward { ending > best } else { ending < best })
            {
                best = Some(ending.clone());
            }
        }
        let Some(best) = best else { return Ok(None) };
        let mut taken = None;
        let mut proved = false;
        for (branch, exact) in self.branches.iter_mut().zip(&self.exact) {
            if branch.peek().await? == Some(&best) {
                proved |= exact;
                taken = branch.take().or(taken);
            }
        }
        Ok(taken.map(|entry| (entry, proved)))
    }

    /// Versions examined so far.
    pub(super) fn examined(&self) -> u64 {
        self.branches.iter().flat_map(|branch| &branch.cursors).map(|cursor| cursor.examined).sum()
    }
}
