//! Overwriting for minutes: does memory stay flat?

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use docstore::clock::SystemClock;
use docstore::model::DatabaseId;
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions};

use super::{Options, fields, load, on_disk, resident, set};

/// Overwrites documents at random and prints memory and disk as time goes by.
pub(crate) async fn run(dir: &Path, options: &Options) {
    let documents = options.documents.unwrap_or(500_000);
    let engine = EngineOptions::Disk { dir: dir.to_owned() };
    let limits = Limits { cache_bytes: options.cache << 20, ..Limits::default() };
    let store = Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await.unwrap();
    let db = store.database(&DatabaseId::default_of("bench"));
    let begun = Instant::now();
    load(&db, 0, documents).await;
    println!("{documents} documents loaded in {:.1} s", begun.elapsed().as_secs_f64());
    println!("{:>8} {:>14} {:>14} {:>12}", "seconds", "overwritten", "resident MiB", "disk MiB");
    let written = Arc::new(AtomicU64::new(0));
    let end = Instant::now() + Duration::from_secs(options.minutes * 60);
    for client in 0..16u64 {
        let (db, written) = (db.clone(), Arc::clone(&written));
        tokio::spawn(async move {
            let mut n = client + 1;
            while Instant::now() < end {
                n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                db.commit(Draft::of(vec![set((n >> 33) % documents, fields(n >> 20))])).await.unwrap();
                written.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let begun = Instant::now();
    let mut ticks = tokio::time::interval(Duration::from_secs(30));
    while Instant::now() < end {
        ticks.tick().await;
        let (seconds, written) = (begun.elapsed().as_secs(), written.load(Ordering::Relaxed));
        println!("{seconds:>8} {written:>14} {:>14.0} {:>12.0}", resident(), on_disk(dir));
    }
    store.close().await.unwrap();
}
