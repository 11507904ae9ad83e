//! Record files in the log format of LevelDB: blocks of 32 KiB, records split at the end of a block, a checksum per
//! piece. Source: `doc/log_format.md` of LevelDB.

/// The size of a block, in bytes.
const BLOCK: usize = 32 * 1024;
/// The size of a piece's header: checksum (4 bytes), length (2), type (1).
const HEADER: usize = 7;
/// Mask of the checksums, so that a checksum over data that contains checksums is sound.
const MASK: u32 = 0xa282_ead8;

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

/// The records of a file; if it is damaged, the offset of the damage in bytes.
pub(super) fn read_records(bytes: &[u8]) -> Result<Vec<Vec<u8>>, usize> {
    let mut records = Vec::new();
    let mut record: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < bytes.len() {
        let room = BLOCK - at % BLOCK;
        if room < HEADER {
            at += room;
            continue;
        }
        let header = bytes.get(at..at + HEADER).ok_or(at)?;
        let (&[c0, c1, c2, c3, l0, l1, kind], length) = (header.first_chunk::<7>().ok_or(at)?, 0);
        let length = length + usize::from(u16::from_le_bytes([l0, l1]));
        if kind == 0 && length == 0 {
            // A preallocated block that was never filled.
            at += room;
            continue;
        }
        let piece = bytes.get(at + HEADER..at + HEADER + length).ok_or(at)?;
        if u32::from_le_bytes([c0, c1, c2, c3]) != checksum(kind, piece) {
            return Err(at);
        }
        match (kind, record.take()) {
            (FULL, None) => records.push(piece.to_vec()),
            (FIRST, None) => record = Some(piece.to_vec()),
            (MIDDLE, Some(mut begun)) => {
                begun.extend(piece);
                record = Some(begun);
            }
            (LAST, Some(mut begun)) => {
                begun.extend(piece);
                records.push(begun);
            }
            _ => return Err(at),
        }
        at += HEADER + length;
    }
    record.map_or(Ok(records), |_| Err(at))
}

fn checksum(kind: u8, piece: &[u8]) -> u32 {
    let crc = crc32c::crc32c_append(crc32c::crc32c(&[kind]), piece);
    crc.rotate_right(15).wrapping_add(MASK)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
