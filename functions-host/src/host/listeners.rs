//! Ports: binding, accepting, and serving HTTP/1.1 and HTTP/2 on each, in cleartext or over TLS ([`crate::host::tls`]).
//!
//! One semaphore counts the connections of all ports: at the limit, new ones wait in the kernel's queue. An address at
//! its fair share ([`crate::host::fair`]) gets an error on its next connection, which then closes.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use docstore::shares::Share;
use docstore::{Code, Error, Result};
use http::header::{CONNECTION, UPGRADE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::server::TlsStream;

use crate::host::config::Service;
use crate::host::fair::{self, FairShares};
use crate::host::lifecycle::{Lifecycle, Phase};
use crate::host::metrics::Metrics;
use crate::host::settings::{Endpoint, SiteNumber};
use crate::host::tls::{self, Tls};

mod ending;

/// Most open connections, over all ports.
pub const MAX_CONNECTIONS: usize = 8192;

/// Concurrent connections that are told of their address's limit; further ones are closed without a response.
const MAX_REFUSALS: usize = 64;

/// Time for such a connection to send a request and receive the refusal.
const REFUSAL: Duration = Duration::from_secs(5);

/// Largest head of a request (line and headers), in bytes.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Most header fields of a request over HTTP/1.1.
pub const MAX_HEADERS: usize = 128;

/// Most requests in flight on one HTTP/2 connection.
pub const MAX_STREAMS: u32 = 512;

/// Idle time allowed before the next request of a connection.
pub const IDLE: Duration = Duration::from_secs(90);

/// Interval of pings on a silent HTTP/2 connection, and the time limit of a response to one.
const PING: Duration = Duration::from_secs(20);

/// HTTP/2 flow-control window of one stream, in bytes: enough to keep a fast upload going.
const STREAM_WINDOW_BYTES: u32 = 1024 * 1024;

/// HTTP/2 flow-control window of a connection, in bytes.
const CONNECTION_WINDOW_BYTES: u32 = 4 * 1024 * 1024;

/// Wait after a failed accept; usually the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Further ports tried for an endpoint whose usual port is taken, before any free one is.
const NEXT_PORTS: u16 = 64;

/// A port that is bound but not yet served.
#[derive(Debug)]
pub struct Listener {
    /// The service of the port.
    pub service: Service,
    /// The site served, on a hosting port.
    pub site: SiteNumber,
    /// Its address.
    pub address: SocketAddr,
    socket: TcpListener,
}

impl Listener {
    /// The port itself, for somebody else to serve.
    pub(crate) fn into_socket(self) -> TcpListener {
        self.socket
    }
}

/// Binds all endpoints or none. Chosen ports come first, then the usual ones, so that an endpoint that moves to the next
/// free port takes neither.
///
/// # Errors
/// `PortTaken`, `PortForbidden`, `HostUnknown`: the endpoint, and what to do.
pub async fn bind(endpoints: &[Endpoint]) -> Result<Vec<Listener>> {
    let mut sockets: Vec<Option<TcpListener>> = endpoints.iter().map(|_| None).collect();
    for fixed in [true, false] {
        for (endpoint, socket) in endpoints.iter().zip(&mut sockets) {
            if endpoint.fixed != fixed {
                continue;
            }
            *socket = match TcpListener::bind((endpoint.host.as_str(), endpoint.port)).await {
                Ok(socket) => Some(socket),
                Err(cause) if cause.kind() == ErrorKind::AddrInUse && !fixed => None,
                Err(cause) => return Err(cannot_bind(endpoint, cause)),
            };
        }
    }
    let mut listeners = Vec::with_capacity(endpoints.len());
    for (endpoint, socket) in endpoints.iter().zip(sockets) {
        let bound = match socket {
            Some(socket) => Ok(socket),
            None => next_free(endpoint).await,
        };
        let bound = bound.and_then(|socket| Ok((socket.local_addr()?, socket)));
        let (address, socket) = bound.map_err(|cause| cannot_bind(endpoint, cause))?;
        listeners.push(Listener { service: endpoint.service, site: endpoint.site, address, socket });
    }
    Ok(listeners)
}

/// A socket on one of the next ports, else on any free one.
async fn next_free(endpoint: &Endpoint) -> std::io::Result<TcpListener> {
    let next = (1..=NEXT_PORTS).filter_map(|away| endpoint.port.checked_add(away));
    // The usual port of functions would be mistaken for them.
    let next = next.filter(|port| *port != Service::Functions.default_port());
    for port in next.chain([0]) {
        match TcpListener::bind((endpoint.host.as_str(), port)).await {
            Err(cause) if cause.kind() == ErrorKind::AddrInUse => {}
            bound => return bound,
        }
    }
    Err(ErrorKind::AddrInUse.into())
}

fn cannot_bind(endpoint: &Endpoint, cause: std::io::Error) -> Error {
    let Endpoint { service, host, port, .. } = endpoint;
    let key = service.key();
    let option = if *service == Service::Hosting { "--port PORT (0 picks a free one) or " } else { "" };
    let (tag, what) = match cause.kind() {
        ErrorKind::AddrInUse => (
            "PortTaken",
            format!(
                "port {port} on {host} ({key}) is taken by another program; stop that one, or choose another port with {option}emulators.{key}.port in firebase.json"
            ),
        ),
        ErrorKind::PermissionDenied => (
            "PortForbidden",
            format!(
                "port {port} on {host} ({key}) may not be opened by this user; choose one above 1023 with {option}emulators.{key}.port in firebase.json"
            ),
        ),
        _ => (
            "HostUnknown",
            format!(
                "cannot listen on {host} port {port} ({key}): {cause}; choose an address of this machine with --host or emulators.{key}.host in firebase.json"
            ),
        ),
    };
    Error::new(Code::FailedPrecondition, tag, what).with_source(cause)
}

/// Answers the requests of connections.
pub trait Answer: Send + Sync + 'static {
    /// Fair shares of connections.
    fn fair(&self) -> &FairShares;

    /// The metrics that count connections.
    fn metrics(&self) -> &Metrics;

    /// Answers a request of `peer` to the port of `service`.
    fn handle(
        &self,
        service: Service,
        peer: SocketAddr,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + Send;
}

/// Serves `listener` until shutdown begins, over TLS if there is a certificate. Connections end as directed by `lifecycle`.
pub async fn serve(
    listener: Listener,
    tls: Option<Tls>,
    invoker: Arc<impl Answer>,
    connections: Arc<Semaphore>,
    lifecycle: Lifecycle,
) {
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    loop {
        let accepted = tokio::select! {
            biased;
            () = lifecycle.reached(Phase::Draining) => return,
            accepted = accept(&listener.socket, &connections) => accepted,
        };
        let Some((stream, peer, permit)) = accepted else { return };
        let share = match invoker.fair().connection(peer.ip()) {
            Ok(share) => share,
            Err(error) => {
                if let Ok(turn) = Arc::clone(&refusals).try_acquire_owned() {
                    let tls = tls.clone();
                    tokio::spawn(async move {
                        refuse(stream, tls.as_ref(), &error).await;
                        drop((turn, permit));
                    });
                }
                continue;
            }
        };
        let connection = Connection {
            service: listener.service,
            site: listener.site,
            peer,
            tls: tls.clone(),
            invoker: Arc::clone(&invoker),
            lifecycle: lifecycle.clone(),
            held: Arc::new((permit, share)),
        };
        tokio::spawn(connection.serve(stream));
    }
}

/// The next connection and its permit among [`MAX_CONNECTIONS`].
async fn accept(
    socket: &TcpListener,
    connections: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(connections).acquire_owned().await.ok()?;
    loop {
        match socket.accept().await {
            Ok((stream, peer)) => return Some((stream, peer, permit)),
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

struct Connection<A> {
    service: Service,
    site: SiteNumber,
    peer: SocketAddr,
    tls: Option<Tls>,
    invoker: Arc<A>,
    lifecycle: Lifecycle,
    /// Its permits: among all connections, and among those of its address.
    held: Arc<(OwnedSemaphorePermit, Option<Share>)>,
}

/// The permits of a connection, in the extensions of its requests for an upgrade: a socket outlives its request and keeps
/// a copy.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    /// Counts the connection until all copies are dropped.
    _permits: Arc<(OwnedSemaphorePermit, Option<Share>)>,
    /// The shutdown, which waits for all copies.
    pub(crate) lifecycle: Lifecycle,
}

impl<A: Answer> Connection<A> {
    async fn serve(self, stream: TcpStream) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("cannot set TCP_NODELAY: {error}");
        }
        let metrics = self.invoker.metrics().clone();
        let _counted = metrics.connection();
        let first_byte = tokio::select! {
            () = self.lifecycle.reached(Phase::Draining) => return,
            first_byte = tokio::time::timeout(IDLE, stream.readable()) => first_byte,
        };
        if !matches!(first_byte, Ok(Ok(()))) {
            return;
        }
        let opened = tokio::select! {
            () = self.lifecycle.reached(Phase::Cut) => return,
            opened = open(stream, self.peer, self.tls.as_ref()) => opened,
        };
        match opened {
            Ok(Opened::Plain(stream)) => self.converse(stream).await,
            Ok(Opened::Encrypted(stream)) => self.converse(*stream).await,
            Ok(Opened::Refused(stream)) => plain_refused(stream).await,
            Err(error) => tracing::debug!(peer = %self.peer, "a connection could not be opened: {error}"),
        }
    }

    async fn converse(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let Self { service, site, peer, tls: _, invoker, lifecycle, held } = self;
        let held = Held { _permits: held, lifecycle: lifecycle.clone() };
        let answer = service_fn(|request: Request<Incoming>| {
            let invoker = Arc::clone(&invoker);
            let lifecycle = lifecycle.clone();
            // Only a socket outlives its request.
            let held = request.headers().contains_key(UPGRADE).then(|| held.clone());
            async move {
                let mut request = request.map(Body::new);
                if let Some(held) = held {
                    request.extensions_mut().insert(held);
                }
                // The first site is the default.
                if site != SiteNumber::default() {
                    request.extensions_mut().insert(site);
                }
                let response = invoker.handle(service, peer, request).await;
                Ok::<_, Infallible>(endable(response, lifecycle))
            }
        });
        let builder = builder();
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), answer);
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => Some(ended),
            () = lifecycle.reached(Phase::Draining) => None,
        };
        let ended = match ended {
            Some(ended) => ended,
            None => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection.as_mut() => ended,
                    () = lifecycle.reached(Phase::Cut) => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, "connection ended: {error}");
        }
    }
}

/// A connection after its beginning.
enum Opened {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
    /// Another machine speaks plain HTTP to a port with TLS.
    Refused(TcpStream),
}

/// Does the handshake, if the port has TLS.
async fn open(stream: TcpStream, peer: SocketAddr, tls: Option<&Tls>) -> std::io::Result<Opened> {
    let Some(tls) = tls else { return Ok(Opened::Plain(stream)) };
    if tls::begins_with_tls(&stream).await? {
        return Ok(Opened::Encrypted(Box::new(tls.accept(stream).await?)));
    }
    let is_own = tls::is_of_this_machine(peer, stream.local_addr()?);
    Ok(if is_own { Opened::Plain(stream) } else { Opened::Refused(stream) })
}

/// Responds to the first request of a connection with `error` and closes it.
async fn refuse(stream: TcpStream, tls: Option<&Tls>, error: &Error) {
    let refusing = async {
        let answer = |headers: &HeaderMap| fair::refusal(headers, error);
        // `Plain` and `Refused` are answered alike, so any peer will do.
        match open(stream, SocketAddr::from(([127, 0, 0, 1], 0)), tls).await {
            Ok(Opened::Plain(stream) | Opened::Refused(stream)) => say_once(stream, answer).await,
            Ok(Opened::Encrypted(stream)) => say_once(*stream, answer).await,
            Err(error) => tracing::debug!("a refused connection ended: {error}"),
        }
    };
    // Too late, it is closed without a response.
    let _late = tokio::time::timeout(REFUSAL, refusing).await;
}

/// Tells a caller who speaks plain HTTP from elsewhere that the port has TLS.
async fn plain_refused(stream: TcpStream) {
    let answer = |_: &HeaderMap| {
        let mut response = Response::new(Body::from("This port speaks TLS: use https.\n"));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response
    };
    let _late = tokio::time::timeout(REFUSAL, say_once(stream, answer)).await;
}

/// Responds to the first request of a connection and closes it.
async fn say_once(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    answer: impl Fn(&HeaderMap) -> Response<Body>,
) {
    let answer = service_fn(|request: Request<Incoming>| {
        let mut response = answer(request.headers());
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        std::future::ready(Ok::<_, Infallible>(response))
    });
    let builder = builder();
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), answer).await {
        tracing::debug!("a refused connection ended: {error}");
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(MAX_HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING);
    builder
}

/// Ends a body of unknown length at shutdown; other bodies end soon enough by themselves.
fn endable(response: Response<Body>, lifecycle: Lifecycle) -> Response<Body> {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| Body::new(ending::EndingBody::new(body, lifecycle)))
}

#[cfg(test)]
mod tests {
    use docstore::{Code, Error};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::{Endpoint, Service, SiteNumber, bind, refuse};

    #[tokio::test]
    async fn a_usual_port_that_is_taken_moves_and_a_chosen_one_does_not() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let host = "127.0.0.1".to_owned();
        let endpoint = |site, fixed| Endpoint {
            service: Service::Hosting,
            site: SiteNumber(site),
            host: host.clone(),
            port,
            fixed,
        };
        let error = bind(&[endpoint(0, true)]).await.unwrap_err();
        assert_eq!(error.tag(), "PortTaken");
        let found = bind(&[endpoint(0, false), endpoint(1, false)]).await.unwrap();
        let ports: Vec<_> = found.iter().map(|found| found.address.port()).collect();
        assert!(ports[0] != ports[1] && !ports.contains(&port), "{port} {ports:?}");
        assert_eq!(found[1].site, SiteNumber(1));
    }

    #[tokio::test]
    async fn a_port_that_moves_takes_none_that_was_chosen() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let endpoint = |port, fixed| Endpoint {
            service: Service::Firestore,
            site: SiteNumber::default(),
            host: "127.0.0.1".to_owned(),
            port,
            fixed,
        };
        let next = port + 1;
        let found = match bind(&[endpoint(port, false), endpoint(next, true)]).await {
            Ok(found) => found,
            Err(error) => {
                // Another program may have the next one. The failed call has closed its own sockets.
                let taken = std::net::TcpListener::bind(("127.0.0.1", next)).is_err();
                assert!(taken, "the port is free: {error}");
                return;
            }
        };
        assert_eq!(found[1].address.port(), next);
        assert_ne!(found[0].address.port(), next);
    }

    #[tokio::test]
    async fn a_connection_too_many_is_told_so_and_closed() {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut caller = TcpStream::connect(socket.local_addr().unwrap()).await.unwrap();
        caller.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let (stream, _) = socket.accept().await.unwrap();
        let error = Error::new(Code::ResourceExhausted, "ShareUsedUp", "close some");
        let mut answer = String::new();
        let (_, read) = tokio::join!(refuse(stream, None, &error), caller.read_to_string(&mut answer));
        read.unwrap();
        assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("close some"), "{answer}");
    }
}
