//! A full disk and exhausted file handles: which commits are refused, which are kept, and the recovery afterwards.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::sim::{SMALL, Simulated, open};
use super::space::{KEPT_FREE, VIEW_ROOM};
use super::tests::{commit, key};
use super::*;
use crate::Code;

/// Outcomes of commits, one document each.
#[derive(Debug, Default)]
struct Outcomes {
    acknowledged: BTreeSet<u8>,
    refused: BTreeSet<u8>,
    /// Either outcome is correct until the server reports more.
    unknown: BTreeSet<u8>,
}

impl Outcomes {
    fn append(&mut self, engine: &Simulated, term: Term, number: u8) {
        let last = *engine.shared.recent.visible().borrow();
        let outcome = engine.append(term, vec![commit(last, last.next(), number, 150)]);
        match outcome.map_err(|error| error.code()) {
            Ok(()) => self.acknowledged.insert(number),
            Err(Code::Unknown) => self.unknown.insert(number),
            Err(Code::ResourceExhausted) => self.refused.insert(number),
            Err(other) => panic!("{other:?}"),
        };
    }
}

fn there(engine: &Simulated) -> BTreeSet<u8> {
    let memtable = engine.shared.memtable.reader();
    let found = |number: &u8| memtable.get(&engine.shared.view, &key(*number), Ts::MAX).unwrap().is_some();
    (0..=u8::MAX).filter(found).collect()
}

/// The disk fills up at the `at`-th operation and has room again later.
fn fill_and_free(at: u64, stuck: bool, luck: usize) {
    let files = SimFiles::default();
    let mut outcomes = Outcomes::default();
    let engine = open(&files, SMALL).unwrap();
    let term = engine.lead();
    if stuck {
        files.stuck_when_full();
    }
    files.full_after(at);
    for number in 0..40 {
        outcomes.append(&engine, term, number);
    }
    assert!(at > 100 || !outcomes.refused.is_empty(), "{at}");
    files.room_again();
    let before = outcomes.acknowledged.len();
    for number in 40..60 {
        outcomes.append(&engine, term, number);
    }
    assert_eq!(outcomes.acknowledged.len(), before + 20, "{at}: it goes on by itself");
    // The unknown outcome is settled by now: a record was written behind it.
    assert_eq!(there(&engine), outcomes.acknowledged, "{at}");
    let found = files.after_power_cut(|unsynced| luck % (unsynced + 1));
    drop(engine);
    assert_eq!(there(&open(&found, SMALL).unwrap()), outcomes.acknowledged, "{at}, after a power cut");
    assert_eq!(there(&open(&files, SMALL).unwrap()), outcomes.acknowledged, "{at}, after a stop");
}

#[test]
fn a_disk_that_is_full_at_any_write_loses_nothing_acknowledged_and_keeps_nothing_refused() {
    for at in 0..90 {
        fill_and_free(at, false, 7);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// As above, where even truncating the failed append's half record needs room.
    #[test]
    fn a_half_record_is_cut_off_before_anything_follows_it(at in 0u64..90, luck in 0usize..1_000) {
        fill_and_free(at, true, luck);
    }

    /// A crash while the disk is full: refused commits do not come back.
    #[test]
    fn a_start_on_a_full_disk_shows_what_was_acknowledged(at in 0u64..90, luck in 0usize..1_000) {
        let files = SimFiles::default();
        let mut outcomes = Outcomes::default();
        let engine = open(&files, SMALL).unwrap();
        let term = engine.lead();
        files.full_after(at);
        for number in 0..40 {
            outcomes.append(&engine, term, number);
        }
        let found = files.after_power_cut(|unsynced| luck % (unsynced + 1));
        drop(engine);
        found.full_after(0);
        let engine = open(&found, SMALL).unwrap();
        prop_assert_eq!(&there(&engine), &outcomes.acknowledged);
        let term = engine.lead();
        outcomes.append(&engine, term, 100);
        prop_assert!(outcomes.refused.contains(&100));
        found.room_again();
        outcomes.append(&engine, term, 101);
        prop_assert!(outcomes.acknowledged.contains(&101));
        prop_assert_eq!(there(&engine), outcomes.acknowledged);
    }
}

#[test]
fn commits_are_refused_in_words_while_there_is_still_room_for_the_view() {
    let files = SimFiles::default();
    let engine = open(&files, SMALL).unwrap();
    let term = engine.lead();
    let mut outcomes = Outcomes::default();
    files.set_free(KEPT_FREE);
    outcomes.append(&engine, term, 1);
    assert!(engine.shared.refusal().is_none());
    files.set_free(KEPT_FREE - (5 << 20));
    outcomes.append(&engine, term, 2);
    let refusal = engine.shared.refusal().unwrap();
    assert_eq!((refusal.code(), refusal.tag()), (Code::ResourceExhausted, "DiskFull"));
    assert!(refusal.message().contains("the disk is full: free 5 MiB"), "{refusal}");
    files.room_again();
    assert!(engine.shared.refusal().is_none());
    outcomes.append(&engine, term, 3);
    assert_eq!((there(&engine), outcomes.refused), (outcomes.acknowledged, [2].into()));
}

#[test]
fn without_file_handles_the_open_segment_goes_on_for_a_while() {
    let files = SimFiles::default();
    let engine = open(&files, SMALL).unwrap();
    let term = engine.lead();
    let mut outcomes = Outcomes::default();
    outcomes.append(&engine, term, 0);
    files.handles(false);
    for number in 1..40 {
        outcomes.append(&engine, term, number);
    }
    // One segment has stretched to about four times its size.
    assert!((10..20).contains(&outcomes.acknowledged.len()), "{outcomes:?}");
    let refusal = engine.shared.refusal().unwrap();
    assert!(refusal.message().contains("ulimit -n"), "{refusal}");
    files.handles(true);
    assert!(engine.shared.refusal().is_none());
    for number in 40..60 {
        outcomes.append(&engine, term, number);
    }
    assert!(outcomes.acknowledged.contains(&40) && outcomes.unknown.is_empty());
    drop(engine);
    assert_eq!(there(&open(&files, SMALL).unwrap()), outcomes.acknowledged);
}

#[test]
fn a_start_on_a_full_disk_gets_the_reserve_back() {
    let files = SimFiles::default();
    let space = Space::new(Arc::new(files.clone()));
    let reserved = || files.list("").unwrap().contains(&"RESERVE".to_owned());
    space.take_reserve();
    assert!(reserved());
    files.set_free(VIEW_ROOM);
    space.release();
    assert!(reserved(), "it is not needed yet");
    files.set_free(VIEW_ROOM - 1);
    space.release();
    assert!(!reserved());
    space.take_reserve();
    assert!(!reserved(), "there is no room for it");
    assert_eq!(space.for_view().unwrap_err().tag(), "DiskFull");
}

#[test]
fn a_real_folder_reserves_room() {
    let folder = tempfile::tempdir().unwrap();
    let files = Arc::new(lock::files(folder.path()));
    let space = Space::new(Arc::clone(&files));
    assert!(files.free().is_some());
    space.take_reserve();
    let size = std::fs::metadata(folder.path().join("RESERVE")).map_or(0, |found| found.len());
    // There is no reserve on a machine whose disk is nearly full.
    assert!(size == 32 << 20 || files.free() < Some(KEPT_FREE));
}
