//! The start: open the log and a view that is consistent with it, or fill an empty one, replay the log, and restore its
//! tail for readers of the log.

pub(super) mod shared_copy;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use parking_lot::Mutex;

use super::files::Files;
use super::log::Log;
use super::log_gc::LogGc;
use super::memtable::Memtable;
use super::record::Logged;
use super::retention::RetentionPoints;
use super::space::Space;
use super::view::state::{Checkpoint, ViewState};
use super::view::{self, TORN, View, is_read_failure};
use super::worker::Worker;
use super::{Cadence, Inner, Shared, checkpointer, lock, snapshot};
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DOCS, DbNo, read_doc_key};
use crate::engine::{Change, Commit, Put, RECENT_BYTES, Recent, Stored};
use crate::model::{DocPath, Ts};
use crate::{Code, Error, Result};

/// Most commits restored for readers of the log.
const TAIL_COMMITS: usize = 20_000;
/// Most bytes of keys and values restored for them.
const TAIL_BYTES: usize = 32 << 20;
/// Age up to which readers of the log may resume.
const HISTORY: Duration = Duration::from_secs(3_600);

impl<F: Files, V: View> Inner<F, V> {
    /// Opens the log and the view; `open_view(true)` replaces the existing view by an empty one. A view that turns out
    /// to be unreadable during the start is rebuilt, once. `view_name` is the view's folder, for messages.
    pub(super) fn open(
        files: F,
        open_view: impl Fn(bool) -> Result<V>,
        view_name: &str,
        now: Ts,
        cadence: Cadence,
    ) -> Result<Self> {
        let files = Arc::new(files);
        match Self::open_once(&files, &open_view, view_name, now, cadence) {
            Err(error) if is_read_failure(&error) => {
                tracing::warn!(
                    %error,
                    "the store's view cannot be read: it is built again from the log and its newest snapshot"
                );
                checkpointer::remove_checkpoint(&*files)?;
                Self::open_once(&files, &open_view, view_name, now, cadence)
            }
            opened => opened,
        }
    }

    fn open_once(
        files: &Arc<F>,
        open_view: &impl Fn(bool) -> Result<V>,
        view_name: &str,
        now: Ts,
        cadence: Cadence,
    ) -> Result<Self> {
        let files = Arc::clone(files);
        let folder = lock::begin(&*files, now)?;
        let begins = folder.begins;
        let mut log = Log::open(files.clone(), folder, cadence.segment)?;
        if !cadence.durable {
            log.write_behind();
        }
        let snapshots = snapshot::list(&*files)?;
        let checkpoint = checkpointer::read_checkpoint(&*files);
        let view = Self::usable_view(open_view, checkpoint, begins, log.begins_after());
        let seen = [
            view.as_ref().map(|(_, state)| state.applied),
            checkpoint.map(|checkpoint| checkpoint.at),
            snapshots.first().copied(),
        ];
        let seen = seen.into_iter().flatten().max().unwrap_or(begins);
        // Check while the files that have seen those commits are still there: the next start must refuse this log too.
        check_end(&mut log, seen, &snapshots, begins, view_name)?;
        // A rebuilt view counts as due for a checkpoint, so that the next start need not rebuild it.
        let rebuilt = view.is_none() && log.end() > begins;
        let (view, state, from, collected) = match (view, checkpoint) {
            (Some((view, state)), Some(Checkpoint { at, collected, .. })) => (view, state, at, collected),
            _ => {
                // Remove the checkpoint first: after a crash it would call a half-built view complete.
                let fresh = open_view(true)?;
                checkpointer::remove_checkpoint(&*files)?;
                let (view, from) = restore(&*files, fresh, &snapshots, &log, begins)?;
                (view, ViewState { begins, generation: now.micros(), applied: from }, from, from)
            }
        };
        let memtable = Memtable::new(ViewState { applied: from, ..state }, cadence.layer);
        let mut opened = Opening { log, view, memtable, from, tail: ReplayedTail::default() };
        opened.replay()?;
        let Opening { log, view, memtable, tail, .. } = opened;
        // Before the restart there was less log after the horizon, so no version after it was collected for size. Of a
        // view made from a snapshot, every version before that is missing.
        let kept = log.horizon(cadence.history).max(collected);
        let recent = recent_of_tail((&memtable, &view), tail, log.end(), now, kept)?;
        let snapshot = snapshots.first().copied().unwrap_or(begins);
        let snapshot_bytes = snapshots.first().map_or(0, |at| snapshot::size(&*files, *at));
        let retention = RetentionPoints {
            checkpoint: from,
            snapshot,
            snapshot_bytes,
            horizon: kept,
            collected,
            pins: Vec::new(),
        };
        let shared = Arc::new(Shared {
            space: Space::new(Arc::clone(&files)),
            files,
            view,
            memtable,
            cadence,
            unsaved: AtomicU64::new(if rebuilt { cadence.checkpoint } else { log.bytes_since(from) }),
            log: Mutex::new(log),
            recent,
            term: AtomicU64::new(0),
            retention: Mutex::new(retention),
            oldest: AtomicU64::new(kept.micros()),
            distrusted: AtomicBool::new(false),
            log_gc: Mutex::new(LogGc::new(collected)),
            gc_cursor: Mutex::default(),
        });
        let (saving, flushing, snapshotting) =
            (Arc::clone(&shared), Arc::clone(&shared), Arc::clone(&shared));
        let flusher = Worker::start("flusher", move |woken| flushing.run_flusher(woken))?;
        let checkpointer = Worker::start("checkpointer", move |woken| saving.run_checkpointer(woken))?;
        let snapshotter = Worker::start("snapshotter", move |woken| snapshotting.run_snapshotter(woken))?;
        flusher.wake();
        Ok(Self { shared, flusher, checkpointer, snapshotter })
    }

    /// The existing view, if it is consistent with the checkpoint; otherwise the reason is logged.
    fn usable_view(
        open_view: impl Fn(bool) -> Result<V>,
        checkpoint: Option<Checkpoint>,
        begins: Ts,
        log_begins: Ts,
    ) -> Option<(V, ViewState)> {
        // A new folder has neither; a view without a checkpoint is never trusted.
        let checkpoint = checkpoint.filter(|checkpoint| checkpoint.at >= log_begins)?;
        let opened = open_view(false).and_then(|view| {
            let state = view.state()?;
            Ok((view, state))
        });
        match opened {
            Ok((view, state)) => match view::state::verify(state, checkpoint, begins) {
                Ok(state) => return Some((view, state)),
                Err(reason) => {
                    tracing::warn!(%reason, "the store's view is built again from the log and its newest snapshot");
                }
            },
            Err(error) => {
                tracing::warn!(%error, "the store's view is built again from the log and its newest snapshot");
            }
        }
        None
    }
}

/// The newest commits of the replayed log.
#[derive(Debug, Default)]
pub(super) struct ReplayedTail {
    commits: VecDeque<Logged>,
    bytes: usize,
}

impl ReplayedTail {
    pub(super) fn extend(&mut self, commits: Vec<Logged>) {
        self.bytes += commits.iter().map(weight).sum::<usize>();
        self.commits.extend(commits);
        while (self.bytes > TAIL_BYTES || self.commits.len() > TAIL_COMMITS)
            && let Some(oldest) = self.commits.pop_front()
        {
            self.bytes -= weight(&oldest);
        }
    }
}

fn weight(commit: &Logged) -> usize {
    commit.puts.iter().map(Put::size).sum()
}

/// State of a start during the replay.
pub(super) struct Opening<F: Files, V: View> {
    pub(super) log: Log<F>,
    pub(super) view: V,
    /// Replayed commits that are not yet in the view.
    pub(super) memtable: Memtable,
    /// The view already has every commit up to here.
    pub(super) from: Ts,
    pub(super) tail: ReplayedTail,
}

impl<F: Files, V: View> Opening<F, V> {
    pub(super) fn replay(&mut self) -> Result<()> {
        let (view, memtable, from, tail) = (&self.view, &self.memtable, self.from, &mut self.tail);
        let mut first = true;
        let mut gap = None;
        self.log.replay(from, |commits| {
            let fresh: Vec<_> = commits.iter().filter(|commit| commit.ts > from).collect();
            if let Some(commit) = fresh.first()
                && std::mem::take(&mut first)
                && commit.prev > from
            {
                gap = Some(commit.prev);
            }
            for commit in fresh {
                memtable.replay(view, commit.ts, &commit.puts)?;
            }
            tail.extend(commits);
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

/// Refuses a log that ends before `seen`, the newest commit known to the view, the checkpoint or a snapshot.
/// `snapshots` are newest first; `view_name` is the view's folder.
///
/// # Errors
/// `DataLoss` (`LogCutShort`), with a way to go on without the missing commits where there is one.
pub(super) fn check_end<F: Files>(
    log: &mut Log<F>,
    seen: Ts,
    snapshots: &[Ts],
    begins: Ts,
    view_name: &str,
) -> Result<()> {
    let end = log.whole_until()?;
    if end >= seen {
        return Ok(());
    }
    let beyond = snapshots.partition_point(|snapshot| *snapshot > end);
    let start = snapshots.get(beyond).copied().unwrap_or(begins);
    let mut message = format!(
        "the log ends at {end}, but commits up to {seen} had been stored: its end is missing. Restore the data folder from \
         a backup"
    );
    if log.begins_after() <= start && !log.is_empty() {
        // Without those files a start accepts the log, unless a snapshot is newer.
        let newer = snapshots[..beyond].iter().map(|snapshot| format!(", {}", snapshot::path(*snapshot)));
        message.push_str(&format!("; or, to go on without those commits, move {view_name}, CHECKPOINT"));
        message.extend(newer);
        message.push_str(" out of it");
    }
    Err(Error::new(Code::DataLoss, "LogCutShort", message))
}

/// Fills an empty view from the newest good snapshot that the log continues. Returns it and the snapshot's time.
pub(super) fn restore<F: Files, V: View>(
    files: &F,
    view: V,
    snapshots: &[Ts],
    log: &Log<F>,
    begins: Ts,
) -> Result<(V, Ts)> {
    let Some(newest) = snapshots.first().copied() else {
        return if log.begins_after() == begins {
            Ok((view, begins))
        } else {
            Err(Error::new(
                Code::DataLoss,
                "NoSnapshot",
                "the view is damaged, and the log begins later than the data and has no snapshot before it: restore \
                 the data folder from a backup",
            ))
        };
    };
    snapshot::read(files, &view, newest)?;
    Ok((view, newest))
}

/// Restores the last commits for readers of the log, with their documents before and after.
///
/// Before the start, no version after `kept` was collected for size. If a document's old version is gone or was being
/// removed when the server ended, the restored commits begin after that change.
pub(super) fn recent_of_tail(
    (memtable, view): (&Memtable, &impl View),
    logged: ReplayedTail,
    end: Ts,
    now: Ts,
    kept: Ts,
) -> Result<Recent> {
    let memtable = memtable.reader();
    let history = u64::try_from(HISTORY.as_micros()).unwrap_or(u64::MAX);
    // However long the server was down, its readers may still need the last commits.
    let oldest = Ts::from_micros(now.min(end).micros().saturating_sub(history)).max(kept);
    let mut logged = logged.commits.into_iter().filter(|commit| commit.ts > oldest).peekable();
    let mut begin = logged.peek().map_or(end, |commit| commit.prev);
    let mut batch = Vec::new();
    'commits: for Logged { prev, ts, author, backfill, puts } in logged {
        let mut changes = Vec::new();
        for put in puts.iter().filter(|put| put.key.get(4) == Some(&DOCS)) {
            let (database, path) = read_key(&put.key)?;
            let decode = |bytes: &Stored| decode_document(&path, bytes).map(Arc::new);
            let old = match memtable.get(view, &put.key, prev) {
                // This commit replaced it, and its removal was interrupted; no other reader needs it.
                Err(error) if error.tag() == TORN => {
                    batch.clear();
                    begin = ts;
                    continue 'commits;
                }
                old => old?.as_ref().map(decode).transpose()?,
            };
            let new = put.value.as_ref().map(decode).transpose()?;
            // A deleted document, or one created before this change, did exist: its old version was collected.
            if old.is_none() && new.as_ref().is_none_or(|new| new.create_time < ts) {
                batch.clear();
                begin = ts;
                continue 'commits;
            }
            changes.push(Change { database, path, old, new });
        }
        batch.push(Arc::new(Commit::new(prev, ts, changes, backfill, puts).by(author)));
    }
    let recent = Recent::new(begin, RECENT_BYTES);
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
