//! Going through the versions of a range, block by block.

use std::ops::Bound;
use std::sync::{PoisonError, RwLockReadGuard};

use super::{FIRST, SledPicture, read_failed};
use crate::Result;
use crate::engine::ScanDirection;
use crate::engine::disk::blocks::{Cell, Entries};
use crate::engine::versions::{Found, Versions};
use crate::key::{Key, KeyRange};

impl SledPicture {
    /// The versions of a range.
    pub(super) fn walk(&self, range: &KeyRange, direction: ScanDirection, values: bool) -> Versions<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let entries = Vec::new().into_iter();
        let mut range = range.clone();
        if range.start.as_slice() < FIRST {
            range.start = FIRST.to_vec();
        }
        match direction {
            ScanDirection::Forward => {
                let blocks = None;
                Box::new(Forward {
                    block: Block { picture: self, range, values, entries, last: None },
                    blocks,
                    end: false,
                })
            }
            ScanDirection::Backward => {
                let blocks = self.blocks.range::<&[u8], _>(..range.end.as_slice()).rev();
                let block = Block { picture: self, range, values, entries, last: None };
                Box::new(Backward { block, blocks, end: false })
            }
        }
    }
}

/// The part of one block that lies in the range.
struct Block<'a> {
    picture: &'a SledPicture,
    range: KeyRange,
    values: bool,
    entries: std::vec::IntoIter<Found>,
    /// The last version read: a block being cut has versions that the next one has, too.
    last: Option<Key>,
}

impl Block<'_> {
    /// Reads a block. Returns whether it reaches beyond the range's end.
    fn read(&mut self, block: &[u8], direction: ScanDirection) -> Result<bool> {
        let mut entries = Entries::new(block);
        let mut found = Vec::new();
        let mut beyond = false;
        while let Some(cell) = entries.advance()? {
            let key = entries.key();
            if key >= self.range.end.as_slice() {
                beyond = true;
                break;
            }
            let seen = self.last.as_ref().is_some_and(|last| match direction {
                ScanDirection::Forward => key <= last.as_slice(),
                ScanDirection::Backward => key >= last.as_slice(),
            });
            if seen || key < self.range.start.as_slice() {
                continue;
            }
            let stored = if self.values { self.picture.value(key, cell)? } else { None };
            found.push(Found { physical: key.to_vec(), live: cell != Cell::Tombstone, stored });
        }
        if direction == ScanDirection::Backward {
            found.reverse();
        }
        if let Some(last) = found.last() {
            self.last = Some(last.physical.clone());
        }
        self.entries = found.into_iter();
        Ok(beyond)
    }
}

struct Forward<'a> {
    block: Block<'a>,
    /// The blocks behind the one in which the range begins, once they are needed.
    blocks: Option<sled::Iter>,
    end: bool,
}

impl Forward<'_> {
    /// Goes to the next block.
    fn advance(&mut self) -> Result<()> {
        let (picture, range) = (self.block.picture, &self.block.range);
        let block = {
            let _whole = looking(picture);
            let start = match &self.blocks {
                Some(_) => None,
                None => picture
                    .blocks
                    .range(..=range.start.as_slice())
                    .next_back()
                    .transpose()
                    .map_err(read_failed)?,
            };
            let behind = self.blocks.get_or_insert_with(|| {
                let begin = start.as_ref().map_or(FIRST, |(begin, _)| begin.as_ref());
                let behind = (Bound::Excluded(begin), Bound::Excluded(range.end.as_slice()));
                picture.blocks.range::<&[u8], _>(behind)
            });
            start.map(Ok).or_else(|| behind.next()).transpose().map_err(read_failed)?
        };
        match block {
            Some((_, block)) => self.end = self.block.read(&block, ScanDirection::Forward)?,
            None => self.end = true,
        }
        Ok(())
    }
}

/// Held while blocks are looked up, so that none is being cut meanwhile.
fn looking(picture: &SledPicture) -> RwLockReadGuard<'_, ()> {
    picture.cutting.read().unwrap_or_else(PoisonError::into_inner)
}

impl Iterator for Forward<'_> {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.block.entries.next() {
                return Some(Ok(found));
            }
            if self.end {
                return None;
            }
            if let Err(error) = self.advance() {
                self.end = true;
                return Some(Err(error));
            }
        }
    }
}

struct Backward<'a> {
    block: Block<'a>,
    blocks: std::iter::Rev<sled::Iter>,
    end: bool,
}

impl Backward<'_> {
    /// Goes to the block before.
    fn advance(&mut self) -> Result<()> {
        let block = {
            let _whole = looking(self.block.picture);
            self.blocks.next().transpose().map_err(read_failed)?
        };
        match block {
            None => self.end = true,
            Some((begin, block)) => {
                self.block.read(&block, ScanDirection::Backward)?;
                self.end = begin.as_ref() <= self.block.range.start.as_slice();
            }
        }
        Ok(())
    }
}

impl Iterator for Backward<'_> {
    type Item = Result<Found>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.block.entries.next() {
                return Some(Ok(found));
            }
            if self.end {
                return None;
            }
            if let Err(error) = self.advance() {
                self.end = true;
                return Some(Err(error));
            }
        }
    }
}
