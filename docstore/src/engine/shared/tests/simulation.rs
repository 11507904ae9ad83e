//! Three nodes on one log through crashes, pauses, cuts, lost replies, held-up requests and lagging standbys, under
//! simulated time. A seed repeats a run exactly.

mod journal;
mod node;

use std::collections::BTreeSet;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use self::journal::{Journal, SharedJournal};
use self::node::{Care, Node};
use super::super::{BatchId, ClusterId, MemoryConnection, MemoryLog, Network, NodeId, Standby};

/// Runs of a test.
const SEEDS: u64 = 100;
/// Nodes that run at a time.
const NODES: usize = 3;
/// Faults between the beginning and the end of a run.
const FAULTS: usize = 40;
/// Longest time for which a request is held up.
const HELD_UP: Duration = Duration::from_millis(400);

const NETWORK: Network = Network {
    latency: Duration::from_millis(8),
    patience: Duration::from_millis(40),
    lost_replies: 30,
    held_up: 40,
    held_up_for: HELD_UP,
};

/// A run of nodes and their faults.
struct Simulation {
    log: MemoryLog,
    random: StdRng,
    journal: SharedJournal,
    care: Care,
    begun: Instant,
    nodes: Vec<(MemoryConnection, JoinHandle<()>)>,
    standby: Option<Standby>,
}

impl Simulation {
    fn new(seed: u64, care: Care) -> Self {
        let mut simulation = Self {
            log: MemoryLog::new(ClusterId(1)),
            random: StdRng::seed_from_u64(seed),
            journal: SharedJournal::default(),
            care,
            begun: Instant::now(),
            nodes: Vec::new(),
            standby: None,
        };
        for _ in 0..NODES {
            let node = simulation.start();
            simulation.nodes.push(node);
        }
        simulation
    }

    fn start(&mut self) -> (MemoryConnection, JoinHandle<()>) {
        let connection = self.log.connect(NodeId(self.random.random()), NETWORK, self.random.random());
        (connection.clone(), tokio::spawn(self.node(connection).run()))
    }

    /// A node with nothing, whose clock is wrong by up to 20 s.
    fn node(&mut self, connection: MemoryConnection) -> Node {
        let (seed, skew) =
            (self.random.random(), Duration::from_micros(self.random.random_range(0..20_000_000)));
        Node::new(connection, seed, self.begun - skew, self.journal.clone(), self.care)
    }

    async fn run(mut self) -> Result<Journal, String> {
        for _ in 0..FAULTS {
            sleep(Duration::from_millis(self.random.random_range(1..200))).await;
            self.fault();
        }
        for (connection, node) in &self.nodes {
            node.abort();
            connection.cut(false);
            connection.pause(false);
        }
        // Whatever is held up arrives.
        sleep(2 * HELD_UP).await;
        let mut end = Vec::new();
        for connection in std::mem::take(&mut self.nodes).into_iter().map(|(connection, _)| connection) {
            connection.set_network(Network::default());
            end.push(self.node(connection));
        }
        for node in &mut end {
            node.catch_up().await;
        }
        let mut journal = self.journal.0.lock().clone();
        journal.check(&self.log.contents())?;
        for node in end {
            journal.check_reader(&node)?;
        }
        Ok(journal)
    }

    fn fault(&mut self) {
        let which = self.random.random_range(0..NODES);
        match self.random.random_range(0..8) {
            0 => {
                let node = self.start();
                let (_, crashed) = std::mem::replace(&mut self.nodes[which], node);
                crashed.abort();
            }
            1 => self.nodes[which].0.cut(true),
            2 => self.nodes[which].0.pause(true),
            3..=5 => {
                self.nodes[which].0.cut(false);
                self.nodes[which].0.pause(false);
            }
            6 => self.standby = Some(self.log.standby()),
            _ => {
                if let Some(standby) = self.standby.take() {
                    let before: BTreeSet<BatchId> = self.ids();
                    self.log.promote(standby);
                    let kept = self.ids();
                    self.journal.0.lock().lost.extend(before.difference(&kept));
                }
            }
        }
    }

    fn ids(&self) -> BTreeSet<BatchId> {
        self.log.contents().batches.iter().map(|batch| batch.position.batch).collect()
    }
}

/// Runs a seed; an `Err` says which property does not hold.
fn simulate(seed: u64, care: Care) -> Result<Journal, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async { Simulation::new(seed, care).run().await })
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_refused_is_stored() {
    let mut all = Journal::default();
    for seed in 0..SEEDS {
        match simulate(seed, Care::Settle) {
            Ok(journal) => all.add(&journal),
            Err(broken) => panic!("seed {seed}: {broken}"),
        }
    }
    println!("{}", all.counts());
    // Every kind of trouble was met.
    assert!(all.acknowledged.len() > 5_000 && all.refused.len() > 1_000 && all.terms > 500);
    assert!(all.settled_stored > 100 && all.settled_lost > 100 && all.lost.len() > 100);
    assert!(all.rewritten > 100 && all.truncated > 100);
}

#[test]
fn looking_once_does_not_settle_an_append() {
    let broken = (0..SEEDS).filter(|seed| simulate(*seed, Care::LookOnce).is_err()).take(3).count();
    assert_eq!(broken, 3, "the checks see runs that store what they refused");
}

#[test]
fn a_seed_repeats_its_run() {
    let run = |seed| simulate(seed, Care::Settle).unwrap();
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}
