//! Accounts of guests: people without one who come to a table.

use std::net::IpAddr;

use auth_emu::AuthState;
use docstore::{Code, Result};

use crate::functions::callable::{CallError, Context, GUEST};
use crate::host::origin::Origin;

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
