//! The threads behind the log: one takes commits into the picture, one makes checkpoints and one snapshots, after which
//! less of the log has to stay.

use std::sync::TryLockError;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::files::Files;
use super::pending::Pending;
use super::picture::{Picture, is_read_failure};
use super::view_state::Checkpoint;
use super::{Marks, Shared, held, snapshot};
use crate::engine::version_forgotten;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// The longest time between two checkpoints while there are commits.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// How long to wait before what could not be taken into the picture is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// After how long without a commit what waits is taken into the picture.
const REST: Duration = Duration::from_millis(100);

pub(super) const CHECKPOINT: &str = "CHECKPOINT";

/// A thread that waits to be woken.
#[derive(Debug)]
pub(super) struct Worker {
    /// Dropping it ends the thread.
    wake: Option<mpsc::SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread that does `work` until nobody can wake it any more.
    pub(super) fn start(name: &str, work: impl FnOnce(&mpsc::Receiver<()>) + Send + 'static) -> Result<Self> {
        // One call that waits stands for any number.
        let (wake, woken) = mpsc::sync_channel(1);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&woken))
            .map_err(|error| Error::internal("KeeperThread", "the store could not start a thread", error))?;
        Ok(Self { wake: Some(wake), thread: Some(thread) })
    }

    /// Has it look for work.
    pub(super) fn wake(&self) {
        if let Some(wake) = &self.wake {
            // A call already waits, or the thread has ended and there is nothing to wake.
            let _ = wake.try_send(());
        }
    }

    /// Lets it finish, and waits for that.
    pub(super) fn end(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a thread of the store had panicked");
        }
    }
}

impl<F: Files, P: Picture> Shared<F, P> {
    /// Takes what waits into the picture, once commits rest or enough has come together.
    pub(super) fn take_in(&self, woken: &mpsc::Receiver<()>) {
        // However this ends, nobody may wait for it for ever.
        let _last = GiveUp(&self.pending);
        while woken.recv().is_ok() {
            let mut told = false;
            while !self.pending.is_empty() {
                if !self.pending.gathered() {
                    let seen = self.pending.newest();
                    match woken.recv_timeout(REST) {
                        Err(RecvTimeoutError::Disconnected) => return,
                        _ if self.pending.newest() != seen => continue,
                        _ => {}
                    }
                }
                if let Err(error) = self.noted(self.pending.apply_due(&self.picture)) {
                    // The log still has everything, and readers still see it.
                    if !std::mem::replace(&mut told, true) {
                        tracing::error!(%error, "the store's view of the log could not be brought up to date");
                    }
                    if matches!(woken.recv_timeout(TRY_AGAIN), Err(RecvTimeoutError::Disconnected)) {
                        return;
                    }
                }
            }
        }
    }

    /// Makes checkpoints until the engine is dropped, and a last one then.
    pub(super) fn keep(&self, woken: &mpsc::Receiver<()>) {
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
            self.space.take_reserve();
        }
    }

    /// Makes snapshots until the engine is dropped. They take long, and checkpoints must not wait for them.
    pub(super) fn take_snapshots(&self, woken: &mpsc::Receiver<()>) {
        while woken.recv().is_ok() {
            if let Err(error) = self.take_snapshot() {
                tracing::error!(%error, "a snapshot failed");
            }
        }
    }

    /// Notes that the view could not be read: what it holds can no longer be told. From now on nothing is made from it
    /// and no log goes; the next start builds it again.
    fn distrust(&self, error: &Error) {
        if self.distrusted.swap(true, Ordering::SeqCst) {
            return;
        }
        tracing::error!(
            %error,
            "the store's view of the log could not be read: it is built again at the next start, and until then no \
             snapshot is made and no log is removed"
        );
        if let Err(error) = forget_checkpoint(&*self.files) {
            tracing::error!(%error, "CHECKPOINT could not be removed: remove it before the next start");
        }
    }

    /// Whether a read of the view has failed since the start.
    pub(super) fn distrusted(&self) -> bool {
        self.distrusted.load(Ordering::SeqCst)
    }

    /// Hands on what a read of the view gave, and notes where it failed.
    pub(super) fn noted<T>(&self, read: Result<T>) -> Result<T> {
        if let Err(error) = &read
            && is_read_failure(error)
        {
            self.distrust(error);
        }
        read
    }

    /// Makes a checkpoint of what the picture has. What waits for it is left to the next one, unless this is the last.
    pub(super) fn save(&self, stopping: bool) -> Result<()> {
        if stopping {
            self.pending.apply(&self.picture, *self.recent.visible().borrow())?;
        }
        if self.distrusted() {
            return Ok(());
        }
        let at = self.pending.applied();
        if self.marks().checkpoint < at {
            let unsaved = self.unsaved.swap(0, Ordering::Relaxed);
            let retired = held(&self.history).done();
            match self.checkpoint(at, retired) {
                // A read may have failed while it was written.
                Ok(_) if self.distrusted() => return forget_checkpoint(&*self.files),
                Ok(durable) => {
                    let mut marks = held(&self.marks);
                    marks.retired = retired;
                    if durable {
                        marks.checkpoint = at;
                    }
                }
                Err(error) => {
                    self.unsaved.fetch_add(unsaved, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        if stopping { Ok(()) } else { self.drop_log() }
    }

    /// Makes a snapshot if one is due.
    pub(super) fn take_snapshot(&self) -> Result<()> {
        if self.distrusted() {
            return Ok(());
        }
        let marks = self.marks();
        self.space.for_commits()?;
        let since = held(&self.log).bytes_since(marks.snapshot);
        if since < self.cadence.snapshot.max(marks.snapshot_bytes * 2) {
            return Ok(());
        }
        let end = self.pin();
        let written = self.pending.apply(&self.picture, end);
        let whole = || if self.distrusted() { Err(snapshot::given_up()) } else { self.space.for_commits() };
        let written =
            written.and_then(|()| self.noted(snapshot::write(&*self.files, &self.picture, end, whole)));
        let mut marks = held(&self.marks);
        marks.pinned = None;
        (marks.snapshot, marks.snapshot_bytes) = (end, written?);
        drop(marks);
        self.drop_log()
    }

    /// Removes the log that nobody needs any more: none while the view is distrusted.
    pub(super) fn drop_log(&self) -> Result<()> {
        if self.distrusted() {
            return Ok(());
        }
        let marks = self.marks();
        let needed = marks.checkpoint.min(marks.snapshot).min(marks.horizon).min(marks.retired);
        held(&self.log).drop_before(needed)
    }

    /// Why commits are refused now; nothing when they are not.
    pub(super) fn refusal(&self) -> Option<Error> {
        let short = self.space.for_commits().err();
        short.or_else(|| match self.log.try_lock() {
            Ok(mut log) => log.prepare().err(),
            Err(TryLockError::Poisoned(log)) => log.into_inner().prepare().err(),
            // A commit is being written.
            Err(TryLockError::WouldBlock) => None,
        })
    }

    /// The newest version, which nothing is forgotten of until the pin is taken away.
    fn pin(&self) -> Ts {
        let mut marks = held(&self.marks);
        let end = *self.recent.visible().borrow();
        marks.pinned = Some(end);
        end
    }

    /// Says from when on readers may still ask: `before`, or what is left of the history that may be kept.
    pub(super) fn raise_horizon(&self, before: Ts) -> Result<Ts> {
        let kept = held(&self.log).horizon(self.cadence.history);
        // There is nothing to see between the newest version and a later horizon.
        let wanted = before.max(kept).min(*self.recent.visible().borrow());
        // What is forgotten in the picture must be there first.
        self.pending.apply(&self.picture, wanted)?;
        let mut marks = held(&self.marks);
        marks.horizon = marks.horizon.max(marks.pinned.map_or(wanted, |pinned| wanted.min(pinned)));
        self.oldest.store(marks.horizon.micros(), Ordering::SeqCst);
        Ok(marks.horizon)
    }

    pub(super) fn oldest(&self) -> Ts {
        Ts::from_micros(self.oldest.load(Ordering::SeqCst))
    }

    /// Refuses what was read at `at` when a part of it may have been forgotten meanwhile.
    pub(super) fn still_kept(&self, at: Ts) -> Result<()> {
        if at >= self.oldest() { Ok(()) } else { Err(version_forgotten()) }
    }

    /// Makes the picture survive a power cut, up to `at`, and without what was replaced up to `retired`.
    fn checkpoint(&self, at: Ts, retired: Ts) -> Result<bool> {
        if !self.picture.sync()? {
            return Ok(false);
        }
        let checkpoint = Checkpoint { at, retired, generation: self.pending.generation() };
        self.files.replace("", CHECKPOINT, checkpoint.to_text().as_bytes()).map_err(checkpoint_failed)?;
        Ok(true)
    }

    pub(super) fn marks(&self) -> Marks {
        *held(&self.marks)
    }
}

pub(super) fn forget_checkpoint<F: Files>(files: &F) -> Result<()> {
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

/// What `CHECKPOINT` says; `None` when it is not there, or not whole.
pub(super) fn read_checkpoint<F: Files>(files: &F) -> Option<Checkpoint> {
    let bytes = files.read(CHECKPOINT).ok()?;
    Checkpoint::parse(std::str::from_utf8(&bytes).ok()?)
}

struct GiveUp<'a>(&'a Pending);

impl Drop for GiveUp<'_> {
    fn drop(&mut self) {
        self.0.give_up();
    }
}
