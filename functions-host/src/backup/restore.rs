//! Restoring a backup into an empty data folder.
//!
//! Until everything is restored and counted the folder has a mark, with which no command opens it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use docstore::backup::Pinned;
use docstore::engine::{Files as _, RealFiles};
use docstore::model::Ts;
use docstore::{Code, Error, Result, Store, StoreOptions};
use futures::StreamExt as _;
use sha2::{Digest as _, Sha256};
use storage_emu::blobs::Blobs;
use storage_emu::{BlobOptions, KeptContent, end_uploads};
use tokio::runtime::Handle;

use super::check::{check, fault_of};
use super::contents::{each_named, line, place_of};
use super::log::{LogCopies, Replayed};
use super::manifest::{Manifest, Part, SmallFile};
use super::target::BackupTarget;
use super::{damaged, hex, unusable};
use crate::host::blocking::{Abandoned, blocking};
use crate::host::data_dir::{self, DataDir, KEYS, OUTBOX};
use crate::schema::history;

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A restore to be done.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The place of the backup.
    pub(crate) target: Box<dyn BackupTarget>,
    /// The backup.
    pub(crate) manifest: Manifest,
    /// The folder to restore into.
    pub(crate) data: PathBuf,
    /// Folder of the documents in it.
    pub(crate) documents: PathBuf,
    /// The store of the documents.
    pub(crate) store: StoreOptions,
    /// The place of the contents of files.
    pub(crate) blobs: BlobOptions,
    /// True to refuse a place that has contents: another server may use it.
    pub(crate) blobs_empty: bool,
    /// Commits after the backup.
    pub(crate) log: Option<LogCopies>,
}

/// A restore that is done.
#[derive(Debug)]
pub(crate) struct Restored {
    /// The backup.
    pub(crate) manifest: Manifest,
    /// Uploads that were under way, and were ended.
    pub(crate) uploads: u64,
    /// Commits that were added to the backup.
    pub(crate) replayed: Option<Replayed>,
    /// Contents that files have and that neither the backup nor the copies of the log have, by their keys.
    pub(crate) lacking: Vec<String>,
}

/// Checks the backup, restores it, opens the data and counts them. If it fails, nothing is left in the data folder; contents
/// that went to a bucket stay there.
///
/// # Errors
/// `FailedPrecondition` (`BucketNotEmpty`), before anything is changed; `FailedPrecondition` (`DataDirNotEmpty`, `DataDirLocked`); `DataLoss` (`BackupDamaged`); those of the disk.
pub(crate) async fn restore(wanted: Wanted) -> Result<Restored> {
    blocking(move |abandoned| {
        check(&*wanted.target, &wanted.manifest, abandoned)?;
        wanted.log.as_ref().map_or(Ok(()), |log| log.check(abandoned))?;
        if wanted.blobs_empty {
            refuse_used(&wanted)?;
        }
        let data_dir = DataDir::take_empty(&wanted.data)?;
        let restored = fill(&wanted, abandoned);
        match restored.and_then(|filled| data_dir.restored().map(|()| filled)) {
            Ok(Filled { uploads, replayed, lacking }) => {
                Ok(Restored { manifest: wanted.manifest, uploads, replayed, lacking })
            }
            Err(error) => {
                if let Err(left) = data_dir.clear() {
                    tracing::error!(error = %left, "what the failed restore has written is left: remove the folder by hand");
                }
                Err(error)
            }
        }
    })
    .await
}

/// # Errors
/// `FailedPrecondition` (`BucketNotEmpty`).
fn refuse_used(wanted: &Wanted) -> Result<()> {
    let blobs = Blobs::open(&wanted.blobs, Arc::clone(&wanted.store.clock))?;
    if Handle::current().block_on(blobs.is_empty())? {
        return Ok(());
    }
    let message = "the bucket in tuckbox.files.s3 has contents of files. If another server uses it, the restore would end its uploads, and the restored server would delete its newer files: practise with an empty bucket. If no server but the one to be restored uses it, add --bucket-is-free";
    Err(Error::new(Code::FailedPrecondition, "BucketNotEmpty", message))
}

/// Outcome of filling a data folder.
struct Filled {
    uploads: u64,
    replayed: Option<Replayed>,
    lacking: Vec<String>,
}

fn fill(wanted: &Wanted, abandoned: &Abandoned) -> Result<Filled> {
    let runtime = Handle::current();
    let blobs = Blobs::open(&wanted.blobs, Arc::clone(&wanted.store.clock))?;
    small_files(wanted)?;
    let path = format!("{}/{}", wanted.manifest.id, wanted.manifest.documents.name);
    let mut snapshot = wanted.target.open(&path).map_err(|cause| unusable(wanted.target.place(), cause))?;
    let now = wanted.store.clock.now();
    let newest = wanted.log.as_ref().map_or(Ts::from_micros(wanted.manifest.commit), LogCopies::newest);
    // Later than all that clients of the lost server may have seen.
    docstore::backup::restore(&wanted.documents, now.max(newest.next()), &mut snapshot)?;
    let replayed = wanted.log.as_ref().map(|log| log.replay(&wanted.documents, abandoned)).transpose()?;
    let store = runtime.block_on(Store::open(wanted.store.clone()))?;
    let done = contents(wanted, replayed, &store, &blobs, abandoned).and_then(|(databases, lacking)| {
        let projects: BTreeSet<&str> = databases.keys().filter_map(|name| name.split('/').next()).collect();
        let mut uploads = 0;
        for project in projects {
            uploads += runtime.block_on(end_uploads(&store, project, &blobs))?;
            runtime.block_on(history::end(&store, project))?;
        }
        Ok(Filled { uploads, replayed, lacking })
    });
    runtime.block_on(store.close())?;
    done
}

/// Copies the contents that the restored documents name, and compares the documents with the manifest where nothing was
/// added to them. Returns the number of documents in each database, and the contents that are nowhere.
fn contents(
    wanted: &Wanted,
    replayed: Option<Replayed>,
    store: &Store,
    blobs: &Blobs,
    abandoned: &Abandoned,
) -> Result<(BTreeMap<String, u64>, Vec<String>)> {
    let mut reader = PinnedReader { pinned: Pinned::new(store)?, bytes: io::Cursor::default() };
    let (mut hash, mut lacking) = (Sha256::new(), Vec::new());
    let databases = each_named(&mut reader, "of the restored documents", |content| {
        abandoned.check()?;
        hash.update(line(content));
        if !copy_back(wanted, blobs, content, abandoned)? {
            lacking.push(content.key.clone());
        }
        Ok(())
    })?;
    let listed = hex(&hash.finalize());
    let unchanged = replayed.is_none_or(|replayed| replayed.until.micros() == wanted.manifest.commit);
    if unchanged && (databases != wanted.manifest.databases || listed != wanted.manifest.contents.sha256) {
        let cause = io::Error::other("the restored documents are not those of the backup");
        return Err(Error::internal("RestoreDiffers", "the restore failed", cause));
    }
    Ok((databases, lacking))
}

/// Copies a content from the backup or from the copies of the log; false if neither has it.
fn copy_back(wanted: &Wanted, blobs: &Blobs, content: &KeptContent, abandoned: &Abandoned) -> Result<bool> {
    let runtime = Handle::current();
    let copies = wanted.log.as_ref().map(LogCopies::target);
    let mut found = None;
    for target in [Some(&*wanted.target), copies].into_iter().flatten() {
        let path = place_of(target, &content.sha256);
        if target.size(&path).ok() != Some(content.size) {
            continue;
        }
        let part = Part { name: path.clone(), bytes: content.size, sha256: content.sha256.clone() };
        // The contents of the backup alone were compared before; with copies of the log, another place may have a good one.
        if copies.is_none() || fault_of(target, &path, &part, abandoned)?.is_none() {
            found = Some((target, path));
            break;
        }
    }
    let Some((target, path)) = found else { return Ok(false) };
    let file = target.open(&path).map_err(|cause| unusable(target.place(), cause))?;
    let body = futures::stream::iter(Pieces { file, path }).boxed();
    runtime.block_on(async {
        if content.size == 0 {
            // An upload without bytes stores nothing; a content may have none.
            return blobs.write_small(&content.key, Bytes::new()).await;
        }
        let received = blobs.receive(&content.key, body, content.size).await?;
        received.broken.map_or(Ok(()), Err)
    })?;
    if runtime.block_on(blobs.size(&content.key))? == Some(content.size) {
        return Ok(true);
    }
    let cause = io::Error::other(format!("{} is not restored", content.key));
    Err(Error::internal("RestoreDiffers", "the restore failed", cause))
}

/// A file in pieces.
struct Pieces {
    file: Box<dyn Read + Send>,
    path: String,
}

impl Iterator for Pieces {
    type Item = Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut piece = Vec::with_capacity(PIECE);
        match self.file.by_ref().take(PIECE as u64).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(_) => Some(Ok(piece.into())),
            Err(cause) => Some(Err(damaged(format!("{} cannot be read: {cause}", self.path)))),
        }
    }
}

fn small_files(wanted: &Wanted) -> Result<()> {
    let files = RealFiles::new(&wanted.data);
    for SmallFile { path, part } in &wanted.manifest.small {
        let key = path.strip_prefix(KEYS).and_then(|name| name.strip_prefix('/'));
        if path != OUTBOX && key.is_none_or(|name| name.contains('/') || name.starts_with('.')) {
            return Err(damaged(format!("the backup has a file {path:?}, which no data folder has")));
        }
        let from = format!("{}/{}", wanted.manifest.id, part.name);
        let mut bytes = Vec::new();
        let read = wanted.target.open(&from).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|cause| unusable(wanted.target.place(), cause))?;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        files.replace(folder, name, &bytes).map_err(|cause| data_dir::unusable(&wanted.data, cause))?;
    }
    Ok(())
}

/// The snapshot of an open store, as a file.
struct PinnedReader {
    pinned: Pinned,
    bytes: io::Cursor<Vec<u8>>,
}

impl Read for PinnedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.bytes.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match Handle::current().block_on(self.pinned.next()).map_err(io::Error::other)? {
                Some(bytes) => self.bytes = io::Cursor::new(bytes),
                None => return Ok(0),
            }
        }
    }
}
