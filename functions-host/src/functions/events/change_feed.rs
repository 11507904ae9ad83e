//! The change feed: reads the log of commits and queues a delivery for every function a change triggers.
//!
//! It never calls a function itself, because the log keeps only its newest part; the dispatcher does. Deliveries and
//! the log position they were made at are committed together, so a crash loses none of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use docstore::changes::Changes;
use docstore::engine::Commit;
use docstore::model::Ts;
use docstore::{Result, Store};
use tokio::sync::watch;

use super::delivery::Delivery;
use super::functions::Deliver;
use super::queue::{self, Queue};
use super::trigger::Listener;
use super::{document, object, user};

/// Commits without deliveries read before the cursor is saved; a restart rereads at most these.
const CURSOR_EVERY: usize = 1_000;
/// Deliveries queued in one commit.
const BATCH: usize = 500;
/// Bytes of deliveries queued in one commit.
const BATCH_BYTES: usize = 4 << 20;
/// Wait before a failed store operation is retried.
const PAUSE: Duration = Duration::from_secs(1);

/// State of the change feed's task.
pub(super) struct ChangeFeed {
    pub(super) store: Store,
    pub(super) project: Arc<str>,
    pub(super) queue: Arc<Queue>,
    pub(super) functions: Arc<dyn Deliver>,
    /// False while background triggers are disabled.
    pub(super) enabled: Arc<AtomicBool>,
    /// The newest commit that was read.
    pub(super) seen: watch::Sender<Ts>,
}

/// Deliveries made but not yet queued.
#[derive(Default)]
struct Batch {
    deliveries: Vec<Delivery>,
    bytes: usize,
}

impl ChangeFeed {
    /// Starts at the saved cursor, or at the present on the first run.
    pub(super) async fn begin(&self) -> Result<Changes> {
        let newest = self.store.newest();
        let Some(cursor) = self.queue.cursor().await? else {
            self.queue.push(Vec::new(), vec![Queue::move_cursor(newest)?]).await?;
            return self.store.changes(newest);
        };
        match self.store.changes(cursor) {
            Ok(changes) => Ok(changes),
            Err(_forgotten) => self.skip(cursor).await,
        }
    }

    /// Continues at the end of the log after a gap, and records the gap as a dead letter.
    async fn skip(&self, from: Ts) -> Result<Changes> {
        let newest = self.store.newest();
        let why = format!(
            "changes between {} and {} were not delivered to functions: the log no longer has them, because nobody \
             read it for too long",
            super::text::time(from),
            super::text::time(newest)
        );
        tracing::error!(target: "functions", "{why}");
        self.queue.numbers().gap();
        self.queue.bury_gap(&why).await?;
        self.queue.push(Vec::new(), vec![Queue::move_cursor(newest)?]).await?;
        self.store.changes(newest)
    }

    /// Reads the log until the task is aborted.
    pub(super) async fn run(self, mut changes: Changes) {
        let mut passed = 0;
        loop {
            let before = changes.position();
            let Some(read) = changes.next().await else { return };
            let done = match read {
                Ok(commits) => self.convert(&changes, &commits, &mut passed).await,
                Err(_forgotten) => match self.skip(before).await {
                    Ok(fresh) => {
                        changes = fresh;
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
            };
            self.seen.send_replace(changes.position());
            if let Err(error) = done {
                tracing::error!(target: "functions", "events cannot be queued: {}", error.message());
                tokio::time::sleep(PAUSE).await;
                match self.store.changes(before) {
                    Ok(again) => changes = again,
                    Err(error) => tracing::error!(target: "functions", "{}", error.message()),
                }
            }
        }
    }

    async fn convert(&self, changes: &Changes, commits: &[Arc<Commit>], passed: &mut usize) -> Result<()> {
        let listeners = self.functions.listeners();
        let mut batch = Batch::default();
        for commit in commits {
            let own = self.take(changes, commit, &listeners, &mut batch);
            *passed += usize::from(!own);
            if batch.deliveries.len() >= BATCH || batch.bytes >= BATCH_BYTES {
                self.flush(&mut batch, commit.ts, passed).await?;
            }
        }
        match commits.last() {
            Some(last) if !batch.deliveries.is_empty() || *passed >= CURSOR_EVERY => {
                self.flush(&mut batch, last.ts, passed).await
            }
            _ => Ok(()),
        }
    }

    async fn flush(&self, batch: &mut Batch, at: Ts, passed: &mut usize) -> Result<()> {
        let Batch { deliveries, .. } = std::mem::take(batch);
        *passed = 0;
        self.queue.push(deliveries, vec![Queue::move_cursor(at)?]).await.map(drop)
    }

    /// Adds the deliveries of one commit. Returns true if the commit was written by the queue itself.
    fn take(&self, changes: &Changes, commit: &Commit, listeners: &[Listener], batch: &mut Batch) -> bool {
        let mut own = !commit.changes.is_empty();
        for (nth, change) in commit.changes.iter().enumerate() {
            let Some(database) = changes.database(change.database) else { continue };
            own &= &*database.database == queue::DATABASE;
            if database.project != self.project || !self.enabled.load(Ordering::Acquire) {
                continue;
            }
            let moment = document::Moment { ts: commit.ts, nth, now: self.queue.now() };
            let made = match &*database.database {
                auth_emu::DATABASE => user::deliveries(listeners, change, moment),
                storage_emu::DATABASE => object::deliveries(listeners, change, moment),
                name if name.starts_with("__") => Vec::new(),
                _ => document::deliveries(listeners, &database, change, &commit.author, moment),
            };
            batch.bytes += made.iter().map(|delivery| delivery.body.len()).sum::<usize>();
            batch.deliveries.extend(made);
        }
        own
    }
}
