//! Removes unreferenced data: contents of deleted objects and of uploads that never became visible, old sessions and
//! their parts, thumbnails of deleted contents.
//!
//! Safe while uploads are in flight, also of the same content: a key is never written twice, only the upload that wrote
//! it can make it visible, and only within an hour; swept data are at least a day old.

use std::pin::pin;

use docstore::Result;
use futures::TryStreamExt;

use crate::blobs::{checksum_of, stamped_at};
use crate::catalog::{ContentRecord, content_document};
use crate::files::Files;
use crate::sessions::{SESSION_LIFE_SECONDS, Status, document};

/// Age from which an unreferenced key is an orphan, in seconds: a day.
pub const ORPHAN_AGE_SECONDS: u64 = 24 * 3_600;
/// Keys examined together.
const BATCH: usize = 256;

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
        Ok(Swept { contents, parts, thumbs, sessions })
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
                if young || self.is_referred_to(folder, &item.key).await? {
                    continue;
                }
                self.blobs.remove(&item.key).await?;
                removed += 1;
            }
        }
        Ok(removed)
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
