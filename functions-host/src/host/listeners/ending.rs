//! A response body that ends cleanly when the server shuts down.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use futures::future::BoxFuture;
use http_body::{Body as HttpBody, Frame, SizeHint};

use crate::host::lifecycle::{Lifecycle, Phase};

/// Passes frames on until [`Phase::Ending`]; then the body ends, and clients reconnect elsewhere.
pub(super) struct EndingBody {
    inner: Option<Body>,
    ending: BoxFuture<'static, ()>,
}

impl EndingBody {
    pub(super) fn new(inner: Body, lifecycle: Lifecycle) -> Self {
        Self { inner: Some(inner), ending: Box::pin(async move { lifecycle.reached(Phase::Ending).await }) }
    }
}

impl HttpBody for EndingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Some(inner) = this.inner.as_mut() else { return Poll::Ready(None) };
        let frame = Pin::new(inner).poll_frame(context);
        if frame.is_pending() && this.ending.as_mut().poll(context).is_ready() {
            // Dropping the inner body tells its source that the reader is gone.
            this.inner = None;
            return Poll::Ready(None);
        }
        if matches!(frame, Poll::Ready(None)) {
            this.inner = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Body;
    use bytes::Bytes;
    use futures::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::EndingBody;
    use crate::host::lifecycle::{Phase, lifecycle};

    #[tokio::test]
    async fn what_is_there_is_sent_and_then_it_ends() {
        let (stopper, told) = lifecycle();
        let endless = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"a"))]).chain(stream::pending());
        let body = EndingBody::new(Body::from_stream(endless), told);
        stopper.go(Phase::Ending);
        assert_eq!(body.collect().await.unwrap().to_bytes(), "a");
    }

    #[tokio::test]
    async fn draining_alone_ends_nothing() {
        let (stopper, told) = lifecycle();
        let endless = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"a"))]).chain(stream::pending());
        let mut body = EndingBody::new(Body::from_stream(endless), told);
        stopper.go(Phase::Draining);
        assert!(body.frame().await.is_some());
        assert!(futures::poll!(std::pin::pin!(body.frame())).is_pending());
        stopper.go(Phase::Ending);
        assert!(body.frame().await.is_none());
    }
}
