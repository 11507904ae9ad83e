//! A store restored from a snapshot: a new history with the old data.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "behaviour/support.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;

use docstore::backup::{Pinned, documents, restore};
use docstore::clock::{Clock as _, SystemClock};
use docstore::model::*;
use docstore::*;
use support::*;

async fn open(folder: &Path) -> Store {
    let options = StoreOptions {
        engine: EngineOptions::disk(folder),
        clock: Arc::new(SystemClock),
        limits: Limits::default(),
    };
    Store::open(options).await.unwrap()
}

async fn snapshot(store: &Store) -> (Ts, Vec<u8>) {
    let mut pinned = Pinned::new(store).unwrap();
    let mut bytes = Vec::new();
    while let Some(block) = pinned.next().await.unwrap() {
        bytes.extend(block);
    }
    (pinned.at(), bytes)
}

#[tokio::test]
async fn a_client_of_the_lost_store_that_resumes_is_told_everything_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("lost")).await;
    let db = database(&store);
    for name in ["a", "b", "c"] {
        put(&db, &format!("c/{name}"), [("n", int(1))]).await;
    }
    let (at, bytes) = snapshot(&store).await;
    // The client goes on with what the backup does not have.
    db.commit(Draft::of(vec![delete("c/a"), set("c/ghost", fields([("n", int(2))]))])).await.unwrap();
    put(&db, "c/b", [("n", int(3))]).await;
    let mut watcher = db.watch();
    let mut client = Client::default();
    watcher.add(2, Target::Query(Box::new(all("c"))), None, None, false);
    client.follow(&mut watcher, Ts::ZERO, &[2]).await;
    assert_eq!(client.paths(2), ["c/b", "c/c", "c/ghost"]);
    let seen = client.snapshot;
    drop(watcher);
    store.close().await.unwrap();

    let restored = folder.path().join("restored");
    let now = SystemClock.now();
    assert!(now > seen && seen > at);
    restore(&restored, now, &mut &bytes[..]).unwrap();
    let store = open(&restored).await;
    let db = database(&store);
    let mut watcher = db.watch();
    let mut client = Client { snapshot: Ts::ZERO, current: Default::default(), ..client };
    watcher.add(2, Target::Query(Box::new(all("c"))), Some(seen), None, false);
    client.follow(&mut watcher, Ts::ZERO, &[2]).await;
    assert_eq!(client.paths(2), ["c/a", "c/b", "c/c"]);
    // One that counts its documents learns that it has others: this store knows nothing of its token.
    let mut counting = Client::default();
    counting.held.insert((4, "c/ghost".to_owned()), seen);
    watcher.add(4, Target::Query(Box::new(all("c"))), Some(seen), Some(1), false);
    counting.follow(&mut watcher, Ts::ZERO, &[4]).await;
    assert_eq!(counting.filters, [(4, 3)]);
    // Versions of documents are the old ones, and commits go on after them.
    let b = one(&db, "c/b").await.unwrap();
    assert!(b.update_time <= at);
    let done = put(&db, "c/b", [("n", int(4))]).await;
    assert!(done.commit_time > now);
    store.close().await.unwrap();
}

#[tokio::test]
async fn every_database_is_in_a_snapshot_with_its_name_and_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("one")).await;
    let ids =
        [DatabaseId::default_of("p"), DatabaseId::new("p", "__storage__"), DatabaseId::new("q", "other")];
    for id in &ids {
        let db = store.database(id);
        put(&db, "c/a", [("n", int(1)), ("m", int(2))]).await;
        put(&db, "c/a/d/b", [("n", int(1))]).await;
    }
    // It teaches an index.
    let mut query = all("c");
    query.filter = Some(filter("n", FieldOp::Greater, int(0)));
    query.order_by = vec![order("n", Direction::Ascending), order("m", Direction::Descending)];
    let expected = names(&database(&store), &query).await;
    let (_, bytes) = snapshot(&store).await;
    store.close().await.unwrap();
    let mut found = Vec::new();
    documents(&mut &bytes[..], "it", &mut |database, document| {
        found.push((database.clone(), document.path.to_string()));
        Ok(())
    })
    .unwrap();
    let all_of = ids.iter().flat_map(|id| ["c/a", "c/a/d/b"].map(|path| (id.clone(), path.to_owned())));
    let (mut all_of, mut found) = (all_of.collect::<Vec<_>>(), found);
    all_of.sort();
    found.sort();
    assert_eq!(found, all_of);
    let restored = folder.path().join("two");
    restore(&restored, SystemClock.now(), &mut &bytes[..]).unwrap();
    let store = open(&restored).await;
    assert_eq!(names(&database(&store), &query).await, expected);
    assert_eq!(store.databases("p").await.unwrap(), [DatabaseId::default_of("p")]);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_store_in_memory_has_nothing_to_back_up() {
    let store = Store::in_memory().await.unwrap();
    assert_eq!(Pinned::new(&store).unwrap_err().tag(), "NothingOnDisk");
}
