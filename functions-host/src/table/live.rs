//! The tables that are awake. A table wakes when somebody comes, and is then the only one of its log on this server.

mod access;
mod awake;
mod seated;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::SharedEntropy;
use docstore::clock::SharedClock;
use docstore::model::{DatabaseId, DocPath, Fields, Timestamp};
use docstore::{Database, Store};
use futures::FutureExt as _;
use futures::future::select_all;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tuckbox_table::game_box::GameBox;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::model::Table;

pub(super) use access::{Whose, refusal_at};
pub(super) use awake::Memory;
use awake::{Awake, Crowded, Mailbox};
pub use seated::Seated;

use super::actor::{Actor, Request};
use super::admission::Admission;
use super::admissions::Admissions;
use super::audience::hex;
use super::cards::Packer;
use super::feed::CardFeed;
use super::limits::{ATTEMPTS, LIVE_BYTES, LOOK_AGAIN, MAILBOX, OWNER_BYTES, REST, SAMPLE_BYTES};
use super::messages::{Asked, Frame, Have, Refused};
use super::outbox::outbox;
use super::presence::Presence;
use super::room::{Standings, Visitor};
use super::samples::Samples;
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
    pub(super) admissions: Admissions,
    pub(super) samples: Samples,
    pub(super) packer: Arc<dyn Packer>,
    pub(super) feed: CardFeed,
    /// Whole logs are read one after the other: each is in memory with all that comes of it.
    pub(super) histories: Arc<tokio::sync::Mutex<()>>,
    /// Time without anybody after which a table sleeps.
    pub(super) idle_limit: Duration,
    memory: Memory,
    awake: Arc<Mutex<Awake>>,
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
    /// Packer of changed cards.
    pub packer: Arc<dyn Packer>,
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
        self.awake.lock()
    }

    /// Forgets the mailbox of an actor that ends; the next request wakes another one.
    pub(super) fn forget(&self, id: &str, actor: u64) {
        let mailboxes = &mut self.awake().mailboxes;
        if mailboxes.get(id).is_some_and(|table| table.actor == actor) {
            mailboxes.remove(id);
        }
    }

    /// The mailbox of a table, which wakes if it sleeps and there is room for it.
    fn mailbox(&self, id: &str, place: &Whose) -> Result<mpsc::Sender<Request>, Crowded> {
        let mut awake = self.awake();
        if let Some(table) = awake.mailboxes.get(id).filter(|table| !table.sender.is_closed()) {
            return Ok(table.sender.clone());
        }
        awake.has_room(place.owner.as_deref(), self.memory)?;
        let (sender, requests) = mpsc::channel(MAILBOX);
        awake.actors += 1;
        let actor = awake.actors;
        let presence = Arc::new(Presence::loading());
        let table = Mailbox {
            actor,
            sender: sender.clone(),
            owner: place.owner.clone(),
            presence: Arc::clone(&presence),
        };
        awake.mailboxes.insert(id.to_owned(), table);
        let (shared, id, place) = (self.clone(), id.to_owned(), place.clone());
        tokio::spawn(async move {
            let _counted = shared.numbers.awake();
            match Actor::wake(shared.clone(), id.clone(), place, presence).await {
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

impl LiveTables {
    /// Over documents, with a clock and randomness.
    pub fn new(means: Dependencies<'_>) -> Self {
        let Dependencies { store, project, clock, entropy, numbers, standings, idle_limit, packer } = means;
        let database = DatabaseId::default_of(project);
        Self(Shared {
            tables: TableStore::new(store, project),
            database: store.database(&database),
            packer,
            feed: CardFeed::new(store, database),
            histories: Arc::default(),
            clock,
            entropy: entropy.clone(),
            numbers,
            standings,
            admissions: Admissions::new(store, project, entropy),
            samples: Samples::new(store, project),
            idle_limit,
            memory: Memory { of_all: LIVE_BYTES, of_owner: OWNER_BYTES, of_samples: SAMPLE_BYTES },
            awake: Arc::default(),
        })
    }

    /// Stores a new table, and returns its id. Nobody reaches it before its public document is there.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn create(&self, table: Table, game_box: GameBox) -> Result<String, Unwritten> {
        let id = self.new_id();
        self.create_as(&id, table, game_box).await?;
        Ok(id)
    }

    /// An id that no table has.
    pub(super) fn new_id(&self) -> String {
        let mut id = [0; ID_BYTES];
        self.0.entropy.fill(&mut id);
        hex(&id)
    }

    /// Stores a new table of an id.
    pub(super) async fn create_as(&self, id: &str, table: Table, game_box: GameBox) -> Result<(), Unwritten> {
        let mut seed = [0; 32];
        self.0.entropy.fill(&mut seed);
        self.0.tables.create(id, table, Arc::new(game_box), seed, self.now()).await.map(drop)
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
        seat: Option<SeatNo>,
        have: Option<Have>,
    ) -> Result<Seated, Refused> {
        self.note_visit(id, uid).await;
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

    /// The messages that a socket would be sent from `have` on, after an act if one is asked for. `seat` is the one to look
    /// and act from, of several.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn call(
        &self,
        id: &str,
        uid: &str,
        (seat, have): (Option<SeatNo>, Option<Have>),
        asked: Option<Asked>,
    ) -> Result<Vec<Frame>, Refused> {
        // Without an answer it is not known whether the act counts.
        let lost = Refused::Unavailable;
        self.ask(id, uid, lost, |reply| {
            let visitor = Visitor { uid: uid.to_owned(), seat, have: have.clone(), stays: false };
            Request::Call { visitor, asked: asked.clone(), reply }
        })
        .await
    }

    /// The answer to a request, which is sent again while the table falls asleep before it reads it. `lost` says what
    /// became of a request without an answer: one that is `Asleep` is sent again too.
    async fn ask<T>(
        &self,
        id: &str,
        uid: &str,
        lost: Refused,
        request: impl Fn(oneshot::Sender<Result<T, Refused>>) -> Request,
    ) -> Result<T, Refused> {
        for _ in 0..ATTEMPTS {
            let (reply, answered) = oneshot::channel();
            self.send(id, uid, request(reply)).await?;
            match answered.await.unwrap_or(Err(lost)) {
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
        let place = self.way_to(id, uid).await?;
        for _ in 0..ATTEMPTS {
            let mailbox = self.with_room(id, &place).await?;
            match mailbox.send(request).await {
                Ok(()) => return Ok(mailbox),
                Err(mpsc::error::SendError(back)) => request = back,
            }
        }
        Err(Refused::Unavailable)
    }

    /// The mailbox of a table, once there is room for it. Somebody else may take the room that one table makes, and one
    /// where somebody comes back makes none and others are asked: so there is another look after each that goes, and after
    /// [`LOOK_AGAIN`], until [`REST`] is over.
    async fn with_room(&self, id: &str, place: &Whose) -> Result<mpsc::Sender<Request>, Refused> {
        let until = Instant::now() + REST;
        loop {
            let Crowded { resting, why } = match self.0.mailbox(id, place) {
                Ok(mailbox) => return Ok(mailbox),
                Err(crowded) => crowded,
            };
            if resting.is_empty() || Instant::now() >= until {
                return Err(why);
            }
            let one_closed = select_all(resting.iter().map(|table| table.closed().boxed()));
            // The next look tells what ended the wait.
            drop(timeout(LOOK_AGAIN, one_closed).await);
        }
    }

    /// Ends a table whose public document is gone: sockets are closed, and nothing is written any more.
    pub async fn end(&self, id: &str) {
        let mailbox = self.0.awake().mailboxes.get(id).map(|table| table.sender.clone());
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

    /// The parts that all tables share.
    pub(super) fn shared(&self) -> &Shared {
        &self.0
    }

    /// The sockets' metrics.
    pub(crate) fn numbers(&self) -> &TableNumbers {
        &self.0.numbers
    }

    /// With less memory.
    #[cfg(test)]
    pub(super) fn with_memory(mut self, memory: Memory) -> Self {
        self.0.memory = memory;
        self
    }

    /// Tables in memory.
    #[cfg(test)]
    pub(super) fn awake_count(&self) -> usize {
        self.0.awake().mailboxes.len()
    }

    /// Bytes that a table that is awake counts for.
    #[cfg(test)]
    pub(super) fn bytes_of(&self, id: &str) -> usize {
        self.0.awake().mailboxes[id].presence.bytes()
    }

    /// Asks a table that is awake to make room, behind another request that it handles first. Completes when it has.
    #[cfg(test)]
    pub(super) fn rest_too_late(&self, id: &str) -> impl Future<Output = ()> + use<> {
        let (reply, handled) = oneshot::channel();
        let awake = self.0.awake();
        let table = &awake.mailboxes[id];
        table.presence.set_rests(true);
        for request in [Request::Leads("nobody".to_owned(), reply), Request::Rest] {
            table.sender.try_send(request).unwrap_or_else(|_| unreachable!("the mailbox is empty"));
        }
        async move { drop(handled.await) }
    }

    /// Completes when a table that is awake sleeps.
    #[cfg(test)]
    pub(super) fn asleep(&self, id: &str) -> impl Future<Output = ()> + use<> {
        let mailbox = self.0.awake().mailboxes[id].sender.clone();
        async move { mailbox.closed().await }
    }

    /// True if tables can take the cards of their project as they are changed.
    pub async fn can_follow(&self) -> bool {
        self.0.packer.hindrance().await.is_none()
    }

    /// Admission to all tables.
    pub fn admissions(&self) -> &Admissions {
        &self.0.admissions
    }

    /// Tells a table that is awake of its admission as it is stored now, and returns once whoever may not stay is gone.
    pub async fn tell_admission(&self, id: &str, admission: Admission) {
        let mailbox = self.0.awake().mailboxes.get(id).map(|table| table.sender.clone());
        let (told, done) = oneshot::channel();
        if let Some(mailbox) = mailbox
            && mailbox.send(Request::Admission(admission, told)).await.is_ok()
        {
            // A table that ends meanwhile has let everybody go.
            drop(done.await);
        }
    }

    /// True if somebody leads a table that they may come to: owners and editors of its project, and hosts and co-hosts.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn leads(&self, id: &str, uid: &str) -> Result<bool, Refused> {
        self.ask(id, uid, Refused::Asleep, |reply| Request::Leads(uid.to_owned(), reply)).await
    }

    /// Gives somebody the first free seat, unless they have one; `names` are theirs by seat. `None` if none is free.
    ///
    /// # Errors
    /// [`Refused`]
    pub async fn sit(&self, id: &str, uid: &str, names: &[String]) -> Result<Option<SeatNo>, Refused> {
        // Without an answer it is not known if they sit: asked again, they are told.
        let lost = Refused::Asleep;
        self.ask(id, uid, lost, |reply| Request::Sit { uid: uid.to_owned(), names: names.to_vec(), reply })
            .await
    }

    /// Takes the cards that somebody's browser packed, where the server packs none. True if they changed anything.
    ///
    /// # Errors
    /// [`Refused`]; within, the refusal in words.
    pub async fn take_cards(
        &self,
        id: &str,
        uid: &str,
        game_box: GameBox,
    ) -> Result<Result<bool, String>, Refused> {
        let (reply, answered) = oneshot::channel();
        let request = Request::Cards { uid: uid.to_owned(), game_box: Box::new(game_box), reply };
        self.send(id, uid, request).await?;
        answered.await.unwrap_or(Err(Refused::Unavailable))
    }

    /// Notes that a guest comes, so that their account stays. A failure is no reason to keep them out.
    async fn note_visit(&self, id: &str, uid: &str) {
        let noted = async {
            let is_guest =
                self.0.admissions.get(id).await?.people.get(uid).is_some_and(|person| person.guest);
            // Guests of a sample table go with it.
            if is_guest && self.0.samples.find(id).await?.is_none() {
                self.0.admissions.note_visit(uid, self.now()).await?;
            }
            Ok::<_, docstore::Error>(())
        };
        if let Err(error) = noted.await {
            tracing::warn!(table = id, "a guest's visit was not noted: {error}");
        }
    }
}
