//! The store's benchmark: durable commits, transactions, indexed queries, live queries, memory and restart.
//!
//! `bench_store [--json FILE] [--seconds N] [--documents N] [--section NAME]`: prints a table, and the same as JSON.
//! Every section runs in a process of its own, so that its memory is its own. `bench_store overwrite [--minutes N]
//! [--documents N]` overwrites documents for a while and prints how much memory that takes over time; `bench_store growth
//! [--updates N] [--documents N]` compares the engines of the view as much is overwritten and deleted. Run it in release
//! mode; `scripts/bench` does. `BENCH_DIR` says on which disk.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a program for people, which may stop at any error"
)]

mod growth;
mod live;
mod measure;
mod overwrite;
mod queries;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use docstore::clock::SystemClock;
use docstore::database::Database;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions, TxnOptions};

use measure::Measure;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Documents loaded by the large sections unless told otherwise.
const DOCUMENTS: u64 = 1_000_000;
const SECTIONS: [&str; 6] = ["commits", "transactions", "queries", "find", "fan-out", "listeners"];
/// Opens the store that the queries have left behind, in the folder `BENCH_REOPEN`.
const REOPEN: &str = "reopen";
const USAGE: &str = "usage: bench_store [overwrite|growth] [--json FILE] [--seconds N] [--documents N] [--minutes N] [--updates N] \
                     [--section commits|transactions|queries|find|fan-out|listeners]";

#[derive(Clone)]
struct Options {
    overwrite: bool,
    growth: bool,
    json: Option<String>,
    section: Option<String>,
    seconds: u64,
    minutes: u64,
    cache: u64,
    documents: Option<u64>,
    updates: Option<u64>,
}

fn options() -> Option<Options> {
    let mut options = Options {
        overwrite: false,
        growth: false,
        json: None,
        section: None,
        seconds: 3,
        minutes: 10,
        cache: 512,
        documents: None,
        updates: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "overwrite" {
            options.overwrite = true;
            continue;
        }
        if argument == "growth" {
            options.growth = true;
            continue;
        }
        let value = arguments.next()?;
        match argument.as_str() {
            "--json" => options.json = Some(value),
            "--section"
                if [REOPEN, growth::SECTION].contains(&value.as_str())
                    || SECTIONS.contains(&value.as_str()) =>
            {
                options.section = Some(value);
            }
            "--seconds" => options.seconds = value.parse().ok()?,
            "--cache" => options.cache = value.parse().ok()?,
            "--minutes" => options.minutes = value.parse().ok()?,
            "--updates" => options.updates = Some(value.parse().ok()?),
            "--documents" => options.documents = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    Some(options)
}

#[tokio::main]
async fn main() {
    let Some(options) = options() else {
        println!("{USAGE}");
        std::process::exit(2);
    };
    let folder = std::env::var("BENCH_DIR").unwrap_or_else(|_| ".".to_owned());
    let dir = tempfile::Builder::new().prefix("bench-store-").tempdir_in(folder).unwrap();
    if options.growth {
        return growth::run(&options);
    }
    if options.overwrite {
        return overwrite::run(dir.path(), &options).await;
    }
    if let Some(section) = &options.section {
        for row in run(section, dir.path(), &options).await {
            println!("{}", row.json());
        }
        return;
    }
    let mut rows = Vec::new();
    for section in SECTIONS {
        for row in in_own_process(section, &options, &[]) {
            println!("{}", measure::line(&row));
            rows.push(row);
        }
    }
    println!("{}", measure::verdict(&rows));
    if let Some(file) = options.json {
        std::fs::write(file, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
    }
}

/// Runs a section in a process of its own, with these environment variables, and returns its figures.
fn in_own_process(section: &str, options: &Options, variables: &[(&str, &str)]) -> Vec<serde_json::Value> {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--section", section, "--seconds", &options.seconds.to_string()]);
    command.envs(variables.iter().copied());
    for (name, value) in [("--documents", options.documents), ("--updates", options.updates)] {
        if let Some(value) = value {
            command.args([name, &value.to_string()]);
        }
    }
    let output = command.stderr(std::process::Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "the section {section} failed {variables:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn run(section: &str, dir: &Path, options: &Options) -> Vec<Measure> {
    let mut measures = Vec::new();
    match section {
        "commits" => commits(dir, options.seconds, &mut measures).await,
        "transactions" => transactions(options.seconds, &mut measures).await,
        "queries" => queries::run(dir, options.documents.unwrap_or(DOCUMENTS), &mut measures).await,
        "find" => live::find(&mut measures),
        REOPEN => queries::reopen(options.documents.unwrap_or_default(), &mut measures).await,
        "fan-out" => live::fan_out(&mut measures).await,
        growth::SECTION => return growth::section(dir, options).await,
        _ => live::listeners(&mut measures).await,
    }
    measures
}

/// Resident memory of this process, in MiB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1024.0
}

/// Bytes of all files below a folder, in MiB.
fn on_disk(folder: &Path) -> f64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0.0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => on_disk(&entry.path()),
        Ok(meta) => meta.len() as f64 / 1_048_576.0,
        Err(_) => 0.0,
    };
    entries.flatten().map(size).sum()
}

async fn load(db: &Database, from: u64, to: u64) {
    // Four loaders, so that a batch is being decided while another is written.
    let next = Arc::new(AtomicU64::new(from));
    let loaders: Vec<_> = (0..4)
        .map(|_| {
            let (db, next) = (db.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                loop {
                    let first = next.fetch_add(LOAD_CHUNK, Ordering::Relaxed);
                    if first >= to {
                        return;
                    }
                    let writes = (first..(first + LOAD_CHUNK).min(to)).map(|n| set(n, fields(n))).collect();
                    db.commit(Draft::of(writes)).await.unwrap();
                }
            })
        })
        .collect();
    for loader in loaders {
        loader.await.unwrap();
    }
}

/// Documents of one loading commit.
const LOAD_CHUNK: u64 = 250;
async fn open(dir: &Path) -> Store {
    let engine = EngineOptions::disk(dir);
    let limits = Limits::default();
    Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap()
}

fn path(n: u64) -> DocPath {
    DocPath::parse(&format!("cards/{n:08}")).unwrap()
}

/// About 500 bytes in six fields.
fn fields(n: u64) -> Fields {
    let int = |n: u64| Value::Integer(n.cast_signed());
    Fields::from([
        ("owner".to_owned(), int(n % 500)),
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

/// Durable writes of 500 bytes that the disk can do per second.
fn raw_sync(dir: &Path, seconds: u64, measures: &mut Vec<Measure>) -> f64 {
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
    measures.push(Measure::new("raw file: 500 bytes + fdatasync", rate, "/s"));
    rate
}

/// `fdatasync` calls per second on the machine on which the goals were set.
const GOAL_SYNCS: f64 = 8_000.0;
/// Clients and the commits a second that they are meant to make together.
const COMMITS: [(u64, f64); 4] = [(1, 2_500.0), (16, 12_000.0), (64, 16_000.0), (256, 20_000.0)];
/// Factor by which the last measurement runs longer, so that sled catches up.
const SUSTAINED: u64 = 7;

async fn commits(dir: &Path, seconds: u64, measures: &mut Vec<Measure>) {
    let syncs = raw_sync(dir, seconds, measures);
    for (clients, goal) in COMMITS {
        let name = format!("durable commits, {clients} clients");
        let (rate, rows) = commits_by(dir, clients, seconds).await;
        measures.push(Measure::new(name, rate, "/s").at_least(goal));
        let name = "  times the disk's fdatasync rate";
        measures.push(Measure::new(name, rate / syncs, "").at_least(goal / GOAL_SYNCS));
        measures.extend(rows);
    }
    if let Some((clients, _)) = COMMITS.last() {
        let seconds = seconds * SUSTAINED;
        let (rate, rows) = commits_by(dir, *clients, seconds).await;
        let name = format!("durable commits, {clients} clients, for {seconds} s");
        measures.push(Measure::new(name, rate, "/s"));
        measures.extend(rows);
    }
}

/// Commits of one new document per second by `clients`, and the latency of each.
async fn commits_by(dir: &Path, clients: u64, seconds: u64) -> (f64, Vec<Measure>) {
    let folder = dir.join(format!("commits-{clients}"));
    let store = open(&folder).await;
    let end = Instant::now() + Duration::from_secs(seconds);
    let (begun, worked) = (Instant::now(), processor());
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
    let each = (processor() - worked) * 1e6 / times.len() as f64;
    times.sort();
    store.close().await.unwrap();
    drop(store);
    std::fs::remove_dir_all(folder).unwrap();
    let rows = vec![
        Measure::new("  p50", percentile(&times, 0.5), "ms"),
        Measure::new("  p99", percentile(&times, 0.99), "ms"),
        Measure::new("  processor time of one", each, "us"),
    ];
    (rate, rows)
}

/// Processor time that this process has taken, in seconds: what a busy machine does not change.
fn processor() -> f64 {
    /// Ticks of `/proc/self/stat` in a second.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// Clients that increment counters by reading and writing them in transactions, retrying as the SDKs do.
async fn transactions(seconds: u64, measures: &mut Vec<Measure>) {
    const CLIENTS: u64 = 32;
    for (counters, goal) in [(1, 3_000.0), (CLIENTS, 10_000.0)] {
        let store = Store::in_memory().await.unwrap();
        let db = store.database(&DatabaseId::default_of("bench"));
        let counter = |n: u64| Fields::from([("n".to_owned(), Value::Integer(n.cast_signed()))]);
        for n in 0..counters {
            db.commit(Draft::of(vec![set(n, counter(0))])).await.unwrap();
        }
        let end = Instant::now() + Duration::from_secs(seconds);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let db = db.clone();
                tokio::spawn(async move {
                    let (own, mut done, mut retry) = (path(client % counters), 0u64, None);
                    while Instant::now() < end {
                        let txn = db.begin(TxnOptions::ReadWrite { retry }).await.unwrap();
                        let attempt = async {
                            let found = db.get_in(txn, std::slice::from_ref(&own)).await?.value;
                            let Value::Integer(n) = found[0].as_ref().unwrap().fields["n"] else {
                                unreachable!()
                            };
                            let writes = vec![set(client % counters, counter(n.cast_unsigned() + 1))];
                            db.commit(Draft { writes, txn: Some(txn) }).await
                        };
                        match attempt.await {
                            Ok(_) => (done, retry) = (done + 1, None),
                            Err(_) => retry = Some(txn),
                        }
                    }
                    done
                })
            })
            .collect();
        let mut done = Vec::new();
        for client in clients {
            done.push(client.await.unwrap());
        }
        let total: u64 = done.iter().sum();
        let mut sum = 0;
        for n in 0..counters {
            let found = db.get(&[path(n)], None).await.unwrap().value.pop().flatten().unwrap();
            let Value::Integer(n) = found.fields["n"] else { unreachable!() };
            sum += n.cast_unsigned();
        }
        assert_eq!(sum, total, "increments were lost");
        let name = format!("transactions, {CLIENTS} clients, {counters} counters, in memory");
        measures.push(Measure::new(name, total as f64 / seconds as f64, "/s").at_least(goal));
        let shares = [("least", done.iter().min()), ("most", done.iter().max())];
        for (which, count) in shares {
            measures.push(Measure::new(format!("  {which} of one client"), *count.unwrap() as f64, ""));
        }
        store.close().await.unwrap();
    }
}
