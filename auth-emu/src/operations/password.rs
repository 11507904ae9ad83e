//! `accounts:signInWithPassword` and `accounts:resetPassword`.

use serde_json::{Value, json};

use super::{filled, note_sign_in, set_password, with_members};
use crate::accounts::{Account, MAX_ATTEMPTS, Outcome, PASSWORD, contended};
use crate::blocking::Method;
use crate::call::Call;
use crate::error::{ApiError, Result, ensure, require};
use crate::passwords::check_length;
use crate::sessions::with_tokens;
use crate::sign_in::SignIn;
use crate::tokens::Grant;
use crate::validate;
use crate::wire::{OobRequestType, PasswordRequest, ResetPasswordRequest};

pub(crate) async fn sign_in(call: Call, request: PasswordRequest) -> Result<Value> {
    call.enabled()?;
    ensure(call.settings.allowed.allow_password_signup, "PASSWORD_LOGIN_DISABLED")?;
    let email = validate::email(require(request.email.as_deref(), "MISSING_EMAIL")?)?;
    let password = require(filled(request.password.as_ref()), "MISSING_PASSWORD")?;
    if request.id_token.is_some() || request.pending_id_token.is_some() {
        return Err(ApiError::not_implemented(
            "idToken and pendingIdToken are no longer part of this operation.",
        ));
    }
    let found = call.directory.by_email(&email).await?;
    let guesser = call.guesser_of(found.as_ref().map(|found| &found.account)).await?;
    call.attempt_by(&email, guesser)?;
    let hidden = call.settings.hides_emails();
    if !hidden {
        require(found.as_ref(), "EMAIL_NOT_FOUND")?;
    }
    let passwords = &call.state.0.passwords;
    let known = found.as_ref().map(|found| &found.account);
    let hash = known.and_then(|account| account.password_hash.as_deref());
    let imported = known.and_then(|account| account.imported_hash.as_ref());
    let right = match (hash, imported) {
        (Some(hash), Some(options)) => {
            let salt = known.and_then(|account| account.salt.as_deref()).unwrap_or_default();
            passwords.verify_imported(password, hash, salt, options).await?
        }
        _ => passwords.verify(password, hash).await?,
    };
    // An imported password is hashed with our own algorithm when it is first used; one that is too short for it keeps
    // its hash.
    let anew = match imported.filter(|_| right && check_length(password).is_ok()) {
        Some(_) => Some(passwords.hash_as_is(password).await?),
        None => None,
    };
    // With hidden addresses, only a caller with the right password learns that the account is disabled.
    let Some(found) = found.filter(|found| right || (!hidden && found.account.is_disabled())) else {
        return Err(ApiError::bad(if hidden { "INVALID_LOGIN_CREDENTIALS" } else { "INVALID_PASSWORD" }));
    };
    ensure(!found.account.is_disabled(), "USER_DISABLED")?;
    call.succeeded_as(&email, guesser);
    let local_id = found.account.local_id;
    let reply = json!({
        "kind": "identitytoolkit#VerifyPasswordResponse",
        "registered": true,
        "localId": local_id,
        "email": email,
    });
    let verified = found.account.password_hash;
    let check = |account: &mut Account| {
        // The password was checked against an earlier read; after a change it must be checked again.
        ensure(account.password_hash == verified, "INVALID_LOGIN_CREDENTIALS")?;
        ensure(!account.is_disabled(), "USER_DISABLED")
    };
    let finish = |account: &mut Account| {
        note_sign_in(account, call.now);
        if let Some(hash) = &anew {
            account.password_hash = Some(hash.clone());
            account.salt = None;
            account.imported_hash = None;
        }
        Ok(())
    };
    let method = Method::new(PASSWORD);
    match call.sign_in_or_ask(&local_id, Grant::new(PASSWORD), &method, check, finish).await? {
        SignIn::Done(account, tokens) => {
            let mut reply = with_tokens(reply, &tokens);
            account.display_name.iter().for_each(|name| reply["displayName"] = json!(name));
            Ok(reply)
        }
        SignIn::Pending(_, asked) => Ok(with_members(reply, asked)),
    }
}

pub(crate) async fn reset(call: Call, request: ResetPasswordRequest) -> Result<Value> {
    call.enabled()?;
    ensure(call.settings.allowed.allow_password_signup, "PASSWORD_LOGIN_DISABLED")?;
    let new_password = filled(request.new_password.as_ref());
    let mut hash = None;
    for _ in 0..MAX_ATTEMPTS {
        let code = call.code(request.oob_code.as_deref()).await?;
        let Some(password) = new_password else {
            return Ok(reply(code.kind, &code.record.email, code.record.new_email.as_deref()));
        };
        ensure(code.kind == OobRequestType::PasswordReset, "INVALID_OOB_CODE")?;
        check_length(password)?;
        let found = require(call.directory.by_email(&code.record.email).await?, "INVALID_OOB_CODE")?;
        // A code made before the last change of password is void.
        let changed = found.account.password_updated_at.unwrap_or_default();
        let stale = changed > code.record.issued_at / 1_000;
        let same = code.record.local_id.as_ref().is_none_or(|id| *id == found.account.local_id);
        ensure(same && (call.state.is_emulator() || !stale), "INVALID_OOB_CODE")?;
        let hash = match &hash {
            Some(hash) => hash,
            None => hash.insert(call.state.0.passwords.hash(password, &[&code.record.email]).await?),
        };
        let mut account = found.account.clone();
        let mut also = call.end_sessions(&account.local_id).await?;
        // Whoever added other credentials need not own the address; the caller does.
        if call.state.is_emulator() {
            if !account.is_email_verified() {
                account.provider_user_info = None;
                account.phone_number = None;
            }
            account.set_email_verified(true);
        } else if !account.is_address_proved() {
            account.forget_unproved_ways_in();
            also.extend(call.directory.naming("codes", "localId", &account.local_id).await?);
            account.set_email_verified(false);
            match account.mfa_info {
                // They may be a stranger's as before; a sign-in by mail can remove them.
                Some(_) => account.confirm_address(),
                None => account.set_email_verified(true),
            }
        }
        set_password(&call, &mut account, hash.clone());
        account.settle();
        let used = call.use_up(&code)?;
        also.retain(|write| write.path != used.path);
        also.push(used);
        if call.directory.replace(&found, &account, also).await? == Outcome::Done {
            call.forget(&code).await;
            call.succeeded(&code.record.email);
            return Ok(reply(code.kind, &code.record.email, None));
        }
    }
    Err(contended())
}

fn reply(kind: OobRequestType, email: &str, new_email: Option<&str>) -> Value {
    let mut reply = json!({ "kind": "identitytoolkit#ResetPasswordResponse", "requestType": kind.name() });
    // A sign-in link works only for a caller that already knows the address.
    if kind != OobRequestType::EmailSignin {
        reply["email"] = json!(email);
    }
    new_email.iter().for_each(|email| reply["newEmail"] = json!(email));
    reply
}
