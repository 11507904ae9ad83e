//! Admission to a table: who came by its code, and who else may. Members of the project need no code and are not listed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::limits::PEOPLE;

/// Standing of somebody who gave the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// May come, and come back.
    In,
    /// Waits until the host lets them in.
    Waiting,
    /// Was removed, and does not come back.
    Out,
}

/// Somebody who gave the table's code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The name they gave.
    pub name: String,
    /// Their standing.
    pub entry: Entry,
    /// True if the account was made for the table.
    pub guest: bool,
}

/// See the module's description.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Admission {
    /// Number of the last change: an older state never replaces a newer one.
    pub rev: u64,
    /// The code that lets people join; none before the host has made one.
    pub code: Option<String>,
    /// True if nobody new joins, by code or as a member.
    pub locked: bool,
    /// True if whoever joins by code waits for the host's yes.
    pub asks: bool,
    /// People by account.
    pub people: BTreeMap<String, Person>,
}

/// A reason for which somebody does not join by code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotJoined {
    /// Nobody new joins.
    Locked,
    /// They were removed.
    Out,
    /// As many people have joined as a table remembers.
    Full,
}

/// A change by somebody who leads the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdmissionChange {
    /// Makes a new code; the old one ends.
    NewCode,
    /// Lets nobody new join, or lets people join again.
    Lock(bool),
    /// Lets whoever joins by code wait for the host's yes, or not.
    Ask(bool),
    /// Lets somebody in who waits or was removed.
    LetIn(String),
    /// Removes somebody. The code ends too: without an account, they would come back by it as somebody else.
    Kick(String),
}

impl Admission {
    /// Standing of an account; `None` for an account that never gave the code.
    pub fn entry(&self, uid: &str) -> Option<Entry> {
        self.people.get(uid).map(|person| person.entry)
    }

    /// Lets somebody join who gave the code. `waits` is true if they are to wait for the host whatever the table's setting.
    ///
    /// # Errors
    /// [`NotJoined`]; nothing has changed then.
    pub fn join(&mut self, uid: &str, name: &str, guest: bool, waits: bool) -> Result<Entry, NotJoined> {
        match self.entry(uid) {
            Some(Entry::Out) => return Err(NotJoined::Out),
            Some(entry) => return Ok(entry),
            None if self.locked => return Err(NotJoined::Locked),
            None if self.people.len() >= PEOPLE => return Err(NotJoined::Full),
            None => {}
        }
        let entry = if self.asks || waits { Entry::Waiting } else { Entry::In };
        self.people.insert(uid.to_owned(), Person { name: name.to_owned(), entry, guest });
        Ok(entry)
    }

    /// Makes a change; `code` is the next code, if it needs one. False if it names somebody who never came.
    pub fn change(&mut self, change: &AdmissionChange, code: &str) -> bool {
        let (uid, entry) = match change {
            AdmissionChange::NewCode => {
                self.code = Some(code.to_owned());
                return true;
            }
            AdmissionChange::Lock(on) => {
                self.locked = *on;
                return true;
            }
            AdmissionChange::Ask(on) => {
                self.asks = *on;
                return true;
            }
            AdmissionChange::LetIn(uid) => (uid, Entry::In),
            AdmissionChange::Kick(uid) => (uid, Entry::Out),
        };
        let Some(person) = self.people.get_mut(uid) else { return false };
        // Somebody refused before they came in knows the code as well.
        if entry == Entry::Out && person.entry != Entry::Out && self.code.is_some() {
            self.code = Some(code.to_owned());
        }
        person.entry = entry;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission() -> Admission {
        Admission { code: Some("ABC234".to_owned()), ..Admission::default() }
    }

    #[test]
    fn whoever_gave_the_code_comes_back_until_they_are_shown_out() {
        let mut admission = admission();
        assert_eq!(admission.entry("gus"), None);
        assert_eq!(admission.join("gus", "Gus", true, false), Ok(Entry::In));
        assert!(admission.change(&AdmissionChange::Lock(true), "NEW222"));
        assert_eq!(
            admission.join("gus", "Gus", true, false),
            Ok(Entry::In),
            "a lock keeps nobody out who was in"
        );
        assert_eq!(admission.join("eve", "Eve", true, false), Err(NotJoined::Locked));
        assert_eq!(admission.code.as_deref(), Some("ABC234"));
        assert!(admission.change(&AdmissionChange::Kick("gus".to_owned()), "NEW222"));
        assert_eq!(admission.code.as_deref(), Some("NEW222"), "the code that they know ends");
        admission.change(&AdmissionChange::Lock(false), "");
        assert_eq!(admission.join("gus", "Gus", true, false), Err(NotJoined::Out));
        assert!(admission.change(&AdmissionChange::LetIn("gus".to_owned()), "NEW333"));
        assert_eq!((admission.entry("gus"), admission.code.as_deref()), (Some(Entry::In), Some("NEW222")));
        assert!(!admission.change(&AdmissionChange::Kick("nobody".to_owned()), "NEW444"));
        assert_eq!(admission.code.as_deref(), Some("NEW222"));
    }

    #[test]
    fn where_the_host_lets_in_everybody_new_waits() {
        let mut admission = admission();
        admission.change(&AdmissionChange::Ask(true), "");
        assert_eq!(admission.join("gus", "Gus", true, false), Ok(Entry::Waiting));
        assert_eq!(admission.join("gus", "Gus", true, false), Ok(Entry::Waiting));
        admission.change(&AdmissionChange::LetIn("gus".to_owned()), "");
        assert_eq!(admission.entry("gus"), Some(Entry::In));
        admission.change(&AdmissionChange::Ask(false), "");
        assert_eq!(
            admission.join("may", "May", false, true),
            Ok(Entry::Waiting),
            "as they must while codes are guessed"
        );
    }

    #[test]
    fn a_table_remembers_so_many_people_and_refuses_more() {
        let mut admission = admission();
        for nth in 0..PEOPLE {
            assert_eq!(admission.join(&nth.to_string(), "Gus", true, false), Ok(Entry::In));
        }
        assert_eq!(admission.join("more", "Gus", true, false), Err(NotJoined::Full));
        assert_eq!(admission.join("7", "Gus", true, false), Ok(Entry::In));
    }
}
