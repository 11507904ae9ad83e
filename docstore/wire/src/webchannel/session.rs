//! One WebChannel session as a state machine without clock, network or threads.
//!
//! Both directions are exactly-once and in order over requests that may be lost, repeated or reordered:
//! the browser numbers its messages ("maps"), the server its own ("arrays"). Maps are taken in the order of
//! their ids, whatever the order of the requests. Arrays stay in the outbox until the browser, by the `AID` of
//! a later request, says it has them; a new back channel starts after that `AID`.

use std::collections::VecDeque;
use std::sync::Arc;

use super::framing::{frame, utf16_len};
use super::inbox::Inbox;
use docstore::budget::{Budget, Share};
use docstore::error::{Error, Result};

/// Largest amounts sent at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portions {
    /// A frame holds as many arrays as fit in this many bytes, and at least one.
    pub(super) frame_bytes: usize,
    /// A streaming back channel ends after this many bytes, so that the next one acknowledges them and the
    /// browser's response buffer stays small.
    pub(super) back_channel_bytes: usize,
}

/// The amounts for browsers.
pub(super) const PORTIONS: Portions = Portions { frame_bytes: 256 * 1024, back_channel_bytes: 1024 * 1024 };

/// The producer pauses while the outbox holds this many bytes.
pub(super) const OUTBOX_BYTES: usize = 4 * 1024 * 1024;

/// A back channel's number within its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BackId(u64);

/// Kind of reply on a back channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyKind {
    /// Many frames on one response (`CI=0`).
    Streaming,
    /// One frame, then the response ends (`CI=1`).
    Polling,
}

/// Next step of a back channel.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Write this frame.
    Frame(String),
    /// Nothing to write now.
    Wait,
    /// End the response.
    Finish,
}

/// Content of the reply to a forward-channel POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Receipt {
    /// True if a back channel is open.
    pub(super) has_back_channel: bool,
    /// The newest array written to a back channel.
    pub(super) last_array: u64,
    /// Bytes that the browser has not acknowledged.
    pub(super) outstanding_bytes: usize,
}

impl Receipt {
    /// The reply's body.
    pub(super) fn body(&self) -> String {
        let Self { has_back_channel, last_array, outstanding_bytes } = self;
        frame(&format!("[{},{last_array},{outstanding_bytes}]", u8::from(*has_back_channel)))
    }
}

#[derive(Debug)]
struct Array {
    id: u64,
    text: String,
}

#[derive(Debug)]
struct Back {
    id: BackId,
    kind: ReplyKind,
    /// The next array to write.
    next: u64,
    written: usize,
}

/// See the module's description.
#[derive(Debug)]
pub(super) struct Session {
    portions: Portions,
    outbox: VecDeque<Array>,
    /// Memory of the arrays in the outbox.
    outgoing: Share,
    next_array: u64,
    acknowledged: u64,
    last_written: u64,
    back: Option<Back>,
    next_back: u64,
    inbox: Inbox,
    ended: bool,
}

impl Session {
    /// A session whose opening request's first message has id `offset`. The browser's messages count in `budget`, those
    /// for it in `streams`. Array 0 is the handshake's reply, so the first array pushed is 1.
    pub(super) fn new(portions: Portions, offset: u64, budget: &Arc<Budget>, streams: &Arc<Budget>) -> Self {
        Self {
            portions,
            outbox: VecDeque::new(),
            outgoing: Share::of(streams),
            next_array: 1,
            acknowledged: 0,
            last_written: 0,
            back: None,
            next_back: 0,
            inbox: Inbox::new(budget, offset),
            ended: false,
        }
    }

    /// Takes the messages of one POST, whose first has id `offset`. Repeated messages are dropped, early ones
    /// wait for those before them.
    pub(super) fn receive(&mut self, aid: Option<u64>, offset: u64, maps: Vec<String>) -> Result<Receipt> {
        if let Some(aid) = aid {
            self.acknowledge(aid)?;
        }
        self.inbox.receive(offset, maps)?;
        Ok(self.receipt())
    }

    /// The next message from the browser, in order.
    pub(super) fn pop_message(&mut self) -> Option<String> {
        self.inbox.pop()
    }

    /// Queues one message (a JSON text) for the browser.
    pub(super) fn push_message(&mut self, json: &str) {
        self.push(&format!("[{json}]"));
    }

    /// Queues a keep-alive.
    pub(super) fn push_keep_alive(&mut self) {
        self.push("[\"noop\"]");
    }

    /// Queues the order to disconnect.
    pub(super) fn push_close(&mut self) {
        self.push("[\"close\"]");
    }

    fn push(&mut self, payload: &str) {
        let id = self.next_array;
        self.next_array += 1;
        let text = format!("[{id},{payload}]");
        self.outgoing.overdraw(text.len());
        self.outbox.push_back(Array { id, text });
    }

    /// True if the producer may queue more. When all streams together have too much waiting, only an empty queue has
    /// room.
    pub(super) fn has_room(&self) -> bool {
        let bytes = self.outgoing.bytes();
        bytes == 0 || (bytes < OUTBOX_BYTES && !self.outgoing.is_pressed())
    }

    /// Opens a back channel after array `aid`; an older one ends.
    pub(super) fn attach(&mut self, aid: u64, kind: ReplyKind) -> Result<BackId> {
        if aid < self.acknowledged {
            return Err(Error::invalid(
                "WebChannelArrayId",
                format!("AID={aid}, but {} was acknowledged before", self.acknowledged),
            ));
        }
        self.acknowledge(aid)?;
        let id = BackId(self.next_back);
        self.next_back += 1;
        self.back = Some(Back { id, kind, next: aid + 1, written: 0 });
        Ok(id)
    }

    /// The next step of back channel `id`.
    pub(super) fn next(&mut self, id: BackId) -> Next {
        let Some(back) = self.back.as_mut().filter(|back| back.id == id) else { return Next::Finish };
        let done = match back.kind {
            ReplyKind::Polling => back.written > 0,
            ReplyKind::Streaming => back.written >= self.portions.back_channel_bytes,
        };
        if done {
            self.back = None;
            return Next::Finish;
        }
        let skip = usize::try_from(back.next - self.acknowledged - 1).unwrap_or(usize::MAX);
        let mut json = String::from("[");
        for array in self.outbox.iter().skip(skip) {
            if json.len() > 1 {
                if json.len() + array.text.len() > self.portions.frame_bytes {
                    break;
                }
                json.push(',');
            }
            json.push_str(&array.text);
            back.next = array.id + 1;
        }
        if json.len() == 1 {
            if self.ended {
                self.back = None;
                return Next::Finish;
            }
            return Next::Wait;
        }
        json.push(']');
        back.written += json.len();
        self.last_written = self.last_written.max(back.next - 1);
        Next::Frame(frame(&json))
    }

    /// True if back channel `id` is the current one and has written nothing yet.
    pub(super) fn is_untouched(&self, id: BackId) -> bool {
        self.back.as_ref().is_some_and(|back| back.id == id && back.written == 0)
    }

    /// Back channel `id` is gone: its connection broke, or its time is up.
    pub(super) fn detach(&mut self, id: BackId) {
        if self.back.as_ref().is_some_and(|back| back.id == id) {
            self.back = None;
        }
    }

    /// True if a back channel is open.
    pub(super) fn has_back_channel(&self) -> bool {
        self.back.is_some()
    }

    /// Ends the session: nothing more will be queued.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// True if the session was ended.
    pub(super) fn is_ended(&self) -> bool {
        self.ended
    }

    fn acknowledge(&mut self, aid: u64) -> Result<()> {
        if aid >= self.next_array {
            return Err(Error::invalid(
                "WebChannelArrayId",
                format!("AID={aid}, but only {} messages were sent", self.next_array - 1),
            ));
        }
        while self.outbox.front().is_some_and(|array| array.id <= aid) {
            if let Some(array) = self.outbox.pop_front() {
                self.outgoing.shrink_to(self.outgoing.bytes() - array.text.len());
            }
        }
        self.acknowledged = self.acknowledged.max(aid);
        if let Some(back) = &mut self.back {
            back.next = back.next.max(self.acknowledged + 1);
        }
        Ok(())
    }

    fn receipt(&self) -> Receipt {
        Receipt {
            has_back_channel: self.has_back_channel(),
            last_array: self.last_written,
            outstanding_bytes: self.outgoing.bytes(),
        }
    }
}

/// The body that answers an opening request: session id, no host prefix, protocol and server version, and how
/// often, in milliseconds, the back channel carries something.
pub(super) fn handshake(sid: &str, keep_alive_ms: u128) -> String {
    let json = format!("[[0,[\"c\",\"{sid}\",\"\",8,12,{keep_alive_ms}]]]");
    debug_assert_eq!(json.len(), utf16_len(&json), "session ids are ASCII");
    frame(&json)
}

#[cfg(test)]
mod tests;
