//! `accounts:signInWithEmailLink`: sign-in by proof of access to the mailbox.

use serde_json::{Value, json};

use super::{filled, note_sign_in, with_members};
use crate::accounts::{Account, Outcome, PASSWORD, contended};
use crate::blocking::Method;
use crate::call::Call;
use crate::entropy;
use crate::error::{Result, ensure, require};
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::sessions::with_tokens;
use crate::sign_in::SignIn;
use crate::tokens::Grant;
use crate::validate;
use crate::wire::{EmailLinkRequest, OobRequestType};

pub(crate) async fn sign_in(call: Call, request: EmailLinkRequest) -> Result<Value> {
    call.enabled()?;
    ensure(call.settings.allowed.enable_email_link_signin, "OPERATION_NOT_ALLOWED")?;
    let signed_in = match filled(request.id_token.as_ref()) {
        Some(token) => Some(call.signed_in(Some(token)).await?),
        None => None,
    };
    let email = validate::email(require(filled(request.email.as_ref()), "MISSING_EMAIL")?)?;
    let code = call.code(request.oob_code.as_deref()).await?;
    ensure(code.kind == OobRequestType::EmailSignin, "INVALID_OOB_CODE")?;
    let mismatch = "INVALID_EMAIL : The email provided does not match the sign-in email address.";
    ensure(email == code.record.email, mismatch)?;
    let by_email = call.directory.by_email(&email).await?;
    let known = match (&signed_in, &by_email) {
        (Some(signed_in), Some(found)) => {
            ensure(signed_in.found.account.local_id == found.account.local_id, "EMAIL_EXISTS")?;
            Some(&signed_in.found.account)
        }
        (Some(signed_in), None) => Some(&signed_in.found.account),
        (None, found) => found.as_ref().map(|found| &found.account),
    };
    if let Some(account) = known {
        ensure(!account.is_disabled(), "USER_DISABLED")?;
    }
    if let Some(signed_in) = &signed_in
        && signed_in.found.account.email.as_ref() != Some(&email)
    {
        call.may_add_sign_in(signed_in)?;
    }
    call.may_sign_up(known, Some(&email)).await?;
    // The code is used up before the sign-in: of two callers with the same code, one fails here.
    if call.directory.commit(vec![call.use_up(&code)?]).await? == Outcome::Conflict {
        call.code(request.oob_code.as_deref()).await?;
        return Err(contended());
    }
    call.forget(&code).await;
    let is_new = known.is_none();
    let reply = |local_id: &str| {
        json!({
            "kind": "identitytoolkit#EmailLinkSigninResponse",
            "email": email, "localId": local_id, "isNewUser": is_new,
        })
    };
    let own = |account: &mut Account| {
        ensure(!account.is_disabled(), "USER_DISABLED")?;
        account.email = Some(email.clone());
        account.set_email_verified(true);
        account.email_link_signin = Some(true);
        Ok(())
    };
    let finish = |account: &mut Account| {
        note_sign_in(account, call.now);
        Ok(())
    };
    // A signed-in caller has set all of it already.
    if let Some(known) = known.filter(|_| signed_in.is_none() && !call.state.is_emulator()) {
        call.prove_address(&known.local_id).await?;
    }
    let method = Method::new("emailLink");
    let Some(known) = known else {
        let local_id = entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH);
        let mut account = call.new_account(local_id);
        own(&mut account)?;
        note_sign_in(&mut account, call.now);
        let (account, tokens) = call.create_and_sign_in(account, Grant::new(PASSWORD), Some(&method)).await?;
        return Ok(with_tokens(reply(&account.local_id), &tokens));
    };
    match call.sign_in_or_ask(&known.local_id, Grant::new(PASSWORD), &method, own, finish).await? {
        SignIn::Done(account, tokens) => Ok(with_tokens(reply(&account.local_id), &tokens)),
        SignIn::Pending(account, asked) => Ok(with_members(reply(&account.local_id), asked)),
    }
}
