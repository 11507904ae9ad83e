//! Verification of what authenticators say: registrations and assertions of passkeys (WebAuthn, level 3).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::{
    AuthenticationVerificationOptions, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions,
};
use webauthn_rp::request::register::{
    CoseAlgorithmIdentifier, CoseAlgorithmIdentifiers, CredProtect, PublicKeyCredentialCreationOptions,
    PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle,
};
use webauthn_rp::request::{AsciiDomain, RpId};
use webauthn_rp::response::CredentialId;
use webauthn_rp::response::auth::error::AuthCeremonyErr;
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, Registration, RegistrationServerState,
};

/// A user handle, in bytes.
const HANDLE_BYTES: usize = 32;

/// A public key and what does not change with it, as it is stored.
type StoredKey = StaticState<CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>>;

/// Fault of an authenticator's answer. The texts are for the log: they hold no part of the answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// Not in the form of WebAuthn.
    #[error("the answer is malformed: {0}")]
    Malformed(String),
    /// A check of the ceremony failed: challenge, origin, site, user verification, key or signature.
    #[error("the answer does not fit: {0}")]
    Refused(String),
    /// The signature counter has not grown: there may be a copy of the authenticator.
    #[error("the signature counter has not grown; there may be a copy of the authenticator")]
    Counter,
    /// Stored data that cannot be read.
    #[error("the stored {0} cannot be read")]
    Stored(&'static str),
}

/// The site that passkeys are bound to.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    host: String,
    origin: String,
}

/// Address that browsers bind passkeys of a server with this public URL to, and may use them at; `None` if they offer
/// none there.
pub fn passkey_origin(public_url: &str) -> Option<String> {
    Url::parse(public_url).ok().and_then(|url| Site::new(&url)).map(|site| site.origin)
}

/// A ceremony begun: the options for the browser, and the state to verify its answer with.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) options: Value,
    /// The challenge in base64url, as browsers return it.
    pub(crate) challenge: String,
    /// In base64url. It holds no secret, but must come back as it was.
    pub(crate) state: String,
}

/// A credential in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Credential {
    /// The id, in base64url.
    pub(crate) id: String,
    /// The public key and what does not change with it, in base64url.
    pub(crate) key: String,
    /// The signature counter and what else changes with each use, in base64url.
    pub(crate) state: String,
}

/// Identity of an account towards authenticators: the same for all passkeys of an account, and meaningless elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle([u8; HANDLE_BYTES]);

impl Handle {
    /// The handle of an account of a project, or of one of its tenants.
    pub(crate) fn new(project: &str, tenant: Option<&str>, local_id: &str) -> Self {
        let named = json!([project, tenant, local_id]).to_string();
        Self(Sha256::digest(named.as_bytes()).into())
    }

    /// The handle in base64url, as authenticators return it.
    pub(crate) fn text(self) -> String {
        encoded(&self.0)
    }

    fn user(self) -> UserHandle<HANDLE_BYTES> {
        match UserHandle::decode(self.0) {
            Ok(handle) => handle,
            Err(never) => match never {},
        }
    }
}

impl Site {
    /// The site of a public origin; `None` where browsers offer no passkeys: without TLS (but on this machine), and at an
    /// address instead of a name.
    pub(crate) fn new(origin: &Url) -> Option<Self> {
        let host = origin.domain()?;
        let is_local = host == "localhost" || host.ends_with(".localhost");
        let fits = origin.scheme() == "https" || is_local;
        fits.then(|| Self { host: host.to_owned(), origin: origin.origin().ascii_serialization() })
    }

    fn rp_id(&self) -> Result<RpId, Fault> {
        let domain = AsciiDomain::try_from(self.host.clone());
        domain.map(RpId::Domain).map_err(|_| Fault::Stored("host of the public origin"))
    }

    /// Begins the registration of a passkey for the account with this handle, which has the credentials `known`.
    pub(crate) fn begin_registration(&self, handle: Handle, known: &[&str]) -> Result<Begun, Fault> {
        let (rp_id, user) = (self.rp_id()?, handle.user());
        let entity = PublicKeyCredentialUserEntity::from(&user);
        let mut options = PublicKeyCredentialCreationOptions::passkey(&rp_id, entity, Vec::new());
        // User verification is checked here; an authenticator that does not know the extension is as good.
        options.extensions.cred_protect = CredProtect::None;
        // ES384 remains out: no authenticator has it alone.
        options.pub_key_cred_params =
            CoseAlgorithmIdentifiers::default().remove(CoseAlgorithmIdentifier::Es384);
        let (state, client) = options.start_ceremony().map_err(|error| Fault::Refused(error.to_string()))?;
        let state = state.encode().map_err(|_| Fault::Stored("state of the ceremony"))?;
        let mut begun = begun(serde_json::to_value(&client), &state)?;
        let descriptor = |id: &&str| json!({ "type": "public-key", "id": id });
        begun.options["excludeCredentials"] = known.iter().map(descriptor).collect();
        Ok(begun)
    }

    /// The credential that an authenticator has made for the account with this handle.
    pub(crate) fn finish_registration(
        &self,
        handle: Handle,
        state: &str,
        answer: &Value,
    ) -> Result<Credential, Fault> {
        let state = bytes(state).ok_or(Fault::Stored("state of the ceremony"))?;
        let state = RegistrationServerState::<HANDLE_BYTES>::decode(&state)
            .map_err(|_| Fault::Stored("state of the ceremony"))?;
        let registration = Registration::from_json_relaxed(answer.to_string().as_bytes())
            .map_err(|error| Fault::Malformed(error.to_string()))?;
        let origins = [self.origin.as_str()];
        let checks = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..RegistrationVerificationOptions::default()
        };
        let made = state
            .verify(&self.rp_id()?, &registration, &checks)
            .map_err(|error| Fault::Refused(error.to_string()))?;
        if made.user_id() != &handle.user() {
            return Err(Fault::Refused("it was made for another account".to_owned()));
        }
        let key = made.static_state().encode().map_err(|never| match never {})?;
        let state = made.dynamic_state().encode().map_err(|never| match never {})?;
        Ok(Credential { id: encoded(made.id().as_ref()), key: encoded(&key), state: encoded(&state) })
    }

    /// Begins a sign-in with any passkey of this site.
    pub(crate) fn begin_sign_in(&self) -> Result<Begun, Fault> {
        let rp_id = self.rp_id()?;
        let options = DiscoverableCredentialRequestOptions::passkey(&rp_id);
        let (state, client) = options.start_ceremony().map_err(|error| Fault::Refused(error.to_string()))?;
        let state = state.encode().map_err(|_| Fault::Stored("state of the ceremony"))?;
        begun(serde_json::to_value(&client), &state)
    }

    /// Verifies a sign-in with `credential` of the account with this handle: the credential's new state.
    pub(crate) fn finish_sign_in(
        &self,
        handle: Handle,
        credential: &Credential,
        state: &str,
        answer: &Value,
    ) -> Result<String, Fault> {
        let state = bytes(state).ok_or(Fault::Stored("state of the ceremony"))?;
        let state = DiscoverableAuthenticationServerState::decode(&state)
            .map_err(|_| Fault::Stored("state of the ceremony"))?;
        let answer =
            DiscoverableAuthentication::<HANDLE_BYTES>::from_json_relaxed(answer.to_string().as_bytes())
                .map_err(|error| Fault::Malformed(error.to_string()))?;
        let unreadable = Fault::Stored("passkey");
        let (id, key) = bytes(&credential.id).zip(bytes(&credential.key)).ok_or(unreadable.clone())?;
        let known = bytes(&credential.state).and_then(|state| state.try_into().ok());
        let known = known.and_then(|state| DynamicState::decode(state).ok()).ok_or(unreadable.clone())?;
        let key = StoredKey::decode(&key).map_err(|_| unreadable.clone())?;
        let user = handle.user();
        let id = CredentialId::decode(id).map_err(|_| unreadable.clone())?;
        let mut credential =
            AuthenticatedCredential::new((&id).into(), &user, key, known).map_err(|_| unreadable)?;
        let origins = [self.origin.as_str()];
        let checks = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..AuthenticationVerificationOptions::default()
        };
        state.verify(&self.rp_id()?, &answer, &mut credential, &checks).map_err(|error| match error {
            AuthCeremonyErr::SignatureCounter => Fault::Counter,
            other => Fault::Refused(other.to_string()),
        })?;
        let state = credential.dynamic_state().encode().map_err(|never| match never {})?;
        Ok(encoded(&state))
    }
}

fn begun(options: serde_json::Result<Value>, state: &[u8]) -> Result<Begun, Fault> {
    let options = options.map_err(|_| Fault::Stored("options of the ceremony"))?;
    let challenge = options["challenge"].as_str().ok_or(Fault::Stored("challenge"))?.to_owned();
    Ok(Begun { options, challenge, state: encoded(state) })
}

/// Bytes in base64url, as on the wire.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
