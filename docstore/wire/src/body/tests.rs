use std::io;

use futures::{FutureExt as _, StreamExt as _, stream};
use proptest::prelude::*;

use super::*;
use docstore::budget::OWN_BYTES;

/// End of a body, or its absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Broken,
    Pending,
}

fn body(chunks: Vec<Vec<u8>>, end: End) -> Body {
    let chunks = stream::iter(chunks.into_iter().map(Ok));
    Body::from_stream(match end {
        End::Whole => chunks.boxed(),
        End::Broken => chunks.chain(stream::iter([Err(io::Error::other("broken"))])).boxed(),
        End::Pending => chunks.chain(stream::pending()).boxed(),
    })
}

fn counted(bytes: usize) -> usize {
    bytes.saturating_sub(OWN_BYTES)
}

proptest! {
    #[test]
    fn a_body_counts_while_somebody_has_it(
        sizes in prop::collection::vec(0_usize..40_000, 0..6),
        end in prop::sample::select(vec![End::Whole, End::Broken, End::Pending]),
    ) {
        const MOST: usize = 100_000;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _entered = runtime.enter();
        let budget = Budget::new(MOST);
        let sum: usize = sizes.iter().sum();
        let chunks = sizes.iter().map(|size| vec![7; *size]).collect();
        let mut reading = Box::pin(read_body(body(chunks, end), &budget));
        match (&mut reading).now_or_never() {
            _ if counted(sum) > MOST => {}
            Some(Ok((bytes, held))) => {
                prop_assert_eq!((end, bytes.len()), (End::Whole, sum));
                prop_assert_eq!(budget.taken(), counted(sum));
                drop(held);
            }
            Some(Err(error)) => prop_assert_eq!((end, error.tag()), (End::Broken, "BodyBroken")),
            None => prop_assert_eq!((end, budget.taken()), (End::Pending, counted(sum))),
        }
        drop(reading);
        prop_assert_eq!(budget.taken(), 0);
    }
}

#[tokio::test]
async fn a_body_that_does_not_fit_in_is_refused() {
    let budget = Budget::new(100_000);
    let read = |bytes: usize, end| Box::pin(read_body(body(vec![vec![7; bytes]], end), &budget));
    let mut first = read(80_000, End::Pending);
    assert!((&mut first).now_or_never().is_none());
    let refused = read(80_000, End::Whole).now_or_never().unwrap().unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(refused.message(), "too many bytes of requests are under way: try again later");
    assert!(read(OWN_BYTES, End::Whole).now_or_never().unwrap().is_ok());
    drop(first);
    assert!(read(80_000, End::Whole).now_or_never().unwrap().is_ok());
    assert_eq!(budget.taken(), 0);
}

#[tokio::test]
async fn a_message_counts_until_the_next_is_asked_for() {
    let budget = Budget::new(1_000_000);
    let message = |bytes: usize| {
        let length = u32::try_from(bytes).unwrap().to_be_bytes();
        [&[0], length.as_slice(), &vec![7; bytes]].concat()
    };
    let mut last = message(100_000);
    let rest = last.split_off(60_000);
    let chunks = vec![message(50_000), [message(30_000), last].concat(), rest];
    let shape = Shape::Messages(Messages::default());
    let mut arriving = Arriving::new(body(chunks, End::Pending), shape, hold(&budget));
    let mut taken = Vec::new();
    while let Some(frame) = arriving.frame().now_or_never() {
        frame.unwrap().unwrap();
        taken.push(budget.taken());
    }
    assert_eq!(taken, [50_005, 90_005, 100_005].map(counted));
    assert_eq!(budget.taken(), 0);
}
