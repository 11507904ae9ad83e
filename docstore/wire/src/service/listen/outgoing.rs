//! Replies queued for one client, within the memory budget of all clients.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use docstore::budget::{Budget, Share};

/// Bytes of replies that may be queued for one client.
const STREAM_BYTES: usize = 1024 * 1024;

/// The replies of one stream that are made and not yet taken by its connection.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// Held for a look-up, never across an await.
    share: Mutex<Share>,
    /// Something was taken.
    taken: Notify,
}

impl Outgoing {
    /// Nothing yet, as a part of `all`.
    pub(super) fn new(all: &Arc<Budget>) -> Self {
        Self { share: Mutex::new(Share::of(all)), taken: Notify::new() }
    }

    /// Waits until a reply of `bytes` may wait for the client: while little does, and where all streams together have too
    /// much waiting, when nothing does. So a client that reads gets on, whatever the others do.
    pub(super) async fn grow(&self, bytes: usize) {
        loop {
            let taken = self.taken.notified();
            {
                let mut share = self.share.lock();
                if share.bytes() == 0 || (share.bytes() < STREAM_BYTES && !share.is_pressed()) {
                    share.overdraw(bytes);
                    return;
                }
            }
            taken.await;
        }
    }

    /// A reply of `bytes` was taken.
    pub(super) fn shrink(&self, bytes: usize) {
        let mut share = self.share.lock();
        let left = share.bytes().saturating_sub(bytes);
        share.shrink_to(left);
        drop(share);
        self.taken.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn replies_that_nobody_takes_are_bounded_for_one_and_for_all() {
        const MOST: usize = 4 * STREAM_BYTES;
        const REPLY: usize = STREAM_BYTES / 10;
        let all = Budget::new(MOST);
        let fill = |stream: &Outgoing| {
            (0..1_000).take_while(|_| stream.grow(REPLY).now_or_never().is_some()).count()
        };
        let streams: Vec<_> = (0..50).map(|_| Outgoing::new(&all)).collect();
        let filled: Vec<usize> = streams.iter().map(fill).collect();
        assert_eq!((filled[0], filled[49]), (11, 1), "each has one at least");
        assert!(all.taken() <= MOST + 50 * REPLY, "{}", all.taken());
        // Whoever reads gets the next.
        streams[49].shrink(REPLY);
        assert_eq!(fill(&streams[49]), 1);
    }
}
