use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use docstore::access::{Auth, Authenticator, Caller, Mode};
use docstore::clock::{ManualClock, SharedClock};
use docstore::model::{DatabaseId, Ts};
use docstore::{Code, Error, Result, Store};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use object_store::ObjectStore;
use tower::ServiceExt;

use crate::access::OwnSubtree;
use crate::blobs::Blobs;
use crate::options::{BlobOptions, Limits, Quotas};
use crate::records::Records;
use crate::records::database::DatabaseRecords;
use crate::records::memory::MemoryRecords;
use crate::state::{DATABASE, Parts, StorageState};

pub(super) const BUCKET: &str = "demo.appspot.com";
/// 2026-01-02T03:04:05.006Z.
const START: u64 = 1_767_323_045_006_000;

/// `owner` is the administrator, `user-x` the user x, `no-jwt` is not even a token, all else does not hold.
struct Names;

impl Authenticator for Names {
    fn authenticate<'a>(
        &'a self,
        _project: &'a str,
        authorization: Option<&'a str>,
    ) -> Pin<Box<dyn Future<Output = Result<Caller>> + Send + 'a>> {
        Box::pin(async move {
            match authorization.map(|header| header.strip_prefix("Bearer ").unwrap_or(header)) {
                None => Ok(Caller::Anonymous),
                Some("owner") => Ok(Caller::Admin),
                Some("no-jwt") => Err(Error::invalid("Token", "The token is none.")),
                Some(token) => match token.strip_prefix("user-") {
                    Some(uid) => Ok(Caller::User(Auth {
                        uid: uid.to_owned(),
                        token: serde_json::json!({ "sub": uid }),
                    })),
                    None => Err(Error::new(Code::Unauthenticated, "Token", "The token does not hold.")),
                },
            }
        })
    }
}

fn opened(blobs: BlobOptions) -> impl FnOnce(SharedClock) -> Blobs {
    move |clock| Blobs::open(&blobs, clock).unwrap()
}

pub(super) struct Bench {
    pub(super) state: StorageState,
    pub(super) clock: Arc<ManualClock>,
    router: Router,
}

pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Status, relevant headers and body, with random values replaced.
    pub(super) fn show(&self) -> String {
        let mut text = format!("{}\n", self.status);
        let mut headers: Vec<_> = self.headers.keys().map(http::HeaderName::as_str).collect();
        headers.sort_unstable();
        for name in headers {
            if !name.starts_with("access-control") && name != "vary" {
                text.push_str(&format!("{name}: {}\n", self.header(name)));
            }
        }
        let body = match serde_json::from_slice::<serde_json::Value>(&self.body) {
            Ok(json) if json.is_object() => serde_json::to_string_pretty(&json).unwrap(),
            _ => String::from_utf8_lossy(&self.body).into_owned(),
        };
        text.push_str(&format!("\n{body}"));
        redact(&text)
    }
}

/// Replaces UUIDs and session ids.
fn redact(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        let hex = word.bytes().filter(u8::is_ascii_hexdigit).count();
        match (word.len(), hex) {
            (36, 32) => out.push_str("[token]"),
            (32, 32) => out.push_str("[id]"),
            _ => out.push_str(word),
        }
        word.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '-' {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

fn parts(clock: Arc<ManualClock>, mode: Mode, limits: Limits) -> Parts {
    Parts {
        project: "demo".to_owned(),
        mode,
        clock,
        authenticator: Arc::new(Names),
        access: Arc::new(OwnSubtree),
        limits,
        active_svg: false,
        quotas: Arc::new(limits),
    }
}

impl Bench {
    /// Over the real document store.
    pub(super) async fn new(mode: Mode) -> Self {
        Self::with(mode, Limits::default()).await
    }

    pub(super) async fn with(mode: Mode, limits: Limits) -> Self {
        let store = Store::in_memory().await.unwrap();
        let database = store.database(&DatabaseId::new("demo", DATABASE));
        Self::over(Arc::new(DatabaseRecords(database)), mode, limits)
    }

    /// Over documents that fail when told to.
    pub(super) fn fragile(mode: Mode, limits: Limits) -> (Self, Arc<MemoryRecords>) {
        let records = Arc::new(MemoryRecords::default());
        (Self::over(records.clone(), mode, limits), records)
    }

    /// Over bytes in a folder.
    pub(super) fn in_folder(folder: &Path) -> Self {
        let records = Arc::new(MemoryRecords::default());
        let open = opened(BlobOptions::Folder(folder.to_owned()));
        Self::over_both(records, open, Mode::Serving, Limits::default())
    }

    /// Over bytes in a service.
    pub(super) fn in_service(service: Arc<dyn ObjectStore>) -> Self {
        let records = Arc::new(MemoryRecords::default());
        let open = |clock| Blobs::over(service, clock);
        Self::over_both(records, open, Mode::Serving, Limits::default())
    }

    /// One whose files count for whomever `quotas` say.
    pub(super) fn counting(quotas: Arc<dyn Quotas>) -> Self {
        let records = Arc::new(MemoryRecords::default());
        let clock = Arc::new(ManualClock::new(Ts::from_micros(START)));
        let blobs = opened(BlobOptions::Memory)(clock.clone());
        let parts = Parts { quotas, ..parts(clock.clone(), Mode::Emulator, Limits::default()) };
        let state = StorageState::assemble(records, blobs, parts);
        Self { router: crate::router(state.clone()), state, clock }
    }

    fn over(records: Arc<dyn Records>, mode: Mode, limits: Limits) -> Self {
        Self::over_both(records, opened(BlobOptions::Memory), mode, limits)
    }

    fn over_both(
        records: Arc<dyn Records>,
        blobs: impl FnOnce(SharedClock) -> Blobs,
        mode: Mode,
        limits: Limits,
    ) -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(START)));
        let blobs = blobs(clock.clone());
        let state = StorageState::assemble(records, blobs, parts(clock.clone(), mode, limits));
        Self { router: crate::router(state.clone()), state, clock }
    }

    /// One that takes drawings with scripts in them.
    pub(super) fn taking_active_svg(self) -> Self {
        let mut state = self.state;
        state.files.active_svg = true;
        Self { router: crate::router(state.clone()), state, clock: self.clock }
    }

    /// The same data after a restart of the process.
    pub(super) fn restarted(&self) -> Self {
        Self {
            state: self.state.clone(),
            clock: self.clock.clone(),
            router: crate::router(self.state.clone()),
        }
    }

    pub(super) async fn send(
        &self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(uri).header("host", "127.0.0.1:9199");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// A Firebase request of user u.
    pub(super) async fn user(&self, method: &str, path: &str, body: impl Into<Body>) -> Reply {
        self.send(method, &format!("/v0/b/{BUCKET}/{path}"), &[("authorization", "Firebase user-u")], body)
            .await
    }

    /// Stores `data` as user u below `users/u/`.
    pub(super) async fn put(&self, name: &str, content_type: &str, data: impl Into<Body>) -> Reply {
        let uri = format!("/v0/b/{BUCKET}/o?name=users/u/{name}");
        let headers = [("authorization", "Firebase user-u"), ("content-type", content_type)];
        self.send("POST", &uri, &headers, data).await
    }

    /// Every stored key.
    pub(super) async fn keys(&self) -> Vec<String> {
        use futures::TryStreamExt;
        let mut all = Vec::new();
        for folder in ["blobs", "staging", "parts", "thumbs"] {
            let listed: Vec<_> = self.state.files.blobs.list(folder).try_collect().await.unwrap();
            all.extend(listed.into_iter().map(|item| item.key));
        }
        all
    }
}

/// An image of noise.
pub(super) fn noise_image(width: u32, height: u32, format: image::ImageFormat) -> Vec<u8> {
    let pixels = image::RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([(x * 7 % 256) as u8, (y * 13 % 256) as u8, ((x ^ y) % 256) as u8])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::ImageRgb8(pixels).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}
