//! `accounts:update`: changes by the owner, by an administrator, or by a code from a mailbox.

use serde_json::{Value, json};

use super::{filled, set_password};
use crate::accounts::{
    ANONYMOUS, Account, Found, MAX_ATTEMPTS, MfaEnrollment, Outcome, PASSWORD, PHONE, View, contended,
};
use crate::call::{Call, SignedIn};
use crate::codes::NewCode;
use crate::error::{ApiError, Result, ensure, require};
use crate::passwords::check_length;
use crate::sessions::with_tokens;
use crate::tokens::Grant;
use crate::validate;
use crate::wire::{DeleteAttribute, OobRequestType, Text, UpdateRequest};

pub(crate) async fn update(call: Call, request: UpdateRequest) -> Result<Value> {
    call.enabled()?;
    check_request(&call, &request)?;
    if filled(request.oob_code.as_ref()).is_some() {
        return by_code(call, request).await;
    }
    let signed_in = match filled(request.id_token.as_ref()) {
        Some(token) => {
            ensure(request.disable_user.is_none(), "OPERATION_NOT_ALLOWED")?;
            Some(call.signed_in(Some(token)).await?)
        }
        None => None,
    };
    let local_id = match &signed_in {
        Some(signed_in) => signed_in.found.account.local_id.clone(),
        None => require(filled(request.local_id.as_ref()), "MISSING_LOCAL_ID")?.to_owned(),
    };
    let password = filled(request.password.as_ref());
    if let Some(password) = password {
        check_length(password)?;
    }
    let email = filled(request.email.as_ref()).map(validate::email).transpose()?;
    let removes = removes_sign_in(&request);
    if let Some(signed_in) = &signed_in
        && (password.is_some() || email.is_some() || removes)
    {
        call.recent(signed_in)?;
    }
    if let Some(email) = &email {
        if let Some(signed_in) = &signed_in {
            call.may_sign_up(Some(&signed_in.found.account), Some(email)).await?;
        }
        let owner = call.directory.by_email(email).await?;
        ensure(owner.is_none_or(|owner| owner.account.local_id == local_id), "EMAIL_EXISTS")?;
    }
    let hash = match password {
        Some(password) => {
            let account = signed_in.as_ref().map(|signed_in| &signed_in.found.account);
            let own = account.and_then(|account| account.email.as_deref());
            let name = account.and_then(|account| account.display_name.as_deref());
            let known: Vec<_> = [email.as_deref(), own, name].into_iter().flatten().collect();
            Some(call.state.0.passwords.hash(password, &known).await?)
        }
        None => None,
    };
    commit(&call, &request, &local_id, signed_in.as_ref(), email, hash).await
}

fn check_request(call: &Call, request: &UpdateRequest) -> Result<()> {
    if request.provider.is_some() || request.upgrade_to_federated_login.is_some() {
        return Err(ApiError::not_implemented("provider and upgradeToFederatedLogin are not implemented."));
    }
    if call.privileged {
        require(filled(request.local_id.as_ref()), "MISSING_LOCAL_ID")?;
    } else {
        let by = filled(request.id_token.as_ref()).or_else(|| filled(request.oob_code.as_ref()));
        require(by, "INVALID_REQ_TYPE : Unsupported request parameters.")?;
        ensure(request.custom_attributes.is_none(), "INSUFFICIENT_PERMISSION")?;
    }
    if let Some(claims) = filled(request.custom_attributes.as_ref()) {
        validate::serialized_claims(claims)?;
    }
    let unknown = [DeleteAttribute::Provider, DeleteAttribute::RawUserInfo];
    match request.delete_attribute.iter().flatten().find(|attribute| unknown.contains(attribute)) {
        Some(attribute) => Err(ApiError::not_implemented(format!("deleteAttribute: {}", attribute.name()))),
        None => Ok(()),
    }?;
    if let Some(link) = &request.link_provider_user_info {
        // Not verified: for administrators and tests only.
        ensure(call.privileged || call.state.is_emulator(), "INSUFFICIENT_PERMISSION")?;
        ensure(!link.provider_id.is_empty(), "MISSING_PROVIDER_ID")?;
        ensure(!link.raw_id.is_empty(), "MISSING_RAW_ID")?;
    }
    Ok(())
}

/// True if the request removes a way to sign in.
fn removes_sign_in(request: &UpdateRequest) -> bool {
    let attributes = [DeleteAttribute::Email, DeleteAttribute::Password];
    request.delete_attribute.iter().flatten().any(|attribute| attributes.contains(attribute))
        || [&request.delete_provider, &request.delete_passkey]
            .into_iter()
            .flatten()
            .any(|some| !some.is_empty())
}

/// Findings of one attempt at a change, for the reply.
#[derive(Debug, Default)]
struct Change {
    /// The address was changed: notify the first one.
    moved: bool,
    /// Tokens issued earlier are revoked.
    revoked: bool,
    new_email: Option<String>,
}

async fn commit(
    call: &Call,
    request: &UpdateRequest,
    local_id: &str,
    signed_in: Option<&SignedIn>,
    email: Option<String>,
    hash: Option<String>,
) -> Result<Value> {
    let provider = signed_in.map(|signed_in| signed_in.provider.as_str());
    // After a password is set, the session counts as signed in with it.
    let provider = if hash.is_some() { Some(PASSWORD) } else { provider };
    // Both required a recent sign-in: the session starts afresh with them. Otherwise it keeps its age.
    let anew = hash.is_some() || email.is_some();
    let session = match signed_in {
        Some(signed_in) => call.same_session(signed_in).await?,
        None => Grant::default(),
    };
    let ticket = provider.map(|provider| {
        let auth_time = session.auth_time.filter(|_| !anew);
        call.ticket(Grant { provider: provider.to_owned(), auth_time, ..session })
    });
    for _ in 0..MAX_ATTEMPTS {
        let found = require(call.directory.by_id(local_id).await?, "USER_NOT_FOUND")?;
        let mut account = found.account.clone();
        let mut change = edit(call, request, email.as_deref(), hash.clone(), provider, &mut account)?;
        administer(call, request, &mut account, &mut change)?;
        account.settle();
        let mut also = if change.revoked { call.end_sessions(local_id).await? } else { Vec::new() };
        if change.revoked
            && let Some(ticket) = &ticket
        {
            call.stamp(ticket, &mut account, &mut also)?;
        }
        if call.directory.replace(&found, &account, also).await? == Outcome::Conflict {
            continue;
        }
        if change.moved && provider != Some(ANONYMOUS) {
            offer_way_back(call, &account).await?;
        }
        let reply = reply(&account, change.new_email.as_deref());
        return match ticket.filter(|_| change.revoked) {
            Some(ticket) => Ok(with_tokens(reply, &call.redeem(ticket, &account).await?)),
            None => Ok(reply),
        };
    }
    Err(contended())
}

/// Applies the changes owners may make.
fn edit(
    call: &Call,
    request: &UpdateRequest,
    email: Option<&str>,
    hash: Option<String>,
    provider: Option<&str>,
    account: &mut Account,
) -> Result<Change> {
    let mut change = Change::default();
    if let Some(email) = email {
        change.new_email = Some(email.to_owned());
        if account.email.as_deref() != Some(email) {
            if provider != Some(ANONYMOUS) && account.initial_email.is_none() {
                account.initial_email = account.email.clone();
            }
            account.email = Some(email.to_owned());
            account.set_email_verified(false);
            call.revoke(account);
            (change.moved, change.revoked) = (true, true);
        }
    }
    if let Some(hash) = hash {
        set_password(call, account, hash);
        change.revoked = true;
    }
    if request.valid_since.is_some() {
        call.revoke(account);
        change.revoked = true;
    }
    if let Some(mfa) = &request.mfa {
        ensure(call.privileged, "INSUFFICIENT_PERMISSION")?;
        account.mfa_info = enrollments(&mfa.enrollments, account)?;
    }
    if let Some(name) = request.display_name.as_deref() {
        account.display_name = Some(call.display_name(name)?);
    }
    if let Some(url) = request.photo_url.as_deref() {
        account.photo_url = Some(validate::photo_url(url)?);
    }
    if let Some(link) = &request.link_provider_user_info {
        account.upsert_provider(link.clone());
    }
    for attribute in request.delete_attribute.iter().flatten() {
        match attribute {
            DeleteAttribute::DisplayName => account.display_name = None,
            DeleteAttribute::PhotoUrl => account.photo_url = None,
            DeleteAttribute::Password => account.remove_password(),
            DeleteAttribute::Email => account.remove_email(),
            DeleteAttribute::Unspecified | DeleteAttribute::Provider | DeleteAttribute::RawUserInfo => {}
        }
    }
    for provider in request.delete_provider.iter().flatten() {
        account.remove_provider(provider);
        match &**provider {
            PASSWORD => {
                account.remove_email();
                account.remove_password();
            }
            PHONE => account.phone_number = None,
            _ => {}
        }
    }
    if let Some(gone) = &request.delete_passkey {
        delete_passkeys(call, gone, account)?;
    }
    Ok(change)
}

/// Removes passkeys. In serving mode a last one stays that nothing else stands beside: without it nobody could reach the
/// account and what is in it.
///
/// # Errors
/// `OPERATION_NOT_ALLOWED`
fn delete_passkeys(call: &Call, gone: &[Text], account: &mut Account) -> Result<()> {
    let Some(passkeys) = &mut account.passkey_info else { return Ok(()) };
    let before = passkeys.len();
    passkeys.retain(|passkey| gone.iter().all(|id| **id != *passkey.credential_id));
    let removed = passkeys.len() < before;
    let open = call.privileged || call.state.is_emulator() || !removed || !account.is_guest();
    let last = "OPERATION_NOT_ALLOWED : This passkey is the only way into the account. Add another passkey, or an address with a password, and remove this one then.";
    ensure(open, last)
}

/// Applies the changes only administrators may make.
fn administer(
    call: &Call,
    request: &UpdateRequest,
    account: &mut Account,
    change: &mut Change,
) -> Result<()> {
    if !call.privileged {
        return Ok(());
    }
    if let Some(disabled) = request.disable_user {
        account.disabled = Some(disabled);
    }
    if let Some(phone) = filled(request.phone_number.as_ref()) {
        account.phone_number = Some(validate::phone(phone)?);
    }
    if let Some(verified) = request.email_verified {
        account.set_email_verified(verified);
    }
    if let Some(claims) = &request.custom_attributes {
        account.custom_attributes = Some(claims.0.clone()).filter(|claims| !claims.is_empty());
    }
    for (member, place) in [
        (&request.created_at, &mut account.created_at),
        (&request.last_login_at, &mut account.last_login_at),
        (&request.valid_since, &mut account.valid_since),
    ] {
        if let Some(time) = member {
            let digits = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
            ensure(digits, "INVALID_TIME : Times are whole numbers since the epoch.")?;
            *place = Some(time.0.clone());
        }
    }
    change.revoked |= request.valid_since.is_some();
    Ok(())
}

/// The second factors that an administrator sets; secrets of known authenticator apps are kept.
fn enrollments(wanted: &[MfaEnrollment], account: &Account) -> Result<Option<Vec<MfaEnrollment>>> {
    let mut enrollments: Vec<MfaEnrollment> = Vec::new();
    for wanted in wanted {
        let known = account.mfa_info.iter().flatten().find(|known| {
            known.mfa_enrollment_id == wanted.mfa_enrollment_id && known.shared_secret.is_some()
        });
        let mut enrollment = wanted.clone();
        (enrollment.shared_secret, enrollment.last_step) =
            known.map_or((None, None), |known| (known.shared_secret.clone(), known.last_step));
        if known.is_none() {
            let phone = enrollment.phone_info.clone().filter(|phone| validate::is_phone(phone));
            let phone = require(phone, "INVALID_MFA_PHONE_NUMBER : Invalid format.")?;
            if enrollments.iter().any(|known| known.phone_info.as_ref() == Some(&phone)) {
                continue;
            }
            enrollment.unobfuscated_phone_info = Some(phone);
        }
        let missing = "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.";
        require(enrollment.mfa_enrollment_id.as_ref().filter(|id| !id.is_empty()), missing)?;
        let twice = enrollments.iter().any(|known| known.mfa_enrollment_id == enrollment.mfa_enrollment_id);
        ensure(!twice, "DUPLICATE_MFA_ENROLLMENT_ID")?;
        enrollments.push(enrollment);
    }
    Ok(Some(enrollments).filter(|enrollments| !enrollments.is_empty()))
}

async fn offer_way_back(call: &Call, account: &Account) -> Result<()> {
    let Some(first) = &account.initial_email else { return Ok(()) };
    let message = call
        .create_code(&NewCode {
            kind: OobRequestType::RecoverEmail,
            email: first,
            new_email: None,
            local_id: Some(&account.local_id),
            continue_url: None,
        })
        .await?;
    call.send_code(message).await
}

/// `update{oobCode}`: a change confirmed by the mailbox's owner.
pub(crate) async fn by_code(call: Call, request: UpdateRequest) -> Result<Value> {
    // Optional, and the code works without: a token that has expired meanwhile counts as none.
    let opened_by = match filled(request.id_token.as_ref()) {
        Some(token) => call.signed_in(Some(token)).await.ok().map(|user| user.found.account.local_id),
        None => None,
    };
    for _ in 0..MAX_ATTEMPTS {
        let code = call.code(request.oob_code.as_deref()).await?;
        let found = match code.kind {
            OobRequestType::VerifyEmail | OobRequestType::VerifyAndChangeEmail => {
                call.directory.by_email(&code.record.email).await?
            }
            OobRequestType::RecoverEmail => match &code.record.local_id {
                Some(local_id) => call.directory.by_id(local_id).await?,
                None => None,
            },
            other => return Err(ApiError::not_implemented(other.name())),
        };
        let Found { account: before, version } = require(found, "INVALID_OOB_CODE")?;
        let same = code.record.local_id.as_ref().is_none_or(|local_id| *local_id == before.local_id);
        ensure(same, "INVALID_OOB_CODE")?;
        // An address cannot be restored once another account has verified it.
        let open = code.kind != OobRequestType::RecoverEmail
            || before.initial_email.as_ref() == Some(&code.record.email);
        ensure(open || call.state.is_emulator(), "INVALID_OOB_CODE")?;
        let mut account = before.clone();
        let new_email = match code.kind {
            OobRequestType::VerifyAndChangeEmail => {
                Some(require(code.record.new_email.clone(), "INVALID_OOB_CODE")?)
            }
            OobRequestType::RecoverEmail => Some(code.record.email.clone()),
            _ => None,
        };
        if let Some(email) = &new_email {
            let owner = call.directory.by_email(email).await?;
            if owner.is_some_and(|owner| owner.account.local_id != account.local_id) {
                // The address belongs to another account now: this code has no further use.
                call.directory.commit(vec![call.use_up(&code)?]).await?;
                call.forget(&code).await;
                return Err(ApiError::bad("EMAIL_EXISTS"));
            }
            account.email = Some(email.clone());
        }
        if new_email.is_some() {
            account.set_email_verified(false);
        }
        // A mailbox's owner who opens a stranger's mail proves nothing about the account; its user who does, all of it.
        if call.state.is_emulator() || opened_by.as_ref() == Some(&account.local_id) {
            account.set_email_verified(true);
        } else {
            account.confirm_address();
        }
        let mut also = Vec::new();
        if new_email.is_some() && !call.state.is_emulator() {
            // Sessions under the old address end; their holder signs in again with the new one.
            call.revoke(&mut account);
            also = call.end_sessions(&account.local_id).await?;
        }
        if code.kind == OobRequestType::RecoverEmail && !call.state.is_emulator() {
            // Whoever moved the address away could have added a passkey, which no new password takes from them.
            account.passkey_info = None;
        }
        account.settle();
        also.push(call.use_up(&code)?);
        let found = Found { account: before, version };
        if call.directory.replace(&found, &account, also).await? == Outcome::Done {
            call.forget(&code).await;
            let shown = new_email.filter(|_| code.kind == OobRequestType::VerifyAndChangeEmail);
            return Ok(reply(&account, shown.as_deref()));
        }
    }
    Err(contended())
}

fn reply(account: &Account, new_email: Option<&str>) -> Value {
    let shown = account.shown(View::Owner);
    let mut reply = json!({ "kind": "identitytoolkit#SetAccountInfoResponse" });
    let members =
        ["localId", "email", "emailVerified", "displayName", "photoUrl", "providerUserInfo", "passwordHash"];
    for name in members {
        if let Some(member) = shown.get(name) {
            reply[name] = member.clone();
        }
    }
    new_email.iter().for_each(|email| reply["newEmail"] = json!(email));
    reply
}
