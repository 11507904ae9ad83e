//! `accounts:sendOobCode`: mails a link that proves access to the mailbox.

use serde_json::{Value, json};

use super::filled;
use crate::call::Call;
use crate::codes::NewCode;
use crate::error::{ApiError, Result, ensure, require};
use crate::validate;
use crate::wire::{OobRequest, OobRequestType};

/// Account and addresses a message is about.
#[derive(Debug, Default)]
struct Addressee {
    email: String,
    new_email: Option<String>,
    local_id: Option<String>,
}

pub(crate) async fn send(call: Call, request: OobRequest) -> Result<Value> {
    call.enabled()?;
    let kind = request.request_type.filter(|kind| *kind != OobRequestType::Unspecified);
    let kind = require(kind, "MISSING_REQ_TYPE")?;
    let returns = request.return_oob_link == Some(true);
    ensure(!returns || call.privileged, "INSUFFICIENT_PERMISSION")?;
    call.continue_url(request.continue_url.as_deref())?;
    let addressee = match kind {
        OobRequestType::EmailSignin => {
            ensure(call.settings.allowed.enable_email_link_signin, "OPERATION_NOT_ALLOWED")?;
            for_sign_in(&call, &request).await?
        }
        OobRequestType::PasswordReset => by_email(&call, &request).await?,
        OobRequestType::VerifyEmail | OobRequestType::VerifyAndChangeEmail => {
            Some(own(&call, &request, kind, returns).await?)
        }
        other => return Err(ApiError::not_implemented(other.name())),
    };
    let Some(addressee) = addressee else {
        // No account has this address or may have it, and the caller must not learn that: the reply is the same as for a sent
        // mail.
        let email = address(request.email.as_deref())?;
        call.may_mail(&email)?;
        return Ok(json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email }));
    };
    if !returns {
        call.may_mail(addressee.new_email.as_ref().unwrap_or(&addressee.email))?;
    }
    let message = call
        .create_code(&NewCode {
            kind,
            email: &addressee.email,
            new_email: addressee.new_email.as_deref(),
            local_id: addressee.local_id.as_deref(),
            continue_url: request.continue_url.as_deref(),
        })
        .await?;
    let mut reply =
        json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": addressee.email });
    if returns {
        reply["oobCode"] = json!(message.oob_code);
        reply["oobLink"] = json!(message.oob_link);
        if call.state.is_emulator() {
            call.keep(message).await?;
        }
    } else {
        call.send_code(message).await?;
    }
    Ok(reply)
}

fn address(text: Option<&str>) -> Result<String> {
    validate::email(require(text.filter(|text| !text.is_empty()), "MISSING_EMAIL")?)
}

/// The address that a link to sign in is for. A server that takes no new account with it mails it nothing: `None` where
/// the caller must not learn that.
async fn for_sign_in(call: &Call, request: &OobRequest) -> Result<Option<Addressee>> {
    let email = address(request.email.as_deref())?;
    let refusal = match call.directory.by_email(&email).await? {
        Some(_) => None,
        None => call.refusal_of_new(Some(&email)).await?,
    };
    match refusal {
        Some(_) if call.settings.hides_emails() => Ok(None),
        Some(refusal) => Err(ApiError::bad(refusal)),
        None => Ok(Some(Addressee { email, ..Addressee::default() })),
    }
}

/// The account with the address; `None` if there is none and the caller must not learn that.
async fn by_email(call: &Call, request: &OobRequest) -> Result<Option<Addressee>> {
    let email = address(request.email.as_deref())?;
    match call.directory.by_email(&email).await? {
        Some(found) => Ok(Some(Addressee { email, new_email: None, local_id: Some(found.account.local_id) })),
        None if call.settings.hides_emails() => Ok(None),
        None => Err(ApiError::bad("EMAIL_NOT_FOUND")),
    }
}

/// The signed-in account, or the one an administrator names.
async fn own(call: &Call, request: &OobRequest, kind: OobRequestType, returns: bool) -> Result<Addressee> {
    let new_email = match kind {
        OobRequestType::VerifyAndChangeEmail => {
            let new = require(filled(request.new_email.as_ref()), "MISSING_NEW_EMAIL")?;
            Some(validate::email(new)?)
        }
        _ => None,
    };
    let account = if returns && filled(request.id_token.as_ref()).is_none() {
        let email = address(request.email.as_deref())?;
        require(call.directory.by_email(&email).await?, "USER_NOT_FOUND")?.account
    } else {
        let token = filled(request.id_token.as_ref());
        if kind == OobRequestType::VerifyEmail {
            require(token, "INVALID_ID_TOKEN")?;
        }
        let signed_in = call.signed_in(token).await?;
        if new_email.is_some() {
            call.recent(&signed_in)?;
        }
        signed_in.found.account
    };
    let email = require(account.email, "MISSING_EMAIL")?;
    if let Some(new) = &new_email {
        ensure(call.directory.by_email(new).await?.is_none(), "EMAIL_EXISTS")?;
    }
    Ok(Addressee { email, new_email, local_id: Some(account.local_id) })
}
