//! Garbage collection of versions that nobody can read any more, in slices that never hold up a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::Code;
use crate::clock::SharedClock;
use crate::engine::{AnyEngine, Engine, GcScope};
use crate::indexer::Indexer;
use crate::model::Ts;

/// Versions examined by one slice of the whole key space.
const SLICE: usize = 1_000;
/// Pause between two such slices: they use a small part of one core at most.
const PAUSE: Duration = Duration::from_millis(10);
/// Passes over the whole key space within the time that versions are kept.
const PASSES: u32 = 4;
/// Keys of the log examined by one slice.
const REPLACED_SLICE: usize = 500;
/// Pause between two slices along the log: faster than writers, and less than one core.
const REPLACED_PAUSE: Duration = Duration::from_millis(1);
/// Pause when there is nothing to collect.
const IDLE: Duration = Duration::from_secs(1);

/// Counters of garbage collection since the start.
#[derive(Debug, Default)]
pub struct Garbage {
    dropped: AtomicU64,
    examined: AtomicU64,
    passes: AtomicU64,
}

impl Garbage {
    /// Versions removed.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Versions examined.
    pub fn examined(&self) -> u64 {
        self.examined.load(Ordering::Relaxed)
    }

    /// Completed passes over the whole key space.
    pub fn passes(&self) -> u64 {
        self.passes.load(Ordering::Relaxed)
    }
}

/// Garbage-collects old versions of an engine in the background.
pub(crate) struct Collector {
    engine: Arc<AnyEngine>,
    clock: SharedClock,
    keep: Duration,
    indexer: Arc<Indexer>,
    counts: Arc<Garbage>,
}

impl Collector {
    /// A collector of versions older than `keep`.
    pub(crate) fn new(
        engine: Arc<AnyEngine>,
        clock: SharedClock,
        keep: Duration,
        indexer: Arc<Indexer>,
    ) -> Self {
        Self { engine, clock, keep, indexer, counts: Arc::default() }
    }

    /// Counters since the start.
    pub(crate) fn counts(&self) -> &Arc<Garbage> {
        &self.counts
    }

    /// Starts the task; it ends when the collector is dropped.
    pub(crate) fn start(self: &Arc<Self>) -> JoinHandle<()> {
        let collector = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut passes = Passes { next: Instant::now(), began: None, clean: None };
            loop {
                let pause = match collector.upgrade() {
                    Some(collector) => collector.slice(&mut passes).await,
                    None => return,
                };
                tokio::time::sleep(pause).await;
            }
        })
    }

    /// Collects one slice; returns the pause before the next.
    async fn slice(&self, passes: &mut Passes) -> Duration {
        let keep = self.keep;
        let kept = u64::try_from(keep.as_micros()).unwrap_or(u64::MAX);
        let before = Ts::from_micros(self.clock.now().micros().saturating_sub(kept));
        if self.collect_slice(before, GcScope::Replaced, REPLACED_SLICE).await == Collected::Part {
            return REPLACED_PAUSE;
        }
        let newest = *self.engine.visible().borrow();
        if passes.began.is_none() && (Instant::now() < passes.next || passes.clean == Some(newest)) {
            return IDLE;
        }
        let (began_at, began_before) = *passes.began.get_or_insert((newest, before));
        let collected = self.collect_slice(before, GcScope::Everything, SLICE).await;
        if collected != Collected::Part {
            self.counts.passes.fetch_add(1, Ordering::Relaxed);
            // A store that is closing needs no cleanup.
            drop(self.indexer.remove_idle());
            let is_clean = collected == Collected::All && began_at <= began_before;
            *passes = Passes {
                next: Instant::now() + keep / PASSES,
                began: None,
                clean: is_clean.then_some(began_at),
            };
        }
        PAUSE
    }

    async fn collect_slice(&self, before: Ts, scope: GcScope, slice: usize) -> Collected {
        match self.engine.collect_garbage(before, scope, slice).await {
            Ok(found) => {
                self.counts.dropped.fetch_add(found.dropped as u64, Ordering::Relaxed);
                self.counts.examined.fetch_add(found.examined as u64, Ordering::Relaxed);
                if found.done { Collected::All } else { Collected::Part }
            }
            // The disk is full, which commits report to their callers.
            Err(error) if error.code() == Code::ResourceExhausted => Collected::Failed,
            Err(error) => {
                tracing::error!(error = %error, "old versions could not be garbage-collected");
                Collected::Failed
            }
        }
    }
}

/// Passes over the whole key space.
struct Passes {
    /// Earliest time of the next one.
    next: Instant,
    /// The newest commit, and the age limit of versions, when the pass under way began.
    began: Option<(Ts, Ts)>,
    /// The newest commit at a pass that could collect every older version: until there is another commit, nothing is
    /// left to collect.
    clean: Option<Ts>,
}

/// Progress of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Collected {
    /// More is left.
    Part,
    /// Nothing is left for now.
    All,
    /// The engine failed; a later pass tries again.
    Failed,
}

#[cfg(test)]
mod tests {
    use crate::clock::ManualClock;
    use crate::model::{DatabaseId, DocPath, Fields, Precondition, Value, Write, WriteOp};
    use crate::{Database, Draft, EngineOptions, Limits, Store, StoreOptions};

    use super::*;

    const DOCUMENTS: i64 = 50;
    const ROUNDS: i64 = 60;

    async fn overwrite(db: &Database, round: i64) -> Ts {
        let set = |n: i64| Write {
            path: DocPath::parse(&format!("c/{n}")).unwrap(),
            op: WriteOp::Set {
                fields: Fields::from([("n".to_owned(), Value::Integer(round))]),
                transforms: Vec::new(),
            },
            precondition: Precondition::None,
        };
        db.commit(Draft::of((0..DOCUMENTS).map(set).collect())).await.unwrap().commit_time
    }

    /// Versions older than the retention time are removed, slice by slice between commits, and counted; others stay.
    #[tokio::test(start_paused = true)]
    async fn old_versions_go_when_their_time_is_over() {
        let keep = Duration::from_secs(60);
        let clock = Arc::new(ManualClock::new(Ts::from_micros(1_000_000_000)));
        let limits = Limits { keep, ..Limits::default() };
        let options = StoreOptions { engine: EngineOptions::Memory, clock: clock.clone(), limits };
        let store = Store::open(options).await.unwrap();
        let db = store.database(&DatabaseId::default_of("p"));
        let first = overwrite(&db, 0).await;
        for round in 1..ROUNDS {
            overwrite(&db, round).await;
        }
        let path = [DocPath::parse("c/7").unwrap()];
        // Time for any number of slices and passes, though every version is young enough to be kept.
        tokio::time::sleep(keep * 2).await;
        let garbage = store.garbage();
        assert!(garbage.passes() > 0 && garbage.examined() > 0);
        assert_eq!(garbage.dropped(), 0);
        assert!(db.get(&path, Some(first)).await.unwrap().value[0].is_some());
        clock.advance(keep * 2);
        // Each round but the last: the documents' versions, and the entries that were closed.
        let old = u64::try_from((ROUNDS - 1) * DOCUMENTS).unwrap() * 2;
        let mut round = ROUNDS;
        while garbage.dropped() < old {
            overwrite(&db, round).await;
            round += 1;
            tokio::time::sleep(REPLACED_PAUSE).await;
        }
        assert_eq!(db.get(&path, Some(first)).await.unwrap_err().tag(), "ReadTimeTooOld");
        let newest = db.get(&path, None).await.unwrap().value.remove(0).unwrap();
        assert_eq!(newest.fields["n"], Value::Integer(round - 1));
        let checked = db.check().await.unwrap();
        assert_eq!((checked.missing, checked.stray), (0, 0));
        store.close().await.unwrap();
    }

    /// Passes cost a read of the whole key space; without commits there is nothing new to find.
    #[tokio::test(start_paused = true)]
    async fn an_idle_store_makes_no_passes() {
        let keep = Duration::from_secs(60);
        let clock = Arc::new(ManualClock::new(Ts::from_micros(1_000_000_000)));
        let limits = Limits { keep, ..Limits::default() };
        let options = StoreOptions { engine: EngineOptions::Memory, clock: clock.clone(), limits };
        let store = Store::open(options).await.unwrap();
        let db = store.database(&DatabaseId::default_of("p"));
        let garbage = store.garbage();
        overwrite(&db, 0).await;
        overwrite(&db, 1).await;
        // The versions are too young: passes go on, because a later one will collect them.
        tokio::time::sleep(keep * 2).await;
        let young = garbage.passes();
        tokio::time::sleep(keep * 2).await;
        assert!(garbage.passes() > young);
        clock.advance(keep * 2);
        tokio::time::sleep(keep * 2).await;
        assert!(garbage.dropped() > 0);
        let (passes, examined) = (garbage.passes(), garbage.examined());
        tokio::time::sleep(keep * 100).await;
        assert_eq!((garbage.passes(), garbage.examined()), (passes, examined));
        overwrite(&db, 2).await;
        tokio::time::sleep(keep * 2).await;
        assert!(garbage.passes() > passes);
        store.close().await.unwrap();
    }
}
