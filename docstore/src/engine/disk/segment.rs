//! The bytes of one log segment: a header, and records bound to the segment and to their place in it.
//!
//! ```text
//! log/<time>.seg  header, records
//! header          "TBXSEG02", nonce (16 bytes), CRC-32C of both (u32, little endian)
//! log/<time>.log  format 1: records alone, whose checksums cover the payload and nothing else
//! ```
//! In a `.seg` file a record's checksum also covers the nonce and the record's offset. Users write bytes into payloads
//! but never learn a nonce, so their bytes never pass for a record, wherever damage makes a reader look for one.

use super::record::{self, Logged, MAGIC};
use crate::model::Ts;

/// Length of a segment's nonce, in bytes.
pub(super) const NONCE_BYTES: usize = 16;
/// Magic bytes at the start of a header.
const SEGMENT_MAGIC: [u8; 8] = *b"TBXSEG02";
/// Length of a header in bytes: magic, nonce and checksum.
pub(super) const SEGMENT_HEADER: usize = SEGMENT_MAGIC.len() + NONCE_BYTES + 4;
/// File name endings, by [`Binding`].
const BOUND: &str = ".seg";
const UNBOUND: &str = ".log";

/// Format of a segment, given by its file name. A segment without commits may be followed by one of the same time and a
/// newer format, so the order of the variants is that of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SegmentFormat {
    /// Records whose checksums cover their payloads alone. Read, never written.
    V1,
    /// A header, and records bound to it.
    V2,
}

/// Parses a file name: the time before the segment's first commit, and its format.
pub(super) fn parse_name(name: &str) -> Option<(Ts, SegmentFormat)> {
    let (micros, format) = match name.strip_suffix(BOUND) {
        Some(micros) => (micros, SegmentFormat::V2),
        None => (name.strip_suffix(UNBOUND)?, SegmentFormat::V1),
    };
    Some((Ts::from_micros(micros.parse().ok()?), format))
}

/// File name of the segment that begins after `after`.
pub(super) fn name(after: Ts, format: SegmentFormat) -> String {
    let ending = match format {
        SegmentFormat::V1 => UNBOUND,
        SegmentFormat::V2 => BOUND,
    };
    format!("{:020}{ending}", after.micros())
}

/// Data that the checksums of a segment's records cover besides their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// Nothing (format 1).
    None,
    /// The segment's nonce and the record's offset.
    Nonce([u8; NONCE_BYTES]),
}

impl Binding {
    /// Checksum of a record with `payload` at byte `at` of the segment.
    pub(super) fn checksum(self, at: usize, payload: &[u8]) -> u32 {
        match self {
            Self::None => crc32c::crc32c(payload),
            Self::Nonce(nonce) => {
                let place = crc32c::crc32c_append(crc32c::crc32c(&nonce), &(at as u64).to_le_bytes());
                crc32c::crc32c_append(place, payload)
            }
        }
    }
}

/// The header of a segment of format 2.
pub(super) fn header(nonce: [u8; NONCE_BYTES]) -> [u8; SEGMENT_HEADER] {
    let mut bytes = [0; SEGMENT_HEADER];
    let (covered, checksum) = bytes.split_at_mut(SEGMENT_HEADER - 4);
    covered[..SEGMENT_MAGIC.len()].copy_from_slice(&SEGMENT_MAGIC);
    covered[SEGMENT_MAGIC.len()..].copy_from_slice(&nonce);
    checksum.copy_from_slice(&crc32c::crc32c(covered).to_le_bytes());
    bytes
}

/// A reader of a segment's records.
#[derive(Debug)]
pub(super) struct SegmentBytes {
    bytes: Vec<u8>,
    binding: Binding,
    /// Offset of the next record.
    at: usize,
}

/// A record with a valid checksum that does not decode.
#[derive(Debug)]
pub(super) struct Undecodable;

impl SegmentBytes {
    /// `None` if the header is damaged. A file truncated within its header has no records.
    pub(super) fn new(bytes: Vec<u8>, format: SegmentFormat) -> Option<Self> {
        let (binding, at) = match format {
            SegmentFormat::V2 if bytes.len() < SEGMENT_HEADER => {
                return Some(Self { bytes: Vec::new(), binding: Binding::None, at: 0 });
            }
            SegmentFormat::V1 => (Binding::None, 0),
            SegmentFormat::V2 => (Binding::Nonce(read_header(&bytes)?), SEGMENT_HEADER),
        };
        Some(Self { bytes, binding, at })
    }

    /// Binding of the records.
    pub(super) fn binding(&self) -> Binding {
        self.binding
    }

    /// End of the last record read, in bytes from the start of the segment.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next record's commits; `None` after the last whole record.
    pub(super) fn next_record(&mut self) -> Result<Option<Vec<Logged>>, Undecodable> {
        let Some((payload, next)) = record::payload(&self.bytes, self.at, self.binding) else {
            return Ok(None);
        };
        let commits = record::read(payload).ok_or(Undecodable)?;
        self.at = next;
        Ok(Some(commits))
    }

    /// True if nothing follows the last record read.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// True if a later record begins somewhere behind the last one read: the bytes between them are then damaged and
    /// not a torn tail. In format 1 user bytes may look like a record, so one counts only if its commits continue after
    /// `newest`, the last commit read.
    pub(super) fn is_followed(&self, newest: Ts) -> bool {
        let from = self.at + 1;
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.windows(MAGIC.len())
            .enumerate()
            .filter(|(_, window)| *window == MAGIC)
            .filter_map(|(offset, _)| record::payload(&self.bytes, from + offset, self.binding))
            .any(|(payload, _)| match self.binding {
                Binding::None => record::read(payload).is_some_and(|commits| continues(&commits, newest)),
                Binding::Nonce(_) => true,
            })
    }

    /// Starts again from the first record.
    pub(super) fn rewind(&mut self) {
        self.at = match self.binding {
            Binding::None => 0,
            Binding::Nonce(_) => SEGMENT_HEADER,
        };
    }
}

fn read_header(bytes: &[u8]) -> Option<[u8; NONCE_BYTES]> {
    let nonce = bytes.get(SEGMENT_MAGIC.len()..)?.first_chunk()?;
    (bytes.get(..SEGMENT_HEADER)? == header(*nonce)).then_some(*nonce)
}

/// True if the commits form a chain that continues after `newest`.
fn continues(commits: &[Logged], newest: Ts) -> bool {
    commits.first().is_some_and(|first| first.prev > newest)
        && commits.iter().all(|commit| commit.prev < commit.ts)
        && commits.windows(2).all(|pair| pair[0].ts == pair[1].prev)
}
