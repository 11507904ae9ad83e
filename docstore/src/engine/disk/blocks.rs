//! Versions packed into blocks: what the picture keeps in one place.
//!
//! ```text
//! block    entries in rising order of their physical keys
//! entry    bytes shared with the key before, the rest of the key, what there is
//! what     0 nothing | 1 the value | 2 the number of the value's chunks (u16, big endian)
//! ```
//! Neighbouring keys share most of their bytes, so a block of 2 kB holds some sixty index entries.

use crate::codec::{Reader, write_bytes, write_u64};
use crate::key::Key;

/// A block that grows past this is cut, in bytes, unless it is a single entry.
pub(super) const BLOCK_BYTES: usize = 2_048;

const TOMBSTONE: u8 = 0;
const WHOLE: u8 = 1;
const CHUNKED: u8 = 2;

/// What a version has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell<'a> {
    /// Nothing: the key is gone.
    Tombstone,
    /// The value.
    Whole(&'a [u8]),
    /// A value too large for a block, kept as so many chunks.
    Chunked(u16),
}

/// Goes through a block.
pub(super) struct Entries<'a> {
    reader: Reader<'a>,
    key: Key,
}

/// A block that is not what [`Packer`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Torn;

impl<'a> Entries<'a> {
    pub(super) fn new(block: &'a [u8]) -> Self {
        Self { reader: Reader(block), key: Key::new() }
    }

    /// Goes to the next entry and says what it has; `None` at the end.
    pub(super) fn advance(&mut self) -> Result<Option<Cell<'a>>, Torn> {
        if self.reader.0.is_empty() {
            return Ok(None);
        }
        self.read().map(Some).ok_or(Torn)
    }

    /// The entry's key.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    fn read(&mut self) -> Option<Cell<'a>> {
        let shared = usize::try_from(self.reader.u64()?).ok().filter(|shared| *shared <= self.key.len())?;
        self.key.truncate(shared);
        self.key.extend_from_slice(self.reader.bytes()?);
        Some(match self.reader.byte()? {
            TOMBSTONE => Cell::Tombstone,
            WHOLE => Cell::Whole(self.reader.bytes()?),
            CHUNKED => Cell::Chunked(u16::from_be_bytes([self.reader.byte()?, self.reader.byte()?])),
            _ => return None,
        })
    }
}

/// Packs entries, which come in rising order, into blocks of about one size.
#[derive(Debug)]
pub(super) struct Packer {
    /// A block that reached this size is followed by another.
    target: usize,
    /// The blocks, each with its first key.
    blocks: Vec<(Key, Vec<u8>)>,
    last: Key,
}

impl Packer {
    /// Blocks of `target` bytes, [`BLOCK_BYTES`] at most.
    pub(super) fn new(target: usize) -> Self {
        Self { target: target.min(BLOCK_BYTES), blocks: Vec::new(), last: Key::new() }
    }

    /// Adds an entry.
    pub(super) fn push(&mut self, key: &[u8], cell: Cell<'_>) {
        let size = key.len() - shared(&self.last, key) + cell.size();
        let block = match self.blocks.last_mut() {
            Some((_, block)) if block.len() + size <= self.target => block,
            _ => {
                self.last.clear();
                self.blocks.push((key.to_vec(), Vec::with_capacity(self.target)));
                let Some((_, block)) = self.blocks.last_mut() else { return };
                block
            }
        };
        let shared = shared(&self.last, key);
        write_u64(block, shared as u64);
        write_bytes(block, &key[shared..]);
        match cell {
            Cell::Tombstone => block.push(TOMBSTONE),
            Cell::Whole(value) => {
                block.push(WHOLE);
                write_bytes(block, value);
            }
            Cell::Chunked(count) => {
                block.push(CHUNKED);
                block.extend_from_slice(&count.to_be_bytes());
            }
        }
        self.last.truncate(shared);
        self.last.extend_from_slice(&key[shared..]);
    }

    /// The blocks, each with its first key.
    pub(super) fn finish(self) -> Vec<(Key, Vec<u8>)> {
        self.blocks
    }
}

impl Cell<'_> {
    /// About how many bytes it takes in a block, with what stands before it.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Tombstone => 5,
            Self::Chunked(_) => 7,
            Self::Whole(value) => value.len() + 7,
        }
    }
}

fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    enum What {
        Tombstone,
        Whole(Vec<u8>),
        Chunked(u16),
    }

    fn whats() -> impl Strategy<Value = What> {
        prop_oneof![
            Just(What::Tombstone),
            proptest::collection::vec(any::<u8>(), 0..300).prop_map(What::Whole),
            any::<u16>().prop_map(What::Chunked),
        ]
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            entries in proptest::collection::btree_map(proptest::collection::vec(0u8..3, 0..40), whats(), 0..80),
            target in 1usize..4_000
        ) {
            let mut packer = Packer::new(target);
            for (key, what) in &entries {
                packer.push(key, match what {
                    What::Tombstone => Cell::Tombstone,
                    What::Whole(value) => Cell::Whole(value),
                    What::Chunked(count) => Cell::Chunked(*count),
                });
            }
            let mut found = BTreeMap::new();
            for (first, block) in packer.finish() {
                let mut unpacked = Entries::new(&block);
                let mut begins = true;
                while let Some(cell) = unpacked.advance().unwrap() {
                    prop_assert!(!std::mem::take(&mut begins) || unpacked.key() == first);
                    let what = match cell {
                        Cell::Tombstone => What::Tombstone,
                        Cell::Whole(value) => What::Whole(value.to_vec()),
                        Cell::Chunked(count) => What::Chunked(count),
                    };
                    prop_assert!(found.insert(unpacked.key().to_vec(), what).is_none());
                }
                // Damage is told, never a panic.
                for cut in 0..block.len() {
                    let mut torn = Entries::new(&block[..cut]);
                    while let Ok(Some(_)) = torn.advance() {}
                }
            }
            prop_assert_eq!(found, entries);
        }
    }
}
