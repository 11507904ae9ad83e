//! Requests' bodies on their way in, and how long and how many of them may be.

use std::error::Error as StdError;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use parking_lot::Mutex;
use tokio::time::{Sleep, sleep};

use self::messages::Messages;
use super::MAX_MESSAGE_BYTES;
use super::status::to_status;
use docstore::budget::{Budget, Share};
use docstore::error::{Code, Error, Result};

mod messages;

/// Longest time for a request body, or for one message of a stream that stays open, to arrive. The largest one takes
/// that long at 1.2 Mbit/s.
const BODY_READ: Duration = Duration::from_secs(120);

/// The bodies of all requests, from their first byte until the request is answered, take at most this many bytes beyond
/// what is each one's own. What is made of them meanwhile takes a few times as many.
pub const MAX_BODIES_BYTES: usize = 128 * 1024 * 1024;

type BoxError = Box<dyn StdError + Send + Sync>;

/// A body's share of the common budget.
type Held = Arc<Mutex<Share>>;

/// Reads a body up to [`MAX_MESSAGE_BYTES`] and for no longer than [`BODY_READ`]. It counts in `budget` until what is
/// returned beside it is dropped.
pub(super) async fn read_body(body: Body, budget: &Arc<Budget>) -> Result<(Bytes, Held)> {
    let held = hold(budget);
    let arriving = Arriving::new(body, Shape::Whole, held.clone());
    match Limited::new(arriving, MAX_MESSAGE_BYTES).collect().await {
        Ok(collected) => Ok((collected.to_bytes(), held)),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::invalid(
            "BodyTooLarge",
            format!("Request payload size exceeds the limit: {MAX_MESSAGE_BYTES} bytes."),
        )),
        Err(error) => Err(match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(error) => {
                Error::new(Code::Cancelled, "BodyBroken", "The request's body broke off.").with_source(error)
            }
        }),
    }
}

/// A gRPC request that is one message: all of it has to arrive within [`BODY_READ`], and counts until it is answered.
pub(super) async fn as_whole(State(budget): State<Arc<Budget>>, request: Request, next: Next) -> Response {
    let held = hold(&budget);
    let response = next.run(guarded(request, Shape::Whole, held.clone())).await;
    drop(held);
    response
}

/// A gRPC request that is a stream: a message that has begun has to arrive within [`BODY_READ`], the next may begin
/// whenever it likes. A message counts until the next is asked for.
pub(super) async fn as_messages(State(budget): State<Arc<Budget>>, request: Request, next: Next) -> Response {
    next.run(guarded(request, Shape::Messages(Messages::default()), hold(&budget))).await
}

fn hold(budget: &Arc<Budget>) -> Held {
    Arc::new(Mutex::new(Share::of(budget)))
}

/// A failure reaches the service as a status, which is what it answers with.
fn guarded(request: Request, shape: Shape, held: Held) -> Request {
    request.map(|body| Body::new(Arriving::new(body, shape, held).map_err(as_status)))
}

fn as_status(error: BoxError) -> BoxError {
    match error.downcast::<Error>() {
        Ok(error) => to_status(&error).into(),
        Err(error) => error,
    }
}

/// Division of a body into parts that belong together.
enum Shape {
    /// All of it.
    Whole,
    /// Each message of gRPC.
    Messages(Messages),
}

/// A body whose reader waits for no part longer than [`BODY_READ`], and that counts in a budget. Time only runs while the
/// reader waits: what a server leaves unread is not its client's fault.
struct Arriving {
    body: Body,
    shape: Shape,
    held: Held,
    /// When what is being waited for has to be there.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Arriving {
    fn new(body: Body, shape: Shape, held: Held) -> Self {
        Self { body, shape, held, deadline: None }
    }

    fn take_in(&mut self, data: &[u8]) -> Result<()> {
        self.share(|share| share.grow(data.len(), "Bodies", "too many bytes of requests are under way"))?;
        if let Shape::Messages(messages) = &mut self.shape
            && messages.pass(data)
        {
            self.deadline = None;
        }
        Ok(())
    }

    /// A reader that asks for more has finished with the complete messages.
    fn let_go(&self) {
        if let Shape::Messages(messages) = &self.shape {
            self.share(|share| share.shrink_to(messages.come()));
        }
    }

    fn share<T>(&self, with: impl FnOnce(&mut Share) -> T) -> T {
        with(&mut self.held.lock())
    }

    /// True if a message has begun and is not complete.
    fn is_under_way(&self) -> bool {
        match &self.shape {
            Shape::Whole => true,
            Shape::Messages(messages) => messages.come() > 0,
        }
    }

    fn too_slow(&self) -> Error {
        let what = match &self.shape {
            Shape::Whole => "The request's body",
            Shape::Messages(_) => "A message of the stream",
        };
        let message = format!("{what} did not arrive within {} seconds.", BODY_READ.as_secs());
        Error::new(Code::DeadlineExceeded, "BodyTooSlow", message)
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        this.let_go();
        match Pin::new(&mut this.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let taken = frame.data_ref().map_or(Ok(()), |data| this.take_in(data));
                Poll::Ready(Some(taken.map(|()| frame).map_err(Into::into)))
            }
            Poll::Ready(end) => Poll::Ready(end.map(|failed| failed.map_err(Into::into))),
            Poll::Pending if this.is_under_way() => {
                let deadline = this.deadline.get_or_insert_with(|| Box::pin(sleep(BODY_READ)));
                ready!(deadline.as_mut().poll(context));
                Poll::Ready(Some(Err(this.too_slow().into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests;
