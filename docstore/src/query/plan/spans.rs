//! Spans of the ends of index entries, and of the values encoded in them.
//!
//! Bounds on the first ordered field bound the endings themselves: one range of the index per span. Bounds on a later
//! field repeat after every value of the fields before it. So a scan checks every part of an ending, and if one lies
//! outside its spans it continues at the next ending that may lie inside ([`past`]), without reading the entries
//! between.

use crate::encoding::key::{Key, encode_value, is_truncated, successor, type_end, type_start, value_len};
use crate::model::{FieldOp, Value};

use super::super::normal::TestOp;

/// A range of endings, or of the bytes of one part of them: `start` inclusive, `end` exclusive.
pub(crate) type Span = (Key, Option<Key>);

/// One part of an ending: the value of an ordered field, or the name, which is last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// True if the values descend; names never do.
    pub(crate) descending: bool,
    /// Allowed spans, disjoint and ascending.
    pub(crate) spans: Vec<Span>,
}

/// Every byte string.
pub(super) fn whole() -> Vec<Span> {
    vec![(Key::new(), None)]
}

/// Position at which a scan resumes if `ending` has a part outside its spans: forward, at the first ending not less
/// than it; backward, at the last that is less. `None` if all parts lie inside. `parts` are those of the ordered fields
/// and the name, or only the first of them.
pub(super) fn past(parts: &[Part], fields: usize, ending: &[u8], backward: bool) -> Option<Key> {
    let mut at = 0;
    for (index, part) in parts.iter().enumerate() {
        let rest = ending.get(at..)?;
        let len = if index < fields { value_len(rest, part.descending)? } else { rest.len() };
        let (before, value) = (&ending[..at], &rest[..len]);
        if let Some(bound) = beyond(&part.spans, value, backward) {
            return Some(match (bound, backward) {
                (Some(bound), _) => [before, bound].concat(),
                // No allowed ending follows these values of the parts before.
                (None, true) => before.to_vec(),
                (None, false) if before.is_empty() => vec![0xff; 9],
                (None, false) => successor(before),
            });
        }
        at += len;
    }
    None
}

/// `None` if `value` lies in one of the spans; otherwise the bound of the next span in the scan's direction.
fn beyond<'a>(spans: &'a [Span], value: &[u8], backward: bool) -> Option<Option<&'a [u8]>> {
    if backward {
        match spans.iter().rfind(|(start, _)| start.as_slice() <= value) {
            None => Some(None),
            Some((_, Some(end))) if end.as_slice() <= value => Some(Some(end)),
            Some(_) => None,
        }
    } else {
        match spans.iter().find(|(_, end)| end.as_ref().is_none_or(|end| value < end.as_slice())) {
            None => Some(None),
            Some((start, _)) if value < start.as_slice() => Some(Some(start)),
            Some(_) => None,
        }
    }
}

/// The encoding of a value.
pub(super) fn encoded(value: &Value) -> Key {
    let mut key = Key::new();
    encode_value(value, &mut key);
    key
}

/// Ascending encodings that a test allows, and whether they imply it. `None` if the test sets no bounds.
pub(super) fn value_spans(op: &TestOp) -> Option<(Vec<Span>, bool)> {
    Some(match op {
        TestOp::Equal(value) => {
            let key = encoded(value);
            let whole = !is_truncated(&key);
            (vec![(key.clone(), Some(successor(&key)))], whole)
        }
        TestOp::Compare(op, value) => {
            let key = encoded(value);
            let whole = !is_truncated(&key);
            let (start, end) = (vec![type_start(value)], vec![type_end(value)]);
            // A truncated value may lie on either side of the full one.
            let op = match (whole, op) {
                (false, FieldOp::Less) => FieldOp::LessOrEqual,
                (false, FieldOp::Greater) => FieldOp::GreaterOrEqual,
                (_, op) => *op,
            };
            (vec![comparison(op, key, start, Some(end))], whole)
        }
        TestOp::NotIn(values) => {
            let keys: Vec<Key> = values.iter().map(encoded).collect();
            let whole = keys.iter().all(|key| !is_truncated(key));
            let keys = keys.into_iter().filter(|key| !is_truncated(key)).collect();
            // Null is always excluded, and sorts before everything else.
            (without((vec![type_end(&Value::Null)], None), keys), whole)
        }
        TestOp::Contains(_) => return None,
    })
}

fn comparison(op: FieldOp, key: Key, start: Key, end: Option<Key>) -> Span {
    match op {
        FieldOp::Less => (start, Some(key)),
        FieldOp::LessOrEqual => (start, Some(successor(&key))),
        FieldOp::Greater => (successor(&key), end),
        _ => (key, end),
    }
}

/// A span without the given values.
fn without(span: Span, mut keys: Vec<Key>) -> Vec<Span> {
    keys.sort();
    keys.dedup();
    let (mut start, end) = span;
    let mut spans = Vec::with_capacity(keys.len() + 1);
    for key in keys {
        if key >= start {
            let after = successor(&key);
            spans.push((start, Some(key)));
            start = after;
        }
    }
    spans.push((start, end));
    spans
}

/// Converts an ascending span of encodings to one of inverted encodings.
pub(super) fn mirrored((start, end): Span) -> Span {
    let invert = |key: &Key| key.iter().map(|byte| !byte).collect::<Key>();
    let low = end.map(|end| successor(&invert(&end))).unwrap_or_default();
    let high = if start.is_empty() { None } else { Some(successor(&invert(&start))) };
    (low, high)
}

/// Intersection of two sets of spans.
pub(super) fn intersect(a: &[Span], b: &[Span]) -> Vec<Span> {
    let mut both = Vec::new();
    for (a_start, a_end) in a {
        for (b_start, b_end) in b {
            let start = a_start.max(b_start).clone();
            let end = match (a_end, b_end) {
                (Some(a), Some(b)) => Some(a.min(b).clone()),
                (a, b) => a.clone().or_else(|| b.clone()),
            };
            if end.as_ref().is_none_or(|end| start < *end) {
                both.push((start, end));
            }
        }
    }
    both.sort();
    both
}

#[cfg(test)]
mod tests;
