//! Logs that fell back to an earlier state, and damaged ones.

use super::super::{BASE_MOVED, Fold, HISTORY_REWRITTEN, LOG_GAP, Unsettled, settle};
use super::*;

const REWRITTEN: (Code, &str) = (Code::DataLoss, HISTORY_REWRITTEN);

pub(super) async fn a_reader_ahead_of_a_restored_log_notices(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&log).await;
    append(&log, &led, &[10, 20]).await;
    let backup = subject.backup().await;
    let seen = again(|| reader.head()).await.unwrap();
    append(&log, &lead(&log).await, &[30, 40]).await;
    let mut news = reader.news();
    news.wait_for(|known| *known == place(40)).await.unwrap();
    subject.restore(backup).await;
    assert_eq!(failure(again(|| reader.read(place(40), usize::MAX)).await), REWRITTEN);
    assert_eq!(failure(again(|| reader.read(place(30), usize::MAX)).await), REWRITTEN);
    // Whoever has less than was lost has lost nothing.
    assert_eq!(places(&reader, place(10)).await, [place(20)]);
    assert!(places(&reader, place(20)).await.is_empty());
    assert_eq!(again(|| reader.head()).await.unwrap().cluster, seen.cluster);
    news.wait_for(|known| *known == place(20)).await.unwrap();
}

pub(super) async fn a_reader_of_another_branch_notices(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&log).await;
    append(&log, &led, &[10, 20]).await;
    let backup = subject.backup().await;
    append(&log, &lead(&log).await, &[30, 40]).await;
    subject.restore(backup).await;
    // The new branch has passed the old one, once at the very time of a batch of it.
    let led = lead(&reader).await;
    let same_time = Position { batch: BatchId(99), ..place(40) };
    let new = NewBatch { position: same_time, prev: led.position, payload: Bytes::new() };
    reader.append(led.term, new).await.unwrap();
    append(&reader, &Head { position: same_time, ..led }, &[50]).await;
    for after in [place(30), place(40)] {
        assert_eq!(failure(again(|| log.read(after, usize::MAX)).await), REWRITTEN, "after {after}");
    }
    assert_eq!(places(&log, place(20)).await, [same_time, place(50)]);
}

pub(super) async fn a_leader_of_a_lost_history_is_fenced(subject: &impl Subject) {
    let (log, other) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    let backup = subject.backup().await;
    let lost = lead(&log).await;
    append(&log, &lost, &[20]).await;
    subject.restore(backup).await;
    // The other node begins a term of the same number, at the place from which the lost one began.
    let taken = lead(&other).await;
    assert_eq!((taken.term, taken.position), (lost.term, place(10)));
    assert_eq!(failure(again(|| log.append(lost.term, batch(place(20), 30))).await), FENCED);
    assert_eq!(failure(again(|| log.append(lost.term, batch(place(10), 30))).await), FENCED);
    assert_eq!(failure(again(|| log.beat(lost.term)).await), FENCED);
    append(&other, &taken, &[25]).await;
    let unsettled = Unsettled::of(lost.term, &batch(place(20), 30));
    assert_eq!(failure(settle(&log, unsettled).await), REWRITTEN);
}

pub(super) async fn a_fold_of_a_lost_history_is_refused(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    let backup = subject.backup().await;
    append(&log, &lead(&log).await, &[20]).await;
    subject.restore(backup).await;
    let led = lead(&log).await;
    append(&log, &led, &[30]).await;
    let fold = |to| Fold { from: Position::default(), to, documents: Vec::new() };
    let refused = again(|| log.fold(fold(place(20)))).await;
    assert_eq!(failure(refused), (Code::Aborted, BASE_MOVED));
    log.fold(fold(place(30))).await.unwrap();
}

pub(super) async fn a_gap_is_damage(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10, 20, 30]).await;
    subject.damage(Ts::from_micros(20)).await;
    let gap = (Code::DataLoss, LOG_GAP);
    for after in [Position::default(), place(10)] {
        assert_eq!(failure(log.read(after, usize::MAX).await), gap);
    }
    assert_eq!(places(&log, place(20)).await, [place(30)]);
    subject.damage(Ts::from_micros(30)).await;
    assert_eq!(failure(log.read(place(20), usize::MAX).await), gap);
}
