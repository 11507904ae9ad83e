use std::collections::BTreeMap;

use futures::executor::block_on;
use proptest::prelude::*;

use super::super::super::pinned::{Blocks, read, restore_files};
use super::super::super::sim::{SMALL, SimEngine, open};
use super::super::super::sim_files::SimFiles;
use super::super::super::tests::commit;
use super::*;
use crate::encoding::key::Key;
use crate::engine::{AnyEngine, Author, Engine as _, Stored};

/// All live keys of an engine.
fn entries(engine: &AnyEngine) -> BTreeMap<Key, Stored> {
    let at = *engine.visible().borrow();
    let mut blocks = Blocks::new(at);
    let bytes: Vec<u8> = std::iter::from_fn(|| block_on(blocks.next(engine)).unwrap()).flatten().collect();
    let mut found = BTreeMap::new();
    let mut each = |puts: Vec<Put>| {
        found.extend(puts.into_iter().filter_map(|put| Some((put.key, put.value?))));
        Ok(())
    };
    read(&mut &bytes[..], "it", &mut each).unwrap();
    found
}

fn snapshot(engine: &AnyEngine) -> Vec<u8> {
    let mut blocks = Blocks::new(*engine.visible().borrow());
    std::iter::from_fn(|| block_on(blocks.next(engine)).unwrap()).flatten().collect()
}

fn chain(numbers: &[(u8, usize)]) -> Vec<Arc<Commit>> {
    let mut last = Ts::from_micros(1_000);
    let mut next = |(number, size): &(u8, usize)| {
        let commit = commit(last, last.next(), *number, *size);
        last = commit.ts;
        commit
    };
    numbers.iter().map(&mut next).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A snapshot of any moment and the copies of any moment before it give what the store had at any moment after it,
    /// wherever the copies are cut and although some of them overlap.
    #[test]
    fn a_snapshot_and_the_copied_log_give_every_later_moment(
        numbers in proptest::collection::vec((0u8..20, 0usize..200), 3..60),
        (snapshot_at, from, until) in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
        pieces in 1usize..7,
        overlap in 0usize..3,
    ) {
        let commits = chain(&numbers);
        let snapshot_at = snapshot_at.index(commits.len());
        let from = from.index(snapshot_at + 1);
        let until = snapshot_at + until.index(commits.len() - snapshot_at);
        let begins = commits[0].prev;
        let sim = |files: &SimFiles| AnyEngine::Simulated(Box::new(SimEngine { inner: open(files, SMALL).unwrap() }));
        let start = |files: &SimFiles| { lock::begin(files, begins).unwrap(); sim(files) };

        let lost = start(&SimFiles::default());
        let term = block_on(lost.lead()).unwrap();
        for commit in &commits[..snapshot_at] {
            block_on(lost.append(term, vec![Arc::clone(commit)])).unwrap();
        }
        let (bytes, shown) = (snapshot(&lost), *lost.visible().borrow());
        for commit in &commits[snapshot_at..until] {
            block_on(lost.append(term, vec![Arc::clone(commit)])).unwrap();
        }
        let (expected, moment) = (entries(&lost), *lost.visible().borrow());

        let files = SimFiles::default();
        let begins = commits[commits.len() - 1].ts.next();
        restore_files(&files, begins, &mut &bytes[..]).unwrap();
        let mut log = Continuation::open(files.clone(), shown).unwrap();
        let mut at = from;
        while at < commits.len() {
            let end = (at + pieces).min(commits.len());
            let first = at.saturating_sub(overlap).max(from);
            let copy: Vec<u8> = commits[first..end].chunks(2).flat_map(copy_record).collect();
            check_copy(&copy, "it", commits[first].prev, commits[end - 1].ts).unwrap();
            log.append(&copy, "it", moment).unwrap();
            at = end;
        }
        prop_assert_eq!(log.position(), moment);
        drop(log);
        let restored = sim(&files);
        prop_assert_eq!(entries(&restored), expected);
        prop_assert!(*restored.visible().borrow() >= begins);
    }

    /// No flipped bit and no cut of a copy is taken for what was copied.
    #[test]
    fn a_damaged_copy_is_refused(
        numbers in proptest::collection::vec((0u8..20, 0usize..60), 1..12),
        at in any::<prop::sample::Index>(),
        bit in 0u8..8,
        cut in any::<bool>(),
    ) {
        let commits = chain(&numbers);
        let mut bytes: Vec<u8> = commits.chunks(3).flat_map(copy_record).collect();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] ^= 1 << bit }
        let (after, last) = (commits[0].prev, commits[commits.len() - 1].ts);
        let refused = check_copy(&bytes, "it", after, last).unwrap_err();
        prop_assert_eq!(refused.tag(), "LogCopyDamaged");
    }
}

#[test]
fn missing_commits_are_noticed() {
    let commits = chain(&[(1, 1), (2, 1), (3, 1)]);
    let files = SimFiles::default();
    lock::begin(&files, commits[2].ts.next()).unwrap();
    let mut log = Continuation::open(files, commits[0].prev).unwrap();
    log.append(&copy_record(&commits[..1]), "first", Ts::MAX).unwrap();
    let error = log.append(&copy_record(&commits[2..]), "third", Ts::MAX).unwrap_err();
    assert_eq!((error.tag(), log.position()), ("LogCopyGap", commits[0].ts));
    assert!(error.message().contains("third"), "{error}");
}

#[test]
fn authors_come_back() {
    let commits = chain(&[(1, 1)]);
    let files = SimFiles::default();
    lock::begin(&files, Ts::from_micros(9_000)).unwrap();
    let mut log = Continuation::open(files.clone(), commits[0].prev).unwrap();
    log.append(&copy_record(&commits), "it", Ts::MAX).unwrap();
    let mut found = Vec::new();
    let format = lock::begin(&files, Ts::ZERO).unwrap();
    let mut log = Log::open(Arc::new(files), format, 1 << 20).unwrap();
    log.walk(Ts::ZERO, |read| {
        found
            .extend(read.into_iter().map(|commit| (commit.prev.micros(), commit.ts.micros(), commit.author)));
        Ok(())
    })
    .unwrap();
    assert_eq!(found, [(9_000, 9_001, Author::User("ann".to_owned()))]);
}
