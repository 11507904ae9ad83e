//! The write stream: a handshake, then batches of writes, answered in order.

use futures::{StreamExt as _, stream};
use tokio::time::{Duration, timeout};
use tonic::Streaming;

use super::{Caller, Replies, Service};
use crate::convert::database;
use crate::convert::time::from_ts;
use crate::convert::write::{check_repeats, from_result, to_writes};
use crate::pb::v1;
use crate::status::{to_status, undecodable};
use docstore::error::{Code, Error, Result};
use docstore::model::DatabaseId;
use docstore::shares::Share;
use docstore::{Draft, Session};

/// Longest time that a reply waits until listeners were sent its commit.
const LISTENERS_FIRST: Duration = Duration::from_millis(100);

/// A stream after its handshake.
struct Open {
    id: DatabaseId,
    session: Session,
    caller: Caller,
    /// Counts the replies; the newest is the stream's token.
    count: u64,
    _place: Option<Share>,
}

/// State of a write stream.
enum State {
    Fresh(Caller),
    Open(Box<Open>),
    Failed,
}

impl Service {
    /// Answers a write stream and keeps `place` for it. A failed batch ends it; what came before is committed, what comes after is not.
    pub(super) fn write_stream(
        self,
        caller: Caller,
        place: Option<Share>,
        requests: Streaming<v1::WriteRequest>,
    ) -> Replies<v1::WriteResponse> {
        let start = (self, requests, State::Fresh(caller), place);
        stream::unfold(start, |(service, mut requests, mut state, place)| async move {
            if matches!(state, State::Failed) {
                return None;
            }
            let outcome = match requests.next().await? {
                Ok(request) => {
                    service.write_step(&mut state, request).await.map_err(|error| to_status(&error))
                }
                Err(status) => Err(undecodable(status)),
            };
            if outcome.is_err() {
                state = State::Failed;
            }
            Some((outcome, (service, requests, state, place)))
        })
        .boxed()
    }

    async fn write_step(&self, state: &mut State, request: v1::WriteRequest) -> Result<v1::WriteResponse> {
        match state {
            State::Fresh(caller) => {
                let id = database(&request.database)?;
                if !request.writes.is_empty() {
                    return Err(Error::invalid(
                        "WriteHandshake",
                        "The first request of a write stream must not contain writes.",
                    ));
                }
                let known = self.caller(caller, &id).await?;
                let _place = caller.stream_of_account(&id, &known)?;
                let session = self.store.database(&id).as_caller(known);
                let stream_id =
                    if request.stream_id.is_empty() { self.ids.document() } else { request.stream_id };
                *state =
                    State::Open(Box::new(Open { id, session, caller: caller.clone(), count: 0, _place }));
                Ok(v1::WriteResponse { stream_id, stream_token: token(0), ..Default::default() })
            }
            State::Open(open) => {
                self.still_holds(&open.caller, &open.id).await?;
                open.write(request).await
            }
            State::Failed => Err(Error::new(Code::Cancelled, "WriteStreamFailed", "The stream has failed.")),
        }
    }
}

impl Open {
    async fn write(&mut self, request: v1::WriteRequest) -> Result<v1::WriteResponse> {
        self.count += 1;
        let stream_token = token(self.count);
        if request.writes.is_empty() {
            return Ok(v1::WriteResponse { stream_token, ..Default::default() });
        }
        let writes = to_writes(&self.id, request.writes)?;
        check_repeats(&writes)?;
        let committed = self.session.commit(Draft { writes, txn: None }).await?;
        // A client keeps what it wrote as read at its commit time until its listener brings it. Tabs that share a cache
        // look for what was read later than anything they know: when the reply to a later write overtakes the listener,
        // they miss the earlier one, which stays pending for ever.
        drop(timeout(LISTENERS_FIRST, self.session.settle_listeners()).await);
        Ok(v1::WriteResponse {
            stream_id: String::new(),
            stream_token,
            write_results: committed.results.into_iter().map(from_result).collect(),
            commit_time: Some(from_ts(committed.commit_time)),
        })
    }
}

fn token(count: u64) -> bytes::Bytes {
    count.to_string().into_bytes().into()
}
