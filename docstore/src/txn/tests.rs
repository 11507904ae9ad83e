//! Transactions that delay others, and their limits.

use super::*;
use crate::access::{Auth, Caller};
use crate::clock::ManualClock;
use crate::database::Database;
use crate::model::{DocPath, Fields, Precondition, Value, Write, WriteOp};
use crate::store::{EngineOptions, Limits, Store, StoreOptions};
use crate::{Draft, Session};

/// A policy that allows everything.
#[derive(Debug)]
struct Anything;

impl crate::access::Access for Anything {
    fn decide(&self, _: &crate::access::Request<'_>) -> crate::access::Decision {
        crate::access::Decision::Allow
    }
}

async fn start() -> (Store, Database, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    // A wait for a lock would exceed the duration of any test.
    let limits = Limits { lock_wait: Duration::from_secs(3_600), ..Limits::default() };
    let options = StoreOptions { engine: EngineOptions::Memory, clock: clock.clone(), limits };
    let store = Store::open(options).await.unwrap();
    store.set_access(Arc::new(Anything));
    let db = store.database(&DatabaseId::default_of("p"));
    db.commit(draft(None, 0)).await.unwrap();
    (store, db, clock)
}

fn user(db: &Database, uid: &str) -> Session {
    db.as_caller(Caller::User(Auth { uid: uid.to_owned(), token: serde_json::Value::Null }))
}

fn state() -> DocPath {
    DocPath::parse("site/state").unwrap()
}

fn draft(txn: Option<TxnId>, n: i64) -> Draft {
    let fields = Fields::from([("n".to_owned(), Value::Integer(n))]);
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    Draft { txn, ..Draft::of(vec![Write { path: state(), op, precondition: Precondition::None }]) }
}

const READ_WRITE: TxnOptions = TxnOptions::ReadWrite { retry: None };

#[tokio::test]
async fn who_is_under_the_rules_keeps_nobody_from_writing() {
    let (store, db, _) = start().await;
    let nobody = db.as_caller(Caller::Anonymous);
    let txn = nobody.begin(READ_WRITE).await.unwrap();
    nobody.get_in(txn, &[state()]).await.unwrap();
    assert!(!store.0.transactions.locks.are_held());
    user(&db, "owner").commit(draft(None, 1)).await.unwrap();
    // The change of a document it read is found at the commit.
    let error = nobody.commit(draft(Some(txn), 2)).await.unwrap_err();
    assert_eq!(error.code(), Code::Aborted);
    let retry = nobody.begin(TxnOptions::ReadWrite { retry: Some(txn) }).await.unwrap();
    nobody.get_in(retry, &[state()]).await.unwrap();
    nobody.commit(draft(Some(retry), 3)).await.unwrap();
}

#[tokio::test]
async fn servers_hold_what_they_read() {
    let (store, db, _) = start().await;
    let server = db.as_caller(Caller::Admin);
    let txn = server.begin(READ_WRITE).await.unwrap();
    server.get_in(txn, &[state()]).await.unwrap();
    assert!(store.0.transactions.locks.are_held());
    server.commit(draft(Some(txn), 1)).await.unwrap();
    assert!(!store.0.transactions.locks.are_held());
}

#[tokio::test]
async fn one_caller_has_so_many_transactions_open() {
    let (_store, db, clock) = start().await;
    let nobody = db.as_caller(Caller::Anonymous);
    for _ in 0..MAX_TRANSACTIONS_OF_ONE {
        nobody.begin(READ_WRITE).await.unwrap();
    }
    let error = nobody.begin(READ_WRITE).await.unwrap_err();
    assert_eq!((error.code(), error.tag()), (Code::ResourceExhausted, "TooManyTransactions"));
    user(&db, "a").begin(READ_WRITE).await.unwrap();
    clock.advance(IDLE_LIMIT + Duration::from_secs(1));
    nobody.begin(READ_WRITE).await.unwrap();
}

#[tokio::test]
async fn all_callers_leave_transactions_to_servers() {
    let (_store, db, _) = start().await;
    let mut opened = 0;
    for n in 0..=MAX_TRANSACTIONS_OF_CALLERS / MAX_TRANSACTIONS_OF_ONE {
        let session = user(&db, &n.to_string());
        for _ in 0..MAX_TRANSACTIONS_OF_ONE {
            opened += usize::from(session.begin(READ_WRITE).await.is_ok());
        }
    }
    assert_eq!(opened, MAX_TRANSACTIONS_OF_CALLERS);
    db.as_caller(Caller::Admin).begin(READ_WRITE).await.unwrap();
}
