//! Removes unreferenced data: contents of deleted objects and of uploads that never became visible, old sessions and
//! their parts, thumbnails of deleted contents.
//!
//! Safe while uploads are in flight, also of the same content: a key is never written twice, only the upload that wrote
//! it can make it visible, and only within an hour; swept data are at least a day old. A content that was a file's goes
//! a few minutes after its last file: it cannot become visible again.

use std::pin::pin;

use docstore::Result;
use futures::TryStreamExt;

use crate::blobs::{checksum_of, stamped_at};
use crate::catalog::{ContentRecord, FREED, Freed, content_document, freed_document};
use crate::files::Files;
use crate::meta::from_fields;
use crate::sessions::{SESSION_LIFE_SECONDS, Status, document};
use crate::thumbs::{self, EDGES};

/// Age from which an unreferenced key is an orphan, in seconds: a day.
pub const ORPHAN_AGE_SECONDS: u64 = 24 * 3_600;
/// Time that a content without files is kept, in seconds: who has just looked up its file can still read it.
pub const FREED_AGE_SECONDS: u64 = 300;
/// Keys examined together.
const BATCH: usize = 256;
const BATCH_DOCUMENTS: u32 = 256;

/// Things removed by a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Contents that no object has.
    pub contents: u64,
    /// Parts of uploads that are not under way.
    pub parts: u64,
    /// Thumbnails of contents that are gone.
    pub thumbs: u64,
    /// Uploads that rested too long or ended long ago.
    pub sessions: u64,
}

impl Files {
    /// Removes unreferenced data.
    ///
    /// # Errors
    /// `Unavailable` if the store fails; data removed by then stay removed.
    pub(crate) async fn sweep(&self) -> Result<Swept> {
        let sessions = self.sweep_sessions().await?;
        let parts = self.sweep_parts().await?;
        let contents = self.sweep_contents("blobs").await? + self.sweep_contents("staging").await?;
        let thumbs = self.sweep_contents("thumbs").await?;
        let freed = self.sweep_freed().await?;
        Ok(Swept { contents: contents + freed.contents, parts, thumbs: thumbs + freed.thumbs, sessions })
    }

    /// Removes contents whose files are gone for [`FREED_AGE_SECONDS`], and their thumbnails.
    ///
    /// # Errors
    /// As [`Self::sweep`].
    pub(crate) async fn sweep_freed(&self) -> Result<Swept> {
        let mut swept = Swept::default();
        let mut all = pin!(self.catalog.records.all(FREED, BATCH_DOCUMENTS).try_chunks(BATCH));
        while let Some(batch) = all.try_next().await.map_err(|stopped| stopped.1)? {
            let mut unit = self.catalog.unit();
            for (_, record) in batch {
                let freed: Freed = from_fields(&record.fields)?;
                if self.age_seconds(freed.at) < FREED_AGE_SECONDS {
                    continue;
                }
                swept.contents += u64::from(self.remove_freed(&freed.key).await?);
                swept.thumbs += self.remove_thumbs(&freed.key).await?;
                let path = freed_document(&freed.key)?;
                unit.load(&[&path]).await?;
                unit.delete(&path);
            }
            // If somebody was faster, they are gone.
            unit.commit().await?;
        }
        Ok(swept)
    }

    /// Removes a freed content; false if a file has it, which nothing should bring about.
    async fn remove_freed(&self, key: &str) -> Result<bool> {
        if self.is_referred_to("blobs", key).await? {
            tracing::warn!(key, "a content that was to be removed has a file, and stays");
            return Ok(false);
        }
        self.blobs.remove(key).await?;
        Ok(true)
    }

    /// Removes the thumbnails of a content, unless it was stored again.
    async fn remove_thumbs(&self, key: &str) -> Result<u64> {
        if self.is_referred_to("thumbs", key).await? {
            return Ok(0);
        }
        let mut removed = 0;
        for edge in EDGES {
            let Some(sha256) = checksum_of(key) else { break };
            let thumb = thumbs::key(sha256, edge);
            if self.blobs.size(&thumb).await?.is_some() {
                self.blobs.remove(&thumb).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn age_seconds(&self, micros: u64) -> u64 {
        self.catalog.clock.now().micros().saturating_sub(micros) / 1_000_000
    }

    async fn sweep_contents(&self, folder: &str) -> Result<u64> {
        let mut removed = 0;
        let mut listed = self.blobs.list(folder).try_chunks(BATCH);
        while let Some(batch) = listed.try_next().await.map_err(|stopped| stopped.1)? {
            for item in batch {
                // Thumbnails carry no time: they are remade when they were removed too early.
                let young = folder != "thumbs"
                    && stamped_at(&item.key)
                        .is_some_and(|at| self.age_seconds(at.micros()) < ORPHAN_AGE_SECONDS);
                let kept = young
                    || self.is_referred_to(folder, &item.key).await?
                    || folder == "blobs" && self.is_freed(&item.key).await?;
                if kept {
                    continue;
                }
                self.blobs.remove(&item.key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// True if a content waits for [`Self::sweep_freed`].
    async fn is_freed(&self, key: &str) -> Result<bool> {
        let path = freed_document(key)?;
        let mut unit = self.catalog.unit();
        unit.load(&[&path]).await?;
        Ok(unit.get::<Freed>(&path)?.is_some())
    }

    async fn is_referred_to(&self, folder: &str, key: &str) -> Result<bool> {
        // A staged content has no checksum in its name yet, and nothing refers to it.
        let Some(sha256) = checksum_of(key) else { return Ok(false) };
        let path = content_document(sha256)?;
        let mut unit = self.catalog.unit();
        unit.load(&[&path]).await?;
        let content: Option<ContentRecord> = unit.get(&path)?;
        Ok(content.is_some_and(|content| folder == "thumbs" || content.key == key))
    }

    async fn sweep_sessions(&self) -> Result<u64> {
        let mut removed = 0;
        let mut all = pin!(self.sessions.all());
        while let Some((id, session)) = all.try_next().await? {
            if self.age_seconds(session.updated) < SESSION_LIFE_SECONDS {
                continue;
            }
            if session.status == Status::Active {
                self.sessions.cancel(&id).await?;
                continue;
            }
            let path = document(&id)?;
            let mut unit = self.catalog.unit();
            unit.load(&[&path]).await?;
            unit.delete(&path);
            unit.commit().await?;
            removed += 1;
        }
        Ok(removed)
    }

    async fn sweep_parts(&self) -> Result<u64> {
        let mut removed = 0;
        let mut listed = self.blobs.list("parts");
        while let Some(item) = listed.try_next().await? {
            let old =
                stamped_at(&item.key).is_none_or(|at| self.age_seconds(at.micros()) >= ORPHAN_AGE_SECONDS);
            let id = item.key.split('/').nth(1).unwrap_or_default();
            let in_use = match self.sessions.get(id).await {
                Ok(session) => session.parts.iter().any(|part| part.key == item.key),
                Err(error) if error.tag() == "UploadMissing" => false,
                Err(error) => return Err(error),
            };
            if old && !in_use {
                self.blobs.remove(&item.key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}
