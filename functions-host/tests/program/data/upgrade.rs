//! Documents of older versions are upgraded at the start, whatever happens meanwhile.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use docstore::clock::SystemClock;
use docstore::model::{DatabaseId, DocPath, Fields, Precondition, Query, Source, Value, Write, WriteOp};
use docstore::{Draft, EngineOptions, Limits, Store, StoreOptions};
use rustix::process::{Pid, Signal};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::server::Place;

/// Cards of the project: enough for many commits of the upgrade.
const CARDS: u32 = 12_000;

/// Layouts of the project: enough for several commits.
const LAYOUTS: u32 = 1_500;

/// Signals to the server while it upgrades from a version.
const SIGNALS: [(u32, Signal); 6] = [
    (1, Signal::TERM),
    (1, Signal::KILL),
    (1, Signal::TERM),
    (1, Signal::KILL),
    (2, Signal::KILL),
    (2, Signal::TERM),
];

async fn open(folder: &Path) -> Store {
    let options = StoreOptions {
        engine: EngineOptions::disk(folder),
        clock: Arc::new(SystemClock),
        limits: Limits::default(),
    };
    Store::open(options).await.unwrap()
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

fn set(path: &str, fields: Fields) -> Write {
    Write {
        path: DocPath::parse(path).unwrap(),
        op: WriteOp::Set { fields, transforms: Vec::new() },
        precondition: Precondition::None,
    }
}

fn card(number: u32) -> Fields {
    Fields::from([("text".to_owned(), text(&format!("Card {number}")))])
}

async fn put(store: &Store, database: &str, writes: Vec<Write>) {
    let database = store.database(&DatabaseId::new("demo", database));
    database.commit(Draft::of(writes)).await.unwrap();
}

async fn contents(folder: &Path) -> BTreeMap<String, Fields> {
    let store = open(folder).await;
    let all = Query::all(None, Source { collection: None, all_descendants: true });
    let found = store.database(&DatabaseId::default_of("demo")).run(&all, None).await.unwrap();
    let pair = |document: docstore::model::Document| (document.path.as_str().to_owned(), document.fields);
    let all = found.documents.into_iter().map(pair).collect();
    store.close().await.unwrap();
    all
}

#[tokio::test]
async fn an_upgrade_that_is_killed_or_stopped_goes_on_at_the_next_start() {
    let place = Place::new(None);
    let folder = place.join("data/documents");
    std::fs::create_dir_all(&folder).unwrap();
    {
        let store = open(&folder).await;
        let named = |name: &str| Fields::from([("name".to_owned(), text(name))]);
        put(&store, "(default)", vec![set("users/ann/decks/d", named("Ann's"))]).await;
        put(&store, "(default)", vec![set("users/bob/decks/d", named("Bob's"))]).await;
        for from in (0..CARDS).step_by(500) {
            let cards = from..from + 500;
            let writes = cards.map(|n| set(&format!("users/ann/decks/d/components/c/cards/{n}"), card(n)));
            put(&store, "(default)", writes.collect()).await;
        }
        let decks = Value::Array(vec![text("d")]);
        let layout = Fields::from([("name".to_owned(), text("Layout")), ("deckIds".to_owned(), decks)]);
        for from in (0..LAYOUTS).step_by(500) {
            let set = |n: u32| set(&format!("users/ann/layouts/{n}"), layout.clone());
            put(&store, "(default)", (from..from + 500).map(set).collect()).await;
        }
        store.close().await.unwrap();
    }
    let args = ["serve", "--project", "demo", "--port", "0", "--data", "data"];
    for (version, signal) in SIGNALS {
        let mut server = place.spawn(&args, &[("TUCKBOX_LOG", "debug")]);
        let mut log = BufReader::new(server.stderr.take().unwrap()).lines();
        let mut reached = false;
        while let Some(line) = log.next_line().await.unwrap() {
            reached |= line.contains(&format!("from version {version}"));
            if reached && line.contains("documents have moved") {
                break;
            }
        }
        let id = Pid::from_raw(server.id().unwrap().try_into().unwrap()).unwrap();
        rustix::process::kill_process(id, signal).unwrap();
        let mut said = String::new();
        while let Some(line) = log.next_line().await.unwrap() {
            said += &line;
        }
        let ended = server.wait().await.unwrap();
        if signal == Signal::TERM {
            assert_eq!(ended.code(), Some(0), "{said}");
            assert!(said.contains("the next start goes on from here"), "{said}");
        }
    }
    let half = contents(&folder).await;
    for place in ["users/ann/layouts/", "projects/d/layouts/"] {
        assert!(
            half.keys().any(|path| path.starts_with(place)),
            "the upgrade was never interrupted: {place}"
        );
    }

    let server = place.serve(&["--data", "data"]).await;
    server.signal("-TERM").await;
    assert_eq!(server.ended().await.code, Some(0));
    let after = contents(&folder).await;
    assert_eq!(after.len(), (CARDS + LAYOUTS) as usize + 2);
    for number in 0..LAYOUTS {
        assert_eq!(after[&format!("projects/d/layouts/{number}")]["name"], text("Layout"));
    }
    for number in 0..CARDS {
        assert_eq!(after[&format!("projects/d/components/c/cards/{number}")], card(number));
    }
    assert_eq!(after["projects/d"]["owner"], text("ann"));
    let of_bob = after.iter().find(|(_, fields)| fields.get("owner") == Some(&text("bob")));
    assert_eq!(of_bob.unwrap().1["name"], text("Bob's"));

    // One backup, of the time before the first change.
    let copies: Vec<_> =
        std::fs::read_dir(place.join("data/backups")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    let before = contents(&copies[0]).await;
    assert_eq!(before.len(), (CARDS + LAYOUTS) as usize + 2);
    assert!(before.keys().all(|path| path.starts_with("users/")));
}

#[tokio::test]
async fn documents_of_a_newer_version_are_refused_in_words() {
    let place = Place::new(None);
    let folder = place.join("data/documents");
    std::fs::create_dir_all(&folder).unwrap();
    {
        let store = open(&folder).await;
        let state = Fields::from([("version".to_owned(), Value::Integer(99))]);
        put(&store, "__schema__", vec![set("state/schema", state)]).await;
        store.close().await.unwrap();
    }
    for command in ["serve", "migrate"] {
        let port: &[&str] = if command == "serve" { &["--port", "0"] } else { &[] };
        let ended = place.run(&[&[command, "--project", "demo", "--data", "data"], port].concat()).await;
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains("version 99"), "{}", ended.stderr);
    }
}
