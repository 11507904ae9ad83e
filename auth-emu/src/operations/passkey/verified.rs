//! Passkeys of serving mode: authenticators' answers are verified.

use serde_json::{Value, json};

use super::ceremony::Purpose;
use super::webauthn::{Credential, Fault, Handle, Site};
use super::{MAX_PASSKEYS, PASSKEY, UNNAMED, add, credential};
use crate::accounts::{Account, Key, PasskeyInfo};
use crate::blocking::Method;
use crate::call::{Call, SignedIn};
use crate::error::{ApiError, Result, ensure, require};
use crate::limits::Subject;
use crate::operations::{filled, note_sign_in};
use crate::sessions::with_tokens;
use crate::tokens::{Grant, SecondFactor};
use crate::wire::{PasskeyEnrollRequest, PasskeySignInRequest};

/// The one refusal of an answer that does not verify: the log says which check failed.
const REFUSED: &str = "INVALID_AUTHENTICATOR_RESPONSE : The passkey could not be verified. Start again.";

pub(super) async fn start_enrollment(call: &Call, request: &PasskeyEnrollRequest) -> Result<Value> {
    let site = site(call)?;
    let signed_in = may_add(call, request).await?;
    call.take_from_peer(Subject::AddressChallenges)?;
    let account = &signed_in.found.account;
    let known: Vec<_> =
        account.passkey_info.iter().flatten().map(|known| known.credential_id.as_str()).collect();
    ensure(known.len() < MAX_PASSKEYS, "PASSKEY_LIMIT_EXCEEDED")?;
    let begun = site.begin_registration(handle(call, account), &known).map_err(ApiError::internal)?;
    let session = call.seal_ceremony(Purpose::Enrollment(&account.local_id), &begun).await?;
    let name = account.email.as_ref().or(account.phone_number.as_ref()).unwrap_or(&account.local_id);
    let mut options = begun.options;
    options["rp"]["name"] = json!(call.state.0.app_name);
    options["user"]["name"] = json!(name);
    options["user"]["displayName"] = json!(account.display_name.as_ref().unwrap_or(name));
    Ok(json!({ "credentialCreationOptions": options, "sessionInfo": session }))
}

pub(super) async fn finalize_enrollment(call: &Call, request: &PasskeyEnrollRequest) -> Result<Value> {
    let site = site(call)?;
    let signed_in = may_add(call, request).await?;
    credential(request.authenticator_registration_response.as_ref())?;
    let answer =
        require(request.authenticator_registration_response.as_ref(), "MISSING_AUTHENTICATOR_RESPONSE")?;
    let account = &signed_in.found.account;
    let local_id = &account.local_id;
    let session = filled(request.session_info.as_ref());
    let ceremony = call.open_ceremony(Purpose::Enrollment(local_id), session)?;
    let made = site
        .finish_registration(handle(call, account), &ceremony.state, answer)
        .map_err(|fault| refused(local_id, &fault))?;
    let name = filled(request.name.as_ref()).or(filled(request.display_name.as_ref()));
    let passkey = PasskeyInfo {
        credential_id: made.id,
        name: name
            .map(|name| call.display_name(name))
            .transpose()?
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| UNNAMED.to_owned()),
        added_at: Some(call.now.rfc3339_millis()),
        used_at: None,
        public_key: Some(made.key),
        authenticator_state: Some(made.state),
    };
    // A guest's session goes on as one of the passkey, which is now the account's way in.
    let mut grant = call.same_session(&signed_in).await?;
    if signed_in.is_guest() {
        grant.provider = PASSKEY.to_owned();
    }
    let (account, tokens) = call
        .sign_in(local_id, grant, None, |account| {
            ceremony.use_up(account, call.now)?;
            add(account, &passkey)
        })
        .await?;
    tracing::info!(uid = local_id, "a passkey was added to an account");
    let reply = json!({ "localId": account.local_id, "credentialId": passkey.credential_id });
    Ok(with_tokens(reply, &tokens))
}

pub(super) async fn start_sign_in(call: &Call) -> Result<Value> {
    let site = site(call)?;
    call.take_from_peer(Subject::AddressChallenges)?;
    let begun = site.begin_sign_in().map_err(ApiError::internal)?;
    let session = call.seal_ceremony(Purpose::SignIn, &begun).await?;
    Ok(json!({ "credentialRequestOptions": begun.options, "sessionInfo": session }))
}

pub(super) async fn finalize_sign_in(call: &Call, request: &PasskeySignInRequest) -> Result<Value> {
    let site = site(call)?;
    let answer = request.authenticator_authentication_response.as_ref();
    let id = credential(answer)?;
    let answer = require(answer, "MISSING_AUTHENTICATOR_RESPONSE")?;
    let ceremony = call.open_ceremony(Purpose::SignIn, filled(request.session_info.as_ref()))?;
    let attempted = format!("{PASSKEY}/{id}");
    call.attempt(&attempted)?;
    let found = call.directory.by_key(&Key::Passkey(id.to_owned())).await?;
    let account = require(found, "PASSKEY_CREDENTIAL_NOT_FOUND")?.account;
    let (local_id, handle) = (account.local_id.clone(), handle(call, &account));
    let finish = |account: &mut Account| {
        ceremony.use_up(account, call.now)?;
        // Against the account as the commit finds it: of two sign-ins with one counter, one fails.
        let mut passkeys = account.passkey_info.iter_mut().flatten();
        let passkey = passkeys.find(|passkey| passkey.credential_id == id);
        let passkey = require(passkey, "PASSKEY_CREDENTIAL_NOT_FOUND")?;
        let known = stored(passkey).ok_or_else(|| ApiError::bad("PASSKEY_CREDENTIAL_NOT_FOUND"))?;
        let state = site
            .finish_sign_in(handle, &known, &ceremony.state, answer)
            .map_err(|fault| refused(&local_id, &fault))?;
        passkey.authenticator_state = Some(state);
        passkey.used_at = Some(call.now.rfc3339_millis());
        // Only after the proof: whoever has nothing but the id of a passkey learns nothing of its account.
        ensure(!account.is_disabled(), "USER_DISABLED")?;
        note_sign_in(account, call.now);
        Ok(())
    };
    // The authenticator has verified its user: what it has, and what its user knows or is.
    let second_factor = SecondFactor { identifier: id.to_owned(), provider: PASSKEY.to_owned() };
    let grant = Grant { second_factor: Some(second_factor), ..Grant::new(PASSKEY) };
    let method = Method { second_factor: Some(PASSKEY), ..Method::new(PASSKEY) };
    let signed_in = call.sign_in(&account.local_id, grant, Some(&method), finish).await;
    let (account, tokens) = signed_in.map_err(|error| {
        if error.code() == "USER_NOT_FOUND" { ApiError::bad("PASSKEY_CREDENTIAL_NOT_FOUND") } else { error }
    })?;
    call.succeeded(&attempted);
    Ok(with_tokens(json!({ "localId": account.local_id }), &tokens))
}

/// The caller, if they may add a passkey to their account.
async fn may_add(call: &Call, request: &PasskeyEnrollRequest) -> Result<SignedIn> {
    let token = require(filled(request.id_token.as_ref()), "MISSING_ID_TOKEN")?;
    let signed_in = call.signed_in(Some(token)).await?;
    call.may_add_sign_in(&signed_in)?;
    let account = &signed_in.found.account;
    call.may_sign_up(Some(account), None).await?;
    // It lets its owner in without the second factor: a password that was found out must not be enough to add it.
    let shown = !account.has_second_factor() || signed_in.second_factor().is_some();
    ensure(shown, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")?;
    Ok(signed_in)
}

fn site(call: &Call) -> Result<Site> {
    let needs = "OPERATION_NOT_ALLOWED : Passkeys need a public URL with https and a host name.";
    require(Site::new(&call.state.0.origin), needs)
}

fn handle(call: &Call, account: &Account) -> Handle {
    Handle::new(&call.project, call.tenant.as_deref(), &account.local_id)
}

/// The credential of a passkey; `None` if it was never verified, as one brought from an emulator.
fn stored(passkey: &PasskeyInfo) -> Option<Credential> {
    Some(Credential {
        id: passkey.credential_id.clone(),
        key: passkey.public_key.clone()?,
        state: passkey.authenticator_state.clone()?,
    })
}

fn refused(local_id: &str, fault: &Fault) -> ApiError {
    match fault {
        Fault::Stored(_) => return ApiError::internal(fault.to_string()),
        Fault::Counter => tracing::warn!(uid = local_id, %fault, "a passkey was refused"),
        Fault::Malformed(_) | Fault::Refused(_) => {
            tracing::info!(uid = local_id, %fault, "a passkey was refused");
        }
    }
    ApiError::bad(REFUSED)
}
