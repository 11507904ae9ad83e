//! The routes, with their production hosts as first segment, as the SDKs' emulator settings make them.

pub(super) mod cors;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, any, get, on};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::AuthState;
use crate::call::{Access, Call, answer, json_reply};
use crate::error::Result;
use crate::operations::emulator::action;
use crate::operations::idp::invented;
use crate::operations::{
    auth_uri, batch, custom_token, email_link, emulator, idp, lookup, mfa, oob, passkey, password, phone,
    project, query, removal, revocation, session_list, sign_up, tenants, token, unsupported, update, widget,
};
use crate::router::cors::allow_origins;

const V1: &str = "/identitytoolkit.googleapis.com/v1";
const V2: &str = "/identitytoolkit.googleapis.com/v2";
const LEGACY: &str = "/www.googleapis.com/identitytoolkit/v3/relyingparty";
const OWN_ACCOUNT: &str = "/__/account";
const EMULATOR: &str = "/emulator/v1/projects/{project}";
const PUBLIC_KEYS: &str =
    "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

/// The identitytoolkit and securetoken services, the emulator's endpoints and the public keys, all under absolute
/// paths.
///
/// Attempts are counted per address if the listener puts `axum::extract::ConnectInfo<SocketAddr>` into each request's
/// extensions.
pub fn router(state: AuthState) -> Router {
    let routes = Router::new()
        .merge(clients())
        .merge(administrators())
        .merge(settings())
        .merge(own_account())
        .merge(if state.is_emulator() { emulator_only() } else { Router::new() })
        .route("/securetoken.googleapis.com/v1/token", post(Access::Key, token::grant))
        .route(widget::HANDLER, get(widget::handler))
        .route(widget::FRAME, get(widget::frame))
        .route(&format!("{V1}/{{*rest}}"), any(unsupported::answer))
        .route(&format!("{V2}/{{*rest}}"), any(unsupported::answer))
        .route(&format!("{LEGACY}/{{*rest}}"), any(unsupported::answer))
        .route("/.well-known/jwks.json", read(Access::Open, token::public_keys))
        .route(PUBLIC_KEYS, read(Access::Open, token::public_keys))
        .route(&format!("{V1}/sessionCookiePublicKeys"), read(Access::Open, token::public_keys));
    routes.layer(from_fn_with_state(state.clone(), allow_origins)).with_state(state)
}

/// `GET /` of a port that serves nothing but accounts.
pub fn index(state: AuthState) -> Router {
    let ready = json_reply_of(json!({ "authEmulator": { "ready": true } }));
    let routes = Router::new().route("/", ready);
    routes.layer(from_fn_with_state(state.clone(), allow_origins)).with_state(state)
}

fn json_reply_of(value: serde_json::Value) -> MethodRouter<AuthState> {
    get(move || async move { json_reply(&value) })
}

/// An operation's name in version 1, its earlier name, and its function.
macro_rules! client_operations {
    ($($name:literal, $legacy:literal => $operation:expr;)+) => {
        Router::new()$(
            .route(&format!("{V1}/accounts:{}", $name), post(Access::Key, $operation))
            .route(&format!("{LEGACY}/{}", $legacy), post(Access::Key, $operation))
        )+
    };
}

/// The operations on accounts, for clients, under their names of today and of before.
fn clients() -> Router<AuthState> {
    let routes = client_operations! {
        "createAuthUri", "createAuthUri" => auth_uri::create;
        "delete", "deleteAccount" => removal::delete;
        "lookup", "getAccountInfo" => lookup::lookup;
        "resetPassword", "resetPassword" => password::reset;
        "sendOobCode", "getOobConfirmationCode" => oob::send;
        "sendVerificationCode", "sendVerificationCode" => phone::send;
        "signInWithCustomToken", "verifyCustomToken" => custom_token::sign_in;
        "signInWithEmailLink", "emailLinkSignin" => email_link::sign_in;
        "signInWithIdp", "verifyAssertion" => idp::sign_in;
        "signInWithPassword", "verifyPassword" => password::sign_in;
        "signInWithPhoneNumber", "verifyPhoneNumber" => phone::sign_in;
        "signUp", "signupNewUser" => sign_up::sign_up;
        "update", "setAccountInfo" => update::update;
    };
    routes
        .route(&format!("{V2}/accounts:revokeToken"), post(Access::Key, revocation::revoke))
        .route(&format!("{V2}/accounts/mfaEnrollment:start"), post(Access::Key, mfa::enrollment::start))
        .route(&format!("{V2}/accounts/mfaEnrollment:finalize"), post(Access::Key, mfa::enrollment::finalize))
        .route(&format!("{V2}/accounts/mfaEnrollment:withdraw"), post(Access::Key, mfa::enrollment::withdraw))
        .route(&format!("{V2}/accounts/mfaSignIn:start"), post(Access::Key, mfa::sign_in::start))
        .route(&format!("{V2}/accounts/mfaSignIn:finalize"), post(Access::Key, mfa::sign_in::finalize))
        .route(
            &format!("{V2}/accounts/passkeyEnrollment:start"),
            post(Access::Key, passkey::start_enrollment),
        )
        .route(
            &format!("{V2}/accounts/passkeyEnrollment:finalize"),
            post(Access::Key, passkey::finalize_enrollment),
        )
        .route(&format!("{V2}/accounts/passkeySignIn:start"), post(Access::Key, passkey::start_sign_in))
        .route(&format!("{V2}/accounts/passkeySignIn:finalize"), post(Access::Key, passkey::finalize_sign_in))
}

/// The operations on accounts, for administrators of a project or of a tenant.
fn administrators() -> Router<AuthState> {
    let mut routes = Router::new()
        .route(&format!("{LEGACY}/downloadAccount"), post(Access::Admin, batch::download))
        .route(&format!("{LEGACY}/uploadAccount"), post(Access::Admin, batch::upload));
    for realm in ["projects/{project}", "projects/{project}/tenants/{tenant}"] {
        let base = format!("{V1}/{realm}/accounts");
        let colon = |name: &str| format!("{base}:{name}");
        // A verb after a parameter cannot be a route of its own: `{project}:createSessionCookie`.
        let verbs = post(Access::Admin, project::verb);
        routes = routes
            .route(&base, post(Access::Admin, sign_up::sign_up))
            .route(&colon("batchCreate"), post(Access::Admin, batch::create))
            .route(&colon("batchDelete"), post(Access::Admin, batch::delete))
            .route(&colon("batchGet"), read(Access::Admin, batch::get))
            .route(&colon("delete"), post(Access::Admin, removal::delete))
            .route(&colon("lookup"), post(Access::Admin, lookup::lookup))
            .route(&colon("query"), post(Access::Admin, query::query))
            .route(&colon("sendOobCode"), post(Access::Admin, oob::send))
            .route(&colon("update"), post(Access::Admin, update::update))
            .route(&format!("{V1}/{realm}"), verbs);
        for kind in ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"] {
            let all =
                read(Access::Admin, idp::configs::list).merge(post(Access::Admin, idp::configs::create));
            let one = read(Access::Admin, idp::configs::get)
                .merge(patch(Access::Admin, idp::configs::update))
                .merge(operation(MethodFilter::DELETE, Access::Admin, idp::configs::delete));
            let base = format!("{V2}/{realm}/{kind}");
            routes = routes.route(&base, all).route(&format!("{base}/{{config}}"), one);
        }
    }
    let tenant = read(Access::Admin, tenants::get)
        .merge(patch(Access::Admin, tenants::update))
        .merge(operation(MethodFilter::DELETE, Access::Admin, tenants::delete));
    routes.route(&format!("{V2}/projects/{{project}}/tenants/{{tenant}}"), tenant).route(
        &format!("{V2}/projects/{{project}}/tenants"),
        read(Access::Admin, tenants::list).merge(post(Access::Admin, tenants::create)),
    )
}

fn settings() -> Router<AuthState> {
    Router::new()
        .route(&format!("{V1}/projects"), read(Access::Key, project::client_config))
        .route(&format!("{LEGACY}/getProjectConfig"), read(Access::Key, project::client_config))
        .route(&format!("{V1}/recaptchaParams"), read(Access::Key, project::recaptcha_params))
        .route(&format!("{LEGACY}/getRecaptchaParam"), read(Access::Key, project::recaptcha_params))
        .route(&format!("{V2}/recaptchaConfig"), read(Access::Key, project::recaptcha_config))
        .route(&format!("{V2}/passwordPolicy"), read(Access::Key, project::password_policy))
        .route(
            &format!("{V2}/projects/{{project}}/config"),
            read(Access::Admin, project::get_config).merge(patch(Access::Admin, project::update_config)),
        )
}

/// Routes of our own, beyond those of the SDKs, for the account page and the sign-in page.
fn own_account() -> Router<AuthState> {
    let codes = read(Access::Bearer, mfa::recovery::count).merge(post(Access::Bearer, mfa::recovery::renew));
    let end = operation(MethodFilter::DELETE, Access::Bearer, session_list::end);
    Router::new()
        .route(&format!("{OWN_ACCOUNT}/recoveryCodes"), codes)
        .route(&format!("{OWN_ACCOUNT}/recoverySignIn"), post(Access::Key, mfa::recovery::sign_in))
        .route(&format!("{OWN_ACCOUNT}/passkeys"), patch(Access::Bearer, passkey::rename))
        .route(&format!("{OWN_ACCOUNT}/sessions"), read(Access::Bearer, session_list::list))
        .route(&format!("{OWN_ACCOUNT}/sessions/{{session}}"), end)
}

/// Routes that exist in emulator mode only.
fn emulator_only() -> Router<AuthState> {
    let config = read(Access::Open, emulator::get_config).merge(patch(Access::Open, emulator::update_config));
    let mut routes = Router::new()
        .route("/emulator/action", get(action::act))
        .route(invented::PATH, get(invented::show).post(invented::invent))
        .route(&format!("{EMULATOR}/config"), config);
    for realm in [EMULATOR.to_owned(), format!("{EMULATOR}/tenants/{{tenant}}")] {
        let delete = operation(MethodFilter::DELETE, Access::Open, emulator::delete_accounts);
        routes = routes
            .route(&format!("{realm}/accounts"), delete)
            .route(&format!("{realm}/oobCodes"), get(emulator::oob_codes))
            .route(&format!("{realm}/verificationCodes"), get(emulator::verification_codes));
    }
    routes
}

fn post<B, R, F, Fut>(access: Access, run: F) -> MethodRouter<AuthState>
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: FnOnce(Call, B) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
{
    operation(MethodFilter::POST, access, run)
}

fn read<B, R, F, Fut>(access: Access, run: F) -> MethodRouter<AuthState>
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: FnOnce(Call, B) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
{
    operation(MethodFilter::GET, access, run)
}

fn patch<B, R, F, Fut>(access: Access, run: F) -> MethodRouter<AuthState>
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: FnOnce(Call, B) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
{
    operation(MethodFilter::PATCH, access, run)
}

fn operation<B, R, F, Fut>(method: MethodFilter, access: Access, run: F) -> MethodRouter<AuthState>
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: FnOnce(Call, B) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<R>> + Send + 'static,
{
    on(method, move |State(state): State<AuthState>, request: Request| answer(state, request, access, run))
}
