//! At which time, or in which transaction, a request reads.

use bytes::Bytes;
use prost_types::Timestamp;

use crate::convert::time::to_ts;
use crate::pb::v1;
use crate::pb::v1::transaction_options::Mode;
use crate::pb::v1::transaction_options::read_only::ConsistencySelector as ReadOnlyAt;
use docstore::Session;
use docstore::error::Result;
use docstore::model::Ts;
use docstore::txn::{TxnId, TxnOptions};

/// A request's consistency selector.
#[derive(Debug)]
pub(super) enum Selector {
    /// The newest state.
    Newest,
    /// The state at a time.
    At(Timestamp),
    /// In a transaction that was begun before.
    In(Bytes),
    /// In a transaction that this request begins.
    Begin(v1::TransactionOptions),
}

/// Snapshot or transaction that a request reads from.
#[derive(Debug, Clone)]
pub(super) enum ReadFrom {
    /// The newest state, or the one at a time.
    State(Option<Ts>),
    /// A transaction.
    Transaction(TxnId),
}

/// Resolves a selector; where it begins a transaction, the second part is what the first reply must carry.
pub(super) async fn resolve(session: &Session, selector: Selector) -> Result<(ReadFrom, Option<Bytes>)> {
    match selector {
        Selector::Newest => Ok((ReadFrom::State(None), None)),
        Selector::At(time) => Ok((ReadFrom::State(Some(to_ts(&time)?)), None)),
        Selector::In(token) => Ok((ReadFrom::Transaction(read_transaction(&token)?), None)),
        Selector::Begin(options) => {
            let id = session.begin(to_options(Some(options))?).await?;
            let token = transaction_token(id);
            Ok((ReadFrom::Transaction(id), Some(token)))
        }
    }
}

/// Reads what kind of transaction is wanted; read-write unless said otherwise.
pub(super) fn to_options(options: Option<v1::TransactionOptions>) -> Result<TxnOptions> {
    match options.and_then(|options| options.mode) {
        None => Ok(TxnOptions::ReadWrite { retry: None }),
        Some(Mode::ReadWrite(options)) => {
            let retry = &options.retry_transaction;
            let retry = if retry.is_empty() { None } else { Some(read_transaction(retry)?) };
            Ok(TxnOptions::ReadWrite { retry })
        }
        Some(Mode::ReadOnly(options)) => {
            let at = options.consistency_selector.map(|ReadOnlyAt::ReadTime(time)| to_ts(&time));
            Ok(TxnOptions::ReadOnly { at: at.transpose()? })
        }
    }
}

/// The bytes that name a transaction on the wire.
pub(super) fn transaction_token(id: TxnId) -> Bytes {
    Bytes::copy_from_slice(&id.to_bytes())
}

/// Reads the bytes that name a transaction.
pub(super) fn read_transaction(token: &[u8]) -> Result<TxnId> {
    TxnId::from_bytes(token)
}

/// A selector from the enum that each request type generates for itself.
macro_rules! selector {
    ($selector:expr, $($module:ident)::+, begin) => {
        match $selector {
            None => Selector::Newest,
            Some($($module)::+::ConsistencySelector::ReadTime(time)) => Selector::At(time),
            Some($($module)::+::ConsistencySelector::Transaction(token)) => Selector::In(token),
            Some($($module)::+::ConsistencySelector::NewTransaction(options)) => Selector::Begin(options),
        }
    };
    ($selector:expr, $($module:ident)::+, join) => {
        match $selector {
            None => Selector::Newest,
            Some($($module)::+::ConsistencySelector::ReadTime(time)) => Selector::At(time),
            Some($($module)::+::ConsistencySelector::Transaction(token)) => Selector::In(token),
        }
    };
    ($selector:expr, $($module:ident)::+) => {
        match $selector {
            None => Selector::Newest,
            Some($($module)::+::ConsistencySelector::ReadTime(time)) => Selector::At(time),
        }
    };
}
pub(super) use selector;
