//! `accounts:signInWithIdp`: sign-in with an account at an identity provider.

pub(crate) mod claims;
pub(crate) mod configs;
pub(crate) mod invented;
pub(crate) mod provider;

use serde_json::{Value, json};

use self::claims::{Identity, identify};
use super::{filled, note_sign_in, with_members};
use crate::accounts::{Account, Found, Key, PASSWORD, PHONE, ProviderUserInfo};
use crate::blocking::Method;
use crate::call::{Call, SignedIn};
use crate::entropy;
use crate::error::{ApiError, Result, ensure};
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::sessions::with_tokens;
use crate::sign_in::SignIn;
use crate::tokens::Grant;
use crate::wire::IdpRequest;

/// Result of matching an identity with the accounts here.
#[derive(Debug)]
enum Meaning {
    /// It belongs to a new account.
    New,
    /// It belongs to this account, or is about to.
    Known(Box<Found>, Merge),
    /// An account has its address, but neither has proved that it is the same person.
    Unclear(Box<Found>),
}

/// Effect on an account that an identity joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// It has the identity already.
    Nothing,
    /// Its owner asked for it.
    Link,
    /// The provider has verified the address that both have. Other credentials, added to an address that was never
    /// verified, are removed: they may be somebody else's.
    TakeOver {
        /// The account had the same provider under another id.
        recycled: bool,
    },
}

pub(crate) async fn sign_in(call: Call, request: IdpRequest) -> Result<Value> {
    call.enabled()?;
    if request.return_refresh_token == Some(true) {
        return Err(ApiError::not_implemented("returnRefreshToken is not implemented yet."));
    }
    if filled(request.pending_id_token.as_ref()).is_some() {
        return Err(ApiError::not_implemented("pendingIdToken is not implemented yet."));
    }
    let mut identity = identify(&call, &request).await?;
    let signed_in = match filled(request.id_token.as_ref()) {
        Some(token) => Some(call.signed_in(Some(token)).await?),
        None => None,
    };
    let mut reply = identity.reply.take();
    let meaning = match meaning_of(&call, &identity, signed_in).await {
        Ok(meaning) => meaning,
        Err(error)
            if request.return_idp_credential == Some(true)
                && error.http() == http::StatusCode::BAD_REQUEST =>
        {
            reply["errorMessage"] = json!(error.message());
            return Ok(reply);
        }
        Err(error) => return Err(error),
    };
    let method = Method {
        raw_user_info: reply.get("rawUserInfo").and_then(Value::as_str).map(ToOwned::to_owned),
        sign_in_attributes: identity.attributes.clone(),
        oauth_id_token: identity.id_token.clone(),
        oauth_access_token: Some(identity.access_token.clone()),
        ..Method::new(&identity.provider)
    };
    let grant = Grant { sign_in_attributes: identity.attributes.clone(), ..Grant::new(&identity.provider) };
    if let Some(tenant) = &call.tenant {
        reply["tenantId"] = json!(tenant);
    }
    match meaning {
        Meaning::Unclear(found) => {
            let infos = found.account.provider_user_info.iter().flatten();
            let providers = infos.map(|info| &info.provider_id).filter(|id| *id != PASSWORD && *id != PHONE);
            reply["needConfirmation"] = json!(true);
            reply["localId"] = json!(found.account.local_id);
            reply["verifiedProvider"] = json!(providers.collect::<Vec<_>>());
            Ok(reply)
        }
        Meaning::New => {
            ensure(request.auto_create != Some(false), "USER_NOT_FOUND")?;
            let mut account =
                call.new_account(entropy::alphanumeric(&*call.state.0.entropy, LOCAL_ID_LENGTH));
            profile(&call, &identity, &mut account);
            if call.settings.one_account_per_email() && identity.email.is_some() {
                account.email.clone_from(&identity.email);
                account.set_email_verified(identity.email_verified);
            }
            account.upsert_provider(provider_info(&identity));
            note_sign_in(&mut account, call.now);
            let (account, tokens) = call.create_and_sign_in(account, grant, Some(&method)).await?;
            reply["isNewUser"] = json!(true);
            Ok(with_tokens(finish_reply(reply, &identity, &account), &tokens))
        }
        Meaning::Known(found, merge) => {
            if let Merge::TakeOver { recycled: true } = merge {
                reply["emailRecycled"] = json!(true);
            }
            if matches!(merge, Merge::TakeOver { .. }) && !call.state.is_emulator() {
                call.prove_address(&found.account.local_id).await?;
            }
            let change = |account: &mut Account| {
                ensure(!account.is_disabled(), "USER_DISABLED")?;
                join(&call, &identity, merge, account);
                Ok(())
            };
            let finish = |account: &mut Account| {
                note_sign_in(account, call.now);
                Ok(())
            };
            match call.sign_in_or_ask(&found.account.local_id, grant, &method, change, finish).await? {
                SignIn::Done(account, tokens) => {
                    Ok(with_tokens(finish_reply(reply, &identity, &account), &tokens))
                }
                SignIn::Pending(account, asked) => {
                    Ok(with_members(finish_reply(reply, &identity, &account), asked))
                }
            }
        }
    }
}

async fn meaning_of(call: &Call, identity: &Identity, signed_in: Option<SignedIn>) -> Result<Meaning> {
    let key = Key::Federated { provider: identity.provider.clone(), raw_id: identity.raw_id.clone() };
    let by_identity = call.directory.by_key(&key).await?;
    let one_account = call.settings.one_account_per_email();
    let by_email = match identity.email.as_deref().filter(|_| one_account) {
        Some(email) => call.directory.by_email(email).await?,
        None => None,
    };
    // Only an address that the provider has verified counts.
    let invited = identity.email.as_deref().filter(|_| identity.email_verified);
    if let Some(signed_in) = signed_in {
        call.may_add_sign_in(&signed_in)?;
        call.may_sign_up(Some(&signed_in.found.account), invited).await?;
        let local_id = &signed_in.found.account.local_id;
        ensure(by_identity.is_none(), "FEDERATED_USER_ID_ALREADY_LINKED")?;
        ensure(by_email.is_none_or(|owner| owner.account.local_id == *local_id), "EMAIL_EXISTS")?;
        return Ok(Meaning::Known(Box::new(signed_in.found), Merge::Link));
    }
    Ok(match (by_identity, by_email) {
        (Some(found), _) => Meaning::Known(Box::new(found), Merge::Nothing),
        (None, None) => {
            call.may_sign_up(None, invited).await?;
            Meaning::New
        }
        (None, Some(found)) if identity.email_verified => {
            let recycled = found.account.provider(&identity.provider).is_some();
            Meaning::Known(Box::new(found), Merge::TakeOver { recycled })
        }
        (None, Some(found)) => Meaning::Unclear(Box::new(found)),
    })
}

/// Adds the identity to the account.
fn join(call: &Call, identity: &Identity, merge: Merge, account: &mut Account) {
    match merge {
        Merge::Nothing => {}
        Merge::Link => {
            if call.settings.one_account_per_email() && account.email.is_none() && identity.email.is_some() {
                account.email.clone_from(&identity.email);
                account.set_email_verified(identity.email_verified);
            }
            if identity.email_verified && identity.email.is_some() && account.email == identity.email {
                account.set_email_verified(true);
            }
        }
        Merge::TakeOver { .. } => {
            if !account.is_email_verified() {
                account.remove_password();
                account.phone_number = None;
                account.passkey_info = None;
                account.provider_user_info = None;
                call.revoke(account);
            }
            profile(call, identity, account);
            account.set_email_verified(true);
        }
    }
    account.upsert_provider(provider_info(identity));
}

fn profile(call: &Call, identity: &Identity, account: &mut Account) {
    let name = identity.display_name.as_deref();
    account.display_name = name.map(|name| call.shown_name(name));
    account.photo_url.clone_from(&identity.photo_url);
    account.screen_name.clone_from(&identity.screen_name);
}

fn provider_info(identity: &Identity) -> ProviderUserInfo {
    ProviderUserInfo {
        provider_id: identity.provider.clone(),
        raw_id: identity.raw_id.clone(),
        federated_id: Some(identity.raw_id.clone()),
        email: identity.email.clone(),
        display_name: identity.display_name.clone(),
        photo_url: identity.photo_url.clone(),
        phone_number: None,
        screen_name: identity.screen_name.clone(),
    }
}

fn finish_reply(mut reply: Value, identity: &Identity, account: &Account) -> Value {
    reply["localId"] = json!(account.local_id);
    if account.email.is_some() && account.email == identity.email {
        reply["emailVerified"] = json!(account.is_email_verified());
    }
    reply
}
