//! `accounts:lookup`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::filled;
use crate::accounts::{Found, Key, View};
use crate::call::Call;
use crate::error::{ApiError, Result};
use crate::wire::LookupRequest;

/// Accounts one look-up may name.
const MAX_NAMES: usize = 1_000;

pub(crate) async fn lookup(call: Call, request: LookupRequest) -> Result<Value> {
    call.enabled()?;
    let users = if call.privileged {
        named(&call, &request).await?
    } else {
        let signed_in = call.signed_in(filled(request.id_token.as_ref())).await?;
        vec![signed_in.found.account.shown(View::Owner)]
    };
    let mut reply = json!({ "kind": "identitytoolkit#GetAccountInfoResponse" });
    // The Node admin SDK takes an empty list for a found account.
    if !users.is_empty() {
        reply["users"] = Value::Array(users);
    }
    Ok(reply)
}

async fn named(call: &Call, request: &LookupRequest) -> Result<Vec<Value>> {
    if request.initial_email.as_ref().is_some_and(|emails| !emails.is_empty()) {
        return Err(ApiError::not_implemented("Lookup by initialEmail is not implemented."));
    }
    let ids = request.local_id.iter().flatten();
    let emails = request.email.iter().flatten().map(|email| Key::Email(email.to_lowercase()));
    let phones = request.phone_number.iter().flatten().map(|phone| Key::Phone(phone.0.clone()));
    let federated = request.federated_user_id.iter().flatten().filter_map(|id| {
        let (provider, raw_id) = (id.provider_id.clone()?, id.raw_id.clone()?);
        Some(Key::Federated { provider: provider.into_string(), raw_id: raw_id.into_string() })
    });
    let keys: Vec<_> = emails.chain(phones).chain(federated).collect();
    if ids.clone().count() + keys.len() > MAX_NAMES {
        return Err(ApiError::bad("TOO_MANY_IDENTIFIERS : Look up at most 1000 accounts at a time."));
    }
    let mut seen = BTreeSet::new();
    let mut users = Vec::new();
    let mut add = |found: Option<Found>| {
        if let Some(found) = found
            && seen.insert(found.account.local_id.clone())
        {
            users.push(found.account.shown(View::Export));
        }
    };
    for id in ids {
        add(call.directory.by_id(id).await?);
    }
    for key in &keys {
        add(call.directory.by_key(key).await?);
    }
    Ok(users)
}
