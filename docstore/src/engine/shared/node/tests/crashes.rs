//! A crash at every await of a node's whole life, and seeded lives on a bad network.

use std::collections::BTreeMap;
use std::pin::pin;
use std::task::Poll;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::Notify;

use super::*;

/// The way to the log takes time, so that every call of it is an await.
const SLOW: Network = Network {
    latency: Duration::from_millis(2),
    patience: Duration::ZERO,
    lost_replies: 0,
    held_up: 0,
    held_up_for: Duration::ZERO,
};
/// Replies get lost, and requests arrive late.
const BAD: Network = Network {
    latency: Duration::from_millis(8),
    patience: Duration::from_millis(40),
    lost_replies: 60,
    held_up: 60,
    held_up_for: Duration::from_millis(400),
};

/// Answers that clients had to their writes, each to a document of its own.
#[derive(Debug, Default)]
struct Told(Mutex<BTreeMap<String, Known>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing: the node ended before, or did not know.
    Nothing,
    Stored,
    Refused,
}

impl Told {
    fn note(&self, name: &str, what: Known) {
        self.0.lock().insert(name.to_owned(), what);
    }

    /// Every acknowledged write is there, and no refused one.
    fn check(&self, found: &[(String, i64)], case: &dyn fmt::Debug) {
        let found: BTreeMap<_, _> = found.iter().cloned().collect();
        for (name, told) in &*self.0.lock() {
            match told {
                Known::Stored => {
                    assert!(found.contains_key(name), "{case:?}: {name} was acknowledged and is lost");
                }
                Known::Refused => {
                    assert!(!found.contains_key(name), "{case:?}: {name} was refused and is there");
                }
                Known::Nothing => {}
            }
        }
    }

    fn count(&self, what: Known) -> usize {
        self.0.lock().values().filter(|told| **told == what).count()
    }
}

/// A write of which the client is told.
async fn tell(engine: &SharedEngine, term: Term, told: &Told, name: &str) -> Result<()> {
    told.note(name, Known::Nothing);
    let written = write(engine, term, name, Some(1)).await;
    match &written {
        Ok(_) => told.note(name, Known::Stored),
        Err(error) if error.code() == crate::Code::Unknown || error.tag() == "OutcomeLater" => {}
        Err(_) => told.note(name, Known::Refused),
    }
    written.map(drop)
}

/// Opens, leads, writes, folds, writes and leaves; each write is a document named for the life.
async fn life(options: SharedOptions, told: &Told, name: &str) -> Result<()> {
    let engine = SharedEngine::open(options).await?;
    let term = engine.lead().await?;
    for n in 0..3 {
        tell(&engine, term, told, &format!("{name}-{n}")).await?;
    }
    engine.fold().await?;
    for n in 3..5 {
        tell(&engine, term, told, &format!("{name}-{n}")).await?;
    }
    engine.close().await;
    Ok(())
}

/// Runs a future for so many polls. `None`: it was not done, and is dropped as in a crash.
async fn for_polls<T>(future: impl Future<Output = T>, mut polls: usize) -> Option<T> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        if polls == 0 {
            return Poll::Ready(None);
        }
        polls -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_crash_at_any_await_loses_nothing_acknowledged() {
    // Of the second life: the first one leaves documents, a base and a copy.
    for lost_copy in [false, true] {
        let mut polls = 1;
        loop {
            let mut world = World::new();
            let told = Told::default();
            let (options, _) = world.options(SLOW, 1);
            life(options, &told, "first").await.unwrap();
            if lost_copy {
                world.lose_copy();
            }
            let (options, _) = world.options(SLOW, 2);
            let ended = for_polls(life(options, &told, "second"), polls).await;
            // Requests that are on their way arrive.
            tokio::time::sleep(Duration::from_millis(20)).await;
            let (engine, term, _) = world.start().await;
            told.check(&numbers(&engine).await, &(lost_copy, polls));
            tell(&engine, term, &told, "third").await.unwrap();
            engine.close().await;
            drop(engine);
            // The copy has what the log has.
            let (engine, ..) = world.start().await;
            let copied = contents(&engine).await;
            engine.close().await;
            drop(engine);
            world.lose_copy();
            let (engine, ..) = world.start().await;
            assert_eq!(contents(&engine).await, copied, "{lost_copy}, {polls} polls");
            told.check(&numbers(&engine).await, &(lost_copy, polls));
            if ended.is_some() {
                assert!(polls > 15 && told.count(Known::Stored) == 11, "{polls} polls");
                break;
            }
            polls += 1;
        }
    }
}

/// A life that goes on until it fails, on a bad network, with folds now and then. Tells `led` when it leads.
async fn long_life(
    options: SharedOptions,
    told: &Told,
    name: &str,
    mut random: StdRng,
    led: &Notify,
) -> Result<()> {
    let engine = SharedEngine::open(options).await?;
    let term = engine.lead().await?;
    led.notify_one();
    for n in 0..60 {
        match random.random_range(0..20) {
            0 => drop(engine.fold().await),
            1 => tokio::time::sleep(Duration::from_millis(random.random_range(1..100))).await,
            _ => drop(tell(&engine, term, told, &format!("{name}-{n}")).await),
        }
    }
    engine.close().await;
    Ok(())
}

/// A node beside the others, with a folder of its own, that leads for a moment if it can.
async fn rival(log: &MemoryLog, clock: &Arc<ManualClock>, number: u128, told: &Told) {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World { log: log.clone(), clock: Arc::clone(clock), folder, nodes: 1_000 + number };
    let (options, _) = world.options(Network::default(), 0);
    let engine = SharedEngine::open(options).await.unwrap();
    let Ok(term) = engine.lead().await else { return };
    tell(&engine, term, told, &format!("rival{number}")).await.unwrap();
    engine.close().await;
}

/// One life with a fault in it.
async fn troubled(world: &mut World, random: &mut StdRng, told: &Told, number: u128) {
    let (options, connection) = world.options(BAD, random.random());
    let (log, clock) = (world.log.clone(), Arc::clone(&world.clock));
    let (name, own, led) = (format!("life{number}"), StdRng::seed_from_u64(random.random()), Notify::new());
    let fault = async {
        led.notified().await;
        tokio::time::sleep(Duration::from_millis(random.random_range(1..700))).await;
        match random.random_range(0..4) {
            // A crash.
            0 | 1 => return,
            2 => {
                connection.cut(true);
                tokio::time::sleep(Duration::from_millis(random.random_range(1..20_000))).await;
                connection.cut(false);
            }
            _ => {
                connection.pause(true);
                rival(&log, &clock, number, told).await;
                connection.pause(false);
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ended = long_life(options, told, &name, own, &led) => {}
        () = fault => {}
    }
}

#[tokio::test(start_paused = true)]
async fn seeded_lives_on_a_bad_network_lose_nothing_acknowledged() {
    let (mut stored, mut refused, mut nothing) = (0, 0, 0);
    for seed in 0..12 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut world = World::new();
        let told = Told::default();
        for number in 0..6 {
            troubled(&mut world, &mut random, &told, number).await;
            // Requests that are on their way arrive, and aborted tasks end.
            tokio::time::sleep(Duration::from_secs(1)).await;
            if seed % 3 == 0 && world.folder.path().join("cache").exists() {
                world.lose_copy();
            }
        }
        let (engine, ..) = world.start().await;
        told.check(&numbers(&engine).await, &seed);
        stored += told.count(Known::Stored);
        refused += told.count(Known::Refused);
        nothing += told.count(Known::Nothing);
    }
    println!("{stored} stored, {refused} refused, {nothing} not known");
    assert!(stored > 500 && refused > 20 && nothing > 3, "{stored}, {refused}, {nothing}");
}
