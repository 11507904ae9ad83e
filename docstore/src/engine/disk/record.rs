//! Log records: the encoding of one batch, and commits as they are read back.
//!
//! ```text
//! record   "TBX1", payload length (u32, little endian), CRC-32C (u32, little endian), payload. The checksum covers what
//!          the segment's [`Binding`] says, and the payload
//! payload  number of commits, then each: previous time, time, either a backfill with its index and documents or an
//!          author, keys with their values
//! ```

use std::sync::Arc;

use super::segment::Binding;
use crate::encoding::codec::{Reader, write_bytes, write_u64};
use crate::encoding::key::{DbNo, Key};
use crate::engine::{Author, Backfill, Commit, Put, Stored};
use crate::model::{DocPath, Ts};

/// Start of every record, so that one can be found behind a damaged one.
pub(super) const MAGIC: [u8; 4] = *b"TBX1";
/// Size of magic, length and checksum, in bytes.
pub(super) const HEADER: usize = 12;
/// Largest payload, in bytes; a greater length is damage.
pub(super) const MAX_PAYLOAD: usize = 512 << 20;

/// Tag of a commit's backfill or author. Early logs have only the first two.
const AUTHOR_UNKNOWN: u8 = 0;
const BACKFILL: u8 = 1;
const AUTHOR_SYSTEM: u8 = 2;
const AUTHOR_ADMIN: u8 = 3;
const AUTHOR_ANONYMOUS: u8 = 4;
const AUTHOR_USER: u8 = 5;

/// A commit as the log holds it; old versions of its documents are looked up when needed.
#[derive(Debug)]
pub(in crate::engine) struct Logged {
    pub(in crate::engine) prev: Ts,
    pub(in crate::engine) ts: Ts,
    pub(in crate::engine) author: Author,
    pub(in crate::engine) backfill: Option<Backfill>,
    pub(in crate::engine) puts: Vec<Put>,
}

/// Appends a batch's record to `out`. The record begins at byte `at` of its segment.
pub(super) fn write(out: &mut Vec<u8>, batch: &[Arc<Commit>], binding: Binding, at: usize) {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    write_u64(out, batch.len() as u64);
    for commit in batch {
        write_u64(out, commit.prev.micros());
        write_u64(out, commit.ts.micros());
        match &commit.backfill {
            None => write_author(out, &commit.author),
            Some(Backfill { index, documents }) => {
                out.push(BACKFILL);
                write_u64(out, u64::from(*index));
                write_u64(out, documents.len() as u64);
                for (database, path) in documents {
                    write_u64(out, u64::from(database.0));
                    write_bytes(out, path.as_str().as_bytes());
                }
            }
        }
        write_u64(out, commit.puts.len() as u64);
        for put in &commit.puts {
            write_put(out, &put.key, put.value.as_ref());
        }
    }
    let payload = &out[start + HEADER..];
    let (len, crc) = (u32::try_from(payload.len()).unwrap_or(u32::MAX), binding.checksum(at, payload));
    out[start..start + 4].copy_from_slice(&MAGIC);
    out[start + 4..start + 8].copy_from_slice(&len.to_le_bytes());
    out[start + 8..start + HEADER].copy_from_slice(&crc.to_le_bytes());
}

/// Appends one key and its value.
pub(super) fn write_put(out: &mut Vec<u8>, key: &[u8], value: Option<&Stored>) {
    write_bytes(out, key);
    match value {
        None => out.push(0),
        Some(value) => {
            out.push(1);
            write_bytes(out, value);
        }
    }
}

/// The payload of the record at `at` and the position of the next one; `None` if there is no whole record with a
/// matching checksum.
pub(super) fn payload(bytes: &[u8], at: usize, binding: Binding) -> Option<(&[u8], usize)> {
    let header = bytes.get(at..at.checked_add(HEADER)?)?;
    let (magic, rest) = header.split_first_chunk::<4>()?;
    let (len, crc) = rest.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok().filter(|len| *len <= MAX_PAYLOAD)?;
    let end = at + HEADER + len;
    let payload = bytes.get(at + HEADER..end)?;
    let right = *magic == MAGIC && binding.checksum(at, payload).to_le_bytes() == crc;
    right.then_some((payload, end))
}

/// The commits of a payload; `None` if [`write`] did not write it.
pub(super) fn read(payload: &[u8]) -> Option<Vec<Logged>> {
    let mut reader = Reader(payload);
    let mut commits = Vec::new();
    for _ in 0..reader.count()? {
        let (prev, ts) = (Ts::from_micros(reader.u64()?), Ts::from_micros(reader.u64()?));
        let (author, backfill) = match reader.byte()? {
            BACKFILL => (Author::System, Some(read_backfill(&mut reader)?)),
            kind => (read_author(kind, &mut reader)?, None),
        };
        let mut puts = Vec::new();
        for _ in 0..reader.count()? {
            let (key, value) = read_put(&mut reader)?;
            puts.push(Put { key, value });
        }
        commits.push(Logged { prev, ts, author, backfill, puts });
    }
    reader.0.is_empty().then_some(commits)
}

fn write_author(out: &mut Vec<u8>, author: &Author) {
    match author {
        Author::Unknown => out.push(AUTHOR_UNKNOWN),
        Author::System => out.push(AUTHOR_SYSTEM),
        Author::Admin => out.push(AUTHOR_ADMIN),
        Author::Anonymous => out.push(AUTHOR_ANONYMOUS),
        Author::User(uid) => {
            out.push(AUTHOR_USER);
            write_bytes(out, uid.as_bytes());
        }
    }
}

fn read_author(kind: u8, reader: &mut Reader<'_>) -> Option<Author> {
    Some(match kind {
        AUTHOR_UNKNOWN => Author::Unknown,
        AUTHOR_SYSTEM => Author::System,
        AUTHOR_ADMIN => Author::Admin,
        AUTHOR_ANONYMOUS => Author::Anonymous,
        AUTHOR_USER => Author::User(reader.text()?.into()),
        _ => return None,
    })
}

/// Reads one key and its value, as [`write_put`] wrote them.
pub(super) fn read_put(reader: &mut Reader<'_>) -> Option<(Key, Option<Stored>)> {
    let key = reader.bytes()?.to_vec();
    let value = match reader.byte()? {
        0 => None,
        _ => Some(Stored::from(reader.bytes()?)),
    };
    Some((key, value))
}

fn read_backfill(reader: &mut Reader<'_>) -> Option<Backfill> {
    let index = u32::try_from(reader.u64()?).ok()?;
    let mut documents = Vec::new();
    for _ in 0..reader.count()? {
        let database = DbNo(u32::try_from(reader.u64()?).ok()?);
        documents.push((database, DocPath::trusted(reader.text()?)));
    }
    Some(Backfill { index, documents })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(author: Author) -> Author {
        let (prev, ts) = (Ts::from_micros(1), Ts::from_micros(2));
        let commit = Arc::new(Commit::new(prev, ts, Vec::new(), None, Vec::new()).by(author));
        let mut bytes = Vec::new();
        write(&mut bytes, &[commit], Binding::None, 0);
        let (payload, _) = payload(&bytes, 0, Binding::None).unwrap();
        read(payload).unwrap().remove(0).author
    }

    #[test]
    fn authors_are_read_back() {
        let user = Author::User("ann".to_owned());
        for author in [Author::Unknown, Author::System, Author::Admin, user, Author::Anonymous] {
            assert_eq!(read_back(author.clone()), author);
        }
    }

    #[test]
    fn records_from_before_there_were_authors_are_read() {
        // One commit: times 1 and 2, neither backfill nor author, no keys.
        let commits = read(&[1, 1, 2, 0, 0]).unwrap();
        assert_eq!((commits[0].ts.micros(), &commits[0].author), (2, &Author::Unknown));
        assert!(read(&[1, 1, 2, 9, 0]).is_none());
    }
}
