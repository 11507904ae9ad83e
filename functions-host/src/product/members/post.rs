//! Mail that tells somebody of an invitation.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use auth_emu::mail::{Mail, Mailer};

use super::{DAY_MICROS, DeckName, Person};

/// How many invitations one person sends by mail in a day: withdrawing them must not make a letter machine.
const MAX_MAILS_A_DAY: u32 = 50;

/// How many invitations one address is sent in a day, whoever invites: nobody's inbox is for strangers to fill.
const MAX_MAILS_TO_ONE_A_DAY: u32 = 5;

/// How many people's mails are counted, and how many addresses'; whoever comes beyond waits for tomorrow.
const MAX_SENDERS: usize = 10_000;
const MAX_RECIPIENTS: usize = 50_000;

/// The longest name of a project or a person in a mail, in characters.
const MAX_NAME: usize = 80;

/// Takes invitations to their addresses. Cloning shares it.
#[derive(Debug, Clone)]
pub(in crate::product) struct Post {
    mailer: Option<Arc<dyn Mailer>>,
    /// Where people reach the application, without a slash at its end.
    url: Arc<str>,
    sent: Arc<Mutex<Sent>>,
}

/// The mails of a day.
#[derive(Debug, Default)]
struct Sent {
    day: u64,
    /// How many somebody sent, and how many an address was sent.
    by: HashMap<String, u32>,
    to: HashMap<String, u32>,
    /// Who wrote to which address.
    pairs: HashSet<(String, String)>,
}

impl Sent {
    /// Whether one more may go, which is then counted.
    fn admit(&mut self, uid: &str, address: &str, today: u64) -> bool {
        if self.day != today {
            *self = Self { day: today, ..Self::default() };
        }
        let mailbox = mailbox(address);
        let (by, to) = (self.by.get(uid), self.to.get(&mailbox));
        let pair = (uid.to_owned(), mailbox);
        if by.is_none() && self.by.len() >= MAX_SENDERS
            || to.is_none() && self.to.len() >= MAX_RECIPIENTS
            || by.is_some_and(|count| *count >= MAX_MAILS_A_DAY)
            || to.is_some_and(|count| *count >= MAX_MAILS_TO_ONE_A_DAY)
            || self.pairs.contains(&pair)
        {
            return false;
        }
        *self.by.entry(pair.0.clone()).or_default() += 1;
        *self.to.entry(pair.1.clone()).or_default() += 1;
        self.pairs.insert(pair)
    }
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
        if !self.may_send(&from.uid, letter.to, now / DAY_MICROS) {
            return false;
        }
        let (name, deck_name) = (plain(&from.name, "Somebody"), plain(letter.deck_name, "a project"));
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
        // Nothing of the subject is in the words of whoever invites: it is read by people who do not know them.
        let mail = Mail { to: letter.to.to_owned(), subject: "An invitation to a project".to_owned(), text };
        match mailer.send(mail).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "an invitation was not mailed");
                false
            }
        }
    }

    fn may_send(&self, uid: &str, address: &str, today: u64) -> bool {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).admit(uid, address, today)
    }
}

/// The mailbox behind an address: what follows a plus sign is for its owner to sort by.
fn mailbox(address: &str) -> String {
    let (name, host) = address.rsplit_once('@').unwrap_or((address, ""));
    let name = name.split_once('+').map_or(name, |(name, _)| name);
    format!("{name}@{host}")
}

/// A name on one line, and not too long; `otherwise` stands for one that is empty or leads somewhere, since mail
/// programs make links of addresses and the mail goes out in the server's name.
fn plain(name: &str, otherwise: &str) -> String {
    let shown = name.chars().filter(|c| !is_invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
    let name: String = shown.take(MAX_NAME).collect();
    let name = name.trim();
    if name.is_empty() || leads_somewhere(name) { otherwise.to_owned() } else { name.to_owned() }
}

/// Characters that turn the direction of text or hide between others.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a text has an e-mail address, a web address, or the name of a host.
fn leads_somewhere(text: &str) -> bool {
    let is_dot = |c: char| matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let host = |word: &str| {
        let mut parts = word.rsplit(is_dot);
        let last = parts.next().unwrap_or_default();
        let end = last.chars().take_while(|c| c.is_alphanumeric()).collect::<String>();
        end.chars().count() >= 2
            && end.chars().all(char::is_alphabetic)
            && parts.next().is_some_and(|before| before.ends_with(char::is_alphanumeric))
    };
    text.contains(['@', '\u{ff20}']) || text.contains("//") || text.split_whitespace().any(host)
}
