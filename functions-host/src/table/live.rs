//! The tables that are awake. A table wakes when somebody comes, and is then the only one of its log on this server.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use auth_emu::entropy::SharedEntropy;
use docstore::clock::SharedClock;
use docstore::model::{DatabaseId, DocPath, Fields, Timestamp};
use docstore::{Database, Store};
use tokio::sync::{mpsc, oneshot};
use tuckbox_table::game_box::GameBox;
use tuckbox_table::model::Table;

use super::actor::{Actor, Request};
use super::audience::hex;
use super::limits::{ATTEMPTS, LIVE_TABLES, MAILBOX};
use super::lobby;
use super::messages::{Asked, Frame, Have, Pointer, Refused};
use super::outbox::{Inbox, outbox};
use super::room::{MemberNo, Standings, Visitor};
use super::store::{TableStore, Unwritten};
use crate::host::metrics::TableNumbers;

/// Random bytes of a table's id.
const ID_BYTES: usize = 12;

/// Reads the members of a project's document.
pub type ReadStandings = fn(&Fields) -> Standings;

/// Parts that all tables share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) tables: TableStore,
    pub(super) database: Database,
    pub(super) clock: SharedClock,
    pub(super) entropy: SharedEntropy,
    pub(super) numbers: TableNumbers,
    pub(super) standings: ReadStandings,
    /// Time without anybody after which a table sleeps.
    pub(super) idle_limit: Duration,
    awake: Arc<Mutex<Awake>>,
}

/// Mailboxes by table, each with the number of its actor.
#[derive(Default)]
struct Awake {
    mailboxes: HashMap<String, (u64, mpsc::Sender<Request>)>,
    actors: u64,
}

/// Dependencies of the tables.
#[derive(Debug)]
pub struct Dependencies<'a> {
    /// Documents.
    pub store: &'a Store,
    /// The project of this server.
    pub project: &'a str,
    /// The source of time.
    pub clock: SharedClock,
    /// The source of ids, seeds and keys.
    pub entropy: SharedEntropy,
    /// Metrics.
    pub numbers: TableNumbers,
    /// Reader of members.
    pub standings: ReadStandings,
    /// Time without anybody after which a table sleeps.
    pub idle_limit: Duration,
}

/// The tables of this server. Clones share them.
#[derive(Clone)]
pub struct LiveTables(Shared);

impl fmt::Debug for LiveTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveTables").finish_non_exhaustive()
    }
}

impl Shared {
    /// The present time.
    pub(super) fn now(&self) -> Timestamp {
        Timestamp(i64::try_from(self.clock.now().micros()).unwrap_or(i64::MAX))
    }

    /// Milliseconds since the epoch.
    pub(super) fn millis(&self) -> u64 {
        self.clock.now().micros() / 1_000
    }

    fn awake(&self) -> MutexGuard<'_, Awake> {
        self.awake.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the mailbox of an actor that ends; the next request wakes another one.
    pub(super) fn forget(&self, id: &str, actor: u64) {
        let mailboxes = &mut self.awake().mailboxes;
        if mailboxes.get(id).is_some_and(|(number, _)| *number == actor) {
            mailboxes.remove(id);
        }
    }

    /// The mailbox of a table, which wakes if it sleeps.
    fn mailbox(&self, id: &str, project: &DocPath) -> Result<mpsc::Sender<Request>, Refused> {
        let mut awake = self.awake();
        if let Some((_, sender)) = awake.mailboxes.get(id).filter(|(_, sender)| !sender.is_closed()) {
            return Ok(sender.clone());
        }
        if awake.mailboxes.len() >= LIVE_TABLES {
            return Err(Refused::TooMany);
        }
        let (sender, requests) = mpsc::channel(MAILBOX);
        awake.actors += 1;
        let actor = awake.actors;
        awake.mailboxes.insert(id.to_owned(), (actor, sender.clone()));
        let (shared, id, project) = (self.clone(), id.to_owned(), project.clone());
        tokio::spawn(async move {
            let _counted = shared.numbers.awake();
            match Actor::wake(shared.clone(), id.clone(), project).await {
                Ok(table) => table.run(actor, requests).await,
                Err(why) => {
                    shared.forget(&id, actor);
                    refuse_all(requests, why).await;
                }
            }
        });
        Ok(sender)
    }
}

/// Answers the requests that came too late.
pub(super) async fn refuse_all(mut requests: mpsc::Receiver<Request>, why: Refused) {
    requests.close();
    while let Some(request) = requests.recv().await {
        request.refuse(why);
    }
}

/// Somebody's place at a table. Dropping it leaves the table.
pub struct Seated {
    requests: mpsc::Sender<Request>,
    no: MemberNo,
    inbox: Inbox,
}

impl fmt::Debug for Seated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seated").field("no", &self.no).finish_non_exhaustive()
    }
}

impl Seated {
    /// The next message; `None` once the table has let go.
    pub async fn next(&mut self) -> Option<Frame> {
        self.inbox.next().await
    }

    /// Acts. Waits while the table has much to do. False if the table is gone.
    pub async fn act(&self, asked: Asked) -> bool {
        self.requests.send(Request::Act(self.no, asked)).await.is_ok()
    }

    /// Moves the pointer, unless the table has much to do.
    pub fn point(&self, pointer: Pointer) {
        // The next one brings others up to date.
        drop(self.requests.try_send(Request::Point(self.no, pointer)));
    }

    /// Asks for everything on view, because the client's view has another hash. False if the table is gone.
    pub async fn refresh(&self) -> bool {
        self.requests.send(Request::Fresh(self.no)).await.is_ok()
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        // With a full mailbox the table finds the closed inbox by itself.
        drop(self.requests.try_send(Request::Leave(self.no)));
    }
}

impl LiveTables {
    /// Over documents, with a clock and randomness.
    pub fn new(means: Dependencies<'_>) -> Self {
        let Dependencies { store, project, clock, entropy, numbers, standings, idle_limit } = means;
        Self(Shared {
            tables: TableStore::new(store, project),
            database: store.database(&DatabaseId::default_of(project)),
            clock,
            entropy,
            numbers,
            standings,
            idle_limit,
            awake: Arc::default(),
        })
    }

    /// Stores a new table, and returns its id. Nobody reaches it before its public document is there.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn create(&self, table: Table, game_box: GameBox) -> Result<String, Unwritten> {
        let (mut id, mut seed) = ([0; ID_BYTES], [0; 32]);
        self.0.entropy.fill(&mut id);
        self.0.entropy.fill(&mut seed);
        let (id, now) = (hex(&id), self.now());
        self.0.tables.create(&id, table, Arc::new(game_box), seed, now).await?;
        Ok(id)
    }

    /// The present time.
    pub fn now(&self) -> Timestamp {
        self.0.now()
    }

    /// Comes to a table, and stays until the returned value is dropped. `seat` is the one to look from, of several.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn enter(
        &self,
        id: &str,
        uid: &str,
        seat: Option<tuckbox_table::ids::SeatNo>,
        have: Option<Have>,
    ) -> Result<Seated, Refused> {
        let visitor = Visitor { uid: uid.to_owned(), seat, have, stays: true };
        for _ in 0..ATTEMPTS {
            let (sender, inbox) = outbox();
            let (reply, entered) = oneshot::channel();
            let request = Request::Enter { visitor: visitor.clone(), outbox: sender, reply };
            let requests = self.send(id, uid, request).await?;
            match entered.await.unwrap_or(Err(Refused::Asleep)) {
                Ok(no) => return Ok(Seated { requests, no, inbox }),
                Err(Refused::Asleep) => {}
                Err(why) => return Err(why),
            }
        }
        Err(Refused::Unavailable)
    }

    /// The messages that a socket would be sent from `have` on, after an act if one is asked for.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn call(
        &self,
        id: &str,
        uid: &str,
        have: Option<Have>,
        asked: Option<Asked>,
    ) -> Result<Vec<Frame>, Refused> {
        for _ in 0..ATTEMPTS {
            let visitor = Visitor { uid: uid.to_owned(), seat: None, have: have.clone(), stays: false };
            let (reply, answered) = oneshot::channel();
            self.send(id, uid, Request::Call { visitor, asked: asked.clone(), reply }).await?;
            // Without an answer it is not known whether the act counts.
            match answered.await.unwrap_or(Err(Refused::Unavailable)) {
                Err(Refused::Asleep) => {}
                answer => return answer,
            }
        }
        Err(Refused::Unavailable)
    }

    /// Sends a request to a table that the caller may come to; only such a caller wakes it.
    async fn send(
        &self,
        id: &str,
        uid: &str,
        mut request: Request,
    ) -> Result<mpsc::Sender<Request>, Refused> {
        let project = self.project_of(id, uid).await?;
        for _ in 0..ATTEMPTS {
            let mailbox = self.0.mailbox(id, &project)?;
            match mailbox.send(request).await {
                Ok(()) => return Ok(mailbox),
                Err(mpsc::error::SendError(back)) => request = back,
            }
        }
        Err(Refused::Unavailable)
    }

    /// Ends a table whose public document is gone: sockets are closed, and nothing is written any more.
    pub async fn end(&self, id: &str) {
        let mailbox = self.0.awake().mailboxes.get(id).map(|(_, mailbox)| mailbox.clone());
        if let Some(mailbox) = mailbox
            && mailbox.send(Request::Close).await.is_ok()
        {
            mailbox.closed().await;
        }
    }

    /// The database of the logs, and a table's document in it.
    ///
    /// # Errors
    /// `InvalidArgument` for a text that is no id.
    pub fn log_of(&self, id: &str) -> docstore::Result<(Database, DocPath)> {
        self.0.tables.place_of(id)
    }

    /// The sockets' metrics.
    pub(crate) fn numbers(&self) -> &TableNumbers {
        &self.0.numbers
    }

    /// Tables in memory.
    #[cfg(test)]
    pub(super) fn awake_count(&self) -> usize {
        self.0.awake().mailboxes.len()
    }

    /// Completes when a table that is awake sleeps.
    #[cfg(test)]
    pub(super) fn asleep(&self, id: &str) -> impl Future<Output = ()> + use<> {
        let mailbox = self.0.awake().mailboxes[id].1.clone();
        async move { mailbox.closed().await }
    }

    async fn project_of(&self, id: &str, uid: &str) -> Result<DocPath, Refused> {
        let failed = |error: docstore::Error| {
            tracing::warn!(table = id, "a table's project cannot be read: {error}");
            Refused::Unavailable
        };
        let found = lobby::find(&self.0.database, id).await.map_err(failed)?.ok_or(Refused::Stranger)?;
        let project = lobby::project(&found.fields).ok_or(Refused::Stranger)?;
        let path = DocPath::parse(&format!("projects/{project}")).map_err(|_| Refused::Stranger)?;
        let found = self.0.database.get(std::slice::from_ref(&path), None).await.map_err(failed)?.value;
        let standings = found.into_iter().flatten().next().map(|found| (self.0.standings)(&found.fields));
        if standings.is_some_and(|standings| standings.contains_key(uid)) {
            Ok(path)
        } else {
            Err(Refused::Stranger)
        }
    }
}
