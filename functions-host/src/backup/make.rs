//! Making a backup: a pinned snapshot of the documents, then the contents that its files have.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use docstore::backup::Pinned;
use docstore::clock::SharedClock;
use docstore::model::Ts;
use docstore::{Code, Error, Result, Store};
use sha2::{Digest as _, Sha256};
use storage_emu::blobs::Blobs;
use tokio::runtime::Handle;

use super::contents::{each_listed, each_named, line};
use super::copy_content::{ContentCopier, Copied};
use super::last::LastBackup;
use super::manifest::{self, Amount, ENDING, FORMAT, MAX_LACKING, Manifest, Part, SmallFile};
use super::room::Room;
use super::target::{BackupTarget, NewFile};
use super::{hex, retention, unusable};
use crate::host::blocking::Abandoned;
use crate::host::data_dir::{KEYS, OUTBOX};

/// Name of the part with all documents.
const DOCUMENTS: &str = "documents";
/// Name of the part that lists contents.
const CONTENTS: &str = "contents";
/// Ending of a key's name; others are not complete.
const KEY_ENDING: &str = ".pem";
/// Largest small file, in bytes; the outbox has a limit of its own.
const MAX_SMALL: u64 = 256 << 20;

/// The data of a server.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The documents.
    pub(crate) store: Store,
    /// The contents of files. None may be removed meanwhile.
    pub(crate) blobs: Blobs,
    /// The data folder.
    pub(crate) data: PathBuf,
    /// The server's project.
    pub(crate) project: String,
    /// Tells the time of the backup.
    pub(crate) clock: SharedClock,
}

/// A backup that was made.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// The backup.
    pub(crate) manifest: Manifest,
    /// Its record.
    pub(crate) last: LastBackup,
    /// Older backups that were removed.
    pub(crate) removed: u64,
    /// The newest commit of the oldest backup that is there; `None` if one cannot be read.
    pub(crate) oldest: Option<Ts>,
}

/// Makes a backup, and then removes the oldest ones but `keep`. Blocks on the disk; the thread must belong to a runtime.
///
/// # Errors
/// `FailedPrecondition` (`BackupUnusable`) if the target cannot be written, `ResourceExhausted` (`BackupDiskFull`) if its
/// disk is nearly full; those of the store. What it has written is removed then.
pub(super) fn make(
    source: &Source,
    target: &dyn BackupTarget,
    keep: Option<NonZeroU32>,
    abandoned: &Abandoned,
) -> Result<Made> {
    retention::remove_leftovers(target)?;
    let now = source.clock.now();
    let id = manifest::new_id(now, &manifest::ids(target)?);
    let room = Room::new(target, &source.data);
    let making = Making { source, target, abandoned, room, id: &id };
    let manifest = making.write(now.micros()).inspect_err(|_| making.remove_unfinished())?;
    let removed =
        keep.map_or(Ok(0), |keep| retention::remove_oldest(target, keep, &id)).unwrap_or_else(|error| {
            // The new one is there all the same.
            tracing::error!(%error, "older backups could not be removed: remove damaged ones by hand");
            0
        });
    let oldest = oldest(target);
    Ok(Made { last: LastBackup::of(&manifest, target.place()), manifest, removed, oldest })
}

/// The newest commit of the oldest backup; `None` if one cannot be read.
fn oldest(target: &dyn BackupTarget) -> Option<Ts> {
    let (all, unreadable) = manifest::readable(target).ok()?;
    let oldest = all.iter().map(|manifest| manifest.commit).min().map(Ts::from_micros);
    oldest.filter(|_| unreadable.is_empty())
}

/// A backup under way.
struct Making<'a> {
    source: &'a Source,
    target: &'a dyn BackupTarget,
    abandoned: &'a Abandoned,
    room: Room<'a>,
    id: &'a str,
}

/// The contents of a snapshot's files.
struct Listed {
    part: Part,
    files: Amount,
    databases: BTreeMap<String, u64>,
}

/// Contents that were copied.
#[derive(Default)]
struct CopiedContents {
    amount: Amount,
    lacking: Vec<String>,
}

impl Making<'_> {
    fn failed(&self, cause: std::io::Error) -> Error {
        unusable(self.target.place(), cause)
    }

    /// Writes everything, the manifest last.
    fn write(&self, time: u64) -> Result<Manifest> {
        let pinned = Pinned::new(&self.source.store)?;
        let commit = pinned.at().micros();
        let documents = self.documents(pinned)?;
        let listed = self.contents()?;
        let copied = self.copy(&listed)?;
        let small = self.small_files()?;
        let made = Manifest {
            format: FORMAT,
            program: crate::VERSION.to_owned(),
            project: self.source.project.clone(),
            time,
            commit,
            documents,
            databases: listed.databases,
            contents: listed.part,
            files: listed.files,
            copied: copied.amount,
            lacking: copied.lacking,
            small,
            id: self.id.to_owned(),
        };
        let bytes = made.to_bytes()?;
        self.abandoned.check()?;
        self.room.take(bytes.len() as u64)?;
        let written = self.target.create(&self.manifest()).and_then(|mut file| {
            file.write(&bytes)?;
            file.finish()
        });
        written.map_err(|cause| self.failed(cause))?;
        Ok(made)
    }

    fn manifest(&self) -> String {
        format!("{}{ENDING}", self.id)
    }

    /// Removes what a backup that failed has written, but contents, which the next one need not copy again.
    fn remove_unfinished(&self) {
        // The manifest may have its name and yet not be durable. While it is there the folder belongs to it.
        let removed = self.target.remove(&self.manifest()).map_err(|cause| self.failed(cause));
        if let Err(error) = removed.and_then(|()| retention::remove_folder(self.target, self.id)) {
            let id = self.id;
            tracing::warn!(%error, id, "what the failed backup has written is left: the next one removes it");
        }
    }

    fn part(&self, name: &str) -> Result<PartFile<'_>> {
        let file = self.target.create(&format!("{}/{name}", self.id)).map_err(|cause| self.failed(cause))?;
        Ok(PartFile { file, name: name.to_owned(), bytes: 0, hash: Sha256::new(), making: self })
    }

    /// Writes the snapshot. The pin ends with it.
    fn documents(&self, mut pinned: Pinned) -> Result<Part> {
        let runtime = Handle::current();
        let mut part = self.part(DOCUMENTS)?;
        while let Some(bytes) = runtime.block_on(pinned.next())? {
            part.write(&bytes)?;
        }
        part.finish()
    }

    /// Reads the snapshot back, counts its documents and lists the contents of its files.
    fn contents(&self) -> Result<Listed> {
        let path = format!("{}/{DOCUMENTS}", self.id);
        let file = self.target.open(&path).map_err(|cause| self.failed(cause))?;
        let mut part = self.part(CONTENTS)?;
        let mut files = Amount::default();
        let databases = each_named(&mut BufReader::new(file), &path, |content| {
            files.add(content.size);
            part.write(line(content).as_bytes())
        })?;
        Ok(Listed { part: part.finish()?, files, databases })
    }

    /// Copies the contents that no backup has yet.
    fn copy(&self, listed: &Listed) -> Result<CopiedContents> {
        let path = format!("{}/{}", self.id, listed.part.name);
        let mut copied = CopiedContents::default();
        let unreadable = |cause| self.failed(cause);
        let copier = ContentCopier {
            blobs: &self.source.blobs,
            target: self.target,
            room: &self.room,
            abandoned: self.abandoned,
        };
        each_listed(self.target, &path, unreadable, |content| {
            match copier.copy(&content)? {
                Copied::Before => {}
                Copied::Now => copied.amount.add(content.size),
                Copied::Lacking => copied.lacking.push(content.key),
            }
            if copied.lacking.len() > MAX_LACKING {
                let message = format!(
                    "more than {MAX_LACKING} contents of files are missing or damaged: check the data folder, or the bucket, with `tuckbox doctor --scrub`"
                );
                return Err(Error::new(Code::DataLoss, "ContentsLost", message));
            }
            Ok(())
        })?;
        Ok(copied)
    }

    fn small_files(&self) -> Result<Vec<SmallFile>> {
        let unreadable = |path: &Path, cause: std::io::Error| {
            let message = format!("cannot read {} for the backup: {cause}", path.display());
            Error::new(Code::Unavailable, "BackupSource", message).with_source(cause)
        };
        let mut paths = vec![OUTBOX.to_owned()];
        let keys = self.source.data.join(KEYS);
        if keys.exists() {
            for entry in keys.read_dir().map_err(|cause| unreadable(&keys, cause))?.flatten() {
                let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(KEY_ENDING));
                paths.extend(name.map(|name| format!("{KEYS}/{name}")));
            }
        }
        paths.sort();
        let mut small = Vec::new();
        for path in paths {
            let from = self.source.data.join(&path);
            let mut bytes = match std::fs::metadata(&from) {
                Ok(found) if found.is_file() && found.len() <= MAX_SMALL => {
                    std::fs::read(&from).map_err(|cause| unreadable(&from, cause))?
                }
                Ok(found) if found.is_file() => {
                    return Err(unreadable(&from, std::io::ErrorKind::FileTooLarge.into()));
                }
                // A key that was replaced meanwhile, or a server that sends its mails.
                _ => continue,
            };
            if path == OUTBOX {
                // A line may be on its way.
                bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
            }
            let mut part = self.part(&format!("part-{}", small.len() + 1))?;
            part.write(&bytes)?;
            small.push(SmallFile { path, part: part.finish()? });
        }
        Ok(small)
    }
}

/// A part being written, with its checksum.
struct PartFile<'a> {
    file: Box<dyn NewFile>,
    name: String,
    bytes: u64,
    hash: Sha256,
    making: &'a Making<'a>,
}

impl PartFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.making.abandoned.check()?;
        self.making.room.take(bytes.len() as u64)?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write(bytes).map_err(|cause| self.making.failed(cause))
    }

    fn finish(self) -> Result<Part> {
        self.file.finish().map_err(|cause| self.making.failed(cause))?;
        Ok(Part { name: self.name, bytes: self.bytes, sha256: hex(&self.hash.finalize()) })
    }
}
