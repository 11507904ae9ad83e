//! Events: changes of documents, accounts and files, and the functions they trigger.
//!
//! The change feed follows the log and queues deliveries. The queue is stored as documents of a reserved database, so
//! it is as durable as the data. The dispatcher hands deliveries to functions at least once, in order per document; a
//! delivery that finally fails becomes a dead letter that administrators can list.

mod change_feed;
mod custom;
mod delivery;
mod dispatcher;
mod document;
mod endpoints;
mod functions;
mod guard;
mod object;
mod order;
mod pattern;
mod publisher;
mod pubsub;
mod queue;
mod requests;
mod retry;
mod schedule;
mod scheduler;
mod task;
pub(crate) mod text;
mod trigger;
mod user;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use docstore::clock::SharedClock;
use docstore::model::{DatabaseId, Ts};
use docstore::{Result, Store};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::host::metrics::EventNumbers;

pub(crate) use delivery::{Delivery, Head, Kind};
pub(crate) use endpoints::{failed, is_topic, router, topics};
pub(crate) use functions::Deliver;
pub(crate) use guard::Guard;
pub(crate) use order::Limits;
pub(crate) use publisher::router_without_functions;
pub(crate) use retry::Policy;
pub(crate) use scheduler::Scheduled;
pub(crate) use trigger::{Generation, Listener};

use change_feed::ChangeFeed;
use dispatcher::Dispatcher;
use queue::Queue;
use scheduler::Scheduler;

/// Longest wait for the change feed when triggers are enabled or disabled.
const CATCH_UP: Duration = Duration::from_secs(5);

/// The events of a project.
pub(crate) struct Events {
    store: Store,
    project: Arc<str>,
    queue: Arc<Queue>,
    functions: Arc<dyn Deliver>,
    enabled: Arc<AtomicBool>,
    seen: watch::Receiver<Ts>,
    tasks: Vec<JoinHandle<()>>,
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("project", &self.project).finish_non_exhaustive()
    }
}

impl Events {
    /// Opens the queue and starts the change feed, the scheduler and the dispatcher.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(crate) async fn start(
        store: &Store,
        project: &str,
        clock: SharedClock,
        functions: Arc<dyn Deliver>,
        numbers: EventNumbers,
    ) -> Result<Self> {
        let database = store.database(&DatabaseId::new(project, queue::DATABASE));
        let queue = Queue::open(database, clock, numbers).await?;
        let enabled = Arc::new(AtomicBool::new(true));
        let feed = ChangeFeed {
            store: store.clone(),
            project: project.into(),
            queue: Arc::clone(&queue),
            functions: Arc::clone(&functions),
            enabled: Arc::clone(&enabled),
            seen: watch::Sender::new(Ts::ZERO),
        };
        let changes = feed.begin().await?;
        feed.seen.send_replace(changes.position());
        let seen = feed.seen.subscribe();
        let dispatcher = Dispatcher { queue: Arc::clone(&queue), deliver: Arc::clone(&functions) };
        let scheduler = Scheduler {
            queue: Arc::clone(&queue),
            project: project.into(),
            functions: Arc::clone(&functions),
            enabled: Arc::clone(&enabled),
        };
        let tasks = vec![
            tokio::spawn(feed.run(changes)),
            tokio::spawn(dispatcher.run()),
            tokio::spawn(scheduler.run()),
        ];
        let project = project.into();
        Ok(Self { store: store.clone(), project, queue, functions, enabled, seen, tasks })
    }

    /// Enables or disables background functions. Changes made while they are disabled cause no events; changes made
    /// before this call are still handled under the previous setting.
    pub(crate) async fn enable(&self, enabled: bool) {
        let newest = self.store.newest();
        let mut seen = self.seen.clone();
        let read = seen.wait_for(|seen| *seen >= newest);
        if tokio::time::timeout(CATCH_UP, read).await.is_err() {
            tracing::warn!(target: "functions", "the change feed lags behind: the switch may apply to some earlier changes");
        }
        self.enabled.store(enabled, Ordering::Release);
    }

    /// Ends the tasks. Deliveries in flight are repeated after the next start.
    pub(crate) fn stop(&self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}
