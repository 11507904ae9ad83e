//! The log in a real PostgreSQL, started by the tests from Debian's package. Without one they print SKIPPED.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "a test")]

#[path = "postgres/behaviour.rs"]
mod behaviour;
#[path = "postgres/chaos.rs"]
mod chaos;
#[path = "postgres/engine.rs"]
mod engine;
#[path = "postgres/held_up.rs"]
mod held_up;
#[path = "postgres/refusals.rs"]
mod refusals;
#[path = "postgres/server.rs"]
mod server;
#[path = "postgres/sessions.rs"]
mod sessions;
#[path = "postgres/standby.rs"]
mod standby;
#[path = "postgres/tls.rs"]
mod tls;

use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::engine::shared::{BatchId, ClusterId, NewBatch, NodeId, Position};
use docstore::model::Ts;
use docstore_postgres::{PostgresLog, PostgresOptions};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Options of a node at an address.
fn options(url: &str, node: u128) -> PostgresOptions {
    PostgresOptions {
        url: url.to_owned(),
        passfile: None,
        node: NodeId(node),
        cluster: None,
        clock: Arc::new(SystemClock),
        notifications: true,
    }
}

/// Options of a node that has data of a cluster.
fn of_cluster(url: &str, cluster: ClusterId) -> PostgresOptions {
    PostgresOptions { cluster: Some(cluster), ..options(url, 1) }
}

/// A place made of one number.
fn place(number: u64) -> Position {
    Position { ts: Ts::from_micros(number), batch: BatchId(u128::from(number)) }
}

/// The batch after `prev` at [`place`] `number`.
fn batch(prev: Position, number: u64) -> NewBatch {
    NewBatch { position: place(number), prev, payload: number.to_string().into() }
}

/// Opens the log as a node.
async fn open(url: &str, node: u128) -> PostgresLog {
    PostgresLog::open(options(url, node)).await.unwrap()
}
