//! Options of file storage.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use docstore::access::{Authenticator, Mode};
use docstore::clock::SharedClock;
use docstore::store::Store;

use crate::access::StorageAccess;
use crate::names::ObjectName;

/// Storage of the files' bytes.
#[derive(Debug, Clone)]
pub enum BlobOptions {
    /// A local folder; every file is synced to disk before it becomes visible.
    Folder(PathBuf),
    /// Memory, for tests.
    Memory,
    /// A bucket of an S3-compatible service.
    S3(S3Options),
}

/// An S3-compatible service. Absent credentials are taken from the environment (`AWS_…`).
#[derive(Clone)]
pub struct S3Options {
    /// The bucket, which must exist.
    pub bucket: String,
    /// The service's URL; `None` for AWS itself. Plain `http` is allowed only when the URL says so.
    pub endpoint: Option<String>,
    /// The region.
    pub region: String,
    /// The access key id and the secret key.
    pub credentials: Option<(String, String)>,
    /// Time limits for its answers.
    pub waits: S3Waits,
}

/// Time limits for an S3-compatible service; past them callers are told that it does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct S3Waits {
    /// For a connection.
    pub connect: Duration,
    /// For the first byte of an answer, sending the request included, and between any two of its bytes.
    pub answer: Duration,
    /// For an answer as a whole, which a slow reader of a large file draws out.
    pub whole: Duration,
    /// For so long a request that failed is sent again.
    pub again: Duration,
}

/// A service on the other side of the world accepts within a second.
const S3_CONNECT: Duration = Duration::from_secs(5);

/// A part of 5 MiB goes up in that time over a line of 2 Mbit/s.
const S3_ANSWER: Duration = Duration::from_secs(20);

/// The largest file goes down in that time over a line of 1 Mbit/s.
const S3_WHOLE: Duration = Duration::from_secs(3_600);

/// Shorter than [`S3_ANSWER`]: a request that timed out once is not sent again.
const S3_AGAIN: Duration = Duration::from_secs(15);

impl Default for S3Waits {
    fn default() -> Self {
        Self { connect: S3_CONNECT, answer: S3_ANSWER, whole: S3_WHOLE, again: S3_AGAIN }
    }
}

impl std::fmt::Debug for S3Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Options")
            .field("bucket", &self.bucket)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

/// Limits on one user's files. Administrators are bound only by `file_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// All files of a user together, in bytes.
    pub user_bytes: u64,
    /// Files a user may have.
    pub user_files: u64,
    /// One file, in bytes; for everybody.
    pub file_bytes: u64,
    /// One image, in pixels (width times height).
    pub image_pixels: u64,
    /// Resumable uploads a user may have under way.
    pub user_sessions: u64,
}

impl Default for Limits {
    /// 2 GiB in 20,000 files per user, 200 MiB per file, 64 megapixels per image, 256 uploads under way.
    fn default() -> Self {
        Self {
            user_bytes: 2 << 30,
            user_files: 20_000,
            file_bytes: 200 << 20,
            image_pixels: 64_000_000,
            user_sessions: 256,
        }
    }
}

/// One file of an emulator, in bytes: 5 GiB, more than tests of an application send, and what the cloud takes in one
/// request.
pub const EMULATOR_FILE_BYTES: u64 = 5 << 30;

impl Limits {
    /// The limits of a mode. An emulator has no quotas for users, as the cloud has none.
    pub fn of(mode: Mode) -> Self {
        match mode {
            Mode::Serving => Self::default(),
            Mode::Emulator => Self {
                user_bytes: u64::MAX,
                user_files: u64::MAX,
                file_bytes: EMULATOR_FILE_BYTES,
                ..Self::default()
            },
        }
    }
}

/// Quota of one user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// All files together, in bytes.
    pub bytes: u64,
    /// Number of files.
    pub files: u64,
}

/// Tells how much each user may store.
pub trait Quotas: Send + Sync + std::fmt::Debug {
    /// The quota of `owner`.
    ///
    /// # Errors
    /// Any reason why it cannot be determined; the upload is refused then.
    fn of<'a>(&'a self, owner: &'a str)
    -> Pin<Box<dyn Future<Output = docstore::Result<Quota>> + Send + 'a>>;

    /// The user whose files a file of this name counts among; `None` leaves it to whoever stores it. Without more, it is
    /// the user of the subtree `users/{uid}/`.
    ///
    /// # Errors
    /// Any reason why it cannot be determined; the upload is refused then.
    fn owner_of<'a>(
        &'a self,
        name: &'a ObjectName,
    ) -> Pin<Box<dyn Future<Output = docstore::Result<Option<String>>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(name.owner().map(str::to_owned))))
    }
}

impl Quotas for Limits {
    fn of<'a>(
        &'a self,
        _owner: &'a str,
    ) -> Pin<Box<dyn Future<Output = docstore::Result<Quota>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(Quota { bytes: self.user_bytes, files: self.user_files })))
    }
}

/// Everything file storage needs.
#[derive(Clone)]
pub struct StorageOptions {
    /// Store of the metadata (in a reserved database of `project`).
    pub store: Store,
    /// The project id; its buckets are `{project}.appspot.com` and `{project}.firebasestorage.app`.
    pub project: String,
    /// Trust in callers.
    pub mode: Mode,
    /// The time.
    pub clock: SharedClock,
    /// Storage of the files' bytes.
    pub blobs: BlobOptions,
    /// Tells who a request comes from.
    pub authenticator: Arc<dyn Authenticator>,
    /// Access policy for users.
    pub access: Arc<dyn StorageAccess>,
    /// Limits on one user's files.
    pub limits: Limits,
    /// In serving mode, takes SVGs from users that run something or bring something from elsewhere. They are served in
    /// a sandbox either way.
    pub active_svg: bool,
    /// Quotas of users that differ from `limits`; without it all users have `limits`.
    pub quotas: Option<Arc<dyn Quotas>>,
}

impl std::fmt::Debug for StorageOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StorageOptions")
            .field("project", &self.project)
            .field("mode", &self.mode)
            .field("blobs", &self.blobs)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
