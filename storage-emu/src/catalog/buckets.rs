//! Buckets: created by their first object or by name, described by administrators, deleted when empty.

use docstore::model::Ts;
use docstore::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Catalog, MAX_LIST_RESULTS};
use crate::names::{BucketName, OBJECTS};
use crate::records::{MAX_ATTEMPTS, contention};

/// The most bytes that the description of a bucket takes as JSON.
const MAX_DESCRIPTION_BYTES: usize = 64 * 1024;

/// Members that a bucket has for good.
const FIXED: [&str; 2] = ["location", "locationType"];

/// A request to make or to describe a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Describe {
    /// A new bucket.
    New,
    /// Changes the members that are given.
    Patch,
    /// Replaces all members.
    Replace,
}

/// Metadata of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BucketRecord {
    pub(crate) created: u64,
    #[serde(default)]
    pub(crate) updated: u64,
    #[serde(default)]
    pub(crate) metageneration: u64,
    /// The members that were given and mean nothing to this server, as a JSON object: labels, rules of life, and so on.
    #[serde(default)]
    description: String,
    /// Marks a deleted bucket: without it, a bucket never created could not be told from a deleted one.
    #[serde(default)]
    gone: bool,
}

impl BucketRecord {
    pub(crate) fn new(now: Ts) -> Self {
        let now = now.micros();
        Self { created: now, updated: now, metageneration: 1, description: String::new(), gone: false }
    }

    pub(crate) fn is_there(&self) -> bool {
        !self.gone
    }

    /// The members that were given.
    pub(crate) fn description(&self) -> Map<String, Value> {
        serde_json::from_str(&self.description).unwrap_or_default()
    }

    /// The class of objects for which none is named.
    pub(crate) fn storage_class(&self) -> Option<String> {
        self.description().get("storageClass")?.as_str().map(str::to_owned)
    }

    /// Takes members over; null removes one. A replacement keeps of the others only what never changes.
    fn describe(&mut self, given: &Map<String, Value>, replace: bool) -> Result<()> {
        let mut description = self.description();
        if replace {
            description.retain(|name, _| FIXED.contains(&name.as_str()));
        }
        for (name, value) in given {
            match value {
                Value::Null => _ = description.remove(name),
                Value::Object(inner) if name == "labels" => {
                    let mut labels =
                        description.remove(name).and_then(|old| old.as_object().cloned()).unwrap_or_default();
                    labels.extend(inner.clone());
                    labels.retain(|_, label| !label.is_null());
                    description.insert(name.clone(), labels.into());
                }
                value => _ = description.insert(name.clone(), value.clone()),
            }
        }
        let text = Value::Object(description).to_string();
        if text.len() > MAX_DESCRIPTION_BYTES {
            return Err(Error::invalid(
                "BucketDescription",
                format!(
                    "A bucket's metadata has {} bytes; the limit is {MAX_DESCRIPTION_BYTES}.",
                    text.len()
                ),
            ));
        }
        self.description = text;
        Ok(())
    }
}

impl Catalog {
    /// The buckets there are, those that were made or have had objects.
    pub(crate) async fn buckets(&self) -> Result<Vec<(String, BucketRecord)>> {
        let found = self.records.scan(None, "buckets", None, MAX_LIST_RESULTS).await?;
        let mut buckets = Vec::with_capacity(found.len());
        for (name, record) in found {
            let record = crate::meta::from_fields(&record.fields)?;
            let record = self.revived(&BucketName::parse(&name)?, record).await?;
            if record.is_there() {
                buckets.push((name, record));
            }
        }
        Ok(buckets)
    }

    /// Metadata of a bucket, deleted or not.
    pub(crate) async fn bucket(&self, name: &BucketName) -> Result<Option<BucketRecord>> {
        let path = name.document()?;
        let mut unit = self.unit();
        unit.load(&[&path]).await?;
        match unit.get(&path)? {
            Some(record) => self.revived(name, record).await.map(Some),
            None => Ok(None),
        }
    }

    /// A bucket that was deleted while an object was on its way into it is there.
    async fn revived(&self, name: &BucketName, record: BucketRecord) -> Result<BucketRecord> {
        if record.is_there() || self.is_empty(name).await? {
            return Ok(record);
        }
        Ok(BucketRecord { gone: false, ..record })
    }

    async fn is_empty(&self, name: &BucketName) -> Result<bool> {
        Ok(self.records.scan(Some(name.document()?), OBJECTS, None, 1).await?.is_empty())
    }

    /// Makes a bucket, or describes one that is there.
    ///
    /// # Errors
    /// `AlreadyExists` (`BucketExists`) when a new one is asked for, `InvalidArgument` (`BucketDescription`).
    pub(crate) async fn put_bucket(
        &self,
        name: &BucketName,
        given: &Map<String, Value>,
        how: Describe,
    ) -> Result<BucketRecord> {
        let path = name.document()?;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            unit.load(&[&path]).await?;
            let old = match unit.get(&path)? {
                Some(record) => Some(self.revived(name, record).await?).filter(BucketRecord::is_there),
                None => None,
            };
            if how == Describe::New && old.is_some() {
                let message =
                    "Your previous request to create the named bucket succeeded and you already own it.";
                return Err(Error::new(Code::AlreadyExists, "BucketExists", message));
            }
            let now = self.clock.now();
            let mut record = match old {
                Some(old) => BucketRecord {
                    updated: now.micros(),
                    metageneration: old.metageneration.max(1) + 1,
                    ..old
                },
                None => BucketRecord::new(now),
            };
            record.describe(given, how == Describe::Replace)?;
            unit.put(&path, &record)?;
            if unit.commit().await? {
                return Ok(record);
            }
        }
        Err(contention())
    }

    /// Deletes an empty bucket.
    ///
    /// # Errors
    /// `AlreadyExists` (`BucketNotEmpty`, the API's 409) while it has objects.
    pub(crate) async fn delete_bucket(&self, name: &BucketName) -> Result<()> {
        let path = name.document()?;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            unit.load(&[&path]).await?;
            if !self.is_empty(name).await? {
                let message = "The bucket you tried to delete is not empty.";
                return Err(Error::new(Code::AlreadyExists, "BucketNotEmpty", message));
            }
            let now = self.clock.now();
            unit.put(&path, &BucketRecord { gone: true, ..BucketRecord::new(now) })?;
            if unit.commit().await? {
                return Ok(());
            }
        }
        Err(contention())
    }
}
