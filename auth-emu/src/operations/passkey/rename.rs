//! `PATCH /__/account/passkeys`: a passkey's name.

use serde_json::{Value, json};

use crate::call::Call;
use crate::error::{Result, ensure, require};
use crate::operations::filled;
use crate::wire::PasskeyRenameRequest;

/// Renames a passkey of the caller's own account.
///
/// # Errors
/// `PASSKEY_CREDENTIAL_NOT_FOUND` if the account has no such passkey; `INVALID_DISPLAY_NAME`
pub(crate) async fn rename(call: Call, request: PasskeyRenameRequest) -> Result<Value> {
    call.enabled()?;
    let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
    let id = require(filled(request.credential_id.as_ref()), "INVALID_CREDENTIAL_ID")?;
    let name = call.display_name(filled(request.name.as_ref()).unwrap_or_default())?;
    ensure(!name.is_empty(), "INVALID_DISPLAY_NAME : A passkey needs a name that can be seen.")?;
    let set = |account: &mut crate::accounts::Account, _: &mut Vec<docstore::model::Write>| {
        let mut passkeys = account.passkey_info.iter_mut().flatten();
        let passkey = passkeys.find(|passkey| passkey.credential_id == id);
        require(passkey, "PASSKEY_CREDENTIAL_NOT_FOUND")?.name.clone_from(&name);
        Ok(())
    };
    call.directory.update(&signed_in.found.account.local_id, set).await?;
    Ok(json!({}))
}
