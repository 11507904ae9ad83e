//! Files whose contents are gone, as after half a restore or a deletion by hand.

use docstore::Result;

use crate::blobs::Blobs;
use crate::catalog::Object;
use crate::meta::from_fields;
use crate::names::{BucketName, OBJECTS};
use crate::offline::FileCatalog;

/// Lost files that are named; more are only counted.
const NAMED_FILES: usize = 20;
/// Buckets and files read at a time.
const STEP: u32 = 500;

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
        let mut report = LostFiles::default();
        let mut from = None;
        loop {
            let buckets = self.catalog().records.scan(None, "buckets", from, STEP).await?;
            let Some((last, _)) = buckets.last() else { return Ok(report) };
            from = Some(format!("{last}\u{1}"));
            for (name, _) in &buckets {
                self.look_through(&BucketName::parse(name)?, blobs, &mut report).await?;
            }
        }
    }

    async fn look_through(&self, bucket: &BucketName, blobs: &Blobs, report: &mut LostFiles) -> Result<()> {
        let mut from = None;
        loop {
            let found = self.catalog().records.scan(Some(bucket.document()?), OBJECTS, from, STEP).await?;
            let Some((last, _)) = found.last() else { return Ok(()) };
            from = Some(format!("{last}\u{1}"));
            for (_, record) in &found {
                let Object { meta, key } = from_fields(&record.fields)?;
                report.files += 1;
                if blobs.size(&key).await?.is_some() {
                    continue;
                }
                report.lost += 1;
                if report.named.len() < NAMED_FILES {
                    report.named.push(LostFile { bucket: meta.bucket, name: meta.name, key });
                }
            }
        }
    }
}
