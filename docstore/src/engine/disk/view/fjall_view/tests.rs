use proptest::prelude::*;

use super::*;
use crate::engine::disk::lock;

fn put(key: &[u8], value: Option<Vec<u8>>) -> Put {
    Put { key: key.to_vec(), value: value.map(Into::into) }
}

fn versions(ts: u64, puts: &[Put]) -> VersionMap {
    let versions = VersionMap::default();
    versions.insert([(Ts::from_micros(ts), puts)]);
    versions
}

fn fresh(folder: &Path) -> FjallView {
    FjallView::create(folder, 1 << 24).unwrap()
}

fn reopened(folder: &Path) -> FjallView {
    FjallView::open_existing(folder, 1 << 24).unwrap()
}

#[test]
fn values_of_every_size_come_back_and_are_collected_whole() {
    let folder = tempfile::tempdir().unwrap();
    let view = fresh(folder.path());
    for (index, size) in [0, 1, 4_000, 1 << 20, 5 << 20].into_iter().enumerate() {
        let key = [1, u8::try_from(index).unwrap()];
        for ts in 1..=3 {
            let value = (0..size).map(|n| u8::try_from((n + ts) % 251).unwrap()).collect::<Vec<_>>();
            view.insert(&versions(ts as u64, &[put(&key, Some(value.clone()))])).unwrap();
            assert_eq!(view.get(&key, Ts::from_micros(ts as u64)).unwrap().unwrap().as_ref(), value);
        }
    }
    let found = view.remove_superseded(&Key::new(), Ts::from_micros(3), 1_000).unwrap();
    assert_eq!(found.dead.len(), 10);
    let gone = (0..5).map(|n| put(&[1, n], None)).collect::<Vec<_>>();
    view.insert(&versions(4, &gone)).unwrap();
    view.remove_superseded(&Key::new(), Ts::from_micros(9), 1_000).unwrap();
    assert_eq!(view.len(), 0);
}

#[test]
fn the_state_is_no_row() {
    let folder = tempfile::tempdir().unwrap();
    let view = fresh(folder.path());
    let state = ViewState { begins: Ts::from_micros(1), generation: 7, applied: Ts::from_micros(9) };
    assert_eq!(view.state().unwrap(), None);
    view.insert(&versions(1, &[put(b"key", Some(b"value".to_vec()))])).unwrap();
    view.record(state).unwrap();
    let range = KeyRange { start: Vec::new(), end: vec![0xff; 40] };
    for direction in [ScanDirection::Forward, ScanDirection::Backward] {
        let page = view.scan(&Scan { direction, limit: 9, ..Scan::all(&range, Ts::MAX) }).unwrap();
        assert_eq!(page.entries, [(b"key".to_vec(), Stored::from(*b"value"))]);
        assert_eq!(view.versions(&range, direction).count(), 1);
    }
    assert_eq!(view.remove_superseded(&Key::new(), Ts::MAX, 10).unwrap().examined, 1);
    assert!(view.sync().unwrap());
    drop(view);
    assert_eq!(reopened(folder.path()).state().unwrap(), Some(state));
}

/// Lets fjall's thread fail, as it does when a table cannot be written.
fn poison(view: &FjallView) {
    let tables = view.folder.join("keyspaces");
    let away = view.folder.join("away");
    fs::rename(&tables, &away).unwrap();
    let opened = view.opened();
    opened.as_ref().unwrap().rows.rotate_memtable().unwrap();
    while !opened.as_ref().unwrap().poisoned() {
        std::thread::yield_now();
    }
    fs::rename(&away, &tables).unwrap();
}

#[test]
fn a_failed_write_loses_nothing_and_the_next_ones_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let files = lock::files(folder.path());
    let path = folder.path().join("fjall");
    let view = fresh(&path).within(Some(Space::new(std::sync::Arc::new(files))));
    let key = |n: u8| [b'k', n];
    for n in 0..20 {
        view.insert(&versions(n.into(), &[put(&key(n), Some(vec![n; 1_000]))])).unwrap();
        if n % 8 == 7 {
            poison(&view);
        }
        for earlier in 0..=n {
            assert_eq!(view.get(&key(earlier), Ts::MAX).unwrap().unwrap()[0], earlier, "after {n}");
        }
    }
    assert!(view.sync().unwrap());
    drop(view);
    assert_eq!(reopened(&path).len(), 20);
}

#[test]
fn a_database_that_fails_again_and_again_counts_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let view = fresh(folder.path());
    for n in 0..REOPENINGS {
        view.insert(&versions(u64::from(n) + 1, &[put(b"key", Some(b"value".to_vec()))])).unwrap();
        poison(&view);
    }
    view.insert(&versions(9, &[put(b"key", Some(b"value".to_vec()))])).unwrap();
    poison(&view);
    let error = view.insert(&versions(10, &[put(b"key", None)])).unwrap_err();
    assert_eq!(error.tag(), READ_FAILED);
    assert!(view.get(b"key", Ts::MAX).unwrap().is_some(), "reads go on");
}

#[test]
fn a_folder_that_is_not_whole_is_refused_and_nothing_is_created() {
    let missing = tempfile::tempdir().unwrap();
    let error = FjallView::open_existing(&missing.path().join("fjall"), 1 << 24).unwrap_err();
    assert_eq!(error.tag(), "ViewOpen");
    assert!(!missing.path().join("fjall").exists());
    for gone in ["version", "keyspaces/0/current", "keyspaces/1/current"] {
        let folder = tempfile::tempdir().unwrap();
        drop(fresh(folder.path()));
        fs::remove_file(folder.path().join(gone)).unwrap();
        assert_eq!(FjallView::open_existing(folder.path(), 1 << 24).unwrap_err().tag(), "ViewOpen", "{gone}");
    }
    let folder = tempfile::tempdir().unwrap();
    drop(fresh(folder.path()));
    fs::create_dir(folder.path().join("keyspaces/stray")).unwrap();
    let error = FjallView::open_existing(folder.path(), 1 << 24).unwrap_err();
    assert!(error.message().contains("keyspaces/stray"), "{error}");
}

#[test]
fn a_view_of_another_layout_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let view = fresh(folder.path());
    view.opened().as_ref().unwrap().db.keyspace("another", KeyspaceCreateOptions::default).unwrap();
    drop(view);
    assert_eq!(FjallView::open_existing(folder.path(), 1 << 24).unwrap_err().tag(), "ViewOpen");
}

#[test]
fn too_few_file_handles_are_no_damage() {
    let handles = || fjall::Error::Io(std::io::Error::from_raw_os_error(24));
    assert_eq!(read_failed(Failure::Fjall(handles())).tag(), "ViewUnavailable");
    assert_eq!(write_failed(Failure::Fjall(handles())).tag(), "ViewWrite");
    assert_eq!(read_failed(Failure::Fjall(fjall::Error::InvalidTrailer)).tag(), READ_FAILED);
    assert_eq!(write_failed(Failure::Fjall(fjall::Error::InvalidTrailer)).tag(), READ_FAILED);
    assert_eq!(write_failed(Failure::Panic).tag(), READ_FAILED);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Removals in the middle of anything leave the rows that they leave of an ordered map: flushed or not, after
    /// another start or not.
    #[test]
    fn replaced_versions_are_removed_and_no_others(
        rounds in proptest::collection::vec((proptest::collection::vec((0u8..30, any::<bool>()), 1..40), 0u8..4), 1..20)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut view = fresh(folder.path());
        let map = VersionMap::default();
        for (ts, (puts, step)) in (1..).zip(&rounds) {
            let puts: std::collections::BTreeMap<_, _> = puts.iter().copied().collect();
            let puts: Vec<Put> =
                puts.into_iter().map(|(n, live)| put(&[7, n], live.then(|| vec![n; 60]))).collect();
            let at = Ts::from_micros(ts);
            view.insert(&versions(ts, &puts)).unwrap();
            map.insert([(at, puts.as_slice())]);
            match step {
                0 => prop_assert_eq!(view.remove_replaced(at, &puts).unwrap(), View::remove_replaced(&map, at, &puts).unwrap()),
                1 => view.flush(),
                2 => {
                    drop(view);
                    view = reopened(folder.path());
                }
                _ => {}
            }
            let range = KeyRange { start: Vec::new(), end: vec![0xff; 9] };
            let physical = |view: &dyn Fn(ScanDirection) -> Vec<Key>| {
                (view(ScanDirection::Forward), view(ScanDirection::Backward))
            };
            let keys = |versions: Versions<'_>| {
                versions.map(|version| version.unwrap().physical().to_vec()).collect::<Vec<_>>()
            };
            prop_assert_eq!(
                physical(&|direction| keys(View::versions(&view, &range, direction))),
                physical(&|direction| keys(View::versions(&map, &range, direction)))
            );
        }
    }
}
