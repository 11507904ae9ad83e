//! The catalog of objects: every change of visibility is one commit of an object's document together with the counters
//! of its owner's quota and of its content's references.

mod buckets;
mod filter;
mod freed;
mod glob;
mod list;
mod owners;
mod usage;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher as _};
use std::sync::Arc;

use docstore::clock::SharedClock;
use docstore::model::DocPath;
use docstore::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, MutexGuard};

use crate::blobs::{Stored, stamped_at};
use crate::meta::{ObjectMeta, Settable, contexts};
use crate::names::{BucketName, ObjectName, encode_id};
use crate::options::{Limits, Quotas};
use crate::records::{MAX_ATTEMPTS, Records, Unit, contention};

pub(crate) use buckets::{BucketRecord, Describe};
pub use filter::ContextFilter;
pub(crate) use freed::{FREED, Freed, freed_document};
pub use glob::Glob;
pub use list::{ListRequest, Listing, MAX_LIST_RESULTS};
pub use usage::Usage;

/// Lock stripes that keep commits of one owner in this process from conflicting.
const LOCK_STRIPES: usize = 64;
/// The collection of users' counters.
const USAGE: &str = "usage";
/// Time after its bytes were stored within which a content may become visible, in seconds: an hour. Much less than
/// [`crate::sweep::ORPHAN_AGE_SECONDS`], so that no orphan ever becomes visible.
pub const MAX_COMMIT_DELAY_SECONDS: u64 = 3_600;

/// The collection of contents, by checksum.
pub(crate) const CONTENTS: &str = "contents";

/// A content and how many objects have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContentRecord {
    pub(crate) key: String,
    pub(crate) size: u64,
    pub(crate) refs: u64,
}

/// An object's metadata and the key of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// The metadata.
    #[serde(flatten)]
    pub meta: ObjectMeta,
    /// Key of the bytes in the blob store.
    pub key: String,
}

/// The condition on an object's generation under which it is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Condition {
    /// The generation must be this one; 0 means that there must be no object.
    pub generation: Option<u64>,
    /// The metageneration must be this one.
    pub metageneration: Option<u64>,
    /// The generation must not be this one; 0 means that there must be an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation_not: Option<u64>,
    /// The metageneration must not be this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metageneration_not: Option<u64>,
}

impl Condition {
    pub(crate) fn check(self, object: Option<&Object>) -> Result<()> {
        let generation = object.map_or(0, |object| object.meta.generation);
        let metageneration = object.map_or(0, |object| object.meta.metageneration);
        let differs = |wanted: Option<u64>, is: u64| wanted.is_some_and(|wanted| wanted != is);
        if differs(self.generation, generation)
            || differs(self.metageneration, metageneration)
            || self.is_unchanged(object)
        {
            return Err(Error::new(
                Code::FailedPrecondition,
                "ConditionNotMet",
                "At least one of the pre-conditions you specified did not hold.",
            ));
        }
        Ok(())
    }

    /// True if the object is the very one that it must not be: a reader has it already.
    pub(crate) fn is_unchanged(self, object: Option<&Object>) -> bool {
        let generation = object.map_or(0, |object| object.meta.generation);
        let metageneration = object.map_or(0, |object| object.meta.metageneration);
        self.generation_not == Some(generation) || self.metageneration_not == Some(metageneration)
    }
}

/// The content of a new object.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Just stored under a key of its own.
    Fresh(Stored),
    /// That of another object.
    Of(Box<Object>),
}

/// An object to be made visible.
#[derive(Debug, Clone)]
pub(crate) struct NewObject {
    pub(crate) bucket: BucketName,
    pub(crate) name: ObjectName,
    pub(crate) content: Content,
    pub(crate) set: Settable,
    /// Number of objects it was composed of; `None` for one that was uploaded.
    pub(crate) components: Option<u32>,
    pub(crate) owner: Option<String>,
    /// The owner's quota does not bind administrators.
    pub(crate) unlimited: bool,
    pub(crate) condition: Condition,
    /// Generation the access policy decided on, if any; the commit fails if the object has another one.
    pub(crate) seen: Option<u64>,
}

/// The catalogue of objects.
#[derive(Debug, Clone)]
pub(crate) struct Catalog {
    pub(crate) records: Arc<dyn Records>,
    pub(crate) clock: SharedClock,
    pub(crate) limits: Limits,
    quotas: Arc<dyn Quotas>,
    locks: Arc<[Mutex<()>]>,
}

impl Catalog {
    pub(crate) fn new(
        records: Arc<dyn Records>,
        clock: SharedClock,
        limits: Limits,
        quotas: Arc<dyn Quotas>,
    ) -> Self {
        let locks = (0..LOCK_STRIPES).map(|_| Mutex::new(())).collect();
        Self { records, clock, limits, quotas, locks }
    }

    /// Owner whose quota a file of this name is charged to, apart from whoever stores it.
    pub(crate) async fn owner_of(&self, name: &ObjectName) -> Result<Option<String>> {
        self.quotas.owner_of(name).await
    }

    pub(crate) fn unit(&self) -> Unit<'_> {
        Unit::new(self.records.as_ref())
    }

    /// Keeps this process's commits for one owner in line; other processes are met by retrying.
    pub(crate) async fn lock(&self, owner: Option<&str>) -> Option<MutexGuard<'_, ()>> {
        let mut hasher = DefaultHasher::new();
        owner?.hash(&mut hasher);
        let stripe = usize::try_from(hasher.finish() % LOCK_STRIPES as u64).unwrap_or_default();
        match self.locks.get(stripe) {
            Some(lock) => Some(lock.lock().await),
            None => None,
        }
    }

    /// The object, when there is one.
    pub(crate) async fn get(&self, bucket: &BucketName, name: &ObjectName) -> Result<Option<Object>> {
        let path = name.document(bucket)?;
        let mut unit = self.unit();
        unit.load(&[&path]).await?;
        unit.get(&path)
    }

    /// Makes an object visible, replacing the previous one. Afterwards the content's own key is either in use or
    /// superfluous, because the same content was stored already (`Object::key` differs then).
    ///
    /// # Errors
    /// `ResourceExhausted` (`Quota…`), `FailedPrecondition` (`ConditionNotMet`), `Aborted` if the object changed after
    /// the access policy saw it (`Contention`).
    pub(crate) async fn place(&self, new: &NewObject) -> Result<Object> {
        let _lock = self.lock(new.owner.as_deref()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            let object = self.place_in(&mut unit, new).await?;
            if unit.commit().await? {
                return Ok(object);
            }
        }
        Err(contention())
    }

    /// The work of [`Self::place`] in a unit of the caller's.
    pub(crate) async fn place_in(&self, unit: &mut Unit<'_>, new: &NewObject) -> Result<Object> {
        let path = new.name.document(&new.bucket)?;
        let bucket = new.bucket.document()?;
        let (digests, sniffed) = match &new.content {
            Content::Fresh(stored) => {
                let media_type = stored.sniffed.media_type.map(str::to_owned);
                (stored.digests.clone(), (media_type, stored.sniffed.dimensions))
            }
            Content::Of(source) => {
                (source.meta.digests.clone(), (source.meta.sniffed.clone(), source.meta.dimensions))
            }
        };
        let content_path = content_document(&digests.sha256)?;
        unit.load(&[&path, &bucket, &content_path]).await?;
        let old: Option<Object> = unit.get(&path)?;
        new.condition.check(old.as_ref())?;
        if old.as_ref().map(|old| old.meta.generation) != new.seen {
            return Err(contention());
        }
        let content = match (unit.get::<ContentRecord>(&content_path)?, &new.content) {
            (Some(content), _) => ContentRecord { refs: content.refs + 1, ..content },
            (None, Content::Fresh(stored)) => {
                self.in_time(&stored.key)?;
                ContentRecord { key: stored.key.clone(), size: digests.size, refs: 1 }
            }
            (None, Content::Of(source)) => return Err(missing(&source.meta.bucket, &source.meta.name)),
        };
        unit.put(&content_path, &content)?;
        let mut set = new.set.clone();
        match unit.get::<BucketRecord>(&bucket)?.filter(BucketRecord::is_there) {
            Some(record) => set.storage_class = set.storage_class.or_else(|| record.storage_class()),
            None => unit.put(&bucket, &BucketRecord::new(self.clock.now()))?,
        }
        if let Some(old) = &old {
            self.release(unit, old).await?;
        }
        self.charge_file(unit, new.owner.as_deref(), new.unlimited, &digests).await?;
        let now = self.clock.now();
        contexts::stamp(&mut set.contexts, now);
        let generation = now.micros().max(old.as_ref().map_or(0, |old| old.meta.generation + 1));
        let meta = ObjectMeta {
            bucket: new.bucket.as_str().to_owned(),
            name: new.name.as_str().to_owned(),
            generation,
            metageneration: 1,
            created: generation,
            updated: generation,
            digests,
            sniffed: sniffed.0,
            dimensions: sniffed.1,
            owner: new.owner.clone(),
            components: new.components,
            set,
        };
        let object = Object { meta, key: content.key };
        unit.put(&path, &object)?;
        Ok(object)
    }

    /// Refuses a content that was stored so long ago that the sweep might take it for an orphan.
    fn in_time(&self, key: &str) -> Result<()> {
        let stored = stamped_at(key).map_or(0, docstore::model::Ts::micros);
        if self.clock.now().micros().saturating_sub(stored) < MAX_COMMIT_DELAY_SECONDS * 1_000_000 {
            Ok(())
        } else {
            Err(Error::new(Code::Unavailable, "CommitTooLate", "Storing the file took too long; retry."))
        }
    }

    /// Takes an object's content and charge back.
    pub(crate) async fn release(&self, unit: &mut Unit<'_>, old: &Object) -> Result<()> {
        let content_path = content_document(&old.meta.digests.sha256)?;
        unit.load(&[&content_path]).await?;
        match unit.get::<ContentRecord>(&content_path)? {
            Some(content) if content.refs > 1 => {
                unit.put(&content_path, &ContentRecord { refs: content.refs - 1, ..content })?;
            }
            Some(content) => {
                unit.delete(&content_path);
                self.free(unit, &content.key).await?;
            }
            None => unit.delete(&content_path),
        }
        self.credit_file(unit, old.meta.owner.as_deref(), &old.meta.digests).await
    }

    /// Changes the metadata of the object that was `seen`; `change` runs again if another writer was faster.
    ///
    /// # Errors
    /// `NotFound` (`ObjectMissing`), `FailedPrecondition` (`ConditionNotMet`), those of `change`.
    pub(crate) async fn change(
        &self,
        bucket: &BucketName,
        name: &ObjectName,
        condition: Condition,
        change: impl Fn(&mut ObjectMeta) -> Result<()>,
    ) -> Result<Object> {
        let path = name.document(bucket)?;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            unit.load(&[&path]).await?;
            let Some(mut object) = unit.get::<Object>(&path)? else {
                return Err(missing(bucket.as_str(), name.as_str()));
            };
            condition.check(Some(&object))?;
            change(&mut object.meta)?;
            object.meta.touch(self.clock.now());
            unit.put(&path, &object)?;
            if unit.commit().await? {
                return Ok(object);
            }
        }
        Err(contention())
    }

    /// Makes an object invisible.
    ///
    /// # Errors
    /// `NotFound` (`ObjectMissing`), `FailedPrecondition` (`ConditionNotMet`).
    pub(crate) async fn delete(
        &self,
        bucket: &BucketName,
        name: &ObjectName,
        condition: Condition,
    ) -> Result<Object> {
        let path = name.document(bucket)?;
        let _lock = self.lock(name.owner()).await;
        for _ in 0..MAX_ATTEMPTS {
            let mut unit = self.unit();
            unit.load(&[&path]).await?;
            let Some(old) = unit.get::<Object>(&path)? else {
                return Err(missing(bucket.as_str(), name.as_str()));
            };
            condition.check(Some(&old))?;
            self.release(&mut unit, &old).await?;
            unit.delete(&path);
            if unit.commit().await? {
                return Ok(old);
            }
        }
        Err(contention())
    }
}

/// The document of a content.
pub(crate) fn content_document(sha256: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{CONTENTS}/{sha256}"))
}

/// The document that counts a user's files with a content.
pub(crate) fn copies_document(owner: &str, sha256: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{}/contents/{sha256}", usage_document(owner)?))
}

/// The document of a user's counters.
pub(crate) fn usage_document(owner: &str) -> Result<DocPath> {
    DocPath::parse(&format!("{USAGE}/{}", encode_id(owner)))
}

/// The error for an object that is not there.
pub(crate) fn missing(bucket: &str, name: &str) -> Error {
    Error::new(Code::NotFound, "ObjectMissing", format!("No such object: {bucket}/{name}"))
}
