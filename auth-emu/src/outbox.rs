//! Messages that nobody delivers: they wait here, in memory, for a person at the console.
//!
//! Only hashes of codes are stored; the outbox is the one place that still knows the codes, and it forgets
//! them on use and at exit.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::wire::OobRequestType;

/// How many messages wait; the oldest are dropped.
const MAX_MESSAGES: usize = 1_000;

/// One out-of-band code, as the emulator's listing shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OobMessage {
    pub(crate) email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_email: Option<String>,
    pub(crate) request_type: OobRequestType,
    pub(crate) oob_code: String,
    pub(crate) oob_link: String,
}

/// One text message.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsMessage {
    pub(crate) phone_number: String,
    pub(crate) session_info: String,
    pub(crate) code: String,
}

/// A message and the project and tenant that it belongs to.
#[derive(Debug)]
struct Waiting<T> {
    realm: (String, Option<String>),
    message: T,
}

/// A bounded list of messages.
#[derive(Debug)]
pub(crate) struct Outbox<T>(Mutex<VecDeque<Waiting<T>>>);

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Outbox<T> {
    /// Adds a message.
    pub(crate) fn push(&self, project: &str, tenant: Option<&str>, message: T) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() == MAX_MESSAGES {
            waiting.pop_front();
        }
        let realm = (project.to_owned(), tenant.map(ToOwned::to_owned));
        waiting.push_back(Waiting { realm, message });
    }

    /// The messages of a project or tenant, oldest first.
    pub(crate) fn list(&self, project: &str, tenant: Option<&str>) -> Vec<T> {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = |entry: &&Waiting<T>| entry.realm.0 == project && entry.realm.1.as_deref() == tenant;
        waiting.iter().filter(mine).map(|entry| entry.message.clone()).collect()
    }

    /// Drops the messages that `used` picks.
    pub(crate) fn remove(&self, used: impl Fn(&T) -> bool) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|entry| !used(&entry.message));
    }
}
