//! Real identity providers: OpenID Connect by configuration.
//!
//! A sign-in is the authorization code flow with PKCE. [`Provider::authorize`] returns the address for the person and
//! the state to keep; [`Provider::redeem`] turns the code they return with into a verified identity. The provider's
//! metadata and keys are fetched when first needed, cached for an hour, and fetched again if a token's key is missing.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use docstore::clock::SharedClock;
use docstore::model::Ts;
use docstore::{Code, Error, Result};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenVerifier, CoreJwsSigningAlgorithm,
    CoreProviderMetadata,
};
use openidconnect::{
    AsyncHttpClient, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use crate::tokens::{Claims, decode_unverified};

/// Time metadata and keys are cached.
const KEEP: Duration = Duration::from_secs(3_600);
/// Shortest time between fetches of keys for tokens whose key is unknown: forged tokens must not turn into a flood of
/// requests.
const REFRESH_AFTER: Duration = Duration::from_secs(60);
/// Time limit for a provider to answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest answer of a provider, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// An OpenID Connect provider, as it is configured.
#[derive(Clone)]
pub struct ProviderOptions {
    /// The id that accounts carry: `google.com`, or `oidc.` and a name.
    pub id: String,
    /// Name shown to people, such as `Google`.
    pub name: String,
    /// Its issuer URL, without `/.well-known/…`. `https`, or `http` on this machine.
    pub issuer: String,
    /// Client id of this server at the provider.
    pub client_id: String,
    /// The secret it shares with this server; public clients have none.
    pub client_secret: Option<String>,
}

impl fmt::Debug for ProviderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderOptions")
            .field("id", &self.id)
            .field("issuer", &self.issuer)
            .finish_non_exhaustive()
    }
}

/// State kept while a person is at a provider.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Departure {
    pub(crate) provider: String,
    /// Address the provider sends the person back to.
    pub(crate) return_to: String,
    state: String,
    nonce: String,
    verifier: String,
}

/// Identity verified by a provider.
#[derive(Debug)]
pub(crate) struct AssertedIdentity {
    pub(crate) claims: Claims,
    pub(crate) id_token: String,
    pub(crate) access_token: Option<String>,
}

/// A client of a provider whose metadata are known: the authorization endpoint is certain, the token endpoint optional.
type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// A provider and its cached metadata.
#[derive(Debug)]
pub(crate) struct Provider {
    options: ProviderOptions,
    issuer: IssuerUrl,
    http: Http,
    clock: SharedClock,
    known: Mutex<Option<(Ts, Arc<CoreProviderMetadata>)>>,
}

impl Provider {
    /// # Errors
    /// An id or issuer that cannot be one.
    pub(crate) fn new(options: ProviderOptions, http: reqwest::Client, clock: SharedClock) -> Result<Self> {
        let wrong = |what: &str| {
            let message = format!("sign-in provider \"{}\": {what}", options.id);
            Error::invalid("BadProvider", message)
        };
        if options.id != "google.com" && options.id.strip_prefix("oidc.").is_none_or(str::is_empty) {
            return Err(wrong("its id must be google.com, or begin with \"oidc.\""));
        }
        let issuer = IssuerUrl::new(options.issuer.clone())
            .map_err(|cause| wrong("its issuer is not a URL").with_source(cause))?;
        let url = issuer.url();
        let near = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() != "https" && !(url.scheme() == "http" && near) {
            return Err(wrong("its issuer must be an https URL"));
        }
        Ok(Self { options, issuer, http: Http(http), clock, known: Mutex::new(None) })
    }

    pub(crate) fn id(&self) -> &str {
        &self.options.id
    }

    /// Returns the sign-in address at the provider, and the state to keep until the person is back at `return_to`.
    ///
    /// # Errors
    /// `Unavailable` if the provider does not answer as one.
    pub(crate) async fn authorize(&self, return_to: &str) -> Result<(String, Departure)> {
        let metadata = self.metadata(None).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let client = self.client(&metadata, return_to)?;
        let (url, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scopes(["email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .set_pkce_challenge(challenge)
            .url();
        let departure = Departure {
            provider: self.options.id.clone(),
            return_to: return_to.to_owned(),
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        };
        Ok((url.into(), departure))
    }

    /// The identity behind a code a person returned with.
    ///
    /// # Errors
    /// `InvalidArgument` if the state belongs to another sign-in, or the provider refuses the code or asserts no
    /// identity.
    pub(crate) async fn redeem(
        &self,
        departure: Departure,
        state: &str,
        code: String,
    ) -> Result<AssertedIdentity> {
        if departure.state != state {
            return Err(Error::invalid("ForeignState", "the sign-in was not begun here"));
        }
        let metadata = self.metadata(None).await?;
        let client = self.client(&metadata, &departure.return_to)?;
        let tokens = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|cause| refused("the provider has no token endpoint").with_source(cause))?
            .set_pkce_verifier(PkceCodeVerifier::new(departure.verifier))
            .request_async(&self.http)
            .await
            .map_err(|cause| refused("the provider does not take the code").with_source(cause))?;
        let id_token = tokens.id_token().ok_or_else(|| refused("the provider sent no ID token"))?;
        let nonce = Nonce::new(departure.nonce);
        let claims = self.verify(id_token, |said| match said {
            Some(said) if said.secret() == nonce.secret() => Ok(()),
            _ => Err("the nonce is another's".to_owned()),
        });
        Ok(AssertedIdentity {
            claims: claims.await?,
            id_token: id_token.to_string(),
            access_token: Some(tokens.access_token().secret().clone()),
        })
    }

    /// The identity asserted by an ID token of this provider for this server. `nonce` is the one the caller sent to the
    /// provider, in the clear; the token holds it unchanged, or its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// `InvalidArgument` if the token is forged, expired, malformed, or for another server.
    pub(crate) async fn verify_id_token(
        &self,
        id_token: &str,
        nonce: Option<&str>,
    ) -> Result<AssertedIdentity> {
        let parsed = id_token
            .parse::<CoreIdToken>()
            .map_err(|cause| refused("the ID token is malformed").with_source(cause))?;
        let allowed = nonce.map(|nonce| {
            let hashed =
                Sha256::digest(nonce.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            [nonce.to_owned(), hashed]
        });
        let claims = self.verify(&parsed, |said| match (&allowed, said) {
            (None, _) => Ok(()),
            (Some(allowed), Some(said)) if allowed.contains(said.secret()) => Ok(()),
            _ => Err("the nonce is another's".to_owned()),
        });
        Ok(AssertedIdentity { claims: claims.await?, id_token: id_token.to_owned(), access_token: None })
    }

    async fn verify(
        &self,
        token: &CoreIdToken,
        nonce: impl Fn(Option<&Nonce>) -> Result<(), String>,
    ) -> Result<Claims> {
        let metadata = self.metadata(None).await?;
        let mut verified = token.claims(&self.verifier(&metadata), &nonce);
        let renewed;
        if verified.is_err() {
            renewed = self.metadata(Some(&metadata)).await?;
            verified = token.claims(&self.verifier(&renewed), &nonce);
        }
        verified.map_err(|cause| refused("the ID token does not hold").with_source(cause))?;
        let claims = decode_unverified(&token.to_string()).map(|(_, claims)| claims);
        claims.ok_or_else(|| refused("the ID token is malformed"))
    }

    /// Revokes a token at the provider that issued it (RFC 7009). `kind` is `access_token` or `refresh_token`.
    ///
    /// # Errors
    /// `Unimplemented` if the provider cannot revoke; `Unavailable` if it does not answer, or refuses.
    pub(crate) async fn revoke(&self, token: &str, kind: &str) -> Result<()> {
        let url = format!("{}/.well-known/openid-configuration", self.options.issuer.trim_end_matches('/'));
        let said = self.http.call(request(http::Method::GET, &url, Vec::new())?).await?;
        let said: serde_json::Value = serde_json::from_slice(said.body()).unwrap_or_default();
        let Some(endpoint) = said.get("revocation_endpoint").and_then(serde_json::Value::as_str) else {
            let message = format!("{} does not revoke tokens", self.options.name);
            return Err(Error::new(Code::Unimplemented, "ProviderRevokesNothing", message));
        };
        let own = [
            ("client_id", Some(&self.options.client_id)),
            ("client_secret", self.options.client_secret.as_ref()),
        ];
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("token", token)
            .append_pair("token_type_hint", kind)
            .extend_pairs(own.into_iter().filter_map(|(name, value)| Some((name, value?))))
            .finish();
        let answer = self.http.call(request(http::Method::POST, endpoint, form.into_bytes())?).await?;
        if answer.status().is_success() {
            return Ok(());
        }
        let message = format!("{} does not revoke the token", self.options.name);
        Err(Error::new(Code::Unavailable, "ProviderUnavailable", message))
    }

    /// This server as the provider knows it, sending people back to `return_to`.
    fn client(&self, metadata: &CoreProviderMetadata, return_to: &str) -> Result<Client> {
        let id = ClientId::new(self.options.client_id.clone());
        let client = CoreClient::from_provider_metadata(metadata.clone(), id, self.secret());
        Ok(client.set_redirect_uri(redirect(return_to)?))
    }

    fn verifier<'a>(&self, metadata: &CoreProviderMetadata) -> CoreIdTokenVerifier<'a> {
        let (id, keys) = (ClientId::new(self.options.client_id.clone()), metadata.jwks().clone());
        let clock = Arc::clone(&self.clock);
        let now = move || clock.now().date_time().unwrap_or_default();
        match self.secret() {
            Some(secret) => {
                CoreIdTokenVerifier::new_confidential_client(id, secret, self.issuer.clone(), keys)
            }
            None => CoreIdTokenVerifier::new_public_client(id, self.issuer.clone(), keys),
        }
        .set_allowed_algs(signed_by(metadata))
        .set_time_fn(now)
    }

    fn secret(&self) -> Option<ClientSecret> {
        self.options.client_secret.clone().map(ClientSecret::new)
    }

    /// Metadata of the provider; `stale` is the copy that proved outdated.
    async fn metadata(&self, stale: Option<&Arc<CoreProviderMetadata>>) -> Result<Arc<CoreProviderMetadata>> {
        let mut known = self.known.lock().await;
        let now = self.clock.now();
        if let Some((at, metadata)) = &*known {
            let same = stale.is_some_and(|stale| Arc::ptr_eq(stale, metadata));
            let keep = if same { REFRESH_AFTER } else { KEEP };
            if u128::from(now.micros().saturating_sub(at.micros())) < keep.as_micros() {
                return Ok(Arc::clone(metadata));
            }
        }
        let found = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = Arc::new(found.map_err(|cause| {
            let message = format!("{} does not answer; try again later", self.options.name);
            tracing::warn!(provider = self.options.id, error = %cause, "a sign-in provider cannot be used");
            Error::new(Code::Unavailable, "ProviderUnavailable", message).with_source(cause)
        })?);
        *known = Some((now, Arc::clone(&metadata)));
        Ok(metadata)
    }
}

/// The provider's algorithms that prove who signed: no shared secrets, and not "none".
fn signed_by(metadata: &CoreProviderMetadata) -> Vec<CoreJwsSigningAlgorithm> {
    use CoreJwsSigningAlgorithm as Algorithm;
    let shared = [Algorithm::HmacSha256, Algorithm::HmacSha384, Algorithm::HmacSha512, Algorithm::None];
    let offered = metadata.id_token_signing_alg_values_supported().iter();
    offered.filter(|algorithm| !shared.contains(algorithm)).cloned().collect()
}

fn redirect(return_to: &str) -> Result<RedirectUrl> {
    RedirectUrl::new(return_to.to_owned()).map_err(|cause| {
        Error::invalid("BadReturn", "the address to return to is not a URL").with_source(cause)
    })
}

fn request(method: http::Method, url: &str, form: Vec<u8>) -> Result<HttpRequest> {
    let mut request = http::Request::builder().method(method).uri(url);
    if !form.is_empty() {
        request = request.header(http::header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    }
    let made = request.body(form);
    made.map_err(|cause| refused("the provider names an endpoint that is not a URL").with_source(cause))
}

fn refused(message: &str) -> Error {
    Error::invalid("ProviderRefused", message.to_owned())
}

/// The library's requests over our client, with our limits.
#[derive(Debug)]
struct Http(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Error;
    type Future = futures::future::BoxFuture<'c, Result<HttpResponse>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let failed =
                |cause| Error::new(Code::Unavailable, "ProviderUnavailable", "no answer").with_source(cause);
            let request = reqwest::Request::try_from(request).map_err(failed)?;
            let asked = tokio::time::timeout(TIMEOUT, self.0.execute(request)).await;
            let late = |_| Error::new(Code::Unavailable, "ProviderUnavailable", "no answer in time");
            let mut response = asked.map_err(late)?.map_err(failed)?;
            let mut reply = HttpResponse::new(Vec::new());
            *reply.status_mut() = response.status();
            *reply.headers_mut() = response.headers().clone();
            loop {
                let chunk =
                    tokio::time::timeout(TIMEOUT, response.chunk()).await.map_err(late)?.map_err(failed)?;
                let Some(chunk) = chunk else { return Ok(reply) };
                if reply.body().len() + chunk.len() > MAX_ANSWER {
                    return Err(Error::new(
                        Code::Unavailable,
                        "ProviderUnavailable",
                        "the answer is too long",
                    ));
                }
                reply.body_mut().extend_from_slice(&chunk);
            }
        })
    }
}
