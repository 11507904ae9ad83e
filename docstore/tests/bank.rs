//! Transfers between accounts, concurrently, with an auditor who must never see money made or lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

#[path = "behaviour/support.rs"]
mod support;

use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::database::Database;
use docstore::model::*;
use docstore::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::*;

const ACCOUNTS: i64 = 6;
const START: i64 = 100;
const CLERKS: u64 = 6;
const TRANSFERS: u32 = 25;

fn balance(document: &Document) -> i64 {
    let Value::Integer(balance) = document.fields["balance"] else { panic!("no balance") };
    balance
}

/// One transfer in a transaction; `false` when it lost against another.
async fn transfer(db: &Database, from: i64, to: i64, amount: i64) -> bool {
    let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await.unwrap();
    let paths = [doc(&format!("bank/{from}")), doc(&format!("bank/{to}"))];
    let found = db.get_in(txn, &paths).await.unwrap().value;
    let (from_has, to_has) = (balance(found[0].as_ref().unwrap()), balance(found[1].as_ref().unwrap()));
    // Written from what was read, not as increments: a lost update would show.
    let writes = vec![
        set(paths[0].as_str(), fields([("balance", int(from_has - amount))])),
        set(paths[1].as_str(), fields([("balance", int(to_has + amount))])),
    ];
    match db.commit(Draft { writes, txn: Some(txn) }).await {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.code(), Code::Aborted, "{error}");
            false
        }
    }
}

async fn total(db: &Database) -> i64 {
    let result = db.run(&all("bank"), None).await.unwrap();
    assert_eq!(result.documents.len() as i64, ACCOUNTS);
    result.documents.iter().map(balance).sum()
}

async fn open_for_business(store: Store) {
    let seed: u64 = rand::random();
    println!("seed {seed}");
    let db = database(&store);
    for account in 0..ACCOUNTS {
        put(&db, &format!("bank/{account}"), [("balance", int(START))]).await;
    }
    let clerks: Vec<_> = (0..CLERKS)
        .map(|clerk| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut chance = StdRng::seed_from_u64(seed + clerk);
                let mut done = 0;
                while done < TRANSFERS {
                    let from = chance.random_range(0..ACCOUNTS);
                    let to = (from + chance.random_range(1..ACCOUNTS)) % ACCOUNTS;
                    if transfer(&db, from, to, chance.random_range(1..50)).await {
                        done += 1;
                    } else {
                        tokio::task::yield_now().await;
                    }
                }
            })
        })
        .collect();
    let auditor = tokio::spawn({
        let db = db.clone();
        async move {
            for _ in 0..200 {
                assert_eq!(total(&db).await, ACCOUNTS * START);
                tokio::task::yield_now().await;
            }
        }
    });
    for clerk in clerks {
        clerk.await.unwrap();
    }
    auditor.await.unwrap();
    assert_eq!(total(&db).await, ACCOUNTS * START);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_neither_made_nor_lost_in_memory() {
    open_for_business(Store::in_memory().await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_neither_made_nor_lost_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let engine = EngineOptions::disk(dir.path());
    let limits = Limits::default();
    let options = StoreOptions { engine, clock: Arc::new(SystemClock), limits };
    open_for_business(Store::open(options).await.unwrap()).await;
}

#[cfg(feature = "testing")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_neither_made_nor_lost_on_a_shared_log() {
    use docstore::engine::shared::{ClusterId, MemoryLog};
    let dir = tempfile::tempdir().unwrap();
    let engine = shared_log(&MemoryLog::new(ClusterId(1)), dir.path());
    let options = StoreOptions { engine, clock: Arc::new(SystemClock), limits: Limits::default() };
    open_for_business(Store::open(options).await.unwrap()).await;
}
