//! Nodes on one database whose connections are ended at any moment, and which is killed now and then.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use docstore::Code;
use docstore::engine::Term;
use docstore::engine::shared::{
    BatchId, NewBatch, NodeId, Position, Settled, SharedLog as _, Unsettled, settle,
};
use docstore::model::Ts;
use docstore_postgres::PostgresLog;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::watch;

use crate::open;
use crate::server::Server;

const NODES: usize = 3;
/// Batches after which a run ends, and faults that it has at least.
const BATCHES: usize = 300;
const FAULTS: usize = 30;
/// Batches between two crashes of the database.
const BETWEEN_CRASHES: usize = 120;

#[derive(Default)]
struct Told {
    stored: Mutex<BTreeSet<BatchId>>,
    /// Number of the stored ones.
    count: watch::Sender<usize>,
    refused: Mutex<BTreeSet<BatchId>>,
    settled: AtomicUsize,
    done: AtomicBool,
}

impl Told {
    fn note(&self, id: BatchId, stored: bool) {
        if stored { &self.stored } else { &self.refused }.lock().insert(id);
        if stored {
            self.count.send_modify(|count| *count += 1);
        }
    }
}

/// One node: it appends while it leads, and takes over when it does not, without patience.
async fn node(log: Arc<PostgresLog>, me: NodeId, seed: u64, told: Arc<Told>) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut leads: Option<(Term, Position)> = None;
    while !told.done.load(Ordering::Relaxed) {
        let Some((term, prev)) = leads else {
            if let Ok(seen) = log.head().await {
                // The others get their turn, too.
                tokio::task::yield_now().await;
                leads = log.take_over(&seen).await.ok().map(|head| (head.term, head.position));
            }
            continue;
        };
        let ts = Ts::from_micros(prev.ts.micros() + random.random_range(2..100));
        let position = Position { ts, batch: BatchId(random.random()) };
        let payload = vec![random.random(); random.random_range(0..5_000)].into();
        let batch = NewBatch { position, prev, payload };
        let unsettled = Unsettled::of(term, &batch);
        leads = match log.append(term, batch).await {
            Ok(()) => {
                told.note(position.batch, true);
                (random.random_range(0..50) > 0).then_some((term, position))
            }
            Err(error) if error.code() == Code::Unknown => loop {
                if let Ok(Settled { stored, head }) = settle(&*log, unsettled).await {
                    told.note(position.batch, stored);
                    told.settled.fetch_add(1, Ordering::Relaxed);
                    break (head.leader == me).then_some((head.term, head.position));
                }
            },
            Err(error) => {
                told.note(position.batch, false);
                (error.tag() != "Fenced").then_some((term, prev))
            }
        };
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_sessions_and_servers_are_killed() {
    let Some(mut server) = Server::start(&[], &[]) else { return };
    let name = server.database().await;
    let told = Arc::new(Told::default());
    let mut nodes = Vec::new();
    for number in 1..=NODES {
        let me = NodeId(number as u128);
        let log = Arc::new(open(&server.url(&name), me.0).await);
        nodes.push(tokio::spawn(node(log, me, number as u64, Arc::clone(&told))));
    }
    let end = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' \
         AND application_name = 'tuckbox writes' AND state <> 'idle' ORDER BY random() LIMIT 1"
    );
    let (mut faults, mut crashes) = (0, 0);
    let mut client = server.client("postgres").await;
    let mut count = told.count.subscribe();
    while *count.borrow() < BATCHES || faults < FAULTS {
        let ended = client.query(&end, &[]).await.unwrap().len();
        faults += ended;
        if *count.borrow() >= (crashes + 1) * BETWEEN_CRASHES {
            server.crash();
            client = server.client("postgres").await;
            crashes += 1;
        }
        // A few batches go through between two faults.
        let next = *count.borrow() + if ended > 0 { 5 } else { 1 };
        count.wait_for(|count| *count >= next).await.unwrap();
    }
    told.done.store(true, Ordering::Relaxed);
    for node in nodes {
        node.await.unwrap();
    }
    let log = open(&server.url(&name), 9).await;
    let mut stored = BTreeSet::new();
    let (mut after, mut term) = (Position::default(), Term(0));
    loop {
        // A read checks that the chain has no gap.
        let slice = log.read(after, 200_000).await.unwrap();
        for batch in &slice.batches {
            assert!(batch.term >= term && stored.insert(batch.position.batch));
            (after, term) = (batch.position, batch.term);
        }
        if after == slice.head.position {
            break;
        }
    }
    println!(
        "{} acknowledged, {} refused, {} settled, {faults} sessions ended, {crashes} crashes, {} terms",
        told.stored.lock().len(),
        told.refused.lock().len(),
        told.settled.load(Ordering::Relaxed),
        term.0
    );
    assert_eq!(*told.stored.lock(), stored, "what was acknowledged is what is there");
    assert!(told.refused.lock().is_disjoint(&stored));
    assert!(crashes >= 2 && told.settled.load(Ordering::Relaxed) > 0);
}
