//! The invoker: handles every request, from whatever port.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use docstore::clock::SharedClock;
use docstore::shares::Shares;
use futures::future::FutureExt;
use http::header::HOST;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use tokio::time::Instant;
use tower_service::Service as _;
use tracing::Instrument as _;

use crate::emulator::database;
use crate::emulator::faults::{self, Faults};
use crate::emulator::hub::Hub;
use crate::emulator::request_log::RequestLog;
use crate::functions::callable::Callables;
use crate::functions::events;
use crate::functions::node::NodeServer;
use crate::host::config::Service;
use crate::host::fair::{self, FairShares};
use crate::host::health;
use crate::host::hosts::{Hosts, is_control};
use crate::host::listeners::Answer;
use crate::host::metrics::Metrics;
use crate::host::networks::Networks;
use crate::host::origin::Origin;
use crate::host::request_id::RequestIds;
use crate::host::settings::Settings;
use crate::host::sockets::TABLES;
use crate::hosting;

/// All services behind one handler.
///
/// Handlers find the caller's address as [`ConnectInfo`], its provenance as [`Origin`], and the port's [`Service`] in
/// the request's extensions.
#[derive(Debug)]
pub struct Invoker {
    callables: Arc<Callables>,
    node: Option<Arc<NodeServer>>,
    topics: Option<Router>,
    requests: Option<Arc<RequestLog>>,
    faults: Option<Arc<Faults>>,
    hub: Hub,
    metrics: Metrics,
    routes: Router,
    hosts: Hosts,
    /// Headers added to every response that has not set them.
    headers: Vec<(HeaderName, HeaderValue)>,
    ids: RequestIds,
    proxies: Networks,
    fair: FairShares,
    clock: SharedClock,
}

impl Invoker {
    /// Calls go to `callables`, all other requests to `routes`. `clock` is told to clients.
    pub fn new(
        settings: &Settings,
        callables: Arc<Callables>,
        hub: Hub,
        metrics: Metrics,
        routes: Router,
        clock: SharedClock,
    ) -> Self {
        let (hosts, headers) = (Hosts::new(settings), hosting::headers_of_all(settings));
        let ids = RequestIds::default();
        Self {
            callables,
            node: None,
            topics: None,
            requests: None,
            faults: None,
            hub,
            metrics,
            routes,
            hosts,
            headers,
            ids,
            fair: FairShares::new(None, settings.trusted_proxies.clone()),
            proxies: settings.trusted_proxies.clone(),
            clock,
        }
    }

    /// Adds users' own functions.
    #[must_use]
    pub(crate) fn with_node(mut self, node: Option<Arc<NodeServer>>) -> Self {
        self.node = node;
        self
    }

    /// Adds the topics that trigger functions.
    #[must_use]
    pub(crate) fn with_topics(mut self, topics: Option<Router>) -> Self {
        self.topics = topics;
        self
    }

    /// Adds the console's request log.
    #[must_use]
    pub(crate) fn with_requests(mut self, requests: Option<Arc<RequestLog>>) -> Self {
        self.requests = requests;
        self
    }

    /// Adds the faults that tests ask for.
    #[must_use]
    pub(crate) fn with_faults(mut self, faults: Option<Arc<Faults>>) -> Self {
        self.faults = faults;
        self
    }

    /// Adds fair shares per caller, counted in `shares`.
    #[must_use]
    pub(crate) fn with_shares(mut self, shares: Option<Arc<dyn Shares>>) -> Self {
        self.fair = FairShares::new(shares, self.proxies.clone());
        self
    }

    async fn dispatch(&self, service: Service, origin: Origin, request: Request<Body>) -> Response {
        if let Err((status, why)) = self.hosts.check(&request) {
            return (status, why).into_response();
        }
        let path = request.uri().path();
        let met = self.faults.as_ref().filter(|_| !is_control(path)).and_then(|faults| {
            let is_function = self.callables.address(host(&request), path).is_some();
            faults.meet(faults::product(service, path, is_function), request.method(), path)
        });
        let Some(met) = met else { return self.route(service, origin, request).await };
        tokio::time::sleep(met.latency).await;
        if let Some(refusal) = &met.refusal {
            return fair::refusal(request.headers(), refusal);
        }
        let response = self.route(service, origin, request).await;
        match met.cut {
            Some(cut) => cut.apply(response),
            None => response,
        }
    }

    async fn route(&self, service: Service, origin: Origin, mut request: Request<Body>) -> Response {
        if service == Service::Database {
            return database::answer(self.clock.now(), request);
        }
        if request.uri().path().starts_with(TABLES) {
            match self.fair.socket(&origin) {
                Ok(share) => drop(request.extensions_mut().insert(share)),
                Err(error) => return fair::refusal(request.headers(), &error),
            }
        }
        let (uri, named) = (request.uri().clone(), host(&request).map(str::to_owned));
        if let Some(address) = self.callables.address(named.as_deref(), uri.path()) {
            if let Some(node) = &self.node
                && self.callables.registry().get(address).is_none()
                && node.has(address)
            {
                return node.serve(address, &self.callables, request).await;
            }
            request.extensions_mut().insert(origin);
            return self.callables.serve(address, request).await;
        }
        let asks = matches!(*request.method(), Method::GET | Method::HEAD);
        if asks
            && uri.path() == "/"
            && let Some(answer) = health::root(service, || self.hub.is_public().then(|| self.hub.locator()))
        {
            return answer;
        }
        request.extensions_mut().insert(ConnectInfo(origin.address));
        if let Some(holder) = self.fair.streams(&origin) {
            request.extensions_mut().insert(holder);
        }
        request.extensions_mut().insert(origin);
        request.extensions_mut().insert(service);
        let topics = self.topics.as_ref().filter(|_| events::is_topic(uri.path()));
        match topics.unwrap_or(&self.routes).clone().call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

/// The host that a request names.
fn host(request: &Request<Body>) -> Option<&str> {
    let header = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| request.uri().authority().map(http::uri::Authority::as_str))
}

impl Answer for Invoker {
    fn fair(&self) -> &FairShares {
        &self.fair
    }

    fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    // A panic in a handler is answered too.
    async fn handle(&self, service: Service, peer: SocketAddr, mut request: Request<Body>) -> Response {
        let id = self.ids.of(request.headers());
        id.pass_on(request.headers_mut());
        let span = tracing::info_span!("request", trace_id = id.trace(), span_id = id.span());
        let started = Instant::now();
        let origin = Origin::of(&self.proxies, peer, request.headers());
        let in_flight = self.metrics.request();
        let log =
            self.requests.as_ref().and_then(|log| Some((log, log.begin(service, origin.address, &request)?)));
        let answered = match self.fair.request(&origin, request.headers()) {
            Ok(held) => AssertUnwindSafe(self.dispatch(service, origin, request).instrument(span))
                .catch_unwind()
                .await
                .map(|response| held.until_the_end_of(response)),
            Err(error) => Ok(fair::refusal(request.headers(), &error)),
        };
        drop(in_flight);
        let mut response = answered.unwrap_or_else(|_panic| {
            let mut response = Response::new(Body::from("Internal error"));
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response
        });
        id.answer(response.headers_mut());
        for (name, value) in &self.headers {
            response.headers_mut().entry(name.clone()).or_insert_with(|| value.clone());
        }
        self.metrics.response(service, response.status(), started.elapsed());
        match log {
            Some((log, head)) => log.answered(head, response),
            None => response,
        }
    }
}
