//! The contents of a batch in the shared log, and what a node's copy keeps of its place.
//!
//! ```text
//! payload  version (1), flags (bit 0: the leader leaves its term with this batch), a record as in a node's own log
//! place    cluster (16 bytes), batch (16 bytes), flags
//! ```
//! PostgreSQL compresses payloads by itself where that helps.

use std::sync::Arc;

use bytes::Bytes;

use super::{BatchId, ClusterId};
use crate::engine::Commit;
use crate::engine::disk::record::Logged;
use crate::engine::disk::{decode_batch, encode_batch};
use crate::{Code, Error, Result};

/// Version of payloads that is written, and the only one that is read.
const VERSION: u8 = 1;
/// Flag: the leader leaves its term with this batch, so that another one need not wait.
const LEAVES: u8 = 1;

/// A batch as it is read back.
pub(super) struct Contents {
    pub(super) commits: Vec<Logged>,
    /// The leader left its term with this batch.
    pub(super) leaves: bool,
}

/// Encodes a batch.
pub(super) fn encode(batch: &[Arc<Commit>], leaves: bool) -> Bytes {
    let mut out = vec![VERSION, u8::from(leaves) * LEAVES];
    encode_batch(batch, &mut out);
    out.into()
}

/// Decodes a batch.
///
/// # Errors
/// `FailedPrecondition` (`BatchVersion`) for one of a newer program; `DataLoss` for one that no program wrote.
pub(super) fn decode(payload: &[u8]) -> Result<Contents> {
    match payload {
        [VERSION, flags, record @ ..] => {
            let commits = decode_batch(record).filter(|commits| !commits.is_empty()).ok_or_else(damaged)?;
            Ok(Contents { commits, leaves: flags & LEAVES != 0 })
        }
        [newer, ..] if *newer > VERSION => Err(Error::new(
            Code::FailedPrecondition,
            "BatchVersion",
            format!(
                "the shared store has commits of a newer Tuckbox (version {newer} of their format; this one reads version \
                 {VERSION}): use the program that wrote them, or a newer one"
            ),
        )),
        _ => Err(damaged()),
    }
}

fn damaged() -> Error {
    Error::new(
        Code::DataLoss,
        "BatchDamaged",
        "the shared store has a batch of commits that this program did not write: restore the database from a backup",
    )
}

/// The origin of a copy, and its last batch; the time is that of the copy's newest commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopyPlace {
    pub(super) cluster: ClusterId,
    pub(super) batch: BatchId,
    pub(super) leaves: bool,
}

impl CopyPlace {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.cluster.0.to_be_bytes().to_vec();
        bytes.extend(self.batch.0.to_be_bytes());
        bytes.push(u8::from(self.leaves) * LEAVES);
        bytes
    }

    /// `None` if the bytes are no place.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (cluster, rest) = bytes.split_first_chunk::<16>()?;
        let (batch, rest) = rest.split_first_chunk::<16>()?;
        let [flags] = rest else { return None };
        let (cluster, batch) =
            (ClusterId(u128::from_be_bytes(*cluster)), BatchId(u128::from_be_bytes(*batch)));
        Some(Self { cluster, batch, leaves: flags & LEAVES != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Ts;

    #[test]
    fn batches_and_places_are_read_back() {
        let commit = Commit::new(Ts::from_micros(1), Ts::from_micros(5), Vec::new(), None, Vec::new());
        for leaves in [false, true] {
            let contents = decode(&encode(&[Arc::new(commit.clone())], leaves)).unwrap();
            assert_eq!((contents.commits[0].ts, contents.leaves), (commit.ts, leaves));
            let place = CopyPlace { cluster: ClusterId(7), batch: BatchId(u128::MAX), leaves };
            assert_eq!(CopyPlace::from_bytes(&place.to_bytes()), Some(place));
        }
        assert_eq!(CopyPlace::from_bytes(&[0; 32]), None);
    }

    #[test]
    fn what_cannot_be_read_is_told_apart() {
        let whole = encode(
            &[Arc::new(Commit::new(Ts::ZERO, Ts::from_micros(5), Vec::new(), None, Vec::new()))],
            false,
        );
        let tag = |bytes: &[u8]| decode(bytes).map_or_else(|error| error.tag(), |_| "fine");
        assert_eq!(tag(&whole), "fine");
        assert_eq!(tag(&[&[2], &whole[1..]].concat()), "BatchVersion");
        for bad in [
            &whole[..whole.len() - 1],
            &whole[..1],
            b"",
            &[&whole[..], b"x"].concat(),
            &[&[0], &whole[1..]].concat(),
        ] {
            assert_eq!(tag(bad), "BatchDamaged");
        }
    }
}
