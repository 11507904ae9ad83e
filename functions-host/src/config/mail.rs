//! The section `tuckbox.mail`: the server that takes mail to people.

use std::sync::Arc;

use auth_emu::mail::{Mailer, SmtpMailer};
use docstore::{Code, Error, Result};
use serde::Deserialize;

/// The environment variable with the mail server's address.
const SERVER_ENV: &str = "TUCKBOX_MAIL_SERVER";

/// How mail is sent. Without this section, links wait in the outbox, which `tuckbox outbox` shows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object such as {\"from\": \"Tuckbox <cards@example.com>\"}"
)]
pub struct MailSection {
    /// The sender.
    pub from: String,
    /// The environment variable that holds `smtps://user:password@host`: a file that is shared must not.
    #[serde(default = "server_env")]
    pub server_env: String,
}

fn server_env() -> String {
    SERVER_ENV.to_owned()
}

impl MailSection {
    /// Who delivers.
    ///
    /// # Errors
    /// The variable is not set, or it or the sender is wrong.
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
