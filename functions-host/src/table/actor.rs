//! The actor of a table: takes requests one after another, stores what they do, and only then shows it.

mod request;

use std::sync::Arc;
use std::time::Duration;

use docstore::model::{DocPath, Fields};
use docstore::{Target, WatchEvent, Watcher};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tuckbox_table::act::Verb;
use tuckbox_table::game_box::BoxChange;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::log::Entry;
use tuckbox_table::model::{Change, Follow};

pub(super) use request::Request;
use request::{Answer, CardsTaken, Given, Told, answer};

use super::cards::{NotPacked, Packed, Runs};
use super::limits::{BATCH, POINTERS, SNAPSHOT_BYTES, SNAPSHOT_EVERY};
use super::live::{Shared, Whose, refuse_all};
use super::lobby;
use super::messages::{Asked, Refused};
use super::outbox::{Inbox, outbox};
use super::presence::Presence;
use super::results;
use super::room::{Guests, MemberNo, Room};

/// Number of the target that watches the project.
const PROJECT: i32 = 1;

/// Letters that are handled together, and stored by one append.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    /// Acts by sender and the sender's own number.
    acts: Vec<(MemberNo, u64)>,
    calls: Vec<(MemberNo, Inbox, Answer)>,
    /// Those who wait until admission has changed.
    admissions: Vec<Told>,
    /// Changes of the box that entries take, with their numbers.
    updates: Vec<(u32, BoxChange)>,
    taken: Vec<(CardsTaken, Result<bool, String>)>,
    seats: Vec<(Given, Option<SeatNo>)>,
}

/// See the module's description.
pub(super) struct Actor {
    shared: Shared,
    id: String,
    /// None for a sample table.
    project: Option<DocPath>,
    /// Milliseconds since the epoch at which a sample table goes.
    ends: Option<u64>,
    room: Room,
    watcher: Watcher,
    /// The last entry of the stored state.
    saved: u64,
    /// Bytes the session had written by then.
    saved_bytes: u64,
    /// True if the public document may be behind.
    is_lobby_behind: bool,
    /// Its size, and since when nobody is there, for all tables to see.
    presence: Arc<Presence>,
    runs: Runs,
    /// True once the result of an ended game is being written.
    has_result: bool,
}

impl Actor {
    /// Loads a table.
    ///
    /// # Errors
    /// [`Refused::Stranger`] if there is none, [`Refused::Unavailable`] if it cannot be read.
    pub(super) async fn wake(
        shared: Shared,
        id: String,
        place: Whose,
        presence: Arc<Presence>,
    ) -> Result<Self, Refused> {
        let mut watcher = shared.database.watch();
        let Whose { project, sample, .. } = place;
        if let Some(project) = &project {
            watcher.add(PROJECT, Target::Documents(vec![project.clone()]), None, None, false);
        }
        // Without a project there is nothing to follow.
        let feed =
            project.as_ref().map_or_else(|| watch::channel(0).1, |project| shared.feed.follow(project));
        let runs = Runs::new(feed, Arc::clone(&shared.packer));
        let loaded = tokio::try_join!(
            async { shared.tables.load(&id).await },
            async { shared.database.get(project.as_slice(), None).await },
            async { shared.admissions.get(&id).await },
            async { lobby::find(&shared.database, &id).await },
        );
        let (session, found, admission, listed) = loaded.map_err(|error| unavailable(&id, &error))?;
        let session = session.ok_or(Refused::Stranger)?;
        let found = found.value.into_iter().flatten().next();
        let standings = found.map(|found| (shared.standings)(&found.fields)).unwrap_or_default();
        let (saved, saved_bytes) = (session.table().n, session.written());
        let ends = sample.as_ref().map(|sample| u64::try_from(sample.ends.0 / 1_000).unwrap_or_default());
        let listed = listed.and_then(|listed| lobby::name(&listed.fields).map(str::to_owned));
        let name = listed.or_else(|| sample.map(|sample| sample.name)).unwrap_or_default();
        let is_sample = ends.is_some();
        let guests = Guests { standings, admission, name, is_sample };
        let hindrance = if !session.game_box().knows_cards() {
            Some("This table does not know which cards of the project it has. Open another one.".to_owned())
        } else {
            shared.packer.hindrance().await
        };
        let room = Room::new(session, guests, shared.entropy.clone(), shared.millis(), hindrance);
        let is_lobby_behind = true;
        Ok(Self {
            shared,
            id,
            project,
            ends,
            room,
            watcher,
            saved,
            saved_bytes,
            is_lobby_behind,
            presence,
            runs,
            has_result: false,
        })
    }

    /// Serves requests until nobody has been there for a while, or the table cannot be stored. `actor` is the number of its
    /// mailbox.
    pub(super) async fn run(mut self, actor: u64, mut requests: mpsc::Receiver<Request>) {
        let mut asleep_at = Instant::now() + self.shared.idle_limit;
        let mut pointers_at = Instant::now();
        let mut unread = std::pin::pin!(self.watcher.cut_off());
        let lasts = self.ends.map(|ends| Duration::from_millis(ends.saturating_sub(self.shared.millis())));
        let over_at = Instant::now() + lasts.unwrap_or_default();
        let why = loop {
            self.follow_lobby().await;
            self.follow_result();
            self.presence.note(self.room.held(), self.room.is_empty(), self.shared.millis());
            tokio::select! {
                biased;
                () = &mut unread => break Refused::Unavailable,
                () = tokio::time::sleep_until(over_at), if lasts.is_some() => break Refused::Gone,
                event = self.watcher.next() => if !self.see(&event) { break Refused::Unavailable },
                () = tokio::time::sleep_until(pointers_at), if self.room.has_pointers() => {
                    self.room.send_pointers();
                    pointers_at = Instant::now() + POINTERS;
                }
                Ok(()) = self.runs.feed.changed() => self.project_changed(),
                () = tokio::time::sleep_until(self.runs.next_at), if self.may_pack() => {
                    if let Some(project) = &self.project {
                        self.runs.begin(project, self.room.session().game_box());
                    }
                }
                Some(packed) = self.runs.results.recv() => if let Err(why) = self.take_cards(packed).await {
                    break why;
                },
                request = requests.recv() => {
                    let Some(request) = request else { break Refused::Unavailable };
                    if self.is_over() {
                        request.refuse(Refused::Gone);
                        break Refused::Gone;
                    }
                    if matches!(request, Request::Close) {
                        break self.closed();
                    }
                    if matches!(request, Request::Rest) {
                        if self.may_sleep(&requests).await {
                            break Refused::Asleep;
                        }
                        self.presence.set_rests(false);
                        continue;
                    }
                    asleep_at = Instant::now() + self.shared.idle_limit;
                    if let Err(why) = self.handle(request, &mut requests).await {
                        break why;
                    }
                }
                () = tokio::time::sleep_until(asleep_at) => {
                    asleep_at = Instant::now() + self.shared.idle_limit;
                    if self.may_sleep(&requests).await {
                        break Refused::Asleep;
                    }
                }
            }
        };
        self.shared.forget(&self.id, actor);
        self.room.close(why);
        refuse_all(requests, why).await;
    }

    /// True once the time of a sample table is over.
    fn is_over(&self) -> bool {
        self.ends.is_some_and(|ends| self.shared.millis() >= ends)
    }

    /// The reason that is said where a table is deleted.
    fn closed(&self) -> Refused {
        if self.ends.is_some() { Refused::Gone } else { Refused::Stranger }
    }

    /// True if nobody is there and all is stored. A request that comes from then on is refused as asleep, and sent again to
    /// the next actor.
    async fn may_sleep(&mut self, requests: &mpsc::Receiver<Request>) -> bool {
        self.room.begin(self.shared.millis());
        self.room.prune();
        self.room.is_empty() && self.save().await && requests.is_empty()
    }

    /// False if the project cannot be followed any longer.
    fn see(&mut self, event: &WatchEvent) -> bool {
        let fields = match event {
            WatchEvent::Changed { document, .. } if Some(&document.path) == self.project.as_ref() => {
                &document.fields
            }
            WatchEvent::Deleted { .. } | WatchEvent::Gone { .. } => &Fields::new(),
            WatchEvent::Removed(..) => return false,
            _ => return true,
        };
        self.room.set_standings((self.shared.standings)(fields));
        self.is_lobby_behind = true;
        true
    }

    /// Notes that the project's cards may be others than the table's.
    fn project_changed(&mut self) {
        self.runs.is_due = true;
        if !self.room.is_packed() && self.room.follow() == Follow::Ask {
            self.room.set_behind();
            self.room.flush();
        }
    }

    /// True if the project is to be packed: somebody is there, and the table takes changes.
    fn may_pack(&self) -> bool {
        let Runs { is_due, is_running, .. } = self.runs;
        let follows = self.room.is_packed() && self.room.follow() != Follow::Frozen;
        is_due && !is_running && self.project.is_some() && follows && !self.room.is_empty()
    }

    /// Takes the project as it was packed, or lets a host decide.
    async fn take_cards(&mut self, packed: Packed) -> Result<(), Refused> {
        self.runs.is_running = false;
        let at = self.shared.millis();
        self.room.begin(at);
        let change = packed.and_then(|later| {
            self.room.session().game_box().change_to(&later).map_err(|why| NotPacked(why.to_string()))
        });
        let mut batch = Batch::default();
        match change {
            Err(NotPacked(why)) => self.room.set_trouble(why),
            Ok(change) => match self.room.follow() {
                Follow::Frozen => {}
                _ if change.is_empty() => self.room.set_waiting(None),
                Follow::Ask => self.room.set_waiting(Some(change)),
                Follow::Live => match self.room.update(SeatNo::TABLE, &change, at, None) {
                    Ok(entry) => self.note_update(&mut batch, entry, change),
                    Err(refusal) => self.room.set_trouble(refusal.to_string()),
                },
            },
        }
        self.store(batch).await
    }

    fn note_update(&self, batch: &mut Batch, entry: Entry, change: BoxChange) {
        batch.entries.push(entry);
        batch.updates.push((self.room.session().table().revision.no, change));
    }

    /// Handles a request with those that wait behind it: appends what they did, and then shows it.
    async fn handle(
        &mut self,
        first: Request,
        requests: &mut mpsc::Receiver<Request>,
    ) -> Result<(), Refused> {
        let mut batch = Batch::default();
        let at = self.shared.millis();
        self.room.begin(at);
        self.take(first, at, &mut batch);
        let mut is_closing = false;
        // Letters that come meanwhile wait for the next batch, so that this one is shown.
        for _ in 0..requests.len() {
            if is_closing || batch.acts.len() >= BATCH {
                break;
            }
            let Ok(request) = requests.try_recv() else { break };
            is_closing = matches!(request, Request::Close);
            self.take(request, at, &mut batch);
        }
        self.store(batch).await?;
        if is_closing { Err(self.closed()) } else { Ok(()) }
    }

    /// Appends what a batch did, and then shows it.
    async fn store(&mut self, batch: Batch) -> Result<(), Refused> {
        let stored = if batch.entries.is_empty() {
            Ok(())
        } else {
            let started = Instant::now();
            let stored = self.shared.tables.append_with(&self.id, &batch.entries, &batch.updates).await;
            self.shared.numbers.appended(started.elapsed());
            stored
        };
        if let Err(error) = stored {
            tracing::warn!(table = self.id, "a table's log was not written, and is read again: {error}");
            return self.start_again(batch).await;
        }
        self.room.flush();
        for (no, mut inbox, reply) in batch.calls {
            self.room.leave(no);
            answer(reply, Ok(inbox.all()));
        }
        self.room.flush();
        drop(batch.admissions);
        for (reply, taken) in batch.taken {
            answer(reply, Ok(taken));
        }
        for (reply, seat) in batch.seats {
            answer(reply, Ok(seat));
        }
        let changes = batch.entries.iter().flat_map(|entry| &entry.changes);
        self.runs.is_due |= changes.clone().any(|change| matches!(change, Change::Settings { .. }));
        self.is_lobby_behind |= { changes }.any(|c| matches!(c, Change::Seat { .. } | Change::Ended { .. }));
        let (n, written) = (self.room.session().table().n, self.room.session().written());
        if n - self.saved >= SNAPSHOT_EVERY || written.saturating_sub(self.saved_bytes) >= SNAPSHOT_BYTES {
            self.save().await;
        }
        Ok(())
    }

    fn take(&mut self, request: Request, at: u64, batch: &mut Batch) {
        match request {
            Request::Enter { visitor, outbox, reply } => {
                let entered = self.room.enter(visitor, outbox, at);
                if let Ok(no) = entered {
                    self.room.greet(no);
                }
                if let Err(Ok(no)) = reply.send(entered) {
                    self.room.leave(no);
                }
            }
            Request::Look(no, seat) => self.room.look(no, seat, at),
            Request::Admission(admission, told) => {
                batch.entries.extend(self.room.set_admission(admission, at));
                self.is_lobby_behind = true;
                batch.admissions.push(told);
            }
            Request::Leads(uid, reply) => answer(reply, Ok(self.room.leads(&uid))),
            Request::Sit { uid, names, reply } => {
                let (seat, entry) = self.room.sit(&uid, &names, at);
                batch.entries.extend(entry);
                batch.seats.push((reply, seat));
            }
            Request::Leave(no) => self.room.leave(no),
            Request::Act(from, asked) => self.act(from, asked, at, batch),
            Request::Point(from, pointer) => self.room.point(from, pointer, at),
            Request::Cards { uid, game_box, reply } => {
                let taken = match self.room.take_box(&uid, &game_box, at) {
                    Ok(None) => Ok(false),
                    Ok(Some((entry, change))) => {
                        self.note_update(batch, entry, change);
                        Ok(true)
                    }
                    Err(refusal) => Err(refusal.to_string()),
                };
                batch.taken.push((reply, taken));
            }
            Request::Close => {}
            // Somebody asked for something before: whoever still needs the room asks again.
            Request::Rest => self.presence.set_rests(false),
            Request::Fresh(no) => {
                self.shared.numbers.mismatch();
                self.room.refresh(no, at);
            }
            Request::Call { visitor, asked, reply } => {
                let (sender, inbox) = outbox();
                let is_look = visitor.have.is_none() || asked.is_none();
                match self.room.enter(visitor, sender, at) {
                    Ok(no) => {
                        if is_look {
                            self.room.greet(no);
                        }
                        if let Some(asked) = asked {
                            self.act(no, asked, at, batch);
                        }
                        batch.calls.push((no, inbox, reply));
                    }
                    Err(why) => answer(reply, Err(why)),
                }
            }
        }
    }

    fn act(&mut self, from: MemberNo, asked: Asked, at: u64, batch: &mut Batch) {
        batch.acts.push((from, asked.c));
        if matches!(asked.act.verb, Verb::Update { .. }) {
            let done = self.room.confirm(from, &asked, at);
            self.shared.numbers.acted(done.is_some());
            if let Some((entry, change)) = done {
                self.note_update(batch, entry, change);
            }
            return;
        }
        let entry = self.room.act(from, asked, at);
        self.shared.numbers.acted(entry.is_some());
        batch.entries.extend(entry);
    }

    /// After a failed append: what is stored is not known, so all of it is read anew.
    async fn start_again(&mut self, batch: Batch) -> Result<(), Refused> {
        for (no, _, reply) in batch.calls {
            self.room.leave(no);
            answer(reply, Err(Refused::Unavailable));
        }
        drop(batch.admissions);
        for (reply, _) in batch.taken {
            answer(reply, Err(Refused::Unavailable));
        }
        for (reply, _) in batch.seats {
            answer(reply, Err(Refused::Unavailable));
        }
        let loaded = self.shared.tables.load(&self.id).await;
        let session = loaded.map_err(|error| unavailable(&self.id, &error))?.ok_or(Refused::Stranger)?;
        self.room.restart(session, &batch.acts);
        self.runs.is_due = true;
        self.room.flush();
        self.is_lobby_behind = true;
        Ok(())
    }

    /// Stores the state. True if it is stored.
    async fn save(&mut self) -> bool {
        let n = self.room.session().table().n;
        if n == self.saved {
            return true;
        }
        match self.shared.tables.save(&self.id, &self.room.session().snapshot()).await {
            Ok(()) => (self.saved, self.saved_bytes) = (n, self.room.session().written()),
            Err(error) => {
                tracing::warn!(table = self.id, "a table's state was not stored; its log is: {error}");
            }
        }
        self.saved == n
    }

    /// Has the result of an ended game written, by a task of its own. After a failure whoever comes next has it tried again.
    fn follow_result(&mut self) {
        if self.has_result || !self.room.session().table().ended {
            return;
        }
        self.has_result = true;
        let (shared, id) = (self.shared.clone(), self.id.clone());
        tokio::spawn(async move {
            let now = shared.now();
            if let Err(error) = results::write(&shared, &id, now).await {
                tracing::warn!(table = id, "a table's result was not written: {error}");
            }
        });
    }

    async fn follow_lobby(&mut self) {
        if !std::mem::take(&mut self.is_lobby_behind) {
            return;
        }
        let (table, now) = (self.room.session().table(), self.shared.now());
        let fields = lobby::following(table, |uid| self.room.knows(uid));
        if let Err(error) = lobby::follow(&self.shared.database, &self.id, fields, now).await {
            tracing::warn!(table = self.id, "a table's public document was not written: {error}");
        }
    }
}

fn unavailable(id: &str, error: &docstore::Error) -> Refused {
    tracing::warn!(table = id, "a table cannot be read: {error}");
    Refused::Unavailable
}
