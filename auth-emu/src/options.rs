//! Options of an accounts server.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use docstore::access::Mode;
use docstore::clock::{SharedClock, SystemClock};
use docstore::store::Store;

use crate::accounts::sign_ups::SignUps;
use crate::entropy::{SharedEntropy, SystemEntropy};
use crate::limits::AuthLimits;
use crate::mail::Mailer;
use crate::providers::ProviderOptions;
use crate::tokens::KeySource;
use crate::tokens::operator::OperatorToken;

/// The parts of an [`crate::AuthState`].
#[derive(Clone)]
pub struct AuthOptions {
    /// Store for accounts.
    pub store: Store,
    /// The project that API keys belong to.
    pub project: String,
    /// Trust in callers.
    pub mode: Mode,
    /// Source of the time.
    pub clock: SharedClock,
    /// Source of the token signing keys.
    pub keys: KeySource,
    /// Scheme, host and port under which people reach the app, such as `https://cards.example`. Links in mails begin
    /// with it; the `Host` header of a request is never used in a mail.
    pub public_origin: String,
    /// The API key in the links of mails.
    pub api_key: String,
    /// The app's name in mails.
    pub app_name: String,
    /// Allows accounts without address, password or provider.
    pub anonymous: bool,
    /// People who may make an account (serving mode only).
    pub sign_ups: SignUps,
    /// Further hosts that a mail's continue link may point to; the host of `public_origin` is always allowed.
    pub authorized_domains: Vec<String>,
    /// Source of secrets.
    pub entropy: SharedEntropy,
    /// Delivers mail; without one, messages wait in the outbox.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// File of the outbox (serving mode only); without one only this process can read the waiting messages.
    pub outbox: Option<PathBuf>,
    /// Limits on attempts (serving mode only).
    pub limits: AuthLimits,
    /// External identity providers people may sign in with (serving mode only: an emulator invents them).
    pub providers: Vec<ProviderOptions>,
    /// Token with which the server's own programs use documents and files.
    pub operator: Option<OperatorToken>,
}

impl AuthOptions {
    /// Options with the machine's clock and random generator, keys in memory, no mailer and the default limits; in
    /// serving mode without anonymous accounts.
    pub fn new(store: Store, project: &str, mode: Mode, public_origin: &str) -> Self {
        Self {
            store,
            project: project.to_owned(),
            mode,
            clock: Arc::new(SystemClock),
            keys: KeySource::InMemory,
            public_origin: public_origin.to_owned(),
            api_key: "local".to_owned(),
            app_name: "Tuckbox".to_owned(),
            anonymous: mode == Mode::Emulator,
            sign_ups: SignUps::Open,
            authorized_domains: Vec::new(),
            entropy: Arc::new(SystemEntropy),
            mailer: None,
            outbox: None,
            limits: AuthLimits::default(),
            providers: Vec::new(),
            operator: None,
        }
    }
}

impl fmt::Debug for AuthOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthOptions")
            .field("project", &self.project)
            .field("mode", &self.mode)
            .field("keys", &self.keys)
            .field("public_origin", &self.public_origin)
            .field("mailer", &self.mailer)
            .finish_non_exhaustive()
    }
}
