//! `GET /metrics` for Prometheus. In serving mode it requires the operator's token or an address in a listed network;
//! without either configured the page does not exist. An emulator shows it to its own machine.

mod events;
mod garbage;
mod mail;
mod store;
mod tables;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::events::EventNumbers;
use self::garbage::Forgotten;
pub(crate) use self::mail::MailCollector;
use self::store::StoreNumbers;
pub use self::tables::TableNumbers;
use axum::Router;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use docstore::Store;
use docstore::access::Mode;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use sha2::{Digest as _, Sha256};

use crate::VERSION;
use crate::host::config::Service;
use crate::host::networks::Networks;
use crate::host::origin::{Origin, Via};

/// Environment variable with the token for the metrics.
const TOKEN_VARIABLE: &str = "TUCKBOX_METRICS_TOKEN";

/// Upper bounds of the response-time histogram, in seconds.
const SECONDS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 2.5, 10.0];

/// Headers by which proxies mark forwarded requests. Such a request comes from elsewhere even if its connection is
/// local.
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-for", "x-real-ip"];

/// The server's metrics. Clones share them.
#[derive(Debug, Clone)]
pub struct Metrics(Arc<Numbers>);

#[derive(Debug)]
struct Numbers {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Histogram,
    in_flight: Gauge,
    connections: Gauge,
    events: EventNumbers,
    tables: TableNumbers,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    port: Label,
    status: Label,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Label(&'static str);

impl EncodeLabelValue for Label {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> std::fmt::Result {
        EncodeLabelValue::encode(&self.0, encoder)
    }
}

impl Metrics {
    /// New metrics, with those of the document store, and of backups if the server can make some.
    pub fn new(store: &Store, more: impl IntoIterator<Item = Box<dyn Collector>>) -> Self {
        let requests = Family::default();
        let seconds = Histogram::new(SECONDS);
        let in_flight = Gauge::default();
        let connections = Gauge::default();
        let mut registry = Registry::with_prefix("tuckbox");
        registry.register("build", "The server's version", Info::new([("version", VERSION)]));
        registry.register("requests", "Requests answered, by port and class of status", requests.clone());
        registry.register_with_unit(
            "response_time",
            "From a request's head to its response's head",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register("requests_in_flight", "Requests whose response has not begun", in_flight.clone());
        registry.register("connections", "Open connections", connections.clone());
        let events = EventNumbers::default();
        events.register(&mut registry);
        let tables = TableNumbers::default();
        tables.register(&mut registry);
        registry.register_collector(Box::new(Forgotten(Arc::clone(store.garbage()))));
        registry.register_collector(Box::new(StoreNumbers(store.gauges())));
        for collector in more {
            registry.register_collector(collector);
        }
        Self(Arc::new(Numbers { registry, requests, seconds, in_flight, connections, events, tables }))
    }
}

/// Counts an operation in progress; dropping it ends the count.
#[derive(Debug)]
pub struct Ongoing(Gauge);

impl Ongoing {
    fn of(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Ongoing {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Counts an open connection until the value is dropped.
    pub fn connection(&self) -> Ongoing {
        Ongoing::of(&self.0.connections)
    }

    /// Counts a request in flight until the value is dropped.
    pub fn request(&self) -> Ongoing {
        Ongoing::of(&self.0.in_flight)
    }

    /// The metrics of events.
    pub(crate) fn events(&self) -> &EventNumbers {
        &self.0.events
    }

    /// The metrics of playtest tables.
    pub(crate) fn tables(&self) -> &TableNumbers {
        &self.0.tables
    }

    /// Counts a response.
    pub fn response(&self, port: Service, status: StatusCode, took: Duration) {
        let class = match status.as_u16() {
            100..=199 => "1xx",
            200..=299 => "2xx",
            300..=399 => "3xx",
            400..=499 => "4xx",
            _ => "5xx",
        };
        self.0.requests.get_or_create(&RequestLabels { port: Label(port.key()), status: Label(class) }).inc();
        self.0.seconds.observe(took.as_secs_f64());
    }

    /// `GET /metrics`, for these readers.
    pub fn router(self, readers: Readers) -> Router {
        Router::new().route("/metrics", get(show)).with_state((self, readers))
    }
}

/// Access control of the metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readers {
    /// Callers in these networks, by their own address; the address of a forwarding proxy does not count.
    allow: Networks,
    others: Others,
}

/// Access of other callers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Others {
    /// Callers on this machine. Not for a server behind a proxy, where every caller seems local.
    ThisMachine,
    /// Callers with the token of this SHA-256 hash.
    Token([u8; 32]),
    /// Nobody.
    Nobody,
}

impl Readers {
    /// Access for a mode, a list of networks and an environment.
    pub fn new(mode: Mode, allow: Networks, variable: impl Fn(&str) -> Option<String>) -> Self {
        let others = match (mode, variable(TOKEN_VARIABLE).filter(|token| !token.is_empty())) {
            (_, Some(token)) => Others::Token(Sha256::digest(token).into()),
            (Mode::Emulator, None) => Others::ThisMachine,
            (Mode::Serving, None) => Others::Nobody,
        };
        Self { allow, others }
    }

    fn admit(&self, origin: &Origin, headers: &HeaderMap) -> Result<(), StatusCode> {
        if origin.caller().is_some_and(|address| self.allow.contains(address)) {
            return Ok(());
        }
        let token = || {
            let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
            header.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        };
        match &self.others {
            Others::ThisMachine if is_local(origin, headers) => Ok(()),
            // Comparing hashes leaks nothing of the token through timing.
            Others::Token(hash) => token()
                .filter(|(_, token)| Sha256::digest(token.trim())[..] == hash[..])
                .map(|_| ())
                .ok_or(StatusCode::UNAUTHORIZED),
            Others::ThisMachine | Others::Nobody => Err(StatusCode::NOT_FOUND),
        }
    }
}

async fn show(
    State((metrics, readers)): State<(Metrics, Readers)>,
    Extension(origin): Extension<Origin>,
    headers: HeaderMap,
) -> Response {
    if let Err(status) = readers.admit(&origin, &headers) {
        return status.into_response();
    }
    // Measuring the store blocks: it reads the size of every file in the data folder.
    let encoded = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        encode(&mut text, &metrics.0.registry).map(|()| text).map_err(|error| error.to_string())
    });
    match encoded.await.unwrap_or_else(|panicked| Err(panicked.to_string())) {
        Ok(text) => ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
            .into_response(),
        Err(error) => {
            tracing::error!("cannot write the metrics: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// True if a request was made on this machine, by its connection as recorded by the listener.
pub(crate) fn is_local_request(request: &http::Request<axum::body::Body>) -> bool {
    let origin = request.extensions().get::<Origin>();
    origin.is_some_and(|origin| is_local(origin, request.headers()))
}

/// True if a request was made on this machine.
fn is_local(origin: &Origin, headers: &HeaderMap) -> bool {
    let near = origin.via == Via::Connection && origin.address.ip().to_canonical().is_loopback();
    near && !FORWARDED.iter().any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, OnceLock};
    use std::thread::ThreadId;
    use std::time::Duration;

    use axum::body::Body;
    use docstore::clock::SystemClock;
    use docstore::{EngineOptions, Limits, Store, StoreOptions};
    use http::{Request, StatusCode};
    use http_body_util::BodyExt;
    use prometheus_client::collector::Collector;
    use prometheus_client::encoding::DescriptorEncoder;
    use tower_service::Service as _;

    use super::{Metrics, Readers};
    use crate::host::config::Service;
    use crate::host::networks::Networks;
    use crate::host::origin::Origin;
    use docstore::access::Mode;

    async fn ask(metrics: &Metrics, peer: &str, header: Option<&str>) -> (StatusCode, String) {
        let readers = Readers::new(Mode::Emulator, Networks::default(), |_| None);
        ask_as(metrics, readers, peer, header.map(|name| (name, "1.2.3.4"))).await
    }

    async fn ask_as(
        metrics: &Metrics,
        readers: Readers,
        peer: &str,
        header: Option<(&str, &str)>,
    ) -> (StatusCode, String) {
        let mut request = Request::get("/metrics");
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let (proxies, headers) = ("192.0.2.1".parse().unwrap(), request.headers().clone());
        request.extensions_mut().insert(Origin::of(&proxies, peer.parse().unwrap(), &headers));
        let response = metrics.clone().router(readers).call(request).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn requests_are_counted_for_this_machine_alone() {
        let metrics = Metrics::new(&Store::in_memory().await.unwrap(), None);
        let open = metrics.connection();
        metrics.response(Service::Auth, StatusCode::NOT_FOUND, Duration::from_millis(3));
        let (_, text) = ask(&metrics, "127.0.0.1:1", None).await;
        assert!(text.contains("tuckbox_requests_total{port=\"auth\",status=\"4xx\"} 1\n"), "{text}");
        assert!(text.contains("tuckbox_response_time_seconds_bucket{le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("tuckbox_connections 1\n"), "{text}");
        assert!(text.contains("tuckbox_garbage_dropped_total 0\n"), "{text}");
        drop(open);
        assert!(ask(&metrics, "[::ffff:127.0.0.1]:1", None).await.1.contains("tuckbox_connections 0\n"));
        assert_eq!(ask(&metrics, "10.0.0.1:1", None).await.0, StatusCode::NOT_FOUND);
        assert_eq!(ask(&metrics, "127.0.0.1:1", Some("x-forwarded-for")).await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn the_store_measures_itself_when_it_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(StoreOptions {
            engine: EngineOptions::disk(folder.path()),
            clock: Arc::new(SystemClock),
            limits: Limits::default(),
        });
        let store = store.await.unwrap();
        let metrics = Metrics::new(&store, None);
        let (_, text) = ask(&metrics, "127.0.0.1:1", None).await;
        let value = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
            let value =
                line.and_then(|line| line.rsplit(' ').next()).unwrap_or_else(|| panic!("{name}: {text}"));
            value.parse::<f64>().unwrap()
        };
        for present in ["tuckbox_store_view_bytes", "tuckbox_disk_free_bytes"] {
            assert!(value(present) > 0.0, "{present}");
        }
        // The log's first file comes with the first commit.
        for none in [
            "tuckbox_store_log_bytes",
            "tuckbox_commit_appends_failed_total",
            "tuckbox_store_refuses",
            "tuckbox_store_damaged",
        ] {
            assert!(value(none) == 0.0, "{none}");
        }
        assert!(value("tuckbox_commit_append_seconds_total") >= 0.0);
        store.close().await.unwrap();
        drop(store);
        let (_, text) = ask(&metrics, "127.0.0.1:1", None).await;
        assert!(text.contains("tuckbox_build_info") && !text.contains("tuckbox_store_log_bytes"), "{text}");
    }

    /// Notes the thread on which it is asked.
    #[derive(Debug)]
    struct AskedOn(Arc<OnceLock<ThreadId>>);

    impl Collector for AskedOn {
        fn encode(&self, _: DescriptorEncoder<'_>) -> std::fmt::Result {
            self.0.set(std::thread::current().id()).map_err(|_| std::fmt::Error)
        }
    }

    #[tokio::test]
    async fn encoding_does_not_block_the_thread_of_requests() {
        let asked_on = Arc::default();
        let store = Store::in_memory().await.unwrap();
        let metrics = Metrics::new(&store, Some(Box::new(AskedOn(Arc::clone(&asked_on))) as _));
        assert_eq!(ask(&metrics, "127.0.0.1:1", None).await.0, StatusCode::OK);
        let thread = *asked_on.get().unwrap();
        assert_ne!(thread, std::thread::current().id());
    }

    #[tokio::test]
    async fn where_people_are_served_the_numbers_want_a_token() {
        let metrics = Metrics::new(&Store::in_memory().await.unwrap(), None);
        let none = Readers::new(Mode::Serving, Networks::default(), |_| None);
        let near = "127.0.0.1:1";
        assert_eq!(ask_as(&metrics, none, near, None).await.0, StatusCode::NOT_FOUND);
        let token = || Readers::new(Mode::Serving, Networks::default(), |_| Some("s3cret".to_owned()));
        assert_eq!(ask_as(&metrics, token(), near, None).await.0, StatusCode::UNAUTHORIZED);
        for (value, status) in [
            ("Bearer s3cret", StatusCode::OK),
            ("Bearer s3cre", StatusCode::UNAUTHORIZED),
            ("Bearer ", StatusCode::UNAUTHORIZED),
            ("Basic s3cret", StatusCode::UNAUTHORIZED),
        ] {
            let answer = ask_as(&metrics, token(), "10.0.0.1:1", Some(("authorization", value))).await;
            assert_eq!(answer.0, status, "{value}");
        }
    }

    #[tokio::test]
    async fn networks_that_are_listed_need_no_token() {
        let metrics = Metrics::new(&Store::in_memory().await.unwrap(), None);
        let allow: Networks = "10.0.0.0/8,192.0.2.0/24".parse().unwrap();
        let none = |_: &str| None;
        let some = |_: &str| Some("s3cret".to_owned());
        let listed = Readers::new(Mode::Serving, allow.clone(), none);
        let both = Readers::new(Mode::Serving, allow, some);
        let (by, proxy) = (("x-forwarded-for", "10.9.9.9"), "192.0.2.1:1");
        for (peer, header, alone, beside_token) in [
            ("10.0.0.1:1", None, StatusCode::OK, StatusCode::OK),
            ("11.0.0.1:1", None, StatusCode::NOT_FOUND, StatusCode::UNAUTHORIZED),
            // The header of an untrusted proxy is ignored.
            ("11.0.0.1:1", Some(by), StatusCode::NOT_FOUND, StatusCode::UNAUTHORIZED),
            (proxy, Some(by), StatusCode::OK, StatusCode::OK),
            (proxy, Some(("x-forwarded-for", "8.8.8.8")), StatusCode::NOT_FOUND, StatusCode::UNAUTHORIZED),
            // Listed itself, but it does not name its caller.
            (proxy, None, StatusCode::NOT_FOUND, StatusCode::UNAUTHORIZED),
            ("11.0.0.1:1", Some(("authorization", "Bearer s3cret")), StatusCode::NOT_FOUND, StatusCode::OK),
        ] {
            let row = format!("{peer} {header:?}");
            assert_eq!(ask_as(&metrics, listed.clone(), peer, header).await.0, alone, "{row}");
            assert_eq!(ask_as(&metrics, both.clone(), peer, header).await.0, beside_token, "{row}");
        }
    }
}
