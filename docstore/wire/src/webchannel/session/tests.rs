//! The session against a model of the browser's side on a network that loses, repeats and reorders.

use proptest::prelude::*;

use super::super::inbox::{MAX_MAP_GAP, MAX_SHARED_BYTES};
use super::*;

/// Small enough that a few messages fill a frame and a few frames a back channel.
const SMALL: Portions = Portions { frame_bytes: 500, back_channel_bytes: 2_000 };

/// One step of a schedule.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The service sends a message of this many bytes.
    ServerSends(usize),
    /// The server keeps the connection warm.
    KeepAlive,
    /// The browser queues a message and posts all it has not posted.
    BrowserSends,
    /// The request at this place (modulo) arrives; it may arrive again later.
    PostArrives { which: usize, forget: bool, reply_arrives: bool },
    /// The browser repeats what was never confirmed.
    BrowserRetries,
    /// The browser opens a back channel.
    Get(ReplyKind),
    /// An old back-channel request arrives late.
    StaleGet(usize),
    /// The browser reads a frame of its back channel.
    Read,
    /// A frame is written, but the connection breaks before the browser has it.
    LoseFrame,
}

fn step() -> impl Strategy<Value = Step> {
    let kind = || prop_oneof![Just(ReplyKind::Streaming), Just(ReplyKind::Polling)];
    prop_oneof![
        40 => (0..50_usize).prop_map(Step::ServerSends),
        5 => (200..2_000_usize).prop_map(Step::ServerSends),
        10 => Just(Step::KeepAlive),
        40 => Just(Step::BrowserSends),
        40 => (any::<usize>(), any::<bool>(), any::<bool>())
            .prop_map(|(which, forget, reply_arrives)| Step::PostArrives { which, forget, reply_arrives }),
        10 => Just(Step::BrowserRetries),
        30 => kind().prop_map(Step::Get),
        10 => (0..20_usize).prop_map(Step::StaleGet),
        50 => Just(Step::Read),
        10 => Just(Step::LoseFrame),
    ]
}

#[derive(Debug, Clone)]
struct Post {
    aid: u64,
    offset: u64,
    maps: Vec<String>,
}

fn session() -> Session {
    let budget = Budget::new(MAX_SHARED_BYTES);
    Session::new(SMALL, 0, &budget, &budget)
}

struct World {
    session: Session,
    sent_by_server: Vec<String>,
    got_by_server: Vec<String>,
    sent_by_browser: Vec<String>,
    got_by_browser: Vec<String>,
    /// The browser's newest array id.
    aid: u64,
    posted: usize,
    confirmed: Vec<bool>,
    in_flight: Vec<Post>,
    back: Option<BackId>,
}

impl World {
    fn new() -> Self {
        Self {
            session: session(),
            sent_by_server: vec![],
            got_by_server: vec![],
            sent_by_browser: vec![],
            got_by_browser: vec![],
            aid: 0,
            posted: 0,
            confirmed: vec![],
            in_flight: vec![],
            back: None,
        }
    }

    fn post(&mut self, from: usize, to: usize) {
        let maps = self.sent_by_browser[from..to].to_vec();
        self.in_flight.push(Post { aid: self.aid, offset: from as u64, maps });
    }

    fn arrive(&mut self, post: &Post, reply_arrives: bool) {
        let receipt = self.session.receive(Some(post.aid), post.offset, post.maps.clone()).unwrap();
        assert!(receipt.last_array >= self.aid, "the browser cannot have more than was written");
        if reply_arrives {
            for index in 0..post.maps.len() {
                self.confirmed[usize::try_from(post.offset).unwrap() + index] = true;
            }
        }
        while let Some(message) = self.session.pop_message() {
            self.got_by_server.push(message);
        }
    }

    fn read(&mut self, arrives: bool) -> bool {
        let Some(back) = self.back else { return false };
        match self.session.next(back) {
            Next::Frame(frame) if arrives => {
                self.take(&frame);
                true
            }
            Next::Frame(_) | Next::Finish => {
                self.session.detach(back);
                self.back = None;
                false
            }
            Next::Wait => false,
        }
    }

    fn take(&mut self, frame: &str) {
        let (length, json) = frame.split_once('\n').unwrap();
        assert_eq!(length.parse::<usize>().unwrap(), json.encode_utf16().count());
        let arrays: Vec<(u64, Vec<serde_json::Value>)> = serde_json::from_str(json).unwrap();
        for (id, payload) in arrays {
            assert_eq!(id, self.aid + 1, "array ids have no gaps and no repeats");
            self.aid = id;
            if payload[0] != "noop" {
                self.got_by_browser.push(payload[0].to_string());
            }
        }
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::ServerSends(size) => {
                let message =
                    format!("{{\"n\":{},\"é😀\":\"{}\"}}", self.sent_by_server.len(), "x".repeat(size));
                self.session.push_message(&message);
                self.sent_by_server.push(message);
            }
            Step::KeepAlive => self.session.push_keep_alive(),
            Step::BrowserSends => {
                self.sent_by_browser.push(format!("map {}", self.sent_by_browser.len()));
                self.confirmed.push(false);
                self.post(self.posted, self.sent_by_browser.len());
                self.posted = self.sent_by_browser.len();
            }
            Step::PostArrives { which, forget, reply_arrives } => {
                if !self.in_flight.is_empty() {
                    let which = which % self.in_flight.len();
                    let post = self.in_flight[which].clone();
                    self.arrive(&post, reply_arrives);
                    if forget {
                        self.in_flight.remove(which);
                    }
                }
            }
            Step::BrowserRetries => {
                for index in 0..self.posted {
                    if !self.confirmed[index] {
                        self.post(index, index + 1);
                    }
                }
            }
            Step::Get(kind) => self.back = Some(self.session.attach(self.aid, kind).unwrap()),
            Step::StaleGet(age) => {
                let aid = self.aid.saturating_sub(age as u64);
                if self.session.attach(aid, ReplyKind::Streaming).is_ok() {
                    self.back = None;
                }
            }
            Step::Read => {
                self.read(true);
            }
            Step::LoseFrame => {
                self.read(false);
            }
        }
        assert!(self.sent_by_server.starts_with(&self.got_by_browser), "in order, none twice");
        assert!(self.sent_by_browser.starts_with(&self.got_by_server), "in order, none twice");
    }

    /// The network heals: everything that is still missing arrives.
    fn settle(&mut self) {
        self.apply(Step::BrowserRetries);
        for post in std::mem::take(&mut self.in_flight) {
            self.arrive(&post, true);
        }
        while self.aid + 1 < self.session.next_array {
            self.apply(Step::Get(ReplyKind::Streaming));
            while self.read(true) {}
        }
        assert_eq!(self.got_by_browser, self.sent_by_server);
        assert_eq!(self.got_by_server, self.sent_by_browser);
        self.session.acknowledge(self.aid).unwrap();
        assert_eq!(self.session.outgoing.bytes(), 0, "nothing is kept once everything is acknowledged");
        assert!(self.session.inbox.is_empty());
    }
}

proptest! {
    #[test]
    fn delivers_each_message_once_in_order(schedule in prop::collection::vec(step(), 0..120)) {
        let mut world = World::new();
        for step in schedule {
            world.apply(step);
        }
        world.settle();
    }
}

#[test]
fn a_poll_ends_after_one_frame() {
    let mut session = session();
    let back = session.attach(0, ReplyKind::Polling).unwrap();
    assert_eq!(session.next(back), Next::Wait);
    session.push_message("{}");
    assert_eq!(session.next(back), Next::Frame("10\n[[1,[{}]]]".into()));
    assert_eq!(session.next(back), Next::Finish);
    assert!(!session.has_back_channel());
}

#[test]
fn an_unacknowledged_array_is_sent_again() {
    let mut session = session();
    session.push_message("1");
    session.push_message("2");
    let first = session.attach(0, ReplyKind::Streaming).unwrap();
    assert_eq!(session.next(first), Next::Frame("17\n[[1,[1]],[2,[2]]]".into()));
    let second = session.attach(1, ReplyKind::Streaming).unwrap();
    assert_eq!(session.next(first), Next::Finish, "one back channel at a time");
    assert_eq!(session.next(second), Next::Frame("9\n[[2,[2]]]".into()));
}

#[test]
fn a_streaming_channel_is_renewed_before_it_grows_large() {
    let mut session = session();
    let back = session.attach(0, ReplyKind::Streaming).unwrap();
    let message = format!("\"{}\"", "x".repeat(SMALL.frame_bytes));
    let mut frames = 0;
    loop {
        session.push_message(&message);
        match session.next(back) {
            Next::Frame(_) => frames += 1,
            Next::Finish => break,
            Next::Wait => unreachable!("a message was queued"),
        }
    }
    assert_eq!(frames, SMALL.back_channel_bytes / SMALL.frame_bytes);
    assert!(session.has_room());
}

#[test]
fn refuses_ids_that_cannot_be() {
    let mut session = session();
    assert!(session.attach(1, ReplyKind::Streaming).unwrap_err().message().contains("AID=1"));
    let error = session.receive(None, MAX_MAP_GAP + 1, vec!["{}".into()]).unwrap_err();
    assert_eq!(error.message(), "message 10001 is too far ahead: message 0 is expected");
    session.push_message("1");
    session.attach(1, ReplyKind::Polling).unwrap();
    assert!(session.attach(0, ReplyKind::Polling).is_err(), "array 1 is gone");
}

/// Browsers that never read hold what all streams may hold together, and then one message each.
#[test]
fn what_waits_for_all_browsers_is_bounded() {
    const MOST: usize = 1_000_000;
    let (inbox, streams) = (Budget::new(MAX_SHARED_BYTES), Budget::new(MOST));
    let mut sessions: Vec<_> = (0..100).map(|_| Session::new(SMALL, 0, &inbox, &streams)).collect();
    let message = "x".repeat(30_000);
    for session in &mut sessions {
        while session.has_room() {
            session.push_message(&message);
        }
    }
    assert!(streams.taken() <= MOST + sessions.len() * 32_000, "{}", streams.taken());
    // A client that reads is sent more, one message at a time.
    let last = sessions.last_mut().unwrap();
    last.attach(0, ReplyKind::Streaming).unwrap();
    for aid in 1..4 {
        last.receive(Some(aid), 0, vec![]).unwrap();
        assert!(last.has_room());
        last.push_message(&message);
        assert!(!last.has_room());
    }
    drop(sessions);
    assert_eq!(streams.taken(), 0);
}
