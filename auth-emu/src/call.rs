//! One request to one operation: its caller, project and tenant, and its reply.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use axum::RequestPartsExt as _;
use axum::extract::{ConnectInfo, Path, Request};
use axum::response::{IntoResponse, Response};
use docstore::model::Ts;
use docstore::shares::network_of;
use http::request::Parts;
use http::{HeaderValue, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::AuthState;
use crate::accounts::{ANONYMOUS, Account, Directory, Found};
use crate::config::Settings;
use crate::encoding::time::seconds;
use crate::error::{ApiError, Result, ensure};
use crate::limits::Subject;
use crate::tokens::refresh_token::tenant_of_refresh_token;
use crate::tokens::{Claims, SecondFactor, TokenFault, decode_unverified, id_token_issuer};
use crate::validate;
use crate::wire::{self, Routing};

/// The largest body of a serving-mode request, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 256 * 1_024;
/// The largest body of an emulator-mode request, in bytes: a batch import of a thousand accounts and more.
pub(crate) const MAX_EMULATOR_BODY_BYTES: usize = 64 * 1_024 * 1_024;
/// The longest `User-Agent` that is kept, in characters; browsers' own have fewer than 200.
const MAX_USER_AGENT: usize = 300;
/// Changes of address, password and existence need a sign-in this recent, in seconds (serving mode).
const RECENT_SIGN_IN_SECONDS: u64 = 300;

/// Privilege an operation requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// An API key or an administrator.
    Key,
    /// An administrator.
    Admin,
    /// An ID token in the `Authorization` header, which the operation finds as `idToken`.
    Bearer,
    /// None: the operation checks its caller itself.
    Open,
}

/// One request.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) state: AuthState,
    pub(crate) project: String,
    pub(crate) tenant: Option<String>,
    /// The caller is an administrator.
    pub(crate) privileged: bool,
    pub(crate) peer: Option<IpAddr>,
    /// The `User-Agent` header, cut to [`MAX_USER_AGENT`] characters.
    pub(crate) user_agent: Option<String>,
    /// The path, as it was sent.
    pub(crate) path: String,
    pub(crate) query: HashMap<String, String>,
    /// The part after the colon of the path's last segment.
    pub(crate) verb: Option<String>,
    pub(crate) now: Ts,
    pub(crate) settings: Settings,
    pub(crate) directory: Directory,
}

/// Source of sign-in attempts, for limits on guessing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guesser {
    /// A caller at an address where a session of the account began.
    Known,
    /// Anybody else.
    Stranger,
}

/// An account identified by an ID token.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) found: Found,
    pub(crate) claims: Claims,
    /// The provider that it signed in with.
    pub(crate) provider: String,
}

impl SignedIn {
    /// True if the session belongs to a guest account, which only the session leads to.
    pub(crate) fn is_guest(&self) -> bool {
        self.provider == ANONYMOUS && self.found.account.is_guest()
    }

    /// The session's id; emulators' tokens and those of earlier versions have none.
    pub(crate) fn session_id(&self) -> Option<&str> {
        self.firebase_claim("session_id")
    }

    /// The second factor that the session was begun with.
    pub(crate) fn second_factor(&self) -> Option<SecondFactor> {
        let claim = |name: &str| self.firebase_claim(name).map(ToOwned::to_owned);
        let (identifier, provider) = (claim("second_factor_identifier")?, claim("sign_in_second_factor")?);
        Some(SecondFactor { identifier, provider })
    }

    fn firebase_claim(&self, name: &str) -> Option<&str> {
        self.claims.get("firebase")?.get(name)?.as_str()
    }
}

/// Runs `operation` on a request.
pub(crate) async fn answer<B, R, F, Fut>(
    state: AuthState,
    request: Request,
    access: Access,
    operation: F,
) -> Response
where
    B: DeserializeOwned,
    R: Serialize,
    F: FnOnce(Call, B) -> Fut,
    Fut: Future<Output = Result<R>>,
{
    let outcome = async {
        let (call, body) = begin(state, request, access).await?;
        let body = wire::read(body)?;
        operation(call, body).await
    };
    match outcome.await {
        Ok(reply) => json_reply(&reply),
        Err(error) => error.into_response(),
    }
}

/// A JSON reply that must not be cached: it may hold tokens.
pub(crate) fn json_reply<R: Serialize>(reply: &R) -> Response {
    match serde_json::to_vec(reply) {
        Ok(bytes) => {
            let json = HeaderValue::from_static("application/json; charset=utf-8");
            let no_store = HeaderValue::from_static("no-store");
            ([(header::CONTENT_TYPE, json), (header::CACHE_CONTROL, no_store)], bytes).into_response()
        }
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// Reads a request: caller, project, tenant and body.
pub(crate) async fn begin(state: AuthState, request: Request, access: Access) -> Result<(Call, Value)> {
    let (mut parts, body) = request.into_parts();
    let limit = if state.is_emulator() { MAX_EMULATOR_BODY_BYTES } else { MAX_BODY_BYTES };
    let bytes = axum::body::to_bytes(body, limit).await.map_err(|_| ApiError::too_large(limit))?;
    let params = path_params(&mut parts).await;
    let query: HashMap<_, _> =
        url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let privileged = authorize(&state, &parts, &query, access)?;
    let form = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let form = form.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    let mut body = if form { wire::parse_form(&bytes) } else { wire::parse_json(&bytes)? };
    if access == Access::Bearer {
        let header = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        body["idToken"] = header.and_then(bearer_token).into();
    }
    let routing: Routing = wire::read(body.clone())?;
    let project = project_of(&state, &params, &routing, privileged, access)?;
    let tenant = tenant_of(&params, &query, &routing)?;
    let settings = Settings::load(&state, &project, tenant.as_deref()).await?;
    let directory = state.directory(&project, tenant.as_deref());
    let peer = peer_of(&parts);
    let now = state.now();
    let path = parts.uri.path().to_owned();
    let last = path.rsplit('/').next().unwrap_or_default();
    let verb = last.split_once(':').map(|(_, verb)| verb.to_owned());
    let user_agent = user_agent_of(&parts);
    let call = Call {
        state,
        project,
        tenant,
        privileged,
        peer,
        user_agent,
        path,
        query,
        verb,
        now,
        settings,
        directory,
    };
    Ok((call, body))
}

async fn path_params(parts: &mut Parts) -> HashMap<String, String> {
    let params = parts.extract::<Option<Path<HashMap<String, String>>>>().await;
    let mut params = params.ok().flatten().map(|Path(params)| params).unwrap_or_default();
    // `{project}:verb` and `{tenant}:verb`: the verb has chosen the route already.
    for value in params.values_mut() {
        if let Some(at) = value.find(':') {
            value.truncate(at);
        }
    }
    params
}

/// Printable ASCII only: nothing else belongs into a header that is shown to people.
fn user_agent_of(parts: &Parts) -> Option<String> {
    let text = parts.headers.get(header::USER_AGENT)?.to_str().ok()?;
    let clean = text.chars().filter(|character| (' '..='~').contains(character));
    Some(clean.take(MAX_USER_AGENT).collect::<String>()).filter(|text| !text.is_empty())
}

/// The address of the peer, where the listener has noted it as `ConnectInfo<SocketAddr>`.
pub(crate) fn peer_of(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip())
}

/// True if the caller is an administrator; fails if the operation requires one, or a key, and the caller has neither.
fn authorize(
    state: &AuthState,
    parts: &Parts,
    query: &HashMap<String, String>,
    access: Access,
) -> Result<bool> {
    match access {
        Access::Open => return Ok(state.is_emulator()),
        Access::Bearer => return Ok(false),
        Access::Key | Access::Admin => {}
    }
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = header("authorization").and_then(bearer_token);
    match bearer {
        Some(token) if state.is_emulator() && is_owner(token) => return Ok(true),
        Some(_) => return Err(ApiError::bad_credential()),
        None => {}
    }
    if access == Access::Admin {
        return Err(ApiError::login_required());
    }
    let key = query.get("key").map(String::as_str).or_else(|| header("x-goog-api-key"));
    match key {
        Some(key) if !key.is_empty() => Ok(false),
        _ => Err(ApiError::missing_key()),
    }
}

/// The token of a `Bearer` header.
pub(crate) fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// True for the emulators' stand-in for an administrator's token.
pub(crate) fn is_owner(token: &str) -> bool {
    token.eq_ignore_ascii_case("owner") || token.starts_with("ya29.")
}

fn project_of(
    state: &AuthState,
    path: &HashMap<String, String>,
    routing: &Routing,
    privileged: bool,
    access: Access,
) -> Result<String> {
    let in_body = routing.target_project_id.as_deref().filter(|id| !id.is_empty());
    let Some(project) = path.get("project").map(String::as_str).or(in_body) else {
        return Ok(state.project().to_owned());
    };
    if access != Access::Open && !privileged {
        let message = "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.";
        return Err(ApiError::bad(message));
    }
    Ok(project.to_owned())
}

/// Path, query, body, ID token and refresh token must mean the same tenant.
fn tenant_of(
    path: &HashMap<String, String>,
    query: &HashMap<String, String>,
    routing: &Routing,
) -> Result<Option<String>> {
    let in_id_token = routing
        .id_token
        .as_deref()
        .and_then(decode_unverified)
        .and_then(|(_, claims)| claims.get("firebase")?.get("tenant")?.as_str().map(ToOwned::to_owned));
    let in_refresh_token = routing.refresh_token.as_deref().and_then(tenant_of_refresh_token);
    let named = [
        path.get("tenant").cloned(),
        query.get("tenantId").cloned(),
        routing.tenant_id.as_deref().map(ToOwned::to_owned),
        in_id_token,
        in_refresh_token,
    ];
    let mut named = named.into_iter().flatten().filter(|tenant| !tenant.is_empty());
    let tenant = named.next();
    ensure(named.all(|other| Some(&other) == tenant.as_ref()), "TENANT_ID_MISMATCH")?;
    Ok(tenant)
}

impl Call {
    /// Fails if sign-in is switched off for the project or tenant.
    pub(crate) fn enabled(&self) -> Result<()> {
        ensure(!self.settings.allowed.disable_auth, "PROJECT_DISABLED")
    }

    /// Fails in a tenant.
    pub(crate) fn not_in_tenant(&self) -> Result<()> {
        ensure(self.tenant.is_none(), "UNSUPPORTED_TENANT_OPERATION")
    }

    /// The account that an ID token names.
    ///
    /// # Errors
    /// `MISSING_ID_TOKEN`, `INVALID_ID_TOKEN`, `TOKEN_EXPIRED`, `USER_NOT_FOUND`, `USER_DISABLED`,
    /// `TENANT_ID_MISMATCH`
    pub(crate) async fn signed_in(&self, id_token: Option<&str>) -> Result<SignedIn> {
        let token = id_token.filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| ApiError::bad("MISSING_ID_TOKEN"))?;
        let issuer = id_token_issuer(&self.project);
        let claims = self.state.0.tokens.open(token, &issuer, &self.project, self.now).map_err(|fault| {
            tracing::debug!(%fault, "an ID token was refused");
            match fault {
                TokenFault::Expired => ApiError::bad("TOKEN_EXPIRED"),
                _ => ApiError::bad("INVALID_ID_TOKEN"),
            }
        })?;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let firebase = claims.get("firebase");
        let tenant = firebase.and_then(|claim| claim.get("tenant")).and_then(Value::as_str);
        ensure(tenant == self.tenant.as_deref(), "TENANT_ID_MISMATCH")?;
        let local_id =
            text("user_id").or_else(|| text("sub")).ok_or_else(|| ApiError::bad("INVALID_ID_TOKEN"))?;
        let found = self.directory.by_id(local_id).await?.ok_or_else(|| ApiError::bad("USER_NOT_FOUND"))?;
        let issued = claims.get("iat").and_then(Value::as_u64).unwrap_or_default();
        ensure(!found.account.revokes(issued), "TOKEN_EXPIRED")?;
        ensure(!found.account.is_disabled(), "USER_DISABLED")?;
        let provider = firebase.and_then(|claim| claim.get("sign_in_provider")).and_then(Value::as_str);
        let provider = provider.unwrap_or_default().to_owned();
        let signed_in = SignedIn { found, claims, provider };
        ensure(!signed_in.found.account.has_ended(signed_in.session_id()), "TOKEN_EXPIRED")?;
        Ok(signed_in)
    }

    /// In serving mode, fails unless the account showed its credentials a short while ago.
    pub(crate) fn recent(&self, signed_in: &SignedIn) -> Result<()> {
        let shown = signed_in.claims.get("auth_time").and_then(Value::as_u64).unwrap_or_default();
        let recent = shown + RECENT_SIGN_IN_SECONDS >= seconds(self.now);
        ensure(self.state.is_emulator() || recent, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }

    /// In serving mode, fails unless the account may add a way to sign in: it signed in a short while ago, or has none
    /// yet.
    pub(crate) fn may_add_sign_in(&self, signed_in: &SignedIn) -> Result<()> {
        if signed_in.is_guest() { Ok(()) } else { self.recent(signed_in) }
    }

    /// A display name in its stored form: in serving mode without invisible characters.
    ///
    /// # Errors
    /// `INVALID_DISPLAY_NAME` if it is too long.
    pub(crate) fn display_name(&self, text: &str) -> Result<String> {
        validate::display_name(&self.shown_name(text))
    }

    /// The same for a name asserted by a third party.
    pub(crate) fn shown_name(&self, text: &str) -> String {
        if self.state.is_emulator() { text.to_owned() } else { tuckbox_names::visible(text) }
    }

    /// Counts an attempt to sign in or prove an address before it is checked, so that parallel attempts count as well;
    /// [`Call::succeeded`] reverts it.
    ///
    /// # Errors
    /// `TOO_MANY_ATTEMPTS_TRY_LATER` after too many wrong answers for this account or from this address.
    pub(crate) fn attempt(&self, account: &str) -> Result<()> {
        self.attempt_by(account, Guesser::Stranger)
    }

    /// The same for a caller the account may know. Strangers' wrong answers do not count against known callers, so that
    /// nobody can lock an account's owner out by guessing.
    pub(crate) fn attempt_by(&self, account: &str, guesser: Guesser) -> Result<()> {
        self.take_from_peer(Subject::AddressFailures)?;
        self.state.0.limiter.take(&self.failures_of(account, guesser), self.now)
    }

    /// Source of sign-in attempts at an account, for limits on guessing.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn guesser_of(&self, account: Option<&Account>) -> Result<Guesser> {
        let Some(account) = account.filter(|_| !self.state.is_emulator()) else {
            return Ok(Guesser::Stranger);
        };
        let known = self.has_been_here(&account.local_id).await?;
        Ok(if known { Guesser::Known } else { Guesser::Stranger })
    }

    /// Records that the attempt was right: the account's earlier failures are cleared.
    pub(crate) fn succeeded(&self, account: &str) {
        self.succeeded_as(account, Guesser::Stranger);
    }

    /// The same after [`Call::attempt_by`].
    pub(crate) fn succeeded_as(&self, account: &str, guesser: Guesser) {
        let limiter = &self.state.0.limiter;
        limiter.forgive(&self.failures_of(account, guesser));
        if let Some(subject) = self.peer_subject(Subject::AddressFailures) {
            limiter.give_back(&subject, self.now);
        }
    }

    /// Takes one attempt from a bucket of the caller's address.
    pub(crate) fn take_from_peer(&self, subject: impl Fn(IpAddr) -> Subject) -> Result<()> {
        match self.peer_subject(subject) {
            Some(subject) => self.state.0.limiter.take(&subject, self.now),
            None => Ok(()),
        }
    }

    fn peer_subject(&self, subject: impl Fn(IpAddr) -> Subject) -> Option<Subject> {
        self.peer.map(network_of).map(subject)
    }

    fn failures_of(&self, account: &str, guesser: Guesser) -> Subject {
        let tenant = self.tenant.as_deref().unwrap_or_default();
        let account = format!("{}/{tenant}/{account}", self.project);
        match (guesser, self.peer) {
            (Guesser::Known, Some(peer)) => Subject::KnownFailures(account, network_of(peer)),
            (Guesser::Known | Guesser::Stranger, _) => Subject::AccountFailures(account),
        }
    }

    /// A new account's common part.
    pub(crate) fn new_account(&self, local_id: String) -> Account {
        Account {
            local_id,
            tenant_id: self.tenant.clone(),
            created_at: Some(crate::encoding::time::millis(self.now).to_string()),
            ..Account::default()
        }
    }
}
