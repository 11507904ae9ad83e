//! Mail that tells somebody of an invitation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use auth_emu::mail::{Mail, Mailer};

use super::{DAY_MICROS, DeckName, Person};

/// How many invitations one person sends by mail in a day: withdrawing them must not make a letter machine.
const MAX_MAILS_A_DAY: u32 = 50;

/// How many people's mails are counted; whoever comes beyond waits for tomorrow.
const MAX_SENDERS: usize = 10_000;

/// The longest name of a project or a person in a mail, in characters.
const MAX_NAME: usize = 80;

/// Takes invitations to their addresses. Cloning shares it.
#[derive(Debug, Clone)]
pub(in crate::product) struct Post {
    mailer: Option<Arc<dyn Mailer>>,
    /// Where people reach the application, without a slash at its end.
    url: Arc<str>,
    /// The day, and how many mails whom sent in it.
    sent: Arc<Mutex<(u64, HashMap<String, u32>)>>,
}

/// What a mail says.
pub(super) struct Letter<'a> {
    pub(super) to: &'a str,
    pub(super) deck: &'a DeckName,
    pub(super) deck_name: &'a str,
    pub(super) role: &'static str,
    pub(super) invitation: &'a str,
    pub(super) days: u64,
}

impl Post {
    /// `mailer` delivers; without one nothing is sent.
    pub(in crate::product) fn new(mailer: Option<Arc<dyn Mailer>>, url: &str) -> Self {
        Self { mailer, url: url.into(), sent: Arc::default() }
    }

    /// Sends a letter at `now`, in microseconds since the epoch; whether it is on its way. An invitation stands
    /// without its letter: its link can be sent by hand.
    pub(super) async fn send(&self, from: &Person, letter: &Letter<'_>, now: u64) -> bool {
        let Some(mailer) = &self.mailer else { return false };
        // Nobody writes to others in the name of an address that may not be theirs.
        let Some(address) = &from.email else { return false };
        if !self.may_send(&from.uid, now / DAY_MICROS) {
            return false;
        }
        let (name, deck_name) = (plain(&from.name), plain(letter.deck_name));
        let link = format!(
            "{}/invitations/{}/{}/{}",
            self.url, letter.deck.owner_id, letter.deck.deck_id, letter.invitation
        );
        let (role, days) = (letter.role, letter.days);
        let text = format!(
            "Hello,\n\n{name} ({address}) invites you to the project \"{deck_name}\" as {role}. Follow this link to see \
             it; log in or sign up with this address:\n\n{link}\n\nThe link is good for {days} days. If you do not know \
             {name}, do nothing.\n\nTuckbox\n"
        );
        let mail =
            Mail { to: letter.to.to_owned(), subject: format!("{name} invites you to {deck_name}"), text };
        match mailer.send(mail).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "an invitation was not mailed");
                false
            }
        }
    }

    fn may_send(&self, uid: &str, today: u64) -> bool {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.0 != today {
            *sent = (today, HashMap::new());
        }
        if sent.1.len() >= MAX_SENDERS && !sent.1.contains_key(uid) {
            return false;
        }
        let count = sent.1.entry(uid.to_owned()).or_default();
        *count += 1;
        *count <= MAX_MAILS_A_DAY
    }
}

/// A name on one line, and not too long.
fn plain(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_NAME).collect();
    let name = name.trim();
    if name.is_empty() { "Somebody".to_owned() } else { name.to_owned() }
}
