//! Transactions of server clients: reads at one version that the commit then validates.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::SharedClock;
use crate::model::{DatabaseId, Ts};
use crate::reads::{MAX_READS, ReadSet};
use crate::{Code, Error, Result};

/// How many transactions may be open at once.
pub const MAX_TRANSACTIONS: usize = 10_000;
/// How long a transaction may idle. Source: Firestore's limits.
pub const IDLE_LIMIT: Duration = Duration::from_secs(60);
/// How long a transaction may last. Source: Firestore's limits.
pub const TOTAL_LIMIT: Duration = Duration::from_secs(270);

/// A transaction's id, unguessable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TxnId(u128);

impl TxnId {
    /// As the wire has it.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// `InvalidArgument` (`InvalidTransaction`) for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        bytes.try_into().map(|bytes| Self(u128::from_be_bytes(bytes))).map_err(|_| invalid())
    }
}

/// What kind of transaction to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TxnOptions {
    /// Only reads, all at one version: the newest, or the one given.
    ReadOnly {
        /// The version.
        at: Option<Ts>,
    },
    /// Reads, then a commit.
    ReadWrite {
        /// The transaction this one retries.
        retry: Option<TxnId>,
    },
}

/// An open transaction.
#[derive(Debug)]
struct Txn {
    database: DatabaseId,
    read_only: bool,
    at: Ts,
    reads: ReadSet,
    begun: Ts,
    used: Ts,
}

/// All open transactions of a store.
#[derive(Debug)]
pub(crate) struct Transactions {
    clock: SharedClock,
    /// Held for a look-up, never across an await.
    open: Mutex<HashMap<TxnId, Txn>>,
}

/// What a commit takes over from its transaction.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    pub(crate) reads: ReadSet,
    pub(crate) at: Ts,
    pub(crate) read_only: bool,
}

impl Transactions {
    pub(crate) fn new(clock: SharedClock) -> Self {
        Self { clock, open: Mutex::default() }
    }

    /// Opens a transaction that reads at `at`.
    pub(crate) fn begin(&self, database: &DatabaseId, options: TxnOptions, at: Ts) -> Result<TxnId> {
        let now = self.clock.now();
        let mut open = self.lock();
        if open.len() >= MAX_TRANSACTIONS {
            open.retain(|_, txn| !expired(txn, now));
            if open.len() >= MAX_TRANSACTIONS {
                return Err(Error::new(
                    Code::ResourceExhausted,
                    "TooManyTransactions",
                    format!("More than {MAX_TRANSACTIONS} transactions are open; commit or roll back some."),
                ));
            }
        }
        if let TxnOptions::ReadWrite { retry: Some(retried) } = options {
            open.remove(&retried);
        }
        let id = TxnId(rand::random());
        let read_only = matches!(options, TxnOptions::ReadOnly { .. });
        let txn = Txn {
            database: database.clone(),
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

    /// Notes what a transaction has read.
    pub(crate) fn note(&self, database: &DatabaseId, id: TxnId, reads: ReadSet) -> Result<()> {
        self.with(database, id, |txn| {
            if txn.read_only {
                return Ok(());
            }
            txn.reads.merge(reads);
            if txn.reads.len() > MAX_READS {
                return Err(Error::invalid(
                    "TooManyReads",
                    format!("A transaction may read at most {MAX_READS} documents and ranges."),
                ));
            }
            Ok(())
        })?
    }

    /// Closes a transaction for its commit or rollback.
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
            return Err(Error::invalid(
                "TransactionExpired",
                "The referenced transaction has expired or is no longer valid.",
            ));
        }
        txn.used = now;
        Ok(use_it(txn))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TxnId, Txn>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
