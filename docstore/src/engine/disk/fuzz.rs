//! Parsers of everything a start reads from disk, as functions of bytes: targets of `fuzz/` and of the bounded run in
//! the tests.

use std::sync::Arc;

use super::record;
use super::segment::{self, Binding, SegmentBytes, SegmentFormat};
use crate::engine::{Commit, Put};
use crate::model::Ts;

/// The payload of a log record: a payload that decodes must decode to the same after it is written again.
///
/// # Errors
/// A description of the violation.
pub fn log_record(data: &[u8]) -> Result<(), String> {
    let Some(commits) = record::read(data) else { return Ok(()) };
    let before = format!("{commits:?}");
    let batch = commits
        .into_iter()
        .map(|logged| {
            let commit = Commit::new(logged.prev, logged.ts, Vec::new(), logged.backfill, logged.puts);
            Arc::new(commit.by(logged.author))
        })
        .collect::<Vec<_>>();
    let mut bytes = Vec::new();
    record::write(&mut bytes, &batch, Binding::None, 0);
    let (payload, _) = record::payload(&bytes, 0, Binding::None).ok_or("what was written has no record")?;
    let after = record::read(payload).ok_or("what was written does not decode")?;
    if before == format!("{after:?}") { Ok(()) } else { Err(format!("{before} became {after:?}")) }
}

/// A log segment with one commit of the server and one that stores a user's bytes. The first two bytes of `data` give
/// the length it is cut to, the next two the damaged byte, the rest is the user's. Reading must return the commits from
/// the first on or fail; it must never return a commit that was not appended, nor one without its predecessors.
///
/// # Errors
/// A description of the violation.
pub fn log_segment(data: &[u8]) -> Result<(), String> {
    let Some(((cut, flip), user)) = split(data) else { return Ok(()) };
    // Users do not know the nonce, so `data` must not determine it.
    let mut nonce = [0; segment::NONCE_BYTES];
    for (place, byte) in nonce.iter_mut().enumerate() {
        *byte = (crc32c::crc32c(data).rotate_left(u32::try_from(place).unwrap_or(0)) & 0xff) as u8;
    }
    let mut bytes = segment::header(nonce).to_vec();
    for (ts, value) in [(1, &b"first"[..]), (2, user)] {
        let put = Put { key: vec![1; 9], value: Some(value.to_vec().into()) };
        let commit = Commit::new(Ts::from_micros(ts - 1), Ts::from_micros(ts), Vec::new(), None, vec![put]);
        let at = bytes.len();
        record::write(&mut bytes, &[Arc::new(commit)], Binding::Nonce(nonce), at);
    }
    bytes.truncate(bytes.len().saturating_sub(cut));
    if let Some(byte) = bytes.get_mut(flip) {
        *byte ^= 0xff;
    }
    let Some(mut records) = SegmentBytes::new(bytes, SegmentFormat::V2) else { return Ok(()) };
    let mut read = Vec::new();
    while let Some(commits) = records.next_record().map_err(|_| "a record of the server does not decode")? {
        read.extend(commits.iter().map(|commit| commit.ts.micros()));
    }
    let newest = Ts::from_micros(read.last().copied().unwrap_or(0));
    match read.as_slice() {
        [] | [1] | [1, 2] => {}
        other => return Err(format!("read the commits {other:?}")),
    }
    // Only the second record can lie behind an unreadable one.
    if records.is_followed(newest) && !read.is_empty() {
        return Err("a user's bytes pass for a record".to_owned());
    }
    Ok(())
}

fn split(data: &[u8]) -> Option<((usize, usize), &[u8])> {
    let (numbers, user) = data.split_first_chunk::<4>()?;
    let number = |at: usize| usize::from(u16::from_le_bytes([numbers[at], numbers[at + 1]]));
    Some(((number(0), number(2)), user))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_payload_decodes_to_something_else_than_it_is_written_as(data in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(log_record(&data), Ok(()));
        }

        #[test]
        fn no_bytes_of_users_pass_for_records(
            cut in 0u16..300, flip in any::<u16>(), user in proptest::collection::vec(any::<u8>(), 0..300), binding in any::<bool>()
        ) {
            let mut forged = user;
            let binding = if binding { Binding::None } else { Binding::Nonce([1; segment::NONCE_BYTES]) };
            let ts = Ts::from_micros(9);
            record::write(&mut forged, &[Arc::new(Commit::new(Ts::from_micros(5), ts, Vec::new(), None, Vec::new()))], binding, 0);
            let data = [&cut.to_le_bytes()[..], &flip.to_le_bytes(), &forged].concat();
            prop_assert_eq!(log_segment(&data), Ok(()));
        }
    }
}
