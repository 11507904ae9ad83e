//! A queue before the mail server: messages wait in a file until it has taken them, also over a crash.
//!
//! Delivery is at least once. After a failure a message waits, longer each time, and is given up after a day; one that the
//! server refuses for its recipient is given up at once. A start tries all that wait.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docstore::clock::SharedClock;
use docstore::{Code, Error, Result};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt as _};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Notify};

use super::{Mail, Mailer};
use crate::encoding::time::millis;
use crate::entropy::{SystemEntropy, hex};
use crate::mail::outbox::{MAX_MESSAGES, Outbox, Waiting};

/// Messages that are sent at the same time. A dead mail server holds each up until its time limit.
const PARALLEL: usize = 4;
/// Random bytes of a message's id.
const ID_BYTES: usize = 16;
/// Wait after the first failure; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(60);
/// Longest wait after a failure.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);
/// Age at which a message is given up: its code has ended long since.
const GIVE_UP: Duration = Duration::from_secs(24 * 3_600);
/// Longest sleep: the clock may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// A message that waits. Times in milliseconds since the epoch.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Queued {
    id: String,
    to: String,
    subject: String,
    text: String,
    /// Time at which it was handed over.
    since: u64,
    /// Deliveries that failed.
    failures: u32,
    /// Time of the next try.
    next: u64,
}

/// Numbers of a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MailNumbers {
    /// Messages that wait.
    pub waiting: u64,
    /// Messages that the mail server took, since the start.
    pub sent: u64,
    /// Deliveries that failed, since the start.
    pub failures: u64,
    /// Messages that were given up, since the start.
    pub given_up: u64,
}

struct Inner {
    mailer: Arc<dyn Mailer>,
    clock: SharedClock,
    waiting: Outbox<Queued>,
    /// Held while a message is added, so that none is dropped for another.
    adding: Mutex<()>,
    added: Notify,
    sent: AtomicU64,
    failures: AtomicU64,
    given_up: AtomicU64,
}

/// See the module's description. Clones share the messages.
#[derive(Clone)]
pub struct MailQueue(Arc<Inner>);

impl fmt::Debug for MailQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailQueue").field("mailer", &self.0.mailer).finish_non_exhaustive()
    }
}

fn as_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl MailQueue {
    /// A queue before `mailer`, with the messages of a file; without a file they are lost at the end. [`Self::run`] sends
    /// them. Blocks on the disk.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(mailer: Arc<dyn Mailer>, file: Option<PathBuf>, clock: SharedClock) -> Result<Self> {
        let waiting = match file {
            Some(file) => Outbox::in_file(file)?,
            None => Outbox::default(),
        };
        waiting.alter(|queued: &mut Queued| queued.next = 0);
        Ok(Self(Arc::new(Inner {
            mailer,
            clock,
            waiting,
            adding: Mutex::new(()),
            added: Notify::new(),
            sent: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            given_up: AtomicU64::new(0),
        })))
    }

    /// The queue's numbers.
    pub fn numbers(&self) -> MailNumbers {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        MailNumbers {
            waiting: self.0.waiting.len() as u64,
            sent: read(&self.0.sent),
            failures: read(&self.0.failures),
            given_up: read(&self.0.given_up),
        }
    }

    /// Sends what waits, until the task is aborted.
    pub async fn run(&self) {
        loop {
            let Some(pause) = self.step().await else { continue };
            let added = self.0.added.notified();
            // Either one is a reason to look again.
            let _first = tokio::time::timeout(pause.min(LONGEST_SLEEP), added).await;
        }
    }

    /// Sends some of the messages whose time has come. Returns the time until the next one if there was none.
    async fn step(&self) -> Option<Duration> {
        let now = millis(self.0.clock.now());
        let mut all = self.0.waiting.all();
        // New messages come before those that have failed.
        all.sort_by_key(|queued| (queued.failures, queued.next));
        let pause = all.iter().map(|queued| queued.next.saturating_sub(now)).min();
        let due: Vec<_> = all.into_iter().filter(|queued| queued.next <= now).take(PARALLEL).collect();
        if due.is_empty() {
            return Some(pause.map_or(LONGEST_SLEEP, Duration::from_millis));
        }
        stream::iter(due).for_each_concurrent(PARALLEL, |queued| self.deliver(queued)).await;
        None
    }

    async fn deliver(&self, queued: Queued) {
        let Queued { id, to, subject, text, since, failures, .. } = queued;
        let old = |now: u64| now.saturating_sub(since) >= as_millis(GIVE_UP);
        let outcome = if old(millis(self.0.clock.now())) {
            Err(Error::new(Code::DeadlineExceeded, "MailOld", "it has waited for more than a day"))
        } else {
            self.0.mailer.send(Mail { to: to.clone(), subject, text }).await
        };
        let kept = match outcome {
            Ok(()) => {
                self.0.sent.fetch_add(1, Ordering::Relaxed);
                self.0.waiting.remove(|other| other.id == id).await
            }
            Err(error) => {
                self.0.failures.fetch_add(1, Ordering::Relaxed);
                let now = millis(self.0.clock.now());
                if is_final(&error) || old(now) {
                    self.0.given_up.fetch_add(1, Ordering::Relaxed);
                    tracing::error!(%error, to, "a mail was not delivered and is given up");
                    self.0.waiting.remove(|other| other.id == id).await
                } else {
                    let wait = FIRST_WAIT.saturating_mul(1 << failures.min(16)).min(LONGEST_WAIT);
                    let seconds = wait.as_secs();
                    tracing::warn!(%error, to, "a mail could not be delivered; it is tried again in {seconds} s");
                    self.0
                        .waiting
                        .change(|other| {
                            if other.id == id {
                                (other.failures, other.next) = (failures + 1, now + as_millis(wait));
                            }
                        })
                        .await
                }
            }
        };
        if let Err(error) = kept {
            tracing::error!(%error, "the queue of mails could not be stored: a mail may be sent once more after a start");
        }
    }
}

/// True for a failure that another try does not mend.
fn is_final(error: &Error) -> bool {
    matches!(error.tag(), "BadRecipient" | "MailRefused" | "MailOld")
}

impl Mailer for MailQueue {
    /// Returns once the message is in the file.
    fn send(&self, mail: Mail) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let _alone = self.0.adding.lock().await;
            if self.0.waiting.len() >= MAX_MESSAGES {
                let message = "too many mails wait for the mail server, which does not take them";
                return Err(Error::new(Code::ResourceExhausted, "MailQueueFull", message));
            }
            let (at, Mail { to, subject, text }) = (self.0.clock.now(), mail);
            let message = Queued {
                id: hex(&SystemEntropy, ID_BYTES),
                to,
                subject,
                text,
                since: millis(at),
                failures: 0,
                next: 0,
            };
            let id = message.id.clone();
            let waiting = Waiting { project: String::new(), tenant: None, expires_at: None, message };
            if let Err(error) = self.0.waiting.push(waiting, at).await {
                // Whoever is told that it failed tries again: it must not be sent beside.
                self.0.waiting.forget(|queued| queued.id == id);
                return Err(error);
            }
            self.0.added.notify_one();
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex as Lock;

    use docstore::clock::ManualClock;
    use docstore::model::Ts;

    use super::*;

    /// A mail server that takes messages, or fails in some way.
    #[derive(Debug, Default)]
    struct Server {
        fails: Lock<Option<&'static str>>,
        taken: Lock<Vec<String>>,
        asked: AtomicU64,
    }

    impl Mailer for Server {
        fn send(&self, mail: Mail) -> BoxFuture<'_, Result<()>> {
            Box::pin(async move {
                self.asked.fetch_add(1, Ordering::Relaxed);
                if let Some(tag) = *self.fails.lock() {
                    return Err(Error::new(Code::Unavailable, tag, "no"));
                }
                self.taken.lock().push(mail.to);
                Ok(())
            })
        }
    }

    struct World {
        server: Arc<Server>,
        clock: Arc<ManualClock>,
        folder: tempfile::TempDir,
    }

    impl World {
        fn new(fails: Option<&'static str>) -> Self {
            let server = Server { fails: Lock::new(fails), ..Server::default() };
            let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
            Self { server: Arc::new(server), clock, folder: tempfile::tempdir().unwrap() }
        }

        fn open(&self) -> MailQueue {
            let file = self.folder.path().join("queue.jsonl");
            MailQueue::open(self.server.clone(), Some(file), self.clock.clone()).unwrap()
        }

        fn set(&self, fails: Option<&'static str>) {
            *self.server.fails.lock() = fails;
        }

        fn taken(&self) -> Vec<String> {
            let mut taken = self.server.taken.lock().clone();
            taken.sort();
            taken
        }
    }

    fn mail(to: &str) -> Mail {
        Mail { to: to.to_owned(), subject: "Hello".to_owned(), text: "Hello,\n".to_owned() }
    }

    /// Works until nothing is due; the time until the next is.
    async fn rest(queue: &MailQueue) -> Duration {
        loop {
            if let Some(pause) = queue.step().await {
                return pause;
            }
        }
    }

    #[tokio::test]
    async fn what_waits_survives_the_end_and_is_sent_once() {
        let world = World::new(Some("MailServer"));
        let queue = world.open();
        for to in ["a", "b", "c", "d", "e"] {
            queue.send(mail(to)).await.unwrap();
        }
        rest(&queue).await;
        drop(queue);
        world.set(None);
        let queue = world.open();
        rest(&queue).await;
        assert_eq!(world.taken(), ["a", "b", "c", "d", "e"]);
        rest(&world.open()).await;
        assert_eq!(world.taken().len(), 5);
    }

    #[tokio::test]
    async fn tries_become_rarer_and_end_after_a_day() {
        let world = World::new(Some("MailServer"));
        let queue = world.open();
        queue.send(mail("a")).await.unwrap();
        let mut waits = Vec::new();
        while queue.numbers().waiting > 0 {
            let pause = rest(&queue).await;
            waits.push(pause.as_secs());
            world.clock.advance(pause);
        }
        assert_eq!(waits[..7], [60, 120, 240, 480, 960, 1_920, 3_600]);
        let numbers = queue.numbers();
        assert_eq!((numbers.sent, numbers.given_up), (0, 1));
        assert_eq!(numbers.failures, waits.len() as u64);
        assert!((24..36).contains(&waits.len()), "{waits:?}");
    }

    #[tokio::test]
    async fn a_refusal_is_final_and_new_mail_does_not_wait_behind_old() {
        let world = World::new(Some("MailRefused"));
        let queue = world.open();
        queue.send(mail("nobody")).await.unwrap();
        rest(&queue).await;
        assert_eq!((queue.numbers().waiting, queue.numbers().given_up), (0, 1));
        world.set(Some("MailServer"));
        for number in 0..9 {
            queue.send(mail(&number.to_string())).await.unwrap();
        }
        rest(&queue).await;
        world.clock.advance(FIRST_WAIT);
        world.set(None);
        queue.send(mail("new")).await.unwrap();
        queue.step().await;
        assert!(world.taken().contains(&"new".to_owned()), "{:?}", world.taken());
        rest(&queue).await;
        assert_eq!(world.taken().len(), 10);
    }

    #[tokio::test]
    async fn a_message_of_another_day_is_not_sent_any_more() {
        let world = World::new(Some("MailServer"));
        world.open().send(mail("a")).await.unwrap();
        world.clock.advance(GIVE_UP);
        world.set(None);
        let queue = world.open();
        rest(&queue).await;
        assert_eq!((world.taken().len(), queue.numbers().given_up), (0, 1));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_keeps_what_it_has() {
        let world = World::new(None);
        let queue = MailQueue::open(world.server.clone(), None, world.clock.clone()).unwrap();
        for number in 0..MAX_MESSAGES {
            queue.send(mail(&number.to_string())).await.unwrap();
        }
        assert_eq!(queue.send(mail("more")).await.unwrap_err().tag(), "MailQueueFull");
        rest(&queue).await;
        assert_eq!(world.taken().len(), MAX_MESSAGES);
    }

    #[tokio::test]
    async fn a_message_is_sent_as_soon_as_it_is_there() {
        let world = World::new(None);
        let queue = world.open();
        let running = {
            let queue = queue.clone();
            tokio::spawn(async move { queue.run().await })
        };
        queue.send(mail("a")).await.unwrap();
        while world.taken().is_empty() {
            tokio::task::yield_now().await;
        }
        running.abort();
    }
}
