//! Copying the content of a file to a place of backups, unless it has it already.

use docstore::{Error, Result};
use futures::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use storage_emu::KeptContent;
use storage_emu::blobs::Blobs;
use tokio::runtime::Handle;

use super::contents::place_of;
use super::room::Room;
use super::target::BackupTarget;
use super::{hex, unusable};
use crate::host::blocking::Abandoned;

/// Outcome for one content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    /// The place has had it.
    Before,
    /// The place has it now.
    Now,
    /// It is missing or damaged.
    Lacking,
}

/// Copies contents from the store of a server to a place of backups.
pub(super) struct ContentCopier<'a> {
    pub(super) blobs: &'a Blobs,
    pub(super) target: &'a dyn BackupTarget,
    pub(super) room: &'a Room<'a>,
    pub(super) abandoned: &'a Abandoned,
}

impl ContentCopier<'_> {
    /// Copies one content. Blocks; the thread must belong to a runtime.
    ///
    /// # Errors
    /// `FailedPrecondition` (`BackupUnusable`), `ResourceExhausted` (`BackupDiskFull`), `Unavailable`
    /// (`BackupAbandoned`); that of a bucket that does not answer.
    pub(super) fn copy(&self, content: &KeptContent) -> Result<Copied> {
        self.abandoned.check()?;
        let place = place_of(self.target, &content.sha256);
        if self.target.size(&place).ok() == Some(content.size) {
            return Ok(Copied::Before);
        }
        let failed = |cause| unusable(self.target.place(), cause);
        let runtime = Handle::current();
        let mut bytes = match runtime.block_on(self.blobs.read(&content.key, 0..content.size)) {
            Ok(bytes) => bytes,
            Err(error) => return self.unread(content, error),
        };
        let mut file = self.target.create(&place).map_err(failed)?;
        let (mut hash, mut size) = (Sha256::new(), 0);
        loop {
            let chunk = match runtime.block_on(bytes.try_next()) {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return self.unread(content, error),
            };
            self.abandoned.check()?;
            self.room.take(chunk.len() as u64)?;
            hash.update(&chunk);
            size += chunk.len() as u64;
            file.write(&chunk).map_err(failed)?;
        }
        if size != content.size || hex(&hash.finalize()) != content.sha256 {
            return Ok(lacking(content, "damaged"));
        }
        file.finish().map_err(failed)?;
        Ok(Copied::Now)
    }

    fn unread(&self, content: &KeptContent, error: Error) -> Result<Copied> {
        if error.code() == docstore::Code::NotFound {
            return Ok(lacking(content, "missing"));
        }
        if self.blobs.is_folder() {
            return Ok(lacking(content, &format!("unreadable ({})", reason_of(&error))));
        }
        // A service that does not answer now may have it all the same.
        let message =
            format!("the content {} cannot be read for the backup: {}", content.key, error.message());
        Err(Error::new(error.code(), error.tag(), message).with_source(error))
    }
}

fn lacking(content: &KeptContent, reason: &str) -> Copied {
    tracing::error!(key = content.key, "a file's content is {reason}: it is not copied");
    Copied::Lacking
}

/// The system's reason for an error, if it has one.
fn reason_of(error: &Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.message().to_owned(), ToString::to_string)
}
