//! `accounts/passkeyEnrollment` and `accounts/passkeySignIn`, for tests: in emulator mode a credential is identified by
//! its id alone, as in Google's emulator. Serving mode, which would have to verify authenticators' signatures, refuses
//! them.

use serde_json::{Value, json};

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
/// The longest id of a credential, in bytes. Source: WebAuthn.
const MAX_CREDENTIAL_ID: usize = 1_023;
/// A challenge, in random bytes.
const CHALLENGE_BYTES: usize = 32;
/// Time a browser waits for a new passkey, in milliseconds.
const TIMEOUT_MS: u64 = 60_000;
/// Permitted key algorithms by their COSE numbers: ES256 and RS256.
const ALGORITHMS: [i32; 2] = [-7, -257];

pub(crate) async fn start_enrollment(call: Call, request: PasskeyEnrollRequest) -> Result<Value> {
    offered(&call)?;
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
    offered(&call)?;
    let token = require(filled(request.id_token.as_ref()), "MISSING_ID_TOKEN")?;
    let id = credential(request.authenticator_registration_response.as_ref())?;
    let signed_in = call.signed_in(Some(token)).await?;
    call.may_add_sign_in(&signed_in)?;
    call.may_sign_up(Some(&signed_in.found.account), None).await?;
    let local_id = &signed_in.found.account.local_id;
    let name = filled(request.name.as_ref()).or(filled(request.display_name.as_ref()));
    let passkey =
        PasskeyInfo { credential_id: id.to_owned(), name: name.unwrap_or("Unnamed Passkey").to_owned() };
    let add = |account: &mut Account| {
        let known = account.passkey_info.get_or_insert_default();
        ensure(known.iter().all(|one| one.credential_id != id), "CREDENTIAL_ALREADY_IN_USE")?;
        ensure(known.len() < MAX_PASSKEYS, "PASSKEY_LIMIT_EXCEEDED")?;
        known.push(passkey.clone());
        Ok(())
    };
    let (account, tokens) = call.sign_in(local_id, Grant::new(PASSKEY), None, add).await?;
    Ok(with_tokens(json!({ "localId": account.local_id }), &tokens))
}

pub(crate) async fn start_sign_in(call: Call, _request: Value) -> Result<Value> {
    offered(&call)?;
    Ok(json!({ "credentialRequestOptions": {
        "challenge": challenge(&call), "rpId": place(&call), "userVerification": "required",
    }}))
}

pub(crate) async fn finalize_sign_in(call: Call, request: PasskeySignInRequest) -> Result<Value> {
    offered(&call)?;
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

fn offered(call: &Call) -> Result<()> {
    call.enabled()?;
    ensure(call.state.is_emulator(), "OPERATION_NOT_ALLOWED : This server takes no passkeys.")
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
