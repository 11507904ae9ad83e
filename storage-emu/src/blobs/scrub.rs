//! Reads every stored content and compares it with the checksum in its key.

use docstore::Result;
use futures::TryStreamExt;

use super::{Blobs, checksum_of};
use crate::digest::Hasher;

/// Damaged keys that are named; more are only counted.
const NAMED_KEYS: usize = 20;

/// The report of [`Blobs::scrub`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScrubbedBlobs {
    /// Contents read.
    pub contents: u64,
    /// Their lengths together, in bytes.
    pub bytes: u64,
    /// Contents whose bytes do not have the checksum they were stored with.
    pub damaged: u64,
    /// The keys of the first of those.
    pub named: Vec<String>,
}

impl Blobs {
    /// Reads all contents, one after another. Nothing is changed.
    ///
    /// # Errors
    /// `Unavailable` if the store fails.
    pub async fn scrub(&self) -> Result<ScrubbedBlobs> {
        let mut report = ScrubbedBlobs::default();
        let mut listed = self.list("blobs");
        while let Some(item) = listed.try_next().await? {
            let mut hasher = Hasher::default();
            let mut bytes = self.read(&item.key, 0..item.size).await?;
            while let Some(chunk) = bytes.try_next().await? {
                hasher.update(&chunk);
            }
            report.contents += 1;
            report.bytes += hasher.size();
            if checksum_of(&item.key) != Some(hasher.finish().sha256.as_str()) {
                report.damaged += 1;
                if report.named.len() < NAMED_KEYS {
                    report.named.push(item.key);
                }
            }
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use docstore::clock::SystemClock;

    use super::*;
    use crate::options::BlobOptions;

    #[tokio::test]
    async fn a_content_of_other_bytes_than_its_key_says_is_named() {
        let blobs = Blobs::open(&BlobOptions::Memory, Arc::new(SystemClock)).unwrap();
        for (stored, said) in [("a", "a"), ("", ""), ("b", "c")] {
            let mut hasher = Hasher::default();
            hasher.update(said.as_bytes());
            let key = blobs.content_key(&hasher.finish().sha256);
            blobs.write_small(&key, Bytes::from(stored)).await.unwrap();
        }
        let report = blobs.scrub().await.unwrap();
        assert_eq!((report.contents, report.bytes, report.damaged), (3, 2, 1));
        let mut hasher = Hasher::default();
        hasher.update(b"c");
        assert!(report.named[0].contains(&hasher.finish().sha256), "{report:?}");
    }
}
