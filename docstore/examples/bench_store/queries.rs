//! A query that an index answers, over more and more documents; memory with them, and a start on them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use docstore::database::Database;
use docstore::model::{
    DatabaseId, Direction, FieldFilter, FieldOp, FieldPath, Filter, Order, Query, Source, Value,
};

use super::measure::Measure;
use super::{REOPEN, load, open, path, percentile, processor, resident};

/// Over how many documents the query runs; every size has at least [`RESULTS`] for it.
const SIZES: [u64; 3] = [10_000, 100_000, 1_000_000];
/// Documents the query asks for and finds.
const RESULTS: usize = 20;
/// Runs of the query.
const RUNS: usize = 1_000;
/// Largest ratio of the query's cost, in time and entries, between two sizes.
const FLAT: f64 = 2.0;
/// Memory limit of the store, in MiB.
const MEMORY: f64 = 1_536.0;
/// Longest start, in seconds.
const RESTART: f64 = 2.0;
/// The store has settled after a load when it takes less than this part of a core for [`LOOK`].
const SETTLED: f64 = 0.05;
const LOOK: Duration = Duration::from_millis(500);
/// Most checks for that.
const LOOKS: usize = 120;

/// Twenty cards of one owner, by rank.
pub(super) fn twenty() -> Query {
    let field = |name: &str| FieldPath::parse(name).unwrap();
    let filter = FieldFilter { field: field("owner"), op: FieldOp::Equal, value: Value::Integer(7) };
    Query {
        filter: Some(Filter::Field(filter)),
        order_by: vec![Order { field: field("rank"), direction: Direction::Ascending }],
        limit: u32::try_from(RESULTS).ok(),
        ..Query::all(None, Source { collection: Some("cards".to_owned()), all_descendants: false })
    }
}

/// Loads up to `most` documents and measures at every size on the way.
pub(super) async fn run(dir: &Path, most: u64, measures: &mut Vec<Measure>) {
    let folder = dir.join("queries");
    let store = open(&folder).await;
    let db = store.database(&DatabaseId::default_of("bench"));
    let mut stored = 0;
    let mut costs: Vec<(f64, f64)> = Vec::new();
    for size in SIZES.into_iter().filter(|size| *size <= most) {
        let (begun, worked) = (Instant::now(), processor());
        load(&db, stored, size).await;
        let each = (processor() - worked) * 1e6 / (size - stored) as f64;
        stored = size;
        let loaded = begun.elapsed().as_secs_f64();
        let found = db.run(&twenty(), None).await.unwrap();
        assert_eq!(found.documents.len(), RESULTS, "the query has to find {RESULTS} at every size");
        db.settle_indexes().await;
        settle().await;
        let mut times = Vec::new();
        let mut entries = 0;
        for _ in 0..RUNS {
            let one = Instant::now();
            entries = db.run(&twenty(), None).await.unwrap().stats.entries_read;
            times.push(one.elapsed());
        }
        times.sort();
        let median = percentile(&times, 0.5);
        costs.push((median, entries as f64));
        let name = format!("query, {RESULTS} of {size} documents, p50");
        measures.push(Measure::new(name, median, "ms").at_most(0.3));
        measures.push(Measure::new("  entries read", entries as f64, ""));
        measures.push(Measure::new("  loading took", loaded, "s"));
        measures.push(Measure::new("  processor time of one loaded", each, "us"));
        measures.push(Measure::new("  resident memory", resident(), "MiB").at_most(MEMORY));
        gets(&db, size, measures).await;
    }
    let spread = |cost: fn(&(f64, f64)) -> f64| {
        let (least, most) = costs.iter().map(cost).fold((f64::MAX, 0f64), |(a, b), c| (a.min(c), b.max(c)));
        most / least
    };
    if costs.len() > 1 {
        let name = "query, time: the dearest size over the cheapest";
        measures.push(Measure::new(name, spread(|cost| cost.0), "").at_most(FLAT));
        let name = "query, entries read: the dearest size over the cheapest";
        measures.push(Measure::new(name, spread(|cost| cost.1), "").at_most(FLAT));
    }
    store.close().await.unwrap();
    drop((db, store));
    // A new process, with memory of its own.
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--section", REOPEN, "--documents", &stored.to_string()]).env("BENCH_REOPEN", &folder);
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "the store could not be opened again");
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let (name, value) = (row["name"].as_str().unwrap(), row["value"].as_f64().unwrap());
        let (unit, goal) = if row["unit"] == "s" { ("s", RESTART) } else { ("MiB", MEMORY) };
        measures.push(Measure::new(name, value, unit).at_most(goal));
    }
}

/// Waits until the end of what was loaded is no longer on its way from memory into the view.
async fn settle() {
    for _ in 0..LOOKS {
        let before = processor();
        tokio::time::sleep(LOOK).await;
        if processor() - before < LOOK.as_secs_f64() * SETTLED {
            return;
        }
    }
}

/// Opens what [`run`] has left behind.
pub(super) async fn reopen(documents: u64, measures: &mut Vec<Measure>) {
    let folder = std::env::var("BENCH_REOPEN").unwrap();
    let begun = Instant::now();
    let store = open(Path::new(&folder)).await;
    let name = format!("restart with {documents} documents");
    measures.push(Measure::new(name, begun.elapsed().as_secs_f64(), "s").at_most(RESTART));
    measures.push(Measure::new("  resident memory after it", resident(), "MiB").at_most(MEMORY));
    store.close().await.unwrap();
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
    measures.push(Measure::new(format!("gets, 1 client, {size} documents"), rate, "/s"));
}
