//! `accounts:delete`.

use serde_json::{Value, json};

use super::filled;
use crate::call::Call;
use crate::error::{Result, require};
use crate::wire::DeleteRequest;

pub(crate) async fn delete(call: Call, request: DeleteRequest) -> Result<Value> {
    call.enabled()?;
    let local_id = if call.privileged {
        let local_id = require(filled(request.local_id.as_ref()), "MISSING_LOCAL_ID")?.to_owned();
        require(call.directory.by_id(&local_id).await?, "USER_NOT_FOUND")?;
        local_id
    } else {
        let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
        call.recent(&signed_in)?;
        signed_in.found.account.local_id
    };
    call.directory.remove(&local_id).await?;
    Ok(json!({ "kind": "identitytoolkit#DeleteAccountResponse" }))
}
