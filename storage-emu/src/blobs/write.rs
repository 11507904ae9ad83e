//! Takes in a content of unknown length and checksum, with a bounded part of it in memory.

use bytes::{Bytes, BytesMut};
use docstore::{Code, Error, Result};
use futures::StreamExt;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};

use super::{Blobs, failed};
use crate::body::ByteStream;
use crate::digest::{Digests, Hasher};
use crate::sniff::{Sniffed, Sniffer};

/// Bytes of one upload held in memory at most, beside one network chunk. Contents up to this size are written in one
/// piece; larger ones in parts of this size (S3 refuses smaller parts).
pub(crate) const PART_BYTES: usize = 5 * 1024 * 1024;

/// A content that is stored but that nothing refers to yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Key of the bytes in the blob store.
    pub key: String,
    /// Checksums and length.
    pub digests: Digests,
    /// File type and image size, detected from the bytes.
    pub sniffed: Sniffed,
}

/// Bytes received for a part of a resumable upload.
#[derive(Debug)]
pub struct Received {
    /// Bytes stored under the key; 0 if nothing is.
    pub size: u64,
    /// Why the body broke off, when it did; the bytes before are stored all the same.
    pub broken: Option<Error>,
}

/// A key being written.
struct Writer<'a> {
    blobs: &'a Blobs,
    key: String,
    held: BytesMut,
    upload: Option<Box<dyn MultipartUpload>>,
}

impl<'a> Writer<'a> {
    fn new(blobs: &'a Blobs, key: String) -> Self {
        Self { blobs, key, held: BytesMut::new(), upload: None }
    }

    async fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.held.extend_from_slice(bytes);
        while self.held.len() >= PART_BYTES {
            let part = self.held.split_to(PART_BYTES).freeze();
            self.part(part).await?;
        }
        Ok(())
    }

    async fn part(&mut self, part: Bytes) -> Result<()> {
        self.blobs.room()?;
        let upload = match &mut self.upload {
            Some(upload) => upload,
            None => {
                let path = Path::from(self.key.as_str());
                self.upload.insert(self.blobs.store.put_multipart(&path).await.map_err(failed)?)
            }
        };
        upload.put_part(PutPayload::from_bytes(part)).await.map_err(failed)
    }

    /// True while everything is still in memory.
    fn is_small(&self) -> bool {
        self.upload.is_none()
    }

    /// Writes the buffered bytes, under `key` if nothing was written yet, and makes the content durable.
    async fn finish(mut self, small_key: Option<String>) -> Result<String> {
        let held = self.held.split().freeze();
        if self.upload.is_none() {
            let key = small_key.unwrap_or(self.key);
            self.blobs.write_small(&key, held).await?;
            return Ok(key);
        }
        if !held.is_empty() {
            self.part(held).await?;
        }
        if let Some(upload) = &mut self.upload {
            upload.complete().await.map_err(failed)?;
        }
        Ok(self.key)
    }

    async fn abort(mut self) {
        if let Some(upload) = &mut self.upload
            && let Err(error) = upload.abort().await
        {
            tracing::warn!(%error, "a failed upload could not be removed; the sweep will remove it");
        }
    }
}

impl Blobs {
    /// Stores a content while computing its checksums and kind. Nothing refers to it yet.
    ///
    /// # Errors
    /// `ResourceExhausted` (`FileTooLarge`) beyond `limit` bytes; the body's and the store's own errors.
    /// Nothing is left behind then.
    pub async fn store(&self, mut body: ByteStream, limit: u64) -> Result<Stored> {
        let mut writer = Writer::new(self, format!("staging/{}", self.stamp()));
        let mut hasher = Hasher::default();
        let mut sniffer = Sniffer::default();
        while let Some(chunk) = body.next().await {
            let step = match chunk {
                Ok(chunk) if hasher.size() + chunk.len() as u64 > limit => Err(too_large(limit)),
                Ok(chunk) => {
                    hasher.update(&chunk);
                    sniffer.update(&chunk);
                    writer.push(&chunk).await
                }
                Err(error) => Err(error),
            };
            if let Err(error) = step {
                writer.abort().await;
                return Err(error);
            }
        }
        let digests = hasher.finish();
        let key = self.content_key(&digests.sha256);
        if writer.is_small() {
            writer.finish(Some(key.clone())).await?;
        } else {
            let staged = writer.finish(None).await?;
            self.store.rename(&Path::from(staged), &Path::from(key.as_str())).await.map_err(failed)?;
        }
        Ok(Stored { key, digests, sniffed: sniffer.finish() })
    }

    /// Stores bytes of an upload under way under `key`, up to `limit` of them. If the body breaks off, the bytes
    /// received so far are kept.
    ///
    /// # Errors
    /// `ResourceExhausted` (`FileTooLarge`) beyond `limit` bytes; the store's own errors. Nothing is left then.
    pub async fn receive(&self, key: &str, mut body: ByteStream, limit: u64) -> Result<Received> {
        let mut writer = Writer::new(self, key.to_owned());
        let mut size = 0_u64;
        let mut broken = None;
        while let Some(chunk) = body.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            };
            size += chunk.len() as u64;
            let step = if size > limit { Err(too_large(limit)) } else { writer.push(&chunk).await };
            if let Err(error) = step {
                writer.abort().await;
                return Err(error);
            }
        }
        if size > 0 {
            writer.finish(None).await?;
        }
        Ok(Received { size, broken })
    }
}

/// The refusal of a file that is larger than `limit` bytes.
pub(crate) fn too_large(limit: u64) -> Error {
    Error::new(
        Code::ResourceExhausted,
        "FileTooLarge",
        format!("The file is larger than the {limit} bytes that one file may have here."),
    )
}
