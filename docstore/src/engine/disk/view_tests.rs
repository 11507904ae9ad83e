//! A view that is missing, empty, truncated, outdated or damaged is never trusted, and a log without its end is
//! refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use futures::executor::block_on;
use proptest::prelude::*;

use super::tests::{commit, key, through};
use super::*;
use crate::engine::map::VersionMap;
use crate::engine::{Put, ScanDirection};
use crate::key::KeyRange;

/// A data folder with commits in its view and some behind the checkpoint.
pub(super) struct Folder {
    pub(super) folder: tempfile::TempDir,
    /// Time of every start.
    pub(super) now: Ts,
}

impl Folder {
    /// Two runs store the commits; the first run's are in the checkpoint.
    pub(super) fn new() -> Self {
        Self::begun_at(Ts::from_micros(1))
    }

    fn begun_at(now: Ts) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap(), now };
        for round in 0..2u8 {
            let engine = folder.open().unwrap();
            fill(&engine, round * 20..round * 20 + 20);
        }
        folder
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self) -> Result<DiskEngine> {
        DiskEngine::open(&DiskOptions {
            folder: self.folder.path().to_owned(),
            cache: 1 << 24,
            history: DEFAULT_HISTORY,
            now: self.now,
        })
    }

    /// Everything readers see, in both directions, with its time.
    pub(super) fn contents(&self) -> BTreeMap<Key, Ts> {
        let engine = self.open().unwrap();
        let found = through(Ts::MAX, |scan| block_on(engine.scan(scan)).unwrap());
        found.into_iter().map(|(key, stored)| (key.clone(), time_of(&key, &stored))).collect()
    }
}

fn time_of(key: &Key, stored: &Stored) -> Ts {
    let path = crate::key::read_doc_key(key).unwrap();
    crate::codec::decode_document(&path, stored).unwrap().update_time
}

fn fill(engine: &DiskEngine, numbers: std::ops::Range<u8>) {
    let term = block_on(engine.lead()).unwrap();
    let mut last = *engine.visible().borrow();
    for number in numbers {
        let at = last.next();
        block_on(engine.append(term, vec![commit(last, at, number, 2_000)])).unwrap();
        last = at;
    }
}

/// Name of a kind of damage, and the function that does it to a path.
type Damage = (&'static str, fn(&Path));

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn cut(file: &Path, part: u64) {
    let length = fs::metadata(file).unwrap().len();
    fs::OpenOptions::new().write(true).open(file).unwrap().set_len(length * part / 10).unwrap();
}

/// The last segment of the log.
fn last_segment(folder: &Folder) -> PathBuf {
    fs::read_dir(folder.path("log")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap()
}

#[test]
fn a_view_that_is_missing_empty_or_cut_is_built_again() {
    let damages: [Damage; 6] = [
        ("no folder", |sled| fs::remove_dir_all(sled).unwrap()),
        ("an empty folder", |sled| {
            fs::remove_dir_all(sled).unwrap();
            fs::create_dir(sled).unwrap();
        }),
        ("no database", |sled| fs::remove_file(sled.join("db")).unwrap()),
        ("an empty database", |sled| fs::write(sled.join("db"), b"").unwrap()),
        ("a database cut in half", |sled| cut(&sled.join("db"), 5)),
        ("a database without its beginning", |sled| {
            let mut bytes = fs::read(sled.join("db")).unwrap();
            bytes[..4096].fill(0);
            fs::write(sled.join("db"), bytes).unwrap();
        }),
    ];
    for (name, damage) in damages {
        let folder = Folder::new();
        let before = folder.contents();
        assert_eq!(before.len(), 40);
        damage(&folder.path("sled"));
        assert_eq!(folder.contents(), before, "{name}");
        assert_eq!(folder.contents(), before, "{name}, at the start after");
    }
}

#[test]
fn a_view_of_another_time_or_another_store_is_built_again() {
    let folder = Folder::new();
    let old = tempfile::tempdir().unwrap();
    copy(&folder.path("sled"), old.path());
    fill(&folder.open().unwrap(), 40..60);
    let before = folder.contents();
    let other = Folder::begun_at(Ts::from_micros(2));
    fill(&other.open().unwrap(), 60..90);
    for view in [old.path().to_owned(), other.path("sled")] {
        fs::remove_dir_all(folder.path("sled")).unwrap();
        copy(&view, &folder.path("sled"));
        assert_eq!(folder.contents(), before);
    }
}

#[test]
fn without_a_checkpoint_the_view_is_built_again() {
    let folder = Folder::new();
    let before = folder.contents();
    for text in [None, Some("1\n1\n"), Some("half")] {
        match text {
            None => fs::remove_file(folder.path("CHECKPOINT")).unwrap(),
            Some(text) => fs::write(folder.path("CHECKPOINT"), text).unwrap(),
        }
        assert_eq!(folder.contents(), before);
    }
}

#[test]
fn a_log_whose_end_is_missing_is_refused_and_left_as_it_is() {
    let damages: [Damage; 3] = [
        ("cut", |segment| cut(segment, 6)),
        ("emptied", |segment| fs::write(segment, b"").unwrap()),
        ("removed", |segment| fs::remove_file(segment).unwrap()),
    ];
    for (name, damage) in damages {
        let folder = Folder::new();
        let segment = last_segment(&folder);
        damage(&segment);
        let left = fs::read(&segment).ok();
        refused_twice(&folder, name);
        // An unusable view still proves that those commits existed.
        fs::remove_file(folder.path("sled/db")).unwrap();
        refused_twice(&folder, name);
        assert_eq!(fs::read(&segment).ok(), left, "{name}");
    }
}

/// A supervisor restarts a failed server, so the second start must be refused as well.
fn refused_twice(folder: &Folder, name: &str) -> String {
    let refused = |start: &str| {
        let error = folder.open().unwrap_err();
        assert_eq!((error.code(), error.tag()), (Code::DataLoss, "LogCutShort"), "{name}, {start}: {error}");
        assert!(error.message().contains("backup"), "{error}");
        error.message().to_owned()
    };
    refused("first start");
    refused("second start")
}

/// Moves the files that the error names after "move".
fn move_out(folder: &Folder, message: &str) -> Vec<String> {
    let (_, names) = message.split_once("move ").unwrap();
    let names: Vec<_> = names.strip_suffix(" out of it").unwrap().split(", ").map(str::to_owned).collect();
    for name in &names {
        let path = folder.path(name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
    names
}

#[test]
fn the_way_out_of_a_log_that_was_cut_names_a_snapshot_only_where_it_is_newer() {
    for newer in [false, true] {
        let folder = Folder::new();
        let before = folder.contents();
        let engine = folder.open().unwrap();
        let shared = Arc::clone(&engine.inner.shared);
        let end = if newer { *engine.visible().borrow() } else { Ts::from_micros(2) };
        shared.memtable.flush(&shared.view, end).unwrap();
        snapshot::write(&*shared.files, &shared.view, end, || Ok(())).unwrap();
        drop((shared, engine));
        cut(&last_segment(&folder), 6);
        let moved = move_out(&folder, &refused_twice(&folder, "with a snapshot"));
        let snapshot = newer.then(|| snapshot::path(end));
        assert_eq!(
            moved,
            ["sled".to_owned(), "CHECKPOINT".to_owned()].into_iter().chain(snapshot).collect::<Vec<_>>()
        );
        let after = folder.contents();
        assert!(!after.is_empty() && after.len() < before.len());
    }
}

#[test]
fn a_cut_log_that_begins_later_than_the_data_has_no_way_out_but_a_backup() {
    let folder = Folder::new();
    let segment = last_segment(&folder);
    let later = segment.with_file_name(format!("{:020}.seg", 2));
    fs::rename(&segment, later).unwrap();
    fs::write(last_segment(&folder), b"").unwrap();
    let message = refused_twice(&folder, "the beginning is missing");
    assert!(message.ends_with("from a backup"), "{message}");
}

/// Following the error's advice leads to a working store.
#[test]
fn without_view_and_checkpoint_a_log_that_was_cut_goes_on() {
    let folder = Folder::new();
    let before = folder.contents();
    cut(&last_segment(&folder), 6);
    assert_eq!(move_out(&folder, &refused_twice(&folder, "cut")), ["sled", "CHECKPOINT"]);
    let after = folder.contents();
    assert!(!after.is_empty() && after.len() < before.len());
    assert!(after.iter().all(|(key, time)| before.get(key) == Some(time)), "{after:?}");
}

#[test]
fn a_read_that_fails_ends_snapshots_and_the_next_start_builds_the_view_again() {
    let folder = Folder::new();
    let before = folder.contents();
    let engine = folder.open().unwrap();
    let shared = &engine.inner.shared;
    let failure = Error::new(Code::Unavailable, view::READ_FAILED, "a page is damaged");
    let found: Result<()> = shared.noted(Err(failure));
    assert_eq!(found.unwrap_err().tag(), "ViewRead");
    assert!(engine.distrusted());
    assert!(!folder.path("CHECKPOINT").exists());
    fill(&engine, 40..45);
    let segments = fs::read_dir(folder.path("log")).unwrap().count();
    shared.save(false).unwrap();
    shared.take_snapshot().unwrap();
    let snapshot =
        snapshot::write(&*shared.files, &shared.view, Ts::from_micros(9), || Err(snapshot::given_up()));
    assert_eq!(snapshot.unwrap_err().tag(), "SnapshotGivenUp");
    drop(engine);
    assert!(!folder.path("CHECKPOINT").exists());
    assert_eq!(fs::read_dir(folder.path("snap")).map_or(0, Iterator::count), 0);
    assert_eq!(fs::read_dir(folder.path("log")).unwrap().count(), segments);
    let after = folder.contents();
    assert_eq!(after.len(), before.len() + 5);
    assert!(before.iter().all(|(key, time)| after.get(key) == Some(time)), "{after:?}");
}

/// Overwrites a document and interrupts the removal of the older version, a large one, half way.
#[test]
fn a_removal_that_was_cut_off_shortens_the_history_and_stops_no_start() {
    let folder = Folder::new();
    let engine = folder.open().unwrap();
    let term = block_on(engine.lead()).unwrap();
    let start = *engine.visible().borrow();
    let times = [start, start.next(), start.next().next()];
    for pair in times.windows(2) {
        block_on(engine.append(term, vec![commit(pair[0], pair[1], 99, 20_000)])).unwrap();
    }
    drop(engine);
    let view = SledView::open_existing(&folder.path("sled"), 1 << 24).unwrap();
    view.remove_half(&key(99), times[1]);
    drop(view);
    let before = folder.contents();
    assert_eq!(before.len(), 41);
    let engine = folder.open().unwrap();
    assert_eq!(engine.log(times[1]).unwrap_err().tag(), "LogTruncated");
    engine.log(times[2]).unwrap();
    assert!(!engine.distrusted() && folder.path("CHECKPOINT").exists());
    assert!(!folder.path("sled.damaged").exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Bytes that change in place never make a row disappear: the answer is right, or the read fails and the next start
    /// is right again.
    #[test]
    fn flipped_bytes_lose_no_row(flips in proptest::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..6)) {
        let folder = Folder::new();
        let before = folder.contents();
        let db = folder.path("sled/db");
        let mut bytes = fs::read(&db).unwrap();
        // Bytes beyond the last row are never read.
        let used = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        for (place, change) in flips {
            bytes[place.index(used)] ^= change;
        }
        fs::write(&db, bytes).unwrap();
        let engine = folder.open().unwrap();
        let range = KeyRange { start: Vec::new(), end: vec![0xff; 16] };
        let scan =
            Scan { range: &range, at: Ts::MAX, direction: ScanDirection::Backward, limit: usize::MAX, values: true };
        match block_on(engine.scan(&scan)) {
            Ok(page) => prop_assert_eq!(page.entries.len(), before.len()),
            Err(error) => prop_assert_eq!(error.tag(), view::READ_FAILED),
        }
        drop(engine);
        prop_assert_eq!(folder.contents(), before);
    }
}

/// Keys like those of composite indexes: numbers of either sign, ascending and descending.
fn index_key() -> impl Strategy<Value = Key> {
    let number = prop_oneof![-50i64..50, any::<i64>()];
    (number.clone(), number, any::<bool>()).prop_map(|(a, b, descending)| {
        let bytes = |number: i64| number.cast_unsigned().wrapping_add(1 << 63).to_be_bytes();
        let b = if descending { bytes(b).map(|byte| !byte) } else { bytes(b) };
        [[9].as_slice(), &bytes(a).map(|byte| !byte), &b].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// The view answers like an ordered map, in both directions, for any keys and removals.
    #[test]
    fn the_view_is_an_ordered_map(
        rounds in proptest::collection::vec(
            (proptest::collection::vec((index_key(), any::<bool>()), 200..600), (index_key(), index_key())), 1..8
        )
    ) {
        let folder = tempfile::tempdir().unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        let map = VersionMap::default();
        for (at, (puts, (start, end))) in (1..).map(Ts::from_micros).zip(&rounds) {
            let puts: BTreeMap<_, _> = puts.iter().cloned().collect();
            let puts: Vec<Put> = puts
                .into_iter()
                .map(|(key, there)| Put { key, value: there.then(|| b"value".as_slice().into()) })
                .collect();
            let versions = VersionMap::default();
            versions.insert([(at, puts.as_slice())]);
            view.insert(&versions).unwrap();
            map.insert([(at, puts.as_slice())]);
            let range = KeyRange { start: start.min(end).clone(), end: start.max(end).clone() };
            for direction in [ScanDirection::Forward, ScanDirection::Backward] {
                for range in [&range, &KeyRange { start: Vec::new(), end: vec![0xff; 24] }] {
                    let scan = Scan { range, at, direction, limit: usize::MAX, values: true };
                    prop_assert_eq!(view.scan(&scan).unwrap().entries, map.scan(&scan).unwrap().entries);
                }
            }
        }
        let last = Ts::from_micros(rounds.len() as u64);
        prop_assert_eq!(
            view.remove_superseded(&Key::new(), last, usize::MAX).unwrap().dead,
            View::remove_superseded(&map, &Key::new(), last, usize::MAX).unwrap().dead
        );
    }
}

/// Reverse iteration over a leaf that begins with the first positive number, behind negative numbers whose keys end in
/// 0xff. sled splits leaves by size in bytes, so many sizes are tried.
#[test]
fn numbers_of_either_sign_are_read_from_the_end() {
    for below in (1..40).map(|n| n * 25) {
        let folder = tempfile::tempdir().unwrap();
        let view = SledView::open(folder.path(), 1 << 24).unwrap();
        let puts = (-below..600i64).map(|score| {
            let key =
                [b"index".as_slice(), &score.cast_unsigned().wrapping_add(1 << 63).to_be_bytes()].concat();
            Put { key, value: Some(b"".as_slice().into()) }
        });
        let versions = VersionMap::default();
        versions.insert([(Ts::from_micros(1), puts.collect::<Vec<_>>().as_slice())]);
        view.insert(&versions).unwrap();
        let range = KeyRange::prefix(b"index");
        let scan = |direction| {
            let scan = Scan { range: &range, at: Ts::MAX, direction, limit: usize::MAX, values: false };
            view.scan(&scan).unwrap().entries
        };
        let (forward, mut backward) = (scan(ScanDirection::Forward), scan(ScanDirection::Backward));
        backward.reverse();
        assert!(forward == backward, "{below} numbers below zero");
        assert_eq!(forward.len() as i64, below + 600);
    }
}
