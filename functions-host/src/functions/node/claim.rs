//! A request sent to a worker that has others: it runs once the worker's event loop claims it, and until then can be
//! withdrawn and sent to another worker. A loop that is stuck claims nothing; what it finds later has been withdrawn.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use futures::task::AtomicWaker;
use http_body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;
use tokio::time::Instant;

const OFFERED: u8 = 0;
const CLAIMED: u8 = 1;
const WITHDRAWN: u8 = 2;

/// One request on offer to one worker.
#[derive(Debug)]
pub(super) struct Claim {
    state: AtomicU8,
    /// Sent only after the claim, because a withdrawn request needs it again.
    body: Mutex<Option<Body>>,
    waiting: AtomicWaker,
    /// The caller waits until then.
    pub(super) deadline: Instant,
}

impl Claim {
    /// Offers a request with this body.
    pub(super) fn new(body: Body, deadline: Instant) -> Arc<Self> {
        Arc::new(Self {
            state: AtomicU8::new(OFFERED),
            body: Mutex::new(Some(body)),
            waiting: AtomicWaker::new(),
            deadline,
        })
    }

    /// The worker takes the request; false if it has been withdrawn.
    pub(super) fn take(&self) -> bool {
        let taken = self.change(CLAIMED);
        self.waiting.wake();
        taken
    }

    /// Takes the request back, with its body; `None` if the worker has it.
    pub(super) fn withdraw(&self) -> Option<Body> {
        if self.change(WITHDRAWN) { self.lock().take() } else { None }
    }

    fn change(&self, to: u8) -> bool {
        self.state.compare_exchange(OFFERED, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Option<Body>> {
        self.body.lock()
    }
}

/// The body of an offered request, which begins once the request is claimed.
pub(super) struct ClaimedBody(pub(super) Arc<Claim>);

impl HttpBody for ClaimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.0.waiting.register(context.waker());
        if self.0.state.load(Ordering::Acquire) != CLAIMED {
            return Poll::Pending;
        }
        match self.0.lock().as_mut() {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    fn offer() -> Arc<Claim> {
        Claim::new(Body::from("words"), Instant::now())
    }

    #[tokio::test]
    async fn a_claimed_request_has_its_body_and_cannot_be_withdrawn() {
        let claim = offer();
        let read = tokio::spawn(to_bytes(Body::new(ClaimedBody(Arc::clone(&claim))), 10));
        assert!(claim.take());
        assert!(claim.withdraw().is_none());
        assert_eq!(read.await.unwrap().unwrap(), "words");
    }

    #[tokio::test]
    async fn a_withdrawn_request_keeps_its_body_and_cannot_be_claimed() {
        let claim = offer();
        let body = claim.withdraw().unwrap();
        assert!(!claim.take());
        assert_eq!(to_bytes(body, 10).await.unwrap(), "words");
    }
}
