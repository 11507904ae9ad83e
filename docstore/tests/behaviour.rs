//! One behaviour suite, every engine a subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

#[path = "behaviour/suite.rs"]
mod suite;
#[path = "behaviour/support.rs"]
mod support;

use std::sync::Arc;

use docstore::access::Auth;
use docstore::clock::SystemClock;
use docstore::database::{ListDocuments, Page};
use docstore::model::*;
use docstore::*;
use suite::suite;
use support::*;

mod memory {
    use super::*;

    struct Home;

    impl Home {
        fn new() -> Self {
            Self
        }
        async fn open(&self) -> Store {
            self.open_with(Limits::default()).await
        }
        async fn open_with(&self, limits: Limits) -> Store {
            let (engine, clock) = (EngineOptions::Memory, Arc::new(SystemClock));
            Store::open(StoreOptions { engine, clock, limits }).await.unwrap()
        }
    }

    suite!();
}

/// The suite, and what holds for stores that outlive a process.
macro_rules! durable {
    () => {
        impl Home {
            async fn open(&self) -> Store {
                Store::open(self.options()).await.unwrap()
            }
            async fn open_with(&self, limits: Limits) -> Store {
                Store::open(StoreOptions { limits, ..self.options() }).await.unwrap()
            }
        }

        suite!();

        #[tokio::test]
        async fn everything_is_there_after_a_restart() {
            let home = Home::new();
            let store = home.open().await;
            let db = database(&store);
            for n in 0..10 {
                let large = Value::String("x".repeat(20_000));
                put(&db, &format!("c/{n}"), [("a", int(n % 2)), ("b", int(n)), ("large", large)]).await;
            }
            let mut query = all("c");
            query.filter = Some(filter("a", FieldOp::Equal, int(1)));
            query.order_by = vec![order("b", Direction::Descending)];
            let found = names(&db, &query).await;
            db.settle_indexes().await;
            assert_eq!(names(&db, &query).await, found);
            let indexes = db.indexes();
            assert_eq!(indexes.len(), 1);
            let mut watcher = db.watch();
            let mut client = Client::default();
            watcher.add(2, Target::Query(Box::new(query.clone())), None, None, false);
            client.follow(&mut watcher, Ts::ZERO, &[2]).await;
            put(&db, "c/9", [("a", int(0))]).await;
            // The newest commit is one that leaves nothing behind.
            db.commit(Draft::of(vec![set("c/x", Fields::new()), delete("c/x")])).await.unwrap();
            drop((watcher, db));
            store.close().await.unwrap();
            drop(store);

            let store = home.open().await;
            let db = database(&store);
            assert_eq!(db.indexes(), indexes);
            assert_eq!(names(&db, &query).await, ["c/7", "c/5", "c/3", "c/1"]);
            assert_eq!(one(&db, "c/0").await.unwrap().fields["large"], Value::String("x".repeat(20_000)));
            // A client resumes across the restart.
            let mut watcher = db.watch();
            let resume = Some(client.snapshot);
            client.current.clear();
            watcher.add(2, Target::Query(Box::new(query.clone())), resume, None, false);
            loop {
                let event = watcher.next().await;
                assert!(!matches!(event, WatchEvent::Reset(_) | WatchEvent::Changed { .. }), "{event:?}");
                let current = matches!(event, WatchEvent::Current(..));
                client.take(event);
                if current {
                    break;
                }
            }
            assert_eq!(client.paths(2), ["c/1", "c/3", "c/5", "c/7"]);
        }

        #[tokio::test]
        async fn a_second_process_is_refused() {
            let home = Home::new();
            let store = home.open().await;
            let error = Store::open(home.options()).await.unwrap_err();
            assert_eq!(error.code(), Code::FailedPrecondition, "{error}");
            assert!(error.message().contains(&home.0.path().display().to_string()), "{error}");
            store.close().await.unwrap();
        }
    };
}

/// The suites on a data folder, with the view in `VIEW`.
macro_rules! disk {
    () => {
        use super::*;

        struct Home(tempfile::TempDir);

        impl Home {
            fn new() -> Self {
                Self(tempfile::tempdir().unwrap())
            }
            fn options(&self) -> StoreOptions {
                StoreOptions {
                    engine: EngineOptions::Disk { dir: self.0.path().to_owned(), view: VIEW },
                    clock: Arc::new(SystemClock),
                    limits: Limits::default(),
                }
            }
        }

        durable!();
    };
}

mod sled {
    const VIEW: ViewEngine = ViewEngine::Sled;
    disk!();
}

mod fjall {
    const VIEW: ViewEngine = ViewEngine::Fjall;
    disk!();
}

/// The suites on a log that nodes share.
#[cfg(feature = "testing")]
mod shared {
    use docstore::engine::shared::{ClusterId, MemoryLog};

    use super::*;

    struct Home(tempfile::TempDir, MemoryLog);

    impl Home {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap(), MemoryLog::new(ClusterId(1)))
        }
        fn options(&self) -> StoreOptions {
            StoreOptions {
                engine: shared_log(&self.1, self.0.path()),
                clock: Arc::new(SystemClock),
                limits: Limits::default(),
            }
        }
    }

    durable!();

    #[tokio::test]
    async fn a_second_node_is_refused() {
        let home = Home::new();
        let store = home.open().await;
        put(&database(&store), "c/1", [("a", int(1))]).await;
        let other = tempfile::tempdir().unwrap();
        let options = StoreOptions { engine: shared_log(&home.1, other.path()), ..home.options() };
        let error = Store::open(options).await.unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition, "{error}");
        assert!(error.message().contains("one node serves at a time"), "{error}");
        assert!(store.refusal().is_none());
        store.close().await.unwrap();
    }

    #[tokio::test]
    async fn indexes_are_made_anew_with_the_copy() {
        let home = Home::new();
        let store = home.open().await;
        let db = database(&store);
        for n in 0..30 {
            put(
                &db,
                &format!("c/{n}"),
                [("a", int(n % 2)), ("b", int(n)), ("tags", Value::Array(vec![int(n % 3)]))],
            )
            .await;
        }
        let mut query = all("c");
        query.filter = Some(filter("a", FieldOp::Equal, int(1)));
        query.order_by = vec![order("b", Direction::Descending)];
        let mut tagged = all("c");
        tagged.filter = Some(filter("tags", FieldOp::ArrayContains, int(2)));
        let expected = (names(&db, &query).await, names(&db, &tagged).await);
        db.settle_indexes().await;
        let indexes = db.indexes();
        assert_eq!(indexes.len(), 1);
        drop(db);
        store.close().await.unwrap();
        drop(store);
        // The base is behind the log here; the engine's own tests fold.
        let empty = tempfile::tempdir().unwrap();
        let options = StoreOptions { engine: shared_log(&home.1, empty.path()), ..home.options() };
        let store = Store::open(options).await.unwrap();
        let db = database(&store);
        assert_eq!(db.indexes(), indexes);
        assert_eq!((names(&db, &query).await, names(&db, &tagged).await), expected);
        store.close().await.unwrap();
    }
}
