//! A view that is missing, empty, truncated, outdated or damaged is never trusted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use futures::executor::block_on;
use proptest::prelude::*;

use super::sled_view::SledView;
use crate::Code;
use crate::encoding::key::KeyRange;
use crate::engine::ScanDirection;
use crate::engine::disk::tests::{commit, key, through};
use crate::engine::disk::*;

/// A data folder with commits in its view and some behind the checkpoint.
pub(in crate::engine::disk) struct Folder {
    pub(in crate::engine::disk) folder: tempfile::TempDir,
    /// Time of every start.
    pub(in crate::engine::disk) now: Ts,
    /// Engine of the view.
    pub(in crate::engine::disk) engine: ViewEngine,
    /// Size of a document, in bytes.
    size: usize,
}

impl Folder {
    /// Two runs store the commits; the first run's are in the checkpoint.
    pub(in crate::engine::disk) fn new(engine: ViewEngine) -> Self {
        Self::begun_at(Ts::from_micros(1), engine, 2_000)
    }

    fn begun_at(now: Ts, engine: ViewEngine, size: usize) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap(), now, engine, size };
        for round in 0..2u8 {
            folder.fill(round * 20..round * 20 + 20);
        }
        folder
    }

    /// Stores documents.
    fn fill(&self, numbers: std::ops::Range<u8>) {
        fill(&self.open().unwrap(), numbers, self.size);
    }

    /// The view's folder.
    pub(in crate::engine::disk) fn view(&self) -> PathBuf {
        self.path(self.engine.name())
    }

    pub(in crate::engine::disk) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(in crate::engine::disk) fn open(&self) -> Result<DiskEngine> {
        DiskEngine::open(&DiskOptions {
            folder: self.folder.path().to_owned(),
            cache: 1 << 24,
            history: DEFAULT_HISTORY,
            view: self.engine,
            now: self.now,
        })
    }

    /// Everything readers see, in both directions, with its time.
    pub(in crate::engine::disk) fn contents(&self) -> BTreeMap<Key, Ts> {
        let engine = self.open().unwrap();
        let found = through(Ts::MAX, |scan| block_on(engine.scan(scan)).unwrap());
        found.into_iter().map(|(key, stored)| (key.clone(), time_of(&key, &stored))).collect()
    }
}

fn time_of(key: &Key, stored: &Stored) -> Ts {
    let path = crate::encoding::key::read_doc_key(key).unwrap();
    crate::encoding::codec::decode_document(&path, stored).unwrap().update_time
}

fn fill(engine: &DiskEngine, numbers: std::ops::Range<u8>, size: usize) {
    let term = block_on(engine.lead()).unwrap();
    let mut last = *engine.visible().borrow();
    for number in numbers {
        let at = last.next();
        block_on(engine.append(term, vec![commit(last, at, number, size)])).unwrap();
        last = at;
    }
}

/// Name of a kind of damage, and the function that does it to a path.
pub(in crate::engine::disk) type Damage = (&'static str, fn(&Path));

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

pub(in crate::engine::disk) fn cut(file: &Path, part: u64) {
    let length = fs::metadata(file).unwrap().len();
    fs::OpenOptions::new().write(true).open(file).unwrap().set_len(length * part / 10).unwrap();
}

/// The last segment of the log.
pub(in crate::engine::disk) fn last_segment(folder: &Folder) -> PathBuf {
    fs::read_dir(folder.path("log")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap()
}

#[test]
fn a_view_that_is_missing_empty_or_cut_is_built_again() {
    let folder_damages: [Damage; 2] = [
        ("no folder", |view| fs::remove_dir_all(view).unwrap()),
        ("an empty folder", |view| {
            fs::remove_dir_all(view).unwrap();
            fs::create_dir(view).unwrap();
        }),
    ];
    let sled_damages: [Damage; 4] = [
        ("no database", |sled| fs::remove_file(sled.join("db")).unwrap()),
        ("an empty database", |sled| fs::write(sled.join("db"), b"").unwrap()),
        ("a database cut in half", |sled| cut(&sled.join("db"), 5)),
        ("a database without its beginning", |sled| {
            let mut bytes = fs::read(sled.join("db")).unwrap();
            bytes[..4096].fill(0);
            fs::write(sled.join("db"), bytes).unwrap();
        }),
    ];
    for engine in ViewEngine::ALL {
        let of_sled = sled_damages.iter().filter(|_| engine == ViewEngine::Sled);
        for (name, damage) in folder_damages.iter().chain(of_sled) {
            let folder = Folder::new(engine);
            let before = folder.contents();
            assert_eq!(before.len(), 40);
            damage(&folder.view());
            assert_eq!(folder.contents(), before, "{engine:?}, {name}");
            assert_eq!(folder.contents(), before, "{engine:?}, {name}, at the start after");
        }
    }
}

/// Every file below `folder`, sorted.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_of(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Files of fjall, flushed into tables and still in the journal, damaged one by one.
#[test]
fn every_damaged_file_of_fjall_is_noticed() {
    let whole = Folder::begun_at(Ts::from_micros(1), ViewEngine::Fjall, 120_000);
    fill(&whole.open().unwrap(), 40..43, 100);
    let before = whole.contents();
    assert_eq!(before.len(), 43);
    let files = files_of(&whole.view());
    let names: Vec<_> =
        files.iter().map(|file| file.strip_prefix(whole.view()).unwrap().to_owned()).collect();
    for expected in ["tables", ".jnl", "current"] {
        assert!(names.iter().any(|name| name.to_string_lossy().contains(expected)), "{names:?}");
    }
    let damages: [Damage; 6] = [
        ("gone", |file| fs::remove_file(file).unwrap()),
        ("emptied", |file| fs::write(file, b"").unwrap()),
        ("cut", |file| cut(file, 6)),
        ("without its beginning", |file| {
            let bytes = fs::read(file).unwrap();
            fs::write(file, [vec![0; bytes.len() / 2], bytes[bytes.len() / 2..].to_vec()].concat()).unwrap();
        }),
        ("a byte is changed", |file| {
            let mut bytes = fs::read(file).unwrap();
            if let Some(byte) = bytes.len().checked_div(3).and_then(|at| bytes.get_mut(at)) {
                *byte ^= 0x10;
            }
            fs::write(file, bytes).unwrap();
        }),
        ("a folder in its place", |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        }),
    ];
    for name in &names {
        for (damage_name, damage) in damages {
            let folder = Folder { folder: tempfile::tempdir().unwrap(), ..whole };
            copy(whole.folder.path(), folder.folder.path());
            damage(&folder.view().join(name));
            let shown = format!("{} {damage_name}", name.display());
            readable_or_refused(&folder, &before, &shown);
            assert_eq!(folder.contents(), before, "{shown}, at the start after");
        }
    }
}

/// Opens a folder and reads it whole: a read returns every row or fails as one of a damaged view.
fn readable_or_refused(folder: &Folder, before: &BTreeMap<Key, Ts>, shown: &str) {
    let engine = folder.open().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let range = KeyRange { start: Vec::new(), end: vec![0xff; 16] };
    for direction in [ScanDirection::Backward, ScanDirection::Forward] {
        let scan = Scan { direction, ..Scan::all(&range, Ts::MAX) };
        match block_on(engine.scan(&scan)) {
            Ok(page) => {
                let found = page.entries.iter().map(|(key, stored)| (key.clone(), time_of(key, stored)));
                assert_eq!(&found.collect::<BTreeMap<_, _>>(), before, "{shown}");
            }
            Err(error) => assert_eq!(error.tag(), view::READ_FAILED, "{shown}: {error}"),
        }
    }
}

#[test]
fn the_engine_may_change_at_every_start() {
    let mut folder = Folder::new(ViewEngine::Sled);
    let mut before = folder.contents();
    for round in 0..6u8 {
        let other = folder.engine;
        folder.engine = ViewEngine::ALL[usize::from(round + 1) % 2];
        assert_eq!(folder.contents(), before, "round {round}");
        assert!(folder.view().exists() && !folder.path(other.name()).exists(), "round {round}");
        if round % 3 == 1 {
            folder.fill(40 + round..42 + round);
            before = folder.contents();
        }
    }
    assert_eq!(before.len(), 44);
}

/// A view of another engine is as good as one that is missing, whatever it holds.
#[test]
fn a_view_of_another_engine_that_was_left_is_not_used_again() {
    let mut folder = Folder::new(ViewEngine::Sled);
    let left = tempfile::tempdir().unwrap();
    copy(&folder.view(), left.path());
    folder.engine = ViewEngine::Fjall;
    folder.fill(40..50);
    let before = folder.contents();
    folder.engine = ViewEngine::Sled;
    copy(left.path(), &folder.view());
    assert_eq!(folder.contents(), before);
}

#[test]
fn a_view_of_another_time_or_another_store_is_built_again() {
    for engine in ViewEngine::ALL {
        let folder = Folder::new(engine);
        let old = tempfile::tempdir().unwrap();
        copy(&folder.view(), old.path());
        folder.fill(40..60);
        let before = folder.contents();
        let other = Folder::begun_at(Ts::from_micros(2), engine, 2_000);
        other.fill(60..90);
        for view in [old.path().to_owned(), other.view()] {
            fs::remove_dir_all(folder.view()).unwrap();
            copy(&view, &folder.view());
            assert_eq!(folder.contents(), before);
        }
    }
}

#[test]
fn without_a_checkpoint_the_view_is_built_again() {
    for engine in ViewEngine::ALL {
        let folder = Folder::new(engine);
        let before = folder.contents();
        for text in [None, Some("1\n1\n"), Some("half")] {
            match text {
                None => fs::remove_file(folder.path("CHECKPOINT")).unwrap(),
                Some(text) => fs::write(folder.path("CHECKPOINT"), text).unwrap(),
            }
            assert_eq!(folder.contents(), before);
        }
    }
}

#[test]
fn a_read_that_fails_ends_snapshots_and_the_next_start_builds_the_view_again() {
    for view in ViewEngine::ALL {
        let folder = Folder::new(view);
        let before = folder.contents();
        let engine = folder.open().unwrap();
        let shared = &engine.inner.shared;
        let failure = Error::new(Code::Unavailable, view::READ_FAILED, "a page is damaged");
        let found: Result<()> = shared.noted(Err(failure));
        assert_eq!(found.unwrap_err().tag(), "ViewRead");
        assert!(engine.distrusted());
        assert!(!folder.path("CHECKPOINT").exists());
        fill(&engine, 40..45, 2_000);
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
}

/// Overwrites a document and interrupts the removal of the older version, a large one, half way.
#[test]
fn a_removal_that_was_cut_off_shortens_the_history_and_stops_no_start() {
    let folder = Folder::new(ViewEngine::Sled);
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

/// A number of parts that a damaged file claims to have takes no memory: the view is made anew.
#[test]
fn a_file_that_claims_to_have_billions_of_parts_is_refused() {
    let folder = Folder::new(ViewEngine::Fjall);
    let before = folder.contents();
    let contents_of = |file: &PathBuf| {
        let bytes = fs::read(file).unwrap();
        bytes.windows(4).rposition(|word| word == b"TOC!").map(|at| (file.clone(), bytes, at))
    };
    let (file, mut bytes, at) = files_of(&folder.view()).iter().find_map(contents_of).unwrap();
    bytes[at + 7] ^= 0xff;
    fs::write(&file, bytes).unwrap();
    readable_or_refused(&folder, &before, "impossible contents");
    assert_eq!(folder.contents(), before);
}

/// A disk that keeps a new snapshot otherwise than it was written costs nothing: the former one stays, and the log too.
#[test]
fn a_snapshot_is_read_back_before_the_former_one_goes() {
    for view in ViewEngine::ALL {
        let folder = Folder::new(view);
        let engine = folder.open().unwrap();
        let shared = &engine.inner.shared;
        let write = |at: Ts, whole: &dyn Fn() -> Result<()>| {
            shared.memtable.flush(&shared.view, at).unwrap();
            snapshot::write(&*shared.files, &shared.view, at, whole)
        };
        fill(&engine, 0..20, 2_000);
        let former = *engine.visible().borrow();
        write(former, &|| Ok(())).unwrap();
        fill(&engine, 20..40, 2_000);
        let at = *engine.visible().borrow();
        let fresh = folder.path(&format!("{}.new", snapshot::path(at)));
        for damage in
            [|bytes: &mut Vec<u8>| bytes[400] ^= 1, |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 12)]
        {
            // Once the whole file is there: before that, it is empty or ends within a block.
            let length = std::cell::Cell::new(0);
            let spoil = || {
                let mut bytes = fs::read(&fresh).unwrap_or_default();
                if bytes.len() > 400 && bytes.ends_with(&[0; 12]) && length.replace(bytes.len()) == 0 {
                    damage(&mut bytes);
                    fs::write(&fresh, bytes).unwrap();
                }
                Ok(())
            };
            assert_eq!(write(at, &spoil).unwrap_err().tag(), "SnapshotDamaged");
            assert!(length.get() > 0 && !fresh.exists());
            assert_eq!(snapshot::list(&*shared.files).unwrap(), [former]);
        }
        write(at, &|| Ok(())).unwrap();
        assert_eq!(snapshot::list(&*shared.files).unwrap(), [at]);
    }
}

/// A view that was made from a snapshot has nothing from before it, at this start and at later ones.
#[test]
fn times_before_the_snapshot_that_a_view_was_made_from_are_refused() {
    for view in ViewEngine::ALL {
        let folder = Folder::new(view);
        let engine = folder.open().unwrap();
        let shared = Arc::clone(&engine.inner.shared);
        let before = *engine.visible().borrow();
        fill(&engine, 0..20, 2_000);
        let at = *engine.visible().borrow();
        shared.memtable.flush(&shared.view, at).unwrap();
        let size = snapshot::write(&*shared.files, &shared.view, at, || Ok(())).unwrap();
        fill(&engine, 20..40, 2_000);
        drop((shared, engine));
        let read = |engine: &DiskEngine, at: Ts| {
            block_on(engine.get(&[key(39)], at)).map(|found| found[0].is_some())
        };
        let engine = folder.open().unwrap();
        assert!(read(&engine, before).unwrap(), "the view has it still");
        assert_eq!(engine.inner.shared.retention().snapshot_bytes, size);
        drop(engine);
        fs::remove_dir_all(folder.view()).unwrap();
        for start in ["the start that makes it", "the one after"] {
            let engine = folder.open().unwrap();
            assert_eq!(read(&engine, before).unwrap_err().tag(), "VersionCollected", "{start}");
            assert!(engine.oldest() >= at && read(&engine, at).unwrap(), "{start}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Bytes that change in place never make a row disappear: the answer is right, or the read fails and the next start
    /// is right again.
    #[test]
    fn flipped_bytes_lose_no_row(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1u8..), 1..6),
        fjall in any::<bool>()
    ) {
        let folder = Folder::new(if fjall { ViewEngine::Fjall } else { ViewEngine::Sled });
        let before = folder.contents();
        let files = if fjall { files_of(&folder.view()) } else { vec![folder.path("sled/db")] };
        for (file, place, change) in flips {
            let file = file.get(&files);
            let mut bytes = fs::read(file).unwrap();
            // Bytes beyond the last row are never read.
            let Some(last) = bytes.iter().rposition(|byte| *byte != 0) else { continue };
            bytes[place.index(last + 1)] ^= change;
            fs::write(file, bytes).unwrap();
        }
        readable_or_refused(&folder, &before, "flipped");
        prop_assert_eq!(folder.contents(), before);
    }
}
