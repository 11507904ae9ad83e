//! Reading the bytes of files.

use std::ops::Range;

use bytes::Bytes;
use docstore::{Code, Error, Result};
use futures::{StreamExt, TryStreamExt, stream};

use super::{Files, Place};
use crate::body::ByteStream;
use crate::catalog::Object;

impl Files {
    /// The bytes of an object that was just looked up. `None` if it was replaced meanwhile and its old content is gone:
    /// look it up again. A read of the whole object ends with an error if the bytes are not those that were stored.
    ///
    /// # Errors
    /// `Unavailable` if the store fails; `DataLoss` (`FileDamaged`), midway.
    pub(crate) async fn bytes(&self, object: &Object, range: Range<u64>) -> Result<Option<ByteStream>> {
        let digests = &object.meta.digests;
        let whole = range == (0..digests.size);
        match self.blobs.read(&object.key, range).await {
            Ok(bytes) if whole => Ok(Some(verified(bytes, digests.crc32c, object.key.clone()))),
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.tag() == "BlobMissing" => {
                let place = Place::parse(&object.meta.bucket, &object.meta.name)?;
                match self.catalog.get(&place.bucket, &place.name).await? {
                    // The same object still names a content that is not there: that is a loss.
                    Some(now) if now.key == object.key => Err(error),
                    _ => Ok(None),
                }
            }
            Err(error) => Err(error),
        }
    }
}

/// A whole content on its way out.
struct Verifying {
    bytes: stream::Fuse<ByteStream>,
    key: String,
    expected: u32,
    /// Checksum of the bytes so far.
    crc32c: u32,
    /// The newest chunk, held back until there is another, or until all of them are known to be right.
    held: Option<Bytes>,
}

impl Verifying {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        while let Some(chunk) = self.bytes.try_next().await? {
            self.crc32c = crc32c::crc32c_append(self.crc32c, &chunk);
            if let Some(ready) = self.held.replace(chunk) {
                return Ok(Some((ready, self)));
            }
        }
        match self.held.take() {
            Some(_) if self.crc32c != self.expected => Err(damaged(&self.key)),
            Some(last) => Ok(Some((last, self))),
            None => Ok(None),
        }
    }
}

/// Passes on the chunks of the whole content under `key`: the last one only if all of them have the stored checksum, so
/// that damaged bytes are never taken for the complete file.
fn verified(bytes: ByteStream, expected: u32, key: String) -> ByteStream {
    let start = Verifying { bytes: bytes.fuse(), key, expected, crc32c: 0, held: None };
    stream::try_unfold(start, Verifying::next).boxed()
}

fn damaged(key: &str) -> Error {
    tracing::error!(key, "a stored file is damaged: restore it from a backup of the data folder");
    Error::new(
        Code::DataLoss,
        "FileDamaged",
        "The stored file is damaged: its bytes do not have the checksum they were stored with.",
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes the stream yields for these chunks, and whether it ends well.
    fn sent(chunks: &[Vec<u8>], expected: u32) -> (Vec<u8>, bool) {
        let chunks: Vec<Result<Bytes>> = chunks.iter().map(|chunk| Ok(Bytes::from(chunk.clone()))).collect();
        let mut bytes = verified(stream::iter(chunks).boxed(), expected, "blobs/00/key".to_owned());
        let mut all = Vec::new();
        loop {
            match futures::executor::block_on(bytes.try_next()) {
                Ok(Some(chunk)) => all.extend_from_slice(&chunk),
                Ok(None) => return (all, true),
                Err(error) => {
                    assert_eq!((error.code(), error.tag()), (Code::DataLoss, "FileDamaged"));
                    return (all, false);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_content_with_a_flipped_bit_is_never_sent_to_its_end(
            mut chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..50), 1..6),
            (which, at, bit) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..8u32),
        ) {
            let whole = chunks.concat();
            let expected = crc32c::crc32c(&whole);
            prop_assert_eq!(sent(&chunks, expected), (whole.clone(), true));
            let chunk = which.index(chunks.len());
            let at = at.index(chunks[chunk].len());
            chunks[chunk][at] ^= 1u8 << bit;
            let (found, ended) = sent(&chunks, expected);
            prop_assert!(!ended && found.len() < whole.len());
        }
    }

    #[test]
    fn an_empty_content_is_whole() {
        assert_eq!(sent(&[], 0), (Vec::new(), true));
    }
}
