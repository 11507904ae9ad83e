//! Thumbnails: made once per content and size by a bounded pool of workers, then stored beside the content.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use docstore::{Code, Error, Result};
use futures::TryStreamExt;
use image::{DynamicImage, ImageReader, Limits};
use tokio::sync::Semaphore;

use crate::blobs::Blobs;
use crate::catalog::Object;

/// Permitted lengths of a thumbnail's longer edge, in pixels.
pub const EDGES: [u32; 5] = [64, 128, 256, 512, 1024];
/// Images decoded at once.
pub const WORKERS: usize = 2;
/// Requests that may wait for a thumbnail; more are told to retry.
pub const MAX_WAITING: u32 = 256;
/// The largest source file of a thumbnail, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 48 << 20;
/// The most memory one decoding may take, in bytes.
pub const MAX_DECODE_BYTES: u64 = 320 << 20;
/// WebP quality, 0 to 100.
const QUALITY: f32 = 80.0;

/// Makes and stores thumbnails.
#[derive(Debug, Clone)]
pub(crate) struct Thumbs {
    blobs: Blobs,
    workers: Arc<Semaphore>,
    waiting: Arc<AtomicU32>,
    max_pixels: u64,
}

impl Thumbs {
    pub(crate) fn new(blobs: Blobs, max_pixels: u64) -> Self {
        let workers = Arc::new(Semaphore::new(WORKERS));
        Self { blobs, workers, waiting: Arc::default(), max_pixels }
    }

    /// The thumbnail of an object as WebP, whose longer edge has `edge` pixels (fewer for a smaller image).
    ///
    /// # Errors
    /// `InvalidArgument` (`ThumbSize`, `ThumbNotImage`), `Unavailable` (`ThumbsBusy`) if too many requests wait.
    pub(crate) async fn get(&self, object: &Object, edge: u32) -> Result<Bytes> {
        if !EDGES.contains(&edge) {
            return Err(Error::invalid("ThumbSize", format!("A thumbnail's size must be one of {EDGES:?}.")));
        }
        let digests = &object.meta.digests;
        let decodable = matches!(
            object.meta.sniffed.as_deref(),
            Some("image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp")
        );
        let pixels = object.meta.dimensions.map_or(u64::MAX, crate::sniff::Dimensions::pixels);
        if !decodable || digests.size > MAX_SOURCE_BYTES || pixels > self.max_pixels {
            return Err(not_image());
        }
        let key = key(&digests.sha256, edge);
        if let Some(made) = self.blobs.read_small(&key).await? {
            return Ok(made);
        }
        let _waiting = Waiting::enter(&self.waiting)?;
        let _worker =
            self.workers.acquire().await.map_err(|source| {
                Error::internal("ThumbsClosed", "No thumbnails are made any more.", source)
            })?;
        // A request that waited before this one may have made it.
        if let Some(made) = self.blobs.read_small(&key).await? {
            return Ok(made);
        }
        let chunks: Vec<Bytes> = self.blobs.read(&object.key, 0..digests.size).await?.try_collect().await?;
        let source = chunks.concat();
        let made = tokio::task::spawn_blocking(move || make(&source, edge))
            .await
            .map_err(|source| Error::internal("ThumbWorker", "The thumbnail could not be made.", source))??;
        self.blobs.write_small(&key, made.clone()).await?;
        Ok(made)
    }
}

/// Key of a content's thumbnail in the blob store.
pub(crate) fn key(sha256: &str, edge: u32) -> String {
    format!("thumbs/{}/{sha256}-{edge}.webp", sha256.get(..2).unwrap_or("00"))
}

struct Waiting<'a>(&'a AtomicU32);

impl<'a> Waiting<'a> {
    fn enter(count: &'a AtomicU32) -> Result<Self> {
        let entered = Self(count);
        if count.fetch_add(1, Ordering::SeqCst) >= MAX_WAITING {
            return Err(Error::new(
                Code::Unavailable,
                "ThumbsBusy",
                "Too many thumbnails are being made; retry.",
            ));
        }
        Ok(entered)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn not_image() -> Error {
    Error::invalid(
        "ThumbNotImage",
        "There is no thumbnail of this file: it is not a PNG, JPEG, GIF, WebP or BMP image, or too large.",
    )
}

fn make(source: &[u8], edge: u32) -> Result<Bytes> {
    let unreadable = |source: image::ImageError| {
        Error::invalid("ThumbUnreadable", "The image cannot be decoded.").with_source(source)
    };
    let mut reader = ImageReader::new(Cursor::new(source))
        .with_guessed_format()
        .map_err(|source| unreadable(image::ImageError::IoError(source)))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODE_BYTES);
    reader.limits(limits);
    let image = reader.decode().map_err(unreadable)?;
    let small = if image.width().max(image.height()) > edge { image.thumbnail(edge, edge) } else { image };
    let encoded = match small {
        DynamicImage::ImageRgb8(_) => encode(&small),
        other if other.color().has_alpha() => encode(&DynamicImage::ImageRgba8(other.to_rgba8())),
        other => encode(&DynamicImage::ImageRgb8(other.to_rgb8())),
    };
    encoded.map(Bytes::from)
}

fn encode(image: &DynamicImage) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let encoder = match image {
        DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels.as_raw(), width, height),
        DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels.as_raw(), width, height),
        _ => return Err(not_image()),
    };
    let encoded = encoder.encode_simple(false, QUALITY).map_err(|error| {
        Error::internal("ThumbEncode", "The thumbnail could not be encoded.", format!("{error:?}"))
    })?;
    Ok(encoded.to_vec())
}
