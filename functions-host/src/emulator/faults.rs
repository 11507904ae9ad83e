//! `/__/faults`: tests have requests delayed, refused or cut, to see how an application takes it.

mod cut;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::middleware::from_fn;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get};
use docstore::{Code, Error, Result};
use http::{Method, StatusCode};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use regex::Regex;
use serde_json::{Value, json};

pub(crate) use self::cut::Cut;
use crate::emulator::{bad_request, here_only};
use crate::host::config::Service;

/// Most faults at a time.
const MAX_FAULTS: usize = 100;
/// Largest request body, in bytes.
const MAX_BODY: usize = 16 << 10;
/// Longest delay, in milliseconds.
const MAX_DELAY_MS: u64 = 600_000;
/// Longest pattern of a path, in characters.
const MAX_PATTERN: usize = 1_000;

/// Beginnings of paths by which a request at the hosting port belongs to a product.
const PRODUCTS: [(&str, Service); 13] = [
    ("/google.firestore.", Service::Firestore),
    ("/v1/projects/", Service::Firestore),
    ("/v1beta1/projects/", Service::Firestore),
    ("/google.pubsub.", Service::Pubsub),
    ("/v0/b/", Service::Storage),
    ("/b/", Service::Storage),
    ("/storage/v1/", Service::Storage),
    ("/download/storage/", Service::Storage),
    ("/upload/storage/", Service::Storage),
    ("/identitytoolkit.googleapis.com/", Service::Auth),
    ("/securetoken.googleapis.com/", Service::Auth),
    ("/www.googleapis.com/", Service::Auth),
    ("/emulator/auth/", Service::Auth),
];

/// A fault as a test describes it.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fault {
    /// Requests to one product; to all if missing.
    product: Option<String>,
    /// Requests whose path fits; `*` stands for any characters but `/`, `**` for any.
    path: Option<String>,
    /// Requests of one method; of all but `OPTIONS` if missing.
    method: Option<String>,
    /// Delay before the request is handled, in milliseconds.
    latency_ms: Option<u64>,
    /// Status of the refusal, such as `UNAVAILABLE`; the request is not handled.
    error: Option<String>,
    /// Text of the refusal.
    message: Option<String>,
    /// The response ends in an error after so many bytes.
    cut_after_bytes: Option<u64>,
    /// The response ends in an error after so many milliseconds.
    cut_after_ms: Option<u64>,
    /// Requests that are let pass first.
    #[serde(default)]
    skip: u64,
    /// Requests that meet the fault; without a limit if missing.
    times: Option<u64>,
    /// Share of the requests that meet it, from 0 to 1; all if missing.
    probability: Option<f64>,
    /// Start of the chance by which requests are chosen, for a run that can be repeated.
    #[serde(default)]
    seed: u64,
}

/// A fault in force.
#[derive(Debug)]
struct Entry {
    shown: Value,
    fault: Fault,
    path: Option<Regex>,
    error: Option<Code>,
    /// Requests that fitted.
    seen: u64,
    /// Requests that met the fault.
    met: u64,
}

/// Effect of the faults on one request.
#[derive(Debug, Default)]
pub(crate) struct Met {
    /// Delay before it is handled.
    pub(crate) latency: Duration,
    /// The refusal, in place of an answer.
    pub(crate) refusal: Option<Error>,
    /// The end of its response.
    pub(crate) cut: Option<Cut>,
}

/// The faults in force, by id.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<InForce>);

#[derive(Debug, Default)]
struct InForce {
    last: u64,
    entries: BTreeMap<u64, Entry>,
}

impl Entry {
    fn new(body: &[u8]) -> Result<Self> {
        let shown: Value = serde_json::from_slice(body).map_err(|cause| wrong(&cause.to_string()))?;
        let fault = Fault::deserialize_from(&shown)?;
        fault.check()?;
        let path = fault.path.as_deref().map(pattern).transpose()?;
        let error = fault.error.as_deref().map(code).transpose()?;
        Ok(Self { shown, fault, path, error, seen: 0, met: 0 })
    }

    fn fits(&self, product: Service, method: &Method, path: &str) -> bool {
        let Fault { product: wanted, method: named, .. } = &self.fault;
        wanted.as_deref().is_none_or(|wanted| wanted == product.key())
            && named.as_deref().map_or(*method != Method::OPTIONS, |named| named == method.as_str())
            && self.path.as_ref().is_none_or(|pattern| pattern.is_match(path))
    }

    /// Counts a request that fits. True if it meets the fault.
    fn meets(&mut self) -> bool {
        let number = self.seen;
        self.seen += 1;
        let meets = number >= self.fault.skip
            && self.fault.times.is_none_or(|times| self.met < times)
            && self.fault.probability.is_none_or(|share| chance(self.fault.seed, number) < share);
        self.met += u64::from(meets);
        meets
    }

    fn add_to(&self, id: u64, met: &mut Met) {
        let Fault { latency_ms, cut_after_bytes, cut_after_ms, message, .. } = &self.fault;
        met.latency += Duration::from_millis(latency_ms.unwrap_or_default());
        if let Some(code) = self.error
            && met.refusal.is_none()
        {
            let usual = || format!("Fault {id} refuses this request.");
            met.refusal = Some(Error::new(code, "Fault", message.clone().unwrap_or_else(usual)));
        }
        if (cut_after_bytes.is_some() || cut_after_ms.is_some()) && met.cut.is_none() {
            met.cut = Some(Cut { bytes: *cut_after_bytes, time: cut_after_ms.map(Duration::from_millis) });
        }
    }

    fn shown(&self, id: u64) -> Value {
        let mut shown = self.shown.clone();
        shown["id"] = json!(id);
        shown["met"] = json!(self.met);
        shown
    }
}

impl Fault {
    fn deserialize_from(body: &Value) -> Result<Self> {
        serde::Deserialize::deserialize(body).map_err(|cause: serde_json::Error| wrong(&cause.to_string()))
    }

    fn check(&self) -> Result<()> {
        let cuts = self.cut_after_bytes.is_some() || self.cut_after_ms.is_some();
        let delays = [self.latency_ms, self.cut_after_ms];
        let keys = Service::ALL.map(Service::key);
        let why = if self.latency_ms.is_none() && self.error.is_none() && !cuts {
            "it says neither latencyMs, error, cutAfterBytes nor cutAfterMs".to_owned()
        } else if self.error.is_some() && cuts {
            "a refused request has no response to cut: give error, or cutAfterBytes and cutAfterMs".to_owned()
        } else if delays.into_iter().flatten().any(|delay| delay > MAX_DELAY_MS) {
            format!("latencyMs and cutAfterMs are at most {MAX_DELAY_MS}")
        } else if let Some(product) = self.product.as_deref().filter(|product| !keys.contains(product)) {
            format!("there is no product \"{product}\": give one of {}", keys.join(", "))
        } else if self.probability.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            "probability lies between 0 and 1".to_owned()
        } else {
            return Ok(());
        };
        Err(wrong(&why))
    }
}

impl Faults {
    /// The effect on a request: the delays of all faults that it fits, and the first refusal or cut.
    pub(crate) fn meet(&self, product: Service, method: &Method, path: &str) -> Option<Met> {
        let mut state = self.state();
        if state.entries.is_empty() {
            return None;
        }
        let path = percent_decode_str(path).decode_utf8_lossy();
        let mut met = Met::default();
        let fitting = state.entries.iter_mut().filter(|(_, entry)| entry.fits(product, method, &path));
        for (id, entry) in fitting {
            if entry.meets() {
                entry.add_to(*id, &mut met);
            }
        }
        Some(met)
    }

    fn add(&self, body: &[u8]) -> Result<Value> {
        let entry = Entry::new(body)?;
        let mut state = self.state();
        if state.entries.len() >= MAX_FAULTS {
            return Err(wrong(&format!("there are {MAX_FAULTS} faults already: delete some")));
        }
        state.last += 1;
        let id = state.last;
        let shown = entry.shown(id);
        state.entries.insert(id, entry);
        Ok(shown)
    }

    fn list(&self) -> Value {
        let state = self.state();
        json!({ "faults": state.entries.iter().map(|(id, entry)| entry.shown(*id)).collect::<Vec<_>>() })
    }

    fn state(&self) -> parking_lot::MutexGuard<'_, InForce> {
        self.0.lock()
    }
}

/// The product that a request asks: its port's, and at the hosting port the one of its path.
pub(crate) fn product(port: Service, path: &str, is_function: bool) -> Service {
    if port != Service::Hosting {
        return port;
    }
    if is_function {
        return Service::Functions;
    }
    let named = PRODUCTS.iter().find(|(beginning, _)| path.starts_with(beginning));
    named.map_or(Service::Hosting, |(_, product)| *product)
}

/// The expression of a path in which `*` and `**` stand for characters.
fn pattern(path: &str) -> Result<Regex> {
    if path.chars().count() > MAX_PATTERN {
        return Err(wrong(&format!("path has more than {MAX_PATTERN} characters")));
    }
    let parts = path.split("**").map(|part| regex::escape(part).replace("\\*", "[^/]*"));
    let expression = format!("^{}$", parts.collect::<Vec<_>>().join(".*"));
    Regex::new(&expression).map_err(|cause| wrong(&format!("path cannot be used: {cause}")))
}

fn code(status: &str) -> Result<Code> {
    Code::from_status(status)
        .ok_or_else(|| wrong(&format!("\"{status}\" is no status: give one such as UNAVAILABLE or ABORTED")))
}

/// A number from 0 up to 1 that depends on both alone (SplitMix64).
fn chance(seed: u64, number: u64) -> f64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let top = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or_default();
    f64::from(top) / (f64::from(u32::MAX) + 1.0)
}

fn wrong(why: &str) -> Error {
    let usage = "send such as {\"product\": \"firestore\", \"error\": \"UNAVAILABLE\", \"times\": 1}";
    Error::invalid("WrongFault", format!("{usage}: {why}"))
}

/// The routes.
pub(crate) fn router(faults: Arc<Faults>) -> Router {
    Router::new()
        .route("/__/faults", get(list).post(add).delete(clear))
        .route("/__/faults/{id}", delete(remove))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(here_only))
        .with_state(faults)
}

type Shared = State<Arc<Faults>>;

async fn list(State(faults): Shared) -> Response {
    axum::Json(faults.list()).into_response()
}

async fn add(State(faults): Shared, body: Bytes) -> Response {
    match faults.add(&body) {
        Ok(shown) => {
            tracing::info!("a fault was added: {shown}");
            axum::Json(shown).into_response()
        }
        Err(error) => bad_request(&error),
    }
}

async fn clear(State(faults): Shared) -> Response {
    faults.state().entries.clear();
    tracing::info!("all faults were deleted");
    axum::Json(faults.list()).into_response()
}

async fn remove(State(faults): Shared, Path(id): Path<u64>) -> Response {
    match faults.state().entries.remove(&id) {
        Some(entry) => axum::Json(entry.shown(id)).into_response(),
        None => {
            let body = json!({ "error": { "message": format!("there is no fault {id}") } });
            (StatusCode::NOT_FOUND, axum::Json(body)).into_response()
        }
    }
}

#[cfg(test)]
mod tests;
