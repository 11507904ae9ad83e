//! Tests of the queue and the dispatcher over a real store, with stub functions.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use docstore::clock::{AdjustableClock, ManualClock, SharedClock, SystemClock};
use docstore::model::{DatabaseId, Ts};
use docstore::{EngineOptions, Limits as StoreLimits, Store, StoreOptions};
use futures::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::super::delivery::{Head, Kind};
use super::super::order::Limits;
use super::super::queue::{DATABASE, MAX_DEAD_LETTERS};
use super::super::retry::Policy;
use super::super::scheduler::{Scheduled, Scheduler};
use super::super::trigger::{Generation, Listener};
use super::*;
use crate::host::metrics::EventNumbers;

/// Functions that fail as often as the event's body says (scheduled ones never) and report each attempt.
struct Stub {
    policy: Policy,
    scheduled: Vec<Scheduled>,
    failed: Mutex<HashMap<String, u32>>,
    tries: mpsc::UnboundedSender<(String, String)>,
}

impl Deliver for Stub {
    fn deliver(&self, delivery: Delivery) -> BoxFuture<'static, Result<(), String>> {
        let name = delivery.head.name.clone().unwrap_or_default();
        let wanted: u32 = match delivery.head.kind {
            Kind::Schedule => 0,
            _ => String::from_utf8_lossy(&delivery.body[..1]).parse().unwrap(),
        };
        let mut failed = self.failed.lock();
        let failures = failed.entry(name.clone()).or_default();
        let result = if *failures < wanted { Err(format!("failure {failures}")) } else { Ok(()) };
        *failures += 1;
        self.tries.send((delivery.head.function, name)).unwrap();
        async move { result }.boxed()
    }

    fn policy(&self, head: &Head) -> Option<Policy> {
        (head.function != "gone").then_some(self.policy)
    }

    fn listeners(&self) -> Vec<Listener> {
        Vec::new()
    }

    fn scheduled(&self) -> Vec<Scheduled> {
        self.scheduled.clone()
    }

    fn has_queue(&self, _: &str, _: &str) -> bool {
        false
    }

    fn limits(&self, _: &str) -> Limits {
        Limits { concurrent: 4, spacing: Duration::ZERO }
    }
}

const QUICKLY: Policy = Policy {
    tries: Some(3),
    life: None,
    first: Duration::from_millis(1),
    longest: Duration::from_millis(2),
    doublings: 1,
};

struct Place {
    store: Store,
    queue: Arc<Queue>,
}

async fn place(dir: Option<&Path>) -> Place {
    place_by(Arc::new(SystemClock), dir).await
}

async fn place_by(clock: SharedClock, dir: Option<&Path>) -> Place {
    let engine = dir.map_or(EngineOptions::Memory, EngineOptions::disk);
    let options = StoreOptions { engine, clock: Arc::clone(&clock), limits: StoreLimits::default() };
    let store = Store::open(options).await.unwrap();
    let database = store.database(&DatabaseId::new("p", DATABASE));
    let queue = Queue::open(database, clock, EventNumbers::default()).await.unwrap();
    Place { store, queue }
}

fn delivery(queue: &Queue, function: &str, ordering_key: Option<&str>, name: &str, body: Bytes) -> Delivery {
    let mut delivery = Delivery::new(function.to_owned(), Kind::CloudEvent, queue.now(), body);
    delivery.head.ordering_key = ordering_key.map(str::to_owned);
    delivery.head.name = Some(name.to_owned());
    delivery
}

type Tries = mpsc::UnboundedReceiver<(String, String)>;

fn dispatch(queue: &Arc<Queue>, policy: Policy) -> (tokio::task::JoinHandle<()>, Tries) {
    let (deliver, told) = stub(policy, Vec::new());
    let dispatcher = Dispatcher { queue: Arc::clone(queue), deliver };
    (tokio::spawn(dispatcher.run()), told)
}

fn stub(policy: Policy, scheduled: Vec<Scheduled>) -> (Arc<Stub>, Tries) {
    let (tries, told) = mpsc::unbounded_channel();
    (Arc::new(Stub { policy, scheduled, failed: Mutex::default(), tries }), told)
}

async fn emptied(queue: &Queue) {
    while !queue.page(0).await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn deliveries_of_one_ordering_key_stay_in_order_through_failures_and_the_hopeless_are_dead_letters() {
    let Place { queue, .. } = place(None).await;
    let (task, mut told) = dispatch(&queue, QUICKLY);
    let one = |name: &str, body: &'static str| {
        delivery(&queue, "f", Some("doc"), name, Bytes::from_static(body.as_bytes()))
    };
    let all =
        vec![one("a", "2"), one("b", "9"), one("c", "0"), delivery(&queue, "gone", None, "d", "0".into())];
    queue.push(all, Vec::new()).await.unwrap();
    let mut seen = Vec::new();
    for _ in 0..7 {
        seen.push(told.recv().await.unwrap().1);
    }
    assert_eq!(seen, ["a", "a", "a", "b", "b", "b", "c"]);
    emptied(&queue).await;
    let dead = queue.dead_letters().await.unwrap();
    let why = |letter: &super::super::queue::DeadLetter| {
        (letter.head.as_ref().unwrap().name.clone().unwrap(), letter.error.clone())
    };
    let mut dead: Vec<_> = dead.iter().map(why).collect();
    dead.sort();
    let gone = "there is no function gone any more".to_owned();
    assert_eq!(dead, [("b".to_owned(), "failure 2".to_owned()), ("d".to_owned(), gone)]);
    task.abort();
}

#[tokio::test]
async fn deliveries_follow_a_clock_that_is_set() {
    const HOUR: u64 = 3_600_000_000;
    let later = |at: Ts, hours: u64| Ts::from_micros(at.micros() + hours * HOUR);
    let clock = Arc::new(AdjustableClock::default());
    let Place { queue, .. } = place_by(Arc::<AdjustableClock>::clone(&clock), None).await;
    clock.set(false, |now| later(now, 5));
    let at_once = delivery(&queue, "f", None, "at once", "0".into());
    queue.push(vec![at_once], Vec::new()).await.unwrap();
    clock.reset();
    let mut in_hours = delivery(&queue, "f", None, "in hours", "0".into());
    in_hours.head.due = later(in_hours.head.due, 2);
    queue.push(vec![in_hours], Vec::new()).await.unwrap();
    let (task, mut told) = dispatch(&queue, QUICKLY);
    assert_eq!(told.recv().await.unwrap().1, "at once");
    clock.set(false, |now| later(now, 2));
    assert_eq!(told.recv().await.unwrap().1, "in hours");
    task.abort();
}

#[tokio::test]
async fn what_is_queued_outlives_the_store_bodies_of_any_size_included() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = [1, 70_000, 2_000_000, 9_000_000];
    {
        let Place { store, queue } = place(Some(folder.path())).await;
        let body = |size: usize| Bytes::from([&b"0"[..], &vec![7; size]].concat());
        let all = sizes.map(|size| delivery(&queue, "f", Some("x"), &size.to_string(), body(size)));
        queue.push(all.into(), Vec::new()).await.unwrap();
        store.close().await.unwrap();
    }
    let Place { store, queue } = place(Some(folder.path())).await;
    let heads = queue.page(0).await.unwrap();
    let mut lengths = Vec::new();
    for (number, _) in &heads {
        lengths.push(queue.get(*number).await.unwrap().unwrap().body.len() - 1);
    }
    assert_eq!(lengths, sizes);
    queue.push(vec![delivery(&queue, "f", Some("x"), "new", "0".into())], Vec::new()).await.unwrap();
    let (task, mut told) = dispatch(&queue, Policy::ONCE);
    for expected in ["1", "70000", "2000000", "9000000", "new"] {
        assert_eq!(told.recv().await.unwrap().1, expected);
    }
    emptied(&queue).await;
    task.abort();
    // Nothing is left behind, not even a part of a body.
    let left = store.database(&DatabaseId::new("p", DATABASE));
    let listed = left.list_collections(None, &docstore::database::Page::default(), None).await.unwrap();
    assert!(listed.ids.is_empty(), "{:?}", listed.ids);
}

#[tokio::test]
async fn dead_letters_are_bounded_and_can_be_cleared() {
    let Place { queue, .. } = place(None).await;
    for n in 0..=MAX_DEAD_LETTERS {
        queue.bury_gap(&n.to_string()).await.unwrap();
    }
    let dead = queue.dead_letters().await.unwrap();
    assert_eq!(dead.len(), MAX_DEAD_LETTERS);
    assert_eq!(dead.last().unwrap().error, "1");
    queue.clear_dead_letters().await.unwrap();
    assert!(queue.dead_letters().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn functions_run_when_their_time_has_come_each_time_once() {
    const MINUTE: u64 = 60;
    let clock = Arc::new(ManualClock::new(Ts::from_micros(90_000_000)));
    let Place { queue, .. } = place_by(Arc::<ManualClock>::clone(&clock), None).await;
    let scheduled = Scheduled {
        function: "tick".to_owned(),
        generation: Generation::Second,
        region: "us-central1".to_owned(),
        schedule: "every 1 minutes".to_owned(),
        zone: None,
    };
    let (deliver, mut told) = stub(QUICKLY, vec![scheduled]);
    let scheduler = Scheduler {
        queue: Arc::clone(&queue),
        project: "p".into(),
        functions: Arc::<Stub>::clone(&deliver),
        enabled: Arc::new(AtomicBool::new(true)),
    };
    let mut scheduler = scheduler.run().boxed();
    // The scheduler knows the function from here on.
    assert!(futures::poll!(scheduler.as_mut()).is_pending());
    let dispatcher = Dispatcher { queue: Arc::clone(&queue), deliver };
    let tasks = [tokio::spawn(scheduler), tokio::spawn(dispatcher.run())];
    for minute in 2..5 {
        clock.advance(Duration::from_secs(MINUTE));
        let name = format!("{}-tick", minute * MINUTE * 1_000_000);
        assert_eq!(told.recv().await.unwrap(), ("tick".to_owned(), name));
        emptied(&queue).await;
    }
    for task in tasks {
        task.abort();
    }
}
