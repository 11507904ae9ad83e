//! The state between the two halves of a ceremony: sealed as a token and kept by the browser, so that any node can go on
//! with it after a restart. Which challenges were used is noted on the account: one works once.

use docstore::model::Ts;
use serde_json::Value;

use super::webauthn::Begun;
use crate::accounts::{Account, UsedChallenge};
use crate::call::Call;
use crate::encoding::time::seconds;
use crate::error::{ApiError, Result, ensure};
use crate::sessions::hash;
use crate::tokens::{Claims, TokenFault};

/// Time a ceremony may take, in seconds.
pub(super) const CEREMONY_SECONDS: u64 = 300;
/// Challenges of one account used within the life of a ceremony.
const MAX_USED: usize = 100;

/// Aim of a challenge. One for a sign-in registers nothing, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose<'a> {
    /// A new passkey for the account with this id.
    Enrollment(&'a str),
    /// A sign-in to any account.
    SignIn,
}

impl Purpose<'_> {
    fn issuer(self, project: &str) -> String {
        match self {
            Self::Enrollment(_) => format!("passkey-enrollment/{project}"),
            Self::SignIn => format!("passkey-sign-in/{project}"),
        }
    }

    fn subject(self) -> String {
        match self {
            Self::Enrollment(local_id) => local_id.to_owned(),
            Self::SignIn => String::new(),
        }
    }
}

/// A ceremony that goes on.
#[derive(Debug)]
pub(super) struct Ceremony {
    challenge: String,
    pub(super) state: String,
    /// Seconds since the epoch.
    expires_at: u64,
}

impl Ceremony {
    /// Notes on the account that the challenge was used. The commit that registers or signs in does it: of two uses of
    /// one challenge, one fails.
    ///
    /// # Errors
    /// `INVALID_SESSION_INFO` if it was used before.
    pub(super) fn use_up(&self, account: &mut Account, now: Ts) -> Result<()> {
        let used = &mut account.used_challenges;
        used.retain(|used| used.until > seconds(now));
        let again = "INVALID_SESSION_INFO : This passkey ceremony was completed already. Start again.";
        ensure(used.iter().all(|used| used.hash != self.challenge), again)?;
        if used.len() >= MAX_USED {
            return Err(ApiError::too_many("Too many sign-ins with passkeys. Try again in a few minutes."));
        }
        used.push(UsedChallenge { hash: self.challenge.clone(), until: self.expires_at });
        Ok(())
    }
}

impl Call {
    /// Seals the state of a ceremony for its way through the browser.
    pub(super) async fn seal_ceremony(&self, purpose: Purpose<'_>, begun: &Begun) -> Result<String> {
        let mut claims = Claims::new();
        claims.insert("iss".to_owned(), purpose.issuer(&self.project).into());
        claims.insert("aud".to_owned(), self.project.clone().into());
        claims.insert("sub".to_owned(), purpose.subject().into());
        claims.insert("iat".to_owned(), seconds(self.now).into());
        claims.insert("exp".to_owned(), (seconds(self.now) + CEREMONY_SECONDS).into());
        claims.insert("tenant".to_owned(), self.tenant.clone().into());
        claims.insert("challenge".to_owned(), hash(&begun.challenge).into());
        claims.insert("state".to_owned(), begun.state.clone().into());
        self.state.0.tokens.seal(&claims, self.now).await
    }

    /// Opens the state of a ceremony that was begun for this purpose.
    ///
    /// # Errors
    /// `MISSING_SESSION_INFO`, `INVALID_SESSION_INFO`, `PASSKEY_CHALLENGE_TIMEOUT`
    pub(super) fn open_ceremony(&self, purpose: Purpose<'_>, sealed: Option<&str>) -> Result<Ceremony> {
        let sealed = sealed.ok_or_else(|| ApiError::bad("MISSING_SESSION_INFO"))?;
        let invalid = || {
            ApiError::bad("INVALID_SESSION_INFO : This is no passkey ceremony of this purpose. Start again.")
        };
        let issuer = purpose.issuer(&self.project);
        let opened = self.state.0.tokens.open(sealed, &issuer, &self.project, self.now);
        let claims = opened.map_err(|fault| match fault {
            TokenFault::Expired => {
                ApiError::bad("PASSKEY_CHALLENGE_TIMEOUT : It took too long. Start again.")
            }
            fault => {
                tracing::debug!(%fault, "the state of a passkey ceremony was refused");
                invalid()
            }
        })?;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let same = text("sub") == Some(&purpose.subject()) && text("tenant") == self.tenant.as_deref();
        if !same {
            return Err(invalid());
        }
        Ok(Ceremony {
            challenge: text("challenge").ok_or_else(invalid)?.to_owned(),
            state: text("state").ok_or_else(invalid)?.to_owned(),
            expires_at: claims.get("exp").and_then(Value::as_u64).ok_or_else(invalid)?,
        })
    }
}
