//! The property of nearest-vector queries: they find exactly the documents that a sort by distance finds.

use docstore::model::*;
use docstore::*;
use proptest::prelude::*;

use super::support::*;

/// A distance by its definition; of the dot product the negative, because the largest is the nearest.
fn distance(measure: DistanceMeasure, a: &[f64], b: &[f64]) -> f64 {
    let (mut square, mut dot, mut a_length, mut b_length) = (0.0, 0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        square += (x - y) * (x - y);
        dot += x * y;
        a_length += x * x;
        b_length += y * y;
    }
    match measure {
        DistanceMeasure::Euclidean => square.sqrt(),
        DistanceMeasure::Cosine => 1.0 - dot / (a_length.sqrt() * b_length.sqrt()),
        DistanceMeasure::DotProduct => -dot,
    }
}

/// Whole numbers, whose sums are exact; no vector is all zeros.
fn vector(dimension: usize) -> BoxedStrategy<Vec<f64>> {
    proptest::collection::vec((1i32..6).prop_map(f64::from), dimension).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_nearest_are_what_a_sort_of_all_finds(
        documents in proptest::collection::vec((0i64..2, prop_oneof![4 => vector(2), 1 => vector(3)]), 1..40),
        query in vector(2),
        measure in prop_oneof![
            Just(DistanceMeasure::Euclidean), Just(DistanceMeasure::Cosine), Just(DistanceMeasure::DotProduct)
        ],
        kind in proptest::option::of(0i64..2),
        limit in 1u32..10,
        threshold in proptest::option::of(0i32..20),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(async {
            let store = Store::in_memory().await.unwrap();
            let db = database(&store);
            let mut expected = Vec::new();
            for (n, (of_kind, values)) in documents.iter().enumerate() {
                let path = format!("c/{n:02}");
                let fields = fields([("kind", int(*of_kind)), ("v", Value::Vector(values.clone()))]);
                db.commit(Draft::of(vec![set(&path, fields)])).await.unwrap();
                let far = distance(measure, &query, values);
                let dot = measure == DistanceMeasure::DotProduct;
                let near = threshold.is_none_or(|t| if dot { -far >= f64::from(t) } else { far <= f64::from(t) });
                if values.len() == query.len() && kind.is_none_or(|kind| kind == *of_kind) && near {
                    expected.push((far, path));
                }
            }
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
            expected.truncate(limit as usize);
            let find = FindNearest {
                field: field("v"),
                query: query.clone(),
                measure,
                limit,
                threshold: threshold.map(f64::from),
                distance_field: Some(field("far")),
            };
            let filter = kind.map(|kind| filter("kind", FieldOp::Equal, int(kind)));
            let found = db.run(&Query { filter, find_nearest: Some(find), ..all("c") }, None).await.unwrap();
            let found: Vec<(f64, String)> = found
                .documents
                .iter()
                .map(|document| {
                    let Value::Double(far) = document.fields["far"] else { panic!("no distance") };
                    let far = if measure == DistanceMeasure::DotProduct { -far } else { far };
                    (far, document.path.to_string())
                })
                .collect();
            prop_assert_eq!(found, expected);
            Ok::<(), TestCaseError>(())
        }))?;
    }
}
