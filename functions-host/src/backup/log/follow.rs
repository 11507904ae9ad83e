//! Follows the log of a running server and copies its commits to a folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docstore::backup::log_record;
use docstore::changes::Changes;
use docstore::engine::Commit;
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use parking_lot::Mutex;
use storage_emu::KeptContent;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::super::contents::line;
use super::super::copy_content::ContentCopier;
use super::super::folder::UNFINISHED;
use super::super::key::BackupKey;
use super::super::make::Source;
use super::super::room::Room;
use super::super::runner::check_place;
use super::super::target::{BackupTarget, Purpose, open_target};
use super::super::{shown, unusable};
use super::chunks::{self, Chunk};
use crate::host::blocking::{Abandoned, blocking};

/// Time for which commits are gathered into one file: the most that is lost with the disk of the data.
const GATHER: Duration = Duration::from_secs(1);
/// Memory of gathered commits, in bytes, at which they are written at once.
const GATHERED: usize = 4 << 20;
/// Time after a failure until the next try.
const RETRY: Duration = Duration::from_secs(15);
/// Shortest time between two requests for a backup.
const ASK_EVERY: Duration = Duration::from_secs(3_600);
/// Files written between two looks for files to join.
const LOOK_EVERY: u32 = 64;

/// The place of the copies.
#[derive(Debug, Clone)]
pub(crate) struct LogOrder {
    /// Folder of the copies, as an absolute path.
    pub(crate) folder: PathBuf,
    /// Folder of the regular backups, as an absolute path.
    pub(crate) backups: PathBuf,
    /// The key file, as an absolute path; without one copies are not encrypted.
    pub(crate) key: Option<PathBuf>,
}

/// State that the copying and the regular backups share.
#[derive(Debug, Default)]
pub(crate) struct LogState {
    /// Time of the oldest commit that is not copied, in microseconds; 0 if all are.
    behind_since: AtomicU64,
    /// Version after which a chain begins that this process could not write to yet, in microseconds; 0 if there is none.
    begun: AtomicU64,
    /// Version of the newest commit in the last backup.
    backed_up: AtomicU64,
    /// Time of the last request for a backup, in microseconds; 0 before the first.
    asked_at: AtomicU64,
    /// Woken when a backup is due before its time.
    asked: Notify,
    /// The newest commit of the oldest regular backup that is kept, until the copying knows it.
    oldest_kept: Mutex<Option<Ts>>,
}

impl LogState {
    /// Time since the oldest commit that is not copied was made.
    pub(crate) fn lag(&self, now: Ts) -> Duration {
        match self.behind_since.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            since => Duration::from_micros(now.micros().saturating_sub(since)),
        }
    }

    fn behind(&self, since: Ts) {
        let _there =
            self.behind_since.compare_exchange(0, since.micros(), Ordering::Relaxed, Ordering::Relaxed);
    }

    fn up_to_date(&self) {
        self.behind_since.store(0, Ordering::Relaxed);
    }

    /// Completes when the copies need a backup from which they go on.
    pub(crate) async fn asked(&self) {
        self.asked.notified().await;
    }

    /// Records the newest commit of a backup that was made.
    pub(crate) fn backed_up(&self, commit: u64) {
        self.backed_up.fetch_max(commit, Ordering::Relaxed);
    }

    /// Asks for a backup if the copies begin after the last one and so continue none. They are asked for seldom: each
    /// may remove an older one.
    fn ask_if_needed(&self, beginning: Ts, now: Ts) {
        let (asked, wait) = (self.asked_at.load(Ordering::Relaxed), ASK_EVERY.as_micros());
        let waits = asked > 0 && u128::from(now.micros().abs_diff(asked)) < wait;
        if self.backed_up.load(Ordering::Relaxed) >= beginning.micros() || waits {
            return;
        }
        self.asked_at.store(now.micros(), Ordering::Relaxed);
        self.asked.notify_one();
    }

    /// Lets copies go that no kept backup needs: `oldest` is the newest commit of the oldest one.
    pub(crate) fn keep_after(&self, oldest: Option<Ts>) {
        if let Some(oldest) = oldest {
            *self.oldest_kept.lock() = Some(oldest);
        }
    }
}

/// Copies the log of a server until the task is aborted. Failures are logged and tried again.
pub(crate) async fn keep_copying(source: Source, state: Arc<LogState>, order: LogOrder) {
    loop {
        let ended = match Follower::open(&source, &state, &order).await {
            Ok(mut follower) => follower.run().await,
            Err(error) => Err(error),
        };
        let Err(error) = ended else {
            // The store is closed.
            return;
        };
        state.behind(source.clock.now());
        tracing::error!(%error, place = %order.folder.display(), "commits are not copied beside the backups");
        tokio::time::sleep(RETRY).await;
    }
}

/// The copying, from one failure to the next.
pub(super) struct Follower {
    source: Source,
    state: Arc<LogState>,
    target: Arc<dyn BackupTarget>,
    changes: Changes,
    /// The newest commit in the copies, or the one before the first of a new chain.
    position: Ts,
    /// Version after which the chain begins.
    beginning: Ts,
    written: u32,
}

impl Follower {
    /// Continues the copies in a folder, or begins anew where the log no longer has what follows them.
    ///
    /// # Errors
    /// As of a backup; `FailedPrecondition` (`LogCopiesForeign`).
    async fn open(source: &Source, state: &Arc<LogState>, order: &LogOrder) -> Result<Self> {
        let (data, order) = (source.data.clone(), order.clone());
        let opened = blocking(move |_| {
            check_place(&order.folder, &data, order.key.as_deref())?;
            check_apart(&order)?;
            let key = order.key.as_deref().map(BackupKey::read).transpose()?;
            open_target(&order.folder, Purpose::Write, key).map(Arc::from)
        });
        Self::over(source, state, opened.await?).await
    }

    /// The same on a target that is open.
    ///
    /// # Errors
    /// The same.
    pub(super) async fn over(
        source: &Source,
        state: &Arc<LogState>,
        target: Arc<dyn BackupTarget>,
    ) -> Result<Self> {
        let (place, oldest) = (Arc::clone(&target), state.oldest_kept.lock().take());
        let copied = blocking(move |_| {
            remove_unfinished(&*place)?;
            // Copies that no backup needs may fill the disk.
            let removed = oldest.map_or(Ok(()), |oldest| chunks::remove_until(&*place, oldest));
            removed.and_then(|()| chunks::join(&*place)).unwrap_or_else(|error| not_tidied(&*place, &error));
            let all = chunks::list(&*place)?;
            let end = all.iter().map(|chunk| chunk.last).max();
            Ok(end.map(|end| (end, chunks::beginning(&all, end))))
        });
        let (copied, store) = (copied.await?, &source.store);
        let position = copied.map(|(end, _)| end);
        let newest = store.newest();
        if let Some(copied) = position.filter(|copied| *copied > newest) {
            return Err(foreign(target.place(), copied));
        }
        let follower = |changes, position, beginning| Self {
            source: source.clone(),
            state: Arc::clone(state),
            target: Arc::clone(&target),
            changes,
            position,
            beginning,
            written: 0,
        };
        let begun =
            Some(Ts::from_micros(state.begun.load(Ordering::Relaxed))).filter(|begun| *begun > Ts::ZERO);
        if let Some(from) = position.max(begun) {
            let beginning = copied.filter(|(end, _)| *end == from).map_or(from, |(_, beginning)| beginning);
            match store.changes(from) {
                Ok(changes) => return Ok(follower(changes, from, beginning)),
                Err(_truncated) => tracing::warn!(
                    place = target.place(),
                    "commits after {} are missing from the copies of the log: a backup begins, from which they go on",
                    shown(from)
                ),
            }
        }
        state.begun.store(newest.micros(), Ordering::Relaxed);
        Ok(follower(store.changes(newest)?, newest, newest))
    }

    /// Copies until the store is closed.
    ///
    /// # Errors
    /// The target cannot be written, or the log no longer has the next commits.
    async fn run(&mut self) -> Result<()> {
        loop {
            if self.changes.position() >= self.source.store.newest() {
                self.state.up_to_date();
            }
            let Some(commits) = self.gather().await? else { return Ok(()) };
            self.write(commits).await?;
            self.state.up_to_date();
        }
    }

    /// The next commits, of a second at most; `None` when the store is closed.
    async fn gather(&mut self) -> Result<Option<Vec<Arc<Commit>>>> {
        let Some(first) = self.changes.next().await else { return Ok(None) };
        let mut commits = first?;
        if let Some(first) = commits.first() {
            self.state.behind(first.ts);
        }
        let deadline = Instant::now() + GATHER;
        while commits.iter().map(|commit| commit.weight).sum::<usize>() < GATHERED {
            match timeout_at(deadline, self.changes.next()).await {
                Ok(Some(more)) => commits.append(&mut more?),
                Ok(None) | Err(_) => break,
            }
        }
        Ok(Some(commits))
    }

    /// Copies commits, and the contents that they name.
    ///
    /// # Errors
    /// The target cannot be written; `FailedPrecondition` (`LogCopiesForeign`) if they do not follow those before.
    pub(super) async fn write(&mut self, commits: Vec<Arc<Commit>>) -> Result<()> {
        let (Some(first), Some(last)) = (commits.first(), commits.last()) else { return Ok(()) };
        if self.position != first.prev {
            return Err(foreign(self.target.place(), self.position));
        }
        let chunk = Chunk { after: first.prev, last: last.ts };
        let contents = self.contents(&commits);
        let (source, target) = (self.source.clone(), Arc::clone(&self.target));
        blocking(move |abandoned| {
            write(&source, &*target, chunk, &log_record(&commits), &contents, abandoned)
        })
        .await?;
        self.position = chunk.last;
        self.written += 1;
        // Only a chain that can be written is worth a backup.
        self.state.ask_if_needed(self.beginning, self.source.clock.now());
        self.tidy().await;
        Ok(())
    }

    /// Contents of files that commits name.
    fn contents(&self, commits: &[Arc<Commit>]) -> Vec<KeptContent> {
        let mut contents = Vec::new();
        for change in commits.iter().flat_map(|commit| &commit.changes) {
            let (Some(database), Some(document)) = (self.changes.database(change.database), &change.new)
            else {
                continue;
            };
            match KeptContent::of(&database, document) {
                Ok(content) => contents.extend(content),
                Err(error) => {
                    tracing::error!(%error, "a file's record is damaged: its content is not copied");
                }
            }
        }
        contents
    }

    /// Joins small files, and removes those that no backup needs. What fails is only logged: copying goes on.
    async fn tidy(&mut self) {
        let oldest = self.state.oldest_kept.lock().take();
        let looks = self.written.is_multiple_of(LOOK_EVERY);
        if oldest.is_none() && !looks {
            return;
        }
        let target = Arc::clone(&self.target);
        let tidied = blocking(move |_| {
            oldest.map_or(Ok(()), |oldest| chunks::remove_until(&*target, oldest))?;
            if looks { chunks::join(&*target) } else { Ok(()) }
        });
        tidied.await.unwrap_or_else(|error| not_tidied(&*self.target, &error));
    }
}

/// One damaged file stops no copying.
fn not_tidied(target: &dyn BackupTarget, error: &Error) {
    tracing::warn!(%error, place = target.place(), "copies of the log are not tidied up");
}

#[cfg(test)]
impl Follower {
    /// The commits that are there and not copied.
    pub(super) async fn available(&mut self) -> Result<Vec<Arc<Commit>>> {
        if self.changes.position() >= self.source.store.newest() {
            return Ok(Vec::new());
        }
        self.changes.next().await.unwrap_or(Ok(Vec::new()))
    }

    /// Takes the copies to end at a commit.
    pub(super) fn claim(&mut self, position: Ts) {
        self.position = position;
    }
}

fn write(
    source: &Source,
    target: &dyn BackupTarget,
    chunk: Chunk,
    commits: &[u8],
    contents: &[KeptContent],
    abandoned: &Abandoned,
) -> Result<()> {
    let room = Room::new(target, &source.data);
    let copier = ContentCopier { blobs: &source.blobs, target, room: &room, abandoned };
    let mut listed = String::new();
    for content in contents {
        copier.copy(content)?;
        listed.push_str(&line(content));
    }
    room.take((commits.len() + listed.len()) as u64)?;
    chunk.write(target, commits, &listed)
}

/// # Errors
/// `InvalidArgument` (`LogBesideBackups`): both folders are one.
fn check_apart(order: &LogOrder) -> Result<()> {
    let same = order
        .folder
        .canonicalize()
        .is_ok_and(|folder| order.backups.canonicalize().is_ok_and(|other| folder == other));
    if same {
        let message = format!(
            "{} is the folder of the backups: name another one in tuckbox.backup.logTo",
            order.folder.display()
        );
        return Err(Error::invalid("LogBesideBackups", message));
    }
    Ok(())
}

/// Removes what was being written when an earlier process ended.
fn remove_unfinished(target: &dyn BackupTarget) -> Result<()> {
    let failed = |cause| unusable(target.place(), cause);
    for name in target.list("log").map_err(failed)? {
        if name.ends_with(UNFINISHED) {
            target.remove(&format!("log/{name}")).map_err(failed)?;
        }
    }
    Ok(())
}

fn foreign(place: &str, copied: Ts) -> Error {
    let message = format!(
        "{place} has commits up to {} that these data do not have: they are of another server, or these data are of an earlier time. Restore them with `tuckbox restore`, or name an empty folder in tuckbox.backup.logTo",
        shown(copied)
    );
    Error::new(Code::FailedPrecondition, "LogCopiesForeign", message)
}
