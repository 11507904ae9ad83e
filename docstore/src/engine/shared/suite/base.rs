//! The base, its steps along the log, and the log behind it.

use std::collections::BTreeMap;

use futures::TryStreamExt as _;

use super::super::{BASE_MOVED, BASE_PART_BYTES, Base, BaseDocument, Fold, Folded};
use super::*;
use crate::encoding::key::Key;
use crate::engine::Stored;

/// A document's step: its key, time and value.
fn folded(key: &[u8], number: u64, value: Option<&[u8]>) -> Folded {
    Folded { key: key.to_vec(), ts: Ts::from_micros(number), value: value.map(Stored::from) }
}

fn step(from: Position, to: Position, documents: Vec<Folded>) -> Fold {
    Fold { from, to, documents }
}

/// All documents, with the sizes of the parts that they came in.
async fn all(base: Base) -> (BTreeMap<Key, (u64, Vec<u8>)>, Vec<usize>) {
    let parts: Vec<Vec<BaseDocument>> = base.documents.try_collect().await.unwrap();
    let sizes = parts.iter().map(|part| part.iter().map(|one| one.key.len() + one.value.len()).sum());
    let sizes = sizes.collect();
    let mut documents = BTreeMap::new();
    for BaseDocument { key, ts, value } in parts.into_iter().flatten() {
        let before = documents.insert(key, (ts.micros(), value.to_vec()));
        assert!(before.is_none(), "each document comes once");
    }
    (documents, sizes)
}

/// A document as [`all`] returns it.
fn entry(key: &[u8], number: u64, value: &[u8]) -> (Key, (u64, Vec<u8>)) {
    (key.to_vec(), (number, value.to_vec()))
}

pub(super) async fn the_base_is_what_was_folded(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let empty = reader.base().await.unwrap();
    assert_eq!((empty.at, all(empty).await.0), (Position::default(), BTreeMap::new()));
    let led = lead(&log).await;
    append(&log, &led, &[10, 20, 30]).await;
    let documents = vec![
        folded(b"a", 3, Some(b"one")),
        folded(b"b\0\xff", 10, Some(b"two")),
        folded(b"c", 10, Some(b"")),
        folded(b"gone", 9, None),
    ];
    log.fold(step(Position::default(), place(10), documents)).await.unwrap();
    assert_eq!(reader.head().await.unwrap().folded, place(10));
    let base = reader.base().await.unwrap();
    assert_eq!(base.at, place(10));
    let expected = [entry(b"a", 3, b"one"), entry(b"b\0\xff", 10, b"two"), entry(b"c", 10, b"")];
    assert_eq!(all(base).await.0, BTreeMap::from(expected));
    let documents =
        vec![folded(b"a", 30, Some(b"three")), folded(b"c", 20, None), folded(b"d", 15, Some(b"four"))];
    log.fold(step(place(10), place(30), documents)).await.unwrap();
    let base = reader.base().await.unwrap();
    assert_eq!(base.at, place(30));
    let expected = [entry(b"a", 30, b"three"), entry(b"b\0\xff", 10, b"two"), entry(b"d", 15, b"four")];
    assert_eq!(all(base).await.0, BTreeMap::from(expected));
    // A step without documents: backfills change none.
    append(&log, &log.head().await.unwrap(), &[40]).await;
    log.fold(step(place(30), place(40), Vec::new())).await.unwrap();
    assert_eq!(reader.base().await.unwrap().at, place(40));
    assert_eq!(places(&reader, place(30)).await, [place(40)]);
}

pub(super) async fn a_fold_needs_the_base_and_a_batch(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10, 20, 30]).await;
    let document = || vec![folded(b"a", 20, Some(b"one"))];
    log.fold(step(Position::default(), place(20), document())).await.unwrap();
    let moved = (Code::Aborted, BASE_MOVED);
    let late = || vec![folded(b"a", 30, Some(b"two"))];
    let other = Position { batch: BatchId(99), ..place(30) };
    for (from, to) in [
        (Position::default(), place(30)),
        (place(10), place(30)),
        (Position { batch: BatchId(99), ..place(20) }, place(30)),
        (place(20), other),
        (place(20), Position { ts: Ts::from_micros(31), ..place(30) }),
    ] {
        assert_eq!(failure(log.fold(step(from, to, late())).await), moved, "from {from} to {to}");
    }
    let order = (Code::InvalidArgument, "FoldOutOfOrder");
    assert_eq!(failure(log.fold(step(place(20), place(20), Vec::new())).await), order);
    assert_eq!(failure(log.fold(step(place(20), place(30), document())).await), order);
    let base = log.base().await.unwrap();
    assert_eq!(base.at, place(20));
    assert_eq!(all(base).await.0, BTreeMap::from([entry(b"a", 20, b"one")]));
    log.fold(step(place(20), place(30), late())).await.unwrap();
}

pub(super) async fn large_bases_come_in_parts(subject: &impl Subject) {
    const DOCUMENTS: u32 = 12_000;
    const LARGE: usize = 3 * BASE_PART_BYTES;
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    let value = |n: u32| if n == 5_000 { vec![1; LARGE] } else { n.to_be_bytes().repeat(50) };
    let documents = (0..DOCUMENTS).map(|n| folded(&n.to_be_bytes(), 10, Some(&value(n)))).collect();
    log.fold(step(Position::default(), place(10), documents)).await.unwrap();
    let (found, sizes) = all(log.base().await.unwrap()).await;
    assert_eq!(found.len(), DOCUMENTS as usize);
    assert!((0..DOCUMENTS).all(|n| found[&n.to_be_bytes()[..]] == (10, value(n))));
    assert!(sizes.len() > 2 && sizes.iter().all(|size| *size < BASE_PART_BYTES + LARGE + 1_000), "{sizes:?}");
    assert!(sizes[..sizes.len() - 1].iter().all(|size| *size >= BASE_PART_BYTES), "{sizes:?}");
    // The large one goes again.
    append(&log, &log.head().await.unwrap(), &[20]).await;
    let gone = (0..DOCUMENTS).filter(|n| *n != 7).map(|n| folded(&n.to_be_bytes(), 20, None)).collect();
    log.fold(step(place(10), place(20), gone)).await.unwrap();
    let (found, _) = all(log.base().await.unwrap()).await;
    assert_eq!(found, BTreeMap::from([entry(&7_u32.to_be_bytes(), 10, &value(7))]));
}

pub(super) async fn a_base_is_of_one_moment(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&log).await;
    append(&log, &led, &[10, 20]).await;
    let value = vec![5; BASE_PART_BYTES / 2];
    let documents: Vec<_> = (0..8_u8).map(|n| folded(&[n], 10, Some(&value))).collect();
    log.fold(step(Position::default(), place(10), documents)).await.unwrap();
    let mut base = reader.base().await.unwrap();
    let begun = base.documents.try_next().await.unwrap().unwrap();
    // The base moves on while it is read.
    let gone = (0..8_u8).map(|n| folded(&[n], 20, None)).collect();
    log.fold(step(place(10), place(20), gone)).await.unwrap();
    assert_eq!(base.at, place(10));
    let rest: Vec<Vec<_>> = base.documents.try_collect().await.unwrap();
    assert_eq!(begun.len() + rest.iter().map(Vec::len).sum::<usize>(), 8);
    assert!(all(reader.base().await.unwrap()).await.0.is_empty());
    // One that nobody reads to its end is in nobody's way.
    drop(reader.base().await.unwrap());
    append(&log, &log.head().await.unwrap(), &[30]).await;
    log.fold(step(place(20), place(30), Vec::new())).await.unwrap();
}

pub(super) async fn trimming_takes_what_is_folded(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10, 20, 30, 40, 50]).await;
    assert_eq!(log.trim(Ts::MAX, 100).await.unwrap(), 0, "nothing is folded");
    log.fold(step(Position::default(), place(40), Vec::new())).await.unwrap();
    assert_eq!(log.trim(Ts::from_micros(30), 2).await.unwrap(), 2);
    assert_eq!(places(&log, place(20)).await, [place(30), place(40), place(50)]);
    let truncated = (Code::OutOfRange, "LogTruncated");
    for after in [Position::default(), place(10)] {
        assert_eq!(failure(log.read(after, usize::MAX).await), truncated);
    }
    assert_eq!(log.trim(Ts::from_micros(30), 2).await.unwrap(), 1);
    assert_eq!(log.trim(Ts::from_micros(30), 2).await.unwrap(), 0);
    assert_eq!(log.trim(Ts::MAX, 100).await.unwrap(), 1);
    assert_eq!(failure(log.read(place(30), usize::MAX).await), truncated);
    assert_eq!(places(&log, place(40)).await, [place(50)]);
}

pub(super) async fn a_log_that_is_trimmed_whole_goes_on(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10, 20]).await;
    log.fold(step(Position::default(), place(20), Vec::new())).await.unwrap();
    assert_eq!(log.trim(Ts::MAX, 100).await.unwrap(), 2);
    assert!(places(&log, place(20)).await.is_empty());
    assert_eq!(failure(log.read(place(10), usize::MAX).await).1, "LogTruncated");
    let other = Position { batch: BatchId(99), ..place(20) };
    assert_eq!(failure(log.read(other, usize::MAX).await).1, super::super::HISTORY_REWRITTEN);
    append(&log, &log.head().await.unwrap(), &[30]).await;
    assert_eq!(places(&log, place(20)).await, [place(30)]);
    assert_eq!(log.base().await.unwrap().at, place(20));
}
