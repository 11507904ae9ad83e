//! The engine that survives: a log on disk, and a picture of it that reads are answered from.
//!
//! ```text
//! FORMAT, LOCK       what the folder is, and who has it
//! log/<time>.log     the commits; their fdatasync is the acknowledgement
//! snap/<time>.snap   everything live at one time, so that older log can go
//! CHECKPOINT         the time up to which the picture survives a power cut
//! sled/              the picture: disposable
//! ```
//! A start replays the log from the checkpoint; that is safe after any crash, because inserting a version twice changes
//! nothing. A picture that does not open is set aside and made again from the newest snapshot and the log.

mod files;
mod lock;
mod log;
mod picture;
mod record;
#[cfg(test)]
mod sim;
mod sled_picture;
mod snapshot;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use sim::{SimEngine, SimFiles};

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch;

use self::files::{Files, RealFiles};
use self::log::Log;
use self::picture::Picture;
use self::record::Logged;
use self::sled_picture::SledPicture;
use super::recent::{LogReader, RECENT_BYTES, Recent};
use super::{Batch, Change, Commit, Engine, Forgotten, Page, Scan, Stored, Term, fenced};
use crate::codec::decode_document;
use crate::key::{DOCS, DbNo, Key, read_doc_key};
use crate::model::{DocPath, Ts};
use crate::{Code, Error, Result};

/// The longest time between two checkpoints while there are commits.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);
/// The most commits that a start brings back for readers of the log.
const RECALLED: usize = 20_000;
/// How far back readers of the log may go.
const HISTORY: Duration = Duration::from_secs(3_600);
/// The default size of the picture's cache, in bytes.
pub const DEFAULT_CACHE: u64 = 512 << 20;

const CHECKPOINT: &str = "CHECKPOINT";

/// Which folder, and how.
#[derive(Debug, Clone)]
pub struct DiskOptions {
    /// The data folder.
    pub folder: PathBuf,
    /// The size of the picture's cache, in bytes; memory stays flat while it is above the working set.
    pub cache: u64,
    /// The time of the start.
    pub now: Ts,
}

/// The engine on a data folder.
#[derive(Debug)]
pub struct DiskEngine {
    inner: Inner<RealFiles, SledPicture>,
    /// Let go of last, when everything is written.
    _lock: lock::FolderLock,
}

impl DiskEngine {
    /// Opens the data folder, making the picture again if need be. Blocks on the disk.
    ///
    /// # Errors
    /// `FailedPrecondition` when another process has the folder or it is of another version; `DataLoss` when the log is
    /// damaged other than at its very end.
    pub fn open(options: &DiskOptions) -> Result<Self> {
        let lock = lock::take(&options.folder)?;
        let sled = options.folder.join("sled");
        let open_picture = |fresh: bool| {
            if fresh {
                set_aside(&sled)?;
            }
            SledPicture::open(&sled, options.cache)
        };
        let inner = Inner::open(lock::files(&options.folder), open_picture, options.now, Cadence::default())?;
        Ok(Self { inner, _lock: lock })
    }
}

/// Moves a damaged picture away, in place of one moved away before.
fn set_aside(sled: &std::path::Path) -> Result<()> {
    let aside = sled.with_extension("damaged");
    let moved = if sled.exists() {
        std::fs::remove_dir_all(&aside)
            .or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .and_then(|()| std::fs::rename(sled, &aside))
    } else {
        Ok(())
    };
    moved.map_err(|error| {
        let message = format!("cannot move {} away: {error}", sled.display());
        Error::new(Code::Unavailable, "PictureOpen", message).with_source(error)
    })
}

/// Has an engine that wraps an [`Inner`] do what that does.
macro_rules! engine_of_inner {
    ($engine:ty) => {
        impl Engine for $engine {
            async fn lead(&self) -> Result<Term> {
                Engine::lead(&self.inner).await
            }
            async fn append(&self, term: Term, batch: Batch) -> Result<()> {
                Engine::append(&self.inner, term, batch).await
            }
            fn visible(&self) -> watch::Receiver<Ts> {
                self.inner.visible()
            }
            async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
                self.inner.get(keys, at).await
            }
            async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
                self.inner.scan(scan).await
            }
            fn log(&self, after: Ts) -> Result<LogReader> {
                self.inner.log(after)
            }
            async fn forget(&self, before: Ts, slice: usize) -> Result<Forgotten> {
                Engine::forget(&self.inner, before, slice).await
            }
        }
    };
}

engine_of_inner!(DiskEngine);
#[cfg(test)]
engine_of_inner!(SimEngine);

impl<F: Files, P: Picture> Engine for Inner<F, P> {
    async fn lead(&self) -> Result<Term> {
        Ok(Self::lead(self))
    }
    async fn append(&self, term: Term, batch: Batch) -> Result<()> {
        Self::append(self, term, batch)
    }
    fn visible(&self) -> watch::Receiver<Ts> {
        self.shared.recent.visible()
    }
    async fn get(&self, keys: &[Key], at: Ts) -> Result<Vec<Option<Stored>>> {
        keys.iter().map(|key| self.shared.picture.get(key, at)).collect()
    }
    async fn scan(&self, scan: &Scan<'_>) -> Result<Page> {
        self.shared.picture.scan(scan)
    }
    fn log(&self, after: Ts) -> Result<LogReader> {
        LogReader::new(&self.shared.recent, after)
    }
    async fn forget(&self, before: Ts, slice: usize) -> Result<Forgotten> {
        Self::forget(self, before, slice)
    }
}

/// When the picture and the snapshots are brought up to date.
#[derive(Debug, Clone, Copy)]
struct Cadence {
    /// How much log there is between two checkpoints, in bytes: what a start may have to replay.
    checkpoint: u64,
    /// The least log between two snapshots, in bytes.
    snapshot: u64,
}

impl Default for Cadence {
    fn default() -> Self {
        Self { checkpoint: 32 << 20, snapshot: 256 << 20 }
    }
}

/// The engine over any files and any picture.
#[derive(Debug)]
struct Inner<F: Files, P: Picture> {
    shared: Arc<Shared<F, P>>,
    /// Wakes the thread that makes checkpoints and snapshots; dropping it ends the thread.
    wake: Option<mpsc::Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<F: Files, P: Picture> {
    files: Arc<F>,
    picture: P,
    cadence: Cadence,
    /// The committer appends under it; nobody else holds it for longer than a look.
    log: Mutex<Log<F>>,
    recent: Recent,
    term: AtomicU64,
    /// Bytes appended since the last checkpoint began.
    unsaved: AtomicU64,
    marks: Mutex<Marks>,
    /// Where the next slice of forgetting goes on.
    forgetting: Mutex<Key>,
}

/// What the log is still needed for.
#[derive(Debug, Clone, Copy)]
struct Marks {
    /// The picture holds everything up to here, power cut or not.
    checkpoint: Ts,
    /// The newest snapshot, or where the log begins.
    snapshot: Ts,
    /// The newest snapshot's size, in bytes.
    snapshot_bytes: u64,
    /// Readers may still ask for what is after this.
    horizon: Ts,
}

impl<F: Files, P: Picture> Inner<F, P> {
    /// Opens the log and the picture; `open_picture(true)` gives an empty one in place of what is there.
    fn open(files: F, open_picture: impl Fn(bool) -> Result<P>, now: Ts, cadence: Cadence) -> Result<Self> {
        let files = Arc::new(files);
        let begins = lock::begin(&*files, now)?;
        let log = Log::open(files.clone(), begins)?;
        let snapshots = snapshot::list(&*files)?;
        // Without a checkpoint the whole log is replayed, and nothing is taken on trust.
        let checkpoint =
            Some(read_checkpoint(&*files).unwrap_or(begins)).filter(|at| *at >= log.begins_after());
        let kept = checkpoint.and_then(|at| match open_picture(false) {
            Ok(picture) => Some((picture, at)),
            Err(error) => {
                tracing::warn!(%error, "the store's picture is made again from the log");
                None
            }
        });
        let rebuilt = kept.is_none();
        let (picture, from) = match kept {
            Some(kept) => kept,
            None => {
                // A crash while the picture is half made must not find a checkpoint that calls it whole.
                forget_checkpoint(&*files)?;
                restore(&*files, open_picture(true)?, &snapshots, &log, begins)?
            }
        };
        let mut opened = Opening { log, picture, from, recalled: VecDeque::new() };
        opened.replay()?;
        let Opening { log, picture, recalled, .. } = opened;
        let recent = recall(&picture, recalled, log.end(), now)?;
        let snapshot = snapshots.first().copied().unwrap_or(begins);
        let marks = Marks { checkpoint: from, snapshot, snapshot_bytes: 0, horizon: Ts::ZERO };
        let shared = Arc::new(Shared {
            files,
            picture,
            cadence,
            unsaved: AtomicU64::new(if rebuilt { cadence.checkpoint } else { log.bytes_since(from) }),
            log: Mutex::new(log),
            recent,
            term: AtomicU64::new(0),
            marks: Mutex::new(marks),
            forgetting: Mutex::default(),
        });
        let (wake, woken) = mpsc::channel();
        let keeper = std::thread::Builder::new()
            .name("checkpoints".to_owned())
            .spawn({
                let shared = shared.clone();
                move || shared.keep(&woken)
            })
            .map_err(|error| Error::internal("KeeperThread", "the store could not start a thread", error))?;
        Ok(Self { shared, wake: Some(wake), keeper: Some(keeper) })
    }

    fn lead(&self) -> Term {
        Term(self.shared.term.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn append(&self, term: Term, batch: Batch) -> Result<()> {
        let shared = &self.shared;
        let appended = {
            let mut log = held(&shared.log);
            if term.0 != shared.term.load(Ordering::SeqCst) {
                return Err(fenced());
            }
            let before = log.bytes_since(Ts::ZERO);
            log.append(&batch)?;
            log.bytes_since(Ts::ZERO) - before
        };
        for commit in &batch {
            shared.picture.insert(commit.ts, &commit.puts)?;
        }
        shared.recent.publish(batch);
        let unsaved = shared.unsaved.fetch_add(appended, Ordering::Relaxed) + appended;
        if unsaved >= shared.cadence.checkpoint {
            self.wake();
        }
        Ok(())
    }

    fn forget(&self, before: Ts, slice: usize) -> Result<Forgotten> {
        let shared = &self.shared;
        shared.recent.forget(before);
        held(&shared.marks).horizon = before;
        let from = held(&shared.forgetting).clone();
        let found = shared.picture.forget(&from, before, slice)?;
        let done = found.resume.is_empty();
        *held(&shared.forgetting) = found.resume;
        if done {
            self.wake();
        }
        Ok(Forgotten { dropped: found.dead.len(), examined: found.examined, done })
    }

    fn wake(&self) {
        if let Some(wake) = &self.wake {
            // Only the end of the thread can refuse, and then there is nothing to wake.
            let _ = wake.send(());
        }
    }
}

impl<F: Files, P: Picture> Drop for Inner<F, P> {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(keeper) = self.keeper.take()
            && keeper.join().is_err()
        {
            tracing::error!("the thread that makes checkpoints had panicked");
        }
    }
}

impl<F: Files, P: Picture> Shared<F, P> {
    /// Makes checkpoints and snapshots until the engine is dropped, and a last checkpoint then.
    fn keep(&self, woken: &mpsc::Receiver<()>) {
        loop {
            let stop = matches!(woken.recv_timeout(CHECKPOINT_EVERY), Err(RecvTimeoutError::Disconnected));
            while woken.try_recv().is_ok() {}
            if let Err(error) = self.save(stop) {
                // The log still has everything; the next try may succeed.
                tracing::error!(%error, "a checkpoint failed");
            }
            if stop {
                return;
            }
        }
    }

    fn save(&self, stopping: bool) -> Result<()> {
        let end = *self.recent.visible().borrow();
        if self.marks().checkpoint < end {
            let unsaved = self.unsaved.swap(0, Ordering::Relaxed);
            match self.checkpoint(end) {
                Ok(true) => held(&self.marks).checkpoint = end,
                Ok(false) => {}
                Err(error) => {
                    self.unsaved.fetch_add(unsaved, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        if stopping {
            return Ok(());
        }
        let marks = self.marks();
        let since = held(&self.log).bytes_since(marks.snapshot);
        if since >= self.cadence.snapshot.max(marks.snapshot_bytes * 2) {
            let bytes = snapshot::write(&*self.files, &self.picture, end)?;
            let mut marks = held(&self.marks);
            (marks.snapshot, marks.snapshot_bytes) = (end, bytes);
        }
        let marks = self.marks();
        held(&self.log).drop_before(marks.checkpoint.min(marks.snapshot).min(marks.horizon))
    }

    fn checkpoint(&self, at: Ts) -> Result<bool> {
        if !self.picture.sync()? {
            return Ok(false);
        }
        let text = format!("{}\n", at.micros());
        self.files.replace("", CHECKPOINT, text.as_bytes()).map_err(checkpoint_failed)?;
        Ok(true)
    }

    fn marks(&self) -> Marks {
        *held(&self.marks)
    }
}

/// What a start has in hand while it replays.
struct Opening<F: Files, P: Picture> {
    log: Log<F>,
    picture: P,
    /// The picture already holds everything up to here.
    from: Ts,
    recalled: VecDeque<Logged>,
}

impl<F: Files, P: Picture> Opening<F, P> {
    fn replay(&mut self) -> Result<()> {
        let (picture, from, recalled) = (&self.picture, self.from, &mut self.recalled);
        let mut first = true;
        let mut gap = None;
        self.log.replay(from, |commit| {
            if commit.ts > from {
                if std::mem::take(&mut first) && commit.prev > from {
                    gap = Some(commit.prev);
                }
                picture.insert(commit.ts, &commit.puts)?;
            }
            if recalled.len() == RECALLED {
                recalled.pop_front();
            }
            recalled.push_back(commit);
            Ok(())
        })?;
        match gap {
            Some(gap) => Err(Error::new(
                Code::DataLoss,
                "LogGap",
                format!(
                    "the log has nothing between {from} and {gap}: restore the data folder from a backup"
                ),
            )),
            None => Ok(()),
        }
    }
}

/// Fills an empty picture from the newest good snapshot that the log goes on from. Returns it and its time.
fn restore<F: Files, P: Picture>(
    files: &F,
    picture: P,
    snapshots: &[Ts],
    log: &Log<F>,
    begins: Ts,
) -> Result<(P, Ts)> {
    let Some(newest) = snapshots.first().copied() else {
        return if log.begins_after() == begins {
            Ok((picture, begins))
        } else {
            Err(Error::new(
                Code::DataLoss,
                "NoSnapshot",
                "the picture is damaged, and the log begins later than the data and has no snapshot before it: restore \
                 the data folder from a backup",
            ))
        };
    };
    snapshot::read(files, &picture, newest)?;
    Ok((picture, newest))
}

/// Brings the last commits back for readers of the log, with their documents before and after.
fn recall(picture: &impl Picture, logged: VecDeque<Logged>, end: Ts, now: Ts) -> Result<Recent> {
    let history = u64::try_from(HISTORY.as_micros()).unwrap_or(u64::MAX);
    // However long the server was off, its readers may still have the last commits to take in.
    let oldest = Ts::from_micros(now.min(end).micros().saturating_sub(history));
    let mut logged = logged.into_iter().filter(|commit| commit.ts > oldest).peekable();
    let begin = logged.peek().map_or(end, |commit| commit.prev);
    let recent = Recent::new(begin, RECENT_BYTES);
    let mut batch = Vec::new();
    for Logged { prev, ts, backfill, puts } in logged {
        let mut changes = Vec::new();
        for put in puts.iter().filter(|put| put.key.get(4) == Some(&DOCS)) {
            let (database, path) = read_key(&put.key)?;
            let decode = |bytes: &Stored| decode_document(&path, bytes).map(Arc::new);
            let old = picture.get(&put.key, prev)?.as_ref().map(decode).transpose()?;
            let new = put.value.as_ref().map(decode).transpose()?;
            changes.push(Change { database, path, old, new });
        }
        batch.push(Arc::new(Commit::new(prev, ts, changes, backfill, puts)));
    }
    recent.publish(batch);
    Ok(recent)
}

fn read_key(key: &[u8]) -> Result<(DbNo, DocPath)> {
    let database = key.first_chunk::<4>().map(|number| DbNo(u32::from_be_bytes(*number)));
    database.zip(read_doc_key(key)).ok_or_else(|| {
        Error::new(
            Code::DataLoss,
            "LogDamaged",
            "the log has a key that is no document's: restore from a backup",
        )
    })
}

fn forget_checkpoint<F: Files>(files: &F) -> Result<()> {
    files.remove(CHECKPOINT).and_then(|()| files.sync_folder("")).map_err(checkpoint_failed)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape map_err wants")]
fn checkpoint_failed(error: std::io::Error) -> Error {
    Error::new(
        Code::Unavailable,
        "Checkpoint",
        format!("cannot write {CHECKPOINT} of the data folder: {error}"),
    )
}

fn read_checkpoint<F: Files>(files: &F) -> Option<Ts> {
    let bytes = files.read(CHECKPOINT).ok()?;
    std::str::from_utf8(&bytes).ok()?.trim().parse().ok().map(Ts::from_micros)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
