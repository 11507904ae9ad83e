//! Every document below a parent, in the order of names, whatever collections it is in.
//!
//! Storage keeps a parent's own documents together and those deeper down behind them, so neither order is the other's.
//! A walk therefore merges, at every level, the level's own documents with the names that have something below them:
//! two short reads a level, and no document is read that is not asked for. It goes either way.

use std::collections::VecDeque;

use crate::Result;
use crate::engine::{Scan, ScanDirection, Stored};
use crate::key::{DbNo, END, Key, KeyRange, below_prefix, push_path, read_segment, successor};
use crate::model::DocPath;

use super::Reader;

/// How many entries the first page of a level asks for; later pages double up to [`MAX_PAGE`].
const FIRST_PAGE: usize = 4;
/// How many entries one page asks for at most.
const MAX_PAGE: usize = 512;

/// A walk under way.
pub(super) struct Tree<'a> {
    reader: &'a Reader,
    /// The levels from the top down; the last is where the walk is.
    levels: Vec<Level>,
    backward: bool,
    pub(super) examined: u64,
}

/// The documents whose parent is one document (or the root), and what lies below them.
struct Level {
    /// Names so far: the parent's, as the keys of deeper levels begin.
    stem: Key,
    own: VecDeque<(Key, Stored)>,
    /// What of the own documents is still to be read.
    rest: KeyRange,
    page: usize,
    done: bool,
    /// The next name that has something below it, if it is known.
    deeper: Option<Key>,
    /// Where to look for it.
    beyond: KeyRange,
    exhausted: bool,
    /// What bounds the names at and below this level: what follows the parent's own name in them.
    lower: Key,
    upper: Option<Key>,
}

/// A collection id and a document id, encoded, of a key that goes on behind `stem`.
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
        // Segments begin behind END. A bound inside a name's subtree must not pass over that name.
        beyond.start.push(END + 1);
        if !lower.is_empty() {
            let whole = [stem.as_slice(), lower].concat();
            let first = name(&stem, &whole).unwrap_or_else(|| lower.to_vec());
            beyond.start = beyond.start.max([stem.as_slice(), &first].concat());
        }
        if let Some(upper) = upper {
            let whole = [stem.as_slice(), upper].concat();
            match name(&stem, &whole) {
                // A bound below a name leaves the name itself, and no bound may extend a key.
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

    /// The level below the name `deeper`, which is then behind the walk.
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
    /// A walk over what is below `parent`, from the encoded name `lower` on, up to and not including `upper`; the other
    /// way round when it goes backward.
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
        // A bound is before everything here, behind everything, or inside.
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
                // A document comes before what lies below it, and behind it in a walk backward.
                (Some(own), Some(deeper)) if if self.backward { own > deeper } else { own <= deeper } => None,
                (_, deeper) => deeper.map(<[u8]>::to_vec),
            };
            let Some(deeper) = deeper else { return Ok(level.own.pop_front()) };
            let below = level.below(&deeper, self.backward);
            self.levels.push(below);
        }
        Ok(None)
    }

    /// Makes sure that the last level knows what comes next of both kinds.
    async fn fill(&mut self) -> Result<()> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let at = self.reader.at;
        let direction = if self.backward { ScanDirection::Backward } else { ScanDirection::Forward };
        while level.own.is_empty() && !level.done {
            let scan = Scan { range: &level.rest, at, direction, limit: level.page, values: true };
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
            let scan = Scan { range: &level.beyond, at, direction, limit: 1, values: false };
            let page = self.reader.scan(&scan).await?;
            self.examined += page.examined;
            level.deeper = page.entries.first().and_then(|(key, _)| name(&level.stem, key));
            level.exhausted = level.deeper.is_none();
        }
        Ok(())
    }
}

/// What follows a parent's name in a bound; `None` when the bound lies behind everything below the parent.
fn inside_of(bound: &[u8], above: &[u8]) -> Option<Key> {
    bound.strip_prefix(above).map(<[u8]>::to_vec)
}
