//! Transactions of server clients: reads at one version, validated by the commit, and the locks that spare them
//! needless failures.

mod lock_manager;
pub mod reads;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use lock_manager::LockManager;
pub use lock_manager::{CONTENDED_FOR, CONTENDED_KEYS, LOCK_WAIT, LOCKED_KEYS};

use parking_lot::Mutex;

use crate::clock::SharedClock;
use crate::engine::{Author, Commit};
use crate::model::{DatabaseId, Ts};
use crate::txn::reads::{MAX_READS, ReadSet};
use crate::{Code, Error, Result};

/// Transactions that may be open at once.
pub const MAX_TRANSACTIONS: usize = 10_000;
/// Open transactions of callers under the access policy; the rest is reserved for servers.
pub const MAX_TRANSACTIONS_OF_CALLERS: usize = 5_000;
/// Open transactions of one such caller; all anonymous callers count as one.
pub const MAX_TRANSACTIONS_OF_ONE: usize = 200;
/// Ranges and keys read by the open transactions of all such callers; the limit for one is [`MAX_READS`].
pub const MAX_READS_OF_CALLERS: usize = 10 * MAX_READS;
/// Longest idle time of a transaction. Source: Firestore's limits.
pub const IDLE_LIMIT: Duration = Duration::from_secs(60);
/// Longest duration of a transaction. Source: Firestore's limits.
pub const TOTAL_LIMIT: Duration = Duration::from_secs(270);

/// A transaction's id, unguessable: start time of its first attempt, then random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxnId(u128);

impl TxnId {
    /// Older than every transaction.
    pub(crate) const OLDEST: Self = Self(0);

    /// A transaction that begins at `now`, or has the age of the one it retries.
    fn fresh(now: Ts, retried: Option<Self>) -> Self {
        let own = u128::from(now.micros());
        // The client chooses the retried id, so it may not make the transaction younger than it is.
        let birth = retried.map_or(own, |retried| own.min(retried.0 >> 64));
        Self(birth << 64 | u128::from(rand::random::<u64>()))
    }

    /// Bytes of the id on the wire.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// Parses the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// `InvalidArgument` (`InvalidTransaction`) for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        bytes.try_into().map(|bytes| Self(u128::from_be_bytes(bytes))).map_err(|_| invalid())
    }
}

/// Kind of a new transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TxnOptions {
    /// Reads only, all at one version: the newest, or the one given.
    ReadOnly {
        /// Version to read at.
        at: Option<Ts>,
    },
    /// Reads, then a commit.
    ReadWrite {
        /// Transaction that this one retries.
        retry: Option<TxnId>,
    },
}

/// An open transaction.
#[derive(Debug)]
struct Txn {
    database: DatabaseId,
    /// Caller who began it.
    by: Author,
    read_only: bool,
    /// Version of its reads. They must be the same at the commit, or the commit fails.
    at: Ts,
    reads: ReadSet,
    begun: Ts,
    used: Ts,
}

/// All open transactions of a store.
#[derive(Debug)]
pub(crate) struct Transactions {
    clock: SharedClock,
    /// Locked for a lookup, never across an await.
    open: Mutex<HashMap<TxnId, Txn>>,
    pub(crate) locks: LockManager,
}

/// State that a commit takes over from its transaction.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    pub(crate) reads: ReadSet,
    pub(crate) at: Ts,
    pub(crate) read_only: bool,
}

impl Transactions {
    /// No open transactions; `lock_wait` is the longest wait for a lock.
    pub(crate) fn new(clock: SharedClock, lock_wait: Duration) -> Self {
        Self { clock, open: Mutex::default(), locks: LockManager::new(lock_wait) }
    }

    /// Begins a transaction that reads at `at`.
    pub(crate) fn begin(
        &self,
        database: &DatabaseId,
        by: Author,
        options: TxnOptions,
        at: Ts,
    ) -> Result<TxnId> {
        let now = self.clock.now();
        let mut open = self.lock();
        if let Err(too_many) = room(&open, &by) {
            open.retain(|id, txn| {
                let keep = !expired(txn, now);
                if !keep {
                    self.locks.release(*id);
                }
                keep
            });
            if room(&open, &by).is_err() {
                return Err(Error::new(
                    Code::ResourceExhausted,
                    "TooManyTransactions",
                    format!("More than {too_many} transactions are open; commit or roll back some."),
                ));
            }
        }
        let retried = match options {
            TxnOptions::ReadWrite { retry } => retry,
            TxnOptions::ReadOnly { .. } => None,
        };
        if let Some(retried) = retried
            && open.get(&retried).is_none_or(|txn| txn.database == *database)
        {
            open.remove(&retried);
            self.locks.release(retried);
        }
        let id = TxnId::fresh(now, retried);
        let read_only = matches!(options, TxnOptions::ReadOnly { .. });
        let txn = Txn {
            database: database.clone(),
            by,
            read_only,
            at,
            reads: ReadSet::default(),
            begun: now,
            used: now,
        };
        open.insert(id, txn);
        Ok(id)
    }

    /// The version a transaction reads at.
    pub(crate) fn read_time(&self, database: &DatabaseId, id: TxnId) -> Result<Ts> {
        self.with(database, id, |txn| txn.at)
    }

    /// Caller who began a transaction.
    pub(crate) fn author(&self, database: &DatabaseId, id: TxnId) -> Result<Author> {
        self.with(database, id, |txn| txn.by.clone())
    }

    /// Version for a transaction's next read: `newest`, as long as nothing that it has read has changed since.
    /// `commits` are those after the version given; `None` when they are too many to check.
    pub(crate) fn next_read(
        &self,
        database: &DatabaseId,
        id: TxnId,
        newest: Ts,
        commits: impl FnOnce(Ts) -> Option<Vec<Arc<Commit>>>,
    ) -> Result<Ts> {
        self.with(database, id, |txn| {
            let unchanged = |txn: &Txn| {
                txn.reads.is_empty()
                    || commits(txn.at).is_some_and(|all| !all.iter().any(|commit| txn.reads.overlaps(commit)))
            };
            if !txn.read_only && txn.at < newest && unchanged(txn) {
                txn.at = newest;
            }
            txn.at
        })
    }

    /// Records a transaction's reads at `at`.
    pub(crate) fn note(&self, database: &DatabaseId, id: TxnId, reads: ReadSet, at: Ts) -> Result<()> {
        let others = self.reads_of_callers(database, id)?;
        self.with(database, id, |txn| {
            if txn.read_only {
                return Ok(());
            }
            // A concurrent read of the transaction may have advanced it.
            txn.at = txn.at.min(at);
            txn.reads.merge(reads);
            if txn.reads.len() > MAX_READS {
                return Err(Error::invalid(
                    "TooManyReads",
                    format!("A transaction may read at most {MAX_READS} documents and ranges."),
                ));
            }
            if let Some((own, all)) = others
                && (own + txn.reads.len() > MAX_READS || all + txn.reads.len() > MAX_READS_OF_CALLERS)
            {
                let message = "The open transactions have read too much together; commit or roll back some.";
                return Err(Error::new(Code::ResourceExhausted, "TooManyReads", message));
            }
            Ok(())
        })?
    }

    /// Number of reads of the other open transactions of this caller, and of all callers under the access policy;
    /// `None` for a caller who is not under it.
    fn reads_of_callers(&self, database: &DatabaseId, id: TxnId) -> Result<Option<(usize, usize)>> {
        let by = self.author(database, id)?;
        if !by.is_under_rules() {
            return Ok(None);
        }
        let open = self.lock();
        let others = open.iter().filter(|(other, txn)| **other != id && txn.by.is_under_rules());
        let (mut own, mut all) = (0, 0);
        for (_, txn) in others {
            all += txn.reads.len();
            own += if txn.by == by { txn.reads.len() } else { 0 };
        }
        Ok(Some((own, all)))
    }

    /// True if a transaction locks the documents it reads.
    pub(crate) fn locks_reads(&self, database: &DatabaseId, id: TxnId) -> Result<bool> {
        self.with(database, id, |txn| !txn.read_only && !txn.by.is_under_rules())
    }

    /// Closes a transaction without a commit.
    pub(crate) fn roll_back(&self, database: &DatabaseId, id: TxnId) -> Result<()> {
        self.end(database, id)?;
        self.locks.release(id);
        Ok(())
    }

    /// Closes a transaction for its commit, which takes its locks over.
    pub(crate) fn end(&self, database: &DatabaseId, id: TxnId) -> Result<Ended> {
        self.with(database, id, |_| ())?;
        let txn = self.lock().remove(&id).ok_or_else(invalid)?;
        Ok(Ended { reads: txn.reads, at: txn.at, read_only: txn.read_only })
    }

    fn with<T>(&self, database: &DatabaseId, id: TxnId, use_it: impl FnOnce(&mut Txn) -> T) -> Result<T> {
        let now = self.clock.now();
        let mut open = self.lock();
        let txn = open.get_mut(&id).filter(|txn| txn.database == *database).ok_or_else(invalid)?;
        if expired(txn, now) {
            open.remove(&id);
            self.locks.release(id);
            return Err(Error::invalid(
                "TransactionExpired",
                "The referenced transaction has expired or is no longer valid.",
            ));
        }
        txn.used = now;
        Ok(use_it(txn))
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, HashMap<TxnId, Txn>> {
        self.open.lock()
    }
}

/// Checks whether this caller may open one more transaction; otherwise returns the limit.
fn room(open: &HashMap<TxnId, Txn>, by: &Author) -> std::result::Result<(), usize> {
    let fits = |count: usize, most: usize| if count < most { Ok(()) } else { Err(most) };
    fits(open.len(), MAX_TRANSACTIONS)?;
    if !by.is_under_rules() {
        return Ok(());
    }
    let callers = || open.values().filter(|txn| txn.by.is_under_rules());
    fits(callers().filter(|txn| txn.by == *by).count(), MAX_TRANSACTIONS_OF_ONE)?;
    fits(callers().count(), MAX_TRANSACTIONS_OF_CALLERS)
}

fn expired(txn: &Txn, now: Ts) -> bool {
    let over = |since: Ts, limit: Duration| {
        u128::from(now.micros().saturating_sub(since.micros())) > limit.as_micros()
    };
    over(txn.used, IDLE_LIMIT) || over(txn.begun, TOTAL_LIMIT)
}

fn invalid() -> Error {
    Error::invalid("InvalidTransaction", "Invalid transaction.")
}
