//! The browser's messages ("maps") on their way to the service: in the order of their ids, each once, whatever the
//! requests that bring them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use docstore::budget::{Budget, Share};
use docstore::error::{Code, Error, Result};

/// The largest id a request's first map may have: browsers count in JavaScript's numbers, which are exact up to here.
pub(super) const MAX_MAP_ID: u64 = (1 << 53) - 1;

/// Largest distance of a map's id from the next expected one.
pub(super) const MAX_MAP_GAP: u64 = 10_000;

/// Messages that arrived and wait for the service, or that wait for an earlier one, take at most this many bytes.
pub(super) const MAX_INBOX_BYTES: usize = 32 * 1024 * 1024;

/// Those among them that wait for an earlier one. Browsers send up to ten requests at once, and only of those that
/// overtook each other something has to wait.
pub(super) const MAX_HELD_BYTES: usize = 4 * 1024 * 1024;

/// The messages of all sessions take at most this many bytes beyond what is each session's own.
pub(super) const MAX_SHARED_BYTES: usize = 256 * 1024 * 1024;

/// Memory of a message beside its text, in bytes.
const MAP_BYTES: usize = 64;

/// The messages of one session.
#[derive(Debug)]
pub(super) struct Inbox {
    /// Memory of all of them.
    share: Share,
    /// The id of the next message that is expected.
    next: u64,
    /// Those that came before an earlier one.
    held: BTreeMap<u64, String>,
    held_bytes: usize,
    ready: VecDeque<String>,
}

impl Inbox {
    /// An empty one whose first message will have id `next`.
    pub(super) fn new(budget: &Arc<Budget>, next: u64) -> Self {
        let share = Share::of(budget);
        Self { share, next, held: BTreeMap::new(), held_bytes: 0, ready: VecDeque::new() }
    }

    /// Takes the messages of one request, whose first has id `offset`. Repeated messages are dropped, early ones wait
    /// for those before them.
    ///
    /// # Errors
    /// `InvalidArgument` for ids that cannot be, `ResourceExhausted` for more than one session may have waiting and
    /// `Unavailable` for more than all may. Messages up to the one that failed are taken.
    pub(super) fn receive(&mut self, offset: u64, maps: Vec<String>) -> Result<()> {
        if offset > MAX_MAP_ID {
            return Err(Error::invalid(
                "WebChannelMapId",
                format!("ofs={offset}: the ids of messages end at {MAX_MAP_ID}"),
            ));
        }
        for (map, id) in maps.into_iter().zip(offset..) {
            if id < self.next || self.held.contains_key(&id) {
                continue;
            }
            if id - self.next > MAX_MAP_GAP {
                return Err(Error::invalid(
                    "WebChannelMapId",
                    format!("message {id} is too far ahead: message {} is expected", self.next),
                ));
            }
            let early = id > self.next;
            self.reserve(size(&map), early)?;
            if early {
                self.held_bytes += size(&map);
                self.held.insert(id, map);
            } else {
                self.ready.push_back(map);
                self.next += 1;
                while let Some(map) = self.held.remove(&self.next) {
                    self.held_bytes -= size(&map);
                    self.ready.push_back(map);
                    self.next += 1;
                }
            }
        }
        Ok(())
    }

    fn reserve(&mut self, bytes: usize, early: bool) -> Result<()> {
        if self.share.bytes() + bytes > MAX_INBOX_BYTES {
            return Err(Error::new(
                Code::ResourceExhausted,
                "WebChannelInbox",
                "too many bytes wait to be processed on this stream: send slower",
            ));
        }
        if early && self.held_bytes + bytes > MAX_HELD_BYTES {
            return Err(Error::new(
                Code::ResourceExhausted,
                "WebChannelHeld",
                format!("too many bytes wait for message {}: send it first", self.next),
            ));
        }
        let what = "too many bytes wait to be processed on all streams together";
        self.share.grow(bytes, "WebChannelInboxes", what)
    }

    /// The next message, in order.
    pub(super) fn pop(&mut self) -> Option<String> {
        let map = self.ready.pop_front()?;
        self.share.shrink_to(self.share.bytes() - size(&map));
        Some(map)
    }

    /// True if nothing waits.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.share.bytes() == 0 && self.held_bytes == 0 && self.ready.is_empty() && self.held.is_empty()
    }
}

fn size(map: &str) -> usize {
    map.len() + MAP_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(outcome: Result<()>) -> String {
        outcome.unwrap_err().message().to_owned()
    }

    #[test]
    fn ids_end_where_the_browsers_numbers_do() {
        for offset in [MAX_MAP_ID, u64::MAX - 1, u64::MAX] {
            let mut inbox = Inbox::new(&Budget::new(MAX_SHARED_BYTES), offset);
            let outcome = inbox.receive(offset, vec!["1".into(), "2".into(), "3".into()]);
            if offset == MAX_MAP_ID {
                outcome.unwrap();
                assert_eq!([inbox.pop(), inbox.pop()], [Some("1".into()), Some("2".into())]);
            } else {
                let expected = format!("ofs={offset}: the ids of messages end at 9007199254740991");
                assert_eq!(refusal(outcome), expected);
            }
        }
    }

    #[test]
    fn little_waits_for_a_message_that_does_not_come() {
        let mut inbox = Inbox::new(&Budget::new(MAX_SHARED_BYTES), 0);
        let map = "x".repeat(MAX_HELD_BYTES / 4);
        let outcome = inbox.receive(1, vec![map.clone(); 4]);
        assert_eq!(refusal(outcome), "too many bytes wait for message 0: send it first");
        // With it, the same is no trouble.
        inbox.receive(0, vec![map.clone(); 5]).unwrap();
        for _ in 0..5 {
            assert_eq!(inbox.pop().as_ref(), Some(&map));
        }
        assert!(inbox.is_empty());
    }

    #[test]
    fn all_sessions_together_have_a_limit() {
        let budget = Budget::new(100_000);
        let inbox = || Inbox::new(&budget, 0);
        let (mut first, mut second, mut third) = (inbox(), inbox(), inbox());
        let map = "x".repeat(50_000);
        first.receive(0, vec![map.clone()]).unwrap();
        second.receive(0, vec![map.clone()]).unwrap();
        let outcome = third.receive(0, vec![map.clone()]);
        assert_eq!(
            refusal(outcome),
            "too many bytes wait to be processed on all streams together: try again later"
        );
        third.receive(0, vec!["small ones go through".into()]).unwrap();
        // Processed and abandoned messages free their memory.
        assert_eq!(first.pop(), Some(map.clone()));
        third.receive(1, vec![map.clone()]).unwrap();
        drop(second);
        first.receive(1, vec![map]).unwrap();
        drop((first, third));
        assert_eq!(budget.taken(), 0);
    }
}
