//! Every document below a parent, in the order of names, in any collection.
//!
//! Storage keeps a parent's own documents together and deeper ones after them, which is not the order of names. So the
//! walk merges, at every level, the level's own documents with the names that have documents below them: two short
//! reads per level, and no unneeded document is read. It runs in either direction.

use std::collections::VecDeque;

use crate::Result;
use crate::encoding::key::{DbNo, END, Key, KeyRange, below_prefix, push_path, read_segment, successor};
use crate::engine::{Scan, ScanDirection, Stored};
use crate::model::DocPath;

use super::Reader;

/// Entries in the first page of a level; later pages double up to [`MAX_PAGE`].
const FIRST_PAGE: usize = 4;
/// Most entries in one page.
const MAX_PAGE: usize = 512;

/// A walk in progress.
pub(super) struct Tree<'a> {
    reader: &'a Reader,
    /// Levels from the top down; the walk is at the last.
    levels: Vec<Level>,
    backward: bool,
    pub(super) examined: u64,
}

/// The documents whose parent is one document (or the root), and the levels below them.
struct Level {
    /// Name of the parent as keys of deeper levels begin with it.
    stem: Key,
    own: VecDeque<(Key, Stored)>,
    /// Range of own documents still to be read.
    rest: KeyRange,
    page: usize,
    done: bool,
    /// The next name with documents below it, if known.
    deeper: Option<Key>,
    /// Range in which to look for it.
    beyond: KeyRange,
    exhausted: bool,
    /// Bounds of the names at and below this level, relative to the parent's name.
    lower: Key,
    upper: Option<Key>,
}

/// The encoded collection id and document id that follow `stem` in a key.
fn name(stem: &[u8], key: &[u8]) -> Option<Key> {
    let tail = key.get(stem.len()..)?;
    let (_, rest) = read_segment(tail)?;
    let (_, rest) = read_segment(rest)?;
    Some(tail[..tail.len() - rest.len()].to_vec())
}

impl Level {
    fn new(stem: Key, lower: &[u8], upper: Option<&[u8]>) -> Self {
        let own = [stem.as_slice(), &[END]].concat();
        let mut rest = KeyRange::prefix(&own);
        rest.start.extend_from_slice(lower);
        let mut beyond = KeyRange::prefix(&stem);
        // Segments begin after END. A bound inside a name's subtree must not skip that name.
        beyond.start.push(END + 1);
        if !lower.is_empty() {
            let whole = [stem.as_slice(), lower].concat();
            let first = name(&stem, &whole).unwrap_or_else(|| lower.to_vec());
            beyond.start = beyond.start.max([stem.as_slice(), &first].concat());
        }
        if let Some(upper) = upper {
            let whole = [stem.as_slice(), upper].concat();
            match name(&stem, &whole) {
                // A bound below a name includes the name itself, and no bound may extend a key.
                Some(last) if last.len() < upper.len() => {
                    rest.end = successor(&[own.as_slice(), &last].concat());
                    beyond.end = successor(&[stem.as_slice(), &last].concat());
                }
                _ => {
                    rest.end = [own.as_slice(), upper].concat();
                    beyond.end = whole;
                }
            }
        }
        let (lower, upper) = (lower.to_vec(), upper.map(<[u8]>::to_vec));
        let (own, page) = (VecDeque::new(), FIRST_PAGE);
        Self { stem, own, rest, page, done: false, deeper: None, beyond, exhausted: false, lower, upper }
    }

    /// The level below the name `deeper`, which the walk then leaves behind.
    fn below(&mut self, deeper: &[u8], backward: bool) -> Self {
        let stem = [self.stem.as_slice(), deeper].concat();
        if backward {
            self.beyond.end.clone_from(&stem);
        } else {
            self.beyond.start = successor(&stem);
        }
        self.deeper = None;
        let lower = self.lower.strip_prefix(deeper).unwrap_or_default();
        let upper = self.upper.as_deref().and_then(|upper| upper.strip_prefix(deeper));
        Self::new(stem, lower, upper)
    }
}

impl<'a> Tree<'a> {
    /// A walk below `parent` from the encoded name `lower` (inclusive) to `upper` (exclusive), or backward.
    pub(super) fn new(
        reader: &'a Reader,
        database: DbNo,
        parent: Option<&DocPath>,
        (lower, upper): (Option<&[u8]>, Option<&[u8]>),
        backward: bool,
    ) -> Self {
        let stem = below_prefix(database, parent);
        let mut above = Key::new();
        if let Some(parent) = parent {
            push_path(&mut above, parent.as_str());
        }
        // The bound lies before this level, after it, or inside it.
        let first = match lower {
            Some(lower) if lower > above.as_slice() => inside_of(lower, &above),
            _ => Some(Key::new()),
        };
        let last = match upper {
            Some(upper) if upper <= above.as_slice() => None,
            Some(upper) => Some(inside_of(upper, &above)),
            None => Some(None),
        };
        let levels = match (first, last) {
            (Some(first), Some(last)) => vec![Level::new(stem, &first, last.as_deref())],
            _ => Vec::new(),
        };
        Self { reader, levels, backward, examined: 0 }
    }

    /// The next document, in the order of names.
    pub(super) async fn next(&mut self) -> Result<Option<(Key, Stored)>> {
        while !self.levels.is_empty() {
            self.fill().await?;
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            let own = level.own.front().map(|(key, _)| &key[level.stem.len() + 1..]);
            let deeper = match (own, level.deeper.as_deref()) {
                (None, None) => {
                    self.levels.pop();
                    continue;
                }
                // A document precedes the documents below it, and follows them in a backward walk.
                (Some(own), Some(deeper)) if if self.backward { own > deeper } else { own <= deeper } => None,
                (_, deeper) => deeper.map(<[u8]>::to_vec),
            };
            let Some(deeper) = deeper else { return Ok(level.own.pop_front()) };
            let below = level.below(&deeper, self.backward);
            self.levels.push(below);
        }
        Ok(None)
    }

    /// Loads what comes next of both kinds at the last level.
    async fn fill(&mut self) -> Result<()> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let at = self.reader.at;
        let direction = if self.backward { ScanDirection::Backward } else { ScanDirection::Forward };
        while level.own.is_empty() && !level.done {
            let scan = Scan { direction, limit: level.page, ..Scan::all(&level.rest, at) };
            let page = self.reader.scan(&scan).await?;
            self.examined += page.examined;
            level.page = (level.page * 2).min(MAX_PAGE);
            level.done = page.done;
            match page.entries.last() {
                Some((last, _)) if self.backward => level.rest.end.clone_from(last),
                Some((last, _)) => level.rest.start = successor(last),
                None => level.done = true,
            }
            level.own.extend(page.entries);
        }
        if level.deeper.is_none() && !level.exhausted {
            let scan = Scan { direction, limit: 1, values: false, ..Scan::all(&level.beyond, at) };
            let page = self.reader.scan(&scan).await?;
            self.examined += page.examined;
            level.deeper = page.entries.first().and_then(|(key, _)| name(&level.stem, key));
            level.exhausted = level.deeper.is_none();
        }
        Ok(())
    }
}

/// The part of a bound after the parent's name; `None` if the bound lies after everything below the parent.
fn inside_of(bound: &[u8], above: &[u8]) -> Option<Key> {
    bound.strip_prefix(above).map(<[u8]>::to_vec)
}
