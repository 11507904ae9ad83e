//! Measures file storage over HTTP: `bench_storage [--json FILE] [--folder DIR] [--beside FIREBASE]`.
//!
//! The server is this program started again (`--serve FOLDER`), with files and documents on disk and synced, so that
//! its memory is measured alone. Times are those of one client on the same machine. FIREBASE is the command of an
//! installed firebase-tools: its file emulator is measured in the same run as it is, without its rules and never
//! synced. If it does not start or does not end, the table gives the reason and holds only our figures.
#![expect(clippy::print_stdout, reason = "the table is this program's output")]

#[path = "support/unsigned.rs"]
mod unsigned;

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::serve::ListenerExt;
use docstore::access::Mode;
use docstore::clock::SystemClock;
use docstore::{EngineOptions, Store, StoreOptions};
use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};
use storage_emu::{BlobOptions, Limits, OwnSubtree, StorageOptions, StorageState};
use tokio::io::{AsyncBufReadExt, BufReader};

type Outcome<T> = Result<T, Box<dyn StdError>>;

const MIB: usize = 1 << 20;
const BUCKET: &str = "demo-tuckbox.appspot.com";
/// Small images stored, and uploads running at once.
const SMALL: usize = 1_000;
const AT_ONCE: usize = 16;
const SMALL_BYTES: usize = 8 * 1024;
/// Rounds of one mebibyte up and down.
const ROUNDS: usize = 40;
/// Time limit for a server to start. Node reads all of firebase-tools first.
const START_LIMIT: Duration = Duration::from_secs(120);
/// Time limit for all measurements of one server.
const MEASURE_LIMIT: Duration = Duration::from_secs(600);

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut json_file, mut folder, mut beside) = (None::<PathBuf>, None::<PathBuf>, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or("every option needs a value")?;
        match argument.as_str() {
            "--serve" => return serve(Path::new(&value)).await,
            "--json" => json_file = Some(value.into()),
            "--folder" => folder = Some(value.into()),
            "--beside" => beside = Some(value.into()),
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let temporary = tempfile::TempDir::new()?;
    let folder = folder.unwrap_or_else(|| temporary.path().to_owned());
    let mut own = tokio::process::Command::new(std::env::current_exe()?);
    own.arg("--serve").arg(&folder);
    let ours = run(own).await?;
    let theirs = match beside {
        None => None,
        Some(firebase) => {
            let mut node = tokio::process::Command::new("node");
            node.arg("suites/bench/storage-official.mjs").arg(firebase).env("TMPDIR", temporary.path());
            Some(run(node).await.map_err(|fault| format!("firebase-tools was not measured: {fault}")))
        }
    };
    print_table(&ours, theirs.as_ref());
    if let Some(file) = json_file {
        let theirs = theirs.map(|measured| measured.unwrap_or_else(Value::String));
        std::fs::write(
            file,
            serde_json::to_string_pretty(&json!({ "tuckbox": ours, "firebase-tools": theirs }))?,
        )?;
    }
    Ok(())
}

fn print_table(ours: &Value, theirs: Option<&Result<Value, String>>) {
    let measured = theirs.and_then(|measured| measured.as_ref().ok());
    if measured.is_some() {
        println!("{:<46} {:>12} {:>16}", "", "tuckbox", "firebase-tools");
    }
    for (name, value) in ours.as_object().into_iter().flatten() {
        let other = measured.and_then(|all| all.get(name)).map(Value::to_string).unwrap_or_default();
        println!("{}", format!("{name:<46} {:>12} {other:>16}", value.to_string()).trim_end());
    }
    if let Some(Err(fault)) = theirs {
        println!("{fault}");
    }
}

/// Starts a server that says `ready: URL`, measures it and ends it.
async fn run(mut command: tokio::process::Command) -> Outcome<Value> {
    // The server waits on its input, which closes when this program ends.
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
    let mut lines = BufReader::new(server.stdout.take().ok_or("the server has no output")?).lines();
    let ready = async {
        while let Some(line) = lines.next_line().await? {
            if let Some(origin) = line.strip_prefix("ready: ") {
                return Ok(origin.to_owned());
            }
        }
        Outcome::<String>::Err("the server ended before it was ready".into())
    };
    let origin = tokio::time::timeout(START_LIMIT, ready).await.map_err(|_| "it did not start in time")??;
    let pid = server.id().ok_or("the server ended")?;
    // Later output must not fill the pipe.
    let rest = tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let results = tokio::time::timeout(MEASURE_LIMIT, measure(&origin, pid)).await;
    server.kill().await?;
    rest.abort();
    results.map_err(|_| "it did not answer in time")?
}

async fn serve(folder: &Path) -> Outcome<()> {
    let clock = Arc::new(SystemClock);
    let engine = EngineOptions::disk(folder.join("documents"));
    let limits = docstore::Limits::default();
    let state = StorageState::new(StorageOptions {
        store: Store::open(StoreOptions { engine, clock: clock.clone(), limits }).await?,
        project: "demo-tuckbox".to_owned(),
        mode: Mode::Emulator,
        clock,
        blobs: BlobOptions::Folder(folder.join("files")),
        authenticator: Arc::new(unsigned::Unsigned),
        access: Arc::new(OwnSubtree),
        limits: Limits::default(),
        active_svg: false,
        quotas: None,
    })?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("ready: http://{}", listener.local_addr()?);
    // Without this the end of every reply waits for the client's delayed acknowledgement.
    let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
    axum::serve(listener, storage_emu::router(state)).await?;
    Ok(())
}

/// Resident memory of a process and its peak, in MiB.
fn memory(pid: u32) -> Outcome<(f64, f64)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| -> Outcome<f64> {
        let line = status.lines().find(|line| line.starts_with(name)).ok_or("no such field")?;
        let kib: f64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
        Ok(kib / 1024.0)
    };
    Ok((field("VmRSS:")?, field("VmHWM:")?))
}

fn content(size: usize, seed: usize) -> Vec<u8> {
    let mut state = seed as u64 * 2_654_435_761 + 1;
    (0..size)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        })
        .collect()
}

async fn put(client: &reqwest::Client, origin: &str, name: &str, data: Vec<u8>) -> Outcome<Duration> {
    let url = format!("{origin}/v0/b/{BUCKET}/o?name={name}");
    let start = Instant::now();
    let reply = client.post(url).bearer_auth("owner").body(data).send().await?.error_for_status()?;
    reply.bytes().await?;
    Ok(start.elapsed())
}

async fn get(client: &reqwest::Client, origin: &str, name: &str) -> Outcome<(Duration, usize)> {
    let url = format!("{origin}/v0/b/{BUCKET}/o/{name}?alt=media");
    let start = Instant::now();
    let reply = client.get(url).bearer_auth("owner").send().await?.error_for_status()?;
    let mut stream = reply.bytes_stream();
    let mut size = 0;
    while let Some(chunk) = stream.try_next().await? {
        size += chunk.len();
    }
    Ok((start.elapsed(), size))
}

fn median_ms(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, |time| round(time.as_secs_f64() * 1_000.0))
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

async fn measure(origin: &str, pid: u32) -> Outcome<Value> {
    // The client needs a provider even without encryption.
    _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let start_memory = memory(pid)?.0;
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let name = format!("m{round}");
        up.push(put(&client, origin, &name, content(MIB, round)).await?);
        down.push(get(&client, origin, &name).await?.0);
    }
    let after_mebibytes = memory(pid)?;
    let data = content(100 * MIB, 7_777);
    let large_up = put(&client, origin, "large", data).await?;
    let (large_down, size) = get(&client, origin, "large").await?;
    if size != 100 * MIB {
        return Err("the large file came back with another length".into());
    }
    let after_large = memory(pid)?;
    let images: Vec<_> = (0..SMALL).map(|i| (i, content(SMALL_BYTES, 10_000 + i))).collect();
    let start = Instant::now();
    futures::stream::iter(images)
        .map(|(i, data)| {
            let client = &client;
            async move { put(client, origin, &format!("users%2Fu%2Fs{i}"), data).await }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<_>>()
        .await?;
    let small_up = start.elapsed();
    let start = Instant::now();
    futures::stream::iter(0..SMALL)
        .map(|i| {
            let client = &client;
            async move { get(client, origin, &format!("users%2Fu%2Fs{i}")).await }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<_>>()
        .await?;
    let small_down = start.elapsed();
    let end = memory(pid)?;
    let per_second = |time: Duration| round(SMALL as f64 / time.as_secs_f64());
    let rate = |time: Duration| round(100.0 / time.as_secs_f64());
    Ok(json!({
        "1 MiB up, median ms": median_ms(up),
        "1 MiB down, median ms": median_ms(down),
        "100 MiB up, MiB/s": rate(large_up),
        "100 MiB down, MiB/s": rate(large_down),
        "1,000 images of 8 KiB up (16 at once), per s": per_second(small_up),
        "1,000 images of 8 KiB down, per s": per_second(small_down),
        "server memory at the start, MiB": round(start_memory),
        "after the 1 MiB rounds, MiB": round(after_mebibytes.0),
        "after 100 MiB, MiB": round(after_large.0),
        "at the end, MiB": round(end.0),
        "largest, MiB": round(end.1),
    }))
}
