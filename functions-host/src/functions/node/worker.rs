//! One Node worker process: start, supervision and end.
//!
//! The worker connects to the control socket once the user's source is loaded and sends heartbeats while its event loop
//! runs. That one connection tells the host of readiness, of a stuck loop and of the worker's death, and tells the
//! worker of the host's end, so that no crash leaves it behind. If its loop is stuck, a thread of its own notices.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use auth_emu::OperatorToken;
use docstore::{Code, Error, Result};
use parking_lot::{Mutex, MutexGuard};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::claim::Claim;
use super::connect::{WorkerClient, client};
use super::environment::Machine;
use super::log::{FunctionLog, Level, Printed};
use crate::host::confinement::outgrown;

/// Time limit for loading a source in a worker.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// An event loop silent for this long is late: two heartbeats and some slack.
const LATE_AFTER: Duration = Duration::from_millis(600);
/// An event loop silent for this long is stuck: eight heartbeats.
const STUCK_AFTER: Duration = Duration::from_secs(2);
/// Interval of checks on a worker: that of its heartbeats.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Longest line that a worker may send over its control socket, in bytes.
const MAX_CONTROL_LINE: usize = 64;
/// Longest line of output logged whole, in bytes.
const MAX_LOG_LINE: u64 = 8 << 10;
/// Most lines of output logged per second; further ones are counted and dropped.
const MAX_LOG_LINES_PER_SECOND: u32 = 200;

/// The program run by every worker.
const RUNTIME: &str = include_str!("runtime.mjs");
/// The runtime's module that sends the worker's credential.
const CREDENTIAL: &str = include_str!("credential.mjs");

/// Everything needed to start workers of one source.
#[derive(Debug)]
pub(super) struct Launcher {
    pub(super) node: PathBuf,
    pub(super) source: PathBuf,
    pub(super) variables: BTreeMap<String, String>,
    /// The inherited environment.
    pub(super) machine: Machine,
    /// Credential for documents and files, unless `owner` is enough.
    pub(super) operator: Option<OperatorToken>,
    /// Largest JavaScript heap, in MiB; Node ends a worker that exceeds it.
    pub(super) heap_mib: u32,
    /// Largest total memory of a worker, in bytes; the host ends a worker that exceeds it.
    pub(super) most_bytes: u64,
    /// Port of Node's inspector; only one worker can have it.
    pub(super) inspect: Option<u16>,
    /// Holds the runtime program and the sockets; deleted with the launcher.
    pub(super) scratch: tempfile::TempDir,
    /// Receives the workers' output.
    pub(super) log: Arc<FunctionLog>,
}

/// A running worker.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) id: u64,
    pub(super) client: WorkerClient,
    pub(super) in_flight: AtomicUsize,
    /// A debugger may attach.
    inspected: bool,
    dead: AtomicBool,
    last_beat: Mutex<Instant>,
    /// Set when a request was abandoned; until the next heartbeat the loop may be stuck.
    left: Mutex<Option<Instant>>,
    /// The latest deadline of its requests.
    wanted_until: Mutex<Instant>,
    /// Requests on offer to it, by the numbers of their headers.
    offers: Mutex<HashMap<u64, Arc<Claim>>>,
    next_offer: AtomicU64,
    /// Notified by every heartbeat and by the end.
    news: Notify,
    kill: Notify,
}

/// A request on offer to a worker; it is off again once this is dropped.
pub(super) struct Offer<'a> {
    worker: &'a Worker,
    /// Its number, which the worker claims it by.
    pub(super) number: u64,
}

impl Drop for Offer<'_> {
    fn drop(&mut self) {
        self.worker.offers().remove(&self.number);
    }
}

impl Worker {
    /// True if it can take another request.
    pub(super) fn is_alive(&self) -> bool {
        !self.dead.load(Ordering::Acquire)
    }

    /// True if its event loop is stuck. A debugger may have stopped an inspected one.
    pub(super) fn is_stuck(&self) -> bool {
        !self.inspected && self.silence() > STUCK_AFTER
    }

    /// True if its event loop may be stuck; new requests avoid it.
    pub(super) fn is_late(&self) -> bool {
        let beat = *self.last_beat.lock();
        let left = *self.left.lock();
        !self.inspected && (beat.elapsed() > LATE_AFTER || left.is_some_and(|left| left >= beat))
    }

    /// Records that a request was abandoned without a response: the loop may be stuck.
    pub(super) fn doubt(&self) {
        *self.left.lock() = Some(Instant::now());
    }

    fn silence(&self) -> Duration {
        self.last_beat.lock().elapsed()
    }

    /// Records that a caller waits until `deadline`.
    pub(super) fn expect_until(&self, deadline: Instant) {
        let mut until = self.wanted_until.lock();
        *until = deadline.max(*until);
    }

    /// Offers it a request.
    pub(super) fn offer(&self, claim: Arc<Claim>) -> Offer<'_> {
        let number = self.next_offer.fetch_add(1, Ordering::Relaxed);
        self.offers().insert(number, claim);
        Offer { worker: self, number }
    }

    /// The worker claims a request; false if it is not on offer any more.
    fn claimed(&self, number: u64) -> bool {
        let claim = self.offers().remove(&number);
        claim.is_some_and(|claim| {
            self.expect_until(claim.deadline);
            claim.take()
        })
    }

    fn offers(&self) -> MutexGuard<'_, HashMap<u64, Arc<Claim>>> {
        self.offers.lock()
    }

    /// Waits until its event loop may be stuck, or it ends.
    pub(super) async fn late(&self) {
        while self.is_alive() && !self.is_late() {
            tokio::time::sleep(LATE_AFTER.saturating_sub(self.silence()) + Duration::from_millis(1)).await;
        }
    }

    /// True if it is stuck and no caller waits for it; a stuck loop never notices that its callers have gone.
    fn is_abandoned(&self) -> bool {
        let until = *self.wanted_until.lock();
        self.is_stuck() && (self.in_flight.load(Ordering::Acquire) == 0 || Instant::now() > until)
    }

    /// Supervises the worker until it ends, and kills it when it is stuck without callers. `report` receives true each
    /// time it is found late, and false when it no longer is.
    pub(super) async fn supervise(&self, report: impl Fn(bool) + Send) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let mut was_late = false;
        while self.is_alive() {
            looks.tick().await;
            if self.is_abandoned() {
                tracing::warn!(target: "functions", worker = self.id, "ended a stuck worker that no caller waits for");
                self.kill();
                return;
            }
            let late = self.is_late();
            if late || was_late {
                report(late);
            }
            was_late = late;
        }
    }

    /// Kills it; its requests fail.
    pub(super) fn kill(&self) {
        self.dead.store(true, Ordering::Release);
        self.kill.notify_one();
    }

    /// Waits for the next heartbeat or the end: a broken connection may be the first sign of death.
    pub(super) async fn news(&self) {
        let news = self.news.notified();
        if self.is_alive() {
            // No heartbeat for this long is an answer too: it is stuck.
            let _ = tokio::time::timeout(STUCK_AFTER, news).await;
        }
    }

    fn beat(&self) {
        *self.last_beat.lock() = Instant::now();
        self.news.notify_waiters();
    }
}

impl Launcher {
    /// Writes the runtime program to the scratch folder.
    pub(super) fn prepare(&self) -> Result<()> {
        std::fs::write(self.runtime_path(), RUNTIME)
            .and_then(|()| std::fs::write(self.scratch.path().join("credential.mjs"), CREDENTIAL))
            .map_err(|cause| Error::internal("WorkerRuntime", "cannot write the worker's program", cause))
    }

    fn runtime_path(&self) -> PathBuf {
        self.scratch.path().join("runtime.mjs")
    }

    /// Starts a worker and waits until it has loaded the source. `ended` is notified when it dies.
    pub(super) async fn start(&self, id: u64, ended: Arc<Notify>) -> Result<Arc<Worker>> {
        let path = |name: &str| self.scratch.path().join(format!("{id}.{name}"));
        let (socket, control_path) = (path("sock"), path("control"));
        let control = UnixListener::bind(&control_path)
            .map_err(|cause| Error::internal("WorkerSocket", "cannot open a worker's socket", cause))?;
        let mut child = self.spawn(&socket, &control_path)?;
        let (mut said, errors) = (child.stdout.take(), child.stderr.take());
        if let Some(stdout) = said.take() {
            tokio::spawn(log_lines(stdout, id, false, Arc::clone(&self.log)));
        }
        if let Some(stderr) = errors {
            tokio::spawn(log_lines(stderr, id, true, Arc::clone(&self.log)));
        }
        let connected = tokio::select! {
            accepted = tokio::time::timeout(START_TIMEOUT, control.accept()) => accepted,
            status = child.wait() => {
                return Err(does_not_start(&self.source, &format!("it ended with {}", describe(status))));
            }
        };
        let stream = match connected {
            Ok(Ok((stream, _))) => stream,
            Ok(Err(cause)) => {
                return Err(Error::internal("WorkerSocket", "cannot accept a worker", cause));
            }
            Err(_) => {
                let why = format!("it was not ready within {} s", START_TIMEOUT.as_secs());
                return Err(does_not_start(&self.source, &why));
            }
        };
        let worker = Arc::new(Worker {
            id,
            client: client(socket.clone()),
            in_flight: AtomicUsize::new(0),
            inspected: self.inspect.is_some(),
            dead: AtomicBool::new(false),
            last_beat: Mutex::new(Instant::now()),
            left: Mutex::default(),
            wanted_until: Mutex::new(Instant::now()),
            offers: Mutex::default(),
            next_offer: AtomicU64::new(1),
            news: Notify::new(),
            kill: Notify::new(),
        });
        tokio::spawn(watch(worker.clone(), child, stream, ended, [socket, control_path], self.most_bytes));
        Ok(worker)
    }

    fn spawn(&self, socket: &Path, control: &Path) -> Result<Child> {
        Command::new(&self.node)
            .arg(format!("--max-old-space-size={}", self.heap_mib))
            .args(self.inspect.map(|port| format!("--inspect=127.0.0.1:{port}")))
            .arg(self.runtime_path())
            .current_dir(&self.source)
            .env_clear()
            .envs(&self.machine)
            .envs(&self.variables)
            // Some SDK releases resolve their files from it.
            .env("PWD", &self.source)
            .env("TUCKBOX_FUNCTIONS_SOURCE", &self.source)
            .env("TUCKBOX_FUNCTIONS_SOCKET", socket)
            .env("TUCKBOX_FUNCTIONS_CONTROL", control)
            .env("TUCKBOX_FUNCTIONS_HOST", std::process::id().to_string())
            .envs(self.operator.iter().map(|operator| ("TUCKBOX_FUNCTIONS_CREDENTIAL", operator.secret())))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|cause| {
                Error::new(
                    Code::FailedPrecondition,
                    "NoNode",
                    format!("cannot run {}: Node.js is needed for functions", self.node.display()),
                )
                .with_source(cause)
            })
    }
}

fn does_not_start(source: &Path, why: &str) -> Error {
    let message =
        format!("the functions of {} do not start: {why}; the log has what they printed", source.display());
    Error::new(Code::Unavailable, "WorkerDoesNotStart", message)
}

fn describe(status: std::io::Result<std::process::ExitStatus>) -> String {
    status.map_or_else(|error| error.to_string(), |status| status.to_string())
}

/// Owns the child until it ends: reads its heartbeats, kills it on demand, and notifies the pool.
async fn watch(
    worker: Arc<Worker>,
    mut child: Child,
    mut control: UnixStream,
    ended: Arc<Notify>,
    files: [PathBuf; 2],
    most_bytes: u64,
) {
    let process = child.id();
    let outgrown = outgrown(process, most_bytes);
    tokio::pin!(outgrown);
    let mut said = Vec::new();
    let mut wanted = false;
    loop {
        tokio::select! {
            read = control.read_buf(&mut said) => {
                if !matches!(read, Ok(bytes) if bytes > 0) {
                    break;
                }
                // Whatever it says, its loop runs.
                worker.beat();
                let answers = answers_to(&worker, &mut said);
                if said.len() > MAX_CONTROL_LINE || control.write_all(answers.as_bytes()).await.is_err() {
                    break;
                }
            }
            () = worker.kill.notified() => {
                wanted = true;
                break;
            }
            () = &mut outgrown => {
                let most = most_bytes >> 20;
                tracing::warn!(target: "functions", worker = worker.id, "ended a worker that exceeded {most} MiB of memory");
                break;
            }
        }
    }
    worker.dead.store(true, Ordering::Release);
    worker.news.notify_waiters();
    // The child may have ended already.
    let _ = child.start_kill();
    let status = describe(child.wait().await);
    if wanted {
        tracing::debug!(target: "functions", worker = worker.id, status, "worker ended");
    } else {
        tracing::info!(target: "functions", worker = worker.id, status, "worker ended");
    }
    for file in files {
        let _ = std::fs::remove_file(file);
    }
    ended.notify_waiters();
}

/// Reads whole lines off `said`; answers each claim of a request, `claim N`, with `go N` or `no N`.
fn answers_to(worker: &Worker, said: &mut Vec<u8>) -> String {
    let whole = said.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines: Vec<u8> = said.drain(..whole).collect();
    String::from_utf8_lossy(&lines)
        .lines()
        .filter_map(|line| line.strip_prefix("claim ")?.parse().ok())
        .map(|number| format!("{} {number}\n", if worker.claimed(number) { "go" } else { "no" }))
        .collect()
}

/// Logs a worker's output, within the limits.
async fn log_lines(output: impl AsyncRead + Unpin, worker: u64, error: bool, log: Arc<FunctionLog>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    let (mut second, mut lines, mut dropped) = (Instant::now(), 0_u32, 0_u64);
    loop {
        line.clear();
        match (&mut reader).take(MAX_LOG_LINE).read_until(b'\n', &mut line).await {
            Ok(bytes) if bytes > 0 => {}
            _ => return,
        }
        if second.elapsed() >= Duration::from_secs(1) {
            if dropped > 0 {
                tracing::warn!(target: "functions", worker, dropped, "lines of output not logged");
            }
            (second, lines, dropped) = (Instant::now(), 0, 0);
        }
        lines += 1;
        if lines > MAX_LOG_LINES_PER_SECOND {
            dropped += 1;
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let printed = Printed::read(text.trim_end());
        let (level, text) = log.output(worker, error, &printed);
        let function = printed.function;
        match level {
            Level::Debug => tracing::debug!(target: "functions", worker, function, "{text}"),
            Level::Info => tracing::info!(target: "functions", worker, function, "{text}"),
            Level::Warn => tracing::warn!(target: "functions", worker, function, "{text}"),
            Level::Error => tracing::error!(target: "functions", worker, function, "{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn megabytes_of_output_leave_a_few_lines() {
        let log = Arc::new(FunctionLog::new(Arc::new(docstore::clock::SystemClock)));
        let many = "x\n".repeat(20_000);
        log_lines(many.as_bytes(), 1, false, Arc::clone(&log)).await;
        assert_eq!(log.lines().after(0, usize::MAX).len(), MAX_LOG_LINES_PER_SECOND as usize);

        let log = Arc::new(FunctionLog::new(Arc::new(docstore::clock::SystemClock)));
        let endless = "y".repeat(4_000_000);
        log_lines(endless.as_bytes(), 1, true, Arc::clone(&log)).await;
        let lines = log.lines().after(0, usize::MAX);
        assert_eq!(lines.len(), MAX_LOG_LINES_PER_SECOND as usize);
        assert!(lines.iter().all(|(_, line)| line.text.len() <= MAX_LOG_LINE as usize));
    }
}
