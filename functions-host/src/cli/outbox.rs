//! `tuckbox outbox`: mails of a server without a mail server, for users with access to its data folder.

use std::io::Write as _;
use std::process::ExitCode;

use auth_emu::OobRequestType;
use auth_emu::mail::outbox::{OobMessage, Waiting, waiting_mails};
use docstore::access::Mode;
use docstore::{Error, Result};

use crate::host::data_dir::outbox_file;
use crate::host::settings::{Data, ServerArgs, Settings};

/// Selection and format of the mails.
#[derive(Debug, clap::Args)]
pub struct OutboxArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// Only mails to this address
    #[arg(long, value_name = "EMAIL")]
    to: Option<String>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Prints the unsent mails, oldest first. The server may be running.
///
/// # Errors
/// The outbox cannot be read.
pub fn outbox(args: &OutboxArgs) -> Result<ExitCode> {
    let settings = Settings::new(&args.server, Mode::Serving)?;
    let Data::Folder(folder) = &settings.data else {
        let message = "a server in memory has no outbox that another program can read: leave out --in-memory";
        return Err(Error::invalid("NoDataFolder", message));
    };
    let mine = |mail: &Waiting<OobMessage>| {
        mail.project == settings.project
            && args.to.as_ref().is_none_or(|to| recipient(&mail.message).eq_ignore_ascii_case(to))
    };
    let mails = waiting_mails(&outbox_file(folder))?.into_iter().filter(mine);
    let text = if args.json { lines(mails)? } else { table(mails) };
    let written = std::io::stdout().write_all(text.as_bytes());
    written.map_err(|error| Error::internal("NoStdout", "cannot write to stdout", error))?;
    Ok(ExitCode::SUCCESS)
}

fn recipient(mail: &OobMessage) -> &str {
    mail.new_email.as_deref().unwrap_or(&mail.email)
}

fn lines(mails: impl Iterator<Item = Waiting<OobMessage>>) -> Result<String> {
    mails
        .map(|mail| {
            let line = serde_json::to_string(&mail);
            line.map(|line| line + "\n")
                .map_err(|error| Error::internal("OutboxForm", "a mail has no JSON form", error))
        })
        .collect()
}

fn table(mails: impl Iterator<Item = Waiting<OobMessage>>) -> String {
    let shown = |mail: Waiting<OobMessage>| {
        let (purpose, to) = (purpose(mail.message.request_type), recipient(&mail.message));
        format!("{purpose}, to {to}:\n  {}\n", mail.message.oob_link)
    };
    let text: String = mails.map(shown).collect();
    if text.is_empty() { "No mail is waiting.\n".to_owned() } else { text }
}

const fn purpose(kind: OobRequestType) -> &'static str {
    match kind {
        OobRequestType::VerifyEmail => "Verify an address",
        OobRequestType::PasswordReset => "Choose a new password",
        OobRequestType::EmailSignin => "Log in",
        OobRequestType::VerifyAndChangeEmail => "Change to a new address",
        OobRequestType::RecoverEmail => "Return to the old address",
        _ => "Other mail",
    }
}
