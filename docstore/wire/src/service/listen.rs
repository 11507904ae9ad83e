//! The listen stream: many targets, added and removed while it runs, and consistent snapshots over all of them.

mod outgoing;
mod reply;
mod target;
mod targets;

use std::sync::Arc;

use futures::StreamExt as _;
use prost::Message as _;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use self::outgoing::Outgoing;
use self::targets::{End, Targets};
use super::expiry::end_of;
use super::{Caller, Replies, Service};
use crate::convert::database;
use crate::pb::v1;
use crate::pb::v1::listen_request::TargetChange as Change;
use crate::status::{to_status, undecodable};
use docstore::error::{Code, Error, Result};
use docstore::model::{DatabaseId, Ts};
use docstore::shares::Share;
use docstore::watch::{TargetId, WatchEvent, Watcher};

/// Replies queued for a slow client, memory permitting; past that the watcher records what remains to be sent.
const REPLIES: usize = 64;

/// Targets allowed at once on one stream.
const MAX_TARGETS: usize = 1_000;

/// Targets of one stream that may be ending. No further requests are read until the end of one was sent, so that a
/// client that asks faster than it is answered waits and fills no queue.
const MAX_ENDING: usize = 1_000;

const _: () =
    assert!(MAX_TARGETS + MAX_ENDING <= docstore::watch::MAX_TARGETS, "the watcher takes what is taken here");

/// One open stream.
struct Listener {
    id: DatabaseId,
    watcher: Watcher,
    targets: Targets,
    replies: Sender,
    outgoing: Arc<Outgoing>,
    _place: Option<Share>,
}

/// The way to the client: replies and how many bytes each takes while it waits.
type Sender = mpsc::Sender<(usize, Result<v1::ListenResponse, Status>)>;

impl Service {
    /// Answers a listen stream until either side ends it, and keeps `place` for it.
    pub(super) fn listen_stream(
        self,
        caller: Caller,
        place: Option<Share>,
        requests: Streaming<v1::ListenRequest>,
    ) -> Replies<v1::ListenResponse> {
        let (replies, stream) = mpsc::channel(REPLIES);
        let outgoing = Arc::new(Outgoing::new(self.store.stream_bytes()));
        let sent = Arc::clone(&outgoing);
        tokio::spawn(async move {
            let _place = place;
            let gone = replies.clone();
            tokio::select! {
                outcome = self.listen_to(caller, requests, replies.clone(), outgoing) => {
                    if let Err(status) = outcome {
                        let _gone = replies.send((0, Err(status))).await;
                    }
                }
                () = gone.closed() => {}
            }
        });
        let passed_on = move |(bytes, reply)| {
            sent.shrink(bytes);
            reply
        };
        ReceiverStream::new(stream).map(passed_on).boxed()
    }

    async fn listen_to(
        &self,
        caller: Caller,
        mut requests: Streaming<v1::ListenRequest>,
        replies: Sender,
        outgoing: Arc<Outgoing>,
    ) -> Result<(), Status> {
        let Some(first) = requests.next().await.transpose().map_err(undecodable)? else { return Ok(()) };
        let (mut listener, end) =
            self.listener(&caller, &first, (replies, outgoing)).await.map_err(|error| to_status(&error))?;
        let id = listener.id.clone();
        let refused = self.token_refused(&caller, &id, end);
        tokio::pin!(refused);
        let cut_off = listener.watcher.cut_off();
        tokio::pin!(cut_off);
        listener.request(first).await.map_err(|error| to_status(&error))?;
        loop {
            tokio::select! {
                request = requests.next(), if listener.targets.ending() < MAX_ENDING => {
                    let Some(request) = request.transpose().map_err(undecodable)? else { return Ok(()) };
                    listener.request(request).await.map_err(|error| to_status(&error))?;
                }
                event = listener.watcher.next() => {
                    // Unread replies must not keep the stream from ending.
                    tokio::select! {
                        told = listener.tell(event) => told.map_err(|error| to_status(&error))?,
                        () = &mut cut_off => return Ok(()),
                    }
                }
                () = &mut cut_off => return Ok(()),
                error = &mut refused => return Err(to_status(&error)),
            }
        }
    }

    async fn listener(
        &self,
        caller: &Caller,
        first: &v1::ListenRequest,
        (replies, outgoing): (Sender, Arc<Outgoing>),
    ) -> Result<(Listener, Option<Ts>)> {
        let id = database(&first.database)?;
        let known = self.caller(caller, &id).await?;
        let end = end_of(&known);
        let _place = caller.stream_of_account(&id, &known)?;
        let watcher = self.store.database(&id).as_caller(known).watch();
        Ok((Listener { id, watcher, targets: Targets::default(), replies, outgoing, _place }, end))
    }
}

impl Listener {
    /// Adds or removes a target. A bad target is answered by its removal with the cause; the stream goes on.
    async fn request(&mut self, request: v1::ListenRequest) -> Result<()> {
        if !request.database.is_empty() && database(&request.database)? != self.id {
            return Err(Error::invalid(
                "ListenDatabase",
                format!("This stream listens to {}; open another for {}.", self.id, request.database),
            ));
        }
        match request.target_change {
            None => Ok(()),
            Some(Change::RemoveTarget(target)) => {
                self.remove(target).await;
                Ok(())
            }
            Some(Change::AddTarget(target)) => {
                let number = target.target_id;
                match self.add(target) {
                    Ok(()) => {}
                    Err(error) if self.targets.is_wanted(number) => self.end(number, End::Bad(error)),
                    Err(error) => self.send(reply::removed(number, Some(&error))).await,
                }
                Ok(())
            }
        }
    }

    fn add(&mut self, target: v1::Target) -> Result<()> {
        let number = target.target_id;
        if number <= 0 {
            return Err(Error::invalid("TargetId", format!("Target id {number} is not positive.")));
        }
        if self.targets.wanted() >= MAX_TARGETS && !self.targets.is_wanted(number) {
            return Err(Error::new(
                Code::ResourceExhausted,
                "Targets",
                format!("A stream has at most {MAX_TARGETS} targets; remove one or open another stream."),
            ));
        }
        let read = target::read(&self.id, target)?;
        // A number in use is used anew: the new target takes the place of the old one.
        if self.targets.is_wanted(number) {
            self.end(number, End::Replaced);
        }
        self.targets.add(number);
        self.watcher.add(number, read.target, read.resume, read.expected_count, read.once);
        Ok(())
    }

    async fn remove(&mut self, number: TargetId) {
        if self.targets.is_wanted(number) {
            self.end(number, End::Asked);
        } else {
            self.send(reply::removed(number, None)).await;
        }
    }

    /// Ends the target that has this number. The client is told when the watcher has ended it.
    fn end(&mut self, number: TargetId, end: End) {
        self.targets.end(number, end);
        self.watcher.remove(number);
    }

    /// Passes an event on.
    ///
    /// # Errors
    /// `Unavailable` when a target has ended for a reason that passes: clients take the end of a target for final, and
    /// after the end of a stream they come back for all of them.
    async fn tell(&mut self, event: WatchEvent) -> Result<()> {
        let reply = match event {
            WatchEvent::Removed(number, cause) => match (self.targets.ended(number), cause) {
                (None, Some(cause)) if matches!(cause.code(), Code::Unavailable | Code::Aborted) => {
                    return Err(Error::new(Code::Unavailable, cause.tag(), cause.message()));
                }
                (None, cause) => reply::removed(number, cause.as_ref()),
                (Some(End::Asked), _) => reply::removed(number, None),
                (Some(End::Bad(wrong)), _) => reply::removed(number, Some(&wrong)),
                (Some(End::Replaced), _) => return Ok(()),
            },
            event => reply::to_response(&self.id, event),
        };
        self.send(reply).await;
        Ok(())
    }

    /// Sends a reply. A client that is gone ends the stream by itself, so nothing is lost by not noticing here.
    async fn send(&self, reply: v1::ListenResponse) {
        let bytes = reply.encoded_len();
        self.outgoing.grow(bytes).await;
        let _gone = self.replies.send((bytes, Ok(reply))).await;
    }
}
