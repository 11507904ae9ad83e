//! Record files in the log format of LevelDB: blocks of 32 KiB, records split at the end of a block, a checksum per
//! piece. Source: `doc/log_format.md` of LevelDB.

use std::io::Read;
use std::ops::Range;

/// The size of a block, in bytes.
const BLOCK: usize = 32 * 1024;
/// The size of a piece's header: checksum (4 bytes), length (2), type (1).
const HEADER: usize = 7;
/// Mask of the checksums, so that a checksum over data that contains checksums is sound.
const MASK: u32 = 0xa282_ead8;

/// Largest record that is read, in bytes: a document of 1 MiB is an entity of a few.
const MAX_RECORD: usize = 64 << 20;

const FULL: u8 = 1;
const FIRST: u8 = 2;
const MIDDLE: u8 = 3;
const LAST: u8 = 4;

/// Appends records to a buffer that starts at the beginning of its file.
#[derive(Debug, Default)]
pub(super) struct RecordWriter {
    bytes: Vec<u8>,
    /// Bytes of the file already taken out of the buffer.
    taken: usize,
}

impl RecordWriter {
    /// Appends a record.
    pub(super) fn push(&mut self, record: &[u8]) {
        let mut rest = record;
        let mut begun = false;
        loop {
            let room = BLOCK - self.len() % BLOCK;
            if room < HEADER {
                self.bytes.resize(self.bytes.len() + room, 0);
                continue;
            }
            let (piece, left) = rest.split_at(rest.len().min(room - HEADER));
            let kind = match (begun, left.is_empty()) {
                (false, true) => FULL,
                (false, false) => FIRST,
                (true, false) => MIDDLE,
                (true, true) => LAST,
            };
            self.bytes.extend(checksum(kind, piece).to_le_bytes());
            // A piece is smaller than a block, so its length fits.
            self.bytes.extend(u16::try_from(piece.len()).unwrap_or(u16::MAX).to_le_bytes());
            self.bytes.push(kind);
            self.bytes.extend(piece);
            if left.is_empty() {
                return;
            }
            (rest, begun) = (left, true);
        }
    }

    /// Length of the file so far.
    pub(super) fn len(&self) -> usize {
        self.taken + self.bytes.len()
    }

    /// Bytes appended since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.taken += self.bytes.len();
        std::mem::take(&mut self.bytes)
    }
}

/// Why a record cannot be read.
#[derive(Debug)]
pub(super) enum RecordFault {
    /// The file is damaged at this offset, in bytes.
    Damaged(u64),
    /// The disk failed.
    Disk(std::io::Error),
}

/// Reads the records of a file one after another; holds one block and one record in memory.
#[derive(Debug)]
pub(super) struct RecordReader<R> {
    file: R,
    block: Vec<u8>,
    /// Position in the block.
    at: usize,
    /// Offset of the block in the file, in bytes.
    block_at: u64,
    ended: bool,
}

impl<R: Read> RecordReader<R> {
    /// Reads `file` from its beginning.
    pub(super) fn new(file: R) -> Self {
        Self { file, block: Vec::new(), at: 0, block_at: 0, ended: false }
    }

    /// The next record; `None` at the end of the file.
    ///
    /// # Errors
    /// A record is damaged, cut off, or larger than [`MAX_RECORD`]; the disk failed.
    pub(super) fn next_record(&mut self) -> Result<Option<Vec<u8>>, RecordFault> {
        let mut record: Option<Vec<u8>> = None;
        loop {
            let Some((kind, piece)) = self.piece()? else {
                return match record {
                    None => Ok(None),
                    Some(_) => Err(self.damaged()),
                };
            };
            let piece = self.block.get(piece).unwrap_or_default();
            match (kind, record.as_mut()) {
                (FULL, None) => return Ok(Some(piece.to_vec())),
                (FIRST, None) => record = Some(piece.to_vec()),
                (MIDDLE | LAST, Some(begun)) if begun.len() + piece.len() <= MAX_RECORD => {
                    begun.extend(piece);
                    if kind == LAST {
                        return Ok(record);
                    }
                }
                _ => return Err(self.damaged()),
            }
        }
    }

    /// Type and place in the block of the next piece, checked; `None` at the end.
    fn piece(&mut self) -> Result<Option<(u8, Range<usize>)>, RecordFault> {
        loop {
            if self.block.len() - self.at < HEADER {
                // The rest of a whole block is padding; the last block of a file may be shorter.
                let torn = self.block.len() < BLOCK && self.at < self.block.len();
                if torn {
                    return Err(self.damaged());
                }
                if !self.fill().map_err(RecordFault::Disk)? {
                    return Ok(None);
                }
                continue;
            }
            let header = self.block.get(self.at..).and_then(|rest| rest.first_chunk::<HEADER>());
            let Some(&[c0, c1, c2, c3, l0, l1, kind]) = header else { return Err(self.damaged()) };
            let length = usize::from(u16::from_le_bytes([l0, l1]));
            if kind == 0 && length == 0 {
                // A preallocated block that was never filled.
                self.at = self.block.len();
                continue;
            }
            let place = self.at + HEADER..self.at + HEADER + length;
            match self.block.get(place.clone()) {
                Some(piece) if u32::from_le_bytes([c0, c1, c2, c3]) == checksum(kind, piece) => {}
                _ => return Err(self.damaged()),
            }
            self.at = place.end;
            return Ok(Some((kind, place)));
        }
    }

    /// Reads the next block. False at the end of the file.
    fn fill(&mut self) -> std::io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.block_at += self.block.len() as u64;
        (self.at, self.block) = (0, Vec::with_capacity(BLOCK));
        let read = self.file.by_ref().take(BLOCK as u64).read_to_end(&mut self.block)?;
        self.ended = read < BLOCK;
        Ok(read > 0)
    }

    fn damaged(&self) -> RecordFault {
        RecordFault::Damaged(self.block_at + self.at as u64)
    }
}

fn checksum(kind: u8, piece: &[u8]) -> u32 {
    let crc = crc32c::crc32c_append(crc32c::crc32c(&[kind]), piece);
    crc.rotate_right(15).wrapping_add(MASK)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All records; a fault as its offset.
    fn read_records(bytes: &[u8]) -> Result<Vec<Vec<u8>>, u64> {
        let mut reader = RecordReader::new(bytes);
        let mut records = Vec::new();
        loop {
            match reader.next_record() {
                Ok(Some(record)) => records.push(record),
                Ok(None) => return Ok(records),
                Err(RecordFault::Damaged(at)) => return Err(at),
                Err(RecordFault::Disk(error)) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_off_is_damaged_unless_between_two_records() {
        let mut writer = RecordWriter::default();
        writer.push(&[7; 100]);
        let first = writer.len();
        writer.push(&[8; 40_000]);
        let bytes = writer.take();
        for end in 0..bytes.len() {
            match read_records(&bytes[..end]) {
                Ok(records) if end == 0 => assert!(records.is_empty()),
                Ok(records) => assert_eq!((end, records.len()), (first, 1)),
                Err(at) => assert!(at <= end as u64, "{at} {end}"),
            }
        }
        assert_eq!(read_records(&bytes).unwrap().len(), 2);
    }

    #[test]
    fn a_known_piece_has_its_known_bytes() {
        let mut writer = RecordWriter::default();
        writer.push(b"3");
        assert_eq!(writer.take(), [0xb8, 0x6d, 0x44, 0x4e, 1, 0, 1, 0x33]);
    }

    proptest! {
        #[test]
        fn records_go_both_ways_and_damage_is_found(
            sizes in prop::collection::vec(prop::sample::select(vec![0_usize, 1, 100, 32_753, 32_754, 32_761, 70_000]), 1..6),
            at in any::<prop::sample::Index>(),
        ) {
            let records: Vec<Vec<u8>> = sizes.iter().enumerate().map(|(n, size)| vec![n as u8; *size]).collect();
            let mut writer = RecordWriter::default();
            records.iter().for_each(|record| writer.push(record));
            let mut bytes = writer.take();
            prop_assert_eq!(&read_records(&bytes).unwrap(), &records);
            let at = at.index(bytes.len());
            bytes[at] ^= 0x55;
            prop_assert!(read_records(&bytes).map_or(true, |read| read != records || bytes[at] == 0x55));
        }
    }
}
