//! Accounts as events show them to functions.

use docstore::model::{Document, Ts};
use serde_json::{Map, Value, json};

use crate::accounts::{Account, record_of};

/// The account in a document of the accounts' database, in the form passed to functions; `None` if the document is not
/// an account.
pub fn user_record(document: &Document) -> Option<Value> {
    if document.path.collection_id() != "accounts" {
        return None;
    }
    let account: Account = record_of(&document.fields).ok()?;
    let time = |millis: &Option<String>| {
        let micros = millis.as_deref()?.parse::<u64>().ok()?.checked_mul(1_000)?;
        Some(Ts::from_micros(micros).rfc3339_millis())
    };
    let claims = account.custom_attributes.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let providers: Vec<Value> = account
        .provider_user_info
        .iter()
        .flatten()
        .map(|info| {
            present(json!({
                "providerId": info.provider_id, "uid": info.raw_id, "email": info.email,
                "displayName": info.display_name, "photoURL": info.photo_url, "phoneNumber": info.phone_number,
            }))
        })
        .collect();
    Some(present(json!({
        "uid": account.local_id,
        "email": account.email,
        "emailVerified": account.email_verified,
        "displayName": account.display_name,
        "photoURL": account.photo_url,
        "phoneNumber": account.phone_number,
        "disabled": account.disabled,
        "tenantId": account.tenant_id,
        "customClaims": claims.unwrap_or_else(|| json!({})),
        "providerData": providers,
        "metadata": present(json!({
            "creationTime": time(&account.created_at),
            "lastSignInTime": time(&account.last_login_at),
        })),
    })))
}

fn present(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().filter(|(_, member)| !member.is_null()).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use docstore::model::DocPath;

    use super::*;
    use crate::accounts::fields_of;

    #[test]
    fn times_that_no_clock_reaches_are_left_out() {
        let account = Account {
            local_id: "ada".to_owned(),
            created_at: Some("1767323045006".to_owned()),
            last_login_at: Some(u64::MAX.to_string()),
            ..Account::default()
        };
        let (create_time, update_time) = (Ts::from_micros(1), Ts::from_micros(1));
        let path = DocPath::parse("accounts/ada").unwrap();
        let document = Document { path, fields: fields_of(&account).unwrap(), create_time, update_time };
        let record = user_record(&document).unwrap();
        assert_eq!(record["metadata"], json!({ "creationTime": "2026-01-02T03:04:05.006Z" }));
    }
}
