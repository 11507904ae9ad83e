//! The files of sled: opening them, syncing them, and removing remains of a crash.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::SledView;

/// Makes sled write its own snapshot after everything else has closed the database. sled writes one only when it is
/// opened, and otherwise reads everything written since at the next start.
#[derive(Debug)]
pub(crate) struct CompactOnClose {
    pub(super) folder: PathBuf,
    pub(super) written: Arc<AtomicU64>,
}

/// Bytes of keys and values written above which that is worth its time.
const COMPACT_AFTER_BYTES: u64 = 64 << 20;

/// Longest wait for sled's threads to release a database that was just closed.
const LET_GO: Duration = Duration::from_secs(5);
const LET_GO_STEP: Duration = Duration::from_millis(1);

/// Opens a database that this process may have closed a moment ago: sled's own threads hold its lock a little longer.
/// No other process can hold it, since the folder lock is taken.
#[expect(clippy::disallowed_methods, reason = "sled tells nobody when it has let go")]
pub(super) fn open_released(config: &sled::Config) -> sled::Result<sled::Db> {
    let mut waited = Duration::ZERO;
    loop {
        match config.open() {
            Err(sled::Error::Io(error)) if waited < LET_GO && error.to_string().contains("acquire lock") => {
                std::thread::sleep(LET_GO_STEP);
                waited += LET_GO_STEP;
            }
            opened => return opened,
        }
    }
}

impl Drop for CompactOnClose {
    fn drop(&mut self) {
        if self.written.load(Ordering::Relaxed) >= COMPACT_AFTER_BYTES
            && let Err(error) = SledView::open(&self.folder, 3 << 20)
        {
            tracing::warn!(%error, "the store's view could not be compacted; the next start rebuilds it");
        }
    }
}

/// Syncs every file below `folder`, then the folders themselves.
pub(super) fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(&entry.path())?;
            continue;
        }
        match File::open(entry.path()) {
            // sled removes some of its files while it runs.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => opened?.sync_all()?,
        }
    }
    File::open(folder)?.sync_all()
}

/// Removes half-written snapshots of sled: one sorts last, fails its checksum, and sled then refuses to open.
pub(super) fn remove_partial_snapshots(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "generating") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
