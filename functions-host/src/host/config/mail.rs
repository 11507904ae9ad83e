//! The section `tuckbox.mail`: the SMTP server.

use std::sync::Arc;

use auth_emu::mail::{Mailer, SmtpMailer};
use docstore::{Code, Error, Result};
use serde::Deserialize;

/// The environment variable with the mail server's address.
pub(crate) const SERVER_ENV: &str = "TUCKBOX_MAIL_SERVER";

/// Mail delivery. Without this section links stay in the outbox, shown by `tuckbox outbox`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"from\": \"Tuckbox <cards@example.com>\"}"
)]
pub struct MailSection {
    /// Sender of all mails: an address, with or without a name.
    pub from: String,
    /// Name of the environment variable with the mail server, `smtps://user:password@host`. Default:
    /// `TUCKBOX_MAIL_SERVER`.
    #[serde(default = "server_env")]
    pub server_env: String,
}

fn server_env() -> String {
    SERVER_ENV.to_owned()
}

impl MailSection {
    /// The configured mailer.
    ///
    /// # Errors
    /// The variable is not set, or its value or the sender is invalid.
    pub fn mailer(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Arc<dyn Mailer>> {
        let name = &self.server_env;
        let url = variable(name).filter(|url| !url.is_empty()).ok_or_else(|| {
            let message = format!(
                "tuckbox.mail: set {name} to the mail server, such as smtps://user:password@mail.example"
            );
            Error::new(Code::FailedPrecondition, "NoMailServer", message)
        })?;
        Ok(Arc::new(SmtpMailer::new(&url, &self.from)?))
    }
}
