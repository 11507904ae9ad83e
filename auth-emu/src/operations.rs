//! The operations of the wire, one module for each family.

pub(crate) mod auth_uri;
pub(crate) mod batch;
pub(crate) mod custom_token;
pub(crate) mod email_link;
pub(crate) mod emulator;
pub(crate) mod idp;
pub(crate) mod lookup;
pub(crate) mod mfa;
pub(crate) mod oob;
pub(crate) mod passkey;
pub(crate) mod password;
pub(crate) mod phone;
pub(crate) mod project;
pub(crate) mod query;
pub(crate) mod removal;
pub(crate) mod revocation;
pub(crate) mod session_cookie;
pub(crate) mod session_list;
pub(crate) mod sign_up;
pub(crate) mod tenants;
pub(crate) mod token;
pub(crate) mod unsupported;
pub(crate) mod update;
pub(crate) mod widget;

use docstore::model::Ts;
use serde_json::Value;

use crate::accounts::Account;
use crate::call::Call;
use crate::encoding::time::millis;

/// A member of a request: absent and empty are the same.
pub(crate) fn filled(member: Option<&crate::wire::Text>) -> Option<&str> {
    member.map(|text| text.0.as_str()).filter(|text| !text.is_empty())
}

/// Notes a sign-in on its account.
pub(crate) fn note_sign_in(account: &mut Account, now: Ts) {
    account.last_login_at = Some(millis(now).to_string());
}

/// Sets a new password and revokes the sessions signed in with the old one.
pub(crate) fn set_password(call: &Call, account: &mut Account, hash: String) {
    account.password_hash = Some(hash);
    account.salt = None;
    account.imported_hash = None;
    account.password_updated_at = Some(millis(call.now));
    call.revoke(account);
}

/// Adds the members of one reply to another.
pub(crate) fn with_members(mut reply: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut reply, more) {
        members.extend(more);
    }
    reply
}

/// Drops the members of a reply that are null: on this wire, absent members are omitted.
pub(crate) fn without_nulls(mut reply: Value) -> Value {
    if let Value::Object(members) = &mut reply {
        members.retain(|_, member| !member.is_null());
    }
    reply
}
