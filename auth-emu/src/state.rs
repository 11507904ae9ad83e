//! The server of accounts itself.

use std::sync::Arc;

use docstore::access::Mode;
use docstore::clock::SharedClock;
use docstore::model::{DatabaseId, Ts};
use docstore::store::Store;
use docstore::{Code, Error, Result};
use parking_lot::RwLock;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::AuthOptions;
use crate::accounts::sign_ups::SignUps;
use crate::accounts::{AccountLocks, Directory};
use crate::entropy::SharedEntropy;
use crate::error::{ApiError, ensure};
use crate::limits::Limiter;
use crate::mail::Mailer;
use crate::mail::outbox::{OobMessage, Outbox, SmsMessage};
use crate::passwords::Passwords;
use crate::providers::Provider;
use crate::tokens::operator::OperatorToken;
use crate::tokens::{Keyring, Tokens};

/// The database of a project's accounts. Ids that begin with `__` cannot be reached over the wire.
pub const DATABASE: &str = "__auth__";

/// A server of accounts; clones share everything.
#[derive(Debug, Clone)]
pub struct AuthState(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) store: Store,
    locks: Arc<AccountLocks>,
    pub(crate) project: String,
    pub(crate) mode: Mode,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) tokens: Tokens,
    pub(crate) passwords: Passwords,
    pub(crate) limiter: Limiter,
    pub(crate) mailer: Option<Arc<dyn Mailer>>,
    pub(crate) mails: Outbox<OobMessage>,
    pub(crate) texts: Outbox<SmsMessage>,
    pub(crate) origin: Url,
    pub(crate) api_key: String,
    pub(crate) app_name: String,
    /// Allows accounts without address, password or provider in projects.
    pub(crate) anonymous: bool,
    pub(crate) sign_ups: SignUps,
    pub(crate) authorized_domains: Vec<String>,
    /// Asks blocking functions.
    pub(crate) http: reqwest::Client,
    pub(crate) providers: Vec<Provider>,
    pub(crate) operator: Option<OperatorToken>,
    /// The blocking functions of the project's own source, in the form of its configuration.
    own_functions: RwLock<Value>,
}

impl AuthState {
    /// Builds the server: reads or makes the signing keys.
    ///
    /// # Errors
    /// A key folder that cannot be used, or a public origin that is no `http(s)://host[:port]`.
    pub async fn new(options: AuthOptions) -> Result<Self> {
        let origin = parse_origin(&options.public_origin)?;
        let (source, clock) = (options.keys.clone(), Arc::clone(&options.clock));
        let keyring = match options.mode {
            // Nothing is signed: no key needs to be searched for.
            Mode::Emulator => Keyring::empty(clock),
            Mode::Serving => tokio::task::spawn_blocking(move || Keyring::open(source, clock))
                .await
                .map_err(|error| Error::internal("KeyTask", "the key ring could not be opened", error))??,
        };
        let host = origin.host_str().unwrap_or_default().to_owned();
        // Whichever part of the process installs its cryptography first wins; any provider will do.
        _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        let http =
            http.map_err(|error| Error::internal("HttpClient", "no HTTP client could be made", error))?;
        let providers = options.providers.into_iter();
        let providers = providers
            .map(|provider| Provider::new(provider, http.clone(), Arc::clone(&options.clock)))
            .collect::<Result<Vec<_>>>()?;
        let outbox = options.outbox.filter(|_| options.mode == Mode::Serving && options.mailer.is_none());
        let mails = match outbox {
            Some(file) => tokio::task::spawn_blocking(move || Outbox::in_file(file))
                .await
                .map_err(|error| Error::internal("OutboxTask", "the outbox could not be read", error))??,
            None => Outbox::default(),
        };
        let limits = (options.mode == Mode::Serving).then_some(options.limits);
        Ok(Self(Arc::new(Inner {
            store: options.store,
            locks: Arc::new(AccountLocks::new()),
            project: options.project,
            mode: options.mode,
            clock: options.clock,
            tokens: Tokens::new(options.mode, keyring),
            passwords: Passwords::new(options.mode, Arc::clone(&options.entropy)),
            entropy: options.entropy,
            limiter: Limiter::new(limits),
            mailer: options.mailer,
            mails,
            texts: Outbox::default(),
            origin,
            api_key: options.api_key,
            app_name: options.app_name,
            anonymous: options.anonymous,
            sign_ups: options.sign_ups,
            authorized_domains: options.authorized_domains.into_iter().chain([host]).collect(),
            http,
            providers,
            operator: options.operator,
            own_functions: RwLock::new(Value::Null),
        })))
    }

    /// The project that API keys belong to.
    pub fn project(&self) -> &str {
        &self.0.project
    }

    /// Sets the functions of the project's own source that are called before accounts are created and sign in, in the
    /// form of `blockingFunctions` in the project's configuration. An administrator's settings there take precedence.
    pub fn set_blocking_functions(&self, functions: Value) {
        *self.0.own_functions.write() = functions;
    }

    pub(crate) fn own_functions(&self) -> Value {
        self.0.own_functions.read().clone()
    }

    /// The project's mails waiting for manual delivery, oldest first: for programs this server is part of.
    pub fn waiting_mails(&self) -> Vec<OobMessage> {
        self.0.mails.list(&self.0.project, None)
    }

    /// Trust in callers.
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    pub(crate) fn now(&self) -> Ts {
        self.0.clock.now()
    }

    pub(crate) fn is_emulator(&self) -> bool {
        self.0.mode == Mode::Emulator
    }

    /// Checks that a place to go on to is one of the project's: of its own host, or of an authorized domain.
    ///
    /// # Errors
    /// `UNAUTHORIZED_DOMAIN : …`, in serving mode.
    pub(crate) fn authorized(&self, url: &Url) -> std::result::Result<(), ApiError> {
        let known = url.host_str().is_some_and(|host| {
            matches!(url.scheme(), "http" | "https")
                && self.0.authorized_domains.iter().any(|domain| domain == host)
        });
        ensure(
            known || self.is_emulator(),
            "UNAUTHORIZED_DOMAIN : The continue URL's domain is not authorized for this project.",
        )
    }

    /// The accounts of a project, or of one of its tenants.
    pub(crate) fn directory(&self, project: &str, tenant: Option<&str>) -> Directory {
        let database = self.0.store.database(&DatabaseId::new(project, DATABASE));
        Directory::new(database, tenant, Arc::clone(&self.0.locks))
    }

    /// A project's number, which some replies carry instead of its id: stable, derived from its name.
    pub(crate) fn project_number(&self, project: &str) -> String {
        if self.is_emulator() {
            return "12345".to_owned();
        }
        let hash = Sha256::digest(project.as_bytes());
        let number = hash.iter().take(5).fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        (100_000_000_000 + number % 900_000_000_000).to_string()
    }
}

fn parse_origin(text: &str) -> Result<Url> {
    let url = Url::parse(text).ok();
    let fits = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.host_str().is_some()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    };
    url.filter(fits).ok_or_else(|| {
        let message = format!(
            "The public origin \"{text}\" must be a scheme, a host and a port, such as https://cards.example"
        );
        Error::new(Code::InvalidArgument, "BadPublicOrigin", message)
    })
}
