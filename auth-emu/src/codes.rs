//! Out-of-band codes: single-use secrets sent to a mailbox.

use std::time::Duration;

use docstore::model::{Precondition, Ts, Write, WriteOp};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::accounts::set;
use crate::call::Call;
use crate::encoding::time::millis;
use crate::entropy;
use crate::error::{ApiError, Result, ensure};
use crate::limits::Subject;
use crate::mail;
use crate::mail::outbox::{OobMessage, Waiting};
use crate::sessions::hash;
use crate::validate;
use crate::wire::OobRequestType;

/// An out-of-band code, in random bytes.
const CODE_BYTES: usize = 40;
/// Expired codes removed when a new one is made.
const SWEEP: u32 = 20;

/// Lifetime of a code, by its purpose.
const fn lifetime(kind: OobRequestType) -> Duration {
    const HOUR: u64 = 3_600;
    Duration::from_secs(match kind {
        OobRequestType::PasswordReset => HOUR,
        OobRequestType::EmailSignin => 6 * HOUR,
        OobRequestType::RecoverEmail => 30 * 24 * HOUR,
        _ => 3 * 24 * HOUR,
    })
}

fn lifetime_micros(kind: OobRequestType) -> u64 {
    u64::try_from(lifetime(kind).as_micros()).unwrap_or(u64::MAX)
}

/// A code as it is stored, under its hash.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeRecord {
    /// The wire name of its purpose.
    kind: String,
    pub(crate) email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) new_email: Option<String>,
    /// The account it was made for, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) local_id: Option<String>,
    /// Microseconds since the epoch.
    pub(crate) issued_at: u64,
    /// Microseconds since the epoch.
    expires_at: u64,
}

/// A redeemed code, and the write that uses it up.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) kind: OobRequestType,
    pub(crate) record: CodeRecord,
    text: String,
    version: Ts,
}

/// Request for a new code.
#[derive(Debug)]
pub(crate) struct NewCode<'a> {
    pub(crate) kind: OobRequestType,
    pub(crate) email: &'a str,
    pub(crate) new_email: Option<&'a str>,
    pub(crate) local_id: Option<&'a str>,
    pub(crate) continue_url: Option<&'a str>,
}

/// The kinds of code that this server makes, with their names in links.
const KINDS: [(OobRequestType, &str); 5] = [
    (OobRequestType::VerifyEmail, "verifyEmail"),
    (OobRequestType::PasswordReset, "resetPassword"),
    (OobRequestType::EmailSignin, "signIn"),
    (OobRequestType::VerifyAndChangeEmail, "verifyAndChangeEmail"),
    (OobRequestType::RecoverEmail, "recoverEmail"),
];

impl Call {
    /// Makes a code and the link that brings it back.
    pub(crate) async fn create_code(&self, new: &NewCode<'_>) -> Result<OobMessage> {
        let text = entropy::secret(&*self.state.0.entropy, CODE_BYTES);
        let issued_at = self.now.micros();
        let record = CodeRecord {
            kind: new.kind.name().to_owned(),
            email: new.email.to_owned(),
            new_email: new.new_email.map(ToOwned::to_owned),
            local_id: new.local_id.map(ToOwned::to_owned),
            issued_at,
            expires_at: issued_at.saturating_add(lifetime_micros(new.kind)),
        };
        let mut writes = self.expired_codes().await?;
        writes.push(Write {
            path: self.directory.path("codes", &hash(&text))?,
            op: set(&record)?,
            precondition: Precondition::Exists(false),
        });
        self.directory.commit(writes).await?;
        let link = self.link(new, &text);
        Ok(OobMessage {
            email: record.email,
            new_email: record.new_email,
            request_type: new.kind,
            oob_code: text,
            oob_link: link,
        })
    }

    /// Sends a code to its mailbox; without a mailer it goes to the outbox.
    pub(crate) async fn send_code(&self, message: OobMessage) -> Result<()> {
        let inner = &self.state.0;
        let Some(mailer) = &inner.mailer else {
            let (kind, email) = (message.request_type.name(), &message.email);
            if self.state.is_emulator() {
                let link = &message.oob_link;
                tracing::info!(
                    kind,
                    email,
                    link,
                    "no mail server is configured; open the link to act as the recipient"
                );
            } else {
                // The code itself is not logged: anybody who reads the log could use it.
                tracing::info!(kind, email, "no mail server is configured; `tuckbox outbox` shows the mail");
            }
            return self.keep(message).await;
        };
        let mail = mail::compose(
            message.request_type,
            &inner.app_name,
            &message.email,
            message.new_email.as_deref(),
            &message.oob_link,
        );
        mailer.send(mail).await.map_err(ApiError::internal)
    }

    /// Puts a code into the outbox. In an emulator it never expires.
    pub(crate) async fn keep(&self, message: OobMessage) -> Result<()> {
        let expires_at = self.now.micros().saturating_add(lifetime_micros(message.request_type));
        let expires_at = (!self.state.is_emulator()).then(|| millis(Ts::from_micros(expires_at)));
        let (project, tenant) = (self.project.clone(), self.tenant.clone());
        self.state.0.mails.push(Waiting { project, tenant, expires_at, message }, self.now).await?;
        Ok(())
    }

    /// Counts a mail to `email`.
    pub(crate) fn may_mail(&self, email: &str) -> Result<()> {
        self.take_from_peer(Subject::AddressMail)?;
        self.state.0.limiter.take(&Subject::AccountMail(format!("{}/{email}", self.project)), self.now)
    }

    /// Looks up a code that a caller presents. It is not used up yet.
    ///
    /// # Errors
    /// `MISSING_OOB_CODE`, `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE` (serving mode)
    pub(crate) async fn code(&self, text: Option<&str>) -> Result<Code> {
        let text = text.filter(|text| !text.is_empty()).ok_or_else(|| ApiError::bad("MISSING_OOB_CODE"))?;
        let path = self.directory.path("codes", &hash(text))?;
        let found = self.directory.record::<CodeRecord>(&path).await?;
        let (record, version) = found.ok_or_else(|| ApiError::bad("INVALID_OOB_CODE"))?;
        let expired = record.expires_at <= self.now.micros();
        ensure(!expired || self.state.is_emulator(), "EXPIRED_OOB_CODE")?;
        let kind = KINDS.iter().map(|(kind, _)| *kind).find(|kind| kind.name() == record.kind);
        let kind = kind.ok_or_else(|| ApiError::bad("INVALID_OOB_CODE"))?;
        Ok(Code { kind, record, text: text.to_owned(), version })
    }

    /// The write that uses a code up: of two commits with the same code, one fails.
    pub(crate) fn use_up(&self, code: &Code) -> Result<Write> {
        Ok(Write {
            path: self.directory.path("codes", &hash(&code.text))?,
            op: WriteOp::Delete,
            precondition: Precondition::UpdateTime(code.version),
        })
    }

    /// Removes a used code from the outbox.
    pub(crate) async fn forget(&self, code: &Code) {
        let forgotten = self.state.0.mails.remove(|message| message.oob_code == code.text).await;
        if let Err(error) = forgotten {
            // The code is used up: a copy left in the outbox is harmless.
            tracing::warn!("{}", error.message());
        }
    }

    /// Checks that a mail's link continues to an authorized domain.
    pub(crate) fn continue_url(&self, text: Option<&str>) -> Result<()> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(()) };
        let url = validate::continue_url(text)?;
        self.state.authorized(&url)
    }

    fn link(&self, new: &NewCode<'_>, code: &str) -> String {
        let inner = &self.state.0;
        let mode = KINDS.iter().find(|(kind, _)| *kind == new.kind).map_or("", |(_, mode)| *mode);
        let mut link: Url = inner.origin.clone();
        // Emulators act on the link themselves; in serving mode the app has a page for it.
        link.set_path(if self.state.is_emulator() { "/emulator/action" } else { "/__/auth/action" });
        let mut query = link.query_pairs_mut();
        query.append_pair("mode", mode).append_pair("oobCode", code).append_pair("apiKey", &inner.api_key);
        if let Some(url) = new.continue_url.filter(|url| !url.is_empty()) {
            query.append_pair("continueUrl", url);
        }
        query.append_pair("lang", "en");
        if let Some(tenant) = &self.tenant {
            query.append_pair("tenantId", tenant);
        }
        drop(query);
        link.into()
    }

    async fn expired_codes(&self) -> Result<Vec<Write>> {
        if self.state.is_emulator() {
            return Ok(Vec::new());
        }
        self.directory.expired("codes", "expiresAt", self.now.micros(), SWEEP).await
    }
}
