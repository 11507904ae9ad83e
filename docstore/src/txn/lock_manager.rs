//! The manners of transactions: a write waits for the transactions that have read what it changes.
//!
//! Nothing is ever right because of a lock. What a transaction read is validated when it commits, whether locks were
//! held, given up or lost in a restart; they only keep transactions from failing each other for nothing. A
//! transaction holds shared locks on the documents it has read, a commit holds its documents alone while it is on its
//! way, and both wait first come, first served. Two readers that both go on to write the document would wait for
//! each other: the younger is told to start over at once, and for a while the document is given to one reading
//! transaction at a time, so that the next ones queue up and each succeeds the first time.

mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transfers;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use self::table::{Asked, Mode, Outcome, Owner, RequestId, Table};
use super::TxnId;
use crate::commit::contention;
use crate::key::Key;
use crate::{Code, Error, Result};

/// How long to wait for a lock. A holder that was silent for as long loses its locks then.
pub const LOCK_WAIT: Duration = Duration::from_secs(15);
/// How long after the last contention a document is still given to one reading transaction at a time.
pub const CONTENDED_FOR: Duration = Duration::from_secs(10);
/// How many contended documents are remembered.
pub const CONTENDED_KEYS: usize = 1_024;
/// How many documents one transaction locks at most; validation alone covers what it reads beyond.
pub const LOCKED_KEYS: usize = 10_000;

/// All locks of a store.
#[derive(Debug)]
pub(crate) struct LockManager {
    /// Zero turns manners off.
    wait: Duration,
    /// LockGuard for a look-up, never across an await.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    table: Table,
    /// Until when a document counts as contended.
    contended: HashMap<Key, Instant>,
    /// When each holder was last seen.
    last_seen: HashMap<Owner, Instant>,
    next_commit: u64,
}

/// Everything an owner holds, let go when dropped.
#[derive(Debug)]
pub(crate) struct LockGuard<'a> {
    locks: &'a LockManager,
    owner: Owner,
}

impl LockGuard<'_> {
    /// Waits until the owner holds `keys` alone.
    ///
    /// # Errors
    /// `Aborted` when the wait was too long or could never end.
    pub(crate) async fn alone(&self, keys: Vec<Key>) -> Result<()> {
        if self.locks.wait.is_zero() {
            return Ok(());
        }
        let wants = keys.into_iter().map(|key| (key, Mode::Exclusive)).collect();
        self.locks.acquire(self.owner, wants).await.map(drop)
    }
}

impl Drop for LockGuard<'_> {
    fn drop(&mut self) {
        self.locks.state().release(self.owner);
    }
}

/// A place in the queues, given up when dropped.
struct Place<'a> {
    locks: &'a LockManager,
    request: RequestId,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.locks.state().table.withdraw(self.request);
    }
}

impl LockManager {
    /// No locks yet; `wait` is how long to wait for one, and zero turns locking off.
    pub(crate) fn new(wait: Duration) -> Self {
        Self { wait, state: Mutex::default() }
    }

    /// LockManager what a transaction is about to read. Returns whether it had to wait. When that is too long or could never
    /// end, the transaction goes on without any lock, and its commit decides: clients expect to lose there.
    ///
    /// # Errors
    /// `InvalidArgument` when the transaction ended meanwhile.
    pub(crate) async fn read(&self, txn: TxnId, keys: impl IntoIterator<Item = Key>) -> Result<bool> {
        if self.wait.is_zero() {
            return Ok(false);
        }
        let owner = Owner::Txn(txn);
        let wants = {
            let mut state = self.state();
            let room = LOCKED_KEYS.saturating_sub(state.table.held(owner));
            state.wants_of_reader(owner, keys.into_iter().take(room))
        };
        match self.acquire(owner, wants).await {
            Err(error) if error.code() == Code::Aborted => Ok(true),
            outcome => outcome,
        }
    }

    /// Takes over a transaction's locks for its commit, until the result is dropped.
    pub(crate) fn commit_in(&self, txn: TxnId) -> LockGuard<'_> {
        LockGuard { locks: self, owner: Owner::Txn(txn) }
    }

    /// Whether anybody holds anything: if not, which is nearly always so, a commit need not ask.
    pub(crate) fn are_held(&self) -> bool {
        !self.state().table.is_empty()
    }

    /// Holds documents alone for a commit outside any transaction; `None` when nobody is in its way.
    ///
    /// # Errors
    /// As [`LockGuard::alone`].
    pub(crate) async fn commit(&self, keys: Vec<Key>) -> Result<Option<LockGuard<'_>>> {
        let owner = {
            let mut state = self.state();
            let owner = Owner::Commit(state.next_commit);
            if !keys.iter().any(|key| state.table.is_taken(key, owner)) {
                return Ok(None);
            }
            state.next_commit += 1;
            owner
        };
        let held = LockGuard { locks: self, owner };
        held.alone(keys).await?;
        Ok(Some(held))
    }

    /// Lets go of everything a transaction holds.
    pub(crate) fn release(&self, txn: TxnId) {
        self.state().release(Owner::Txn(txn));
    }

    async fn acquire(&self, owner: Owner, mut wants: Vec<(Key, Mode)>) -> Result<bool> {
        // A key that occurs twice is wanted once, as much of it as is wanted at most.
        wants
            .sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| (*x == Mode::Shared).cmp(&(*y == Mode::Shared))));
        wants.dedup_by(|(a, _), (b, _)| a == b);
        if wants.is_empty() {
            return Ok(false);
        }
        let keys: Vec<Key> = wants.iter().map(|(key, _)| key.clone()).collect();
        let (place, woken) = {
            let mut state = self.state();
            let now = Instant::now();
            let asked = state.table.ask(owner, wants);
            let contended = state.table.take_contended();
            state.contend(contended, now);
            match asked {
                Asked::Granted => {
                    state.last_seen.insert(owner, now);
                    return Ok(false);
                }
                Asked::Waiting(request, woken) => {
                    state.still_contended(&keys, now);
                    if state.table.held(owner) > 0 {
                        state.last_seen.insert(owner, now);
                    }
                    (Place { locks: self, request }, woken)
                }
                Asked::Lost => {
                    state.last_seen.remove(&owner);
                    return Err(contention());
                }
            }
        };
        let outcome = tokio::time::timeout(self.wait, woken).await;
        drop(place);
        let mut state = self.state();
        let now = Instant::now();
        match outcome {
            Ok(Ok(Outcome::Granted)) => {
                state.last_seen.insert(owner, now);
                Ok(true)
            }
            Ok(Ok(Outcome::Lost)) => {
                state.last_seen.remove(&owner);
                Err(contention())
            }
            // The transaction ended while it waited.
            Ok(Err(_)) => Err(super::invalid()),
            Err(_) => {
                for holder in state.table.holders(&keys, owner) {
                    let silent =
                        state.last_seen.get(&holder).is_none_or(|last_seen| now - *last_seen >= self.wait);
                    if silent {
                        state.release(holder);
                    }
                }
                state.release(owner);
                Err(Error::new(Code::Aborted, "TransactionLockTimeout", "Transaction lock timeout."))
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn release(&mut self, owner: Owner) {
        self.last_seen.remove(&owner);
        self.table.release(owner);
    }

    /// Shared locks, and whole ones on contended documents.
    fn wants_of_reader(&mut self, owner: Owner, keys: impl Iterator<Item = Key>) -> Vec<(Key, Mode)> {
        let now = Instant::now();
        let mut wants = Vec::new();
        for key in keys.filter(|key| !self.table.holds(key, owner)) {
            let contended = self.contended.get(&key).is_some_and(|until| *until > now);
            let mode = if contended { Mode::Exclusive } else { Mode::Shared };
            wants.push((key, mode));
        }
        if let Some(last_seen) = self.last_seen.get_mut(&owner) {
            *last_seen = now;
        }
        wants
    }

    fn contend(&mut self, keys: Vec<Key>, now: Instant) {
        for key in keys {
            if self.contended.len() >= CONTENDED_KEYS {
                self.contended.retain(|_, until| *until > now);
            }
            if self.contended.len() < CONTENDED_KEYS || self.contended.contains_key(&key) {
                self.contended.insert(key, now + CONTENDED_FOR);
            }
        }
    }

    fn still_contended(&mut self, keys: &[Key], now: Instant) {
        if self.contended.is_empty() {
            return;
        }
        for key in keys {
            if let Some(until) = self.contended.get_mut(key) {
                *until = now + CONTENDED_FOR;
            }
        }
    }
}
