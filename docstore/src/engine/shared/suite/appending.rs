//! Appending and reading.

use super::super::MAX_BATCH_BYTES;
use super::*;

pub(super) async fn a_new_log_is_empty(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let head = log.head().await.unwrap();
    assert_eq!((head.term, head.leader, head.position), (Term(0), NodeId(0), Position::default()));
    assert_eq!(head.folded, Position::default());
    let slice = log.read(Position::default(), usize::MAX).await.unwrap();
    assert_eq!(slice.head, head);
    assert!(slice.batches.is_empty());
    let other = subject.connect(node(2)).await;
    assert_eq!(other.head().await.unwrap(), head, "the identity is drawn once");
}

pub(super) async fn batches_follow_one_another_for_every_reader(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let led = lead(&log).await;
    assert_eq!((led.term, led.leader), (Term(1), node(1)));
    append(&log, &led, &[10, 20, 35]).await;
    for log in [&log, &reader] {
        let slice = log.read(Position::default(), usize::MAX).await.unwrap();
        assert_eq!(slice.head.position, place(35));
        assert!(slice.head.beat > led.beat);
        let found: Vec<_> =
            slice.batches.iter().map(|batch| (batch.prev, batch.position, batch.term)).collect();
        let expected = [(Position::default(), place(10)), (place(10), place(20)), (place(20), place(35))];
        assert_eq!(found, expected.map(|(prev, position)| (prev, position, led.term)));
        assert_eq!(slice.batches[2].payload, "35");
        assert_eq!(places(log, place(10)).await, [place(20), place(35)]);
        assert!(places(log, place(35)).await.is_empty());
    }
}

pub(super) async fn a_read_ends_at_its_limit_of_bytes(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    let mut prev = Position::default();
    for number in 1..=9 {
        let payload = Bytes::from(vec![7; 1_000]);
        log.append(led.term, NewBatch { position: place(number), prev, payload }).await.unwrap();
        prev = place(number);
    }
    let mut after = Position::default();
    for (bytes, expected) in [(1, 1), (1_000, 1), (1_001, 2), (3_000, 3), (usize::MAX, 2)] {
        let slice = log.read(after, bytes).await.unwrap();
        assert_eq!(slice.batches.len(), expected, "{bytes} bytes");
        assert_eq!(slice.head.position, place(9));
        after = slice.batches.last().unwrap().position;
    }
    // Batches without contents count as well, or a read of many of them would have no end.
    assert_eq!(log.read(Position::default(), 0).await.unwrap().batches.len(), 1);
}

pub(super) async fn payloads_come_back_byte_for_byte(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    let large = (0..3_000_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    let payloads: [Vec<u8>; 4] = [Vec::new(), (0..=255).collect(), vec![0; 100_000], large];
    let mut prev = Position::default();
    for (number, payload) in (1..).zip(&payloads) {
        let payload = Bytes::from(payload.clone());
        log.append(led.term, NewBatch { position: place(number), prev, payload }).await.unwrap();
        prev = place(number);
    }
    let found = log.read(Position::default(), usize::MAX).await.unwrap().batches;
    assert!(found.iter().map(|batch| &batch.payload[..]).eq(payloads.iter().map(Vec::as_slice)));
    // Ids and times of every size.
    let (ts, batch) = (Ts::from_micros(i64::MAX.unsigned_abs()), BatchId(u128::MAX));
    let last = NewBatch { position: Position { ts, batch }, prev, payload: Bytes::new() };
    log.append(led.term, last).await.unwrap();
    assert_eq!(log.head().await.unwrap().position, Position { ts, batch });
    assert_eq!(places(&log, prev).await, [Position { ts, batch }]);
}

pub(super) async fn an_append_needs_its_predecessor(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10, 20]).await;
    let other = Position { batch: BatchId(99), ..place(20) };
    for prev in [Position::default(), place(10), other, place(25)] {
        assert_eq!(failure(log.append(led.term, batch(prev, 30)).await), FENCED, "after {prev}");
    }
    assert_eq!(places(&log, Position::default()).await, [place(10), place(20)]);
    log.append(led.term, batch(place(20), 30)).await.unwrap();
    // The same once more: it is stored once.
    assert_eq!(failure(log.append(led.term, batch(place(20), 30)).await), FENCED);
    assert_eq!(places(&log, place(10)).await, [place(20), place(30)]);
}

pub(super) async fn of_appends_to_one_place_one_is_stored(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    let appends = (10..18).map(|number| log.append(led.term, batch(Position::default(), number)));
    let results = futures::future::join_all(appends).await;
    let (stored, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!(stored.len(), 1);
    assert!(refused.into_iter().all(|result| failure(result) == FENCED));
    assert_eq!(places(&log, Position::default()).await, [log.head().await.unwrap().position]);
}

pub(super) async fn what_cannot_be_a_batch_is_refused(subject: &impl Subject) {
    let log = subject.connect(node(1)).await;
    let led = lead(&log).await;
    append(&log, &led, &[10]).await;
    for number in [9, 10] {
        let refused = failure(log.append(led.term, batch(place(10), number)).await);
        assert_eq!(refused, (Code::InvalidArgument, "BatchNotLater"));
    }
    let payload = Bytes::from(vec![0; MAX_BATCH_BYTES + 1]);
    let large = NewBatch { position: place(20), prev: place(10), payload };
    assert_eq!(failure(log.append(led.term, large).await), (Code::InvalidArgument, "BatchTooLarge"));
    append(&log, &log.head().await.unwrap(), &[20]).await;
}

pub(super) async fn news_reach_every_node(subject: &impl Subject) {
    let (log, reader) = (subject.connect(node(1)).await, subject.connect(node(2)).await);
    let mut news = [log.news(), reader.news(), reader.news()];
    let led = lead(&log).await;
    let mut last = led.position;
    for number in [10, 20, 30] {
        last = append(&log, &Head { position: last, ..led }, &[number]).await;
        for news in &mut news {
            news.wait_for(|known| *known == last).await.unwrap();
        }
    }
    // Whoever asks later begins with what is known.
    assert_eq!(*reader.news().borrow(), place(30));
}
