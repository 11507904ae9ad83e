//! Growth: the room, the writes and the waits of a store in which much is overwritten and deleted, for each engine of the
//! view.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use docstore::clock::SystemClock;
use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions, ViewEngine};
use serde_json::Value as Json;

use super::measure::Measure;
use super::{Options, fields, in_own_process, load, path, percentile, resident, set};

/// Section of one engine, run in a process of its own; the engine is in [`VIEW`].
pub(crate) const SECTION: &str = "growth";
/// Environment variable with the engine's name.
const VIEW: &str = "BENCH_VIEW";

/// Updates unless told otherwise.
const UPDATES: u64 = 300_000;
/// Documents that are updated again and again, and the bytes of each.
const UPDATED: u64 = 1_000;
const BYTES: u64 = 1_000;
/// Documents of an update in a batch, and of a small one.
const BATCH: u64 = 500;
const SMALL_BATCH: u64 = 4;
/// Small updates are fewer by this factor.
const SMALL_SHARE: u64 = 8;
/// Cache of the view, in MiB.
const CACHE: u64 = 64;
/// Pause between two writes of the client whose waits are measured.
const PACE: Duration = Duration::from_millis(5);
/// Time without commits before the folder is measured.
const REST: Duration = Duration::from_secs(15);
/// Documents deleted in a commit.
const DELETED_AT_ONCE: u64 = 500;

/// Runs every engine and prints their figures side by side.
pub(crate) fn run(options: &Options) {
    let columns = ViewEngine::ALL
        .map(|engine| (engine.name(), in_own_process(SECTION, options, &[(VIEW, engine.name())])));
    println!("{:<58} {}", "", columns.each_ref().map(|(name, _)| format!("{name:>12}")).concat());
    for (index, row) in columns[0].1.iter().enumerate() {
        let value = |column: &[Json]| column[index]["value"].as_f64().unwrap_or(f64::NAN);
        let values = columns.each_ref().map(|(_, column)| format!("{:>12.2}", value(column))).concat();
        let goal = row["goal"].as_f64().map_or(String::new(), |goal| {
            format!("   goal: {} {goal}", row["bound"].as_str().unwrap_or_default())
        });
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        println!("{:<58} {values} {:<4}{goal}", text("name"), text("unit"));
    }
    if let Some(file) = &options.json {
        let whole: serde_json::Map<_, _> =
            columns.into_iter().map(|(name, column)| (name.to_owned(), Json::Array(column))).collect();
        std::fs::write(file, serde_json::to_string_pretty(&whole).unwrap()).unwrap();
    }
}

/// The figures of the engine in [`VIEW`].
pub(crate) async fn section(dir: &Path, options: &Options) -> Vec<Measure> {
    let mut measures = Vec::new();
    let updates = options.updates.unwrap_or(UPDATES);
    let folder = dir.join("updates");
    for (name, batch, updates, bound) in
        [("in batches", BATCH, updates, 6.0), ("in small commits", SMALL_BATCH, updates / SMALL_SHARE, 15.0)]
    {
        let store = open(&folder).await;
        let db = store.database(&DatabaseId::default_of("bench"));
        let (written, begun) = (device_bytes(), Instant::now());
        let mut waits = beside(&db, update(&db, updates, batch)).await;
        let seconds = begun.elapsed().as_secs_f64();
        tokio::time::sleep(REST).await;
        measures.push(Measure::new(
            format!("{updates} updates of {BYTES} bytes {name}"),
            updates as f64 / seconds,
            "/s",
        ));
        waits.sort();
        measures.push(
            Measure::new("  small writes beside: p99.9", percentile(&waits, 0.999), "ms").at_most(50.0),
        );
        let factor = (device_bytes() - written) / (updates * BYTES) as f64;
        measures.push(Measure::new("  bytes to the device for one of the user's", factor, "").at_most(bound));
        measures.push(Measure::new("  folder", used(&folder), "MiB").at_most(420.0));
        measures.push(Measure::new("    of it the view", used(&folder.join(view().name())), "MiB"));
        measures.push(Measure::new("  resident", resident(), "MiB").at_most((CACHE + 150) as f64));
        store.close().await.unwrap();
        drop((db, store));
        let begun = Instant::now();
        let store = open(&folder).await;
        measures.push(Measure::new("  opened again in", begun.elapsed().as_secs_f64(), "s").at_most(1.0));
        store.close().await.unwrap();
    }
    large(&dir.join("large"), options.documents.unwrap_or(200_000), &mut measures).await;
    measures
}

/// Many documents: loaded, and deleted again.
async fn large(folder: &Path, documents: u64, measures: &mut Vec<Measure>) {
    let store = open(folder).await;
    let db = store.database(&DatabaseId::default_of("bench"));
    let written = device_bytes();
    load(&db, 0, documents / 2).await;
    let begun = Instant::now();
    let mut waits = beside(&db, load(&db, documents / 2, documents)).await;
    waits.sort();
    let rate = (documents / 2) as f64 / begun.elapsed().as_secs_f64();
    measures.push(Measure::new(format!("{documents} documents with six fields, second half"), rate, "/s"));
    measures
        .push(Measure::new("  small writes beside: p99.9", percentile(&waits, 0.999), "ms").at_most(50.0));
    tokio::time::sleep(REST).await;
    let bytes = (device_bytes() - written) / documents as f64;
    measures.push(Measure::new("  bytes to the device for one document", bytes, ""));
    measures.push(Measure::new("  folder", used(folder), "MiB"));
    measures.push(Measure::new("    of it the view", used(&folder.join(view().name())), "MiB"));
    measures.push(Measure::new("  resident", resident(), "MiB").at_most((CACHE + 150) as f64));
    let begun = Instant::now();
    let mut waits = beside(&db, delete(&db, documents)).await;
    waits.sort();
    let rate = documents as f64 / begun.elapsed().as_secs_f64();
    measures.push(Measure::new("  all deleted again", rate, "/s").at_least(20_000.0));
    measures
        .push(Measure::new("    small writes beside: p99", percentile(&waits, 0.99), "ms").at_most(100.0));
    store.close().await.unwrap();
    drop((db, store));
    let begun = Instant::now();
    let store = open(folder).await;
    measures.push(Measure::new("  opened again in", begun.elapsed().as_secs_f64(), "s").at_most(1.0));
    tokio::time::sleep(REST).await;
    measures.push(Measure::new("  the view after the deletes", used(&folder.join(view().name())), "MiB"));
    store.close().await.unwrap();
}

fn view() -> ViewEngine {
    std::env::var(VIEW).ok().and_then(|name| ViewEngine::from_name(&name)).unwrap_or_default()
}

async fn open(folder: &Path) -> Store {
    let engine = EngineOptions::Disk { dir: folder.to_owned(), view: view() };
    let limits = Limits { cache_bytes: CACHE << 20, ..Limits::default() };
    Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap()
}

/// Overwrites documents at random, `batch` to a commit, by two clients.
async fn update(db: &Database, updates: u64, batch: u64) {
    let clients: Vec<_> = (0..2u64)
        .map(|client| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut n = client + 1;
                for _ in 0..updates / batch / 2 {
                    let first = n;
                    n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let writes =
                        (0..batch).map(|k| set((first >> 33).wrapping_add(k * 7) % UPDATED, body(n ^ k)));
                    let writes = distinct(writes.collect());
                    db.commit(Draft::of(writes)).await.unwrap();
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
}

/// The last write of each document.
fn distinct(writes: Vec<Write>) -> Vec<Write> {
    let by_path: std::collections::BTreeMap<_, _> =
        writes.into_iter().map(|write| (write.path.clone(), write)).collect();
    by_path.into_values().collect()
}

/// One kilobyte that does not compress well.
fn body(seed: u64) -> Fields {
    let mut n = seed | 1;
    let text = (0..BYTES).map(|_| {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + u8::try_from((n >> 40) % 90).unwrap())
    });
    Fields::from([("text".to_owned(), Value::String(text.collect()))])
}

async fn delete(db: &Database, documents: u64) {
    for first in (0..documents).step_by(usize::try_from(DELETED_AT_ONCE).unwrap()) {
        let gone = (first..(first + DELETED_AT_ONCE).min(documents)).map(|n| Write {
            path: path(n),
            op: WriteOp::Delete,
            precondition: Precondition::None,
        });
        db.commit(Draft::of(gone.collect())).await.unwrap();
    }
}

/// Durations of small writes that another client makes while `work` runs.
async fn beside(db: &Database, work: impl Future<Output = ()>) -> Vec<Duration> {
    let done = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn({
        let (db, done) = (db.clone(), Arc::clone(&done));
        async move {
            let mut waits = Vec::new();
            for n in 0u64.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let write = Write {
                    path: DocPath::parse(&format!("beside/{}", n % 50)).unwrap(),
                    op: WriteOp::Set { fields: fields(n), transforms: Vec::new() },
                    precondition: Precondition::None,
                };
                let begun = Instant::now();
                db.commit(Draft::of(vec![write])).await.unwrap();
                waits.push(begun.elapsed());
                tokio::time::sleep(PACE).await;
            }
            waits
        }
    });
    work.await;
    done.store(true, Ordering::Relaxed);
    writer.await.unwrap()
}

/// Bytes that this process has written to the device.
fn device_bytes() -> f64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes:")).unwrap_or_default();
    line.trim().parse().unwrap_or(0.0)
}

/// Room that a folder takes on the disk, in MiB.
fn used(folder: &Path) -> f64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0.0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => used(&entry.path()),
        Ok(meta) => meta.blocks() as f64 * 512.0 / 1_048_576.0,
        Err(_) => 0.0,
    };
    entries.flatten().map(size).sum()
}
