//! Every document below a parent, in the order of names, whatever collections it is in.
//!
//! Storage keeps a parent's own documents together and those deeper down behind them, so neither order is the other's.
//! A walk therefore merges, at every level, the level's own documents with the names that have something below them:
//! two short reads a level, and no document is read that is not asked for.

use std::collections::VecDeque;

use crate::Result;
use crate::engine::{Engine, Scan, ScanDirection, Stored};
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
    /// What bounds the names at and below this level from below: what follows the parent's own name in them.
    lower: Key,
}

/// A collection id and a document id, encoded, of a key that goes on behind `stem`.
fn name(stem: &[u8], key: &[u8]) -> Option<Key> {
    let tail = key.get(stem.len()..)?;
    let (_, rest) = read_segment(tail)?;
    let (_, rest) = read_segment(rest)?;
    Some(tail[..tail.len() - rest.len()].to_vec())
}

impl Level {
    fn new(stem: Key, lower: &[u8]) -> Self {
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
        let (own, page) = (VecDeque::new(), FIRST_PAGE);
        Self {
            stem,
            own,
            rest,
            page,
            done: false,
            deeper: None,
            beyond,
            exhausted: false,
            lower: lower.to_vec(),
        }
    }

    /// The level below the name `deeper`.
    fn below(&mut self, deeper: &[u8]) -> Self {
        let stem = [self.stem.as_slice(), deeper].concat();
        self.beyond.start = successor(&stem);
        self.deeper = None;
        Self::new(stem, self.lower.strip_prefix(deeper).unwrap_or_default())
    }
}

impl<'a> Tree<'a> {
    /// A walk over what is below `parent`, from the encoded name `lower` on.
    pub(super) fn new(
        reader: &'a Reader,
        database: DbNo,
        parent: Option<&DocPath>,
        lower: Option<&[u8]>,
    ) -> Self {
        let stem = below_prefix(database, parent);
        let mut above = Key::new();
        if let Some(parent) = parent {
            push_path(&mut above, parent.as_str());
        }
        let levels = match lower {
            // The bound is before everything here, behind everything, or inside.
            Some(lower) if lower <= above.as_slice() => vec![Level::new(stem, &[])],
            Some(lower) => match lower.strip_prefix(above.as_slice()) {
                Some(lower) => vec![Level::new(stem, lower)],
                None => Vec::new(),
            },
            None => vec![Level::new(stem, &[])],
        };
        Self { reader, levels, examined: 0 }
    }

    /// The next document, in the order of names.
    pub(super) async fn next(&mut self) -> Result<Option<(Key, Stored)>> {
        while !self.levels.is_empty() {
            self.fill().await?;
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            let own = level.own.front().map(|(key, _)| &key[level.stem.len() + 1..]);
            match (own, level.deeper.as_deref()) {
                (None, None) => drop(self.levels.pop()),
                (Some(own), Some(deeper)) if own <= deeper => return Ok(level.own.pop_front()),
                (Some(_), None) => return Ok(level.own.pop_front()),
                (_, Some(deeper)) => {
                    let deeper = deeper.to_vec();
                    let below = level.below(&deeper);
                    self.levels.push(below);
                }
            }
        }
        Ok(None)
    }

    /// Makes sure that the last level knows what comes next of both kinds.
    async fn fill(&mut self) -> Result<()> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let (at, direction) = (self.reader.at, ScanDirection::Forward);
        while level.own.is_empty() && !level.done {
            let scan = Scan { range: &level.rest, at, direction, limit: level.page, values: true };
            let page = self.reader.engine.scan(&scan).await?;
            self.examined += page.examined;
            level.page = (level.page * 2).min(MAX_PAGE);
            level.done = page.done;
            if let Some((last, _)) = page.entries.last() {
                level.rest.start = successor(last);
            } else {
                level.done = true;
            }
            level.own.extend(page.entries);
        }
        if level.deeper.is_none() && !level.exhausted {
            let scan = Scan { range: &level.beyond, at, direction, limit: 1, values: false };
            let page = self.reader.engine.scan(&scan).await?;
            self.examined += page.examined;
            level.deeper = page.entries.first().and_then(|(key, _)| name(&level.stem, key));
            level.exhausted = level.deeper.is_none();
        }
        Ok(())
    }
}
