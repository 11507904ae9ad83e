//! Terms, and what becomes of appends whose answer is lost.

use super::super::{HEAD_MOVED, Settled, Unsettled, settle};
use super::*;

const MOVED: (Code, &str) = (Code::Aborted, HEAD_MOVED);

pub(super) async fn a_new_term_fences_the_one_before(subject: &impl Subject) {
    let (old, new) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let first = lead(&old).await;
    append(&old, &first, &[10]).await;
    let second = lead(&new).await;
    assert_eq!((second.term, second.leader, second.position), (Term(2), node(2), place(10)));
    assert_eq!(failure(old.append(first.term, batch(place(10), 20)).await), FENCED);
    assert_eq!(failure(old.beat(first.term).await), FENCED);
    assert_eq!(places(&new, Position::default()).await, [place(10)]);
    append(&new, &second, &[30]).await;
    let third = lead(&old).await;
    append(&old, &third, &[40]).await;
    assert_eq!(failure(new.beat(second.term).await), FENCED);
    let batches = new.read(Position::default(), usize::MAX).await.unwrap().batches;
    assert!(batches.iter().map(|batch| batch.term).eq([1, 2, 3].map(Term)));
}

pub(super) async fn a_term_is_its_leaders_alone(subject: &impl Subject) {
    let (leader, other) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&leader).await;
    assert_eq!(failure(other.append(led.term, batch(led.position, 10)).await), FENCED);
    assert_eq!(failure(other.beat(led.term).await), FENCED);
    assert_eq!(failure(leader.append(NO_TERM, batch(led.position, 10)).await), FENCED);
    assert_eq!(failure(leader.beat(NO_TERM).await), FENCED);
    assert_eq!(leader.head().await.unwrap(), led);
}

pub(super) async fn a_take_over_needs_the_head_that_it_saw(subject: &impl Subject) {
    let (leader, other) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&leader).await;
    let seen = other.head().await.unwrap();
    leader.beat(led.term).await.unwrap();
    assert_eq!(failure(other.take_over(&seen).await), MOVED);
    let seen = other.head().await.unwrap();
    append(&leader, &led, &[10]).await;
    assert_eq!(failure(other.take_over(&seen).await), MOVED);
    let seen = other.head().await.unwrap();
    let taken = leader.take_over(&seen).await.unwrap();
    assert_eq!(failure(other.take_over(&seen).await), MOVED);
    assert_eq!(other.head().await.unwrap(), taken);
    append(&leader, &taken, &[20]).await;
}

pub(super) async fn of_take_overs_at_once_one_succeeds(subject: &impl Subject) {
    let mut logs = Vec::new();
    for number in 1..=5 {
        logs.push(subject.connect(node(number)).await);
    }
    let seen = logs[0].head().await.unwrap();
    let results = futures::future::join_all(logs.iter().map(|log| log.take_over(&seen))).await;
    let winners: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
    assert_eq!(winners.len(), 1, "{results:?}");
    assert_eq!(*winners[0], logs[4].head().await.unwrap());
    assert!(results.iter().flat_map(|result| result.as_ref().err()).all(|error| error.tag() == HEAD_MOVED));
}

pub(super) async fn an_append_that_arrived_is_settled_as_stored(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    let unknown = batch(place(10), 20);
    log.append(led.term, unknown.clone()).await.unwrap();
    let Settled { stored, head } = settle(&log, Unsettled::of(led.term, &unknown)).await.unwrap();
    assert!(stored);
    assert_eq!((head.term, head.leader, head.position), (Term(2), node(1), place(20)));
    append(&log, &head, &[30]).await;
    // It is still so later.
    assert!(settle(&log, Unsettled::of(led.term, &unknown)).await.unwrap().stored);
}

pub(super) async fn an_append_that_did_not_arrive_never_does_once_settled(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    let held_up = batch(place(10), 20);
    let Settled { stored, head } = settle(&log, Unsettled::of(led.term, &held_up)).await.unwrap();
    assert!(!stored);
    // Now it arrives.
    assert_eq!(failure(log.append(led.term, held_up.clone()).await), FENCED);
    append(&log, &head, &[30]).await;
    assert_eq!(failure(log.append(led.term, held_up.clone()).await), FENCED);
    assert!(!settle(&log, Unsettled::of(led.term, &held_up)).await.unwrap().stored);
    assert_eq!(places(&log, Position::default()).await, [place(10), place(30)]);
}

pub(super) async fn an_append_is_settled_after_another_node_has_led(subject: &impl Subject) {
    let (old, new) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&old).await;
    let (arrived, lost) = (batch(led.position, 10), batch(place(10), 15));
    old.append(led.term, arrived.clone()).await.unwrap();
    let taken = lead(&new).await;
    append(&new, &taken, &[20]).await;
    for (append, expected) in [(&arrived, true), (&lost, false)] {
        let Settled { stored, head } = settle(&old, Unsettled::of(led.term, append)).await.unwrap();
        assert_eq!((stored, head.term, head.leader), (expected, taken.term, node(2)));
    }
    // Nobody was disturbed.
    new.beat(taken.term).await.unwrap();
}
