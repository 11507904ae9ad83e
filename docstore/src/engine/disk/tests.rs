//! The disk engine under power cuts, on simulated and on real files.

use std::collections::BTreeMap;

use futures::executor::block_on;
use proptest::prelude::*;

use super::opening::{ReplayedTail, recent_of_tail};
use super::segment::Binding;
use super::sim::{SMALL, open};
use super::view::state::ViewState;
use super::*;
use crate::encoding::codec::decode_document;
use crate::encoding::key::{DbNo, KeyRange, successor};
use crate::engine::map::VersionMap;
use crate::engine::{Author, Commit, Put, ScanDirection};
use crate::model::{DocPath, Document};

fn ts(micros: u64) -> Ts {
    Ts::from_micros(micros)
}

/// The key of number `key`, in the document table, so that starts read it back as a document change.
pub(super) fn key(number: u8) -> Key {
    crate::encoding::key::doc_key(DbNo(1), &DocPath::parse(&format!("c/{number}")).unwrap())
}

fn commit_of(prev: Ts, at: Ts, puts: Vec<Put>) -> Arc<Commit> {
    Arc::new(Commit {
        prev,
        ts: at,
        changes: Vec::new(),
        author: Author::User("ann".to_owned()),
        backfill: None,
        weight: 0,
        puts,
    })
}

/// A commit that sets key `number` to a document of `size`.
pub(super) fn commit(prev: Ts, at: Ts, number: u8, size: usize) -> Arc<Commit> {
    let path = DocPath::parse(&format!("c/{number}")).unwrap();
    let text = crate::model::Value::String("x".repeat(size));
    let document =
        Document { path, fields: [("a".to_owned(), text)].into(), create_time: at, update_time: at };
    let value = crate::encoding::codec::encode_document(&document);
    commit_of(prev, at, vec![Put { key: key(number), value: Some(value) }])
}

/// The newest version of key `number`, in the memtable or the view.
fn newest<F: Files, V: View>(engine: &Inner<F, V>, number: u8) -> Option<Stored> {
    let shared = &engine.shared;
    shared.memtable.reader().get(&shared.view, &key(number), Ts::MAX).unwrap()
}

fn update_time(stored: Option<Stored>, number: u8) -> Option<Ts> {
    let path = DocPath::parse(&format!("c/{number}")).unwrap();
    stored.map(|bytes| decode_document(&path, &bytes).unwrap().update_time)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Power cuts at any operation, several in a row: every acknowledged commit is there, besides them at most the one
    /// in flight, and readers of the log find an unbroken chain.
    #[test]
    fn power_cuts_lose_nothing_acknowledged(
        rounds in proptest::collection::vec((0u64..60, proptest::collection::vec((0u8..6, 0usize..600), 1..25), any::<u64>()), 1..5)
    ) {
        let cadence = SMALL;
        let mut files = SimFiles::default();
        let mut expected: BTreeMap<u8, Ts> = BTreeMap::new();
        for (fuse, commits, luck) in rounds {
            // The commit whose reply was lost in the cut, if any: either outcome is correct.
            let mut unknown = None;
            files.cut_after(fuse);
            if let Ok(engine) = open(&files, cadence) {
                let term = engine.lead();
                let mut last = *engine.shared.recent.visible().borrow();
                for (number, size) in commits {
                    let at = last.next();
                    if engine.append(term, vec![commit(last, at, number, size)]).is_err() {
                        unknown = Some((number, at));
                        break;
                    }
                    expected.insert(number, at);
                    last = at;
                }
            }
            files = files.after_power_cut(|unsynced| usize::try_from(luck % (unsynced as u64 + 1)).unwrap());
            let engine = open(&files, cadence).unwrap();
            let end = *engine.shared.recent.visible().borrow();
            for number in 0..6 {
                let found = update_time(newest(&engine, number), number);
                let kept = expected.get(&number).copied();
                match unknown {
                    Some((lost, at)) if lost == number && found == Some(at) => {
                        prop_assert_eq!(end, at);
                        expected.insert(number, at);
                    }
                    _ => prop_assert_eq!(found, kept),
                }
            }
            drop(engine);
        }
    }
}

/// A commit that sets or removes documents (with a value) and index entries (without one).
pub(super) fn mixed(prev: Ts, at: Ts, live: &mut BTreeMap<Key, Ts>, wanted: &[(u8, bool)]) -> Arc<Commit> {
    let mut puts: BTreeMap<Key, Option<Stored>> = BTreeMap::new();
    for (number, there) in wanted {
        let document = number % 2 == 0;
        let key =
            if document { key(*number) } else { vec![0, 0, 0, 1, crate::encoding::key::FIELDS, *number] };
        let was = live.contains_key(&key);
        // As commits do: entries are added where there are none, and only existing keys are removed.
        if puts.contains_key(&key) || if *there { was && !document } else { !was } {
            continue;
        }
        let text = format!("{number} at {at}");
        let value = if document { text.into_bytes() } else { Vec::new() };
        if *there {
            live.insert(key.clone(), at);
        } else {
            live.remove(&key);
        }
        puts.insert(key, there.then(|| value.into()));
    }
    commit_of(prev, at, puts.into_iter().map(|(key, value)| Put { key, value }).collect())
}

fn everything(view: &impl View, at: Ts) -> Vec<(Key, Stored)> {
    through(at, |scan| view.scan(scan).unwrap())
}

/// All entries, read page by page in both directions.
pub(super) fn through(at: Ts, page: impl Fn(&Scan<'_>) -> Page) -> Vec<(Key, Stored)> {
    let all = KeyRange { start: Vec::new(), end: vec![0xff; 16] };
    let read = |direction| {
        let (mut range, mut found) = (all.clone(), Vec::new());
        loop {
            // Either limit ends some pages.
            let page = page(&Scan { range: &range, at, direction, limit: 3, bytes: 70, values: true });
            let last = page.entries.last().map(|(key, _)| key.clone());
            found.extend(page.entries);
            match (last, direction) {
                (Some(last), ScanDirection::Forward) if !page.done => range.start = successor(&last),
                (Some(last), ScanDirection::Backward) if !page.done => range.end = last,
                _ => return found,
            }
        }
    };
    let (found, mut backward) = (read(ScanDirection::Forward), read(ScanDirection::Backward));
    backward.reverse();
    assert_eq!(found, backward);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Garbage collection along the log changes nothing for a reader within the horizon, and leaves no more versions
    /// than a pass over the whole key space, in memory and on disk; older readers are refused.
    #[test]
    fn what_was_replaced_goes_and_nothing_else(
        commits in proptest::collection::vec(proptest::collection::vec((0u8..12, any::<bool>()), 1..6), 1..60),
        slice in 1usize..40, kind in prop::sample::select(&ViewEngine::ALL[..])
    ) {
        // No checkpoint or snapshot is made, which collection would wait for.
        let cadence = Cadence { checkpoint: u64::MAX, snapshot: u64::MAX, ..SMALL };
        let engine = open(&SimFiles::default(), cadence).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stored = AnyView::fresh(folder.path(), kind);
        let term = engine.lead();
        let mut last = *engine.shared.recent.visible().borrow();
        let mut live = BTreeMap::new();
        let mut history = Vec::new();
        let whole = VersionMap::default();
        for wanted in &commits {
            let commit = mixed(last, last.next(), &mut live, wanted);
            last = commit.ts;
            whole.insert([(commit.ts, commit.puts.as_slice())]);
            let versions = VersionMap::default();
            versions.insert([(commit.ts, commit.puts.as_slice())]);
            stored.insert(&versions).unwrap();
            engine.append(term, vec![commit.clone()]).unwrap();
            history.push(commit);
        }
        let versions = |view: &VersionMap, from: Ts| {
            View::remove_superseded(view, &Key::new(), from, usize::MAX).unwrap().examined
        };
        while !engine.collect_garbage(Ts::ZERO, GcScope::Replaced, slice).unwrap().done {}
        let horizon = engine.shared.oldest();
        for commit in history.iter().take_while(|commit| commit.ts <= horizon) {
            stored.remove_replaced(commit.ts, &commit.puts).unwrap();
        }
        for commit in &history {
            let found = block_on(Engine::get(&engine, &[key(0)], commit.ts));
            prop_assert_eq!(found.is_ok(), commit.ts >= horizon);
        }
        for at in history.iter().map(|commit| commit.ts).filter(|at| *at >= horizon) {
            let expected = everything(&whole, at);
            let found = through(at, |scan| block_on(Engine::scan(&engine, scan)).unwrap());
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(&everything(&stored, at), &expected);
        }
        // Collection has left the versions that a full pass would leave.
        engine.shared.memtable.flush(&engine.shared.view, last).unwrap();
        View::remove_superseded(&whole, &Key::new(), horizon, usize::MAX).unwrap();
        prop_assert_eq!(versions(&engine.shared.view, Ts::ZERO), versions(&whole, Ts::ZERO));
        prop_assert_eq!(stored.remove_superseded(&Key::new(), Ts::ZERO, usize::MAX).unwrap().examined, versions(&whole, Ts::ZERO));
    }
}

#[test]
fn garbage_collection_resumes_where_a_power_cut_left_off() {
    let mut files = SimFiles::default();
    let mut last = ts(1);
    for _ in 0..6 {
        let engine = open(&files, SMALL).unwrap();
        let term = engine.lead();
        last = last.max(*engine.shared.recent.visible().borrow());
        for n in 0..40u8 {
            let at = last.next();
            engine.append(term, vec![commit(last, at, n % 5, 100)]).unwrap();
            last = at;
            engine.collect_garbage(Ts::ZERO, GcScope::Replaced, 3).unwrap();
        }
        let kept = || {
            View::remove_superseded(&engine.shared.view, &Key::new(), Ts::ZERO, usize::MAX).unwrap().examined
        };
        // A snapshot being written delays it.
        while kept() >= 40 {
            engine.collect_garbage(Ts::ZERO, GcScope::Replaced, 3).unwrap();
            std::thread::yield_now();
        }
        files = files.after_power_cut(|unsynced| unsynced / 2);
    }
}

#[test]
fn a_start_brings_back_what_readers_of_the_log_missed() {
    let files = SimFiles::default();
    let engine = open(&files, Cadence::default()).unwrap();
    let term = engine.lead();
    let start = *engine.shared.recent.visible().borrow();
    for at in 2..=4 {
        engine.append(term, vec![commit(ts(at - 1), ts(at), 7, 10)]).unwrap();
    }
    drop(engine);
    let engine = open(&files, Cadence::default()).unwrap();
    let commits = engine.shared.recent.after(start).unwrap();
    let seen = commits.iter().map(|commit| {
        let change = &commit.changes[0];
        let time = |document: &Option<Arc<Document>>| document.as_ref().map(|document| document.update_time);
        (commit.prev, commit.ts, time(&change.old), time(&change.new))
    });
    let expected = [(1, 2, None), (2, 3, Some(2)), (3, 4, Some(3))]
        .map(|(prev, at, old)| (ts(prev), ts(at), old.map(ts), Some(ts(at))));
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[test]
fn a_start_reads_the_last_segment_once() {
    let files = SimFiles::default();
    let engine = open(&files, Cadence::default()).unwrap();
    let term = engine.lead();
    engine.append(term, vec![commit(ts(1), ts(2), 7, 10)]).unwrap();
    drop(engine);
    files.reads();
    drop(open(&files, Cadence::default()).unwrap());
    let reads = files.reads();
    assert_eq!(reads.iter().filter(|path| path.starts_with("log/")).count(), 1, "{reads:?}");
}

/// Old versions are collected as after an idle hour, and the log is still there.
#[test]
fn a_start_takes_no_update_for_a_creation_where_the_old_version_is_collected() {
    let path = DocPath::parse("c/7").unwrap();
    let set = |prev: u64, at: u64, created: u64| {
        let fields = [("a".to_owned(), crate::model::Value::Integer(1))].into();
        let document = Document { path: path.clone(), fields, create_time: ts(created), update_time: ts(at) };
        let value = Some(crate::encoding::codec::encode_document(&document));
        commit_of(ts(prev), ts(at), vec![Put { key: key(7), value }])
    };
    let gone = |prev: u64, at: u64| commit_of(ts(prev), ts(at), vec![Put { key: key(7), value: None }]);
    for (number, last) in [set(2, 3, 2), gone(2, 3)].into_iter().enumerate() {
        let logged = |commit: &Arc<Commit>| {
            let mut bytes = Vec::new();
            record::write(&mut bytes, std::slice::from_ref(commit), Binding::None, 0);
            record::read(record::payload(&bytes, 0, Binding::None).unwrap().0).unwrap()
        };
        let memtable = Memtable::new(ViewState { begins: ts(1), generation: 1, applied: ts(1) }, 1 << 20);
        // The view has nothing of the first commit any more.
        let view = VersionMap::default();
        view.insert([(last.ts, last.puts.as_slice())]);
        let after = set(3, 4, if number == 0 { 2 } else { 4 });
        view.insert([(after.ts, after.puts.as_slice())]);
        let mut tail = ReplayedTail::default();
        for commit in [&set(1, 2, 2), &last, &after] {
            tail.extend(logged(commit));
        }
        let recent = recent_of_tail((&memtable, &view), tail, ts(4), ts(4), Ts::ZERO).unwrap();
        assert!(recent.after(ts(2)).is_none(), "{number}");
        let commits = recent.after(ts(3)).unwrap();
        assert_eq!(commits.len(), 1);
        assert_eq!(commits[0].changes[0].old.is_some(), number == 0);
    }
}

/// All of an idle store is older than versions are kept. The commit that ends the silence takes nothing from readers that
/// are under way.
#[test]
fn a_read_of_an_idle_store_goes_on_after_the_next_commit() {
    for scope in [GcScope::Replaced, GcScope::Everything] {
        let engine = open(&SimFiles::default(), Cadence::default()).unwrap();
        let term = engine.lead();
        for (prev, at) in [(1, 10), (10, 20)] {
            engine.append(term, vec![commit(ts(prev), ts(at), 7, 10)]).unwrap();
        }
        let began = *engine.shared.recent.visible().borrow();
        engine.append(term, vec![commit(ts(20), ts(9_000), 7, 10)]).unwrap();
        let collect = |before| while !engine.collect_garbage(ts(before), scope, 100).unwrap().done {};
        let read = |at| block_on(Engine::get(&engine, &[key(7)], at)).map(|mut found| found.remove(0));
        collect(5_000);
        assert_eq!(update_time(read(began).unwrap(), 7), Some(ts(20)));
        assert_eq!(read(ts(10)).unwrap_err().tag(), "VersionCollected");
        collect(9_000);
        assert_eq!(read(began).unwrap_err().tag(), "VersionCollected");
        assert_eq!(update_time(read(ts(9_000)).unwrap(), 7), Some(ts(9_000)));
    }
}

#[test]
fn an_older_term_is_fenced() {
    let engine = open(&SimFiles::default(), Cadence::default()).unwrap();
    let (old, new) = (engine.lead(), engine.lead());
    let error = engine.append(old, vec![commit(ts(1), ts(2), 1, 1)]).unwrap_err();
    assert_eq!(error.tag(), "Fenced");
    engine.append(new, vec![commit(ts(1), ts(2), 1, 1)]).unwrap();
}

#[test]
fn old_segments_and_snapshots_go() {
    let files = SimFiles::default();
    let cadence = Cadence { checkpoint: u64::MAX, snapshot: 1, ..Cadence::default() };
    let engine = open(&files, cadence).unwrap();
    let term = engine.lead();
    let mut last = ts(1);
    // Fill many segments.
    while engine.shared.log.lock().bytes_since(Ts::ZERO) < 130 << 20 {
        let batch = (0..4).map(|n| commit(ts(last.micros() + n), ts(last.micros() + n + 1), 1, 4 << 20));
        engine.append(term, batch.collect()).unwrap();
        last = ts(last.micros() + 4);
    }
    // The map has no checkpoints of its own.
    engine.shared.retention.lock().checkpoint = last;
    engine.shared.retention.lock().collected = last;
    engine.collect_garbage(last, GcScope::Replaced, usize::MAX).unwrap();
    engine.shared.save(false).unwrap();
    engine.shared.take_snapshot().unwrap();
    assert_eq!(files.list("log").unwrap().len(), 1);
    assert_eq!(snapshot::list(&files).unwrap(), [last]);
    drop(engine);
    let engine = open(&files, Cadence::default()).unwrap();
    assert_eq!(update_time(newest(&engine, 1), 1), Some(last));
}

fn options(folder: &tempfile::TempDir) -> DiskOptions {
    DiskOptions {
        folder: folder.path().join("data"),
        cache: 1 << 24,
        history: DEFAULT_HISTORY,
        view: ViewEngine::Sled,
        now: ts(1),
    }
}

fn fill(engine: &DiskEngine, commits: u64) {
    let term = block_on(engine.lead()).unwrap();
    let mut last = *engine.visible().borrow();
    for n in 0..commits {
        let at = last.next();
        let commit = commit(last, at, u8::try_from(n % 50).unwrap(), 3_000);
        block_on(engine.append(term, vec![commit])).unwrap();
        last = at;
    }
}

fn contents(engine: &DiskEngine) -> Vec<Option<Ts>> {
    let keys = (0..50).map(key).collect::<Vec<_>>();
    let found = block_on(engine.get(&keys, Ts::MAX)).unwrap();
    (0..50).zip(found).map(|(number, stored)| update_time(stored, number)).collect()
}

#[test]
fn a_real_folder_is_held_by_one_and_survives_a_damaged_view() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder);
    let engine = DiskEngine::open(&options).unwrap();
    assert_eq!(DiskEngine::open(&options).unwrap_err().tag(), "FolderInUse");
    fill(&engine, 120);
    let before = contents(&engine);
    drop(engine);

    let engine = DiskEngine::open(&options).unwrap();
    assert_eq!(contents(&engine), before);
    drop(engine);

    let db = options.folder.join("sled/db");
    let length = std::fs::metadata(&db).unwrap().len();
    std::fs::write(&db, vec![0xa5; usize::try_from(length).unwrap()]).unwrap();
    let engine = DiskEngine::open(&options).unwrap();
    assert_eq!(contents(&engine), before);
    fill(&engine, 3);
    drop(engine);

    std::fs::remove_dir_all(options.folder.join("sled")).unwrap();
    std::fs::remove_file(options.folder.join(checkpointer::CHECKPOINT)).unwrap();
    let engine = DiskEngine::open(&options).unwrap();
    assert_eq!(contents(&engine)[3..], before[3..]);
}

#[test]
fn a_folder_of_another_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder);
    drop(DiskEngine::open(&options).unwrap());
    std::fs::write(options.folder.join("FORMAT"), "tuckbox 9 begins 1\n").unwrap();
    assert_eq!(DiskEngine::open(&options).unwrap_err().tag(), "FolderFormat");
}
