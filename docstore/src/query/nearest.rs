//! Nearest-vector search: exact, over the documents that pass the filter.

use crate::model::{DistanceMeasure, Document, FieldPath, FindNearest, Value};

/// The most neighbours a query may ask for.
pub(super) const MAX_NEAREST: u32 = 1_000;

/// The nearest of `documents`, nearest first (for the dot product: largest first), ties by name.
pub(super) fn nearest(find: &FindNearest, documents: Vec<Document>) -> Vec<Document> {
    let largest_first = find.measure == DistanceMeasure::DotProduct;
    let mut found: Vec<(f64, Document)> = documents
        .into_iter()
        .filter_map(|document| {
            let Some(Value::Vector(vector)) = find.field.get(&document.fields) else { return None };
            if vector.len() != find.query.len() {
                return None;
            }
            let distance = distance(find.measure, &find.query, vector);
            let near = find
                .threshold
                .is_none_or(|limit| if largest_first { distance >= limit } else { distance <= limit });
            near.then_some((distance, document))
        })
        .collect();
    found.sort_by(|(a, x), (b, y)| {
        let order = a.total_cmp(b);
        if largest_first { order.reverse() } else { order }.then_with(|| x.path.cmp(&y.path))
    });
    found.truncate(usize::try_from(find.limit).unwrap_or(usize::MAX));
    found
        .into_iter()
        .map(|(distance, document)| with_distance(find.distance_field.as_ref(), distance, document))
        .collect()
}

fn with_distance(field: Option<&FieldPath>, distance: f64, mut document: Document) -> Document {
    if let Some(field) = field {
        field.set(&mut document.fields, Value::Double(distance));
    }
    document
}

fn distance(measure: DistanceMeasure, a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    match measure {
        DistanceMeasure::Euclidean => a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
        DistanceMeasure::Cosine => 1.0 - dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt()),
        DistanceMeasure::DotProduct => dot(a, b),
    }
}
