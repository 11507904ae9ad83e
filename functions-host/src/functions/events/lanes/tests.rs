use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

type Lane = (Arc<str>, Option<Arc<str>>);

const FREE: Limits = Limits { concurrent: 100, spacing: Duration::ZERO };

fn waiting(number: u64, function: &str, lane: Option<&str>) -> Waiting {
    Waiting { number, function: function.into(), lane: lane.map(Into::into), due: Ts::ZERO }
}

fn at(seconds: u64) -> Ts {
    Ts::from_micros(seconds * 1_000_000)
}

fn all(lanes: &mut Lanes, now: Ts, limits: Limits) -> Vec<u64> {
    std::iter::from_fn(|| lanes.take(now, |_| limits)).map(|waiting| waiting.number).collect()
}

#[test]
fn a_lane_waits_for_its_head_and_others_go_on() {
    let mut lanes = Lanes::default();
    let (first, second) = (waiting(1, "f", Some("a")), waiting(2, "f", Some("a")));
    for one in [first.clone(), second, waiting(3, "f", Some("b")), waiting(4, "f", None)] {
        assert!(lanes.add(one));
    }
    assert!(!lanes.add(first.clone()));
    assert_eq!(all(&mut lanes, at(0), FREE), [1, 3, 4]);
    lanes.again(&first, at(10));
    assert_eq!(all(&mut lanes, at(9), FREE), [0; 0]);
    assert_eq!(lanes.next_due(at(9)), Some(at(10)));
    assert_eq!(all(&mut lanes, at(10), FREE), [1]);
    lanes.done(&first);
    assert_eq!(all(&mut lanes, at(10), FREE), [2]);
    assert_eq!(lanes.len(), 3);
}

#[test]
fn functions_take_turns_and_keep_to_their_limits() {
    let mut lanes = Lanes::default();
    for number in 0..4 {
        lanes.add(waiting(number, "busy", None));
    }
    lanes.add(waiting(9, "other", None));
    let two = Limits { concurrent: 2, spacing: Duration::ZERO };
    let mut taken = all(&mut lanes, at(0), two);
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 9]);
    lanes.done(&waiting(0, "busy", None));
    assert_eq!(all(&mut lanes, at(0), two), [2]);
}

#[test]
fn a_rate_spaces_the_beginnings() {
    let mut lanes = Lanes::default();
    for number in 0..3 {
        lanes.add(waiting(number, "f", None));
    }
    let slow = Limits { concurrent: 10, spacing: Duration::from_secs(5) };
    assert_eq!(all(&mut lanes, at(0), slow), [0]);
    assert_eq!(lanes.next_due(at(0)), Some(at(5)));
    assert_eq!(all(&mut lanes, at(4), slow), [0; 0]);
    assert_eq!(all(&mut lanes, at(5), slow), [1]);
    assert_eq!(all(&mut lanes, at(100), slow), [2]);
}

proptest! {
    /// Property: whatever fails and however often, the deliveries of each ordering key end once each and in order,
    /// nothing is left, no limit is exceeded, and the next time to look is always known.
    #[test]
    fn every_delivery_ends_once_and_in_its_lanes_order(
        queue in prop::collection::vec((0..3u8, 0..4u8), 1..60),
        failures in prop::collection::vec(0..3u8, 60),
        concurrent in 1..4usize,
    ) {
        let mut lanes = Lanes::default();
        let mut left: HashMap<u64, u8> = HashMap::new();
        for (number, (function, lane)) in queue.iter().enumerate() {
            let lane = (*lane > 0).then(|| format!("lane{lane}"));
            lanes.add(waiting(number as u64, &format!("f{function}"), lane.as_deref()));
            left.insert(number as u64, failures[number]);
        }
        let limits = Limits { concurrent, spacing: Duration::ZERO };
        let mut now = at(0);
        let mut running: Vec<Waiting> = Vec::new();
        let mut ended: HashMap<Lane, Vec<u64>> = HashMap::new();
        let mut count = 0;
        while count < queue.len() {
            while let Some(next) = lanes.take(now, |_| limits) {
                let same = running.iter().filter(|other| other.function == next.function);
                prop_assert!(same.clone().count() < concurrent);
                prop_assert!(next.lane.is_none() || same.clone().all(|other| other.lane != next.lane));
                running.push(next);
            }
            match running.pop() {
                None => now = lanes.next_due(now).unwrap(),
                Some(one) => match left.get_mut(&one.number) {
                    Some(failures) if *failures > 0 => {
                        *failures -= 1;
                        lanes.again(&one, later(now, Duration::from_secs(u64::from(*failures))));
                    }
                    _ => {
                        lanes.done(&one);
                        count += 1;
                        ended.entry((one.function.clone(), one.lane.clone())).or_default().push(one.number);
                    }
                },
            }
        }
        prop_assert_eq!(lanes.len(), 0);
        for ((_, lane), numbers) in ended {
            prop_assert!(lane.is_none() || numbers.is_sorted());
        }
    }
}
