//! The memtable: commits that are in the log and not yet in the view.
//!
//! Writing commits into the view costs more than validating and logging them, and would delay their callers. So they
//! are held here, in memory and in order, where readers see them. The flusher writes them into the view when commits
//! pause, or when several layers are full; until then a burst has the processor to itself. The log has them all, so a
//! crash loses none, and a start fills the memtable again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::view::View;
use super::view::state::ViewState;
use crate::encoding::key::Key;
use crate::engine::map::VersionMap;
use crate::engine::versions::{Merged, Versions, collect};
use crate::engine::{Commit, Page, Put, Scan, Stored};
use crate::model::Ts;
use crate::{Code, Error, Result};

/// Memory of a version besides its key and value, in bytes.
const VERSION_BYTES: usize = 64;
/// Full layers that may wait behind the open one before commits wait too.
const FULL_LAYERS: usize = 7;
/// Full layers at which a flush begins even though commits keep coming.
const GATHERED_LAYERS: usize = 2;
/// Full layers that a replay leaves in memory, so that a start need not wait for the view.
const REPLAYED_LAYERS: usize = 2 * FULL_LAYERS;
/// Interval at which a caller checks whether another thread's flush is over.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Commits that are not yet in the view.
#[derive(Debug)]
pub(super) struct Memtable {
    layers: Mutex<Layers>,
    /// Notified when there is room for commits, or never will be.
    flushed: Condvar,
    /// Held by the thread that flushes a layer.
    flushing: Mutex<()>,
    /// In microseconds: the view has every commit up to here.
    applied: AtomicU64,
    /// The last flush failed.
    failed: AtomicBool,
    /// Size at which a layer is full, in bytes.
    layer_bytes: usize,
    /// State of the view at the start.
    state: ViewState,
}

#[derive(Debug, Default)]
struct Layers {
    /// Receives commits.
    open: Arc<Layer>,
    /// Older than everything in `open`, oldest first; the first one is flushed next.
    full: VecDeque<Arc<Layer>>,
}

impl Layers {
    fn is_empty(&self) -> bool {
        self.full.is_empty() && self.open.versions.is_empty()
    }

    fn gathered(&self) -> bool {
        self.full.len() >= GATHERED_LAYERS
    }

    fn close(&mut self) {
        self.full.push_back(std::mem::take(&mut self.open));
    }
}

#[derive(Debug, Default)]
struct Layer {
    versions: VersionMap,
    bytes: AtomicUsize,
    /// In microseconds: time of its newest commit.
    until: AtomicU64,
}

impl Layer {
    fn insert(&self, ts: Ts, puts: &[Put]) {
        self.versions.insert([(ts, puts)]);
        let size = puts.iter().map(|put| put.size() + VERSION_BYTES);
        self.bytes.fetch_add(size.sum(), Ordering::Relaxed);
        self.until.store(ts.micros(), Ordering::Relaxed);
    }

    fn until(&self) -> Ts {
        Ts::from_micros(self.until.load(Ordering::Relaxed))
    }
}

impl Memtable {
    /// An empty memtable over a view in `state`.
    pub(super) fn new(state: ViewState, layer_bytes: usize) -> Self {
        Self {
            layers: Mutex::default(),
            flushed: Condvar::new(),
            flushing: Mutex::default(),
            applied: AtomicU64::new(state.applied.micros()),
            failed: AtomicBool::new(false),
            layer_bytes,
            state,
        }
    }

    /// Generation of the view: distinguishes it from earlier and later ones of this store.
    pub(super) fn generation(&self) -> u64 {
        self.state.generation
    }

    /// Adds logged commits, for which [`Self::make_room`] has made room. Returns true if the flusher should be woken.
    pub(super) fn insert(&self, batch: &[Arc<Commit>]) -> bool {
        let mut layers = self.layers.lock();
        let first = layers.is_empty();
        for commit in batch {
            layers.open.insert(commit.ts, &commit.puts);
            // Let readers in after every commit.
            drop(layers);
            layers = self.layers.lock();
        }
        first || layers.gathered()
    }

    /// Adds a commit during log replay, before the flusher runs. Flushes in place when too many layers are full.
    ///
    /// # Errors
    /// Those of the view.
    pub(super) fn replay(&self, view: &impl View, ts: Ts, puts: &[Put]) -> Result<()> {
        let mut layers = self.layers.lock();
        if layers.open.bytes.load(Ordering::Relaxed) >= self.layer_bytes {
            layers.close();
        }
        layers.open.insert(ts, puts);
        let full = layers.full.len();
        drop(layers);
        if full > REPLAYED_LAYERS { self.flush_oldest(view) } else { Ok(()) }
    }

    /// Waits until there is room for commits. Called before the append, because what is in the log is stored.
    ///
    /// # Errors
    /// `Unavailable` (`ViewWrite`) while flushes fail.
    pub(super) fn make_room(&self) -> Result<()> {
        let mut layers = self.layers.lock();
        while layers.open.bytes.load(Ordering::Relaxed) >= self.layer_bytes {
            if layers.full.len() < FULL_LAYERS {
                layers.close();
                break;
            }
            if self.failed.load(Ordering::Relaxed) {
                return Err(Error::new(
                    Code::Unavailable,
                    "ViewWrite",
                    "the store's view of the log takes nothing in: see the server's log for the reason",
                ));
            }
            self.flushed.wait(&mut layers);
        }
        Ok(())
    }

    /// True if the view has every commit.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.lock().is_empty()
    }

    /// True if enough layers are full to flush even while commits arrive.
    pub(super) fn gathered(&self) -> bool {
        self.layers.lock().gathered()
    }

    /// Time of the newest commit.
    pub(super) fn newest(&self) -> Ts {
        self.layers.lock().open.until()
    }

    /// The view has every commit up to here.
    pub(super) fn applied(&self) -> Ts {
        Ts::from_micros(self.applied.load(Ordering::SeqCst))
    }

    /// Flushes layers until the view has every commit up to `until`, or waits while another thread does.
    pub(super) fn flush(&self, view: &impl View, until: Ts) -> Result<()> {
        while self.applied() < until {
            let Some(_alone) = self.flushing.try_lock() else {
                // That thread may have finished just now.
                self.flushed.wait_for(&mut self.layers.lock(), LOOK_AGAIN);
                continue;
            };
            let Some(layer) = self.next() else { return Ok(()) };
            let state = ViewState { applied: layer.until(), ..self.state };
            let inserted = view.insert(&layer.versions).and_then(|()| view.record(state));
            let mut layers = self.layers.lock();
            self.failed.store(inserted.is_err(), Ordering::Relaxed);
            self.flushed.notify_all();
            inserted?;
            self.applied.store(layer.until().micros(), Ordering::SeqCst);
            layers.full.pop_front();
        }
        Ok(())
    }

    /// Flushes the oldest layer.
    pub(super) fn flush_oldest(&self, view: &impl View) -> Result<()> {
        self.flush(view, self.applied().next())
    }

    /// The next layer to flush; the open one if there is no other.
    fn next(&self) -> Option<Arc<Layer>> {
        let mut layers = self.layers.lock();
        if layers.full.is_empty() && !layers.open.versions.is_empty() {
            layers.close();
            self.flushed.notify_all();
        }
        layers.full.front().cloned()
    }

    /// Records that nothing will be flushed any more, and wakes waiting commits.
    pub(super) fn give_up(&self) {
        let _layers = self.layers.lock();
        self.failed.store(true, Ordering::Relaxed);
        self.flushed.notify_all();
    }

    /// The current layers, newest first. Take it before reading the view: a layer that leaves the memtable is in the
    /// view by then.
    pub(super) fn reader(&self) -> Reader {
        let layers = self.layers.lock();
        let full = layers.full.iter().rev();
        let all = std::iter::once(&layers.open).chain(full).filter(|layer| !layer.versions.is_empty());
        Reader(all.map(Arc::clone).collect())
    }
}

/// The layers at one point in time.
#[derive(Debug)]
pub(super) struct Reader(Vec<Arc<Layer>>);

impl Reader {
    /// Value of `key` at `at`, from the memtable or the view.
    pub(super) fn get(&self, view: &impl View, key: &Key, at: Ts) -> Result<Option<Stored>> {
        match self.0.iter().find_map(|layer| layer.versions.newest(key, at)) {
            Some(found) => Ok(found),
            None => view.get(key, at),
        }
    }

    /// One page of a range, merged from the memtable and the view.
    pub(super) fn scan(&self, view: &impl View, scan: &Scan<'_>) -> Result<Page> {
        // Versions added from now on are later than the reader may see.
        let layers = self.0.iter().filter(|layer| layer.versions.touches(scan.range));
        let layers = layers.map(|layer| layer.versions.versions(scan.range, scan.direction));
        let mut places: Vec<Versions<'_>> = layers.collect();
        if places.is_empty() {
            return view.scan(scan);
        }
        places.push(view.versions(scan.range, scan.direction));
        let versions = Merged::new(places, scan.direction)?;
        collect(versions, scan)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::tests::{key, mixed, through};
    use super::*;
    use crate::encoding::key::KeyRange;
    use crate::engine::ScanDirection;
    use crate::engine::disk::view::engine::{AnyView, ViewEngine};
    use crate::engine::versions::{Version as _, versioned};

    const EMPTY: ViewState = ViewState { begins: Ts::ZERO, generation: 1, applied: Ts::ZERO };

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Readers see the same at every time wherever commits are: in the view, half flushed or in the memtable, even
        /// in two places at once.
        #[test]
        fn readers_do_not_see_where_commits_are(
            commits in proptest::collection::vec(proptest::collection::vec((0u8..12, any::<bool>()), 1..6), 1..40),
            moved in 0usize..40, underway in 0usize..40, half in any::<bool>(), engine in prop::sample::select(&ViewEngine::ALL[..])
        ) {
            let whole = VersionMap::default();
            let folder = tempfile::tempdir().unwrap();
            let view = AnyView::fresh(folder.path(), engine);
            let memtable = Memtable::new(EMPTY, usize::MAX);
            let (mut last, mut live, mut times) = (Ts::ZERO, BTreeMap::new(), Vec::new());
            for (index, wanted) in commits.iter().enumerate() {
                let commit = mixed(last, last.next(), &mut live, wanted);
                last = commit.ts;
                times.push(last);
                whole.insert([(last, commit.puts.as_slice())]);
                memtable.make_room().unwrap();
                memtable.insert(&[commit]);
                if index == moved {
                    memtable.flush(&view, last).unwrap();
                    prop_assert!(memtable.reader().0.is_empty());
                } else if index == moved + underway && let Some(layer) = memtable.next() && half {
                    view.insert(&layer.versions).unwrap();
                }
            }
            let check = || {
                for at in &times {
                    let expected = through(*at, |scan| whole.scan(scan).unwrap());
                    prop_assert_eq!(through(*at, |scan| memtable.reader().scan(&view, scan).unwrap()), expected);
                    for number in 0..12 {
                        let found = memtable.reader().get(&view, &key(number), *at).unwrap();
                        prop_assert_eq!(Some(found), whole.get(&[key(number)], *at).pop());
                    }
                }
                Ok(())
            };
            check()?;
            memtable.flush(&view, last).unwrap();
            prop_assert!(memtable.reader().0.is_empty());
            check()?;
        }

        /// A layer that is flushed during a scan is seen once and in order, wherever the scan is at that moment.
        #[test]
        fn what_moves_during_a_scan_is_seen_once(
            before in proptest::collection::btree_set(0u8..60, 0..20),
            moving in proptest::collection::btree_set(0u8..60, 1..20), at in 0usize..40, forward in any::<bool>(),
            engine in prop::sample::select(&ViewEngine::ALL[..])
        ) {
            let folder = tempfile::tempdir().unwrap();
            let view = AnyView::fresh(folder.path(), engine);
            let layer_of = |numbers: &BTreeSet<u8>, ts| {
                let layer = VersionMap::default();
                let puts: Vec<Put> = numbers.iter().map(|n| Put { key: vec![*n], value: Some([*n].into()) }).collect();
                layer.insert([(Ts::from_micros(ts), puts.as_slice())]);
                layer
            };
            view.insert(&layer_of(&before, 1)).unwrap();
            let layer = layer_of(&moving, 2);
            let direction = if forward { ScanDirection::Forward } else { ScanDirection::Backward };
            let range = KeyRange { start: Vec::new(), end: vec![0xff; 16] };
            let places = vec![layer.versions(&range, direction), view.versions(&range, direction)];
            let mut merged = Merged::new(places, direction).unwrap();
            let mut found: Vec<Key> = Vec::new();
            let mut go_on = |steps| {
                found.extend(merged.by_ref().take(steps).map(|version| version.unwrap().physical().to_vec()));
            };
            go_on(at);
            view.insert(&layer).unwrap();
            go_on(usize::MAX);
            let mut expected: Vec<Key> = before.iter().map(|n| versioned(&[*n], Ts::from_micros(1))).collect();
            expected.extend(moving.iter().map(|n| versioned(&[*n], Ts::from_micros(2))));
            expected.sort();
            if !forward {
                expected.reverse();
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn commits_wait_for_room_and_are_told_when_there_will_be_none() {
        let memtable = Memtable::new(EMPTY, 1);
        let view = VersionMap::default();
        let commit =
            |at| mixed(Ts::from_micros(at - 1), Ts::from_micros(at), &mut BTreeMap::new(), &[(2, true)]);
        let room = FULL_LAYERS as u64 + 1;
        for at in 1..=room {
            memtable.make_room().unwrap();
            let wake = memtable.insert(&[commit(at)]);
            assert_eq!(wake, at == 1 || at > GATHERED_LAYERS as u64);
        }
        let next = commit(room + 1);
        std::thread::scope(|scope| {
            let waiting =
                scope.spawn(|| memtable.make_room().map(|()| memtable.insert(std::slice::from_ref(&next))));
            memtable.flush(&view, Ts::from_micros(1)).unwrap();
            waiting.join().unwrap().unwrap();
        });
        assert!(memtable.applied() >= Ts::from_micros(1));
        assert_eq!(memtable.newest(), next.ts);
        assert_eq!(memtable.reader().get(&view, &key(2), next.ts).unwrap(), next.puts[0].value);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| memtable.make_room());
            memtable.give_up();
            assert_eq!(waiting.join().unwrap().unwrap_err().tag(), "ViewWrite");
        });
        memtable.flush(&view, next.ts).unwrap();
        assert!(memtable.is_empty());
    }

    #[test]
    fn a_replay_takes_in_what_is_too_much() {
        let memtable = Memtable::new(EMPTY, 1);
        let view = VersionMap::default();
        let commits = REPLAYED_LAYERS as u64 + 5;
        for at in 1..=commits {
            let put = Put { key: key(1), value: Some(vec![1; 10].into()) };
            memtable.replay(&view, Ts::from_micros(at), &[put]).unwrap();
        }
        assert_eq!(memtable.reader().0.len(), REPLAYED_LAYERS + 1);
        assert_eq!(view.len(), 4);
        assert_eq!(memtable.applied(), Ts::from_micros(4));
        memtable.flush(&view, Ts::MAX).unwrap();
        assert_eq!((view.len() as u64, memtable.is_empty()), (commits, true));
    }
}
