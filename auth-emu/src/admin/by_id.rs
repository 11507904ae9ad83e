//! Operations of the host's own functions on one account, by its id.

use docstore::Result;
use docstore::model::Ts;
use serde_json::{Map, Value};

use super::as_store_error;
use crate::AuthState;
use crate::accounts::{Account, View};
use crate::encoding::time::millis;
use crate::entropy;
use crate::error::ApiError;
use crate::operations::sign_up::LOCAL_ID_LENGTH;
use crate::validate;

/// A change of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountChange {
    /// Disables the account, or enables it again. Its sessions end at once.
    Disabled(bool),
    /// Marks its address as verified.
    VerifyEmail,
    /// Sets a claim to true in tokens issued from now on.
    GrantClaim(String),
    /// Removes a claim and ends its sessions, so that no token still shows it.
    RevokeClaim(String),
    /// Removes a claim that only takes rights away; its sessions go on.
    DropClaim(String),
    /// Ends its sessions.
    EndSessions,
}

impl AuthState {
    /// Makes an account that has a claim from the start and no way in but a custom token, and returns its id.
    ///
    /// # Errors
    /// `InvalidArgument` for a reserved claim; those of the store.
    pub async fn create_with_claim(&self, display_name: &str, claim: &str) -> Result<String> {
        let mut account = Account {
            local_id: entropy::alphanumeric(&*self.0.entropy, LOCAL_ID_LENGTH),
            display_name: Some(display_name.to_owned()),
            created_at: Some(millis(self.now()).to_string()),
            custom_auth: Some(true),
            ..Account::default()
        };
        set_claim(&mut account, claim, true).map_err(as_store_error)?;
        account.settle();
        let directory = self.directory(self.project(), None);
        directory.create(&account, Vec::new()).await.map_err(as_store_error)?;
        Ok(account.local_id)
    }

    /// The account with this id in the form its owner sees; `None` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn account(&self, uid: &str) -> Result<Option<Value>> {
        let found = self.directory(self.project(), None).by_id(uid).await.map_err(as_store_error)?;
        Ok(found.map(|found| found.account.shown(View::Owner)))
    }

    /// Changes the account with this id and returns its new state.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such account or the claim is refused; those of the store.
    pub async fn change_by_id(&self, uid: &str, change: &AccountChange) -> Result<Value> {
        let now = self.now();
        let directory = self.directory(self.project(), None);
        let changed = directory.update(uid, |account, _| apply(account, change, now)).await;
        changed.map(|(account, ())| account.shown(View::Owner)).map_err(as_store_error)
    }

    /// Removes the account with this id, its names and its sessions; does nothing if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn delete_account(&self, uid: &str) -> Result<()> {
        self.directory(self.project(), None).remove(uid).await.map_err(as_store_error)
    }
}

fn apply(account: &mut Account, change: &AccountChange, now: Ts) -> crate::error::Result<()> {
    match change {
        AccountChange::Disabled(disabled) => account.disabled = Some(*disabled),
        AccountChange::VerifyEmail => account.set_email_verified(true),
        AccountChange::GrantClaim(claim) => set_claim(account, claim, true)?,
        AccountChange::RevokeClaim(claim) => {
            set_claim(account, claim, false)?;
            account.revoke_all(now);
        }
        AccountChange::DropClaim(claim) => set_claim(account, claim, false)?,
        AccountChange::EndSessions => account.revoke_all(now),
    }
    Ok(())
}

fn set_claim(account: &mut Account, claim: &str, given: bool) -> crate::error::Result<()> {
    let mut claims: Map<String, Value> = match &account.custom_attributes {
        Some(text) => serde_json::from_str(text).map_err(ApiError::internal)?,
        None => Map::new(),
    };
    if given {
        claims.insert(claim.to_owned(), Value::Bool(true));
    } else {
        claims.remove(claim);
    }
    let text = Value::Object(claims).to_string();
    validate::serialized_claims(&text)?;
    account.custom_attributes = Some(text);
    Ok(())
}
