//! `accounts:createAuthUri`: the sign-in methods of an address, or the sign-in page of a provider.

use serde_json::{Value, json};

use super::filled;
use super::idp::provider;
use crate::accounts::{Account, PASSWORD, PHONE};
use crate::call::Call;
use crate::entropy;
use crate::error::{ApiError, Result, require};
use crate::validate;
use crate::wire::AuthUriRequest;

/// The length of a session id that the caller did not choose.
const SESSION_ID_LENGTH: usize = 27;

pub(crate) async fn create(call: Call, request: AuthUriRequest) -> Result<Value> {
    call.enabled()?;
    if let Some(id) = filled(request.provider_id.as_ref()) {
        let return_to = require(filled(request.continue_uri.as_ref()), "MISSING_CONTINUE_URI")?;
        return provider::leave(&call, id, return_to).await;
    }
    let identifier = require(filled(request.identifier.as_ref()), "MISSING_IDENTIFIER")?;
    let continue_uri = require(filled(request.continue_uri.as_ref()), "MISSING_CONTINUE_URI")?;
    let email = validate::email(identifier).map_err(|_| ApiError::bad("INVALID_IDENTIFIER"))?;
    validate::continue_url(continue_uri).map_err(|_| ApiError::bad("INVALID_CONTINUE_URI"))?;
    let session_id = match filled(request.session_id.as_ref()) {
        Some(id) => id.to_owned(),
        None => entropy::alphanumeric(&*call.state.0.entropy, SESSION_ID_LENGTH),
    };
    let mut reply = json!({ "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": session_id });
    if call.settings.hides_emails() {
        return Ok(reply);
    }
    let one_account = call.settings.one_account_per_email();
    let account = match call.directory.by_email(&email).await? {
        Some(found) => Some(found.account),
        None => {
            let found = call.directory.by_provider_email(&email).await?.map(|found| found.account);
            found.filter(|account| one_account || account.email.is_some())
        }
    };
    let (providers, methods) =
        account.as_ref().map_or_else(Default::default, |account| ways_in(account, one_account));
    reply["registered"] = json!(account.is_some());
    reply["allProviders"] = json!(providers);
    reply["signinMethods"] = json!(methods);
    Ok(reply)
}

/// An account's providers, and its sign-in methods; providers other than the password's only on demand.
fn ways_in(account: &Account, others: bool) -> (Vec<String>, Vec<String>) {
    let (mut providers, mut methods) = (Vec::new(), Vec::new());
    for info in account.provider_user_info.iter().flatten() {
        match info.provider_id.as_str() {
            PASSWORD => {
                providers.push(PASSWORD.to_owned());
                methods.extend(account.password_hash.as_ref().map(|_| PASSWORD.to_owned()));
                methods.extend((account.email_link_signin == Some(true)).then(|| "emailLink".to_owned()));
            }
            PHONE => {}
            provider if others => {
                providers.push(provider.to_owned());
                methods.push(provider.to_owned());
            }
            _ => {}
        }
    }
    (providers, methods)
}
