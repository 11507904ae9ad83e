//! Users' own functions: their unmodified source in Node child processes.
//!
//! A source describes itself once (`manifest`) and runs in a bounded pool of workers (`pool`, `worker`), reached over
//! unix sockets (`connect`), with the environment the SDKs expect (`environment`). Requests are passed on unchanged; a
//! call ends at its function's deadline whatever its worker does.

mod background;
mod check;
mod claim;
mod connect;
mod environment;
mod log;
mod manifest;
mod pool;
mod reload;
mod sdk;
mod serve;
#[cfg(test)]
mod tests;
mod worker;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use auth_emu::OperatorToken;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use docstore::{Code, Error, Result};
use futures::FutureExt;
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Request, Uri};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};

pub(crate) use background::Functions;
pub(crate) use check::check;
use claim::{Claim, ClaimedBody};
pub(crate) use log::{FunctionLog, LogLine};
pub(crate) use manifest::{Endpoint, Kind, RateLimits, RetryConfig};
use pool::{Lease, Pool};
use sdk::Sdk;
pub(crate) use serve::NodeServer;
use worker::Launcher;

/// Default time limit of a call, as in the cloud.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time limit a function may declare, as in the cloud.
const MAX_TIMEOUT: Duration = Duration::from_secs(3_600);
/// Time limit of a call of functions under a debugger.
const INSPECTED_TIMEOUT: Duration = Duration::from_secs(24 * 3_600);
/// Default heap of a worker, in MiB: the cloud's default size.
const DEFAULT_HEAP_MIB: u32 = 256;
/// Largest memory a function may declare, in MiB, as in the cloud.
const MAX_HEAP_MIB: u32 = 32 << 10;
/// Memory a worker may hold outside its heap, mainly buffers, in MiB.
const BESIDE_HEAP_MIB: u32 = 512;
/// Least pool size, so that one stuck call never blocks all others.
const FEWEST_WORKERS: usize = 4;

const TARGET: HeaderName = HeaderName::from_static("x-tuckbox-target");
/// Number by which the worker claims a request before it runs it; set by the host alone.
const CLAIM: HeaderName = HeaderName::from_static("x-tuckbox-claim");
/// Marks a request as an event; set by the host alone.
const SIGNATURE: HeaderName = HeaderName::from_static("x-tuckbox-signature");
/// Headers of one connection, never passed on.
const HOP_BY_HOP: [HeaderName; 7] = [
    header::CONNECTION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
];

/// Settings of one source.
#[derive(Debug, Clone)]
struct NodeOptions {
    /// The Node program.
    node: PathBuf,
    /// The folder with the source's package.json.
    source: PathBuf,
    /// The project the functions belong to.
    project: String,
    /// Environment variables that tell SDKs the services' addresses.
    services: Vec<(&'static str, String)>,
    /// Most workers; `None` is two for each core.
    workers: Option<usize>,
    /// Receives the functions' output.
    log: Arc<FunctionLog>,
    /// Credential for documents and files in serving mode; in emulator mode `owner` is enough.
    operator: Option<OperatorToken>,
    /// Port of Node's inspector: then there is one worker, and its calls have no deadlines.
    inspect: Option<u16>,
}

/// The functions of one source.
#[derive(Debug)]
struct NodeFunctions {
    endpoints: std::collections::BTreeMap<String, Arc<Endpoint>>,
    pool: Arc<Pool>,
    log: Arc<FunctionLog>,
    inspected: bool,
}

impl NodeFunctions {
    /// Discovers the source's functions while its first worker starts.
    ///
    /// # Errors
    /// The source is missing, its packages are not installed, or it does not load; with its own output.
    async fn load(options: NodeOptions) -> Result<Self> {
        let source = std::fs::canonicalize(&options.source).map_err(|cause| {
            let message =
                format!("functions.source names {}, which does not exist", options.source.display());
            Error::new(Code::FailedPrecondition, "NoFunctionsSource", message).with_source(cause)
        })?;
        let sdk = Sdk::of(&source)?;
        let variables = {
            let own = if options.operator.is_some() { environment::SERVED } else { environment::EMULATED };
            environment::environment(&source, &options.project, own, &options.services)?
        };
        let machine = environment::machine(std::env::vars_os(), options.operator.is_some());
        let inspected = options.inspect.is_some();
        let start = |variables, heap_mib, scratch| -> Result<Arc<Pool>> {
            let launcher = Launcher {
                node: options.node.clone(),
                source: source.clone(),
                variables,
                operator: options.operator.clone(),
                machine: machine.clone(),
                heap_mib,
                inspect: options.inspect,
                most_bytes: u64::from(heap_mib + BESIDE_HEAP_MIB) << 20,
                scratch,
                log: Arc::clone(&options.log),
            };
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let most = options.workers.unwrap_or((cores * 2).max(FEWEST_WORKERS));
            Pool::new(launcher, if inspected { 1 } else { most })
        };
        let early = start(variables.clone(), DEFAULT_HEAP_MIB, scratch()?)?;
        // Two workers cannot have the inspector's port.
        if !inspected {
            early.warm();
        }
        let described = scratch()?;
        let found =
            manifest::discover(&options.node, &machine, &sdk, &source, &variables, described.path()).await;
        let manifest = found.inspect_err(|_| early.stop())?;
        let declared = manifest.secrets();
        let secrets = environment::secrets(&source).inspect_err(|_| early.stop())?;
        let secrets = secrets.into_iter().filter(|(name, _)| declared.contains(name));
        let added: Vec<_> = manifest.defaults(&variables).into_iter().chain(secrets).collect();
        let pool = early.clone();
        let log = Arc::clone(&options.log);
        let load = || {
            let known = added.is_empty();
            let variables = variables.into_iter().chain(added).collect();
            let endpoints = manifest.endpoints(&variables)?;
            let heap_mib = heap_mib(endpoints.values());
            let pool = if known && heap_mib == DEFAULT_HEAP_MIB {
                pool
            } else {
                // The early worker lacks the parameters' defaults, the secrets and the memory that the functions
                // declare; a process's environment and heap are fixed at its start.
                pool.stop();
                start(variables, heap_mib, scratch()?)?
            };
            pool.warm();
            Ok(Self { endpoints, pool, log, inspected })
        };
        load().inspect_err(|_| early.stop())
    }

    /// Time limit of a call. Somebody with a debugger takes as long as they like.
    fn timeout(&self, endpoint: &Endpoint) -> Duration {
        if self.inspected { INSPECTED_TIMEOUT } else { timeout(endpoint) }
    }

    /// Kills all workers.
    fn stop(&self) {
        self.pool.stop();
    }

    /// Passes an HTTP request to a function and its response back. `path` is the function's own path, without the
    /// prefix that addresses it, but with the query.
    ///
    /// # Errors
    /// No worker was available, the worker died, or the deadline passed before the response began.
    async fn call(&self, endpoint: &Endpoint, path: &str, request: Request<Body>) -> Result<Response> {
        self.call_as(endpoint, None, path, request).await
    }

    /// Like [`Self::call`], with an event of type `signature`.
    async fn call_as(
        &self,
        endpoint: &Endpoint,
        signature: Option<&'static str>,
        path: &str,
        request: Request<Body>,
    ) -> Result<Response> {
        let started = Instant::now();
        let (worker, answered) =
            self.pass(started + self.timeout(endpoint), endpoint, signature, path, request).await;
        let outcome = answered.as_ref().map(|response| response.status().as_u16()).map_err(Error::message);
        self.log.call(&endpoint.entry_point, worker, outcome, started.elapsed());
        answered
    }

    /// Sends the request to a worker. Returns the response and the worker's lease.
    async fn pass(
        &self,
        deadline: Instant,
        endpoint: &Endpoint,
        signature: Option<&'static str>,
        path: &str,
        request: Request<Body>,
    ) -> (Option<u64>, Result<Response>) {
        let mut request = match addressed(request, endpoint, signature, path) {
            Ok(request) => request,
            Err(error) => return (None, Err(error)),
        };
        loop {
            let lease = match timeout_at(deadline, self.pool.acquire()).await {
                Ok(Ok(lease)) => lease,
                Ok(Err(error)) => return (None, Err(error)),
                Err(_) => return (None, Err(too_late())),
            };
            let worker = Some(lease.worker().id);
            if !lease.is_shared() {
                lease.worker().expect_until(deadline);
                return (worker, send(lease, deadline, request).await);
            }
            match offer(lease, deadline, request).await {
                Offered::Taken(answered) => return (worker, answered),
                Offered::Withdrawn(again) => request = again,
            }
        }
    }
}

/// Heap of the workers, in MiB: each worker serves all functions.
fn heap_mib<'a>(endpoints: impl Iterator<Item = &'a Arc<Endpoint>>) -> u32 {
    let declared = endpoints.filter_map(|endpoint| endpoint.available_memory_mb).max().unwrap_or_default();
    u32::try_from(declared).unwrap_or(MAX_HEAP_MIB).clamp(DEFAULT_HEAP_MIB, MAX_HEAP_MIB)
}

/// The request in the form a worker expects.
fn addressed(
    mut request: Request<Body>,
    endpoint: &Endpoint,
    signature: Option<&'static str>,
    path: &str,
) -> Result<Request<Body>> {
    *request.uri_mut() =
        Uri::builder().scheme("http").authority("worker").path_and_query(path).build().map_err(|cause| {
            Error::invalid("BadFunctionPath", "the path is not a valid one").with_source(cause)
        })?;
    *request.version_mut() = http::Version::HTTP_11;
    clean(request.headers_mut());
    request.headers_mut().insert(TARGET, entry_point(endpoint)?);
    if let Some(signature) = signature {
        request.headers_mut().insert(SIGNATURE, HeaderValue::from_static(signature));
    }
    Ok(request)
}

fn scratch() -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("tuckbox-functions-")
        .tempdir()
        .map_err(|cause| Error::internal("WorkerScratch", "cannot make a temporary folder", cause))
}

fn timeout(endpoint: &Endpoint) -> Duration {
    endpoint.timeout_seconds.map_or(DEFAULT_TIMEOUT, Duration::from_secs).min(MAX_TIMEOUT)
}

fn too_late() -> Error {
    Error::new(Code::DeadlineExceeded, "FunctionDeadline", "the function did not answer in its time")
}

fn entry_point(endpoint: &Endpoint) -> Result<HeaderValue> {
    HeaderValue::from_str(&endpoint.entry_point).map_err(|cause| {
        let message = "a function's name may only have letters, digits, dots and underscores";
        Error::invalid("BadFunctionName", message).with_source(cause)
    })
}

/// Removes the headers of the connection and those reserved for the host.
fn clean(headers: &mut HeaderMap) {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    headers.remove(HeaderName::from_static("keep-alive"));
    headers.remove(TARGET);
    headers.remove(CLAIM);
    headers.remove(SIGNATURE);
}

/// The end of an offer to a worker.
enum Offered {
    /// The worker claimed the request.
    Taken(Result<Response>),
    /// The worker's event loop is late, and the request has not run.
    Withdrawn(Request<Body>),
}

/// Offers a request to a busy worker, and takes it back if the worker's event loop is late before it claims it.
async fn offer(lease: Lease, deadline: Instant, request: Request<Body>) -> Offered {
    let (parts, body) = request.into_parts();
    let claim = Claim::new(body, deadline);
    let worker = Arc::clone(lease.worker());
    let offer = worker.offer(Arc::clone(&claim));
    let mut offered = Request::from_parts(parts.clone(), Body::new(ClaimedBody(Arc::clone(&claim))));
    offered.headers_mut().insert(CLAIM, HeaderValue::from(offer.number));
    let answer = send(lease, deadline, offered);
    tokio::pin!(answer);
    let withdrawn = async {
        worker.late().await;
        match claim.withdraw() {
            Some(body) => body,
            // The worker has it.
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        answered = &mut answer => Offered::Taken(answered),
        body = withdrawn => Offered::Withdrawn(Request::from_parts(parts, body)),
    }
}

async fn send(mut lease: Lease, deadline: Instant, request: Request<Body>) -> Result<Response> {
    let answer = timeout_at(deadline, lease.worker().client.request(request)).await;
    let response = match answer {
        Ok(Ok(response)) => {
            lease.answered();
            response
        }
        Ok(Err(cause)) => {
            lease.worker().news().await;
            let message = "the function's worker ended before it answered; the log has why";
            return Err(Error::new(Code::Unavailable, "WorkerEnded", message).with_source(cause));
        }
        Err(_) => {
            // A stuck event loop never notices that its caller has gone.
            if lease.worker().is_stuck() {
                lease.worker().kill();
            }
            return Err(too_late());
        }
    };
    let (mut parts, body) = response.into_parts();
    for name in HOP_BY_HOP {
        parts.headers.remove(name);
    }
    parts.headers.remove(HeaderName::from_static("keep-alive"));
    let body = Leased { body: Body::new(body), deadline: Box::pin(sleep_until(deadline)), _lease: lease };
    Ok((parts, Body::new(body)).into_response())
}

/// A response body that keeps its worker's lease until it is finished, dropped or past the deadline.
struct Leased {
    body: Body,
    deadline: Pin<Box<Sleep>>,
    _lease: Lease,
}

impl HttpBody for Leased {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.deadline.poll_unpin(context).is_ready() {
            return Poll::Ready(Some(Err(axum::Error::new(too_late()))));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
