//! Overwriting for minutes: does memory stay flat?

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use docstore::clock::SystemClock;
use docstore::model::DatabaseId;
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions};

use super::measure::{Measure, line};
use super::{Options, fields, load, on_disk, resident, set};

/// Clients that overwrite.
const CLIENTS: u64 = 16;
/// Samples of memory use.
const LOOKS: u32 = 20;
/// Memory use is flat if the end takes at most this many times that of the middle, when the caches are full.
const FLAT: f64 = 1.1;
/// The most memory that the store may take with a cache of the default size, in MiB.
const MEMORY: f64 = 1_536.0;

/// Overwrites documents at random and prints memory and disk as time goes by.
pub(crate) async fn run(dir: &Path, options: &Options) {
    let documents = options.documents.unwrap_or(500_000);
    let engine = EngineOptions::disk(dir);
    let limits = Limits { cache_bytes: options.cache << 20, ..Limits::default() };
    let store = Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    let begun = Instant::now();
    load(&db, 0, documents).await;
    println!("{documents} documents loaded in {:.1} s", begun.elapsed().as_secs_f64());
    println!("{:>8} {:>14} {:>14} {:>12}", "seconds", "overwritten", "resident MiB", "disk MiB");
    let written = Arc::new(AtomicU64::new(0));
    let length = Duration::from_secs(options.minutes * 60);
    let end = Instant::now() + length;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (db, written) = (db.clone(), Arc::clone(&written));
            tokio::spawn(async move {
                let mut n = client + 1;
                while Instant::now() < end {
                    n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    db.commit(Draft::of(vec![set((n >> 33) % documents, fields(n >> 20))])).await.unwrap();
                    written.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let begun = Instant::now();
    let mut ticks = tokio::time::interval(length / LOOKS);
    let mut memory = Vec::new();
    // The first tick comes at once.
    for _ in 0..=LOOKS {
        ticks.tick().await;
        let (seconds, written) = (begun.elapsed().as_secs(), written.load(Ordering::Relaxed));
        memory.push(resident());
        println!("{seconds:>8} {written:>14} {:>14.0} {:>12.0}", resident(), on_disk(dir));
    }
    for client in clients {
        client.await.unwrap();
    }
    store.close().await.unwrap();
    let mean = |looks: &[f64]| looks.iter().sum::<f64>() / looks.len() as f64;
    let third = memory.len() / 3;
    let growth = mean(&memory[memory.len() - third..]) / mean(&memory[third..memory.len() - third]);
    let most = memory.iter().copied().fold(0.0, f64::max);
    let rows = [
        Measure::new("memory: the last third of the time over the middle one", growth, "").at_most(FLAT),
        Measure::new("memory at its highest", most, "MiB").at_most(MEMORY),
    ];
    for row in rows {
        println!("{}", line(&row.json()));
    }
}
