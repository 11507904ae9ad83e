//! `accounts:signUp`: creates accounts, and sets the first address and password of a signed-in one.

use serde_json::{Value, json};

use super::{filled, note_sign_in, set_password};
use crate::accounts::{ANONYMOUS, Account, MfaEnrollment, PASSWORD};
use crate::blocking::Method;
use crate::call::{Call, SignedIn};
use crate::entropy;
use crate::error::{ApiError, Result, ensure, require};
use crate::limits::Subject;
use crate::passwords::check_length;
use crate::sessions::with_tokens;
use crate::tokens::Grant;
use crate::validate;
use crate::wire::{MfaFactor, SignUpRequest};

/// The length of a generated account id, as in the cloud.
pub(crate) const LOCAL_ID_LENGTH: usize = 28;

pub(crate) async fn sign_up(call: Call, request: SignUpRequest) -> Result<Value> {
    call.enabled()?;
    let provider = if call.privileged { None } else { Some(provider_of(&call, &request)?) };
    let email = match request.email.as_deref() {
        Some(email) if !email.is_empty() || provider.is_some() => Some(validate::email(email)?),
        _ => None,
    };
    let password = filled(request.password.as_ref());
    if let Some(password) = password {
        check_length(password)?;
    }
    let signed_in = match filled(request.id_token.as_ref()) {
        Some(token) => Some(call.signed_in(Some(token)).await?),
        None => None,
    };
    if let Some(signed_in) = signed_in.as_ref().filter(|_| !call.privileged) {
        call.may_add_sign_in(signed_in)?;
    }
    if !call.privileged {
        call.take_from_peer(Subject::AddressSignUps)?;
    }
    if provider == Some(PASSWORD) {
        let own = signed_in.as_ref().map(|signed_in| &signed_in.found.account);
        call.may_sign_up(own, email.as_deref()).await?;
    }
    if let Some(local_id) =
        filled(request.local_id.as_ref()).filter(|_| call.privileged && signed_in.is_none())
    {
        // An id in use is reported before an address in use.
        ensure(call.directory.by_id(local_id).await?.is_none(), "DUPLICATE_LOCAL_ID")?;
    }
    let owner = match &email {
        Some(email) => call.directory.by_email(email).await?,
        None => None,
    };
    let own = signed_in.as_ref().map(|signed_in| &signed_in.found.account.local_id);
    ensure(owner.is_none_or(|owner| Some(&owner.account.local_id) == own), "EMAIL_EXISTS")?;
    let hash = match password {
        Some(password) => {
            let own = signed_in.as_ref().and_then(|signed_in| signed_in.found.account.email.as_deref());
            let name = filled(request.display_name.as_ref());
            let known = [email.as_deref(), own, name];
            let known: Vec<_> = known.into_iter().flatten().collect();
            Some(call.state.0.passwords.hash(password, &known).await?)
        }
        None => None,
    };
    let fill = |account: &mut Account| fill(&call, &request, email.clone(), hash.clone(), account);
    let reply = |account: &Account| {
        let mut reply =
            json!({ "kind": "identitytoolkit#SignupNewUserResponse", "localId": account.local_id });
        account.display_name.iter().for_each(|name| reply["displayName"] = json!(name));
        account.email.iter().for_each(|email| reply["email"] = json!(email));
        reply
    };
    if let Some(signed_in) = signed_in {
        let local_id = &signed_in.found.account.local_id;
        let Some(provider) = provider else {
            let (account, ()) = call.directory.update(local_id, |account, _| fill(account)).await?;
            return Ok(reply(&account));
        };
        // A caller who is not a guest signed in a short while ago: the second factor shown then still counts.
        let session = call.same_session(&signed_in).await?;
        let grant = Grant { provider: provider.to_owned(), auth_time: None, ..session };
        let set = |account: &mut Account| {
            may_set(&call, &signed_in, email.as_deref(), account)?;
            fill(account)
        };
        let (account, tokens) = call.sign_in(local_id, grant, None, set).await?;
        return Ok(with_tokens(reply(&account), &tokens));
    }
    let local_id = match filled(request.local_id.as_ref()) {
        Some(local_id) => local_id.to_owned(),
        None => entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH),
    };
    validate::local_id(&local_id)?;
    let mut account = call.new_account(local_id);
    fill(&mut account)?;
    // Only administrators and tests may add unproved second factors; others could use them to avoid proving any.
    if call.privileged || call.state.is_emulator() {
        account.mfa_info =
            request.mfa_info.as_deref().map(|factors| enrollments(&call, factors)).transpose()?;
    }
    account.settle();
    let Some(provider) = provider else {
        call.directory.create(&account, Vec::new()).await?;
        return Ok(reply(&account));
    };
    let method = (provider == PASSWORD).then(|| Method::new(PASSWORD));
    let grant = Grant::new(provider);
    let (account, tokens) = call.create_and_sign_in(account, grant, method.as_ref()).await?;
    Ok(with_tokens(reply(&account), &tokens))
}

/// In serving mode, checks the account as it is written: an address it already has changes only through
/// `accounts:update` or a mail, and a caller that began as a guest may meanwhile have become a full account.
fn may_set(call: &Call, signed_in: &SignedIn, email: Option<&str>, account: &Account) -> Result<()> {
    if call.state.is_emulator() {
        return Ok(());
    }
    let same_guest = !signed_in.is_guest() || account.is_guest();
    ensure(same_guest, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")?;
    let same = account.email.is_none() || account.email.as_deref() == email;
    ensure(same, "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
}

/// Sign-in provider of an unprivileged sign-up.
fn provider_of(call: &Call, request: &SignUpRequest) -> Result<&'static str> {
    ensure(filled(request.local_id.as_ref()).is_none(), "UNEXPECTED_PARAMETER : User ID")?;
    let anonymous = request.email.is_none() && request.password.is_none() && request.id_token.is_none();
    if anonymous {
        ensure(call.settings.allowed.enable_anonymous_user, "ADMIN_ONLY_OPERATION")?;
        return Ok(ANONYMOUS);
    }
    if request.email.as_deref() == Some("") {
        return Err(ApiError::bad("INVALID_EMAIL"));
    }
    require(request.email.as_ref(), "MISSING_EMAIL")?;
    require(filled(request.password.as_ref()), "MISSING_PASSWORD")?;
    ensure(call.settings.allowed.allow_password_signup, "OPERATION_NOT_ALLOWED")?;
    Ok(PASSWORD)
}

fn fill(
    call: &Call,
    request: &SignUpRequest,
    email: Option<String>,
    hash: Option<String>,
    account: &mut Account,
) -> Result<()> {
    note_sign_in(account, call.now);
    let anonymous = !call.privileged && email.is_none();
    if let Some(name) = filled(request.display_name.as_ref()).filter(|_| !anonymous) {
        account.display_name = Some(call.display_name(name)?);
    }
    if email.is_some() {
        // A verified address stays verified; the emulator clears that, as Google's does.
        let stays = account.is_email_verified() && account.email == email && !call.state.is_emulator();
        account.email = email;
        if !stays {
            account.set_email_verified(false);
        }
    }
    if let Some(hash) = hash {
        set_password(call, account, hash);
    }
    if call.privileged {
        ensure(
            filled(request.id_token.as_ref()).is_none() || request.local_id.is_none(),
            "UNEXPECTED_PARAMETER : User ID",
        )?;
        if let Some(url) = filled(request.photo_url.as_ref()) {
            account.photo_url = Some(validate::photo_url(url)?);
        }
        account.set_email_verified(request.email_verified.unwrap_or(false));
        if let Some(phone) = filled(request.phone_number.as_ref()) {
            account.phone_number = Some(validate::phone(phone)?);
        }
        if request.disabled == Some(true) {
            account.disabled = Some(true);
        }
    }
    Ok(())
}

/// Second factors given by an administrator: each phone once, with generated ids.
fn enrollments(call: &Call, factors: &[MfaFactor]) -> Result<Vec<MfaEnrollment>> {
    let mut enrollments: Vec<MfaEnrollment> = Vec::new();
    for factor in factors {
        let phone = factor.phone_info.as_deref().filter(|phone| validate::is_phone(phone));
        let phone = require(phone, "INVALID_MFA_PHONE_NUMBER : Invalid format.")?;
        if enrollments.iter().any(|known| known.phone_info.as_deref() == Some(phone)) {
            continue;
        }
        enrollments.push(MfaEnrollment {
            mfa_enrollment_id: Some(entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH)),
            display_name: factor.display_name.clone().map(crate::wire::Text::into_string),
            phone_info: Some(phone.to_owned()),
            unobfuscated_phone_info: Some(phone.to_owned()),
            enrolled_at: Some(call.now.rfc3339_millis()),
            ..MfaEnrollment::default()
        });
    }
    Ok(enrollments)
}
