//! A bank on a simulated disk whose power is cut at any operation, with the loss of every unsynced byte.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::Database;
use crate::engine::{SimEngine, SimFiles};
use crate::model::{DocPath, Document, Fields, Precondition, Query, Source, Value, Write, WriteOp};
use crate::{Draft, TxnOptions};

const ACCOUNTS: i64 = 5;
const START: i64 = 100;
const CLERKS: u64 = 4;
const TRANSFERS: u64 = 12;
const ROUNDS: u64 = 12;
/// One transfer in this many has a receipt of 100 KB to 1 MB.
const LARGE_EVERY: u64 = 9;

async fn open(files: &SimFiles) -> Result<Store> {
    let engine = AnyEngine::Simulated(Box::new(SimEngine::on(files)?));
    Store::on(engine, Arc::new(SystemClock)).await
}

fn bank(store: &Store) -> Database {
    store.database(&DatabaseId::default_of("bank"))
}

fn path(text: &str) -> DocPath {
    DocPath::parse(text).unwrap()
}

fn set<const N: usize>(at: &str, values: [(&str, Value); N]) -> Write {
    let fields: Fields = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let op = WriteOp::Set { fields, transforms: Vec::new() };
    Write { path: path(at), op, precondition: Precondition::None }
}

fn number(document: &Document, name: &str) -> i64 {
    match document.fields.get(name) {
        Some(Value::Integer(number)) => *number,
        other => panic!("{name} of {} is {other:?}", document.path),
    }
}

async fn all(db: &Database, collection: &str) -> Vec<Document> {
    let from = Source { collection: Some(collection.to_owned()), all_descendants: false };
    let query = Query::all(None, from);
    loop {
        match db.run(&query, None).await {
            // The simulated store keeps next to no history: one large receipt can push this version out during the
            // read.
            Err(error) if error.tag() == "VersionCollected" => tokio::task::yield_now().await,
            found => return found.unwrap().documents,
        }
    }
}

/// One transfer, computed from the balances read, with a ledger entry that records them.
async fn transfer(db: &Database, entry: &str, chance: &mut StdRng) -> Result<()> {
    let from = chance.random_range(0..ACCOUNTS);
    let to = (from + chance.random_range(1..ACCOUNTS)) % ACCOUNTS;
    let amount = chance.random_range(1..50i64);
    let large = chance.random_range(0..LARGE_EVERY) == 0;
    let receipt = if large { chance.random_range(100_000..1_000_000) } else { 10 };
    loop {
        let txn = db.begin(TxnOptions::ReadWrite { retry: None }).await?;
        let attempt = async {
            let paths = [path(&format!("accounts/{from}")), path(&format!("accounts/{to}"))];
            let found = db.get_in(txn, &paths).await?.value;
            let [from_had, to_had] = [0, 1].map(|at: usize| number(found[at].as_ref().unwrap(), "balance"));
            let integer = Value::Integer;
            let writes = vec![
                set(&format!("accounts/{from}"), [("balance", integer(from_had - amount))]),
                set(&format!("accounts/{to}"), [("balance", integer(to_had + amount))]),
                set(
                    entry,
                    [
                        ("from", integer(from)),
                        ("to", integer(to)),
                        ("amount", integer(amount)),
                        ("from_had", integer(from_had)),
                        ("to_had", integer(to_had)),
                        ("receipt", Value::String("r".repeat(receipt))),
                    ],
                ),
            ];
            db.commit(Draft { writes, txn: Some(txn) }).await
        };
        match attempt.await {
            Ok(_) => return Ok(()),
            Err(error) if error.code() == Code::Aborted => tokio::task::yield_now().await,
            Err(error) => return Err(error),
        }
    }
}

/// The books are right if the ledger, in commit order, explains every balance that was ever read.
async fn audit(db: &Database) -> BTreeMap<String, Ts> {
    let mut ledger = all(db, "ledger").await;
    ledger.sort_by_key(|entry| entry.update_time);
    let mut balances = vec![START; usize::try_from(ACCOUNTS).unwrap()];
    for entry in &ledger {
        let [from, to] = ["from", "to"].map(|side| usize::try_from(number(entry, side)).unwrap());
        assert_eq!(balances[from], number(entry, "from_had"), "{}", entry.path);
        assert_eq!(balances[to], number(entry, "to_had"), "{}", entry.path);
        balances[from] -= number(entry, "amount");
        balances[to] += number(entry, "amount");
    }
    let accounts = all(db, "accounts").await;
    let found: Vec<i64> = accounts.iter().map(|account| number(account, "balance")).collect();
    assert_eq!(found, balances);
    ledger.into_iter().map(|entry| (entry.path.to_string(), entry.update_time)).collect()
}

async fn clerk(db: Database, round: u64, clerk: u64, seed: u64) -> Vec<String> {
    let mut chance = StdRng::seed_from_u64(seed ^ (round << 8 | clerk));
    let mut done = Vec::new();
    for n in 0..TRANSFERS {
        let entry = format!("ledger/{round}-{clerk}-{n}");
        if let Err(error) = transfer(&db, &entry, &mut chance).await {
            // The power is off.
            assert!(matches!(error.code(), Code::Unavailable | Code::Unknown), "{error}");
            break;
        }
        done.push(entry);
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power_cuts_leave_the_books_right() {
    let seed: u64 = rand::random();
    println!("seed {seed}");
    let mut chance = StdRng::seed_from_u64(seed);
    let mut files = SimFiles::default();
    let store = open(&files).await.unwrap();
    let accounts = (0..ACCOUNTS).map(|n| set(&format!("accounts/{n}"), [("balance", Value::Integer(START))]));
    bank(&store).commit(Draft::of(accounts.collect())).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..ROUNDS {
        files.cut_after(chance.random_range(0..120));
        if let Ok(store) = open(&files).await {
            let clerks: Vec<_> =
                (0..CLERKS).map(|n| tokio::spawn(clerk(bank(&store), round, n, seed))).collect();
            // An auditor reads along; each of its snapshots must be consistent.
            let auditor = {
                let db = bank(&store);
                tokio::spawn(async move {
                    for _ in 0..20 {
                        let accounts = all(&db, "accounts").await;
                        let total: i64 = accounts.iter().map(|account| number(account, "balance")).sum();
                        assert_eq!(total, ACCOUNTS * START);
                        tokio::task::yield_now().await;
                    }
                })
            };
            for clerk in clerks {
                acknowledged.extend(clerk.await.unwrap());
            }
            auditor.await.unwrap();
            store.close().await.unwrap();
        }
        let luck: u64 = chance.random();
        files = files.after_power_cut(|unsynced| usize::try_from(luck % (unsynced as u64 + 1)).unwrap());
        let store = open(&files).await.unwrap();
        let ledger = audit(&bank(&store)).await;
        for entry in &acknowledged {
            assert!(ledger.contains_key(entry), "{entry} was acknowledged and is lost");
        }
        let checked = bank(&store).check().await.unwrap();
        assert_eq!((checked.missing, checked.stray), (0, 0));
        store.close().await.unwrap();
    }
    println!("{ROUNDS} power cuts, {} transfers acknowledged, 0 lost", acknowledged.len());
    assert!(!acknowledged.is_empty());
}

/// Documents of several databases, some of them new, while the disk is full and afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_goes_on_by_itself_when_the_disk_has_room_again() {
    let files = SimFiles::default();
    let store = open(&files).await.unwrap();
    let mut written = BTreeMap::new();
    for full_at in 0..30u64 {
        files.full_after(full_at % 7);
        let mut refused = 0;
        for n in 0..8 {
            let database = store.database(&DatabaseId::default_of(&format!("p{}", full_at / 2)));
            let at = format!("c/{}", n % 3);
            let value = i64::try_from(full_at * 100 + n).unwrap();
            let write = set(&at, [("n", Value::Integer(value))]);
            match database.commit(Draft::of(vec![write])).await {
                Ok(_) => drop(written.insert((full_at / 2, at), value)),
                Err(error) => {
                    assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 0);
        files.room_again();
        assert_eq!(store.refusal(), None);
        // The first one after that is accepted and depends on nothing that was refused.
        let database = store.database(&DatabaseId::default_of(&format!("p{}", full_at / 2)));
        let create =
            Write { precondition: Precondition::Exists(false), ..set("c/new", [("n", Value::Integer(1))]) };
        let gone = Write { path: path("c/new"), op: WriteOp::Delete, precondition: Precondition::None };
        for write in [create, gone] {
            database.commit(Draft::of(vec![write])).await.unwrap();
        }
    }
    let check = async |store: &Store| {
        for ((project, at), value) in &written {
            let database = store.database(&DatabaseId::default_of(&format!("p{project}")));
            let found = database.get(&[path(at)], None).await.unwrap().value;
            assert_eq!(number(found[0].as_ref().unwrap(), "n"), *value, "p{project} {at}");
        }
    };
    check(&store).await;
    store.close().await.unwrap();
    drop(store);
    let store = open(&files).await.unwrap();
    check(&store).await;
    store.close().await.unwrap();
}
