//! A log without its end is refused, and the error names the way out.

use std::fs;

use super::view::tests::{Damage, Folder, cut, last_segment};
use super::*;
use crate::Code;

#[test]
fn a_log_whose_end_is_missing_is_refused_and_left_as_it_is() {
    let damages: [Damage; 3] = [
        ("cut", |segment| cut(segment, 6)),
        ("emptied", |segment| fs::write(segment, b"").unwrap()),
        ("removed", |segment| fs::remove_file(segment).unwrap()),
    ];
    for engine in ViewEngine::ALL {
        for (name, damage) in damages {
            let folder = Folder::new(engine);
            let segment = last_segment(&folder);
            damage(&segment);
            let left = fs::read(&segment).ok();
            refused_twice(&folder, name);
            // An unusable view still proves that those commits existed.
            fs::remove_dir_all(folder.view()).unwrap();
            refused_twice(&folder, name);
            assert_eq!(fs::read(&segment).ok(), left, "{name}");
        }
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
    for (newer, view) in [(false, ViewEngine::Sled), (true, ViewEngine::Sled), (true, ViewEngine::Fjall)] {
        let folder = Folder::new(view);
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
            [view.name().to_owned(), "CHECKPOINT".to_owned()].into_iter().chain(snapshot).collect::<Vec<_>>()
        );
        let after = folder.contents();
        assert!(!after.is_empty() && after.len() < before.len());
    }
}

#[test]
fn a_cut_log_that_begins_later_than_the_data_has_no_way_out_but_a_backup() {
    let folder = Folder::new(ViewEngine::default());
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
    for engine in ViewEngine::ALL {
        let folder = Folder::new(engine);
        let before = folder.contents();
        cut(&last_segment(&folder), 6);
        assert_eq!(move_out(&folder, &refused_twice(&folder, "cut")), [engine.name(), "CHECKPOINT"]);
        let after = folder.contents();
        assert!(!after.is_empty() && after.len() < before.len());
        assert!(after.iter().all(|(key, time)| before.get(key) == Some(time)), "{after:?}");
    }
}
