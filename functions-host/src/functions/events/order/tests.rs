use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

type Key = (Arc<str>, Option<Arc<str>>);

const FREE: Limits = Limits { concurrent: 100, spacing: Duration::ZERO };

fn waiting(number: u64, function: &str, ordering_key: Option<&str>) -> Waiting {
    Waiting { number, function: function.into(), ordering_key: ordering_key.map(Into::into), due: Ts::ZERO }
}

fn at(seconds: u64) -> Ts {
    Ts::from_micros(seconds * 1_000_000)
}

fn all(order: &mut DeliveryOrder, now: Ts, limits: Limits) -> Vec<u64> {
    std::iter::from_fn(|| order.take(now, |_| limits)).map(|waiting| waiting.number).collect()
}

#[test]
fn an_ordering_key_waits_for_its_first_delivery_and_others_go_on() {
    let mut order = DeliveryOrder::default();
    let (first, second) = (waiting(1, "f", Some("a")), waiting(2, "f", Some("a")));
    for one in [first.clone(), second, waiting(3, "f", Some("b")), waiting(4, "f", None)] {
        assert!(order.add(one));
    }
    assert!(!order.add(first.clone()));
    assert_eq!(all(&mut order, at(0), FREE), [1, 3, 4]);
    order.again(&first, at(10));
    assert_eq!(all(&mut order, at(9), FREE), [0; 0]);
    assert_eq!(order.next_due(at(9)), Some(at(10)));
    assert_eq!(all(&mut order, at(10), FREE), [1]);
    order.done(&first);
    assert_eq!(all(&mut order, at(10), FREE), [2]);
    assert_eq!(order.len(), 3);
}

#[test]
fn functions_take_turns_and_keep_to_their_limits() {
    let mut order = DeliveryOrder::default();
    for number in 0..4 {
        order.add(waiting(number, "busy", None));
    }
    order.add(waiting(9, "other", None));
    let two = Limits { concurrent: 2, spacing: Duration::ZERO };
    let mut taken = all(&mut order, at(0), two);
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 9]);
    order.done(&waiting(0, "busy", None));
    assert_eq!(all(&mut order, at(0), two), [2]);
}

#[test]
fn a_clock_that_is_set_back_holds_no_function_up() {
    let mut order = DeliveryOrder::default();
    for number in 0..3 {
        order.add(waiting(number, "f", None));
    }
    let spaced = Limits { concurrent: 100, spacing: Duration::from_secs(2) };
    assert_eq!(all(&mut order, at(7_200), spaced), [0]);
    assert_eq!(all(&mut order, at(10), spaced), [1]);
    assert_eq!(all(&mut order, at(11), spaced), [0; 0]);
    assert_eq!(all(&mut order, at(12), spaced), [2]);
}

#[test]
fn a_rate_spaces_the_beginnings() {
    let mut order = DeliveryOrder::default();
    for number in 0..3 {
        order.add(waiting(number, "f", None));
    }
    let slow = Limits { concurrent: 10, spacing: Duration::from_secs(5) };
    assert_eq!(all(&mut order, at(0), slow), [0]);
    assert_eq!(order.next_due(at(0)), Some(at(5)));
    assert_eq!(all(&mut order, at(4), slow), [0; 0]);
    assert_eq!(all(&mut order, at(5), slow), [1]);
    assert_eq!(all(&mut order, at(100), slow), [2]);
}

proptest! {
    /// Property: whatever fails and however often, the deliveries of each ordering key end once each and in order,
    /// nothing is left, no limit is exceeded, and the next time to look is always known.
    #[test]
    fn every_delivery_ends_once_and_in_the_order_of_its_key(
        queue in prop::collection::vec((0..3u8, 0..4u8), 1..60),
        failures in prop::collection::vec(0..3u8, 60),
        concurrent in 1..4usize,
    ) {
        let mut order = DeliveryOrder::default();
        let mut left: HashMap<u64, u8> = HashMap::new();
        for (number, (function, ordering_key)) in queue.iter().enumerate() {
            let ordering_key = (*ordering_key > 0).then(|| format!("key{ordering_key}"));
            order.add(waiting(number as u64, &format!("f{function}"), ordering_key.as_deref()));
            left.insert(number as u64, failures[number]);
        }
        let limits = Limits { concurrent, spacing: Duration::ZERO };
        let mut now = at(0);
        let mut running: Vec<Waiting> = Vec::new();
        let mut ended: HashMap<Key, Vec<u64>> = HashMap::new();
        let mut count = 0;
        while count < queue.len() {
            while let Some(next) = order.take(now, |_| limits) {
                let same = running.iter().filter(|other| other.function == next.function);
                prop_assert!(same.clone().count() < concurrent);
                let key = &next.ordering_key;
                prop_assert!(key.is_none() || same.clone().all(|other| other.ordering_key != *key));
                running.push(next);
            }
            match running.pop() {
                None => now = order.next_due(now).unwrap(),
                Some(one) => match left.get_mut(&one.number) {
                    Some(failures) if *failures > 0 => {
                        *failures -= 1;
                        order.again(&one, later(now, Duration::from_secs(u64::from(*failures))));
                    }
                    _ => {
                        order.done(&one);
                        count += 1;
                        ended.entry((one.function.clone(), one.ordering_key.clone())).or_default().push(one.number);
                    }
                },
            }
        }
        prop_assert_eq!(order.len(), 0);
        for ((_, ordering_key), numbers) in ended {
            prop_assert!(ordering_key.is_none() || numbers.is_sorted());
        }
    }
}
