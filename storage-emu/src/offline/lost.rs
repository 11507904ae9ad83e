//! Files whose contents are gone, as after half a restore or a deletion by hand.

use std::collections::HashSet;
use std::pin::pin;

use docstore::Result;
use futures::TryStreamExt as _;

use crate::blobs::Blobs;
use crate::catalog::{CONTENTS, Catalog, ContentRecord, Object, content_document};
use crate::meta::from_fields;
use crate::names::{BucketName, OBJECTS};
use crate::offline::FileCatalog;
use crate::records::Record;

/// Lost files that are named; more are only counted.
const NAMED_FILES: usize = 20;
/// Buckets, contents and files read at a time.
const STEP: u32 = 500;
/// Contents asked for at once: a service across the net answers each after tens of milliseconds.
const ASKED_AT_ONCE: usize = 32;

/// The report of [`FileCatalog::lost`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LostFiles {
    /// Files in all buckets.
    pub files: u64,
    /// Files whose contents are not there.
    pub lost: u64,
    /// The first of those.
    pub named: Vec<LostFile>,
}

impl LostFiles {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.files += other.files;
        self.lost += other.lost;
        self.named.extend(other.named);
        self.named.truncate(NAMED_FILES);
    }
}

/// A file without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostFile {
    /// Its bucket.
    pub bucket: String,
    /// Its name.
    pub name: String,
    /// The key that its content had.
    pub key: String,
}

impl FileCatalog {
    /// Looks for the content of every file. Contents are not read.
    ///
    /// # Errors
    /// The database's own, and those of the blob store.
    pub async fn lost(&self, blobs: &Blobs) -> Result<LostFiles> {
        self.catalog().lost(blobs).await
    }
}

impl Catalog {
    /// As [`FileCatalog::lost`].
    pub(crate) async fn lost(&self, blobs: &Blobs) -> Result<LostFiles> {
        let lost = self.lost_contents(blobs).await?;
        let mut report = LostFiles::default();
        let mut buckets = pin!(self.records.all(None, "buckets", STEP));
        while let Some((name, _)) = buckets.try_next().await? {
            let bucket = BucketName::parse(&name)?.document()?;
            let mut files = pin!(self.records.all(Some(bucket), OBJECTS, STEP).try_chunks(STEP as usize));
            while let Some(found) = files.try_next().await.map_err(|stopped| stopped.1)? {
                self.look_through(&found, &lost, blobs, &mut report).await?;
            }
        }
        Ok(report)
    }

    /// Keys of the contents that are not there. Files share contents: each is asked for once.
    async fn lost_contents(&self, blobs: &Blobs) -> Result<HashSet<String>> {
        let contents = self.records.all(None, CONTENTS, STEP);
        contents
            .and_then(async |(_, record)| Ok(from_fields::<ContentRecord>(&record.fields)?.key))
            .map_ok(async |key| Ok(blobs.size(&key).await?.is_none().then_some(key)))
            .try_buffer_unordered(ASKED_AT_ONCE)
            .try_filter_map(async |lost| Ok(lost))
            .try_collect()
            .await
    }

    async fn look_through(
        &self,
        found: &[(String, Record)],
        lost: &HashSet<String>,
        blobs: &Blobs,
        report: &mut LostFiles,
    ) -> Result<()> {
        let files: Vec<Object> =
            found.iter().map(|(_, record)| from_fields(&record.fields)).collect::<Result<_>>()?;
        let paths = files.iter().map(|file| content_document(&file.meta.digests.sha256));
        let contents = self.records.get(paths.collect::<Result<_>>()?).await?;
        for (Object { meta, key }, content) in files.into_iter().zip(contents) {
            report.files += 1;
            let content: Option<ContentRecord> =
                content.map(|content| from_fields(&content.fields)).transpose()?;
            let is_lost = match content {
                Some(content) if content.key == key => lost.contains(&key),
                // Every file should have a record of its content; one without is found only here.
                _ => blobs.size(&key).await?.is_none(),
            };
            if is_lost {
                report.lost += 1;
                if report.named.len() < NAMED_FILES {
                    report.named.push(LostFile { bucket: meta.bucket, name: meta.name, key });
                }
            }
        }
        Ok(())
    }
}
