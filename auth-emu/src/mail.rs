//! Mail: the messages, and their delivery.

pub mod outbox;
mod queue;
mod smtp;

use std::fmt;

use futures::future::BoxFuture;

pub use queue::{MailNumbers, MailQueue};
pub use smtp::SmtpMailer;

use crate::encoding::enums::OobRequestType;

/// A plain-text message to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The recipient's address.
    pub to: String,
    /// The subject line.
    pub subject: String,
    /// The text, lines ended by `\n`.
    pub text: String,
}

/// Delivers mail.
pub trait Mailer: Send + Sync + fmt::Debug + 'static {
    /// Hands one message over for delivery.
    ///
    /// # Errors
    /// Any reason why the message could not be handed over; it goes to the log, never to the caller.
    fn send(&self, mail: Mail) -> BoxFuture<'_, docstore::Result<()>>;
}

/// The message that carries an out-of-band link.
pub(crate) fn compose(
    kind: OobRequestType,
    app: &str,
    email: &str,
    new_email: Option<&str>,
    link: &str,
) -> Mail {
    let (to, subject, ask) = match kind {
        OobRequestType::VerifyEmail => (
            email,
            format!("Confirm your address for {app}"),
            "Follow this link to confirm your address:".to_owned(),
        ),
        OobRequestType::PasswordReset => (
            email,
            format!("Reset your {app} password"),
            "Follow this link to choose a new password:".to_owned(),
        ),
        OobRequestType::EmailSignin => {
            (email, format!("Sign in to {app}"), "Follow this link to sign in:".to_owned())
        }
        OobRequestType::VerifyAndChangeEmail => (
            new_email.unwrap_or(email),
            format!("Confirm your new address for {app}"),
            format!("Follow this link to use this address instead of {email}:"),
        ),
        OobRequestType::RecoverEmail => (
            email,
            format!("Your {app} address was changed"),
            format!(
                "Your sign-in address was changed to {}. If that was not you, follow this link to change it back:",
                new_email.unwrap_or("another one")
            ),
        ),
        OobRequestType::Unspecified
        | OobRequestType::OldEmailAgree
        | OobRequestType::NewEmailAccept
        | OobRequestType::RevertSecondFactorAddition => {
            (email, format!("A message from {app}"), "Follow this link:".to_owned())
        }
    };
    let text = format!("Hello,\n\n{ask}\n\n{link}\n\nIf you did not ask for this, do nothing.\n\n{app}\n");
    Mail { to: to.to_owned(), subject, text }
}
