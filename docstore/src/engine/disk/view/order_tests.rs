//! The view is an ordered map, for keys like those of composite indexes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::View;
use super::engine::{AnyView, ViewEngine};
use crate::encoding::key::{Key, KeyRange};
use crate::engine::map::VersionMap;
use crate::engine::{Put, Scan, ScanDirection};
use crate::model::Ts;

/// Keys like those of composite indexes: numbers of either sign, ascending and descending.
fn index_key() -> impl Strategy<Value = Key> {
    let number = prop_oneof![-50i64..50, any::<i64>()];
    (number.clone(), number, any::<bool>()).prop_map(|(a, b, descending)| {
        let bytes = |number: i64| number.cast_unsigned().wrapping_add(1 << 63).to_be_bytes();
        let b = if descending { bytes(b).map(|byte| !byte) } else { bytes(b) };
        [[9].as_slice(), &bytes(a).map(|byte| !byte), &b].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// The view answers like an ordered map, in both directions, for any keys and removals.
    #[test]
    fn the_view_is_an_ordered_map(
        rounds in proptest::collection::vec(
            (proptest::collection::vec((index_key(), any::<bool>()), 200..600), (index_key(), index_key()), any::<bool>()),
            1..8
        ),
        fjall in any::<bool>()
    ) {
        let folder = tempfile::tempdir().unwrap();
        let engine = if fjall { ViewEngine::Fjall } else { ViewEngine::Sled };
        let view = AnyView::fresh(folder.path(), engine);
        let map = VersionMap::default();
        for (at, (puts, (start, end), settled)) in (1..).map(Ts::from_micros).zip(&rounds) {
            let puts: BTreeMap<_, _> = puts.iter().cloned().collect();
            let puts: Vec<Put> = puts
                .into_iter()
                .map(|(key, there)| Put { key, value: there.then(|| b"value".as_slice().into()) })
                .collect();
            let versions = VersionMap::default();
            versions.insert([(at, puts.as_slice())]);
            view.insert(&versions).unwrap();
            map.insert([(at, puts.as_slice())]);
            if *settled {
                view.settle();
            }
            let range = KeyRange { start: start.min(end).clone(), end: start.max(end).clone() };
            for direction in [ScanDirection::Forward, ScanDirection::Backward] {
                for range in [&range, &KeyRange { start: Vec::new(), end: vec![0xff; 24] }] {
                    let scan = Scan { direction, ..Scan::all(range, at) };
                    prop_assert_eq!(view.scan(&scan).unwrap().entries, map.scan(&scan).unwrap().entries);
                }
            }
        }
        let last = Ts::from_micros(rounds.len() as u64);
        prop_assert_eq!(
            view.remove_superseded(&Key::new(), last, usize::MAX).unwrap().dead,
            View::remove_superseded(&map, &Key::new(), last, usize::MAX).unwrap().dead
        );
    }
}

/// Reverse iteration over a leaf that begins with the first positive number, behind negative numbers whose keys end in
/// 0xff. sled splits leaves by size in bytes, so many sizes are tried.
#[test]
fn numbers_of_either_sign_are_read_from_the_end() {
    let cases = (1..40).map(|n| (n * 25, ViewEngine::Sled)).chain([(25, ViewEngine::Fjall)]);
    for (below, engine) in cases {
        let folder = tempfile::tempdir().unwrap();
        let view = AnyView::fresh(folder.path(), engine);
        let puts = (-below..600i64).map(|score| {
            let key =
                [b"index".as_slice(), &score.cast_unsigned().wrapping_add(1 << 63).to_be_bytes()].concat();
            Put { key, value: Some(b"".as_slice().into()) }
        });
        let versions = VersionMap::default();
        versions.insert([(Ts::from_micros(1), puts.collect::<Vec<_>>().as_slice())]);
        view.insert(&versions).unwrap();
        let range = KeyRange::prefix(b"index");
        let scan = |direction| {
            let scan = Scan { direction, values: false, ..Scan::all(&range, Ts::MAX) };
            view.scan(&scan).unwrap().entries
        };
        let (forward, mut backward) = (scan(ScanDirection::Forward), scan(ScanDirection::Backward));
        backward.reverse();
        assert!(forward == backward, "{below} numbers below zero");
        assert_eq!(forward.len() as i64, below + 600);
    }
}
