//! The messages that wait for one reader, limited in number and bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

use super::limits::{BYTES_WAITING, MESSAGES_WAITING};
use super::messages::Frame;

/// The table's side.
#[derive(Debug)]
pub(super) struct Outbox {
    frames: mpsc::Sender<Frame>,
    bytes: Arc<AtomicUsize>,
}

/// The reader's side.
#[derive(Debug)]
pub(super) struct Inbox {
    frames: mpsc::Receiver<Frame>,
    bytes: Arc<AtomicUsize>,
}

/// Both sides.
pub(super) fn outbox() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel(MESSAGES_WAITING);
    let bytes = Arc::<AtomicUsize>::default();
    (Outbox { frames: sender, bytes: Arc::clone(&bytes) }, Inbox { frames: receiver, bytes })
}

/// Bytes that a message counts for: a whole view may be larger than all else that waits, and more follows it at once.
fn counted(frame: &Frame) -> usize {
    frame.len().min(BYTES_WAITING / 2)
}

impl Outbox {
    /// Adds a message. False if too much waits already, or nobody reads: the reader is to be cut off.
    pub(super) fn push(&self, frame: Frame) -> bool {
        let size = counted(&frame);
        let waiting = self.bytes.fetch_add(size, Ordering::SeqCst);
        (waiting == 0 || waiting + size <= BYTES_WAITING) && self.frames.try_send(frame).is_ok()
    }

    /// True if nobody reads any longer.
    pub(super) fn is_closed(&self) -> bool {
        self.frames.is_closed()
    }
}

impl Inbox {
    /// The next message; `None` once the table has let go of this reader.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        let frame = self.frames.recv().await?;
        self.bytes.fetch_sub(counted(&frame), Ordering::SeqCst);
        Some(frame)
    }

    /// The messages that are there.
    pub(super) fn all(&mut self) -> Vec<Frame> {
        std::iter::from_fn(|| self.frames.try_recv().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_does_not_read_is_noticed() {
        let (outbox, mut inbox) = outbox();
        assert!((0..MESSAGES_WAITING).all(|_| outbox.push("x".into())));
        assert!(!outbox.push("x".into()));
        assert_eq!(inbox.next().await.as_deref(), Some("x"));
        let (outbox, mut inbox) = super::outbox();
        let large: Frame = "x".repeat(BYTES_WAITING + 1).into();
        assert!(outbox.push(Arc::clone(&large)), "one message may be large");
        assert!(outbox.push("x".into()), "who waits for a large one is not cut off by the next");
        assert!(!outbox.push(Arc::clone(&large)), "two of them are too much");
        assert_eq!(inbox.next().await, Some(large));
        assert_eq!(inbox.all(), [Frame::from("x")]);
        drop(inbox);
        assert!(!outbox.push("x".into()) && outbox.is_closed());
    }
}
