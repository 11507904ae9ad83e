//! A database for everybody on one port: what the SDK suites run against.
//!
//! `cargo run -p docstore-wire --example serve_documents [PORT [FOLDER [SECONDS [BYTES]]]]`; prints `listening on HOST:PORT`.
//! It keeps its data in memory unless a folder is given, old versions for an hour unless told for how long, and a cache
//! as large as the program's unless told how many bytes. Every caller may do everything. SIGTERM ends it in order.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use docstore::access::{Caller, Mode};
use docstore::clock::SystemClock;
use docstore::store::Store;
use docstore::{EngineOptions, Error, Limits, Result, StoreOptions};
use docstore_wire::{Ids, WireState, health, router};
use tokio::signal::unix::{SignalKind, signal};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Time for requests in progress to finish at shutdown.
const GRACE: Duration = Duration::from_secs(5);

fn number(what: &'static str, text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::invalid(what, format!("`{text}` is not a number")))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "tells the port")]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = match arguments.next() {
        None => 0,
        Some(port) => u16::try_from(number("Port", &port)?)
            .map_err(|_| Error::invalid("Port", format!("`{port}` is not a port")))?,
    };
    let engine = match arguments.next() {
        None => EngineOptions::Memory,
        Some(folder) => EngineOptions::disk(folder),
    };
    let mut limits = Limits::default();
    if let Some(seconds) = arguments.next() {
        limits.keep = Duration::from_secs(number("Keep", &seconds)?);
    }
    if let Some(bytes) = arguments.next() {
        limits.cache_bytes = number("Cache", &bytes)?;
    }
    let store = Store::open(StoreOptions { engine, clock: Arc::new(SystemClock), limits }).await?;
    let io = |error: std::io::Error| Error::internal("Listen", "cannot serve", error);
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(io)?;
    println!("listening on {}", listener.local_addr().map_err(io)?);
    let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
    let state = WireState {
        store: store.clone(),
        authenticator: Arc::new(Caller::Admin),
        mode: Mode::Emulator,
        ids: Ids::from_system(),
    };
    let mut ended = signal(SignalKind::terminate()).map_err(io)?;
    tokio::select! {
        outcome = axum::serve(listener, router(state)?.merge(health())) => outcome.map_err(io)?,
        _ = ended.recv() => {}
    }
    // Streams never end by themselves: they are cut off when the process goes.
    tokio::time::timeout(GRACE, store.close()).await.unwrap_or_else(|_| {
        Err(Error::new(docstore::Code::DeadlineExceeded, "Close", "the store did not close"))
    })
}
