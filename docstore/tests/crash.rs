//! kill -9 of a real process at random moments: nothing acknowledged may be lost, and every start succeeds.
//!
//! The tests run themselves again as the victim. `DOCSTORE_CRASH_ROUNDS` says how often (`scripts/crash` asks for
//! more), `DOCSTORE_CRASH_SEED` repeats a run, `DOCSTORE_CRASH_VIEW` chooses the engine of the view. [`power`] cuts the power under the victim instead.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

#[path = "behaviour/support.rs"]
mod support;

#[path = "crash/load.rs"]
mod load;
#[path = "crash/power.rs"]
mod power;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::database::Checked;
use docstore::model::*;
use docstore::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::*;

/// Writers of the victim process.
const WRITERS: u64 = 8;
/// Every so-many-th document of a writer is large.
const LARGE_EVERY: u64 = 50;
/// The sizes of large documents, in bytes: up to nearly the largest there may be.
const LARGE: std::ops::RangeInclusive<usize> = 100_000..=1_040_000;

/// Engine of the view.
fn view() -> ViewEngine {
    std::env::var("DOCSTORE_CRASH_VIEW").map_or_else(
        |_| ViewEngine::default(),
        |name| ViewEngine::from_name(&name).expect("DOCSTORE_CRASH_VIEW is sled or fjall"),
    )
}

async fn open(dir: &Path) -> Store {
    let engine = EngineOptions::Disk { dir: dir.to_owned(), view: view() };
    let limits = Limits { cache_bytes: 64 << 20, ..Limits::default() };
    Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap()
}

fn body(writer: u64, n: u64) -> Fields {
    let spread = LARGE.end() - LARGE.start();
    let size = match (n + writer * 7) % LARGE_EVERY {
        7 => LARGE.start() + (n * 7_919 + writer * 104_729) as usize * 9_973 % spread,
        _ => 40,
    };
    let text = char::from(b'a' + (n % 26) as u8).to_string().repeat(size);
    fields([
        ("n", int(n as i64)),
        ("writer", int(writer as i64)),
        ("even", Value::Boolean(n.is_multiple_of(2))),
        ("text", Value::String(text)),
    ])
}

/// The victim: writes for ever, and says so, one line and one system call per acknowledgement.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the test below, in a process of its own"]
async fn victim() {
    let dir = std::env::var_os("DOCSTORE_CRASH_DIR").expect("run by the crash test");
    let round: u64 = std::env::var("DOCSTORE_CRASH_ROUND").unwrap().parse().unwrap();
    let store = open(Path::new(&dir)).await;
    let mut writers = Vec::new();
    for writer in 0..WRITERS {
        let db = database(&store);
        writers.push(tokio::spawn(async move {
            for n in 0u64.. {
                // A document that is made once, and one that is overwritten again and again.
                let writes = vec![
                    set(&format!("made/{round}-{writer}-{n}"), body(writer, n)),
                    set(&format!("kept/{writer}"), body(writer, round * 1_000_000 + n)),
                ];
                db.commit(Draft::of(writes)).await.unwrap();
                let line = format!("ack {writer} {n}\n");
                std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_nothing() {
    let rounds = number("DOCSTORE_CRASH_ROUNDS").unwrap_or(3);
    let mut chance = StdRng::seed_from_u64(seed());
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged = Acknowledged::new();
    let mut total = 0;
    for round in 0..rounds {
        let wanted = chance.random_range(1..400);
        total += victimise(dir.path(), round, wanted, &mut acknowledged, |child| child.kill().unwrap());
        // Remains of a crash during sled's own snapshot.
        if chance.random_bool(0.3) && view() == ViewEngine::Sled {
            std::fs::write(dir.path().join("sled/snap.00000000000000FF.generating"), b"partial").unwrap();
        }
        // Now and then, look before the next victim does.
        if round + 1 == rounds || chance.random_bool(0.1) {
            verify(dir.path(), &acknowledged).await;
        }
    }
    println!("{rounds} rounds of kill -9, {total} acknowledged, 0 lost");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn seed() -> u64 {
    let seed = number("DOCSTORE_CRASH_SEED").unwrap_or_else(rand::random);
    println!("DOCSTORE_CRASH_SEED={seed}");
    seed
}

/// The newest acknowledged number, by round and writer.
type Acknowledged = BTreeMap<(u64, u64), u64>;

/// Runs a victim on `dir` and ends it by `end` after `wanted` acknowledgements. Returns how many there were.
fn victimise(
    dir: &Path,
    round: u64,
    wanted: u64,
    acknowledged: &mut Acknowledged,
    end: impl FnOnce(&mut Child),
) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--ignored", "--nocapture"])
        .env("DOCSTORE_CRASH_DIR", dir)
        .env("DOCSTORE_CRASH_ROUND", round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut seen, mut end) = (0, Some(end));
    // Lines already in the pipe when the process died count as acknowledged.
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        if words.next() != Some("ack") {
            continue;
        }
        let mut next = || words.next().unwrap().parse::<u64>().unwrap();
        let (writer, n) = (next(), next());
        let newest = acknowledged.entry((round, writer)).or_insert(n);
        *newest = n.max(*newest);
        seen += 1;
        if seen >= wanted
            && let Some(end) = end.take()
        {
            end(&mut child);
        }
    }
    child.wait().unwrap();
    assert!(end.is_none(), "the victim ended by itself in round {round}");
    seen
}

async fn verify(dir: &Path, acknowledged: &Acknowledged) {
    let store = open(dir).await;
    let db = database(&store);
    for (&(round, writer), &newest) in acknowledged {
        for n in 0..=newest {
            let path = format!("made/{round}-{writer}-{n}");
            let document =
                one(&db, &path).await.unwrap_or_else(|| panic!("{path} was acknowledged and is lost"));
            assert_eq!(document.fields, body(writer, n), "{path}");
        }
    }
    for writer in 0..WRITERS {
        let newest = acknowledged.iter().rfind(|((_, w), _)| *w == writer);
        let Some((&(round, _), &n)) = newest else { continue };
        let Value::Integer(found) = one(&db, &format!("kept/{writer}")).await.unwrap().fields["n"] else {
            panic!()
        };
        // The last commit may have been stored without being acknowledged.
        assert!(
            found >= (round * 1_000_000 + n) as i64,
            "writer {writer}: {found} is older than {round}/{n}"
        );
    }
    let checked = db.check().await.unwrap();
    assert_eq!(Checked { missing: 0, stray: 0, ..checked }, checked);
    assert!(checked.documents > 0);
    store.close().await.unwrap();
}
