//! The last step of every way to sign in: the project's blocking functions run, a second factor may be required, and a
//! session begins.

use serde_json::{Value, json};

use crate::accounts::sign_ups::SignUps;
use crate::accounts::{Account, MfaEnrollment};
use crate::blocking::{Effects, Event, Method};
use crate::call::Call;
use crate::encoding::time::seconds;
use crate::error::{ApiError, Result, ensure};
use crate::sessions::IssuedTokens;
use crate::tokens::{Claims, Grant, SecondFactor};

/// Time the first factor waits for the second, in seconds.
const PENDING_SECONDS: u64 = 600;

/// Refusal on a server that takes nobody new.
const CLOSED: &str = "ADMIN_ONLY_OPERATION : This server does not take new accounts.";
/// Refusal of addresses that nobody has invited.
const UNINVITED: &str = "ADMIN_ONLY_OPERATION : This server takes new accounts by invitation: sign up with the address that was invited.";

/// Outcome of a sign-in.
#[derive(Debug)]
pub(crate) enum SignIn {
    /// It is complete.
    Done(Box<Account>, IssuedTokens),
    /// A second factor is missing.
    Pending(Box<Account>, Value),
}

/// A first factor that was shown, on its way to the second.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) local_id: String,
    pub(crate) grant: Grant,
    /// Seconds since the epoch.
    issued_at: u64,
}

impl Call {
    /// Checks that a caller may have an account of their own. `account` is the one they are signed in to, to which a
    /// first way in is added, and `email` the address that the new way in is for.
    ///
    /// # Errors
    /// `ADMIN_ONLY_OPERATION`; those of the store.
    pub(crate) async fn may_sign_up(&self, account: Option<&Account>, email: Option<&str>) -> Result<()> {
        let has_one = account.is_some_and(Account::has_way_in);
        if has_one {
            return Ok(());
        }
        match self.refusal_of_new(email).await? {
            Some(refusal) => ensure(false, refusal),
            None => Ok(()),
        }
    }

    /// The server's refusal of a new account with an address; `None` if it takes one.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn refusal_of_new(&self, email: Option<&str>) -> Result<Option<&'static str>> {
        if self.privileged || self.state.is_emulator() {
            return Ok(None);
        }
        let invited = match (&self.state.0.sign_ups, email) {
            (SignUps::Open, _) => return Ok(None),
            (SignUps::Closed, _) => return Ok(Some(CLOSED)),
            (SignUps::ByInvitation(invitations), Some(email)) => invitations.invites(email).await?,
            (SignUps::ByInvitation(_), None) => false,
        };
        Ok((!invited).then_some(UNINVITED))
    }

    /// Writes a new account and signs it in.
    ///
    /// # Errors
    /// `USER_DISABLED` if a blocking function disables it; the account is stored disabled.
    pub(crate) async fn create_and_sign_in(
        &self,
        mut account: Account,
        mut grant: Grant,
        method: Option<&Method>,
    ) -> Result<(Account, IssuedTokens)> {
        if let Some(method) = method {
            let effects = self.ask(Event::BeforeCreate, &account, method).await?;
            effects.apply(&mut account);
            account.settle();
            if self.has_trigger(Event::BeforeSignIn) || account.is_disabled() {
                self.directory.create(&account, Vec::new()).await?;
                ensure(!account.is_disabled(), "USER_DISABLED")?;
                let local_id = account.local_id.clone();
                return self.sign_in(&local_id, grant, Some(method), |_| Ok(())).await;
            }
        }
        grant.extra_claims.retain(|_, value| !value.is_null());
        let ticket = self.ticket(grant);
        let mut also = Vec::new();
        self.stamp(&ticket, &mut account, &mut also)?;
        account.settle();
        self.directory.create(&account, also).await?;
        let tokens = self.redeem(ticket, &account).await?;
        Ok((account, tokens))
    }

    /// Signs in: changes the account and begins a session in one commit.
    ///
    /// # Errors
    /// Refusals of `change`; `USER_DISABLED` if a blocking function disables the account, which is then stored
    /// disabled.
    pub(crate) async fn sign_in(
        &self,
        local_id: &str,
        mut grant: Grant,
        method: Option<&Method>,
        mut change: impl FnMut(&mut Account) -> Result<()>,
    ) -> Result<(Account, IssuedTokens)> {
        let mut effects = Effects::default();
        if let Some(method) = method
            && self.has_trigger(Event::BeforeSignIn)
            && let Some(found) = self.directory.by_id(local_id).await?
        {
            let mut account = found.account;
            change(&mut account)?;
            account.settle();
            effects = self.ask(Event::BeforeSignIn, &account, method).await?;
            grant.extra_claims.extend(std::mem::take(&mut effects.session_claims));
        }
        let ticket = self.ticket(grant);
        let (account, ()) = self
            .directory
            .update(local_id, |account, also| {
                change(account)?;
                effects.apply(account);
                if account.is_disabled() { Ok(()) } else { self.stamp(&ticket, account, also) }
            })
            .await?;
        ensure(!account.is_disabled(), "USER_DISABLED")?;
        let tokens = self.redeem(ticket, &account).await?;
        Ok((account, tokens))
    }

    /// Signs in, unless the account has a second factor, which is then asked for.
    pub(crate) async fn sign_in_or_ask(
        &self,
        local_id: &str,
        grant: Grant,
        method: &Method,
        mut change: impl FnMut(&mut Account) -> Result<()>,
        mut finish: impl FnMut(&mut Account) -> Result<()>,
    ) -> Result<SignIn> {
        let found = self.directory.by_id(local_id).await?.ok_or_else(|| ApiError::bad("USER_NOT_FOUND"))?;
        let asks = self.settings.allowed.mfa_config.is_on() && found.account.has_second_factor();
        if !asks {
            let both = |account: &mut Account| change(account).and_then(|()| finish(account));
            let (account, tokens) = self.sign_in(local_id, grant, Some(method), both).await?;
            return Ok(SignIn::Done(Box::new(account), tokens));
        }
        let (account, ()) = self.directory.update(local_id, |account, _| change(account)).await?;
        let asked = self.ask_for_second_factor(&account, grant).await?;
        Ok(SignIn::Pending(Box::new(account), asked))
    }

    /// The reply members that require a second factor: a credential for the first, and the choices for the second.
    async fn ask_for_second_factor(&self, account: &Account, grant: Grant) -> Result<Value> {
        let mut claims = Claims::new();
        claims.insert("iss".to_owned(), pending_issuer(&self.project).into());
        claims.insert("aud".to_owned(), self.project.clone().into());
        claims.insert("sub".to_owned(), account.local_id.clone().into());
        claims.insert("iat".to_owned(), account.issue_time(self.now).into());
        claims.insert("exp".to_owned(), (seconds(self.now) + PENDING_SECONDS).into());
        claims.insert("tenant".to_owned(), self.tenant.clone().into());
        claims.insert("grant".to_owned(), serde_json::to_value(grant).map_err(ApiError::internal)?);
        let credential = self.state.0.tokens.seal(&claims, self.now).await?;
        let factors = account.mfa_info.iter().flatten().map(obfuscated).collect::<Vec<_>>();
        Ok(json!({ "mfaPendingCredential": credential, "mfaInfo": factors }))
    }

    /// Reads a credential of [`Call::ask_for_second_factor`].
    pub(crate) fn pending(&self, credential: &str) -> Result<Pending> {
        let invalid =
            || ApiError::bad("INVALID_MFA_PENDING_CREDENTIAL : The pending credential is not valid.");
        let issuer = pending_issuer(&self.project);
        let claims =
            self.state.0.tokens.open(credential, &issuer, &self.project, self.now).map_err(|fault| {
                tracing::debug!(%fault, "a pending credential was refused");
                invalid()
            })?;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        // Emulators check neither issuer nor audience, so an ID token could come this far.
        ensure(
            text("iss") == Some(issuer.as_str()) && text("tenant") == self.tenant.as_deref(),
            "INVALID_PROJECT_ID : Project ID does not match MFA pending credential.",
        )?;
        let grant = claims.get("grant").cloned().and_then(|grant| serde_json::from_value(grant).ok());
        Ok(Pending {
            local_id: text("sub").ok_or_else(invalid)?.to_owned(),
            grant: grant.ok_or_else(invalid)?,
            issued_at: claims.get("iat").and_then(Value::as_u64).unwrap_or_default(),
        })
    }
}

impl Pending {
    /// The check of the account as the second factor finds it: the first one was shown before, and a change of the
    /// password since then voids it like every session.
    pub(crate) fn check(&self) -> impl Fn(&Account) -> Result<()> + use<> {
        let issued_at = self.issued_at;
        move |account| {
            ensure(!account.is_disabled(), "USER_DISABLED")?;
            let late = "INVALID_MFA_PENDING_CREDENTIAL : The account has changed meanwhile. Sign in again.";
            ensure(!account.revokes(issued_at), late)
        }
    }

    /// The grant once the second factor was shown too.
    pub(crate) fn with_second_factor(self, identifier: &str, provider: &str) -> Grant {
        let second_factor = SecondFactor { identifier: identifier.to_owned(), provider: provider.to_owned() };
        Grant { second_factor: Some(second_factor), ..self.grant }
    }
}

fn pending_issuer(project: &str) -> String {
    format!("mfa-pending/{project}")
}

/// A second factor as shown before it is proved: no more than the phone's last digits.
fn obfuscated(factor: &MfaEnrollment) -> Value {
    let mut shown = json!({});
    let mut put = |name: &str, member: Option<Value>| {
        if let Some(member) = member {
            shown[name] = member;
        }
    };
    put("mfaEnrollmentId", factor.mfa_enrollment_id.clone().map(Value::from));
    put("displayName", factor.display_name.clone().map(Value::from));
    put("enrolledAt", factor.enrolled_at.clone().map(Value::from));
    put("phoneInfo", factor.unobfuscated_phone_info.as_deref().map(|phone| last_digits(phone).into()));
    put("totpInfo", factor.totp_info.as_ref().map(|_| json!({})));
    shown
}

/// A phone number with all digits but the last four hidden.
fn last_digits(phone: &str) -> String {
    let digits = phone.chars().filter(char::is_ascii_digit).count();
    let mut seen = 0;
    let hide = |character: char| {
        seen += usize::from(character.is_ascii_digit());
        if character.is_ascii_digit() && seen + 4 <= digits { '*' } else { character }
    };
    phone.chars().map(hide).collect()
}

#[cfg(test)]
mod tests {
    use super::last_digits;

    #[test]
    fn only_the_last_four_digits_show() {
        assert_eq!(last_digits("+15555550100"), "+*******0100");
        assert_eq!(last_digits("+1 555-555-0100"), "+* ***-***-0100");
        assert_eq!(last_digits("+123"), "+123");
    }
}
