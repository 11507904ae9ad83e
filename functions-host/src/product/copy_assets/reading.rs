//! Reading and committing as the caller, for a move in one transaction: it takes effect only if nothing that it rests on has
//! changed meanwhile.

use docstore::Code;
use docstore::Result;
use docstore::access::Caller;
use docstore::commit::{Committed, Draft, MAX_COMMIT_BYTES, write_weight};
use docstore::database::Database;
use docstore::model::{CollectionPath, DocPath, Document, Write};
use docstore::session::Session;
use docstore::txn::{TxnId, TxnOptions};

use crate::functions::callable::CallError;
use crate::product::read_all::read_all_in;

/// A caller's session, and the transaction of a move.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    session: Session,
    txn: Option<TxnId>,
}

impl Reading {
    /// A reading outside any transaction.
    pub(super) fn new(database: &Database, caller: Caller) -> Self {
        Self { session: database.as_caller(caller), txn: None }
    }

    /// The same in a transaction of its own.
    ///
    /// # Errors
    /// `ResourceExhausted` if too many are open.
    pub(super) async fn in_transaction(&self) -> Result<Self> {
        let txn = self.session.begin(TxnOptions::ReadWrite { retry: None }).await?;
        Ok(Self { session: self.session.clone(), txn: Some(txn) })
    }

    /// The session, outside the transaction.
    pub(super) const fn session(&self) -> &Session {
        &self.session
    }

    /// Those of the documents that are there.
    ///
    /// # Errors
    /// `PermissionDenied`; those of the store.
    pub(super) async fn get(&self, paths: &[DocPath]) -> Result<Vec<Document>> {
        let found = match self.txn {
            Some(txn) => self.session.get_in(txn, paths).await?,
            None => self.session.get(paths, None).await?,
        };
        Ok(found.value.into_iter().flatten().collect())
    }

    /// Some fields of all documents of a collection.
    ///
    /// # Errors
    /// Those of [`read_all_in`].
    pub(super) async fn all(
        &self,
        collection: &CollectionPath,
        fields: &[&str],
    ) -> Result<Vec<Document>, CallError> {
        read_all_in(&self.session, self.txn, collection, fields).await
    }

    /// Commits writes, and ends the transaction. Without writes nothing is committed.
    ///
    /// # Errors
    /// `FailedPrecondition` for more than one commit holds, `Aborted` if something was changed meanwhile, `PermissionDenied`;
    /// those of the store.
    pub(super) async fn commit(&self, writes: Vec<Write>) -> Result<Option<Committed>, CallError> {
        if writes.is_empty() {
            self.give_up().await;
            return Ok(None);
        }
        if writes.iter().map(write_weight).sum::<usize>() > MAX_COMMIT_BYTES {
            self.give_up().await;
            return Err(CallError::new(
                Code::FailedPrecondition,
                format!(
                    "This is more than {} MiB at a time, with the kept versions of layouts. Take fewer together, or \
                     delete versions that nobody needs.",
                    MAX_COMMIT_BYTES >> 20
                ),
            ));
        }
        let draft = Draft { writes, txn: self.txn };
        Ok(Some(self.session.commit(draft).await?))
    }

    /// Ends the transaction without writing. One that is over already has nothing to end.
    pub(super) async fn give_up(&self) {
        if let Some(txn) = self.txn {
            let _ = self.session.rollback(txn).await;
        }
    }
}
