//! Operations of the server's operator, used by the command line and by the host's own code.

mod by_id;

pub use by_id::AccountChange;

use docstore::model::Direction;
use docstore::{Code, Error, Result};
use serde_json::{Map, Value};

use crate::AuthState;
use crate::accounts::{Account, Found, View};
use crate::encoding::time::seconds;
use crate::error::{ApiError, ensure};
use crate::operations::custom_token;
use crate::tokens::Claims;
use crate::validate;

/// Lifetime of a custom token, in seconds.
const CUSTOM_TOKEN_SECONDS: u64 = 3_600;
/// Accounts examined by one search before it stops.
const MAX_SEARCHED: usize = 100_000;
/// Accounts read per page.
const PAGE: u32 = 500;

impl AuthState {
    /// Sets a claim, such as `admin`, to true on the account with this address. It appears in tokens issued from now
    /// on: after the next refresh, within the hour.
    ///
    /// # Errors
    /// `NotFound` if no account has the address; `InvalidArgument` for a reserved claim or too many of them.
    pub async fn grant_claim(&self, email: &str, claim: &str) -> Result<()> {
        self.change_claims(email, |claims| {
            claims.insert(claim.to_owned(), Value::Bool(true));
        })
        .await
    }

    /// Removes a claim and ends every session of the account, so that no token still shows it.
    ///
    /// # Errors
    /// As [`AuthState::grant_claim`].
    pub async fn revoke_claim(&self, email: &str, claim: &str) -> Result<()> {
        self.change_claims(email, |claims| {
            claims.remove(claim);
        })
        .await?;
        let now = self.now();
        self.change_account(email, |account| {
            account.revoke_all(now);
            Ok(())
        })
        .await
    }

    async fn change_claims(&self, email: &str, change: impl Fn(&mut Map<String, Value>)) -> Result<()> {
        self.change_account(email, |account| {
            let mut claims: Map<String, Value> = match &account.custom_attributes {
                Some(text) => serde_json::from_str(text).map_err(ApiError::internal)?,
                None => Map::new(),
            };
            change(&mut claims);
            let text = Value::Object(claims).to_string();
            validate::serialized_claims(&text)?;
            account.custom_attributes = Some(text);
            Ok(())
        })
        .await
    }

    /// Removes every second factor of the account with this address, and its recovery codes, and ends its sessions: for
    /// an owner who has lost all of them. Answers how many there were.
    ///
    /// # Errors
    /// `NotFound` if no account has the address; `InvalidArgument` if it has no second factor.
    pub async fn remove_second_factors(&self, email: &str) -> Result<usize> {
        let now = self.now();
        let mut removed = 0;
        self.change_account(email, |account| {
            let factors = account.mfa_info.take().unwrap_or_default();
            ensure(!factors.is_empty(), "The account has no second factor.")?;
            removed = factors.len();
            account.revoke_all(now);
            Ok(())
        })
        .await?;
        tracing::warn!(
            email,
            removed,
            "the operator removed the second factors of an account and ended its sessions"
        );
        Ok(removed)
    }

    /// Disables the account with this address, or enables it again. Its sessions end at once.
    ///
    /// # Errors
    /// `NotFound` if no account has the address.
    pub async fn set_disabled(&self, email: &str, disabled: bool) -> Result<()> {
        self.change_account(email, |account| {
            account.disabled = Some(disabled);
            Ok(())
        })
        .await
    }

    /// Accounts whose address, name or id contains `text` (ignoring case), in the order of their ids: at most `limit`,
    /// starting after the id `after`. Each is in the form its owner sees.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn search_accounts(&self, text: &str, after: Option<&str>, limit: usize) -> Result<Vec<Value>> {
        let directory = self.directory(self.project(), None);
        let text = text.to_lowercase();
        let (mut found, mut searched, mut after) = (Vec::new(), 0, after.map(ToOwned::to_owned));
        while found.len() < limit && searched < MAX_SEARCHED {
            let page =
                directory.list(after.as_deref(), PAGE, Direction::Ascending).await.map_err(as_store_error)?;
            let Some(last) = page.last() else { break };
            after = Some(last.local_id.clone());
            searched += page.len();
            let fits = |account: &&Account| {
                let texts = [Some(&account.local_id), account.email.as_ref(), account.display_name.as_ref()];
                texts.into_iter().flatten().any(|own| own.to_lowercase().contains(&text))
            };
            found.extend(page.iter().filter(fits).map(|account| account.shown(View::Owner)));
        }
        found.truncate(limit);
        Ok(found)
    }

    /// True if an account of the project has this claim. Reads accounts until it finds one.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn has_account_with_claim(&self, claim: &str) -> Result<bool> {
        let directory = self.directory(self.project(), None);
        let mut after: Option<String> = None;
        loop {
            let page =
                directory.list(after.as_deref(), PAGE, Direction::Ascending).await.map_err(as_store_error)?;
            if page.iter().any(|account| account.has_claim(claim)) {
                return Ok(true);
            }
            let Some(last) = page.last() else { return Ok(false) };
            after = Some(last.local_id.clone());
        }
    }

    /// A token with which `uid` can sign in (`signInWithCustomToken`). `claims` is a JSON object; its members appear in
    /// the session's tokens.
    ///
    /// # Errors
    /// `InvalidArgument` for a bad id or reserved claims.
    pub async fn mint_custom_token(&self, uid: &str, claims: &Value) -> Result<String> {
        self.mint(uid, claims, false).await
    }

    /// A token with which somebody can sign in to an account that is there. Unlike other custom tokens, it does not make
    /// the account anew once it is gone.
    ///
    /// # Errors
    /// `InvalidArgument` for a bad id.
    pub async fn mint_custom_token_of_account(&self, uid: &str) -> Result<String> {
        self.mint(uid, &Value::Object(Map::new()), true).await
    }

    async fn mint(&self, uid: &str, claims: &Value, is_known: bool) -> Result<String> {
        validate::local_id(uid).map_err(as_store_error)?;
        validate::claims_object(claims).map_err(as_store_error)?;
        let now = seconds(self.now());
        let issuer = custom_token::issuer(self.project());
        let mut token = Claims::new();
        token.insert("iss".to_owned(), issuer.clone().into());
        token.insert("sub".to_owned(), issuer.into());
        token.insert("aud".to_owned(), custom_token::AUDIENCE.into());
        token.insert("iat".to_owned(), now.into());
        token.insert("exp".to_owned(), (now + CUSTOM_TOKEN_SECONDS).into());
        token.insert("uid".to_owned(), uid.into());
        token.insert("claims".to_owned(), claims.clone());
        if is_known {
            token.insert(custom_token::KNOWN.to_owned(), true.into());
        }
        self.0.tokens.seal(&token, self.now()).await.map_err(as_store_error)
    }

    async fn change_account(
        &self,
        email: &str,
        mut change: impl FnMut(&mut Account) -> crate::error::Result<()>,
    ) -> Result<()> {
        let email = validate::email(email).map_err(as_store_error)?;
        let directory = self.directory(self.project(), None);
        let found = directory.by_email(&email).await.map_err(as_store_error)?;
        let Some(Found { account, .. }) = found else {
            let message = format!("No account has the address {email}. Sign up with it first.");
            return Err(Error::new(Code::NotFound, "NoSuchAccount", message));
        };
        let changed = directory.update(&account.local_id, |account, _| change(account)).await;
        changed.map(|_| ()).map_err(as_store_error)
    }
}

fn as_store_error(error: ApiError) -> Error {
    if error.http().is_client_error() {
        return Error::new(Code::InvalidArgument, "AccountRefused", error.message().to_owned())
            .with_source(error);
    }
    Error::internal("AccountStore", "the account store failed; try again", error)
}
