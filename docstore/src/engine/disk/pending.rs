//! Commits that are in the log and not yet in the picture.
//!
//! Taking commits into the picture costs more than deciding and logging them, and would stand between the log and the
//! caller. So they wait here, in memory and in order, where readers see them, while a thread of its own takes in
//! whatever has come together since it last looked. The log has them all, so a crash loses none.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::held;
use super::picture::Picture;
use crate::engine::map::VersionMap;
use crate::engine::versions::{Merged, Versions, collect};
use crate::engine::{Commit, Page, Scan, Stored};
use crate::key::Key;
use crate::model::Ts;
use crate::{Code, Error, Result};

/// What a version takes in memory besides its key and value, in bytes.
const VERSION_BYTES: usize = 64;

/// What waits for the picture.
#[derive(Debug)]
pub(super) struct Pending {
    layers: Mutex<Layers>,
    /// Told when there is room for commits, or will never be.
    moved: Condvar,
    /// Held by whoever takes a layer into the picture.
    moving: Mutex<()>,
    /// In microseconds: the picture has everything up to here.
    applied: AtomicU64,
    /// The last layer could not be taken in.
    failed: AtomicBool,
    /// How large a layer grows before commits wait, in bytes. There are two at most.
    layer_bytes: usize,
}

#[derive(Debug)]
struct Layers {
    /// Takes in commits.
    open: Arc<Layer>,
    /// Is on its way into the picture: older than everything in `open`.
    full: Option<Arc<Layer>>,
}

#[derive(Debug, Default)]
struct Layer {
    versions: VersionMap,
    bytes: AtomicUsize,
    /// In microseconds: its newest commit.
    until: AtomicU64,
}

impl Pending {
    /// Nothing waits, and the picture has everything up to `applied`.
    pub(super) fn new(applied: Ts, layer_bytes: usize) -> Self {
        Self {
            layers: Mutex::new(Layers { open: Arc::default(), full: None }),
            moved: Condvar::new(),
            moving: Mutex::default(),
            applied: AtomicU64::new(applied.micros()),
            failed: AtomicBool::new(false),
            layer_bytes,
        }
    }

    /// Takes in commits of the log, waiting while there is no room. The picture's thread is to be woken then.
    ///
    /// # Errors
    /// `Unavailable` (`PictureWrite`) when the picture takes nothing in any more.
    pub(super) fn insert(&self, batch: &[Arc<Commit>]) -> Result<()> {
        let mut layers = self.room()?;
        for commit in batch {
            let open = &layers.open;
            open.versions.insert([(commit.ts, commit.puts.as_slice())]);
            let size = commit.puts.iter().map(|put| put.size() + VERSION_BYTES);
            open.bytes.fetch_add(size.sum(), Ordering::Relaxed);
            open.until.store(commit.ts.micros(), Ordering::Relaxed);
            // Readers get their turn after every commit.
            drop(layers);
            layers = held(&self.layers);
        }
        Ok(())
    }

    fn room(&self) -> Result<MutexGuard<'_, Layers>> {
        let mut layers = held(&self.layers);
        while layers.open.bytes.load(Ordering::Relaxed) >= self.layer_bytes {
            if self.failed.load(Ordering::Relaxed) {
                return Err(Error::new(
                    Code::Unavailable,
                    "PictureWrite",
                    "the store's picture of the log takes nothing in any more: see the log, and restart",
                ));
            }
            layers = self.moved.wait(layers).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(layers)
    }

    /// The picture has everything up to here.
    pub(super) fn applied(&self) -> Ts {
        Ts::from_micros(self.applied.load(Ordering::SeqCst))
    }

    /// Takes layers into the picture until it has everything up to `until`.
    pub(super) fn apply(&self, picture: &impl Picture, until: Ts) -> Result<()> {
        let _alone = held(&self.moving);
        while self.applied() < until
            && let Some(layer) = self.next()
        {
            let inserted = picture.insert(&layer.versions);
            let mut layers = held(&self.layers);
            self.failed.store(inserted.is_err(), Ordering::Relaxed);
            self.moved.notify_all();
            inserted?;
            self.applied.store(layer.until.load(Ordering::Relaxed), Ordering::SeqCst);
            layers.full = None;
        }
        Ok(())
    }

    /// Takes the oldest layer into the picture.
    pub(super) fn apply_due(&self, picture: &impl Picture) -> Result<()> {
        self.apply(picture, self.applied().next())
    }

    /// The next layer to go into the picture: one that failed before, or the open one.
    fn next(&self) -> Option<Arc<Layer>> {
        let mut layers = held(&self.layers);
        if layers.full.is_none() && !layers.open.versions.is_empty() {
            layers.full = Some(std::mem::take(&mut layers.open));
            self.moved.notify_all();
        }
        layers.full.clone()
    }

    /// Says that nothing will be taken into the picture any more.
    pub(super) fn give_up(&self) {
        let _layers = held(&self.layers);
        self.failed.store(true, Ordering::Relaxed);
        self.moved.notify_all();
    }

    /// What has not reached the picture, newest first. To be asked before the picture is: what leaves here is there by
    /// then.
    pub(super) fn view(&self) -> View {
        let layers = held(&self.layers);
        let full = layers.full.iter();
        let all = std::iter::once(&layers.open).chain(full).filter(|layer| !layer.versions.is_empty());
        View(all.map(Arc::clone).collect())
    }
}

/// The layers at one time.
#[derive(Debug)]
pub(super) struct View(Vec<Arc<Layer>>);

impl View {
    /// What `key` held at `at`, here or in the picture.
    pub(super) fn get(&self, picture: &impl Picture, key: &Key, at: Ts) -> Result<Option<Stored>> {
        match self.0.iter().find_map(|layer| layer.versions.newest(key, at)) {
            Some(found) => Ok(found),
            None => picture.get(key, at),
        }
    }

    /// One page of a range, here and in the picture.
    pub(super) fn scan(&self, picture: &impl Picture, scan: &Scan<'_>) -> Result<Page> {
        // What comes after the look is later than what the reader may see.
        let layers = self.0.iter().filter(|layer| layer.versions.touches(scan.range));
        let layers = layers.map(|layer| layer.versions.versions(scan.range, scan.direction));
        let mut places: Vec<Versions<'_>> = layers.collect();
        if places.is_empty() {
            return picture.scan(scan);
        }
        places.push(picture.versions(scan.range, scan.direction));
        let versions = Merged::new(places, scan.direction)?;
        collect(versions, scan.at, scan.direction, scan.limit, scan.values)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::sled_picture::SledPicture;
    use super::super::tests::{key, mixed, through};
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Wherever commits are, in the picture, on their way into it or waiting, in two places at once too, readers see
        /// the same, at every time.
        #[test]
        fn readers_do_not_see_where_commits_are(
            commits in proptest::collection::vec(proptest::collection::vec((0u8..12, any::<bool>()), 1..6), 1..40),
            moved in 0usize..40, underway in 0usize..40, half in any::<bool>()
        ) {
            let whole = VersionMap::default();
            let folder = tempfile::tempdir().unwrap();
            let picture = SledPicture::open(folder.path(), 1 << 24).unwrap();
            let pending = Pending::new(Ts::ZERO, usize::MAX);
            let (mut last, mut live, mut times) = (Ts::ZERO, BTreeMap::new(), Vec::new());
            for (index, wanted) in commits.iter().enumerate() {
                let commit = mixed(last, last.next(), &mut live, wanted);
                last = commit.ts;
                times.push(last);
                whole.insert([(last, commit.puts.as_slice())]);
                pending.insert(&[commit]).unwrap();
                if index == moved {
                    pending.apply(&picture, last).unwrap();
                    prop_assert!(pending.view().0.is_empty());
                } else if index == moved + underway && let Some(layer) = pending.next() && half {
                    picture.insert(&layer.versions).unwrap();
                }
            }
            let check = || {
                for at in &times {
                    let expected = through(*at, |scan| whole.scan(scan).unwrap());
                    prop_assert_eq!(through(*at, |scan| pending.view().scan(&picture, scan).unwrap()), expected);
                    for number in 0..12 {
                        let found = pending.view().get(&picture, &key(number), *at).unwrap();
                        prop_assert_eq!(Some(found), whole.get(&[key(number)], *at).pop());
                    }
                }
                Ok(())
            };
            check()?;
            pending.apply(&picture, last).unwrap();
            prop_assert!(pending.view().0.is_empty());
            check()?;
        }
    }

    #[test]
    fn commits_wait_for_room_and_are_told_when_there_will_be_none() {
        let pending = Pending::new(Ts::ZERO, 1);
        let one = mixed(Ts::ZERO, Ts::from_micros(1), &mut BTreeMap::new(), &[(1, true)]);
        let two = mixed(one.ts, Ts::from_micros(2), &mut BTreeMap::new(), &[(2, true)]);
        pending.insert(&[one]).unwrap();
        let picture = VersionMap::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pending.insert(std::slice::from_ref(&two)));
            pending.apply(&picture, Ts::from_micros(1)).unwrap();
            waiting.join().unwrap().unwrap();
        });
        assert!(pending.applied() >= Ts::from_micros(1));
        assert_eq!(pending.view().get(&picture, &key(2), two.ts).unwrap(), two.puts[0].value);
        pending.apply(&picture, two.ts).unwrap();
        let three = mixed(two.ts, Ts::from_micros(3), &mut BTreeMap::new(), &[(3, true)]);
        let four = mixed(three.ts, Ts::from_micros(4), &mut BTreeMap::new(), &[(4, true)]);
        pending.insert(&[three]).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pending.insert(&[four]));
            pending.give_up();
            assert_eq!(waiting.join().unwrap().unwrap_err().tag(), "PictureWrite");
        });
    }
}
