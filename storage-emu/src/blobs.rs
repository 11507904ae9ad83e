//! The bytes of files, in an object store.
//!
//! Keys: `blobs/{2 hex}/{sha256}-{stamp}` for contents, `parts/{session}/…` for uploads under way, `staging/…` for a
//! content whose checksum is not known yet, `thumbs/{2 hex}/{sha256}-{edge}.webp`. A key is written once and never
//! again: the stamp (time and a random number) distinguishes successive copies of one content, so that removing an old
//! one can never remove a new one.

mod read;
mod read_buffers;
mod scrub;
mod write;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use docstore::clock::SharedClock;
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use futures::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3ConfigKey;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    ClientConfigKey, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig,
};

use crate::body::ByteStream;
use crate::options::BlobOptions;

pub use scrub::ScrubbedBlobs;
pub(crate) use write::too_large;
pub use write::{Received, Stored};

/// The bytes of files, in an object store.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    clock: SharedClock,
    /// The documents that share the disk with the files: their log must never run out of room.
    beside: Option<docstore::Store>,
    /// True for a folder of this machine.
    folder: bool,
}

/// One stored key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The key.
    pub key: String,
    /// Length in bytes.
    pub size: u64,
}

impl Blobs {
    /// Opens the object store. Creates a local folder, and removes files half-written before a crash.
    ///
    /// # Errors
    /// `Unavailable` (`BlobsOpen`) if the folder or the service cannot be used.
    pub fn open(options: &BlobOptions, clock: SharedClock) -> Result<Self> {
        let store: Arc<dyn ObjectStore> = match options {
            BlobOptions::Memory => Arc::new(InMemory::new()),
            BlobOptions::Folder(dir) => Arc::new(folder(dir)?),
            BlobOptions::S3(s3) => Arc::new(service(s3)?),
        };
        Ok(Self { store, clock, beside: None, folder: matches!(options, BlobOptions::Folder(_)) })
    }

    /// A store of one's own, such as one that fails on purpose.
    pub fn over(store: Arc<dyn ObjectStore>, clock: SharedClock) -> Self {
        Self { store, clock, beside: None, folder: false }
    }

    /// Takes in nothing while `documents`, on the same disk, have no room.
    #[must_use]
    pub fn beside(self, documents: docstore::Store) -> Self {
        Self { beside: Some(documents), ..self }
    }

    /// True for a folder of this machine, where a read that fails is the fault of one file. A service may only be busy.
    pub const fn is_folder(&self) -> bool {
        self.folder
    }

    /// True if there is neither a content nor a part of an upload.
    ///
    /// # Errors
    /// `Unavailable` when the store fails.
    pub async fn is_empty(&self) -> Result<bool> {
        for folder in ["blobs", "parts"] {
            if self.list(folder).try_next().await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// # Errors
    /// `ResourceExhausted` (`DiskFull`) if there is no room for more.
    fn room(&self) -> Result<()> {
        match self.beside.as_ref().and_then(docstore::Store::refusal) {
            Some(reason) => Err(Error::new(Code::ResourceExhausted, "DiskFull", reason)),
            None => Ok(()),
        }
    }

    /// Reads a range of a stored key, in chunks.
    ///
    /// # Errors
    /// `NotFound` (`BlobMissing`) when the key is gone; `Unavailable` when the store fails, also midway.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<ByteStream> {
        if range.is_empty() {
            // An object store refuses empty ranges; but the key must be there all the same.
            self.store.head(&Path::from(key)).await.map_err(failed)?;
            return Ok(futures::stream::empty().boxed());
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = self.store.get_opts(&Path::from(key), options).await.map_err(failed)?;
        Ok(read::chunks(found))
    }

    /// The whole of a small stored key; `None` if there is none.
    ///
    /// # Errors
    /// `Unavailable` if the store fails.
    pub async fn read_small(&self, key: &str) -> Result<Option<Bytes>> {
        match self.store.get(&Path::from(key)).await {
            Ok(found) => Ok(Some(found.bytes().await.map_err(failed)?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(failed(source)),
        }
    }

    /// Length of a stored key in bytes; `None` if there is none.
    ///
    /// # Errors
    /// `Unavailable` if the store fails.
    pub async fn size(&self, key: &str) -> Result<Option<u64>> {
        match self.store.head(&Path::from(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(failed(source)),
        }
    }

    /// Writes a small key whole.
    ///
    /// # Errors
    /// `Unavailable` when the store fails; `ResourceExhausted` (`DiskFull`) when there is no room.
    pub async fn write_small(&self, key: &str, bytes: Bytes) -> Result<()> {
        self.room()?;
        self.store.put(&Path::from(key), PutPayload::from_bytes(bytes)).await.map_err(failed)?;
        Ok(())
    }

    /// Removes a key; that it is gone already is no error.
    ///
    /// # Errors
    /// `Unavailable` when the store fails.
    pub async fn remove(&self, key: &str) -> Result<()> {
        match self.store.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(failed(source)),
        }
    }

    /// Every key below a folder such as `blobs`, as a stream.
    pub fn list(&self, folder: &str) -> futures::stream::BoxStream<'static, Result<Listed>> {
        self.store
            .list(Some(&Path::from(folder)))
            .map_ok(|meta| Listed { key: meta.location.to_string(), size: meta.size })
            .map_err(failed)
            .boxed()
    }

    /// A new key for storing a content now.
    pub(crate) fn content_key(&self, sha256: &str) -> String {
        format!("blobs/{}/{sha256}-{}", sha256.get(..2).unwrap_or("00"), self.stamp())
    }

    /// Time and chance, in hexadecimal: `{16 digits of microseconds}{16 random digits}`.
    pub(crate) fn stamp(&self) -> String {
        format!("{:016x}{:016x}", self.clock.now().micros(), rand::random::<u64>())
    }
}

/// When a key that ends in a stamp was made.
pub(crate) fn stamped_at(key: &str) -> Option<Ts> {
    let stamp = key.rsplit(['-', '/']).next()?;
    u64::from_str_radix(stamp.get(..16)?, 16).ok().map(Ts::from_micros)
}

/// The checksum in a content's or a thumbnail's key.
pub(crate) fn checksum_of(key: &str) -> Option<&str> {
    key.rsplit('/').next()?.split_once('-').map(|(sha256, _)| sha256)
}

fn failed(source: object_store::Error) -> Error {
    match source {
        object_store::Error::NotFound { .. } => {
            Error::new(Code::NotFound, "BlobMissing", "The file's content is not there any more.")
                .with_source(source)
        }
        source => Error::new(
            Code::Unavailable,
            "BlobStore",
            "The file store does not answer: try again in a minute.",
        )
        .with_source(source),
    }
}

fn folder(dir: &std::path::Path) -> Result<object_store::local::LocalFileSystem> {
    let unusable = |source: Box<dyn std::error::Error + Send + Sync>| {
        Error::new(
            Code::Unavailable,
            "BlobsOpen",
            format!("The folder {} for files cannot be used; check that it can be written.", dir.display()),
        )
        .with_source(source)
    };
    // Nothing refers to staged contents of an earlier run.
    match std::fs::remove_dir_all(dir.join("staging")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(unusable(error.into())),
        _ => {}
    }
    std::fs::create_dir_all(dir).map_err(|source| unusable(source.into()))?;
    let store = object_store::local::LocalFileSystem::new_with_prefix(dir)
        .map_err(|source| unusable(source.into()))?;
    Ok(store.with_fsync(true))
}

/// A bucket of an S3-compatible service.
///
/// # Errors
/// `Unavailable` (`BlobsOpen`) if the settings name none.
pub fn service(options: &crate::options::S3Options) -> Result<object_store::aws::AmazonS3> {
    // Whichever part of the process installs its cryptography first wins; any provider will do.
    _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig { retry_timeout: options.waits.again, ..RetryConfig::default() };
    let mut builder = object_store::aws::AmazonS3Builder::from_env()
        .with_retry(retry)
        .with_bucket_name(&options.bucket)
        .with_region(&options.region);
    let crate::options::S3Waits { connect, answer, whole, .. } = options.waits;
    for (key, wait) in [
        (ClientConfigKey::ConnectTimeout, connect),
        (ClientConfigKey::ReadTimeout, answer),
        (ClientConfigKey::Timeout, whole),
    ] {
        builder = builder.with_config(AmazonS3ConfigKey::Client(key), format!("{}ms", wait.as_millis()));
    }
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
    }
    if let Some((id, secret)) = &options.credentials {
        builder = builder.with_access_key_id(id).with_secret_access_key(secret);
    }
    builder.build().map_err(|source| {
        Error::new(Code::Unavailable, "BlobsOpen", "The S3 service cannot be used; check its settings.")
            .with_source(source)
    })
}

#[cfg(test)]
mod tests;
