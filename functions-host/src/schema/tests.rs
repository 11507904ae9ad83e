use docstore::model::{DocPath, Fields, Precondition, Value, Write, WriteOp};
use docstore::{Draft, StoreOptions};

use super::opening::{self, Backup, Older};
use super::*;

async fn put(schema: &Schema, path: &str) {
    let write = Write {
        path: DocPath::parse(path).unwrap(),
        op: WriteOp::Set {
            fields: Fields::from([("name".to_owned(), Value::String("x".to_owned()))]),
            transforms: Vec::new(),
        },
        precondition: Precondition::None,
    };
    schema.target.documents.commit(Draft::of(vec![write])).await.unwrap();
}

async fn has(schema: &Schema, path: &str) -> bool {
    let paths = [DocPath::parse(path).unwrap()];
    let found = schema.target.documents.get(&paths, None).await.unwrap().value;
    found.into_iter().flatten().next().is_some()
}

fn in_folder(dir: &std::path::Path) -> StoreOptions {
    StoreOptions {
        engine: docstore::EngineOptions::disk(dir),
        clock: std::sync::Arc::new(docstore::clock::SystemClock),
        limits: docstore::Limits::default(),
    }
}

#[test]
fn every_version_has_a_step_to_the_next() {
    assert_eq!(STEPS.len(), usize::try_from(VERSION - UNMARKED).unwrap());
}

#[tokio::test]
async fn an_empty_database_is_marked_and_hidden_from_lists() {
    let store = Store::in_memory().await.unwrap();
    let schema = Schema::new(&store, "demo").unwrap();
    for _ in 0..2 {
        assert_eq!(schema.standing().await.unwrap(), Standing::Current);
        schema.mark_empty().await.unwrap();
        assert_eq!(schema.document.read().await.unwrap(), Some(State::at(VERSION)));
    }
    assert_eq!(store.databases("demo").await.unwrap(), Vec::<DatabaseId>::new());
    // Once marked, it may hold what it likes: it is not taken for an older one.
    put(&schema, "users/ann/decks/d").await;
    assert_eq!(schema.standing().await.unwrap(), Standing::Current);
    // Each project of a store has a mark of its own.
    let other = Schema::new(&store, "other").unwrap();
    put(&other, "users/ann").await;
    other.mark_empty().await.unwrap();
    assert_eq!(other.standing().await.unwrap(), Standing::Older { version: 1, begun: false });
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_alone() {
    let store = Store::in_memory().await.unwrap();
    let schema = Schema::new(&store, "demo").unwrap();
    schema.document.write(State::at(VERSION + 1)).await.unwrap();
    let before = schema.target.documents.read_time();
    let error = schema.standing().await.unwrap_err();
    assert_eq!(error.tag(), "SchemaNewer");
    assert!(error.message().contains(&format!("version {}", VERSION + 1)), "{error}");
    schema.upgrade().await.unwrap();
    assert_eq!(schema.target.documents.read_time(), before);
}

#[tokio::test]
async fn an_older_store_is_refused_kept_or_upgraded_after_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backups) = (folder.path().join("documents"), folder.path().join("backups"));
    {
        let store = Store::open(in_folder(&data)).await.unwrap();
        put(&Schema::new(&store, "demo").unwrap(), "users/ann/decks/d").await;
        store.close().await.unwrap();
    }
    let refused = opening::open(in_folder(&data), "demo", &Older::Refuse).await.unwrap_err();
    assert_eq!(refused.tag(), "SchemaOlder");
    let kept = opening::open(in_folder(&data), "demo", &Older::Keep).await.unwrap();
    assert!(has(&Schema::new(&kept, "demo").unwrap(), "users/ann/decks/d").await);
    kept.close().await.unwrap();
    drop(kept);
    let upgrade = Older::Upgrade(Backup::In(backups.clone()));
    for _ in 0..2 {
        let store = opening::open(in_folder(&data), "demo", &upgrade).await.unwrap();
        let schema = Schema::new(&store, "demo").unwrap();
        assert!(has(&schema, "projects/d").await && !has(&schema, "users/ann/decks/d").await);
        store.close().await.unwrap();
    }
    // The second start has made no other.
    let copies: Vec<_> = std::fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    let backup = Store::open(in_folder(&copies[0])).await.unwrap();
    assert!(has(&Schema::new(&backup, "demo").unwrap(), "users/ann/decks/d").await);
    backup.close().await.unwrap();
}

#[tokio::test]
async fn an_empty_store_is_marked_unless_it_is_another_applications() {
    let folder = tempfile::tempdir().unwrap();
    for (older, marked) in [(Older::Keep, false), (Older::Refuse, true), (Older::Keep, true)] {
        let store = opening::open(in_folder(folder.path()), "demo", &older).await.unwrap();
        let schema = Schema::new(&store, "demo").unwrap();
        assert_eq!(schema.is_marked().await.unwrap(), marked, "{older:?}");
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn what_an_import_brings_is_upgraded_even_if_it_fails_or_is_killed() {
    let store = Store::in_memory().await.unwrap();
    let schema = Schema::new(&store, "demo").unwrap();
    schema.mark_empty().await.unwrap();
    let succeeding = async {
        put(&schema, "users/ann/decks/d").await;
        Ok(())
    };
    schema.importing(succeeding).await.unwrap();
    let failing = async {
        put(&schema, "users/ann/decks/e").await;
        Err::<(), _>(Error::invalid("Damaged", "damaged"))
    };
    assert_eq!(schema.importing(failing).await.unwrap_err().tag(), "Damaged");
    for path in ["projects/d", "projects/e"] {
        assert!(has(&schema, path).await, "{path}");
    }
    let killed = schema.importing(async {
        put(&schema, "users/ann/decks/f").await;
        std::future::pending::<Result<()>>().await
    });
    let mut killed = Box::pin(killed);
    while !has(&schema, "users/ann/decks/f").await {
        assert!(futures::poll!(&mut killed).is_pending());
        tokio::task::yield_now().await;
    }
    drop(killed);
    assert_eq!(schema.standing().await.unwrap(), Standing::Older { version: 1, begun: true });
    schema.upgrade().await.unwrap();
    assert!(has(&schema, "projects/f").await);
    assert_eq!(schema.standing().await.unwrap(), Standing::Current);
}
