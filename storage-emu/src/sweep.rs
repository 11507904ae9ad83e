//! Removes unreferenced data: contents of deleted objects and of uploads that never became visible, old sessions and
//! their parts, thumbnails of deleted contents.
//!
//! Safe while uploads are in flight, also of the same content: a key is never written twice, only the upload that wrote
//! it can make it visible, and only within an hour; swept data are at least a day old. A content that was a file's goes
//! a few minutes after its last file: it cannot become visible again.

use std::pin::pin;

use docstore::{Error, Result};
use futures::TryStreamExt;

use crate::blobs::{checksum_of, stamped_at};
use crate::catalog::{ContentRecord, FREED, Freed, content_document, freed_document};
use crate::files::Files;
use crate::meta::from_fields;
use crate::records::{Record, Unit};
use crate::sessions::{SESSION_LIFE_SECONDS, Status, document};
use crate::thumbs::{self, EDGES};

/// Age from which an unreferenced key is an orphan, in seconds: a day.
pub const ORPHAN_AGE_SECONDS: u64 = 24 * 3_600;
/// Time that a content without files is kept, in seconds: who has just looked up its file can still read it.
pub const FREED_AGE_SECONDS: u64 = 300;
/// Keys examined together.
const BATCH: usize = 256;
const BATCH_DOCUMENTS: u32 = 256;
/// Failures in a row after which the sweep asks whether the service answers at all: if it does not, each further one costs a
/// long wait. One that answers may hold these contents, by a retention period for instance.
const FAILURES_IN_A_ROW: usize = 8;

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

/// Keys that a sweep could not remove. It goes on behind each, and the next one tries again.
#[derive(Debug, Default)]
struct Failures {
    count: u64,
    in_a_row: usize,
    /// The first key and its fault.
    first: Option<(String, Error)>,
}

impl Failures {
    /// Notes the fault of a key.
    fn add(&mut self, key: &str, error: Error) {
        self.count += 1;
        self.first.get_or_insert_with(|| (key.to_owned(), error));
    }

    /// One line for all of them.
    fn log(&self) {
        if let Some((key, error)) = &self.first {
            let (count, source) = (self.count, std::error::Error::source(error));
            tracing::warn!(key, %error, ?source, count, "keys could not be removed, this one first; the next sweep tries again");
        }
    }
}

impl Files {
    /// Removes unreferenced data.
    ///
    /// # Errors
    /// `Unavailable` if the store fails; data removed by then stay removed.
    pub(crate) async fn sweep(&self) -> Result<Swept> {
        let sessions = self.sweep_sessions().await?;
        let mut failures = Failures::default();
        let swept = self.sweep_keys(&mut failures).await;
        failures.log();
        Ok(Swept { sessions, ..swept? })
    }

    async fn sweep_keys(&self, failures: &mut Failures) -> Result<Swept> {
        let parts = self.sweep_parts(failures).await?;
        let mut contents = self.sweep_contents("blobs", failures).await?;
        contents += self.sweep_contents("staging", failures).await?;
        let thumbs = self.sweep_contents("thumbs", failures).await?;
        let freed = self.sweep_freed_with(failures).await?;
        Ok(Swept { contents: contents + freed.contents, parts, thumbs: thumbs + freed.thumbs, sessions: 0 })
    }

    /// Removes a key; false if that failed.
    ///
    /// # Errors
    /// `Unavailable` if a service failed [`FAILURES_IN_A_ROW`] times and does not answer.
    async fn remove(&self, key: &str, failures: &mut Failures) -> Result<bool> {
        let Err(error) = self.blobs.remove(key).await else {
            failures.in_a_row = 0;
            return Ok(true);
        };
        failures.in_a_row += 1;
        if failures.in_a_row >= FAILURES_IN_A_ROW && !self.blobs.is_folder() {
            self.blobs.size(key).await?;
            failures.in_a_row = 0;
        }
        failures.add(key, error);
        Ok(false)
    }

    /// Removes contents whose files are gone for [`FREED_AGE_SECONDS`], and their thumbnails.
    ///
    /// # Errors
    /// As [`Self::sweep`].
    pub(crate) async fn sweep_freed(&self) -> Result<Swept> {
        let mut failures = Failures::default();
        let swept = self.sweep_freed_with(&mut failures).await;
        failures.log();
        swept
    }

    async fn sweep_freed_with(&self, failures: &mut Failures) -> Result<Swept> {
        let mut swept = Swept::default();
        let mut all = pin!(self.catalog.records.all(None, FREED, BATCH_DOCUMENTS).try_chunks(BATCH));
        while let Some(batch) = all.try_next().await.map_err(|stopped| stopped.1)? {
            let batch = self.old_enough(&batch, failures);
            let mut unit = self.catalog.unit();
            let contents = batch.iter().filter_map(|freed| checksum_of(&freed.key)).map(content_document);
            let paths = batch.iter().map(|freed| freed_document(&freed.key));
            let all: Vec<_> = contents.chain(paths).collect::<Result<_>>()?;
            unit.load(&all.iter().collect::<Vec<_>>()).await?;
            for freed in batch {
                if self.remove_freed(&freed.key, &unit, &mut swept, failures).await? {
                    unit.delete(&freed_document(&freed.key)?);
                }
            }
            // If somebody was faster, they are gone.
            unit.commit().await?;
        }
        Ok(swept)
    }

    fn old_enough(&self, batch: &[(String, Record)], failures: &mut Failures) -> Vec<Freed> {
        let mut old = Vec::new();
        for (id, record) in batch {
            match from_fields::<Freed>(&record.fields) {
                Ok(freed) if self.age_seconds(freed.at) >= FREED_AGE_SECONDS => old.push(freed),
                Ok(_young) => {}
                Err(error) => failures.add(id, error),
            }
        }
        old
    }

    /// Removes a freed content and its thumbnails, and is true if nothing is left of it to remove. `unit` has read what is
    /// stored of its bytes.
    async fn remove_freed(
        &self,
        key: &str,
        unit: &Unit<'_>,
        swept: &mut Swept,
        failures: &mut Failures,
    ) -> Result<bool> {
        let Some(sha256) = checksum_of(key) else {
            tracing::warn!(key, "a key recorded for removal is not the key of a content, and stays");
            return Ok(true);
        };
        let stored: Option<ContentRecord> = unit.get(&content_document(sha256)?)?;
        if stored.as_ref().is_some_and(|content| content.key == key) {
            // Nothing should bring this about.
            tracing::warn!(key, "a content that was to be removed has a file, and stays");
            return Ok(true);
        }
        if !self.remove(key, failures).await? {
            return Ok(false);
        }
        swept.contents += 1;
        // If the same bytes are stored again, the thumbnails are theirs.
        if stored.is_none() {
            for thumb in EDGES.map(|edge| thumbs::key(sha256, edge)) {
                if self.blobs.size(&thumb).await?.is_some() {
                    swept.thumbs += u64::from(self.remove(&thumb, failures).await?);
                }
            }
        }
        Ok(true)
    }

    fn age_seconds(&self, micros: u64) -> u64 {
        self.catalog.clock.now().micros().saturating_sub(micros) / 1_000_000
    }

    async fn sweep_contents(&self, folder: &str, failures: &mut Failures) -> Result<u64> {
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
                removed += u64::from(self.remove(&item.key, failures).await?);
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

    async fn sweep_parts(&self, failures: &mut Failures) -> Result<u64> {
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
                removed += u64::from(self.remove(&item.key, failures).await?);
            }
        }
        Ok(removed)
    }
}
