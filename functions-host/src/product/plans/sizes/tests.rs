use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use docstore::clock::{Clock, ManualClock, SharedClock, SystemClock};
use docstore::engine::Faults;
use docstore::model::WriteOp;
use docstore::store::{EngineOptions, Limits, StoreOptions};
use docstore::testing::faulty_store;
use tokio::task::JoinHandle;

use super::*;

/// Numbers by chance (xorshift), again from the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

async fn open(folder: &Path, clock: SharedClock) -> Store {
    let engine = EngineOptions::disk(folder);
    Store::open(StoreOptions { engine, clock, limits: Limits::default() }).await.unwrap()
}

fn counting(sizes: &Sizes) -> JoinHandle<()> {
    let sizes = sizes.clone();
    tokio::spawn(async move { sizes.keep_counted().await })
}

fn set(path: &str, owner: Option<&str>, bytes: usize) -> Write {
    let text = |text: String| Value::String(text);
    let mut fields = Fields::from([("text".to_owned(), text("x".repeat(bytes)))]);
    if let Some(owner) = owner {
        fields.insert("owner".to_owned(), text(owner.to_owned()));
    }
    Write::set(DocPath::parse(path).unwrap(), fields)
}

/// The sum of all documents of an account as they are now.
async fn truth(store: &Store, uid: &str) -> u64 {
    let documents = store.database(&DatabaseId::default_of("demo"));
    let query = Query::all(None, Source { collection: None, all_descendants: true });
    let all = documents.run(&query, None).await.unwrap().documents;
    let mine = |root: &DocPath| {
        let owner = all.iter().find(|one| one.path == *root).and_then(|one| project::owner(&one.fields));
        root.to_string() == format!("users/{uid}") || owner == Some(uid)
    };
    all.iter()
        .filter(|one| root_of(&one.path, &one.fields).is_some_and(|root| mine(&root)))
        .map(|one| one.size() as u64)
        .sum()
}

async fn counted(sizes: &Sizes, uid: &str) -> u64 {
    let mut there = sizes.counted.subscribe();
    there.wait_for(Option::is_some).await.unwrap();
    sizes.of(uid).await.unwrap().unwrap()
}

/// Commits of writes and deletions at random: own documents, projects that change hands, and what counts for nobody.
async fn work(store: &Store, dice: &mut Dice, commits: usize) {
    let documents = store.database(&DatabaseId::default_of("demo"));
    for _ in 0..commits {
        let writes = (0..1 + dice.below(5)).map(|_| {
            let (n, bytes) = (dice.below(4), dice.below(2_000));
            let owner = ["ann", "bob"][dice.below(2)];
            let (path, owner) = match dice.below(6) {
                5 => (format!("shares/{n}"), None),
                0 => (format!("projects/p{n}"), Some(owner)),
                1 => (format!("projects/p{n}/components/c/cards/{}", dice.below(9)), None),
                2 => (format!("users/{owner}/library/l/items/{n}"), None),
                3 => (format!("users/{owner}"), None),
                _ => (format!("stock/{n}"), None),
            };
            if dice.below(3) == 0 {
                Write::delete(DocPath::parse(&path).unwrap())
            } else {
                let mut write = set(&path, owner, bytes);
                if let WriteOp::Set { fields, .. } = &mut write.op {
                    fields.insert(PROJECT.to_owned(), Value::String(format!("p{}", dice.below(4))));
                }
                write
            }
        });
        documents.commit(Draft::of(writes.collect())).await.unwrap();
    }
}

#[tokio::test]
async fn sums_are_those_of_the_documents_whatever_is_written_and_after_every_restart() {
    let now = SystemClock.now().micros();
    println!("seed {now}");
    let mut dice = Dice(now | 1);
    let folder = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let store = open(folder.path(), Arc::new(SystemClock)).await;
        // Commits before, during and after the count.
        work(&store, &mut dice, 20).await;
        let sizes = Sizes::new(&store, "demo");
        let task = counting(&sizes);
        work(&store, &mut dice, if round == 1 { COMMITS + 200 } else { 40 }).await;
        for uid in ["ann", "bob", "eve"] {
            assert_eq!(counted(&sizes, uid).await, truth(&store, uid).await, "{uid} in round {round}");
        }
        assert!(sizes.position().await.unwrap().is_some(), "the position is stored");
        task.abort();
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_restart_goes_on_from_the_stored_sums_and_counts_again_without_their_position() {
    let store = Store::in_memory().await.unwrap();
    let documents = store.database(&DatabaseId::default_of("demo"));
    documents.commit(Draft::of(vec![set("users/ann", None, 100)])).await.unwrap();
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    let right = counted(&sizes, "ann").await;
    task.abort();
    // A wrong sum shows where counting goes on.
    let wrong = Fields::from([(BYTES.to_owned(), Value::Integer(7))]);
    let path = |text: &str| DocPath::parse(text).unwrap();
    let stray = Write::set(path("projects/gone"), wrong.clone());
    sizes.sums.commit(Draft::of(vec![Write::set(path("users/ann"), wrong), stray])).await.unwrap();
    let again = Sizes::new(&store, "demo");
    let task = counting(&again);
    assert_eq!(counted(&again, "ann").await, 7);
    task.abort();
    sizes.sums.commit(Draft::of(vec![Write::delete(path(POSITION))])).await.unwrap();
    let again = Sizes::new(&store, "demo");
    let task = counting(&again);
    assert_eq!(counted(&again, "ann").await, right);
    assert!(sizes.sums.get(&[path("projects/gone")], None).await.unwrap().value[0].is_none());
    task.abort();
}

/// Starts to count in a folder, lets `meanwhile` write, and stops. A wrong sum stored at the end tells whether the next
/// start goes on from the position.
async fn goes_on_after(
    folder: &Path,
    clock: &Arc<ManualClock>,
    meanwhile: impl AsyncFn(&Store, &Sizes),
) -> bool {
    let store = open(folder, clock.clone()).await;
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    counted(&sizes, "ann").await;
    meanwhile(&store, &sizes).await;
    task.abort();
    let wrong = Fields::from([(BYTES.to_owned(), Value::Integer(7))]);
    sizes.sums.commit(Draft::of(vec![Write::set(root("users", "eve").unwrap(), wrong)])).await.unwrap();
    store.close().await.unwrap();
    drop((store, sizes));
    let store = open(folder, clock.clone()).await;
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    let goes_on = counted(&sizes, "eve").await == 7;
    assert_eq!(counted(&sizes, "ann").await, truth(&store, "ann").await);
    task.abort();
    store.close().await.unwrap();
    goes_on
}

#[tokio::test]
async fn few_commits_in_many_hours_leave_the_position_in_the_log() {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    let folder = tempfile::tempdir().unwrap();
    let goes_on = goes_on_after(folder.path(), &clock, async |store, sizes| {
        for hour in 0..5 {
            clock.advance(Duration::from_secs(3 * 3_600));
            let documents = store.database(&DatabaseId::default_of("demo"));
            documents.commit(Draft::of(vec![set(&format!("users/ann/c/{hour}"), None, 100)])).await.unwrap();
            counted(sizes, "ann").await;
        }
    });
    assert!(goes_on.await);
}

#[tokio::test]
async fn commits_of_others_leave_the_position_in_the_log() {
    let clock = Arc::new(ManualClock::new(Ts::from_micros(1_700_000_000_000_000)));
    let folder = tempfile::tempdir().unwrap();
    let goes_on = goes_on_after(folder.path(), &clock, async |store, sizes| {
        let others = store.database(&DatabaseId::new("demo", "__others__"));
        for n in 0..5 {
            // More together than a restart has of the log.
            let writes = (0..9).map(|m| set(&format!("all/{n}-{m}"), None, 1_000_000));
            others.commit(Draft::of(writes.collect())).await.unwrap();
            counted(sizes, "ann").await;
        }
    });
    assert!(goes_on.await);
}

/// A clock on which hours lie between any two commits.
#[derive(Debug, Default)]
struct Hours(AtomicU64);

impl Clock for Hours {
    fn now(&self) -> Ts {
        Ts::from_micros(self.0.fetch_add(3_600_000_000, Ordering::Relaxed))
    }
}

#[tokio::test]
async fn storing_the_position_causes_no_further_commits() {
    let clock = Arc::new(Hours::default());
    let options = StoreOptions { engine: EngineOptions::Memory, clock, limits: Limits::default() };
    let store = Store::open(options).await.unwrap();
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    let all_counted = async || {
        let newest = store.newest();
        sizes.counted.subscribe().wait_for(|at| at.is_some_and(|at| at >= newest)).await.unwrap();
    };
    all_counted().await;
    let documents = store.database(&DatabaseId::default_of("demo"));
    let at = documents.commit(Draft::of(vec![set("users/ann", None, 100)])).await.unwrap().commit_time;
    // The commit, and then the one that stores the position: another one would be there by now.
    all_counted().await;
    all_counted().await;
    let stored = store.changes(at).unwrap().next().await.unwrap().unwrap();
    assert_eq!(stored.len(), 1);
    task.abort();
}

#[tokio::test]
async fn sums_that_differ_are_found_and_counted_again_by_the_next_start() {
    let store = Store::in_memory().await.unwrap();
    let mut dice = Dice(5);
    work(&store, &mut dice, 100).await;
    let sizes = Sizes::new(&store, "demo");
    assert_eq!(sizes.drifted().await.unwrap(), 0, "nothing is counted yet");
    let task = counting(&sizes);
    counted(&sizes, "ann").await;
    task.abort();
    work(&store, &mut dice, 30).await;
    let sizes = Sizes::new(&store, "demo");
    assert_eq!(sizes.drifted().await.unwrap(), 0, "commits since are added");
    let path = |text: &str| DocPath::parse(text).unwrap();
    let wrong = |root| Write::set(path(root), Fields::from([(BYTES.to_owned(), Value::Integer(7))]));
    sizes.sums.commit(Draft::of(vec![wrong("users/ann"), wrong("users/nobody")])).await.unwrap();
    let sizes = Sizes::new(&store, "demo");
    assert_eq!(sizes.drifted().await.unwrap(), 2);
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    assert_eq!(counted(&sizes, "ann").await, truth(&store, "ann").await);
    task.abort();
    assert_eq!(Sizes::new(&store, "demo").drifted().await.unwrap(), 0);
}

#[tokio::test]
async fn a_comparison_ends_with_whatever_read_fails() {
    let faults = Faults::default();
    let store = faulty_store(&faults).await.unwrap();
    work(&store, &mut Dice(7), 20).await;
    let sizes = Sizes::new(&store, "demo");
    let task = counting(&sizes);
    counted(&sizes, "ann").await;
    task.abort();
    let mut failed = 0;
    for reads in 0.. {
        faults.after(reads);
        let compared = Sizes::new(&store, "demo").drifted().await;
        if !faults.end() {
            assert_eq!(compared.unwrap(), 0);
            break;
        }
        assert_eq!(compared.unwrap_err().tag(), "ReadFailed", "after {reads} reads");
        failed += 1;
    }
    assert!(failed > 3, "{failed} reads");
}

#[tokio::test]
async fn nothing_is_said_before_it_is_counted() {
    let store = Store::in_memory().await.unwrap();
    assert_eq!(Sizes::new(&store, "demo").of("ann").await.unwrap(), None);
}
