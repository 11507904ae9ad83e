//! The tables awake and their memory: those where nobody is make room for others.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::super::actor::Request;
use super::super::limits::{LIVE_TABLES, WAKING_BYTES};
use super::super::messages::Refused;
use super::super::presence::Presence;

/// Most bytes of the tables awake.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Memory {
    pub(in super::super) of_all: usize,
    /// Of the projects of one owner.
    pub(in super::super) of_owner: usize,
    /// Of the sample tables.
    pub(in super::super) of_samples: usize,
}

/// The tables awake.
#[derive(Default)]
pub(super) struct Awake {
    pub(super) mailboxes: HashMap<String, Mailbox>,
    pub(super) actors: u64,
}

pub(super) struct Mailbox {
    /// Number of the actor that reads it.
    pub(super) actor: u64,
    pub(super) sender: mpsc::Sender<Request>,
    /// None for sample tables, which share among themselves.
    pub(super) owner: Option<String>,
    pub(super) presence: Arc<Presence>,
}

/// No room for another table.
pub(super) struct Crowded {
    /// The tables that were asked to make some.
    pub(super) resting: Vec<mpsc::Sender<Request>>,
    /// The refusal, if they do not.
    pub(super) why: Refused,
}

impl Awake {
    /// Succeeds if another table of an owner fits. If it does not, tables where nobody is are asked to make room, those first
    /// that have been empty longest.
    pub(super) fn has_room(&self, owner: Option<&str>, most: Memory) -> Result<(), Crowded> {
        let all = || self.mailboxes.values().filter(|table| !table.sender.is_closed());
        let bytes = |table: &Mailbox| table.presence.bytes();
        let is_own = |table: &&Mailbox| table.owner.as_deref() == owner;
        let share = if owner.is_some() { most.of_owner } else { most.of_samples };
        let of_all = all().map(bytes).sum::<usize>() + WAKING_BYTES;
        let of_owner = all().filter(is_own).map(bytes).sum::<usize>() + WAKING_BYTES;
        let is_full = of_all > most.of_all || self.mailboxes.len() >= LIVE_TABLES;
        if !is_full && of_owner <= share {
            return Ok(());
        }
        let mut over = of_owner.saturating_sub(share).max(of_all.saturating_sub(most.of_all)).max(1);
        let is_candidate = |table: &&Mailbox| is_full || is_own(table);
        let empty = all().filter(is_candidate).map(|table| (table.presence.empty_since(), table));
        let mut empty: Vec<_> = empty.filter(|(since, _)| *since > 0).collect();
        empty.sort_unstable_by_key(|(since, _)| *since);
        // Those that others have asked already make room for those others.
        let (asked, free): (Vec<_>, Vec<_>) =
            empty.into_iter().partition(|(_, table)| table.presence.rests());
        let mut resting = Vec::new();
        for (_, table) in free {
            if over == 0 {
                break;
            }
            table.presence.set_rests(true);
            if table.sender.try_send(Request::Rest).is_ok() {
                over = over.saturating_sub(bytes(table));
                resting.push(table.sender.clone());
            } else {
                table.presence.set_rests(false);
            }
        }
        if resting.is_empty() {
            resting.extend(asked.into_iter().map(|(_, table)| table.sender.clone()));
        }
        let why = match owner {
            _ if is_full => Refused::TooMany,
            Some(_) => Refused::OwnerFull,
            None => Refused::SamplesFull,
        };
        Err(Crowded { resting, why })
    }
}
