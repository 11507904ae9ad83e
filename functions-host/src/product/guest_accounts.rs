//! Accounts of guests: people without one who come to a table. `guestToken` and `keepGuestGames` make one a usual account,
//! so that whoever signs up keeps the games that they played.
//!
//! A guest who signs up gets a fresh session by `guestToken`, since an old one may not add a way in; the address and
//! password are added to the account, which keeps its id and thereby its seats; then `keepGuestGames` ends its being a
//! guest's. What is left undone by a crash is done at the next sign-in.

use std::net::IpAddr;

use auth_emu::{AccountChange, AuthState};
use docstore::{Code, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::functions::callable::{CallError, Context, Function, GUEST};
use crate::host::origin::Origin;
use crate::table::LiveTables;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Serialize)]
struct Token {
    /// A custom token to sign in with once more.
    token: String,
}

#[derive(Debug, Serialize)]
struct Kept {
    /// True if the account was a guest's until now.
    kept: bool,
}

/// The functions over `accounts` and `live`.
pub(super) fn functions(accounts: &AuthState, live: &LiveTables) -> [Function; 2] {
    let (own, others, live) = (accounts.clone(), accounts.clone(), live.clone());
    let token = Function::new("guestToken", move |context: Context, Nothing {}: Nothing| {
        let accounts = own.clone();
        async move { fresh_token(&accounts, &context).await }
    });
    let keep = Function::new("keepGuestGames", move |context: Context, Nothing {}: Nothing| {
        let (accounts, live) = (others.clone(), live.clone());
        async move { keep(&accounts, &live, &context).await }
    });
    [token.admit_guests(), keep.admit_guests()]
}

async fn fresh_token(accounts: &AuthState, context: &Context) -> std::result::Result<Token, CallError> {
    let user = context.user()?;
    if !user.is_guest() || has_way_in(accounts, &user.uid).await? {
        return Err(CallError::new(Code::FailedPrecondition, "Only guests can get a new sign-in this way."));
    }
    Ok(Token { token: accounts.mint_custom_token_of_account(&user.uid).await? })
}

async fn keep(
    accounts: &AuthState,
    live: &LiveTables,
    context: &Context,
) -> std::result::Result<Kept, CallError> {
    let user = context.user()?;
    if !user.is_guest() {
        return Ok(Kept { kept: false });
    }
    if !has_way_in(accounts, &user.uid).await? {
        return Err(CallError::new(
            Code::FailedPrecondition,
            "Nothing opens this account yet, neither a password nor a passkey. Sign up first.",
        ));
    }
    accounts.change_by_id(&user.uid, &AccountChange::DropClaim(GUEST.to_owned())).await?;
    live.admissions().forget_guest(&user.uid).await?;
    Ok(Kept { kept: true })
}

/// True if somebody can sign in to the account by themselves: then it is no guest's, whatever its claim says.
async fn has_way_in(accounts: &AuthState, uid: &str) -> Result<bool> {
    Ok(opens(&accounts.account(uid).await?.unwrap_or_default()))
}

/// True if an address, a phone, a provider or a passkey opens an account.
fn opens(account: &Value) -> bool {
    let lists = |name: &str| account[name].as_array().is_some_and(|own| !own.is_empty());
    lists("providerUserInfo")
        || lists("passkeyInfo")
        || matches!(&account["email"], Value::String(email) if !email.is_empty())
}

/// Deletes a guest's account and forgets the guest; one that has become a usual account stays.
///
/// # Errors
/// Those of the stores.
pub(super) async fn remove(accounts: &AuthState, live: &LiveTables, uid: &str) -> Result<()> {
    if !has_way_in(accounts, uid).await? {
        accounts.delete_account(uid).await?;
    }
    live.admissions().forget_guest(uid).await
}

/// The address that a caller's tries and accounts are counted for.
pub(super) fn address_of(context: &Context) -> Option<IpAddr> {
    context.raw.extensions.get::<Origin>().and_then(Origin::counted)
}

/// Makes an account: its id, and a token to sign in with. `note` notes when it goes, before anybody has it.
///
/// # Errors
/// `ResourceExhausted` if no more `may` be made for the caller's network now; those of the stores.
pub(super) async fn make(
    accounts: &AuthState,
    name: &str,
    may: bool,
    note: impl AsyncFnOnce(&str) -> Result<()>,
) -> std::result::Result<(String, String), CallError> {
    if !may {
        return Err(CallError::new(
            Code::ResourceExhausted,
            "Very many people joined from your network. Wait a minute and try again.",
        ));
    }
    let uid = accounts.create_with_claim(name, GUEST).await?;
    note(&uid).await?;
    let token = accounts.mint_custom_token_of_account(&uid).await?;
    Ok((uid, token))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::opens;

    #[test]
    fn an_account_is_opened_by_an_address_a_provider_or_a_passkey() {
        for (account, own) in [
            (json!({}), false),
            (json!({ "displayName": "Gus", "providerUserInfo": [], "passkeyInfo": [], "email": "" }), false),
            (json!({ "email": "gus@example.com" }), true),
            (json!({ "providerUserInfo": [{ "providerId": "phone" }] }), true),
            (json!({ "passkeyInfo": [{ "credentialId": "one", "name": "Phone" }] }), true),
        ] {
            assert_eq!(opens(&account), own, "{account}");
        }
    }
}
