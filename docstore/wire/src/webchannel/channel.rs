//! Sessions tied to calls of the service.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use ::http::HeaderMap;
use bytes::Bytes;
use futures::{Stream, StreamExt as _, stream};
use parking_lot::Mutex;
use prost_reflect::{MessageDescriptor, MethodDescriptor};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tonic::Status;

use super::back_channel_limiter::{BackChannelLimiter, Place};
use super::inbox::MAX_SHARED_BYTES;
use super::session::{BackId, Next, ReplyKind, Session};
use crate::Server;
use crate::ids::Ids;
use crate::status::{code_of, error_json, to_status};
use crate::{json, rpc};
use docstore::budget::Budget;
use docstore::error::{Code, Error, Result};
use docstore::shares::{Share, StreamHolder};

/// Sessions that may be open at once.
const MAX_SESSIONS: usize = 10_000;

/// A session nobody has contacted for this long, and that has no back channel, is closed.
const SESSION_IDLE: Duration = Duration::from_secs(60);

/// The back channel carries something at least this often; the browser gives up after one and a half times this.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// A streaming back channel ends after this long, so that a dead connection shows.
const BACK_CHANNEL_AGE: Duration = Duration::from_secs(10 * 60);

/// The call of the service that a session carries.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) method: MethodDescriptor,
    pub(super) headers: HeaderMap,
    /// Holder of the stream's share, if shares are counted.
    pub(super) holder: Option<StreamHolder>,
    /// The session's place among the streams of the address, for as long as the session is there.
    pub(super) place: Option<Share>,
}

/// All open sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    open: Mutex<HashMap<String, Arc<Channel>>>,
    /// Browsers that hold back channels.
    pub(super) limiter: Arc<BackChannelLimiter>,
    /// Memory of the messages of all sessions.
    pub(super) budget: Arc<Budget>,
    /// Memory of what waits for the readers of all streams.
    pub(super) streams: Arc<Budget>,
}

impl Sessions {
    /// None yet; what waits for browsers counts in `streams`.
    pub(crate) fn new(streams: &Arc<Budget>) -> Self {
        let budget = Budget::new(MAX_SHARED_BYTES);
        Self { open: Mutex::default(), limiter: Arc::default(), budget, streams: Arc::clone(streams) }
    }

    /// The session `sid`.
    pub(super) fn get(&self, sid: &str) -> Option<Arc<Channel>> {
        self.open.lock().get(sid).cloned()
    }

    /// Opens a session for one call and returns its id. The session lives until the browser ends
    /// it or stays away.
    pub(super) fn open(
        self: &Arc<Self>,
        ids: &Ids,
        server: Server,
        call: Call,
        session: Session,
    ) -> Result<String> {
        let sid = ids.secret();
        let channel = Arc::new(Channel::new(session));
        {
            let mut open = self.open.lock();
            if open.len() >= MAX_SESSIONS {
                return Err(Error::new(
                    Code::Unavailable,
                    "WebChannelSessions",
                    format!("{MAX_SESSIONS} sessions are open, which is the most; try again later"),
                ));
            }
            open.insert(sid.clone(), channel.clone());
        }
        let (sessions, key) = (self.clone(), sid.clone());
        tokio::spawn(async move {
            let Call { method, headers, holder, place } = call;
            channel.drive(server, &method, headers, holder).await;
            channel.update(Session::end);
            sessions.open.lock().remove(&key);
            drop(place);
        });
        Ok(sid)
    }
}

/// One session, shared by the requests that carry it and the call it carries.
#[derive(Debug)]
pub(super) struct Channel {
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    session: Session,
    last_contact: Instant,
}

impl Channel {
    fn new(session: Session) -> Self {
        let state = State { session, last_contact: Instant::now() };
        Self { state: Mutex::new(state), version: watch::Sender::new(0) }
    }

    /// Changes the session and wakes whoever waits for a change.
    pub(super) fn update<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        let answer = change(&mut self.state.lock().session);
        self.version.send_modify(|version| *version += 1);
        answer
    }

    /// [`Self::update`] by a request of the browser, which proves that it is still there.
    pub(super) fn contact<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        self.state.lock().last_contact = Instant::now();
        self.update(change)
    }

    /// Looks at the session without waking anybody.
    fn look<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock())
    }

    /// Carries messages between the session and one call of the service until the session is over.
    async fn drive(
        self: &Arc<Self>,
        server: Server,
        method: &MethodDescriptor,
        headers: HeaderMap,
        holder: Option<StreamHolder>,
    ) {
        let outcome = tokio::select! {
            outcome = self.pump(server, method, headers, holder) => outcome,
            () = self.gone() => return,
        };
        self.update(|session| match outcome {
            Ok(()) => session.push_close(),
            Err(status) => {
                session.push_message(&error_json(code_of(&status).number(), &status).to_string());
            }
        });
        self.gone().await;
    }

    async fn pump(
        self: &Arc<Self>,
        server: Server,
        method: &MethodDescriptor,
        headers: HeaderMap,
        holder: Option<StreamHolder>,
    ) -> Result<(), Status> {
        let broken = watch::Sender::new(None);
        let mut is_broken = broken.subscribe();
        let requests = self.clone().requests(method.input(), broken);
        let replies = async {
            let mut replies = rpc::call(server, method, headers, holder, requests).await?;
            while let Some(message) = replies.next().await.transpose()? {
                let json = json::write(method.output(), &message).map_err(|error| to_status(&error))?;
                let json = String::from_utf8(json).map_err(|error| Status::internal(error.to_string()))?;
                self.room().await;
                self.update(|session| session.push_message(&json));
            }
            Ok(())
        };
        let refusal = async {
            match is_broken.wait_for(Option::is_some).await {
                Ok(status) => status.clone(),
                Err(_) => None,
            }
        };
        tokio::pin!(replies);
        tokio::select! {
            biased;
            Some(status) = refusal => Err(status),
            outcome = &mut replies => outcome,
        }
    }

    /// The browser's messages, encoded. One that cannot be read ends the stream and is reported to `broken`.
    fn requests(
        self: Arc<Self>,
        input: MessageDescriptor,
        broken: watch::Sender<Option<Status>>,
    ) -> impl Stream<Item = Bytes> + Send + 'static {
        let changes = self.version.subscribe();
        stream::unfold((self, changes, broken), move |(channel, mut changes, broken)| {
            let input = input.clone();
            async move {
                loop {
                    changes.mark_unchanged();
                    let (text, ended) =
                        channel.look(|state| (state.session.pop_message(), state.session.is_ended()));
                    match text.map(|text| json::read(input.clone(), text.as_bytes())) {
                        Some(Ok(message)) => {
                            return Some((json::encode(&message), (channel, changes, broken)));
                        }
                        Some(Err(error)) => {
                            broken.send_replace(Some(to_status(&error)));
                            pending::<()>().await;
                        }
                        None if ended => return None,
                        None => changes.changed().await.ok()?,
                    }
                }
            }
        })
    }

    /// Waits until more may be queued for the browser.
    async fn room(&self) {
        let mut changes = self.version.subscribe();
        while !self.look(|state| state.session.has_room()) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Waits until the browser has ended the session or stayed away for [`SESSION_IDLE`].
    async fn gone(&self) {
        let mut changes = self.version.subscribe();
        loop {
            changes.mark_unchanged();
            let (ended, connected, last_contact) = self.look(|state| {
                (state.session.is_ended(), state.session.has_back_channel(), state.last_contact)
            });
            if ended {
                return;
            }
            let deadline = last_contact + SESSION_IDLE;
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = sleep_until(deadline), if !connected => return,
            }
        }
    }
}

/// One back channel's reply.
pub(super) struct BackChannel {
    channel: Arc<Channel>,
    id: BackId,
    kind: ReplyKind,
    keep_alive: Duration,
    changes: watch::Receiver<u64>,
    until: Instant,
    /// Among those of the same browser, if that can run out of connections.
    place: Option<Place>,
}

impl BackChannel {
    /// Opens a back channel after array `aid`, which carries something at least every `keep_alive`.
    pub(super) fn open(
        channel: Arc<Channel>,
        aid: u64,
        kind: ReplyKind,
        keep_alive: Duration,
        place: Option<Place>,
    ) -> Result<Self> {
        let changes = channel.version.subscribe();
        let id = channel.contact(|session| session.attach(aid, kind))?;
        let until = Instant::now() + BACK_CHANNEL_AGE;
        Ok(Self { channel, id, kind, keep_alive, changes, until, place })
    }

    /// The reply's body. Dropping it, as happens when the connection breaks, closes the back channel.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send {
        stream::unfold(self, |mut back| async move {
            let frame = back.frame().await?;
            Some((Ok(Bytes::from(frame)), back))
        })
    }

    async fn frame(&mut self) -> Option<String> {
        loop {
            self.changes.mark_unchanged();
            let (next, untouched) =
                self.channel.look(|state| (state.session.next(self.id), state.session.is_untouched(self.id)));
            match next {
                Next::Frame(frame) => return Some(frame),
                Next::Finish => return None,
                // The first bytes tell the browser that no proxy holds the stream back.
                Next::Wait if untouched && self.kind == ReplyKind::Streaming => self.push_keep_alive(),
                Next::Wait if Instant::now() >= self.until => return None,
                Next::Wait => {
                    let over = async {
                        match &self.place {
                            Some(place) => place.turn_over().await,
                            None => pending().await,
                        }
                    };
                    tokio::select! {
                        biased;
                        changed = timeout(self.keep_alive, self.changes.changed()) => match changed {
                            Ok(changed) => changed.ok()?,
                            Err(_) => self.push_keep_alive(),
                        },
                        // A poll without a frame would be an error to the browser.
                        () = over => if untouched { self.push_keep_alive() } else { return None },
                    }
                }
            }
        }
    }

    fn push_keep_alive(&self) {
        self.channel.update(Session::push_keep_alive);
    }
}

impl Drop for BackChannel {
    fn drop(&mut self) {
        self.channel.contact(|session| session.detach(self.id));
    }
}
