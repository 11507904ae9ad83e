//! Mail with invitations, and with offers of projects.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use auth_emu::mail::{Mail, Mailer};
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tuckbox_names::{is_unseen, isolated};

use super::offers::Offer;
use super::{DAY_MICROS, Person};

/// Mails per sender and day: withdrawing invitations must not make a spam machine.
const MAX_MAILS_A_DAY: u32 = 50;

/// Mails per address and day, whoever invites, so that strangers cannot flood an inbox.
const MAX_MAILS_TO_ONE_A_DAY: u32 = 5;

/// Most senders, and most addresses, counted per day; further ones wait for the next day.
const MAX_SENDERS: usize = 10_000;
const MAX_RECIPIENTS: usize = 50_000;

/// Longest name of a project or a person in a mail, in characters.
const MAX_NAME: usize = 80;

/// Characters that do not stand in an address as they are. Clients choose the ids of projects, so an id may be a text of
/// several lines.
const NOT_IN_ADDRESS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Mails invitations. Clones share it.
#[derive(Debug, Clone)]
pub(in crate::product) struct InvitationMailer {
    mailer: Option<Arc<dyn Mailer>>,
    /// Public URL of the application, without a trailing slash.
    url: Arc<str>,
    sent: Arc<Mutex<Sent>>,
}

/// The mails of one day.
#[derive(Debug, Default)]
struct Sent {
    day: u64,
    /// Mails per sender, and mails per address.
    by: HashMap<String, u32>,
    to: HashMap<String, u32>,
    /// Pairs of sender and address.
    pairs: HashSet<(String, String)>,
}

impl Sent {
    /// Counts one more mail if it is within the limits. Returns true if it may be sent.
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

/// Content of an invitation's mail.
pub(super) struct Message<'a> {
    pub(super) to: &'a str,
    /// Account that owns the project.
    pub(super) owner: &'a str,
    /// Id of the project.
    pub(super) deck: &'a str,
    pub(super) deck_name: &'a str,
    pub(super) role: &'static str,
    pub(super) invitation: &'a str,
    pub(super) days: u64,
}

impl InvitationMailer {
    /// `mailer` delivers; without one no mail is sent.
    pub(in crate::product) fn new(mailer: Option<Arc<dyn Mailer>>, url: &str) -> Self {
        Self { mailer, url: url.into(), sent: Arc::default() }
    }

    /// Sends a message at `now`, in microseconds since the epoch. Returns true if it was accepted for delivery. Without
    /// mail the invitation is still valid: its link can be passed on by hand.
    pub(super) async fn send(&self, from: &Person, message: &Message<'_>, now: u64) -> bool {
        if self.mailer.is_none() {
            return false;
        }
        // Nobody writes to others in the name of an unverified address.
        let Some(address) = &from.email else { return false };
        if !self.may_send(&from.uid, message.to, now / DAY_MICROS) {
            return false;
        }
        let (name, deck_name) = (plain(&from.name, "Somebody"), plain(message.deck_name, "a project"));
        let [owner, deck, invitation] = [message.owner, message.deck, message.invitation]
            .map(|part| utf8_percent_encode(part, NOT_IN_ADDRESS));
        let link = format!("{}/invitations/{owner}/{deck}/{invitation}", self.url);
        let role = message.role;
        let time = if message.days == 1 { "a day".to_owned() } else { format!("{} days", message.days) };
        let text = format!(
            "Hello,\n\n{name} ({address}) invites you to the project \"{deck_name}\" as {role}. Follow this link to see \
             it; log in or sign up with this address:\n\n{link}\n\nThe link is good for {time}. If you do not know \
             {name}, do nothing.\n\nTuckbox\n"
        );
        // The subject contains no text of the inviter: its readers may not know them.
        self.deliver(message.to, "An invitation to a project", text).await
    }

    /// Tells a member at `to` that a project is offered to them. Returns true if it was accepted for delivery.
    pub(super) async fn send_offer(
        &self,
        from: &Person,
        to: &str,
        project_name: &str,
        days: u64,
        now: u64,
    ) -> bool {
        let Some(address) = &from.email else { return false };
        if self.mailer.is_none() || !self.may_send(&from.uid, to, now / DAY_MICROS) {
            return false;
        }
        let (name, project_name) = (plain(&from.name, "Somebody"), plain(project_name, "a project"));
        let text = format!(
            "Hello,\n\n{name} ({address}) wants to hand the project \"{project_name}\" over to you. If you accept, it is \
             yours and counts by your limits, and {name} goes on working on it as an editor. Log in to answer:\n\n{}/\
             \n\nThe offer stands for {days} days. If you do not want the project, decline, or do nothing.\n\nTuckbox\n",
            self.url
        );
        self.deliver(to, "A project is offered to you", text).await
    }

    /// Tells a member at `to` that a project goes in so many days because its owner's account is gone, and who may take it.
    pub(super) async fn send_closing(&self, to: &str, offer: &Offer, is_theirs: bool, days: u64) -> bool {
        let project_name = plain(&offer.project_name, "a project");
        let from = plain(&offer.from_name, "The owner");
        let time = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
        let way = if is_theirs {
            "It is offered to you: log in and accept, and it stays, as yours.".to_owned()
        } else {
            let taker = plain(&offer.to_name, "another member");
            format!(
                "It is offered to {taker}. Until they accept, you can work on it as before, and export it."
            )
        };
        let text = format!(
            "Hello,\n\n{from} deleted their account. The project \"{project_name}\", on which you work, will be deleted in \
             {time} unless somebody takes it.\n\n{way}\n\n{}/\n\nTuckbox\n",
            self.url
        );
        self.deliver(to, "A project that you work on will be deleted", text).await
    }

    async fn deliver(&self, to: &str, subject: &str, text: String) -> bool {
        let Some(mailer) = &self.mailer else { return false };
        let mail = Mail { to: to.to_owned(), subject: subject.to_owned(), text };
        match mailer.send(mail).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, subject, "a message to a member was not mailed");
                false
            }
        }
    }

    fn may_send(&self, uid: &str, address: &str, today: u64) -> bool {
        self.sent.lock().admit(uid, address, today)
    }
}

/// The mailbox behind an address: the part after a plus sign only sorts the owner's mail.
fn mailbox(address: &str) -> String {
    let (name, host) = address.rsplit_once('@').unwrap_or((address, ""));
    let name = name.split_once('+').map_or(name, |(name, _)| name);
    format!("{name}@{host}")
}

/// A name on one line, shortened, that moves nothing beside it. `otherwise` replaces one that is empty or contains an
/// address, because mail programs make links of those and the mail goes out in the server's name.
fn plain(name: &str, otherwise: &str) -> String {
    let shown = name.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_unseen(*c));
    let name: String = shown.take(MAX_NAME).collect();
    let name = name.trim();
    if name.is_empty() || leads_somewhere(name) { otherwise.to_owned() } else { isolated(name) }
}

/// True if a text contains an e-mail address, a web address or a host name.
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
