//! Backups of a running server: one at a time, by order or by schedule.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docstore::engine::FOLDER_FORMAT;
use docstore::model::Ts;
use docstore::{Error, Result};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use storage_emu::StorageState;

use super::key::BackupKey;
use super::last::LastBackup;
use super::log::LogState;
use super::make::{self, Made, Source};
use super::shown;
use super::target::{Purpose, open_target};
use crate::host::blocking::blocking;

/// Age of the last backup from which on people are warned.
pub(crate) const WEEK: Duration = Duration::from_secs(7 * 24 * 3_600);

/// A backup to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The folder of the backups, as an absolute path.
    pub(crate) folder: PathBuf,
    /// Backups that stay there; without it all do.
    pub(crate) keep: Option<NonZeroU32>,
    /// The key file, as an absolute path; without one backups are not encrypted.
    #[serde(default)]
    pub(crate) key: Option<PathBuf>,
}

/// Makes one backup and records it in the data folder. No content may be removed meanwhile.
///
/// # Errors
/// `FailedPrecondition`: the place cannot be used; those of the store.
pub(crate) async fn make_once(source: Source, order: Order) -> Result<Made> {
    blocking(move |abandoned| {
        check_place(&order.folder, &source.data, order.key.as_deref())?;
        let key = order.key.as_deref().map(BackupKey::read).transpose()?;
        let target = open_target(&order.folder, Purpose::Write, key)?;
        let made = make::make(&source, &*target, order.keep, abandoned)?;
        made.last.write(&source.data);
        Ok(made)
    })
    .await
}

/// Refuses folders of backups in the data folder, and key files beside the backups.
///
/// # Errors
/// `InvalidArgument`: `BackupInData`, `BackupKeyBeside`.
pub(super) fn check_place(folder: &Path, data: &Path, key: Option<&Path>) -> Result<()> {
    if lies_in(folder, data) {
        let message = format!(
            "{} lies in the data folder, and backups there would be lost with the data: name a folder outside of it, on another disk if possible",
            folder.display()
        );
        return Err(Error::invalid("BackupInData", message));
    }
    if let Some(key) = key.filter(|key| lies_in(key, folder)) {
        let message = format!(
            "the key file {} lies beside the backups, which it should protect: keep it somewhere else",
            key.display()
        );
        return Err(Error::invalid("BackupKeyBeside", message));
    }
    Ok(())
}

/// True if a folder, which need not be there, lies in another one.
fn lies_in(folder: &Path, outer: &Path) -> bool {
    let Ok(outer) = outer.canonicalize() else { return false };
    let there = folder.ancestors().find_map(|above| above.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(outer))
}

/// Makes backups of a running server, and knows the last one.
#[derive(Debug)]
pub(crate) struct Runner {
    source: Source,
    files: StorageState,
    last: Mutex<Option<LastBackup>>,
    failures: AtomicU64,
    /// Time from which on there have been data without a backup.
    since: Ts,
    /// Held while a backup is made.
    busy: tokio::sync::Mutex<()>,
    log: Arc<LogState>,
}

impl Runner {
    /// A runner for a server, whose documents are in the folder `documents`.
    pub(crate) fn new(source: Source, files: StorageState, documents: &Path) -> Self {
        let (last, log) = (LastBackup::read(&source.data), LogState::default());
        log.backed_up(last.as_ref().map_or(0, |last| last.commit));
        Self {
            last: Mutex::new(last),
            failures: AtomicU64::default(),
            since: begun(documents).unwrap_or_else(|| source.clock.now()),
            busy: tokio::sync::Mutex::default(),
            log: Arc::new(log),
            source,
            files,
        }
    }

    /// Makes a backup. Another order waits for its end.
    ///
    /// # Errors
    /// As of [`make_once`].
    pub(crate) async fn run(&self, order: Order) -> Result<Made> {
        let _alone = self.busy.lock().await;
        let _kept = self.files.keep_contents().await;
        let place = order.folder.display().to_string();
        tracing::info!(place, "a backup begins");
        match make_once(self.source.clone(), order).await {
            Ok(made) => {
                let manifest = &made.manifest;
                tracing::info!(
                    place,
                    id = manifest.id,
                    documents = manifest.document_count(),
                    files = manifest.files.count,
                    new_files = manifest.copied.count,
                    "a backup is made"
                );
                self.log.backed_up(manifest.commit);
                *self.last.lock() = Some(made.last.clone());
                Ok(made)
            }
            Err(error) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                tracing::error!(%error, place, "a backup failed");
                Err(error)
            }
        }
    }

    /// The server's data.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// State of the copies of the log.
    pub(crate) fn log(&self) -> &Arc<LogState> {
        &self.log
    }

    /// The last backup.
    pub(crate) fn last(&self) -> Option<LastBackup> {
        self.last.lock().clone()
    }

    /// Backups that failed since the start.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// The server's time.
    pub(crate) fn now(&self) -> Ts {
        self.source.clock.now()
    }

    /// True if there was none for a week.
    pub(crate) fn is_overdue(&self) -> bool {
        let last = self.last().map_or(self.since, |last| last.at());
        is_old(last, self.now())
    }

    /// The warning for the log; `None` if all is well.
    pub(super) fn warning(&self) -> Option<String> {
        self.is_overdue().then(|| match self.last() {
            Some(last) if last.at() > self.now() => format!(
                "the last backup is of {}, which is in the future: the clock was ahead then, or is behind now; `tuckbox backup DIR` makes one",
                shown(last.at())
            ),
            Some(last) => format!(
                "the last backup is of {}, more than a week ago: `tuckbox backup DIR` makes one, and tuckbox.backup in firebase.json regular ones",
                shown(last.at())
            ),
            None => "there is no backup of these data: `tuckbox backup DIR` makes one, and tuckbox.backup in firebase.json regular ones".to_owned(),
        })
    }
}

/// True if `last` is more than a week before `now`, or after it: the clock was ahead then, and nobody knows its age.
fn is_old(last: Ts, now: Ts) -> bool {
    now.micros().checked_sub(last.micros()).is_none_or(|age| Duration::from_micros(age) > WEEK)
}

/// Time at which a folder of documents was made.
fn begun(documents: &Path) -> Option<Ts> {
    let modified =
        std::fs::metadata(documents.join(FOLDER_FORMAT)).and_then(|found| found.modified()).ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_micros()).ok().map(Ts::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_of_a_later_time_than_now_is_overdue() {
        let now = Ts::from_micros(1 << 50);
        let week = u64::try_from(WEEK.as_micros()).unwrap();
        for (last, old) in [(0, false), (week, false), (week + 1, true)] {
            assert_eq!(is_old(Ts::from_micros(now.micros() - last), now), old, "{last}");
        }
        assert!(is_old(now.next(), now));
    }
}
