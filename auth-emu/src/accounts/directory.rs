//! Storage of accounts: documents of a reserved database, one subtree per tenant.
//!
//! Every change is a compare-and-set: it names the version of the account it was computed from and claims the unique
//! names it adds. If another change came first, nothing is written, and the caller reads and decides again.

use std::sync::Arc;

use docstore::Code;
use docstore::model::{
    CollectionPath, Cursor, Direction, DocPath, Document, FieldFilter, FieldOp, FieldPath, Filter, Order,
    Precondition, Query, Source, Ts, Value, Write, WriteOp,
};
use docstore::{Database, Draft};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Account, AccountLocks, Key, document_id, fields_of, record_of};
use crate::error::{ApiError, Result};

/// Attempts at a change while others keep winning the race.
pub(crate) const MAX_ATTEMPTS: usize = 16;
/// Accounts removed per commit when all are removed; each takes a handful of writes.
const REMOVE_BATCH: u32 = 50;

/// An account and the version that was read.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) account: Account,
    pub(crate) version: Ts,
}

/// Outcome of a compare-and-set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is durable.
    Done,
    /// Something it was computed from has changed; nothing was written.
    Conflict,
}

/// The failure after [`MAX_ATTEMPTS`] conflicts.
pub(crate) fn contended() -> ApiError {
    docstore::Error::new(Code::Aborted, "AccountContended", "the account keeps changing").into()
}

/// The accounts, and all their records, of one project or tenant.
#[derive(Debug, Clone)]
pub(crate) struct Directory {
    database: Database,
    /// `tenants/{id}/` or nothing.
    prefix: String,
    locks: Arc<AccountLocks>,
}

impl Directory {
    /// The directory of a project, or of one of its tenants.
    pub(crate) fn new(database: Database, tenant: Option<&str>, locks: Arc<AccountLocks>) -> Self {
        let prefix = tenant.map(|tenant| format!("tenants/{}/", document_id(tenant))).unwrap_or_default();
        Self { database, prefix, locks }
    }

    /// The collection `name` of this directory.
    pub(crate) fn collection(&self, name: &str) -> Result<CollectionPath> {
        Ok(CollectionPath::parse(&format!("{}{name}", self.prefix))?)
    }

    /// The record `id` (any text) of collection `name`.
    pub(crate) fn path(&self, name: &str, id: &str) -> Result<DocPath> {
        Ok(self.collection(name)?.doc(&document_id(id))?)
    }

    fn account_path(&self, local_id: &str) -> Result<DocPath> {
        self.path("accounts", local_id)
    }

    fn key_path(&self, key: &Key) -> Result<DocPath> {
        Ok(self.collection(key.collection())?.doc(&key.id())?)
    }

    /// The newest versions of some documents.
    pub(crate) async fn get(&self, paths: &[DocPath]) -> Result<Vec<Option<Document>>> {
        Ok(self.database.get(paths, None).await?.value)
    }

    /// The newest version of one record.
    pub(crate) async fn record<T: DeserializeOwned>(&self, path: &DocPath) -> Result<Option<(T, Ts)>> {
        let found = self.get(std::slice::from_ref(path)).await?.pop().flatten();
        found.map(|document| Ok((record_of(&document.fields)?, document.update_time))).transpose()
    }

    /// The account with this id.
    pub(crate) async fn by_id(&self, local_id: &str) -> Result<Option<Found>> {
        let found = self.record(&self.account_path(local_id)?).await?;
        Ok(found.map(|(account, version)| Found { account, version }))
    }

    /// The account that has this unique name.
    pub(crate) async fn by_key(&self, key: &Key) -> Result<Option<Found>> {
        let Some(owner) = self.owner_of(key).await? else { return Ok(None) };
        self.by_id(&owner).await
    }

    /// The account with this canonical address.
    pub(crate) async fn by_email(&self, email: &str) -> Result<Option<Found>> {
        self.by_key(&Key::Email(email.to_owned())).await
    }

    /// An account that some provider knows under this address.
    pub(crate) async fn by_provider_email(&self, email: &str) -> Result<Option<Found>> {
        Ok(self.with_member("providerEmails", email, 1).await?.pop())
    }

    async fn with_member(&self, field: &str, member: &str, limit: u32) -> Result<Vec<Found>> {
        let value = Value::String(member.to_owned());
        let filter = FieldFilter { field: FieldPath::parse(field)?, op: FieldOp::ArrayContains, value };
        let collection = self.collection("accounts")?;
        let query = Query { filter: Some(Filter::Field(filter)), limit: Some(limit), ..all_of(&collection) };
        let documents = self.database.run(&query, None).await?.documents;
        let found = |document: &Document| {
            Ok(Found { account: record_of(&document.fields)?, version: document.update_time })
        };
        documents.iter().map(found).collect()
    }

    /// Writes a new account.
    ///
    /// # Errors
    /// `DUPLICATE_LOCAL_ID`, or the error of a unique name that another account has.
    pub(crate) async fn create(&self, account: &Account, mut also: Vec<Write>) -> Result<()> {
        also.push(Write {
            path: self.account_path(&account.local_id)?,
            op: set(account)?,
            precondition: Precondition::Exists(false),
        });
        for key in Key::all_of(account) {
            also.push(self.claim(&key, &account.local_id)?);
        }
        match self.commit(also).await? {
            Outcome::Done => Ok(()),
            Outcome::Conflict => {
                self.refuse_taken(Key::all_of(account).iter(), &account.local_id).await?;
                match self.by_id(&account.local_id).await? {
                    Some(_) => Err(ApiError::bad("DUPLICATE_LOCAL_ID")),
                    None => Err(contended()),
                }
            }
        }
    }

    /// Replaces the account that was read as `found`.
    ///
    /// # Errors
    /// The error of a unique name that another account has.
    pub(crate) async fn replace(
        &self,
        found: &Found,
        after: &Account,
        mut also: Vec<Write>,
    ) -> Result<Outcome> {
        let (before, now) = (Key::all_of(&found.account), Key::all_of(after));
        also.push(Write {
            path: self.account_path(&after.local_id)?,
            op: set(after)?,
            precondition: Precondition::UpdateTime(found.version),
        });
        for key in now.difference(&before) {
            also.push(self.claim(key, &after.local_id)?);
        }
        for key in before.difference(&now) {
            also.push(delete(self.key_path(key)?));
        }
        let outcome = self.commit(also).await?;
        if outcome == Outcome::Conflict {
            self.refuse_taken(now.difference(&before), &after.local_id).await?;
        }
        Ok(outcome)
    }

    /// Changes an account: reads it, lets `change` edit it (and add further writes), and commits; repeats until no
    /// other change interfered. An unchanged account is not written.
    ///
    /// # Errors
    /// `USER_NOT_FOUND`, any refusal of `change`, or the error of a unique name that another account has.
    pub(crate) async fn update<T>(
        &self,
        local_id: &str,
        mut change: impl FnMut(&mut Account, &mut Vec<Write>) -> Result<T>,
    ) -> Result<(Account, T)> {
        let _guard = self.locks.of(local_id).await;
        for _ in 0..MAX_ATTEMPTS {
            let found = self.by_id(local_id).await?.ok_or_else(|| ApiError::bad("USER_NOT_FOUND"))?;
            let mut account = found.account.clone();
            let mut also = Vec::new();
            let answer = change(&mut account, &mut also)?;
            account.settle();
            let same = also.is_empty() && account == found.account;
            if same || self.replace(&found, &account, also).await? == Outcome::Done {
                return Ok((account, answer));
            }
        }
        Err(contended())
    }

    /// Removes an account with its names and sessions; does nothing if it is gone already.
    pub(crate) async fn remove(&self, local_id: &str) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(found) = self.by_id(local_id).await? else { return Ok(()) };
            let mut writes = self.removal(&found.account).await?;
            writes.push(Write {
                path: self.account_path(local_id)?,
                op: WriteOp::Delete,
                precondition: Precondition::UpdateTime(found.version),
            });
            if self.commit(writes).await? == Outcome::Done {
                return Ok(());
            }
        }
        Err(contended())
    }

    /// Removes every account.
    pub(crate) async fn remove_all(&self) -> Result<()> {
        loop {
            let accounts = self.list(None, REMOVE_BATCH, Direction::Ascending).await?;
            if accounts.is_empty() {
                return Ok(());
            }
            for account in accounts {
                self.remove(&account.local_id).await?;
            }
        }
    }

    async fn removal(&self, account: &Account) -> Result<Vec<Write>> {
        let mut writes = Vec::new();
        for key in Key::all_of(account) {
            writes.push(delete(self.key_path(&key)?));
        }
        for session in self.documents(&self.sessions(&account.local_id)?, None, u32::MAX).await? {
            writes.push(delete(session.path));
        }
        Ok(writes)
    }

    /// The collection of an account's refresh tokens.
    pub(crate) fn sessions(&self, local_id: &str) -> Result<CollectionPath> {
        Ok(self.account_path(local_id)?.child("sessions")?)
    }

    /// Accounts in the order of their ids, starting after `after`.
    pub(crate) async fn list(
        &self,
        after: Option<&str>,
        limit: u32,
        direction: Direction,
    ) -> Result<Vec<Account>> {
        let collection = self.collection("accounts")?;
        let start = after.map(|id| self.account_path(id)).transpose()?;
        let documents = self.query(&collection, start, limit, direction).await?;
        documents.iter().map(|document| record_of(&document.fields)).collect()
    }

    /// The documents of a collection in the order of their ids.
    pub(crate) async fn documents(
        &self,
        collection: &CollectionPath,
        after: Option<DocPath>,
        limit: u32,
    ) -> Result<Vec<Document>> {
        self.query(collection, after, limit, Direction::Ascending).await
    }

    async fn query(
        &self,
        collection: &CollectionPath,
        after: Option<DocPath>,
        limit: u32,
        direction: Direction,
    ) -> Result<Vec<Document>> {
        let query = Query {
            order_by: vec![Order { field: FieldPath::document_name(), direction }],
            start: after.map(|path| Cursor::after_name(self.database.id(), path)),
            limit: (limit != u32::MAX).then_some(limit),
            ..all_of(collection)
        };
        Ok(self.database.run(&query, None).await?.documents)
    }

    /// Writes that delete up to `limit` records of collection `name` whose `field` is before `now`.
    pub(crate) async fn expired(&self, name: &str, field: &str, now: u64, limit: u32) -> Result<Vec<Write>> {
        let value = Value::Integer(i64::try_from(now).unwrap_or(i64::MAX));
        self.deletions(name, field, FieldOp::Less, value, Some(limit)).await
    }

    /// Writes that delete the records of collection `name` whose `field` equals this text.
    pub(crate) async fn naming(&self, name: &str, field: &str, text: &str) -> Result<Vec<Write>> {
        self.deletions(name, field, FieldOp::Equal, Value::String(text.to_owned()), None).await
    }

    async fn deletions(
        &self,
        name: &str,
        field: &str,
        op: FieldOp,
        value: Value,
        limit: Option<u32>,
    ) -> Result<Vec<Write>> {
        let collection = self.collection(name)?;
        let filter = Filter::Field(FieldFilter { field: FieldPath::parse(field)?, op, value });
        let query = Query { filter: Some(filter), limit, ..all_of(&collection) };
        let documents = self.database.run(&query, None).await?.documents;
        Ok(documents.into_iter().map(|document| delete(document.path)).collect())
    }

    /// Commits writes; their preconditions name the versions they were computed from.
    pub(crate) async fn commit(&self, writes: Vec<Write>) -> Result<Outcome> {
        match self.database.commit(Draft { writes, txn: None }).await {
            Ok(_) => Ok(Outcome::Done),
            Err(error) => match error.code() {
                Code::FailedPrecondition | Code::AlreadyExists | Code::NotFound | Code::Aborted => {
                    Ok(Outcome::Conflict)
                }
                _ => Err(error.into()),
            },
        }
    }

    fn claim(&self, key: &Key, local_id: &str) -> Result<Write> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Claim<'a> {
            local_id: &'a str,
        }
        Ok(Write {
            path: self.key_path(key)?,
            op: set(&Claim { local_id })?,
            precondition: Precondition::Exists(false),
        })
    }

    async fn owner_of(&self, key: &Key) -> Result<Option<String>> {
        let document = self.get(&[self.key_path(key)?]).await?.pop().flatten();
        Ok(document.and_then(|document| match document.fields.get("localId") {
            Some(Value::String(local_id)) => Some(local_id.clone()),
            _ => None,
        }))
    }

    /// Fails if one of the names belongs to another account.
    async fn refuse_taken(&self, keys: impl Iterator<Item = &Key>, local_id: &str) -> Result<()> {
        for key in keys {
            if self.owner_of(key).await?.is_some_and(|owner| owner != local_id) {
                return Err(ApiError::bad(key.taken()));
            }
        }
        Ok(())
    }
}

/// The query for all documents of a collection.
fn all_of(collection: &CollectionPath) -> Query {
    Query::all(
        collection.parent(),
        Source { collection: Some(collection.id().to_owned()), all_descendants: false },
    )
}

/// Replaces a document by a record.
pub(crate) fn set<T: Serialize>(record: &T) -> Result<WriteOp> {
    Ok(WriteOp::Set { fields: fields_of(record)?, transforms: Vec::new() })
}

/// Deletes a document without a precondition.
pub(crate) fn delete(path: DocPath) -> Write {
    Write { path, op: WriteOp::Delete, precondition: Precondition::None }
}
