//! A server with a clock that stands, so that every time in a reply is known.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use docstore::access::{Auth, Authenticator, Caller, Mode};
use docstore::clock::{Clock as _, ManualClock};
use docstore::model::Ts;
use docstore::shares::{Shares, StreamHolder};
use docstore::{Code, EngineOptions, Error, Limits, Result, Store, StoreOptions};
use docstore_wire::{Ids, WireState, router};
use parking_lot::Mutex;
use serde_json::Value;

/// The database of all tests.
pub(crate) const DATABASE: &str = "projects/demo/databases/(default)";

/// When everything happens: 2023-11-14T22:13:20Z.
const START: u64 = 1_700_000_000_000_000;

/// Everybody is an administrator, but for `Bearer nobody`, `Bearer bad`, and `Bearer SECONDS`: the user `u`, until
/// that many seconds after [`START`] or until users are shut out. Remembers what it was shown.
pub(crate) struct Door {
    pub(crate) shown: Mutex<Vec<Option<String>>>,
    pub(crate) shut: AtomicBool,
    clock: Arc<ManualClock>,
}

impl Door {
    fn user(&self, seconds: u64) -> Result<Caller> {
        if self.shut.load(Ordering::SeqCst) {
            return Err(Error::new(Code::Unauthenticated, "Token", "The token was revoked."));
        }
        let end = START / 1_000_000 + seconds;
        if Ts::from_micros(end * 1_000_000) <= self.clock.now() {
            return Err(Error::new(Code::Unauthenticated, "Token", "The token has expired."));
        }
        Ok(Caller::User(Auth { uid: "u".to_owned(), token: serde_json::json!({"sub": "u", "exp": end}) }))
    }
}

impl Authenticator for Door {
    fn authenticate<'a>(
        &'a self,
        _project: &'a str,
        authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>> {
        self.shown.lock().push(authorization.map(str::to_owned));
        Box::pin(async move {
            match authorization {
                Some("Bearer nobody") => Ok(Caller::Anonymous),
                Some("Bearer bad") => {
                    Err(Error::new(Code::Unauthenticated, "Token", "The token does not hold."))
                }
                Some(other) => match other.strip_prefix("Bearer ").and_then(|text| text.parse().ok()) {
                    Some(seconds) => self.user(seconds),
                    None => Ok(Caller::Admin),
                },
                None => Ok(Caller::Admin),
            }
        })
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) base: String,
    pub(crate) router: Router,
    pub(crate) store: Store,
    pub(crate) door: Arc<Door>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) http: reqwest::Client,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::in_mode(Mode::Emulator).await
    }

    pub(crate) async fn in_mode(mode: Mode) -> Self {
        // The client wants one, also where nothing is encrypted.
        _ = rustls::crypto::ring::default_provider().install_default();
        let clock = Arc::new(ManualClock::new(Ts::from_micros(START)));
        let store = Store::open(StoreOptions {
            engine: EngineOptions::Memory,
            clock: clock.clone(),
            limits: Limits::default(),
        })
        .await
        .unwrap();
        let door =
            Arc::new(Door { shown: Mutex::default(), shut: AtomicBool::default(), clock: clock.clone() });
        let state =
            WireState { store: store.clone(), authenticator: door.clone(), mode, ids: Ids::seeded(7) };
        let router = router(state).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let served = router.clone();
        tokio::spawn(async move { axum::serve(listener, served).await });
        Self { base, router, store, door, clock, http: reqwest::Client::new() }
    }

    /// The URL of the same server for requests of a caller at `address`, who has a share.
    pub(crate) async fn shared_at(&self, shares: &Arc<dyn Shares>, address: &str) -> String {
        let holder = StreamHolder::new(shares.clone(), Some(address.parse().unwrap()));
        let router = self.router.clone().layer(axum::Extension(holder));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        base
    }

    /// A request to `path` below the documents of [`DATABASE`].
    pub(crate) fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}/v1/{DATABASE}/documents{path}", self.base))
    }

    /// Status and JSON of a reply, on one line, with sorted keys: maps have no order on the wire.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let method = method.parse().unwrap();
        let request = self.request(method, path).header("content-type", "text/plain").body(body.to_owned());
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let json: Value = response.json().await.unwrap();
        format!("{status} {json}")
    }

    /// Sets a document.
    pub(crate) async fn set(&self, path: &str, number: i64) {
        let body = serde_json::json!({"fields": {"n": {"integerValue": number.to_string()}}});
        let response = self.ask("PATCH", &format!("/{path}"), &body.to_string()).await;
        assert!(response.starts_with("200"), "{response}");
    }
}

/// The JSON texts of a reply that streams an array, one per line, as they come.
pub(crate) struct Lines {
    response: reqwest::Response,
    buffer: String,
}

impl Lines {
    pub(crate) fn of(response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        Self { response, buffer: String::new() }
    }

    /// The next element.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            if let Some((line, rest)) = self.buffer.split_once('\n') {
                let element = serde_json::from_str(line.trim_start_matches(['[', ','])).unwrap();
                self.buffer = rest.to_owned();
                return element;
            }
            let chunk = self.response.chunk().await.unwrap().expect("the stream goes on");
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The elements up to and with the next global snapshot, each on one line.
    pub(crate) async fn until_snapshot(&mut self) -> String {
        let mut all = String::new();
        loop {
            let element = self.next().await;
            all.push_str(&element.to_string());
            all.push('\n');
            let change = &element["targetChange"];
            if change.is_object()
                && change.get("targetChangeType").is_none()
                && change.get("targetIds").is_none()
            {
                return all;
            }
        }
    }
}
