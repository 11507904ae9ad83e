//! Accounts: their stored fields, the unique names that lead to them, and their storage.

mod directory;
mod document;
mod keys;
mod locks;
pub(crate) mod sign_ups;

use docstore::model::Ts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use directory::{Directory, Found, MAX_ATTEMPTS, Outcome, contended, delete, set};
pub(crate) use document::{fields_of, record_of};
pub(crate) use keys::{Key, document_id};
pub(crate) use locks::AccountLocks;

use crate::encoding::time::seconds;
use crate::passwords::{HashOptions, salt_of};

/// The provider id of e-mail sign-in, with a password or with a link.
pub(crate) const PASSWORD: &str = "password";
/// The provider id of sign-in by phone.
pub(crate) const PHONE: &str = "phone";
/// The provider id of anonymous sign-in.
pub(crate) const ANONYMOUS: &str = "anonymous";
/// The provider id of sign-in with a custom token.
pub(crate) const CUSTOM: &str = "custom";

/// Placeholder for a password hash that is not shown: `REDACTED` in base64. The SDKs take its presence to mean that the
/// account has a password.
const REDACTED: &str = "UkVEQUNURUQ=";

/// One account, with the names of the wire. Times in milliseconds or seconds since the epoch are decimal
/// strings there, and so here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Account {
    /// The account's id, unique in its project or tenant.
    pub(crate) local_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email_verified: Option<bool>,
    /// True while the address is verified by a mailed link only: whoever opened it owns the mailbox, but need not be
    /// who set the account up. Not shown. Earlier versions did not tell the two apart; their verified addresses count
    /// as proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proof_pending: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) photo_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone_number: Option<String>,
    /// A PHC string (`$argon2id$…`) or, in emulator mode, a cheap hash marked as such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password_hash: Option<String>,
    /// The salt of an imported hash; a PHC string has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) salt: Option<String>,
    /// Parameters of an imported hash, until the password is first used and hashed again. Not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) imported_hash: Option<HashOptions>,
    /// Milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password_updated_at: Option<u64>,
    /// True if the account may sign in with a link sent to its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email_link_signin: Option<bool>,
    /// The address before the first change; a recovery link was mailed there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) initial_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) provider_user_info: Option<Vec<ProviderUserInfo>>,
    /// Addresses of the account at its providers, for look-ups by address. Not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) provider_emails: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mfa_info: Option<Vec<MfaEnrollment>>,
    /// Hashes of the recovery codes that stand in for a second factor, each once. Not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recovery_codes: Option<Vec<String>>,
    /// Sessions that were ended one by one while ID tokens of theirs may live. Not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ended_sessions: Vec<EndedSession>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passkey_info: Option<Vec<PasskeyInfo>>,
    /// Challenges that passkeys have answered while they could be answered again. Not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) used_challenges: Vec<UsedChallenge>,
    /// Seconds since the epoch: tokens issued before are revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) valid_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) disabled: Option<bool>,
    /// Custom claims, as a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) custom_attributes: Option<String>,
    /// True if it has signed in with a custom token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) custom_auth: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tenant_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) screen_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date_of_birth: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_zone: Option<String>,
    /// Milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created_at: Option<String>,
    /// Milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_login_at: Option<String>,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_refresh_at: Option<String>,
}

/// An account's name and profile at one provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ProviderUserInfo {
    pub(crate) provider_id: String,
    /// The account's id there.
    pub(crate) raw_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) federated_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) photo_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) screen_name: Option<String>,
}

/// A credential of an authenticator that the account signs in with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PasskeyInfo {
    pub(crate) credential_id: String,
    /// Name given by its owner.
    pub(crate) name: String,
    /// RFC 3339; none in emulator mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) added_at: Option<String>,
    /// The last sign-in with it. RFC 3339; none before the first, and in emulator mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) used_at: Option<String>,
    /// The public key, in base64url; none in emulator mode, which verifies no signatures. Not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) public_key: Option<String>,
    /// The signature counter and flags of the last use, in base64url. Not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) authenticator_state: Option<String>,
}

/// A challenge that a passkey has answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UsedChallenge {
    /// Of the challenge.
    pub(crate) hash: String,
    /// Seconds since the epoch: no answer to it is taken later.
    pub(crate) until: u64,
}

/// A second factor.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MfaEnrollment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mfa_enrollment_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone_info: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unobfuscated_phone_info: Option<String>,
    /// Present and empty for an authenticator app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) totp_info: Option<TotpInfo>,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enrolled_at: Option<String>,
    /// The authenticator app's key, in base32. Never leaves the server after enrollment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shared_secret: Option<String>,
    /// The last time step whose code was used; a code works once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_step: Option<u64>,
}

/// A session that its account's owner has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct EndedSession {
    pub(crate) id: String,
    /// Seconds since the epoch: no ID token of it lives longer.
    pub(crate) until: u64,
}

/// Marks a second factor as an authenticator app.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TotpInfo {}

/// Audience of an account's JSON: decides which fields it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Its owner: no hash, no secret.
    Owner,
    /// An administrator exporting accounts: with the password hash, without second-factor secrets.
    Export,
}

impl Account {
    /// The account in its wire form.
    pub(crate) fn shown(&self, view: View) -> Value {
        let mut shown = self.clone();
        if view == View::Owner {
            shown.salt = None;
            shown.password_hash = shown.password_hash.map(|_| REDACTED.to_owned());
        } else if shown.salt.is_none() {
            // Tools that list accounts expect the salt as a separate field.
            shown.salt = shown.password_hash.as_deref().and_then(salt_of).map(ToOwned::to_owned);
        }
        shown.provider_emails.clear();
        shown.proof_pending = None;
        shown.recovery_codes = None;
        shown.ended_sessions.clear();
        shown.used_challenges.clear();
        for passkey in shown.passkey_info.iter_mut().flatten() {
            passkey.public_key = None;
            passkey.authenticator_state = None;
        }
        shown.imported_hash = None;
        for factor in shown.mfa_info.iter_mut().flatten() {
            factor.shared_secret = None;
            factor.last_step = None;
        }
        serde_json::to_value(shown).unwrap_or_default()
    }

    /// True if the address is known to belong to the account.
    pub(crate) fn is_email_verified(&self) -> bool {
        self.email_verified.unwrap_or(false)
    }

    /// True if who uses the account has also shown that they own the address: by signing in with a link or a provider
    /// that has verified it, by opening a mailed link while signed in, or because an administrator says so.
    pub(crate) fn is_address_proved(&self) -> bool {
        self.is_email_verified() && self.proof_pending != Some(true)
    }

    /// Notes that the address is verified and proved, or neither.
    pub(crate) fn set_email_verified(&mut self, verified: bool) {
        self.email_verified = Some(verified);
        self.proof_pending = None;
    }

    /// Notes that the owner of the mailbox has confirmed the address. Credentials set before may be somebody else's.
    pub(crate) fn confirm_address(&mut self) {
        if !self.is_email_verified() {
            self.email_verified = Some(true);
            self.proof_pending = Some(true);
        }
    }

    /// True if its own claims have this one.
    pub(crate) fn has_claim(&self, claim: &str) -> bool {
        let claims =
            self.custom_attributes.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        claims.is_some_and(|claims| claims.get(claim) == Some(&Value::Bool(true)))
    }

    /// True if the account may not sign in.
    pub(crate) fn is_disabled(&self) -> bool {
        self.disabled.unwrap_or(false)
    }

    /// True if nobody can sign in to the account a second time.
    pub(crate) fn is_guest(&self) -> bool {
        !self.has_way_in() && self.custom_auth != Some(true)
    }

    /// True if its owner can sign in to it by themselves.
    pub(crate) fn has_way_in(&self) -> bool {
        self.email.is_some()
            || self.phone_number.is_some()
            || self.provider_user_info.as_ref().is_some_and(|list| !list.is_empty())
            || self.passkey_info.as_ref().is_some_and(|list| !list.is_empty())
    }

    /// True if an administrator or a password change revoked tokens issued at `issued` (seconds).
    pub(crate) fn revokes(&self, issued: u64) -> bool {
        issued < self.valid_from()
    }

    /// True if the session with this id was ended by itself.
    pub(crate) fn has_ended(&self, session: Option<&str>) -> bool {
        session.is_some_and(|id| self.ended_sessions.iter().any(|ended| ended.id == id))
    }

    /// True if a second factor is asked for at sign-in.
    pub(crate) fn has_second_factor(&self) -> bool {
        self.mfa_info.as_ref().is_some_and(|factors| !factors.is_empty())
    }

    /// Seconds since the epoch of the last sign-in.
    pub(crate) fn auth_time(&self) -> Option<u64> {
        self.last_login_at.as_deref()?.parse::<u64>().ok().map(|millis| millis / 1_000)
    }

    /// Revokes every token issued before this second, as Google's emulator does; tokens of this second stay valid.
    pub(crate) fn revoke_before(&mut self, now: Ts) {
        self.valid_since = Some(seconds(now).to_string());
    }

    /// Revokes every token issued so far, including those of this second: the next one is dated a second later (see
    /// [`Account::issue_time`]).
    pub(crate) fn revoke_all(&mut self, now: Ts) {
        let next = seconds(now).max(self.valid_from()) + 1;
        self.valid_since = Some(next.to_string());
    }

    /// The issue date of a token made now: never before the last revocation.
    pub(crate) fn issue_time(&self, now: Ts) -> u64 {
        seconds(now).max(self.valid_from())
    }

    fn valid_from(&self) -> u64 {
        self.valid_since.as_deref().and_then(|since| since.parse().ok()).unwrap_or_default()
    }

    /// Removes every credential added before anybody proved that they own the address: it may belong to another person
    /// than the owner who has proved it now.
    pub(crate) fn forget_unproved(&mut self) {
        self.forget_unproved_ways_in();
        self.mfa_info = None;
    }

    /// The same, but second factors stay: they let nobody in, and who lost a password must not get past them.
    pub(crate) fn forget_unproved_ways_in(&mut self) {
        self.remove_password();
        self.password_updated_at = None;
        self.phone_number = None;
        self.passkey_info = None;
        self.provider_user_info = None;
        self.initial_email = None;
        self.email_link_signin = None;
    }

    /// The profile at `provider`.
    pub(crate) fn provider(&self, provider: &str) -> Option<&ProviderUserInfo> {
        self.provider_user_info.iter().flatten().find(|info| info.provider_id == provider)
    }

    /// Adds or replaces the profile at one provider.
    pub(crate) fn upsert_provider(&mut self, info: ProviderUserInfo) {
        let infos = self.provider_user_info.get_or_insert_default();
        match infos.iter_mut().find(|known| known.provider_id == info.provider_id) {
            Some(known) => *known = info,
            None => infos.push(info),
        }
    }

    /// Removes the profile at one provider.
    pub(crate) fn remove_provider(&mut self, provider: &str) {
        if let Some(infos) = &mut self.provider_user_info {
            infos.retain(|info| info.provider_id != provider);
        }
    }

    /// Drops the address and everything that signs in with it.
    pub(crate) fn remove_email(&mut self) {
        self.email = None;
        self.email_verified = None;
        self.proof_pending = None;
        self.email_link_signin = None;
    }

    /// Drops the password.
    pub(crate) fn remove_password(&mut self) {
        self.password_hash = None;
        self.salt = None;
        self.imported_hash = None;
    }

    /// Derives the `password` and `phone` entries of the provider list from address, password and phone, and the
    /// look-up addresses from the list; drops recovery codes without a second factor. Must be called after every change.
    pub(crate) fn settle(&mut self) {
        if !self.has_second_factor() {
            // They stand in for a factor: without one they open nothing, and must not outlive it.
            self.recovery_codes = None;
        }
        let signs_in_by_email = self.password_hash.is_some() || self.email_link_signin == Some(true);
        match self.email.clone().filter(|_| signs_in_by_email) {
            Some(email) => self.upsert_provider(ProviderUserInfo {
                provider_id: PASSWORD.to_owned(),
                raw_id: email.clone(),
                federated_id: Some(email.clone()),
                email: Some(email),
                display_name: self.display_name.clone(),
                photo_url: self.photo_url.clone(),
                ..ProviderUserInfo::default()
            }),
            None => self.remove_provider(PASSWORD),
        }
        match self.phone_number.clone() {
            Some(phone) => self.upsert_provider(ProviderUserInfo {
                provider_id: PHONE.to_owned(),
                raw_id: phone.clone(),
                phone_number: Some(phone),
                ..ProviderUserInfo::default()
            }),
            None => self.remove_provider(PHONE),
        }
        let infos = self.provider_user_info.iter().flatten();
        self.provider_emails = infos.filter_map(|info| info.email.clone()).collect();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Account;

    #[test]
    fn a_verified_address_of_an_earlier_version_counts_as_proved() {
        let stored = json!({ "localId": "ada", "email": "ada@example.com", "emailVerified": true });
        let mut account: Account = serde_json::from_value(stored).unwrap();
        assert!(account.is_address_proved());
        account.confirm_address();
        assert!(account.is_address_proved(), "a further mail takes no proof away");
        account.set_email_verified(false);
        account.confirm_address();
        assert!(account.is_email_verified() && !account.is_address_proved());
        account.set_email_verified(true);
        assert!(account.is_address_proved());
    }
}
