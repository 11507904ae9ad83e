//! The store's benchmark: durable commits, indexed queries, fan-out.
//!
//! `bench_store [--json FILE] [--seconds N] [--documents N]`: prints a table, and the same as JSON. Run it in
//! release mode; `scripts/bench docstore` does.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a program for people, which may stop at any error"
)]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use docstore::clock::SystemClock;
use docstore::database::Database;
use docstore::model::{
    DatabaseId, Direction, DocPath, FieldFilter, FieldOp, FieldPath, Fields, Filter, Order, Precondition,
    Query, Source, Ts, Value, Write, WriteOp,
};
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions, Target, WatchEvent, Watcher};

/// One line of the table.
struct Measure {
    name: String,
    value: f64,
    unit: &'static str,
    goal: Option<f64>,
}

struct Options {
    json: Option<String>,
    seconds: u64,
    documents: u64,
}

fn options() -> Options {
    let mut options = Options { json: None, seconds: 3, documents: 100_000 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--json", Some(file)) => options.json = Some(file),
            ("--seconds", Some(seconds)) => options.seconds = seconds.parse().unwrap(),
            ("--documents", Some(documents)) => options.documents = documents.parse().unwrap(),
            (other, _) => {
                println!(
                    "unknown argument {other}; usage: bench_store [--json FILE] [--seconds N] [--documents N]"
                );
                return options;
            }
        }
    }
    options
}

#[tokio::main]
async fn main() {
    let options = options();
    let mut measures = Vec::new();
    let folder = std::env::var("BENCH_DIR").unwrap_or_else(|_| ".".to_owned());
    let dir = tempfile::Builder::new().prefix("bench-store-").tempdir_in(folder).unwrap();
    raw_sync(dir.path(), options.seconds, &mut measures);
    commits(dir.path(), options.seconds, &mut measures).await;
    queries(dir.path(), options.documents, &mut measures).await;
    fan_out(&mut measures).await;
    listeners(&mut measures).await;
    for Measure { name, value, unit, goal } in &measures {
        let goal = goal.map(|goal| format!("   goal {goal}")).unwrap_or_default();
        println!("{name:<52} {value:>12.2} {unit}{goal}");
    }
    if let Some(file) = options.json {
        let rows: Vec<_> = measures
            .iter()
            .map(|m| serde_json::json!({ "name": m.name, "value": m.value, "unit": m.unit, "goal": m.goal }))
            .collect();
        std::fs::write(file, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
    }
}

async fn open(dir: &Path) -> Store {
    let engine = EngineOptions::Disk { dir: dir.to_owned() };
    let limits = Limits { cache_bytes: 1 << 30, ..Limits::default() };
    Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap()
}

fn path(n: u64) -> DocPath {
    DocPath::parse(&format!("cards/{n:08}")).unwrap()
}

/// About 500 bytes in six fields.
fn fields(n: u64) -> Fields {
    let int = |n: u64| Value::Integer(n.cast_signed());
    Fields::from([
        ("owner".to_owned(), int(n % 1_000)),
        ("rank".to_owned(), int(n.wrapping_mul(2_654_435_761) % 1_000_003)),
        ("name".to_owned(), Value::String(format!("Card number {n}"))),
        ("kind".to_owned(), Value::String(["unit", "spell", "place"][(n % 3) as usize].to_owned())),
        ("text".to_owned(), Value::String("x".repeat(380))),
        ("copies".to_owned(), int(n % 5)),
    ])
}

fn set(n: u64, fields: Fields) -> Write {
    Write {
        path: path(n),
        op: WriteOp::Set { fields, transforms: Vec::new() },
        precondition: Precondition::None,
    }
}

fn percentile(sorted: &[Duration], part: f64) -> f64 {
    sorted.get(((sorted.len() as f64 - 1.0) * part) as usize).map_or(0.0, |d| d.as_secs_f64() * 1e3)
}

fn raw_sync(dir: &Path, seconds: u64, measures: &mut Vec<Measure>) {
    let mut file = OpenOptions::new().create(true).append(true).open(dir.join("raw")).unwrap();
    let block = [7u8; 500];
    let begun = Instant::now();
    let mut syncs = 0u64;
    while begun.elapsed() < Duration::from_secs(seconds) {
        file.write_all(&block).unwrap();
        file.sync_data().unwrap();
        syncs += 1;
    }
    let rate = syncs as f64 / begun.elapsed().as_secs_f64();
    measures.push(Measure {
        name: "raw file: 500 bytes + fdatasync".to_owned(),
        value: rate,
        unit: "/s",
        goal: None,
    });
}

async fn commits(dir: &Path, seconds: u64, measures: &mut Vec<Measure>) {
    for (clients, goal) in [(1u64, 2_500.0), (16, 12_000.0), (64, 16_000.0), (256, 20_000.0)] {
        let folder = dir.join(format!("commits-{clients}"));
        let store = open(&folder).await;
        let end = Instant::now() + Duration::from_secs(seconds);
        let begun = Instant::now();
        let tasks: Vec<_> = (0..clients)
            .map(|client| {
                let db = store.database(&DatabaseId::default_of("bench"));
                tokio::spawn(async move {
                    let mut times = Vec::new();
                    let mut n = client * 10_000_000;
                    while Instant::now() < end {
                        let one = Instant::now();
                        db.commit(Draft::of(vec![set(n, fields(n))])).await.unwrap();
                        times.push(one.elapsed());
                        n += 1;
                    }
                    times
                })
            })
            .collect();
        let mut times = Vec::new();
        for task in tasks {
            times.extend(task.await.unwrap());
        }
        let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
        times.sort();
        measures.push(Measure {
            name: format!("durable commits, {clients} clients"),
            value: rate,
            unit: "/s",
            goal: Some(goal),
        });
        measures.push(Measure {
            name: "  p50".to_owned(),
            value: percentile(&times, 0.5),
            unit: "ms",
            goal: None,
        });
        measures.push(Measure {
            name: "  p99".to_owned(),
            value: percentile(&times, 0.99),
            unit: "ms",
            goal: None,
        });
        store.close().await.unwrap();
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

fn twenty() -> Query {
    let field = |name: &str| FieldPath::parse(name).unwrap();
    let filter = FieldFilter { field: field("owner"), op: FieldOp::Equal, value: Value::Integer(7) };
    Query {
        parent: None,
        from: Source { collection: Some("cards".to_owned()), all_descendants: false },
        select: None,
        filter: Some(Filter::Field(filter)),
        order_by: vec![Order { field: field("rank"), direction: Direction::Ascending }],
        start: None,
        end: None,
        offset: 0,
        limit: Some(20),
        find_nearest: None,
    }
}

async fn queries(dir: &Path, most: u64, measures: &mut Vec<Measure>) {
    let folder = dir.join("queries");
    let store = open(&folder).await;
    let db = store.database(&DatabaseId::default_of("bench"));
    let mut stored = 0;
    for size in [10_000u64, 100_000, 1_000_000].into_iter().filter(|size| *size <= most) {
        let begun = Instant::now();
        while stored < size {
            let writes = (stored..(stored + 500).min(size)).map(|n| set(n, fields(n))).collect();
            db.commit(Draft::of(writes)).await.unwrap();
            stored = (stored + 500).min(size);
        }
        let loaded = begun.elapsed().as_secs_f64();
        db.run(&twenty(), None).await.unwrap();
        db.settle_indexes().await;
        let mut times = Vec::new();
        let mut entries = 0;
        for _ in 0..1_000 {
            let one = Instant::now();
            entries = db.run(&twenty(), None).await.unwrap().stats.entries_read;
            times.push(one.elapsed());
        }
        times.sort();
        let name = format!("query, 20 of {size} documents, p50");
        measures.push(Measure { name, value: percentile(&times, 0.5), unit: "ms", goal: Some(0.3) });
        measures.push(Measure {
            name: "  entries read".to_owned(),
            value: entries as f64,
            unit: "",
            goal: None,
        });
        measures.push(Measure { name: "  loading took".to_owned(), value: loaded, unit: "s", goal: None });
        gets(&db, size, measures).await;
    }
    store.close().await.unwrap();
    drop((db, store));
    let begun = Instant::now();
    let store = open(&folder).await;
    let name = format!("restart with {stored} documents");
    measures.push(Measure { name, value: begun.elapsed().as_secs_f64(), unit: "s", goal: Some(2.0) });
    store.close().await.unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib =
        resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0);
    measures.push(Measure {
        name: "resident memory".to_owned(),
        value: kib / 1024.0,
        unit: "MiB",
        goal: Some(1_536.0),
    });
}

async fn gets(db: &Database, size: u64, measures: &mut Vec<Measure>) {
    let begun = Instant::now();
    let mut n = 1u64;
    let count = 20_000;
    for _ in 0..count {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let found = db.get(&[path((n >> 33) % size)], None).await.unwrap();
        assert!(found.value[0].is_some());
    }
    let rate = f64::from(count) / begun.elapsed().as_secs_f64();
    measures.push(Measure {
        name: format!("gets, 1 client, {size} documents"),
        value: rate,
        unit: "/s",
        goal: None,
    });
}

async fn until(watcher: &mut Watcher, wanted: impl Fn(&WatchEvent) -> bool) {
    while !wanted(&watcher.next().await) {}
}

/// 100,000 live queries, each for another owner: one write concerns one of them.
async fn fan_out(measures: &mut Vec<Measure>) {
    const QUERIES: i32 = 100_000;
    const PER_STREAM: i32 = 1_000;
    let store = Store::in_memory().await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    db.commit(Draft::of(vec![set(0, fields(0))])).await.unwrap();
    let mut quiet = Vec::new();
    for stream in 0..QUERIES / PER_STREAM {
        let mut watcher = db.watch();
        for target in 0..PER_STREAM {
            let mut query = twenty();
            let owner = i64::from(stream * PER_STREAM + target);
            if let Some(Filter::Field(filter)) = &mut query.filter {
                filter.value = Value::Integer(owner);
            }
            watcher.add(target, Target::Query(Box::new(query)), None, None, false);
        }
        until(&mut watcher, |event| matches!(event, WatchEvent::Current(id, _) if *id == PER_STREAM - 1))
            .await;
        quiet.push(watcher);
    }
    let mut times = Vec::new();
    for n in 0..2_000u64 {
        let one = Instant::now();
        let ts = db.commit(Draft::of(vec![set(5, fields(n * 1_000 + 5))])).await.unwrap().commit_time;
        let watcher = &mut quiet[0];
        until(watcher, |event| matches!(event, WatchEvent::Snapshot(at) if *at >= ts)).await;
        times.push(one.elapsed());
    }
    times.sort();
    let name = format!("write to listener among {QUERIES} live queries, p50");
    measures.push(Measure { name, value: percentile(&times, 0.5) * 1e3, unit: "us", goal: None });
    store.close().await.unwrap();
}

/// 1,000 listeners on one document: from the write until the last has heard.
async fn listeners(measures: &mut Vec<Measure>) {
    let store = Store::in_memory().await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    let mut watchers = Vec::new();
    for _ in 0..1_000 {
        let mut watcher = db.watch();
        watcher.add(2, Target::Documents(vec![path(1)]), None, None, false);
        until(&mut watcher, |event| matches!(event, WatchEvent::Current(..))).await;
        watchers.push(watcher);
    }
    let mut times = Vec::new();
    for n in 0..100u64 {
        let one = Instant::now();
        let ts: Ts = db.commit(Draft::of(vec![set(1, fields(n))])).await.unwrap().commit_time;
        for watcher in &mut watchers {
            until(watcher, |event| matches!(event, WatchEvent::Snapshot(at) if *at >= ts)).await;
        }
        times.push(one.elapsed());
    }
    times.sort();
    let name = "write to the last of 1,000 listeners, p50".to_owned();
    measures.push(Measure { name, value: percentile(&times, 0.5), unit: "ms", goal: Some(10.0) });
    store.close().await.unwrap();
}
