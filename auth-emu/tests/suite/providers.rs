//! Sign-in at an OpenID Connect provider, against one of our own on this machine.

use std::sync::Arc;

use auth_emu::{AuthState, SignUps};
use auth_emu::providers::ProviderOptions;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use docstore::access::Mode;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::harness::{Server, claims};
use super::sign_ups::OnlyAda;

/// A key of this test's own; it signs nothing anywhere else.
const KEY: &str = include_str!("provider-key.pem");
const X: &str = "eCDY7HVf_m5bm7LBhx2e49tMhzeOicYqcwvlf5OHc0A";
const Y: &str = "IE26v19omyBq_IK2tVuycWeZEO23AWEOovugURcofs4";
const RETURN: &str = "https://cards.example/__/auth/handler";

/// State of the test provider: requests it received, and the identity it asserts.
#[derive(Debug, Default)]
struct Desk {
    issuer: String,
    nonce: String,
    challenge: String,
    claims: Value,
    audience: String,
    /// Tokens it was asked to revoke; `None` while it offers no revocation.
    forgotten: Option<Vec<String>>,
}

type Shared = Arc<Mutex<Desk>>;

async fn discovery(State(desk): State<Shared>) -> Json<Value> {
    let (issuer, forgets) = {
        let desk = desk.lock();
        (desk.issuer.clone(), desk.forgotten.is_some())
    };
    Json(json!({
        "revocation_endpoint": forgets.then(|| format!("{issuer}/forget")),
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
    }))
}

async fn keys() -> Json<Value> {
    Json(
        json!({ "keys": [{ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "1", "x": X, "y": Y }] }),
    )
}

async fn token(State(desk): State<Shared>, form: String) -> (http::StatusCode, Json<Value>) {
    let desk = desk.lock();
    let find = |name: &str| {
        let found = url::form_urlencoded::parse(form.as_bytes()).find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let verifier = URL_SAFE_NO_PAD.encode(Sha256::digest(find("code_verifier").as_bytes()));
    if find("code") != "good" || verifier != desk.challenge {
        return (http::StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" })));
    }
    let id_token = desk.sign(Some(&desk.nonce));
    (
        http::StatusCode::OK,
        Json(json!({ "access_token": "opaque", "token_type": "Bearer", "id_token": id_token })),
    )
}

async fn forget(State(desk): State<Shared>, form: String) {
    desk.lock().forgotten.as_mut().unwrap().push(form);
}

impl Desk {
    fn sign(&self, nonce: Option<&str>) -> String {
        let mut claims = json!({
            "iss": self.issuer, "aud": self.audience, "exp": 1_800_003_600, "iat": 1_800_000_000,
            "sub": "42", "email": "Ada@Example.com", "email_verified": true, "name": "Ada",
        });
        if let Some(nonce) = nonce {
            claims["nonce"] = json!(nonce);
        }
        if let (Value::Object(claims), Value::Object(more)) = (&mut claims, self.claims.clone()) {
            claims.extend(more);
        }
        let header = Header { kid: Some("1".to_owned()), ..Header::new(Algorithm::ES256) };
        encode(&header, &claims, &EncodingKey::from_ec_pem(KEY.as_bytes()).unwrap()).unwrap()
    }
}

async fn provider() -> Shared {
    let desk = Shared::default();
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/keys", get(keys))
        .route("/token", post(token))
        .route("/forget", post(forget))
        .with_state(desk.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    {
        let mut desk = desk.lock();
        desk.issuer = format!("http://{}", listener.local_addr().unwrap());
        desk.audience = "tuckbox-client".to_owned();
    }
    tokio::spawn(async move { axum::serve(listener, routes).await });
    desk
}

fn options(desk: &Shared) -> ProviderOptions {
    ProviderOptions {
        id: "oidc.guild".to_owned(),
        name: "Guild".to_owned(),
        issuer: desk.lock().issuer.clone(),
        client_id: "tuckbox-client".to_owned(),
        client_secret: Some("shared".to_owned()),
    }
}

async fn server(desk: &Shared) -> Server {
    let provider = options(desk);
    Server::start(Mode::Serving, |options| options.providers = vec![provider]).await
}

/// Leaves for the provider, which records the request. Returns the session id and the state.
async fn leave(server: &Server, desk: &Shared) -> (Value, String) {
    let asked = json!({ "providerId": "oidc.guild", "continueUri": RETURN });
    let reply = server.post("accounts:createAuthUri", asked).await.ok();
    let url = Url::parse(reply["authUri"].as_str().unwrap()).unwrap();
    let find = |name: &str| url.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
    assert_eq!((find("redirect_uri").as_str(), find("client_id").as_str()), (RETURN, "tuckbox-client"));
    assert_eq!(find("scope"), "openid email profile");
    let mut desk = desk.lock();
    desk.nonce = find("nonce");
    desk.challenge = find("code_challenge");
    (reply["sessionId"].clone(), find("state"))
}

fn back(session: &Value, state: &str, code: &str) -> Value {
    json!({ "requestUri": format!("{RETURN}?code={code}&state={state}"), "sessionId": session })
}

fn by_token(token: &str) -> Value {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("providerId", "oidc.guild")
        .append_pair("id_token", token)
        .finish();
    json!({ "requestUri": "https://cards.example", "postBody": body })
}

#[tokio::test]
async fn somebody_leaves_and_comes_back_as_the_same_account() {
    let desk = provider().await;
    let server = server(&desk).await;
    let (session, state) = leave(&server, &desk).await;
    let first = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await.ok();
    assert_eq!((&first["isNewUser"], &first["email"]), (&json!(true), &json!("ada@example.com")));
    let token = claims(&first["idToken"]);
    assert_eq!(token["firebase"]["sign_in_provider"], "oidc.guild");
    assert_eq!(token["email_verified"], true);
    let again = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await;
    assert_eq!(again.error(), "INVALID_IDP_RESPONSE : The sign-in was not begun here.");
    let (session, state) = leave(&server, &desk).await;
    let second = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await.ok();
    assert_eq!(second["localId"], first["localId"]);
    assert!(second.get("isNewUser").is_none());
}

#[tokio::test]
async fn providers_open_no_server_that_is_closed_or_asks_for_invitations() {
    let desk = provider().await;
    let start = async |sign_ups: SignUps| {
        let provider = options(&desk);
        Server::start(Mode::Serving, |options| {
            options.providers = vec![provider];
            options.sign_ups = sign_ups;
        })
        .await
    };
    let come = async |server: &Server, claims: Value, id_token: Option<&Value>| {
        desk.lock().unwrap().claims = claims;
        let token = desk.lock().unwrap().sign(None);
        let mut request = by_token(&token);
        if let Some(own) = id_token {
            request["idToken"] = own.clone();
        }
        server.post("accounts:signInWithIdp", request).await
    };
    let refused = |reply: super::harness::Reply| {
        assert!(reply.error().starts_with("ADMIN_ONLY_OPERATION"), "{}", reply.error());
    };
    let closed = start(SignUps::Closed).await;
    refused(come(&closed, Value::Null, None).await);
    let anonymous = closed.post("accounts:signUp", json!({})).await.ok();
    refused(come(&closed, Value::Null, Some(&anonymous["idToken"])).await);
    let invited = start(SignUps::ByInvitation(Arc::new(OnlyAda))).await;
    refused(come(&invited, json!({ "email": "eve@example.com" }), None).await);
    refused(come(&invited, json!({ "email_verified": false }), None).await);
    come(&invited, Value::Null, None).await.ok();
    // The account is there: its identity is enough.
    come(&invited, json!({ "email": "eve@example.com" }), None).await.ok();
}

#[tokio::test]
async fn a_provider_is_told_to_forget_a_token() {
    let desk = provider().await;
    let server = server(&desk).await;
    let (session, state) = leave(&server, &desk).await;
    let user = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await.ok();
    let revoke = |provider: &str, id_token: &Value| {
        let request = json!({
            "providerId": provider, "tokenType": "ACCESS_TOKEN", "token": "opaque", "idToken": id_token,
        });
        server.post2("accounts:revokeToken", request)
    };
    let refused = revoke("oidc.guild", &user["idToken"]).await;
    assert_eq!(refused.error(), "OPERATION_NOT_ALLOWED : Guild does not revoke tokens");
    desk.lock().forgotten = Some(Vec::new());
    revoke("oidc.guild", &user["idToken"]).await.ok();
    let forgotten = desk.lock().forgotten.clone().unwrap();
    assert_eq!(
        forgotten,
        ["token=opaque&token_type_hint=access_token&client_id=tuckbox-client&client_secret=shared"]
    );
    assert_eq!(revoke("oidc.guild", &json!("x")).await.error(), "INVALID_ID_TOKEN");
    assert!(revoke("apple.com", &user["idToken"]).await.error().starts_with("INVALID_PROVIDER_ID"));
}

#[tokio::test]
async fn what_was_not_begun_here_is_refused() {
    let desk = provider().await;
    let server = server(&desk).await;
    let (session, state) = leave(&server, &desk).await;
    let refusals = [
        (back(&json!("guessed"), &state, "good"), "INVALID_IDP_RESPONSE : The sign-in was not begun here."),
        (back(&session, "other", "good"), "INVALID_IDP_RESPONSE : the sign-in was not begun here"),
    ];
    for (request, expected) in refusals {
        assert_eq!(server.post("accounts:signInWithIdp", request).await.error(), expected);
    }
    let (session, state) = leave(&server, &desk).await;
    let stolen = server.post("accounts:signInWithIdp", back(&session, &state, "bad")).await;
    assert_eq!(stolen.error(), "INVALID_IDP_RESPONSE : the provider does not take the code");
    let (session, state) = leave(&server, &desk).await;
    server.advance(std::time::Duration::from_secs(11 * 60));
    let late = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await;
    assert_eq!(late.error(), "INVALID_IDP_RESPONSE : The sign-in took too long; begin again.");
    let elsewhere = json!({ "providerId": "oidc.guild", "continueUri": "https://evil.example/x" });
    let elsewhere = server.post("accounts:createAuthUri", elsewhere).await;
    assert!(elsewhere.error().starts_with("UNAUTHORIZED_DOMAIN"), "{}", elsewhere.error());
    let unknown = json!({ "providerId": "google.com", "continueUri": RETURN });
    let unknown = server.post("accounts:createAuthUri", unknown).await;
    assert!(unknown.error().starts_with("OPERATION_NOT_ALLOWED"), "{}", unknown.error());
}

#[tokio::test]
async fn an_id_token_must_be_the_providers_for_us_and_fresh() {
    let desk = provider().await;
    let server = server(&desk).await;
    let good = desk.lock().sign(None);
    server.post("accounts:signInWithIdp", by_token(&good)).await.ok();
    let sign = |change: &dyn Fn(&mut Desk)| {
        let mut desk = desk.lock();
        let (issuer, audience) = (desk.issuer.clone(), desk.audience.clone());
        change(&mut desk);
        let token = desk.sign(None);
        (desk.issuer, desk.audience, desk.claims) = (issuer, audience, Value::Null);
        token
    };
    let mut bad = vec![
        sign(&|desk| desk.audience = "another-client".to_owned()),
        sign(&|desk| desk.issuer = "https://elsewhere.example".to_owned()),
        sign(&|desk| desk.claims = json!({ "exp": 1_799_999_999 })),
        "not-a-token".to_owned(),
    ];
    let (head, rest) = good.split_once('.').unwrap();
    let (body, _) = rest.split_once('.').unwrap();
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let none = part(json!({ "alg": "none" }));
    let forged = part(json!({
        "iss": desk.lock().issuer, "aud": "tuckbox-client", "exp": 1_800_003_600, "iat": 1_800_000_000,
        "sub": "1",
    }));
    bad.push(format!("{none}.{body}."));
    bad.push(format!("{head}.{forged}.{}", rest.split_once('.').unwrap().1));
    // Signed with the client's secret, which the client's own pages might know.
    let shared = EncodingKey::from_secret(b"shared");
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap();
    bad.push(encode(&Header::new(Algorithm::HS256), &claims, &shared).unwrap());
    for token in bad {
        let reply = server.post("accounts:signInWithIdp", by_token(&token)).await;
        assert!(reply.error().starts_with("INVALID_IDP_RESPONSE"), "{token}: {}", reply.error());
    }
}

#[tokio::test]
async fn an_address_that_is_not_verified_takes_no_account_over() {
    let desk = provider().await;
    let server = server(&desk).await;
    let owner = server.sign_up("ada@example.com", "correct horse").await;
    for unverified in [json!(false), json!("false")] {
        let token = {
            let mut desk = desk.lock();
            desk.claims = json!({ "email_verified": unverified, "sub": "666" });
            desk.sign(None)
        };
        let reply = server.post("accounts:signInWithIdp", by_token(&token)).await.ok();
        assert_eq!((&reply["needConfirmation"], &reply["localId"]), (&json!(true), &owner["localId"]));
        assert!(reply.get("idToken").is_none());
    }
}

#[tokio::test]
async fn a_provider_that_cannot_be_one_is_refused_at_the_start() {
    let start = async |change: &dyn Fn(&mut ProviderOptions)| {
        let mut provider = options(&Shared::default());
        provider.issuer = "https://guild.example".to_owned();
        change(&mut provider);
        let store = docstore::Store::in_memory().await.unwrap();
        let mut options = auth_emu::AuthOptions::new(store, "demo", Mode::Serving, "https://cards.example");
        options.providers = vec![provider];
        AuthState::new(options).await.map(|_| ()).map_err(|error| error.message().to_owned())
    };
    assert_eq!(start(&|_| {}).await, Ok(()));
    assert!(
        start(&|provider| provider.id = "password".to_owned()).await.unwrap_err().contains("its id must be")
    );
    assert!(
        start(&|provider| provider.issuer = "http://guild.example".to_owned())
            .await
            .unwrap_err()
            .contains("https")
    );
}

#[tokio::test]
async fn emulator_mode_makes_people_up() {
    let server = Server::emulator().await;
    let asked = json!({ "providerId": "google.com", "continueUri": RETURN });
    let reply = server.post("accounts:createAuthUri", asked).await.ok();
    let url = Url::parse(reply["authUri"].as_str().unwrap()).unwrap();
    let path = &url[url::Position::BeforePath..];
    let page = server.get(path).await.ok();
    assert!(page["text"].as_str().unwrap().contains("say who you are"));
    let form = Server::request("POST", path)
        .body(axum::body::Body::from("email=ada%40example.com&name=Ada"))
        .unwrap();
    let sent = tower::ServiceExt::oneshot(server.app.clone(), form).await.unwrap();
    let back_to = sent.headers()["location"].to_str().unwrap().to_owned();
    assert!(back_to.starts_with(RETURN));
    let request = json!({ "requestUri": back_to, "sessionId": reply["sessionId"] });
    let signed_in = server.post("accounts:signInWithIdp", request).await.ok();
    assert_eq!((&signed_in["email"], &signed_in["displayName"]), (&json!("ada@example.com"), &json!("Ada")));
}

#[tokio::test]
async fn a_verified_identity_takes_away_what_a_stranger_set() {
    let desk = provider().await;
    let server = server(&desk).await;
    let attacker = server.sign_up("ada@example.com", "attacker's choice").await;
    let (session, state) = leave(&server, &desk).await;
    let owner = server.post("accounts:signInWithIdp", back(&session, &state, "good")).await.ok();
    assert_eq!(owner["localId"], attacker["localId"]);
    server.me(&owner).await;
    let stale = server.post("accounts:lookup", json!({ "idToken": attacker["idToken"] })).await;
    assert_eq!(stale.error(), "TOKEN_EXPIRED");
    let refreshed = server.refresh(attacker["refreshToken"].as_str().unwrap()).await;
    assert_eq!(refreshed.error(), "INVALID_REFRESH_TOKEN");
    let password = json!({ "email": "ada@example.com", "password": "attacker's choice" });
    let refused = server.post("accounts:signInWithPassword", password).await;
    assert_eq!(refused.error(), "INVALID_LOGIN_CREDENTIALS");
}

#[tokio::test]
async fn a_further_way_to_sign_in_takes_a_recent_sign_in() {
    let desk = provider().await;
    let server = server(&desk).await;
    let come = async |signed_in: Option<&Value>| {
        let (session, state) = leave(&server, &desk).await;
        let mut request = back(&session, &state, "good");
        if let Some(tokens) = signed_in {
            request["idToken"] = tokens["idToken"].clone();
        }
        server.post("accounts:signInWithIdp", request).await
    };
    let (too_old, a_while) = ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", std::time::Duration::from_secs(600));
    let bob = server.sign_up("bob@example.com", "top secret 1").await;
    server.advance(a_while);
    assert_eq!(come(Some(&bob)).await.error(), too_old);
    // A password for an account of the provider's: its address stays proved.
    let ada = come(None).await.ok();
    let password = |tokens: &Value| json!({ "idToken": tokens["idToken"], "email": "ada@example.com", "password": "top secret 1" });
    server.advance(a_while);
    assert_eq!(server.post("accounts:signUp", password(&ada)).await.error(), too_old);
    let ada = come(None).await.ok();
    let linked = server.post("accounts:signUp", password(&ada)).await.ok();
    let me = server.me(&linked).await;
    assert_eq!((&me["localId"], &me["emailVerified"]), (&ada["localId"], &json!(true)));
    let ways =
        me["providerUserInfo"].as_array().unwrap().iter().map(|one| one["providerId"].as_str().unwrap());
    assert_eq!(ways.collect::<Vec<_>>(), ["oidc.guild", "password"]);
}
