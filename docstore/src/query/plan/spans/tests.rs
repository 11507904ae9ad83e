use proptest::prelude::*;

use super::*;
use crate::encoding::key::{push_directed, push_name};
use crate::testing::values;

fn test_op() -> impl Strategy<Value = TestOp> {
    let op = prop_oneof![
        Just(FieldOp::Less),
        Just(FieldOp::LessOrEqual),
        Just(FieldOp::Greater),
        Just(FieldOp::GreaterOrEqual)
    ];
    prop_oneof![
        value().prop_map(TestOp::Equal),
        (op, value()).prop_map(|(op, value)| TestOp::Compare(op, value)),
        proptest::collection::vec(value(), 0..3).prop_map(TestOp::NotIn),
    ]
}

/// Mostly from few numbers, so that some are equal; some are longer than an index entry holds.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => (0i64..5).prop_map(Value::Integer),
        1 => (1_490usize..1_510).prop_map(|len| Value::String("x".repeat(len))),
        1 => values(),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    (proptest::collection::vec(test_op(), 0..3), any::<bool>()).prop_map(|(ops, descending)| {
        let spans = ops.iter().filter_map(value_spans).fold(whole(), |spans, (allowed, _)| {
            let allowed =
                if descending { allowed.into_iter().rev().map(mirrored).collect() } else { allowed };
            intersect(&spans, &allowed)
        });
        Part { descending, spans }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// An ending is skipped exactly if one of its parts lies outside, and no allowed ending is skipped with it.
    #[test]
    fn nothing_that_is_allowed_is_passed_over(
        fields in proptest::collection::vec(part(), 2),
        // Names from the first of these letters (inclusive) to the second (exclusive).
        (from, to) in ("[a-c]", "[c-e]"),
        rows in proptest::collection::vec((value(), value(), "[a-e]"), 1..60),
    ) {
        let named = |letter: &str| {
            let mut key = Key::new();
            crate::encoding::key::push_path(&mut key, letter);
            key
        };
        let mut parts = fields.clone();
        parts.push(Part { descending: false, spans: vec![(named(&from), Some(named(&to)))] });
        let inside = |spans: &[Span], bytes: &[u8]| {
            spans.iter().any(|(start, end)| {
                start.as_slice() <= bytes && end.as_ref().is_none_or(|end| bytes < end.as_slice())
            })
        };
        let mut endings: Vec<(Key, bool)> = rows
            .iter()
            .map(|(first, second, name)| {
                let mut ending = Key::new();
                let mut allowed = *name >= from && *name < to;
                for (value, part) in [first, second].into_iter().zip(&fields) {
                    let at = ending.len();
                    push_directed(&mut ending, &encoded(value), part.descending);
                    allowed &= inside(&part.spans, &ending[at..]);
                }
                push_name(&mut ending, name);
                (ending, allowed)
            })
            .collect();
        endings.sort();
        for (ending, allowed) in &endings {
            for backward in [false, true] {
                let Some(bound) = past(&parts, 2, ending, backward) else {
                    prop_assert!(allowed);
                    continue;
                };
                prop_assert!(!allowed);
                let passed = |other: &Key| {
                    if backward { *other <= *ending && *other >= bound } else { *other >= *ending && *other < bound }
                };
                prop_assert!(passed(ending), "it goes on");
                prop_assert!(endings.iter().all(|(other, allowed)| !(*allowed && passed(other))));
            }
        }
    }
}
