//! File storage, ready to serve.

use std::sync::Arc;
use std::time::Duration;

use docstore::access::{Authenticator, Caller, Mode};
use docstore::model::DatabaseId;
use docstore::{Code, Error, Result};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use crate::blobs::Blobs;
use crate::catalog::{Catalog, Condition, ListRequest, Usage};
use crate::files::{Files, Place};
use crate::http::incoming::Incoming;
use crate::meta::ObjectMeta;
use crate::names::{BucketName, ObjectName};
use crate::options::{BlobOptions, StorageOptions};
use crate::records::Records;
use crate::records::database::DatabaseRecords;
use crate::sessions::Sessions;
use crate::sweep::Swept;
use crate::thumbs::Thumbs;

/// The reserved database that holds file metadata. The wire refuses names like it.
pub const DATABASE: &str = "__storage__";

/// Interval between sweeps of unreferenced data.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(3_600);

/// Interval between removals of contents whose files were deleted. With [`crate::sweep::FREED_AGE_SECONDS`] they are gone
/// within ten minutes.
pub const FREED_INTERVAL: Duration = Duration::from_secs(120);

/// File storage, ready to serve. Clones are the same storage.
#[derive(Clone)]
pub struct StorageState {
    pub(crate) files: Files,
    pub(crate) thumbs: Thumbs,
    authenticator: Arc<dyn Authenticator>,
    project: Arc<str>,
    /// Held for writing by a sweep, and for reading by who needs every content.
    sweeping: Arc<RwLock<()>>,
}

impl std::fmt::Debug for StorageState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StorageState").field("project", &self.project).finish_non_exhaustive()
    }
}

impl StorageState {
    /// Opens file storage.
    ///
    /// # Errors
    /// `Unavailable` (`BlobsOpen`) when the folder or service for files cannot be used.
    pub fn new(options: StorageOptions) -> Result<Self> {
        let mut blobs = Blobs::open(&options.blobs, options.clock.clone())?;
        if matches!(options.blobs, BlobOptions::Folder(_)) {
            blobs = blobs.beside(options.store.clone());
        }
        let database = options.store.database(&DatabaseId::new(&options.project, DATABASE));
        let parts = Parts {
            project: options.project,
            mode: options.mode,
            active_svg: options.active_svg,
            clock: options.clock,
            authenticator: options.authenticator,
            access: options.access,
            limits: options.limits,
            quotas: options.quotas.unwrap_or_else(|| Arc::new(options.limits)),
        };
        Ok(Self::assemble(Arc::new(DatabaseRecords(database)), blobs, parts))
    }

    /// File storage over documents and bytes of one's own, such as ones that fail on purpose.
    pub(crate) fn assemble(records: Arc<dyn Records>, blobs: Blobs, parts: Parts) -> Self {
        let catalog = Catalog::new(records, parts.clock, parts.limits, parts.quotas);
        let sessions = Sessions { catalog: catalog.clone(), blobs: blobs.clone() };
        let thumbs = Thumbs::new(blobs.clone(), parts.limits.image_pixels);
        let Parts { access, mode, active_svg, .. } = parts;
        let files = Files { catalog, blobs, sessions, access, mode, active_svg };
        Self {
            files,
            thumbs,
            authenticator: parts.authenticator,
            project: parts.project.into(),
            sweeping: Arc::default(),
        }
    }

    /// The caller of a request.
    pub(crate) async fn caller(&self, request: &Incoming) -> Result<Caller> {
        let authorization = request.authorization();
        self.authenticator.authenticate(&self.project, authorization.as_deref()).await
    }

    /// The caller of a request of the Cloud Storage API: an administrator, or anonymous.
    ///
    /// # Errors
    /// `Unauthenticated` or `PermissionDenied` in serving mode for everybody else.
    pub(crate) async fn administrator(&self, request: &Incoming) -> Result<Caller> {
        if self.files.mode == Mode::Emulator {
            return Ok(Caller::Admin);
        }
        match self.caller(request).await? {
            Caller::Admin => Ok(Caller::Admin),
            Caller::User(_) => {
                Err(Error::new(Code::PermissionDenied, "NotAdmin", "This API is for administrators."))
            }
            Caller::Anonymous => Err(Error::new(
                Code::Unauthenticated,
                "NotAdmin",
                "This API needs an administrator's credentials.",
            )),
        }
    }

    /// A bucket that requests may use: in serving mode only the project's own.
    ///
    /// # Errors
    /// `InvalidArgument` (`BucketName`), `NotFound` (`BucketMissing`).
    pub(crate) fn bucket(&self, name: &str) -> Result<BucketName> {
        let bucket = BucketName::parse(name)?;
        let known =
            self.files.mode == Mode::Emulator || self.default_buckets().contains(&bucket.as_str().to_owned());
        if known {
            Ok(bucket)
        } else {
            Err(Error::new(Code::NotFound, "BucketMissing", "The specified bucket does not exist."))
        }
    }

    /// Metadata of a file; `None` if there is none.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that no file can have; the database's own.
    pub async fn stored(&self, bucket: &str, name: &str) -> Result<Option<ObjectMeta>> {
        let place = Place::parse(bucket, name)?;
        Ok(self.files.catalog.get(&place.bucket, &place.name).await?.map(|object| object.meta))
    }

    /// Copies a file of a bucket for a caller who may read it and may create the copy, and returns the copy's metadata. The
    /// content is shared; the copy has one download token of its own. A copy that is there already stays as it is.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that no file can have, `NotFound`, `PermissionDenied`, `ResourceExhausted` (quota),
    /// `AlreadyExists` if another content is there; the database's own.
    pub async fn copy(&self, caller: &Caller, bucket: &str, from: &str, to: &str) -> Result<ObjectMeta> {
        self.bucket(bucket)?;
        let (source, target) = (Place::parse(bucket, from)?, Place::parse(bucket, to)?);
        Ok(self.files.copy_for(caller, caller, &source, &target).await?.meta)
    }

    /// Copies a file as [`Self::copy`] does, for a caller who may create the copy and was shown the file by something else
    /// than the access policy of files.
    ///
    /// # Errors
    /// Those of [`Self::copy`].
    pub async fn copy_shown(
        &self,
        caller: &Caller,
        bucket: &str,
        from: &str,
        to: &str,
    ) -> Result<ObjectMeta> {
        self.bucket(bucket)?;
        let (source, target) = (Place::parse(bucket, from)?, Place::parse(bucket, to)?);
        Ok(self.files.copy_for(&Caller::Admin, caller, &source, &target).await?.meta)
    }

    /// Deletes a file for a caller who may.
    ///
    /// # Errors
    /// `NotFound`, `PermissionDenied`; the database's own.
    pub async fn delete(&self, caller: &Caller, bucket: &str, name: &str) -> Result<()> {
        let place = Place::parse(bucket, name)?;
        self.files.delete(caller, &place, Condition::default()).await.map(drop)
    }

    /// Removes a file, for the server's own work.
    ///
    /// # Errors
    /// `NotFound`; the database's own.
    pub async fn remove(&self, bucket: &str, name: &str) -> Result<()> {
        let place = Place::parse(bucket, name)?;
        self.files.delete(&Caller::Admin, &place, Condition::default()).await.map(drop)
    }

    /// Bytes and files a user has stored.
    ///
    /// # Errors
    /// The database's own.
    pub async fn usage(&self, uid: &str) -> Result<Usage> {
        self.files.catalog.usage(uid).await
    }

    /// Bytes and files of all users together. Reads a document for each of them.
    ///
    /// # Errors
    /// The database's own.
    pub async fn total_usage(&self) -> Result<Usage> {
        self.files.catalog.total_usage().await
    }

    /// Checks that the files whose names begin with `folder`, in the project's own buckets, would fit the quota of `uid`
    /// beside those that they have.
    ///
    /// # Errors
    /// `ResourceExhausted` (`QuotaBytes`, `QuotaFiles`); the database's own.
    pub async fn would_fit(&self, folder: &str, uid: &str) -> Result<()> {
        let buckets = self.default_buckets();
        let buckets: Vec<_> = buckets.iter().map(|name| BucketName::parse(name)).collect::<Result<_>>()?;
        self.files.catalog.would_fit(&buckets, folder, uid).await
    }

    /// Counts every file whose name begins with `folder`, in the project's own buckets, for whoever owns it now. Returns the
    /// number of files that counted for somebody else.
    ///
    /// # Errors
    /// The database's own; files counted by then stay counted, and another call continues.
    pub async fn recount_folder(&self, folder: &str) -> Result<u64> {
        let mut changed = 0;
        for bucket in self.default_buckets() {
            changed += self.files.catalog.recount_folder(&BucketName::parse(&bucket)?, folder).await?;
        }
        Ok(changed)
    }

    /// Removes every file whose name begins with `folder`, which ends with a slash, in the project's own buckets, and
    /// returns their number.
    ///
    /// # Errors
    /// The database's own; files removed by then stay removed, and another call continues.
    pub async fn delete_folder(&self, folder: &str) -> Result<u64> {
        let mut removed = 0;
        for bucket in self.default_buckets() {
            let bucket = BucketName::parse(&bucket)?;
            let request = ListRequest { prefix: folder.to_owned(), ..ListRequest::default() };
            loop {
                let found = self.files.catalog.list(&bucket, &request).await?.items;
                if found.is_empty() {
                    break;
                }
                for object in found {
                    let name = ObjectName::parse(&object.meta.name)?;
                    match self.files.catalog.delete(&bucket, &name, Condition::default()).await {
                        Ok(_) => removed += 1,
                        // Its owner was quicker.
                        Err(error) if error.code() == Code::NotFound => {}
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(removed)
    }

    /// Removes unreferenced data.
    ///
    /// # Errors
    /// `Unavailable` if the store of files fails; data removed by then stay removed.
    pub async fn sweep(&self) -> Result<Swept> {
        let _alone = self.sweeping.write().await;
        self.files.sweep().await
    }

    /// Removes contents whose files were deleted some minutes ago.
    ///
    /// # Errors
    /// As [`Self::sweep`].
    pub async fn sweep_freed(&self) -> Result<Swept> {
        let _alone = self.sweeping.write().await;
        self.files.sweep_freed().await
    }

    /// The contents of all files.
    pub const fn contents(&self) -> &Blobs {
        &self.files.blobs
    }

    /// Keeps every content that a file has now until the guard is dropped, whether its file is deleted meanwhile or not.
    pub async fn keep_contents(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.sweeping).read_owned().await
    }

    /// Sweeps every [`SWEEP_INTERVAL`], and deleted files' contents every [`FREED_INTERVAL`], forever. The host runs it
    /// beside the server.
    pub async fn maintain(&self) {
        let every = |interval, first| {
            let mut ticks = tokio::time::interval_at(first, interval);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            ticks
        };
        let now = tokio::time::Instant::now();
        // The whole sweep removes deleted files' contents too.
        let (mut all, mut freed) = (every(SWEEP_INTERVAL, now), every(FREED_INTERVAL, now + FREED_INTERVAL));
        loop {
            let swept = tokio::select! {
                _ = all.tick() => self.sweep().await,
                _ = freed.tick() => self.sweep_freed().await,
            };
            match swept {
                Ok(swept) if swept == Swept::default() => {}
                Ok(swept) => tracing::info!(?swept, "removed what nothing refers to"),
                Err(error) => tracing::warn!(%error, "the sweep of files did not finish; it goes on later"),
            }
        }
    }

    /// The project's own buckets.
    pub fn default_buckets(&self) -> [String; 2] {
        [format!("{}.appspot.com", self.project), format!("{}.firebasestorage.app", self.project)]
    }
}

/// Parts of [`StorageState`] beside documents and bytes.
pub(crate) struct Parts {
    pub(crate) project: String,
    pub(crate) mode: Mode,
    pub(crate) active_svg: bool,
    pub(crate) clock: docstore::clock::SharedClock,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) access: Arc<dyn crate::access::StorageAccess>,
    pub(crate) limits: crate::options::Limits,
    pub(crate) quotas: Arc<dyn crate::options::Quotas>,
}
