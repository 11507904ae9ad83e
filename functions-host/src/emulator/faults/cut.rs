//! Responses that end in an error before they are whole.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// The end of a response: at the earlier of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Bytes of the body that are sent.
    pub(crate) bytes: Option<u64>,
    /// Time from the head of the response.
    pub(crate) time: Option<Duration>,
}

impl Cut {
    /// The response, which the connection or the stream ends early. One that is whole before stays so.
    pub(crate) fn apply(self, response: Response) -> Response {
        response.map(|inner| {
            Body::new(CutBody { inner, left: self.bytes, end: self.time.map(|time| Box::pin(sleep(time))) })
        })
    }
}

struct CutBody {
    inner: Body,
    /// Bytes that may still be sent.
    left: Option<u64>,
    end: Option<Pin<Box<Sleep>>>,
}

fn cut() -> axum::Error {
    axum::Error::new(io::Error::new(io::ErrorKind::ConnectionAborted, "cut by a fault"))
}

impl HttpBody for CutBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let over = self.end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready());
        if over || self.left == Some(0) {
            return Poll::Ready(Some(Err(cut())));
        }
        let Some(frame) = ready!(Pin::new(&mut self.inner).poll_frame(context)?) else {
            return Poll::Ready(None);
        };
        let frame = match (frame.into_data(), &mut self.left) {
            (Ok(data), Some(left)) => {
                let sent = usize::try_from(*left).unwrap_or(usize::MAX).min(data.len());
                *left -= u64::try_from(sent).unwrap_or_default();
                Frame::data(data.slice(..sent))
            }
            (Ok(data), None) => Frame::data(data),
            (Err(other), _) => other,
        };
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.left != Some(0) && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
