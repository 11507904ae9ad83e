//! The first admin of a new server: while nobody is one, the log shows a code once, with which the first account that
//! gives it becomes admin (`becomeFirstAdmin`). The code is kept in memory alone and is good for an hour.

use std::sync::Arc;
use std::time::Duration;

use auth_emu::entropy::{SharedEntropy, legible};
use auth_emu::{AccountChange, AuthState};
use docstore::clock::SharedClock;
use docstore::model::Ts;
use docstore::{Code, Result};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex as Turns;

use super::admin::{CLAIM, account_of, name_of};
use super::audit::AuditLog;
use super::guest_accounts::address_of;
use crate::functions::callable::{AuthContext, CallError, Context, Function};
use crate::table::guesses::Guesses;

/// Path of the page that takes the code.
const PAGE: &str = "/admin-control-panel";

/// Time for which the code is good.
const GOOD_FOR: Duration = Duration::from_secs(3_600);

/// Characters of the code, of 31 that are told apart easily: 59 bits.
const LENGTH: usize = 12;

/// Characters between two dashes of the code in the log.
const GROUP: usize = 4;

/// Added to the log's line on a server that would not let its operator sign up.
const CLOSED_HINT: &str = ". It does not take new accounts from everybody: if you have none yet, set `tuckbox.signIn.signUp` to \"open\", restart, sign up, and set it back";

/// Longest code that is read, in bytes.
const MAX_CODE_BYTES: usize = 100;

/// The code, as far as it has come.
#[derive(Debug)]
enum State {
    /// None was made: there is an admin, or the server is an emulator.
    Closed,
    Open {
        hash: [u8; 32],
        until: Ts,
    },
    Used,
}

/// The state for the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Shown {
    /// A code can be given.
    Open,
    /// The hour is over, and there was no admin when it began.
    Expired,
    /// No code can be given.
    Closed,
}

#[derive(Debug)]
struct Inner {
    accounts: AuthState,
    clock: SharedClock,
    entropy: SharedEntropy,
    state: Mutex<State>,
    /// Held while an account is made admin: of two that give the code at once, one is.
    turns: Turns<()>,
    guesses: Guesses,
}

/// See the module's description. Clones share the code.
#[derive(Debug, Clone)]
pub(crate) struct FirstAdmin(Arc<Inner>);

#[derive(Debug, Deserialize)]
struct Request {
    code: String,
}

#[derive(Debug, Serialize)]
struct Status {
    state: Shown,
}

/// `firstAdmin`: the state of the code. `becomeFirstAdmin`: gives it.
pub(super) fn functions(first: &FirstAdmin, log: &AuditLog) -> [Function; 2] {
    let asked = first.clone();
    let status = Function::new("firstAdmin", move |context: Context, (): ()| {
        let state = context.user().map(|_| Status { state: asked.shown() });
        std::future::ready(state)
    });
    let (first, log) = (first.clone(), log.clone());
    let become_admin = Function::new("becomeFirstAdmin", move |context: Context, request: Request| {
        let (first, log) = (first.clone(), log.clone());
        async move { first.take(&context, &request.code, &log).await }
    });
    [status, become_admin]
}

fn refused(message: &str) -> CallError {
    CallError::new(Code::FailedPrecondition, message)
}

/// The code's hash: case, spaces and dashes do not count.
fn hash_of(code: &str) -> [u8; 32] {
    let typed: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    Sha256::digest(typed.to_ascii_lowercase()).into()
}

/// The code as it is read out: in groups with dashes.
fn grouped(code: &str) -> String {
    code.as_bytes().chunks(GROUP).map(String::from_utf8_lossy).collect::<Vec<_>>().join("-")
}

impl FirstAdmin {
    pub(crate) fn new(accounts: &AuthState, clock: SharedClock, entropy: SharedEntropy) -> Self {
        Self(Arc::new(Inner {
            accounts: accounts.clone(),
            clock,
            entropy,
            state: Mutex::new(State::Closed),
            turns: Turns::new(()),
            guesses: Guesses::default(),
        }))
    }

    /// Makes a code if nobody is an admin, and logs it. `url` is the application's, without a trailing slash. `takes_all` is
    /// false on a server that does not take a new account from everybody.
    pub(crate) async fn offer(&self, url: &str, takes_all: bool) {
        let hint = if takes_all { "" } else { CLOSED_HINT };
        match self.code().await {
            Ok(None) => {}
            // A warning, because it must be seen whichever lines are logged.
            Ok(Some(code)) => tracing::warn!(
                code,
                "this server has no administrator yet: sign up, open {url}{PAGE} and enter the code. It is good for an hour and for one account; `tuckbox admin grant ADDRESS` does the same{hint}"
            ),
            Err(error) => {
                tracing::error!(%error, "administrators could not be looked for: use `tuckbox admin grant ADDRESS`");
            }
        }
    }

    /// A new code, which replaces an older one; `None` if there is an admin.
    async fn code(&self) -> Result<Option<String>> {
        if self.0.accounts.has_account_with_claim(CLAIM).await? {
            return Ok(None);
        }
        let code = legible(&*self.0.entropy, LENGTH);
        let until = Ts::from_micros(
            self.0.clock.now().micros() + u64::try_from(GOOD_FOR.as_micros()).unwrap_or(u64::MAX),
        );
        self.set(State::Open { hash: hash_of(&code), until });
        Ok(Some(grouped(&code)))
    }

    fn set(&self, state: State) {
        *self.0.state.lock() = state;
    }

    fn shown(&self) -> Shown {
        match &*self.0.state.lock() {
            State::Open { until, .. } if self.0.clock.now() < *until => Shown::Open,
            State::Open { .. } => Shown::Expired,
            State::Closed | State::Used => Shown::Closed,
        }
    }

    /// Compares a code with the one of the log.
    fn check(&self, code: &str) -> std::result::Result<(), CallError> {
        let state = self.0.state.lock();
        let (hash, until) = match &*state {
            State::Closed => {
                return Err(refused("This server has an administrator, who can make you one too."));
            }
            State::Used => {
                return Err(refused("The code has been used. The administrator can make you one too."));
            }
            State::Open { hash, until } => (hash, until),
        };
        if self.0.clock.now() >= *until {
            return Err(refused(
                "The code was good for an hour, which is over. Restart the server: its log shows a new one.",
            ));
        }
        // Hashes are compared, so that the time it takes tells nothing of the code.
        if code.len() > MAX_CODE_BYTES || hash_of(code) != *hash {
            return Err(CallError::invalid(
                "This is not the code in the server's log. Only the one of the last start is good.",
            ));
        }
        Ok(())
    }

    /// Makes the caller an admin, if the code is right and nobody is one.
    async fn take(
        &self,
        context: &Context,
        code: &str,
        log: &AuditLog,
    ) -> std::result::Result<(), CallError> {
        let user = context.user()?;
        if is_anonymous(user) {
            return Err(refused("Sign up with an address first: nobody could log in to this account again."));
        }
        let tried = self.0.guesses.begin(address_of(context), self.0.clock.now());
        let Some(tried) = tried.filter(|tried| !tried.waits) else {
            return Err(CallError::new(
                Code::ResourceExhausted,
                "Too many wrong codes were given. Wait a minute and try again.",
            ));
        };
        let _turn = self.0.turns.lock().await;
        match self.check(code) {
            Err(wrong) if wrong.code() == Code::InvalidArgument => return Err(wrong),
            checked => {
                self.0.guesses.was_right(&tried);
                checked?;
            }
        }
        if self.0.accounts.has_account_with_claim(CLAIM).await? {
            self.set(State::Closed);
            return self.check(code);
        }
        let account = account_of(&self.0.accounts, &user.uid).await?;
        log.write(user, "took the first admin's code for", name_of(&account)).await?;
        self.0.accounts.change_by_id(&user.uid, &AccountChange::GrantClaim(CLAIM.to_owned())).await?;
        self.set(State::Used);
        tracing::warn!(uid = user.uid, "an account became the first administrator with the code of this log");
        Ok(())
    }
}

/// True for an account without an address or another way in.
fn is_anonymous(user: &AuthContext) -> bool {
    user.token.pointer("/firebase/sign_in_provider").and_then(Value::as_str) == Some("anonymous")
}

#[cfg(test)]
mod tests {
    use auth_emu::AuthOptions;
    use auth_emu::entropy::SeededEntropy;
    use docstore::clock::ManualClock;
    use docstore::store::{EngineOptions, Limits, Store, StoreOptions};
    use serde_json::json;
    use tokio::time::Instant;

    use super::*;

    struct World {
        first: FirstAdmin,
        clock: Arc<ManualClock>,
        accounts: AuthState,
        log: AuditLog,
    }

    impl World {
        async fn new() -> Self {
            let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
            let options = StoreOptions {
                engine: EngineOptions::Memory,
                clock: clock.clone(),
                limits: Limits::default(),
            };
            let store = Store::open(options).await.unwrap();
            let options = AuthOptions {
                clock: clock.clone(),
                ..AuthOptions::new(
                    store.clone(),
                    "demo",
                    docstore::access::Mode::Emulator,
                    "http://localhost",
                )
            };
            let accounts = AuthState::new(options).await.unwrap();
            let first = FirstAdmin::new(&accounts, clock.clone(), Arc::new(SeededEntropy::new(1)));
            Self { first, clock, accounts, log: AuditLog::new(&store, "demo") }
        }

        async fn person(&self) -> Context {
            let uid = self.accounts.create_with_claim("Ann", "person").await.unwrap();
            let (raw, ()) = http::Request::new(()).into_parts();
            let auth = AuthContext { uid, token: json!({"firebase": {"sign_in_provider": "password"}}) };
            Context {
                auth: Some(auth),
                app_check: None,
                instance_id: None,
                deadline: Instant::now(),
                raw: Arc::new(raw),
            }
        }

        async fn give(&self, person: &Context, code: &str) -> std::result::Result<(), String> {
            self.first.take(person, code, &self.log).await.map_err(|error| error.inner().message().to_owned())
        }

        async fn is_admin(&self, person: &Context) -> bool {
            let uid = &person.user().unwrap().uid;
            let account = self.accounts.account(uid).await.unwrap().unwrap();
            account["customAttributes"].as_str().unwrap().contains(r#""admin":true"#)
        }
    }

    #[tokio::test]
    async fn the_code_makes_one_admin_however_it_is_typed() {
        let world = World::new().await;
        let code = world.first.code().await.unwrap().unwrap();
        assert_eq!((code.len(), code.matches('-').count()), (14, 2), "{code}");
        let (ann, bob) = (world.person().await, world.person().await);
        assert!(world.give(&ann, "2222-2222-2222").await.unwrap_err().contains("not the code"));
        assert!(!world.is_admin(&ann).await);
        let typed = format!(" {} ", code.to_uppercase().replace('-', " "));
        world.give(&ann, &typed).await.unwrap();
        assert!(world.is_admin(&ann).await);
        assert!(world.give(&bob, &code).await.unwrap_err().contains("has been used"));
        assert!(!world.is_admin(&bob).await);
        assert_eq!(world.first.shown(), Shown::Closed);
        assert_eq!(world.first.code().await.unwrap(), None, "there is an admin");
        let entries = world.log.read(None).await.unwrap();
        assert_eq!(entries.len(), 1, "{entries:?}");
    }

    #[tokio::test]
    async fn of_many_who_give_it_at_once_one_is_admin() {
        let world = World::new().await;
        let code = world.first.code().await.unwrap().unwrap();
        let people = futures::future::join_all((0..8).map(|_| world.person())).await;
        let given = futures::future::join_all(people.iter().map(|person| world.give(person, &code))).await;
        assert_eq!(given.iter().filter(|given| given.is_ok()).count(), 1, "{given:?}");
    }

    #[tokio::test]
    async fn it_is_good_for_an_hour() {
        let world = World::new().await;
        let ann = world.person().await;
        let code = world.first.code().await.unwrap().unwrap();
        world.clock.advance(GOOD_FOR - Duration::from_secs(1));
        assert_eq!(world.first.shown(), Shown::Open);
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(world.first.shown(), Shown::Expired);
        assert!(world.give(&ann, &code).await.unwrap_err().contains("an hour, which is over"));
        let next = world.first.code().await.unwrap().unwrap();
        assert!(world.give(&ann, &code).await.unwrap_err().contains("not the code"), "the older one");
        world.give(&ann, &next).await.unwrap();
    }

    #[tokio::test]
    async fn it_is_good_for_nothing_once_somebody_was_made_admin() {
        let world = World::new().await;
        let (ann, bob) = (world.person().await, world.person().await);
        let code = world.first.code().await.unwrap().unwrap();
        let uid = &bob.user().unwrap().uid;
        let grant = AccountChange::GrantClaim(CLAIM.to_owned());
        world.accounts.change_by_id(uid, &grant).await.unwrap();
        assert!(world.give(&ann, &code).await.unwrap_err().contains("has an administrator"));
        assert!(!world.is_admin(&ann).await);
    }

    #[tokio::test]
    async fn guesses_are_limited_and_right_codes_wait_too() {
        let world = World::new().await;
        let ann = world.person().await;
        let code = world.first.code().await.unwrap().unwrap();
        let mut wrong = 0;
        while world.give(&ann, "wrong").await.unwrap_err().contains("not the code") {
            wrong += 1;
        }
        assert!((10..=100).contains(&wrong), "{wrong}");
        assert!(world.give(&ann, &code).await.unwrap_err().contains("Too many"));
        world.clock.advance(Duration::from_secs(61));
        world.give(&ann, &code).await.unwrap();
    }

    #[tokio::test]
    async fn accounts_without_a_way_in_are_refused() {
        let world = World::new().await;
        let mut ann = world.person().await;
        let code = world.first.code().await.unwrap().unwrap();
        if let Some(auth) = &mut ann.auth {
            auth.token = json!({"firebase": {"sign_in_provider": "anonymous"}});
        }
        assert!(world.give(&ann, &code).await.unwrap_err().contains("Sign up with an address"));
    }
}
