//! `accounts/passkeyEnrollment` and `accounts/passkeySignIn`. Serving mode verifies what authenticators sign; in emulator
//! mode a credential is identified by its id alone, as in Google's emulator, so that tests need no authenticator.

mod ceremony;
pub mod fuzz;
mod rename;
mod verified;
mod webauthn;

use serde_json::{Value, json};

pub(crate) use rename::rename;
pub use webauthn::passkey_origin;

use super::{filled, note_sign_in};
use crate::accounts::{Account, Key, PasskeyInfo};
use crate::blocking::Method;
use crate::call::Call;
use crate::entropy;
use crate::error::{Result, ensure, require};
use crate::sessions::with_tokens;
use crate::tokens::Grant;
use crate::wire::{PasskeyEnrollRequest, PasskeySignInRequest};

/// Sign-in provider named in the tokens of a passkey sign-in.
const PASSKEY: &str = "passkey";
/// Passkeys an account may have.
const MAX_PASSKEYS: usize = 10;
/// The longest id of a credential: the characters of 1,023 bytes in base64url. Source: WebAuthn.
const MAX_CREDENTIAL_ID: usize = (1_023_usize * 4).div_ceil(3);
/// A challenge of emulator mode, in random bytes.
const CHALLENGE_BYTES: usize = 32;
/// Time a browser waits for a new passkey, in milliseconds.
const TIMEOUT_MS: u64 = 60_000;
/// Key algorithms that emulator mode names, by their COSE numbers: ES256 and RS256.
const ALGORITHMS: [i32; 2] = [-7, -257];
/// A passkey's name where its owner gives none.
const UNNAMED: &str = "Unnamed Passkey";

pub(crate) async fn start_enrollment(call: Call, request: PasskeyEnrollRequest) -> Result<Value> {
    call.enabled()?;
    if !call.state.is_emulator() {
        return verified::start_enrollment(&call, &request).await;
    }
    let account = call.signed_in(filled(request.id_token.as_ref())).await?.found.account;
    let place = place(&call);
    let name = account.email.or(account.phone_number).unwrap_or_else(|| account.local_id.clone());
    let kinds = ALGORITHMS.map(|algorithm| json!({ "type": "public-key", "alg": algorithm }));
    Ok(json!({ "credentialCreationOptions": {
        "rp": { "id": place, "name": call.state.0.app_name },
        "user": { "id": account.local_id, "displayName": account.display_name.as_ref().unwrap_or(&name), "name": name },
        "challenge": challenge(&call),
        "pubKeyCredParams": kinds,
        "timeout": TIMEOUT_MS,
        "attestation": "none",
    }}))
}

pub(crate) async fn finalize_enrollment(call: Call, request: PasskeyEnrollRequest) -> Result<Value> {
    call.enabled()?;
    if !call.state.is_emulator() {
        return verified::finalize_enrollment(&call, &request).await;
    }
    let token = require(filled(request.id_token.as_ref()), "MISSING_ID_TOKEN")?;
    let id = credential(request.authenticator_registration_response.as_ref())?;
    let signed_in = call.signed_in(Some(token)).await?;
    let name = filled(request.name.as_ref()).or(filled(request.display_name.as_ref()));
    let passkey = PasskeyInfo {
        credential_id: id.to_owned(),
        name: name.unwrap_or(UNNAMED).to_owned(),
        ..PasskeyInfo::default()
    };
    let local_id = &signed_in.found.account.local_id;
    let (account, tokens) =
        call.sign_in(local_id, Grant::new(PASSKEY), None, |account| add(account, &passkey)).await?;
    Ok(with_tokens(json!({ "localId": account.local_id }), &tokens))
}

pub(crate) async fn start_sign_in(call: Call, _request: Value) -> Result<Value> {
    call.enabled()?;
    if !call.state.is_emulator() {
        return verified::start_sign_in(&call).await;
    }
    Ok(json!({ "credentialRequestOptions": {
        "challenge": challenge(&call), "rpId": place(&call), "userVerification": "required",
    }}))
}

pub(crate) async fn finalize_sign_in(call: Call, request: PasskeySignInRequest) -> Result<Value> {
    call.enabled()?;
    if !call.state.is_emulator() {
        return verified::finalize_sign_in(&call, &request).await;
    }
    let id = credential(request.authenticator_authentication_response.as_ref())?;
    let found = call.directory.by_key(&Key::Passkey(id.to_owned())).await?;
    let found = require(found, "PASSKEY_CREDENTIAL_NOT_FOUND")?;
    let note = |account: &mut Account| {
        ensure(!account.is_disabled(), "USER_DISABLED")?;
        note_sign_in(account, call.now);
        Ok(())
    };
    let method = Method::new(PASSKEY);
    let (_, tokens) = call.sign_in(&found.account.local_id, Grant::new(PASSKEY), Some(&method), note).await?;
    Ok(with_tokens(json!({}), &tokens))
}

/// Adds a passkey to its account.
///
/// # Errors
/// `CREDENTIAL_ALREADY_IN_USE`, `PASSKEY_LIMIT_EXCEEDED`
fn add(account: &mut Account, passkey: &PasskeyInfo) -> Result<()> {
    let known = account.passkey_info.get_or_insert_default();
    let twice = known.iter().any(|one| one.credential_id == passkey.credential_id);
    ensure(!twice, "CREDENTIAL_ALREADY_IN_USE")?;
    ensure(known.len() < MAX_PASSKEYS, "PASSKEY_LIMIT_EXCEEDED")?;
    known.push(passkey.clone());
    Ok(())
}

/// The id of the credential in an authenticator's reply.
fn credential(answer: Option<&Value>) -> Result<&str> {
    let id = require(answer, "MISSING_AUTHENTICATOR_RESPONSE")?.get("id").and_then(Value::as_str);
    let fits = |id: &&str| !id.is_empty() && id.len() <= MAX_CREDENTIAL_ID;
    require(id.filter(fits), "INVALID_CREDENTIAL_ID")
}

/// Host the passkeys belong to; it must have a name.
fn place(call: &Call) -> String {
    call.state.0.origin.domain().unwrap_or("localhost").to_owned()
}

fn challenge(call: &Call) -> String {
    entropy::secret(&*call.state.0.entropy, CHALLENGE_BYTES)
}
