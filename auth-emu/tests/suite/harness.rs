//! A server without a socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::SeededEntropy;
use auth_emu::limits::AuthLimits;
use auth_emu::mail::{Mail, Mailer};
use auth_emu::{AuthOptions, AuthState, router};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use docstore::access::Mode;
use docstore::clock::{Clock as _, ManualClock};
use docstore::model::Ts;
use docstore::store::Store;
use futures::future::BoxFuture;
use http::Request;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub(crate) const PROJECT: &str = "demo";
pub(crate) const ORIGIN: &str = "https://cards.example";
pub(crate) const START: u64 = 1_800_000_000_000_000;

pub(crate) struct Server {
    pub(crate) app: Router,
    pub(crate) state: AuthState,
    pub(crate) clock: Arc<ManualClock>,
}

/// An authenticator app.
pub(crate) struct App(totp_rs::Totp);

impl App {
    /// The code it shows at the server's time.
    pub(crate) fn code(&self, server: &Server) -> String {
        self.0.generate(server.seconds()).to_string()
    }
}

/// A reply: status and JSON body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Reply {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }

    /// The message of a failure.
    #[track_caller]
    pub(crate) fn error(&self) -> &str {
        assert_ne!(self.status, 200, "{}", self.body);
        self.body["error"]["message"].as_str().unwrap()
    }
}

/// Keeps mail in memory.
#[derive(Debug, Default)]
pub(crate) struct Letters(pub(crate) Mutex<Vec<Mail>>);

impl Mailer for Letters {
    fn send(&self, mail: Mail) -> BoxFuture<'_, docstore::Result<()>> {
        Box::pin(async move {
            self.0.lock().push(mail);
            Ok(())
        })
    }
}

impl Server {
    pub(crate) async fn emulator() -> Self {
        Self::start(Mode::Emulator, |_| {}).await
    }

    pub(crate) async fn serving() -> Self {
        Self::start(Mode::Serving, |_| {}).await
    }

    pub(crate) async fn start(mode: Mode, change: impl FnOnce(&mut AuthOptions)) -> Self {
        let clock = Arc::new(ManualClock::new(Ts::from_micros(START)));
        let store = Store::in_memory().await.unwrap();
        let mut options = AuthOptions::new(store, PROJECT, mode, ORIGIN);
        options.clock = clock.clone();
        options.entropy = Arc::new(SeededEntropy::new(1));
        options.api_key = "app-key".to_owned();
        options.limits = AuthLimits::default();
        options.anonymous = true;
        change(&mut options);
        let state = AuthState::new(options).await.unwrap();
        Self { app: router(state.clone()), state, clock }
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.clock.now().micros() / 1_000_000
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| json!({ "text": String::from_utf8_lossy(&bytes) }));
        Reply { status, body }
    }

    pub(crate) fn request(method: &str, path: &str) -> http::request::Builder {
        let peer: SocketAddr = "203.0.113.9:4711".parse().unwrap();
        Request::builder()
            .method(method)
            .uri(path)
            .extension(ConnectInfo(peer))
            .header("host", "cards.example")
    }

    /// Posts to `v1/{operation}` as a client with an API key.
    pub(crate) async fn post(&self, operation: &str, body: Value) -> Reply {
        let path = format!("/identitytoolkit.googleapis.com/v1/{operation}?key=k");
        self.send(Self::request("POST", &path).body(Body::from(body.to_string())).unwrap()).await
    }

    /// The same from another network address.
    pub(crate) async fn post_from(&self, peer: &str, operation: &str, body: Value) -> Reply {
        let peer: SocketAddr = format!("{peer}:4711").parse().unwrap();
        let path = format!("/identitytoolkit.googleapis.com/v1/{operation}?key=k");
        let mut request = Self::request("POST", &path).body(Body::from(body.to_string())).unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        self.send(request).await
    }

    /// Posts to any path of version 2 as a client with an API key.
    pub(crate) async fn post2(&self, operation: &str, body: Value) -> Reply {
        let path = format!("/identitytoolkit.googleapis.com/v2/{operation}?key=k");
        self.send(Self::request("POST", &path).body(Body::from(body.to_string())).unwrap()).await
    }

    /// Asks as the emulator's administrator.
    pub(crate) async fn owner(&self, method: &str, path: &str, body: Value) -> Reply {
        let path = format!("/identitytoolkit.googleapis.com/{path}");
        let request = Self::request(method, &path).header("authorization", "Bearer owner");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Asks one of our own routes with an ID token.
    pub(crate) async fn own(&self, method: &str, path: &str, id_token: &Value) -> Reply {
        let request = Self::request(method, &format!("/__/account/{path}"))
            .header("authorization", format!("Bearer {}", id_token.as_str().unwrap_or_default()));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Signs in from a browser of this `User-Agent`, up to a second factor if there is one.
    pub(crate) async fn sign_in_with(&self, user_agent: &str, email: &str, password: &str) -> Value {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k";
        let body = json!({ "email": email, "password": password });
        let request = Self::request("POST", path).header("user-agent", user_agent);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await.ok()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Self::request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn refresh(&self, token: &str) -> Reply {
        let form: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "refresh_token")
            .append_pair("refresh_token", token)
            .finish();
        let request = Self::request("POST", "/securetoken.googleapis.com/v1/token?key=k")
            .header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form)).unwrap()).await
    }

    pub(crate) async fn sign_up(&self, email: &str, password: &str) -> Value {
        self.post("accounts:signUp", json!({ "email": email, "password": password })).await.ok()
    }

    /// Looks the account of a token up.
    pub(crate) async fn me(&self, tokens: &Value) -> Value {
        let reply = self.post("accounts:lookup", json!({ "idToken": tokens["idToken"] })).await.ok();
        reply["users"][0].clone()
    }

    /// Confirms the address of an account by the link mailed to it, opened by somebody who is not signed in.
    pub(crate) async fn verify(&self, tokens: &Value) {
        let mail = json!({ "requestType": "VERIFY_EMAIL", "idToken": tokens["idToken"] });
        self.post("accounts:sendOobCode", mail).await.ok();
        self.post("accounts:update", json!({ "oobCode": self.code() })).await.ok();
    }

    /// Adds an authenticator app to an account with a verified address: the app, and the tokens that go on.
    pub(crate) async fn enroll(&self, tokens: &Value) -> (App, Value) {
        let start = json!({ "idToken": tokens["idToken"], "totpEnrollmentInfo": {} });
        let start = self.post2("accounts/mfaEnrollment:start", start).await.ok()["totpSessionInfo"].clone();
        let secret = totp_rs::Secret::try_from_base32(start["sharedSecretKey"].as_str().unwrap()).unwrap();
        let builder = totp_rs::Builder::new().with_algorithm(totp_rs::Algorithm::SHA1);
        let app = App(builder.with_secret(secret).build().unwrap());
        let finish = json!({ "idToken": tokens["idToken"], "totpVerificationInfo": {
            "sessionInfo": start["sessionInfo"], "verificationCode": app.code(self) } });
        let enrolled = self.post2("accounts/mfaEnrollment:finalize", finish).await.ok();
        (app, enrolled)
    }

    /// Messages waiting in the outbox.
    pub(crate) fn outbox(&self) -> Vec<Value> {
        self.state.waiting_mails().iter().map(|mail| json!(mail)).collect()
    }

    /// The newest code in the outbox.
    pub(crate) fn code(&self) -> Value {
        self.outbox().pop().unwrap()["oobCode"].clone()
    }
}

/// The claims of a token.
pub(crate) fn claims(token: &Value) -> Value {
    use base64::Engine as _;
    let payload = token.as_str().unwrap().split('.').nth(1).unwrap();
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// An ID token that anybody can make.
pub(crate) fn unsigned(claims: &Value) -> String {
    use base64::Engine as _;
    let part = |value: &Value| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.", part(&json!({ "alg": "none", "typ": "JWT" })), part(claims))
}
