//! Measures the wires: `bench_wire [beside] [--json FILE] [--seconds N] [--documents N]`.
//!
//! With `beside`, only gRPC is measured, which everybody speaks, and the last table says how many times better this
//! server does than Google's.
//!
//! Reads, writes, queries and live queries over gRPC, REST and WebChannel, by 1, 16 and 64 connections, against this
//! server on a disk and in memory, and beside them against Google's Firestore emulator where it is installed. Each
//! server is a process of its own. Figures are of one run on one machine: compare them within it.
#![expect(clippy::print_stdout, reason = "the table is this program's output")]

mod beside;
mod calls;
mod fan_out;
mod peers;
mod webchannel;

use std::error::Error as StdError;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use calls::{Connection, Wire};
use futures::future::try_join_all;
use peers::Peer;
use serde_json::json;
use tokio::task::JoinHandle;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn StdError + Send + Sync>>;

/// Numbers of concurrent connections.
const CONNECTIONS: [usize; 3] = [1, 16, 64];

/// Name of the live-query measurement: the time a write takes to reach all listeners.
const LISTEN: &str = "listen, to all";

/// The operation that a connection repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Get,
    Set,
    Query,
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Set => "set",
            Self::Query => "query",
        }
    }
}

/// One line of the table.
struct Row {
    peer: &'static str,
    wire: Wire,
    what: String,
    connections: usize,
    /// Per second; for fan-outs nothing.
    rate: Option<f64>,
    p50: Duration,
    p99: Duration,
}

struct Options {
    json: Option<PathBuf>,
    seconds: u64,
    documents: usize,
    beside: bool,
}

#[tokio::main]
async fn main() -> Outcome<()> {
    // The client asks for one even where nothing is encrypted.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let mut options = Options { json: None, seconds: 2, documents: 10_000, beside: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "beside" {
            options.beside = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--serve" => return peers::serve(&value).await,
            "--json" => options.json = Some(value.into()),
            "--seconds" => options.seconds = value.parse()?,
            "--documents" => options.documents = value.parse()?,
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let mut rows = Vec::new();
    let mut failed = 0;
    println!("{:<18} {:<11} {:<15} {:>5} {:>10} {:>10} {:>10}", "", "", "", "", "/s", "p50 ms", "p99 ms");
    for start in peers::all() {
        if let Some(peer) = peers::start(start).await? {
            let missing = measure(&peer, &options, &mut rows).await?;
            // Operations that the emulator does not support are not failures of the measured server.
            failed += if peer.name == peers::REFERENCE { 0 } else { missing };
        }
    }
    beside::print(&rows);
    if let Some(file) = options.json {
        let rows: Vec<_> = rows.iter().map(Row::json).collect();
        std::fs::write(file, serde_json::to_string_pretty(&rows)?)?;
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} measurements of this server failed").into()) }
}

/// Measures one server; answers how many measurements failed.
async fn measure(peer: &Peer, options: &Options, rows: &mut Vec<Row>) -> Outcome<usize> {
    calls::fill(&peer.base, options.documents).await?;
    let wires: &[Wire] =
        if options.beside { &[Wire::Grpc] } else { &[Wire::Grpc, Wire::Rest, Wire::WebChannel] };
    let mut failed = 0;
    let mut keep = |what: &str, wire: Wire, connections: usize, row: Outcome<Row>| match row {
        Ok(row) => {
            row.print();
            rows.push(row);
        }
        Err(error) => {
            failed += 1;
            println!("{}: {what} over {wire:?} by {connections} failed: {error}", peer.name);
        }
    };
    for &wire in wires {
        for work in [Work::Get, Work::Set, Work::Query] {
            for connections in CONNECTIONS {
                keep(work.name(), wire, connections, calls_of(peer, wire, work, connections, options).await);
            }
        }
    }
    for &wire in wires {
        let goal = options.beside.then_some(beside::LISTENERS_GOAL.0);
        for listeners in CONNECTIONS.into_iter().chain(goal) {
            let times = fan_out::measure(&peer.base, wire, listeners).await;
            let row = times.map(|times| Row::of_times(peer, wire, LISTEN, listeners, None, times));
            keep(LISTEN, wire, listeners, row);
        }
    }
    Ok(failed)
}

/// One client of one wire.
enum Client {
    Calls(Connection),
    // A browser writes and reads over streams of their own.
    Writes(Box<webchannel::Writer>),
    Reads(Box<webchannel::Reader>),
}

impl Client {
    async fn open(base: &str, wire: Wire, work: Work) -> Outcome<Self> {
        Ok(match (wire, work) {
            (Wire::WebChannel, Work::Set) => Self::Writes(webchannel::Writer::open(base).await?.into()),
            (Wire::WebChannel, _) => Self::Reads(webchannel::Reader::open(base).await?.into()),
            (Wire::Grpc | Wire::Rest, _) => {
                let connection = Connection::open(base, wire)?;
                connection.get(0).await?;
                Self::Calls(connection)
            }
        })
    }

    async fn once(&mut self, work: Work, at: usize, number: usize) -> Outcome<()> {
        match (self, work) {
            (Self::Calls(connection), Work::Get) => connection.get(at).await,
            (Self::Calls(connection), Work::Set) => connection.set(at, number).await,
            (Self::Calls(connection), Work::Query) => connection.query().await,
            (Self::Writes(writer), _) => writer.set(at, number).await,
            (Self::Reads(reader), Work::Query) => reader.query().await,
            (Self::Reads(reader), _) => reader.get(at).await,
        }
    }
}

/// Lets connections do the same until the time is over. They are open before it begins.
async fn calls_of(
    peer: &Peer,
    wire: Wire,
    work: Work,
    connections: usize,
    options: &Options,
) -> Outcome<Row> {
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Client::open(&peer.base, wire, work).await?);
    }
    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let documents = options.documents;
    let workers = open.into_iter().enumerate().map(|(number, mut client)| {
        tokio::spawn(async move {
            let mut times = Vec::new();
            let mut at = number * 7_919;
            while Instant::now() < end {
                at = (at * 31 + 17) % documents;
                let before = Instant::now();
                client.once(work, at, number).await?;
                times.push(before.elapsed());
            }
            Outcome::Ok(times)
        })
    });
    let times = together(workers).await?;
    Ok(Row::of_times(peer, wire, work.name(), connections, Some(started.elapsed()), times))
}

/// The times of all workers.
async fn together(
    workers: impl Iterator<Item = JoinHandle<Outcome<Vec<Duration>>>>,
) -> Outcome<Vec<Duration>> {
    let mut times = Vec::new();
    for worker in try_join_all(workers).await? {
        times.extend(worker?);
    }
    Ok(times)
}

impl Row {
    fn of_times(
        peer: &Peer,
        wire: Wire,
        what: &str,
        connections: usize,
        took: Option<Duration>,
        mut times: Vec<Duration>,
    ) -> Self {
        times.sort();
        let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = took.map(|took| times.len() as f64 / took.as_secs_f64());
        Self {
            peer: peer.name,
            wire,
            what: what.to_owned(),
            connections,
            rate,
            p50: at(50).copied().unwrap_or_default(),
            p99: at(99).copied().unwrap_or_default(),
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "peer": self.peer, "wire": format!("{:?}", self.wire), "what": self.what,
            "connections": self.connections, "perSecond": self.rate,
            "p50Micros": self.p50.as_micros(), "p99Micros": self.p99.as_micros(),
        })
    }

    /// As a line of the table, as soon as it is measured: the whole takes a quarter of an hour.
    fn print(&self) {
        let rate = self.rate.map_or_else(|| "–".to_owned(), |rate| format!("{rate:.0}"));
        println!(
            "{:<18} {:<11} {:<15} {:>5} {:>10} {:>10.2} {:>10.2}",
            self.peer,
            format!("{:?}", self.wire),
            self.what,
            self.connections,
            rate,
            self.p50.as_secs_f64() * 1_000.0,
            self.p99.as_secs_f64() * 1_000.0,
        );
    }
}
