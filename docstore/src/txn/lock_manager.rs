//! The lock manager: a write waits for the transactions that have read the documents it changes.
//!
//! Correctness never rests on a lock. A transaction's reads are validated when it commits, whether its locks were held,
//! given up or lost in a restart; locks only spare transactions needless failures. A transaction holds shared locks on
//! the documents it has read, a commit in progress holds exclusive ones on its documents, and both wait first come,
//! first served. Two readers that both go on to write a document would wait for each other: the younger is told to
//! start over at once, and for a while only one transaction at a time may read the document, so that the next ones
//! queue up and each succeeds at the first attempt.

mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transfers;

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use self::table::{Asked, LockMode, Outcome, Owner, RequestId, Table};
use super::TxnId;
use crate::encoding::key::Key;
use crate::error::contention;
use crate::{Code, Error, Result};

/// Longest wait for a lock. A holder that was inactive for as long then loses its locks.
pub const LOCK_WAIT: Duration = Duration::from_secs(15);
/// Time after the last contention during which only one transaction at a time reads a document.
pub const CONTENDED_FOR: Duration = Duration::from_secs(10);
/// Contended documents remembered.
pub const CONTENDED_KEYS: usize = 1_024;
/// Documents locked by one transaction; reads beyond are covered by validation alone.
pub const LOCKED_KEYS: usize = 10_000;

/// All locks of a store.
#[derive(Debug)]
pub(crate) struct LockManager {
    /// Longest wait; zero disables locking.
    wait: Duration,
    /// Locked for a lookup, never across an await.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    table: Table,
    /// End of each document's contended time.
    contended: HashMap<Key, Instant>,
    /// Last activity of each holder.
    last_seen: HashMap<Owner, Instant>,
    next_commit: u64,
}

/// All locks of an owner, released when dropped.
#[derive(Debug)]
pub(crate) struct LockGuard<'a> {
    locks: &'a LockManager,
    owner: Owner,
}

impl LockGuard<'_> {
    /// Waits for exclusive locks on `keys`.
    ///
    /// # Errors
    /// `Aborted` when the wait is too long or could never end.
    pub(crate) async fn alone(&self, keys: Vec<Key>) -> Result<()> {
        if self.locks.wait.is_zero() {
            return Ok(());
        }
        let wants = keys.into_iter().map(|key| (key, LockMode::Exclusive)).collect();
        self.locks.acquire(self.owner, wants).await.map(drop)
    }
}

impl Drop for LockGuard<'_> {
    fn drop(&mut self) {
        self.locks.state().release(self.owner);
    }
}

/// A waiting request, withdrawn when dropped.
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
    /// No locks yet; `wait` is the longest wait for one, and zero disables locking.
    pub(crate) fn new(wait: Duration) -> Self {
        Self { wait, state: Mutex::default() }
    }

    /// Locks the documents a transaction is about to read. Returns true if it had to wait. If the wait is too long or
    /// could never end, the transaction continues without locks, and its commit decides: clients expect conflicts
    /// there.
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

    /// Takes over a transaction's locks for its commit, until the guard is dropped.
    pub(crate) fn commit_in(&self, txn: TxnId) -> LockGuard<'_> {
        LockGuard { locks: self, owner: Owner::Txn(txn) }
    }

    /// True if any lock is held; usually none is, and a commit need not ask for any.
    pub(crate) fn are_held(&self) -> bool {
        !self.state().table.is_empty()
    }

    /// Takes exclusive locks for a commit outside any transaction; `None` when nobody is in its way.
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

    /// Releases everything a transaction holds.
    pub(crate) fn release(&self, txn: TxnId) {
        self.state().release(Owner::Txn(txn));
    }

    async fn acquire(&self, owner: Owner, mut wants: Vec<(Key, LockMode)>) -> Result<bool> {
        // Of a key that occurs twice, keep the stronger mode.
        wants.sort_by(|(a, x), (b, y)| {
            a.cmp(b).then_with(|| (*x == LockMode::Shared).cmp(&(*y == LockMode::Shared)))
        });
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
        self.state.lock()
    }
}

impl State {
    fn release(&mut self, owner: Owner) {
        self.last_seen.remove(&owner);
        self.table.release(owner);
    }

    /// Shared locks, and exclusive ones on contended documents.
    fn wants_of_reader(&mut self, owner: Owner, keys: impl Iterator<Item = Key>) -> Vec<(Key, LockMode)> {
        let now = Instant::now();
        let mut wants = Vec::new();
        for key in keys.filter(|key| !self.table.holds(key, owner)) {
            let contended = self.contended.get(&key).is_some_and(|until| *until > now);
            let mode = if contended { LockMode::Exclusive } else { LockMode::Shared };
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
